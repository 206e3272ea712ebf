//! The picture on its canvas, and the strip of the whole.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::effect;

use super::stage::Stage;
use base::people;
use kit::draw::{DrawList, Scale, Theme};
use kit::page::{Stretch, Window};
use ui_kit::cursor::CursorLine;
use ui_kit::follow::paint_lists;
use ui_kit::overview::Overview;
use ui_kit::sight::Sight;
use ui_kit::tall::TallPlot;
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, stretch};
use waves_lab::draw::{AXIS, Drawer, Under, dim, strip, whole};
use waves_lab::page::{Bar, Run, tip};

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture {
    stage: Stage,
    pointed: RwSignal<Option<(Place, Under)>>,
}

impl Picture {
    fn found(self, at: Place) -> Option<Under> {
        let run = self.stage.now()?;
        untrack(|| self.stage.look()).hit(&run, at)
    }

    /// The stretch at a place: where a unit is held, the one in which the instruction issued.
    fn bar(self, found: Option<Under>) -> Option<Bar> {
        match found? {
            Under::Bar(bar) => Some(bar),
            Under::Held(held) => self.stage.now()?.placed(held.by?),
            Under::Free(..) | Under::Engine(..) => None,
        }
    }
}

impl Touched for Picture {
    fn axis(self) -> Option<Scale> {
        (self.stage.tall.room.get_untracked().0 > 0.0).then(|| untrack(|| self.stage.look()).scale())
    }

    fn pan(self, by: f64) {
        self.stage.sight.pan(by);
    }

    fn zoom(self, factor: f64, about: f64) {
        self.stage.sight.window.update(|window| *window = window.zoomed(factor, about));
    }

    fn sight(self) -> Option<Sight> {
        Some(self.stage.sight)
    }

    fn click(self, at: Place) {
        self.stage.select(self.bar(self.found(at)), false);
    }

    fn point(self, at: Option<Place>) {
        let found = at.and_then(|at| Some((at, self.found(at)?)));
        if found.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(found);
        }
        self.stage.sight.cursor.point(at, self.axis());
        let hovered = self.bar(found.map(|(_, under)| under));
        if self.stage.hovered.get_untracked() != hovered {
            self.stage.hovered.set(hovered);
        }
    }

    fn select(self, from: f64, to: f64, between: Option<(f64, f64)>) {
        let Some(axis) = self.axis() else { return };
        let end = self.stage.sight.window.with_untracked(|window| window.end);
        let of = |run: Arc<Run>| untrack(|| self.stage.look()).rows_between(&run, between?);
        let rows = self.stage.now().and_then(of);
        self.stage.sight.select(Stretch { rows, ..stretch(&axis, end, from, to) });
    }

    fn twice(self, at: Place) {
        let Some(bar) = self.bar(self.found(at)) else { return };
        let margin = ((bar.end - bar.start) * 2.0).max(20.0);
        self.stage.sight.window.update(|window| {
            *window = Window::given(bar.start - margin, bar.end + margin, window.end);
        });
    }
}

#[component]
pub(super) fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let hidden = stage.panel.hidden();
    let ready = move || {
        let _ = stage.look();
        hidden.track();
        stage.found.track();
        stage.run.with(Option::is_some) && stage.tall.room.get().0 > 0.0
    };
    // What was drawn of a capture is kept as long as it is looked at.
    let drawer = StoredValue::new_local((None::<Arc<Run>>, Drawer::default()));
    let drawn = move || {
        let (run, look) = (stage.now()?, untrack(|| stage.look()));
        if hidden.get_untracked() {
            return Some(DrawList::new(look.width, look.height));
        }
        drawer.try_update_value(|(of, drawer)| {
            if !of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &run)) {
                (*of, *drawer) = (Some(Arc::clone(&run)), Drawer::default());
            }
            let mut list = drawer.draw(&run, &look);
            if let Some(found) = stage.found.get_untracked() {
                dim(&mut list, &run, &look, &found);
            }
            list
        })
    };
    paint_lists(canvas, expect_context::<Memo<Theme>>(), ready, drawn);
    let picture = Picture { stage, pointed: RwSignal::new(None) };
    // What was pointed at lies elsewhere once the picture moves.
    effect(move || {
        stage.sight.window.track();
        stage.run.track();
        picture.point(None);
    });
    let high = Signal::derive(move || {
        stage.tall.room.track();
        stage.units.track();
        stage.with(|run| untrack(|| stage.look()).all_height(run) + AXIS).unwrap_or(0.0)
    });
    let label = Signal::derive(move || stage.with(in_sum).unwrap_or_default());
    let tip = move || {
        let ((x, y), under) = picture.pointed.get().filter(|_| !hidden.get())?;
        let said = stage.with(|run| match under {
            Under::Bar(bar) => tip::pointed(run, &bar),
            Under::Held(held) => tip::held(run, &held),
            Under::Free(lane, time) => tip::free(run, lane, time),
            Under::Engine(engine, time) => tip::engine(run, engine, time),
        })?;
        let (room, down) = (stage.tall.room.get().0, stage.tall.down.get_untracked());
        Some(view! { <Tip x y=y + down room said id="waves-tip"/> })
    };
    let axis = move || (!hidden.get() && stage.run.with(Option::is_some)).then(|| stage.look().scale());
    let name = |at: f64| people::grouped(at as u128);
    let line = move || view! { <CursorLine cursor=stage.sight.cursor id="waves-cursor" axis high=move || high.get() name behind=0.5/> };
    let over = move || view! { {line}{tip} };
    view! { <TallPlot picture canvas tall=stage.tall sight=stage.sight high label class="waves-plot" id="waves-schedule" over/> }
}

/// What the picture shows, for those who do not see it.
fn in_sum(run: &Run) -> String {
    format!(
        "Thread trace of {}: {} in {}. Arrow keys go from one stretch to the next and to other rows, plus and minus zoom, G goes to the next wait; the tables below hold the sums.",
        people::counted(run.end as usize, "cycle"),
        people::counted(run.waves.len(), "wave"),
        people::counted(run.rows.len(), "row"),
    )
}

/// The whole capture, to be drawn small.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub(super) Stage);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.sight.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        Some(whole(&*self.0.now()?, width))
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        self.0.with(|run| strip(run, width))
    }

    fn said(self, window: &Window) -> String {
        let [from, to, of] =
            [window.t0, window.t1, window.end].map(|at| people::grouped(at.round().max(0.0) as u128));
        format!("Cycles {from} to {to} of {of}")
    }
}
