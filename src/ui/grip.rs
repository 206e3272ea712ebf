//! The handle at the last row: dragged down there are more warps, dragged up fewer, and the picture follows.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use wasm_bindgen::JsCast;

use super::schedule::{Stage, frame};
use super::state::App;
use crate::page::Subject;
use crate::scenario::Method;
use crate::timeline::Rows;
use crate::warps::MOST_WARPS;
use kit::page::edit;

/// How high it is.
const HIGH: f64 = 24.0;
/// A drag over so many pixels is a warp, where rows are lower.
const LEAST: f64 = 8.0;

/// How many warps there are, where they could be others: not while there is something to guess, and where no order or
/// schedule is given.
fn warps(app: App) -> Option<u32> {
    let open = app.subject.get() == Subject::Warps && !app.hide.get() && !app.embed.get();
    app.shown.with(|shown| {
        let shown =
            shown.as_ref().filter(|shown| open && matches!(shown.warps.method, Method::Initial(_)))?;
        Some(shown.report.count as u32)
    })
}

fn change(app: App, count: i64) {
    let count = count.clamp(1, i64::try_from(MOST_WARPS).unwrap_or(1));
    app.edit_tree("warps in the picture", |tree| edit::set(tree, &["warps", "count"], count.into()));
}

/// The handle; it lies over the name of the last warp.
#[component]
pub(super) fn Grip(stage: Stage) -> impl IntoView {
    let app = stage.app;
    let held = StoredValue::new(None::<(f64, i64, f64)>);
    let place = memo(move |_| {
        let count = warps(app).filter(|_| app.rows.get() == Rows::Warps)?;
        let picture = stage.picture.get().filter(|picture| picture.0.headings.is_empty())?;
        let (top, height) = frame(stage, &picture).row_at(&picture.0, count as usize - 1);
        Some((count, (top + (height - HIGH) / 2.0).round(), height))
    });
    let there = memo(move |_| place.with(Option::is_some));
    let count = memo(move |_| place.get().map(|place| place.0));
    let press = move |event: PointerEvent| {
        let Some((count, _, height)) = place.get_untracked() else { return };
        event.prevent_default();
        event.stop_propagation();
        held.set_value(Some((f64::from(event.client_y()), count.into(), height.max(LEAST))));
        if let Some(handle) =
            event.current_target().and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok())
        {
            let _ = handle.focus();
            let _ = handle.set_pointer_capture(event.pointer_id());
        }
    };
    let drag = move |event: PointerEvent| {
        if let Some((from, count, height)) = held.get_value() {
            change(app, count + ((f64::from(event.client_y()) - from) / height).round() as i64);
        }
    };
    let key = move |event: KeyboardEvent| {
        let Some(count) = count.get_untracked() else { return };
        let by = match event.key().as_str() {
            "ArrowUp" => 1,
            "ArrowDown" => -1,
            _ => return,
        };
        event.prevent_default();
        change(app, i64::from(count) + by);
    };
    view! {
        <div class="grip" class:away=live(move || !there.get()) role="spinbutton" tabindex=live(move || if there.get() { "0" } else { "-1" })
            aria-label="Warps" aria-valuemin="1" aria-valuemax=MOST_WARPS aria-valuenow=live(move || count.get())
            title="Drag for more warps or fewer; with the keyboard, Arrow up and Arrow down" data-testid="grip"
            style=live(move || place.get().map(|(_, top, _)| format!("top: {top}px")))
            on:pointerdown=press on:pointermove=drag on:pointerup=move |_| held.set_value(None)
            on:pointercancel=move |_| held.set_value(None) on:keydown=key>
            <span aria-hidden="true">"↕"</span>{live(move || count.get().map(|count| format!("Warp {count}")))}
        </div>
    }
}
