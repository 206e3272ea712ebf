//! The state all components share, and what can be done to it.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::memo;

use super::cursor::Cursor;
use super::fold;
use super::places::lab_of;
use super::theme::Choice;
use crate::base::Problem;
use crate::draw::gantt::{Differs, Lit};
use crate::import::json;
use crate::job::Progress;
use crate::page::adopt::as_pinned;
use crate::page::example::named;
use crate::page::linked::LINKED;
use crate::page::opened::Trouble;
use crate::page::proof::Remembered;
use crate::page::reorder::Held;
use crate::page::results::Ran;
use crate::page::shown::Selected;
use crate::page::{
    Ahead, Edited, History, Lesson, Player, Proof, Room, Search, Session, Shown, Subject, Trial, Window,
};
use crate::scenario::{Scenario, builtin, link::View};
use crate::timeline::Rows;
use crate::timeline::convergence::ImprovementId;
use ui_kit::doc::tree_of;
use workers::runs::Runs;

/// What the current run is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Run {
    /// Nothing.
    Idle,
    /// A job is under way.
    Running(u32, Option<Progress>),
    /// It was stopped.
    Stopped,
    /// Its worker died.
    Crashed(String),
}

/// A document that has just been opened.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opened {
    pub(super) view: View,
    pub(super) what: String,
    /// What it was read from, where it came from outside.
    pub(super) source: String,
}

/// All state of the page.
#[derive(Clone, Copy)]
pub struct App {
    /// The lab on the screen.
    pub lab: RwSignal<Subject>,
    /// The room on the screen instead of a lab.
    pub room: RwSignal<Option<Room>>,
    /// What the address asks for in that room.
    pub room_at: RwSignal<String>,
    /// The lesson that goes on beside the lab.
    pub lesson: RwSignal<Option<Lesson>>,
    /// Whether the answer is hidden until someone has guessed it.
    pub hide: RwSignal<bool>,
    /// Whether there is something about guesses on the screen.
    pub(super) guessing: RwSignal<bool>,
    /// Whether what this page is stands where the form will be.
    pub welcome: RwSignal<bool>,
    /// Whether the form is folded away.
    pub folded: RwSignal<bool>,
    /// Whether everything is large.
    pub projector: RwSignal<bool>,
    /// Whether a sheet to print is on the screen.
    pub sheet: RwSignal<bool>,
    /// The scenario as it is edited.
    pub text: RwSignal<String>,
    /// Undo and redo.
    pub history: RwSignal<History>,
    /// The text as a JSON tree.
    pub tree: Memo<Result<Value, Problem>>,
    /// That of an edit, until the text is heard of.
    ahead: StoredValue<Ahead>,
    /// The text as a scenario.
    pub read: Memo<Result<Scenario, Vec<Problem>>>,
    /// Whether there is somebody who walks through programs.
    pub(super) walks: RwSignal<bool>,
    /// The current run.
    pub run: RwSignal<Run>,
    /// The result on the screen.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// How wide its place is.
    pub(super) width: RwSignal<f64>,
    /// The part of the axis on the screen.
    pub window: RwSignal<Window>,
    /// What rows stand for.
    pub rows: RwSignal<Rows>,
    /// The selected instruction.
    pub selected: RwSignal<Option<Selected>>,
    /// The idle cell that somebody asked about, by row and cycle.
    pub idle: RwSignal<Option<(usize, u32)>>,
    /// The selected cycles, both included.
    pub range: RwSignal<Option<(u32, u32)>>,
    /// The first and the last of its warps, from 0; none where it is about all.
    pub ranged: RwSignal<Option<(usize, usize)>>,
    /// The cycle that is looked at in all rows.
    pub cursor: Cursor,
    /// The instructions that stand out in every warp, ascending: those of a line that is pointed at.
    pub lit: RwSignal<Lit>,
    /// Those that somebody looks for; they stand out while no line does.
    pub sought: RwSignal<Lit>,
    /// What they look for in a program, which the source knows.
    pub(super) sought_text: RwSignal<String>,
    /// The instruction that is pointed at in the picture.
    pub pointed: RwSignal<Option<u32>>,
    /// The player.
    pub player: RwSignal<Player>,
    /// The entry of the order that is dragged.
    pub held: RwSignal<Option<Held>>,
    /// Light, dark or the system's.
    pub theme: RwSignal<Choice>,
    /// Whether the page around the picture is left out.
    pub embed: RwSignal<bool>,
    /// Problems with something that was opened.
    pub trouble: RwSignal<Vec<Trouble>>,
    /// The chains of the document, where it asks for them.
    pub search: RwSignal<Option<Search>>,
    /// The search for the worst case of what the document is about.
    pub proof: RwSignal<Option<Proof>>,
    /// What the last few such searches have proven about other warps.
    pub(super) proofs: StoredValue<Remembered>,
    /// The conjecture that is judged, or was.
    pub trial: RwSignal<Option<Trial>>,
    /// What the document is about; a mistake in it takes nothing away.
    pub subject: Memo<Subject>,
    /// How a part of the page looks at its document, as links carry it.
    pub(super) part_view: RwSignal<View>,
    /// What a link has pinned for a part, until that has it.
    pub(super) part_pin: RwSignal<Option<Ran>>,
    /// The documents of labs that are not on the screen.
    pub(super) left: StoredValue<Vec<(Subject, String)>>,
    /// Counts the examples and models somebody chose: only the last one is shown when it is there.
    pub(super) wanted_example: StoredValue<u32>,
    /// A text that a worker has refused, and why.
    pub(super) refused: RwSignal<Option<(String, Vec<Problem>)>>,
    /// The improvement whose schedule is on the screen; else that of the longest makespan is.
    pub chosen: RwSignal<Option<ImprovementId>>,
    /// A result to compare others with.
    pub kept: RwSignal<Option<Arc<Shown>>>,
    /// The same as a link carries it.
    pub(super) pinned: Memo<Option<String>>,
    /// What differs from it.
    pub differs: RwSignal<Differs>,
    /// What was done last, for the screen reader and the status line.
    pub notice: RwSignal<String>,
    /// What a screen reader is told, as everybody else sees it.
    pub heard: RwSignal<String>,
    /// Whether the scenario is edited as JSON instead of as a form.
    pub as_json: RwSignal<bool>,
    /// The place of the problem that the form is to take somebody to.
    pub(super) mend: RwSignal<Option<String>>,
    /// The link that the dialog of links is about.
    pub(super) share: RwSignal<Option<String>>,
    /// Whether the dialog of shortcuts is open.
    pub help: RwSignal<bool>,
    /// Whether single keys act at all.
    pub keys: RwSignal<bool>,
    /// What was opened and how it is to be looked at, until its result is there.
    pub(super) asked: RwSignal<Option<Opened>>,
    /// Whether the next change of address is a new entry of the browser's history.
    pub new_entry: RwSignal<bool>,
    /// Where the document was edited last and when, so that typing is one undo.
    last_edit: RwSignal<(Edited, f64)>,
    /// When the next schedule of a running search may be shown, on the page's clock.
    pub(super) show_next: StoredValue<f64>,
    pub(super) runs: StoredValue<Runs, LocalStorage>,
    /// What all of this is for, and what follows from what happens.
    pub(super) session: StoredValue<Session>,
    /// Whether the text that is about to be heard of was typed.
    pub(super) typed: StoredValue<bool>,
    /// Goes off when nobody types any more.
    pub(super) settling: StoredValue<Option<TimeoutHandle>>,
    /// Why what is on the screen is not the answer to the document, where it is not.
    pub(super) stale: Memo<Option<&'static str>>,
    /// Whether the document waits for a program: that is no mistake yet, and what is shown is of the kernel before.
    pub(super) waits: Memo<bool>,
}

impl App {
    /// The state of a fresh page: the first built-in scenario.
    pub fn new() -> Self {
        let text = RwSignal::new(builtin::FIRST.to_owned());
        let ahead = StoredValue::default();
        let tree = tree_of(text, ahead);
        let refused = RwSignal::new(None::<(String, Vec<Problem>)>);
        let walks = RwSignal::new(false);
        let read = memo(move |_| {
            walks.track();
            text.with(|text| match refused.get() {
                Some((known, problems)) if known == *text => Err(problems),
                _ => tree.with(|tree| match tree {
                    Ok(tree) if tree.get("warpspan").is_some() => LINKED.from_tree(tree),
                    // What is no document of ours may be in another format, or damaged.
                    _ => LINKED.read(text),
                }),
            })
        });
        let subject = memo(move |before: Option<&Subject>| {
            let found = tree.with(|tree| tree.as_ref().ok().and_then(Subject::of));
            found.or(before.copied()).unwrap_or(Subject::Warps)
        });
        let (run, shown, trial) =
            (RwSignal::new(Run::Idle), RwSignal::new(None::<Arc<Shown>>), RwSignal::new(None::<Trial>));
        let waits = memo(move |_| {
            let empty = |tree: &Value| tree.pointer("/warps/ptx").is_some_and(|ptx| ptx == "");
            tree.with(|tree| tree.as_ref().is_ok_and(empty))
        });
        let stale = memo(move |_| {
            if waits.get() {
                return None;
            }
            let current = text.with(|text| match subject.get() {
                Subject::Warps => shown.with(|shown| Some(shown.as_ref()?.text == *text)),
                _ => trial.with(|trial| Some(trial.as_ref()?.text() == text)),
            })?;
            match (read.with(Result::is_err), current) {
                (true, _) => Some("Not current: the scenario has an error"),
                (false, true) => None,
                (false, false) if run.with(|run| matches!(run, Run::Running(..))) => {
                    Some("Not current: being computed")
                }
                (false, false) => Some("Not current: not computed yet"),
            }
        });
        let kept = RwSignal::new(None::<Arc<Shown>>);
        Self {
            lab: RwSignal::new(Subject::Warps),
            room: RwSignal::new(None),
            room_at: RwSignal::default(),
            lesson: RwSignal::new(None),
            hide: RwSignal::new(false),
            guessing: RwSignal::new(false),
            welcome: RwSignal::new(false),
            folded: RwSignal::new(fold::at_first()),
            projector: RwSignal::new(false),
            sheet: RwSignal::new(false),
            text,
            history: RwSignal::default(),
            tree,
            ahead,
            read,
            walks,
            run,
            shown,
            width: RwSignal::new(0.0),
            window: RwSignal::new(Window::whole(1.0)),
            rows: RwSignal::default(),
            selected: RwSignal::new(None),
            idle: RwSignal::new(None),
            range: RwSignal::new(None),
            ranged: RwSignal::new(None),
            cursor: Cursor::new(),
            lit: RwSignal::default(),
            sought: RwSignal::default(),
            sought_text: RwSignal::default(),
            pointed: RwSignal::new(None),
            player: RwSignal::new(Player::at_end(0)),
            held: RwSignal::new(None),
            theme: RwSignal::new(Choice::remembered()),
            embed: RwSignal::new(false),
            trouble: RwSignal::default(),
            search: RwSignal::new(None),
            proof: RwSignal::new(None),
            proofs: StoredValue::default(),
            trial,
            subject,
            part_view: RwSignal::default(),
            part_pin: RwSignal::default(),
            left: StoredValue::default(),
            wanted_example: StoredValue::default(),
            refused,
            chosen: RwSignal::new(None),
            kept,
            pinned: memo(move |_| kept.with(|kept| as_pinned(kept.as_ref()?))),
            differs: RwSignal::default(),
            notice: RwSignal::default(),
            heard: RwSignal::default(),
            as_json: RwSignal::new(false),
            mend: RwSignal::new(None),
            share: RwSignal::new(None),
            help: RwSignal::new(false),
            keys: RwSignal::new(true),
            asked: RwSignal::new(None),
            new_entry: RwSignal::new(false),
            last_edit: RwSignal::default(),
            show_next: StoredValue::new(0.0),
            runs: StoredValue::new_local(Runs::new()),
            session: StoredValue::default(),
            typed: StoredValue::new(false),
            settling: StoredValue::default(),
            stale,
            waits,
        }
    }

    /// Takes a text someone edited. An example that is none any more loses its name.
    pub fn edit(&self, written: String, edited: Edited) {
        let parsed = json::parse(&written);
        self.edit_parsed(written, parsed, edited);
    }

    fn edit_parsed(&self, written: String, parsed: Result<Value, Problem>, edited: Edited) {
        let before = self.text.get_untracked();
        if before == written {
            return;
        }
        // What was said was said of the document before.
        if self.notice.with_untracked(|notice| !notice.is_empty()) {
            self.notice.set(String::new());
        }
        let (last, when) = self.last_edit.get_untracked();
        let goes_on = last == edited && edited != Edited::Once;
        let drags = goes_on && matches!(edited, Edited::Drag(_));
        if drags && self.begins_again(&parsed) {
            return;
        }
        // Lessons and the pages around a frame speak of the example by its name.
        let keeps = self.lesson.with_untracked(Option::is_some) || self.embed.get_untracked();
        let renames = !keeps && edited != Edited::AsText;
        let field = if let Edited::In(field) = &edited { field } else { "" };
        let (written, parsed) = match renames.then(|| self.named(&written, &parsed, field)).flatten() {
            Some(anew) => Ahead::written(anew),
            None => (written, parsed),
        };
        self.ahead.update_value(|ahead| ahead.leave(&written, parsed));
        let now = js_sys::Date::now();
        if !drags && (!goes_on || now - when > 1500.0) {
            self.history.update(|history| history.leave(before));
        }
        self.last_edit.set((edited, now));
        self.typed.set_value(ui_kit::keys::in_text_field());
        self.text.set(written);
    }

    /// What becomes of a document that takes the place of the one that is there, as [`named`] tells.
    pub(super) fn named(&self, written: &str, parsed: &Result<Value, Problem>, field: &str) -> Option<Value> {
        let new = parsed.as_ref().ok()?;
        self.text.with_untracked(|before| {
            self.tree.with_untracked(|old| named((before, old.as_ref().ok()?), (written, new), field))
        })
    }

    /// Whether a drag is back at the document that it began with: then there was none, and nothing to undo.
    fn begins_again(&self, written: &Result<Value, Problem>) -> bool {
        let same = |history: &History| {
            history.last().is_some_and(|before| json::parse(before).as_ref().ok() == written.as_ref().ok())
        };
        let before = self.history.with_untracked(same).then(|| self.history.try_update(History::take_back));
        let Some(before) = before.flatten().flatten() else { return false };
        self.last_edit.set(Default::default());
        self.text.set(before);
        true
    }

    /// Changes the document through its tree; nothing happens while the text is no JSON.
    pub fn edit_tree(&self, edited: impl Into<Edited>, change: impl FnOnce(&Value) -> Value) {
        if let Ok(tree) = self.tree.get_untracked() {
            self.edit_to(change(&tree), edited.into());
        }
    }

    fn edit_to(&self, tree: Value, edited: Edited) {
        let (text, parsed) = Ahead::written(tree);
        self.edit_parsed(text, parsed, edited);
    }

    /// Replaces the scenario by another one; Undo brings the old one back.
    pub fn replace(&self, text: String, view: View, what: &str) {
        self.open(text, view, what, "");
    }

    /// Replaces the scenario by one that was read from somewhere. If it turns out to be none, that is told and
    /// the old one comes back.
    pub fn open(&self, text: String, view: View, what: &str, source: &str) {
        let before = self.text.get_untracked();
        if before != text {
            self.history.update(|history| history.leave(before));
        }
        self.last_edit.set(Default::default());
        self.typed.set_value(false);
        self.trouble.update(Vec::clear);
        if text != builtin::FIRST {
            self.end_welcome();
        }
        self.room.set(None);
        self.sheet.set(false);
        self.hide.set(view.hide);
        self.guessing.set(view.hide);
        self.lab.set(lab_of(&text));
        self.part_view.set(View::default());
        self.asked.set(Some(Opened { view, what: what.to_owned(), source: source.to_owned() }));
        self.new_entry.set(true);
        self.text.set(text);
    }

    /// Goes back one edit.
    pub fn undo(&self) {
        self.travel(History::undo, "Undone");
    }

    /// Takes the last undo back.
    pub fn redo(&self) {
        self.travel(History::redo, "Redone");
    }

    fn travel(&self, there: fn(&mut History, String) -> Option<String>, done: &str) {
        let present = self.text.get_untracked();
        if let Some(text) = self.history.try_update(|history| there(history, present)).flatten() {
            self.last_edit.set(Default::default());
            self.typed.set_value(false);
            self.notice.set(done.to_owned());
            self.text.set(text);
        }
    }

    /// The instructions that stand out; none do if there are none.
    pub(super) fn lights(&self) -> Lit {
        let lit = self.lit.get();
        if lit.is_nothing() { self.sought.get() } else { lit }
    }

    /// Starts the first worker ahead of the first run.
    pub fn warm_up(&self) {
        self.runs.with_value(Runs::warm_up);
    }

    /// Whether what is on the screen is not the answer to the document.
    pub fn is_stale(&self) -> Memo<bool> {
        let stale = self.stale;
        memo(move |_| stale.with(Option::is_some))
    }

    /// The problems of the text on the page.
    pub fn problems(&self) -> Vec<Problem> {
        self.read.with(|read| read.as_ref().err().cloned().unwrap_or_default())
    }
}
