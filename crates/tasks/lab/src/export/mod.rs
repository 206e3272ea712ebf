//! Demand, witnesses and experiments as files.

pub mod experiment_csv;
pub mod perfetto;
pub mod tasks_csv;
pub mod tasks_svg;
