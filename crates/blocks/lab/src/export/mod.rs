//! Runs of blocks as files.

pub mod blocks_csv;
pub mod blocks_svg;
pub mod examiner_log;
pub mod perfetto;
