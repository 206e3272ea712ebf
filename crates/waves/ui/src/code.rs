//! The code: each line with the source it is from, where that was saved, and how long its waits were, as colour.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use base::people;
use kit::draw::Theme;
use ui_kit::rows::{Grid, Rows};
use waves_lab::Cause;
use waves_lab::draw::of_cause;
use waves_lab::page::{says, table};

const HEADS: [&str; 3] = ["Line", "Instruction", "Waited"];
const WITH_SOURCE: [&str; 4] = ["Line", "Instruction", "Waited", "Source"];

#[component]
pub(super) fn Code(stage: Stage) -> impl IntoView {
    let sourced = memo(move |_| {
        stage.with(|run| run.lines.iter().any(|line| !line.source.is_empty())).unwrap_or(false)
    });
    move || {
        let heads: &'static [&'static str] = if sourced.get() { &WITH_SOURCE } else { &HEADS };
        view! { <Lines stage heads/> }
    }
}

#[component]
fn Lines(stage: Stage, heads: &'static [&'static str]) -> impl IntoView {
    let hidden = stage.panel.hidden();
    let count = memo(move |_| stage.with(|run| run.lines.len()).unwrap_or(0));
    let place = memo(move |_| stage.lit());
    let selected = memo(move |_| stage.line.get());
    let select = Callback::new(move |line| stage.select_line(line));
    // Shares are of the line that waited most.
    let most = memo(move |_| {
        let of = |run: &waves_lab::page::Run| {
            (0..run.lines.len()).map(|line| table::waited(run, line).0).fold(1.0, f64::max)
        };
        stage.with(of).unwrap_or(1.0)
    });
    let rows = Rows {
        label: "Code",
        id: "waves-lines",
        heads,
        seen: 60,
        count: count.into(),
        place: place.into(),
        selected: selected.into(),
        over: stage.over,
        go: select,
        open: select,
        cells: Callback::new(move |line| cells(stage, line, heads.len() > HEADS.len(), most, hidden)),
    };
    let class = if heads.len() > HEADS.len() { "waves-code sourced" } else { "waves-code" };
    view! { <div class=class data-testid="waves-code"><Grid rows/></div> }
}

fn cells(stage: Stage, at: usize, sourced: bool, most: Memo<f64>, hidden: Signal<bool>) -> AnyView {
    let Some(line) = stage.now().and_then(|run| run.lines.get(at).cloned()) else { return ().into_any() };
    let source = sourced.then(|| {
        // Where there is little room, the file gives way, and not the line in it.
        let place = line.source.rsplit('/').next().unwrap_or_default();
        let (file, number) = place.split_at(place.rfind(':').unwrap_or(place.len()));
        let (file, number) = (file.to_owned(), number.to_owned());
        let whole = if line.quoted.is_empty() {
            line.source.clone()
        } else {
            format!("{}\n{}", line.source, line.quoted)
        };
        view! { <span role="gridcell" class="waves-source" title=whole>
            <span>{file}</span><span>{number}</span><span>{line.quoted.clone()}</span>
        </span> }
    });
    let never = line.hits == 0.0;
    view! {
        <span role="gridcell" class="number">{line.number.to_string()}</span>
        <span role="gridcell" class="code" class:never=never title=line.text.clone()>{line.text.clone()}</span>
        <span role="gridcell" class="waves-waited">{live(move || (!hidden.get() && !never).then(|| view! { <Waited stage at most/> }))}</span>
        {source}
    }
    .into_any()
}

/// The cycles that waves waited at a line, as a bar in the colours of what for.
#[component]
fn Waited(stage: Stage, at: usize, most: Memo<f64>) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    let known = stage.now().map(|run| table::waited(&run, at)).filter(|known| known.0 > 0.0);
    move || {
        let (sum, parts) = known.clone()?;
        let said: Vec<String> = parts
            .iter()
            .map(|(cause, cycles)| format!("{} {}", says::name_of(*cause), people::grouped(*cycles as u128)))
            .collect();
        let part = |(cause, cycles): &(Cause, f64)| {
            let width = cycles / most.get() * 100.0;
            view! { <i style=format!("width: {width:.2}%; background: {}", theme.get().color(of_cause(*cause)))></i> }
        };
        Some(view! {
            <span class="waves-bar" aria-hidden="true" title=people::listed(&said)>{parts.iter().map(part).collect_view()}</span>
            <span title=people::listed(&said)>{people::grouped(sum as u128)}</span>
        })
    }
}
