//! A kernel given as a listing in the form: which function, which architecture, and how often loops go round.
//!
//! Fields of loops stay as long as their loops do, so that the keyboard stays in them while a number is taken.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use chain_lab::page::chain::form::{KERNELS, at, beside_listing, function_of, of_listing};
use chain_lab::page::chain::listing::{
    Asked, Found, MOST, Rounds, asked, for_all, for_one, found, function, functions, is_each, machine,
    problems, rounds, with_function, with_rounds,
};
use kit::page::fields::path::{Path, id, place};
use kit::page::fields::problems_of;
use ui_kit::cells::{input, row, told};
use ui_kit::controls::{Bound, select};
use ui_kit::doc::Doc;

/// What stands beneath the listing of a kernel.
pub fn listing(doc: Doc, number: usize) -> AnyView {
    let asks = memo(move |_| {
        doc.tree.with(|tree| tree.as_ref().map(|tree| asked(tree, number)).unwrap_or_default())
    });
    let has = memo(move |_| asks.with(found));
    let brings = move || {
        has.with(|has| doc.tree.with(|tree| tree.as_ref().ok().and_then(|tree| machine(tree, number, has))))
    };
    let own = at(&KERNELS, number);
    let beside = beside_listing(&own);
    view! {
        {which(doc, number, asks, has)}
        {row(doc, of_listing(&own), "one")}
        {live(move || brings().map(|said| view! { <p class="hint" data-testid=format!("chain-kernel-{number}-machine")>{said}</p> }))}
        {all_rounds(doc, number, has)}
        {told(doc, format!("notes-{}-tables", id(&own)), move |problems| {
            beside.iter().flat_map(|slot| problems_of(problems, slot)).take(4).collect()
        })}
    }
    .into_any()
}

/// Which function of the listing, where there are several.
fn which(doc: Doc, number: usize, asks: Memo<Asked>, has: Memo<Found>) -> AnyView {
    let slot = function_of(&at(&KERNELS, number));
    let field = format!("field-{}", id(&slot.path));
    let notes = format!("notes-{}", id(&slot.path));
    let choices = memo(move |_| asks.with(|asks| has.with(|has| functions(asks, has))));
    let any = memo(move |_| choices.with(|choices| !choices.is_empty()));
    let control = move || {
        let bound = Bound {
            value: Signal::derive(move || asks.with(|asks| has.with(|has| function(asks, has)))),
            write: Callback::new(move |name: String| {
                doc.edit_tree("function", |tree| with_function(tree, number, &name));
            }),
        };
        select("Function".to_owned(), field.clone(), choices.into(), bound)
    };
    view! {
        <Show when=move || any.get()>
            <div class="cell"><span aria-hidden="true">"Function"</span>{control()}</div>
        </Show>
        {told(doc, notes, move |problems| problems_of(problems, &slot))}
    }
    .into_any()
}

/// How often loops go round: a number for all, as long as none has its own, and one for each that nobody decides.
fn all_rounds(doc: Doc, number: usize, has: Memo<Found>) -> AnyView {
    let slot = for_all(number);
    let notes = format!("notes-{}", id(&slot.path));
    let each = memo(move |_| doc.tree.with(|tree| tree.as_ref().is_ok_and(|tree| is_each(tree, number))));
    let fields = memo(move |_| {
        has.with(|has| {
            doc.tree.with(|tree| tree.as_ref().map(|tree| rounds(tree, number, has)).unwrap_or_default())
        })
    });
    let keyed = move || {
        fields.with(|fields| {
            fields.iter().take(MOST).map(|own| (own.key.clone(), own.label.clone())).collect::<Vec<_>>()
        })
    };
    let described = StoredValue::new(notes.clone());
    let line = move |(key, label): (String, String)| {
        described.with_value(|notes| one(doc, number, has, fields, (key, label), notes))
    };
    let more = move || {
        let more = fields.with(Vec::len).saturating_sub(MOST);
        (more > 0).then(|| view! { <p class="hint">{format!("{more} more under JSON.")}</p> })
    };
    let for_every = StoredValue::new(slot);
    let for_every = move || {
        let slot = for_every.get_value();
        let label = slot.label;
        view! { <label class="cell"><span>{label}</span>{described.with_value(|notes| input(doc, slot, notes, None))}</label> }
    };
    view! {
        <div class="cells two">
            <Show when=move || !each.get()>{for_every()}</Show>
            <For each=keyed key=|own| own.clone() children=line/>
        </div>
        {live(more)}
        {told(doc, notes, move |found| problems(found, number))}
    }
    .into_any()
}

/// The rounds of one loop, taken once they are typed.
fn one(
    doc: Doc,
    number: usize,
    has: Memo<Found>,
    fields: Memo<Vec<Rounds>>,
    (key, label): (String, String),
    notes: &str,
) -> AnyView {
    let path: Path = for_one(number, &key);
    let (field, own_place) = (format!("field-{}", id(&path)), place(&path));
    let key = StoredValue::new(key);
    let of = move |what: fn(&Rounds) -> String| {
        fields.with(|fields| {
            key.with_value(|key| fields.iter().find(|own| own.key == *key).map(what)).unwrap_or_default()
        })
    };
    let write = move |text: String| {
        let has = has.get_untracked();
        key.with_value(|key| {
            doc.edit_tree("loops", |tree| with_rounds(tree, number, &has, key, &text));
        });
    };
    let invalid =
        memo(move |_| doc.problems.with(|problems| problems.iter().any(|own| own.place == own_place)));
    view! {
        <label class="cell">
            <span>{label}</span>
            <input type="text" autocomplete="off" spellcheck="false" inputmode="decimal" class="code" data-testid=field
                placeholder=live(move || of(|own| own.usual.clone())) aria-describedby=notes.to_owned()
                aria-invalid=live(move || if invalid.get() { "true" } else { "false" })
                prop:value=live(move || of(|own| own.value.clone())) on:change=move |event| write(event_target_value(&event))/>
        </label>
    }
    .into_any()
}
