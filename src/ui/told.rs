//! What each part of the page is told, and what it hears, as often as that changes; the other side is
//! `crates/ui/src/mounted.rs`.

use std::sync::Arc;

use js_sys::Array;
use leptos::prelude::*;
use serde::Serialize;
use ui_kit::live::memo;
use wasm_bindgen::JsValue;

use super::asked::Jobs;
use super::chains;
use super::results::machine_text;
use super::route;
use super::state::{App, Run};
use crate::draw::Theme;
use crate::page::chart::{self, in_words};
use crate::page::parts::ToldOfForm;
use crate::page::results::{Ran, ToCompare, ToRead, ToldOfComparison, ToldOfSource, ToldOfSums, ToldOfTable};
use crate::page::rooms::{Entry, Given, ToldOfGuess, ToldOfLesson, ToldOfRoom};
use crate::page::trial::{Looked, ToldOfPage};
use crate::page::{Part, Shown, Subject, Trial};
use crate::timeline::Convergence;
use kit::report::Told as _;

/// What goes over to a part.
#[derive(Default)]
pub(super) struct Message {
    /// What there is to hear, entry by entry: this list grows, or gives way to another one that begins anew.
    pub(super) heard: Array,
    /// How the page stands.
    pub(super) told: JsValue,
}

impl Message {
    fn new(heard: Array, told: &impl Serialize) -> Self {
        // Plain data: turning them into JavaScript values cannot fail.
        Self { heard, told: serde_wasm_bindgen::to_value(told).unwrap_or_default() }
    }
}

/// What tells a part.
pub(super) struct Teller {
    /// What goes over now; nothing while there is nothing to show.
    pub(super) message: Box<dyn FnMut() -> Option<Message>>,
    /// What is said where the part cannot be loaded.
    pub(super) instead: Box<dyn Fn() -> String>,
}

impl Teller {
    /// For a part in a place with these jobs.
    pub(super) fn new(app: App, part: Part, jobs: Jobs) -> Self {
        let theme = expect_context::<Memo<Theme>>();
        let page = move || ToldOfPage {
            dark: theme.get() == Theme::Dark,
            keys: app.keys.get(),
            embed: app.embed.get(),
            hide: app.hide.get(),
        };
        // Searches tell often how far they are.
        let worst = memo(move |_| app.known_worst());
        let message: Box<dyn FnMut() -> Option<Message>> = match part {
            Part::Chart => return chart(app, theme),
            Part::Panel(_) => {
                let mut lines = Lines::default();
                Box::new(move || Some(panel(app, page(), &mut lines)))
            }
            Part::Form(_) | Part::Margin | Part::Made => Box::new(move || {
                let (text, problems, worst) = (app.text.get(), app.problems(), worst.get());
                let taught = app.lesson.with(Option::is_some);
                let mend = app.mend.get();
                let told = ToldOfForm { text, problems, hide: app.hide.get(), taught, worst, mend };
                Some(Message::new(Array::new(), &told))
            }),
            Part::Reproduce | Part::Lessons | Part::Gallery => Box::new(move || {
                let base = route::page().unwrap_or_default();
                let told = ToldOfRoom { page: page(), at: app.room_at.get(), base, ..ToldOfRoom::default() };
                Some(Message::new(jobs.heard.get(), &told))
            }),
            Part::Lesson => {
                let mut lines = Lines::default();
                let worst = app.worst_case();
                Box::new(move || Some(Message::new(lines.of_report(app), &lesson(app, page(), worst))))
            }
            Part::Source => {
                let mut known = None;
                Box::new(move || {
                    type Read = (Arc<Shown>, String);
                    let read = (app.shown.get()?, app.text.get());
                    let same = |a: &Read, b: &Read| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1;
                    let made = |(shown, text): &Read| {
                        let Ran { text: ran, line } = ran(shown);
                        ToRead { ran, line, text: text.clone() }
                    };
                    let heard = once(&mut known, read, same, made);
                    Some(Message::new(heard, &source(app)))
                })
            }
            Part::Table => {
                let mut known = None;
                Box::new(move || {
                    let heard = once(&mut known, app.shown.get()?, Arc::ptr_eq, |shown| ran(shown));
                    let (selected, placed) = (app.selected.get(), app.player.with(|player| player.step));
                    Some(Message::new(heard, &ToldOfTable { selected, placed }))
                })
            }
            Part::Sums => {
                let mut known = None;
                Box::new(move || {
                    let heard = once(&mut known, app.shown.get()?, Arc::ptr_eq, |shown| ran(shown));
                    let placed = app.player.with(|player| player.step);
                    let (range, rows) = (app.range.get(), app.ranged.get());
                    let told = ToldOfSums { dark: page().dark, range, rows, placed };
                    Some(Message::new(heard, &told))
                })
            }
            Part::Compare => {
                let mut known = None;
                Box::new(move || {
                    let (here, kept) = app.shown.get().zip(app.kept.get())?;
                    let (t0, t1) = app.window.with(|window| (window.t0, window.t1));
                    let told = ToldOfComparison {
                        page: page(),
                        window: (t0, t1),
                        range: app.range.get(),
                        width: app.width.get(),
                    };
                    type Both = (Arc<Shown>, Arc<Shown>);
                    let same = |a: &Both, b: &Both| Arc::ptr_eq(&a.0, &b.0) && Arc::ptr_eq(&a.1, &b.1);
                    let made = |both: &Both| ToCompare { here: ran(&both.0), kept: ran(&both.1) };
                    Some(Message::new(once(&mut known, (here, kept), same, made), &told))
                })
            }
            Part::Sheet => {
                let mut lines = Lines::default();
                Box::new(move || {
                    let [base, hidden] =
                        [false, true].map(|hide| route::short(app, hide).unwrap_or_default());
                    let proven = app.proven_bounds().filter(|_| app.subject.get() == Subject::Warps);
                    let told = ToldOfRoom { page: page(), at: app.text.get(), base, hidden, proven };
                    Some(Message::new(lines.of_report(app), &told))
                })
            }
            Part::Shortcuts => Box::new(move || Some(Message::new(Array::new(), &page()))),
            Part::Guessing => Box::new(move || {
                Some(Message::new(Array::new(), &ToldOfGuess { page: page(), given: given(app) }))
            }),
        };
        Self { message, instead: Box::new(move || format!(" {}", part.shows())) }
    }
}

/// What there is to hear where that is one thing: it crosses once, and again when it is another one.
fn once<K, V: Serialize>(
    known: &mut Option<(K, Array)>,
    key: K,
    same: impl Fn(&K, &K) -> bool,
    made: impl FnOnce(&K) -> V,
) -> Array {
    if let Some((_, heard)) = known.as_ref().filter(|(known, _)| same(known, &key)) {
        return heard.clone();
    }
    let value = serde_wasm_bindgen::to_value(&made(&key)).unwrap_or_default(); // plain data
    known.insert((key, Array::of1(&value))).1.clone()
}

/// A schedule as it crosses.
fn ran(shown: &Shown) -> Ran {
    Ran { text: shown.text.clone(), line: shown.report.line() }
}

/// What of the picture belongs to lines of the source.
fn source(app: App) -> ToldOfSource {
    let running = app.cursor.at.get().map(|cycle| {
        let step = app.player.with(|player| player.step);
        app.shown.with(|shown| shown.as_ref().map(|shown| shown.running(step, cycle)).unwrap_or_default())
    });
    let put = app.cursor.put().is_some();
    // On the way the instruction placed last, as in the picture.
    let placed = app.player.with(|player| player.step.checked_sub(1).filter(|_| !player.is_at_end()));
    let placed = placed.and_then(|at| app.shown.with(|shown| shown.as_ref()?.positions.get(at).copied()));
    ToldOfSource {
        selected: placed.or(app.selected.get()),
        running: running.unwrap_or_default(),
        put,
        pointed: app.pointed.get(),
        sought: app.sought_text.get(),
    }
}

/// The lines of a report as JavaScript has them: each is handed over once.
#[derive(Default)]
struct Lines {
    of: Of,
    known: Array,
}

/// What lines are of.
#[derive(Default)]
enum Of {
    #[default]
    Nothing,
    /// The run of a job.
    Job(u32),
    /// A result that the page itself has read.
    Shown(Arc<Shown>),
}

impl Lines {
    /// Those of what a worker told.
    fn of_trial(&mut self, trial: Option<&Trial>) -> Array {
        match (trial, &self.of) {
            (Some(trial), Of::Job(job)) if *job == trial.job => {}
            (Some(trial), _) => *self = Self { of: Of::Job(trial.job), known: Array::new() },
            (None, Of::Nothing) => {}
            (None, _) => *self = Self::default(),
        }
        let lines = trial.map(|trial| trial.lines.as_slice()).unwrap_or_default();
        for line in lines.iter().skip(self.known.length() as usize) {
            self.known.push(&line.into());
        }
        self.known.clone()
    }

    /// Those of the report on the screen: the last one is whole.
    fn of_report(&mut self, app: App) -> Array {
        if app.asks_part() {
            return app.trial.with(|trial| self.of_trial(trial.as_ref()));
        }
        match (app.shown.get(), &self.of) {
            (Some(shown), Of::Shown(known)) if Arc::ptr_eq(known, &shown) => {}
            (Some(shown), _) => {
                let line = shown.report.line();
                *self = Self { known: Array::of1(&line.into()), of: Of::Shown(shown) };
            }
            (None, Of::Nothing) => {}
            (None, _) => *self = Self::default(),
        }
        self.known.clone()
    }
}

/// The panel of a document that workers read.
fn panel(app: App, page: ToldOfPage, lines: &mut Lines) -> Message {
    let wrong = app.read.with(Result::is_err);
    let (heard, told) = app.trial.with(|trial| {
        let told = trial.as_ref().map(|trial| {
            let text = app.text.get();
            app.tree.with(|tree| trial.told(&text, tree.as_ref().ok(), wrong))
        });
        (lines.of_trial(trial.as_ref()), told)
    });
    let mut told = told.unwrap_or_default();
    (told.wrong, told.page) = (wrong, page);
    told.pinned = app.part_pin.get();
    if app.subject.get().row().is_told {
        (told.document, told.problems) = (Some(app.text.get()), app.problems());
    }
    if let Run::Running(job, _) = app.run.get()
        && job != told.job
    {
        (told.running, told.done, told.total) = (true, 0, 0); // nothing was heard of it yet
    }
    Message::new(heard, &told)
}

/// The chart of a search. Where it cannot be loaded, what it would show stands there in words.
fn chart(app: App, theme: Memo<Theme>) -> Teller {
    let data = chains::charted(app);
    let live = chains::live_chains(app);
    // The data as JavaScript has them, for as long as they are the same.
    let mut packed: Option<(Arc<Convergence>, Array)> = None;
    let message = move || {
        let data = data.get()?;
        let told = chart::Told {
            title: app.read.with(|read| read.as_ref().map(|s| s.title.clone()).unwrap_or_default()),
            live: live.get(),
            keys: app.keys.get(),
            selected: app.chosen.get(),
            theme: theme.get(),
        };
        let known = packed.take().filter(|(known, _)| Arc::ptr_eq(known, &data));
        let (_, heard) = packed.insert(known.unwrap_or_else(|| {
            let values = serde_wasm_bindgen::to_value(&*data).unwrap_or_default();
            (data, Array::of1(&values))
        }));
        Some(Message::new(heard.clone(), &told))
    };
    let instead = move || {
        let lines = |data: Arc<Convergence>| {
            data.ids().filter_map(|id| in_words(&data, id)).map(|line| format!("\n{line}")).collect()
        };
        data.get_untracked().map(lines).unwrap_or_default()
    };
    Teller { message: Box::new(message), instead: Box::new(instead) }
}

/// The lesson that goes on, and what of the page its steps look at.
fn lesson(app: App, page: ToldOfPage, worst_case: Memo<Option<String>>) -> ToldOfLesson {
    let Some(lesson) = app.lesson.get() else { return ToldOfLesson { page, ..ToldOfLesson::default() } };
    app.read.track();
    let document = app.text.get();
    ToldOfLesson {
        page,
        source: lesson.source,
        at: lesson.at,
        entered: lesson.entered,
        wrong: app.read.with(Result::is_err),
        running: matches!(app.run.get(), Run::Running(..)) || app.is_running(),
        stale: reported(app).is_none_or(|reported| document != reported),
        worst_case: worst_case.get().unwrap_or_default(),
        view: Looked::of(&app.view()),
        hidden: app.hide.get(),
        document,
    }
}

/// The document the report on the screen is of.
fn reported(app: App) -> Option<String> {
    if app.asks_part() {
        return app.trial.with(|trial| trial.as_ref().map(|trial| trial.text().to_owned()));
    }
    app.shown.with(|shown| shown.as_ref().map(|shown| shown.text.clone()))
}

/// So many warps, cycles and entries can be placed by hand.
const BY_HAND: (usize, u32, usize) = (12, 30, 60);

/// The entries of a small schedule, in order; none where it is larger, or where loads take their time.
fn entries(shown: &Shown) -> Vec<Entry> {
    let (warps, cycles, entries) = BY_HAND;
    let small = shown.report.count <= warps
        && shown.report.makespan <= cycles
        && shown.positions.len() <= entries
        && shown.warps.memory.is_none();
    let units = shown.warps.kernel.units();
    let entry = |&(warp, instruction): &(u32, u32)| {
        let letter = units.get(instruction as usize)?.letter();
        Some(Entry { warp, letter, cycle: shown.cycle((warp, instruction)) })
    };
    if small { shown.positions.iter().filter_map(entry).collect() } else { Vec::new() }
}

/// A schedule whose makespan is hidden, or was.
fn given(app: App) -> Option<Given> {
    app.shown.with(|shown| {
        let shown = shown.as_ref().filter(|_| app.subject.get() == Subject::Warps)?;
        Some(Given {
            warps: shown.report.count,
            kernel: shown.report.kernel.clone(),
            machine: machine_text(shown),
            method: shown.report.method.clone(),
            makespan: shown.report.makespan,
            entries: entries(shown),
        })
    })
}
