//! The labs as places of the page.

use leptos::prelude::*;

use super::lazy::Place;
use super::ptx::SourcePanel;
use super::results::{Guesses, Results};
use super::scenario::ScenarioPanel;
use super::schedule::Figure;
use super::state::App;

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
                {move || match app.subject.get().panel() {
                    Some(part) => view! {
                        <Show when=move || app.hide.get() fallback=move || view! { <Place app part/> }>
                            <section class="results"><Guesses app/></section>
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
                {move || app.subject.get().panel().map(|part| view! { <Place app part/> })}
            </div>
        </div>
    }
}
