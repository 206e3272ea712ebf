//! The whole of a picture in a low strip: what share of each interval is demanded, and where that is more than there
//! is; or which task's jobs the processor executes when.

use crate::timeline::tasks::{Demand, Witnessed};
use kit::draw::overview::{Profile, Stretch, draw};
use kit::draw::{DrawList, Scale};

/// The colour of what fits, and of what does not.
const FITS: u8 = 0;
const OVER: u8 = 1;

/// Draws the strip. Demand stands as it is until it grows, so that its share is largest where it grows: that is drawn.
pub fn overview(demand: &Demand, width: f64, axis: &Scale) -> DrawList {
    let end = axis.to;
    let stretches = |(place, &(t, needed)): (usize, &(u64, u64))| {
        let next = demand.sum.get(place + 1).map_or(end, |&(next, _)| next as f64);
        let (t, needed) = (t as f64, needed as f64);
        // What does not fit at first does so once the interval is as long as what is needed.
        let fits = needed.clamp(t, next.max(t));
        let part = |from: f64, to: f64, class| Stretch { from, to, class, weight: needed / from.max(1.0) };
        [part(t, fits, OVER), part(fits, next, FITS)]
    };
    draw(&[Profile::of(end, demand.sum.iter().enumerate().flat_map(stretches))], width, axis)
}

/// Draws the strip of a witness.
pub fn of_witness(shown: &Witnessed, width: f64, axis: &Scale) -> DrawList {
    let class = |job: usize| {
        let task = shown.jobs.get(job).map(|job| job.load.task)?;
        shown.rows.get(task).map(|row| row.class)
    };
    let slices = shown.slices.iter().map(|slice| Stretch {
        from: slice.start as f64,
        to: slice.end as f64,
        class: class(slice.job).unwrap_or(0),
        weight: 1.0,
    });
    draw(&[Profile::of(axis.to, slices)], width, axis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;
    use kit::draw::{Ink, Mark};

    fn colours(demand: &Demand) -> Vec<u8> {
        let axis = Scale { from: 0.0, to: demand.horizon as f64, left: 50.0, right: 450.0 };
        let class = |mark: &Mark| match mark {
            Mark::Rect { ink: Ink::Class(class), .. } => Some(*class),
            _ => None,
        };
        let mut all: Vec<u8> = overview(demand, 458.0, &axis).marks.iter().filter_map(class).collect();
        all.dedup();
        all
    }

    #[test]
    fn what_does_not_fit_has_a_colour_of_its_own() {
        assert_eq!(colours(&Demand::new(&sample::fits())), [FITS]);
        assert_eq!(colours(&Demand::new(&sample::overloaded())), [FITS, OVER]);
    }
}
