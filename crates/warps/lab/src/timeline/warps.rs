//! A schedule of warps as a timeline: a row per warp as in the papers' figures, a row per unit, or both.

use kit::timeline::{Cause, Gap, Lanes, Mark, Span, Timeline, Track, WaitKind};
use warps::idle::{self, Cells, Waiting};
use warps::{PerUnit, Unit};

/// What the rows stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rows {
    /// One row per warp.
    #[default]
    Warps,
    /// One row per unit that is ever busy at once.
    Units,
}

impl Rows {
    /// The name links use.
    pub fn name(self) -> &'static str {
        match self {
            Rows::Warps => "warps",
            Rows::Units => "units",
        }
    }

    /// With rows of units beneath those of warps, this share as high.
    pub fn with_lanes(self, share: f64) -> Pictured {
        Pictured { rows: self, lanes: (self == Rows::Warps).then_some(share) }
    }
}

/// All that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pictured {
    /// What the rows stand for.
    pub rows: Rows,
    /// How high the rows of units beneath those of warps are, as a share of these; none without them.
    pub lanes: Option<f64>,
}

impl From<Rows> for Pictured {
    fn from(rows: Rows) -> Self {
        Self { rows, lanes: None }
    }
}

/// The class of a load that misses.
const MISSED: u8 = Unit::ALL.len() as u8;

/// The timeline of a schedule that may still be in the making. Loads that take as long as a miss, where there are any,
/// are said to have missed.
pub fn warps_timeline(cells: &Cells<'_>, miss: Option<u32>, what: Pictured) -> Timeline {
    let mut timeline = Timeline { end: f64::from(cells.end), axis: "cycle", ..Timeline::default() };
    if what.rows == Rows::Warps {
        add_warps(&mut timeline, cells, miss);
    }
    if what.rows == Rows::Units || what.lanes.is_some() {
        timeline.lanes = Some(Lanes { first: timeline.tracks.len(), share: what.lanes.unwrap_or(1.0) });
        timeline.tracks.extend(unit_tracks(cells, miss));
    }
    let totals = cells.kernel.totals();
    let kinds = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0);
    timeline.legend = kinds.map(|unit| (unit as u8, format!("{} {}", unit.letter(), unit.name()))).collect();
    if timeline.tracks.iter().any(|track| track.spans.iter().any(|span| span.class == MISSED)) {
        timeline.legend.push((MISSED, "M load/store, missed".to_owned()));
    }
    timeline
}

/// An instruction with the cycles in which it takes its unit; without a mark of its own it has its letter.
fn span(
    cells: &Cells<'_>,
    miss: Option<u32>,
    (warp, instruction): (usize, usize),
    cycle: u32,
    mark: Option<Mark>,
) -> Span {
    let unit = cells.kernel.units()[instruction];
    let lasts = cells.lasts(warp, instruction);
    let missed = unit == Unit::LoadStore && miss == Some(lasts) && lasts > 1;
    Span {
        start: f64::from(cycle) - 1.0,
        end: f64::from(cycle + cells.takes(warp, instruction) - 1),
        class: if missed { MISSED } else { unit as u8 },
        mark: mark.unwrap_or(Mark::Letter(if missed { 'M' } else { unit.letter() })),
        id: (warp as u32, instruction as u32),
    }
}

/// A row for each warp, with what it waits for.
fn add_warps(timeline: &mut Timeline, cells: &Cells<'_>, miss: Option<u32>) {
    let gaps: Vec<Vec<idle::Gap>> = (0..cells.warps()).map(|warp| cells.gaps(warp)).collect();
    let reasons = cells.reasons(&gaps);
    timeline.tracks.extend(gaps.iter().enumerate().map(|(warp, gaps)| Track {
        label: format!("Warp {}", warp + 1),
        spans:
            (0..).zip(cells.row(warp)).map(|(i, &cycle)| span(cells, miss, (warp, i), cycle, None)).collect(),
        gaps: gaps.iter().filter_map(gap).collect(),
    }));
    let shared = Unit::ALL.map(|unit| {
        let runs = reasons.of(unit).iter();
        runs.filter_map(|&(from, waiting)| Some((f64::from(from) - 1.0, kind(waiting)?))).collect()
    });
    timeline.shared = shared.to_vec();
    let occurs = |kind: WaitKind| match kind {
        WaitKind::Data | WaitKind::Done => {
            let here = |gap: &Gap| gap.cause == Cause::Always(kind);
            timeline.tracks.iter().any(|track| track.gaps.iter().any(here))
        }
        _ => timeline.shared.iter().flatten().any(|run| run.1 == kind),
    };
    let named = WaitKind::ALL.into_iter().filter(|&kind| occurs(kind));
    timeline.wait_legend = named.map(|kind| (kind, wait_name(kind).to_owned())).collect();
}

/// What legends say of a kind of wait.
fn wait_name(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Data => "waits for data",
        WaitKind::Unit => "ready, unit full",
        WaitKind::Slot => "ready, not chosen",
        WaitKind::Free => "ready, let wait",
        WaitKind::Done => "done",
    }
}

/// The kind of a wait; none where nothing is drawn.
fn kind(waiting: Waiting) -> Option<WaitKind> {
    match waiting {
        Waiting::Data => Some(WaitKind::Data),
        Waiting::Unit => Some(WaitKind::Unit),
        Waiting::Slot => Some(WaitKind::Slot),
        Waiting::Free => Some(WaitKind::Free),
        Waiting::Done => Some(WaitKind::Done),
        Waiting::Unplaced => None,
    }
}

fn gap(gap: &idle::Gap) -> Option<Gap> {
    let cause = match gap.cause {
        idle::Cause::Always(waiting) => Cause::Always(kind(waiting)?),
        idle::Cause::Ready(unit) => Cause::Shared(unit as usize),
    };
    Some(Gap { start: f64::from(gap.from) - 1.0, end: f64::from(gap.to), cause })
}

fn unit_tracks(cells: &Cells<'_>, miss: Option<u32>) -> Vec<Track> {
    let mut lanes = PerUnit::<Vec<Vec<Span>>>::default();
    for (warp, instruction) in by_cycle(cells) {
        let mark = Mark::Number(warp as u32 + 1);
        let cycle = cells.start(warp, instruction);
        let span = span(cells, miss, (warp, instruction), cycle, Some(mark));
        // Each takes the topmost lane that is free.
        let lanes = &mut lanes[cells.kernel.units()[instruction]];
        let free = |lane: &Vec<Span>| lane.last().is_none_or(|last| last.end <= span.start);
        match lanes.iter().position(free) {
            Some(lane) => lanes[lane].push(span),
            None => lanes.push(vec![span]),
        }
    }
    let mut tracks = Vec::new();
    for (unit, lanes) in Unit::ALL.into_iter().zip(lanes.0) {
        let label = |lane: usize| format!("{} {}", unit.letter(), lane + 1);
        let track = |(lane, spans)| Track { label: label(lane), spans, ..Track::default() };
        tracks.extend(lanes.into_iter().enumerate().map(track));
    }
    tracks
}

/// All that is placed, warps and instructions, by the cycles in which they start and then by warp.
fn by_cycle(cells: &Cells<'_>) -> Vec<(usize, usize)> {
    let starts = (0..cells.warps()).flat_map(|warp| cells.row(warp));
    // For each cycle how many start before it, then where the next that starts in it stands.
    let mut next = vec![0usize; cells.end as usize + 2];
    starts.for_each(|&cycle| next[cycle as usize + 1] += 1);
    for cycle in 1..next.len() {
        next[cycle] += next[cycle - 1];
    }
    let mut all = vec![(0, 0); next.last().copied().unwrap_or(0)];
    for warp in 0..cells.warps() {
        for (instruction, &cycle) in cells.row(warp).iter().enumerate() {
            all[next[cycle as usize]] = (warp, instruction);
            next[cycle as usize] += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use warps::{Kernel, Machine, Mode, Schedule};

    /// The picture as text: marks, and what is waited for as `-` data, `_` a unit, `:` a slot, `o` nothing, `.` done.
    fn lines(timeline: &Timeline) -> String {
        let line = |(row, track): (usize, &Track)| {
            let cell = |cycle: u32| {
                let t = f64::from(cycle) - 0.5;
                let wait = timeline.waits(row, t, t + 0.1).next().map_or(".", |wait| match wait.kind {
                    WaitKind::Data => "-",
                    WaitKind::Unit => "_",
                    WaitKind::Slot => ":",
                    WaitKind::Free => "o",
                    WaitKind::Done => ".",
                });
                track.at(t).map_or(wait.to_owned(), |span| span.mark.text())
            };
            format!("{:7}{}", track.label, (1..=timeline.end as u32).map(cell).collect::<String>())
        };
        let lines = timeline.tracks.iter().enumerate().map(line).collect::<Vec<_>>().join("\n");
        let legend =
            timeline.wait_legend.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
        format!("{lines}\n{legend}")
    }

    const MACHINE: Machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };

    fn kernel() -> Kernel {
        let Ok(kernel) = Kernel::parse("LCL") else { unreachable!("parses") };
        kernel
    }

    fn picture(what: impl Into<Pictured>) -> String {
        let rows = [vec![1, 2, 5], vec![2, 3, 6], vec![3, 4, 7], vec![4, 5, 8]];
        let kernel = kernel();
        lines(&warps_timeline(&Cells::of_rows(&kernel, &MACHINE, &rows, 8), None, what.into()))
    }

    #[test]
    fn b_figure_2_by_warps_and_by_units() {
        expect![[r#"
            Warp 1 LC__L...
            Warp 2 _LC__L..
            Warp 3 __LC__L.
            Warp 4 ___LC__L
            ready, unit full, done"#]]
        .assert_eq(&picture(Rows::Warps));
        expect![[r#"
            L 1    12341234
            C 1    .1234...
        "#]]
        .assert_eq(&picture(Rows::Units));
        expect![[r#"
            Warp 1 LC__L...
            Warp 2 _LC__L..
            Warp 3 __LC__L.
            Warp 4 ___LC__L
            L 1    12341234
            C 1    .1234...
            ready, unit full, done"#]]
        .assert_eq(&picture(Rows::Warps.with_lanes(0.5)));
    }

    #[test]
    fn what_is_not_placed_yet_and_what_is_let_wait() {
        let kernel = kernel();
        let machine = Machine { issue: Some(1), ..MACHINE };
        let rows = [vec![1, 2, 3], vec![4], vec![6, 9]];
        expect![[r#"
            Warp 1 LCL.......
            Warp 2 _:_L......
            Warp 3 _:__oLooC.
            ready, unit full, ready, not chosen, ready, let wait, done"#]]
        .assert_eq(&lines(&warps_timeline(
            &Cells::of_rows(&kernel, &machine, &rows, 10),
            None,
            Rows::Warps.into(),
        )));
    }

    #[test]
    fn a_load_is_as_long_as_it_takes_its_unit_and_a_miss_says_so() {
        let kernel = kernel();
        let rows = [vec![1, 4, 5], vec![4, 5, 7]];
        let lasting = Schedule::new(&rows, 3).and_then(|made| made.lasting(vec![3, 1, 2, 1, 1, 2]));
        let Some(schedule) = lasting else { unreachable!("it fits") };
        assert_eq!(schedule.makespan(), 8);
        let picture = |mode, rows: Rows, expected: Expect| {
            let cells = Cells::whole(&kernel, &MACHINE, Some(mode), &schedule);
            let timeline = warps_timeline(&cells, Some(3), rows.into());
            assert_eq!(timeline.legend.len(), 3);
            let over: Vec<f64> =
                timeline.tracks[0].spans.iter().map(|span| timeline.tracks[0].until(span)).collect();
            if rows == Rows::Warps {
                assert_eq!(over, [3.0, 4.0, 6.0]);
            }
            expected.assert_eq(&lines(&timeline));
        };
        picture(
            Mode::Held,
            Rows::Warps,
            expect![[r#"
            Warp 1 MMMCLL..
            Warp 2 ___LC_LL
            ready, unit full, done"#]],
        );
        picture(
            Mode::Held,
            Rows::Units,
            expect![[r#"
            L 1    11121122
            C 1    ...12...
        "#]],
        );
        picture(
            Mode::Pipelined,
            Rows::Warps,
            expect![[r#"
            Warp 1 M--CL-..
            Warp 2 _ooLCoL-
            waits for data, ready, unit full, ready, let wait, done"#]],
        );
        picture(
            Mode::Pipelined,
            Rows::Units,
            expect![[r#"
            L 1    1..21.2.
            C 1    ...12...
        "#]],
        );
    }
}
