//! The figure: the schedule on a canvas, its toolbar, the player, the details and the table.

use std::sync::Arc;

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, ResizeObserver};

use super::canvas::Painter;
use super::player::PlayerBar;
use super::state::App;
use super::table::Table;
use super::{files, keys, route};
use crate::draw::gantt::{self, Frame};
use crate::draw::{DrawList, Theme};
use crate::export::{csv, svg};
use crate::page::Window;
use crate::page::shown::{Selected, parse_selection, selection_text};
use crate::timeline::{Rows, Timeline};
use crate::warps::explain::Step;

/// The picture at the player's step.
type Picture = Arc<(Timeline, Option<Step>)>;

/// Movement under this many pixels is a click.
const CLICK: f64 = 4.0;

/// The whole figure; empty until the first result is there.
#[component]
pub fn Figure(app: App) -> impl IntoView {
    let picture: Memo<Option<Picture>> = Memo::new_with_compare(
        move |_| {
            let shown = app.shown.get()?;
            let player = app.player.get();
            let rows = app.rows.get();
            Some(Arc::new(if player.is_at_end() {
                (shown.whole_picture(rows), None)
            } else {
                shown.picture(player.step, rows)
            }))
        },
        |_, _| true,
    );
    let step = Signal::derive(move || picture.get().and_then(|picture| picture.1.clone()));
    let width = RwSignal::new(0.0);
    view! {
        <section class="figure" aria-label="Schedule" data-testid="figure">
            <Tools app picture width/>
            <Plot app picture width/>
            <Details app/>
            <PlayerBar app step/>
            <Table app/>
        </section>
    }
}

/// What is drawn now.
fn frame(app: App, picture: &Picture, width: f64) -> Frame {
    let window = app.window.get();
    // While playing, the instruction placed last stands out; else the selected one.
    let placed =
        picture.1.as_ref().map(|step| (step.placement.warp as u32, step.placement.instruction as u32));
    let selected: Option<Selected> = placed.or(app.selected.get());
    let waited = selected.filter(|_| app.rows.get() == Rows::Warps).and_then(|selected| {
        app.shown.with(|shown| {
            shown.as_ref().filter(|shown| shown.has(selected)).and_then(|shown| shown.waited(selected))
        })
    });
    Frame {
        width,
        row: gantt::row_height(picture.0.tracks.len()),
        t0: window.t0,
        t1: window.t1,
        selected,
        waited: waited.map(|(from, to)| (f64::from(from) - 1.0, f64::from(to))),
        range: app.range.get().map(|(from, to)| (f64::from(from) - 1.0, f64::from(to))),
    }
}

#[component]
fn Tools(app: App, picture: Memo<Option<Picture>>, width: RwSignal<f64>) -> impl IntoView {
    let pressed = move |rows: Rows| if app.rows.get() == rows { "true" } else { "false" };
    let list = move || {
        picture
            .get_untracked()
            .map(|picture| gantt::draw(&picture.0, &untrack(|| frame(app, &picture, width.get()))))
    };
    let name = move |extension| {
        let title = app
            .shown
            .with_untracked(|shown| shown.as_ref().map(|shown| shown.title.clone()).unwrap_or_default());
        files::file_name(&title, extension)
    };
    let save_svg = move |_| {
        if let (Some(list), Some(shown)) = (list(), app.shown.get_untracked()) {
            let link = route::address(app).unwrap_or_default();
            files::save(&name("svg"), "image/svg+xml", &svg::svg(&list, &shown.title, &link));
        }
    };
    let save_png = move |_| {
        if let Some(list) = list() {
            save_png(&list, name("png"));
        }
    };
    let save_csv = move |_| {
        if let Some(shown) = app.shown.get_untracked() {
            files::save(
                &name("csv"),
                "text/csv",
                &csv::schedule_csv(&shown.warps.kernel, &shown.order, &shown.schedule),
            );
        }
    };
    let save_report = move |_| {
        if let Some(shown) = app.shown.get_untracked() {
            let report = crate::report::Report::Warps(Box::new(shown.report.clone()));
            files::save(&name("report.json"), "application/json", &report.line());
        }
    };
    let find = move |event| {
        let text = event_target_value(&event);
        let found = parse_selection(&text)
            .filter(|&s| app.shown.with_untracked(|shown| shown.as_ref().is_some_and(|shown| shown.has(s))));
        match found {
            Some(selected) => keys::choose(app, selected),
            None if text.trim().is_empty() => {}
            None => app.notice.set(format!("No instruction {text}; write warp:instruction, such as 3:5")),
        }
    };
    view! {
        <div class="row tools">
            <div class="switch" role="group" aria-label="Rows">
                <button aria-pressed=move || pressed(Rows::Warps) data-testid="rows-warps" on:click=move |_| app.rows.set(Rows::Warps)>"Warps"</button>
                <button aria-pressed=move || pressed(Rows::Units) data-testid="rows-units" on:click=move |_| app.rows.set(Rows::Units)>"Units"</button>
            </div>
            <div class="switch" role="group" aria-label="Zoom">
                <button title="Zoom out (S)" aria-label="Zoom out" data-testid="zoom-out" on:click=move |_| keys::zoom(app, 1.0 / 0.7)>"−"</button>
                <button title="Zoom in (W)" aria-label="Zoom in" data-testid="zoom-in" on:click=move |_| keys::zoom(app, 0.7)>"+"</button>
                <button title="Show everything (0)" data-testid="zoom-all" on:click=move |_| app.window.update(|w| *w = Window::whole(w.end))>"All"</button>
            </div>
            <input id="find" class="find" type="text" placeholder="Find 3:5" aria-label="Find warp:instruction" title="Warp and instruction, such as 3:5 (/)" on:change=find/>
            <ul class="legend" aria-label="Legend">
                {move || picture.get().map(|picture| picture.0.legend.iter().map(|(class, name)| view! {
                    <li><span class=format!("swatch class{class}") aria-hidden="true"></span>{name.clone()}</li>
                }).collect_view())}
            </ul>
            <span class="spacer"></span>
            <div class="switch" role="group" aria-label="Save the figure">
                <button title="Save the picture as PNG, twice the size" data-testid="png" on:click=save_png>"PNG"</button>
                <button title="Save the picture as SVG" data-testid="svg" on:click=save_svg>"SVG"</button>
                <button title="Save the schedule as a table" data-testid="csv" on:click=save_csv>"CSV"</button>
                <button title="Save the report as JSON" data-testid="report" on:click=save_report>"Report"</button>
            </div>
        </div>
    }
}

/// Paints a list at twice its size in the light theme and offers it as a file.
fn save_png(list: &DrawList, name: String) {
    let canvas: Option<HtmlCanvasElement> =
        document().create_element("canvas").ok().and_then(|c| c.dyn_into().ok());
    let Some(canvas) = canvas else { return };
    if let Some(mut painter) = Painter::new(canvas.clone()) {
        painter.paint(list, Theme::Light, 2.0);
        let done = Closure::once_into_js(move |blob: Option<web_sys::Blob>| {
            if let Some(blob) = blob {
                files::save_blob(&name, &blob);
            }
        });
        // A canvas this page has painted itself can always be read.
        let _ = canvas.to_blob(done.unchecked_ref());
    }
}

#[component]
fn Plot(app: App, picture: Memo<Option<Picture>>, width: RwSignal<f64>) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let theme = expect_context::<Memo<Theme>>();
    follow_width(canvas, width);
    paint_frames(app, picture, width, canvas, theme);
    let drag = StoredValue::new(Drag::default());
    let at = move |event: &PointerEvent| (f64::from(event.offset_x()), f64::from(event.offset_y()));
    let current = move || {
        picture.get_untracked().map(|picture| {
            let frame = untrack(|| frame(app, &picture, width.get()));
            (picture, frame)
        })
    };
    let down = move |event: PointerEvent| {
        let Some((_, frame)) = current() else { return };
        if event.button() == 0 {
            let (x, _) = at(&event);
            drag.update_value(|drag| {
                drag.press(
                    event.pointer_id(),
                    x,
                    event.shift_key() || event.pointer_type() == "touch",
                    &frame,
                )
            });
            if let Some(canvas) = canvas.get_untracked() {
                // Without capture a drag ends at the edge of the canvas.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let moved = move |event: PointerEvent| {
        let Some((_, frame)) = current() else { return };
        let (x, _) = at(&event);
        match drag.try_update_value(|drag| drag.drag(event.pointer_id(), x)).flatten() {
            Some(Gesture::Pan(pixels)) => {
                app.window.update(|w| *w = w.panned(-pixels / frame.scale().per_unit()))
            }
            Some(Gesture::Pinch(factor, x)) => {
                app.window.update(|w| *w = w.zoomed(factor, frame.scale().value(x)))
            }
            Some(Gesture::Range(from, to)) => {
                let cycle = |x: f64| {
                    frame.scale().value(x).clamp(0.0, app.window.get_untracked().end - 0.5).floor() as u32 + 1
                };
                app.range.set(Some((cycle(from.min(to)), cycle(from.max(to)))));
            }
            None => {}
        }
    };
    let up = move |event: PointerEvent| {
        let clicked = drag.try_update_value(|drag| drag.release(event.pointer_id())).unwrap_or(false);
        let Some((picture, frame)) = current().filter(|_| clicked) else { return };
        let (x, y) = at(&event);
        let hit = frame
            .hit(picture.0.tracks.len(), x, y)
            .and_then(|(row, t)| picture.0.tracks[row].at(t).map(|span| span.id));
        app.range.set(None);
        app.selected.set(hit);
    };
    let lost = move |event: PointerEvent| {
        drag.update_value(|drag| {
            drag.release(event.pointer_id());
        })
    };
    let wheel = move |event: WheelEvent| {
        let Some((_, frame)) = current() else { return };
        let sideways = if event.shift_key() { event.delta_y() + event.delta_x() } else { event.delta_x() };
        if event.ctrl_key() {
            event.prevent_default();
            let at = frame.scale().value(f64::from(event.offset_x()));
            app.window.update(|w| *w = w.zoomed((event.delta_y() / 400.0).exp(), at));
        } else if sideways != 0.0 {
            event.prevent_default();
            app.window.update(|w| *w = w.panned(sideways / frame.scale().per_unit()));
        }
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
            <canvas node_ref=canvas on:pointerdown=down on:pointermove=moved on:pointerup=up on:pointercancel=lost on:wheel=wheel></canvas>
            <Show when=move || app.shown.with(Option::is_none)><p class="empty">"Working out the first schedule…"</p></Show>
        </div>
    }
}

/// Keeps the width of the canvas that of its place.
fn follow_width(canvas: NodeRef<leptos::html::Canvas>, width: RwSignal<f64>) {
    let observer = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(place) = canvas.get().and_then(|canvas| canvas.parent_element()) else { return };
        let measured = place.clone();
        let changed = Closure::<dyn FnMut()>::new(move || {
            let _ = width.try_set(f64::from(measured.client_width()));
        });
        if let Ok(watcher) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            watcher.observe(&place);
            observer.set_value(Some((watcher, changed)));
        }
        width.set(f64::from(place.client_width()));
    });
    on_cleanup(move || {
        if let Some(Some((watcher, _))) = observer.try_update_value(Option::take) {
            watcher.disconnect();
        }
    });
}

/// Paints at most once a frame, whenever something that is drawn has changed.
fn paint_frames(
    app: App,
    picture: Memo<Option<Picture>>,
    width: RwSignal<f64>,
    canvas: NodeRef<leptos::html::Canvas>,
    theme: Memo<Theme>,
) {
    let painter = StoredValue::new_local(None::<Painter>);
    let asked = StoredValue::new(false);
    let list = Memo::new_with_compare(
        move |_| {
            picture
                .get()
                .filter(|_| width.get() > 0.0)
                .map(|picture| (Arc::clone(&picture), frame(app, &picture, width.get())))
        },
        |_, _| true,
    );
    Effect::new(move |_| {
        let Some(canvas) = canvas.get() else { return };
        list.track();
        theme.track();
        if asked.get_value() {
            return;
        }
        asked.set_value(true);
        request_animation_frame(move || {
            if asked.try_set_value(false).is_some() {
                return; // the figure is gone
            }
            let Some((picture, frame)) = list.get_untracked() else { return };
            let drawn = gantt::draw(&picture.0, &frame);
            let style = web_sys::HtmlElement::style(&canvas);
            let _ = style.set_property("height", &format!("{}px", drawn.height));
            painter.update_value(|painter| {
                if painter.is_none() {
                    *painter = Painter::new(canvas);
                }
                if let Some(painter) = painter {
                    painter.paint(&drawn, theme.get_untracked(), window().device_pixel_ratio());
                }
            });
        });
    });
}

/// What the pointers are doing.
#[derive(Debug, Clone, Default)]
struct Drag {
    pointers: Vec<(i32, f64)>,
    start: f64,
    pans: bool,
    moved: bool,
}

enum Gesture {
    Pan(f64),
    Pinch(f64, f64),
    Range(f64, f64),
}

impl Drag {
    fn press(&mut self, id: i32, x: f64, pans: bool, frame: &Frame) {
        self.pointers.retain(|&(other, _)| other != id);
        self.pointers.push((id, x));
        if self.pointers.len() == 1 {
            *self = Self {
                pointers: std::mem::take(&mut self.pointers),
                start: x,
                pans: pans || x < frame.scale().left,
                moved: false,
            };
        }
    }

    fn drag(&mut self, id: i32, x: f64) -> Option<Gesture> {
        let place = self.pointers.iter().position(|&(other, _)| other == id)?;
        let before = std::mem::replace(&mut self.pointers[place].1, x);
        if let [(_, a), (_, b)] = self.pointers[..] {
            self.moved = true;
            let other = if place == 0 { b } else { a };
            let (was, is) = ((before - other).abs().max(8.0), (x - other).abs().max(8.0));
            return Some(Gesture::Pinch(was / is, (a + b) / 2.0));
        }
        self.moved |= (x - self.start).abs() > CLICK;
        match (self.moved, self.pans) {
            (false, _) => None,
            (true, true) => Some(Gesture::Pan(x - before)),
            (true, false) => Some(Gesture::Range(self.start, x)),
        }
    }

    /// Whether it was a click.
    fn release(&mut self, id: i32) -> bool {
        let known = self.pointers.iter().any(|&(other, _)| other == id);
        self.pointers.retain(|&(other, _)| other != id);
        known && !self.moved
    }
}

/// What there is to say about the selection or the range.
#[component]
fn Details(app: App) -> impl IntoView {
    let text = move || {
        let shown = app.shown.get()?;
        if let Some((from, to)) = app.range.get() {
            return Some(shown.totals(from, to));
        }
        app.selected.get().filter(|&selected| shown.has(selected)).map(|selected| shown.details(selected))
    };
    view! {
        <p class="details" aria-live="polite" data-testid="details">
            {move || text().unwrap_or_else(|| "Select an instruction to see why it runs when it does; drag over cycles for totals.".to_owned())}
            <span class="hidden" data-testid="selected">{move || app.selected.get().map(selection_text)}</span>
        </p>
    }
}
