//! What the listing, the picture and everything around them share.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{effect, memo};

use code_lab::draw::{AXIS, Look};
use code_lab::page::Seen;
use code_lab::page::seek::Hit;
use kit::import::json;
use kit::page::told::{Looked, ToldOfTrial};
use kit::page::{Ask, Edited, Window};
use ui_kit::find::Found;
use ui_kit::mounted::Page;
use ui_kit::pin::{self, Kept};
use ui_kit::sight::Sight;
use ui_kit::tall::Tall;

/// Where the pointer is, the entry of the schedule there, and which of its waits.
type Pointed = ((f64, f64), u32, Option<u32>);

/// What is shared.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) page: Page,
    /// How the document and its run stand.
    pub(super) told: RwSignal<ToldOfTrial>,
    /// The result on the screen.
    pub(super) seen: RwSignal<Option<Arc<Seen>>>,
    /// What is in sight.
    pub(super) sight: Sight,
    /// Where the picture is.
    pub(super) tall: Tall,
    /// The entry of the schedule that is selected, and which of its waits.
    pub(super) selected: RwSignal<Option<(u32, Option<u32>)>>,
    /// The line that is selected in the listing.
    pub(super) line: RwSignal<Option<usize>>,
    /// The line under the pointer there.
    pub(super) over: RwSignal<Option<usize>>,
    /// Where the pointer is in the picture, and what is there.
    pub(super) pointed: RwSignal<Option<Pointed>>,
    /// The document that the result is of.
    pub(super) text: RwSignal<String>,
    /// What was pinned, to be compared.
    pub(super) kept: Kept<Seen>,
    /// What the search finds.
    pub(super) found: Found<Hit>,
    /// The line of what is there: the picture is painted anew where that is another one.
    there: RwSignal<Option<usize>>,
    /// The run whose result that is.
    pub(super) job: RwSignal<u32>,
}

impl Stage {
    pub(super) fn new(page: Page) -> Self {
        Self {
            page,
            told: RwSignal::new(ToldOfTrial::default()),
            seen: RwSignal::new(None),
            sight: Sight::new(AXIS),
            tall: Tall::new(),
            selected: RwSignal::new(None),
            line: RwSignal::new(None),
            over: RwSignal::new(None),
            pointed: RwSignal::new(None),
            text: RwSignal::default(),
            kept: RwSignal::new(None),
            found: RwSignal::new(None),
            there: RwSignal::new(None),
            job: RwSignal::new(0),
        }
    }

    /// Follows links and tells them, once it is on the screen.
    pub(super) fn listen(self) {
        self.follow_links();
        self.tell_links();
        // The axis is as long as the longer of two schedules.
        effect(move || {
            let end = self.end();
            if end > 0.0 && self.sight.window.with_untracked(|window| window.end != end) {
                self.sight.window.update(|window| *window = window.on_axis(end));
            }
        });
    }

    /// Whether the answer is hidden until someone has guessed it.
    pub(super) fn hidden(self) -> Signal<bool> {
        ui_kit::guess::hidden(self.told)
    }

    /// Shows a result: what was selected in another one of the same code stays, and so does the instruction of a warp
    /// while a search tells one result after the other.
    pub(super) fn show(self, seen: Arc<Seen>) {
        let end = f64::from(seen.report.makespan);
        let before = self.seen.get_untracked();
        let same = before.as_ref().is_some_and(|before| before.is_of_code(&seen));
        let selected = before.zip(self.selected.get_untracked()).filter(|_| same);
        let selected = selected.and_then(|(before, (entry, _))| seen.again(&before, entry));
        self.point(None);
        self.sight.let_go();
        self.selected.set(selected.map(|entry| (entry, None)));
        if same {
            self.sight.window.update(|window| *window = window.on_axis(end));
        } else {
            self.over.set(None);
            self.line.set(None);
            self.tall.down.set(0.0);
            ui_kit::rows::to_top("code-lines");
            self.sight.window.set(Window::whole(end));
        }
        self.seen.set(Some(seen));
    }

    /// Something made of the result; nothing before there is one.
    pub(super) fn with<T>(self, what: impl FnOnce(&Seen) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }

    /// What was pinned, where it is another result and nothing is to be guessed.
    pub(super) fn pinned(self) -> Option<Arc<Seen>> {
        let hidden = self.told.with(|told| told.page.hide);
        self.seen.with(|seen| pin::other(self.kept, seen.as_ref())).filter(|_| !hidden)
    }

    /// Where the axis ends.
    pub(super) fn end(self) -> f64 {
        let pinned = self.pinned().map_or(0, |pinned| pinned.report.makespan);
        f64::from(self.with(|seen| seen.report.makespan).unwrap_or(0).max(pinned))
    }

    /// Pins what is there, or exchanges it with what was pinned.
    pub(super) fn pin(self, swaps: bool) {
        let (text, seen) = (self.text.get_untracked(), self.seen.get_untracked());
        let act = if swaps { pin::swap } else { pin::keep };
        act(self.kept, &text, seen, self.page);
    }

    /// The line that is lit: under the pointer, here or there, else the selected one.
    pub(super) fn lit(self) -> Option<usize> {
        self.over.get().or(self.there.get()).or_else(|| self.line.get())
    }

    /// The pointer is at something in the picture, or at nothing.
    pub(super) fn point(self, at: Option<Pointed>) {
        if at.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(at);
        }
        let there = untrack(|| self.with(|seen| at.and_then(|(_, entry, _)| seen.line(entry))).flatten());
        if self.there.get_untracked() != there {
            self.there.set(there);
        }
    }

    /// From where to where what is selected goes.
    pub(super) fn chosen(self) -> Option<(f64, f64)> {
        let (entry, _) = self.selected.get_untracked()?;
        let seen = self.seen.get_untracked()?;
        let (_, bar) = seen.timeline.find(&seen.report, entry)?;
        Some((f64::from(bar.from), f64::from(bar.to)))
    }

    /// How the picture is looked at.
    pub(super) fn look(self) -> Look {
        let ((width, height), window) = (self.tall.room.get(), self.sight.window.get());
        let selected = self.selected.get().map(|(entry, _)| entry);
        // Two schedules share the room.
        let height = if self.pinned().is_some() { (height / 2.0).floor() } else { height };
        Look {
            width,
            height,
            down: self.tall.down.get(),
            t0: window.t0,
            t1: window.t1,
            selected,
            line: self.lit(),
            range: self.sight.range.get(),
        }
    }

    /// Selects an instruction of a warp, and with it its line.
    pub(super) fn select(self, entry: Option<(u32, Option<u32>)>, reveal: bool) {
        self.selected.set(entry);
        self.sight.let_go();
        let Some((entry, _)) = entry else { return self.line.set(None) };
        self.line.set(self.with(|seen| seen.line(entry)).flatten());
        if reveal {
            self.reveal(entry);
        }
    }

    /// What is selected gives way, once nothing runs that Esc stops; whether there was anything.
    pub(super) fn let_go(self) -> bool {
        let any = self.selected.with_untracked(Option::is_some) || self.line.with_untracked(Option::is_some);
        let acts = any && !self.told.with_untracked(|told| told.running);
        if acts {
            self.select(None, false);
        }
        acts
    }

    /// Selects a line of the listing: its instructions are lit, the first in sight is selected.
    pub(super) fn select_line(self, line: usize) {
        let from = self.sight.window.get_untracked().t0;
        let entry = untrack(|| self.with(|seen| seen.first_of(line, from)).flatten());
        self.select(entry.map(|entry| (entry, None)), true);
        self.line.set(Some(line));
    }

    /// Selects what was found.
    pub(super) fn go(self, hit: Hit) {
        match hit {
            Hit::Line(line) => self.select_line(line),
            Hit::Entry(entry) => self.select(Some((entry, None)), true),
        }
    }

    /// The one of what was found that is selected: a line, or an instruction of a warp where such were found.
    pub(super) fn at(self) -> Option<Hit> {
        let entries =
            self.found.with(|found| matches!(found.as_ref()?.first()?, Hit::Entry(_)).then_some(()));
        match entries {
            Some(()) => self.selected.get().map(|(entry, _)| Hit::Entry(entry)),
            None => self.line.get().map(Hit::Line),
        }
    }

    fn reveal(self, entry: u32) {
        let Some(seen) = self.seen.get_untracked() else { return };
        let Some((row, bar)) = seen.timeline.find(&seen.report, entry) else { return };
        self.sight.window.update(|window| {
            let margin = window.width() * 0.05;
            *window = window.revealing(f64::from(bar.from) - margin, f64::from(bar.to) + margin);
        });
        let look = untrack(|| self.look());
        let tops = look.tops(&seen.timeline);
        let (top, bottom) = (tops[row], tops[row + 1]);
        let (down, room) = (self.tall.down.get_untracked(), (look.height - AXIS).max(1.0));
        if top < down {
            self.tall.down.set(top);
        } else if bottom > down + room {
            self.tall.down.set(bottom - room);
        }
    }

    /// Changes the document.
    pub(super) fn edit(self, change: impl FnOnce(&Value) -> Value) {
        let text = self.told.with_untracked(|told| told.document.clone()).unwrap_or_default();
        if let Ok(tree) = json::parse(&text) {
            self.page.ask(Ask::Edit { text: json::pretty(&change(&tree)), edited: Edited::Once });
        }
    }

    /// Looks as a link asks, once there is a result that is long enough: the first ones of a search may be shorter.
    fn follow_links(self) {
        let done = StoredValue::new(0);
        effect(move || {
            let (looked, running) = self.told.with(|told| (told.looked.clone(), told.running));
            let Some(seen) = self.seen.get().filter(|_| looked.number > done.get_value()) else { return };
            if !running || looked.t1.is_none_or(|t1| t1 <= f64::from(seen.report.makespan)) {
                done.set_value(looked.number);
            }
            if let (Some(t0), Some(t1)) = (looked.t0, looked.t1) {
                self.sight.window.set(Window::given(t0, t1, f64::from(seen.report.makespan)));
            }
            let line =
                looked.sel.as_deref().and_then(|sel| u64::from_str_radix(sel.strip_prefix("0x")?, 16).ok());
            let line = line.and_then(|line| seen.report.code.iter().position(|own| own.address == line));
            if let Some(line) = line {
                self.select_line(line);
            }
        });
    }

    /// Tells the page how it is looked at.
    fn tell_links(self) {
        let looked = memo(move |_| {
            let (window, line) = (self.sight.window.get(), self.line.get());
            let sel = line.and_then(|line| {
                self.with(|seen| seen.report.code.get(line).map(|own| own.address)).flatten()
            });
            let whole = window.is_whole();
            let edge = |at: f64| (!whole).then(|| at.round());
            Some(Looked {
                t0: edge(window.t0),
                t1: edge(window.t1),
                sel: sel.map(|address| format!("0x{address:04x}")),
                pin: self.kept.with(|kept| kept.as_ref().map(|kept| kept.text.clone())),
                ..Looked::default()
            })
            .filter(|_| self.seen.with(Option::is_some))
        });
        Effect::new(move |before: Option<Option<Looked>>| {
            let now = looked.get();
            // What a link asks for comes first.
            if let (Some(now), Some(Some(_))) = (&now, &before) {
                self.page.ask(Ask::View(now.clone()));
            }
            now
        });
    }
}
