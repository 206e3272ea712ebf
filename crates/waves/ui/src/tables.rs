//! What stands beneath the picture: cycles by cause and by line, the critical chain, changes, the model held against
//! the measurement.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use base::people::{counted, grouped, percent};
use ui_kit::fold::Fold;
use ui_kit::grid::Grid;
use ui_kit::swatch::InkSwatch;
use waves_lab::Cause;
use waves_lab::draw::{hatch_of, of_cause};
use waves_lab::page::{says, summary, table};

/// More stretches of a chain than these say little.
const MOST: usize = 12;

fn list(report: &Value, key: &str) -> Vec<Value> {
    report[key].as_array().cloned().unwrap_or_default()
}

fn number(value: &Value) -> String {
    match value.as_i64() {
        Some(number) if number < 0 => format!("−{}", grouped(number.unsigned_abs().into())),
        Some(number) => grouped(number.unsigned_abs().into()),
        None => String::new(),
    }
}

fn share(part: &Value, whole: f64) -> String {
    percent(part.as_f64().unwrap_or(0.0) / whole.max(1.0))
}

/// The cause of a report's name.
fn cause(name: &Value) -> Cause {
    let is = |one: &Cause| name.as_str() == Some(one.name());
    Cause::ALL.into_iter().find(is).unwrap_or(Cause::Unexplained)
}

/// Cycles of all waves by cause; a click goes from one such wait to the next.
#[component]
pub(super) fn Causes(stage: Stage) -> impl IntoView {
    let fold = Fold::new();
    let known = memo(move |_| stage.told(table::causes));
    let row = move |(own, cycles, part): (Cause, u64, f64)| {
        let name = match own {
            Cause::Issue => says::name_of(own).into_any(),
            own => view! {
                <button type="button" class="link" title="Go to the next such wait" on:click=move |_| stage.wait(Some(own), true)>
                    <InkSwatch ink=of_cause(own) hatch=hatch_of(own)/>{says::name_of(own)}
                </button>
            }
            .into_any(),
        };
        view! {
            <tr data-testid=format!("waves-cause-{}", own.name())>
                <th scope="row">{name}</th>
                <td class="time">{grouped(cycles.into())}</td>
                <td class="time">{percent(part)}</td>
                <td>{says::meaning(own)}</td>
            </tr>
        }
    };
    move || {
        let known = known.get();
        let sum: u64 = known.iter().map(|own| own.1).sum();
        view! {
            <details class="section" open=live(move || fold.open()) on:toggle=move |event| fold.toggled(&event) data-testid="waves-causes">
                <summary>"Where the cycles of all waves went"</summary>
                <div class="scroll" role="region" tabindex="0" aria-label="Cycles by cause">
                    <table class="numbers">
                        <thead><tr><th scope="col">"Cause"</th><th scope="col">"Cycles"</th><th scope="col">"Share"</th><th scope="col">"Meaning"</th></tr></thead>
                        <tbody>
                            {known.into_iter().map(row).collect_view()}
                            <tr class="done"><th scope="row">"All"</th><td class="time">{grouped(sum.into())}</td><td></td><td>"The causes of every wave add up to its life, to the cycle."</td></tr>
                        </tbody>
                    </table>
                </div>
            </details>
        }
    }
}

/// Lines by what they cost.
#[component]
pub(super) fn Lines(stage: Stage) -> impl IntoView {
    let fold = Fold::new();
    let order = memo(move |_| stage.with(table::costly).unwrap_or_default());
    let count = memo(move |_| order.with(Vec::len));
    let place = memo(move |_| {
        let line = stage.line.get()?;
        order.with(|order| order.iter().position(|own| *own == line))
    });
    let cells = move |at: usize| {
        let line = order.with(|order| order.get(at).copied())?;
        stage.with(|run| table::cells(run, line)).flatten()
    };
    let choose = move |at: usize| {
        if let Some(line) = order.with_untracked(|order| order.get(at).copied()) {
            stage.select_line(line);
        }
    };
    view! {
        <details class="section waves-costs" open=live(move || fold.open()) on:toggle=move |event| fold.toggled(&event) data-testid="waves-costs">
            <summary>"Lines by what they cost, in cycles of all waves"</summary>
            <Grid id="waves-cost" label="Lines by cost"
                columns=&["Line", "Instruction", "Times", "Cycles", "issuing", "data", "barrier", "unit", "memory", "told", "chosen", "fetch", "depend.", "none"]
                rows=count place cells choose/>
        </details>
    }
}

/// The critical chain of each shader engine.
#[component]
pub(super) fn Critical(stage: Stage) -> impl IntoView {
    let known = memo(move |_| stage.told(|report| list(report, "critical")));
    let text = move |line: &Value| {
        let Some(number) = line.as_u64() else { return String::new() };
        let find = |run: &waves_lab::page::Run| {
            let own = run.lines.iter().find(|own| u64::from(own.number) == number)?;
            Some(format!("{number}  {}", says::short(&own.text)))
        };
        stage.with(find).flatten().unwrap_or_else(|| number.to_string())
    };
    let row = move |stretch: &Value, whole: f64| {
        let own = cause(&stretch["cause"]);
        view! {
            <tr>
                <th scope="row"><span class="waves-of"><InkSwatch ink=of_cause(own) hatch=hatch_of(own)/>{says::name_of(own)}</span></th>
                <td class="time">{number(&stretch["cycles"])}</td>
                <td class="time">{share(&stretch["cycles"], whole)}</td>
                <td class="time">{number(&stretch["steps"])}</td>
                <td class="code">{text(&stretch["line"])}</td>
                <td class="code">{if own == Cause::Issue { String::new() } else { text(&stretch["witness"]) }}</td>
            </tr>
        }
    };
    let chain = move |chain: Value| {
        let whole = (chain["end"].as_i64().unwrap_or(0) - chain["begin"].as_i64().unwrap_or(0)) as f64;
        let rows = list(&chain, "most").iter().take(MOST).map(|one| row(one, whole)).collect_view();
        view! {
            <p class="hint">{format!("Shader engine {}: {} cycles in {}, back from the last cycle through witnesses; they add up to the whole time.", chain["se"], grouped(whole as u128), counted(chain["steps"].as_u64().and_then(|n| n.try_into().ok()).unwrap_or(0), "step"))}</p>
            <div class="scroll" role="region" tabindex="0" aria-label=format!("Critical chain of shader engine {}", chain["se"])>
                <table class="numbers">
                    <thead><tr><th scope="col">"Cause"</th><th scope="col">"Cycles"</th><th scope="col">"Share"</th><th scope="col">"Steps"</th><th scope="col">"At line"</th><th scope="col">"Because of line"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    };
    view! {
        <details class="section" data-testid="waves-critical">
            <summary>"The critical chain"</summary>
            {live(move || known.get().into_iter().map(chain).collect_view())}
        </details>
    }
}

/// What would follow from changes.
#[component]
pub(super) fn WhatIf(stage: Stage) -> impl IntoView {
    let fold = Fold::new();
    let known = memo(move |_| stage.told(|report| list(report, "what_if")));
    let row = |change: &Value| {
        let (before, after) = (change["before"].as_i64().unwrap_or(0), change["after"].as_i64().unwrap_or(0));
        let gain = (before - after) as f64 / before.max(1) as f64;
        let gain = if gain < 0.0 { format!("−{}", percent(-gain)) } else { percent(gain) };
        view! {
            <tr>
                <th scope="row">{change["change"].as_str().unwrap_or_default().to_owned()}</th>
                <td class="time">{number(&change["changes"])}</td>
                <td class="time">{number(&change["before"])}</td>
                <td class="time">{number(&change["after"])}</td>
                <td class="time">{gain}</td>
                <td>{change["kind"].as_str().unwrap_or_default().to_owned()}</td>
            </tr>
        }
    };
    move || {
        let known = known.get();
        (!known.is_empty()).then(|| view! {
            <details class="section" open=live(move || fold.open()) on:toggle=move |event| fold.toggled(&event) data-testid="waves-what-if">
                <summary>"What if"</summary>
                <p class="hint">"Replayed by the policy that fits better. Simulated, and no more than that: caches, queues and launching stay as they were measured."</p>
                <div class="scroll" role="region" tabindex="0" aria-label="What would follow from changes">
                    <table class="numbers">
                        <thead><tr><th scope="col">"Change"</th><th scope="col">"Instructions"</th><th scope="col">"Cycles, replayed"</th><th scope="col">"As changed"</th><th scope="col">"Gain"</th><th scope="col">"How sure"</th></tr></thead>
                        <tbody>{known.iter().map(row).collect_view()}</tbody>
                    </table>
                </div>
            </details>
        })
    }
}

/// The measurement held against the model: replays, bounds, assumptions that fell.
#[component]
pub(super) fn Model(stage: Stage) -> impl IntoView {
    let replays = memo(move |_| stage.told(|report| list(report, "replay")));
    let brackets = memo(move |_| stage.told(|report| list(report, "brackets")));
    let fallen = memo(move |_| stage.told(summary::fallen));
    let replay = |fit: Value| {
        let (policy, error, worst) = (
            fit["policy"].as_str().unwrap_or_default().to_owned(),
            summary::percent(&fit["error"]),
            summary::percent(&fit["worst"]),
        );
        view! { <tr><th scope="row">{policy}</th><td class="time">{error}</td><td class="time">{worst}</td></tr> }
    };
    let bracket = |own: Value| {
        view! {
            <tr>
                <th scope="row">{format!("SE {}, CU {}, SIMD {}", own["se"], own["cu"], own["simd"])}</th>
                <td class="time">{number(&own["best"])}</td>
                <td class="time">{number(&own["measured"])}</td>
                <td class="time">{number(&own["worst"])}</td>
                <td>{if own["between"] == true { "between" } else { "outside" }}</td>
            </tr>
        }
    };
    view! {
        <details class="section" data-testid="waves-model">
            <summary>"Held against the model"</summary>
            <div class="scroll" role="region" tabindex="0" aria-label="Replays">
                <table class="numbers">
                    <thead><tr><th scope="col">"Replayed by"</th><th scope="col">"Error of a wave's life, median"</th><th scope="col">"Largest"</th></tr></thead>
                    <tbody>{live(move || replays.get().into_iter().map(replay).collect_view())}</tbody>
                </table>
            </div>
            <p class="hint">"Simulated. Gaps and latencies stay as measured; who is chosen, and when waits and barriers end, is the policy's."</p>
            <div class="scroll" role="region" tabindex="0" aria-label="Bounds">
                <table class="numbers">
                    <thead><tr><th scope="col">"SIMD"</th><th scope="col">"Best, proven"</th><th scope="col">"Measured"</th><th scope="col">"Worst, proven"</th><th scope="col">"Measured is"</th></tr></thead>
                    <tbody>{live(move || brackets.get().into_iter().map(bracket).collect_view())}</tbody>
                </table>
            </div>
            <p class="hint">"Of schedules of these very streams: no schedule takes less; none takes more that leaves no unit idle for a wave that stands ready."</p>
            {live(move || {
                let fallen = fallen.get();
                if fallen.is_empty() {
                    view! { <p data-testid="waves-fallen">"No assumption fell."</p> }.into_any()
                } else {
                    view! { <ul data-testid="waves-fallen">{fallen.into_iter().map(|text| view! { <li>{text}</li> }).collect_view()}</ul> }.into_any()
                }
            })}
        </details>
    }
}

/// What of the files is in none of this, and what is taken for granted.
#[component]
pub(super) fn LeftOut(stage: Stage) -> impl IntoView {
    let left = memo(move |_| stage.told(|report| list(report, "left_out")));
    let assumed = memo(move |_| stage.told(|report| list(report, "assumptions")));
    let item = |text: String| view! { <li>{text}</li> };
    let of = |one: Value| format!("{}: {}", one["what"].as_str().unwrap_or_default(), number(&one["count"]));
    let text = |one: Value| one.as_str().unwrap_or_default().to_owned();
    move || {
        let (left, assumed) = (left.get(), assumed.get());
        view! {
            {(!left.is_empty()).then(|| view! {
                <details class="section" open data-testid="waves-left-out">
                    <summary>{format!("Not read: {}", base::people::counted(left.len(), "kind"))}</summary>
                    <ul>{left.into_iter().map(of).map(item).collect_view()}</ul>
                </details>
            })}
            <details class="more"><summary>"What all of this takes for granted"</summary><ol>{assumed.into_iter().map(text).map(item).collect_view()}</ol></details>
        }
    }
}
