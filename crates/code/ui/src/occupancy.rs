//! Beneath the picture: how many blocks a multiprocessor holds, what a block takes, and warps against each of that.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use super::tables::{Row, Table, grid};
use base::people::{counted, grouped};
use code_lab::page::occupancy::{Curve, curves, heading, sentence, take, taken};
use code_lab::page::{edits, sources};
use code_lab::report::OccupancyReport;
use ui_kit::styles::Sheet;

/// Its own style.
pub(super) const OCCUPANCY: Sheet = Sheet { name: "occupancy", text: include_str!("occupancy.css") };

/// The size that curves are drawn in.
const WIDTH: u32 = 1_000;
const HEIGHT: u32 = 400;

/// The panel; nothing where nobody says what a block takes.
#[component]
pub(super) fn Occupancy(stage: Stage) -> impl IntoView {
    let own = memo(move |_| {
        stage.with(|seen| seen.report.occupancy.clone().map(|own| (own, seen.report.count))).flatten()
    });
    let of = move |what: fn(&OccupancyReport) -> String| {
        live(move || own.with(|own| own.as_ref().map(|own| what(&own.0))).unwrap_or_default())
    };
    let rows = memo(move |_| {
        let all = own.with(|own| own.as_ref().map(|own| taken(&own.0)));
        let row = |own: code_lab::page::occupancy::Taken| Row {
            name: own.name.to_owned(),
            called: own.name.to_owned(),
            about: own.of.to_owned(),
            value: Some(own.value),
            source: own.known,
        };
        all.into_iter().flatten().map(row).collect()
    });
    let write = Callback::new(move |(name, typed): (String, String)| {
        stage.edit(|tree| match &name[..] {
            "threads" => edits::with_threads(tree, &typed),
            name => edits::with_need(tree, name, &typed),
        });
    });
    let needs = grid(Table {
        id: "code-needs",
        field: "code-need",
        title: "",
        hint: "",
        heads: &["A block takes", "Of", "Number", "Known by"],
        label: "What a block takes:",
        empty: "nobody says it",
        open: true,
        rows,
        write,
        now: None,
        wrong: Callback::new(move |name: String| {
            let key = if name == "threads" { "block" } else { &name };
            stage.told.with(|told| edits::wrong(&told.problems, key, "")).filter(|_| !key.is_empty())
        }),
    });
    let free = memo(move |_| own.with(|own| own.as_ref().and_then(|(own, count)| take(own, *count))));
    let act = move |_| {
        let block = own.with_untracked(|own| own.as_ref().map(|own| own.0.block));
        if let Some((held, block)) = free.get_untracked().zip(block) {
            stage.edit(|tree| edits::with_held(tree, held, block));
        }
    };
    let named = move || match free.get() {
        Some(warps) => format!("Take these {}", counted(warps as usize, "warp")),
        None => "Take these warps".to_owned(),
    };
    let all = memo(move |_| own.with(|own| own.as_ref().map(|own| curves(&own.0))).unwrap_or_default());
    view! {
        <details class="section" hidden=live(move || own.with(Option::is_none)) data-testid="code-occupancy">
            <summary>{of(heading)}</summary>
            <p class="lead" aria-live="polite" data-testid="code-held">{of(sentence)}</p>
            <div class="occupancy">
                <div class="occupancy-needs">
                    {needs}
                    <p class="hint">"Numbers that are changed here stand in the document; an empty field brings those of the listing back."</p>
                    <button type="button" data-testid="code-take" disabled=live(move || free.get().is_none()) on:click=act
                        title="Asks for as many warps as a multiprocessor holds">{live(named)}</button>
                </div>
                <div class="occupancy-curves">{(0..3).map(|at| curve(all, at)).collect_view()}</div>
            </div>
            <details class="more" data-testid="code-limits">
                <summary>{of(|own| format!("Limits of a multiprocessor of {}", own.architecture))}</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="Limits"><table class="numbers"><thead><tr><th scope="col">"What of"</th><th scope="col">"Most"</th><th scope="col">"Source"</th></tr></thead>
                    <tbody>{live(move || limits(own))}</tbody></table></div>
            </details>
        </details>
    }
}

fn limits(own: Memo<Option<(OccupancyReport, usize)>>) -> AnyView {
    let rows = own.with(|own| own.as_ref().map(|own| own.0.limits.clone())).unwrap_or_default();
    let line = |(name, number, source): (
        std::borrow::Cow<'static, str>,
        u32,
        std::borrow::Cow<'static, str>,
    )| {
        view! { <tr><th scope="row">{name.to_string()}</th><td>{grouped(number.into())}</td><td>{sources::in_words(&source)}</td></tr> }
    };
    rows.into_iter().map(line).collect_view().into_any()
}

/// One of the curves, with the present number marked.
fn curve(all: Memo<Vec<Curve>>, at: usize) -> AnyView {
    let of = move |what: fn(&Curve) -> String| {
        live(move || all.with(|all| all.get(at).map(what)).unwrap_or_default())
    };
    let key = all.with_untracked(|all| all.get(at).map_or("", |curve| curve.key));
    let up = |curve: &Curve| {
        curve.point(WIDTH, HEIGHT).map_or_else(String::new, |(x, y)| format!("M{x} {HEIGHT}V{y}"))
    };
    let dot =
        |curve: &Curve| curve.point(WIDTH, HEIGHT).map_or_else(String::new, |(x, y)| format!("M{x} {y}h0"));
    let now = |curve: &Curve| curve.at.map_or_else(String::new, |(_, warps)| counted(warps as usize, "warp"));
    view! {
        <figure data-testid=format!("code-curve-{key}")>
            <figcaption><span>{of(|curve| curve.name.to_owned())}</span><strong>{of(now)}</strong></figcaption>
            <span class="up">{of(|curve| curve.most.to_string())}</span>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" role="img" aria-label=of(|curve| curve.said.clone())>
                <title>{of(|curve| curve.said.clone())}</title>
                <path class="rule" d=format!("M0 0H{WIDTH}M0 {}H{WIDTH}M0 {HEIGHT}H{WIDTH}", HEIGHT / 2)/>
                <path class="fill" d=of(|curve| format!("{}V{HEIGHT}H0Z", curve.line(WIDTH, HEIGHT)))/>
                <path class="here" d=of(up)/>
                <path class="line" d=of(|curve| curve.line(WIDTH, HEIGHT))/>
                <path class="now" d=of(dot)/>
            </svg>
            <span class="down">"0"</span>
            <span class="ends"><span>{of(|curve| curve.ends[0].clone())}</span><span>{of(|curve| curve.ends[1].clone())}</span></span>
        </figure>
    }
    .into_any()
}
