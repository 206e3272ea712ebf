//! Recordings made one stay what they were.

use super::random::trace;
use crate::account::{Scope, account};
use crate::causes::Causes;
use crate::join::join;
use crate::trace::Trace;

#[test]
fn one_recording_is_left_as_it_is() {
    assert_eq!(join(vec![trace(3)]), trace(3));
    assert_eq!(join(Vec::new()), Trace::default());
}

#[test]
fn each_device_has_the_account_that_it_had() {
    for number in 0..60 {
        let parts = [trace(number), trace(number + 1_000), trace(number + 2_000)];
        let whole = join(parts.to_vec());
        assert_eq!(whole.check(), Ok(()), "{number}");
        assert_eq!(whole.operations.len(), parts.iter().map(|part| part.operations.len()).sum::<usize>());
        let mut ids: Vec<u32> = whole.operations.iter().map(|own| own.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{number}: a number twice");
        let causes = Causes::of(&whole);
        let mut device = 0;
        for part in &parts {
            let alone = Causes::of(part);
            for own in 0..part.devices.len() as u32 {
                // Calls that wait for what was not recorded wait for devices of a process, which others may share.
                let unknown = part.calls.iter().any(|call| call.does == crate::trace::Does::AwaitUnknown);
                let both = [
                    account(&alone, Scope::Device(own), None),
                    account(&causes, Scope::Device(device), None),
                ];
                let busy = both.map(|one| one.map(|one| (one.start, one.end, one.busy, one.idle)));
                assert_eq!(busy[0], busy[1], "{number}");
                assert!(unknown || both[0] == both[1], "{number}: {both:?}");
                device += 1;
            }
        }
    }
}
