//! The schedule on its canvas, the strip of the whole, and what is known of the selected instruction.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use base::people;
use code_lab::draw::{AXIS, Look, beneath, dim, draw, strip, whole};
use code_lab::page::listed::{Both, Was};
use code_lab::page::seek::Hit;
use code_lab::page::stretch::{Sums, moment, of_line, tables};
use code_lab::page::{Seen, says};
use kit::draw::{DrawList, Scale, Theme};
use kit::page::{Stretch, Window};
use ui_kit::cursor::CursorLine;
use ui_kit::follow::paint_lists;
use ui_kit::overview::Overview;
use ui_kit::sight::Sight;
use ui_kit::sums::{SumsOf, Which};
use ui_kit::tall::TallPlot;
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, stretch};

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture(Stage);

impl Picture {
    fn found(self, at: Place) -> Option<(u32, Option<u32>)> {
        let (seen, look) = (self.0.seen.get_untracked()?, untrack(|| self.0.look()));
        look.hit(&seen.timeline, at).filter(|_| at.1 < look.height)
    }
}

impl Touched for Picture {
    fn axis(self) -> Option<Scale> {
        (self.0.tall.room.get_untracked().0 > 0.0).then(|| untrack(|| self.0.look()).scale())
    }

    fn pan(self, by: f64) {
        self.0.sight.pan(by);
    }

    fn zoom(self, factor: f64, about: f64) {
        self.0.sight.window.update(|window| *window = window.zoomed(factor, about));
    }

    fn sight(self) -> Option<Sight> {
        Some(self.0.sight)
    }

    fn click(self, at: Place) {
        self.0.select(self.found(at), false);
    }

    fn point(self, at: Option<Place>) {
        let found = at.and_then(|at| self.found(at).map(|(entry, part)| (at, entry, part)));
        self.0.point(found);
        self.0.sight.cursor.point(at, self.axis());
    }

    fn select(self, from: f64, to: f64, between: Option<(f64, f64)>) {
        let Some(axis) = self.axis() else { return };
        let end = self.0.sight.window.with_untracked(|window| window.end);
        let of = |seen: Arc<Seen>| untrack(|| self.0.look()).rows_between(&seen.timeline, between?);
        let rows = self.0.seen.get_untracked().and_then(of);
        self.0.sight.select(Stretch { rows, ..stretch(&axis, end, from, to) });
    }

    fn twice(self, at: Place) {
        let Some(axis) = self.axis() else { return };
        self.0.sight.window.update(|window| *window = window.zoomed(0.25, axis.value(at.0)));
    }
}

#[component]
pub(super) fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let hidden = stage.hidden();
    let ready = move || {
        let _ = stage.look();
        hidden.track();
        stage.found.track();
        stage.seen.with(Option::is_some) && stage.tall.room.get().0 > 0.0
    };
    let drawn = move || {
        let seen = stage.seen.get_untracked()?;
        let look = untrack(|| stage.look());
        if hidden.get_untracked() {
            return Some(DrawList::new(look.width, look.height));
        }
        let mut list = draw(&seen.report, &seen.timeline, &look);
        if let Some(found) = stage.found.get_untracked() {
            dim(&mut list, &seen, &look, &found);
        }
        if let Some(pinned) = untrack(|| stage.pinned()) {
            let own = Look { selected: None, ..look };
            beneath(&mut list, &pinned, &own);
        }
        Some(list)
    };
    paint_lists(canvas, expect_context::<Memo<Theme>>(), ready, drawn);
    let high = Signal::derive(move || {
        stage.tall.room.track();
        let look = untrack(|| stage.look());
        let tall = |seen: &Seen| look.tops(&seen.timeline).last().copied().unwrap_or(0.0);
        let pinned = stage.pinned().map_or(0.0, |pinned| tall(&pinned));
        // Both are scrolled together.
        let beside = stage.tall.room.get_untracked().1 - look.height;
        stage.with(tall).unwrap_or(0.0).max(pinned) + AXIS + beside
    });
    let label = Signal::derive(move || stage.with(in_sum).unwrap_or_else(|| "Schedule".to_owned()));
    let tip = move || {
        let ((x, y), entry, part) = stage.pointed.get().filter(|_| !hidden.get())?;
        let said = stage.with(|seen| said(seen, entry, part)).flatten()?;
        let (room, down) = (stage.tall.room.get().0, stage.tall.down.get_untracked());
        Some(view! { <Tip x y=y + down room said id="code-tip"/> })
    };
    // The line and the number of a cycle are those of its cell.
    let axis = move || (!hidden.get() && stage.seen.with(Option::is_some)).then(|| stage.look().scale());
    let name = |at: f64| people::grouped(at as u128 + 1);
    let line = move || view! { <CursorLine cursor=stage.sight.cursor id="code-cursor" axis high=move || high.get() name behind=0.5/> };
    view! { <TallPlot picture=Picture(stage) canvas tall=stage.tall sight=stage.sight high label class="code-plot" id="code-schedule" over=move || view! { {line}{tip} }/> }
}

/// What stands at a place: a wait, or an instruction.
fn said(seen: &Seen, entry: u32, part: Option<u32>) -> Option<String> {
    match part {
        Some(part) => says::wait(seen, entry, part as usize),
        None => says::entry(seen, entry),
    }
}

/// What the picture shows, for those who do not see it.
fn in_sum(seen: &Seen) -> String {
    format!(
        "Schedule of {}: {}, {}. Arrow keys go from one instruction to the next and to other warps, plus and minus zoom.",
        people::counted(seen.report.count, "warp"),
        people::counted(seen.report.schedule.len(), "instruction"),
        people::counted(seen.report.makespan as usize, "cycle"),
    )
}

/// The whole schedule, to be drawn small.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub(super) Stage);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.sight.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        self.0.seen.with(Option::is_some).then(|| whole(self.0.end(), width))
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        let end = self.0.end();
        self.0.with(|seen| strip(&seen.report, &seen.timeline, end, width))
    }

    fn said(self, window: &Window) -> String {
        let [from, to, of] =
            [window.t0, window.t1, window.end].map(|at| people::grouped(at.round().max(0.0) as u128));
        format!("Cycles {from} to {to} of {of}")
    }
}

/// What each line was in the code that is pinned, where it was another one; nothing where none is.
fn changed_from(pinned: &Seen, seen: &Seen) -> Vec<Option<String>> {
    let before = |was| match was {
        Was::Changed(old) => pinned.report.code.get(old).map(says::full_text),
        _ => None,
    };
    Both::of(pinned, seen).was.into_iter().map(before).collect()
}

/// The selected instruction: what it is, what it waited for, what its control fields mean.
#[component]
pub(super) fn Details(stage: Stage) -> impl IntoView {
    let hidden = stage.hidden();
    let pinned = memo(move |_| {
        let pinned = stage.pinned()?;
        stage.with(|seen| changed_from(&pinned, seen))
    });
    let said = memo(move |_| {
        if hidden.get() {
            return String::new();
        }
        if let Some(cycle) = stage.sight.cursor.put() {
            return stage.with(|seen| moment(seen, cycle as u32 + 1)).unwrap_or_default();
        }
        if let Some(range) = stage.sight.range.get() {
            return stage.with(|seen| Sums::of(seen, &range).said(seen)).unwrap_or_default();
        }
        let (selected, line) = (stage.selected.get(), stage.line.get());
        let words = stage.with(|seen| {
            let before = line.and_then(|line| pinned.with(|pinned| pinned.as_ref()?.get(line)?.clone()));
            let line = line.and_then(|line| seen.report.code.get(line));
            let mut words = Vec::new();
            match selected {
                Some((entry, Some(part))) => words.extend(says::wait(seen, entry, part as usize)),
                Some((entry, None)) => {
                    words.extend(says::entry(seen, entry));
                    words.extend(says::waits(seen, entry));
                }
                None => {}
            }
            words.extend(line.and_then(|line| says::whole(line, before.as_deref())).map(|whole| whole + "."));
            words.extend(line.and_then(|line| line.unsure.clone()));
            words.extend(line.map(|line| format!("Control fields: {}.", says::control(line))));
            words.join(" ")
        });
        words.filter(|words| !words.is_empty()).unwrap_or_else(|| {
            "Point at an instruction or a wait to see what it is, drag for sums, along the axis for each cycle; a line of the listing lights its instructions.".to_owned()
        })
    });
    let tables = memo(move |_| {
        let free = !hidden.get() && stage.sight.cursor.put().is_none();
        let range = stage.sight.range.get().filter(|_| free);
        range.and_then(|range| stage.with(|seen| tables(seen, &range))).unwrap_or_default()
    });
    let light = move |which: Option<Which>| {
        let there = which.zip(stage.sight.range.get_untracked());
        let entries =
            there.and_then(|((_, key), range)| untrack(|| stage.with(|seen| of_line(seen, &range, key))));
        let hits = entries.map(|entries| Arc::new(entries.into_iter().map(Hit::Entry).collect()));
        let _ = stage.found.try_set(hits);
    };
    view! {
        <div class="said">
            <div class="details" tabindex="0" role="region" aria-label="What is selected" aria-live="polite" data-testid="code-details">
                {live(move || said.get())}
            </div>
            <SumsOf id="code-sums" label="The stretch by name" tables light=Callback::new(light)/>
        </div>
    }
}
