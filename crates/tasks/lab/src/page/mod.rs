//! What the page shows of recurring tasks, as plain values.

pub mod tasks;
