//! Source and path: the program a kernel string comes from, line by line, with what the path executes of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;

use super::state::App;
use crate::base::people;
use crate::import::ptx::classes::TABLE;
use crate::import::ptx::{FRAGMENT, Line, LoopHead, LoopMet};
use crate::page::{Source, program};
use crate::ui::keys;
use crate::warps::Unit;
use ui_kit::controls::{Bound, number};
use ui_kit::rows::{Grid, Rows};

/// Lines in sight.
const SEEN: usize = 16;
/// Letters shown on a line that holds many instructions.
const MOST_LETTERS: usize = 2;
/// Loops with a field.
const MOST_LOOPS: usize = 50;
/// Unknown opcodes that are listed.
const MOST_UNKNOWN: usize = 20;

/// The panel; nothing where the kernel was written as a string.
#[component]
pub fn SourcePanel(app: App) -> impl IntoView {
    // The same source again, with other warps say, must not build the panel anew.
    let source = Memo::new(move |_| app.shown.with(|shown| Source::of(shown.as_deref()?).map(Arc::new)));
    // While somebody types, loops keep their places, and so do the fields.
    let loops = Memo::new(move |_| {
        let heads = |source: &Arc<Source>| source.walk.loops.iter().map(head).collect::<Vec<_>>();
        source.with(|source| source.as_ref().map(heads).unwrap_or_default())
    });
    view! {
        {move || source.get().map(|source| view! { <Panel app source/> })}
        {move || Some(loops.get()).filter(|loops| !loops.is_empty()).map(|heads| view! { <Loops app source heads/> })}
    }
}

fn head(own: &LoopMet) -> LoopHead {
    LoopHead { label: own.label.clone(), line: own.line }
}

/// How often each loop goes round: what the path took for granted, and a field to say so.
#[component]
fn Loops(app: App, source: Memo<Option<Arc<Source>>>, heads: Vec<LoopHead>) -> impl IntoView {
    let count = heads.len();
    let all = StoredValue::new(heads.clone());
    let stated = Memo::new(move |_| {
        app.tree.with(|tree| tree.as_ref().is_ok_and(|tree| program::path_kind(tree) != "branches"))
    });
    let rows = heads.into_iter().take(MOST_LOOPS).enumerate().map(|(at, LoopHead { label, line })| {
        let about = move || {
            source.with(|source| {
                source.as_ref().and_then(|source| source.walk.loops.get(at)).map(Source::about_loop)
            })
        };
        let (own, code) = (label.clone(), label.clone());
        let bound = Bound {
            value: Signal::derive(move || {
                app.tree.with(|tree| {
                    tree.as_ref()
                        .map_or(String::new(), |tree| program::trips_text(program::rounds_of(tree, &own)))
                })
            }),
            write: Callback::new(move |typed: String| {
                app.edit_tree(&label, |tree| {
                    all.with_value(|all| program::with_trips(tree, all, &label, &typed))
                });
            }),
        };
        let (name, id) =
            (format!("Trip count of the loop {code} at line {line}"), format!("source-rounds-{code}"));
        let field = move || stated.get().then(|| number(name.clone(), id.clone(), "1, assumed", bound));
        view! {
            <li>
                <span class="where"><code>{code}</code><span>{about}</span></span>
                {field}
            </li>
        }
    });
    view! {
        <section class="figure" aria-labelledby="loops-title" data-testid="source-loops">
            <h2 id="loops-title">"Trip counts"</h2>
            <p class="lead">"How often each loop goes round each time it is entered: a number, or the fewest and the most, such as 2..16."</p>
            <ul class="choices">{rows.collect_view()}</ul>
            {(count > MOST_LOOPS).then(|| format!("The first {MOST_LOOPS} of {count} loops. Under JSON, any can be named."))}
        </section>
    }
}

#[component]
fn Panel(app: App, source: Arc<Source>) -> impl IntoView {
    let place = RwSignal::new(None::<usize>);
    let over = RwSignal::new(None::<usize>);
    let walk = Arc::clone(&source.walk);
    let notes = walk.warnings.clone();
    let few = notes.len() <= 12;
    let entry = if walk.entry == FRAGMENT { "A listing without .entry" } else { &walk.entry };
    let lead = format!("{entry}; {}.", source.path());
    let about = {
        let source = Arc::clone(&source);
        move || match over.get().or(place.get()) {
            Some(line) => source.about(line),
            None => {
                "Point at a line to see which unit it runs on and why; choose it to find it in the schedule."
                    .to_owned()
            }
        }
    };
    view! {
        <section class="figure source" aria-labelledby="source-title" data-testid="source">
            <div>
                <h2 id="source-title">"Source and path"</h2>
                <p class="lead" data-testid="source-path">{lead}</p>
                <p class="lead" data-testid="source-holds">{source.holds()}" "{source.met()}"."</p>
            </div>
            <Totals source=Arc::clone(&source)/>
            <Strangers source=Arc::clone(&source) place/>
            {(!notes.is_empty()).then(|| view! {
                <details class="more" open=few data-testid="source-notes">
                    <summary>{people::counted(notes.len(), "note")}" on the path"</summary>
                    <ul>{notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
                </details>
            })}
            {lines(app, source, place, over)}
            <p class="details" aria-live="polite" data-testid="source-about">{about}</p>
        </section>
    }
}

/// How many instructions of each kind there are, and the string.
#[component]
fn Totals(source: Arc<Source>) -> impl IntoView {
    let counts = source.walk.counts;
    let units = Unit::ALL.into_iter().filter(|&unit| counts.units[unit] > 0).map(|unit| {
        view! { <li>{unit_badge(unit)}<span class="hidden">{unit.name()}</span>{people::grouped(counts.units[unit].into())}</li> }
    });
    view! {
        <ul class="counts" aria-label="Instructions executed by kind" data-testid="source-counts">
            {units.collect_view()}
            {(counts.none > 0).then(|| view! { <li>{people::grouped(counts.none.into())}" on no unit"</li> })}
            <li>{people::grouped(source.walk.steps.len() as u128)}" in all"</li>
        </ul>
        <p class="string">
            <span class="name">"String"</span>
            <code data-testid="source-string">{source.walk.kernel.to_string()}</code>
        </p>
    }
}

/// Opcodes that stand in no row of the table, with how often; each leads to its first line.
#[component]
fn Strangers(source: Arc<Source>, place: RwSignal<Option<usize>>) -> impl IntoView {
    let unknown = &source.walk.unknown;
    let more = unknown.len().saturating_sub(MOST_UNKNOWN);
    let listed = unknown.iter().take(MOST_UNKNOWN).map(|unknown| {
        let first = unknown.lines.first().map_or(0, |line| (*line as usize).saturating_sub(1));
        let lines = people::named("line", &unknown.lines[..unknown.lines.len().min(MOST_UNKNOWN)]);
        view! {
            <li><button class="stranger" title=lines on:click=move |_| place.set(Some(first))>
                <code>{format!("{:.40}", unknown.opcode)}</code>" × "{people::grouped(unknown.lines.len() as u128)}
            </button></li>
        }
    });
    (!unknown.is_empty()).then(|| {
        view! {
            <div class="row strangers" data-testid="source-unknown">
                <span>"Unknown, counted as C:"</span>
                <ul>{listed.collect_view()}</ul>
                {(more > 0).then(|| format!("and {more} more"))}
            </div>
        }
    })
}

/// The lines of the source.
fn lines(
    app: App,
    source: Arc<Source>,
    place: RwSignal<Option<usize>>,
    over: RwSignal<Option<usize>>,
) -> impl IntoView {
    let selected = {
        let source = Arc::clone(&source);
        Memo::new(move |_| app.selected.get().and_then(|selected| source.line_of(selected.1)))
    };
    Effect::new(move |_| {
        if let Some(line) = selected.get() {
            place.set(Some(line));
        }
    });
    let running = {
        let source = Arc::clone(&source);
        Memo::new(move |_| running(app, &source))
    };
    // Where the cursor was put, the first of its lines comes into sight; under the pointer none does.
    Effect::new(move |_| {
        if let (Some(_), Some(line)) = (app.cursor.put(), running.with(|lines| lines.first().copied())) {
            place.set(Some(line));
        }
    });
    let open = {
        let source = Arc::clone(&source);
        move |line| {
            place.set(Some(line));
            match source.first(line) {
                Some(instruction) => keys::choose(app, (0, instruction)),
                None => app.notice.set(format!("Line {} is not in the schedule", line + 1)),
            }
        }
    };
    let style = format!("--columns: {}", source.widest);
    let count = source.count();
    let rows = Rows {
        label: "Lines of the source; Enter selects a line's first instruction of warp 1 in the schedule",
        id: "source-lines",
        heads: &["Line", "Times", "Unit", "Source"],
        seen: SEEN,
        count: Signal::derive(move || count),
        place: place.into(),
        selected: selected.into(),
        over,
        go: Callback::new(move |line| place.set(Some(line))),
        open: Callback::new(open),
        cells: Callback::new(move |line| cells(&source, line, running).into_any()),
    };
    view! { <Grid rows style/> }
}

/// The lines that some warp executes in the cycle of the cursor, ascending.
fn running(app: App, source: &Source) -> Vec<usize> {
    let Some(cycle) = app.cursor.at.get() else { return Vec::new() };
    let step = app.player.with(|player| player.step);
    let instructions =
        app.shown.with(|shown| shown.as_ref().map(|shown| shown.running(step, cycle)).unwrap_or_default());
    let lines: BTreeSet<usize> =
        instructions.into_iter().filter_map(|instruction| source.line_of(instruction)).collect();
    lines.into_iter().collect()
}

fn cells(source: &Source, line: usize, running: Memo<Vec<usize>>) -> impl IntoView + use<> {
    let runs = move || running.with(|lines| lines.binary_search(&line).is_ok());
    let here = source.instructions(line);
    let on_path = here.iter().any(|instruction| instruction.times > 0);
    let letters = here.iter().take(MOST_LETTERS).map(mark).collect_view();
    let more = here.len().saturating_sub(MOST_LETTERS);
    view! {
        <span role="gridcell" class="number" class:running=runs>{line + 1}</span>
        <span role="gridcell" class="number">{source.times(line)}</span>
        <span role="gridcell" class="units">
            {letters}{(more > 0).then(|| format!("+{more}"))}
        </span>
        <span role="gridcell" class="text" class:off=!on_path>
            {source.shown(line)}
        </span>
    }
}

/// The letter of an instruction, hollow where the path does not come by, with a question mark where it is unknown.
fn mark(line: &Line) -> impl IntoView + use<> {
    let unknown = TABLE.last() == Some(line.row);
    match line.row.unit {
        Some(unit) if unknown => badge(format!("{}?", unit.letter()), "strange"),
        Some(unit) if line.times > 0 => unit_badge(unit),
        Some(unit) => badge(unit.letter().to_string(), "hollow"),
        None => badge("–".to_owned(), "none"),
    }
}

fn unit_badge(unit: Unit) -> AnyView {
    let letter = unit.letter().to_string();
    badge(letter.clone(), &letter)
}

fn badge(text: String, kind: &str) -> AnyView {
    view! { <span class=format!("badge {kind}")>{text}</span> }.into_any()
}
