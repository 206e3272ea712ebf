//! The lab on the page, without a browser: what crosses from the worker that holds a capture, what is seen of it, what
//! is said of it.

mod columns;
pub mod desk;
pub mod layout;
pub mod packed;
pub mod run;
pub mod says;
pub mod seam;
pub mod summary;
pub mod table;
pub mod tip;

pub use columns::{STEPS, Shown};
pub use desk::Desk;
pub use packed::{Kind, Packed, UnitKind};
pub use run::{Bar, Run};
