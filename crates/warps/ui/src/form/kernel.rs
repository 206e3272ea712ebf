//! The kernel in the form: a string, or PTX with a kernel of it and a path through that.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use kit::page::edit;
use kit::page::fields::Holds;
use kit::page::parts::Adopted;
use ui_kit::controls::{Bound, Choices, number, select};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Path, Problems, of_tree, titled};
use warps_lab::import::ptx::{self, Fork, LoopHead, Outline};
use warps_lab::page::program::{self, Chosen};

const KERNEL: Path = &["warps", "kernel"];
const PTX: Path = &["warps", "ptx"];
const ENTRY: Path = &["warps", "entry"];
const PATH: Path = &["warps", "path"];

/// Branches that are listed; documents may name more.
const MOST_FORKS: usize = 200;

/// Kinds of path in the words of the form, in the order of `program::PATHS`.
const PATH_LABELS: [&str; 4] =
    ["Branch-free (fall through)", "Run loops n times", "Longest path", "Choose every branch"];

/// What may happen at a branch: value and label.
const TURNS: [(&str, &str); 4] = [
    ("not-taken", "Not taken"),
    ("taken", "Taken each time"),
    ("first", "Taken n times"),
    ("after", "Taken after n times"),
];

/// The kernel.
#[component]
pub fn Kernel(doc: Doc) -> impl IntoView {
    let is_ptx = memo(move |_| doc.tree.with(|tree| tree.as_ref().is_ok_and(program::is_ptx)));
    let pressed = move |on: bool| if is_ptx.get() == on { "true" } else { "false" };
    let to_string = move |_| {
        if is_ptx.get_untracked() {
            doc.adopt.run(Adopted::Kernel);
        }
    };
    let to_ptx = move |_| {
        if !is_ptx.get_untracked() {
            doc.edit_tree("kernel-kind", program::with_ptx);
        }
    };
    view! {
        <fieldset>
            <legend>"Kernel: what every warp executes"</legend>
            <div class="switch halves" role="group" aria-label="Kernel given as">
                <button type="button" aria-pressed=live(move || pressed(false)) data-testid="kernel-string" on:click=to_string>"Instruction string"</button>
                <button type="button" aria-pressed=live(move || pressed(true)) data-testid="kernel-ptx" on:click=to_ptx>"PTX"</button>
            </div>
            <Show when=move || is_ptx.get() fallback=move || view! {
                <Field doc path=KERNEL label="Instruction string" holds=Holds::Code
                    hint="L load/store, C core, S special function, D double. 5L 9C, or C 3(LLC) L"/>
            }>
                <Program doc/>
            </Show>
        </fieldset>
    }
}

#[component]
fn Program(doc: Doc) -> impl IntoView {
    // An edit elsewhere does not read the program again.
    let text = memo(move |_| of_tree(doc, |tree| string_at(tree, PTX)));
    let named = memo(move |_| of_tree(doc, |tree| string_at(tree, ENTRY)));
    // While the text has a mistake in it, the choices of the last sound one stay.
    let outline = memo(move |old: Option<&Outline>| {
        let entry = named.get();
        text.with(|text| match ptx::read(text) {
            Ok(module) => ptx::outline(&module, Some(entry.as_str()).filter(|entry| !entry.is_empty())),
            Err(_) => old.cloned().unwrap_or_default(),
        })
    });
    let excerpt = memo(move |_| text.with(|text| program::excerpt(text)));
    let whole = memo(move |_| excerpt.with(Option::is_none));
    let kind = memo(move |_| doc.tree.with(|tree| tree.as_ref().map_or("", program::path_kind)));
    let path = Bound {
        value: Signal::derive(move || kind.get().to_owned()),
        write: Callback::new(move |chosen: String| {
            doc.edit_tree("path", |tree| program::with_path(tree, &chosen))
        }),
    };
    let paths = move || -> Choices {
        let known = program::PATHS.into_iter().zip(PATH_LABELS);
        let other = kind.get().is_empty().then_some(("", "Another path"));
        other.into_iter().chain(known).map(|(name, label)| (name.to_owned(), label.to_owned())).collect()
    };
    let inside = move || match kind.get() {
        "loops" | "longest" => rounds(doc, &outline.get()),
        "branches" => forks(doc, outline.get().forks),
        _ => Vec::new(),
    };
    view! {
        <Show when=move || whole.get() fallback=move || view! { <Excerpt doc excerpt/> }>
            <Field doc path=PTX label="PTX program" holds=Holds::Program
                hint="Paste it here, or drop or open a .ptx file. A listing without .entry will do."/>
        </Show>
        {live(move || outline.with(|outline| entry(doc, &outline.kernels)))}
        <Problems doc path=ENTRY/>
        {titled("Path through it", select("Path".to_owned(), "path".to_owned(), Signal::derive(paths), path))}
        <ul class="choices" data-testid="choices">{inside}</ul>
        <Problems doc path=PATH/>
    }
}

/// The beginning of a program that is too long to be edited here.
#[component]
fn Excerpt(doc: Doc, excerpt: Memo<Option<(String, String)>>) -> impl IntoView {
    let part = move |which: fn(&(String, String)) -> &String| {
        excerpt.with(|excerpt| excerpt.as_ref().map(which).cloned().unwrap_or_default())
    };
    view! {
        <div class="field">
            <label for="field-warps-ptx">"PTX program"</label>
            <textarea id="field-warps-ptx" rows="12" class="code program" wrap="off" spellcheck="false" readonly
                aria-describedby="field-warps-ptx-notes" data-testid="field-warps-ptx"
                prop:value=live(move || part(|(text, _)| text))></textarea>
            <div id="field-warps-ptx-notes" class="notes">
                <p class="hint" data-testid="ptx-excerpt">{live(move || part(|(_, said)| said))}". All of it is read. Too long to edit here: open a changed file, or edit it under JSON."</p>
            </div>
            <Problems doc path=PTX/>
        </div>
    }
}

fn string_at(tree: &Value, path: Path) -> String {
    edit::get(tree, path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A control beside what it is for.
fn row(what: String, place: String, control: AnyView) -> AnyView {
    view! { <li><span class="where"><span>{what}</span><code>{place}</code></span>{control}</li> }.into_any()
}

fn hint(text: String) -> AnyView {
    view! { <li class="hint">{text}</li> }.into_any()
}

/// The kernels to choose from; nothing where there is only one.
fn entry(doc: Doc, kernels: &[String]) -> Option<AnyView> {
    let named = of_tree(doc, |tree| string_at(tree, ENTRY));
    let mut names = kernels.to_vec();
    if !named.is_empty() && !names.contains(&named) {
        names.push(named);
    }
    let first = names.first().cloned().unwrap_or_default();
    let choices: Choices = names.into_iter().map(|name| (name.clone(), name)).collect();
    let several = choices.len() > 1;
    let bound = Bound {
        value: Signal::derive(move || {
            let named = of_tree(doc, |tree| string_at(tree, ENTRY));
            if named.is_empty() { first.clone() } else { named }
        }),
        write: Callback::new(move |name: String| {
            doc.edit_tree("entry", |tree| edit::set(tree, ENTRY, Value::from(name)))
        }),
    };
    several.then(|| {
        let choices = Signal::derive(move || choices.clone());
        titled(
            "Kernel of the program",
            select("Kernel of the program".to_owned(), "entry".to_owned(), choices, bound),
        )
    })
}

/// Rounds of all loops, and of each where there are several.
fn rounds(doc: Doc, outline: &Outline) -> Vec<AnyView> {
    let heads = outline.loops.clone();
    let text = program::trips_text;
    let all = Bound {
        value: Signal::derive(move || of_tree(doc, |tree| text(program::rounds(tree)))),
        write: Callback::new(move |typed: String| {
            doc.edit_tree("rounds", |tree| program::with_rounds(tree, &typed))
        }),
    };
    let several = heads.len() > 1;
    let (name, empty) =
        if several { ("Rounds of every loop", "each own") } else { ("Rounds of the loop", "1") };
    let place = match &heads[..] {
        [one] => format!("{}, line {}", one.label, one.line),
        _ => String::new(),
    };
    let mut rows =
        vec![row(name.to_owned(), place, number(name.to_owned(), "rounds".to_owned(), empty, all))];
    if heads.is_empty() && !outline.kernels.is_empty() {
        rows.push(hint("This kernel has no loop.".to_owned()));
    }
    let each = StoredValue::new(heads.clone());
    rows.extend(heads.into_iter().filter(|_| several).map(|LoopHead { label, line }| {
        let name = format!("Rounds of the loop at {label}, line {line}");
        let (id, place) = (format!("rounds-{label}"), label.clone());
        let own = label.clone();
        let bound = Bound {
            value: Signal::derive(move || of_tree(doc, |tree| text(program::rounds_of(tree, &own)))),
            write: Callback::new(move |typed: String| {
                doc.edit_tree(&label, |tree| {
                    each.with_value(|each| program::with_rounds_of(tree, each, &label, &typed))
                });
            }),
        };
        row(format!("Line {line}"), place, number(name, id, "1", bound))
    }));
    rows
}

/// A choice at every conditional branch, and the way to be rid of choices that fit none.
fn forks(doc: Doc, forks: Vec<Fork>) -> Vec<AnyView> {
    let count = forks.len();
    let all = StoredValue::new(forks.clone());
    let strays = move || {
        let tree = doc.tree.get();
        let names = tree.map_or(Vec::new(), |tree| all.with_value(|all| program::strays(&tree, all)));
        names.into_iter().take(MOST_FORKS).map(|name| stray(doc, name)).collect_view()
    };
    let mut rows = vec![strays.into_any()];
    rows.extend(forks.into_iter().take(MOST_FORKS).map(|fork| choice(doc, fork)));
    match count {
        0 => rows.push(hint("This kernel has no conditional branch.".to_owned())),
        count if count > MOST_FORKS => rows
            .push(hint(format!("The first {MOST_FORKS} of {count} branches. Under JSON, any can be named."))),
        _ => {}
    }
    rows
}

fn stray(doc: Doc, name: String) -> AnyView {
    let (label, place) = (format!("Remove the choice for {name}"), name.clone());
    let remove = move |_| doc.edit_tree("branches", |tree| program::without_choice(tree, &name));
    let button = view! { <button type="button" aria-label=label on:click=remove>"Remove"</button> };
    row("No such branch".to_owned(), place, button.into_any())
}

fn choice(doc: Doc, fork: Fork) -> AnyView {
    let place = fork.label.as_ref().map_or("out of the kernel".to_owned(), |label| format!("to {label:.60}"));
    let what = format!("Line {}", fork.line);
    let name = format!("Branch on line {} {place}", fork.line);
    let times_name = format!("n for the branch on line {}", fork.line);
    let (id, times_id) = (format!("fork-{}", fork.key), format!("times-{}", fork.key));
    let fork = StoredValue::new(fork);
    let chosen = move || {
        doc.tree.with(|tree| {
            tree.as_ref().map_or(Chosen::NotTaken, |tree| fork.with_value(|fork| program::chosen(tree, fork)))
        })
    };
    let times = move || match chosen() {
        Chosen::First(times) | Chosen::After(times) => Some(times),
        _ => None,
    };
    let write = move |chosen: Chosen| {
        let field = fork.with_value(|fork| fork.key.clone());
        doc.edit_tree(&field, |tree| fork.with_value(|fork| program::with_choice(tree, fork, &chosen)));
    };
    let turn = Bound {
        value: Signal::derive(move || match chosen() {
            Chosen::NotTaken => "not-taken".to_owned(),
            Chosen::Taken => "taken".to_owned(),
            Chosen::First(_) => "first".to_owned(),
            Chosen::After(_) => "after".to_owned(),
            Chosen::To(label) => format!("to {label}"),
            Chosen::Other => "other".to_owned(),
        }),
        write: Callback::new(move |value: String| {
            write(match (value.as_str(), value.strip_prefix("to ")) {
                (_, Some(label)) => Chosen::To(label.to_owned()),
                ("taken", _) => Chosen::Taken,
                ("first", _) => Chosen::First(untrack(times).unwrap_or(1)),
                ("after", _) => Chosen::After(untrack(times).unwrap_or(1)),
                ("other", _) => Chosen::Other,
                _ => Chosen::NotTaken,
            });
        }),
    };
    let choices = Signal::derive(move || -> Choices {
        let turns = TURNS.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned()));
        let other = (chosen() == Chosen::Other).then(|| ("other".to_owned(), "As in the JSON".to_owned()));
        let to = |label: &String| (format!("to {label}"), format!("To {label}"));
        let targets: Choices = fork.with_value(|fork| fork.targets.iter().map(to).collect());
        turns.chain(targets).chain(other).collect()
    });
    let n = Bound {
        value: Signal::derive(move || times().map_or(String::new(), |times| times.to_string())),
        write: Callback::new(move |typed: String| {
            if let Ok(times) = typed.trim().parse() {
                let first = matches!(untrack(chosen), Chosen::First(_));
                write(if first { Chosen::First(times) } else { Chosen::After(times) });
            }
        }),
    };
    let counted = memo(move |_| times().is_some());
    let more = move || {
        counted.get().then(|| {
            row(
                "n, so many times".to_owned(),
                String::new(),
                number(times_name.clone(), times_id.clone(), "", n),
            )
        })
    };
    view! { {row(what, place, select(name, id, choices, turn))} {more} }.into_any()
}
