//! Schedules and charts as files.

pub mod chart;
pub mod code;
pub mod csv;
pub mod perfetto;
