//! What has a wasm of its own: it is loaded when it is first needed, and handed plain values from then on.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use crate::base::stamp;

#[wasm_bindgen]
extern "C" {
    /// In the page's own script: only a script can import another one.
    #[wasm_bindgen(js_name = warpspanPart, catch)]
    fn load(module: &str, build: &str) -> Result<Promise, JsValue>;

    /// A part in the page.
    type Mounted;
    #[wasm_bindgen(method, catch)]
    fn show(this: &Mounted, data: &JsValue, told: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn free(this: &Mounted) -> Result<(), JsValue>;
}

/// What a module exports, once it is there.
pub async fn part(module: &str) -> Result<JsValue, JsValue> {
    JsFuture::from(load(module, stamp::build())?).await
}

/// Where a part is to be, and how far it is. Freed with the effect that holds it.
pub struct Place {
    /// The module that makes it.
    module: &'static str,
    /// What the module calls the function that makes it.
    mount: &'static str,
    /// What it calls when something is done with it.
    act: Function,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    asked: bool,
    mounted: Option<Mounted>,
    data: JsValue,
    told: JsValue,
    /// What is said where it cannot be loaded.
    instead: String,
}

impl Place {
    /// A place in which there is nothing yet.
    pub fn new(module: &'static str, mount: &'static str, act: Function) -> Rc<Self> {
        Rc::new(Self { module, mount, act, state: RefCell::default() })
    }

    /// Shows these, as soon as there is something that can; else what is said instead.
    pub fn show(
        self: &Rc<Self>,
        host: &HtmlElement,
        data: JsValue,
        told: JsValue,
        instead: &dyn Fn() -> String,
    ) {
        let mut state = self.state.borrow_mut();
        (state.data, state.told) = (data, told);
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
        let module = part(self.module).await;
        let mut state = self.state.borrow_mut();
        let shown = module.and_then(|module| {
            host.set_text_content(None);
            let mount: Function = js_sys::Reflect::get(&module, &self.mount.into())?.unchecked_into();
            state.mounted = Some(mount.call2(&JsValue::NULL, &host, &self.act)?.unchecked_into());
            state.hand_over()
        });
        if shown.is_err() {
            state.fail(&host);
        }
    }
}

impl State {
    fn hand_over(&self) -> Result<(), JsValue> {
        self.mounted.as_ref().map_or(Ok(()), |mounted| mounted.show(&self.data, &self.told))
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
