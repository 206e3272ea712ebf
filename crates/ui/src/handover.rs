//! Hands a trace to Perfetto in its tab: that page is asked until it answers, and then sent the trace. What is sent stays
//! in the browser, and goes to Perfetto's address only: whatever else somebody opens in that tab meanwhile gets nothing.

use js_sys::{Array, Date, Function, Object, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageEvent, Window};

use crate::save;

/// Where Perfetto is; its origin as well.
pub const PERFETTO: &str = "https://ui.perfetto.dev";

/// A tab that Perfetto is loaded into; none where the browser does not open one.
pub fn tab() -> Option<Window> {
    window().open_with_url(PERFETTO).ok().flatten()
}

/// How often it is asked whether it is there, in milliseconds.
const AGAIN: i32 = 100;
/// It has this long to answer, in milliseconds.
const PATIENCE: f64 = 20_000.0;

const NO_TAB: &str = "The browser did not open a tab for Perfetto; allow pop-ups for this page, or save the trace and open it there.";
const NO_ANSWER: &str = "Perfetto did not answer within 20 seconds; save the trace and open it there.";
const SHOWN: &str = "The run is shown in Perfetto, in its own tab";

/// Opens Perfetto and hands it a trace; `say` is told how that went.
pub fn open(trace: String, title: String, say: impl FnOnce(&str) + 'static) {
    let tab = tab();
    spawn_local(async move { say(hand_over(tab, &trace, &title).await) });
}

/// Hands a trace to the tab that Perfetto is in, where there is one, and says how that went.
pub async fn hand_over(tab: Option<Window>, trace: &str, title: &str) -> &'static str {
    let Some(tab) = tab else { return NO_TAB };
    match answer(&tab).await {
        true if send(&tab, trace, title).is_ok() => SHOWN,
        _ => NO_ANSWER,
    }
}

/// Asks a tab again and again whether Perfetto is there; whether it was before the time was over.
async fn answer(tab: &Window) -> bool {
    let mut told = None;
    let answered = Promise::new(&mut |tell, _| told = Some(tell));
    let Some(tell) = told else { return false };
    let (own, tell): (Window, Function) = (tab.clone(), tell);
    let ears = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let is_from_it =
            event.origin() == PERFETTO && event.source().is_some_and(|source| Object::is(&source, &own));
        if is_from_it && event.data().as_string().as_deref() == Some("PONG") {
            // Whoever waits is told; that cannot fail.
            let _ = tell.call1(&JsValue::NULL, &JsValue::TRUE);
        }
    });
    let ears = ears.as_ref().unchecked_ref();
    if window().add_event_listener_with_callback("message", ears).is_err() {
        return false;
    }
    let until = Date::now() + PATIENCE;
    let mut there = false;
    while !there && Date::now() < until {
        // Before the tab is loaded nobody hears it.
        let _ = tab.post_message(&"PING".into(), "*");
        let first = Promise::race(&Array::of2(&answered, &pause()));
        there = JsFuture::from(first).await.is_ok_and(|said| said.is_truthy());
    }
    let _ = window().remove_event_listener_with_callback("message", ears);
    there
}

/// Is over after a while.
fn pause() -> Promise {
    Promise::new(&mut |resolve, _| {
        // A page can always set a timer.
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, AGAIN);
    })
}

fn send(tab: &Window, trace: &str, title: &str) -> Result<(), JsValue> {
    let (message, inner) = (Object::new(), Object::new());
    Reflect::set(&inner, &"buffer".into(), &Uint8Array::from(trace.as_bytes()).buffer())?;
    Reflect::set(&inner, &"title".into(), &title.into())?;
    Reflect::set(&inner, &"fileName".into(), &save::file_name(title, "json").into())?;
    Reflect::set(&message, &"perfetto".into(), &inner)?;
    tab.post_message(&message, PERFETTO)
}
