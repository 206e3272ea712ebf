//! The labs as places of the page.

use leptos::prelude::*;

use super::doors::GuessDoor;
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
                    Some(part) => view! {
                        <Show when=move || app.hide.get() fallback=move || view! { <PartPanel app part/> }>
                            <section class="results"><GuessDoor app/></section>
                        </Show>
                    }
                    .into_any(),
                    None => view! {
                        <Results app/>
                        <Show when=move || !app.hide.get()><Figure app/></Show>
                        <SourcePanel app/>
                    }
                    .into_any(),
                }}
            </div>
        </div>
    }
}

/// A lab that has a part of the page for itself.
#[component]
pub fn Other(app: App, heading: &'static str) -> impl IntoView {
    view! {
        <h1 class="hidden">{heading}</h1>
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
