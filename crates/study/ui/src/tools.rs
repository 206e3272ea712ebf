//! Which drawing is on the screen, and the study as files.

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::stage::Stage;
use kit::draw::DrawList;
use kit::export::svg::svg;
use kit::page::told::ToldOfTrial;
use study_lab::draw::{Look, draw};
use study_lab::page::choose::{self, Part};
use study_lab::page::{Known, export};
use study_lab::scenario::{Drawing, Kind};
use ui_kit::controls::{Bound, select};
use ui_kit::menu::Menu;
use ui_kit::save;

/// How large the picture of a file is.
const FILE: (f64, f64) = (960.0, 600.0);

#[component]
pub(super) fn Tools(stage: Stage, told: RwSignal<ToldOfTrial>) -> impl IntoView {
    view! {
        <div class="row tools study-tools" role="toolbar" aria-label="Picture">
            <Drawings stage/>
            {choice(stage, Part::Kind, "Picture", "study-kind")}
            {choice(stage, Part::Y, "of", "study-y")}
            {choice(stage, Part::X, "over", "study-x")}
            {choice(stage, Part::By, "by", "study-by")}
            <span class="spacer"></span>
            <Exports stage told/>
        </div>
    }
}

/// The drawings of the document, where there are several.
#[component]
fn Drawings(stage: Stage) -> impl IntoView {
    let all = memo(move |_| {
        stage
            .planned
            .with(|planned| planned.as_ref().map(|planned| planned.plan.drawings()))
            .unwrap_or_default()
    });
    let called = |at: usize, drawing: &Drawing| {
        drawing.title.clone().unwrap_or_else(|| format!("Drawing {}: {}", at + 1, drawing.y.join(", ")))
    };
    let bound = Bound {
        value: Signal::derive(move || {
            let now = stage.drawn();
            let at = all.with(|all| all.iter().position(|drawing| Some(drawing) == now.as_ref()));
            at.map(|at| at.to_string()).unwrap_or_default()
        }),
        write: Callback::new(move |chosen: String| {
            let drawing =
                chosen.parse::<usize>().ok().and_then(|at| all.with_untracked(|all| all.get(at).cloned()));
            stage.selected.set(None);
            stage.pointed.set(None);
            stage.drawing.set(drawing);
        }),
    };
    let choices = Signal::derive(move || {
        let own = stage.drawn().filter(|now| all.with(|all| !all.contains(now)));
        let own = own.map(|_| (String::new(), "As chosen here".to_owned()));
        let named = all.with(|all| {
            all.iter()
                .enumerate()
                .map(|(at, drawing)| (at.to_string(), called(at, drawing)))
                .collect::<Vec<_>>()
        });
        own.into_iter().chain(named).collect::<Vec<_>>()
    });
    let several = memo(move |_| all.with(|all| all.len() > 1));
    view! {
        <Show when=move || several.get()>
            {select("Drawing of the document".to_owned(), "study-drawing".to_owned(), choices, bound)}
        </Show>
    }
}

/// A list for a part of the drawing.
fn choice(stage: Stage, part: Part, label: &'static str, id: &'static str) -> AnyView {
    let with = move |what: &dyn Fn(&study_lab::page::Plan, &Drawing) -> Drawing| {
        let planned = stage.planned.get_untracked()?;
        let now = untrack(|| stage.drawn())?;
        Some(what(&planned.plan, &now))
    };
    let bound = Bound {
        value: Signal::derive(move || {
            stage.drawn().map(|now| choose::chosen(&now, part)).unwrap_or_default()
        }),
        write: Callback::new(move |chosen: String| {
            if let Some(next) = with(&|plan, now| choose::with(plan, now, part, &chosen)) {
                stage.selected.set(None);
                stage.pointed.set(None);
                stage.drawing.set(Some(next));
            }
        }),
    };
    let choices = memo(move |_| {
        let planned = stage.planned.get()?;
        Some(choose::choices(&planned.plan, &stage.drawn()?, part))
    });
    let heat = move || stage.drawn().is_some_and(|now| now.kind == Kind::Heat);
    let said = move || match (part, heat()) {
        (Part::Y, true) => "and",
        (Part::By, true) => "shows",
        _ => label,
    };
    let any = memo(move |_| choices.with(|choices| choices.as_ref().is_some_and(|all| all.len() > 1)));
    view! {
        <Show when=move || any.get()>
            <label class="study-choice"><span>{said}</span>
                {select(said().to_owned(), id.to_owned(), Signal::derive(move || choices.get().unwrap_or_default()), bound)}
            </label>
        </Show>
    }
    .into_any()
}

#[component]
fn Exports(stage: Stage, told: RwSignal<ToldOfTrial>) -> impl IntoView {
    let title = move || told.with_untracked(|told| told.title.clone());
    let picture = move || -> Option<DrawList> {
        let (width, height) = FILE;
        let chart = stage.chart.get_untracked()?;
        Some(draw(&chart, &Look { width, height, titled: true, ..Look::default() }))
    };
    let save_png = move |_| {
        if let Some(list) = picture() {
            save::save_png(&list, save::file_name(&title(), "png"));
        }
    };
    let save_svg = move |_| {
        if let Some(list) = picture() {
            let text = svg(&list, &title(), &save::link());
            save::save(&save::file_name(&title(), "svg"), "image/svg+xml", &text);
        }
    };
    let rows = move |extension: &str, kind: &str, made: fn(&Known) -> String| {
        if let Some(text) = stage.now(made) {
            save::save(&save::file_name(&title(), extension), kind, &text);
        }
    };
    view! {
        <Menu label="Export" id="export">
            <button title="Save the picture as PNG, twice the size" data-testid="study-png" on:click=save_png>"Picture as PNG"</button>
            <button title="Save the picture as SVG" data-testid="study-svg" on:click=save_svg>"Picture as SVG"</button>
            <button title="Save the rows that are there as a table" data-testid="study-csv" on:click=move |_| rows("csv", "text/csv", export::table)>"Rows as CSV"</button>
            <button title="Save the rows that are there, a line of JSON each, as the command line writes them" data-testid="study-ndjson"
                on:click=move |_| rows("ndjson", "application/x-ndjson", export::lines)>"Rows as NDJSON"</button>
        </Menu>
    }
}
