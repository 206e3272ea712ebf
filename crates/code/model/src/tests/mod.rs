//! The engine and the searches against twins that go cycle by cycle, on random launches.

mod naive;
pub mod oracle;
mod plays;
pub mod random;
mod reasons;
