//! Certificates written and judged.
//!
//! What judges a certificate is none of what found the result: `warps::check` reads the schedule cycle by
//! cycle, and `warps::certificate` derives the upper bound from the kernel again.

use serde::Serialize;
use serde_json::{Map, Value};

use super::WarpsReport;
use crate::scenario::certificate::{Certificate, Claim, KEY, VERSION, Witness, checksum};
use base::people;
use kit::import::json;
use kit::report::Told;
use warps::certificate::{Attempt, Limits, Model, Proof, attempt, cheapest, loads, prove};
use warps::memory::{self, Misses, Problem};
use warps::order::Order;
use warps::{Memory, Schedule, Unit, check_fair};

/// At most this many reasons are told.
const MOST_REASONS: usize = 50;

/// A certificate as a result, as it is written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certified(pub String);

impl Told for Certified {
    fn line(&self) -> String {
        self.0.clone()
    }

    fn note(&mut self, _text: String) {}

    fn took(&mut self, _seconds: f64) {}
}

/// A certificate as text, and what of the report it does not claim.
pub struct Written {
    /// The document.
    pub text: String,
    /// What the reader should know.
    pub note: Option<String>,
}

/// The certificate of a report. Its upper bound is the report's if that can be derived again within the
/// limits, else the one that a formula proves.
pub fn certify(report: &WarpsReport, model: &Model<'_>, memory: Option<&Memory>, limits: Limits) -> Written {
    let proven = |upper: u32| match memory {
        None => prove(model, upper, limits),
        Some(memory) => match loads::attempt(&problem_of(model, memory), upper, limits) {
            Attempt::Proven(proof) => Some(proof),
            Attempt::NotFound | Attempt::GivenUp => None,
        },
    };
    let wanted = report.upper.and_then(proven);
    let surely = || match memory {
        None => cheapest(model),
        Some(memory) => loads::formula(&problem_of(model, memory)),
    };
    let proof = wanted.clone().or_else(|| proven(surely()?));
    let note = report.upper.filter(|_| wanted.is_none()).map(|upper| {
        let instead = proof.as_ref().map_or("none".to_owned(), |proof| people::counted(proof.upper as usize, "cycle"));
        format!(
            "the upper bound of {} could not be derived again within the limits; the certificate claims {instead}",
            people::counted(upper as usize, "cycle")
        )
    });
    let mut tree = Map::new();
    tree.insert(KEY.to_owned(), VERSION.into());
    tree.insert("scenario".to_owned(), report.scenario.clone().into());
    tree.insert("kernel".to_owned(), report.kernel.clone().into());
    tree.insert("count".to_owned(), report.count.into());
    let mut machine = Map::new();
    for unit in Unit::ALL {
        machine.insert(unit.letter().to_string(), model.machine.capacity[unit].into());
    }
    machine.insert("issue".to_owned(), model.machine.issue.into());
    tree.insert("machine".to_owned(), machine.into());
    tree.insert("fairness".to_owned(), report.fairness.clone().into());
    if let Some(boundaries) = &report.sub_blocks {
        tree.insert("sub_blocks".to_owned(), boundaries.clone().into());
    }
    if let Some(memory) = memory {
        tree.insert("memory".to_owned(), written(memory));
    }
    let mut lower = Map::new();
    lower.insert("makespan".to_owned(), report.makespan.into());
    lower.insert("order".to_owned(), report.order.clone().into());
    lower.insert("cycles".to_owned(), report.cycles.clone().into());
    if let Some(memory) = &report.memory {
        let pairs: Vec<Value> = memory.missed.iter().map(|&(warp, load)| vec![warp, load].into()).collect();
        lower.insert("missed".to_owned(), pairs.into());
    }
    tree.insert("lower".to_owned(), lower.into());
    let exact = proof.as_ref().is_some_and(|proof| proof.upper == report.makespan);
    tree.insert("upper".to_owned(), proof.map_or(Value::Null, upper));
    tree.insert("exact".to_owned(), exact.into());
    let mut tree = Value::Object(tree);
    let sum = checksum(&tree);
    if let Value::Object(map) = &mut tree {
        map.insert("checksum".to_owned(), sum.into());
    }
    Written { text: json::pretty(&tree), note }
}

fn problem_of<'a>(model: &Model<'a>, memory: &'a Memory) -> Problem<'a> {
    Problem { kernel: model.kernel, machine: model.machine, memory, warps: model.warps }
}

/// How long loads take, as scenarios have it.
fn written(memory: &Memory) -> Value {
    let mut tree = Map::new();
    tree.insert("mode".to_owned(), memory.mode.name().into());
    tree.insert("hit".to_owned(), memory.hit.into());
    tree.insert("miss".to_owned(), memory.miss.into());
    match (&memory.missing, memory.misses) {
        (Some(missing), _) => {
            let pair = |&(warp, load): &(u16, u16)| Value::from(vec![warp + 1, load + 1]);
            tree.insert("missing".to_owned(), missing.iter().map(pair).collect::<Vec<_>>().into());
        }
        (None, Misses::None) => drop(tree.insert("misses".to_owned(), "none".into())),
        (None, Misses::All) => drop(tree.insert("misses".to_owned(), "all".into())),
        (None, Misses::AtMost(most)) => drop(tree.insert("misses".to_owned(), most.into())),
    }
    tree.into()
}

fn upper(proof: Proof) -> Value {
    let mut upper = Map::new();
    upper.insert("bound".to_owned(), proof.upper.into());
    upper.insert("by".to_owned(), proof.by.into());
    upper.extend(proof.numbers.into_iter().map(|(name, number)| (name.to_owned(), number.into())));
    upper.into()
}

/// What checking a certificate came to: one line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The title in the certificate.
    pub certificate: String,
    /// Whether everything it claims is true.
    pub accepted: bool,
    /// The lower bound it claims.
    pub lower: u32,
    /// The upper bound it claims.
    pub upper: Option<u32>,
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
        json::line(self)
    }
}

/// Checks everything a certificate claims.
pub fn judge(certificate: &Certificate, limits: Limits) -> Verdict {
    let mut reasons = Vec::new();
    if !certificate.intact {
        reasons.push("the checksum is not that of the rest: the file was changed".to_owned());
    }
    witnessed(certificate, &mut reasons);
    let upper = certificate.upper.as_ref();
    if reasons.is_empty()
        && let Some(claim) = upper
    {
        derived(certificate, claim, limits, &mut reasons);
    }
    let bound = upper.map(|claim| claim.bound);
    if certificate.exact != (bound == Some(certificate.lower.makespan)) {
        let bounds = format!(
            "{} and {}",
            certificate.lower.makespan,
            bound.map_or("none".to_owned(), |b| b.to_string())
        );
        reasons.push(format!("exact is {}, the bounds are {bounds}", certificate.exact));
    }
    reasons.truncate(MOST_REASONS);
    Verdict {
        certificate: certificate.title.clone(),
        accepted: reasons.is_empty(),
        lower: certificate.lower.makespan,
        upper: bound,
        exact: certificate.exact,
        reasons,
        seconds: 0.0,
    }
}

/// Whether the schedule is one, and as long as claimed.
fn witnessed(certificate: &Certificate, reasons: &mut Vec<String>) {
    let Certificate { kernel, machine, fairness, count, memory, lower, .. } = certificate;
    let Witness { makespan, order, cycles, missed } = lower;
    let ids: Vec<u16> = order.iter().map(|&id| id as u16 - 1).collect();
    if Order::new(ids.clone(), *count, kernel.len()).is_err() || cycles.len() != order.len() {
        reasons
            .push(format!("lower: not the order and cycles of {count} warps, each {} times", kernel.len()));
        return;
    }
    let Some(schedule) = Schedule::from_order(&ids, cycles, *count) else {
        reasons.push("lower: the cycles of a warp do not ascend".to_owned());
        return;
    };
    let rows: Vec<Vec<u32>> = (0..*count).map(|warp| schedule.warp(warp).to_vec()).collect();
    if let Some(memory) = memory {
        let problem = Problem { kernel, machine, memory, warps: *count };
        reasons.extend(
            memory::check::check(&problem, &rows, missed).iter().map(|flaw| format!("lower: {flaw}")),
        );
        let last = |(warp, row): (usize, &Vec<u32>)| {
            let i = row.len().checked_sub(1)?;
            let load = kernel.units()[i] == Unit::LoadStore;
            let miss = missed.contains(&(warp as u16, i as u16));
            Some(row[i] + if load { memory.cycles(miss) } else { 1 } - 1)
        };
        let takes = rows.iter().enumerate().filter_map(last).max().unwrap_or(0);
        if takes != *makespan {
            reasons.push(format!("lower: the schedule takes {takes} cycles, not {makespan}"));
        }
        return;
    }
    if !missed.is_empty() {
        reasons.push("lower: loads miss, and none takes longer than a cycle".to_owned());
    }
    let violations = check_fair(kernel, machine, fairness, &rows);
    reasons.extend(violations.iter().map(|violation| format!("lower: {violation}")));
    if schedule.makespan() != *makespan {
        reasons.push(format!("lower: the schedule takes {} cycles, not {makespan}", schedule.makespan()));
    }
}

/// Whether the upper bound comes out again, and all its numbers.
fn derived(certificate: &Certificate, claim: &Claim, limits: Limits, reasons: &mut Vec<String>) {
    let Certificate { kernel, machine, fairness, count, memory, .. } = certificate;
    if claim.bound < certificate.lower.makespan {
        reasons.push(format!("upper: {} is less than the schedule takes", claim.bound));
        return;
    }
    let model = Model { kernel, machine, fairness, warps: *count };
    let attempted = match memory {
        None => attempt(&model, claim.bound, limits),
        Some(memory) => loads::attempt(&problem_of(&model, memory), claim.bound, limits),
    };
    let proof = match attempted {
        Attempt::Proven(proof) => proof,
        Attempt::NotFound => {
            reasons.push(format!("upper: no proof of {} was found within the limits", claim.bound));
            return;
        }
        Attempt::GivenUp => {
            let work = people::grouped(limits.work.into());
            reasons.push(format!(
                "upper: given up after {work} units of work: whether {} can be proven is not known",
                claim.bound
            ));
            return;
        }
    };
    if proof.by != claim.by {
        reasons.push(format!("upper: proven by {:?}, not by {:?}", proof.by, claim.by));
    }
    let numbers: Vec<(String, u64)> =
        proof.numbers.iter().map(|&(name, number)| (name.to_owned(), number)).collect();
    if numbers != claim.numbers {
        let told = |numbers: &[(String, u64)]| {
            let each: Vec<String> = numbers.iter().map(|(name, n)| format!("{name} {n}")).collect();
            if each.is_empty() { "nothing".to_owned() } else { people::listed(&each) }
        };
        reasons.push(format!("upper: counted {}, not {}", told(&numbers), told(&claim.numbers)));
    }
}
