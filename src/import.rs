//! What a text is, with all labs linked, and the formats that each of them reads.

pub use blocks_lab::import::examiner;
pub use chain_lab::import::amalthea;
pub use kit::import::{Format, LONGEST, gzip, json, reader, several, too_long, zip};
pub use warps_lab::import::ptx;

/// Recognises a text by its content.
pub fn sniff(text: &str) -> Format {
    kit::import::sniff(labs::ALL.labs, text)
}
