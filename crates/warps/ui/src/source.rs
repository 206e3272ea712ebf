//! Source and path: the program a kernel string comes from, line by line, with what the path executes of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};

use base::people;
use kit::import::json;
use kit::page::Ask;
use kit::page::results::{ToRead, ToldOfSource};
use kit::timeline::WaitKind;
use serde_json::Value;
use ui_kit::controls::{Bound, number};
use ui_kit::heat;
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::rows::{Grid, Rows};
use warps::Unit;
use warps_lab::import::ptx::classes::TABLE;
use warps_lab::import::ptx::{FRAGMENT, Line, LoopHead, LoopMet, NOT_WHAT_RUNS};
use warps_lab::page::{Shown, Source, program};
use warps_lab::timeline::Rows as Shows;

/// Lines in sight.
const SEEN: usize = 16;
/// Letters shown on a line that holds many instructions.
const MOST_LETTERS: usize = 2;
/// Loops with a field.
const MOST_LOOPS: usize = 50;
/// Unknown opcodes that are listed.
const MOST_UNKNOWN: usize = 20;

/// The panel of a program.
#[derive(Clone, Copy)]
pub struct SourcePanel {
    /// What was run, and the document as it stands.
    read: RwSignal<ToRead>,
    /// What of the picture belongs to its lines.
    told: RwSignal<ToldOfSource>,
    page: Page,
}

impl SourcePanel {
    /// A panel of nothing yet.
    pub fn new(page: Page) -> Self {
        Self { read: RwSignal::default(), told: RwSignal::default(), page }
    }
}

impl Content for SourcePanel {
    type Told = ToldOfSource;
    type Entry = ToRead;

    fn view(self) -> AnyView {
        view! { <Whole panel=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfSource, news: &News<'_, ToRead>) {
        if let Some(read) = news.last() {
            put(self.read, read);
        }
    }

    fn tell(self, told: ToldOfSource) {
        put(self.told, told);
    }
}

#[component]
fn Whole(panel: SourcePanel) -> impl IntoView {
    // The same source again, with other warps say, must not build the panel anew.
    let ran = memo(move |_| panel.read.with(|read| read.ran.clone()));
    let source = memo(move |_| ran.with(|ran| Source::of(ran).map(Arc::new)));
    let tree = memo(move |_| panel.read.with(|read| json::parse(&read.text).unwrap_or_default()));
    // While somebody types, loops keep their places, and so do the fields.
    let loops = memo(move |_| {
        let heads = |source: &Arc<Source>| source.walk.loops.iter().map(head).collect::<Vec<_>>();
        source.with(|source| source.as_ref().map(heads).unwrap_or_default())
    });
    view! {
        {live(move || source.get().map(|source| view! { <Panel panel source/> }))}
        {live(move || Some(loops.get()).filter(|loops| !loops.is_empty()).map(|heads| view! { <Loops page=panel.page tree source heads/> }))}
    }
}

fn head(own: &LoopMet) -> LoopHead {
    LoopHead { label: own.label.clone(), line: own.line }
}

/// How often each loop goes round: what the path took for granted, and a field to say so.
#[component]
fn Loops(
    page: Page,
    tree: Memo<Value>,
    source: Memo<Option<Arc<Source>>>,
    heads: Vec<LoopHead>,
) -> impl IntoView {
    let count = heads.len();
    let all = StoredValue::new(heads.clone());
    let stated = memo(move |_| tree.with(|tree| tree.is_object() && program::path_kind(tree) != "branches"));
    let rows = heads.into_iter().take(MOST_LOOPS).enumerate().map(|(at, LoopHead { label, line })| {
        let about = move || {
            source.with(|source| {
                source.as_ref().and_then(|source| source.walk.loops.get(at)).map(Source::about_loop)
            })
        };
        let (own, code) = (label.clone(), label.clone());
        let bound = Bound {
            value: Signal::derive(move || {
                tree.with(|tree| program::trips_text(program::rounds_of(tree, &own)))
            }),
            write: Callback::new(move |typed: String| {
                let tree = tree.get_untracked();
                if tree.is_object() {
                    let tree = all.with_value(|all| program::with_trips(&tree, all, &label, &typed));
                    page.ask(Ask::Edit { text: json::pretty(&tree), edited: label.as_str().into() });
                }
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
fn Panel(panel: SourcePanel, source: Arc<Source>) -> impl IntoView {
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
                <p class="lead" data-testid="source-not-what-runs">{NOT_WHAT_RUNS}" The lab Code opens that: drop what cuobjdump -sass prints."</p>
            </div>
            <Totals source=Arc::clone(&source)/>
            <Strangers source=Arc::clone(&source) place/>
            {(!notes.is_empty()).then(|| view! {
                <details class="more" open=few data-testid="source-notes">
                    <summary>{people::counted(notes.len(), "note")}" on the path"</summary>
                    <ul>{notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
                </details>
            })}
            {lines(panel, source, place, over)}
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
    panel: SourcePanel,
    source: Arc<Source>,
    place: RwSignal<Option<usize>>,
    over: RwSignal<Option<usize>>,
) -> impl IntoView {
    let selected = {
        let source = Arc::clone(&source);
        memo(move |_| panel.told.with(|told| told.selected).and_then(|selected| source.line_of(selected.1)))
    };
    effect(move || {
        if let Some(line) = selected.get() {
            place.set(Some(line));
        }
    });
    let running = {
        let source = Arc::clone(&source);
        memo(move |_| running(panel, &source))
    };
    let pointed = {
        let source = Arc::clone(&source);
        memo(move |_| panel.told.with(|told| told.pointed).and_then(|at| source.line_of(at)))
    };
    // What the line under the pointer stands for stands out in the picture.
    {
        let source = Arc::clone(&source);
        let light =
            memo(move |_| over.get().map(|line| source.all(line).collect::<Vec<_>>()).unwrap_or_default());
        Effect::new(move |before: Option<()>| {
            let lit = light.get();
            if before.is_some() {
                panel.page.ask(Ask::Light(lit));
            }
        });
        on_cleanup(move || panel.page.ask(Ask::Light(Vec::new())));
    }
    {
        let source = Arc::clone(&source);
        let sought = memo(move |_| panel.told.with(|told| told.sought.clone()));
        effect(move || {
            let text = sought.get();
            if !text.is_empty() {
                panel.page.ask(Ask::Sought(source.with(&text)));
            }
        });
    }
    // Where the cursor was put, the first of its lines comes into sight; under the pointer none does.
    effect(move || {
        let put = panel.told.with(|told| told.put);
        if let Some(line) = running.with(|lines| lines.first().copied()).filter(|_| put) {
            place.set(Some(line));
        }
    });
    let open = {
        let source = Arc::clone(&source);
        move |line| {
            place.set(Some(line));
            match source.first(line) {
                Some(instruction) => panel.page.ask(Ask::Choose(0, instruction)),
                None => panel.page.notice(&format!("Line {} is not in the schedule", line + 1)),
            }
        }
    };
    let waited = {
        let source = Arc::clone(&source);
        memo(move |_| {
            let shown = panel.read.with(|read| Shown::new(&read.ran, &read.line));
            shown.map(|shown| source.waited(&shown.whole_picture(Shows::Warps))).unwrap_or_default()
        })
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
        cells: Callback::new(move |line| cells(&source, line, running, pointed, waited).into_any()),
    };
    view! { <Grid rows style/> }
}

/// The lines that some warp executes in the cycle of the cursor, ascending.
fn running(panel: SourcePanel, source: &Source) -> Vec<usize> {
    let lines: BTreeSet<usize> = panel
        .told
        .with(|told| told.running.iter().filter_map(|&instruction| source.line_of(instruction)).collect());
    lines.into_iter().collect()
}

fn cells(
    source: &Source,
    line: usize,
    running: Memo<Vec<usize>>,
    pointed: Memo<Option<usize>>,
    waited: Memo<Vec<Waits>>,
) -> impl IntoView + use<> {
    let heat = memo(move |_| waited.with(|waited| heated(waited, line)));
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
        <span role="gridcell" class="text heat" style=live(move || heat.get().map(|heat| heat.0)) title=live(move || heat.get().map(|heat| heat.1)) class:off=!on_path class:pointed=move || pointed.get() == Some(line)>
            {source.shown(line)}
        </span>
    }
}

/// How long warps wait before a line, by what for.
type Waits = [f64; WaitKind::ALL.len()];

/// How that looks before one of all lines, and in words; nothing where nobody waits.
fn heated(waited: &[Waits], line: usize) -> Option<(String, String)> {
    let sum = |waits: &Waits| waits.iter().sum::<f64>();
    let own = waited.get(line)?;
    let mut parts: Vec<(WaitKind, f64)> =
        WaitKind::ALL.into_iter().zip(*own).filter(|part| part.1 > 0.0).collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (all, most) = (sum(own), waited.iter().map(sum).fold(0.0, f64::max));
    let said = |(kind, cycles): &(WaitKind, f64)| {
        let what = match kind {
            WaitKind::Data => "for data",
            WaitKind::Unit => "for a unit",
            WaitKind::Slot => "for an issue slot",
            WaitKind::Free | WaitKind::Done => "for their turn",
        };
        format!("{} {what}", people::grouped(*cycles as u128))
    };
    let told: Vec<String> = parts.iter().map(said).collect();
    let told = format!("Warps wait before it, in cycles: {}", told.join(", "));
    (all > 0.0).then(|| (heat::style(&parts, all / most), told))
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
