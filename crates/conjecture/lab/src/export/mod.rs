//! Verdicts as files.

pub mod csv;
