//! The cursor: one place on the axis, through all rows of a picture. It stands under the pointer, or where a press on
//! the axis put it, and is dragged along there. Its line lies over the canvas, so that moving it paints nothing anew.

use leptos::prelude::*;

use crate::live::{live, memo};
use crate::mounted::put;
use kit::draw::Scale;

/// So many pixels a picture has at least to the right of its axis.
const MARGIN: f64 = 6.0;

/// Where it stands.
#[derive(Clone, Copy)]
pub struct Cursor {
    over: RwSignal<Option<f64>>,
    put: RwSignal<Option<f64>>,
    /// Whether the pointer is held on the axis, and has not moved since it went down where the cursor stood.
    again: StoredValue<bool>,
    /// How high the axis is.
    axis: f64,
    /// Whether the pointer is on it.
    pub on_axis: RwSignal<bool>,
}

impl Cursor {
    /// Nowhere yet, of a picture with an axis so high.
    pub fn new(axis: f64) -> Self {
        let (over, put) = (RwSignal::new(None), RwSignal::new(None));
        Self { over, put, again: StoredValue::new(false), axis, on_axis: RwSignal::new(false) }
    }

    /// Under the pointer, else where it was put.
    pub fn at(self) -> Option<f64> {
        self.over.get().or(self.put.get())
    }

    /// Where it was put.
    pub fn put(self) -> Option<f64> {
        self.put.get()
    }

    /// Puts it somewhere.
    pub fn set(self, at: f64) {
        put(self.put, Some(at));
    }

    /// Lets go of where it was put; whether it was.
    pub fn let_go(self) -> bool {
        let was = self.put.with_untracked(Option::is_some);
        if was {
            self.put.set(None);
        }
        was
    }

    /// Follows the pointer, to a place or away; beside the rows it is nowhere.
    pub fn point(self, at: Option<(f64, f64)>, axis: Option<Scale>) {
        let inside = at.zip(axis).filter(|((x, _), axis)| (axis.left..=axis.right).contains(x));
        put(self.over, inside.map(|((x, _), axis)| axis.value(x).floor().max(0.0)));
        put(self.on_axis, at.is_some_and(|at| self.is_on_axis(at, axis)));
    }

    fn is_on_axis(self, (x, y): (f64, f64), axis: Option<Scale>) -> bool {
        y < self.axis && axis.is_some_and(|axis| x >= axis.left)
    }

    /// A press there puts it.
    pub fn takes(self, at: (f64, f64), axis: Option<Scale>) -> bool {
        let takes = self.is_on_axis(at, axis);
        if takes {
            let before = self.put.get_untracked();
            self.hold(at, axis);
            self.again.set_value(before.is_some() && before == self.put.get_untracked());
        }
        takes
    }

    /// The pointer takes it along, from one edge of what is in sight to the other.
    pub fn hold(self, (x, _): (f64, f64), axis: Option<Scale>) {
        let Some(axis) = axis else { return };
        let last = (axis.to.ceil() - 1.0).max(0.0);
        let at = axis.value(x.clamp(axis.left, axis.right)).floor().clamp(axis.from.floor().max(0.0), last);
        if self.put.get_untracked() != Some(at) {
            self.again.set_value(false);
            self.put.set(Some(at));
        }
        put(self.over, None);
    }

    /// The pointer is up: a click where it stood lets go of it.
    pub fn release(self) {
        if self.again.get_value() {
            self.let_go();
        }
    }
}

/// Its line, with what it is called there.
#[component]
pub fn CursorLine<S, H, N>(
    /// The cursor.
    cursor: Cursor,
    /// What tests find it by.
    id: &'static str,
    /// The axis now; none while there is nothing to be seen.
    axis: S,
    /// How high it is.
    high: H,
    /// What it is called at a place.
    name: N,
    /// How far behind a place it is drawn: in the middle of a cycle, or on the spot.
    behind: f64,
) -> impl IntoView
where
    S: Fn() -> Option<Scale> + Send + Sync + 'static,
    H: Fn() -> f64 + Send + Sync + 'static,
    N: Fn(f64) -> String + Send + Sync + 'static,
{
    let place = memo(move |_| {
        let (at, axis) = (cursor.at()?, axis()?);
        let x = axis.pixel(at + behind);
        let seen = x >= axis.left - 1.0 && x <= axis.right + 1.0;
        // At the right edge its name gives way.
        let room = axis.right + MARGIN - x;
        let style = || format!("transform: translateX({x:.1}px); height: {}px; --room: {room:.0}px", high());
        seen.then(|| (style(), name(at)))
    });
    view! {
        <div class="cursor" class:away=live(move || place.with(Option::is_none)) class:put=live(move || cursor.put().is_some())
            aria-hidden="true" data-testid=id style=live(move || place.with(|place| place.as_ref().map(|place| place.0.clone())))>
            <span>{live(move || place.with(|place| place.as_ref().map(|place| place.1.clone())))}</span>
        </div>
    }
}
