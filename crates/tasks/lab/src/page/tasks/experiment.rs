//! An experiment as the panel shows it: its table with what was published and what the GPU did, its lines, its CSV.

use super::published::{self, Published};
use crate::draw::tasks::experiment::Series;
use crate::gpu::{Kernel, Measured, Told};
use crate::report::tasks::{ExperimentReport, ExperimentRow};
use base::people;

/// Columns of the table: what stands above several of them, and the columns.
pub const GROUPS: [(&str, &[&str]); 4] = [
    ("The task", &["Vertices", "Edges", "Cells"]),
    ("Processor, here", &["Published form", "Front", "Exact demand", "Front faster by", "Same"]),
    ("GPU, here", &["Plain", "Workgroup memory", "Same"]),
    ("Published, 2006", &["Processor", "GPU", "Shared memory"]),
];

/// What there is no number for.
const NONE: &str = "—";

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its cells, by column.
    pub cells: Vec<String>,
    /// Whether anything that should be the same is not.
    pub differs: bool,
}

/// The table, with what the GPU did by the place of the row.
pub fn lines(report: &ExperimentReport, told: &[(usize, Told)]) -> Vec<Line> {
    let rows = report.experiment.iter().enumerate();
    rows.map(|(place, row)| line(row, measured(told, place))).collect()
}

/// What was measured for a row.
pub fn measured(told: &[(usize, Told)], place: usize) -> Option<&Measured> {
    told.iter().rev().find(|(at, _)| *at == place)?.1.measured.as_ref()
}

fn line(row: &ExperimentRow, gpu: Option<&Measured>) -> Line {
    let own = |ms: Option<f64>| ms.map_or(NONE.to_owned(), time);
    let same = |same: Option<bool>| match same {
        Some(true) => "✓ equal".to_owned(),
        Some(false) => "✗ different".to_owned(),
        None => NONE.to_owned(),
    };
    let ratio = row.dense_ms.filter(|_| row.front_ms > 0.0).map(|dense| dense / row.front_ms);
    let known = published::of(row.vertices);
    let old = |of: fn(&Published) -> f64| own(known.map(of));
    let of_gpu = |kernel: Kernel| own(gpu.map(|gpu| gpu.timing(kernel).ms));
    let equal = gpu.map(Measured::equal);
    let grouped = |number: u64| people::grouped(u128::from(number));
    Line {
        cells: vec![
            row.vertices.to_string(),
            grouped(row.edges),
            grouped(row.cells),
            own(row.dense_ms),
            time(row.front_ms),
            time(row.exact_ms),
            ratio.map_or(NONE.to_owned(), |ratio| format!("{}×", digits(ratio))),
            same(row.equal),
            of_gpu(Kernel::Global),
            of_gpu(Kernel::Shared),
            same(equal),
            old(|published| published.cpu_ms),
            old(|published| published.gpu_ms),
            old(|published| published.shared_ms),
        ],
        differs: row.equal == Some(false) || equal == Some(false),
    }
}

/// Milliseconds for people: three digits that say something.
pub fn time(ms: f64) -> String {
    match ms {
        ms if ms >= 1_000.0 => format!("{} s", digits(ms / 1_000.0)),
        ms if ms >= 1.0 => format!("{} ms", digits(ms)),
        ms if ms > 0.0 => format!("{} µs", digits(ms * 1_000.0)),
        _ => NONE.to_owned(),
    }
}

/// A number with three digits that say something.
fn digits(number: f64) -> String {
    match number {
        n if n >= 1_000.0 => people::grouped(n.round() as u128),
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

/// The lines of the chart; those without a single time are left out.
pub fn series(report: &ExperimentReport, told: &[(usize, Told)]) -> Vec<Series> {
    let rows = || report.experiment.iter().enumerate();
    let here = |of: &dyn Fn(usize, &ExperimentRow) -> Option<f64>| -> Vec<(u64, f64)> {
        rows().filter_map(|(place, row)| Some((row.vertices, of(place, row)?))).collect()
    };
    let gpu = |kernel: Kernel| here(&|place, _| Some(measured(told, place)?.timing(kernel).ms));
    let old = |of: fn(&Published) -> f64| here(&|_, row| published::of(row.vertices).map(of));
    let all = [
        ("published form, processor, here", Some(0), here(&|_, row| row.dense_ms)),
        ("front, processor, here", Some(2), here(&|_, row| Some(row.front_ms))),
        ("exact demand, processor, here", Some(3), here(&|_, row| Some(row.exact_ms))),
        ("GPU, here", Some(1), gpu(Kernel::Global)),
        ("GPU with workgroup memory, here", Some(4), gpu(Kernel::Shared)),
        ("processor, published", None, old(|published| published.cpu_ms)),
        ("GPU, published", None, old(|published| published.gpu_ms)),
        ("GPU with shared memory, published", None, old(|published| published.shared_ms)),
    ];
    let mut series: Vec<Series> = ('A'..)
        .zip(all)
        .map(|(letter, (name, class, mut points))| {
            base::sort::sort_by_key(&mut points, |point| point.0);
            Series { letter, name, class, points }
        })
        .collect();
    series.retain(|series| series.points.iter().any(|point| point.1 > 0.0));
    series
}

/// What the picture shows, for those who do not see it.
pub fn in_words(series: &[Series]) -> String {
    let one = |series: &Series| {
        let (first, last) = (series.points.first()?, series.points.last()?);
        Some(format!(
            "{} from {} at {} to {} at {} vertices",
            series.name,
            time(first.1),
            first.0,
            time(last.1),
            last.0
        ))
    };
    let all: Vec<String> = series.iter().filter_map(one).collect();
    format!(
        "Times against the vertices of a task, on a logarithmic scale: {}. The table below holds the same.",
        all.join("; ")
    )
}

/// What the GPU did with one task, in sentences: device, workgroups, equality.
pub fn gpu_words(measured: &Measured) -> Vec<String> {
    let stands_in = if measured.software { " (a processor that stands in for a GPU)" } else { "" };
    let tiles = people::counted(measured.tiles as usize, "tile");
    let mut said = vec![
        format!(
            "{}{stands_in}: {} cells in {tiles}, {}.",
            measured.adapter,
            people::grouped(u128::from(measured.cells)),
            measured.words()
        ),
        format!("Bringing the graph there and the table back took {}.", time(measured.transfer_ms)),
    ];
    for kernel in Kernel::BOTH {
        let timing = measured.timing(kernel);
        let tried: Vec<String> =
            timing.tried.iter().map(|(size, ms)| format!("{size} threads {}", time(*ms))).collect();
        let how = match kernel {
            Kernel::Global => "Pairs read from global memory",
            Kernel::Shared => "Pairs brought into workgroup memory first",
        };
        said.push(format!(
            "{how}: {}, in workgroups of {} threads. A part of the table took, by workgroup: {}.",
            time(timing.ms),
            timing.size,
            tried.join(", "),
        ));
    }
    said
}

/// Names of the columns of a file, with their units.
pub const FIELDS: [&str; 17] = [
    "vertices",
    "edges",
    "cells",
    "pairs",
    "dense_ms",
    "front_ms",
    "exact_ms",
    "front_equals_dense",
    "adapter",
    "gpu_ms",
    "gpu_workgroup",
    "gpu_shared_ms",
    "gpu_shared_workgroup",
    "gpu_equals_dense",
    "published_cpu_ms",
    "published_gpu_ms",
    "published_gpu_shared_ms",
];

/// The rows of a file.
pub fn fields(report: &ExperimentReport, told: &[(usize, Told)]) -> Vec<Vec<String>> {
    fn shown<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let row = |(place, row): (usize, &ExperimentRow)| {
        let (gpu, old) = (measured(told, place), published::of(row.vertices));
        vec![
            row.vertices.to_string(),
            row.edges.to_string(),
            row.cells.to_string(),
            row.pairs.to_string(),
            shown(row.dense_ms),
            row.front_ms.to_string(),
            row.exact_ms.to_string(),
            shown(row.equal),
            shown(gpu.map(|gpu| gpu.adapter.as_str())),
            shown(gpu.map(|gpu| gpu.global.ms)),
            shown(gpu.map(|gpu| gpu.global.size)),
            shown(gpu.map(|gpu| gpu.shared.ms)),
            shown(gpu.map(|gpu| gpu.shared.size)),
            shown(gpu.map(Measured::equal)),
            shown(old.map(|old| old.cpu_ms)),
            shown(old.map(|old| old.gpu_ms)),
            shown(old.map(|old| old.shared_ms)),
        ]
    };
    report.experiment.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Compared;

    fn report() -> ExperimentReport {
        let row = |vertices, dense_ms| ExperimentRow {
            vertices,
            edges: 1_200,
            cells: 4_000_020,
            dense_ms,
            front_ms: 0.05,
            exact_ms: 12.345,
            equal: dense_ms.map(|_| true),
            ..ExperimentRow::default()
        };
        ExperimentReport {
            experiment: vec![row(10, Some(20.0)), row(60, None)],
            ..ExperimentReport::default()
        }
    }

    fn told() -> Vec<(usize, Told)> {
        let mut measured =
            Measured { adapter: "a, b".into(), cells: 4_000_020, tiles: 1, ..Measured::default() };
        for (kernel, ms) in Kernel::BOTH.into_iter().zip([1.5, 0.75]) {
            let compared = Compared { same: 4_000_020, different: None };
            let timing = measured.timing_mut(kernel);
            (timing.ms, timing.size, timing.compared, timing.tried) =
                (ms, 256, compared, vec![(32, 0.2), (256, 0.1)]);
        }
        vec![(0, Told { measured: Some(measured), ..Told::default() })]
    }

    #[test]
    fn a_line_for_every_size_beside_what_was_published() {
        let lines = lines(&report(), &told());
        assert_eq!(
            lines[0].cells.join("|"),
            "10|1,200|4,000,020|20.0 ms|50.0 µs|12.3 ms|400×|✓ equal|1.50 ms|750 µs|✓ equal|148 ms|34.9 ms|28.0 ms"
        );
        assert_eq!(lines[1].cells.join("|"), "60|1,200|4,000,020|—|50.0 µs|12.3 ms|—|—|—|—|—|—|—|—");
        let columns: usize = GROUPS.iter().map(|(_, columns)| columns.len()).sum();
        assert!(lines.iter().all(|line| line.cells.len() == columns && !line.differs));
    }

    #[test]
    fn lines_of_the_chart_are_those_with_times() {
        let names = |told: &[(usize, Told)]| {
            series(&report(), told).iter().map(|series| series.letter).collect::<String>()
        };
        assert_eq!((names(&[]), names(&told())), ("ABCFGH".to_owned(), "ABCDEFGH".to_owned()));
        assert!(
            in_words(&series(&report(), &[]))
                .contains("front, processor, here from 50.0 µs at 10 to 50.0 µs at 60")
        );
    }

    #[test]
    fn the_gpu_is_told_in_sentences() {
        let told = told();
        let Some(measured) = measured(&told, 0) else { unreachable!("it is there") };
        let said = gpu_words(measured);
        assert_eq!(
            said[0],
            "a, b: 4,000,020 cells in 1 tile, equal in all 4,000,020 cells, with and without workgroup memory."
        );
        assert!(said[3].ends_with("750 µs, in workgroups of 256 threads. A part of the table took, by workgroup: 32 threads 200 µs, 256 threads 100 µs."));
    }

    #[test]
    fn files_have_a_field_for_every_name() {
        let fields = fields(&report(), &told());
        assert!(fields.iter().all(|row| row.len() == FIELDS.len()));
        assert_eq!(fields[0][8..14].join("|"), "a, b|1.5|256|0.75|256|true");
    }
}
