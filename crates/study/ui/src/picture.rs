//! The picture on its canvas, what it says at the pointer, and what is known of the selected dot.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::brief::Start;
use super::stage::Stage;
use kit::draw::{Scale, Theme};
use kit::page::told::ToldOfTrial;
use study_lab::draw::{Spot, draw};
use study_lab::page::says;
use ui_kit::follow::{follow_room, paint_lists};
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, TouchedCanvas};

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture(Stage);

impl Picture {
    fn found(self, at: Place) -> Option<Spot> {
        let (chart, layout) = self.0.layout()?;
        layout.hit(&chart, at)
    }
}

impl Touched for Picture {
    fn axis(self) -> Option<Scale> {
        self.0.layout().map(|(_, layout)| layout.x)
    }

    fn pan(self, _by: f64) {}

    fn zoom(self, _factor: f64, _about: f64) {}

    /// Opens what the pointer has shown before; a finger shows it first, and opens it when it comes again.
    fn click(self, at: Place) {
        let stage = self.0;
        let Some(spot) = self.found(at) else { return stage.selected.set(None) };
        let shown = stage.pointed.get_untracked().is_some_and(|(_, known)| known == spot);
        let selected = stage.selected.get_untracked() == Some(spot);
        stage.selected.set(Some(spot));
        if shown || selected {
            stage.open(spot);
        }
    }

    fn point(self, at: Option<Place>) {
        let found = at.and_then(|at| Some((at, self.found(at)?)));
        if found.is_some() || self.0.pointed.with_untracked(Option::is_some) {
            self.0.pointed.set(found);
        }
    }

    fn selects(self) -> bool {
        false
    }
}

/// The picture.
#[component]
pub(super) fn Plot(stage: Stage, told: RwSignal<ToldOfTrial>) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, stage.room);
    let ready = move || {
        let _ = stage.look();
        stage.chart.track();
        stage.room.get().0 > 0.0
    };
    let drawn = move || {
        let chart = stage.chart.try_get_untracked()??;
        Some(draw(&chart, &untrack(|| stage.look())))
    };
    paint_lists(canvas, expect_context::<Memo<Theme>>(), ready, drawn);
    let tip = move || {
        let ((x, y), spot) = stage.pointed.get()?;
        let said = stage.says(spot)?;
        let opens = stage
            .chart
            .with(|chart| Some(says::opens(chart.as_ref()?.series.get(spot.series)?.dots.get(spot.dot)?)))?;
        let said = format!("{said}. A click opens {opens}.");
        Some(view! { <Tip x y room=stage.room.get().0 said/> })
    };
    let label = move || {
        stage.chart.with(|chart| {
            chart.as_ref().map_or_else(
                || "Picture of the study".to_owned(),
                |chart| {
                    format!("{}: {} points; arrows move, Enter opens a scenario", chart.title, chart.count())
                },
            )
        })
    };
    let key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => stage.step(-1, 0),
            "ArrowRight" => stage.step(1, 0),
            "ArrowUp" => stage.step(0, -1),
            "ArrowDown" => stage.step(0, 1),
            "Home" => stage.step(-isize::MAX, 0),
            "End" => stage.step(isize::MAX, 0),
            "Enter" => match stage.selected.get_untracked() {
                Some(spot) => stage.open(spot),
                None => return,
            },
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <div class="figure-plot study-plot" tabindex="0" role="application" aria-roledescription="chart" aria-label=label
            data-testid="study-plot" on:keydown=key>
            <TouchedCanvas picture=Picture(stage) canvas/>
            <Start stage told/>
            {tip}
        </div>
    }
}

/// What is known of the selected dot, and the way to its scenario.
#[component]
pub(super) fn Details(stage: Stage) -> impl IntoView {
    let spot = memo(move |_| stage.selected.get());
    let said = move || {
        let said = spot.get().and_then(|spot| stage.says(spot));
        said.unwrap_or_else(|| "Point at a dot to see its values; a click opens its scenario.".to_owned())
    };
    let any = memo(move |_| spot.get().and_then(|spot| stage.says(spot)).is_some());
    let open = move |_| {
        if let Some(spot) = spot.get_untracked() {
            stage.open(spot);
        }
    };
    view! {
        <div class="details study-details">
            <p aria-live="polite" data-testid="study-details">{said}</p>
            <Show when=move || any.get()>
                <button data-testid="study-open" title="Of several cells the one with the largest value, or one for which it does not hold" on:click=open>"Open the scenario"</button>
            </Show>
        </div>
    }
}
