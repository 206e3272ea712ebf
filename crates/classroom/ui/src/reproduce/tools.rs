//! Above the list: what has been computed, what is listed, and running all of it.

use leptos::prelude::*;

use super::Reproductions;
use base::people;
use classroom::page::reproduce::{Board, Filter};
use classroom::reproduce::Verdict;

#[component]
pub(super) fn Tools(shared: Reproductions) -> impl IntoView {
    let board = shared.board;
    let busy = Memo::new(move |_| board.with(Board::is_busy));
    let done = Memo::new(move |_| board.with(Board::done));
    let all_done = move || done.with(|(done, all)| done == all);
    let stop = move |_| {
        shared.change(Board::stop);
        shared.say("Stopped. What was computed stays.");
    };
    view! {
        <p class="summary" data-testid="reproduce-summary">{move || board.with(Board::summary)}</p>
        <div class="row tools">
            <Papers shared/>
            <Verdicts shared/>
            <span class="hint" data-testid="reproduce-listed">
                {move || board.with(|board| format!("{} listed", people::counted(board.listed(), "item")))}
            </span>
            <span class="spacer"></span>
            <progress
                aria-label="Items computed"
                max=move || done.get().1.to_string()
                value=move || done.get().0.to_string()
            ></progress>
            <span class="hint number">{move || done.with(|(done, all)| format!("{done} of {all}"))}</span>
            <button class="primary" data-testid="reproduce-all" hidden=move || busy.get() disabled=all_done
                on:click=move |_| shared.change(Board::ask_all)>
                "Run all"
            </button>
            <button data-testid="reproduce-stop" hidden=move || !busy.get() on:click=stop>"Stop"</button>
        </div>
    }
}

/// Which paper is listed.
#[component]
fn Papers(shared: Reproductions) -> impl IntoView {
    let letters: Vec<(String, String)> = shared.board.with_untracked(|board| {
        board.papers().iter().map(|paper| (paper.letter.clone(), paper.authors.clone())).collect()
    });
    let options = letters
        .into_iter()
        .map(|(letter, authors)| view! { <option value=letter.clone()>{format!("{letter}: {authors}")}</option> })
        .collect_view();
    let change = move |event| {
        let paper = Some(event_target_value(&event)).filter(|letter| !letter.is_empty());
        shared.board.update(|board| board.filter = Filter { paper, ..board.filter.clone() });
    };
    view! {
        <label class="choice">
            <span>"Paper"</span>
            <select data-testid="reproduce-paper" on:change=change>
                <option value="">"all five"</option>
                {options}
            </select>
        </label>
    }
}

/// With which verdict items are listed.
#[component]
fn Verdicts(shared: Reproductions) -> impl IntoView {
    let options = Verdict::ALL
        .map(|verdict| view! { <option value=verdict.word()>{verdict.word()}</option> })
        .collect_view();
    let change = move |event| {
        let word = event_target_value(&event);
        let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
        shared.board.update(|board| board.filter.verdict = verdict);
    };
    view! {
        <label class="choice">
            <span>"With a value that"</span>
            <select data-testid="reproduce-verdict" on:change=change>
                <option value="">"compares in any way"</option>
                {options}
            </select>
        </label>
    }
}
