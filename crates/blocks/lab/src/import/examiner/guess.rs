//! Which device logs come from, guessed from how many threads it holds and where blocks ran.

use super::log::Log;
use base::Nanos;
use base::people::{grouped, listed};
use blocks::Device;
use blocks::device::{CopySpeed, MOST_SMS};

/// What logs say of their device.
struct Seen {
    /// Threads resident at a time on all of it.
    threads: Option<u32>,
    /// Multiprocessors up to the highest that was used.
    sms: u16,
}

/// The device logs come from, as far as they tell.
pub(super) struct Guess {
    /// The one that is taken: of several the one with the smallest limits.
    pub device: Device,
    /// Others that it may be as well and whose limits are not the same, the smaller first.
    pub others: Vec<Device>,
    /// Why it is this one.
    pub why: String,
}

/// The device, and why it is this one.
pub(super) fn device(logs: &[Log], presets: &[Device]) -> Guess {
    let seen = seen(logs);
    let held = match seen.threads {
        Some(threads) => format!("{} threads may be resident", grouped(threads.into())),
        None => "nothing says how many threads may be resident".to_owned(),
    };
    let used = format!("{} is the highest multiprocessor used", seen.sms.saturating_sub(1));
    let alike = alike(&seen, presets);
    let mut kept = alike.clone();
    kept.dedup_by_key(|device| limits(device));
    match &kept[..] {
        [] => {
            let device = generic(&seen);
            let (name, sms) = (&device.name, device.sms);
            let why = format!(
                "{held}, {used}; no known device is like that; limits not known are generous: {name} ({sms} multiprocessors)"
            );
            Guess { device, others: Vec::new(), why }
        }
        [device, others @ ..] => {
            let names: Vec<&str> = alike.iter().map(|device| device.name.as_str()).collect();
            let (are, sms) = (listed(&names), device.sms);
            let verb = if names.len() == 1 { "a device like that is" } else { "devices like that are" };
            let mut why = format!("{held}, {used}; {verb} {are} ({sms} multiprocessors)");
            if names.len() > 1 && others.is_empty() {
                why += ", with the same limits";
            }
            let others = others.iter().map(|&device| device.clone()).collect();
            Guess { device: (*device).clone(), others, why }
        }
    }
}

/// What a check of logs asks of a device besides its threads, the scarcest first.
fn limits(device: &Device) -> (u32, u32, u32, u16) {
    (device.blocks_per_sm, device.shared_memory_per_sm, device.registers_per_sm, device.sms)
}

fn seen(logs: &[Log]) -> Seen {
    let blocks = logs.iter().flat_map(|log| &log.kernels).flat_map(|kernel| &kernel.runs);
    // A number beyond any device is no place but an error of the file.
    let highest = blocks.filter_map(|block| block.sm).filter(|&sm| sm < MOST_SMS).max();
    Seen {
        threads: logs.iter().find_map(|log| log.max_resident_threads),
        sms: highest.map_or(1, |highest| highest + 1),
    }
}

/// The presets that hold so many threads, with about as many multiprocessors as were used; those with the smallest
/// limits first. One that was used but does not exist is for the check to find, so presets with fewer are not ruled
/// out.
fn alike<'a>(seen: &Seen, presets: &'a [Device]) -> Vec<&'a Device> {
    let Some(threads) = seen.threads else { return Vec::new() };
    let alike = || presets.iter().filter(|device| device.threads() == u64::from(threads));
    let distance = |device: &Device| (device.sms.abs_diff(seen.sms), device.sms < seen.sms);
    let least = alike().map(distance).min();
    let mut found: Vec<&Device> = alike().filter(|device| Some(distance(device)) == least).collect();
    base::sort::sort_by_key(&mut found, |device| limits(device));
    found
}

/// Threads of a multiprocessor, as devices have them.
const USUAL: [u32; 3] = [2048, 1536, 1024];

fn generic(seen: &Seen) -> Device {
    let sms_of = |per_sm: u32| {
        let threads = seen.threads.filter(|threads| threads.is_multiple_of(per_sm))?;
        u16::try_from(threads / per_sm).ok().filter(|sms| (seen.sms..=MOST_SMS).contains(sms))
    };
    let usual = USUAL.into_iter().find_map(|per_sm| sms_of(per_sm).map(|sms| (sms, per_sm)));
    let (sms, threads_per_sm) = usual.unwrap_or_else(|| {
        let per_sm = seen.threads.map_or(USUAL[0], |threads| threads.div_ceil(u32::from(seen.sms)));
        (seen.sms, per_sm.max(1))
    });
    Device {
        name: "the device of the logs".to_owned(),
        sms,
        threads_per_sm,
        blocks_per_sm: 32,
        shared_memory_per_sm: 228 << 10,
        registers_per_sm: 65_536,
        threads_per_block: 1_024,
        shared_memory_per_block: 227 << 10,
        thread_granularity: 1,
        sms_per_tpc: 1,
        copy_engines: 2,
        copy_speed: CopySpeed { latency: Nanos(10_000), host: 10_000_000_000, device: 100_000_000_000 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(threads: Option<u32>, sms: u16) -> (String, u16, u32) {
        let preset = |name: &str, sms, threads_per_sm| {
            let seen = Seen { threads: None, sms };
            Device { name: name.to_owned(), threads_per_sm, ..generic(&seen) }
        };
        let presets = [preset("small", 2, 2048), preset("old", 8, 2048), preset("new", 16, 1024)];
        let seen = Seen { threads, sms };
        let found = alike(&seen, &presets).first().copied().cloned();
        let device = found.unwrap_or_else(|| generic(&seen));
        (device.name, device.sms, device.threads_per_sm)
    }

    #[test]
    fn the_device_that_holds_as_many_threads() {
        let named = |name: &str, sms, threads| (name.to_owned(), sms, threads);
        assert_eq!(with(Some(4096), 2), named("small", 2, 2048));
        assert_eq!(with(Some(16_384), 8), named("old", 8, 2048));
        assert_eq!(with(Some(16_384), 9), named("old", 8, 2048), "a multiprocessor that is not there");
        assert_eq!(with(Some(16_384), 14), named("new", 16, 1024));
        assert_eq!(with(Some(40_960), 18), named("the device of the logs", 20, 2048));
        assert_eq!(with(Some(107_520), 70), named("the device of the logs", 70, 1536));
        assert_eq!(with(Some(1_000), 3), named("the device of the logs", 3, 334));
        assert_eq!(with(None, 5), named("the device of the logs", 5, 2048));
    }
}
