//! What the code, the picture and everything around them share, and how a document comes to be seen.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{effect, memo};

use super::Panel;
use super::files;
use super::reading::{Heard, Reading};
use base::Problem;
use kit::import::json;
use kit::page::told::Looked;
use kit::page::{Ask, Window};
use ui_kit::find::Found;
use ui_kit::later::Later;
use ui_kit::save;
use ui_kit::sight::Sight;
use ui_kit::tall::Tall;
use waves_lab::diff::Side;
use waves_lab::draw::{AXIS, Look};
use waves_lab::page::says::Said;
use waves_lab::page::seam::{Doing, Form, FromHolder, ToHolder};
use waves_lab::page::seek::Hit;
use waves_lab::page::{Bar, Run};
use waves_lab::scenario::{Given, given};

/// Links follow the view once it has been still for so long.
const SETTLE: Duration = Duration::from_millis(200);

/// How the capture of the document stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// Nothing is known of a document.
    Nothing,
    /// A file or a folder of this name is to be opened.
    Waits(Given),
    /// It is being read: what is done now.
    Reading(Doing),
    /// It is read.
    Read,
    /// It cannot be read.
    Refused(Vec<Problem>),
    /// The worker died, and why.
    Died(String),
}

/// What is shared.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) panel: Panel,
    pub(super) state: RwSignal<State>,
    pub(super) run: RwSignal<Option<Arc<Run>>>,
    pub(super) report: RwSignal<Option<Arc<Value>>>,
    /// What is in sight.
    pub(super) sight: Sight,
    /// Where the picture is.
    pub(super) tall: Tall,
    pub(super) selected: RwSignal<Option<Bar>>,
    /// What is said of a stretch, by the place of its bar.
    pub(super) said: RwSignal<Option<(u32, Arc<Said>)>>,
    /// The line that is selected in the code.
    pub(super) line: RwSignal<Option<usize>>,
    /// The line under the pointer there.
    pub(super) over: RwSignal<Option<usize>>,
    /// What is under the pointer in the picture.
    pub(super) hovered: RwSignal<Option<Bar>>,
    /// Whether the units of each SIMD are shown beneath its waves.
    pub(super) units: RwSignal<bool>,
    /// The capture summed up, once it is to be compared.
    pub(super) own: RwSignal<Option<Arc<Side>>>,
    /// What it is compared with: what that is called, and what it sums up to.
    pub(super) other: RwSignal<Option<(String, Arc<Side>)>>,
    /// What the search finds.
    pub(super) found: Found<Hit>,
    reading: StoredValue<Option<Reading>, LocalStorage>,
}

impl Stage {
    pub(super) fn new(panel: Panel) -> Self {
        let stage = Self {
            panel,
            state: RwSignal::new(State::Nothing),
            run: RwSignal::new(None),
            report: RwSignal::new(None),
            sight: Sight::new(AXIS),
            tall: Tall::new(),
            selected: RwSignal::new(None),
            said: RwSignal::new(None),
            line: RwSignal::new(None),
            over: RwSignal::new(None),
            hovered: RwSignal::new(None),
            units: RwSignal::new(true),
            own: RwSignal::new(None),
            other: RwSignal::new(None),
            found: RwSignal::new(None),
            reading: StoredValue::new_local(None),
        };
        stage.follow_document();
        stage.follow_links();
        stage.tell_links();
        stage
    }

    /// Something made of the capture; nothing before there is one.
    pub(super) fn with<T>(self, what: impl FnOnce(&Run) -> T) -> Option<T> {
        self.run.with(|run| run.as_deref().map(what))
    }

    /// Something made of the report; nothing before there is one.
    pub(super) fn told<T: Default>(self, what: impl FnOnce(&Value) -> T) -> T {
        self.report.with(|report| report.as_deref().map(what).unwrap_or_default())
    }

    pub(super) fn now(self) -> Option<Arc<Run>> {
        self.run.get_untracked()
    }

    /// Opens the capture of the document whenever that is another one.
    fn follow_document(self) {
        let wanted = memo(move |_| {
            let tree = self.panel.told.with(|told| json::parse(told.document.as_deref()?).ok())?;
            given(tree.get("waves")?)
        });
        let opened = files::opened();
        let known = StoredValue::new(None::<Given>);
        effect(move || {
            opened.track();
            let Some(wanted) = wanted.get() else { return };
            // What was not read is tried again once files were opened.
            let none = self.run.with_untracked(Option::is_none)
                && !matches!(self.state.get_untracked(), State::Reading(..));
            if known.get_value().as_ref() == Some(&wanted) && !none {
                return;
            }
            known.set_value(Some(wanted.clone()));
            self.open(wanted);
        });
    }

    fn open(self, wanted: Given) {
        self.forget();
        let text = self.panel.told.with_untracked(|told| told.document.clone()).unwrap_or_default();
        let Some(reading) = files::reading(&text, &wanted) else {
            return self.state.set(State::Waits(wanted));
        };
        self.state.set(State::Reading(Doing::Starts));
        reading.listen(move |heard| self.heard(heard));
        self.reading.set_value(Some(reading));
    }

    /// Nothing of another capture stays.
    fn forget(self) {
        self.reading.set_value(None);
        self.run.set(None);
        self.report.set(None);
        self.selected.set(None);
        self.said.set(None);
        self.line.set(None);
        self.over.set(None);
        self.hovered.set(None);
        self.sight.let_go();
        self.own.set(None);
        self.other.set(None);
        self.tall.down.set(0.0);
    }

    /// Compares with a capture of this name that sums up to this.
    pub(super) fn compare(self, name: String, side: Side) {
        if self.own.with_untracked(Option::is_none) {
            self.ask(&ToHolder::SumUp);
        }
        self.other.set(Some((name, Arc::new(side))));
    }

    /// Reads no further.
    pub(super) fn stop(self) {
        self.reading.set_value(None);
        self.state.set(State::Died("it was stopped".to_owned()));
    }

    pub(super) fn ask(self, message: &ToHolder) {
        self.reading.with_value(|reading| {
            if let Some(reading) = reading {
                reading.ask(message);
            }
        });
    }

    fn heard(self, heard: Heard) {
        match heard {
            Ok(FromHolder::Does(doing)) => self.state.set(State::Reading(doing)),
            Ok(FromHolder::Drawn(packed)) => {
                let run = Run::new(*packed);
                self.sight.window.set(Window::whole(run.end));
                self.run.set(Some(Arc::new(run)));
                self.state.set(State::Read);
            }
            Ok(FromHolder::Reported(line)) => {
                self.report.set(Some(Arc::new(json::parse(&line).unwrap_or_default())));
            }
            Ok(FromHolder::Summed(text)) => {
                self.own.set(serde_json::from_str(&text).ok().map(Arc::new));
            }
            Ok(FromHolder::Stretch { place, said }) => self.said.set(Some((place, Arc::new(*said)))),
            Ok(FromHolder::Written(form, text)) => self.save(form, &text),
            Ok(FromHolder::Refused(problems)) => self.state.set(State::Refused(problems)),
            Err(why) => self.state.set(State::Died(why)),
        }
    }

    fn save(self, form: Form, text: &str) {
        let title = self.panel.told.with_untracked(|told| told.title.clone());
        let (extension, kind) = match form {
            Form::Perfetto => ("trace.json", "application/json"),
            Form::Csv => ("csv", "text/csv"),
            Form::Report => ("report.json", "application/json"),
        };
        save::save(&save::file_name(&title, extension), kind, text);
    }

    /// The line that is lit: under the pointer, here or there, else the selected one.
    pub(super) fn lit(self) -> Option<usize> {
        self.over.get().or_else(|| self.hovered.get()?.line).or_else(|| self.line.get())
    }

    /// From where to where what is selected goes.
    pub(super) fn chosen(self) -> Option<(f64, f64)> {
        self.selected.get_untracked().map(|bar| (bar.start, bar.end))
    }

    /// How the picture is looked at.
    pub(super) fn look(self) -> Look {
        let ((width, height), window) = (self.tall.room.get(), self.sight.window.get());
        let selected = self.selected.get();
        Look {
            width,
            height,
            down: self.tall.down.get(),
            t0: window.t0,
            t1: window.t1,
            selected,
            waits: self.hovered.get().or(selected),
            line: self.lit(),
            units: self.units.get(),
            range: self.sight.range.get(),
        }
    }

    /// What is selected gives way; whether there was anything.
    pub(super) fn let_go(self) -> bool {
        let any = self.selected.with_untracked(Option::is_some) || self.line.with_untracked(Option::is_some);
        if any {
            self.select(None, false);
        }
        any
    }

    /// Selects a stretch, and with it its line.
    pub(super) fn select(self, bar: Option<Bar>, reveal: bool) {
        self.selected.set(bar);
        self.sight.let_go();
        self.line.set(bar.and_then(|bar| bar.line));
        let Some(bar) = bar else { return };
        self.ask(&ToHolder::Stretch { place: bar.place as u32 });
        if reveal {
            self.reveal(&bar);
        }
    }

    /// Selects a line of the code: its instructions are lit, the first in sight that waited is selected.
    pub(super) fn select_line(self, line: usize) {
        let from = self.sight.window.get_untracked().t0;
        let bar = self.now().and_then(|run| run.first_of(line, from));
        self.select(bar, bar.is_some());
        self.line.set(Some(line));
    }

    /// Selects what was found.
    pub(super) fn go_to(self, hit: Hit) {
        match hit {
            Hit::Line(line) => self.select_line(line),
            Hit::Bar(place) => self.go(place),
        }
    }

    /// The one of what was found that is selected: a line, or a stretch where such were found.
    pub(super) fn at(self) -> Option<Hit> {
        let bars = self.found.with(|found| matches!(found.as_ref()?.first()?, Hit::Bar(_)).then_some(()));
        match bars {
            Some(()) => self.selected.get().map(|bar| Hit::Bar(bar.place as u32)),
            None => self.line.get().map(Hit::Line),
        }
    }

    /// Goes to a bar by its place.
    pub(super) fn go(self, place: u32) {
        let bar = self.now().and_then(|run| run.placed(place as usize));
        self.select(bar, true);
    }

    /// To the next wait that is worth a look: no shorter than a hundredth of what is in sight.
    pub(super) fn wait(self, only: Option<waves_lab::Cause>, forward: bool) {
        let Some(run) = self.now() else { return };
        let window = self.sight.window.get_untracked();
        let least = if only.is_some() { 1.0 } else { (window.width() / 100.0).max(1.0) };
        let from = self.selected.get_untracked().map_or(-1.0, |bar| bar.start);
        let found = run.wait(only, least, from, forward);
        match found.or_else(|| only.and_then(|_| run.wait(only, least, -1.0, true))) {
            Some(bar) => self.select(Some(bar), true),
            None => self.panel.page.notice("No further wait that could be seen at this zoom"),
        }
    }

    /// To the next time that the wave of what is selected is at the same line.
    pub(super) fn again(self, forward: bool) {
        let Some((run, bar)) = self.now().zip(self.selected.get_untracked()) else { return };
        match run.again(&bar, forward) {
            Some(bar) => self.select(Some(bar), true),
            None if forward => self.panel.page.notice("This wave is not at this line again"),
            None => self.panel.page.notice("This wave was not at this line before"),
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
                let wide = (length * 12.0).max(200.0).min(window.end);
                let middle = (bar.start + bar.end) / 2.0;
                *window = Window::given(middle - wide / 2.0, middle + wide / 2.0, window.end);
            }
        });
        let Some(run) = self.now() else { return };
        let look = untrack(|| self.look());
        let Some(row) = look.row(&run, bar.row) else { return };
        let (top, high, seen) = (row.top, row.high, look.height - AXIS);
        let down = self.tall.down.get_untracked();
        if top < down || top + high > down + seen {
            self.tall.down.set((top - seen / 2.0).max(0.0));
        }
    }

    /// Looks as a link asks, once the capture is there.
    fn follow_links(self) {
        let done = StoredValue::new(0);
        effect(move || {
            let looked = self.panel.told.with(|told| told.looked.clone());
            let Some(run) = self.run.get().filter(|_| looked.number > done.get_value()) else { return };
            done.set_value(looked.number);
            if let (Some(t0), Some(t1)) = (looked.t0, looked.t1) {
                self.sight.window.set(Window::given(t0, t1, run.end));
            }
            if let Some(sel) = looked.sel.as_deref() {
                match sel.strip_prefix("line ") {
                    Some(number) => {
                        let is = |line: &waves_lab::page::packed::Line| line.number.to_string() == number;
                        self.line.set(run.lines.iter().position(is));
                    }
                    None => self.select(run.named(sel), false),
                }
            }
        });
    }

    /// Tells the page how it is looked at, a moment after the last change.
    fn tell_links(self) {
        let later = Later::new();
        effect(move || {
            let (window, selected, line) = (self.sight.window.get(), self.selected.get(), self.line.get());
            let Some(run) = self.run.get_untracked() else { return };
            let of_line =
                || line.and_then(|line| run.lines.get(line)).map(|line| format!("line {}", line.number));
            let sel = selected.and_then(|bar| run.name(&bar)).or_else(of_line);
            let whole = window.is_whole();
            let edge = |at: f64| (!whole).then(|| at.round());
            let looked = Looked { t0: edge(window.t0), t1: edge(window.t1), sel, ..Looked::default() };
            let tell = move || self.panel.page.ask(Ask::View(looked));
            later.after(SETTLE, tell);
        });
    }
}
