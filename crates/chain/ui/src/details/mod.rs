//! How the number of a station comes about, and the way into the lab that shows it.

mod kernel;
mod task;

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::stage::{Stage, station_id};
use chain_lab::page::chain::details::{button, heading, part_of};
use chain_lab::page::chain::summary::weakest;
use chain_lab::report::chain::WholeReport;
use chain_lab::timeline::chain::{Node, Row};
use ui_kit::cells::focus_soon;

/// Why the weakest link is called so.
const WEAKEST: &str = "The weakest link: the first whose number is worth no more than the verdict. More room here, or a better proof, helps first.";

/// The details of the station someone looks at.
#[component]
pub(super) fn Details(stage: Stage) -> impl IntoView {
    let title = memo(move |_| {
        let node = stage.node.get()?;
        stage.with(|report| heading(report, node)).flatten()
    });
    let open = memo(move |_| {
        let node = stage.node.get()?;
        stage
            .with(|report| {
                part_of(report, node).map(|part| (part.id.clone(), button(part), part.label.clone()))
            })
            .flatten()
    });
    let body = move || {
        let (node, running) = (stage.node.get()?, stage.running.get());
        let report = stage.report.get()?;
        Some(of_node(stage, &report, node, running))
    };
    let down = move |event: KeyboardEvent| {
        if event.key() == "Escape"
            && let Some(node) = stage.node.get_untracked()
        {
            event.prevent_default();
            event.stop_propagation();
            focus_soon(vec![station_id(node)]);
        }
    };
    let button = move || {
        open.get().map(|(id, said, label)| {
            view! {
                <button class="primary" title=label data-testid="chain-open" on:click=move |_| stage.open(&id)>{said}</button>
            }
        })
    };
    let is_weakest = memo(move |_| {
        let node = stage.node.get()?;
        stage.with(weakest).flatten().filter(|(weakest, _)| *weakest == node).map(|_| ())
    });
    view! {
        <section class="figure chain-details" aria-labelledby="chain-details-title" data-testid="chain-details" on:keydown=down>
            <div class="row">
                <h3 id="chain-details-title" tabindex="-1" data-testid="chain-details-title">{live(move || title.get())}</h3>
                <span class="spacer"></span>
                {button}
            </div>
            {live(move || is_weakest.get().map(|()| view! { <p class="hint" data-testid="chain-weakest-why">{WEAKEST}</p> }))}
            {body}
        </section>
    }
}

fn of_node(stage: Stage, report: &Arc<WholeReport>, node: Node, running: bool) -> AnyView {
    match node.row {
        Row::Kernel(place) => match report.kernels.get(place) {
            Some(kernel) => kernel::view(report, kernel, node.station, running),
            None => ().into_any(),
        },
        Row::Task(place) => match report.tasks.get(place) {
            Some(task) => task::view(stage, report, task, node.station, running),
            None => ().into_any(),
        },
    }
}
