//! The listing: each line with its unit, its control fields in words, and how long warps waited before it.

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};

use std::sync::Arc;

use super::stage::Stage;
use base::people;
use code_lab::draw::ink_of;
use code_lab::page::listed::{Both, Row, Was, more, rows};
use code_lab::page::{Seen, says};
use kit::draw::{Hatch, Ink, Theme};
use ui_kit::heat;
use ui_kit::rows::{Grid, Rows};
use ui_kit::swatch::InkSwatch;

const HEADS: [&str; 6] = ["At", "Instruction", "Unit", "Control", "Waited", "±"];

/// What the rows are made of: the rows, and the code that is pinned held against this one.
#[derive(Clone)]
struct Listed {
    rows: Vec<Row>,
    pinned: Option<(Arc<Seen>, Both)>,
}

#[component]
pub(super) fn Source(stage: Stage) -> impl IntoView {
    let hidden = stage.hidden();
    let listed = ArcMemo::new_with_compare(
        move |_| {
            let pinned = stage.pinned();
            let made = |seen: &Seen| {
                let pinned = pinned.map(|pinned| (Arc::clone(&pinned), Both::of(&pinned, seen)));
                let rows = rows(seen, pinned.as_ref().map(|(_, both)| both));
                Listed { rows, pinned }
            };
            Arc::new(stage.with(made).unwrap_or(Listed { rows: Vec::new(), pinned: None }))
        },
        |_, _| true,
    );
    let listed: Memo<Arc<Listed>> = listed.into();
    let count = memo(move |_| listed.with(|listed| listed.rows.len()));
    let row_of =
        move |line: usize| listed.with(|listed| listed.rows.iter().position(|row| *row == Row::Line(line)));
    let line_of = move |row: usize| {
        listed.with(|listed| match listed.rows.get(row) {
            Some(Row::Line(line)) => Some(*line),
            _ => None,
        })
    };
    let place = memo(move |_| row_of(stage.lit()?));
    let selected = memo(move |_| row_of(stage.line.get()?));
    let over = RwSignal::new(None);
    effect(move || {
        let line = over.get().and_then(line_of);
        if stage.over.get_untracked() != line {
            stage.over.set(line);
        }
    });
    let select = Callback::new(move |row| {
        if let Some(line) = untrack(|| line_of(row)) {
            stage.select_line(line);
        }
    });
    // The arrow keys pass over what is no instruction.
    let go = Callback::new(move |row: usize| {
        let here = untrack(|| selected.get()).unwrap_or(0);
        let next = untrack(|| {
            listed.with(|listed| {
                let is_line = |row: &usize| matches!(listed.rows.get(*row), Some(Row::Line(_)));
                let mut down = row..listed.rows.len();
                let mut up = (0..=row).rev();
                if row < here { up.find(is_line) } else { down.find(is_line) }
            })
        });
        if let Some(row) = next {
            select.run(row);
        }
    });
    let rows = Rows {
        label: "Instructions",
        id: "code-lines",
        heads: &HEADS,
        seen: 60,
        count: count.into(),
        place: place.into(),
        selected: selected.into(),
        over,
        go,
        open: select,
        cells: Callback::new(move |row| {
            // A row of another kind is made anew.
            let kind = memo(move |_| listed.with(|listed| listed.rows.get(row).copied()));
            live(move || match kind.get() {
                Some(Row::Line(line)) => cells(stage, line, listed, hidden),
                Some(Row::Removed(line)) => removed(listed, line),
                Some(Row::LeftOut(which)) => left_out(stage, which),
                None => ().into_any(),
            })
            .into_any()
        }),
    };
    let compares = memo(move |_| listed.with(|listed| listed.pinned.is_some()));
    view! { <div class="code-source" class:compared=live(move || compares.get())><Grid rows/></div> }
}

/// A line that was not understood, where it stands in the text.
fn left_out(stage: Stage, which: usize) -> AnyView {
    let own = stage.with(|seen| seen.report.left_out.get(which).cloned()).flatten();
    let (_, number, text) = own.unwrap_or_default();
    let said = format!("Line {number} of the listing was not understood and is left out: {text}");
    view! {
        <span role="gridcell" class="code-sign wrong" aria-hidden="true">"!"</span>
        <span role="gridcell" class="code code-gone unsure" title=said.clone() tabindex="0" aria-label=said><span>{text}</span><em>"left out"</em></span>
    }
    .into_any()
}

/// A line of the code that is pinned, which is no longer there.
fn removed(listed: Memo<Arc<Listed>>, line: usize) -> AnyView {
    let text = listed.with(|listed| {
        let (pinned, _) = listed.pinned.as_ref()?;
        pinned.report.code.get(line).map(says::full_text)
    });
    let text = text.unwrap_or_default();
    let said = format!("Only in what is pinned: {text}");
    view! {
        <span role="gridcell" class="code-sign way-worse" title="Removed: only in what is pinned">"−"</span>
        <span role="gridcell" class="code code-gone removed" title=said><del>{text}</del></span>
    }
    .into_any()
}

fn cells(stage: Stage, at: usize, listed: Memo<Arc<Listed>>, hidden: Signal<bool>) -> AnyView {
    let line = memo(move |_| stage.with(|seen| seen.report.code.get(at).cloned()).flatten());
    let of = move |what: fn(&code_lab::report::Line) -> String| {
        live(move || line.with(|line| line.as_ref().map(what)).unwrap_or_default())
    };
    let text = of(|line| says::text(line).to_owned());
    let was = memo(move |_| listed.with(|listed| listed.pinned.as_ref()?.1.was.get(at).copied()));
    let before = move || {
        listed.with(|listed| {
            let (pinned, both) = listed.pinned.as_ref()?;
            let Was::Changed(old) = both.was.get(at)? else { return None };
            pinned.report.code.get(*old).map(says::full_text)
        })
    };
    // What differs stands before the address, and what was there in words.
    let sign = move || match was.get()? {
        Was::Added => Some(("+", "way-better", "Added: not in what is pinned".to_owned())),
        Was::Changed(_) => {
            Some(("≠", "way-other", format!("Changed; pinned: {}", before().unwrap_or_default())))
        }
        Was::Same(_) => None,
    };
    let unsure = memo(move |_| line.with(|line| line.as_ref().and_then(|line| line.unsure.clone())));
    let more = move || {
        let (said, way) = listed.with(|listed| {
            let (pinned, both) = listed.pinned.as_ref()?;
            stage.with(|seen| more(seen, pinned, both, at)).flatten()
        })?;
        let title = format!("{said} cycles waited here than in what is pinned");
        Some(view! { <span class=format!("way-{}", way.name()) title=title>{said}</span> })
    };
    // What the column may cut stands first.
    let hint = move || {
        line.with(|line| {
            let line = line.as_ref()?;
            let said = unsure.get().unwrap_or_else(|| says::line(line));
            Some(match says::whole(line, before().as_deref()) {
                Some(whole) => format!("{whole}\n{said}"),
                None => said,
            })
        })
    };
    let ink = move || stage.with(|seen| seen.timeline.class(at)).unwrap_or(0);
    let differs = move || match was.get() {
        Some(Was::Added) => "number added",
        Some(Was::Changed(_)) => "number changed",
        _ => "number",
    };
    view! {
        <span role="gridcell" class=live(differs) title=live(move || sign().map(|sign| sign.2))>
            {live(move || sign().map(|(sign, way, _)| view! { <b class=format!("code-sign {way}")>{sign}</b> }))}
            {of(|line| format!("{:04x}", line.address))}
        </span>
        <span role="gridcell" class="code heat" class:unsure=live(move || unsure.with(Option::is_some))
            style=live(move || (!hidden.get()).then(|| heated(stage, at)).flatten())
            title=live(hint)>
            {live(move || unsure.get().map(|said| view! { <button type="button" class="code-unsure" title=said.clone() aria-label=said.clone()>"?"</button> }))}
            {text}
        </span>
        <span role="gridcell" class="code-unit">
            {live(move || view! { <InkSwatch ink=kit::draw::Ink::Class(ink()) hatch=Hatch::None/> })}
            {of(|line| line.unit.as_deref().map_or("none", says::unit_short).to_owned())}
        </span>
        <span role="gridcell" class="code-control" title=of(says::control)>{of(says::control_short)}</span>
        <span role="gridcell" class="code-waited">{live(move || (!hidden.get()).then(|| view! { <Waited stage at/> }))}</span>
        <span role="gridcell" class="code-more">{live(more)}</span>
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

/// How many small letters take the room of a name: capitals are wider.
fn letters(name: &str) -> usize {
    name.chars().count() + name.chars().filter(char::is_ascii_uppercase).count().div_ceil(5)
}

/// How many letters the texts and the control fields of all lines need at most, for the style sheet.
pub(super) fn widths(stage: Stage) -> String {
    // A text that is longer than nearly all others is cut.
    let texts = |seen: &code_lab::page::Seen| {
        let mut texts: Vec<usize> =
            seen.report.code.iter().map(|line| says::text(line).chars().count()).collect();
        texts.sort_unstable();
        texts.get(texts.len() * 9 / 10).copied().unwrap_or(0)
    };
    let most = |what: fn(&code_lab::report::Line) -> usize| {
        stage.with(|seen| seen.report.code.iter().map(what).max().unwrap_or(0)).unwrap_or(0)
    };
    let text = stage.with(texts).unwrap_or(0).clamp(14, 48);
    let control = most(|line| says::control_short(line).chars().count()).clamp(7, 24);
    let unit =
        most(|line| line.unit.as_deref().map_or(4, |unit| letters(says::unit_short(unit)))).clamp(5, 16);
    format!("--text-chars: {text}; --control-chars: {control}; --unit-chars: {unit}")
}

/// The share of all waiting, as a bar in the colours of what for.
#[component]
fn Waited(stage: Stage, at: usize) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    let known = memo(move |_| {
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
