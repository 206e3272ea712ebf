//! draft
pub mod bound;
pub mod orders;
pub mod pool;
pub mod task;
#[cfg(test)]
mod tests;
pub mod response;
pub mod closed_form;
