//! The GPU in the form: its device, its multiprocessor, its clock, and how kernels share it.

use leptos::prelude::*;
use serde_json::json;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use blocks::presets;
use chain_lab::page::chain::form::{CHAIN, machine_is_for, order, preset, with_order};
use kit::page::fields::path::{field, get, place, set};
use kit::page::fields::{Holds, Slot, problems_at};
use ui_kit::cells::{choice, row, told};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;
use ui_kit::fields::named;
use warps::presets::PRESETS;

/// The presets that are meant where none is named.
const USUAL: [(&str, &str); 2] = [("device", "jetson-tx2"), ("machine", "cc-6.2")];
/// The units of a multiprocessor.
const UNITS: [&str; 5] = ["L", "C", "S", "D", "issue"];

/// The GPU.
pub fn gpu(doc: Doc) -> AnyView {
    let devices = presets::ALL.iter().map(|preset| (preset.name.to_owned(), preset.device().name)).collect();
    let machines = PRESETS
        .iter()
        .map(|preset| {
            (preset.name.to_owned(), format!("{}: {}", preset.name.trim_start_matches("cc-"), preset.chip))
        })
        .collect();
    let orders = [
        ("worst", "worst of all orders"),
        ("listed", "as the kernels are listed"),
        ("other", "as under JSON"),
    ];
    let value = memo(move |_| doc.tree.with(|tree| tree.as_ref().map_or("worst", order)).to_owned());
    let bound = Bound {
        value: value.into(),
        write: Callback::new(move |chosen: String| doc.edit_tree("order", |tree| with_order(tree, &chosen))),
    };
    let order = select(
        "Launch order".to_owned(),
        "field-chain-order".to_owned(),
        Signal::derive(move || named(&orders)),
        bound,
    );
    let is_for = memo(move |_| doc.tree.with(|tree| tree.as_ref().ok().and_then(machine_is_for)));
    let own = ["device", "machine"].map(|key| place(&field(&CHAIN, key)));
    let orders = field(&CHAIN, "order");
    let sharing = field(&CHAIN, "sharing");
    let wrong = [place(&orders), place(&sharing)];
    view! {
        <fieldset>
            <legend>"The GPU"</legend>
            {given_by(doc, "Device", "device", devices, "Custom device")}
            {given_by(doc, "Multiprocessor", "machine", machines, "Warps per cycle, by unit")}
            {live(move || is_for.get().map(|said| view! { <p class="hint" data-testid="chain-machine-for">{said}</p> }))}
            {units(doc)}
            {told(doc, "notes-chain-device".to_owned(), move |problems| {
                let inside = problems.iter().filter(|problem| own.iter().any(|own| problem.place.starts_with(own.as_str())));
                inside.take(3).map(|problem| format!("{}: {}. Expected {}.", problem.place, problem.what, problem.expected)).collect()
            })}
            {row(doc, vec![Slot::of(&CHAIN, "clock", "Clock, MHz", Holds::Clock, "1300"), Slot::of(&CHAIN, "effort", "States to search", Holds::Number, "2000000")], "two")}
            {choice(doc, "Kernels of several tasks", sharing, named(&[("shared", "share the GPU"), ("exclusive", "one after the other")]))}
            <div class="cell"><span aria-hidden="true">"Launch order"</span>{order}</div>
            {told(doc, "notes-chain-order".to_owned(), move |problems| problems_at(problems, &wrong))}
        </fieldset>
    }
    .into_any()
}

/// A list of presets, and what is written out.
fn given_by(
    doc: Doc,
    label: &'static str,
    key: &'static str,
    presets: Choices,
    other: &'static str,
) -> AnyView {
    let usual = USUAL.iter().find(|(own, _)| *own == key).map_or("", |(_, usual)| *usual);
    let value = memo(move |_| {
        doc.tree.with(|tree| tree.as_ref().ok().and_then(|tree| preset(tree, key, usual))).unwrap_or_default()
    });
    let known = StoredValue::new(presets);
    let choices = Signal::derive(move || {
        let known = known.get_value();
        let present = value.get();
        let strange = (!present.is_empty() && known.iter().all(|(own, _)| *own != present))
            .then(|| (present.clone(), present));
        let written =
            (key == "machine" || value.with(String::is_empty)).then(|| (String::new(), other.to_owned()));
        known.into_iter().chain(strange).chain(written).collect::<Choices>()
    });
    let write = Callback::new(move |chosen: String| {
        doc.edit_tree(key, |tree| {
            let value = if chosen.is_empty() { json!({"L": 1, "C": 4}) } else { json!({"preset": chosen}) };
            set(tree, &field(&CHAIN, key), value)
        });
    });
    let control =
        select(label.to_owned(), format!("field-chain-{key}"), choices, Bound { value: value.into(), write });
    view! { <div class="cell"><span aria-hidden="true">{label}</span>{control}</div> }.into_any()
}

/// How many warps each unit takes in a cycle, where that is written out.
fn units(doc: Doc) -> AnyView {
    let machine = field(&CHAIN, "machine");
    let at = machine.clone();
    let plain = memo(move |_| {
        doc.tree.with(|tree| {
            let machine =
                tree.as_ref().ok().and_then(|tree| get(tree, &at)).and_then(|found| found.as_object());
            machine.is_some_and(|found| found.keys().all(|key| UNITS.contains(&key.as_str())))
        })
    });
    let slots = StoredValue::new(machine);
    view! {
        <Show when=move || plain.get()>
            {slots.with_value(|machine| row(doc, vec![
                Slot::of(machine, "L", "L", Holds::Number, "0"),
                Slot::of(machine, "C", "C", Holds::Number, "0"),
                Slot::of(machine, "S", "S", Holds::Number, "0"),
                Slot::of(machine, "D", "D", Holds::Number, "0"),
                Slot::of(machine, "issue", "Issue", Holds::Number, "any"),
            ], "five"))}
            <p class="hint">"L load/store, C core, S special function, D double: how many warps each serves in a cycle. Issue: how many may issue in all."</p>
        </Show>
    }
    .into_any()
}
