//! Whether a measured run keeps the rules: what it was held against, and everything found, one click from its block.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::{Focus, Panel};
use base::{Nanos, people};
use blocks_lab::page::blocks::Seen;
use blocks_lab::page::blocks::check::{List, PAGE, against, kinds, places, range, sentence, verdict, who};
use blocks_lab::report::{CheckReport, ViolationReport};
use ui_kit::controls::{Bound, Choices, select};

/// Fewer need not be told apart.
const FEW: usize = 8;

/// The check, where anything was measured.
#[component]
pub fn Check(panel: Panel) -> impl IntoView {
    let run = memo(move |_| panel.seen.get().map(Run).filter(|run| run.check().is_some()));
    move || run.get().map(|run| view! { <Checked panel run/> })
}

/// A result with a measured run. Two are the same only if they are one.
#[derive(Clone)]
struct Run(Arc<Seen>);

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Run {
    fn check(&self) -> Option<&CheckReport> {
        self.0.report.measured.as_ref().map(|measured| &measured.check)
    }

    fn list(&self, list: List) -> &[ViolationReport] {
        self.check().map_or(&[], |check| list.of(check))
    }
}

#[component]
fn Checked(panel: Panel, run: Run) -> impl IntoView {
    let Some(check) = run.check() else { return ().into_any() };
    let tone = if check.conforms { "good" } else { "bad" };
    let has = |list: List| !run.list(list).is_empty();
    let remarks = people::counted(check.remarks.len(), "remark");
    let warnings = check.warnings.clone();
    let noted = people::plural(warnings.len(), "note on the logs", "notes on the logs");
    view! {
        <section class="figure" aria-labelledby="check-title" data-testid="check">
            <h2 id="check-title">"Does the measured run keep the rules?"</h2>
            <p class=format!("verdict {tone}") data-testid="check-verdict">{verdict(check)}</p>
            <dl class="facts">
                {against(check).into_iter().map(|(term, said)| view! { <div><dt>{term}</dt><dd>{said}</dd></div> }).collect_view()}
            </dl>
            {has(List::Violations).then(|| view! { <Findings panel run=run.clone() list=List::Violations label="Violations"/> })}
            {has(List::Inconsistencies).then(|| view! {
                <h3>"What the record itself lacks or contradicts"</h3>
                <Findings panel run=run.clone() list=List::Inconsistencies label="Gaps and contradictions"/>
            })}
            {(check.left_out > 0).then(|| view! { <p class="hint">{format!("{} more are counted and not listed.", people::grouped(check.left_out as u128))}</p> })}
            {has(List::Remarks).then(|| view! {
                <details class="more" data-testid="remarks">
                    <summary>{format!("{remarks}: what breaks no rule and could have started earlier")}</summary>
                    <Findings panel run=run.clone() list=List::Remarks label="Remarks"/>
                </details>
            })}
            {(!warnings.is_empty()).then(|| view! {
                <details class="more" data-testid="log-warnings">
                    <summary>{noted}</summary>
                    <ul>{warnings.into_iter().map(|text| view! { <li>{text}</li> }).collect_view()}</ul>
                </details>
            })}
        </section>
    }
    .into_any()
}

/// One list, a page at a time, of one kind or of all.
#[component]
fn Findings(panel: Panel, run: Run, list: List, label: &'static str) -> impl IntoView {
    let id = list.id();
    let kind = RwSignal::new(String::new());
    let page = RwSignal::new(0_usize);
    let chosen = RwSignal::new(None::<usize>);
    let known = kinds(run.list(list));
    let run = StoredValue::new(run);
    let shown = memo(move |_| run.with_value(|run| places(run.list(list), &kind.get())));
    let count = memo(move |_| shown.with(Vec::len));
    let choices: Choices = {
        let all: usize = known.iter().map(|(_, count, _)| count).sum();
        let all = (String::new(), format!("All ({})", people::grouped(all as u128)));
        let each = known
            .iter()
            .map(|(name, count, _)| (name.clone(), format!("{name} ({})", people::grouped(*count as u128))));
        std::iter::once(all).chain(each).collect()
    };
    let bound = Bound {
        value: kind.into(),
        write: Callback::new(move |chosen| {
            page.set(0);
            kind.set(chosen);
        }),
    };
    let rows = move || {
        let first = page.get() * PAGE;
        shown.with(|shown| {
            let page = shown.iter().skip(first).take(PAGE);
            page.map(|&place| {
                run.with_value(|run| {
                    run.list(list).get(place).map(|found| row(panel, id, place, chosen, found))
                })
            })
            .collect_view()
        })
    };
    let several = known.len() > 1 && count.get_untracked() > FEW;
    view! {
        <dl class="facts rules">
            {known.into_iter().map(|(name, _, sentence)| view! { <div><dt>{name}</dt><dd>{sentence}</dd></div> }).collect_view()}
        </dl>
        {several.then(|| view! { <div class="row"><span aria-hidden="true" class="hint">"Show"</span><span class="pick">{select(format!("{label} of which kind"), format!("{id}-kind"), Signal::derive(move || choices.clone()), bound)}</span></div> })}
        <div class="scroll" role="region" tabindex="0" aria-label=label>
            <table class="numbers findings" role="table" data-testid=format!("{id}-table")>
                <thead><tr>{["Rule", "Time", "Kernel: block", "Found", "Expected"].map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {live(move || count.get().gt(&PAGE).then(|| {
            let last = move || (page.get() + 1) * PAGE >= count.get();
            view! {
                <div class="row">
                    <button disabled=live(move || page.get() == 0) data-testid=format!("{id}-previous") on:click=move |_| page.update(|page| *page = page.saturating_sub(1))>"Previous"</button>
                    <button disabled=last data-testid=format!("{id}-next") on:click=move |_| page.update(|page| *page += 1)>"Next"</button>
                    <span class="told" aria-live="polite">{live(move || range(page.get(), count.get()))}</span>
                </div>
            }
        }))}
    }
}

fn row(
    panel: Panel,
    id: &'static str,
    place: usize,
    chosen: RwSignal<Option<usize>>,
    found: &ViolationReport,
) -> AnyView {
    let focus =
        found.launch.map(|launch| Focus { measured: true, launch, block: found.block, time: found.time });
    // Several may be about the same block.
    let at = move || focus.is_some() && panel.focus.get() == focus && chosen.get() == Some(place);
    let show = move |_: leptos::ev::MouseEvent| {
        if focus.is_some() {
            chosen.set(Some(place));
            panel.focus.set(None); // the same again is shown again
            panel.focus.set(focus);
            bring_figure();
        }
    };
    let (rule, whole) = (found.rule.clone(), sentence(&found.rule));
    let about = who(found);
    view! {
        <tr role="row" class:at=at aria-current=live(move || if at() { "true" } else { "false" }) data-testid=format!("{id}-{place}")>
            <td role="cell"><abbr title=whole>{rule}</abbr></td>
            <td class="time" role="cell">{Nanos(found.time).to_string()}</td>
            <td role="cell">{match focus {
                Some(_) => view! { <button class="link" title="Show it in the figure" data-testid=format!("{id}-{place}-show") on:click=show>{about}</button> }.into_any(),
                None => about.into_any(),
            }}</td>
            <td role="cell">{found.found.clone()}</td>
            <td role="cell">{found.expected.clone()}</td>
        </tr>
    }
    .into_any()
}

/// Scrolls to the figure, where it is not in sight as a whole.
fn bring_figure() {
    let Some(figure) = document().query_selector("[data-testid='blocks-plot']").ok().flatten() else {
        return;
    };
    let place = figure.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    if place.top() < 0.0 || place.bottom() > height {
        figure.scroll_into_view();
    }
}
