//! A study as a form: its base as JSON, axes, samples, measures and drawings, each with what is wrong beneath it.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use kit::page::fields::path::{Key, Path, field, item};
use kit::page::fields::{Holds, Slot};
use study_lab::page::form::{self, List};
use ui_kit::cells::{Item, row};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Problems, problems_at};
use ui_kit::seed::SeedField;
use ui_kit::styles::wear;

const AXES: [Key; 2] = [Key::Of("study"), Key::Of("axes")];
const DRAW: [Key; 2] = [Key::Of("study"), Key::Of("draw")];

/// What stands between title and notes.
#[component]
pub fn StudyForm(doc: Doc) -> impl IntoView {
    wear(&[super::STUDY]);
    view! {
        <Axes doc/>
        <Measures doc/>
        <fieldset>
            <legend>"Cells"</legend>
            <Field doc path=&["study", "samples"] label="Samples at each point" holds=Holds::Number/>
            <SeedField doc path=&["study", "seed"]/>
        </fieldset>
        <Drawings doc/>
        <Base doc/>
    }
}

/// The base as JSON. What is no JSON stays in the field until it is mended.
#[component]
fn Base(doc: Doc) -> impl IntoView {
    let wrong = RwSignal::new(None::<String>);
    let text = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(form::base).unwrap_or_default()));
    let write = move |event| {
        let typed = event_target_value(&event);
        match kit::import::json::parse(&typed) {
            Ok(_) => {
                wrong.set(None);
                doc.edit_tree("study.base", |tree| {
                    form::with_base(tree, &typed).unwrap_or_else(|| tree.clone())
                });
            }
            Err(problem) => wrong.set(Some(problem.to_string())),
        }
    };
    view! {
        <fieldset class="study-base">
            <legend>"Base: the scenario that changes"</legend>
            <textarea class="code" rows="14" spellcheck="false" autocomplete="off" aria-label="Base, as JSON" data-testid="study-base"
                aria-invalid=live(move || if wrong.with(Option::is_some) { "true" } else { "false" })
                prop:value=live(move || text.get()) on:change=write></textarea>
            {live(move || wrong.get().map(|said| view! { <p class="wrong" data-testid="study-base-wrong">{said}</p> }))}
            <Problems doc path=&["study", "base"]/>
        </fieldset>
    }
}

#[component]
fn Axes(doc: Doc) -> impl IntoView {
    let all = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(form::axes).unwrap_or_default()));
    let count = memo(move |_| all.with(Vec::len));
    let places = Signal::derive(move || -> Choices {
        let none = (String::new(), "Add an axis over…".to_owned());
        let places = doc.tree.with(|tree| tree.as_ref().map(form::places).unwrap_or_default());
        let named =
            places.into_iter().map(|(place, number)| (place.clone(), format!("{place} (now {number})")));
        std::iter::once(none).chain(named).collect()
    });
    let add = Bound {
        value: Signal::derive(String::new),
        write: Callback::new(move |place: String| {
            if !place.is_empty() {
                doc.edit_tree("study.axes", |tree| form::with_axis(tree, &place));
            }
        }),
    };
    let own = move || exactly(doc, "study.axes");
    view! {
        <fieldset>
            <legend>"Axes: what changes"</legend>
            <div class="study-axes" data-testid="study-axes">
                {live(move || all.get().into_iter().enumerate().map(|(at, range)| axis(doc, at, range, count)).collect_view())}
            </div>
            <div class="notes">{own}</div>
            {select("Add an axis".to_owned(), "study-axis-add".to_owned(), places, add)}
        </fieldset>
    }
}

/// What is wrong at exactly this place.
fn exactly(doc: Doc, place: &str) -> impl IntoView + use<> {
    let all = doc.problems.get().into_iter().filter(|problem| problem.place == place);
    all.map(|problem| view! { <p class="wrong">{format!("{}. Expected {}.", problem.what, problem.expected)}</p> })
        .collect_view()
}

/// An item of a list with its buttons.
fn of_list(
    doc: Doc,
    list: List,
    what: &'static str,
    id: &'static str,
    place: usize,
    count: Memo<usize>,
) -> Item {
    let path: Path = if list == List::Axes { AXES.to_vec() } else { DRAW.to_vec() };
    let path = StoredValue::new(path);
    Item {
        what,
        id: StoredValue::new(id.to_owned()),
        place,
        count,
        go: Callback::new(move |(from, to)| {
            path.with_value(|path| {
                doc.edit_tree(id, |tree| kit::page::fields::path::moved(tree, path, from, to))
            });
        }),
        remove: Callback::new(move |at| doc.edit_tree(id, |tree| form::without(tree, list, at))),
    }
}

/// One axis: where it is, what it is called, and its values.
fn axis(doc: Doc, at: usize, range: bool, count: Memo<usize>) -> AnyView {
    let path = item(&AXES, at);
    let slot = |key, label, holds, usual| Slot::of(&path, key, label, holds, usual);
    let named = vec![
        slot("path", "Place in the base", Holds::Text, "warps.count"),
        slot("name", "Name", Holds::Name, "the place"),
    ];
    let ends = vec![
        slot("from", "From", Holds::Number, ""),
        slot("to", "To", Holds::Number, ""),
        slot("step", "Step", Holds::Number, "1"),
    ];
    let how = Bound {
        value: Signal::derive(move || if range { "range" } else { "values" }.to_owned()),
        write: Callback::new(move |chosen: String| {
            doc.edit_tree("study.axes", |tree| form::turned(tree, at, chosen == "range"));
        }),
    };
    let ways = Signal::derive(|| -> Choices {
        vec![("range".to_owned(), "A range".to_owned()), ("values".to_owned(), "A list of values".to_owned())]
    });
    let values = if range {
        row(doc, ends, "three")
    } else {
        line(
            doc,
            format!("study-axis-{at}-values"),
            "Values, between commas",
            field(&path, "values"),
            move |tree, text| form::with_values(tree, at, text),
        )
    };
    let item = of_list(doc, List::Axes, "Axis", "study-axis", at, count);
    view! {
        <div class="study-axis" role="group" aria-label=format!("Axis {}", at + 1)>
            <div class="study-head">
                {select(format!("Values of axis {}", at + 1), format!("study-axis-{at}-how"), ways, how)}
                {ui_kit::cells::buttons(item)}
            </div>
            {row(doc, named, "two")}
            {values}
        </div>
    }
    .into_any()
}

/// A field for a list of any values.
fn line(
    doc: Doc,
    id: String,
    label: &'static str,
    path: Path,
    written: impl Fn(&Value, &str) -> Value + Send + Sync + 'static,
) -> AnyView {
    let place = kit::page::fields::path::place(&path);
    let at = place.clone();
    let problems = memo(move |_| problems_at(doc, &at));
    let value = memo(move |_| {
        let here = |tree: &Value| form::shown(kit::page::fields::path::get(tree, &path));
        doc.tree.with(|tree| tree.as_ref().map(here).unwrap_or_default())
    });
    let value = move || value.get();
    let write = move |event| {
        let text = event_target_value(&event);
        doc.edit_tree(&place, |tree| written(tree, &text));
    };
    view! {
        <label class="cell">
            <span>{label}</span>
            <input type="text" class="code" autocomplete="off" spellcheck="false" data-testid=id
                aria-invalid=live(move || if problems.with(Vec::is_empty) { "false" } else { "true" })
                prop:value=value on:change=write/>
        </label>
        <div class="notes">{live(move || problems.get().into_iter().map(|said| view! { <p class="wrong">{said}</p> }).collect_view())}</div>
    }
    .into_any()
}

#[component]
fn Measures(doc: Doc) -> impl IntoView {
    let all = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(form::measures).unwrap_or_default()));
    let count = memo(move |_| all.with(Vec::len));
    let offered = Signal::derive(move || -> Choices {
        let first = (String::new(), "Add a measure…".to_owned());
        let known = doc.tree.with(|tree| tree.as_ref().map(form::offered).unwrap_or_default());
        let known =
            known.into_iter().map(|(name, text, about)| (name.to_owned(), format!("{text}: {about}")));
        let own = ("?".to_owned(), "A formula of your own".to_owned());
        std::iter::once(first).chain(known).chain([own]).collect()
    });
    let add = Bound {
        value: Signal::derive(String::new),
        write: Callback::new(move |chosen: String| {
            doc.edit_tree("study.measures", |tree| {
                let known = form::offered(tree).into_iter().find(|(name, ..)| *name == chosen);
                match (chosen.as_str(), known) {
                    ("", _) => tree.clone(),
                    (_, Some((name, text, _))) => form::with_measure(tree, usize::MAX, name, text),
                    (_, None) => form::with_measure(tree, usize::MAX, &form::fresh_name(tree), ""),
                }
            });
        }),
    };
    view! {
        <fieldset>
            <legend>"Measures: what is asked of each report"</legend>
            <div class="study-lines" data-testid="study-measure-rows">{live(move || (0..count.get()).map(|at| measure(doc, all, at)).collect_view())}</div>
            <div class="notes">{live(move || exactly(doc, "study.measures"))}</div>
            {select("Add a measure".to_owned(), "study-measure-add".to_owned(), offered, add)}
            <p class="hint">"Fields of the report, and of the scenario behind “document.”, with + - * /, comparisons, and, or, not, if, min, max, sum, mean, count, all, any, has."</p>
        </fieldset>
    }
}

/// One measure: its name and its formula.
fn measure(doc: Doc, all: Memo<Vec<(String, String)>>, at: usize) -> AnyView {
    let own = memo(move |_| all.with(|all| all.get(at).cloned().unwrap_or_default()));
    let place = move || own.with(|(name, _)| kit::import::reader::join("study.measures", name));
    let problems = memo(move |_| problems_at(doc, &place()));
    let invalid = move || if problems.with(Vec::is_empty) { "false" } else { "true" };
    let rename = move |event| {
        let (_, text) = own.get_untracked();
        doc.edit_tree(&format!("study-measure-{at}-name"), |tree| {
            form::with_measure(tree, at, &event_target_value(&event), &text)
        });
    };
    let write = move |event| {
        let (name, _) = own.get_untracked();
        doc.edit_tree(&format!("study-measure-{at}"), |tree| {
            form::with_measure(tree, at, &name, &event_target_value(&event))
        });
    };
    let remove = move |_| doc.edit_tree("study.measures", |tree| form::without_measure(tree, at));
    view! {
        <div>
            <div class="study-measure" role="group" aria-label=live(move || format!("Measure {}", own.with(|(name, _)| name.clone())))>
                <label class="cell"><span>"Name"</span>
                    <input type="text" autocomplete="off" spellcheck="false" data-testid=format!("study-measure-{at}-name")
                        prop:value=live(move || own.with(|(name, _)| name.clone())) on:change=rename/>
                </label>
                <label class="cell"><span>"Formula"</span>
                    <input type="text" class="code" autocomplete="off" spellcheck="false" data-testid=format!("study-measure-{at}") aria-invalid=invalid
                        prop:value=live(move || own.with(|(_, text)| text.clone())) on:input=write/>
                </label>
                <button type="button" class="icon quiet" title="Remove this measure" aria-label="Remove this measure" data-testid=format!("study-measure-{at}-remove") on:click=remove>"✕"</button>
            </div>
            <div class="notes">{live(move || problems.get().into_iter().map(|said| view! { <p class="wrong">{said}</p> }).collect_view())}</div>
        </div>
    }
    .into_any()
}

#[component]
fn Drawings(doc: Doc) -> impl IntoView {
    let count = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(form::drawings).unwrap_or_default()));
    view! {
        <fieldset>
            <legend>"Drawings"</legend>
            <div class="study-axes" data-testid="study-drawings">{live(move || (0..count.get()).map(|at| drawing(doc, at, count)).collect_view())}</div>
            <div class="row">
                <button type="button" data-testid="study-draw-add" on:click=move |_| doc.edit_tree("study.draw", form::with_drawing)>"Add a drawing"</button>
            </div>
        </fieldset>
    }
}

/// One drawing: its kind, and what it shows.
fn drawing(doc: Doc, at: usize, count: Memo<usize>) -> AnyView {
    let path = item(&DRAW, at);
    let slot = |key, label, usual| Slot::of(&path, key, label, Holds::Name, usual);
    let kinds: Choices = [("line", "Curves"), ("box", "Boxes"), ("scatter", "Dots"), ("heat", "Heat map")]
        .map(|(kind, label)| (kind.to_owned(), label.to_owned()))
        .into();
    let item = of_list(doc, List::Drawings, "Drawing", "study-draw", at, count);
    let kind = StoredValue::new(field(&path, "kind"));
    let bound = Bound {
        value: Signal::derive(move || {
            kind.with_value(|kind| {
                doc.tree.with(|tree| {
                    form::shown(tree.as_ref().ok().and_then(|tree| kit::page::fields::path::get(tree, kind)))
                })
            })
        }),
        write: Callback::new(move |chosen: String| {
            kind.with_value(|kind| {
                doc.edit_tree("study.draw", |tree| {
                    kit::page::fields::path::set(tree, kind, Value::from(chosen))
                });
            });
        }),
    };
    let kinds = Signal::derive(move || kinds.clone());
    view! {
        <div class="study-axis" role="group" aria-label=format!("Drawing {}", at + 1)>
            <div class="study-head">
                {select(format!("Kind of drawing {}", at + 1), format!("study-draw-{at}-kind"), kinds, bound)}
                {ui_kit::cells::buttons(item)}
            </div>
            {row(doc, vec![slot("x", "To the right", "an axis"), slot("by", "A line for each", "nothing"), slot("z", "Shows, of a map", "")], "three")}
            {line(doc, format!("study-draw-{at}-y"), "Upwards: measures, between commas", field(&path, "y"), move |tree, text| form::with_upwards(tree, at, text))}
            {row(doc, vec![slot("title", "Title", "made of the names")], "one")}
        </div>
    }
    .into_any()
}
