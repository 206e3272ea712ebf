//! The page's side of the chart of chains: it loads the chart's wasm with the first chart and hands data over.

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
use crate::timeline::convergence::ImprovementId;

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
    #[derive(Clone)]
    type Mounted;
    #[wasm_bindgen(method, catch)]
    fn show(this: &Mounted, data: &JsValue, told: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn free(this: &Mounted) -> Result<(), JsValue>;
}

/// How far the chart's wasm is.
#[derive(Clone)]
enum Loading {
    Asked,
    Here(Mounted),
    Failed,
}

/// The chart; empty until there are data.
#[component]
pub fn ConvergenceChart(
    /// The page.
    app: App,
    /// What is drawn.
    data: Signal<Option<Arc<Convergence>>>,
    /// The improvement that someone chose, by a click, Enter or the table.
    selected: RwSignal<Option<ImprovementId>>,
    /// Whether the chains are still running.
    live: Signal<bool>,
) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    let host = NodeRef::<leptos::html::Div>::new();
    let loading = RwSignal::new_local(Loading::Asked);
    let wanted = Memo::new(move |_| data.with(Option::is_some));
    Effect::new(move |_| {
        let Some(host) = host.get().filter(|_| wanted.get()) else { return };
        let choose = Closure::<dyn Fn(Option<usize>, Option<usize>)>::new(move |chain: Option<usize>, of| {
            let _ = selected.try_set(chain.zip(of)); // the chart may outlive its place for a moment
        });
        spawn_local(async move {
            let mounted = mounted(&host, &choose.into_js_value()).await;
            if let Some(Loading::Here(late)) = loading.try_set(mounted.map_or(Loading::Failed, Loading::Here))
            {
                let _ = late.free();
            }
        });
    });
    let packed = StoredValue::new_local(None::<(Arc<Convergence>, JsValue)>);
    Effect::new(move |_| {
        let (Loading::Here(mounted), Some(data)) = (loading.get(), data.get()) else { return };
        let title = app.read.with(|read| read.as_ref().map(|s| s.title.clone()).unwrap_or_default());
        let told = Told {
            title,
            live: live.get(),
            keys: app.keys.get(),
            selected: selected.get(),
            theme: theme.get(),
        };
        let shown = packed.try_update_value(|packed| show(&mounted, packed, &data, &told));
        if !matches!(shown, Some(Ok(()))) {
            loading.set(Loading::Failed);
        }
    });
    on_cleanup(move || {
        if let Some(Loading::Here(mounted)) = loading.try_get_untracked() {
            let _ = mounted.free(); // it may have been freed already
        }
    });
    let instead = move || match loading.get() {
        Loading::Here(_) => None,
        Loading::Asked => Some("Loading the chart…".to_owned()),
        Loading::Failed => {
            let lines = data
                .get()
                .map(|data| data.ids().filter_map(|id| in_words(&data, id)).collect::<Vec<_>>().join("\n"));
            Some(format!(
                "The part of the page that draws charts could not be loaded; reloading the page tries again. The chart would show:\n\n{}",
                lines.unwrap_or_default()
            ))
        }
    };
    view! {
        <section class="figure" aria-label="Convergence" data-testid="chart" style=move || if wanted.get() { "" } else { "display: none" }>
            <div node_ref=host></div>
            {move || instead().map(|text| view! { <pre class="instead" data-testid="chart-instead">{text}</pre> })}
        </section>
    }
}

async fn mounted(host: &HtmlElement, choose: &JsValue) -> Result<Mounted, JsValue> {
    let module = JsFuture::from(load(BUILD)?).await?;
    module.unchecked_into::<Module>().mount(host, choose)
}

/// Hands over what changed; data only when they are others than before.
fn show(
    mounted: &Mounted,
    packed: &mut Option<(Arc<Convergence>, JsValue)>,
    data: &Arc<Convergence>,
    told: &Told,
) -> Result<(), JsValue> {
    let known = packed.take().filter(|(old, _)| Arc::ptr_eq(old, data));
    let (data, value) = match known {
        Some(known) => known,
        None => (Arc::clone(data), serde_wasm_bindgen::to_value(&**data)?),
    };
    let shown = mounted.show(&value, &serde_wasm_bindgen::to_value(told)?);
    *packed = Some((data, value));
    shown
}
