//! One hand for every picture with a horizontal axis: pointers pan, pinch, select and click, the wheel pans and zooms.
//!
//! What moving means is decided in [`Drag`], without a browser; here events become places, and gestures calls.

use std::sync::Arc;

use crate::live::live;
use leptos::html::Canvas;
use leptos::prelude::*;
use web_sys::{MouseEvent, PointerEvent, WheelEvent};

use crate::canvas::place_of;
use crate::sight::Sight;
use kit::draw::Scale;
use kit::page::Stretch;
use kit::page::drag::{Drag, Gesture, Means};

/// Turns of the wheel that make the window wider by a factor of e.
const TURNS: f64 = 400.0;

/// A place in a picture, in pixels.
pub type Place = (f64, f64);

/// A drag that goes so many pixels up or down is about the rows that it crosses.
const ACROSS: f64 = 14.0;

/// What a drag from pixel to pixel selects on an axis that ends there.
pub fn stretch(axis: &Scale, end: f64, from: f64, to: f64) -> Stretch {
    let at = |x: f64| axis.value(x.clamp(axis.left, axis.right)).clamp(0.0, end);
    Stretch::new(at(from), at(to))
}

/// What a picture does when it is touched. Whatever it does not say means nothing there.
pub trait Touched: Copy + Send + Sync + 'static {
    /// Its axis as it is now; none while nothing is drawn.
    fn axis(self) -> Option<Scale>;

    /// Its window moves by so much of the axis.
    fn pan(self, by: f64);

    /// Its window becomes wider by a factor, about a place on the axis.
    fn zoom(self, factor: f64, about: f64);

    /// A click.
    fn click(self, at: Place);

    /// Where the pointer is while it drags nothing; none when it drags or is gone.
    fn point(self, at: Option<Place>);

    /// Whether a mouse that drags selects a stretch; else it moves the window, as a finger does.
    fn selects(self) -> bool {
        true
    }

    /// A stretch is being selected, from pixel to pixel; between two heights if it is about some rows only.
    fn select(self, _from: f64, _to: f64, _between: Option<(f64, f64)>) {}

    /// What was dragged is let go of.
    fn dropped(self) {}

    /// The browser has taken the pointer away.
    fn lost(self) {}

    /// A double click.
    fn twice(self, _at: Place) {}

    /// What is in sight of it, where a press on the axis puts the cursor there and takes it along.
    fn sight(self) -> Option<Sight> {
        None
    }

    /// A press that the picture keeps for itself: its pointer then only [holds](Touched::hold).
    fn takes(self, at: Place) -> bool {
        self.sight().is_some_and(|sight| sight.takes(at, self.axis()))
    }

    /// Where the pointer is whose press was taken.
    fn hold(self, at: Place) {
        if let Some(sight) = self.sight() {
            sight.cursor.hold(at, self.axis());
        }
    }

    /// The pointer whose press was taken goes up.
    fn release(self) {
        if let Some(sight) = self.sight() {
            sight.cursor.release();
        }
    }
}

/// What any picture does, whatever its type: all that follows is compiled once for all of them.
trait Picture: Send + Sync {
    fn axis(&self) -> Option<Scale>;
    fn pan(&self, by: f64);
    fn zoom(&self, factor: f64, about: f64);
    fn click(&self, at: Place);
    fn point(&self, at: Option<Place>);
    fn selects(&self) -> bool;
    fn select(&self, from: f64, to: f64, between: Option<(f64, f64)>);
    fn dropped(&self);
    fn lost(&self);
    fn twice(&self, at: Place);
    fn takes(&self, at: Place) -> bool;
    fn hold(&self, at: Place);
    fn release(&self);
}

impl<T: Touched> Picture for T {
    fn axis(&self) -> Option<Scale> {
        Touched::axis(*self)
    }

    fn pan(&self, by: f64) {
        Touched::pan(*self, by);
    }

    fn zoom(&self, factor: f64, about: f64) {
        Touched::zoom(*self, factor, about);
    }

    fn click(&self, at: Place) {
        Touched::click(*self, at);
    }

    fn point(&self, at: Option<Place>) {
        Touched::point(*self, at);
    }

    fn selects(&self) -> bool {
        Touched::selects(*self)
    }

    fn select(&self, from: f64, to: f64, between: Option<(f64, f64)>) {
        Touched::select(*self, from, to, between);
    }

    fn dropped(&self) {
        Touched::dropped(*self);
    }

    fn lost(&self) {
        Touched::lost(*self);
    }

    fn twice(&self, at: Place) {
        Touched::twice(*self, at);
    }

    fn takes(&self, at: Place) -> bool {
        Touched::takes(*self, at)
    }

    fn hold(&self, at: Place) {
        Touched::hold(*self, at);
    }

    fn release(&self) {
        Touched::release(*self);
    }
}

/// The pointer whose press the picture took, and all others.
struct Hand {
    picture: Box<dyn Picture>,
    canvas: NodeRef<Canvas>,
    drag: StoredValue<Drag>,
    held: StoredValue<Option<i32>>,
    /// How far down the press was.
    pressed: StoredValue<f64>,
}

impl Hand {
    fn down(&self, event: &PointerEvent) {
        let Some(axis) = self.picture.axis().filter(|_| event.button() == 0) else { return };
        let at = place_of(event);
        self.pressed.set_value(at.1);
        if let Some(canvas) = self.canvas.get_untracked() {
            // Without capture a drag ends at the edge of the canvas.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
        if !event.shift_key() && self.picture.takes(at) {
            return self.held.set_value(Some(event.pointer_id()));
        }
        let finger = event.pointer_type() == "touch";
        let pans = !self.picture.selects() || event.shift_key() || finger || at.0 < axis.left;
        let means = if pans { Means::Pan } else { Means::Select };
        self.drag.update_value(|drag| drag.press(event.pointer_id(), at.0, means));
    }

    fn moved(&self, event: &PointerEvent) {
        let (picture, at) = (&self.picture, place_of(event));
        let Some(axis) = picture.axis() else { return };
        if self.held.get_value() == Some(event.pointer_id()) {
            picture.hold(at);
            return picture.point(None);
        }
        match self.drag.try_update_value(|drag| drag.drag(event.pointer_id(), at.0)).flatten() {
            Some(Gesture::Pan(pixels)) => picture.pan(-pixels / axis.per_unit()),
            Some(Gesture::Pinch(factor, x)) => picture.zoom(factor, axis.value(x)),
            Some(Gesture::Range(from, to)) => {
                let (above, below) = (at.1.min(self.pressed.get_value()), at.1.max(self.pressed.get_value()));
                let between = (below - above > ACROSS).then_some((above, below));
                picture.select(from.min(to), from.max(to), between);
            }
            None => return picture.point(Some(at)),
        }
        picture.point(None);
    }

    fn up(&self, event: &PointerEvent) {
        if self.let_go(event) {
            return self.picture.release();
        }
        if self.drag.try_update_value(|drag| drag.release(event.pointer_id())).unwrap_or(false) {
            self.picture.click(place_of(event));
        } else {
            self.picture.dropped();
        }
    }

    fn lost(&self, event: &PointerEvent) {
        self.let_go(event);
        self.drag.update_value(|drag| {
            drag.release(event.pointer_id());
        });
        self.picture.lost();
        self.picture.point(None);
    }

    fn let_go(&self, event: &PointerEvent) -> bool {
        let held = self.held.get_value() == Some(event.pointer_id());
        if held {
            self.held.set_value(None);
        }
        held
    }

    fn wheel(&self, event: &WheelEvent) {
        let Some(axis) = self.picture.axis() else { return };
        let sideways = if event.shift_key() { event.delta_y() + event.delta_x() } else { event.delta_x() };
        if event.ctrl_key() {
            self.picture.zoom((event.delta_y() / TURNS).exp(), axis.value(place_of(event).0));
        } else if sideways != 0.0 {
            self.picture.pan(sideways / axis.per_unit());
        } else {
            return;
        }
        event.prevent_default();
    }
}

/// The canvas of a picture that can be touched.
#[component]
pub fn TouchedCanvas<T: Touched>(
    /// The picture.
    picture: T,
    /// The canvas that it is painted on.
    canvas: NodeRef<Canvas>,
    /// Whether a press here would be taken, for the shape of the pointer.
    #[prop(optional)]
    taken: Option<RwSignal<bool>>,
) -> impl IntoView {
    touched(Box::new(picture), canvas, taken)
}

fn touched(
    picture: Box<dyn Picture>,
    canvas: NodeRef<Canvas>,
    taken: Option<RwSignal<bool>>,
) -> impl IntoView {
    let hand = Arc::new(Hand {
        picture,
        canvas,
        drag: StoredValue::default(),
        held: StoredValue::new(None),
        pressed: StoredValue::new(0.0),
    });
    let on = |act: fn(&Hand, &PointerEvent)| {
        let hand = Arc::clone(&hand);
        move |event: PointerEvent| act(&hand, &event)
    };
    let (turned, twice) = (Arc::clone(&hand), Arc::clone(&hand));
    view! {
        <canvas node_ref=canvas aria-hidden="true" class:on-axis=live(move || taken.is_some_and(|taken| taken.get()))
            on:pointerdown=on(Hand::down) on:pointermove=on(Hand::moved) on:pointerup=on(Hand::up)
            on:pointercancel=on(Hand::lost) on:pointerleave=on(|hand, _| hand.picture.point(None))
            on:wheel=move |event| turned.wheel(&event)
            on:dblclick=move |event: MouseEvent| twice.picture.twice(place_of(&event))></canvas>
    }
}
