//! Chains as files.

pub mod chain_csv;
pub mod chain_svg;
