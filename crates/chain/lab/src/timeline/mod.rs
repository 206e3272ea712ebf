//! The way from instructions to deadlines as stations.

pub mod chain;
