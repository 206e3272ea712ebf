//! The measurement held against the model: replays with their errors, brackets around every SIMD, and what would follow
//! from a change.

use serde::Serialize;

use waves::Account;
use waves::bracket::{Bracket, brackets};
use waves::replay::{Machine, Policy, Stream, Unknown, errors, streams};
use waves::what_if::{Change, change, whole};

/// How many lines are tried with loads that take half as long.
const LINES: usize = 4;

/// All of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replays {
    /// By policy, the better one first.
    pub replay: Vec<Fit>,
    /// Of the cases in which another wave was chosen: how many there were, and in how many that one was older.
    pub chosen: Chosen,
    /// By SIMD.
    pub brackets: Vec<OfSimd>,
    /// What would follow from changes; simulated.
    pub what_if: Vec<WhatIf>,
}

/// How well a policy reproduces the measurement: errors of waves' lives, in percent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// The policy.
    pub policy: &'static str,
    /// The median of the errors.
    pub error: f64,
    /// The largest.
    pub worst: f64,
}

/// Who was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Chosen {
    /// Cycles in which another wave was chosen.
    pub cycles: u64,
    /// Those of them in which it had begun before.
    pub older: u64,
}

/// The bracket of a SIMD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfSimd {
    /// The shader engine.
    pub se: u32,
    /// The compute unit.
    pub cu: u32,
    /// The number.
    pub simd: u32,
    /// When its first wave began; the others count from it.
    pub begin: i64,
    /// No schedule of these streams takes less: proven.
    pub best: Option<i64>,
    /// What was measured.
    pub measured: i64,
    /// No schedule of these streams that leaves no unit idle takes more: proven.
    pub worst: Option<i64>,
    /// Whether the measurement lies between.
    pub between: bool,
    /// The first cycle at which a wave stood ready, its unit was free and it did not issue: the line and the clock.
    pub idle: Option<(Option<u32>, i64)>,
}

/// What would follow from a change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhatIf {
    /// The change in words.
    pub change: String,
    /// `simulated`.
    pub kind: &'static str,
    /// How many instructions it changes.
    pub changes: usize,
    /// The time from first begin to last end, summed over shader engines, as replayed without it.
    pub before: i64,
    /// With it.
    pub after: i64,
}

impl Replays {
    /// Of an account.
    pub fn of(account: &Account) -> Self {
        let streams = streams(account);
        let machine = Machine::of(account);
        let fit = |policy: Policy| {
            let errors = errors(account, &machine.replay(&streams, policy, Unknown::Most));
            let percent = |error: Option<&u64>| error.map_or(0.0, |error| *error as f64 / 1_000.0);
            let (median, worst) = (percent(errors.get(errors.len() / 2)), percent(errors.last()));
            (policy, Fit { policy: policy.name(), error: median, worst })
        };
        let mut fits = [fit(Policy::Oldest), fit(Policy::RoundRobin)];
        fits.sort_by(|(_, one), (_, other)| one.error.total_cmp(&other.error));
        let better = fits[0].0;
        Self {
            replay: fits.map(|(_, fit)| fit).into(),
            chosen: chosen(account),
            brackets: brackets(account, &streams).into_iter().map(|own| bracket(account, &own)).collect(),
            what_if: what_if(account, &machine, &streams, better),
        }
    }
}

fn chosen(account: &Account) -> Chosen {
    let mut found = Chosen::default();
    for (wave, parts) in account.capture.waves.iter().zip(&account.parts) {
        for part in parts.iter().filter(|part| part.cause == waves::Cause::Chosen) {
            found.cycles += part.cycles();
            let winner = part.witness.and_then(|witness| account.capture.waves.get(witness.wave as usize));
            if winner.is_some_and(|winner| winner.begin < wave.begin) {
                found.older += part.cycles();
            }
        }
    }
    found
}

fn bracket(account: &Account, own: &Bracket) -> OfSimd {
    let (se, cu, simd) = own.simd;
    let idle = own.idle.map(|(clock, wave, item)| {
        let instr = account.capture.instr(wave, item);
        (instr.and_then(|instr| account.capture.line(instr)).map(|line| line.number), clock)
    });
    let since = |time: i64| time - own.begin;
    OfSimd {
        se,
        cu,
        simd,
        begin: own.begin,
        best: own.best.map(since),
        measured: since(own.measured),
        worst: own.worst.map(since),
        between: own.holds(),
        idle,
    }
}

/// The changes that are tried: the lines whose data was waited for longest, barriers, matrix instructions, occupancy.
fn changes(account: &Account) -> Vec<(String, Change)> {
    let mut awaited = vec![0_u64; account.capture.lines.len()];
    for parts in &account.parts {
        for part in parts.iter().filter(|part| part.cause == waves::Cause::Data) {
            let instr = part.witness.and_then(|witness| account.capture.instr(witness.wave, witness.item));
            if let Some(own) = instr.and_then(|instr| awaited.get_mut(instr.line as usize)) {
                *own += part.cycles();
            }
        }
    }
    let mut order: Vec<usize> = (0..awaited.len()).filter(|&line| awaited[line] > 0).collect();
    order.sort_by_key(|&line| (std::cmp::Reverse(awaited[line]), line));
    let mut found: Vec<(String, Change)> = order
        .into_iter()
        .take(LINES)
        .map(|line| {
            let own = &account.capture.lines[line];
            let said = format!("line {}, {}, takes half as long", own.number, own.op.name);
            (said, Change::Latency { line: line as u32, percent: 50 })
        })
        .collect();
    found.push(("barriers hold nobody".to_owned(), Change::NoBarriers));
    found.push((
        "matrix instructions hold their unit half as long".to_owned(),
        Change::Matrix { percent: 50 },
    ));
    let most = at_once(account);
    if most > 1 {
        let said = format!("{} waves on a SIMD at once, not {most}", most - 1);
        found.push((said, Change::Occupancy { most: most - 1 }));
    }
    found
}

/// The most waves that a SIMD had at once.
fn at_once(account: &Account) -> usize {
    let mut events: Vec<((u32, u32, u32), i64, i64)> = Vec::new();
    for wave in &account.capture.waves {
        let simd = (wave.se, wave.cu, wave.simd);
        events.extend([(simd, wave.begin, 1), (simd, wave.end, -1)]);
    }
    events.sort_unstable();
    let (mut now, mut most) = (0_i64, 0_i64);
    for (_, _, step) in events {
        now += step;
        most = most.max(now);
    }
    usize::try_from(most).unwrap_or_default()
}

fn what_if(account: &Account, machine: &Machine, streams: &[Stream], policy: Policy) -> Vec<WhatIf> {
    let run = |streams: &[Stream]| whole(account, &machine.replay(streams, policy, Unknown::Most));
    let Some(before) = run(streams) else { return Vec::new() };
    let outcome = |(said, asked): (String, Change)| {
        let mut changed = streams.to_vec();
        let changes = change(account, &mut changed, &asked);
        let after = run(&changed).filter(|_| changes > 0)?;
        Some(WhatIf { change: said, kind: "simulated", changes, before, after })
    };
    changes(account).into_iter().filter_map(outcome).collect()
}
