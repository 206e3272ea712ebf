//! The way from instructions to deadlines as marks.

pub mod chain;
