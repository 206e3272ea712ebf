//! An experiment on the page: what is measured, the times as lines, the table beside what was published, the GPU.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};

use super::Panel;
use super::gpu::{Gpu, GpuBar, sentences};
use kit::draw::Theme;
use kit::export::svg::svg;
use kit::report::Told as _;
use tasks_lab::draw::tasks::experiment::{Series, draw, with_legend};
use tasks_lab::export::experiment_csv::experiment_csv;
use tasks_lab::gpu::Told;
use tasks_lab::page::tasks::experiment::{FIELDS, GROUPS, fields, in_words, lines, series};
use tasks_lab::page::tasks::{Seen, published};
use tasks_lab::report::tasks::ExperimentReport;
use ui_kit::canvas::{Painter, ratio};
use ui_kit::follow::follow_width;
use ui_kit::save;
use ui_kit::styles::{Sheet, wear};

/// Its own style, which the page need not load before.
const TASKS_EXPERIMENT: Sheet =
    Sheet { name: "tasks-experiment", text: include_str!("../../../../www/tasks-experiment.css") };

/// Height of the picture.
const HEIGHT: f64 = 320.0;

/// The experiment, where the document is one.
#[component]
pub(super) fn Experiment(panel: Panel) -> impl IntoView {
    let any = memo(move |_| panel.with(|seen| matches!(seen, Seen::Experiment(_))).unwrap_or(false));
    move || any.get().then(|| view! { <Whole panel/> })
}

/// Something made of the report and of what the GPU did.
fn with<T>(panel: Panel, gpu: Gpu, what: impl FnOnce(&ExperimentReport, &[(usize, Told)]) -> T) -> Option<T> {
    panel.seen.with(|seen| match seen.as_deref() {
        Some(Seen::Experiment(report)) => Some(gpu.told.with(|told| what(report, told))),
        _ => None,
    })
}

#[component]
fn Whole(panel: Panel) -> impl IntoView {
    wear(&[TASKS_EXPERIMENT]);
    let gpu = Gpu::new();
    let of = memo(move |_| panel.shown.get());
    Effect::new(move |before: Option<u32>| {
        let now = of.get();
        if before.is_some_and(|before| before != now) {
            gpu.told.set(Vec::new()); // another experiment
        }
        now
    });
    let known = memo(move |_| {
        with(panel, gpu, |report, _| (report.generated.clone(), report.warnings.clone())).unwrap_or_default()
    });
    let tasks = move |()| {
        let named = |(place, row): (usize, &tasks_lab::report::tasks::ExperimentRow)| {
            (place, format!("{} vertices", row.vertices), row.task.clone())
        };
        let tasks = untrack(|| {
            with(panel, gpu, |report, _| report.experiment.iter().enumerate().map(named).collect())
        });
        tasks.unwrap_or_default()
    };
    let warnings = move || {
        known.with(|(_, warnings)| {
            warnings.iter().map(|text| view! { <li>{text.clone()}</li> }).collect_view()
        })
    };
    let width = RwSignal::new(0.0);
    let any_warning = move || known.with(|(_, warnings)| !warnings.is_empty());
    view! {
        <section class="figure experiment" aria-labelledby="experiment-title" data-testid="experiment">
            <h2 id="experiment-title">"How long the demand of a task takes to compute"</h2>
            <p>"The published form fills a table with a cell for every demand. The front keeps only the pairs of interval and demand that no other pair beats, and holds the same. The exact demand is that of intervals of any length, of which the table gives the first part. All of it is measured in this browser, on one thread, beside what was published for "{published::MACHINE}", with requirements up to 10,000."</p>
            <Chart panel gpu width/>
            <GpuBar gpu label="Measure on the GPU" tasks/>
            <Table panel gpu/>
            <Exports panel gpu width/>
            <ul class="hint" hidden=live(move || !any_warning()) data-testid="experiment-warnings">{warnings}</ul>
            <Devices panel gpu/>
            <details class="more" data-testid="experiment-drawn">
                <summary>"How the tasks are drawn"</summary>
                <p class="hint">{live(move || known.with(|(generated, _)| generated.clone()))}</p>
            </details>
        </section>
    }
}

/// The times as lines.
#[component]
fn Chart(panel: Panel, gpu: Gpu, width: RwSignal<f64>) -> impl IntoView {
    let known = memo(move |_| with(panel, gpu, series).unwrap_or_default());
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_width(canvas, width);
    let painter = StoredValue::new_local(None::<Painter>);
    effect(move || {
        let Some(canvas) = canvas.get() else { return };
        let theme = if panel.told.with(|told| told.page.dark) { Theme::Dark } else { Theme::Light };
        let drawn = known.with(|series| draw(series, width.get(), HEIGHT));
        if drawn.width <= 0.0 {
            return;
        }
        painter.update_value(|painter| {
            if painter.is_none() {
                *painter = Painter::new(canvas);
            }
            if let Some(painter) = painter {
                painter.paint(&drawn, theme, ratio());
            }
        });
    });
    let key = |series: &Series| {
        let colour = series
            .class
            .map_or_else(|| "var(--muted)".to_owned(), |_| Theme::Light.color(series.ink()).to_owned());
        view! {
            <li><span class="swatch" aria-hidden="true" style=format!("background: {colour}")></span><b>{series.letter.to_string()}</b>" "{series.name}</li>
        }
    };
    let hidden = move || known.with(Vec::is_empty);
    view! {
        <div class="experiment-plot" hidden=hidden role="img" aria-label=live(move || known.with(|series| in_words(series))) data-testid="experiment-plot">
            <canvas node_ref=canvas style=format!("height: {HEIGHT}px")></canvas>
        </div>
        <ul class="experiment-legend" data-testid="experiment-legend">{live(move || known.with(|series| series.iter().map(key).collect_view()))}</ul>
    }
}

/// The experiment as files.
#[component]
fn Exports(panel: Panel, gpu: Gpu, width: RwSignal<f64>) -> impl IntoView {
    let title = move || panel.told.with_untracked(|told| told.title.clone());
    let save = move |extension: &str, kind: &str, text: Option<String>| {
        if let Some(text) = text {
            save::save(&save::file_name(&title(), extension), kind, &text);
        }
    };
    let list = move || {
        untrack(|| with(panel, gpu, |report, told| with_legend(&series(report, told), width.get(), HEIGHT)))
    };
    let png = move |_| {
        list().into_iter().for_each(|list| save::save_png(&list, save::file_name(&title(), "png")));
    };
    let picture =
        move |_| save("svg", "image/svg+xml", list().map(|list| svg(&list, &title(), &save::link())));
    let csv = move |_| {
        let text = untrack(|| with(panel, gpu, |report, told| experiment_csv(&FIELDS, fields(report, told))));
        save("csv", "text/csv", text);
    };
    let report = move |_| {
        let line = |report: &ExperimentReport, _: &_| report.line();
        save("report.json", "application/json", untrack(|| with(panel, gpu, line)));
    };
    view! {
        <div class="row end" data-testid="experiment-exports">
            <div class="switch" role="group" aria-label="Save the picture">
                <button title="Save the chart as PNG, twice the size" data-testid="experiment-png" on:click=png>"PNG"</button>
                <button title="Save the chart as SVG" data-testid="experiment-svg" on:click=picture>"SVG"</button>
            </div>
            <div class="switch" role="group" aria-label="Save the times">
                <button title="Save the table with all columns" data-testid="experiment-csv" on:click=csv>"CSV"</button>
                <button title="Save the report as one line of JSON" data-testid="experiment-report" on:click=report>"Report"</button>
            </div>
        </div>
    }
}

/// The table: the twin of the picture, and more.
#[component]
fn Table(panel: Panel, gpu: Gpu) -> impl IntoView {
    let known = memo(move |_| with(panel, gpu, lines).unwrap_or_default());
    let group = |(name, columns): (&'static str, &'static [&'static str])| {
        view! { <th scope="colgroup" colspan=columns.len()>{name}</th> }
    };
    let columns = GROUPS.iter().flat_map(|(_, columns)| *columns);
    let columns = columns.map(|name| view! { <th scope="col">{*name}</th> }).collect_view();
    let row = |(place, line): (usize, &tasks_lab::page::tasks::experiment::Line)| {
        let mut cells = line.cells.iter().cloned();
        let first = cells.next();
        view! {
            <tr class:differs=line.differs data-testid=format!("experiment-{place}")>
                <th scope="row">{first}</th>
                {cells.map(|cell| view! { <td>{cell}</td> }).collect_view()}
            </tr>
        }
    };
    view! {
        <div class="scroll" role="region" tabindex="0" aria-label="Times of every size">
            <table class="experiment-table" data-testid="experiment-table">
                <thead>
                    <tr>{GROUPS.into_iter().map(group).collect_view()}</tr>
                    <tr>{columns}</tr>
                </thead>
                <tbody>{live(move || known.with(|lines| lines.iter().enumerate().map(row).collect_view()))}</tbody>
            </table>
        </div>
    }
}

/// What the GPU did, size by size.
#[component]
fn Devices(panel: Panel, gpu: Gpu) -> impl IntoView {
    let known = memo(move |_| {
        let named = |report: &ExperimentReport, told: &[(usize, Told)]| {
            let one = |(place, told): &(usize, Told)| {
                Some((report.experiment.get(*place)?.vertices, Arc::new(told.clone())))
            };
            told.iter().filter_map(one).filter(|(_, told)| told.measured.is_some()).collect::<Vec<_>>()
        };
        with(panel, gpu, named).unwrap_or_default()
    });
    let adapter = move || known.with(|known| Some(known.first()?.1.measured.as_ref()?.adapter.clone()));
    let one = |(vertices, told): &(u64, Arc<Told>)| {
        view! { <h3>{format!("{vertices} vertices")}</h3> {sentences(told)} }
    };
    move || {
        adapter().map(|adapter| {
            view! {
                <p class="hint" data-testid="gpu-adapter">"The GPU, as the browser calls it: "{adapter}"."</p>
                <details class="more" data-testid="gpu-details">
                    <summary>"What the GPU did, size by size"</summary>
                    {known.with(|known| known.iter().map(one).collect_view())}
                </details>
            }
        })
    }
}
