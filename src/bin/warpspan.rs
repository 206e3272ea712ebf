//! warpspan
fn main() {}
