//! Guesses about a run, beside the picture of what has happened by then.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::Panel;
use blocks_lab::page::blocks::guess::{questions, so_far};
use kit::page::Ask;
use kit::page::guess::{Next, asked};
use ui_kit::guess::{Guess, about};

#[component]
pub(super) fn Guesses(panel: Panel) -> impl IntoView {
    let questions = memo(move |_| panel.with(questions).unwrap_or_default());
    let guesses = RwSignal::new(Vec::<String>::new());
    let reveal = Callback::new(move |()| panel.page.ask(Ask::Reveal));
    let hidden = panel.hidden();
    let handed_out = memo(move |_| {
        questions.with(|questions| {
            let all = guesses.get();
            let judged = |place: &usize| all.get(*place).is_some_and(|guess| !guess.is_empty());
            let asked =
                asked(questions, &all).into_iter().filter(|&place| questions[place].next == Next::InTurn);
            asked.filter(judged).count()
        })
    });
    let picture =
        memo(move |_| hidden.get().then(|| panel.with(|seen| so_far(seen, handed_out.get()))).flatten());
    view! {
        <Guess about=about(panel.told) questions hidden guesses reveal/>
        {live(move || picture.get().map(|svg| view! {
            <div class="guess-picture" role="img" tabindex="0" aria-label="What has happened so far" data-testid="so-far" inner_html=svg></div>
        }))}
    }
}
