//! The small picture in each card: instructions by unit, warps by block, multiprocessors, segments, and the time
//! until the deadline.

use super::bar;
use crate::report::chain::{Bracket, KernelLink, TaskLink, WholeReport};
use crate::timeline::chain::{Node, Row, Station};
use kit::draw::list::{DrawList, Ink, Mark};

/// Runs of instructions that are drawn; longer strings are drawn as far.
const MOST_RUNS: usize = 400;
/// Multiprocessors that are drawn.
const MOST_SMS: usize = 32;

/// Where a small picture is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

/// Draws what there is to see of a station.
pub(super) fn draw(list: &mut DrawList, report: &WholeReport, node: Node, place: Place) {
    match node.row {
        Row::Kernel(at) => {
            let Some(kernel) = report.kernels.get(at) else { return };
            match node.station {
                Station::Code => code(list, kernel, place),
                Station::Warps => warps(list, kernel, place),
                Station::Block => sides(list, &kernel.block, place),
                _ => sms(list, kernel, place),
            }
        }
        Row::Task(at) => {
            let Some(task) = report.tasks.get(at) else { return };
            match node.station {
                Station::Task => segments(list, task, place),
                _ => deadline(list, task, place),
            }
        }
    }
}

/// `5L 9C` as runs of units: how many, and of which class.
fn runs(string: &str) -> Vec<(u64, u8)> {
    let mut runs = Vec::new();
    let mut count = 0_u64;
    for letter in string.chars() {
        let class = match letter {
            '0'..='9' => {
                count = count.saturating_mul(10).saturating_add(u64::from(letter as u8 - b'0'));
                continue;
            }
            'L' => 0,
            'C' => 1,
            'S' => 2,
            'D' => 3,
            _ => continue,
        };
        runs.push((count.max(1), class));
        count = 0;
        if runs.len() >= MOST_RUNS {
            break;
        }
    }
    runs
}

fn code(list: &mut DrawList, kernel: &KernelLink, place: Place) {
    let runs = runs(kernel.string.as_deref().unwrap_or_default());
    let total: f64 = runs.iter().map(|&(count, _)| count as f64).sum();
    let mut x = place.x;
    for (count, class) in runs {
        let w = place.w * count as f64 / total;
        bar(list, (x, place.y), ((w - if w > 4.0 { 1.0 } else { 0.0 }).max(0.0), place.h), Ink::Class(class));
        x += w;
    }
}

/// A mark for each resident warp, those of a block side by side.
fn warps(list: &mut DrawList, kernel: &KernelLink, place: Place) {
    let (blocks, warps) = (kernel.residency.blocks, kernel.warps.max(1));
    let count = blocks.saturating_mul(warps);
    if count == 0 || count > 256 {
        return;
    }
    let between = 4.0;
    let room = place.w - between * (blocks as f64 - 1.0).max(0.0);
    let one = (room / count as f64).min(9.0);
    if one < 1.5 {
        return;
    }
    let mut x = place.x;
    for block in 0..blocks {
        for _ in 0..warps {
            bar(
                list,
                (x, place.y),
                ((one - 1.0).max(0.75), place.h),
                if block.is_multiple_of(2) { Ink::Class(0) } else { Ink::Density(0, 3) },
            );
            x += one;
        }
        x += between;
    }
}

/// Both sides of a bound: reached up to here, bounded up to there.
fn sides(list: &mut DrawList, bracket: &Bracket, place: Place) {
    let Some(upper) = bracket.upper.as_ref().filter(|upper| upper.value > 0) else { return };
    let lower = bracket.lower.as_ref().map_or(0, |lower| lower.value.min(upper.value));
    let share = lower as f64 / upper.value as f64;
    list.rect((place.x, place.y), (place.w, place.h), Ink::Density(0, 1));
    bar(list, (place.x, place.y), (place.w * share, place.h), Ink::Class(0));
}

/// Multiprocessors side by side, each as high as it is busy in the worst way that blocks can come to it.
fn sms(list: &mut DrawList, kernel: &KernelLink, place: Place) {
    let Some(grid) = kernel.grids.first() else { return };
    let busy = |at: usize| {
        let bracket = &grid.sms[at].makespan;
        bracket.upper.as_ref().or(bracket.lower.as_ref()).map_or(0, |figure| figure.value)
    };
    let count = grid.sms.len().min(MOST_SMS);
    let Some(most) = (0..count).map(busy).max().filter(|&most| most > 0) else { return };
    let one = (place.w / count as f64).min(26.0);
    for at in 0..count {
        let share = busy(at) as f64 / most as f64;
        let x = place.x + one * at as f64;
        let w = (one - if one > 4.0 { 2.0 } else { 0.5 }).max(0.5);
        list.rect((x, place.y), (w, place.h), Ink::Density(0, 1));
        bar(list, (x, place.y + place.h * (1.0 - share)), (w, place.h * share), Ink::Class(0));
    }
}

fn amount(bracket: &Bracket) -> u64 {
    bracket.upper.as_ref().or(bracket.lower.as_ref()).map_or(0, |figure| figure.value)
}

/// What kinds of segments look like.
pub(super) fn ink_of(does: &str) -> Ink {
    match does {
        "kernel" => Ink::Class(0),
        "copy" => Ink::Class(3),
        _ => Ink::Class(2),
    }
}

/// The segments at their longest, up to the response; in front of the deadline's line or beyond it.
fn segments(list: &mut DrawList, task: &TaskLink, place: Place) {
    let known: u64 = task.segments.iter().map(|part| amount(&part.time)).sum();
    let response = amount(&task.response).max(known);
    let whole = response.max(task.deadline).max(1) as f64;
    let scale = place.w / whole;
    list.rect((place.x, place.y), (response as f64 * scale, place.h), Ink::Density(2, 1));
    let mut x = place.x;
    for part in &task.segments {
        let w = amount(&part.time) as f64 * scale;
        if w > 0.0 {
            bar(
                list,
                (x, place.y),
                ((w - if w > 3.0 { 1.0 } else { 0.0 }).max(0.5), place.h),
                ink_of(&part.does),
            );
        }
        x += w;
    }
    line_at(list, place, task.deadline as f64 * scale, Ink::Text);
}

/// The response against the deadline, which is a line.
fn deadline(list: &mut DrawList, task: &TaskLink, place: Place) {
    let response = amount(&task.response);
    let whole = response.max(task.deadline).max(1) as f64;
    let scale = place.w / whole;
    let until = response.min(task.deadline) as f64 * scale;
    list.marks.push(Mark::Frame {
        x: place.x + 0.5,
        y: place.y + 0.5,
        w: (place.w - 1.0).max(0.0),
        h: place.h - 1.0,
        ink: Ink::Muted,
        line: 1.0,
    });
    let ink = match task.meets {
        Some(true) => Ink::Class(2),
        Some(false) => Ink::Muted,
        None => Ink::Density(2, 2),
    };
    list.rect((place.x, place.y), (until, place.h), ink);
    if response > task.deadline {
        let over = (response - task.deadline) as f64 * scale;
        let ink = if task.meets == Some(false) { Ink::Wrong } else { Ink::WrongVeil };
        list.rect((place.x + until, place.y), (over, place.h), ink);
    }
    line_at(list, place, task.deadline as f64 * scale, Ink::Text);
}

fn line_at(list: &mut DrawList, place: Place, at: f64, ink: Ink) {
    let x = (place.x + at).clamp(place.x + 1.0, place.x + place.w - 1.0);
    list.marks.push(Mark::Line {
        from: (x, place.y - 3.0),
        to: (x, place.y + place.h + 3.0),
        ink,
        line: 2.0,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_runs_of_units() {
        assert_eq!(runs("5L 9C 2L 9C"), [(5, 0), (9, 1), (2, 0), (9, 1)]);
        assert_eq!(runs("LCSD"), [(1, 0), (1, 1), (1, 2), (1, 3)]);
        assert_eq!(runs("? 3"), []);
        assert_eq!(runs("99999999999999999999999L").len(), 1);
    }
}
