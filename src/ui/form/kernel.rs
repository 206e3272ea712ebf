//! The kernel in the form: a string, or PTX with a kernel of it and a path through that.

use leptos::prelude::*;
use serde_json::Value;

use super::{Field, KERNEL, Kind, Path, Problems, plain};
use crate::import::ptx::{self, Fork, LoopHead, Outline};
use crate::page::edit;
use crate::page::program::{self, Chosen};
use crate::scenario::Question;
use crate::ui::state::App;

const PTX: Path = &["warps", "ptx"];
const ENTRY: Path = &["warps", "entry"];
const PATH: Path = &["warps", "path"];

/// Branches that are listed; documents may name more.
const MOST_FORKS: usize = 200;

/// Kinds of path in the words of the form, in the order of `program::PATHS`.
const PATH_LABELS: [&str; 4] =
    ["Branch-free (fall through)", "Run loops n times", "Longest path", "Choose every branch"];

/// The kernel.
#[component]
pub fn Kernel(app: App) -> impl IntoView {
    let is_ptx = Memo::new(move |_| app.tree.with(|tree| tree.as_ref().is_ok_and(program::is_ptx)));
    let pressed = move |on: bool| if is_ptx.get() == on { "true" } else { "false" };
    let to_string = move |_| {
        if is_ptx.get_untracked() {
            app.edit_tree("kernel-kind", |tree| program::with_string(tree, &walked(app)));
        }
    };
    let to_ptx = move |_| {
        if !is_ptx.get_untracked() {
            app.edit_tree("kernel-kind", program::with_ptx);
        }
    };
    view! {
        <fieldset>
            <legend>"Kernel: what every warp executes"</legend>
            <div class="switch halves" role="group" aria-label="Kernel given as">
                <button type="button" aria-pressed=move || pressed(false) data-testid="kernel-string" on:click=to_string>"Instruction string"</button>
                <button type="button" aria-pressed=move || pressed(true) data-testid="kernel-ptx" on:click=to_ptx>"PTX"</button>
            </div>
            <Show when=move || is_ptx.get() fallback=move || view! {
                <Field app path=KERNEL label="Instruction string" kind=Kind::Code
                    hint="L load/store, C core, S special function, D double. 5L 9C, or C 3(LLC) L"/>
            }>
                <Program app/>
            </Show>
        </fieldset>
    }
}

/// The string that the program stands for, or that of the last valid scenario.
fn walked(app: App) -> String {
    let own = app.read.with_untracked(|read| {
        read.as_ref().ok().map(|scenario| {
            let Question::Warps(warps) = &scenario.question;
            warps.written.to_string()
        })
    });
    let shown =
        || app.shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.warps.written.to_string()));
    own.or_else(shown).unwrap_or_default()
}

#[component]
fn Program(app: App) -> impl IntoView {
    let text = Memo::new(move |_| string_at(app, PTX).unwrap_or_default());
    let entry = Memo::new(move |_| string_at(app, ENTRY));
    // While the text has a mistake in it, the choices of the last sound one stay.
    let outline = Memo::new(move |old: Option<&Outline>| {
        text.with(|text| match ptx::read(text) {
            Ok(module) => ptx::outline(&module, entry.get().as_deref()),
            Err(_) => old.cloned().unwrap_or_default(),
        })
    });
    let kind = Memo::new(move |_| app.tree.with(|tree| tree.as_ref().map_or("", program::path_kind)));
    view! {
        <Field app path=PTX label="PTX program" kind=Kind::Program
            hint="Paste it here, or drop or open a .ptx file. A listing without .entry will do."/>
        <Show when=move || { outline.with(|outline| outline.kernels.len() > 1) || entry.with(Option::is_some) }>
            <Entry app outline entry/>
        </Show>
        <label class="field">
            <span>"Path through it"</span>
            <select data-testid="path" on:change=move |event| {
                let chosen = event_target_value(&event);
                app.edit_tree("path", |tree| program::with_path(tree, &chosen));
            }>
                <option value="" disabled prop:selected=move || kind.get().is_empty()>"Another path"</option>
                {program::PATHS.into_iter().zip(PATH_LABELS).map(|(name, label)| view! {
                    <option value=name prop:selected=move || kind.get() == name>{label}</option>
                }).collect_view()}
            </select>
        </label>
        {move || match kind.get() {
            "loops" | "longest" => view! { <Rounds app outline/> }.into_any(),
            "branches" => view! { <Forks app outline/> }.into_any(),
            _ => ().into_any(),
        }}
        <Problems app path=PATH/>
    }
}

fn string_at(app: App, path: Path) -> Option<String> {
    app.tree.with(|tree| edit::get(tree.as_ref().ok()?, path)?.as_str().map(str::to_owned))
}

#[component]
fn Entry(app: App, outline: Memo<Outline>, entry: Memo<Option<String>>) -> impl IntoView {
    let is = move |name: &str| match entry.get() {
        Some(entry) => entry == name,
        None => outline.with(|outline| outline.kernels.first().is_some_and(|first| first == name)),
    };
    let other = move || entry.get().filter(|entry| outline.with(|outline| !outline.kernels.contains(entry)));
    view! {
        <label class="field">
            <span>"Kernel of the program"</span>
            <select data-testid="entry" on:change=move |event| {
                let chosen = event_target_value(&event);
                app.edit_tree("entry", |tree| edit::set(tree, ENTRY, Value::from(chosen)));
            }>
                {move || other().map(|other| view! { <option value=other.clone() selected=true>{other.clone()}</option> })}
                {move || outline.get().kernels.into_iter().map(|name| {
                    let (own, shown) = (name.clone(), name.clone());
                    view! { <option value=name prop:selected=move || is(&own)>{shown}</option> }
                }).collect_view()}
            </select>
        </label>
        <Problems app path=ENTRY/>
    }
}

/// Rounds of all loops, and of each where there are several.
#[component]
fn Rounds(app: App, outline: Memo<Outline>) -> impl IntoView {
    let heads = Memo::new(move |_| outline.with(|outline| outline.loops.clone()));
    let all = move || app.tree.with(|tree| tree.as_ref().ok().and_then(program::rounds).map(plain));
    let several = move || heads.with(Vec::len) > 1;
    let hint = move || match heads.with(Vec::len) {
        0 if outline.with(|outline| outline.kernels.is_empty()) => String::new(),
        0 => "This kernel has no loop.".to_owned(),
        1 => heads.with(|heads| format!("The loop begins at {}, line {}.", heads[0].label, heads[0].line)),
        _ => "A number here holds for every loop; below, each loop has its own.".to_owned(),
    };
    view! {
        <label class="field">
            <span>{move || if several() { "Rounds of every loop" } else { "Rounds of the loop" }}</span>
            <input type="text" inputmode="numeric" autocomplete="off" class="code" data-testid="rounds"
                placeholder=move || if several() { "each its own" } else { "1" }
                prop:value=move || all().unwrap_or_default()
                on:input=move |event| {
                    let text = event_target_value(&event);
                    app.edit_tree("rounds", |tree| program::with_rounds(tree, &text));
                }/>
        </label>
        <p class="hint">{hint}</p>
        <Show when=several>
            <ul class="choices" aria-label="Rounds of each loop" data-testid="rounds-each">
                {move || heads.get().into_iter().map(|head| view! { <Round app heads head/> }).collect_view()}
            </ul>
        </Show>
    }
}

#[component]
fn Round(app: App, heads: Memo<Vec<LoopHead>>, head: LoopHead) -> impl IntoView {
    let (label, line) = (head.label, head.line);
    let value = {
        let label = label.clone();
        move || {
            app.tree.with(|tree| {
                tree.as_ref()
                    .ok()
                    .and_then(|tree| program::rounds_of(tree, &label))
                    .map(plain)
                    .unwrap_or_default()
            })
        }
    };
    let name = format!("Rounds of the loop at {label}, line {line}");
    let shown = label.clone();
    view! {
        <li>
            <span class="where"><code>{shown}</code><span class="hint">"line "{line}</span></span>
            <input type="text" inputmode="numeric" autocomplete="off" class="code few" placeholder="1"
                aria-label=name data-testid=format!("rounds-{label}")
                prop:value=value
                on:input=move |event| {
                    let text = event_target_value(&event);
                    let heads = heads.get_untracked();
                    app.edit_tree(&format!("rounds {label}"), |tree| program::with_rounds_of(tree, &heads, &label, &text));
                }/>
        </li>
    }
}

/// A choice at every conditional branch.
#[component]
fn Forks(app: App, outline: Memo<Outline>) -> impl IntoView {
    let forks = Memo::new(move |_| outline.with(|outline| outline.forks.clone()));
    let count = move || forks.with(Vec::len);
    let strays = Memo::new(move |_| {
        let tree = app.tree.get();
        tree.map_or(Vec::new(), |tree| forks.with(|forks| program::strays(&tree, forks)))
    });
    let stray = move |name: String| {
        let label = format!("Remove the choice for {name}");
        let own = name.clone();
        view! {
            <li>
                <span class="where"><code>{own}</code><span class="wrong">"No such branch"</span></span>
                <button type="button" aria-label=label on:click=move |_| app.edit_tree("branches", |tree| program::without_choice(tree, &name))>"Remove"</button>
            </li>
        }
    };
    view! {
        <Show when=move || count() == 0 && outline.with(|outline| !outline.kernels.is_empty())>
            <p class="hint">"This kernel has no conditional branch."</p>
        </Show>
        <ul class="choices" aria-label="Conditional branches" data-testid="forks">
            {move || strays.get().into_iter().take(MOST_FORKS).map(stray).collect_view()}
            {move || forks.get().into_iter().take(MOST_FORKS).map(|fork| view! { <Choice app fork/> }).collect_view()}
        </ul>
        <Show when=move || { count() > MOST_FORKS }>
            <p class="hint">{move || format!("The first {MOST_FORKS} of {} branches. Under JSON, any can be named.", count())}</p>
        </Show>
    }
}

#[component]
fn Choice(app: App, fork: Fork) -> impl IntoView {
    let key = fork.key.clone();
    let place = match &fork.label {
        Some(label) => format!("to {label:.60}"),
        None => "out of the kernel".to_owned(),
    };
    let name = format!("Branch on line {} {place}", fork.line);
    let line = fork.line;
    let targets: Vec<String> = fork.targets.clone();
    let fork = StoredValue::new(fork);
    let chosen = Memo::new(move |_| {
        app.tree.with(|tree| {
            tree.as_ref().map_or(Chosen::NotTaken, |tree| fork.with_value(|fork| program::chosen(tree, fork)))
        })
    });
    let write = move |chosen: Chosen| {
        let field = fork.with_value(|fork| fork.key.clone());
        app.edit_tree(&field, |tree| fork.with_value(|fork| program::with_choice(tree, fork, &chosen)));
    };
    let times = move || match chosen.get() {
        Chosen::First(times) | Chosen::After(times) => Some(times),
        _ => None,
    };
    let choose = move |event| {
        let value = event_target_value(&event);
        write(match (value.as_str(), value.strip_prefix("to ")) {
            (_, Some(label)) => Chosen::To(label.to_owned()),
            ("taken", _) => Chosen::Taken,
            ("first", _) => Chosen::First(times().unwrap_or(1)),
            ("after", _) => Chosen::After(times().unwrap_or(1)),
            _ => Chosen::NotTaken,
        });
    };
    // What was typed may be no number, or too large, and so change nothing.
    let restore = move |event: &leptos::ev::Event| {
        event_target::<web_sys::HtmlInputElement>(event).set_value(&times().unwrap_or_default().to_string());
    };
    let is = move |wanted: Chosen| chosen.get() == wanted;
    view! {
        <li>
            <span class="where"><span>"Line "{line}</span><code>{place}</code></span>
            <select aria-label=name data-testid=format!("fork-{key}") on:change=choose>
                <option value="not-taken" prop:selected=move || is(Chosen::NotTaken)>"Not taken"</option>
                <option value="taken" prop:selected=move || is(Chosen::Taken)>"Taken each time"</option>
                <option value="first" prop:selected=move || matches!(chosen.get(), Chosen::First(_))>"Taken n times"</option>
                <option value="after" prop:selected=move || matches!(chosen.get(), Chosen::After(_))>"Taken after n times"</option>
                {targets.into_iter().map(|label| {
                    let to = format!("to {label}");
                    let own = Chosen::To(label.clone());
                    view! { <option value=to prop:selected=move || is(own.clone())>"To "{label}</option> }
                }).collect_view()}
                <Show when=move || is(Chosen::Other)><option value="other" selected=true disabled>"As in the JSON"</option></Show>
            </select>
            <Show when=move || times().is_some()>
                <label class="times">
                    <span>{move || if matches!(chosen.get(), Chosen::First(_)) { "n, then not taken" } else { "n times not taken, then once" }}</span>
                    <input type="text" inputmode="numeric" autocomplete="off" class="code few" data-testid=format!("times-{key}")
                        prop:value=move || times().unwrap_or_default().to_string()
                        on:change=move |event| {
                            let typed = event_target_value(&event).trim().parse();
                            let times = typed.unwrap_or_else(|_| times().unwrap_or(1));
                            let first = matches!(chosen.get_untracked(), Chosen::First(_));
                            write(if first { Chosen::First(times) } else { Chosen::After(times) });
                            restore(&event);
                        }/>
                </label>
            </Show>
        </li>
    }
}
