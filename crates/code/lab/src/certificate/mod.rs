//! Certificates on machine code: what is claimed of a launch, with all it takes to check it again.
//!
//! The document stands for itself: instructions, machine and way written out, a schedule with its latencies for the lower
//! bound, and for the upper bound the proof that [`code::certificate`] found, which shares nothing with what found the
//! result. The checksum over everything else tells a damaged file from a wrong claim.

mod document;

use serde::Serialize;
use serde_json::{Value, json};

use crate::job::CodeJob;
use base::{Control, Problem, StopReason, crc32, people};
use code::certificate::{Proof, least, proofs, prove};
use code::{Launch, Schedule, check};
use kit::import::json as text;
use kit::job::{Job, Progress, Step};
use kit::report::{Report, Told};
use kit::scenario::Scenario;

/// The key that makes a document a certificate, and its version.
const KEY: &str = "warpspan_certificate";
/// States that a proof may look at.
const MOST_STATES: u64 = 1 << 20;

/// A certificate as a result, as it is written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certified {
    /// The document.
    pub text: String,
    /// What of the result it does not claim.
    pub note: Option<String>,
}

impl Told for Certified {
    fn line(&self) -> String {
        self.text.clone()
    }

    fn note(&mut self, _text: String) {}

    fn took(&mut self, _seconds: f64) {}
}

/// Whether a text, which is a certificate, is one of this kind.
pub fn is_certificate(tree: &Value) -> bool {
    tree.get(KEY).is_some() && tree.get("code").is_some()
}

/// Runs a scenario and writes the certificate of its result.
pub struct CertifyJob(CodeJob);

/// The job of a certificate, if the scenario is of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    CodeJob::new(scenario).map(|job| Box::new(CertifyJob(job.without_best())) as Box<dyn Job>)
}

impl Job for CertifyJob {
    fn step(&mut self, control: &mut Control) -> Step {
        match self.0.step(control) {
            Step::More(progress) => Step::More(Progress { bracket: None, ..progress }),
            Step::Done(_) => {
                let found = self.0.found();
                let claim = Claimed {
                    title: self.0.title(),
                    provided: self.0.provided(),
                    launch: self.0.launch(),
                    schedule: found.schedule(),
                };
                Step::Done(Report::new(written(&claim, found.upper())))
            }
        }
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        None // half a certificate certifies nothing
    }
}

/// What a certificate is about.
struct Claimed<'a> {
    title: &'a str,
    /// What that rests on where it was read from a listing.
    provided: Vec<String>,
    launch: &'a Launch,
    schedule: &'a Schedule,
}

/// Its upper bound is the one given if that can be proven again within the limits, else the least one that takes no states.
fn written(claimed: &Claimed<'_>, upper: u64) -> Certified {
    let Claimed { title, provided, launch, schedule } = claimed;
    let wanted = prove(launch, upper, MOST_STATES).map(|proof| (upper, proof));
    let (bound, proof) = wanted.unwrap_or_else(|| least(launch));
    let note = wanted.is_none().then(|| {
        format!(
            "the upper bound of {} cycles could not be proven again within the limits; the certificate claims {}",
            people::grouped(upper.into()),
            people::grouped(bound.into())
        )
    });
    let makespan = schedule.makespan(launch);
    let mut tree = json!({ KEY: 1, "scenario": title });
    if let Some(tree) = tree.as_object_mut().filter(|_| !provided.is_empty()) {
        tree.insert("provided".to_owned(), json!(provided));
    }
    if let (Some(tree), Value::Object(about)) = (tree.as_object_mut(), document::of(launch)) {
        tree.extend(about);
        let lower =
            json!({ "makespan": makespan, "issued": schedule.issued, "latencies": schedule.latencies });
        tree.insert("lower".to_owned(), lower);
        let claim = json!({ "bound": bound, "by": name(proof), "counted": counted(proof) });
        tree.insert("upper".to_owned(), claim);
        tree.insert("exact".to_owned(), (bound == u64::from(makespan)).into());
    }
    let sum = checksum(&tree);
    if let Some(tree) = tree.as_object_mut() {
        tree.insert("checksum".to_owned(), sum.into());
    }
    Certified { text: text::line(&tree) + "\n", note }
}

fn checksum(tree: &Value) -> String {
    format!("{:08x}", crc32(text::line(tree).as_bytes()))
}

fn name(proof: Proof) -> &'static str {
    match proof {
        Proof::Formula(_) => code::bounds::BLOCKED_CYCLES,
        Proof::Stretches(_) => code::bounds::STRETCHES,
        Proof::AllStates(_) => code::exact::ALL_STATES,
    }
}

/// What comes of the formula or the stretches, or how many states there are.
fn counted(proof: Proof) -> u64 {
    match proof {
        Proof::Formula(count) | Proof::Stretches(count) | Proof::AllStates(count) => count,
    }
}

/// What checking a certificate came to: one line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The title in the certificate.
    pub certificate: String,
    /// Whether everything it claims is true.
    pub accepted: bool,
    /// What has to hold for that to be about the kernel it was made of, in sentences; empty where instructions were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub provided: Vec<String>,
    /// The lower bound it claims.
    pub lower: u32,
    /// The upper bound it claims.
    pub upper: Option<u64>,
    /// Whether it claims that both meet.
    pub exact: bool,
    /// Why it is refused; empty where it is accepted.
    pub reasons: Vec<String>,
    /// How long checking took.
    pub seconds: f64,
}

impl Verdict {
    /// As one line of JSON.
    pub fn line(&self) -> String {
        text::line(self)
    }
}

/// Checks everything that a certificate claims, or says what keeps the text from being one.
pub fn checked(written: &str) -> Result<Verdict, Vec<Problem>> {
    let tree = text::parse(written).map_err(|problem| vec![problem])?;
    let read = document::read(&tree)?;
    let mut rest = tree.clone();
    let told = rest.as_object_mut().and_then(|rest| rest.shift_remove("checksum"));
    let mut reasons = Vec::new();
    if told.as_ref().and_then(Value::as_str) != Some(&checksum(&rest)) {
        reasons.push("the checksum is not that of the rest: the file was changed".to_owned());
    }
    reasons.extend(check::check(&read.launch, &read.schedule).iter().map(|flaw| format!("lower: {flaw}")));
    if reasons.is_empty() {
        let makespan = read.schedule.makespan(&read.launch);
        if makespan != read.makespan {
            reasons.push(format!("lower: the schedule takes {makespan} cycles, not {}", read.makespan));
        }
        derived(&read, &mut reasons);
    }
    let bound = read.upper.as_ref().map(|upper| upper.bound);
    if read.exact != (bound == Some(read.makespan.into())) {
        let upper = bound.map_or("none".to_owned(), |bound| bound.to_string());
        reasons.push(format!("exact is {}, the bounds are {} and {upper}", read.exact, read.makespan));
    }
    Ok(Verdict {
        certificate: read.title,
        accepted: reasons.is_empty(),
        provided: read.provided,
        lower: read.makespan,
        upper: bound,
        exact: read.exact,
        reasons,
        seconds: 0.0,
    })
}

/// Whether the upper bound comes out again, by the proof that is named.
fn derived(read: &document::Certificate, reasons: &mut Vec<String>) {
    let Some(upper) = &read.upper else { return };
    if upper.bound < read.makespan.into() {
        reasons.push(format!("upper: {} is less than the schedule takes", upper.bound));
        return;
    }
    let mut other = None;
    // A proof that is named holds where a cheaper one does, too.
    for proof in proofs(&read.launch, upper.bound, MOST_STATES) {
        if (name(proof), counted(proof)) == (&upper.by[..], upper.counted) {
            return;
        }
        other = other.or(Some(proof));
    }
    reasons.push(match other {
        None => format!("upper: no proof of {} was found within the limits", upper.bound),
        Some(proof) => {
            let told = format!("{:?} and {}", name(proof), counted(proof));
            format!("upper: proven by {told}, not by {:.60?} and {}", upper.by, upper.counted)
        }
    });
}
