//! Another capture beside the one on the screen: the menu that opens it, and what got better from one to the other.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use ui_kit::show::Show;

use super::files::{self, Other};
use super::stage::Stage;
use super::summary::Chooser;
use ui_kit::dropped;
use ui_kit::menu::Menu;
use ui_kit::rows::{Grid, Rows};
use ui_kit::swatch::InkSwatch;
use waves_lab::Cause;
use waves_lab::draw::{hatch_of, of_cause};
use waves_lab::page::compared::{Difference, Line};
use waves_lab::page::{Compared, says};

/// The heading of the comparison, which gets the focus.
const HEADING: &str = "waves-compared";

/// Opens another capture, to compare with it.
#[component]
pub(super) fn Compare(stage: Stage) -> impl IntoView {
    let read = move |files: js_sys::Array| {
        leptos::task::spawn_local(async move {
            let before = stage.now();
            let read = files::other(dropped::files(&files).await).await;
            let page = stage.panel.page;
            // Something else may be looked at by then, or nothing any more.
            let same = before.zip(stage.run.try_get_untracked().flatten());
            if !same.is_some_and(|(before, now)| Arc::ptr_eq(&before, &now)) {
                return;
            }
            match read {
                Other::Summed(name, text) => match serde_json::from_str(&text) {
                    Ok(side) => stage.compare(name, side),
                    Err(_) => page.notice("The other capture cannot be summed up"),
                },
                Other::None => page.notice("No thread trace: expected the folder that rocprofv3 --att decodes, its zip or tar.gz, or a .waves file"),
                Other::Stopped => page.notice("Stopped; what is compared is as it was"),
                Other::Wrong((name, problems)) => {
                    let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
                    page.notice(&format!("{name}: {}", all.join("; ")));
                }
            }
        });
    };
    view! {
        <Menu label="Compare with…" id="waves-compare">
            <Chooser label="A file or archive…" id="waves-compare-file" folder=false primary=false read/>
            <Chooser label="A folder…" id="waves-compare-folder" folder=true primary=false read/>
        </Menu>
    }
}

/// What got better, once there is another capture.
#[component]
pub(super) fn Comparison(stage: Stage) -> impl IntoView {
    let swapped = RwSignal::new(false);
    let found = memo(move |_| {
        let (name, other) = stage.other.get()?;
        let own = stage.own.get()?;
        let title = stage.panel.told.with(|told| told.title.clone());
        let (here, there) = ((title.as_str(), &*own), (name.as_str(), &*other));
        let (before, after) = if swapped.get() { (there, here) } else { (here, there) };
        Some(Arc::new(Compared::of(before, after)))
    });
    let any = memo(move |_| found.with(Option::is_some) && !stage.panel.hidden().get());
    // What comes last is what is looked at next.
    effect(move || {
        if stage.other.with(Option::is_some) && any.get() {
            request_animation_frame(|| ui_kit::keys::focus(HEADING));
        }
    });
    view! {
        <Show when=move || any.get()>
            <Section stage found swapped/>
        </Show>
    }
}

#[component]
fn Section(stage: Stage, found: Memo<Option<Arc<Compared>>>, swapped: RwSignal<bool>) -> impl IntoView {
    let of = move |what: fn(&Compared) -> String| {
        live(move || found.with(|found| found.as_deref().map(what).unwrap_or_default()))
    };
    let causes =
        move || found.with(|found| found.as_ref().map(|found| found.causes.clone()).unwrap_or_default());
    let end = move |_| {
        stage.other.set(None);
        ui_kit::keys::focus("waves-find");
    };
    let row = |(cause, own): (Cause, Difference)| {
        let [before, after] = own.both.clone();
        view! {
            <tr data-testid=format!("waves-compared-{}", cause.name())>
                <th scope="row"><span class="waves-of"><InkSwatch ink=of_cause(cause) hatch=hatch_of(cause)/>{says::name_of(cause)}</span></th>
                <td class="time">{before}</td>
                <td class="time">{after}</td>
                <td class="time">{more(&own)}</td>
            </tr>
        }
    };
    view! {
        <section class="section waves-compared" aria-labelledby=HEADING data-testid="waves-compared">
            <div class="row">
                <h3 id=HEADING tabindex="-1">"From "{of(|found| found.names[0].clone())}" to "{of(|found| found.names[1].clone())}</h3>
                <span class="spacer"></span>
                <button title="Take the other one for what was before" data-testid="waves-compared-swap" on:click=move |_| swapped.update(|swapped| *swapped = !*swapped)>"Swap"</button>
                <button title="Compare no longer" data-testid="waves-compared-end" on:click=end>"Compare no longer"</button>
            </div>
            <p data-testid="waves-compared-told">{of(|found| found.told.join(" "))}</p>
            <div class="scroll" role="region" tabindex="0" aria-label="What changed by cause">
                <table class="numbers">
                    <thead><tr><th scope="col">"Cause, cycles a wave"</th><th scope="col">"Before"</th><th scope="col">"After"</th><th scope="col">"Difference"</th></tr></thead>
                    <tbody>{live(move || causes().into_iter().map(row).collect_view())}</tbody>
                </table>
            </div>
            <Lines stage found swapped/>
            <p class="hint">"The other capture stays on this computer, too, and no link holds it: whoever opens this page by a link opens both."</p>
        </section>
    }
}

/// A difference: its sign, and what it means.
fn more(own: &Difference) -> impl IntoView + use<> {
    let class = format!("way-{}", own.way.name());
    view! { <span class=class>{own.more.clone()}" "{own.way.name()}</span> }
}

const HEADS: [&str; 7] =
    ["Line before", "After", "Instruction", "Cycles before", "After", "Difference", "Main cause"];

/// Lines that changed; a click leads to one where it is on the screen.
#[component]
fn Lines(stage: Stage, found: Memo<Option<Arc<Compared>>>, swapped: RwSignal<bool>) -> impl IntoView {
    let count = memo(move |_| found.with(|found| found.as_ref().map_or(0, |found| found.lines.len())));
    let at = move |line: usize| found.with(|found| found.as_ref()?.lines.get(line).cloned());
    let here = move |line: &Line| line.numbers[usize::from(swapped.get_untracked())];
    let place = memo(move |_| {
        let line = stage.line.get()?;
        let number = stage.with(|run| run.lines.get(line).map(|line| line.number)).flatten()?;
        let side = usize::from(swapped.get());
        found.with(|found| found.as_ref()?.lines.iter().position(|line| line.numbers[side] == Some(number)))
    });
    let choose = Callback::new(move |line: usize| {
        let Some(number) = untrack(|| at(line)).and_then(|line| here(&line)) else {
            return stage.panel.page.notice("This line is only in the other capture");
        };
        let line = stage.with(|run| run.lines.iter().position(|line| line.number == number)).flatten();
        if let Some(line) = line {
            stage.select_line(line);
        }
    });
    let cells = Callback::new(move |line: usize| {
        let Some(line) = at(line) else { return ().into_any() };
        let number = |number: Option<u32>| number.map_or("none".to_owned(), |number| number.to_string());
        let [before, after] = line.cycles.both.clone();
        let mostly = format!("{} {}", says::name_of(line.mostly.0), line.mostly.1);
        view! {
            <span role="gridcell" class="number">{number(line.numbers[0])}</span>
            <span role="gridcell" class="number">{number(line.numbers[1])}</span>
            <span role="gridcell" class="code" title=line.text.clone()>{line.text.clone()}</span>
            <span role="gridcell" class="number">{before}</span>
            <span role="gridcell" class="number">{after}</span>
            <span role="gridcell" class="number">{more(&line.cycles)}</span>
            <span role="gridcell"><span class="waves-of"><InkSwatch ink=of_cause(line.mostly.0) hatch=hatch_of(line.mostly.0)/>{mostly}</span></span>
        }
        .into_any()
    });
    let rows = Rows {
        label: "Lines that changed, cycles a wave",
        id: "waves-changed",
        heads: &HEADS,
        seen: 12,
        count: count.into(),
        place: place.into(),
        selected: place.into(),
        over: RwSignal::new(None),
        go: choose,
        open: choose,
        cells,
    };
    // Rows are made again when the capture before and the one after are exchanged.
    move || {
        found.track();
        (count.get() > 0).then(|| view! { <div class="waves-changed"><Grid rows/></div> })
    }
}
