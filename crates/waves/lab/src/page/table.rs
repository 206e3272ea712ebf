//! What is listed beneath the picture: lines by what they cost, causes by cycles.

use serde_json::Value;

use super::run::Run;
use base::people;
use waves::Cause;

/// The causes that lines can have, in the order of columns.
pub const COLUMNS: [Cause; 10] = [
    Cause::Issue,
    Cause::Data,
    Cause::Barrier,
    Cause::Unit,
    Cause::MemoryPath,
    Cause::Told,
    Cause::Chosen,
    Cause::Fetch,
    Cause::Dependency,
    Cause::Unexplained,
];

/// Lines that were executed, those first whose instructions cost most cycles, by their places.
pub fn costly(run: &Run) -> Vec<usize> {
    let cost = |line: &usize| run.lines[*line].causes.iter().sum::<f64>();
    let mut all: Vec<usize> = (0..run.lines.len()).filter(|line| cost(line) > 0.0).collect();
    all.sort_by(|a, b| cost(b).total_cmp(&cost(a)).then(a.cmp(b)));
    all
}

/// The cells of a line: number, text, how often, all its cycles, and those by cause.
pub fn cells(run: &Run, line: usize) -> Option<Vec<String>> {
    let own = run.lines.get(line)?;
    let number = |cycles: f64| if cycles > 0.0 { people::grouped(cycles as u128) } else { String::new() };
    let mut cells =
        vec![own.number.to_string(), own.text.clone(), number(own.hits), number(own.causes.iter().sum())];
    cells.extend(COLUMNS.iter().map(|&cause| number(own.causes.get(cause.place()).copied().unwrap_or(0.0))));
    Some(cells)
}

/// Cycles of a line that are not issuing, by cause, the most first; and their sum.
pub fn waited(run: &Run, line: usize) -> (f64, Vec<(Cause, f64)>) {
    let Some(own) = run.lines.get(line) else { return (0.0, Vec::new()) };
    let of = |cause: Cause| own.causes.get(cause.place()).copied().unwrap_or(0.0);
    let mut all: Vec<(Cause, f64)> =
        Cause::ALL.into_iter().skip(1).map(|cause| (cause, of(cause))).filter(|one| one.1 > 0.0).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    (all.iter().map(|one| one.1).sum(), all)
}

/// Causes with their cycles and their share of all, in the order of reports.
pub fn causes(report: &Value) -> Vec<(Cause, u64, f64)> {
    let of = |cause: Cause| report["causes"][cause.name()].as_u64().unwrap_or(0);
    let whole: u64 = Cause::ALL.into_iter().map(of).sum();
    let own = |cause: Cause| (cause, of(cause), of(cause) as f64 / whole.max(1) as f64);
    Cause::ALL.into_iter().map(own).filter(|own| own.1 > 0).collect()
}
