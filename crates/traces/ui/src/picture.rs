//! The picture on its canvas, and the strip of the whole run above it.

use std::sync::Arc;

use leptos::prelude::*;

use super::stage::Stage;
use kit::draw::nanos::{along, in_words};
use kit::draw::{DrawList, Scale, Theme};
use kit::page::{Stretch, Window};
use traces_lab::draw::{AXIS, Drawer, dim, strip, whole};
use traces_lab::page::packed::cause;
use traces_lab::page::{Bar, Lane, Run, says};
use ui_kit::cursor::CursorLine;
use ui_kit::follow::paint_lists;
use ui_kit::overview::{Overview, OverviewStrip};
use ui_kit::sight::Sight;
use ui_kit::tall::TallPlot;
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, stretch};

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture {
    stage: Stage,
    pointed: RwSignal<Option<(Place, Bar)>>,
}

impl Picture {
    fn found(self, at: Place) -> Option<Bar> {
        let run = self.stage.seen_now()?;
        untrack(|| self.stage.look()).hit(&run, at)
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

    fn select(self, from: f64, to: f64, between: Option<(f64, f64)>) {
        let Some(axis) = self.axis() else { return };
        let end = self.stage.sight.window.with_untracked(|window| window.end);
        let of = |run: Arc<Run>| untrack(|| self.stage.look()).rows_between(&run, between?);
        let rows = self.stage.seen_now().and_then(of);
        self.stage.sight.select(Stretch { rows, ..stretch(&axis, end, from, to) });
    }

    fn sight(self) -> Option<Sight> {
        Some(self.stage.sight)
    }

    fn click(self, at: Place) {
        self.stage.select(self.found(at), false);
    }

    fn point(self, at: Option<Place>) {
        let bar = at.and_then(|at| Some((at, self.found(at)?)));
        self.stage.sight.cursor.point(at, self.axis());
        if bar.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(bar);
        }
    }

    fn twice(self, at: Place) {
        if let Some(bar) = self.found(at) {
            let margin = ((bar.end - bar.start) * 0.25).max(2.0);
            self.stage.sight.window.update(|window| {
                *window = Window::given(bar.start - margin, bar.end + margin, window.end);
            });
        }
    }
}

#[component]
pub(super) fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let ready = move || {
        let _ = stage.look();
        stage.found.track();
        stage.seen().is_some() && stage.tall.room.get().0 > 0.0
    };
    // What was drawn of a run is kept as long as it is looked at.
    let drawer = StoredValue::new_local((None::<Arc<Run>>, Drawer::default()));
    let drawn = move || {
        let (run, look) = (stage.seen_now()?, untrack(|| stage.look()));
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
    let high = Signal::derive(move || {
        stage.tall.room.track();
        stage.seen().map_or(0.0, |run| untrack(|| stage.look()).rows_height(&run) + AXIS)
    });
    let label = Signal::derive(move || stage.seen().map(|run| in_sum(&run)).unwrap_or_default());
    let tip = move || {
        let ((x, y), bar) = picture.pointed.get()?;
        let said = pointed(&*stage.seen_now()?, &bar)?;
        let ((room, high), down) = (stage.tall.room.get(), stage.tall.down.get_untracked());
        Some(view! { <Tip x y=y + down room down high said id="traces-tip"/> })
    };
    let axis = move || stage.seen().map(|_| stage.look().scale());
    // As fine as it is drawn.
    let name = move |at: f64| along(&stage.look().scale(), at.max(0.0) as u64);
    let line = move || view! { <CursorLine cursor=stage.sight.cursor id="traces-cursor" axis high=move || high.get() name behind=0.0/> };
    view! { <TallPlot picture canvas tall=stage.tall sight=stage.sight high label class="traces-plot" id="traces-plot" over=move || view! { {line}{tip} }/> }
}

/// What the pointer is at, in a few words.
fn pointed(run: &Run, bar: &Bar) -> Option<String> {
    let length = in_words((bar.end - bar.start) as i64);
    let name = run.text(bar);
    Some(match run.rows.get(bar.row)?.lane {
        Lane::Idle => {
            let why = says::name_of(cause(bar.kind));
            let ended = run.operation(bar.id).map(|ended| run.text(&ended).to_owned()).unwrap_or_default();
            let blamed = if name.is_empty() { String::new() } else { format!(" ({name})") };
            format!("Nothing ran for {length}: {why}{blamed}. Then {ended} began.")
        }
        Lane::Stream | Lane::Was | Lane::Thread => format!("{name}, {length}"),
    })
}

/// What the picture shows, for those who do not see it.
fn in_sum(run: &Run) -> String {
    let operations = traces_lab::page::table::count(run, Lane::Stream);
    format!(
        "Recorded run of {}: {} on {}. Arrow keys go from one to the next, plus and minus zoom, G goes to the next gap; the tables below hold the sums.",
        in_words(run.end as i64),
        base::people::counted(operations, "operation"),
        base::people::counted(run.devices.len(), "GPU"),
    )
}

/// The whole run, to be drawn small.
#[derive(Clone, Copy)]
struct Whole(Stage);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.sight.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        Some(whole(&*self.0.seen_now()?, width))
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        Some(strip(&*self.0.seen()?, width))
    }

    fn said(self, window: &Window) -> String {
        let words = |time: f64| in_words(time as i64);
        format!("{} to {} of {}", words(window.t0), words(window.t1), words(window.end))
    }
}

#[component]
pub(super) fn Strip(stage: Stage) -> impl IntoView {
    view! { <OverviewStrip of=Whole(stage) id="traces-strip"/> }
}
