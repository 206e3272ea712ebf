//! Recorded runs as files: a table of operations, trace events in which every operation
//! carries its cause, and documents of blocks.

mod blocks;
mod perfetto;
mod table;

pub use blocks::blocks;
pub use perfetto::perfetto;
pub use table::csv;

#[cfg(test)]
mod tests;
