//! The rooms beside the labs: what is reproduced, lessons, examples, the sheet to print, questions about a hidden answer.

#![cfg(target_arch = "wasm32")]

mod exercises;
mod gallery;
mod guessing;
mod lesson;
mod lessons;
mod predict;
mod reproduce;
mod seen;
mod sheet;
mod shortcuts;
mod thumbs;

pub use gallery::Gallery;
pub use guessing::Guessing;
pub use lesson::Desk;
pub use lessons::Lessons;
pub use reproduce::Reproductions;
pub use sheet::Printed;
pub use shortcuts::Shortcuts;
