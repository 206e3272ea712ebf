//! Above the list: what has been computed, what is shown, and running all of it.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::Reproductions;
use base::people;
use classroom::page::reproduce::{Board, Chosen, Tab};
use classroom::reproduce::Verdict;

#[component]
pub(super) fn Tools(shared: Reproductions) -> impl IntoView {
    let board = shared.board;
    let busy = memo(move |_| board.with(Board::is_busy));
    let done = memo(move |_| board.with(Board::done));
    let all_done = move || done.with(|(done, all)| done == all);
    let stop = move |_| {
        shared.change(Board::stop);
        shared.say("Stopped. What was computed stays.");
    };
    view! {
        <div class="row tools">
            <p class="summary" data-testid="reproduce-summary">{live(move || board.with(Board::summary))}</p>
            <span class="spacer"></span>
            <progress
                aria-label="Items run"
                max=live(move || done.get().1.to_string())
                value=live(move || done.get().0.to_string())
            ></progress>
            <button class="primary" data-testid="reproduce-all" hidden=live(move || busy.get()) disabled=all_done
                on:click=move |_| shared.change(Board::ask_all)>
                "Run all"
            </button>
            <button data-testid="reproduce-stop" hidden=live(move || !busy.get()) on:click=stop>"Stop"</button>
        </div>
    }
}

/// With which verdict items are listed.
#[component]
pub(super) fn Show(shared: Reproductions) -> impl IntoView {
    let word = |verdict: Verdict| match verdict {
        Verdict::Agree => "agreeing",
        Verdict::Differ => "differing",
        Verdict::Refuted => "refuted",
    };
    let is = move |verdict: Option<Verdict>| shared.chosen.with(|chosen| chosen.show == verdict);
    let options = Verdict::ALL
        .map(|verdict| view! { <option value=verdict.word() prop:selected=live(move || is(Some(verdict)))>{word(verdict)}</option> })
        .collect_view();
    let change = move |event| {
        let word = event_target_value(&event);
        let show = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
        shared.choose(&Chosen { show, ..shared.chosen.get_untracked() });
    };
    let listed = move || {
        let chosen = shared.chosen.get();
        people::counted(shared.board.with(|board| board.listed(&chosen)), "item")
    };
    let hidden = move || shared.chosen.with(|chosen| chosen.tab == Tab::Refuted);
    view! {
        <label class="choice" hidden=hidden>
            <span>"Show"</span>
            <select data-testid="reproduce-verdict" on:change=change>
                <option value="" prop:selected=live(move || is(None))>"all"</option>
                {options}
            </select>
            <span data-testid="reproduce-listed">{listed}</span>
        </label>
    }
}
