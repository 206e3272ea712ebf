//! What if: every change with its verdict, responses against deadlines, and the document that asks it.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::stage::Stage;
use base::people::plural;
use chain_lab::page::chain::changes::{Bar, MOST_TASKS, Row, in_words, rows};

/// The list of changes; nothing before any is known.
#[component]
pub(super) fn Changes(stage: Stage) -> impl IntoView {
    let known = memo(move |_| stage.with(rows).filter(|rows| rows.len() > 1).unwrap_or_default());
    let any = memo(move |_| known.with(|rows| !rows.is_empty()));
    let said = move || stage.with(in_words);
    let more =
        move || stage.with(|report| report.tasks.len().saturating_sub(MOST_TASKS)).filter(|&more| more > 0);
    let line = move |row: Row| {
        let id = if row.id.is_empty() { "present".to_owned() } else { row.id.replace([':', ' '], "-") };
        let bars = row.bars.into_iter().map(|bar| view! { <Response bar/> }).collect_view();
        let open = row.part.map(|part| {
            let named = format!("Open: {}", row.what);
            view! { <button aria-label=named data-testid=format!("change-{id}-open") on:click=move |_| stage.open(&part)>"Open"</button> }
        });
        view! {
            <li class="chain-change" data-testid=format!("change-{id}")>
                <span class="chain-what">{row.what}</span>
                <span class=format!("chain-word {}", row.tone.name()) title=row.because>
                    <span class="chain-mark" aria-hidden="true">{row.tone.sign()}</span>{row.word}
                </span>
                <span class="chain-bars">{bars}</span>
                <span class="chain-open">{open}</span>
            </li>
        }
    };
    view! {
        <Show when=move || any.get()>
            <section class="figure chain-changes" aria-label="What if" data-testid="chain-changes">
                <p class="told" data-testid="chain-changes-told">{said}</p>
                <p class="hint">
                    "A bar is the response of a task as far as it is bounded; the line across it is its deadline, the triangle the response as it is."
                    {live(move || more().map(|more| format!(" {} more are in the report.", plural(more, "task", "tasks"))))}
                </p>
                <ul class="chain-list">{live(move || known.get().into_iter().map(line).collect_view())}</ul>
            </section>
        </Show>
    }
}

/// The response of a task then.
#[component]
fn Response(bar: Bar) -> impl IntoView {
    let percent = |share: f64| format!("{:.2}%", share * 100.0);
    let filled = bar.response.map(|share| view! { <span class="chain-fill" class:over=bar.over style=format!("width: {}", percent(share))></span> });
    let now = bar
        .present
        .map(|share| view! { <span class="chain-now" style=format!("left: {}", percent(share))></span> });
    view! {
        <span class="chain-response">
            <span class="hidden">{bar.spoken}</span>
            <span class="chain-task" aria-hidden="true">{bar.task}</span>
            <span class="chain-track" aria-hidden="true">
                {filled}
                <span class="chain-limit" style=format!("left: {}", percent(bar.deadline))></span>
                {now}
            </span>
            <span class="chain-value" aria-hidden="true">{bar.text}</span>
        </span>
    }
}
