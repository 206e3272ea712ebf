//! What the lab reads beside scenarios: the files of the scheduling examiner.

pub mod examiner;
