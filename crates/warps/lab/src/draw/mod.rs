//! Schedules as marks, and charts as plans that plotters draws.

pub mod chart;
pub mod gantt;
pub mod strip;
