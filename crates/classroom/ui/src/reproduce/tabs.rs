//! The tabs: what is refuted, each paper, all of it. Arrow keys go from one to the next.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::Reproductions;
use super::tools::Show;
use classroom::page::reproduce::{Chosen, Tab};
use ui_kit::keys::focus;

/// What the element of a tab is called.
pub(super) fn name(tab: &Tab) -> String {
    format!("reproduce-tab-{}", tab.key())
}

#[component]
pub(super) fn Tabs(shared: Reproductions) -> impl IntoView {
    let all = shared.board.with_untracked(|board| Tab::all(board.papers()));
    let (known, count) = (StoredValue::new(all.clone()), all.len());
    let open = move |tab: Tab| {
        let show = shared.chosen.with_untracked(|chosen| chosen.show);
        shared.choose(&Chosen { show: show.filter(|_| tab != Tab::Refuted), tab });
    };
    let key = move |event: KeyboardEvent| {
        let here = shared.chosen.with_untracked(|chosen| chosen.tab.clone());
        let at = known.with_value(|tabs| tabs.iter().position(|tab| *tab == here)).unwrap_or_default();
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % count,
            "ArrowLeft" => (at + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return,
        };
        event.prevent_default();
        if let Some(tab) = known.with_value(|tabs| tabs.get(to).cloned()) {
            focus(&name(&tab));
            open(tab);
        }
    };
    let one = move |tab: Tab| {
        let own = tab.clone();
        let here = memo(move |_| shared.chosen.with(|chosen| chosen.tab == own));
        let (short, rest) = shared.board.with_untracked(|board| match &tab {
            Tab::Refuted => ("Refuted".to_owned(), format!("{} values", board.refuted().count())),
            Tab::Paper(letter) => {
                let paper = board.papers().iter().find(|paper| paper.letter == *letter);
                (letter.clone(), paper.map(|paper| paper.short()).unwrap_or_default())
            }
            Tab::All => ("All".to_owned(), format!("{} items", board.items().count())),
        });
        let id = name(&tab);
        view! {
            <button id=id.clone() role="tab" aria-selected=live(move || here.get().to_string()) aria-controls="reproduce-panel"
                tabindex=live(move || if here.get() { "0" } else { "-1" }) data-testid=id on:click=move |_| open(tab.clone())>
                {short}<span class="tab-more">{rest}</span>
            </button>
        }
    };
    view! {
        <div class="row tab-row">
            <div class="tablist" role="tablist" aria-label="What is listed" on:keydown=key>
                {all.into_iter().map(one).collect_view()}
            </div>
            <span class="spacer"></span>
            <Show shared/>
        </div>
    }
}
