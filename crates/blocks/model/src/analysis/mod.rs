//! How late kernels can be, by analysis instead of simulation (P, chapter 3).
//!
//! All kernels are released at 0 and launched in some order. Where [`assumptions`] hold, the whole device is a set of
//! identical parallel machines, its places, and the analysis is exact: [`response`] says when each kernel is complete in a given order,
//! [`closed_form`] says it by formula for kernels of equal time, as printed and as corrected, and [`orders`] finds
//! the worst order for each kernel, which P leaves open.
//!
//! Nothing here simulates; tests hold the results against [`super::sim`].

pub mod assumptions;
pub mod bound;
pub mod closed_form;
pub mod launches;
pub mod machines;
pub mod orders;
pub mod profile;
pub mod response;
pub mod task;
#[cfg(test)]
mod tests;

pub use assumptions::{Assumption, Case, Examined, Holds, examine};
pub use closed_form::closed_form;
pub use machines::{Basis, ParallelMachines};
pub use orders::{Effort, Proven, Worst, worst};
pub use response::{Response, completions, response};
pub use task::{Task, Utilisation, utilisation};
