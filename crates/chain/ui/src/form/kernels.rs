//! The kernels in the form: where the time of each is from, and its grid.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::list::{self, List};
use super::listing::listing;
use chain_lab::page::chain::form::{
    KERNELS, Source, about_kernel, at, of_kernel, of_source, with_new_kernel, with_source,
};
use kit::page::fields::path::{get, id, set};
use kit::page::fields::{problems_of, shown};
use ui_kit::cells::{row, told};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;
use warps_lab::page::program::excerpt;

/// The list of kernels.
pub fn kernels(doc: Doc) -> AnyView {
    list::list(List {
        doc,
        at: &KERNELS,
        legend: "Kernels",
        what: "kernel",
        about: about_kernel,
        more: with_new_kernel,
        inside: kernel,
    })
}

fn kernel(doc: Doc, number: usize) -> AnyView {
    let own = StoredValue::new(at(&KERNELS, number));
    let source = memo(move |before: Option<&Source>| {
        own.with_value(|own| {
            doc.tree
                .with(|tree| Source::of(tree.as_ref().ok().and_then(|tree| get(tree, own)), before.copied()))
        })
    });
    let bound = Bound {
        value: Signal::derive(move || source.get().key().to_owned()),
        write: Callback::new(move |chosen: String| {
            if let Some((source, ..)) = Source::ALL.into_iter().find(|(_, key, _)| *key == chosen) {
                doc.edit_tree("source", |tree| with_source(tree, number, source));
            }
        }),
    };
    let choices = Signal::derive(|| -> Choices {
        Source::ALL.map(|(_, key, label)| (key.to_owned(), label.to_owned())).to_vec()
    });
    let given = move || match source.get() {
        Source::Ptx => program(doc, number, Source::Ptx),
        Source::Sass => view! { {program(doc, number, Source::Sass)}{listing(doc, number)} }.into_any(),
        Source::Code => {
            let said = "The code is written out in the document: mend it under JSON.";
            view! { <p class="hint">{said}</p> }.into_any()
        }
        source => own.with_value(|own| row(doc, vec![of_source(own, source)], "one")),
    };
    view! {
        {list::name(doc, &KERNELS, number)}
        <div class="cell"><span aria-hidden="true">"Its time is from"</span>{select("Its time is from".to_owned(), format!("chain-kernel-{number}-source"), choices, bound)}</div>
        {given}
        {own.with_value(|own| row(doc, of_kernel(own), "two"))}
    }
    .into_any()
}

/// PTX or a listing, as many lines as it has.
fn program(doc: Doc, number: usize, source: Source) -> AnyView {
    let slot = of_source(&at(&KERNELS, number), source);
    let label = slot.label;
    let (field, notes) = (format!("field-{}", id(&slot.path)), format!("notes-{}", id(&slot.path)));
    let slot = StoredValue::new(slot);
    let value = move || {
        slot.with_value(|slot| {
            doc.tree.with(|tree| {
                tree.as_ref().ok().map(|tree| shown(get(tree, &slot.path), slot.holds)).unwrap_or_default()
            })
        })
    };
    // A long one is shown in part, and then is not edited here.
    let excerpt = memo(move |_| excerpt(&value()));
    let seen = move || excerpt.get().map_or_else(value, |(part, _)| part);
    let in_part = move || {
        excerpt.with(|excerpt| {
            let said =
                |(_, said): &(String, String)| format!("{said}. All of it is read. Too long to edit here.");
            excerpt.as_ref().map(said)
        })
    };
    let wrong = move |problems: &[base::Problem]| {
        // What is wrong within a text has its line behind its place.
        slot.with_value(|slot| {
            let place = kit::page::fields::path::place(&slot.path);
            let lines = problems.iter().filter_map(|problem| {
                let line = problem.place.strip_prefix(place.as_str())?;
                let line = line.trim_start_matches(':').strip_prefix(" line ")?;
                Some(format!("Line {line}: {}. Expected {}.", problem.what, problem.expected))
            });
            problems_of(problems, slot).into_iter().chain(lines).take(4).collect::<Vec<_>>()
        })
    };
    let invalid =
        move || if doc.problems.with(|problems| wrong(problems).is_empty()) { "false" } else { "true" };
    let write = move |text: String| {
        slot.with_value(|slot| {
            doc.edit_tree(source.key(), |tree| set(tree, &slot.path, text.clone().into()))
        });
    };
    view! {
        <label class="cell">
            <span>{label}</span>
            <textarea rows="10" class="code program" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"
                data-testid=field aria-invalid=invalid aria-describedby=notes.clone() readonly=live(move || excerpt.with(Option::is_some))
                prop:value=seen on:input=move |event| write(event_target_value(&event))></textarea>
        </label>
        {live(move || in_part().map(|said| view! { <p class="hint">{said}</p> }))}
        {told(doc, notes, wrong)}
    }
    .into_any()
}
