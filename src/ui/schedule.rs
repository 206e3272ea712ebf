//! The figure: the schedule on a canvas with what belongs to it, and the pointers on the canvas.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use ui_kit::mounted::put;
use ui_kit::show::Show;

use super::compare::{Beside, Compare};
use super::cursor;
use super::grip::Grip;
use super::hand::Hand;
use super::lazy::{Place, StaleBadge};
use super::player::{CONSTRUCTION, Order, Sentence};
use super::state::App;
use super::tools::Tools;
use crate::base::people;
use crate::draw::gantt::{self, Differs, Frame, Target, small};
use crate::draw::{DrawList, Scale};
use crate::page::shown::{Selected, selection_text};
use crate::page::{Part, Shown, Stretch, Window};
use crate::timeline::{Pictured, Rows, Timeline};
use crate::warps::explain::Step;
use ui_kit::follow::{Drawing, follow_room, paint_frames};
use ui_kit::overview::{Overview, OverviewOfPart};
use ui_kit::player::PlayerBar;
use ui_kit::tip::Tip;
use ui_kit::touch::TouchedCanvas;

/// The picture at the player's step.
pub(super) type Picture = Arc<(Timeline, Option<Step>)>;

/// What the parts of the figure share.
#[derive(Clone, Copy)]
pub struct Stage {
    pub(super) app: App,
    /// The picture; none before the first result.
    pub(super) picture: Memo<Option<Picture>>,
    /// Width and height of its place.
    pub(super) room: RwSignal<(f64, f64)>,
    /// A schedule that is drawn beneath.
    beside: Memo<Option<Beside>>,
    /// A cell of the schedule beneath that somebody asked about.
    pub(super) beneath: RwSignal<Option<Target>>,
    /// The step of the construction at which somebody asked about a cell.
    pub(super) asked_at: RwSignal<Option<usize>>,
}

impl Stage {
    pub(super) fn new(app: App) -> Self {
        let beside = super::compare::beside(app);
        let picture = Memo::new_with_compare(
            move |_| {
                let shown = app.shown.get()?;
                let player = app.player.get();
                let rows = app.rows.get();
                let beside = beside.get();
                // The units, beneath the warps on the same axis; two schedules have no room for them.
                let lanes = (rows == Rows::Warps && beside.is_none()).then_some(LANE);
                let rows = Pictured { rows, lanes };
                // All of what an order would give whose entry is dragged.
                let tried = app.held.with(|held| Some(Arc::clone(&held.as_ref()?.tried.as_ref()?.shown)));
                let whole = player.is_at_end() || tried.is_some();
                let (picture, step) = if whole {
                    (tried.as_ref().unwrap_or(&shown).whole_picture(rows), None)
                } else {
                    shown.picture(player.step, rows)
                };
                let made = |beside: &Shown| {
                    if whole { beside.whole_picture(rows) } else { beside.picture(player.step, rows).0 }
                };
                let below = beside.map(|beside| (beside.label(), made(&beside.shown)));
                Some(Arc::new((picture.above(below), step)))
            },
            |_, _| true,
        );
        // The axis is as long as the longer of two schedules.
        effect(move || {
            let end = picture.with(|picture| picture.as_ref().map(|picture| picture.0.end));
            if let Some(end) = end.filter(|&end| app.window.with_untracked(|window| window.end != end)) {
                app.window.update(|window| *window = window.on_axis(end));
            }
        });
        // A step elsewhere is another question than what a stretch adds up to.
        let step = memo(move |_| app.player.with(|player| player.step));
        Effect::new(move |before: Option<usize>| {
            let step = step.get();
            if before.is_some_and(|before| before != step) {
                put(app.range, None);
            }
            step
        });
        // What a line of the sums lights goes dark with the stretch.
        Effect::new(move |before: Option<bool>| {
            let ranged = app.range.with(Option::is_some);
            if before == Some(true) && !ranged {
                put(app.lit, Default::default());
            }
            ranged
        });
        let (beneath, room, asked_at) = (RwSignal::new(None), RwSignal::new((0.0, 0.0)), RwSignal::new(None));
        // What was tried is there now, or of another order.
        effect(move || {
            app.shown.track();
            put(app.held, None);
        });
        effect(move || app.width.set(room.get().0));
        effect(move || {
            app.selected.track();
            app.shown.track();
            app.rows.track();
            beneath.set(None);
            app.idle.set(None);
        });
        effect(move || {
            let other = app.selected.get().is_some()
                || app.range.get().is_some()
                || app.idle.get().is_some()
                || beneath.get().is_some();
            if other {
                app.cursor.let_go();
            }
        });
        Self { app, picture, room, beside, beneath, asked_at }
    }

    /// What differs from the schedule that was pinned.
    pub(super) fn differs(&self) -> Differs {
        let pinned = self.beside.with(|beside| beside.as_ref().is_some_and(|beside| beside.pinned));
        let mut differs = if pinned { self.app.differs.get() } else { Differs::default() };
        if self.app.rows.get() == Rows::Units {
            differs.alone = Default::default(); // rows are no warps
        }
        differs
    }

    /// A cell that somebody asked about and that is no instruction of the schedule shown: an idle one, or one beneath.
    fn asked(&self) -> Option<Target> {
        let idle = self.app.idle.get().map(|(row, cycle)| Target::Idle { row, cycle });
        idle.or(self.beneath.get())
    }

    /// Whether a cell is told about: always at the end of the construction, on the way only until it goes on.
    pub(super) fn tells_of_cells(&self) -> bool {
        let asked = self.asked_at.get();
        self.app.player.with(|player| player.is_at_end() || asked == Some(player.step))
    }

    /// Forgets it.
    pub(super) fn forget(&self) {
        self.beneath.set(None);
        self.app.idle.set(None);
    }

    /// Whether a row is of the schedule that is drawn beneath.
    pub(super) fn is_beneath(&self, row: usize) -> bool {
        let heading =
            self.picture.with_untracked(|picture| picture.as_ref()?.0.headings.first().map(|(row, _)| *row));
        heading.is_some_and(|heading| row > heading)
    }

    /// What is at a place of the picture, in a sentence.
    fn told(&self, picture: &Picture, target: Target) -> Option<String> {
        let step = self.app.player.with(|player| player.step);
        let heading = picture.0.headings.first().map(|(row, _)| *row);
        let beneath = |row: usize| heading.filter(|heading| row > *heading).map(|heading| row - heading - 1);
        let (row, moved) = match target {
            Target::Span { row, id } => (row, beneath(row).map(|row| Target::Span { row, id })),
            Target::Idle { row, cycle } => (row, beneath(row).map(|row| Target::Idle { row, cycle })),
        };
        if heading == Some(row) {
            return None;
        }
        match moved {
            Some(target) => self.beside.with(|beside| {
                let shown = &beside.as_ref()?.shown;
                shown.hovered(&picture.0, step.min(shown.steps()), target)
            }),
            None => self.app.shown.with(|shown| shown.as_ref()?.hovered(&picture.0, step, target)),
        }
    }
}

/// How high the rows of units are, as a share of those of warps.
const LANE: f64 = 0.7;

/// The figure: tools, picture, player and the sentence why; empty until the first result is there.
#[component]
pub fn Figure(stage: Stage) -> impl IntoView {
    let Stage { app, picture, .. } = stage;
    let step = Signal::derive(move || picture.get().and_then(|picture| picture.1.clone()));
    view! {
        <section class="figure" class:stale=app.is_stale() aria-label="Schedule" data-testid="figure">
            <Tools stage/>
            <Plot stage/>
            <OverviewOfPart of=Whole(stage) id="overview"/>
            <PlayerBar player=app.player played=CONSTRUCTION more=move || view! { <Order stage/> }/>
            <Show when=move || app.range.get().is_some()><Place app part=Part::Sums/></Show>
            <Details stage/>
            <Sentence stage step/>
        </section>
    }
}

/// What belongs to the figure and does not fit beside it.
#[component]
pub fn Beneath(stage: Stage) -> impl IntoView {
    let app = stage.app;
    let rows = memo(move |_| app.player.with(|player| player.step));
    let open = RwSignal::new(false);
    view! {
        <Compare app/>
        <details class="more" data-testid="table" on:toggle=move |event| open.set(event_target::<web_sys::Element>(&event).has_attribute("open"))>
            <summary>{live(move || format!("The schedule as a table, {} rows", people::grouped(rows.get() as u128)))}</summary>
            <Show when=move || open.get()><Place app part=Part::Table/></Show>
        </details>
    }
}

/// What is drawn now.
pub(super) fn frame(stage: Stage, picture: &Picture) -> Frame {
    let (app, (width, height)) = (stage.app, stage.room.get());
    let window = app.window.get();
    // While playing, the instruction placed last stands out; else the selected one.
    let placed =
        picture.1.as_ref().map(|step| (step.placement.warp as u32, step.placement.instruction as u32));
    let asked = app.selected.get();
    let tried = app.held.with(|held| {
        let tried = held.as_ref()?.tried.as_ref()?;
        tried.shown.positions.get(tried.place).copied()
    });
    let own: Option<Selected> = if stage.tells_of_cells() { asked.or(placed) } else { placed.or(asked) };
    let waited = own.filter(|_| tried.is_none() && app.rows.get() == Rows::Warps).and_then(|selected| {
        app.shown.with(|shown| {
            shown.as_ref().filter(|shown| shown.has(selected)).and_then(|shown| shown.waited(selected))
        })
    });
    Frame {
        width,
        row: gantt::row_to_fit_all(&picture.0, height),
        t0: window.t0,
        t1: window.t1,
        selected: tried.or(own),
        waited: waited.map(|(from, to)| (f64::from(from) - 1.0, f64::from(to))),
        range: ranged(app),
        lit: app.lights(),
        differs: stage.differs(),
    }
}

/// The stretch that is selected.
fn ranged(app: App) -> Option<Stretch> {
    let of =
        |(from, to)| Stretch { rows: app.ranged.get(), ..Stretch::new(f64::from(from) - 1.0, f64::from(to)) };
    app.range.get().map(of)
}

/// All of the schedule, to be drawn small.
#[derive(Clone, Copy)]
struct Whole(Stage);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.app.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        self.0.picture.with(|picture| Some(small::axis(&picture.as_ref()?.0, width)))
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        self.0.picture.with(|picture| Some(small::overview(&picture.as_ref()?.0, width)))
    }

    fn said(self, window: &Window) -> String {
        let grouped = |cycle: f64| people::grouped(cycle as u128);
        let (from, to) = (grouped(window.t0.floor() + 1.0), grouped(window.t1.ceil()));
        format!("Cycles {from} to {to} of {}", grouped(window.end))
    }
}

#[component]
fn Plot(stage: Stage) -> impl IntoView {
    let Stage { app, picture, room, .. } = stage;
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, room);
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let picture = picture.get().filter(|_| room.get().0 > 0.0)?;
            let frame = frame(stage, &picture);
            let chosen = stage.asked();
            Some(Arc::new(move || gantt::draw_chosen(&picture.0, &frame, chosen)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let (pointed, on_axis) = (RwSignal::new(None), RwSignal::new(false));
    // What was pointed at lies elsewhere now.
    effect(move || {
        app.window.track();
        app.player.track();
        if pointed.with_untracked(Option::is_some) {
            pointed.set(None);
        }
    });
    let hand = Hand {
        stage,
        pointed,
        on_axis,
        again: StoredValue::new(false),
        scrubs: StoredValue::new(false),
        pressed: StoredValue::new(0),
    };
    let tip = move || {
        let ((x, y), target) = pointed.get()?;
        let said = picture.with(|picture| {
            let picture = picture.as_ref()?;
            let told = stage.told(picture, target)?;
            let averaged = gantt::averaged(&picture.0, &frame(stage, picture), target);
            Some(averaged.map(|averaged| averaged + " ").unwrap_or_default() + &told)
        })?;
        Some(view! { <Tip x y room=room.get().0 said/> })
    };
    let label = move || {
        app.shown.with(|shown| {
            shown.as_ref().map_or("Schedule".to_owned(), |shown| format!(
        "Schedule of {} warps over {} cycles. Arrow keys move the selection; the table below holds the same.",
        shown.warps.count, shown.report.makespan
    ))
        })
    };
    view! {
        <div class="figure-plot" tabindex="0" role="application" aria-roledescription="schedule" aria-label=label data-testid="plot">
            <TouchedCanvas picture=hand canvas taken=on_axis/>
            <cursor::Line stage/>
            <Grip stage/>
            {tip}
            <StaleBadge app/>
            <Show when=move || app.shown.with(Option::is_none)><p class="empty">"Working out the first schedule…"</p></Show>
        </div>
    }
}

/// What there is to say about the selection or the range.
#[component]
fn Details(stage: Stage) -> impl IntoView {
    let app = stage.app;
    let text = move || {
        let shown = app.shown.get()?;
        if let Some(told) = cursor::told(app, &shown) {
            return Some(told);
        }
        if let Some(target) = stage.asked() {
            if let Some(id) = target.id() {
                return stage.beside.with(|beside| Some(beside.as_ref()?.shown.details(id)));
            }
            return stage.picture.with(|picture| stage.told(picture.as_ref()?, target));
        }
        if let Some(range) = app.range.get() {
            return stage.beside.with(|beside| {
                let beneath = beside.as_ref().map(|beside| (beside.label(), &*beside.shown));
                let beneath = beneath.as_ref().map(|(name, shown)| (name.as_str(), *shown));
                let picture = stage.picture.get();
                let waited =
                    picture.zip(ranged(app)).map(|(picture, range)| Shown::waited_in(&picture.0, &range));
                let step = app.player.with(|player| player.step);
                Some(shown.totals(range, app.ranged.get(), step, beneath) + &waited.unwrap_or_default())
            });
        }
        app.selected.get().filter(|&selected| shown.has(selected)).map(|selected| shown.details(selected))
    };
    // What is selected may not be placed yet while the schedule is being made.
    let whole = memo(move |_| stage.tells_of_cells());
    let hint = "Select a cell, busy or idle, to see why it is so; drag for totals, across rows for theirs; play to see how the order makes it.";
    view! {
        <p class="details" class:away=live(move || !whole.get()) class:unasked=live(move || text().is_none()) aria-live="polite" data-testid="details">
            {live(move || text().unwrap_or_else(|| hint.to_owned()))}
            <span class="hidden" data-testid="selected">{live(move || app.selected.get().map(selection_text))}</span>
        </p>
    }
}
