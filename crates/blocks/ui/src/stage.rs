//! What the parts of the figure share: the runs, how they are looked at, and where the player stands.
//!
//! A link's view is taken over once for each time it was asked for; after that, whatever someone changes goes back
//! into the page's links, a moment after the last change.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use ui_kit::live::{effect, memo};

use super::Panel;
use base::Nanos;
use blocks_lab::draw::blocks::Selected;
use blocks_lab::page::blocks::{Chosen, Direction, Played, Runs, Seen, View, Which, measure_asked};
use blocks_lab::timeline::blocks::Measure;
use kit::draw::Theme;
use kit::page::Ask;
use kit::page::told::Looked;
use kit::page::{Player, Window};
use ui_kit::find::Found;
use ui_kit::later::Later;
use ui_kit::mounted::put;
use ui_kit::pin;
use ui_kit::player::stand_still;

/// What is found is shown so wide at least.
const LEAST: f64 = 3.0;
/// Links wait this long for more changes.
const SETTLE: Duration = Duration::from_millis(250);
/// Events are looked for so long after a picture is there.
const LATER: Duration = Duration::from_millis(60);

/// Everything the parts of the figure share.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) panel: Panel,
    /// The runs, ready to be drawn; none before there is a result.
    pub(super) runs: Memo<Option<Arc<Runs>>>,
    /// What heights stand for.
    pub(super) measure: RwSignal<Measure>,
    /// The stretch of time in sight.
    pub(super) window: RwSignal<Window>,
    /// What is selected.
    pub(super) selected: RwSignal<Option<Chosen>>,
    /// A stretch of time to be summed up.
    pub(super) range: RwSignal<Option<(f64, f64)>>,
    /// The run that is played.
    pub(super) played: RwSignal<Which>,
    /// Where its player stands.
    pub(super) player: RwSignal<Player>,
    /// Its events; none until they have been looked for.
    pub(super) events: RwSignal<Option<Arc<Played>>>,
    /// When the player stands, if not at the end.
    pub(super) instant: Memo<Option<Nanos>>,
    /// The time that is pointed at while the axis is dragged along.
    pub(super) held: RwSignal<Option<Nanos>>,
    /// What the search finds.
    pub(super) found: Found<Chosen>,
    /// Where the player is to stand once its events are known.
    wanted: StoredValue<Wanted>,
    /// Looks for them.
    finding: Later,
    /// The run that the page tells of, and how often it asked for a look at it.
    asked: Memo<(u32, u32)>,
    /// Width and height of the picture's place.
    pub(super) room: RwSignal<(f64, f64)>,
    /// How far the picture is scrolled down in it.
    pub(super) down: RwSignal<f64>,
}

/// Where a player is to stand.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wanted {
    /// After everything.
    End,
    /// After so many events.
    Step(u64),
    /// After what has happened by then.
    Instant(Nanos),
}

impl Stage {
    pub(super) fn new(panel: Panel) -> Self {
        let measure = RwSignal::new(Measure::default());
        let runs = Memo::new_with_compare(
            move |_| {
                let measure = measure.get();
                let seen = panel.seen.get()?;
                let pinned = pin::other(panel.kept, Some(&seen));
                Some(Arc::new(Runs::beside(seen, pinned, measure)))
            },
            |_, _| true,
        );
        let player = RwSignal::new(Player::at_end(0));
        let events = RwSignal::new(None::<Arc<Played>>);
        let instant = memo(move |_| {
            let step = player.with(|player| (!player.is_at_end()).then_some(player.step))?;
            events.with(|events| events.as_deref().map(|events| events.at(step)))
        });
        let stage = Self {
            panel,
            runs,
            measure,
            window: RwSignal::new(Window::whole(0.0)),
            selected: RwSignal::new(None),
            range: RwSignal::new(None),
            played: RwSignal::new(Which::Simulated),
            player,
            events,
            instant,
            held: RwSignal::new(None),
            found: RwSignal::new(None),
            wanted: StoredValue::new(Wanted::End),
            finding: Later::new(),
            asked: memo(move |_| panel.told.with(|told| (told.job, told.looked.number))),
            room: RwSignal::new((0.0, 0.0)),
            down: RwSignal::new(0.0),
        };
        // A step elsewhere is another question than what a stretch adds up to.
        Effect::new(move |before: Option<Option<Nanos>>| {
            let instant = instant.get();
            if before.is_some_and(|before| before != instant) {
                put(stage.range, None);
            }
            instant
        });
        stage.follow_links();
        // The axis is as long as the longest run, be it one that was pinned.
        effect(move || {
            let end = stage.with(|runs| runs.end.0 as f64);
            if let Some(end) = end.filter(|end| stage.window.with_untracked(|window| window.end != *end)) {
                stage.window.update(|window| *window = window.on_axis(end));
            }
        });
        stage.follow_focus();
        stage.tell_links();
        stage
    }

    /// Something made of the runs; nothing before there are any.
    pub(super) fn with<T>(&self, what: impl FnOnce(&Runs) -> T) -> Option<T> {
        self.runs.with(|runs| runs.as_deref().map(what))
    }

    /// The same, without being told of changes.
    pub(super) fn now<T>(&self, what: impl FnOnce(&Runs) -> T) -> Option<T> {
        self.runs.with_untracked(|runs| runs.as_deref().map(what))
    }

    /// Zooms about the selection if it is in sight, else about the middle.
    pub(super) fn zoom(&self, factor: f64) {
        if let Some((from, to)) = self.range.get_untracked() {
            return self.window.update(|window| *window = window.fitting(from, to));
        }
        self.window.update(|window| *window = window.zoomed_about(factor, self.looked_at()));
    }

    /// The middle of what is selected.
    pub(super) fn looked_at(&self) -> Option<f64> {
        let stretch =
            self.selected.get_untracked().and_then(|chosen| self.now(|runs| runs.stretch(chosen))?);
        stretch.map(|(from, to)| (from.0 as f64 + to.0 as f64) / 2.0)
    }

    /// Shows everything.
    pub(super) fn show_all(&self) {
        self.window.update(|window| *window = Window::whole(window.end));
    }

    /// Brings the selection to the middle.
    pub(super) fn centre(&self) {
        let stretch =
            self.selected.get_untracked().and_then(|chosen| self.now(|runs| runs.stretch(chosen))?);
        if let Some((from, to)) = stretch {
            self.window.update(|window| *window = window.centred((from.0 as f64 + to.0 as f64) / 2.0));
        }
    }

    /// Moves the selection to what is beside it.
    pub(super) fn step_beside(&self, to: Direction) {
        let (from, t0) = (self.selected.get_untracked(), self.window.with_untracked(|window| window.t0));
        if let Some(next) = self.now(|runs| runs.neighbour(from, to, t0)).flatten() {
            self.choose(next);
        }
    }

    /// Selects something and brings it into sight.
    pub(super) fn choose(&self, chosen: Chosen) {
        let Some((from, to)) = self.now(|runs| runs.stretch(chosen)).flatten() else { return };
        self.range.set(None);
        self.selected.set(Some(chosen));
        let window = self.window.get_untracked();
        // What is longer than the window is in sight if any of it is.
        let (from, to) = (from.0 as f64, to.0 as f64);
        let next = if to - from > window.width() {
            window.revealing(to.min(window.t0.max(from)), to.min(window.t1.max(from)))
        } else {
            window.revealing(from, to)
        };
        if next != window {
            self.window.set(next);
        }
    }

    /// Selects what was found: so near that it can be seen.
    pub(super) fn reveal(&self, chosen: Chosen) {
        let Some((from, to)) = self.now(|runs| runs.stretch(chosen)).flatten() else { return };
        let (from, to, width) = (from.0 as f64, to.0 as f64, self.room.get_untracked().0.max(200.0));
        let window = self.window.get_untracked();
        if (to - from) / window.width() * width < LEAST {
            let wide = ((to - from) * width / LEAST / 4.0).max(10.0).min(window.end);
            let middle = (from + to) / 2.0;
            self.window.set(Window::given(middle - wide / 2.0, middle + wide / 2.0, window.end));
        }
        self.choose(chosen);
    }

    /// What was pinned, in words.
    pub(super) fn kept(&self) -> Option<String> {
        self.panel.kept.with(|kept| {
            let report = &kept.as_ref()?.seen.report;
            let measured = report.measured.as_ref().filter(|_| report.stop.is_none());
            Some(format!("Pinned: {}", Nanos(measured.map_or(report.end, |run| run.end))))
        })
    }

    /// Pins what is there, or exchanges it with what was pinned.
    pub(super) fn pin(&self, swaps: bool) {
        let (text, seen, panel) =
            (self.panel.text.get_untracked(), self.panel.seen.get_untracked(), self.panel);
        let act = if swaps { pin::swap } else { pin::keep };
        act(panel.kept, &text, seen, panel.page);
    }

    /// How it is looked at now.
    fn view(&self) -> View {
        let player = self.player.get();
        View {
            measure: self.measure.get(),
            played: self.played.get(),
            window: self.window.get(),
            selected: self.selected.get(),
            step: (!player.is_at_end()).then_some(player.step as u64),
        }
    }

    /// Looks at it in another way. The player is set by who knows how many steps there are.
    fn look(&self, view: &View) {
        put(self.measure, view.measure);
        put(self.played, view.played);
        put(self.window, view.window);
        put(self.selected, view.selected);
        put(self.range, None);
    }

    /// A new result comes with what a link asks for, or is looked at as the one before was.
    fn follow_links(&self) {
        let (stage, panel) = (*self, self.panel);
        let asked = StoredValue::new((0, 0));
        let before = StoredValue::new(None::<Arc<Seen>>);
        // What is selected, by its name: it may be there in another result too.
        let name = StoredValue::new(None::<String>);
        effect(move || {
            let chosen = stage.selected.get();
            name.set_value(chosen.and_then(|chosen| stage.now(|runs| runs.link_name(chosen))?));
        });
        effect(move || {
            let Some(seen) = panel.seen.get() else { return };
            let number = stage.asked.get();
            if panel.shown.get() != number.0 {
                return; // another run's, which has told nothing yet
            }
            let is_asked = number.1 > 0 && asked.get_value() != number;
            let is_new = before.with_value(|old| old.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &seen)));
            asked.set_value(number);
            before.set_value(Some(seen));
            if !is_asked && !is_new {
                return;
            }
            if is_asked {
                put(stage.measure, panel.told.with_untracked(|told| measure_asked(&told.looked)));
            }
            let view = stage.now(|runs| {
                if is_asked {
                    panel.told.with_untracked(|told| View::asked(&told.looked, runs))
                } else {
                    name.with_value(|name| untrack(|| stage.view()).carried(name.as_deref(), runs))
                }
            });
            let Some(view) = view else { return };
            stage.wanted.set_value(view.step.map_or(Wanted::End, Wanted::Step));
            stage.look(&view);
            stage.find_events();
        });
    }

    /// Looks for the events of the run that is played: at once where someone waits for them, else when the picture
    /// is on the screen.
    fn find_events(&self) {
        let stage = *self;
        self.finding.never();
        if self.wanted.get_value() == Wanted::End {
            self.events.set(None);
            self.player.update(|player| *player = player.at(player.total));
            self.finding.after(LATER, move || stage.find_now());
        } else {
            self.find_now();
        }
    }

    fn find_now(&self) {
        let Some(Some(runs)) = self.runs.try_get_untracked() else { return };
        let Some(events) = Played::new(&runs, self.played.get_untracked()) else { return };
        let total = events.total();
        let step = match self.wanted.get_value() {
            Wanted::End => total,
            Wanted::Step(step) => usize::try_from(step).unwrap_or(usize::MAX),
            Wanted::Instant(at) => events.step_at(at),
        };
        self.wanted.set_value(Wanted::End);
        self.events.set(Some(Arc::new(events)));
        let speed = self.player.with_untracked(|player| player.speed);
        self.player.set(Player::at_end(total).with_speed(speed).at(step));
    }

    /// Takes the player to an instant of the run that is played.
    pub(super) fn go_to(&self, at: Nanos) {
        if let Some(step) = self.step_at(at) {
            self.player.update(|player| *player = player.at(step));
        }
    }

    /// Takes the player to a time that is pointed at on the axis: how things stand after the last event by then, which
    /// is how they stand until the next.
    pub(super) fn scrub(&self, at: Nanos) {
        put(self.held, Some(at));
        put(self.range, None);
        if self.events.with_untracked(Option::is_none) {
            self.wanted.set_value(Wanted::Instant(at));
            self.find_events();
        } else if self.step_at(at) != Some(self.player.with_untracked(|player| player.step)) {
            self.go_to(at);
        } else {
            stand_still(self.player);
        }
    }

    fn step_at(&self, at: Nanos) -> Option<usize> {
        self.events.with_untracked(|events| events.as_deref().map(|events| events.step_at(at)))
    }

    /// Takes the player to the start of what is selected.
    pub(super) fn go_to_selection(&self) {
        let start = self.selected.get_untracked().and_then(|chosen| self.now(|runs| runs.stretch(chosen))?);
        if let Some((start, _)) = start {
            self.go_to(start);
        }
    }

    /// Plays another run, from the instant at which this one stands.
    pub(super) fn play(&self, which: Which) {
        if self.played.get_untracked() != which {
            let instant = self.instant.get_untracked();
            self.wanted.set_value(instant.map_or(Wanted::End, Wanted::Instant));
            self.played.set(which);
            self.find_events();
        }
    }

    /// Shows what a list elsewhere on the page tells of: selected, in sight, and at the instant it is about.
    fn follow_focus(&self) {
        let stage = *self;
        effect(move || {
            let Some(focus) = stage.panel.focus.get() else { return };
            let which = if focus.measured { Which::Measured } else { Which::Simulated };
            let what = match focus.block {
                Some(block) => Selected::Block { run: focus.launch, block },
                None => Selected::Launch(focus.launch),
            };
            let chosen = Chosen { which, what };
            if stage.now(|runs| runs.has(chosen)) != Some(true) {
                return;
            }
            stage.choose(chosen);
            put(stage.played, which);
            stage.wanted.set_value(Wanted::Instant(Nanos(focus.time)));
            stage.find_events();
            let figure = document().query_selector("[data-testid=blocks-figure]").ok().flatten();
            if let Some(figure) = figure {
                figure.scroll_into_view();
            }
        });
    }

    /// Light or dark.
    pub(super) fn theme(&self) -> Theme {
        if self.panel.told.with(|told| told.page.dark) { Theme::Dark } else { Theme::Light }
    }

    /// Hears of everything that is drawn.
    pub(super) fn track(&self) {
        self.runs.track();
        self.window.track();
        self.selected.track();
        self.range.track();
        self.instant.track();
        self.held.track();
        self.found.track();
        self.room.track();
        self.down.track();
    }

    /// Tells the page how it is looked at, a moment after the last change.
    fn tell_links(&self) {
        let stage = *self;
        let later = Later::new();
        effect(move || {
            let view = stage.view();
            let pin = stage.panel.kept.with(|kept| kept.as_ref().map(|kept| kept.text.clone()));
            // The page begins anew with what it asked for, and a run of which nothing is known has no view yet.
            if stage.panel.shown.get() != stage.asked.get().0 {
                return;
            }
            if stage.panel.seen.with(Option::is_none) || stage.player.with(|player| player.playing) {
                return;
            }
            let tell = move || {
                let Some(Some(runs)) = stage.runs.try_get_untracked() else { return };
                stage.panel.page.ask(Ask::View(Looked { pin, ..view.looked(&runs) }));
            };
            later.after(SETTLE, tell);
        });
    }
}
