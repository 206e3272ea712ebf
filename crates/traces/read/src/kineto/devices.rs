//! What a trace says about its devices.

use crate::draft::Draft;
use crate::json::{Reader, Scalar, Stop};
use traces::trace::Limits;

/// Reads the list of devices.
pub(super) fn read(json: &mut Reader<'_>, draft: &mut Draft) -> Result<(), Stop> {
    if !json.array()? {
        return Ok(());
    }
    while json.item()? {
        device(json, draft)?;
    }
    Ok(())
}

fn device(json: &mut Reader<'_>, draft: &mut Draft) -> Result<(), Stop> {
    if !json.object()? {
        return Ok(());
    }
    let (mut number, mut name, mut limits) = (None, String::new(), Limits::default());
    let (mut major, mut minor) = (None, None);
    while json.key()? {
        match json.text() {
            "id" => number = json.int()?,
            "name" => {
                if json.scalar()? == Scalar::Text {
                    name = json.text().to_owned();
                }
            }
            "computeMajor" => major = json.small()?,
            "computeMinor" => minor = json.small()?,
            "numSms" => limits.multiprocessors = json.small()?,
            "warpSize" => limits.warp = json.small()?,
            "maxThreadsPerMultiprocessor" => limits.threads = json.small()?,
            "maxBlocksPerMultiprocessor" => limits.blocks = json.small()?,
            "regsPerMultiprocessor" => limits.registers = json.small()?,
            "sharedMemPerMultiprocessor" => limits.shared = json.size()?,
            "sharedMemPerBlockOptin" => limits.shared_of_block = json.size()?,
            _ => json.skip()?,
        }
    }
    limits.capability = major.map(|major| (major, minor.unwrap_or(0)));
    if let Some(number) = number {
        let place = draft.device(0, number);
        if let Some(device) = draft.devices.get_mut(place as usize) {
            (device.name, device.limits) = (name, limits);
        }
    }
    Ok(())
}
