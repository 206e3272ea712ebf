//! Beams against the oracle: their schedules keep the rules, none is beyond the worst case, and wide ones find it.

use std::sync::Arc;

use base::Seeded;
use warpspan_code_model::bounds;
use warpspan_code_model::check::check;
use warpspan_code_model::exact::Beam;
use warpspan_code_model::launch::Launch;

use crate::rules::Runs;
use crate::{drawn, launch_of};

fn found(launch: &Arc<Launch>, width: usize, guided: bool, slice: u64) -> u32 {
    let mut beam = Beam::new(launch, width, guided, 0);
    while beam.step(slice) {}
    let Some(made) = beam.witness() else { unreachable!("there is a schedule: {launch:?}") };
    assert_eq!(check(launch, &made), [], "{launch:?}");
    assert_eq!(u64::from(made.makespan(launch)), beam.best(), "{launch:?}");
    made.makespan(launch)
}

#[test]
fn wide_beams_find_the_worst_case_and_narrow_ones_no_more() {
    let mut rng = Seeded::new(71, 0);
    let (mut done, mut met, mut differ) = (0, 0, 0);
    while done < 1_500 {
        let of = drawn(&mut rng);
        let Some((least, most)) = Runs::extremes(&of, 1_000) else { continue };
        let launch = Arc::new(launch_of(&of));
        done += 1;
        for guided in [false, true] {
            assert_eq!(found(&launch, 20_000, guided, 1 << 20), most, "{guided} {of:?}");
            let narrow = found(&launch, 1, guided, 1);
            assert!((least..=most).contains(&narrow), "{narrow}: {of:?}");
            assert!(u64::from(narrow) <= bounds::upper(&launch));
            assert_eq!(narrow, found(&launch, 1, guided, 1 << 20), "slices change nothing");
            met += u32::from(narrow == most);
        }
        differ += u32::from(least < most);
    }
    println!("{met} of {} narrow beams found the worst case, {differ} instances have several", 2 * done);
    assert!(differ > 500 && met > 1_000, "{differ} {met}");
}
