//! A schedule of warps as a timeline: a row per warp as in the papers' figures, or a row per unit.

use super::{Mark, Span, Timeline, Track};
use crate::base::sort;
use crate::warps::{Kernel, Unit};

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

/// The timeline of a schedule that may still be in the making: `rows[w]` holds warp `w`'s cycles so far.
pub fn warps_timeline(kernel: &Kernel, rows: &[Vec<u32>], end: u32, by: Rows) -> Timeline {
    let tracks = match by {
        Rows::Warps => warp_tracks(kernel, rows),
        Rows::Units => unit_tracks(kernel, rows),
    };
    let totals = kernel.totals();
    let legend = Unit::ALL
        .into_iter()
        .filter(|&unit| totals[unit] > 0)
        .map(|unit| (unit as u8, format!("{} {}", unit.letter(), unit.name())))
        .collect();
    Timeline { tracks, end: f64::from(end), axis: "cycle", legend }
}

fn span(kernel: &Kernel, warp: usize, instruction: usize, cycle: u32, mark: Mark) -> Span {
    Span {
        start: f64::from(cycle) - 1.0,
        end: f64::from(cycle),
        class: kernel.units()[instruction] as u8,
        mark,
        id: (warp as u32, instruction as u32),
    }
}

fn warp_tracks(kernel: &Kernel, rows: &[Vec<u32>]) -> Vec<Track> {
    let track = |(warp, row): (usize, &Vec<u32>)| Track {
        label: format!("Warp {}", warp + 1),
        spans: row
            .iter()
            .enumerate()
            .map(|(i, &cycle)| span(kernel, warp, i, cycle, Mark::Letter(kernel.units()[i].letter())))
            .collect(),
    };
    rows.iter().enumerate().map(track).collect()
}

fn unit_tracks(kernel: &Kernel, rows: &[Vec<u32>]) -> Vec<Track> {
    let mut tracks = Vec::new();
    for unit in Unit::ALL {
        let mut spans: Vec<Span> = Vec::new();
        for (warp, row) in rows.iter().enumerate() {
            let of_unit = row.iter().enumerate().filter(|&(i, _)| kernel.units()[i] == unit);
            spans.extend(
                of_unit.map(|(i, &cycle)| span(kernel, warp, i, cycle, Mark::Number(warp as u32 + 1))),
            );
        }
        sort::sort_by(&mut spans, |a, b| a.start.total_cmp(&b.start).then(a.id.cmp(&b.id)));
        // Warps of one cycle take the lanes from the top.
        let mut lanes: Vec<Vec<Span>> = Vec::new();
        for cycle in spans.chunk_by(|a, b| a.start == b.start) {
            for (lane, &span) in cycle.iter().enumerate() {
                if lanes.len() == lane {
                    lanes.push(Vec::new());
                }
                lanes[lane].push(span);
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
        let timeline = warps_timeline(&kernel, &rows, 8, by);
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
}
