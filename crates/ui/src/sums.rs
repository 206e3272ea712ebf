//! What a selected stretch adds up to, by name: tables that are sorted by their heads, whose lines light what they are of.

use leptos::prelude::*;

use crate::live::{effect, live, memo};
use crate::mounted::put;
use crate::show::Show;
use crate::swatch::InkSwatch;
use kit::page::sums::{Line, Sorting, Sums};

/// A line: the place of its table, and its key there.
pub type Which = (usize, u64);

/// One table after the other; nothing while there is none.
#[component]
pub fn SumsOf(
    /// What tests find them by.
    id: &'static str,
    /// What they are called.
    label: &'static str,
    /// The tables.
    tables: Memo<Vec<Sums>>,
    /// Lights what a line is of, or nothing any more.
    light: Callback<Option<Which>>,
) -> impl IntoView {
    let (lit, sorting) = (RwSignal::new(None::<Which>), RwSignal::new(Sorting::default()));
    let any = memo(move |_| tables.with(|tables| !tables.is_empty()));
    // Another stretch has other things of that name, or none.
    effect(move || {
        let there = |&(table, key): &Which| {
            tables.with(|tables| {
                tables.get(table).is_some_and(|own| own.lines.iter().any(|line| line.key == key))
            })
        };
        tables.track();
        if let Some(which) = lit.get_untracked() {
            let kept = Some(which).filter(there);
            put(lit, kept);
            light.run(kept);
        }
    });
    on_cleanup(move || {
        if lit.try_get_untracked().flatten().is_some() {
            light.run(None);
        }
    });
    let press = Callback::new(move |which: Which| {
        let next = Some(which).filter(|_| lit.get_untracked() != Some(which));
        lit.set(next);
        light.run(next);
    });
    view! {
        <Show when=move || any.get()>
            <div class="sums" role="region" tabindex="0" aria-label=label data-testid=id>
                {live(move || {
                    let one = |(at, table): (usize, Sums)| one(at, table, sorting, lit, press);
                    tables.get().into_iter().enumerate().map(one).collect_view()
                })}
            </div>
        </Show>
    }
}

fn one(
    at: usize,
    Sums { name, heads, lines, all }: Sums,
    sorting: RwSignal<Sorting>,
    lit: RwSignal<Option<Which>>,
    press: Callback<Which>,
) -> impl IntoView {
    let head = move |(column, text): (usize, String)| {
        view! {
            <th scope="col" aria-sort=live(move || sorting.get().aria(column))>
                <button type="button" title="Sort by this" on:click=move |_| sorting.update(|own| *own = own.pressed(column))>{text}</button>
            </th>
        }
    };
    let heads = std::iter::once(name)
        .chain(heads.into_iter().map(str::to_owned))
        .enumerate()
        .map(head)
        .collect_view();
    let line = move |Line { key, name, look, cells }: Line| {
        let which = (at, key);
        let is_lit = move || lit.get() == Some(which);
        view! {
            <tr class:lit=live(is_lit) on:click=move |_| press.run(which)>
                <th scope="row">
                    <button type="button" class="link" title="Light it in the picture" aria-pressed=live(move || is_lit().to_string())>
                        {look.map(|(ink, hatch)| view! { <InkSwatch ink hatch/> })}{name}
                    </button>
                </th>
                {cells.into_iter().map(|cell| view! { <td>{cell.text}</td> }).collect_view()}
            </tr>
        }
    };
    let all = all.map(|Line { name, cells, .. }| {
        view! { <tr class="all"><th scope="row">{name}</th>{cells.into_iter().map(|cell| view! { <td>{cell.text}</td> }).collect_view()}</tr> }
    });
    view! {
        <table>
            <thead><tr>{heads}</tr></thead>
            <tbody>
                // The heads stay, and with them the focus.
                {live(move || {
                    let mut lines = lines.clone();
                    sorting.get().sort(&mut lines);
                    lines.into_iter().map(line).collect_view()
                })}
                {all}
            </tbody>
        </table>
    }
}
