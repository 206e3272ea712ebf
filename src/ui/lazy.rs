//! Parts of the page that are in the program of the labs: it is loaded when one is first needed, and handed plain
//! values from then on.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::live::effect;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use super::asked::Jobs;
use super::state::App;
use super::told::{Message, Teller};
use crate::base::stamp;
use crate::page::{Part, mend};

#[wasm_bindgen]
extern "C" {
    /// In the page's own script: only a script can import another one.
    #[wasm_bindgen(js_name = warpspanLabs, catch)]
    fn load(build: &str) -> Result<Promise, JsValue>;

    /// A part in the page.
    type Mounted;
    #[wasm_bindgen(method, catch)]
    fn show(this: &Mounted, heard: &Array, told: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn free(this: &Mounted) -> Result<(), JsValue>;
}

/// What the program of the labs exports under a name, once it is there.
pub async fn export(name: &str) -> Result<Function, JsValue> {
    let module = JsFuture::from(load(stamp::build())?).await?;
    Reflect::get(&module, &name.into())?.dyn_into()
}

/// Where a part of the page is.
#[component]
pub fn Place(
    app: App,
    part: Part,
    /// Whether there is anything to see; where nothing is said, there is.
    #[prop(optional, into)]
    seen: Option<Signal<bool>>,
) -> impl IntoView {
    let host = NodeRef::<leptos::html::Div>::new();
    let jobs = Jobs::new();
    let mut teller = Teller::new(app, part, jobs);
    let act = Closure::<dyn Fn(JsValue)>::new(move |ask: JsValue| {
        // A part is of the same build as the page: what it asks for can be read.
        if let Ok(ask) = serde_wasm_bindgen::from_value(ask) {
            app.answer(ask, jobs);
        }
    });
    on_cleanup(move || jobs.cancel(app, None));
    let held = Held::new(part, act.into_js_value().unchecked_into());
    effect(move || {
        if let Some(host) = host.get()
            && let Some(message) = (teller.message)()
        {
            held.show(&host, message, &teller.instead);
        }
    });
    let panel = matches!(part, Part::Panel(_));
    let stale = move || panel && app.stale.with(Option::is_some);
    let display = move || if seen.is_none_or(|seen| seen.get()) { "" } else { "none" };
    let host = view! {
        <div class=part.class() class:stale=stale role=part.label().map(|_| "region") aria-label=part.label() data-testid=part.name()
            node_ref=host style:display=display></div>
    };
    match panel {
        true => view! { <div class="place">{host}<StaleBadge app/></div> }.into_any(),
        false => host.into_any(),
    }
}

/// Says so where the picture it stands in is not the answer to the document.
#[component]
pub fn StaleBadge(app: App) -> impl IntoView {
    let before = move || app.waits.get().then_some("The kernel before: paste a program");
    move || {
        app.stale.get().or_else(before).map(|why| {
            match mend::said(&app.problems(), |place| app.called(place)) {
                said if said.is_empty() || app.waits.get() => {
                    view! { <p class="stale-badge" data-testid="stale">{why}</p> }.into_any()
                }
                // What is wrong, and the way to where it is mended.
                said => view! {
                    <button class="stale-badge wrong" title="Go to where this is mended" data-testid="stale"
                        on:click=move |_| app.go_to(0)><b>"Not current. "</b>{said}</button>
                }
                .into_any(),
            }
        })
    }
}

/// A part, and how far it is. Freed with the effect that holds it.
struct Held {
    part: Part,
    /// What it calls when it asks for something.
    act: Function,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    asked: bool,
    mounted: Option<Mounted>,
    /// What is to be handed over.
    message: Message,
    /// What is said where it cannot be loaded.
    instead: String,
}

impl Held {
    fn new(part: Part, act: Function) -> Rc<Self> {
        Rc::new(Self { part, act, state: RefCell::default() })
    }

    /// Shows this, as soon as there is something that can; else what is said instead.
    fn show(self: &Rc<Self>, host: &HtmlElement, message: Message, instead: &dyn Fn() -> String) {
        let mut state = self.state.borrow_mut();
        state.message = message;
        if state.mounted.is_none() {
            state.instead = instead();
        }
        if !std::mem::replace(&mut state.asked, true) {
            host.set_text_content(Some("Loading…"));
            spawn_local(Rc::clone(self).load(host.clone()));
        } else if state.mounted.is_some() && state.hand_over().is_err() {
            state.instead = instead();
            state.fail(host);
        }
    }

    async fn load(self: Rc<Self>, host: HtmlElement) {
        let mount = export("mount").await;
        let mut state = self.state.borrow_mut();
        let shown = mount.and_then(|mount| {
            host.set_text_content(None);
            let part = serde_wasm_bindgen::to_value(&self.part)?;
            state.mounted = Some(mount.call3(&JsValue::NULL, &part, &host, &self.act)?.unchecked_into());
            state.hand_over()
        });
        if shown.is_err() {
            state.fail(&host);
        }
    }
}

impl State {
    fn hand_over(&self) -> Result<(), JsValue> {
        let Message { heard, told } = &self.message;
        self.mounted.as_ref().map_or(Ok(()), |mounted| mounted.show(heard, told))
    }

    fn fail(&mut self, host: &HtmlElement) {
        self.mounted = None;
        host.set_class_name("figure instead");
        host.set_text_content(Some(&format!(
            "A part of the page could not be loaded; reloading the page tries again. It would show:{}",
            self.instead
        )));
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(mounted) = &self.mounted {
            let _ = mounted.free(); // what failed may be gone already
        }
    }
}
