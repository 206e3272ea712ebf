//! What a report says of the rule of the queue.

use base::people;
use kit::draw::nanos::in_words;
use traces::Causes;
use traces::queue::Queue;

/// Whether kernels overtook others, and of how many it was judged, in words.
pub(super) fn overtaken(causes: &Causes, found: &Queue) -> String {
    let id = |place: u32| causes.trace.operations[place as usize].id;
    let counted = |count: u64| people::counted(usize::try_from(count).unwrap_or(usize::MAX), "kernel");
    let of = match (found.kernels, found.all) {
        (_, 0) => return "no kernel ran".to_owned(),
        (0, _) => {
            return "who overtook whom cannot be told, as no launches of kernels are recorded".to_owned();
        }
        (kernels, all) if kernels == all => counted(all),
        (kernels, all) => {
            let all = people::grouped(all.into());
            format!("{} whose launches are recorded, of {all} in all,", counted(kernels))
        }
    };
    match found.worst {
        None => format!("none of {of} was overtaken by one that came later with no higher priority"),
        Some((first, second)) => format!(
            "{} of {of} were overtaken as recorded; the rule holds if each came up to {} later than recorded (operation {}, overtaken by {})",
            people::grouped(found.overtaken.into()),
            in_words(i64::try_from(found.later).unwrap_or(i64::MAX)),
            id(first),
            id(second)
        ),
    }
}
