//! What is free on each SM, and what runs there. Of many SMs only the rows in sight exist.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::moment::{Known, chip};
use base::people;
use blocks_lab::page::blocks::{Meter, Sm};

/// What meters measure.
const METERS: [&str; 4] = ["Threads", "Shared memory", "Registers", "Blocks"];
/// Rows that exist at a time; more than are in sight.
const MOST_ROWS: usize = 18;
/// Rows kept above those in sight.
const SPARE: usize = 4;
/// Height of a row where there are more of them than exist; the style sheet says the same.
const ROW: f64 = 36.0;

#[component]
pub(super) fn Sms(moment: Known, count: Memo<usize>) -> impl IntoView {
    let place = NodeRef::<leptos::html::Div>::new();
    let top = RwSignal::new(0.0);
    let slots = memo(move |_| count.get().min(MOST_ROWS));
    let first = memo(move |_| {
        let wanted = ((top.get() / ROW) as usize).saturating_sub(SPARE);
        wanted.min(count.get() - slots.get())
    });
    let large = move || count.get() > MOST_ROWS;
    let space = |rows: usize| {
        (rows > 0)
            .then(|| view! { <tr aria-hidden="true" style=format!("height: {}px", rows as f64 * ROW)></tr> })
    };
    view! {
        <div class="sms-box" tabindex="0" role="region" aria-label="What is free on each SM" data-keys="own" node_ref=place
            on:scroll=move |_| if let Some(place) = place.get_untracked() { top.set(f64::from(place.scroll_top())) }>
            <table class="sms" class:large=large aria-rowcount=live(move || count.get() + 1) data-testid="blocks-sms">
                <thead>
                    <tr aria-rowindex="1">
                        <th scope="col">"Free"</th>
                        {METERS.map(|name| view! { <th scope="col">{name}</th> }).collect_view()}
                        <th scope="col">"Resident blocks"</th>
                    </tr>
                </thead>
                <tbody>
                    {live(move || space(first.get()))}
                    {live(move || (0..slots.get()).map(|slot| row(moment, memo(move |_| first.get() + slot))).collect_view())}
                    {live(move || space(count.get() - slots.get() - first.get()))}
                </tbody>
            </table>
        </div>
    }
}

/// A row, whichever SM it shows; only what has changed in it is written anew.
fn row(moment: Known, number: Memo<usize>) -> impl IntoView {
    let sm = memo(move |_| {
        moment.with(|moment| moment.as_ref()?.sms.get(number.get()).cloned()).unwrap_or_default()
    });
    let meter = move |which: usize| {
        let meter = memo(move |_| sm.with(|sm| sm.meters[which].clone()));
        let width = move || {
            meter.with(|Meter { free, .. }| format!("width: {}%", f64::from(free.unwrap_or(0)) / 10.0))
        };
        let hidden = move || meter.with(|meter| meter.free.is_none());
        view! {
            <td>
                {live(move || meter.with(|meter| meter.words.clone()))}
                <span class="meter" aria-hidden="true" hidden=hidden><span style=width></span></span>
            </td>
        }
    };
    let blocks = memo(move |_| sm.with(|Sm { blocks, more, .. }| (blocks.clone(), *more)));
    let chips = move || {
        let (blocks, more) = blocks.get();
        let more = (more > 0).then(|| format!("+{}", people::grouped(more as u128)));
        view! { <span class="chips">{blocks.into_iter().map(|entry| chip(entry, "")).collect_view()}{more}</span> }
    };
    view! {
        <tr aria-rowindex=live(move || number.get() + 2)>
            <th scope="row">{live(move || format!("SM {}", number.get()))}</th>
            {(0..METERS.len()).map(meter).collect_view()}
            <td class="resident">{chips}</td>
        </tr>
    }
}
