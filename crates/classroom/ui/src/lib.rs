//! The rooms beside the labs: what is reproduced, lessons, the sheet to print, questions about a hidden answer.

#![cfg(target_arch = "wasm32")]

mod guessing;
mod lesson;
mod lessons;
mod reproduce;
mod seen;
mod sheet;

pub use guessing::Guessing;
pub use lesson::Desk;
pub use lessons::Lessons;
pub use reproduce::Reproductions;
pub use sheet::Printed;
