//! What changed between a result that was pinned and the one on the screen, in numbers.

use std::collections::BTreeMap;

use super::{OneRun, Runs, Which, summary};
use base::{Nanos, people};
use kit::page::compared::{Change, Good, Way};

/// No more launches are listed.
const MOST: usize = 24;

/// What changed, the whole first, then launches by how much; none where nothing is pinned.
pub fn changes(runs: &Runs) -> Option<Vec<Change>> {
    let (pinned, here) = (runs.run(Which::Pinned)?, runs.run(runs.first())?);
    let time = |nanos: u64| Nanos(nanos).to_string();
    let end = |run: &OneRun| runs.pictured(run.which).map_or(0, |known| known.trace.end.0);
    let blocks = |run: &OneRun| runs.pictured(run.which).map_or(0, |known| known.trace.blocks.len() as u64);
    let count = |count: u64| people::grouped(count.into());
    let mut all = vec![
        Change::number("Ends at", [end(pinned), end(here)], Good::Less, &time),
        Change::number(
            "Launches",
            [pinned.kernels.len() as u64, here.kernels.len() as u64],
            Good::Neither,
            &count,
        ),
        Change::number("Blocks", [blocks(pinned), blocks(here)], Good::Neither, &count),
    ];
    if let Some(before) = runs.pinned() {
        let busy =
            |seen| summary::tiles(seen).into_iter().find(|tile| tile.id == "busy").map(|tile| tile.value);
        if let Some((before, after)) = busy(before).zip(busy(runs.seen())) {
            all.push(Change::text("GPU busy", before, after));
        }
    }
    let known = completions(runs, pinned);
    let mut launches: Vec<(u64, Change)> = Vec::new();
    let mut added = 0;
    for (name, after) in completions(runs, here) {
        let Some(&before) = known.get(&name) else {
            added += 1;
            continue;
        };
        let change =
            Change::number(format!("{name}, launch to completion"), [before, after], Good::Less, &time);
        if change.difference.way != Way::Same {
            launches.push((before.abs_diff(after), change));
        }
    }
    launches.sort_by_key(|(by, _)| std::cmp::Reverse(*by));
    let more = launches.len().saturating_sub(MOST);
    all.extend(launches.into_iter().take(MOST).map(|(_, change)| change));
    let left = [(added, "are only in this one"), (more, "changed less")];
    let told = left.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| {
        Change::text("Further launches", String::new(), format!("{} {what}", people::grouped(count as u128)))
    });
    all.extend(told);
    Some(all)
}

/// How long each launch took from its launch to its completion, by its name.
fn completions(runs: &Runs, run: &OneRun) -> BTreeMap<String, u64> {
    let trace = runs.pictured(run.which).map(|known| &known.trace);
    let own = trace.into_iter().flat_map(|trace| run.kernels.iter().zip(&trace.kernels));
    own.map(|(name, launch)| (name.clone(), launch.end.since(launch.launched).0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;
    use crate::timeline::blocks::Measure;

    fn document(second: u32) -> String {
        format!(
            r#"{{"warpspan": 1, "blocks": {{"device": {{"sms": 1, "threads": 64}}, "streams": [
            {{"operations": [{{"kernel": "A", "blocks": 2, "threads": 64, "duration": 10}}]}},
            {{"operations": [{{"kernel": "B", "blocks": 1, "threads": 64, "duration": {second}}}]}}]}}}}"#
        )
    }

    #[test]
    fn numbers_are_told_before_and_after() {
        let (before, after) = (sample::seen(&document(30)), sample::seen(&document(5)));
        let runs = Runs::beside(after, Some(before), Measure::Threads);
        assert_eq!(
            runs.runs.iter().map(|run| run.which).collect::<Vec<_>>(),
            [Which::Simulated, Which::Pinned]
        );
        let Some(changes) = changes(&runs) else { unreachable!("something is pinned") };
        let told = |name: &str| {
            let found = changes.iter().find(|change| change.name.starts_with(name));
            found.map(|change| (change.difference.both.clone().join(" to "), change.difference.more.clone()))
        };
        assert_eq!(told("Ends at"), Some(("50 ns to 25 ns".to_owned(), "−25 ns".to_owned())));
        assert_eq!(told("B,"), Some(("50 ns to 25 ns".to_owned(), "−25 ns".to_owned())));
        assert_eq!((told("A,"), told("Launches").map(|own| own.0)), (None, Some("2 to 2".to_owned())));
        assert_eq!(super::changes(&sample::runs()), None);
    }

    #[test]
    fn what_was_pinned_is_met_as_the_others_are() {
        let (before, after) = (sample::seen(&document(30)), sample::seen(&document(5)));
        let runs = Runs::beside(after, Some(before), Measure::Threads);
        let Some(chosen) = runs.named("pinned.B:0") else { unreachable!("it is there") };
        assert_eq!((chosen.which, runs.link_name(chosen).as_deref()), (Which::Pinned, Some("pinned.B:0")));
        assert!(runs.details(chosen).is_some() && runs.has(chosen));
        assert_eq!(runs.end, Nanos(50));
    }
}
