//! What can be guessed about a run: where its first blocks go, one after the other, and when each kernel ends.

use std::sync::Arc;

use super::{Clock, Runs, Seen};
use crate::base::Nanos;
use crate::draw::blocks::Look;
use crate::export::blocks_svg::blocks_svg;
use crate::page::guess::{Answer, Next, Question, beyond};
use crate::report::blocks::{BlocksReport, KernelReport};
use crate::timeline::blocks::Measure;

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
                "launched at {}; {} blocks of {} threads, each taking {}",
                clock.at(Nanos(kernel.launched)),
                kernel.grid,
                kernel.threads,
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
    dispatched(report).iter().take(MOST_BLOCKS).map(ask).collect()
}

/// All blocks in the order in which they were handed out.
fn dispatched(report: &BlocksReport) -> Vec<Placed> {
    let of = |(launch, kernel): (usize, &KernelReport)| {
        let blocks = kernel.blocks.iter().enumerate();
        blocks.map(move |(block, &(sm, start, _))| Placed { launch, block, sm, start }).collect::<Vec<_>>()
    };
    let mut all: Vec<Placed> = report.kernels.iter().enumerate().flat_map(of).collect();
    all.sort_by_key(|placed| (placed.start, placed.launch, placed.block));
    all
}

/// The picture when so many blocks have been handed out, as SVG: what comes after is not in it, and its axis goes on
/// beyond the end.
pub fn so_far(seen: &Seen, handed_out: usize) -> String {
    let mut report = seen.report.clone();
    let all = dispatched(&report);
    let now = all.get(handed_out.saturating_sub(1)).map_or(0, |placed| placed.start);
    let seen_blocks = &all[..handed_out.min(all.len())];
    for (launch, kernel) in report.kernels.iter_mut().enumerate() {
        let many = seen_blocks.iter().filter(|placed| placed.launch == launch).count();
        kernel.blocks.truncate(many);
        kernel.held.clear();
        let (start, end) = kernel
            .blocks
            .iter()
            .fold((now, now), |(first, last), &(_, start, end)| (first.min(start), last.max(end)));
        (kernel.start, kernel.end, kernel.dispatched) = (start, end, now);
    }
    report.copies.retain(|copy| copy.start <= now);
    report.decisions.clear();
    report.slices.clear();
    report.measured = None;
    let end = beyond(seen.report.end as f64);
    let (simulated, _) = crate::report::blocks::picture(&report);
    let partial = Seen { report, simulated, measured: None };
    let runs = Runs::new(Arc::new(partial), Measure::Threads);
    blocks_svg(&runs.panels(), &Look::new(760.0, 300.0, 0.0, end), "What has happened so far", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::guess::asked;

    fn seen() -> Seen {
        let text = include_str!("../../../www/scenarios/paredes-example.json");
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
    fn the_picture_shows_no_more_than_has_happened() {
        let seen = seen();
        let blocks = |many| {
            let picture = so_far(&seen, many);
            (1..=4).map(|kernel| picture.matches(&format!(">K{kernel}:")).count()).sum::<usize>()
        };
        assert_eq!([0, 1, 4, 9].map(blocks), [0, 1, 4, 9]);
    }
}
