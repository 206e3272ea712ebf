//! The `tasks` part of a scenario.

pub mod tasks;

pub use tasks::{Asked as TasksAsked, Experiment, TasksScenario};
