//! The listing: each line with its unit, its control fields in words, and how long warps waited before it.

use leptos::prelude::*;
use ui_kit::live::live;

use super::stage::Stage;
use base::people;
use code_lab::draw::ink_of;
use code_lab::page::says;
use kit::draw::{Hatch, Ink, Theme};
use ui_kit::heat;
use ui_kit::rows::{Grid, Rows};
use ui_kit::swatch::InkSwatch;

const HEADS: [&str; 5] = ["At", "Instruction", "Unit", "Control", "Waited"];

#[component]
pub(super) fn Source(stage: Stage) -> impl IntoView {
    let hidden = stage.hidden();
    let count = Memo::new(move |_| stage.with(|seen| seen.report.code.len()).unwrap_or(0));
    let place = Memo::new(move |_| stage.lit());
    let selected = Memo::new(move |_| stage.line.get());
    let select = Callback::new(move |line| stage.select_line(line));
    let rows = Rows {
        label: "Instructions",
        id: "code-lines",
        heads: &HEADS,
        seen: 60,
        count: count.into(),
        place: place.into(),
        selected: selected.into(),
        over: stage.over,
        go: select,
        open: select,
        cells: Callback::new(move |line| cells(stage, line, hidden)),
    };
    view! { <div class="code-source"><Grid rows/></div> }
}

fn cells(stage: Stage, at: usize, hidden: Signal<bool>) -> AnyView {
    let line = Memo::new(move |_| stage.with(|seen| seen.report.code.get(at).cloned()).flatten());
    let of = move |what: fn(&code_lab::report::Line) -> String| {
        live(move || line.with(|line| line.as_ref().map(what)).unwrap_or_default())
    };
    let text = live(move || {
        line.with(|line| {
            line.as_ref().map(|line| match &line.text[..] {
                "" => format!("instruction {}", at + 1),
                text => text.to_owned(),
            })
        })
    });
    let ink = move || stage.with(|seen| seen.timeline.class(at)).unwrap_or(0);
    view! {
        <span role="gridcell" class="number">{of(|line| format!("{:04x}", line.address))}</span>
        <span role="gridcell" class="code heat" style=live(move || (!hidden.get()).then(|| heated(stage, at)).flatten()) title=of(says::line)>{text}</span>
        <span role="gridcell" class="code-unit">
            {live(move || view! { <InkSwatch ink=kit::draw::Ink::Class(ink()) hatch=Hatch::None/> })}
            {of(|line| line.unit.clone().unwrap_or_else(|| "none".to_owned()))}
        </span>
        <span role="gridcell" class="code-control" title=of(says::control)>{of(says::control_short)}</span>
        <span role="gridcell" class="code-waited">{live(move || (!hidden.get()).then(|| view! { <Waited stage at/> }))}</span>
    }
    .into_any()
}

/// The colour of the waiting before a line.
fn heated(stage: Stage, at: usize) -> Option<String> {
    stage.with(|seen| {
        let most = seen.report.code.iter().map(|line| line.share).fold(0.0, f64::max);
        let line = seen.report.code.get(at).filter(|line| line.share > 0.0)?;
        let part = |(kind, cycles): (code_lab::report::Kind, u64)| match ink_of(kind) {
            Ink::Wait(kind) => Some((kind, cycles as f64)),
            _ => None,
        };
        let parts: Vec<_> = says::waited(line).into_iter().filter_map(part).collect();
        Some(heat::style(&parts, line.share / most))
    })?
}

/// How many letters the texts and the control fields of all lines need at most, for the style sheet.
pub(super) fn widths(stage: Stage) -> String {
    // A text that is longer than nearly all others is cut.
    let texts = |seen: &code_lab::page::Seen| {
        let mut texts: Vec<usize> = seen.report.code.iter().map(|line| line.text.chars().count()).collect();
        texts.sort_unstable();
        texts.get(texts.len() * 9 / 10).copied().unwrap_or(0)
    };
    let most = |what: fn(&code_lab::report::Line) -> usize| {
        stage.with(|seen| seen.report.code.iter().map(what).max().unwrap_or(0)).unwrap_or(0)
    };
    let text = stage.with(texts).unwrap_or(0).clamp(14, 48);
    let control = most(|line| says::control_short(line).chars().count()).clamp(7, 24);
    let unit = most(|line| line.unit.as_ref().map_or(4, |unit| unit.chars().count())).clamp(4, 12);
    format!("--text-chars: {text}; --control-chars: {control}; --unit-chars: {unit}")
}

/// The share of all waiting, as a bar in the colours of what for.
#[component]
fn Waited(stage: Stage, at: usize) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    let known = Memo::new(move |_| {
        stage
            .with(|seen| {
                let most = seen.report.code.iter().map(|line| line.share).fold(0.0, f64::max);
                let line = seen.report.code.get(at)?;
                Some((line.share, line.share / most.max(f64::MIN_POSITIVE), says::waited(line)))
            })
            .flatten()
    });
    move || {
        let (share, wide, parts) = known.get().filter(|known| known.0 > 0.0)?;
        let all: u64 = parts.iter().map(|part| part.1).sum::<u64>().max(1);
        let part = |(kind, cycles): &(code_lab::report::Kind, u64)| {
            let width = wide * 100.0 * *cycles as f64 / all as f64;
            view! { <i style=format!("width: {width:.2}%; background: {}", theme.get().color(ink_of(*kind)))></i> }
        };
        Some(view! {
            <span class="code-bar" aria-hidden="true">{parts.iter().map(part).collect_view()}</span>
            <span>{people::percent(share)}</span>
        })
    }
}
