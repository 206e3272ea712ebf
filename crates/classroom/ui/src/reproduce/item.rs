//! One figure, table or worked number: a row that unfolds to its values as published and as computed.

use leptos::html;
use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};

use super::{NAME, Reproductions};
use base::people;
use classroom::page::reproduce::Stage;
use classroom::reproduce::{Claim, Comparison, Item, Row, Verdict, shown};
use kit::page::Room;
use kit::page::place::Place;

#[component]
pub(super) fn ItemRow(item: Item, shared: Reproductions) -> impl IntoView {
    let id = item.id.clone();
    let stage = memo({
        let id = id.clone();
        move |_| shared.board.with(|board| board.stage(&id).cloned())
    });
    let listed = memo({
        let item = item.clone();
        move |_| shared.board.with(|board| shared.chosen.with(|chosen| board.is_listed(&item, chosen)))
    });
    let here = {
        let id = id.clone();
        memo(move |_| shared.at.with(|at| *at == id))
    };
    let row = NodeRef::<html::Article>::new();
    effect(move || {
        if let Some(row) = row.get() {
            shared.sight.on(&row);
        }
    });
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
    let values = item.comparisons.len();
    view! {
        <article id=name class="item" class:here=live(move || here.get()) data-seen=id.clone() data-testid=format!("item-{id}")
            aria-labelledby=labelled hidden=live(move || !listed.get()) node_ref=row>
            <details>
                <summary>
                    <span class="place">{item.place.clone()}</span>
                    <h3 id=heading>{item.title.clone()}</h3>
                    <span class="counts">{live(move || stage.with(|stage| counts(stage.as_ref(), values)))}</span>
                </summary>
                <p class="says">{item.says.clone()}" "<a href=permanent>"Link"</a></p>
                {live(move || unexpected().then(|| view! { <p class="wrong">"Not everything here compares as it is known to."</p> }))}
                <Values comparisons=item.comparisons.clone() stage label=item.title.clone()/>
            </details>
            <RunButton item=item.clone() shared stage/>
            {open}
        </article>
    }
}

/// How the values of an item compare, in a few signs.
fn counts(stage: Option<&Stage>, values: usize) -> AnyView {
    let Some(Stage::Done(outcome)) = stage else {
        return view! { <span class="badge none">{people::counted(values, "value")}</span> }.into_any();
    };
    let one = |verdict: Option<Verdict>| {
        let count = outcome.values.iter().filter(|row| row.verdict == verdict).count();
        let (sign, class, word) = look(verdict);
        (count > 0).then(|| {
            view! { <span class=format!("badge {class}")><span aria-hidden="true">{sign}</span>{format!(" {count} ")}<span class="hidden">{word}</span></span> }
        })
    };
    let all = [Some(Verdict::Refuted), Some(Verdict::Differ), Some(Verdict::Agree), None];
    all.map(one).collect_view().into_any()
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
        Some(Stage::Done(outcome)) if outcome.seconds < 0.001 => String::new(),
        Some(Stage::Done(outcome)) => people::duration(outcome.seconds),
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
        <button class="quiet" data-testid="reproduce-run" aria-label=label disabled=busy on:click=move |_| shared.ask(&id)>
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
            let row = memo(move |_| {
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

/// A published value as it is meant.
pub(super) fn published(comparison: &Comparison) -> String {
    format!("{}{}", comparison.claim.sign(), shown(&comparison.published))
}

/// What was computed for it, as far as it was.
pub(super) fn computed(claim: Claim, row: Option<&Row>) -> String {
    let Some(row) = row else { return "–".to_owned() };
    let ours = row.ours.as_ref().map_or_else(|| "?".to_owned(), shown);
    match row.ratio.filter(|_| claim == Claim::Measured) {
        Some(ratio) => format!("{ours} ({} times)", shown(&ratio.into())),
        None => ours,
    }
}

#[component]
fn ValueRow(comparison: Comparison, row: Memo<Option<Row>>, why: Option<String>) -> impl IntoView {
    let published = published(&comparison);
    let claim = comparison.claim;
    let ours = move || row.with(|row| computed(claim, row.as_ref()));
    let problem = move || {
        row.with(|row| row.as_ref().and_then(|row| row.problem.clone()))
            .map(|problem| view! { <p class="wrong">{problem}</p> })
    };
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">{comparison.what}</th>
            <td role="cell" data-label="Published">{published}</td>
            <td role="cell" data-label="Computed">{ours}{problem}</td>
            <td role="cell" data-label="Verdict">{live(move || badge(row.get().as_ref()))}</td>
        </tr>
        {why.map(|why| view! { <tr role="row" class="why"><td role="cell" colspan="4">{why}</td></tr> })}
    }
}

/// How a verdict looks: its sign, its style and its word.
fn look(verdict: Option<Verdict>) -> (&'static str, &'static str, &'static str) {
    match verdict {
        Some(Verdict::Agree) => ("✓", "agree", "agree"),
        Some(Verdict::Differ) => ("≠", "differ", "differ"),
        Some(Verdict::Refuted) => ("✗", "refuted", "refuted"),
        None => ("?", "unread", "unread"),
    }
}

/// The verdict as a sign and a word, in a colour.
fn badge(row: Option<&Row>) -> AnyView {
    let Some(row) = row else {
        return view! { <span class="badge none">"not run yet"</span> }.into_any();
    };
    let (sign, class, word) = look(row.verdict);
    let unexpected = (!row.is_as_expected())
        .then(|| view! { <span class="wrong">{format!(" known to {}", row.expected.known())}</span> });
    view! {
        <span class=format!("badge {class}") data-testid="badge"><span aria-hidden="true">{sign}</span>" "{word}</span>
        {unexpected}
    }
    .into_any()
}
