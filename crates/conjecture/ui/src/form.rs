//! A conjecture as a form: what is claimed, of what, and over which ranges. It stands in the page's form.

use leptos::prelude::*;
use serde_json::json;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use conjecture_lab::page::claims;
use conjecture_lab::page::claims::{CLAIMS, MOST_RANGES, RangeRow};
use kit::page::edit;
use kit::page::fields::Holds;
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Path, Problems, choice, of_tree, problems_at, titled};

const CLAIM: Path = &["conjecture", "claim"];
const SAYS: Path = &["conjecture", "claim", "says"];
const FAIRNESS: Path = &["conjecture", "fairness"];
const SUB_BLOCKS: Path = &["conjecture", "sub_blocks"];
const MACHINE: Path = &["conjecture", "machine"];
const RANGES: Path = &["conjecture", "ranges"];

const FORMULAS: &str = "Numbers, + - * /, parentheses, ceil, floor, max, min, exact(g), the parameters below, and \
    W, I, L, C, S, D, cap_L, cap_C, cap_S, cap_D, issue, blocked, busy";
const ENDS: [&str; 3] = ["From", "To", "Step"];

/// What stands between title and notes.
#[component]
pub fn ConjectureForm(doc: Doc) -> impl IntoView {
    let named = memo(move |_| {
        of_tree(doc, |tree| claims::named(tree).map_or(String::new(), |claim| claim.name.to_owned()))
    });
    let own = memo(move |_| {
        doc.tree.with(|tree| {
            tree.as_ref().is_ok_and(|tree| edit::get(tree, &["conjecture", "claim", "named"]).is_none())
        })
    });
    let published = memo(move |_| doc.tree.with(|tree| tree.as_ref().is_ok_and(claims::is_as_published)));
    let claim = Bound {
        value: named.into(),
        write: Callback::new(move |name: String| {
            doc.edit_tree("claim", |tree| claims::with_claim(tree, &name))
        }),
    };
    let known = Signal::derive(|| -> Choices {
        let own = (String::new(), "A formula of your own".to_owned());
        let known = CLAIMS.iter().map(|claim| (claim.name.to_owned(), claim.label.to_owned()));
        std::iter::once(own).chain(known).collect()
    });
    let says = choice(doc, SAYS, &[("at-most", "at most"), ("exactly", "exactly")]);
    let leave = move |event| {
        let published = event_target_checked(&event);
        doc.edit_tree("as-published", |tree| {
            if published { claims::as_published(tree) } else { claims::spelt_out(tree) }
        });
    };
    view! {
        <fieldset>
            <legend>"What is claimed"</legend>
            {select("Claim".to_owned(), "claim".to_owned(), known, claim)}
            {titled("The worst case is", says)}
            <Show when=move || own.get() fallback=move || view! {
                <p><code>{live(move || claims::CLAIMS.iter().find(|claim| named.with(|name| name == claim.name)).map(|claim| claim.formula))}</code></p>
                <Problems doc path=CLAIM/>
                <label class="tick">
                    <input type="checkbox" data-testid="as-published" prop:checked=live(move || published.get()) on:change=leave/>
                    <span>"Use the paper's own kernel, machine, fairness and warps"</span>
                </label>
            }>
                <Field doc path=&["conjecture", "claim", "formula"] label="Formula" holds=Holds::Code hint=FORMULAS/>
            </Show>
        </fieldset>
        <Ranges doc/>
        <Show when=move || !published.get()>
            <Field doc path=&["conjecture", "kernel"] label="Kernel: what every warp executes" holds=Holds::Given
                hint="L load/store, C core, S special function, D double; rep may stand for a count, as in C rep(LLC) L"/>
            <Field doc path=&["conjecture", "warps"] label="Warps" holds=Holds::Formulas
                hint="A formula, such as ceil(n/16); one a line for several multiprocessors. Empty where W is a parameter."/>
            <Machine doc/>
            <Fairness doc/>
        </Show>
    }
}

#[component]
fn Machine(doc: Doc) -> impl IntoView {
    let otherwise = memo(move |_| {
        doc.tree.with(|tree| {
            let machine = tree.as_ref().ok().and_then(|tree| edit::get(tree, MACHINE));
            machine.is_some_and(|machine| ["preset", "units"].iter().any(|key| machine.get(key).is_some()))
        })
    });
    view! {
        <fieldset>
            <legend>"Machine: warps per cycle"</legend>
            <Show when=move || otherwise.get() fallback=move || view! {
                <div class="cells">
                    <Field doc path=&["conjecture", "machine", "L"] label="L" holds=Holds::Number compact="cell"/>
                    <Field doc path=&["conjecture", "machine", "C"] label="C" holds=Holds::Number compact="cell"/>
                    <Field doc path=&["conjecture", "machine", "S"] label="S" holds=Holds::Number compact="cell"/>
                    <Field doc path=&["conjecture", "machine", "D"] label="D" holds=Holds::Number compact="cell"/>
                    <Field doc path=&["conjecture", "machine", "issue"] label="Issue" holds=Holds::Number compact="cell"/>
                </div>
            }>
                <p class="hint">"Given by a preset or by unit counts, which stand under JSON."</p>
                <Problems doc path=MACHINE/>
            </Show>
        </fieldset>
    }
}

#[component]
fn Fairness(doc: Doc) -> impl IntoView {
    let fair = memo(move |_| {
        doc.tree.with(|tree| {
            tree.as_ref().is_ok_and(|tree| edit::get(tree, FAIRNESS).is_some_and(|name| name == "sub-block"))
        })
    });
    let choose = move |event| {
        let fair = event_target_checked(&event);
        doc.edit_tree("fairness", |tree| {
            let tree = edit::remove(tree, SUB_BLOCKS);
            edit::set(&tree, FAIRNESS, json!(if fair { "sub-block" } else { "work-conserving" }))
        });
    };
    view! {
        <label class="tick">
            <input type="checkbox" data-testid="conjecture-fairness" prop:checked=live(move || fair.get()) on:change=choose/>
            <span>"Sub-block fairness: earlier sub-blocks go first"</span>
        </label>
        <Problems doc path=FAIRNESS/>
        <Show when=move || fair.get()>
            <Field doc path=SUB_BLOCKS label="Boundaries" holds=Holds::Boundaries
                hint="Leave empty to split before each repetition, or list how many instructions stand before each boundary."/>
        </Show>
    }
}

#[component]
fn Ranges(doc: Doc) -> impl IntoView {
    let rows = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(claims::ranges).unwrap_or_default()));
    let count = memo(move |_| rows.with(Vec::len));
    let full = move || count.get() >= MOST_RANGES;
    let problems = move || {
        // Those of a parameter stand beneath it.
        let all = doc.problems.get().into_iter().filter(|problem| problem.place == RANGES.join("."));
        all.map(|problem| view! { <p class="wrong">{format!("{}. Expected {}.", problem.what, problem.expected)}</p> }).collect_view()
    };
    view! {
        <fieldset>
            <legend>"Parameters"</legend>
            <div class="ranges" data-testid="ranges">{live(move || (0..count.get()).map(|place| range(doc, rows, place)).collect_view())}</div>
            <div class="notes">{problems}</div>
            <div class="row">
                <button type="button" data-testid="range-add" disabled=full
                    on:click=move |_| doc.edit_tree("ranges", claims::with_another_range)>"Add a parameter"</button>
            </div>
            <p class="hint">"Up to two may have more than one value. W, rep, cap_L, cap_C, cap_S, cap_D and issue set what they name; others are for formulas."</p>
        </fieldset>
    }
}

/// One parameter: its name, from, to and step.
fn range(doc: Doc, rows: Memo<Vec<RangeRow>>, place: usize) -> AnyView {
    let row = memo(move |_| rows.with(|rows| rows.get(place).cloned().unwrap_or_default()));
    let change = move |part: usize, text: String| {
        let mut changed = row.get_untracked();
        match part.checked_sub(1) {
            None => changed.name = text,
            Some(end) => changed.ends[end] = text,
        }
        doc.edit_tree(&format!("range-{place}-{part}"), |tree| claims::with_range(tree, place, &changed));
    };
    let problems =
        memo(move |_| problems_at(doc, &format!("conjecture.ranges.{}", row.with(|row| row.name.clone()))));
    let field = move |part: usize| {
        let value =
            move || row.with(|row| if part == 0 { row.name.clone() } else { row.ends[part - 1].clone() });
        let label = if part == 0 { "Parameter" } else { ENDS[part - 1] };
        let id = format!("range-{place}-{}", label.to_ascii_lowercase());
        view! {
            <label class="cell">
                <span class:hidden=place.gt(&0)>{label}</span>
                <input type="text" autocomplete="off" spellcheck="false" class="code" data-testid=id
                    inputmode=if part == 0 { "text" } else { "numeric" }
                    aria-invalid=live(move || if problems.with(Vec::is_empty) { "false" } else { "true" })
                    prop:value=value on:input=move |event| change(part, event_target_value(&event))/>
            </label>
        }
        .into_any()
    };
    let remove = move |_| doc.edit_tree("ranges", |tree| claims::without_range(tree, place));
    view! {
        <div class="range" role="group" aria-label=live(move || format!("Parameter {}", row.with(|row| row.name.clone())))>
            {(0..4).map(field).collect_view()}
            <button type="button" class="icon quiet" title="Remove this parameter" aria-label="Remove this parameter" data-testid=format!("range-{place}-remove") on:click=remove>"✕"</button>
        </div>
        <div class="notes">{live(move || problems.get().into_iter().map(|text| view! { <p class="wrong">{text}</p> }).collect_view())}</div>
    }.into_any()
}
