//! The tasks lab in pictures.

pub mod experiment;
