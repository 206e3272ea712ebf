//! The page's side of the chart of chains: it loads the chart's wasm with the first data and hands them over.
//!
//! Every visitor loads this file's code and few need it, so it has one effect and no signals of its own.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::lazy::Place;
use super::state::App;
use crate::draw::Theme;
use crate::page::chart::{Told, in_words};
use crate::timeline::Convergence;

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
    let choose =
        Closure::<dyn Fn(Option<u32>, Option<u32>)>::new(move |chain: Option<u32>, of: Option<u32>| {
            app.choose(chain.zip(of).map(|(chain, of)| (chain as usize, of as usize)));
        });
    let place = Place::new("chart", "mount", choose.into_js_value().unchecked_into());
    // The data as JavaScript has them, for as long as they are the same.
    let packed = StoredValue::new_local((None::<Arc<Convergence>>, JsValue::UNDEFINED));
    Effect::new(move |_| {
        let (Some(host), Some(data)) = (host.get(), data.get()) else { return };
        let told = Told {
            title: app.read.with(|read| read.as_ref().map(|s| s.title.clone()).unwrap_or_default()),
            live: live.get(),
            keys: app.keys.get(),
            selected: app.chosen.get(),
            theme: theme.get(),
        };
        let values = packed.try_update_value(|(known, values)| {
            if known.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &data)) {
                // Plain data: turning them into JavaScript values cannot fail.
                *values = serde_wasm_bindgen::to_value(&*data).unwrap_or_default();
                *known = Some(Arc::clone(&data));
            }
            values.clone()
        });
        let told = serde_wasm_bindgen::to_value(&told).unwrap_or_default();
        place.show(&host, values.unwrap_or_default(), told, &|| {
            data.ids().filter_map(|id| in_words(&data, id)).map(|line| format!("\n{line}")).collect()
        });
    });
    view! {
        <div class="figure" role="region" aria-label="Convergence" data-testid="chart" node_ref=host
            style:display=move || if drawn.get() { "" } else { "none" }></div>
    }
}
