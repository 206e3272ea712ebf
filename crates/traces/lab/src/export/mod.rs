//! Recorded runs as files: a table of operations, and trace events in which every operation carries its cause.

mod perfetto;
mod table;

pub use perfetto::perfetto;
pub use table::csv;

#[cfg(test)]
mod tests;
