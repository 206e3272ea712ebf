//! The settings of an annealing as part of the form.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use crate::starts::{STARTS, start_label, with_starts};
use kit::page::edit;
use kit::page::fields::Holds;
use ui_kit::doc::Doc;
use ui_kit::fields::Field;
use ui_kit::seed::SeedField;
use warps::anneal::{Neighbourhood, StartKind};
use warps_lab::scenario::{Anneal, MOST_CHAINS};

const NEIGHBOURHOOD: [&str; 4] = ["warps", "method", "anneal", "neighbourhood"];

/// Iterations, cooling, neighbourhood, seed, and how many chains begin with which start.
#[component]
pub fn AnnealFields(doc: Doc) -> impl IntoView {
    let how = memo(move |_| {
        let written = text_at(doc, &NEIGHBOURHOOD);
        written.as_deref().map_or(Some(Anneal::default().settings.neighbourhood), Neighbourhood::named)
    });
    let choose = move |event| {
        let name = event_target_value(&event);
        doc.edit_tree("neighbourhood", |tree| edit::set(tree, &NEIGHBOURHOOD, Value::from(name)));
    };
    view! {
        <div class="cells">
            <Field doc path=&["warps", "method", "anneal", "iterations"] label="Iterations" holds=Holds::Number compact="cell wide"/>
            <Field doc path=&["warps", "method", "anneal", "t0"] label="T0" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "method", "anneal", "rounds"] label="Rounds" holds=Holds::Number compact="cell"/>
        </div>
        <SeedField doc path=&["warps", "method", "anneal", "seed"]/>
        <p class="hint">"Per chain. T0 is the temperature a round begins with: the higher, the more often a shorter schedule is taken. Empty is 2,000,000 iterations, 0.3, one round, seed 1."</p>
        <label class="field wide">
            <span>"Neighbourhood: how an order is changed"</span>
            <select data-testid="neighbourhood" on:change=choose>
                {Neighbourhood::all().map(|kind| view! {
                    <option value=kind.name() prop:selected=live(move || how.get() == Some(kind))>{kind.name()}</option>
                }).collect_view()}
            </select>
        </label>
        <p class="hint">{live(move || how.get().map(|how| format!("In each iteration {}.", how.explained())))}</p>
        <p class="heading">"Chains by their start"</p>
        <div class="cells two">
            {StartKind::ALL.into_iter().map(|kind| view! { <Count doc kind/> }).collect_view()}
        </div>
    }
}

/// How many chains begin in one way.
#[component]
fn Count(doc: Doc, kind: StartKind) -> impl IntoView {
    let count = memo(move |_| starts(doc).iter().filter(|start| **start == kind).count());
    let write = move |event| {
        let wanted = event_target_value(&event).trim().parse::<usize>().unwrap_or(0).min(MOST_CHAINS);
        let mut starts = starts(doc);
        while starts.iter().filter(|start| **start == kind).count() > wanted {
            let last = starts.iter().rposition(|start| *start == kind).unwrap_or(0);
            starts.remove(last);
        }
        let more = wanted.saturating_sub(starts.iter().filter(|start| **start == kind).count());
        starts.extend(std::iter::repeat_n(kind, more));
        doc.edit_tree("starts", |tree| with_starts(tree, starts));
    };
    let id = format!("starts-{}", kind.name());
    view! {
        <div class="cell">
            <label for=id.clone()>{start_label(kind)}</label>
            <input id=id.clone() type="text" inputmode="numeric" autocomplete="off" data-testid=id
                prop:value=live(move || count.get().to_string()) on:change=write/>
        </div>
    }
}

/// The starts in the document; those that are no starts are left out.
fn starts(doc: Doc) -> Vec<StartKind> {
    doc.tree.with(|tree| {
        let written = tree.as_ref().ok().and_then(|tree| edit::get(tree, &STARTS)).and_then(Value::as_array);
        written.map_or_else(
            || Anneal::default().starts,
            |list| list.iter().filter_map(|start| StartKind::named(start.as_str()?)).collect(),
        )
    })
}

fn text_at(doc: Doc, path: &[&str]) -> Option<String> {
    doc.tree.with(|tree| Some(edit::get(tree.as_ref().ok()?, path)?.as_str()?.to_owned()))
}
