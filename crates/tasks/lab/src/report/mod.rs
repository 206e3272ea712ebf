//! Results of the lab as others read them.

pub mod tasks;
