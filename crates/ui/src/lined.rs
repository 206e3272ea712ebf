//! Numbers and marks beside the lines of a text box. They scroll with its text; the box itself stays as it is, so that
//! typing, selecting and undoing are the browser's.
//!
//! Invariant: the text does not wrap, so that all lines are equally high. Only the lines in sight exist.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::HtmlTextAreaElement;

use crate::follow::follow_size;
use crate::keys;
use crate::live::{effect, live, memo};
use crate::styles::{self, wear};
use kit::page::mend::{self, Mark};

/// Spaces that a tab stands for at most, as the style sheet has it.
const TAB: usize = 4;

/// What of a box is in sight: the height of a line, the first line's top, what is scrolled to the side, and its height.
#[derive(Clone, Copy, PartialEq, Default)]
struct Seen {
    line: f64,
    top: f64,
    aside: f64,
    high: f64,
}

/// The box of an id.
fn area(id: &str) -> Option<HtmlTextAreaElement> {
    keys::element(id)?.dyn_into().ok()
}

fn style_of(area: &HtmlTextAreaElement, name: &str) -> f64 {
    let style = window().get_computed_style(area).ok().flatten();
    let text = style.and_then(|style| style.get_property_value(name).ok()).unwrap_or_default();
    text.trim_end_matches("px").parse().unwrap_or(0.0)
}

fn seen(area: &HtmlTextAreaElement) -> Seen {
    Seen {
        line: style_of(area, "line-height").max(1.0),
        top: style_of(area, "padding-top") - f64::from(area.scroll_top()),
        aside: f64::from(area.scroll_left()),
        high: f64::from(area.client_height()),
    }
}

/// Takes the keyboard to a line of a box, from 0, and selects it; it comes to the middle.
pub fn go(id: &str, line: usize) -> bool {
    let Some(area) = area(id) else { return false };
    let Some((from, to)) = mend::span(&area.value(), line) else { return false };
    let _ = area.focus();
    let _ = area.set_selection_range(from, to);
    let Seen { line: high, high: room, .. } = seen(&area);
    area.set_scroll_top((high * (line as f64 + 0.5) - room / 2.0).max(0.0) as i32);
    area.set_scroll_left(0);
    true
}

/// Takes the keyboard to the field of a form that a problem is about, and to the line in it; whatever hides the field is
/// unfolded. Whether there is such a field, and it can be edited.
pub fn mend(place: &str) -> bool {
    let (path, line) = mend::apart(place);
    let depth = mend::fields(path).len();
    let control = mend::fields(path).into_iter().enumerate().find_map(|(up, id)| {
        let own = found(&format!("[data-testid=\"field-{id}\"]"));
        own.or_else(|| beside(&id, up == 0 && depth > 1))
    });
    let Some(control) = control.filter(|control| !control.has_attribute("disabled")) else { return false };
    while let Some(fold) = control.closest("details:not([open])").ok().flatten() {
        if fold.set_attribute("open", "").is_err() {
            break;
        }
    }
    if let (Some(line), Some(_)) = (line, control.dyn_ref::<HtmlTextAreaElement>())
        && go(&control.id(), line)
    {
        return true;
    }
    let _ = control.focus();
    if let Some(field) = control.dyn_ref::<web_sys::HtmlInputElement>() {
        field.select();
    }
    true
}

fn found(selector: &str) -> Option<web_sys::HtmlElement> {
    document().query_selector(selector).ok()??.dyn_into().ok()
}

/// The control that notes are beside: one that is wrong, or, where the notes are of nothing else, any.
fn beside(id: &str, exact: bool) -> Option<web_sys::HtmlElement> {
    let notes = format!("[data-testid=\"problems-{id}\"], [data-testid=\"notes-{id}\"]");
    let group = document().query_selector(&notes).ok()??.closest(".field, li, fieldset").ok()??;
    let one = |selector| group.query_selector(selector).ok().flatten();
    let wrong = one("[aria-invalid=true]");
    wrong.or_else(|| one("input, select, textarea").filter(|_| exact))?.dyn_into().ok()
}

/// What stands beside the lines of a box, and over it; the box stands before it in the same `lined`.
#[component]
pub fn Margin(
    /// The id of the box.
    area_id: String,
    /// What stands in it.
    #[prop(into)]
    text: Signal<String>,
    /// The lines that something is said about.
    #[prop(into)]
    marks: Signal<Vec<Mark>>,
) -> impl IntoView {
    wear(&[styles::LINED]);
    let host = NodeRef::<leptos::html::Div>::new();
    let id = StoredValue::new(area_id);
    let now = RwSignal::new(Seen::default());
    let measure = move || {
        // A frame may come after the box is gone.
        if let Some(area) = id.try_with_value(|id| area(id)).flatten() {
            let seen = seen(&area);
            if now.try_get_untracked().is_some_and(|known| known != seen) {
                now.set(seen);
            }
        }
    };
    follow_size(
        move || {
            host.get()?;
            id.with_value(|id| area(id)).map(Into::into)
        },
        move |_| measure(),
    );
    let scrolled = StoredValue::new_local(None::<(HtmlTextAreaElement, Closure<dyn FnMut()>)>);
    effect(move || {
        let (Some(_), Some(area)) = (host.get(), id.with_value(|id| area(id))) else { return };
        let closure = Closure::<dyn FnMut()>::new(measure);
        let _ = area.add_event_listener_with_callback("scroll", closure.as_ref().unchecked_ref());
        scrolled.set_value(Some((area, closure)));
    });
    on_cleanup(move || {
        if let Some(Some((area, closure))) = scrolled.try_update_value(Option::take) {
            let _ = area.remove_event_listener_with_callback("scroll", closure.as_ref().unchecked_ref());
        }
    });
    // A text that was set may be scrolled otherwise than the one before.
    effect(move || {
        text.track();
        request_animation_frame(measure);
    });
    let count = memo(move |_| text.with(|text| text.matches('\n').count() + 1));
    let range = memo(move |_| {
        let Seen { line, top, high, .. } = now.get();
        let first = (-top / line.max(1.0)).floor().max(0.0) as usize;
        let last = ((high - top) / line.max(1.0)).ceil().max(0.0) as usize;
        (first.min(count.get()), last.min(count.get()))
    });
    let wide = memo(move |_| count.get().to_string().len().max(2));
    // The text begins beside the numbers.
    effect(move || {
        let digits = wide.get().to_string();
        if let (Some(_), Some(area)) = (host.get(), id.with_value(|id| area(id))) {
            let _ = web_sys::HtmlElement::style(&area).set_property("--digits", &digits);
        }
    });
    let place = move |line: usize| {
        let Seen { line: high, top, .. } = now.get();
        format!("transform: translateY({}px); height: {high}px", top + line as f64 * high)
    };
    let said = memo(move |_| {
        let (first, last) = range.get();
        let in_sight = |mark: &&Mark| (first..last).contains(&mark.line);
        let lines: Vec<(Mark, usize)> = text.with(|text| {
            let lines: Vec<&str> = text.split('\n').skip(first).take(last - first).collect();
            let end = |mark: &Mark| lines.get(mark.line - first).map_or(0, |line| mend::columns(line, TAB));
            marks.with(|marks| marks.iter().filter(in_sight).map(|mark| (mark.clone(), end(mark))).collect())
        });
        lines
    });
    let marked = memo(move |_| said.with(|all| all.iter().map(|(mark, _)| mark.line).collect::<Vec<_>>()));
    let numbers = move || {
        let (first, last) = range.get();
        let number = |line: usize| {
            let wrong = marked.with(|marked| marked.contains(&line));
            view! { <span class="lined-number" class:wrong=wrong style=move || place(line)>{(line + 1).to_string()}</span> }
        };
        (first..last).map(number).collect_view()
    };
    let lines = move || {
        let mark = |(mark, end): (Mark, usize)| {
            let line = mark.line;
            let left = move || format!("left: calc({end}ch + 2ch + 0.625rem - {}px)", now.get().aside);
            view! {
                <div class="lined-line" data-line=line + 1 style=move || place(line)>
                    <div class="lined-said" style=left><span>{mark.said}</span></div>
                </div>
            }
        };
        said.get().into_iter().map(mark).collect_view()
    };
    view! {
        <div class="lined-margin" aria-hidden="true" node_ref=host data-testid="margin"
            style=live(move || format!("--digits: {}; height: {}px", wide.get(), now.get().high))>
            <div class="lined-numbers">{numbers}</div>
            <div class="lined-lines code">{lines}</div>
        </div>
    }
}
