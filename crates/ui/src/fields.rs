//! Fields of a form: each reads and writes one path of the document, and says what is wrong there.

use crate::live::{live, memo};
use leptos::prelude::*;
use serde_json::Value;

use crate::controls::{Bound, Choices, select};
use crate::doc::Doc;
use crate::lined::{self, Margin};
use crate::show::Show;
use kit::page::fields::{Holds, shown, typed};
use kit::page::{edit, mend};

/// A path of keys.
pub type Path = &'static [&'static str];

/// A field with its label, its hint, and what is wrong with it.
#[component]
pub fn Field(
    /// The document.
    doc: Doc,
    /// What of it stands in the field.
    path: Path,
    /// What it is called.
    label: &'static str,
    /// What it holds.
    holds: Holds,
    /// What helps to fill it in.
    #[prop(optional)]
    hint: &'static str,
    /// Its class where it is narrower than others.
    #[prop(optional)]
    compact: &'static str,
    /// The ends of a slider beside it.
    #[prop(optional, into)]
    slider: Option<(u32, u32)>,
    /// What stands beneath that.
    #[prop(optional, into)]
    beneath: ViewFn,
    /// What goes with another value, in the document that has it.
    #[prop(optional)]
    fitted: Option<Callback<Value, Value>>,
) -> impl IntoView {
    let id = format!("field-{}", path.join("-"));
    let notes = format!("{id}-notes");
    let problems = memo(move |_| {
        // What waits for a program to be pasted is no mistake yet.
        let empty = |tree: &Value| edit::get(tree, path).is_some_and(|value| value == "");
        let waits = holds == Holds::Program && doc.tree.with(|tree| tree.as_ref().is_ok_and(empty));
        match holds {
            _ if waits => Vec::new(),
            Holds::Program => problems_beside(doc, &path.join(".")),
            _ => problems_at(doc, &path.join(".")),
        }
    });
    let wrong = memo(move |_| {
        problems.with(|problems| !problems.is_empty()) || holds == Holds::Program && any_line(doc, path)
    });
    let value =
        move || doc.tree.with(|tree| shown(tree.as_ref().ok().and_then(|tree| edit::get(tree, path)), holds));
    let write = move |text: String| {
        doc.edit_tree(&path.join("."), |tree| {
            let tree = match typed(&text, holds) {
                Some(value) => edit::set(tree, path, value),
                None => edit::remove(tree, path),
            };
            match fitted {
                Some(fitted) => fitted.run(tree),
                None => tree,
            }
        });
    };
    let invalid = move || if wrong.get() { "true" } else { "false" };
    let control = match holds {
        Holds::Program => {
            let text = Signal::derive(value);
            let marks = Signal::derive(move || doc.problems.with(|problems| mend::marks_in(problems, &path.join("."))));
            view! {
                <div class="lined">
                    <textarea id=id.clone() rows="12" class="code program" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"
                        aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                        prop:value=value on:input=move |event| write(event_target_value(&event))></textarea>
                    <Margin area_id=id.clone() text marks/>
                </div>
            }.into_any()
        }
        Holds::Lines | Holds::List | Holds::Rows | Holds::Formulas => view! {
            <textarea id=id.clone() rows=match holds { Holds::Rows => 6, Holds::Formulas => 2, _ => 4 } class:code=holds != Holds::Lines spellcheck="false"
                aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                prop:value=value on:input=move |event| write(event_target_value(&event))></textarea>
        }.into_any(),
        _ => view! {
            <input id=id.clone() type="text" autocomplete="off" spellcheck="false" class:code=!matches!(holds, Holds::Text | Holds::Name)
                inputmode=if holds == Holds::Number { "numeric" } else { "text" }
                aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                prop:value=value on:input=move |event| write(event_target_value(&event))/>
        }.into_any(),
    };
    let slider = slider.map(|(min, max)| {
        view! {
            <input type="range" min=min max=max aria-label=label data-testid=format!("{id}-slider")
                prop:value=value on:input=move |event| write(event_target_value(&event))/>
        }
    });
    view! {
        <div class=if compact.is_empty() { "field" } else { compact }>
            <label for=id.clone()>{label}</label>
            {control}
            {slider}
            {beneath.run()}
            <div id=notes class="notes">
                // What is wrong on a line is a way to it, and stands directly beneath the text.
                {(holds == Holds::Program).then(|| view! { <ToLines doc path area_id=id.clone()/> })}
                {(!hint.is_empty()).then(|| view! { <p class="hint">{hint}</p> })}
                {live(move || problems.get().into_iter().map(|text| view! { <p class="wrong">{text}</p> }).collect_view())}
            </div>
        </div>
    }
}

/// So many problems are listed beneath a text.
const MOST_LINES: usize = 6;

fn any_line(doc: Doc, path: Path) -> bool {
    doc.problems.with(|problems| !mend::marks_in(problems, &path.join(".")).is_empty())
}

/// The problems of a program's lines, each a button that goes to its line.
#[component]
fn ToLines(doc: Doc, path: Path, area_id: String) -> impl IntoView {
    let marks = memo(move |_| doc.problems.with(|problems| mend::marks_in(problems, &path.join("."))));
    let testid = format!("{area_id}-lines");
    let area = StoredValue::new(area_id);
    let way = move |mend::Mark { line, said }: mend::Mark| {
        let between = if said.starts_with("column ") { " " } else { ": " };
        let go = move |_| {
            area.with_value(|area| lined::go(area, line));
        };
        view! { <li><button type="button" class="to-line" on:click=go><b>"Line "{line + 1}</b>{between}{said}</button></li> }
    };
    let more = move || {
        let more = marks.with(Vec::len).saturating_sub(MOST_LINES);
        (more > 0).then(|| view! { <p class="hint">{format!("Further lines: {more}.")}</p> })
    };
    view! {
        <Show when=move || marks.with(|marks| !marks.is_empty())>
            <ul class="to-lines" data-testid=testid.clone()>{live(move || marks.get().into_iter().take(MOST_LINES).map(way).collect_view())}</ul>
            {live(more)}
        </Show>
    }
}

/// Problems at a path, where no field of its own shows them.
#[component]
pub fn Problems(
    /// The document.
    doc: Doc,
    /// What of it may be wrong.
    path: Path,
    /// What it is called, where nothing beside it says so.
    #[prop(optional)]
    label: &'static str,
) -> impl IntoView {
    let problems = memo(move |_| {
        let named = |said: String| if label.is_empty() { said } else { format!("{label}: {said}") };
        problems_at(doc, &path.join(".")).into_iter().map(named).collect::<Vec<_>>()
    });
    view! {
        <div class="notes" data-testid=format!("problems-{}", path.join("-"))>
            {live(move || problems.get().into_iter().map(|text| view! { <p class="wrong">{text}</p> }).collect_view())}
        </div>
    }
}

/// Problems of a field or of something inside it; those within a text with line and column.
pub fn problems_at(doc: Doc, place: &str) -> Vec<String> {
    let all = doc.problems.get();
    let here = all.iter().filter_map(|problem| {
        let rest = problem.place.strip_prefix(place)?;
        let inside = rest.is_empty() || rest.starts_with(['[', '.']);
        let line = rest.strip_prefix(" line ");
        (inside || line.is_some()).then(|| {
            let start = line.map_or(String::new(), |line| format!("Line {line}: "));
            format!("{start}{}. Expected {}.", problem.what, problem.expected)
        })
    });
    here.take(3).collect()
}

/// The same without those of a line.
fn problems_beside(doc: Doc, place: &str) -> Vec<String> {
    let all = doc.problems.get();
    let here = all.iter().filter(|problem| {
        let (path, line) = mend::apart(&problem.place);
        line.is_none()
            && path
                .strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '.', '[']))
    });
    here.take(3).map(mend::sentence).collect()
}

/// A text made of the document; empty while it is no JSON.
pub fn of_tree(doc: Doc, read: impl FnOnce(&Value) -> String) -> String {
    doc.tree.with(|tree| tree.as_ref().map(read).unwrap_or_default())
}

/// A control beneath its title.
pub fn titled(title: &'static str, control: AnyView) -> AnyView {
    view! { <div class="field"><span aria-hidden="true">{title}</span>{control}</div> }.into_any()
}

/// Values and labels as a list to choose from.
pub fn named(values: &[(&str, &str)]) -> Choices {
    values.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect()
}

/// A box to tick for a key that is true or false; left out where it is as usual.
#[component]
pub fn Tick(
    /// The document.
    doc: Doc,
    /// Where the key stands.
    path: Path,
    /// What is meant where it is left out.
    usual: bool,
    /// What it is called.
    label: &'static str,
) -> impl IntoView {
    let id = format!("field-{}", path.join("-"));
    let ticked = move || {
        doc.tree
            .with(|tree| tree.as_ref().ok().and_then(|tree| edit::get(tree, path)?.as_bool()))
            .unwrap_or(usual)
    };
    let write = move |event| {
        let now = event_target_checked(&event);
        doc.edit_tree(&path.join("."), |tree| {
            if now == usual { edit::remove(tree, path) } else { edit::set(tree, path, Value::from(now)) }
        });
    };
    view! {
        <label class="tick">
            <input type="checkbox" data-testid=id prop:checked=ticked on:change=write/>
            <span>{label}</span>
        </label>
        <Problems doc path/>
    }
}

/// A list for one field; its first value is what is meant without one.
pub fn choice(doc: Doc, path: Path, values: &'static [(&'static str, &'static str)]) -> AnyView {
    let usual = values[0].0;
    let bound = Bound {
        value: Signal::derive(move || {
            let found = of_tree(doc, |tree| {
                edit::get(tree, path).and_then(Value::as_str).unwrap_or_default().to_owned()
            });
            if found.is_empty() { usual.to_owned() } else { found }
        }),
        write: Callback::new(move |value: String| {
            doc.edit_tree(&path.join("."), |tree| {
                if value == usual {
                    edit::remove(tree, path)
                } else {
                    edit::set(tree, path, Value::from(value))
                }
            });
        }),
    };
    let choices = Signal::derive(move || named(values));
    select(path.join(" "), format!("field-{}", path.join("-")), choices, bound)
}
