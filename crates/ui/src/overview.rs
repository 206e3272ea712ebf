//! The strip of the whole of a picture: it shows what part is in sight, and moves it, by pointers and by keys.
//!
//! It stands beneath its picture while that does not show everything, so that it takes nothing from one that does.

use crate::live::{live, memo};
use crate::show::Show;
use leptos::ev::KeyboardEvent;
use leptos::html::Canvas;
use leptos::prelude::*;

use crate::follow::{follow_width, paint_lists};
use crate::touch::{Place, Touched, TouchedCanvas};
use kit::draw::overview::{frame, grip};
use kit::draw::{DrawList, Scale, Theme};
use kit::page::Window;

/// The share of the window by which an arrow key moves it.
const STEP: f64 = 0.1;

/// A picture that can be drawn small, all of it.
pub trait Overview: Copy + Send + Sync + 'static {
    /// What part of it is in sight.
    fn window(self) -> RwSignal<Window>;

    /// The axis of all of it, in a strip of a width; none while nothing is drawn.
    fn axis(self, width: f64) -> Option<Scale>;

    /// All of it, without the window; hears of whatever changes it.
    fn drawn(self, width: f64) -> Option<DrawList>;

    /// The part in sight in words, for those who do not see it.
    fn said(self, window: &Window) -> String;
}

/// The strip as the pointers meet it.
#[derive(Clone, Copy)]
struct Hand<T: Overview> {
    of: T,
    width: RwSignal<f64>,
    /// How far from the window's middle the pointer took hold of it.
    grip: StoredValue<f64>,
}

impl<T: Overview> Hand<T> {
    fn change(self, change: impl FnOnce(&Window) -> Window) {
        let window = self.of.window();
        let (now, next) = window.with_untracked(|window| (*window, change(window)));
        if next != now {
            window.set(next);
        }
    }
}

impl<T: Overview> Touched for Hand<T> {
    fn axis(self) -> Option<Scale> {
        untrack(|| self.of.axis(self.width.get()))
    }

    fn pan(self, by: f64) {
        self.change(|window| window.panned(by));
    }

    fn zoom(self, factor: f64, about: f64) {
        self.change(|window| window.zoomed(factor, about));
    }

    fn click(self, _at: Place) {}

    fn point(self, _at: Option<Place>) {}

    fn selects(self) -> bool {
        false
    }

    fn takes(self, (x, y): Place) -> bool {
        let Some(axis) = self.axis() else { return false };
        self.grip.set_value(self.of.window().with_untracked(|window| grip(&axis, window, x)));
        self.hold((x, y));
        true
    }

    fn hold(self, (x, _): Place) {
        let Some(axis) = self.axis() else { return };
        self.change(|window| window.centred(axis.value(x) - self.grip.get_value()));
    }
}

/// The strip of a picture while only a part of that is in sight.
#[component]
pub fn OverviewOfPart<T: Overview>(
    /// The picture.
    of: T,
    /// What tests find it by.
    id: &'static str,
) -> impl IntoView {
    let is_part = memo(move |_| of.window().with(|window| !window.is_whole()));
    view! { <Show when=move || is_part.get()><OverviewStrip of id/></Show> }
}

/// The strip of a picture.
#[component]
pub fn OverviewStrip<T: Overview>(
    /// The picture.
    of: T,
    /// What tests find it by.
    id: &'static str,
) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    let width = RwSignal::new(0.0);
    follow_width(canvas, width);
    // All of it is drawn again when it changes, not when the window moves.
    let whole = Memo::new_with_compare(
        move |_| Some(width.get()).filter(|width| *width > 0.0).and_then(|width| of.drawn(width)),
        |_, _| true,
    );
    let ready = move || {
        of.window().track();
        whole.with(Option::is_some)
    };
    let drawn = move || {
        let mut list = whole.try_get_untracked()??;
        let axis = untrack(|| of.axis(width.get()))?;
        of.window().with_untracked(|window| frame(&mut list, &axis, window));
        Some(list)
    };
    paint_lists(canvas, expect_context::<Memo<Theme>>(), ready, drawn);
    let hand = Hand { of, width, grip: StoredValue::new(0.0) };
    let key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let by = match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => -STEP,
            "ArrowRight" | "ArrowUp" => STEP,
            "PageUp" => -1.0,
            "PageDown" => 1.0,
            "Home" => f64::NEG_INFINITY,
            "End" => f64::INFINITY,
            _ => return,
        };
        // Else it would move the selection, too.
        event.prevent_default();
        event.stop_propagation();
        hand.change(|window| window.panned((window.width() * by).clamp(-window.end, window.end)));
    };
    let percent = move || {
        of.window().with(|window| ((window.t0 + window.t1) / 2.0 / window.end * 100.0).round().to_string())
    };
    view! {
        <div class="overview" tabindex="0" role="slider" aria-label="The part in sight" aria-orientation="horizontal" aria-valuemin="0"
            aria-valuemax="100" aria-valuenow=percent aria-valuetext=live(move || of.window().with(|window| of.said(window)))
            title="Drag to move what is in sight; arrow keys do, too" data-keys="own" data-testid=id on:keydown=key>
            <TouchedCanvas picture=hand canvas/>
        </div>
    }
}
