//! The published values that are refuted: each on a line with what was published, what was computed and why, and the run
//! that shows it one click away.

use leptos::html;
use leptos::prelude::*;
use ui_kit::live::{effect, memo};

use super::Reproductions;
use super::item::{computed, published};
use classroom::page::reproduce::Stage;
use classroom::reproduce::Item;
use kit::page::Room;
use kit::page::place::Place;

#[component]
pub(super) fn Refuted(shared: Reproductions) -> impl IntoView {
    let known: Vec<(Item, usize)> =
        shared.board.with_untracked(|board| board.refuted().map(|(item, at)| (item.clone(), at)).collect());
    let lines = known.into_iter().map(|(item, at)| view! { <Line item at shared/> }).collect_view();
    view! {
        <div class="refuted-head" aria-hidden="true">
            <span>"Where"</span><span>"What"</span><span>"Published"</span><span>"Computed"</span><span>"Why"</span>
        </div>
        <ol class="refuted">{lines}</ol>
    }
}

#[component]
fn Line(item: Item, at: usize, shared: Reproductions) -> impl IntoView {
    let place = NodeRef::<html::Li>::new();
    effect(move || {
        if let Some(place) = place.get() {
            shared.sight.on(&place);
        }
    });
    let comparison = item.comparisons[at].clone();
    let id = item.id.clone();
    let row = memo(move |_| {
        shared.board.with(|board| match board.stage(&id) {
            Some(Stage::Done(outcome)) => outcome.values.get(at).cloned(),
            _ => None,
        })
    });
    let claim = comparison.claim;
    let ours = move || row.with(|row| computed(claim, row.as_ref()));
    let mark = move || {
        row.with(|row| {
            row.as_ref().map(|row| if row.is_as_expected() { ("✗", "mark") } else { ("?", "mark wrong") })
        })
        .map(|(sign, class)| view! { <span class=class aria-hidden="true">{sign}</span> })
    };
    let proof = item.link().ok().map(|link| {
        let label = format!("Proof: {}, {}", item.place, comparison.what);
        view! { <a class="button" href=format!("#{link}") aria-label=label>"Proof"</a> }
    });
    let all = Place::of_room(Room::Reproduce, &item.id);
    let named = format!("All values of {}", item.place);
    view! {
        <li node_ref=place data-seen=item.id.clone() data-testid=format!("refuted-{}-{at}", item.id)>
            <details>
                <summary>
                    <span class="where"><b>{item.paper.clone()}</b>" "{item.place.clone()}</span>
                    <span class="what">{comparison.what.clone()}</span>
                    <span class="published"><span class="hidden">"published "</span>{published(&comparison)}</span>
                    <span class="computed"><span class="hidden">"computed "</span>{ours}{mark}</span>
                    <span class="why">{comparison.why.clone()}</span>
                </summary>
                <p>{comparison.why.clone()}</p>
                <p class="hint">{item.title.clone()}": "{item.says.clone()}" "<a href=all>{named}</a></p>
            </details>
            {proof}
        </li>
    }
}
