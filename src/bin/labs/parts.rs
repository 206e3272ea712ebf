//! The parts of the page that are loaded late: the panels and forms of the labs, the chart of a search, the rooms beside
//! the labs, lessons and sheets.
//!
//! Each is mounted into an element of the page, is told how that stands and hears what workers tell, and asks for what
//! it wants (`crates/kit/src/page/parts.rs`). What is here knows nothing of the page's state; `src/ui/told.rs` and
//! `src/ui/asked.rs` are the other side.

use kit::page::Part;
use ui_kit::mounted::{Host, Mounted, Shows, TextMargin};

/// Puts a part into the page. Dropped, it is gone.
pub fn mount(part: Part, host: Host) -> Box<dyn Shows> {
    match part {
        Part::Chart => Mounted::put(host, warps_ui::Chart::new),
        Part::Panel(of) => labs::panel(of)(host),
        Part::Form(of) => labs::form(of)(host),
        Part::Margin => Mounted::put(host, TextMargin::new),
        Part::Made => Mounted::put(host, study_ui::Made::new),
        Part::Reproduce => Mounted::put(host, classroom_ui::Reproductions::new),
        Part::Lessons => Mounted::put(host, classroom_ui::Lessons::new),
        Part::Gallery => Mounted::put(host, classroom_ui::Gallery::new),
        Part::Lesson => Mounted::put(host, classroom_ui::Desk::new),
        Part::Shortcuts => Mounted::put(host, classroom_ui::Shortcuts::new),
        Part::Sheet => Mounted::put(host, classroom_ui::Printed::new),
        Part::Source => Mounted::put(host, warps_ui::SourcePanel::new),
        Part::Table => Mounted::put(host, warps_ui::Table::new),
        Part::Sums => Mounted::put(host, warps_ui::Sums::new),
        Part::Compare => Mounted::put(host, warps_ui::Compare::new),
        Part::Guessing => Mounted::put(host, classroom_ui::Guessing::new),
    }
}
