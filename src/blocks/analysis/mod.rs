//! draft
pub mod bound;
pub mod closed_form;
pub mod orders;
pub mod pool;
pub mod response;
pub mod task;
#[cfg(test)]
mod tests;
