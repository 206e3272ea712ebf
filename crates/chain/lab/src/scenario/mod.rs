//! The `chain` part of a scenario, and what models become.

mod amalthea;
pub mod chain;

pub use amalthea::document_of_amalthea;
pub use chain::{ChainScenario, Changed, OTHER_DEVICE, Ptx as ChainPtx, Source as ChainSource};
