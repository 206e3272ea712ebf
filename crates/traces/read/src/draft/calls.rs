//! What calls wait for, by their names: CUDA's runtime and driver, and HIP.
//!
//! A copy to the host is waited for by its own call, unless that is asynchronous and the memory is pinned; a copy from
//! pinned memory by a call that is not asynchronous. A copy from pageable memory begins after its stream is done, if its
//! call is not asynchronous; when that returns, the bytes have left the memory, which need not be the end of the copy.
//! (CUDA's documentation of the API's synchronisation behaviour.)

use traces::trace::Direction;

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

/// In what memory of the host the bytes of a copy are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// The file does not say.
    #[default]
    Unknown,
    /// It can be moved by the system.
    Pageable,
    /// It cannot.
    Pinned,
}

/// What a call that copies waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// Its copy.
    Itself,
    /// The stream in which its copy is.
    Stream,
}

/// What a call of this name waits for which put a copy there; none where it need not wait.
pub fn copies(name: &str, direction: Direction, memory: Memory) -> Option<Copies> {
    let known =
        ["cuda", "cu", "hip"].iter().any(|prefix| name.starts_with(prefix)) && name.contains("Memcpy");
    let waits = known && !name.contains("Async");
    match (direction, memory) {
        (Direction::ToHost, Memory::Pageable) if known => Some(Copies::Itself),
        (Direction::ToHost, _) | (Direction::ToDevice, Memory::Pinned) if waits => Some(Copies::Itself),
        (Direction::ToDevice, Memory::Pageable) if waits => Some(Copies::Stream),
        _ => None,
    }
}

/// Whether a call of this name records an event.
pub fn records(name: &str) -> bool {
    name.contains("EventRecord")
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

    #[test]
    fn copies_that_are_waited_for() {
        let (host, device) = (Direction::ToHost, Direction::ToDevice);
        for (name, direction, memory, expected) in [
            ("cudaMemcpy_v3020", host, Memory::Pinned, Some(Copies::Itself)),
            ("cuMemcpyDtoH_v2", host, Memory::Unknown, Some(Copies::Itself)),
            ("cudaMemcpyAsync_v3020", host, Memory::Pageable, Some(Copies::Itself)),
            ("cudaMemcpyAsync_v3020", host, Memory::Pinned, None),
            ("cudaMemcpyAsync_v3020", host, Memory::Unknown, None),
            ("cudaMemcpy_v3020", device, Memory::Pinned, Some(Copies::Itself)),
            ("cudaMemcpy_v3020", device, Memory::Pageable, Some(Copies::Stream)),
            ("cudaMemcpyAsync_v3020", device, Memory::Pageable, None),
            ("cudaMemcpy_v3020", device, Memory::Unknown, None),
            ("cudaMemcpy_v3020", Direction::Within, Memory::Unknown, None),
            ("myMemcpy", host, Memory::Pageable, None),
        ] {
            assert_eq!(copies(name, direction, memory), expected, "{name} {direction:?} {memory:?}");
        }
    }
}
