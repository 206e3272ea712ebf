//! A canvas follows the size of its place, and is painted at most once a frame.

use std::sync::Arc;

use crate::live::effect;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::ResizeObserver;

use crate::canvas::{Painter, ratio};
use kit::draw::{DrawList, Theme};

/// What is to be drawn, once the browser paints.
pub type Drawing = Arc<dyn Fn() -> DrawList + Send + Sync>;

/// Keeps the width of the canvas that of its place.
pub fn follow_width(canvas: NodeRef<leptos::html::Canvas>, width: RwSignal<f64>) {
    follow_size(
        move || canvas.get()?.parent_element(),
        move |place| {
            let _ = width.try_set(f64::from(place.client_width())); // gone with the page
        },
    );
}

/// Keeps width and height those of the canvas's place, which does not grow with the canvas.
pub fn follow_room(canvas: NodeRef<leptos::html::Canvas>, room: RwSignal<(f64, f64)>) {
    follow_size(
        move || canvas.get()?.parent_element(),
        move |place| {
            let now = (f64::from(place.client_width()), f64::from(place.client_height()));
            // Gone with the page; and a change that is none must not paint anew.
            if room.try_get_untracked().is_some_and(|room| room != now) {
                room.set(now);
            }
        },
    );
}

/// Tells the size of an element: once it is there, and whenever it has changed.
pub fn follow_size(
    place: impl Fn() -> Option<web_sys::Element> + 'static,
    told: impl Fn(&web_sys::Element) + Copy + 'static,
) {
    let observer = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
    effect(move || {
        let Some(place) = place() else { return };
        let measured = place.clone();
        let changed = Closure::<dyn FnMut()>::new(move || told(&measured));
        if let Ok(watcher) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            watcher.observe(&place);
            observer.set_value(Some((watcher, changed)));
        }
        told(&place);
    });
    on_cleanup(move || {
        if let Some(Some((watcher, _))) = observer.try_update_value(Option::take) {
            watcher.disconnect();
        }
    });
}

/// Paints a drawing at most once a frame, whenever it or the colours have changed.
pub fn paint_frames(canvas: NodeRef<leptos::html::Canvas>, drawing: Memo<Option<Drawing>>) {
    let theme = expect_context::<Memo<Theme>>();
    let ready = move || {
        theme.track();
        drawing.with(Option::is_some)
    };
    paint_lists(canvas, theme, ready, move || Some(drawing.try_get_untracked()??()));
}

/// The same for whoever makes the drawing only when the browser paints; `ready` tracks what it is made of.
pub fn paint_lists(
    canvas: NodeRef<leptos::html::Canvas>,
    theme: Memo<Theme>,
    ready: impl Fn() -> bool + 'static,
    drawn: impl Fn() -> Option<DrawList> + Clone + 'static,
) {
    let painter = StoredValue::new_local(None::<Painter>);
    once_a_frame(canvas, ready, move |canvas| {
        let Some(drawn) = drawn() else { return };
        let style = web_sys::HtmlElement::style(canvas);
        let _ = style.set_property("height", &format!("{}px", drawn.height));
        painter.update_value(|painter| {
            if painter.is_none() {
                *painter = Painter::new(canvas.clone());
            }
            if let Some(painter) = painter {
                painter.paint(&drawn, theme.get_untracked(), ratio());
            }
        });
    });
}

/// Has a canvas painted with the browser's next frame, whenever what `ready` tracks has changed and it is.
pub fn once_a_frame(
    canvas: NodeRef<leptos::html::Canvas>,
    ready: impl Fn() -> bool + 'static,
    paint: impl Fn(&web_sys::HtmlCanvasElement) + Clone + 'static,
) {
    let asked = StoredValue::new(false);
    effect(move || {
        let Some(canvas) = canvas.get() else { return };
        if !ready() || asked.get_value() {
            return;
        }
        asked.set_value(true);
        let paint = paint.clone();
        request_animation_frame(move || {
            if asked.try_set_value(false).is_none() {
                paint(&canvas); // else the picture is gone
            }
        });
    });
}
