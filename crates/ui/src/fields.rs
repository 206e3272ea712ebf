//! Fields of a form: each reads and writes one path of the document, and says what is wrong there.

use crate::live::{live, memo};
use leptos::prelude::*;
use serde_json::Value;

use crate::controls::{Bound, Choices, select};
use crate::doc::Doc;
use crate::lined::{self, Margin};
use crate::show::Show;
use kit::import::json as text;
use kit::page::{edit, mend};

/// A path of keys.
pub type Path = &'static [&'static str];

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A line of text.
    Text,
    /// A line of code.
    Code,
    /// Text of several lines.
    Lines,
    /// Code of many lines, taken as it is typed.
    Program,
    /// A number; may be left out.
    Number,
    /// Numbers separated by spaces.
    Numbers,
    /// Rows of numbers, one a line.
    Rows,
    /// Code that may be left out.
    Given,
    /// Formulas, one a line; one alone is a text.
    Formulas,
    /// Numbers separated by spaces, or a word; may be left out.
    Boundaries,
}

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
    kind: Kind,
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
        let waits = kind == Kind::Program && doc.tree.with(|tree| tree.as_ref().is_ok_and(empty));
        match kind {
            _ if waits => Vec::new(),
            Kind::Program => problems_beside(doc, &path.join(".")),
            _ => problems_at(doc, &path.join(".")),
        }
    });
    let wrong = memo(move |_| {
        problems.with(|problems| !problems.is_empty()) || kind == Kind::Program && any_line(doc, path)
    });
    let value = move || {
        doc.tree.with(|tree| {
            tree.as_ref()
                .ok()
                .and_then(|tree| edit::get(tree, path))
                .map(|v| shown(v, kind))
                .unwrap_or_default()
        })
    };
    let write = move |text: String| {
        doc.edit_tree(&path.join("."), |tree| {
            let tree = written(tree, path, kind, &text);
            match fitted {
                Some(fitted) => fitted.run(tree),
                None => tree,
            }
        });
    };
    let invalid = move || if wrong.get() { "true" } else { "false" };
    let control = match kind {
        Kind::Program => {
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
        Kind::Lines | Kind::Numbers | Kind::Rows | Kind::Formulas => view! {
            <textarea id=id.clone() rows=match kind { Kind::Rows => 6, Kind::Formulas => 2, _ => 4 } class:code=kind != Kind::Lines spellcheck="false"
                aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                prop:value=value on:input=move |event| write(event_target_value(&event))></textarea>
        }.into_any(),
        _ => view! {
            <input id=id.clone() type="text" autocomplete="off" spellcheck="false" class:code=kind != Kind::Text
                inputmode=if kind == Kind::Number { "numeric" } else { "text" }
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
                {(kind == Kind::Program).then(|| view! { <ToLines doc path area_id=id.clone()/> })}
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
) -> impl IntoView {
    let problems = memo(move |_| problems_at(doc, &path.join(".")));
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

fn shown(value: &Value, kind: Kind) -> String {
    let line = |items: &[Value]| items.iter().map(plain).collect::<Vec<_>>().join(" ");
    match (value, kind) {
        (Value::Array(rows), Kind::Rows) => rows
            .iter()
            .map(|row| row.as_array().map_or_else(|| plain(row), |row| line(row)))
            .collect::<Vec<_>>()
            .join("\n"),
        (Value::Array(items), Kind::Formulas) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        (Value::Array(items), _) => line(items),
        _ => plain(value),
    }
}

/// A value as a field shows it.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => text::line(other),
    }
}

fn written(tree: &Value, path: Path, kind: Kind, text: &str) -> Value {
    let left_out = matches!(kind, Kind::Number | Kind::Given | Kind::Formulas | Kind::Boundaries);
    let optional = left_out || path.len() == 1;
    if text.trim().is_empty() && optional {
        return edit::remove(tree, path);
    }
    let value = match kind {
        Kind::Text | Kind::Code | Kind::Given | Kind::Lines | Kind::Program => Value::from(text),
        Kind::Number => edit::number_or_text(text),
        Kind::Numbers => edit::numbers_or_text(text),
        Kind::Boundaries if text.trim().starts_with(|c: char| c.is_ascii_digit()) => {
            edit::numbers_or_text(text)
        }
        Kind::Boundaries => Value::from(text.trim()),
        Kind::Formulas => {
            match text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>()[..] {
                [one] => Value::from(one),
                ref several => Value::from(several),
            }
        }
        Kind::Rows => Value::Array(
            text.lines().filter(|line| !line.trim().is_empty()).map(edit::numbers_or_text).collect(),
        ),
    };
    edit::set(tree, path, value)
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
