//! The cursor: one cycle, through all rows of the picture and through the source.
//!
//! It stands under the pointer, or where it was put: on the axis by the pointer, or by keys. Where it was put it is a
//! kind of selection, and gives way to whatever else is selected. Its line lies over the canvas, so that moving it
//! paints nothing anew.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::schedule::{Stage, frame};
use super::state::App;
use crate::base::people;
use crate::draw::gantt::{AXIS, Frame};
use crate::page::Shown;

/// The cycle that is pointed at, and that at which the cursor was put.
#[derive(Clone, Copy)]
pub struct Cursor {
    over: RwSignal<Option<u32>>,
    put: RwSignal<Option<u32>>,
    /// Where the cursor stands.
    pub at: Memo<Option<u32>>,
}

impl Cursor {
    /// None yet.
    pub fn new() -> Self {
        let (over, put) = (RwSignal::new(None), RwSignal::new(None));
        Self { over, put, at: memo(move |_| over.get().or(put.get())) }
    }

    /// The cycle at which it was put.
    pub fn put(self) -> Option<u32> {
        self.put.get()
    }

    /// Follows the pointer, to a cycle or away.
    pub(super) fn point(self, cycle: Option<u32>) {
        if self.over.with_untracked(|over| *over != cycle) {
            self.over.set(cycle);
        }
    }

    /// Lets go of where it was put; whether it was.
    pub fn let_go(self) -> bool {
        let was = self.put.with_untracked(Option::is_some);
        if was {
            self.put.set(None);
        }
        was
    }
}

/// Puts the cursor at a cycle instead of whatever is selected.
pub(super) fn put(app: App, cycle: u32) {
    if app.cursor.put.with_untracked(|put| *put != Some(cycle)) {
        app.selected.set(None);
        app.range.set(None);
        app.cursor.put.set(Some(cycle));
    }
}

/// Moves the cursor by cycles and brings it into sight; it begins at what is selected, else at the left edge.
pub fn move_by(app: App, by: i64) {
    let Some(shown) = app.shown.get_untracked() else { return };
    let left = app.window.with_untracked(|window| window.t0.ceil() as u32);
    let selected = app.selected.get_untracked().filter(|&selected| shown.has(selected));
    let from =
        app.cursor.put.get_untracked().or(selected.map(|selected| shown.cycle(selected))).unwrap_or(left);
    let last = i64::from(shown.schedule.makespan().max(1));
    if let Ok(cycle) = u32::try_from((i64::from(from) + by).clamp(1, last)) {
        go_to(app, cycle);
    }
}

/// Puts the cursor at a cycle and brings that into sight.
pub fn go_to(app: App, cycle: u32) {
    put(app, cycle);
    let cycle = f64::from(cycle);
    app.window.update(|window| *window = window.revealing(cycle - 1.0, cycle));
}

/// What there is to say of the cycle at which the cursor was put.
pub(super) fn told(app: App, shown: &Shown) -> Option<String> {
    let cycle = app.cursor.put()?;
    shown.moment(app.player.with(|player| player.step), cycle)
}

/// The cycle at a place across the picture; none beside the rows.
pub(super) fn cycle_at(frame: &Frame, end: f64, x: f64) -> Option<u32> {
    let scale = frame.scale();
    let cycle = scale.value(x).floor() + 1.0;
    (x >= scale.left && x <= scale.right && (1.0..=end).contains(&cycle)).then_some(cycle as u32)
}

/// The same where it follows the pointer beyond both edges.
pub(super) fn nearest_cycle(frame: &Frame, end: f64, x: f64) -> u32 {
    let scale = frame.scale();
    (scale.value(x.clamp(scale.left, scale.right)).floor() + 1.0).clamp(1.0, end.max(1.0)) as u32
}

/// Whether a place is on the strip where the cycle numbers stand.
pub(super) fn is_on_axis(frame: &Frame, (x, y): (f64, f64)) -> bool {
    y < AXIS && x >= frame.scale().left
}

/// The line, with the number of its cycle on the axis.
#[component]
pub(super) fn Line(stage: Stage) -> impl IntoView {
    let cursor = stage.app.cursor;
    let place = memo(move |_| {
        let cycle = cursor.at.get()?;
        let picture = stage.picture.get()?;
        let frame = frame(stage, &picture);
        let (scale, height) = (frame.scale(), frame.height(&picture.0));
        let x = scale.pixel(f64::from(cycle) - 0.5);
        let seen = x >= scale.left && x <= scale.right && f64::from(cycle) <= picture.0.end;
        let room = frame.width - x;
        seen.then(|| {
            (format!("transform: translateX({x:.1}px); height: {height}px; --room: {room:.1}px"), cycle)
        })
    });
    view! {
        <div class="cursor" class:away=live(move || place.with(Option::is_none)) class:put=live(move || cursor.put().is_some())
            aria-hidden="true" data-testid="cursor" style=live(move || place.with(|place| place.as_ref().map(|place| place.0.clone())))>
            <span>{live(move || place.with(|place| place.as_ref().map(|place| people::grouped(place.1.into()))))}</span>
        </div>
    }
}
