//! Pictures and tables as files: everything here is text made from data, with no DOM and no file.

pub mod csv;
pub mod perfetto;
pub mod svg;
pub mod zip;
