//! Title, numbers and run in a line above the picture; notes beneath it.

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::stage::Stage;
use code_lab::page::rests::{self, Chip};
use code_lab::page::{proof, summary};
use kit::page::tile::Tile;
use ui_kit::guess::Guesses;
use ui_kit::keys::focus_section;
use ui_kit::outcome::{Notes, RunRow, Tiles, Title};

#[component]
pub(super) fn Brief(stage: Stage) -> impl IntoView {
    let said = Signal::derive(move || {
        stage.told.with(|told| {
            stage.seen.with(|seen| summary::state(told, seen.as_deref().map(|seen| &seen.report)))
        })
    });
    let (hidden, known) = (stage.hidden(), tiles(stage));
    let questions = memo(move |_| stage.with(|seen| summary::questions(&seen.report)).unwrap_or_default());
    view! {
        <div class="brief code-brief">
            <Title told=stage.told/>
            <Show when=move || !hidden.get()>
                <Tiles known brief=true/>
                <Rests stage/>
                <RunRow id="code" label="Work done" told=stage.told said page=stage.page/>
            </Show>
        </div>
        <Guesses questions told=stage.told page=stage.page/>
    }
}

/// What the numbers rest on, beside them; each leads to where more is said of it.
#[component]
fn Rests(stage: Stage) -> impl IntoView {
    let chips = memo(move |_| stage.with(|seen| rests::chips(&seen.report)).unwrap_or_default());
    let chip = |Chip { what, said, grave, leads }: Chip| {
        view! { <li><button type="button" class="code-rest" class:grave=grave title=said on:click=move |_| focus_section(leads)>{what}</button></li> }
    };
    move || {
        let chips = chips.get();
        (!chips.is_empty()).then(|| {
            view! {
                <div class="code-rests" data-testid="code-rests">
                    <p class="label" id="code-rests-label">"rests on"</p>
                    <ul aria-labelledby="code-rests-label">{chips.into_iter().map(chip).collect_view()}</ul>
                </div>
            }
        })
    }
}

/// The numbers of the result, or what a run that has none yet has already proven.
fn tiles(stage: Stage) -> Memo<Vec<Tile>> {
    memo(move |_| {
        let begun = stage.told.with(|told| summary::begun(told, stage.job.get()));
        begun.or_else(|| stage.with(|seen| summary::tiles(&seen.report))).unwrap_or_default()
    })
}

/// Notes of the document, and what the bounds are worth.
#[component]
pub(super) fn Beneath(stage: Stage) -> impl IntoView {
    let proof = memo(move |_| stage.with(|seen| proof::sentences(&seen.report).join(" ")));
    view! {
        <Notes told=stage.told hidden=stage.hidden()/>
        <p class="lead" data-testid="code-proof">{move || proof.get()}</p>
    }
}
