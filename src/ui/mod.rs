//! The page: Leptos components that bind the plain state of `page` to the screen.
//!
//! The scenario's text is the root of all state; everything else is derived from it or is a view of it.
//! Whatever touches the browser lives here: workers, files, the address, the canvas, keys.

mod asked;
mod certificate;
mod chains;
mod compare;
mod cursor;
mod errors;
mod examples;
mod files;
mod find;
mod first;
mod fold;
mod grip;
mod hand;
mod help;
mod keys;
mod lab;
mod lazy;
mod offline;
mod perfetto;
mod places;
mod player;
mod programs;
mod proof;
mod results;
mod route;
mod scenario;
mod schedule;
mod search;
mod session;
mod share;
mod shell;
mod state;
mod theme;
mod told;
mod tools;
mod trial;
mod view;
mod welcome;

/// Puts the page into the document.
pub fn start() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(shell::Shell);
}
