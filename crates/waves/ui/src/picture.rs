//! The picture on its canvas, and the strip of the whole.

use std::sync::Arc;

use leptos::prelude::*;

use super::stage::Stage;
use base::people;
use kit::draw::{DrawList, Scale, Theme};
use kit::page::Window;
use ui_kit::follow::paint_lists;
use ui_kit::overview::Overview;
use ui_kit::tall::TallPlot;
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched};
use waves_lab::draw::{AXIS, Drawer, strip, whole};
use waves_lab::page::{Bar, Run, tip};

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture {
    stage: Stage,
    pointed: RwSignal<Option<(Place, Bar)>>,
}

impl Picture {
    fn found(self, at: Place) -> Option<Bar> {
        let run = self.stage.now()?;
        untrack(|| self.stage.look()).hit(&run, at)
    }
}

impl Touched for Picture {
    fn axis(self) -> Option<Scale> {
        (self.stage.tall.room.get_untracked().0 > 0.0).then(|| untrack(|| self.stage.look()).scale())
    }

    fn pan(self, by: f64) {
        self.stage.window.update(|window| *window = window.panned(by));
    }

    fn zoom(self, factor: f64, about: f64) {
        self.stage.window.update(|window| *window = window.zoomed(factor, about));
    }

    fn click(self, at: Place) {
        self.stage.select(self.found(at), false);
    }

    fn point(self, at: Option<Place>) {
        let found = at.and_then(|at| Some((at, self.found(at)?)));
        if found.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(found);
        }
        let hovered = found.map(|(_, bar)| bar);
        if self.stage.hovered.get_untracked() != hovered {
            self.stage.hovered.set(hovered);
        }
    }

    fn selects(self) -> bool {
        false
    }

    fn twice(self, at: Place) {
        let Some(bar) = self.found(at) else { return };
        let margin = ((bar.end - bar.start) * 2.0).max(20.0);
        self.stage.window.update(|window| {
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
            drawer.draw(&run, &look)
        })
    };
    paint_lists(canvas, expect_context::<Memo<Theme>>(), ready, drawn);
    let picture = Picture { stage, pointed: RwSignal::new(None) };
    // What was pointed at lies elsewhere once the picture moves.
    Effect::new(move |_| {
        stage.window.track();
        stage.run.track();
        picture.point(None);
    });
    let high = Signal::derive(move || {
        stage.tall.room.track();
        stage.with(|run| untrack(|| stage.look()).rows_height(run) + AXIS).unwrap_or(0.0)
    });
    let label = Signal::derive(move || stage.with(in_sum).unwrap_or_default());
    let tip = move || {
        let ((x, y), bar) = picture.pointed.get().filter(|_| !hidden.get())?;
        let said = stage.with(|run| tip::pointed(run, &bar))?;
        let (room, down) = (stage.tall.room.get().0, stage.tall.down.get_untracked());
        Some(view! { <Tip x y=y + down room said id="waves-tip"/> })
    };
    view! { <TallPlot picture canvas tall=stage.tall high label class="waves-plot" id="waves-schedule" over=move || tip/> }
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
        self.0.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        Some(whole(&*self.0.now()?, width))
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        self.0.with(|run| strip(run, width))
    }

    fn said(self, window: &Window) -> String {
        format!("Cycles {:.0} to {:.0} of {:.0}", window.t0, window.t1, window.end)
    }
}
