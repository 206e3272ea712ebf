//! What calls wait for, by their names: CUDA's runtime and driver, and HIP.

/// What a call waits for, as far as its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// A stream.
    Stream,
    /// An event.
    Event,
    /// A device.
    Device,
    /// It does not wait; a stream is told to wait for an event.
    InStream,
}

/// What a call of this name waits for; none where it does not wait by its name.
pub fn awaits(name: &str) -> Option<Awaits> {
    let known = ["cuda", "cu", "hip"].iter().any(|prefix| name.starts_with(prefix));
    let has = |word| known && name.contains(word);
    if has("StreamWaitEvent") {
        Some(Awaits::InStream)
    } else if has("StreamSynchronize") {
        Some(Awaits::Stream)
    } else if has("EventSynchronize") {
        Some(Awaits::Event)
    } else if has("DeviceSynchronize") || has("CtxSynchronize") || has("ThreadSynchronize") {
        Some(Awaits::Device)
    } else {
        None
    }
}

/// Whether a call of this name can launch an operation.
pub fn launches(name: &str) -> bool {
    ["Launch", "Mem", "memcpy", "memset", "Prefetch"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_it() {
        for (name, expected) in [
            ("cudaStreamSynchronize_v3020", Some(Awaits::Stream)),
            ("cuStreamSynchronize", Some(Awaits::Stream)),
            ("hipDeviceSynchronize", Some(Awaits::Device)),
            ("cuCtxSynchronize", Some(Awaits::Device)),
            ("cudaEventSynchronize_v3020", Some(Awaits::Event)),
            ("cudaStreamWaitEvent_v3020", Some(Awaits::InStream)),
            ("cudaEventQuery_v3020", None),
            ("myStreamSynchronize", None),
        ] {
            assert_eq!(awaits(name), expected, "{name}");
        }
    }
}
