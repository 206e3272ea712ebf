//! What of a document means something else than it seems to, in sentences that its report has.
//!
//! Documents with such fields were always read, and what they mean has not changed: so they are told of and not refused.
//! Refused is only what no schedule can keep.

use serde_json::Value;

use code::Launch;
use kit::import::reader::{Fields, Reader};

/// How many of one kind are told one by one.
const MOST: usize = 3;

/// Notes a problem where more latencies are misses in any case than there may be.
pub(super) fn possible(reader: &mut Reader, fields: &Fields<'_>, launch: &Launch) -> Option<()> {
    let Some(most) = launch.misses() else { return Some(()) };
    let always = launch.sets().filter(|(_, _, set)| set.hit.is_some_and(|hit| hit < set.least)).count();
    if always as u64 <= most.into() {
        return Some(());
    }
    let expected = format!(
        "at least {always}: so many latencies are misses in any case, as none is as short as its hit"
    );
    reader.problem(fields.path_of("misses"), most.to_string(), expected);
    None
}

/// All of them.
pub(super) fn all(fields: &Fields<'_>, launch: &Launch, listed: bool) -> Vec<String> {
    let mut all = Vec::new();
    let warps = launch.warps().len() as u64;
    if let Some(block) = fields.get("block").and_then(Value::as_u64).filter(|&block| block > warps) {
        all.push(format!("block: {block} is more than the {warps} that there are: all warps are one block."));
    }
    match listed {
        true => given(fields, &mut all),
        false => {
            let partitions = launch.machine().partitions;
            if ![1, 2, 4].contains(&partitions) {
                all.push(format!(
                    "machine.partitions: {partitions} is taken as written, but multiprocessors have 1, 2 or 4."
                ));
            }
            several(&mut all, hits(launch));
            several(&mut all, unset(launch));
        }
    }
    all
}

/// The first of them, and how many more there are.
fn several(all: &mut Vec<String>, own: Vec<String>) {
    let more = own.len().saturating_sub(MOST);
    all.extend(own.into_iter().take(MOST));
    if more > 0 {
        all.push(format!("The same of {more} more."));
    }
}

/// Hits that are out of their range.
fn hits(launch: &Launch) -> Vec<String> {
    let mut own = Vec::new();
    for (at, line) in launch.code().iter().enumerate() {
        for set in &line.sets {
            let Some(hit) = set.hit.filter(|hit| !(set.least..=set.most).contains(hit)) else { continue };
            let means =
                if hit < set.least { "every latency of it is a miss" } else { "none of it is a miss" };
            let side = if hit < set.least { "below" } else { "above" };
            own.push(format!(
                "code[{at}].sets: on scoreboard {} the hit, {hit}, is {side} the range of {} to {}: {means}.",
                set.board, set.least, set.most
            ));
        }
    }
    own
}

/// Waits for scoreboards that nothing on the way sets.
fn unset(launch: &Launch) -> Vec<String> {
    let code = launch.code();
    let mut executed = vec![false; code.len()];
    let path = launch.streams().iter().flat_map(|stream| &stream.path);
    path.for_each(|&at| executed[at as usize] = true);
    let on = |at: &usize| executed[*at];
    let sets = (0..code.len()).filter(on).flat_map(|at| &code[at].sets);
    let set = sets.fold(0u32, |bits, set| bits | 1 << set.board);
    let mut own = Vec::new();
    for at in (0..code.len()).filter(on) {
        for wait in code[at].waits.iter().filter(|wait| set >> wait.board & 1 == 0) {
            own.push(format!(
                "code[{at}].waits: nothing on the way sets scoreboard {}, so nothing is waited for.",
                wait.board
            ));
        }
    }
    own
}

/// Rows of the tables whose hit is out of their range: the nearest number in it is taken.
fn given(fields: &Fields<'_>, all: &mut Vec<String>) {
    for (name, row) in fields.get("latencies").and_then(Value::as_object).into_iter().flatten() {
        let range = row.get("range");
        let side = |at: usize| {
            range.and_then(|range| range.get(at).or_else(|| range.is_number().then_some(range))?.as_u64())
        };
        if let (Some(hit), Some(least), Some(most)) =
            (row.get("hit").and_then(Value::as_u64), side(0), side(1))
            && !(least..=most).contains(&hit)
        {
            let taken = hit.clamp(least, most);
            all.push(format!(
                "latencies.{name:.60}: the hit, {hit}, is out of the range of {least} to {most}; {taken} is taken."
            ));
        }
    }
}
