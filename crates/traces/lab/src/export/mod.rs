//! Recorded runs as files: a table of operations, trace events in which every operation
//! carries its cause, documents of blocks, and of warps where code is given.

mod blocks;
mod perfetto;
mod table;
mod warps;

pub use blocks::blocks;
pub use perfetto::perfetto;
pub use table::csv;
pub use warps::warps;

#[cfg(test)]
mod tests;
