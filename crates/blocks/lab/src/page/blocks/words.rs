//! What there is to say about a thing of the picture, in words.

use super::{Chosen, KernelSums, Runs, Which};
use crate::draw::blocks::{Hit, Selected, What};
use crate::timeline::blocks::Measure;
use base::{Nanos, people};
use blocks::{Direction, KernelRun};
use kit::draw::{Hatch, Ink};
use kit::page::hits::Listed;
use kit::page::sums::{Cell, Line, Sums};

/// Reasons that are told at the most.
const MOST_REASONS: usize = 4;

impl Runs {
    /// A thing in one line: `K2 block 5, SM 1, 0.400 to 0.900 s, 512 threads`.
    pub fn line(&self, chosen: Chosen) -> Option<String> {
        Some(self.cells(chosen)?.join(", "))
    }

    /// What, where and how long, where what is found is listed.
    pub fn listed(&self, chosen: Chosen) -> Option<Listed> {
        let [what, place, when, _] = self.cells(chosen)?;
        let (from, to) = self.stretch(chosen)?;
        Some([what, format!("{place}, {when}"), Nanos(to.0 - from.0).to_string()])
    }

    /// The same in parts: what, where, when, how much.
    pub fn cells(&self, chosen: Chosen) -> Option<[String; 4]> {
        let (run, known) = (self.run(chosen.which)?, self.pictured(chosen.which)?);
        let (trace, clock) = (&known.trace, self.clock());
        match chosen.what {
            Selected::Block { run: i, block } => {
                let launch = trace.kernels.get(i)?;
                let found = trace.blocks.get(launch.blocks.clone().nth(block as usize)?)?;
                Some([
                    format!("{} block {block}", run.kernels.get(i)?),
                    format!("SM {}", found.sm),
                    clock.span(found.start, found.end),
                    self.size(chosen.which, launch)?,
                ])
            }
            Selected::Launch(i) => {
                let launch = trace.kernels.get(i)?;
                Some([
                    format!("{}, launched at {}", run.kernels.get(i)?, clock.at(launch.launched)),
                    people::counted(launch.blocks.len(), "block"),
                    clock.span(launch.start, launch.end),
                    format!("{} each", self.size(chosen.which, launch)?),
                ])
            }
            Selected::Copy(i) => {
                let copy = trace.copies.get(i)?;
                let of = known.setup.copies.get(copy.copy)?;
                Some([
                    run.copies.get(i)?.clone(),
                    format!("copy engine {}", copy.engine),
                    clock.span(copy.start, copy.end),
                    match of.bytes {
                        0 => going(of.direction).to_owned(),
                        bytes => format!("{} {}", people::bytes(bytes), going(of.direction)),
                    },
                ])
            }
        }
    }

    /// What a block of a launch takes.
    fn size(&self, which: Which, launch: &KernelRun) -> Option<String> {
        let kernel = self.pictured(which)?.setup.kernels.get(launch.kernel)?;
        let threads = people::counted(kernel.threads as usize, "thread");
        Some(match kernel.shared_memory {
            0 => threads,
            bytes => format!("{threads}, {} of shared memory", people::bytes(bytes.into())),
        })
    }

    /// A thing, and what held it back before.
    pub fn details(&self, chosen: Chosen) -> Option<String> {
        let line = self.line(chosen)?;
        let known = self.pictured(chosen.which)?;
        let of = |stream: usize| known.setup.streams.get(stream).map_or("", |stream| stream.label.as_str());
        let stream = match chosen.what {
            Selected::Block { run, .. } | Selected::Launch(run) => of(known.trace.kernels.get(run)?.stream),
            Selected::Copy(copy) => of(known.trace.copies.get(copy)?.stream),
        };
        let run = match self.runs.len() {
            0 | 1 => String::new(),
            _ => format!("{}: ", chosen.which.title()),
        };
        Some(
            [
                format!("{run}{line}, in {stream}."),
                self.before(chosen).unwrap_or_default(),
                self.twin(chosen).unwrap_or_default(),
            ]
            .into_iter()
            .filter(|said| !said.is_empty())
            .collect::<Vec<_>>()
            .join(" "),
        )
    }

    /// What held an operation back before it ran; for a block what held its kernel until it started.
    fn before(&self, chosen: Chosen) -> Option<String> {
        let run = self.run(chosen.which)?;
        let started = match chosen.what {
            Selected::Block { .. } => self.stretch(chosen)?.0,
            _ => Nanos::NEVER,
        };
        let report = &self.seen().report;
        let (name, held, issued, start) = match chosen.what {
            Selected::Block { run: i, .. } | Selected::Launch(i) => {
                let told = self.reported(chosen.which, i)?;
                (run.kernels.get(i)?, &told.held, told.launched, told.start)
            }
            Selected::Copy(i) => {
                let told = report.copies.get(i).filter(|_| chosen.which == Which::Simulated)?;
                (run.copies.get(i)?, &told.held, told.launched, told.start)
            }
        };
        let held: Vec<_> = held.iter().filter(|(from, ..)| *from < started.0).collect();
        if held.is_empty() {
            let is_told = chosen.which == Which::Simulated && issued == start;
            return is_told.then(|| format!("Nothing held {name} back."));
        }
        let clock = self.clock();
        let reason = |(from, to, rule, why): &&(u64, u64, String, String)| {
            format!("{}, {why} ({rule})", clock.span(Nanos(*from), Nanos(*to)))
        };
        let mut reasons: Vec<String> = held.iter().take(MOST_REASONS).map(reason).collect();
        if held.len() > MOST_REASONS {
            reasons.push(format!("and {} more times", people::grouped((held.len() - MOST_REASONS) as u128)));
        }
        Some(format!("{name} was held back: {}.", reasons.join("; ")))
    }

    /// What lies under the pointer, briefly.
    pub fn hovered(&self, hit: &Hit) -> Option<String> {
        let one = self.runs.get(hit.panel)?;
        let at = || self.clock().at(Nanos(hit.at.max(0.0) as u64));
        let trace = &self.pictured(one.which)?.trace;
        match hit.what {
            What::Thing(what) => {
                let chosen = Chosen { which: one.which, what };
                let [what, place, _, size] = self.cells(chosen)?;
                let (from, to) = self.stretch(chosen)?;
                Some([what, place, self.clock().near(from, to), size].join(", "))
            }
            What::Deadline(run) => {
                let launch = trace.kernels.get(run)?;
                let deadline = self.pictured(one.which)?.setup.kernels.get(launch.kernel)?.deadline?;
                let due = launch.launched + deadline;
                let met = if launch.end <= due { "met" } else { "missed" };
                Some(format!("deadline of {}, {}, {met}", one.kernels.get(run)?, self.clock().at(due)))
            }
            What::Release(round) => Some(format!("round {} begins", round + 1)),
            What::Process(process) => Some(format!("process {process} has the device")),
            What::Sm(sm) => Some(format!("SM {sm}, nothing here")),
            What::Engine(engine) => Some(format!("copy engine {engine}, nothing to copy")),
            What::InUse(amount) => {
                let (amount, all) = (self.amount(amount), self.amount(one.timeline.capacity));
                Some(format!("{amount} of {all} {} in use at {}", self.measure.name(), at()))
            }
            What::Nothing => None,
        }
    }

    /// So much of the measure.
    fn amount(&self, amount: u64) -> String {
        match self.measure {
            Measure::Threads => people::grouped(amount.into()),
            Measure::SharedMemory => people::bytes(amount),
        }
    }

    /// What a stretch of time of all runs adds up to.
    pub fn range_in_words(&self, from: f64, to: f64) -> String {
        let nanos = |t: f64| Nanos(t.max(0.0).round() as u64);
        let (from, to) = (nanos(from.min(to)), nanos(from.max(to)));
        let told = |run: &super::OneRun| {
            let sums = self.totals(run.which)?.between(from.0 as f64, to.0 as f64);
            let title = if self.runs.len() > 1 { format!("{}: ", run.which.title()) } else { String::new() };
            Some(title + &sums.in_words(self.measure, &self.clock().at(rounded(sums.busy))))
        };
        let sums: Vec<String> = self.runs.iter().filter_map(told).collect();
        format!("{}, {}. {}.", self.clock().span(from, to), to - from, sums.join(". "))
    }
}

impl Runs {
    /// What a stretch of time of all runs adds up to, kernel by kernel: a table for each run that has any.
    pub fn range_by_kernel(&self, from: f64, to: f64) -> Vec<Sums> {
        let nanos = |t: f64| Nanos(t.max(0.0).round() as u64);
        let (from, to) = (nanos(from.min(to)), nanos(from.max(to)));
        let table = |(place, run): (usize, &super::OneRun)| {
            let sums = self.by_kernel(run.which)?.between(from, to);
            let all = sums.iter().fold(KernelSums::default(), |all, sums| KernelSums {
                blocks: all.blocks + sums.blocks,
                time: all.time + sums.time,
                taken: all.taken + sums.taken,
                ..all
            });
            let room = to.since(from).0 as f64 * run.timeline.capacity as f64;
            let cells = |sums: &KernelSums| {
                let each = sums.time / (sums.blocks.max(1) as u128);
                let time = |time: u128| Cell { by: time as f64, text: self.clock().at(rounded(time as f64)) };
                let share = sums.taken as f64 / room.max(1.0);
                let blocks = Cell { by: sums.blocks as f64, text: people::grouped(sums.blocks as u128) };
                vec![blocks, time(sums.time), time(each), Cell { by: share, text: people::percent(share) }]
            };
            let line = |sums: &KernelSums| Line {
                key: key_of(place, &sums.name),
                name: sums.name.clone(),
                look: Some((Ink::Class(sums.class), Hatch::Class(sums.class))),
                cells: cells(sums),
            };
            let lines: Vec<Line> = sums.iter().map(line).collect();
            let name = if self.runs.len() > 1 { run.which.title() } else { "Kernel" };
            let taken = match self.measure {
                Measure::Threads => "of all threads",
                Measure::SharedMemory => "of all shared memory",
            };
            let all = Line { name: "All kernels".to_owned(), cells: cells(&all), ..Line::default() };
            let heads = vec!["Blocks", "Block time", "Average", taken];
            (!lines.is_empty()).then(|| Sums { name: name.to_owned(), heads, lines, all: Some(all) })
        };
        self.runs.iter().enumerate().filter_map(table).collect()
    }

    /// The blocks of a kernel of which something lies in a stretch, by the key of its line.
    pub fn of_line(&self, (from, to): (f64, f64), key: u64) -> Vec<Chosen> {
        let (from, to) = (from.min(to), from.max(to));
        let mut all = Vec::new();
        for (place, run) in self.runs.iter().enumerate() {
            let Some(known) = self.pictured(run.which) else { continue };
            for (launch, own) in known.trace.kernels.iter().enumerate() {
                let label = known.setup.kernels.get(own.kernel).map(|kernel| &kernel.label);
                let label = label.filter(|label| !label.is_empty()).or_else(|| run.kernels.get(launch));
                if label.is_none_or(|label| key_of(place, label) != key) {
                    continue;
                }
                let blocks = known.trace.blocks.get(own.blocks.clone()).unwrap_or_default();
                let met =
                    (0..).zip(blocks).filter(|(_, at)| (at.start.0 as f64) < to && at.end.0 as f64 > from);
                all.extend(met.map(|(block, _)| {
                    let what = Selected::Block { run: launch, block };
                    Chosen { which: run.which, what }
                }));
            }
        }
        all
    }
}

/// What tells a kernel of a run from all others: it is the same for every stretch.
fn key_of(run: usize, name: &str) -> u64 {
    name.bytes().fold(run as u64 + 1, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A sum of times to four digits: nobody reads more of one.
fn rounded(nanos: f64) -> Nanos {
    let grain = 10f64.powf(nanos.max(1.0).log10().floor() - 3.0).max(1.0);
    Nanos(((nanos.max(0.0) / grain).round() * grain) as u64)
}

/// Where a copy goes.
pub fn going(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "to the device",
        Direction::Out => "to the host",
        Direction::Within => "within the device",
        Direction::Set => "of memory set",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;

    fn block(run: usize, block: u32) -> Chosen {
        Chosen { which: Which::Simulated, what: Selected::Block { run, block } }
    }

    #[test]
    fn a_block_says_where_when_and_why() {
        let runs = sample::runs();
        assert_eq!(runs.line(block(1, 5)).as_deref(), Some("K2 block 5, SM 1, 0 to 6 s, 512 threads"));
        let expected = "K3 block 0, SM 1, 4 to 10 s, 512 threads, in stream 3. K3 was held back: 0 to 4 s, K2 is before it in the queue (X1).";
        assert_eq!(runs.details(block(2, 0)).as_deref(), Some(expected));
        let first = "K1 block 0, SM 0, 0 to 4 s, 512 threads, in stream 1. Nothing held K1 back.";
        assert_eq!(runs.details(block(0, 0)).as_deref(), Some(first));
        assert_eq!(runs.details(block(9, 0)), None);
        let launch = Chosen { which: Which::Simulated, what: Selected::Launch(3) };
        let expected = "K4, launched at 0 s, 5 blocks, 6 to 11 s, 512 threads each";
        assert_eq!(runs.line(launch).as_deref(), Some(expected));
    }

    #[test]
    fn a_range_says_what_it_adds_up_to() {
        let expected = "0 to 4 s, 4 s. 8 blocks; SMs busy for 8 s together, 100 % of their time; 100 % of all threads taken over time.";
        assert_eq!(sample::runs().range_in_words(4e9, 0.0), expected);
    }

    #[test]
    fn a_range_is_added_up_kernel_by_kernel() {
        let told = |runs: &Runs, from, to| {
            let line = |line: &Line| {
                let cells: Vec<&str> = line.cells.iter().map(|cell| cell.text.as_str()).collect();
                format!("{} {}", line.name, cells.join(" "))
            };
            let table = |table: &Sums| {
                [vec![table.name.clone()], table.lines.iter().chain(&table.all).map(line).collect()]
            };
            runs.range_by_kernel(from, to).iter().flat_map(table).flatten().collect::<Vec<_>>()
        };
        let all = told(&sample::runs(), 5e9, 1e9);
        assert_eq!(
            all,
            [
                "Kernel",
                "K2 7 25 s 3.571 s 78.1 %",
                "K1 2 6 s 3 s 18.8 %",
                "K3 1 1 s 1 s 3.1 %",
                "All kernels 10 32 s 3.200 s 100 %"
            ]
        );
        assert_eq!(told(&sample::runs(), 20e9, 30e9), [""; 0]);
        // A line lights its blocks, and no others.
        let runs = sample::runs();
        let lines = &runs.range_by_kernel(1e9, 5e9)[0].lines;
        for (line, many) in lines.iter().zip([7, 2, 1]) {
            let lit = runs.of_line((5e9, 1e9), line.key);
            assert_eq!(lit.len(), many, "{}", line.name);
            assert!(lit.iter().all(|&one| runs.line(one).is_some_and(|said| said.starts_with(&line.name))));
        }
        let both = told(&sample::both(), 0.0, 1e9);
        assert!(both.contains(&"Simulated".to_owned()) && both.contains(&"Measured".to_owned()), "{both:?}");
    }

    #[test]
    fn copies_say_how_much_goes_where() {
        let runs = sample::odd();
        let copy = Chosen { which: Which::Simulated, what: Selected::Copy(0) };
        let expected = "copy in, copy engine 0, 40 to 45 ns, to the device";
        assert_eq!(runs.line(copy).as_deref(), Some(expected));
    }

    #[test]
    fn the_pointer_names_what_is_under_it() {
        let runs = sample::runs();
        let said = |what| runs.hovered(&Hit { panel: 0, at: 5e9, what }).unwrap_or_default();
        assert_eq!(
            said(What::Thing(Selected::Block { run: 0, block: 1 })),
            "K1 block 1, SM 1, 0 to 4 s, 512 threads"
        );
        assert_eq!(said(What::Deadline(0)), "deadline of K1, 15 s, met");
        assert_eq!(said(What::InUse(2_048)), "2,048 of 4,096 threads in use at 5 s");
        assert_eq!(said(What::Sm(1)), "SM 1, nothing here");
        assert_eq!(said(What::Nothing), "");
    }

    #[test]
    fn with_two_runs_it_is_said_which_one() {
        let runs = sample::both();
        let measured = Chosen { which: Which::Measured, what: Selected::Block { run: 0, block: 0 } };
        assert!(runs.details(measured).is_some_and(|said| said.starts_with("Measured: ")));
        assert!(runs.range_in_words(0.0, 1e9).contains("Measured: "));
    }
}
