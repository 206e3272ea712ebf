//! The parts of the page that are loaded late: the panels and forms of the labs, the chart of a search, the rooms beside
//! the labs, lessons and sheets.
//!
//! Each is mounted into an element of the page, is told how that stands and hears what workers tell, and asks for what
//! it wants (`crates/kit/src/page/parts.rs`). What is here knows nothing of the page's state; `src/ui/told.rs` and
//! `src/ui/asked.rs` are the other side.

use js_sys::Function;
use leptos::prelude::*;
use web_sys::HtmlElement;

use kit::page::{Part, Subject};
use ui_kit::doc::Doc;
use ui_kit::mounted::{Form, Mounted, Shows, TextMargin};

/// Puts a part into an element; `act` is called with what it asks for. Dropped, it is gone.
pub fn mount(part: Part, host: HtmlElement, act: Function) -> Box<dyn Shows> {
    match part {
        Part::Chart => Mounted::put(host, act, warps_ui::Chart::new),
        Part::Panel(of) => panel(of, host, act),
        Part::Form(of) => Form::put(host, act, form(of)),
        Part::Margin => Mounted::put(host, act, TextMargin::new),
        Part::Made => Mounted::put(host, act, study_ui::Made::new),
        Part::Reproduce => Mounted::put(host, act, classroom_ui::Reproductions::new),
        Part::Lessons => Mounted::put(host, act, classroom_ui::Lessons::new),
        Part::Gallery => Mounted::put(host, act, classroom_ui::Gallery::new),
        Part::Lesson => Mounted::put(host, act, classroom_ui::Desk::new),
        Part::Shortcuts => Mounted::put(host, act, classroom_ui::Shortcuts::new),
        Part::Sheet => Mounted::put(host, act, classroom_ui::Printed::new),
        Part::Source => Mounted::put(host, act, warps_ui::SourcePanel::new),
        Part::Table => Mounted::put(host, act, warps_ui::Table::new),
        Part::Sums => Mounted::put(host, act, warps_ui::Sums::new),
        Part::Compare => Mounted::put(host, act, warps_ui::Compare::new),
        Part::Guessing => Mounted::put(host, act, classroom_ui::Guessing::new),
    }
}

/// The panel of a lab. That of warps is the page's own.
fn panel(of: Subject, host: HtmlElement, act: Function) -> Box<dyn Shows> {
    match of {
        Subject::Warps => unreachable!("the page draws warps itself"),
        Subject::Code => Mounted::put(host, act, code_ui::Panel::new),
        Subject::Conjecture => Mounted::put(host, act, conjecture_ui::Panel::new),
        Subject::Blocks => Mounted::put(host, act, blocks_ui::Panel::new),
        Subject::Tasks => Mounted::put(host, act, tasks_ui::Panel::new),
        Subject::Chain => Mounted::put(host, act, chain_ui::Panel::new),
        Subject::Trace => Mounted::put(host, act, traces_ui::Panel::new),
        Subject::Waves => Mounted::put(host, act, waves_ui::Panel::new),
        Subject::Study => Mounted::put(host, act, study_ui::Panel::new),
    }
}

/// The form of a lab.
fn form(of: Subject) -> fn(Doc) -> AnyView {
    match of {
        Subject::Warps => |doc| view! { <warps_ui::WarpsForm doc/> }.into_any(),
        Subject::Code => |doc| view! { <code_ui::CodeForm doc/> }.into_any(),
        Subject::Conjecture => |doc| view! { <conjecture_ui::ConjectureForm doc/> }.into_any(),
        Subject::Blocks => |doc| view! { <blocks_ui::BlocksForm doc/> }.into_any(),
        Subject::Tasks => |doc| view! { <tasks_ui::TasksForm doc/> }.into_any(),
        Subject::Chain => |doc| view! { <chain_ui::ChainForm doc/> }.into_any(),
        Subject::Trace => |doc| view! { <traces_ui::TracesForm doc/> }.into_any(),
        Subject::Waves => |doc| view! { <waves_ui::WavesForm doc/> }.into_any(),
        Subject::Study => |doc| view! { <study_ui::StudyForm doc/> }.into_any(),
    }
}
