//! stand-in
use super::Warning;
use super::log::Log;
use crate::blocks::{Device, Setup, Trace, Workload};
/// m
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// s
    pub setup: Setup,
    /// t
    pub trace: Trace,
    /// w
    pub warnings: Vec<Warning>,
}
/// s
pub fn setup(_: &[Log], _: Option<&Device>, _: Option<&Workload>, _: &[Device]) -> Measured {
    unreachable!()
}
