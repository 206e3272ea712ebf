//! A document of machine code as a form, beside its title and notes.

use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use code_lab::page::edits;
use kit::page::edit::{get, set};
use kit::page::fields::Holds;
use ui_kit::controls::{Bound, select};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Problems, Tick, named, of_tree, titled};

/// What a method is called, and how a document says it.
const METHODS: [(&str, &str); 6] = [
    ("longest", "Longest that is found"),
    ("beam", "Beam: the longest of few states a cycle"),
    ("exact", "Exact, all states"),
    ("greedy-then-oldest", "Greedy, then oldest"),
    ("loose-round-robin", "Loose round-robin"),
    ("oldest-first", "Oldest first"),
];

#[component]
pub fn CodeForm(doc: Doc) -> impl IntoView {
    let listed = memo(move |_| {
        doc.tree.with(|tree| tree.as_ref().is_ok_and(|tree| get(tree, &["warps", "sass"]).is_some()))
    });
    let method_chosen = memo(move |_| chosen(doc));
    let known = StoredValue::<edits::Functions>::default();
    let of_listing = Callback::new(move |now: Value| match doc.tree.get_untracked() {
        Ok(before) => known.try_update_value(|known| edits::of_listing(&before, &now, known)).unwrap_or(now),
        Err(_) => now,
    });
    let by_loop = memo(move |_| {
        let each = |tree: &Value| get(tree, &["warps", "loops"]).is_some_and(Value::is_object);
        doc.tree.with(|tree| tree.as_ref().is_ok_and(each))
    });
    let each_loop = move || {
        view! {
            <p class="hint">"How often each loop goes round stands beneath the picture."</p>
            <Problems doc path=&["warps", "loops"] label="Loops"/>
        }
    };
    let written = move || {
        view! {
            <p class="hint">"The code is written out in the document: mend it under JSON."</p>
            <Problems doc path=&["warps", "code"]/>
            <Problems doc path=&["warps", "machine"]/>
            <Problems doc path=&["warps", "path"]/>
        }
    };
    view! {
        <fieldset>
            <legend>"Machine code"</legend>
            <Show when=move || listed.get() fallback=written>
                <Field doc path=&["warps", "sass"] label="Listing" holds=Holds::Program fitted=of_listing
                    hint="As cuobjdump -sass, nvdisasm -hex or Compiler Explorer show it."/>
                {titled("Function", function(doc, known))}
                <Problems doc path=&["warps", "function"]/>
                <Field doc path=&["warps", "architecture"] label="Architecture" holds=Holds::Number hint="Such as 80; as the listing says, if empty."/>
                <Show when=move || !by_loop.get() fallback=each_loop>
                    <Field doc path=&["warps", "loops"] label="Rounds of every loop" holds=Holds::Number
                        hint="Where the text does not say how often one goes round; for each by itself beneath the picture."/>
                </Show>
                <Problems doc path=&["warps", "latencies"] label="Latencies"/>
                <Problems doc path=&["warps", "lanes"] label="Lanes of units"/>
            </Show>
        </fieldset>
        <fieldset>
            <legend>"Warps"</legend>
            <Field doc path=&["warps", "count"] label="Warps" holds=Holds::Number slider=(1, 64)/>
            <Field doc path=&["warps", "block"] label="Warps of a block" holds=Holds::Number hint="All, if empty: a barrier waits for those of one block."/>
            <Problems doc path=&["warps", "registers"]/>
            <Problems doc path=&["warps", "shared"]/>
            <Field doc path=&["warps", "misses"] label="Misses at most" holds=Holds::Number hint="No limit, if empty."/>
        </fieldset>
        <fieldset>
            <legend>"Schedule"</legend>
            {titled("Which one", method(doc, method_chosen))}
            {live(move || match &method_chosen.get()[..] {
                "exact" => view! {
                    <Field doc path=&["warps", "method", "exact", "memory_limit"] label="MiB" holds=Holds::Number hint="What each search may keep; empty is 256. What is proven when it is full holds."/>
                    <Tick doc path=&["warps", "method", "exact", "shortest"] usual=true label="Find the best case too"/>
                }.into_any(),
                "beam" => view! {
                    <Field doc path=&["warps", "method", "beam", "width"] label="Width" holds=Holds::Number hint="How many states are kept each cycle. Wider finds longer schedules, and takes longer; empty is 1,000."/>
                    <Tick doc path=&["warps", "method", "beam", "guided"] usual=false label="Judge states by a proven bound first"/>
                }.into_any(),
                _ => ().into_any(),
            })}
            <Problems doc path=&["warps", "method"]/>
        </fieldset>
    }
}

/// Which function of the listing: the first one, if the document names none.
fn function(doc: Doc, known: StoredValue<edits::Functions>) -> AnyView {
    let listing = memo(move |_| of_tree(doc, |tree| edits::listing(tree).to_owned()));
    let listed = memo(move |_| {
        listing.with(|text| known.try_update_value(|known| known.of(text).to_vec())).unwrap_or_default()
    });
    let asked = move || {
        let own = doc
            .tree
            .with(|tree| Some(get(tree.as_ref().ok()?, &["warps", "function"])?.as_str()?.to_owned()));
        own.or_else(|| listed.with(|listed| listed.first().cloned())).unwrap_or_default()
    };
    let choices = Signal::derive(move || {
        let own = asked();
        let absent = !listed.with(|listed| listed.contains(&own));
        let absent = absent.then(|| (own.clone(), format!("{own} (not in the listing)")));
        let listed = listed.get().into_iter().map(|name| (name.clone(), name));
        listed.chain(absent.filter(|(own, _)| !own.is_empty())).collect()
    });
    let bound = Bound {
        value: Signal::derive(asked),
        write: Callback::new(move |name: String| {
            doc.edit_tree("warps.function", |tree| {
                edits::of_function(&set(tree, &["warps", "function"], Value::from(name)))
            });
        }),
    };
    select("Function".to_owned(), "field-warps-function".to_owned(), choices, bound)
}

fn method(doc: Doc, chosen: Memo<String>) -> AnyView {
    let bound = Bound {
        value: chosen.into(),
        write: Callback::new(move |value: String| {
            let method = match &value[..] {
                "longest" | "exact" => json!({ value: {} }),
                "beam" => json!({ "beam": { "width": 100 } }),
                _ => json!({ "policy": value }),
            };
            doc.edit_tree("warps.method", |tree| set(tree, &["warps", "method"], method));
        }),
    };
    select("Which schedule".to_owned(), "code-method".to_owned(), Signal::derive(|| named(&METHODS)), bound)
}

/// The name of the method that the document has.
fn chosen(doc: Doc) -> String {
    let found = doc.tree.with(|tree| {
        let own = get(tree.as_ref().ok()?, &["warps", "method"])?;
        let name = own.get("policy").and_then(Value::as_str).map(str::to_owned);
        name.or_else(|| own.as_object()?.keys().next().cloned())
    });
    found.unwrap_or_else(|| METHODS[0].0.to_owned())
}
