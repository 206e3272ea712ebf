//! What is listed beside the picture: devices by cause, names by their sums.

use super::packed::{Lane, cause};
use super::run::{Run, range};

/// All operations of a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name, by its place.
    pub name: u32,
    /// How many there are.
    pub count: usize,
    /// How long they took together.
    pub total: f64,
    /// The longest.
    pub longest: f64,
    /// For how long nothing ran before them.
    pub idle: f64,
    /// The kind of cause of most of that.
    pub mostly: Option<u8>,
}

/// Operations by name within a stretch of time, those first that took most together.
pub fn by_name(run: &Run, from: f64, to: f64) -> Vec<Named> {
    let none = |name: u32| Named { name, count: 0, total: 0.0, longest: 0.0, idle: 0.0, mostly: None };
    let mut all: Vec<(Named, [f64; 10])> =
        (0..).zip(&run.names).map(|(name, _)| (none(name), [0.0; 10])).collect();
    for (at, row) in
        run.rows.iter().enumerate().filter(|(_, row)| matches!(row.lane, Lane::Stream | Lane::Idle))
    {
        for bar in run.within(at, from, to).map(|place| run.bar(at, place)) {
            let length = bar.end.min(to) - bar.start.max(from);
            let ran = row.lane == Lane::Stream;
            let named = if ran { Some(bar.place) } else { run.operation_at(bar.id) };
            let Some((own, causes)) = named.and_then(|place| all.get_mut(run.text_at(place) as usize)) else {
                continue;
            };
            if ran && length >= 0.0 {
                own.count += 1;
                own.total += length;
                own.longest = own.longest.max(bar.end - bar.start);
            } else if !ran && length > 0.0 {
                own.idle += length;
                causes[cause(bar.kind) as usize] += length;
            }
        }
    }
    let most = |causes: [f64; 10]| {
        let best = (0u8..).zip(causes).filter(|(_, nanos)| *nanos > 0.0);
        best.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(kind, _)| kind)
    };
    let mut all: Vec<Named> =
        all.into_iter().map(|(own, causes)| Named { mostly: most(causes), ..own }).collect();
    all.retain(|own| own.count > 0);
    all.sort_by(|a, b| b.total.total_cmp(&a.total).then(a.name.cmp(&b.name)));
    all
}

/// How many bars the rows of a kind have.
pub fn count(run: &Run, lane: Lane) -> usize {
    run.rows.iter().filter(|row| row.lane == lane).map(|row| range(row).len()).sum()
}
