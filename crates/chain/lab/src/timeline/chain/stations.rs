//! What each station of a chain says: a title, a number with its worth, a note, and all of it in a sentence.

use super::worth::{self, Worth};
use super::{Node, Row, Station};

use crate::report::chain::{Evidence, KernelLink, TaskLink, WholeReport};
use crate::words::nobody_says;
use base::people::{counted, grouped, plural};
use code_lab::report::Rest;

/// What a station says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// What it is about: `blur`, `16 warps`.
    pub title: String,
    /// What its number is worth; none where it is no result.
    pub worth: Option<Worth>,
    /// Its number, short.
    pub number: String,
    /// Its upper side alone, where there is no room for both.
    pub most: String,
    /// More about it.
    pub note: String,
    /// All of it for a screen reader, with every digit.
    pub spoken: String,
}

/// How far a response is from its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// So much is left at worst.
    Left(u64),
    /// It is too late by so much at worst, by what is known from above.
    OverBound(u64),
    /// It is too late by so much in a case that is known.
    Late(u64),
    /// Nothing is known from above.
    Open,
}

/// How far the response of a task is from its deadline.
pub fn room(task: &TaskLink) -> Room {
    let lower = task.response.lower.as_ref().map_or(0, |figure| figure.value);
    if lower > task.deadline {
        return Room::Late(lower - task.deadline);
    }
    match task.response.upper.as_ref().map(|figure| figure.value) {
        Some(upper) if upper > task.deadline && task.meets == Some(false) => {
            Room::Late(upper - task.deadline)
        }
        Some(upper) if upper > task.deadline => Room::OverBound(upper - task.deadline),
        Some(upper) => Room::Left(task.deadline - upper),
        None => Room::Open,
    }
}

/// What stands between the cycles of a makespan and the nanoseconds of a block.
pub fn conversion(report: &WholeReport) -> String {
    format!("÷ {}", worth::clock(report.gpu.clock))
}

/// What a station says; nothing where there is no such row.
pub fn content(report: &WholeReport, node: Node) -> Option<Content> {
    Some(match node.row {
        Row::Kernel(place) => {
            let kernel = report.kernels.get(place)?;
            match node.station {
                Station::Code => code(kernel),
                Station::Warps => warps(kernel),
                Station::Block => block(report, kernel),
                _ => gpu(kernel),
            }
        }
        Row::Task(place) => {
            let task = report.tasks.get(place)?;
            match node.station {
                Station::Task => host(task),
                _ => deadline(task),
            }
        }
    })
}

fn code(kernel: &KernelLink) -> Content {
    let (number, note) = match kernel.source.as_str() {
        "cycles" => ("cycles given".to_owned(), "no code known".to_owned()),
        "ptx" => (
            counted_big(kernel.instructions, "instruction"),
            format!("PTX, {}", plural(kernel.lines.len(), "line", "lines")),
        ),
        "sass" | "code" => (counted_big(kernel.instructions, "instruction"), "machine code".to_owned()),
        _ => (counted_big(kernel.instructions, "instruction"), "as a string".to_owned()),
    };
    let mut spoken = format!("Kernel {}: {number} of a warp, {note}", kernel.name);
    spoken = spoken.replace("cycles given of a warp", "its cycles are given");
    let mut note = note;
    if kernel.rests.iter().any(Rest::is_grave) {
        note = "not all of it".to_owned();
    }
    if !kernel.once.is_empty() {
        spoken += &format!(". {}", nobody_says(&kernel.once));
        note = "loops once".to_owned();
    }
    for rest in kernel.grave() {
        let end = if spoken.ends_with('.') { "" } else { "." };
        spoken += &format!("{end} {}", rest.said);
    }
    Content { title: kernel.name.clone(), worth: None, most: number.clone(), number, note, spoken }
}

fn counted_big(n: u64, thing: &str) -> String {
    counted(usize::try_from(n).unwrap_or(usize::MAX), thing)
}

fn warps(kernel: &KernelLink) -> Content {
    let resident = &kernel.residency;
    let title = counted_big(resident.warps.max(1), "warp");
    let note = match resident.blocks {
        0 => String::new(),
        blocks => format!("{} of {}", counted_big(blocks, "block"), grouped(kernel.warps.into())),
    };
    let number = worth::short(&kernel.makespan);
    let spoken = format!(
        "Warps of {} on one multiprocessor: {title} in {note}. Worst makespan: {}",
        kernel.name,
        worth::spoken(&kernel.makespan)
    );
    Content {
        title,
        worth: Some(Worth::of_bracket(&kernel.makespan)),
        number,
        most: worth::most(&kernel.makespan),
        note,
        spoken,
    }
}

fn block(report: &WholeReport, kernel: &KernelLink) -> Content {
    let title = counted_big(kernel.threads, "thread");
    let fits = kernel.residency.blocks;
    let note = match (fits, limit_name(&kernel.residency.limited_by)) {
        (0, _) => String::new(),
        (_, "") => format!("{} fit", grouped(fits.into())),
        (_, limit) => format!("{} fit: {limit}", grouped(fits.into())),
    };
    let spoken = format!(
        "A block of {}, {title}. Its time: {}. Cycles become nanoseconds by the GPU's clock of {}",
        kernel.name,
        worth::spoken(&kernel.block),
        worth::clock(report.gpu.clock)
    );
    let number = worth::short(&kernel.block);
    Content {
        title,
        worth: Some(Worth::of_bracket(&kernel.block)),
        number,
        most: worth::most(&kernel.block),
        note,
        spoken,
    }
}

/// What a limit of residency is called where there is little room.
fn limit_name(name: &str) -> &str {
    match name {
        "shared_memory" => "memory",
        "grid" => "the grid",
        other => other,
    }
}

fn gpu(kernel: &KernelLink) -> Content {
    let title = counted_big(kernel.blocks, "block");
    let known = Worth::of_bracket(&kernel.completion) != Worth::Unknown;
    let bracket = if known { &kernel.completion } else { &kernel.alone };
    let worth = Worth::of_bracket(bracket);
    let note = match (known, worth) {
        (true, _) if kernel.alone.upper.is_some() => format!("alone {}", worth::most(&kernel.alone)),
        (false, worth) if worth != Worth::Unknown => "alone on the GPU".to_owned(),
        _ => String::new(),
    };
    let mut spoken = format!(
        "Kernel {} on the GPU, {title}. Completion: {}",
        kernel.name,
        worth::spoken(&kernel.completion)
    );
    if kernel.alone.upper.is_some() || kernel.alone.lower.is_some() {
        spoken += &format!(". Alone on the GPU: {}", worth::spoken(&kernel.alone));
    }
    Content {
        title,
        worth: Some(worth),
        number: worth::short(bracket),
        most: worth::most(bracket),
        note,
        spoken,
    }
}

fn host(task: &TaskLink) -> Content {
    let spoken = format!(
        "Task {} on core {}, priority {}: {}. Worst response: {}",
        task.name,
        task.core,
        task.priority,
        segments_in_words(task),
        worth::spoken(&task.response)
    );
    Content {
        title: task.name.clone(),
        worth: Some(Worth::of_bracket(&task.response)),
        number: worth::short(&task.response),
        most: worth::most(&task.response),
        note: format!("{}, priority {}", task.core, task.priority),
        spoken,
    }
}

fn segments_in_words(task: &TaskLink) -> String {
    let word = |does: &str, label: &str| match (does, label) {
        ("cpu", "" | "computes") => "computes".to_owned(),
        ("cpu", label) => format!("computes {label}"),
        ("copy", "" | "copies") => "copies".to_owned(),
        ("copy", "copy in") => "copies to the GPU".to_owned(),
        ("copy", "copy out") => "copies from the GPU".to_owned(),
        ("copy", label) => format!("copies {label}"),
        ("activate", label) => format!("activates {label}"),
        ("await", label) => format!("waits for {label}"),
        (_, label) => format!("waits for kernel {label}"),
    };
    let words: Vec<String> = task.segments.iter().map(|part| word(&part.does, &part.label)).collect();
    if words.is_empty() { "does nothing".to_owned() } else { words.join(", ") }
}

fn deadline(task: &TaskLink) -> Content {
    let (number, note) = match (room(task), task.meets) {
        (Room::Left(left), Some(true)) if task.kind == Evidence::Upper => {
            // What is over for a bound is the least there is for the task.
            (format!("{} left", worth::time_left(left)), "or more: met")
        }
        (Room::Left(left), Some(true)) => (format!("{} left", worth::time_left(left)), "met"),
        (Room::Left(left), _) => (format!("{} left", worth::time_left(left)), "not decided"),
        (Room::Late(late), _) if task.piles_up => {
            (format!("{} late", worth::time_over(late)), "activations pile up")
        }
        (Room::Late(late), _) => (format!("{} late", worth::time_over(late)), "can be missed"),
        (Room::OverBound(over), _) => (format!("{} over", worth::time_over(over)), "open"),
        (Room::Open, Some(false)) => ("late".to_owned(), "can be missed"),
        (Room::Open, _) => ("—".to_owned(), "open"),
    };
    let spoken = format!(
        "Deadline of {}: {} ns after activation, every {} ns. {}{}",
        task.name,
        grouped(task.deadline.into()),
        grouped(task.period.into()),
        match (room(task), task.meets) {
            (Room::Left(left), Some(true)) if task.kind == Evidence::Upper =>
                format!("Met, proven: at least {} ns are left", grouped(left.into())),
            (Room::Left(left), Some(true)) => format!("Met: {} ns are left", grouped(left.into())),
            (Room::Left(left), _) =>
                format!("Not decided; by the bound {} ns are left", grouped(left.into())),
            (Room::Late(late), _) => {
                let more = if task.piles_up { ", and by more later, as activations pile up" } else { "" };
                format!("It can be missed by {} ns{more}", grouped(late.into()))
            }
            (Room::OverBound(over), _) => format!("Open: the bound is {} ns above it", grouped(over.into())),
            (Room::Open, Some(false)) => "It can be missed".to_owned(),
            (Room::Open, _) => "Open".to_owned(),
        },
        if task.because.is_empty() { String::new() } else { format!(". The reason: {}", task.because) }
    );
    Content {
        title: format!("within {}", worth::time(task.deadline)),
        worth: Some(deadline_worth(task)),
        most: number.clone(),
        number,
        note: note.to_owned(),
        spoken,
    }
}

/// What the number at a deadline is worth: a bound on the response from above bounds what is left from below.
fn deadline_worth(task: &TaskLink) -> Worth {
    match task.meets {
        Some(true) if task.kind == Evidence::Upper => Worth::Lower,
        Some(_) => Worth::of(task.kind),
        None => Worth::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::timeline::chain::{Walk, sample};

    fn check(report: &WholeReport, of: &str, wanted: Expect) {
        let walk = Walk::new(report);
        let rows: Vec<String> = walk
            .nodes()
            .into_iter()
            .filter_map(|node| {
                let name = Walk::name(report, node)?;
                let said = content(report, node).filter(|_| name.contains(of))?;
                let sign = said.worth.map_or(" ", Worth::sign);
                Some(format!("{} {sign} {} | {} | {}\n", said.title, said.number, said.note, said.spoken))
            })
            .collect();
        wanted.assert_eq(&rows.concat());
    }

    #[test]
    fn every_station_says_what_its_number_is() {
        check(
            &sample::open(),
            "",
            expect![[r#"
                blur   25 instructions | as a string | Kernel blur: 25 instructions of a warp, as a string
                16 warps = 154 cycles | 4 blocks of 4 | Warps of blur on one multiprocessor: 16 warps in 4 blocks of 4. Worst makespan: exactly 154 cycles
                128 threads = 119 ns | 4 fit: the grid | A block of blur, 128 threads. Its time: exactly 119 ns. Cycles become nanoseconds by the GPU's clock of 1.3 GHz
                8 blocks ~ 0.119 to 1.437 µs | alone 237 ns | Kernel blur on the GPU, 8 blocks. Completion: at most 1,437 ns, under an assumption; at least 119 ns. Alone on the GPU: at most 237 ns, proven; at least 119 ns
                edges   10 instructions | PTX, 7 lines | Kernel edges: 10 instructions of a warp, PTX, 7 lines
                32 warps ≤ 92 to 110 cycles | 4 blocks of 8 | Warps of edges on one multiprocessor: 32 warps in 4 blocks of 8. Worst makespan: at most 110 cycles, proven; at least 92 cycles
                256 threads ≤ 71 to 85 ns | 4 fit: registers | A block of edges, 256 threads. Its time: at most 85 ns, proven; at least 71 ns. Cycles become nanoseconds by the GPU's clock of 1.3 GHz
                16 blocks ~ 0.071 to 2.439 µs | alone 339 ns | Kernel edges on the GPU, 16 blocks. Completion: at most 2,439 ns, under an assumption; at least 71 ns. Alone on the GPU: at most 339 ns, proven; at least 71 ns
                camera ~ 4.09 to 8.276 µs | cpu, priority 1 | Task camera on core cpu, priority 1: computes prepare, copies to the GPU, waits for kernel blur, waits for kernel edges, computes decide. Worst response: at most 8,276 ns, under an assumption; at least 4,090 ns
                within 12 µs ~ 3.724 µs left | met | Deadline of camera: 12,000 ns after activation, every 20,000 ns. Met: 3,724 ns are left. The reason: 8,276 ns at most, if the simulated completions hold, and 12,000 ns to go.
                log ≤ 6 to 9.5 µs | cpu, priority 2 | Task log on core cpu, priority 2: computes write. Worst response: at most 9,500 ns, proven; at least 6,000 ns
                within 9 µs ? 500 ns over | open | Deadline of log: 9,000 ns after activation, every 50,000 ns. Open: the bound is 500 ns above it. The reason: the bound of 9,500 ns is above the deadline of 9,000 ns, and no schedule was found that takes so long
                spare   cycles given | no code known | Kernel spare: its cycles are given, no code known
                64 warps • 2,000 cycles | 4 blocks of 16 | Warps of spare on one multiprocessor: 64 warps in 4 blocks of 16. Worst makespan: 2,000 cycles, as the document says
                512 threads • 1.539 µs | 4 fit: threads | A block of spare, 512 threads. Its time: 1,539 ns, as the document says. Cycles become nanoseconds by the GPU's clock of 1.3 GHz
                4 blocks ~ 2.239 µs | alone 1.539 µs | Kernel spare on the GPU, 4 blocks. Completion: at most 2,239 ns, under an assumption. Alone on the GPU: 1,539 ns, as the document says
            "#]],
        );
    }

    #[test]
    fn loops_that_nobody_counts_stand_in_the_card_of_their_kernel() {
        let mut report = sample::open();
        report.kernels[1].once = "the loop at 0x00c0 of edges goes round once".to_owned();
        check(
            &report,
            "edges:code",
            expect![[r#"
                edges   10 instructions | loops once | Kernel edges: 10 instructions of a warp, PTX, 7 lines. The loop at 0x00c0 of edges goes round once: nobody says how often.
            "#]],
        );
    }

    #[test]
    fn a_listing_that_may_lack_something_says_so_in_its_card() {
        let mut report = sample::open();
        let rest =
            |on: &'static str, said: &str| Rest { on: on.into(), what: String::new(), said: said.to_owned() };
        report.kernels[1].rests = vec![rest("end", "The text ends."), rest("tables", "Tables are taken.")];
        check(
            &report,
            "edges:code",
            expect![[r#"
            edges   10 instructions | not all of it | Kernel edges: 10 instructions of a warp, PTX, 7 lines. The text ends.
        "#]],
        );
    }

    #[test]
    fn what_is_missing_is_not_known_yet() {
        check(
            &sample::begun(),
            "edges",
            expect![[r#"
                edges   10 instructions | PTX, 7 lines | Kernel edges: 10 instructions of a warp, PTX, 7 lines
                32 warps ? — | 4 blocks of 8 | Warps of edges on one multiprocessor: 32 warps in 4 blocks of 8. Worst makespan: not known
                256 threads ? — | 4 fit: registers | A block of edges, 256 threads. Its time: not known. Cycles become nanoseconds by the GPU's clock of 1.3 GHz
                16 blocks ? — |  | Kernel edges on the GPU, 16 blocks. Completion: not known
            "#]],
        );
    }

    #[test]
    fn a_deadline_that_is_missed_says_by_how_much() {
        check(
            &sample::missed(),
            "log:deadline",
            expect![[r#"
                within 5 µs ≥ 1 µs late | can be missed | Deadline of log: 5,000 ns after activation, every 50,000 ns. It can be missed by 1,000 ns. The reason: the bound of 9,500 ns is above the deadline of 9,000 ns, and no schedule was found that takes so long
            "#]],
        );
        let mut piles = sample::missed();
        piles.tasks[1].piles_up = true;
        check(
            &piles,
            "log:deadline",
            expect![[r#"
            within 5 µs ≥ 1 µs late | activations pile up | Deadline of log: 5,000 ns after activation, every 50,000 ns. It can be missed by 1,000 ns, and by more later, as activations pile up. The reason: the bound of 9,500 ns is above the deadline of 9,000 ns, and no schedule was found that takes so long
        "#]],
        );
        check(
            &sample::meets(),
            "log:deadline",
            expect![[r#"
                within 20 µs ≥ 10.5 µs left | or more: met | Deadline of log: 20,000 ns after activation, every 50,000 ns. Met, proven: at least 10,500 ns are left. The reason: the bound of 9,500 ns is above the deadline of 9,000 ns, and no schedule was found that takes so long
            "#]],
        );
    }
}
