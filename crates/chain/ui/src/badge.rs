//! What a number is worth, as a sign with its meaning for those who do not see it.

use leptos::prelude::*;

use chain_lab::page::chain::details::{Side, Worthy};
use chain_lab::timeline::chain::Worth;

/// The sign.
pub(super) fn badge(worth: Worth) -> AnyView {
    view! {
        <span class=format!("worth {}", worth.name()) title=worth.words()>
            <span aria-hidden="true">{worth.sign()}</span>
            <span class="hidden">{worth.words()}</span>
        </span>
    }
    .into_any()
}

/// A number behind its sign.
pub(super) fn number(number: Worthy) -> AnyView {
    view! { <span class="worthy">{badge(number.worth)}" "<span>{number.text}</span></span> }.into_any()
}

/// Both sides of a bound with their reasons; a sentence where nothing is known.
pub(super) fn sides(sides: Vec<Side>, id: &'static str, running: bool) -> AnyView {
    if sides.is_empty() {
        let said = if running { "Still being computed." } else { "Not known." };
        return view! { <p class="hint" data-testid=id>{said}</p> }.into_any();
    }
    let line = |side: Side| {
        view! {
            <div>
                <dt>{side.side}</dt>
                <dd>{badge(side.worth)}" "<b>{side.value}</b>{(!side.why.is_empty()).then(|| view! { <span class="why">{side.why}</span> })}</dd>
            </div>
        }
    };
    view! { <dl class="facts chain-sides" data-testid=id>{sides.into_iter().map(line).collect_view()}</dl> }
        .into_any()
}
