//! What the lab reads beside scenarios: PTX.

pub mod ptx;
