//! The drawing: marks that are seen, and over them a button for each station, which is heard and takes the focus.

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};

use super::stage::{Stage, station_id};
use chain_lab::draw::chain::{Arrangement, Card, Layout, Missing, draw};
use chain_lab::report::chain::WholeReport;
use chain_lab::timeline::chain::{Node, content};
use kit::draw::dim::veil;
use kit::draw::{Align, DrawList, Hatch, Mark, Theme};
use kit::export::svg::hatch_lines;

/// So much room beneath the picture is enough for what there is to say about a station.
const DETAILS: f64 = 208.0;

/// From this width on, numbers fit into columns as they are.
const ROOMY: f64 = 1_040.0;

/// What is drawn, and where its cards are.
#[derive(Clone, PartialEq)]
struct Drawn {
    plan: Layout,
    list: DrawList,
    /// How much larger it is shown.
    scale: f64,
}

/// The largest picture that has room, up to half as large again: with the details beneath it, else without.
fn fitted(report: &WholeReport, (width, height): (f64, f64)) -> (Layout, f64) {
    let scales = [1.5, 1.4, 1.3, 1.2, 1.1, 1.0];
    let plans = scales.map(|scale| (Layout::new(report, width / scale), scale));
    // Narrow columns cut their numbers.
    let roomy = |(plan, scale): &&(Layout, f64)| {
        *scale == 1.0 || plan.arrangement != Arrangement::Columns || width / scale >= ROOMY
    };
    let within =
        |height: f64| plans.iter().filter(roomy).find(|(plan, scale)| plan.height * scale <= height).cloned();
    let fits = within(height - DETAILS).or_else(|| within(height));
    fits.unwrap_or_else(|| (Layout::new(report, width), 1.0))
}

/// The picture as an element.
#[component]
pub(super) fn Drawing(stage: Stage) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    let drawn = memo(move |_| {
        let room = stage.room.get();
        let missing = if stage.running.get() { Missing::Pending } else { Missing::Unknown };
        stage.with(|report| {
            let (plan, scale) = fitted(report, room);
            let mut list = draw(report, &plan, missing);
            if let Some(found) = stage.found.get() {
                let spot = |node: &Node| plan.card(*node).map(|at| (at.x, at.x + at.w, at.y, at.y + at.h));
                let spots = found.iter().filter_map(spot).collect();
                veil(&mut list, (0.0, plan.width, 0.0, plan.height), spots);
            }
            Drawn { list, plan, scale }
        })
    });
    effect(move || {
        let high = drawn.with(|drawn| drawn.as_ref().map_or(0.0, |drawn| drawn.plan.height * drawn.scale));
        let room = stage.room.get().1 - high >= DETAILS;
        if stage.beneath.get_untracked() != room {
            stage.beneath.set(room);
        }
    });
    let size = move || {
        drawn.with(|drawn| drawn.as_ref().map_or((1.0, 1.0), |drawn| (drawn.list.width, drawn.list.height)))
    };
    let scale = move || drawn.with(|drawn| drawn.as_ref().map_or(1.0, |drawn| drawn.scale));
    let marks = move || {
        let theme = theme.get();
        drawn.with(|drawn| {
            let marks = drawn.iter().flat_map(|drawn| &drawn.list.marks);
            marks.map(|mark| element(mark, theme)).collect_view()
        })
    };
    let nodes = move || {
        drawn.with(|drawn| {
            drawn.iter().flat_map(|drawn| drawn.plan.cards.iter().map(|card| card.node)).collect::<Vec<_>>()
        })
    };
    let card =
        move |node| drawn.with(|drawn| drawn.as_ref().and_then(|drawn| drawn.plan.card(node).copied()));
    let patterns = (0..4_u8).map(|class| {
        let line = |[x1, y1, x2, y2]: &[f64; 4]| view! { <line x1=*x1 y1=*y1 x2=*x2 y2=*y2 stroke="#000" stroke-opacity="0.32"/> };
        view! {
            <pattern id=format!("chain-hatch{class}") width="8" height="8" patternUnits="userSpaceOnUse">
                {hatch_lines(class).iter().map(line).collect_view()}
            </pattern>
        }
    });
    view! {
        <svg class="chain-drawing" width=live(move || size().0 * scale()) height=live(move || size().1 * scale())
            viewBox=live(move || { let (w, h) = size(); format!("0 0 {w} {h}") }) role="group" aria-label="Stations of the chain" data-testid="chain-drawing">
            <defs>{patterns.collect_view()}</defs>
            <g aria-hidden="true">{marks}</g>
            <For each=nodes key=|node| *node children=move |node| view! { <Spot stage node card=Signal::derive(move || card(node))/> }/>
        </svg>
    }
}

/// The button of a station.
#[component]
fn Spot(stage: Stage, node: Node, card: Signal<Option<Card>>) -> impl IntoView {
    let here = memo(move |_| stage.node.get() == Some(node));
    let words = memo(move |_| {
        let said = stage.with(|report| content(report, node).map(|content| content.spoken));
        let said = said.flatten().unwrap_or_default();
        if stage.running.get() { said.replace("not known", "still being computed") } else { said }
    });
    let at = move |part: fn(&Card) -> f64| card.with(|card| card.as_ref().map_or(0.0, part));
    view! {
        <g class="station" role="button" tabindex=live(move || if here.get() { "0" } else { "-1" })
            aria-pressed=live(move || if here.get() { "true" } else { "false" }) aria-label=live(move || words.get())
            data-testid=station_id(node)
            on:focus=move |_| stage.choose(node) on:click=move |_| stage.go(node)>
            <title>{live(move || words.get())}</title>
            <rect x=live(move || at(|card| card.x)) y=live(move || at(|card| card.y)) width=live(move || at(|card| card.w)) height=live(move || at(|card| card.h)) rx="2"/>
        </g>
    }
}

fn element(mark: &Mark, theme: Theme) -> AnyView {
    match mark {
        Mark::Rect { x, y, w, h, ink, hatch } => {
            let over = match hatch {
                Hatch::Class(class) if !hatch_lines(*class).is_empty() => {
                    Some(format!("url(#chain-hatch{})", class % 4))
                }
                _ => None,
            };
            let over = over.map(|fill| view! { <rect x=*x y=*y width=*w height=*h fill=fill/> });
            view! { <rect x=*x y=*y width=*w height=*h fill=theme.color(*ink)/>{over} }.into_any()
        }
        Mark::Frame { x, y, w, h, ink, line } => view! {
            <rect x=*x y=*y width=*w height=*h fill="none" stroke=theme.color(*ink) stroke-width=*line/>
        }
        .into_any(),
        Mark::Line { from, to, ink, line } => view! {
            <line x1=from.0 y1=from.1 x2=to.0 y2=to.1 stroke=theme.color(*ink) stroke-width=*line/>
        }
        .into_any(),
        Mark::Text { x, y, text, ink, size, align } => {
            let anchor = match align {
                Align::Start => "start",
                Align::Middle => "middle",
                Align::End => "end",
            };
            view! {
                <text x=*x y=*y font-size=*size text-anchor=anchor dominant-baseline="central" fill=theme.color(*ink)>{text.clone()}</text>
            }
            .into_any()
        }
    }
}
