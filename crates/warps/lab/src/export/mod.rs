//! Schedules and charts as files.

pub mod chart;
pub mod csv;
pub mod perfetto;
