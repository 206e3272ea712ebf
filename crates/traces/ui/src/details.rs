//! What is selected: why an operation started then, what a stretch of time holds.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::live::{live, memo};
use ui_kit::sums::{SumsOf, Which};
use wasm_bindgen_futures::JsFuture;

use super::stage::Stage;
use base::people;
use kit::draw::nanos::in_words;
use kit::page::Stretch;
use traces::Cause;
use traces_lab::page::packed::cause;
use traces_lab::page::run::Spent;
use traces_lab::page::says::{self, Goes, Said};
use traces_lab::page::seam::ToHolder;
use traces_lab::page::{Bar, Lane, Run};

#[component]
pub(super) fn Details(stage: Stage) -> impl IntoView {
    let tables = memo(move |_| {
        let range = stage.sight.range.get().filter(|_| stage.sight.cursor.put().is_none());
        stage.seen().zip(range).map(|(run, range)| run.sums(&range)).unwrap_or_default()
    });
    let light = move |which: Option<Which>| {
        let there = which.zip(stage.seen_now()).zip(stage.sight.range.get_untracked());
        let places = there.map(|((which, run), range)| Arc::new(run.of_line(&range, which)));
        let _ = stage.found.try_set(places);
    };
    let said = move || {
        let run = stage.seen()?;
        if let Some(time) = stage.sight.cursor.put() {
            let said = run.moment(time).into_iter().map(|said| view! { <li>{said}</li> }).collect_view();
            let head = format!("At {}", in_words(time as i64));
            return Some(view! { <div class="details traces-said" aria-live="polite" data-testid="traces-moment"><h3>{head}</h3><ul>{said}</ul></div> }.into_any());
        }
        if let Some(range) = stage.sight.range.get() {
            return Some(view! { <Range stage run range/> }.into_any());
        }
        let Some(bar) = stage.selected.get() else {
            return Some(view! { <p class="details traces-said hint" data-testid="traces-details">"Click an operation, a call or a gap to see why; drag over a stretch of time for its sums, across rows for theirs; along the axis for what happens then."</p> }.into_any());
        };
        Some(view! { <Selected stage run bar/> }.into_any())
    };
    view! {
        <div class="said">
            {said}
            <SumsOf id="traces-sums" label="The stretch by name" tables light=Callback::new(light)/>
        </div>
    }
}

/// A button that leads to something in the picture.
fn link(stage: Stage, to: Goes, label: String) -> impl IntoView {
    view! { <button type="button" class="link" on:click=move |_| stage.go(to)>{label}</button> }
}

#[component]
fn Selected(stage: Stage, run: Arc<Run>, bar: Bar) -> impl IntoView {
    let lane = run.rows.get(bar.row).map(|row| row.lane);
    let (name, length) = (run.text(&bar).to_owned(), in_words((bar.end - bar.start) as i64));
    let own = move || stage.said.get().filter(|(place, _)| *place == bar.id).map(|(_, said)| said);
    match lane {
        Some(Lane::Thread) => {
            let row = run.rows.get(bar.row).map(|row| row.label.clone()).unwrap_or_default();
            view! {
                <div class="details traces-said" data-testid="traces-details">
                    <h3>{format!("{name}, {length} in {row}")}</h3>
                    <Calls stage place=bar.id name/>
                </div>
            }
            .into_any()
        }
        Some(Lane::Idle) => {
            let why = cause(bar.kind);
            let blamed = if name.is_empty() { String::new() } else { format!(": {name}") };
            view! {
                <div class="details traces-said" data-testid="traces-details">
                    <h3>{format!("Nothing ran for {length}: {}{blamed}", says::name_of(why))}</h3>
                    <p>{says::meaning(why)}</p>
                    {live(move || own().map(|said| {
                        let head = said.head.clone();
                        view! {
                            <p>"It ended when "{link(stage, Goes::Operation(bar.id), head)}" began. "{said.why.clone()}</p>
                            <Back stage said/>
                        }
                    }))}
                </div>
            }
            .into_any()
        }
        _ => view! {
            <div class="details traces-said" data-testid="traces-details">
                {live(move || own().map(|said| {
                    let facts = said.facts.iter().map(|(name, value)| view! { <div><dt>{name.clone()}</dt><dd>{value.clone()}</dd></div> }).collect_view();
                    let (number, name, is_kernel) = (said.number, said.name.clone(), said.kernel);
                    view! {
                        <h3>{said.head.clone()}</h3>
                        <p data-testid="traces-why">{said.why.clone()}" "{said.witness.map(|to| link(stage, to, "Show what it waited for".to_owned()))}</p>
                        <Back stage said/>
                        <dl class="facts">{facts}</dl>
                        <Operations stage number name/>
                        {is_kernel.then(|| view! { <Code stage place=bar.id/> })}
                    }
                }))}
            </div>
        }
        .into_any(),
    }
}

/// How it came about, link by link; one alone is a sentence.
#[component]
fn Back(stage: Stage, said: Arc<Said>) -> impl IntoView {
    let line = move |(text, to): (String, Option<Goes>)| {
        view! { {text}" "{to.map(|to| link(stage, to, "show".to_owned()))} }
    };
    match &said.back[..] {
        [] => ().into_any(),
        [(text, to)] => view! { <p data-testid="traces-before">{line((sentence(text), *to))}</p> }.into_any(),
        all => view! {
            <details class="more">
                <summary>{format!("Followed back, {} steps", all.len())}</summary>
                <ol>{all.iter().cloned().map(|one| view! { <li>{line(one)}</li> }).collect_view()}</ol>
            </details>
        }
        .into_any(),
    }
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).chain(['.']).collect()
}

/// A button that adds a change to the document.
fn change(stage: Stage, label: &'static str, id: &'static str, change: Value) -> impl IntoView {
    let add = move |_| {
        let mut all = untrack(|| stage.changes());
        if !all.contains(&change) {
            all.push(change.clone());
        }
        stage.set_changes(all);
    };
    view! { <button type="button" data-testid=id on:click=add>{label}</button> }
}

/// What an operation can be changed to.
#[component]
fn Operations(stage: Stage, number: u32, name: String) -> impl IntoView {
    view! {
        <div class="row traces-change" role="group" aria-label="What if">
            <span class="label">"What if it"</span>
            {change(stage, "took half as long", "traces-half", json!({"operations": [number], "takes": 50}))}
            {change(stage, "took no time", "traces-none", json!({"operations": [number], "takes": 0}))}
            {change(stage, "and all of its name took half", "traces-all-half", json!({"operations": name, "takes": 50}))}
        </div>
    }
}

/// A button that opens a kernel as warps, with code that the visitor chooses.
#[component]
fn Code(stage: Stage, place: u32) -> impl IntoView {
    let field = NodeRef::<leptos::html::Input>::new();
    let open = move |_| {
        if let Some(field) = field.get_untracked() {
            field.click();
        }
    };
    let chosen = move |_| {
        let file = field.get_untracked().and_then(|field| field.files()).and_then(|files| files.get(0));
        let Some(file) = file else { return };
        leptos::task::spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            match text {
                Some(code) => stage.ask(&ToHolder::Warps { place, code }),
                None => stage.panel.page.notice("This file cannot be read as text."),
            }
        });
    };
    view! {
        <div class="row traces-change">
            <button type="button" title="Its PTX, as nvcc -ptx writes it; the warps that one multiprocessor holds are known from the recording" data-testid="traces-warps" on:click=open>"Open as warps, with its code…"</button>
            <input node_ref=field class="hidden" type="file" tabindex="-1" accept=".ptx,.txt" aria-label="Code of the kernel" data-testid="traces-code" on:change=chosen/>
        </div>
    }
}

/// What a call can be changed to.
#[component]
fn Calls(stage: Stage, place: u32, name: String) -> impl IntoView {
    view! {
        <div class="row traces-change" role="group" aria-label="What if">
            <span class="label">"What if it"</span>
            {change(stage, "returned at once", "traces-at-once", json!({"calls": [place], "at_once": true}))}
            {change(stage, "waited for nothing", "traces-no-wait", json!({"calls": [place], "waits": false}))}
            {change(stage, "and all of its name returned at once", "traces-all-at-once", json!({"calls": name, "at_once": true}))}
        </div>
    }
}

/// So many rows of a stretch are told one by one.
const ROWS: usize = 8;

/// The sums of a stretch of time.
#[component]
fn Range(stage: Stage, run: Arc<Run>, range: Stretch) -> impl IntoView {
    let Stretch { from, to, .. } = range;
    let device = |spent: Spent| {
        let name = run
            .rows
            .iter()
            .find(|row| row.device == Some(spent.device))
            .map(|row| row.label.replace(" idle", ""));
        let idle: f64 = spent.causes.iter().sum();
        let mut causes: Vec<(Cause, f64)> =
            Cause::ALL.into_iter().zip(spent.causes).filter(|(_, nanos)| *nanos > 0.0).collect();
        causes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let said: Vec<String> = causes
            .into_iter()
            .take(3)
            .map(|(cause, nanos)| format!("{} {}", says::name_of(cause), in_words(nanos as i64)))
            .collect();
        let said = if said.is_empty() { String::new() } else { format!(": {}", said.join(", ")) };
        let share = people::percent(spent.busy / (to - from).max(1.0));
        let open = move |_| stage.ask(&ToHolder::Blocks { from, to, device: spent.device });
        let blocks = (!stage.as_changed.get_untracked()).then(|| view! {
            " "<button type="button" class="link" title="Play the published rules on what began in this stretch" data-testid=format!("traces-blocks-{}", spent.device) on:click=open>"Open as blocks"</button>
        });
        view! { <li>{format!("{}: busy {} ({share}), idle {}{said}", name.unwrap_or_default(), in_words(spent.busy as i64), in_words(idle as i64))}{blocks}</li> }
    };
    let told = |(lane, what): (Lane, &str)| {
        let names: Vec<String> = run
            .longest_names(lane, &range)
            .into_iter()
            .map(|(name, nanos)| format!("{name} {}", in_words(nanos as i64)))
            .collect();
        (!names.is_empty()).then(|| view! { <li>{format!("{what}: {}", names.join(", "))}</li> })
    };
    let longest = [(Lane::Stream, "Longest on the GPU"), (Lane::Thread, "Longest on the host")];
    let longest = longest.into_iter().filter_map(told).collect_view();
    // Of a device where its line is among the rows, of other rows each by itself.
    let is_idle = |row: usize| run.rows[row].lane == Lane::Idle;
    let of_row = |(row, count, nanos): (usize, usize, f64)| {
        let what = if run.rows[row].lane == Lane::Thread { "call" } else { "operation" };
        let (count, share) = (people::counted(count, what), people::percent(nanos / (to - from).max(1.0)));
        view! { <li>{format!("{}: {count}, {} ({share})", run.rows[row].label, in_words(nanos as i64))}</li> }
    };
    let rows: Vec<_> = run.spent_in_rows(&range).into_iter().filter(|(row, ..)| !is_idle(*row)).collect();
    let more = rows.len().saturating_sub(ROWS);
    let more = (more > 0).then(|| view! { <li>{format!("and {more} more rows")}</li> });
    let rows = rows.into_iter().take(ROWS).map(of_row).collect_view();
    let its = |spent: &Spent| {
        let own = |row: usize| is_idle(row) && run.rows[row].device == Some(spent.device);
        (0..run.rows.len()).any(|row| own(row) && range.holds(row))
    };
    view! {
        <div class="details traces-said" data-testid="traces-range">
            <h3>{format!("{} selected", in_words((to - from) as i64))}</h3>
            <ul>{run.spent(from, to).into_iter().filter(its).map(device).collect_view()}{rows}{more}{longest}</ul>
        </div>
    }
}
