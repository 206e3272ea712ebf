//! The kernels and the tasks as tables: the twins of the picture.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::badge::number;
use super::stage::Stage;
use chain_lab::page::chain::lines::{KERNEL_HEADS, KernelLine, TASK_HEADS, TaskLine, kernels, tasks};
use chain_lab::timeline::chain::{Node, Row, Station};

/// Both tables.
#[component]
pub(super) fn Tables(stage: Stage) -> impl IntoView {
    let known = memo(move |_| stage.with(kernels).unwrap_or_default());
    let kernel = move |(place, line): (usize, KernelLine)| {
        let node = Node { row: Row::Kernel(place), station: Station::Code };
        view! {
            <tr data-testid=format!("chain-kernels-row-{place}")>
                <th scope="row"><button class="link" on:click=move |_| stage.go(node)>{line.name}</button></th>
                <td>{line.source}</td>
                <td class="time">{line.grid}</td>
                <td class="time">{line.resident}</td>
                {line.numbers.map(|own| view! { <td class="time">{number(own)}</td> }).collect_view()}
            </tr>
        }
    };
    let known_tasks = memo(move |_| stage.with(tasks).unwrap_or_default());
    let task = move |(place, line): (usize, TaskLine)| {
        let node = Node { row: Row::Task(place), station: Station::Task };
        view! {
            <tr data-testid=format!("chain-tasks-row-{place}")>
                <th scope="row"><button class="link" on:click=move |_| stage.go(node)>{line.name}</button></th>
                {line.facts.map(|fact| view! { <td class="time">{fact}</td> }).collect_view()}
                {line.numbers.map(|own| view! { <td class="time">{number(own)}</td> }).collect_view()}
                <td class="time">{line.deadline}</td>
                <td class="time">
                    <span class=format!("chain-word {}", line.tone.name())><span class="chain-mark" aria-hidden="true">{line.tone.sign()}</span>{line.room}</span>
                </td>
            </tr>
        }
    };
    let heads = |heads: &'static [&'static str]| {
        heads.iter().map(|head| view! { <th scope="col">{*head}</th> }).collect_view()
    };
    let any = memo(move |_| !known_tasks.with(Vec::is_empty));
    view! {
        <section class="figure chain-tables" aria-label="Kernels and tasks">
            <h3>"The kernels"</h3>
            <div class="scroll" role="region" tabindex="0" aria-label="The kernels">
                <table class="numbers" data-testid="chain-kernels">
                    <thead><tr>{heads(&KERNEL_HEADS)}</tr></thead>
                    <tbody>{live(move || known.get().into_iter().enumerate().map(kernel).collect_view())}</tbody>
                </table>
            </div>
            <p class="hint">"Grid: blocks × threads of one. Alone: launch to completion with the GPU to itself. Completion: among the other kernels."</p>
            <Show when=move || any.get()>
                <h3>"The tasks"</h3>
                <div class="scroll" role="region" tabindex="0" aria-label="The tasks">
                    <table class="numbers" data-testid="chain-tasks">
                        <thead><tr>{heads(&TASK_HEADS)}</tr></thead>
                        <tbody>{live(move || known_tasks.get().into_iter().enumerate().map(task).collect_view())}</tbody>
                    </table>
                </div>
            </Show>
        </section>
    }
}
