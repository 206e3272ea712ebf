//! The heads of all queues beside the picture: what is in each, and why the first that does not run waits.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::moment::{Known, chip};
use base::people;
use blocks_lab::page::blocks::{Entry, Moment, Queue};

/// Operations of a queue that are shown.
const MOST: usize = 3;

/// A queue as it stands beside the picture.
#[derive(Clone, PartialEq)]
struct Head {
    name: String,
    /// What is served now, where that has left the queue.
    served: Option<Entry>,
    queue: Queue,
    /// Whether blocks go from it to the SMs.
    is_main: bool,
}

/// The queue of kernels, those of copies, then the streams in the order of the document.
fn heads(moment: &Moment) -> Vec<Head> {
    let execution = moment.execution.iter().map(|queue| {
        let more = if queue.label.is_empty() { String::new() } else { format!(", {}", queue.label) };
        let mut queue = queue.clone();
        for entry in &mut queue.entries {
            entry.stage = entry.stage.replace(" blocks left", " left").replace(" block left", " left");
        }
        Head { name: format!("Execution queue{more}"), served: None, queue, is_main: true }
    });
    let engines = moment.engines.iter().map(|(served, queue)| Head {
        name: format!("Copy engine {}", queue.label),
        served: served.clone(),
        queue: queue.clone(),
        is_main: false,
    });
    let streams = moment.streams.iter().map(|queue| Head {
        name: queue.label.clone(),
        served: None,
        queue: queue.clone(),
        is_main: false,
    });
    execution.chain(engines).chain(streams).collect()
}

/// All of them in a row, as high at every step.
#[component]
pub(super) fn Heads(moment: Known) -> impl IntoView {
    let known = memo(move |_| moment.with(|moment| moment.as_deref().map(heads).unwrap_or_default()));
    view! {
        <div class="heads" role="region" tabindex="0" aria-label="Heads of the queues" data-keys="own" data-testid="blocks-heads">
            <ul>{live(move || known.get().into_iter().map(head).collect_view())}</ul>
        </div>
    }
}

fn head(Head { name, served, queue, is_main }: Head) -> impl IntoView {
    let Queue { entries, more, why, .. } = queue;
    let more = more + entries.len().saturating_sub(MOST);
    let more = (more > 0)
        .then(|| view! { <span class="hint">{format!("+{}", people::grouped(more as u128))}</span> });
    let empty = (entries.is_empty() && served.is_none()).then(|| view! { <span class="hint">"empty"</span> });
    let chips = entries.into_iter().take(MOST).map(|entry| chip(entry, "")).collect_view();
    let why = why.map(|[short, full]| {
        let said = if is_main { full.clone() } else { short };
        view! { <p class="why" title=full>{said}</p> }
    });
    view! {
        <li class:main=is_main>
            <p class="head-queue"><span class="name">{name}</span>{served.map(|entry| chip(entry, "on"))}{chips}{more}{empty}</p>
            {why}
        </li>
    }
}
