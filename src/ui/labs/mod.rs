//! The parts of the page that are loaded late, in one program: the panels and forms of the labs, the chart of a search,
//! the rooms beside the labs, lessons and sheets.
//!
//! Each is mounted into an element of the page, is told how that stands and hears what workers tell, and asks for what
//! it wants (`src/page/parts.rs`). What is here knows nothing of the page's state; `src/ui/told.rs` and
//! `src/ui/asked.rs` are the other side.

pub mod mounted;
mod styles;

mod cells;
mod guess;
mod outcome;
mod saving;
mod swatch;

mod handover;
pub mod schedule_trace;

mod bench;
mod blocks;
mod chain;
mod convergence;
mod rooms;
mod tasks;

use js_sys::Function;
use leptos::prelude::*;
use web_sys::HtmlElement;

use crate::page::Part;
use mounted::{Form, Mounted, Shows};

/// Puts a part into an element; `act` is called with what it asks for. Dropped, it is gone.
pub fn mount(part: Part, host: HtmlElement, act: Function) -> Box<dyn Shows> {
    match part {
        Part::Chart => Mounted::put(host, act, convergence::Chart::new),
        Part::Conjecture => Mounted::put(host, act, bench::Panel::new),
        Part::Blocks => Mounted::put(host, act, blocks::Panel::new),
        Part::Tasks => Mounted::put(host, act, tasks::Panel::new),
        Part::Chain => Mounted::put(host, act, chain::Panel::new),
        Part::ConjectureForm => Form::put(host, act, |doc| view! { <bench::ConjectureForm doc/> }.into_any()),
        Part::AnnealForm => Form::put(host, act, |doc| view! { <bench::AnnealForm doc/> }.into_any()),
        Part::MemoryForm => Form::put(host, act, |doc| view! { <bench::MemoryForm doc/> }.into_any()),
        Part::BlocksForm => Form::put(host, act, |doc| view! { <blocks::BlocksForm doc/> }.into_any()),
        Part::TasksForm => Form::put(host, act, |doc| view! { <tasks::TasksForm doc/> }.into_any()),
        Part::ChainForm => Form::put(host, act, |doc| view! { <chain::ChainForm doc/> }.into_any()),
        Part::Reproduce => Mounted::put(host, act, rooms::Reproductions::new),
        Part::Lessons => Mounted::put(host, act, rooms::Lessons::new),
        Part::Lesson => Mounted::put(host, act, rooms::Desk::new),
        Part::Sheet => Mounted::put(host, act, rooms::Printed::new),
        Part::Guessing => Mounted::put(host, act, rooms::Guessing::new),
    }
}
