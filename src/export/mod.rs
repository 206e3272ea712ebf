//! Pictures and tables as files: everything here is text made from data, with no DOM and no file.

#[cfg(feature = "blocks")]
pub mod blocks_csv;
#[cfg(feature = "blocks")]
pub mod blocks_svg;
#[cfg(feature = "chain")]
pub mod chain_csv;
#[cfg(feature = "chain")]
pub mod chain_svg;
#[cfg(feature = "plot")]
pub mod chart;
pub mod csv;
#[cfg(feature = "blocks")]
pub mod examiner_log;
#[cfg(feature = "tasks")]
pub mod experiment_csv;
pub mod perfetto;
pub mod svg;
#[cfg(feature = "tasks")]
pub mod tasks_csv;
#[cfg(feature = "tasks")]
pub mod tasks_svg;
#[cfg(feature = "blocks")]
pub mod zip;
