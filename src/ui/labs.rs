//! The three labs as places of the page.

use leptos::prelude::*;

use super::ptx::SourcePanel;
use super::results::Results;
use super::scenario::ScenarioPanel;
use super::schedule::Figure;
use super::state::App;
use super::trial::PartPanel;

/// Warps on one multiprocessor.
#[component]
pub fn Warps(app: App) -> impl IntoView {
    view! {
        <h1 class="hidden">"Warps: worst-case makespan on one multiprocessor"</h1>
        <div class="lab">
            <Show when=move || !app.embed.get()>
                <ScenarioPanel app/>
            </Show>
            <div class="work">
                {move || match app.subject.get().part() {
                    Some(part) => view! { <PartPanel app part/> }.into_any(),
                    None => view! { <Results app/> <Figure app/> <SourcePanel app/> }.into_any(),
                }}
            </div>
        </div>
    }
}

/// Blocks on the whole GPU.
#[component]
pub fn Blocks(app: App) -> impl IntoView {
    view! {
        <h1 class="hidden">"Blocks: how a GPU hands out the blocks of its kernels"</h1>
        <div class="lab">
            <Show when=move || !app.embed.get()>
                <ScenarioPanel app/>
            </Show>
            <div class="work">
                {move || app.subject.get().part().map(|part| view! { <PartPanel app part/> })}
            </div>
        </div>
    }
}

/// Recurring tasks: not there yet.
#[component]
pub fn Tasks() -> impl IntoView {
    view! {
        <article class="coming">
            <h1>"Tasks: not here yet"</h1>
            <p>"This lab will compute the demand of recurring real-time tasks given as graphs, and say whether earliest-deadline-first scheduling meets all their deadlines."</p>
            <p>"Nothing of it works yet: a scenario with \"tasks\" is recognised and refused with a message that says so."</p>
        </article>
    }
}
