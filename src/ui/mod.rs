//! The page: Leptos components that bind the plain state of `page` to the screen.
//!
//! The scenario's text is the root of all state; everything else is derived from it or is a view of it.
//! Whatever touches the browser lives here: workers, files, the address, the canvas, keys.

#[cfg(feature = "chart")]
pub mod bench;
#[cfg(feature = "lab")]
pub mod blocks;
mod canvas;
#[cfg(any(feature = "lab", feature = "tasklab", feature = "chainlab"))]
mod cells;
mod certificate;
#[cfg(feature = "chainlab")]
pub mod chain;
mod chains;
pub mod chart;
mod compare;
mod controls;
#[cfg(feature = "chart")]
pub mod convergence;
pub mod crew;
mod doc;
mod doors;
mod errors;
mod examples;
mod files;
mod first;
mod form;
mod grid;
#[cfg(any(feature = "lab", feature = "tasklab", feature = "chainlab", feature = "rooms"))]
mod guess;
#[cfg(any(feature = "chart", feature = "lab", feature = "tasklab"))]
mod handover;
mod help;
mod keys;
mod labs;
#[cfg(any(feature = "chart", feature = "lab", feature = "tasklab", feature = "chainlab"))]
mod late_form;
#[cfg(any(feature = "chart", feature = "lab", feature = "tasklab", feature = "chainlab"))]
mod late_panel;
mod lazy;
mod offline;
#[cfg(any(feature = "lab", feature = "tasklab", feature = "chainlab"))]
mod outcome;
mod perfetto;
mod places;
mod player;
mod proof;
mod ptx;
mod results;
#[cfg(feature = "rooms")]
pub mod rooms;
mod route;
mod rows;
pub mod runs;
mod scenario;
mod schedule;
#[cfg(feature = "chart")]
pub mod schedule_trace;
mod search;
mod shell;
mod state;
#[cfg(any(feature = "lab", feature = "tasklab"))]
mod swatch;
mod table;
#[cfg(feature = "tasklab")]
pub mod tasks;
mod theme;
mod tools;
mod trial;
mod view;

/// Puts the page into the document.
pub fn start() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(shell::Shell);
}
