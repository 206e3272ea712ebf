//! What the page shows of reproductions, and sheets to print, as plain values.

pub mod reproduce;
pub mod sheet;
