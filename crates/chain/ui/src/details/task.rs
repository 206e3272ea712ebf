//! What there is to say about a host task: its segments, its response, its deadline.

use leptos::prelude::*;

use crate::badge::{number, sides as both};
use crate::stage::Stage;
use chain_lab::page::chain::details::{SegmentLine, facts_of_task, segments, sides};
use chain_lab::page::chain::summary::sentence;
use chain_lab::report::chain::{TaskLink, WholeReport};
use chain_lab::timeline::chain::{Node, Row, Station, content};

/// The details of a station of a task.
pub fn view(stage: Stage, report: &WholeReport, task: &TaskLink, station: Station, running: bool) -> AnyView {
    match station {
        Station::Task => host(stage, report, task, running),
        _ => deadline(report, task, running),
    }
}

fn host(stage: Stage, report: &WholeReport, task: &TaskLink, running: bool) -> AnyView {
    // A kernel that is launched is a station of its own.
    let kernel = |name: &str| {
        let place = report.kernels.iter().position(|kernel| kernel.name == name)?;
        Some(Node { row: Row::Kernel(place), station: Station::Gpu })
    };
    let row = |(at, line): (usize, SegmentLine)| {
        let label = task.segments.get(at).map(|part| part.label.clone()).unwrap_or_default();
        let what = match kernel(&label).filter(|_| line.does == "kernel") {
            Some(node) => {
                view! { <button class="link" on:click=move |_| stage.go(node)>{line.what}</button> }
                    .into_any()
            }
            None => line.what.into_any(),
        };
        view! {
            <tr data-testid=format!("chain-segment-{at}")>
                <th scope="row"><span class="chain-does"><span class=format!("swatch {}", class(&line.does)) aria-hidden="true"></span>{what}</span></th>
                <td>{line.amount}</td>
                <td class="time">{number(line.time)}</td>
                <td class="chain-why">{line.why}</td>
            </tr>
        }
    };
    view! {
        <p class="told">"From its activation to its end, the others on its core included:"</p>
        {both(sides(&task.response), "chain-sides", running)}
        <div class="scroll" role="region" tabindex="0" aria-label="Its segments">
            <table class="numbers" data-testid="chain-segments">
                <thead><tr>{["What it does", "Given as", "Takes", "Why"].map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
                <tbody>{segments(task).into_iter().enumerate().map(row).collect_view()}</tbody>
            </table>
        </div>
        {facts(report, task)}
    }
    .into_any()
}

/// What a segment is drawn as, in the style sheet's words.
fn class(does: &str) -> &'static str {
    match does {
        "kernel" => "class0",
        "copy" => "class3",
        _ => "class2",
    }
}

fn facts(report: &WholeReport, task: &TaskLink) -> AnyView {
    let line = |(name, value): (&'static str, String)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    let facts = facts_of_task(report, task).into_iter().map(line).collect_view();
    view! { <dl class="facts" data-testid="chain-facts">{facts}</dl> }.into_any()
}

fn deadline(report: &WholeReport, task: &TaskLink, running: bool) -> AnyView {
    let place = report.tasks.iter().position(|own| own.name == task.name).unwrap_or_default();
    let node = Node { row: Row::Task(place), station: Station::Deadline };
    let said = content(report, node).map(|content| format!("{}: {}.", content.number, content.note));
    view! {
        {(!running || task.meets.is_some()).then(|| view! { <p class="verdict" data-testid="chain-room">{said}</p> })}
        {(!task.because.is_empty()).then(|| view! { <p class="told">{sentence(&task.because)}</p> })}
        {both(sides(&task.response), "chain-sides", running)}
        {facts(report, task)}
    }
    .into_any()
}
