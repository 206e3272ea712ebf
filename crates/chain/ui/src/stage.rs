//! What the parts of the panel share: the report, and the station someone looks at.
//!
//! A link's view is taken over once for each time it was asked for; after that, whatever someone chooses goes back
//! into the page's links, a moment after the last change.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use ui_kit::live::{effect, memo};

use super::Panel;
use chain_lab::page::chain::{part, shown, to_open};
use chain_lab::report::chain::WholeReport;
use chain_lab::timeline::chain::{Node, Walk};
use kit::page::Ask;
use kit::page::told::Looked;
use ui_kit::cells::focus_soon;
use ui_kit::find::Found;
use ui_kit::later::Later;

/// Links wait this long for more changes.
const SETTLE: Duration = Duration::from_millis(250);

/// Everything the parts share.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) panel: Panel,
    /// The report on the screen: without what was found while that is to be guessed.
    pub(super) report: Memo<Option<Arc<WholeReport>>>,
    /// The station that was chosen, by its name: it stays when a result changes.
    pub(super) chosen: RwSignal<Option<String>>,
    /// What the search finds.
    pub(super) found: Found<Node>,
    /// The station someone looks at.
    pub(super) node: Memo<Option<Node>>,
    /// Width and height of the picture's place.
    pub(super) room: RwSignal<(f64, f64)>,
    /// Whether what there is to say about a station has room beneath the drawing.
    pub(super) beneath: RwSignal<bool>,
    /// Whether numbers that are missing are still being computed.
    pub(super) running: Memo<bool>,
}

impl Stage {
    pub(super) fn new(panel: Panel, report: Memo<Option<Arc<WholeReport>>>) -> Self {
        let chosen = RwSignal::new(None::<String>);
        let node = memo(move |_| {
            chosen.with(|chosen| report.with(|report| shown(report.as_deref()?, chosen.as_deref())))
        });
        let hidden = panel.hidden();
        let running = memo(move |_| panel.told.with(|told| told.running) && !hidden.get());
        let (room, beneath) = (RwSignal::new((0.0, 0.0)), RwSignal::new(false));
        let found = RwSignal::new(None);
        let stage = Self { panel, report, chosen, found, node, room, beneath, running };
        stage.follow_links();
        stage.tell_links();
        stage
    }

    /// Something made of the report; nothing before there is one.
    pub(super) fn with<T>(&self, what: impl FnOnce(&WholeReport) -> T) -> Option<T> {
        self.report.with(|report| report.as_deref().map(what))
    }

    /// The same, without being told of changes.
    pub(super) fn now<T>(&self, what: impl FnOnce(&WholeReport) -> T) -> Option<T> {
        self.report.with_untracked(|report| report.as_deref().map(what))
    }

    /// Looks at a station.
    pub(super) fn choose(&self, node: Node) {
        if let Some(name) = self.now(|report| Walk::name(report, node)).flatten() {
            self.chosen.set(Some(name));
        }
    }

    /// Looks at a station, takes the keyboard there and brings it into sight.
    pub(super) fn go(&self, node: Node) {
        self.choose(node);
        focus_soon(vec![station_id(node)]);
    }

    /// Has the page show a part in its lab.
    pub(super) fn open(&self, id: &str) {
        if let Some(asked) = self.now(|report| part(report, id).map(to_open)).flatten() {
            self.panel.page.ask(Ask::Open(asked));
        }
    }

    /// A new document comes with what its link asks for.
    fn follow_links(&self) {
        let (stage, panel) = (*self, self.panel);
        let asked = memo(move |_| panel.told.with(|told| (told.job, told.looked.number)));
        let done = StoredValue::new((0, 0));
        effect(move || {
            let number = asked.get();
            if panel.seen.with(Option::is_none) || panel.shown.get() != number.0 {
                return; // another run's, which has told nothing yet
            }
            let is_asked = number.1 > 0 && done.get_value() != number;
            done.set_value(number);
            if is_asked {
                stage.chosen.set(panel.told.with_untracked(|told| told.looked.sel.clone()));
            }
        });
    }

    /// Tells the page what is looked at, a moment after the last change.
    fn tell_links(&self) {
        let (stage, panel) = (*self, self.panel);
        let later = Later::new();
        effect(move || {
            let chosen = stage.chosen.get();
            let known = chosen.filter(|name| {
                stage.with(|report| Walk::new(report).named(report, name).is_some()).unwrap_or(false)
            });
            if panel.shown.get() != panel.told.with(|told| told.job) {
                return;
            }
            let looked = Looked { sel: known, ..Looked::default() };
            let tell = move || panel.page.ask(Ask::View(looked));
            later.after(SETTLE, tell);
        });
    }
}

/// Brings a station into sight, wherever the keyboard is.
pub(super) fn show(node: Node) {
    request_animation_frame(move || {
        let found = document().query_selector(&format!("[data-testid={}]", station_id(node))).ok().flatten();
        if let Some(found) = found {
            let place = found.get_bounding_client_rect();
            let high = window().inner_height().ok().and_then(|high| high.as_f64()).unwrap_or(0.0);
            if place.top() < 0.0 || place.bottom() > high {
                found.scroll_into_view();
            }
        }
    });
}

/// What tests and the keyboard find a station by.
pub(super) fn station_id(node: Node) -> String {
    let (kind, place) = match node.row {
        chain_lab::timeline::chain::Row::Kernel(place) => ("kernel", place),
        chain_lab::timeline::chain::Row::Task(place) => ("task", place),
    };
    format!("station-{kind}-{place}-{}", node.station.key())
}
