//! The figure: runs on a canvas, what belongs to them, and the pointers on the canvas.

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};

use super::keys;
use super::moment::{Known, MomentView, Sentence};
use super::player::RunPlayer;
use super::stage::Stage;
use super::sums::Sums;
use super::table::Table;
use super::tools::Tools;
use base::{Nanos, people};
use blocks_lab::draw::blocks::{Hit, Layout, Look, Selected, What, dim, draw, hit, is_on_axis, time_at};
use blocks_lab::page::blocks::{Chosen, Release, Runs, Which};
use kit::draw::overview::{self, Profile};
use kit::draw::{DrawList, Scale, Theme};
use kit::page::Window;
use kit::page::drag::CLICK;
use ui_kit::follow::{follow_room, paint_lists};
use ui_kit::mounted::put;
use ui_kit::overview::{Overview, OverviewOfPart};
use ui_kit::player::stand_still;
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, TouchedCanvas};

/// The figure with its tools and player, and the sentence why.
#[component]
pub fn Figure(stage: Stage, moment: Known) -> impl IntoView {
    keys::listen(stage);
    view! {
        <section class="figure blocks-figure" aria-label="Timeline" data-testid="blocks-figure">
            <Tools stage/>
            <Plot stage/>
            <OverviewOfPart of=Whole(stage) id="blocks-overview"/>
            <RunPlayer stage/>
            <div class="said">
                <Details stage/>
                <Sums stage/>
            </div>
            <Sentence stage moment/>
        </section>
    }
}

/// What belongs to it and has no place beside it.
#[component]
pub fn Beneath(stage: Stage, moment: Known) -> impl IntoView {
    view! {
        <MomentView moment/>
        <Table stage/>
    }
}

/// What is drawn now.
pub(super) fn look(stage: Stage, runs: &Runs) -> Look {
    let window = stage.window.get();
    let selected = stage.selected.get();
    let (width, height) = stage.room.get();
    Look {
        cursor: stage.held.get().or(stage.instant.get()).map(|at| at.0 as f64),
        selected: selected.and_then(|chosen| Some((runs.place(chosen.which)?, chosen.what))),
        range: stage.range.get(),
        wrong: runs.wrong(),
        ..Look::new(width, height, window.t0, window.t1)
    }
}

/// The same on the canvas. Files hold all rows; only the canvas may leave out what is scrolled away.
fn seen(stage: Stage, runs: &Runs) -> Look {
    let (down, height) = (stage.down.get_untracked(), stage.room.get_untracked().1);
    Look { seen: Some((down, down + height)), ..untrack(|| look(stage, runs)) }
}

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture {
    stage: Stage,
    pointed: RwSignal<Option<(Place, Hit)>>,
    /// Whether the pointer is where it would take the player along, or a launch.
    on_axis: RwSignal<bool>,
    /// The launch that is dragged.
    launch: StoredValue<Option<Launch>>,
}

/// A launch that is dragged: what it moves, and where it was pressed.
#[derive(Clone, Copy)]
struct Launch {
    release: Release,
    pressed: Place,
    moved: bool,
}

impl Picture {
    fn found(self, (x, y): Place) -> Option<Hit> {
        let stage = self.stage;
        stage.now(|runs| hit(&runs.panels(), &untrack(|| look(stage, runs)), x, y)).flatten()
    }

    /// Whether a place is on the axis, as it is seen.
    fn is_on_axis(self, (x, y): Place) -> bool {
        let on = |runs: &Runs| is_on_axis(&runs.panels(), &seen(self.stage, runs), x, y);
        self.stage.now(on).unwrap_or(false)
    }
}

impl Picture {
    /// The stream that the launch at a place moves.
    fn of_launch(self, at: Place) -> Option<Release> {
        let stage = self.stage;
        let hit = self.found(at)?;
        let chosen = stage.now(|runs| chosen(runs, &hit)).flatten()?;
        let (Which::Simulated, Selected::Launch(run)) = (chosen.which, chosen.what) else { return None };
        let What::Thing(_) = hit.what else { return None };
        let tree = stage.panel.document()?;
        stage.panel.seen.with_untracked(|seen| Release::of(&tree, seen.as_ref()?.simulated.as_ref()?, run))
    }

    /// The launch goes along, as exact as a pixel is wide.
    fn drag(self, mut launch: Launch, (x, _): Place) {
        let Some(axis) = self.axis() else { return };
        launch.moved |= (x - launch.pressed.0).abs() > CLICK;
        self.launch.set_value(Some(launch));
        if launch.moved {
            let release = launch.release.moved((x - launch.pressed.0) / axis.per_unit(), grain(&axis));
            self.stage.panel.edit("launch in the picture", |tree| release.written(tree));
        }
    }
}

/// As exact as a pixel is wide, and no more.
fn grain(axis: &Scale) -> f64 {
    10f64.powf((1.0 / axis.per_unit()).max(1.0).log10().floor())
}

impl Touched for Picture {
    /// None before its width is known.
    fn axis(self) -> Option<Scale> {
        let (window, (width, height)) = (self.stage.window.get_untracked(), self.stage.room.get_untracked());
        (width > 0.0).then(|| Look::new(width, height, window.t0, window.t1).scale())
    }

    fn pan(self, by: f64) {
        change(self.stage, |window| window.panned(by));
    }

    fn zoom(self, factor: f64, about: f64) {
        change(self.stage, |window| window.zoomed(factor, about));
    }

    fn select(self, from: f64, to: f64, _: Option<(f64, f64)>) {
        let Some(axis) = self.axis() else { return };
        let end = self.stage.window.with_untracked(|window| window.end);
        let grain = grain(&axis);
        let time =
            |x: f64| ((axis.value(x.clamp(axis.left, axis.right)) / grain).round() * grain).clamp(0.0, end);
        stand_still(self.stage.player);
        self.stage.range.set(Some((time(from), time(to))));
    }

    fn click(self, at: Place) {
        let stage = self.stage;
        let chosen = self.found(at).and_then(|hit| stage.now(|runs| chosen(runs, &hit)).flatten());
        stage.range.set(None);
        stage.selected.set(chosen);
    }

    fn point(self, at: Option<Place>) {
        put(
            self.on_axis,
            at.map_or(self.stage.held.with_untracked(Option::is_some), |at| {
                self.is_on_axis(at) || self.of_launch(at).is_some()
            }),
        );
        let found = |at| Some((at, self.found(at).filter(|hit| hit.what != What::Nothing)?));
        let hit = at.and_then(found);
        if hit.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(hit);
        }
    }

    fn twice(self, (x, _): Place) {
        if let Some(axis) = self.axis().filter(|axis| x >= axis.left) {
            self.stage.go_to(Nanos(axis.value(x).max(0.0) as u64));
        }
    }

    /// On the axis the player follows the pointer; a launch comes along with it.
    fn takes(self, at: Place) -> bool {
        if self.is_on_axis(at) {
            self.hold(at);
            return true;
        }
        let launch = self.of_launch(at).map(|release| Launch { release, pressed: at, moved: false });
        self.launch.set_value(launch);
        launch.is_some()
    }

    fn hold(self, at: Place) {
        let (stage, (x, _)) = (self.stage, at);
        if let Some(launch) = self.launch.get_value() {
            return self.drag(launch, at);
        }
        if let Some(at) = stage.now(|runs| time_at(&untrack(|| look(stage, runs)), x)) {
            stage.scrub(at);
        }
    }

    fn release(self) {
        put(self.stage.held, None);
        let launch = self.launch.try_update_value(Option::take).flatten();
        if let Some(launch) = launch.filter(|launch| !launch.moved) {
            self.click(launch.pressed);
        }
    }

    fn lost(self) {
        put(self.stage.held, None);
        self.launch.set_value(None);
    }
}

/// All of the runs, to be drawn small.
#[derive(Clone, Copy)]
struct Whole(Stage);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        let end = self.0.window.with(|window| window.end);
        Some(Look::new(width, overview::HEIGHT, 0.0, end).scale())
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        let profiles: Vec<Profile> = self.0.with(Runs::profiles)?;
        Some(overview::draw(&profiles, width, &untrack(|| self.axis(width))?))
    }

    fn said(self, window: &Window) -> String {
        let at = |time: f64| Nanos(time as u64);
        format!("{} to {} of {}", at(window.t0), at(window.t1), at(window.end))
    }
}

#[component]
fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, stage.room);
    let ready = move || {
        stage.track();
        stage.room.get().0 > 0.0
    };
    let drawn = move || {
        stage.now(|runs| {
            let (panels, look) = (runs.panels(), seen(stage, runs));
            let mut list = draw(&panels, &look);
            if let Some(found) = stage.found.get_untracked() {
                let place = |chosen: &Chosen| Some((runs.place(chosen.which)?, chosen.what));
                dim(&mut list, &panels, &look, &found.iter().filter_map(place).collect::<Vec<_>>());
            }
            list
        })
    };
    paint_lists(canvas, expect_context::<Memo<Theme>>(), ready, drawn);
    let picture = Picture {
        stage,
        pointed: RwSignal::new(None),
        on_axis: RwSignal::new(false),
        launch: StoredValue::new(None),
    };
    let label = move || stage.with(in_words).unwrap_or_default();
    let plot = NodeRef::<leptos::html::Div>::new();
    effect(move || {
        stage.selected.track();
        if let (Some(plot), Some((top, bottom))) = (plot.get(), selected_row(stage)) {
            let (seen, height) = (f64::from(plot.scroll_top()), f64::from(plot.client_height()));
            if top < seen || bottom > seen + height {
                plot.set_scroll_top(((top + bottom - height) / 2.0) as i32);
            }
        }
    });
    let scrolled = move |_| {
        if let Some(plot) = plot.get_untracked() {
            put(stage.down, f64::from(plot.scroll_top()));
        }
    };
    view! {
        <div class="figure-plot" node_ref=plot tabindex="0" role="application" aria-roledescription="timeline" aria-label=label data-testid="blocks-plot" on:scroll=scrolled>
            <TouchedCanvas picture canvas taken=picture.on_axis/>
            {live(move || tip(picture))}
        </div>
    }
}

/// Top and bottom of the row in which the selection stands.
fn selected_row(stage: Stage) -> Option<(f64, f64)> {
    let chosen = stage.selected.get_untracked()?;
    stage.now(|runs| {
        let kind = runs.row(chosen)?;
        let (place, panels) = (runs.place(chosen.which)?, runs.panels());
        let plan = Layout::new(&panels, &untrack(|| look(stage, runs)));
        let row = plan.rows.iter().find(|row| row.panel == place && row.kind == kind)?;
        Some((row.y, row.y + row.h))
    })?
}

/// Changes the window, if that changes anything.
fn change(stage: Stage, change: impl FnOnce(&Window) -> Window) {
    let window = stage.window.get_untracked();
    let next = change(&window);
    if next != window {
        stage.window.set(next);
    }
}

/// What a click on something selects.
fn chosen(runs: &Runs, hit: &Hit) -> Option<Chosen> {
    let which = runs.runs.get(hit.panel)?.which;
    match hit.what {
        What::Thing(what) => Some(Chosen { which, what }),
        What::Deadline(run) => Some(Chosen { which, what: Selected::Launch(run) }),
        _ => None,
    }
}

/// What the picture shows, for those who do not see it.
fn in_words(runs: &Runs) -> String {
    let blocks = |run: &blocks_lab::page::blocks::OneRun| {
        let blocks = runs.pictured(run.which).map_or(0, |known| known.trace.blocks.len());
        let sms = people::counted(run.timeline.sms.len(), "SM");
        format!("{}: {} on {sms}", run.which.title(), people::counted(blocks, "block"))
    };
    let all: Vec<String> = runs.runs.iter().map(blocks).collect();
    format!(
        "Timeline over {}. {}. Arrow keys move the selection, Enter takes the player to it; the table below holds the same.",
        runs.end,
        all.join("; ")
    )
}

/// What the pointer is at, beside it.
fn tip(Picture { stage, pointed, .. }: Picture) -> Option<impl IntoView> {
    let ((x, y), hit) = pointed.get()?;
    let said = stage.with(|runs| runs.hovered(&hit)).flatten()?;
    Some(view! { <Tip x y room=stage.room.get().0 said id="blocks-tip"/> })
}

/// What there is to say about the range or the selection.
#[component]
fn Details(stage: Stage) -> impl IntoView {
    let said = memo(move |_| {
        if let Some((from, to)) = stage.range.get() {
            return stage.with(|runs| runs.range_in_words(from, to));
        }
        stage.with(|runs| runs.details(stage.selected.get()?)).flatten()
    });
    let named = move || stage.with(|runs| runs.link_name(stage.selected.get()?)).flatten();
    let hint = "Select a block to see what held it back; drag for totals, or an arrow to launch then; play, or drag along the axis, to see the queues.";
    // While it is played, the sentence says what happens.
    let away = memo(move |_| stage.player.with(|player| !player.is_at_end()) && said.with(Option::is_none));
    view! {
        <p class="details" class:away=away aria-live="polite" data-testid="blocks-details">
            {live(move || said.get().unwrap_or_else(|| hint.to_owned()))}
            <span class="hidden" data-testid="blocks-selected">{named}</span>
        </p>
    }
}
