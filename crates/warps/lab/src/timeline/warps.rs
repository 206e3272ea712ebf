//! A schedule of warps as a timeline: a row per warp as in the papers' figures, or a row per unit.

use base::sort;
use kit::timeline::{Mark, Span, Timeline, Track};
use warps::{Kernel, Schedule, Unit};

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
}

/// How long loads take in a picture.
#[derive(Debug, Clone, Copy)]
pub struct Loads<'a> {
    /// The whole schedule.
    pub schedule: &'a Schedule,
    /// Whether they hold a place as long as they take.
    pub held: bool,
    /// Those that take as long as this are said to have missed.
    pub miss: u32,
}

/// The class of a load that misses.
const MISSED: u8 = Unit::ALL.len() as u8;

/// The timeline of a schedule that may still be in the making: `rows[w]` holds warp `w`'s cycles so far. Without
/// `loads` every instruction takes a cycle.
pub fn warps_timeline(
    kernel: &Kernel,
    rows: &[Vec<u32>],
    loads: Option<Loads<'_>>,
    end: u32,
    by: Rows,
) -> Timeline {
    let tracks = match by {
        Rows::Warps => warp_tracks(kernel, rows, loads),
        Rows::Units => unit_tracks(kernel, rows, loads),
    };
    let totals = kernel.totals();
    let kinds = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0);
    let mut legend: Vec<(u8, String)> =
        kinds.map(|unit| (unit as u8, format!("{} {}", unit.letter(), unit.name()))).collect();
    if tracks.iter().any(|track| track.spans.iter().any(|span| span.class == MISSED)) {
        legend.push((MISSED, "M load/store, missed".to_owned()));
    }
    Timeline { tracks, end: f64::from(end), axis: "cycle", legend, headings: Vec::new() }
}

/// An instruction with the cycles it takes; without a mark of its own it has its letter.
fn span(
    kernel: &Kernel,
    loads: Option<Loads<'_>>,
    (warp, instruction): (usize, usize),
    cycle: u32,
    mark: Option<Mark>,
) -> Span {
    let unit = kernel.units()[instruction];
    let lasts = loads.map_or(1, |loads| loads.schedule.lasts(warp, instruction));
    let missed = unit == Unit::LoadStore && loads.is_some_and(|loads| lasts == loads.miss && lasts > 1);
    Span {
        start: f64::from(cycle) - 1.0,
        end: f64::from(cycle + lasts - 1),
        class: if missed { MISSED } else { unit as u8 },
        mark: mark.unwrap_or(Mark::Letter(if missed { 'M' } else { unit.letter() })),
        id: (warp as u32, instruction as u32),
    }
}

fn warp_tracks(kernel: &Kernel, rows: &[Vec<u32>], loads: Option<Loads<'_>>) -> Vec<Track> {
    let track = |(warp, row): (usize, &Vec<u32>)| Track {
        label: format!("Warp {}", warp + 1),
        spans: (0..).zip(row).map(|(i, &cycle)| span(kernel, loads, (warp, i), cycle, None)).collect(),
    };
    rows.iter().enumerate().map(track).collect()
}

fn unit_tracks(kernel: &Kernel, rows: &[Vec<u32>], loads: Option<Loads<'_>>) -> Vec<Track> {
    let held = loads.is_some_and(|loads| loads.held);
    let mut tracks = Vec::new();
    for unit in Unit::ALL {
        let mut spans: Vec<Span> = Vec::new();
        for (warp, row) in rows.iter().enumerate() {
            let of_unit = row.iter().enumerate().filter(|&(i, _)| kernel.units()[i] == unit);
            spans.extend(of_unit.map(|(i, &cycle)| {
                let mark = Mark::Number(warp as u32 + 1);
                let span = span(kernel, loads, (warp, i), cycle, Some(mark));
                // A pipelined unit is free again after a cycle.
                Span { end: if held { span.end } else { span.start + 1.0 }, ..span }
            }));
        }
        sort::sort_by(&mut spans, |a, b| a.start.total_cmp(&b.start).then(a.id.cmp(&b.id)));
        // Each takes the topmost lane that is free.
        let mut lanes: Vec<Vec<Span>> = Vec::new();
        for span in spans {
            let free = |lane: &Vec<Span>| lane.last().is_none_or(|last| last.end <= span.start);
            match lanes.iter().position(free) {
                Some(lane) => lanes[lane].push(span),
                None => lanes.push(vec![span]),
            }
        }
        let name = |lane: usize| format!("{} {}", unit.letter(), lane + 1);
        tracks.extend(lanes.into_iter().enumerate().map(|(lane, spans)| Track { label: name(lane), spans }));
    }
    tracks
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn picture(by: Rows) -> String {
        let Ok(kernel) = Kernel::parse("LCL") else { unreachable!("parses") };
        let rows = [vec![1, 2, 5], vec![2, 3, 6], vec![3, 4, 7], vec![4, 5, 8]];
        let timeline = warps_timeline(&kernel, &rows, None, 8, by);
        let line = |track: &Track| {
            let cell =
                |cycle: u32| track.at(f64::from(cycle) - 0.5).map_or(".".to_owned(), |s| s.mark.text());
            format!("{:7}{}", track.label, (1..=8).map(cell).collect::<String>())
        };
        timeline.tracks.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn b_figure_2_by_warps_and_by_units() {
        expect![[r#"
            Warp 1 LC..L...
            Warp 2 .LC..L..
            Warp 3 ..LC..L.
            Warp 4 ...LC..L"#]]
        .assert_eq(&picture(Rows::Warps));
        expect![[r#"
            L 1    12341234
            C 1    .1234..."#]]
        .assert_eq(&picture(Rows::Units));
    }

    #[test]
    fn a_load_is_as_long_as_it_takes_and_a_miss_says_so() {
        let Ok(kernel) = Kernel::parse("LCL") else { unreachable!("parses") };
        let rows = [vec![1, 4, 5], vec![4, 5, 7]];
        let lasting = Schedule::new(&rows, 3).and_then(|made| made.lasting(vec![3, 1, 2, 1, 1, 2]));
        let Some(schedule) = lasting else { unreachable!("it fits") };
        assert_eq!(schedule.makespan(), 8);
        let picture = |held, by| {
            let loads = Some(Loads { schedule: &schedule, held, miss: 3 });
            let timeline = warps_timeline(&kernel, &rows, loads, 8, by);
            let line = |track: &Track| {
                let cell =
                    |cycle: u32| track.at(f64::from(cycle) - 0.5).map_or(".".to_owned(), |s| s.mark.text());
                (1..=8).map(cell).collect::<String>()
            };
            (timeline.tracks.iter().map(line).collect::<Vec<_>>(), timeline.legend.len())
        };
        assert_eq!(picture(true, Rows::Warps), (vec!["MMMCLL..".to_owned(), "...LC.LL".to_owned()], 3));
        let units = ["11121122", "...12..."].map(str::to_owned).to_vec();
        assert_eq!(picture(true, Rows::Units), (units, 3));
        let units = ["1..21.2.", "...12..."].map(str::to_owned).to_vec();
        assert_eq!(picture(false, Rows::Units), (units, 3));
    }
}
