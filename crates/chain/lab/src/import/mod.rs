//! What the lab reads beside scenarios: AMALTHEA models.

pub mod amalthea;
