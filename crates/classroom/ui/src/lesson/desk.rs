//! The state of the panel: which lesson, which step, how it stands, and what can be done with it.

mod doing;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use ui_kit::live::{effect, memo};

use super::{beside, progress};
use base::Problem;
use base::problem::quoted;
use classroom::lesson::visit::Standing;
use classroom::lesson::{Lesson, Question, Step, Visit, builtin};
use kit::import::json;
use kit::page::Ask;
use kit::page::rooms::ToldOfLesson;
use kit::page::told::Looked;
use kit::page::told::ToOpen;
use kit::scenario::link::LessonSource;
use ui_kit::mounted::Page;

/// What is expected where there is no lesson.
const A_LESSON: &str = "the name of a lesson, or of a file beside the page such as lessons/my.json";

/// A lesson that was fetched: its address, and its text or why there is none.
type Fetched = RwSignal<Option<(String, Result<String, Vec<Problem>>)>>;

/// A lesson, or what is wrong with it; nothing while it is fetched.
type Read = Option<Result<Arc<Lesson>, Vec<Problem>>>;

thread_local! {
    /// The last time a step was gone to and its scenario opened: a panel that comes back does not open it again.
    static OPENED: RefCell<u32> = const { RefCell::new(0) };
}

/// Where someone is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stand {
    source: LessonSource,
    at: usize,
    entered: u32,
}

/// All state of the panel.
#[derive(Clone, Copy)]
pub struct Desk {
    pub(super) told: RwSignal<ToldOfLesson>,
    /// The whole report on the screen, as a line.
    pub(super) line: RwSignal<Option<String>>,
    report: Memo<Option<Arc<Value>>>,
    /// What the search for the worst case has found.
    worst_case: Memo<Option<Arc<Value>>>,
    document: Memo<Arc<Value>>,
    lesson: Memo<Read>,
    fetched: Fetched,
    /// Which step, from 0, as the page says.
    here: Memo<usize>,
    /// Whether there is a lesson; else why not.
    pub(super) shown: Memo<Option<Result<(), Vec<Problem>>>>,
    visit: RwSignal<Visit>,
    stand: StoredValue<Option<Stand>>,
    /// Which steps are done.
    done: RwSignal<BTreeSet<usize>>,
    /// The answer in the field.
    pub(super) typed: RwSignal<String>,
    /// The answer that was given.
    pub(super) answered: RwSignal<Option<String>>,
    /// Whether the right answer is given as soon as it is known.
    tell: RwSignal<bool>,
    /// Whether the hint is to be seen.
    pub(super) hinted: RwSignal<bool>,
    /// Whether the text is folded away.
    pub(super) folded: RwSignal<bool>,
    /// The page around it.
    pub(super) page: Page,
}

impl Desk {
    /// The panel of no lesson yet.
    pub fn new(page: Page) -> Self {
        let told = RwSignal::new(ToldOfLesson::default());
        let line = RwSignal::new(None::<String>);
        let sound = memo(move |_| told.with(|told| !told.stale && !told.wrong));
        let report = memo(move |_| {
            if !sound.get() {
                return None;
            }
            line.with(|line| json::parse(line.as_deref()?).ok().map(Arc::new))
        });
        let searched = memo(move |_| told.with(|told| told.worst_case.clone()));
        let worst_case = memo(move |_| searched.with(|line| json::parse(line).ok().map(Arc::new)));
        let text = memo(move |_| told.with(|told| told.document.clone()));
        let document = memo(move |_| Arc::new(text.with(|text| json::parse(text).unwrap_or_default())));
        let source = memo(move |_| told.with(|told| told.source.clone()));
        let fetched = RwSignal::new(None);
        let lesson = memo(move |_| source.with(|source| read(source, fetched)));
        let shown = memo(move |_| {
            lesson.with(|lesson| lesson.as_ref().map(|read| read.as_ref().map(|_| ()).map_err(Clone::clone)))
        });
        Self {
            told,
            line,
            report,
            worst_case,
            document,
            lesson,
            fetched,
            here: memo(move |_| told.with(|told| told.at)),
            shown,
            visit: RwSignal::default(),
            stand: StoredValue::new(None),
            done: RwSignal::default(),
            typed: RwSignal::default(),
            answered: RwSignal::default(),
            tell: RwSignal::new(false),
            hinted: RwSignal::new(false),
            folded: RwSignal::new(false),
            page,
        }
    }

    /// Goes where the page says, and looks at what is done there.
    pub(super) fn follow(self, title: NodeRef<html::H2>) {
        let desk = self;
        effect(move || {
            let source = desk.told.with(|told| told.source.clone());
            if let LessonSource::Named(name) = source
                && beside::is_file(&name)
                && desk.fetched.with_untracked(|known| known.as_ref().is_none_or(|(known, _)| *known != name))
            {
                spawn_local(async move {
                    let text = beside::text(&name, A_LESSON).await;
                    let _ = desk.fetched.try_set(Some((name, text))); // the panel may be gone
                });
            }
        });
        effect(move || {
            let stand = desk.told.with(|told| Stand {
                source: told.source.clone(),
                at: told.at,
                entered: told.entered,
            });
            let there = desk.lesson.with(|lesson| matches!(lesson, Some(Ok(_))));
            let before = desk.stand.get_value();
            if there && before.as_ref() != Some(&stand) {
                let walked = before.as_ref().is_some_and(|before| before.source == stand.source);
                desk.enter(&stand, before);
                if let Some(title) = title.get_untracked().filter(|_| walked) {
                    let _ = title.focus();
                }
            }
        });
        effect(move || {
            desk.answered.track();
            desk.tell.track();
            desk.told.track();
            desk.report.track();
            desk.worst_case.track();
            if desk.lesson.with(|lesson| matches!(lesson, Some(Ok(_)))) {
                desk.look();
            }
        });
    }

    /// Begins the step the page is at, and has its scenario opened unless what is on the page stands.
    fn enter(self, stand: &Stand, before: Option<Stand>) {
        self.done.set(progress::done(&progress::name(&stand.source)));
        self.typed.set(String::new());
        self.answered.set(None);
        self.tell.set(false);
        self.hinted.set(false);
        let first = OPENED.with_borrow_mut(|opened| {
            let first = stand.entered > *opened;
            *opened = stand.entered.max(*opened);
            first
        });
        let at = self.at_most(stand.at);
        let asked = first.then(|| self.to_open(at, before.filter(|before| before.source == stand.source)));
        let asked = asked.flatten();
        self.stand.set_value(Some(stand.clone()));
        let text = asked.as_ref().map(|asked| asked.document.clone());
        self.visit.set(self.step_at(at, |step| Visit::begun(step, text)).unwrap_or_default());
        if let Some(asked) = asked {
            self.page.ask(Ask::Open(asked));
        }
    }

    /// What is opened for a step that is come to; nothing where it goes on with what is on the page.
    fn to_open(self, at: usize, before: Option<Stand>) -> Option<ToOpen> {
        let (view, hide, own) =
            self.step_at(at, |step| (step.view.clone(), step.hide, step.opens.clone()))?;
        let inherited = || {
            let lesson = self.lesson.get_untracked()?.ok()?;
            lesson.document(at)
        };
        let tree = match (own, before) {
            (Some(own), _) => own,
            (None, Some(before)) if self.at_most(before.at) + 1 == at => return None,
            (None, Some(before)) if before.at == at => {
                Some(self.visit.with_untracked(|visit| visit.start.document.clone()))
                    .filter(|begun| !begun.is_null())
                    .or_else(inherited)?
            }
            (None, _) => inherited()?,
        };
        let what = format!("Step {} of the lesson", at + 1);
        Some(ToOpen { document: json::pretty(&tree), view: Looked::of(&view), hide, what })
    }

    /// Looks at what the page shows: is the step done?
    fn look(self) {
        let told = self.told.get_untracked();
        let at = self.at_most(told.at);
        let standing_at = self.stand.with_value(|stand| {
            stand.as_ref().is_some_and(|stand| {
                stand.source == told.source && stand.at == told.at && stand.entered == told.entered
            })
        });
        let Some(step) = self.step_at(at, Clone::clone).filter(|_| standing_at) else { return };
        let answer = self.answered.get_untracked();
        let mut visit = self.visit.get_untracked();
        self.standing(&told, answer.as_deref(), |standing| {
            visit.look(&step, standing);
            let question = step.check.as_ref().and_then(|check| check.question());
            let can = step.check.as_ref().is_some_and(|check| visit.can_judge(check));
            if let (Some(question), true, false) = (question, self.tell.get_untracked() && can, visit.done) {
                let own = step.solution.answer.clone();
                if let Some(answer) = own.or_else(|| question.answer(&visit.seen(standing))) {
                    self.tell.set(false);
                    self.typed.set(answer.clone());
                    self.answered.set(Some(answer));
                }
            }
        });
        if visit.done && !self.done.with_untracked(|done| done.contains(&at)) {
            self.done.update(|done| {
                done.insert(at);
            });
            self.keep();
        }
        if self.visit.with_untracked(|old| *old != visit) {
            self.visit.set(visit);
        }
    }

    fn standing<T>(
        self,
        told: &ToldOfLesson,
        answer: Option<&str>,
        look: impl FnOnce(&Standing<'_>) -> T,
    ) -> T {
        let (report, document) = (self.report.get_untracked(), self.document.get_untracked());
        let worst_case = self.worst_case.get_untracked();
        look(&Standing {
            text: &told.document,
            document: &document,
            report: report.as_deref(),
            worst_case: worst_case.as_deref(),
            running: told.running,
            view: &told.view.view(),
            revealed: !told.hidden,
            answer,
        })
    }

    fn keep(self) {
        let name = self.told.with_untracked(|told| progress::name(&told.source));
        self.done.with_untracked(|done| progress::remember(&name, done));
    }

    /// Which step, from 0; never beyond the last.
    pub(super) fn at(self) -> usize {
        self.at_most(self.here.get())
    }

    fn at_most(self, at: usize) -> usize {
        at.min(self.steps().saturating_sub(1))
    }

    /// How many steps there are.
    pub(super) fn steps(self) -> usize {
        self.with_lesson(|lesson| lesson.steps.len())
    }

    /// The titles of all steps.
    pub(super) fn titles(self) -> Vec<String> {
        self.with_lesson(|lesson| lesson.steps.iter().map(|step| step.title.clone()).collect())
    }

    /// What the lesson is called.
    pub(super) fn titled(self) -> String {
        self.with_lesson(|lesson| lesson.title.clone())
    }

    /// `Step 2 of 5`.
    pub(super) fn numbered(self) -> String {
        format!("Step {} of {}", self.at() + 1, self.steps())
    }

    fn with_lesson<T: Default>(self, get: impl FnOnce(&Lesson) -> T) -> T {
        self.lesson.with(|lesson| match lesson {
            Some(Ok(lesson)) => get(lesson),
            _ => T::default(),
        })
    }

    fn step_at<T>(self, at: usize, get: impl FnOnce(&Step) -> T) -> Option<T> {
        self.lesson.with_untracked(|lesson| match lesson {
            Some(Ok(lesson)) => lesson.steps.get(at).map(get),
            _ => None,
        })
    }

    /// Something of the present step.
    pub(super) fn step<T: Default>(self, get: impl FnOnce(&Step) -> T) -> T {
        let at = self.at();
        self.with_lesson(|lesson| lesson.steps.get(at).map(get).unwrap_or_default())
    }

    /// Something of the document on the page.
    pub(super) fn with_document<T>(self, get: impl FnOnce(&Value) -> T) -> T {
        self.document.with(|document| get(document))
    }

    /// The question of the present step.
    pub(super) fn question(self) -> Option<Question> {
        self.step(|step| step.check.as_ref().and_then(|check| check.question().cloned()))
    }

    /// Whether the present step is done, now or on an earlier day.
    pub(super) fn is_done(self) -> bool {
        self.was_done(self.at())
    }

    /// Whether a step is done.
    pub(super) fn was_done(self, at: usize) -> bool {
        self.done.with(|done| done.contains(&at))
    }

    /// Whether the page has what the step opened.
    pub(super) fn is_there(self) -> bool {
        self.visit.with(Visit::is_there)
    }
}

/// The lesson of a name or a text.
fn read(source: &LessonSource, fetched: Fetched) -> Read {
    let parsed = |text: &str| classroom::lesson::read(text).map(Arc::new);
    match source {
        LessonSource::Own(text) => Some(parsed(text)),
        LessonSource::Named(name) if name.is_empty() => None, // nothing was told yet
        LessonSource::Named(name) if beside::is_file(name) => fetched.with(|known| match known {
            Some((known, text)) if known == name => {
                Some(text.as_ref().map_err(Clone::clone).and_then(|text| parsed(text)))
            }
            _ => None,
        }),
        LessonSource::Named(name) => Some(match builtin::named(name) {
            Some(lesson) => parsed(lesson.text),
            None => Err(vec![Problem::at(
                "lesson",
                format!("there is none called {}", quoted(name)),
                "one of the list of lessons, or a file beside the page such as lessons/my.json",
            )]),
        }),
    }
}
