//! What the keys of the page do, in its dialog.

use leptos::prelude::*;

use kit::page::told::ToldOfPage;
use ui_kit::mounted::{Content, Page};

/// Keys and what they do, as the dialog lists them.
const SHORTCUTS: [(&str, &str); 23] = [
    ("W / S", "zoom in / out"),
    ("A / D", "pan left / right"),
    ("+  −  0", "zoom in, zoom out, show everything"),
    ("Ctrl + wheel", "zoom at the pointer"),
    ("Drag", "select a stretch of time and see its totals, across rows theirs"),
    ("Shift + drag", "pan"),
    ("Click on the axis", "put the cursor at a cycle, through all rows and the source; again there lets go"),
    (
        "Drag on the axis",
        "step: go to the step beneath the pointer, in Blocks to the event; in Code, Traces, Waves put the cursor",
    ),
    ("Drag an entry of the order", "see what it gives elsewhere; let go to keep it, Esc to leave it"),
    ("Shift + ←  →", "move the cursor by a cycle, or by a hundredth of what is in sight if that is more"),
    ("Arrows", "move the selection to the next thing or row"),
    ("F", "bring the selection to the middle; a stretch fills the picture"),
    (".  ,", "step forward / back"),
    ("Space", "play / pause"),
    ("Home / End", "before the first step / everything"),
    ("E", "show or hide the form"),
    ("1  2  3 …", "the labs, as they stand at the top"),
    ("/", "find an instruction or a block"),
    ("Arrows, N, C, Enter, Delete", "in a task's graph: move, add, join, change, remove a vertex"),
    ("↑  ↓ in a number, or drag its name", "one more or less, with Shift ten"),
    ("Ctrl + Z, Ctrl + Shift + Z", "undo, redo"),
    ("Ctrl + O, Ctrl + S", "open, save"),
    ("Esc", "leave the field; else cancel the run, clear the selection, close"),
];

/// The table of keys.
#[derive(Clone, Copy)]
pub struct Shortcuts;

impl Shortcuts {
    /// The same on every page.
    pub fn new(_: Page) -> Self {
        Self
    }
}

impl Content for Shortcuts {
    type Told = ToldOfPage;
    type Entry = ();

    fn view(self) -> AnyView {
        let row = |(key, what)| view! { <tr><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr> };
        view! {
            <div class="shortcuts-list" role="group" tabindex="0" aria-label="What keys do">
                <table class="shortcuts"><tbody>{SHORTCUTS.map(row).collect_view()}</tbody></table>
            </div>
        }
        .into_any()
    }

    fn tell(self, _: ToldOfPage) {}
}
