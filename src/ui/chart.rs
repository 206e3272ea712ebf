//! The page's side of the chart of chains: it loads the chart's wasm with the first data and hands them over.
//!
//! Every visitor loads this file's code and few need it, so it has one effect and no signals of its own.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use js_sys::Promise;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use super::state::App;
use crate::base::BUILD;
use crate::draw::Theme;
use crate::page::chart::{Told, in_words};
use crate::timeline::Convergence;

#[wasm_bindgen]
extern "C" {
    /// In the page's own script: only a script can import another one.
    #[wasm_bindgen(js_name = warpspanChart, catch)]
    fn load(build: &str) -> Result<Promise, JsValue>;

    /// The module of the chart's wasm.
    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &HtmlElement, choose: &JsValue) -> Result<Mounted, JsValue>;

    /// A chart in the page.
    type Mounted;
    #[wasm_bindgen(method, catch)]
    fn show(this: &Mounted, data: &JsValue, told: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn free(this: &Mounted) -> Result<(), JsValue>;
}

/// The chart; nothing until there are data.
#[component]
pub fn ConvergenceChart(
    /// The page.
    app: App,
    /// What is drawn.
    data: Signal<Option<Arc<Convergence>>>,
    /// Whether the chains are still running.
    live: Signal<bool>,
    /// Whether there is a search whose chart this is.
    drawn: Signal<bool>,
) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    let host = NodeRef::<leptos::html::Div>::new();
    let place = Rc::new(Place::default());
    Effect::new(move |_| {
        let (Some(host), Some(data)) = (host.get(), data.get()) else { return };
        let told = Told {
            title: app.read.with(|read| read.as_ref().map(|s| s.title.clone()).unwrap_or_default()),
            live: live.get(),
            keys: app.keys.get(),
            selected: app.chosen.get(),
            theme: theme.get(),
        };
        place.show(&host, data, &told, app);
    });
    view! {
        <div class="figure" role="region" aria-label="Convergence" data-testid="chart" node_ref=host
            style:display=move || if drawn.get() { "" } else { "none" }></div>
    }
}

/// Where the chart is to be, and how far it is. Freed with the effect that holds it.
#[derive(Default)]
struct Place(RefCell<State>);

#[derive(Default)]
struct State {
    asked: bool,
    mounted: Option<Mounted>,
    /// What is shown, or will be.
    data: Option<Arc<Convergence>>,
    packed: JsValue,
    told: JsValue,
}

impl Place {
    fn show(self: &Rc<Self>, host: &HtmlElement, data: Arc<Convergence>, told: &Told, app: App) {
        let mut state = self.0.borrow_mut();
        if state.data.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &data)) {
            // Plain data: turning them into JavaScript values cannot fail.
            state.packed = serde_wasm_bindgen::to_value(&*data).unwrap_or_default();
            state.data = Some(data);
        }
        state.told = serde_wasm_bindgen::to_value(told).unwrap_or_default();
        if !std::mem::replace(&mut state.asked, true) {
            host.set_text_content(Some("Loading the chart…"));
            spawn_local(Rc::clone(self).load(host.clone(), app));
        } else if state.mounted.is_some() && state.hand_over().is_err() {
            state.fail(host);
        }
    }

    async fn load(self: Rc<Self>, host: HtmlElement, app: App) {
        let choose =
            Closure::<dyn Fn(Option<u32>, Option<u32>)>::new(move |chain: Option<u32>, of: Option<u32>| {
                let chosen = chain.zip(of).map(|(chain, of)| (chain as usize, of as usize));
                app.choose(chosen);
            });
        let module = async { JsFuture::from(load(BUILD)?).await }.await;
        let mut state = self.0.borrow_mut();
        let shown = module.and_then(|module| {
            host.set_text_content(None);
            state.mounted = Some(module.unchecked_into::<Module>().mount(&host, &choose.into_js_value())?);
            state.hand_over()
        });
        if shown.is_err() {
            state.fail(&host);
        }
    }
}

impl State {
    fn hand_over(&self) -> Result<(), JsValue> {
        self.mounted.as_ref().map_or(Ok(()), |mounted| mounted.show(&self.packed, &self.told))
    }

    /// Says that there is no chart, and what it would have shown.
    fn fail(&mut self, host: &HtmlElement) {
        self.mounted = None;
        let mut text = "The part of the page that draws charts could not be loaded; reloading the page tries again. The chart would show:".to_owned();
        for line in self.data.iter().flat_map(|data| data.ids().filter_map(|id| in_words(data, id))) {
            text.push('\n');
            text += &line;
        }
        host.set_class_name("figure instead");
        host.set_text_content(Some(&text));
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(mounted) = &self.mounted {
            let _ = mounted.free(); // a chart that failed may be gone already
        }
    }
}
