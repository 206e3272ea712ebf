//! The published table on a GPU (N, section IV), as far as it can be planned without one: one thread for each cell of
//! a row, the rows one after the other, the columns in tiles where the table does not fit into a buffer.
//!
//! A table is packed into numbers of 32 bits as `crates/tasks/lab/src/gpu/fill.wgsl` reads them. What talks to the device is
//! `crates/tasks/ui/src/gpu/mod.rs`; nothing here knows a browser.

mod measured;
mod packed;
mod shader;
mod tiling;

pub use measured::{Compared, Difference, Kernel, Measured, Timing, Told, Unavailable};
pub use packed::{PARAMETERS, Packed};
pub use shader::{Shader, source};
pub use tiling::{HALO_SIZE, Limits, Tiling, TooMuch};
