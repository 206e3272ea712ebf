//! Problems with what was opened, and runs that went wrong: where, what, expected; copyable.

use leptos::prelude::*;
use ui_kit::live::live;
use ui_kit::show::Show;

use super::files;
use super::state::{App, Run};
use crate::page::opened::Trouble;
use ui_kit::errors::items;

/// The area above the lab.
#[component]
pub fn Errors(app: App) -> impl IntoView {
    let text = move || {
        let lines = |trouble: &Trouble| {
            trouble
                .problems
                .iter()
                .map(|problem| format!("{}: {problem}", trouble.source))
                .collect::<Vec<_>>()
                .join("\n")
        };
        app.trouble.with(|all| all.iter().map(lines).collect::<Vec<_>>().join("\n"))
    };
    let crashed = move || match app.run.get() {
        Run::Crashed(why) => Some(why),
        _ => None,
    };
    view! {
        <Show when=move || app.trouble.with(|trouble| !trouble.is_empty())>
            <section class="trouble" role="alert" data-testid="trouble">
                {live(move || app.trouble.get().into_iter().map(|trouble| view! { <One trouble/> }).collect_view())}
                <div class="row">
                    <button on:click=move |_| files::copy(app, text(), "Problems copied".to_owned())>"Copy"</button>
                    <button on:click=move |_| app.trouble.update(Vec::clear)>"Dismiss"</button>
                </div>
            </section>
        </Show>
        <Show when=move || crashed().is_some()>
            <section class="trouble" role="alert" data-testid="crash">
                <h2>"The run broke off"</h2>
                <p>"Its worker stopped: " <code>{live(move || crashed().unwrap_or_default())}</code></p>
                <p>"The scenario is unchanged; another run gets a new worker."</p>
                <div class="row">
                    <button on:click=move |_| app.run_again()>"Run again"</button>
                    <button on:click=move |_| app.run.set(Run::Idle)>"Dismiss"</button>
                </div>
            </section>
        </Show>
    }
}

#[component]
fn One(trouble: Trouble) -> impl IntoView {
    let Trouble { source, problems, beside } = trouble;
    view! {
        <h2>{format!("Could not open {source}")}</h2>
        {(!beside).then(|| view! { <p>"The scenario on the page is unchanged."</p> })}
        <ul>{items(problems)}</ul>
    }
}
