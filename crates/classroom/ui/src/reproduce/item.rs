//! One figure, table or worked number: its values as published and as computed.

use leptos::prelude::*;

use super::Reproductions;
use super::seen::NAME;
use base::people;
use classroom::page::reproduce::Stage;
use classroom::reproduce::{Claim, Comparison, Item, Row, Verdict, shown};
use kit::page::Room;
use kit::page::place::Place;

#[component]
pub(super) fn ItemCard(item: Item, shared: Reproductions, at: Memo<String>) -> impl IntoView {
    let id = item.id.clone();
    let stage = Memo::new({
        let id = id.clone();
        move |_| shared.board.with(|board| board.stage(&id).cloned())
    });
    let listed = Memo::new({
        let item = item.clone();
        move |_| shared.board.with(|board| board.is_listed(&item))
    });
    let here = {
        let id = id.clone();
        Memo::new(move |_| at.with(|at| *at == id))
    };
    let name = format!("{NAME}{id}");
    let heading = format!("{name}-title");
    let labelled = heading.clone();
    let permanent = Place::of_room(Room::Reproduce, &id);
    let open = item.link().ok().map(|link| {
        let label = format!("Open {}: {}", item.place, item.title);
        view! { <a class="button" href=format!("#{link}") aria-label=label data-testid="reproduce-open">"Open"</a> }
    });
    let unexpected =
        move || stage.with(|stage| matches!(stage, Some(Stage::Done(outcome)) if !outcome.is_as_expected()));
    view! {
        <article id=name class="item" class:here=move || here.get() data-testid=format!("item-{id}")
            aria-labelledby=labelled hidden=move || !listed.get()>
            <div class="top">
                <div>
                    <a class="place" href=permanent>{item.place.clone()}</a>
                    <h3 id=heading tabindex="-1">{item.title.clone()}</h3>
                </div>
                <div class="row">
                    <RunButton item=item.clone() shared stage/>
                    {open}
                </div>
            </div>
            <p class="says">{item.says.clone()}</p>
            {move || unexpected().then(|| view! { <p class="wrong">"Not everything here compares as it is known to."</p> })}
            <Values comparisons=item.comparisons stage label=item.title/>
        </article>
    }
}

/// Runs the item, and says how it stands.
#[component]
fn RunButton(item: Item, shared: Reproductions, stage: Memo<Option<Stage>>) -> impl IntoView {
    let heavy = (!item.is_light()).then(|| format!("about {}", people::duration(item.seconds)));
    let state = move || match stage.get() {
        Some(Stage::Idle) | None => heavy.clone().unwrap_or_default(),
        Some(Stage::Queued) => "waiting".to_owned(),
        Some(Stage::Running(job)) => {
            let share = shared.shares.with(|shares| shares.get(&job).copied());
            share.map_or_else(
                || "running".to_owned(),
                |share| format!("running, {:.0} %", (share * 100.0).floor()),
            )
        }
        Some(Stage::Done(outcome)) => format!("took {}", people::duration(outcome.seconds)),
    };
    let busy = move || stage.with(|stage| matches!(stage, Some(Stage::Running(_))));
    let word =
        move || stage.with(|stage| if matches!(stage, Some(Stage::Done(_))) { "Run again" } else { "Run" });
    let label = {
        let title = item.title.clone();
        move || format!("{}: {title}", word())
    };
    let id = item.id;
    view! {
        <span class="hint number" data-testid="reproduce-stage">{state}</span>
        <button data-testid="reproduce-run" aria-label=label disabled=busy on:click=move |_| shared.ask(&id)>
            {word}
        </button>
    }
}

/// The values, a row for each. Narrow screens show each row as a card, so roles are spelled out.
#[component]
fn Values(comparisons: Vec<Comparison>, stage: Memo<Option<Stage>>, label: String) -> impl IntoView {
    let rows: Vec<_> = comparisons
        .iter()
        .enumerate()
        .map(|(at, comparison)| {
            // A reason that the next row has too stands below the last of them.
            let again = comparisons.get(at + 1).is_some_and(|next| next.why == comparison.why);
            let why = Some(comparison.why.clone()).filter(|why| !why.is_empty() && !again);
            let row = Memo::new(move |_| {
                stage.with(|stage| match stage {
                    Some(Stage::Done(outcome)) => outcome.values.get(at).cloned(),
                    _ => None,
                })
            });
            view! { <ValueRow comparison=comparison.clone() row why/> }
        })
        .collect();
    view! {
        <table role="table" aria-label=label class="values">
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Value"</th>
                    <th role="columnheader" scope="col">"Published"</th>
                    <th role="columnheader" scope="col">"Computed"</th>
                    <th role="columnheader" scope="col">"Verdict"</th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

#[component]
fn ValueRow(comparison: Comparison, row: Memo<Option<Row>>, why: Option<String>) -> impl IntoView {
    let published = format!("{}{}", comparison.claim.sign(), shown(&comparison.published));
    let measured = comparison.claim == Claim::Measured;
    let ours = move || {
        row.with(|row| {
            let Some(row) = row else { return "–".to_owned() };
            let ours = row.ours.as_ref().map_or_else(|| "?".to_owned(), shown);
            match row.ratio.filter(|_| measured) {
                Some(ratio) => format!("{ours} ({} times)", shown(&ratio.into())),
                None => ours,
            }
        })
    };
    let problem = move || {
        row.with(|row| row.as_ref().and_then(|row| row.problem.clone()))
            .map(|problem| view! { <p class="wrong">{problem}</p> })
    };
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">{comparison.what}</th>
            <td role="cell" data-label="Published">{published}</td>
            <td role="cell" data-label="Computed">{ours}{problem}</td>
            <td role="cell" data-label="Verdict">{move || badge(row.get().as_ref())}</td>
        </tr>
        {why.map(|why| view! { <tr role="row" class="why"><td role="cell" colspan="4">{why}</td></tr> })}
    }
}

/// The verdict as a sign and a word, in a colour.
fn badge(row: Option<&Row>) -> AnyView {
    let Some(row) = row else {
        return view! { <span class="badge none">"not run yet"</span> }.into_any();
    };
    let (sign, class) = match row.verdict {
        Some(Verdict::Agree) => ("✓", "agree"),
        Some(Verdict::Differ) => ("≠", "differ"),
        Some(Verdict::Refuted) => ("✗", "refuted"),
        None => ("?", "unread"),
    };
    let unexpected = (!row.is_as_expected())
        .then(|| view! { <span class="wrong">{format!(" known to {}", row.expected.known())}</span> });
    view! {
        <span class=format!("badge {class}") data-testid="badge"><span aria-hidden="true">{sign}</span>" "{row.word()}</span>
        {unexpected}
    }
    .into_any()
}
