//! What can be guessed about a run: where its first blocks go, one after the other, and when each kernel ends.

use std::collections::BinaryHeap;
use std::sync::Arc;

use super::{Clock, Runs, Seen};
use crate::draw::blocks::Look;
use crate::export::blocks_svg::blocks_svg;
use crate::report::blocks::{BlocksReport, KernelReport};
use crate::timeline::blocks::Measure;
use base::Nanos;
use base::people::counted;
use kit::page::guess::{Answer, Next, Question, beyond};

/// Launches whose end is asked for at the most.
const MOST_ENDS: usize = 8;
/// Blocks whose place is asked for at the most.
const MOST_BLOCKS: usize = 8;
/// Multiprocessors to choose from at the most.
const MOST_SMS: u16 = 8;

/// A block by its launch and its number, where it went and when.
#[derive(Debug, Clone, Copy)]
struct Placed {
    launch: usize,
    block: usize,
    sm: u16,
    start: u64,
}

/// What is asked about a simulated run; nothing about one that was only measured.
pub fn questions(seen: &Seen) -> Vec<Question> {
    let report = &seen.report;
    if report.stop.is_none() {
        return Vec::new();
    }
    places(report).into_iter().chain(ends(report)).collect()
}

fn ends(report: &BlocksReport) -> impl Iterator<Item = Question> {
    let clock = Clock::of(Nanos(report.end));
    report.kernels.iter().take(MOST_ENDS).map(move |kernel| {
        let (end, unit) = clock.measured(Nanos(kernel.end));
        let longest = kernel.blocks.iter().map(|(_, start, end)| end - start).max().unwrap_or_default();
        Question {
            given: format!(
                "launched at {}; {} of {}, each taking {}",
                clock.at(Nanos(kernel.launched)),
                counted(kernel.grid as usize, "block"),
                counted(kernel.threads as usize, "thread"),
                clock.at(Nanos(longest))
            ),
            ..Question::new(format!("When does {} end?", kernel.label), Answer::Number(end, unit))
        }
    })
}

fn places(report: &BlocksReport) -> Vec<Question> {
    let sms = report.device.sms;
    if !(2..=MOST_SMS).contains(&sms) {
        return Vec::new();
    }
    let options: Vec<String> = (0..sms).map(|sm| format!("SM {sm}")).collect();
    let clock = Clock::of(Nanos(report.end));
    let ask = |placed: &Placed| {
        let label = report.kernels.get(placed.launch).map_or("", |kernel| kernel.label.as_str());
        let asks = format!("At {}, where does {label}:{} go?", clock.at(Nanos(placed.start)), placed.block);
        let answer = Answer::Choice(options.clone(), placed.sm.into());
        Question { next: Next::InTurn, ..Question::new(asks, answer) }
    };
    dispatched(report, MOST_BLOCKS).iter().map(ask).collect()
}

/// The first blocks in the order in which they were handed out, so many. Looks at every block once and keeps no more
/// than are asked for: a run may have millions.
fn dispatched(report: &BlocksReport, many: usize) -> Vec<Placed> {
    let mut first = BinaryHeap::new();
    for (launch, kernel) in report.kernels.iter().enumerate() {
        for (block, &(sm, start, _)) in kernel.blocks.iter().enumerate() {
            let placed = (start, launch, block, sm);
            if first.len() < many {
                first.push(placed);
            } else if let Some(mut last) = first.peek_mut()
                && placed < *last
            {
                *last = placed;
            }
        }
    }
    let placed = |(start, launch, block, sm)| Placed { launch, block, sm, start };
    first.into_sorted_vec().into_iter().map(placed).collect()
}

/// A launch with its first blocks, so many, as it stands at a time.
fn begun(kernel: &KernelReport, many: usize, now: u64) -> KernelReport {
    let blocks = kernel.blocks[..many.min(kernel.blocks.len())].to_vec();
    let start = blocks.iter().fold(now, |first, &(_, start, _)| first.min(start));
    let end = blocks.iter().fold(now, |last, &(_, _, end)| last.max(end));
    KernelReport {
        label: kernel.label.clone(),
        stream: kernel.stream.clone(),
        sms: kernel.sms.clone(),
        held: Vec::new(),
        blocks,
        start,
        dispatched: now,
        end,
        ..*kernel
    }
}

/// The picture when so many blocks have been handed out, as SVG: what comes after is not in it, and its axis goes on
/// beyond the end.
pub fn so_far(seen: &Seen, handed_out: usize) -> String {
    let whole = &seen.report;
    let first = dispatched(whole, handed_out);
    let now = first.last().map_or(0, |placed| placed.start);
    let mut many = vec![0; whole.kernels.len()];
    for placed in &first {
        many[placed.launch] += 1;
    }
    let kernels = whole.kernels.iter().zip(many).map(|(kernel, many)| begun(kernel, many, now)).collect();
    // Nothing of the whole run is copied but what the picture needs.
    let report = BlocksReport {
        scenario: whole.scenario.clone(),
        lab: whole.lab.clone(),
        seconds: whole.seconds,
        device: whole.device.clone(),
        streams: whole.streams.clone(),
        end: whole.end,
        stop: whole.stop.clone(),
        kernels,
        copies: whole.copies.iter().filter(|copy| copy.start <= now).cloned().collect(),
        slices: Vec::new(),
        decisions: Vec::new(),
        decisions_left_out: whole.decisions_left_out,
        warnings: Vec::new(),
        response: None,
        worst_order: None,
        analysis: None,
        references: Vec::new(),
        measured: None,
        assumptions: Vec::new(),
    };
    let end = beyond(whole.end as f64);
    let (simulated, _) = crate::report::blocks::picture(&report);
    let partial = Seen { report, simulated, measured: None };
    let runs = Runs::new(Arc::new(partial), Measure::Threads);
    blocks_svg(&runs.panels(), &Look::new(760.0, 324.0, 0.0, end), "What has happened so far", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::page::guess::asked;

    fn seen() -> Seen {
        let text = include_str!("../../../../../../www/scenarios/paredes-example.json");
        Seen::clone(&super::super::sample::seen(text))
    }

    #[test]
    fn blocks_and_ends_of_the_worked_example() {
        let questions = questions(&seen());
        let asks: Vec<&str> = questions.iter().map(|question| question.asks.as_str()).collect();
        assert_eq!(asks[..2], ["At 0 s, where does K1:0 go?", "At 0 s, where does K1:1 go?"], "{asks:?}");
        assert_eq!(asked(&questions, &[]).len(), 1 + 4);
        let ends: Vec<&Answer> =
            questions.iter().filter(|q| q.next == Next::Together).map(|q| &q.answer).collect();
        assert_eq!(
            ends,
            [4.0, 10.0, 12.0, 11.0].map(|end| Answer::Number(end, "s")).iter().collect::<Vec<_>>()
        );
    }

    #[test]
    fn the_first_blocks_are_those_that_sorting_all_of_them_finds() {
        let report = seen().report;
        let of = |(launch, kernel): (usize, &KernelReport)| {
            let blocks = kernel.blocks.iter().enumerate();
            blocks.map(move |(block, &(sm, start, _))| (start, launch, block, sm)).collect::<Vec<_>>()
        };
        let mut all: Vec<(u64, usize, usize, u16)> = report.kernels.iter().enumerate().flat_map(of).collect();
        all.sort_unstable();
        for many in [0, 1, 5, all.len(), all.len() + 3] {
            let found = dispatched(&report, many);
            let found = found.iter().map(|placed| (placed.start, placed.launch, placed.block, placed.sm));
            assert_eq!(found.collect::<Vec<_>>(), all[..many.min(all.len())]);
        }
    }

    #[test]
    fn the_picture_shows_no_more_than_has_happened() {
        let seen = seen();
        let blocks = |many| {
            let picture = so_far(&seen, many);
            (1..=4).map(|kernel| picture.matches(&format!(">K{kernel}:")).count()).sum::<usize>()
        };
        assert_eq!([0, 1, 4, 9].map(blocks), [0, 1, 4, 9]);
    }
}
