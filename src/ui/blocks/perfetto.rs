//! Hands a run to Perfetto in another tab: that page is asked until it answers, and then sent the trace.
//! What is sent stays in the browser.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use js_sys::{Object, Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Window};

use super::Panel;

/// Where Perfetto is.
const PERFETTO: &str = "https://ui.perfetto.dev";
/// How often it is asked whether it is there.
const AGAIN: Duration = Duration::from_millis(100);
/// It has this long to answer.
const PATIENCE: u32 = 200;

/// Opens Perfetto and hands it a trace.
pub(super) fn open(panel: Panel, trace: String, title: &str) {
    let Ok(Some(tab)) = window().open_with_url(PERFETTO) else {
        panel.act("notice", Some("The browser did not open a tab for Perfetto; allow pop-ups for this page, or save the trace and open it there."));
        return;
    };
    let waiting = Rc::new(Waiting {
        tab,
        panel,
        trace: RefCell::new(Some(trace)),
        title: title.to_owned(),
        asked: Cell::new(0),
        ears: RefCell::new(None),
    });
    waiting.listen();
    Waiting::ask(waiting);
}

type Ears = Closure<dyn FnMut(MessageEvent)>;

/// A trace that is to be handed over.
struct Waiting {
    tab: Window,
    panel: Panel,
    trace: RefCell<Option<String>>,
    title: String,
    asked: Cell<u32>,
    /// Hears what the tab answers, until the trace is handed over.
    ears: RefCell<Option<Ears>>,
}

impl Waiting {
    fn listen(self: &Rc<Self>) {
        let own = Rc::clone(self);
        let hear = Ears::new(move |event: MessageEvent| {
            let is_from_it = event.source().is_some_and(|source| Object::is(&source, &own.tab));
            if is_from_it && event.data().as_string().as_deref() == Some("PONG") {
                own.hand_over(&event.origin());
            }
        });
        // Where it cannot listen the time runs out, and that is told.
        let _ = window().add_event_listener_with_callback("message", hear.as_ref().unchecked_ref());
        self.ears.replace(Some(hear));
    }

    /// Asks whether it is there, again and again until it answers or the time is over.
    fn ask(self: Rc<Self>) {
        if self.trace.borrow().is_none() {
            return self.forget();
        }
        if self.asked.get() >= PATIENCE {
            self.panel.act(
                "notice",
                Some("Perfetto did not answer within 20 seconds; save the trace and open it there."),
            );
            return self.forget();
        }
        self.asked.set(self.asked.get() + 1);
        // Before the tab is loaded nobody hears it.
        let _ = self.tab.post_message(&"PING".into(), "*");
        set_timeout(move || self.ask(), AGAIN);
    }

    fn hand_over(&self, origin: &str) {
        let Some(trace) = self.trace.take() else { return };
        let (message, inner) = (Object::new(), Object::new());
        let put = |object: &Object, key: &str, value: &JsValue| {
            // A plain object takes any key.
            let _ = Reflect::set(object, &key.into(), value);
        };
        put(&inner, "buffer", &Uint8Array::from(trace.as_bytes()).buffer());
        put(&inner, "title", &self.title.as_str().into());
        put(&inner, "fileName", &crate::ui::files::file_name(&self.title, "json").into());
        put(&message, "perfetto", &inner);
        if self.tab.post_message(&message, origin).is_ok() {
            self.panel.act("notice", Some("The run is shown in Perfetto, in its own tab"));
        }
    }

    fn forget(&self) {
        if let Some(ears) = self.ears.take() {
            let _ = window().remove_event_listener_with_callback("message", ears.as_ref().unchecked_ref());
        }
    }
}
