//! Pictures and tables as files: everything here is text made from data, with no DOM and no file.

#[cfg(feature = "plot")]
pub mod chart;
pub mod csv;
pub mod svg;
