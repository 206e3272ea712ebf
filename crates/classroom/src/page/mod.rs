//! What the page shows of reproductions, examples and lessons, and sheets to print, as plain values.

pub mod gallery;
pub mod pictures;
pub mod reproduce;
pub mod sheet;
