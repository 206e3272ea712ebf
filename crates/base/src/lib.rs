//! The ground everything stands on. Nothing here knows a lab, reads a clock, a file or the DOM.

pub mod control;
pub mod formula;
pub mod nanos;
mod nearest;
pub mod people;
pub mod problem;
pub mod rational;
pub mod seeded;
pub mod sort;
pub mod stamp;

pub use control::{Control, StopReason};
pub use nanos::Nanos;
pub use nearest::nearest;
pub use problem::Problem;
pub use seeded::Seeded;

/// The CRC-32 of gzip, ZIP and PNG.
pub fn crc32(bytes: &[u8]) -> u32 {
    static CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    CRC.checksum(bytes)
}
