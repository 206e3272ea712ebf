//! Lessons and exercises over the labs, what the papers print against reports, and sheets to print. Nothing here knows the DOM.

pub mod exercises;
pub mod lesson;
pub mod page;
pub mod reproduce;

pub use kit::page::level;
