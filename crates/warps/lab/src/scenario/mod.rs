//! The `warps` part of a scenario, certificates, and what PTX becomes.

pub mod certificate;
pub mod memory;
mod method;
pub mod programs;
mod ptx;
pub mod warps;

pub use method::{Anneal, Beam, Exact, MEBIBYTES, MOST_CHAINS, MOST_ROUNDS, Method, WIDEST_BEAM};
pub use ptx::{document_of_kernel_in, document_of_ptx, document_of_ptx_in, kernel_in};
pub use warps::{Reference, WarpsScenario};
