//! What is selected: to what its cycles went, who is to blame, and how that came about.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::sums::{SumsOf, Which};

use super::stage::Stage;
use kit::page::Stretch;
use waves_lab::page::says::Said;
use waves_lab::page::seek::Hit;
use waves_lab::page::stretch;

#[component]
pub(super) fn Details(stage: Stage) -> impl IntoView {
    let hidden = stage.panel.hidden();
    let said = memo(move |_| {
        let place = stage.selected.get()?.place as u32;
        stage.said.get().filter(|(of, _)| *of == place).map(|(_, said)| said)
    });
    let ranged =
        move || stage.sight.range.get().filter(|_| !hidden.get() && stage.sight.cursor.put().is_none());
    let tables = memo(move |_| {
        ranged().and_then(|range| stage.with(|run| stretch::table(run, &range))).unwrap_or_default()
    });
    let light = move |which: Option<Which>| {
        let there = which.zip(stage.now()).zip(stage.sight.range.get_untracked());
        let hits = there.map(|(((_, key), run), range)| {
            Arc::new(stretch::of_line(&run, &range, key).into_iter().map(Hit::Bar).collect())
        });
        let _ = stage.found.try_set(hits);
    };
    let words = move || {
        if hidden.get() {
            return view! { <p class="details waves-said hint" data-testid="waves-details">"Guess first."</p> }
                .into_any();
        }
        let range = stage.sight.range.get();
        let cycle = stage.sight.cursor.put().map(|cycle| Stretch::new(cycle, cycle + 1.0));
        if let Some(range) = cycle.or(range) {
            let sums = stage.with(|run| stretch::said(run, &range));
            return view! { <p class="details waves-said" aria-live="polite" data-testid="waves-details">{sums}</p> }
                .into_any();
        }
        match said.get() {
            Some(said) => view! { <Stretch stage said/> }.into_any(),
            None => view! { <p class="details waves-said hint" data-testid="waves-details">"Click a stretch to see what it waited for, drag for sums, along the axis for each cycle; a line of the code lights its instructions. G goes to the next wait."</p> }.into_any(),
        }
    };
    view! {
        <div class="said">
            {words}
            <SumsOf id="waves-sums" label="The stretch by kind" tables light=Callback::new(light)/>
        </div>
    }
}

/// A button that leads to a bar.
fn link(stage: Stage, to: u32, label: &'static str) -> impl IntoView {
    view! { <button type="button" class="link" on:click=move |_| stage.go(to)>{label}</button> }
}

#[component]
fn Stretch(stage: Stage, said: Arc<Said>) -> impl IntoView {
    let step = move |(text, to): (String, Option<u32>)| {
        view! { <li>{text}" "{to.map(|to| link(stage, to, "show"))}</li> }
    };
    let back = said.back.clone();
    view! {
        <div class="details waves-said" tabindex="0" role="region" aria-label="What is selected" aria-live="polite" data-testid="waves-details">
            <p><strong>{said.head.clone()}"."</strong>" "<span data-testid="waves-why">{said.why.clone()}</span>" "{said.witness.map(|to| link(stage, to, "Show it"))}</p>
            {live(move || (back.len() > 1).then(|| view! {
                <details class="more">
                    <summary>{format!("Followed back, {} steps", back.len())}</summary>
                    <ol>{back.iter().cloned().map(step).collect_view()}</ol>
                </details>
            }))}
        </div>
    }
}
