//! What of the lab of warps is loaded late: its form, sources, tables and comparisons, the chart of a
//! search, traces of schedules.

#![cfg(target_arch = "wasm32")]

mod compare;
mod convergence;
mod form;
pub mod schedule_trace;
mod source;
pub mod starts;
mod sums;
mod table;

use leptos::prelude::*;
use ui_kit::mounted::{Form, Host, Shows};

use form::WarpsForm;

pub use compare::Compare;
pub use convergence::Chart;
pub use source::SourcePanel;
pub use sums::Sums;
pub use table::Table;

/// There is none: the page draws warps itself.
pub fn panel(_: Host) -> Box<dyn Shows> {
    unreachable!("the page draws warps itself")
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <WarpsForm doc/> }.into_any())
}
