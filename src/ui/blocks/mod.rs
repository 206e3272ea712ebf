//! The panel of the blocks lab, in a wasm of its own: what ran when and where, why, and what the analysis says.

mod analysis;
mod check;
mod exports;
mod figure;
pub mod form;
mod keys;
mod moment;
mod perfetto;
mod player;
mod sms;
mod stage;
mod summary;
mod table;
mod tools;

use std::any::Any;
use std::sync::Arc;

use js_sys::{Array, Function};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::page::blocks::Seen;
use crate::page::trial::ToldOfTrial;
use analysis::Analysis;
use check::Check;
use figure::Figure;
use summary::Summary;

/// Its own style, which the page need not load before.
const STYLE: &str = concat!(
    include_str!("../../../www/lab.css"),
    include_str!("../../../www/items.css"),
    include_str!("../../../www/blocks-figure.css")
);

/// The panel in the page, until it is dropped.
pub struct Mounted {
    panel: Panel,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _held: Box<dyn Any>,
}

impl Mounted {
    /// Puts the panel into an element; `act` is called with what someone wants done, a number and a text.
    pub fn new(host: HtmlElement, act: Function) -> Self {
        console_error_panic_hook::set_once();
        let owner = Owner::new();
        let panel = owner.with(|| Panel::new(act));
        let handle = mount_to(host, move || view! { <Blocks panel/> });
        Self { panel, _held: Box::new((handle, owner)) }
    }

    /// Shows what a worker has told, and how it stands.
    pub fn show(&self, lines: &Array, told: ToldOfTrial) {
        let panel = self.panel;
        let heard = (told.job, lines.length());
        if panel.heard.get_value() != heard {
            let last = lines.length().checked_sub(1).and_then(|last| lines.get(last).as_string());
            if let Some(seen) = last.and_then(|line| Seen::new(&line)) {
                panel.shown.set(told.job);
                panel.seen.set(Some(Arc::new(seen)));
            }
            panel.heard.set_value(heard);
        }
        if panel.told.with_untracked(|old| *old != told) {
            panel.told.set(told);
        }
    }
}

/// What someone wants to see: a block, or a whole kernel, at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Focus {
    /// Whether it was measured, not simulated.
    pub(super) measured: bool,
    /// The launch, by its place in the report.
    pub(super) launch: usize,
    /// The block, where it is one.
    pub(super) block: Option<u32>,
    /// When, in nanoseconds.
    pub(super) time: u64,
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    /// The result on the screen.
    pub(super) seen: RwSignal<Option<Arc<Seen>>>,
    /// The run it is of.
    pub(super) shown: RwSignal<u32>,
    /// How the document and its run stand, and the page around the panel.
    pub(super) told: RwSignal<ToldOfTrial>,
    /// What the figure is to show: whoever lists something sets it, and the figure selects it.
    pub(super) focus: RwSignal<Option<Focus>>,
    /// The run whose lines were heard, and how many of them.
    heard: StoredValue<(u32, u32)>,
    act: StoredValue<Function, LocalStorage>,
}

impl Panel {
    fn new(act: Function) -> Self {
        Self {
            seen: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            focus: RwSignal::new(None),
            heard: StoredValue::default(),
            act: StoredValue::new_local(act),
        }
    }

    /// Has the page do something: `run`, `stop`, `edit` the document to a text, open it in another launch `order` (JSON
    /// with `places`, `title`, `notes`), take a `view` (JSON with `step`, `t0`,
    /// `t1`, `sel`, `rows`) into its links, or tell a `notice`.
    pub(super) fn act(&self, what: &str, text: Option<&str>) {
        let text = text.map_or(JsValue::UNDEFINED, JsValue::from_str);
        // What the page does with it is the page's affair.
        let _ =
            self.act.with_value(|act| act.call3(&JsValue::NULL, &what.into(), &JsValue::UNDEFINED, &text));
    }

    /// Something made of the result; nothing before there is one.
    pub(super) fn with<T>(&self, what: impl FnOnce(&Seen) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

#[component]
fn Blocks(panel: Panel) -> impl IntoView {
    let any = Memo::new(move |_| panel.seen.with(Option::is_some));
    view! {
        <style>{STYLE}</style>
        <Summary panel/>
        <Show when=move || any.get()>
            <Figure panel/>
            <Check panel/>
            <Analysis panel/>
            <Assumptions panel/>
        </Show>
    }
}

/// What the simulation takes for granted.
#[component]
fn Assumptions(panel: Panel) -> impl IntoView {
    let known = Memo::new(move |_| {
        panel.with(|seen| seen.report.stop.is_some().then(|| seen.report.assumptions.clone())).flatten()
    });
    let line = |text: String| view! { <li>{text}</li> };
    move || {
        known.get().map(|texts| {
            view! {
                <details class="more">
                    <summary>"What the simulation takes for granted"</summary>
                    <ol>{texts.into_iter().map(line).collect_view()}</ol>
                </details>
            }
        })
    }
}
