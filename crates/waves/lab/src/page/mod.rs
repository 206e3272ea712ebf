//! The lab on the page, without a browser: what crosses from the worker that holds a capture, what is seen of it, what
//! is said of it.

mod columns;
pub mod compared;
pub mod desk;
pub mod engines;
pub mod held;
pub mod layout;
pub mod packed;
pub mod run;
pub mod says;
pub mod seam;
pub mod seek;
pub mod stretch;
pub mod summary;
pub mod table;
pub mod tip;

pub use columns::{STEPS, Shown};
pub use compared::Compared;
pub use desk::Desk;
pub use held::Held;
pub use packed::{Kind, Packed, UnitKind};
pub use run::{Bar, Run};
