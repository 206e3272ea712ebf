//! Whether the times of a workload add up to more than can be counted.
//!
//! What is added up: for each program its release, and for each of its rounds sleeps, copies, and kernels each with as many
//! waves of blocks as it makes alone on the device; all programs one after another. Runs share the device, so they are
//! rarely longer than that; one that is after all ends as stuck, and says so.

use base::Nanos;
use base::people::grouped;
use base::problem::quoted;
use blocks::resources::Resources;
use blocks::{Action, Device, Kernel, Repeat, Workload};
use kit::import::reader::Reader;

/// The most that times may add up to: half of what can be counted, some 292 years.
const MOST: u128 = i64::MAX as u128;

/// Notes a problem where times add up to too much.
pub fn check(reader: &mut Reader, path: &str, workload: &Workload) {
    let mut total: u128 = 0;
    for program in &workload.programs {
        let (took, longest) = of_repeat(workload, &program.repeat);
        total = total.saturating_add(took);
        if total > MOST {
            let label = quoted(&program.label);
            let kernel = longest.and_then(|kernel| workload.setup.kernels.get(kernel));
            let why = kernel.map_or(String::new(), |kernel| {
                let (waves, longest) = (waves(&workload.setup.device, kernel), kernel.duration.longest());
                format!(
                    " (kernel {} alone takes {} x {longest})",
                    quoted(&kernel.label),
                    grouped(waves.into())
                )
            });
            let what =
                format!("the times of the programs, up to {label}, add up to more than can be counted{why}");
            let expected = format!("at most {} altogether", Nanos(i64::MAX as u64));
            reader.problem(path, what, expected);
            return;
        }
    }
}

/// The time of a repeat, and its longest kernel.
fn of_repeat(workload: &Workload, repeat: &Repeat) -> (u128, Option<usize>) {
    let (mut round, mut longest) = (0_u128, (0_u128, None));
    for action in &repeat.body {
        let (took, kernel) = match action {
            Action::Launch { kernel, .. } => (of_kernel(workload, *kernel), Some(*kernel)),
            Action::Copy { copy, .. } => {
                (workload.setup.copies.get(*copy).map_or(0, |copy| copy.duration.0.into()), None)
            }
            Action::Sleep(nanos) => (nanos.0.into(), None),
            Action::WaitStream(_) | Action::WaitDevice => (0, None),
            Action::Repeat(inner) => of_repeat(workload, inner),
        };
        round = round.saturating_add(took);
        if kernel.is_some() && took >= longest.0 {
            longest = (took, kernel);
        }
    }
    let by_rounds = repeat.rounds.map(|rounds| round.saturating_mul(rounds.into()));
    let by_time = repeat.time.map(|time| round.saturating_add(time.0.into()));
    // What ends with others is as long as they are, and one round more.
    let all = [by_rounds, by_time].into_iter().flatten().min().unwrap_or(round);
    (all.saturating_add(repeat.release.0.into()), longest.1)
}

fn of_kernel(workload: &Workload, kernel: usize) -> u128 {
    let Some(kernel) = workload.setup.kernels.get(kernel) else { return 0 };
    let waves = waves(&workload.setup.device, kernel);
    u128::from(kernel.duration.longest().0).saturating_mul(waves.into())
}

/// How many waves a kernel makes that has the device to itself.
fn waves(device: &Device, kernel: &Kernel) -> u64 {
    let (need, whole) = (Resources::of_block(device, kernel).amounts(), Resources::of_sm(device).amounts());
    let of_sm = need.iter().zip(whole).filter(|(need, _)| **need > 0).map(|(need, whole)| whole / need).min();
    let sms = kernel.mask.below(device.sms).count() as u64;
    let places = of_sm.unwrap_or(1).saturating_mul(sms).max(1);
    u64::from(kernel.blocks).div_ceil(places)
}
