//! What the picture and everything around it share, and how a document comes to be seen.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{effect, memo};

use super::Panel;
use super::files;
use base::Problem;
use kit::import::json;
use kit::page::told::{Looked, ToOpen};
use kit::page::{Ask, Edited, Window};
use traces_lab::draw::{AXIS, Look};
use traces_lab::page::says::{Goes, Said};
use traces_lab::page::seam::{FromHolder, RECORDING, ToHolder};
use traces_lab::page::{Bar, Lane, Run};
use traces_lab::scenario::named;
use ui_kit::find::Found;
use ui_kit::holder::Holder;
use ui_kit::later::Later;
use ui_kit::mounted::put;
use ui_kit::sight::Sight;
use ui_kit::tall::Tall;

/// Links follow the view once it has been still for so long.
const SETTLE: Duration = Duration::from_millis(200);

/// How the recording of the document stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// Nothing is known of a document.
    Nothing,
    /// Files are to be opened.
    Waits(Vec<String>),
    /// It is being read: bytes read, and bytes there are.
    Reading(f64, f64),
    /// It is read.
    Read,
    /// It cannot be read.
    Refused(Vec<Problem>),
    /// The worker died, and why.
    Died(String),
}

/// What comes of the changes that the document wants.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Changed {
    pub(super) run: Arc<Run>,
    pub(super) sooner: f64,
    /// How many orders it turns around that a replay keeps.
    pub(super) turned: u32,
}

/// A report, and the changes that its leads stand for, as a document says them.
type Reported = (Value, Vec<Option<String>>);

/// What is shared.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) panel: Panel,
    pub(super) state: RwSignal<State>,
    /// The run as recorded.
    pub(super) run: RwSignal<Option<Arc<Run>>>,
    /// The run as changed.
    pub(super) changed: RwSignal<Option<Changed>>,
    /// Whether that one is in sight.
    pub(super) as_changed: RwSignal<bool>,
    /// The report, and the changes that its leads stand for.
    pub(super) report: RwSignal<Option<Arc<Reported>>>,
    /// What is in sight.
    pub(super) sight: Sight,
    /// The same once it has been still for a moment: for what takes longer than a frame.
    pub(super) still: RwSignal<Window>,
    /// Where the picture is.
    pub(super) tall: Tall,
    /// How high it is while nothing is said of a selection: rows do not move when that takes its room.
    fit: RwSignal<f64>,
    pub(super) selected: RwSignal<Option<Bar>>,
    /// What is said of the selected operation.
    pub(super) said: RwSignal<Option<(u32, Arc<Said>)>>,
    /// What the search finds.
    pub(super) found: Found<u32>,
    holder: StoredValue<Option<Holder<ToHolder>>, LocalStorage>,
}

/// What makes documents show the same run.
#[derive(Debug, Clone, PartialEq)]
struct Recording {
    given: Option<Value>,
    changes: Option<Value>,
}

impl Stage {
    pub(super) fn new(panel: Panel) -> Self {
        let stage = Self {
            panel,
            state: RwSignal::new(State::Nothing),
            run: RwSignal::new(None),
            changed: RwSignal::new(None),
            as_changed: RwSignal::new(false),
            report: RwSignal::new(None),
            sight: Sight::new(AXIS),
            still: RwSignal::new(Window::whole(1.0)),
            tall: Tall::new(),
            fit: RwSignal::new(0.0),
            selected: RwSignal::new(None),
            said: RwSignal::new(None),
            found: RwSignal::new(None),
            holder: StoredValue::new_local(None),
        };
        effect(move || {
            let high = stage.tall.room.get().1;
            let told = stage.selected.with(Option::is_some)
                || stage.sight.range.with(Option::is_some)
                || stage.sight.cursor.put().is_some();
            if high > 0.0 && (!told || high > stage.fit.get_untracked()) {
                put(stage.fit, high);
            }
        });
        stage.follow_document();
        stage.follow_links();
        stage.tell_links();
        stage
    }

    /// The run in sight.
    pub(super) fn seen(self) -> Option<Arc<Run>> {
        if self.as_changed.get() {
            return self.changed.with(|changed| changed.as_ref().map(|changed| Arc::clone(&changed.run)));
        }
        self.run.get()
    }

    pub(super) fn seen_now(self) -> Option<Arc<Run>> {
        untrack(|| self.seen())
    }

    /// Opens the run of the document whenever that is another one, and replays it when its changes are others.
    fn follow_document(self) {
        let recording = memo(move |_| {
            let tree = self.panel.told.with(|told| json::parse(told.document.as_deref()?).ok())?;
            let trace = tree.get("trace")?;
            let given = trace.get("files").or_else(|| trace.get("recorded")).cloned();
            Some(Recording { given, changes: trace.get("changes").cloned() })
        });
        let opened = files::opened();
        let known = StoredValue::new(None::<Recording>);
        effect(move || {
            opened.track();
            let Some(recording) = recording.get() else { return };
            let before = known.get_value();
            // What was not read, or not to its end, is read again once files were opened.
            let none = |state: &State| matches!(state, State::Waits(_) | State::Died(_) | State::Refused(_));
            let none = self.state.with_untracked(none) && self.run.with_untracked(Option::is_none);
            let same_run = before.as_ref().is_some_and(|before| before.given == recording.given) && !none;
            let same_changes = before.as_ref().is_some_and(|before| before.changes == recording.changes);
            if same_run && same_changes {
                return;
            }
            known.set_value(Some(recording.clone()));
            let text = self.panel.told.with_untracked(|told| told.document.clone()).unwrap_or_default();
            if same_run {
                if recording.changes.is_none() {
                    self.as_changed.set(false);
                    self.changed.set(None);
                } else {
                    self.ask(&ToHolder::Change { text });
                }
                return;
            }
            self.open(&text, recording.given.as_ref());
        });
    }

    fn open(self, text: &str, given: Option<&Value>) {
        self.forget();
        let named = given.filter(|given| given.is_array()).map(named).unwrap_or_default();
        let files = match files::at_hand(&named) {
            Ok(files) => files,
            Err(missing) => return self.state.set(State::Waits(missing)),
        };
        self.state.set(State::Reading(0.0, 0.0));
        let holder = Holder::open(
            RECORDING,
            ToHolder::Open { text: text.to_owned() },
            &files,
            move |said| self.heard(said),
            move |why| {
                self.state.set(State::Died(why));
            },
        );
        if holder.is_none() {
            self.state.set(State::Died("no worker can be started".to_owned()));
        }
        self.holder.set_value(holder);
    }

    /// Nothing of another run stays.
    fn forget(self) {
        self.holder.set_value(None);
        self.as_changed.set(false);
        self.run.set(None);
        self.changed.set(None);
        self.report.set(None);
        self.selected.set(None);
        self.said.set(None);
        self.sight.forget();
        self.tall.down.set(0.0);
    }

    /// Reads no further.
    pub(super) fn stop(self) {
        self.holder.set_value(None);
        self.state.set(State::Died("it was stopped".to_owned()));
    }

    pub(super) fn ask(self, message: &ToHolder) {
        self.holder.with_value(|holder| {
            if let Some(holder) = holder {
                holder.ask(message);
            }
        });
    }

    fn heard(self, said: FromHolder) {
        match said {
            FromHolder::Progress { read, total } => self.state.set(State::Reading(read, total)),
            FromHolder::Drawn(packed) => {
                let run = Run::new(*packed);
                self.sight.window.set(Window::whole(run.end));
                self.still.set(Window::whole(run.end));
                self.run.set(Some(Arc::new(run)));
                self.state.set(State::Read);
            }
            FromHolder::Reported { line, changes } => {
                let report = json::parse(&line).unwrap_or_default();
                self.report.set(Some(Arc::new((report, changes))));
            }
            FromHolder::Operation { place, said } => self.said.set(Some((place, Arc::new(*said)))),
            FromHolder::Changed { sooner, turned, times, .. } => {
                let time = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
                let times: Vec<(f64, f64)> =
                    times.chunks_exact(16).map(|both| (time(&both[..8]), time(&both[8..]))).collect();
                let Some(run) = self.run.get_untracked() else { return };
                let run = Arc::new(run.moved(&times));
                self.changed.set(Some(Changed { run, sooner, turned }));
            }
            FromHolder::Blocks(Ok(document)) => {
                let what = "A stretch of the recording as blocks; Undo brings the recording back".to_owned();
                self.panel.page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
            }
            FromHolder::Warps(Ok(document)) => {
                let what = "A kernel of the recording as warps; Undo brings the recording back".to_owned();
                self.panel.page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
            }
            FromHolder::Blocks(Err(why)) | FromHolder::Warps(Err(why)) => self.panel.page.notice(&why),
            FromHolder::Refused(problems) => self.state.set(State::Refused(problems)),
        }
    }

    /// From where to where what is selected goes.
    pub(super) fn chosen(self) -> Option<(f64, f64)> {
        self.selected.get_untracked().map(|bar| (bar.start, bar.end))
    }

    /// How the picture is looked at.
    pub(super) fn look(self) -> Look {
        let ((width, height), window) = (self.tall.room.get(), self.sight.window.get());
        let selected = self.selected.get();
        let said = self
            .said
            .get()
            .filter(|(place, _)| selected.is_some_and(|bar| self.is_operation(&bar) && bar.id == *place));
        let witness = said.as_ref().and_then(|(_, said)| said.witness).and_then(|to| self.find(to));
        Look {
            width,
            height,
            fit: self.fit.get(),
            down: self.tall.down.get(),
            t0: window.t0,
            t1: window.t1,
            selected,
            witness,
            earliest: said.and_then(|(_, said)| said.earliest).filter(|_| !self.as_changed.get()),
            range: self.sight.range.get(),
        }
    }

    /// Where something is in the picture.
    pub(super) fn find(self, to: Goes) -> Option<Bar> {
        let run = self.seen_now()?;
        match to {
            Goes::Operation(place) => run.operation(place),
            Goes::Call(call) => run.call(call),
        }
    }

    /// Whether a bar is an operation.
    pub(super) fn is_operation(self, bar: &Bar) -> bool {
        self.seen_now().is_some_and(|run| run.rows.get(bar.row).is_some_and(|row| row.lane == Lane::Stream))
    }

    /// What is selected gives way; whether there was anything.
    pub(super) fn let_go(self) -> bool {
        let any = self.selected.with_untracked(Option::is_some);
        if any {
            self.select(None, false);
        }
        any
    }

    /// Selects a bar, and brings it into sight where it is not; of idle time also says what ended it.
    pub(super) fn select(self, bar: Option<Bar>, reveal: bool) {
        self.sight.let_go();
        self.selected.set(bar);
        let Some(bar) = bar else { return };
        let lane = self.seen_now().and_then(|run| run.rows.get(bar.row).map(|row| row.lane));
        if matches!(lane, Some(Lane::Stream | Lane::Was | Lane::Idle)) {
            self.ask(&ToHolder::Operation { place: bar.id });
        }
        if reveal {
            self.reveal(&bar);
        }
    }

    /// Brings a bar into sight: as near as it needs to be seen.
    fn reveal(self, bar: &Bar) {
        let width = self.tall.room.get_untracked().0.max(200.0);
        self.sight.window.update(|window| {
            let length = bar.end - bar.start;
            let enough = length / window.width() * width >= 3.0 && length <= window.width();
            if enough {
                *window = window.revealing(bar.start - window.width() * 0.1, bar.end + window.width() * 0.1);
            } else {
                let wide = (length * 20.0).max(2_000.0).min(window.end);
                let middle = (bar.start + bar.end) / 2.0;
                *window = Window::given(middle - wide / 2.0, middle + wide / 2.0, window.end);
            }
        });
        let Some(run) = self.seen_now() else { return };
        let look = untrack(|| self.look());
        let high = look.row_height(&run);
        let (top, seen) = (bar.row as f64 * high, look.height - AXIS);
        let down = self.tall.down.get_untracked();
        if top < down || top + high > down + seen {
            self.tall.down.set((top - seen / 2.0).max(0.0));
        }
    }

    pub(super) fn go(self, to: Goes) {
        if let Some(bar) = self.find(to) {
            self.select(Some(bar), true);
        }
    }

    /// The document with other changes.
    pub(super) fn set_changes(self, changes: Vec<Value>) {
        let text = self.panel.told.with_untracked(|told| told.document.clone()).unwrap_or_default();
        let Ok(mut tree) = json::parse(&text) else { return };
        let Some(trace) = tree.get_mut("trace").and_then(Value::as_object_mut) else { return };
        if changes.is_empty() {
            trace.shift_remove("changes");
        } else {
            trace.insert("changes".to_owned(), Value::Array(changes));
        }
        self.panel.page.ask(Ask::Edit { text: json::pretty(&tree), edited: Edited::Once });
    }

    /// The changes that the document wants.
    pub(super) fn changes(self) -> Vec<Value> {
        let tree = self.panel.told.with(|told| json::parse(told.document.as_deref()?).ok());
        let list = tree.and_then(|tree| tree.get("trace")?.get("changes")?.as_array().cloned());
        list.unwrap_or_default()
    }

    /// Looks as a link asks, once the run is there.
    fn follow_links(self) {
        let done = StoredValue::new(0);
        effect(move || {
            let looked = self.panel.told.with(|told| told.looked.clone());
            let Some(run) = self.run.get().filter(|_| looked.number > done.get_value()) else { return };
            done.set_value(looked.number);
            if let (Some(t0), Some(t1)) = (looked.t0, looked.t1) {
                self.sight.window.set(Window::given(t0, t1, run.end));
            }
            let bar = looked.sel.as_deref().and_then(|sel| {
                let (what, place) = sel.split_once(' ')?;
                let place = place.parse().ok()?;
                if what == "call" { run.call(place) } else { run.operation(place) }
            });
            if let Some(bar) = bar {
                self.select(Some(bar), false);
            }
        });
    }

    /// Tells the page how it is looked at, a moment after the last change.
    fn tell_links(self) {
        let later = Later::new();
        effect(move || {
            let (window, selected) = (self.sight.window.get(), self.selected.get());
            if self.run.with(Option::is_none) {
                return;
            }
            let sel = selected.and_then(|bar| {
                let lane = self.seen_now()?.rows.get(bar.row)?.lane;
                Some(format!("{} {}", if lane == Lane::Thread { "call" } else { "operation" }, bar.id))
            });
            let whole = window.is_whole();
            let edge = |at: f64| (!whole).then(|| at.round());
            let looked = Looked { t0: edge(window.t0), t1: edge(window.t1), sel, ..Looked::default() };
            let tell = move || {
                // The panel may be gone by now.
                let _ = self.still.try_set(window);
                self.panel.page.ask(Ask::View(looked));
            };
            later.after(SETTLE, tell);
        });
    }
}
