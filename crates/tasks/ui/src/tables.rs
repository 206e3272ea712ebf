//! The tasks of the set, and how much what they need may grow.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::stage::Stage;
use base::people;
use tasks_lab::page::tasks::{
    NONE, TaskLine, VertexLine, growth, task_line, vertex_lines, vertices_in_words,
};
use tasks_lab::timeline::tasks::class;
use ui_kit::swatch::Swatch;

/// More letters than these want a wide column.
const SHORT: usize = 16;
/// Vertices in sight at first.
const IN_SIGHT: usize = 12;

/// What the columns of the tasks are.
const COLUMNS: &str = "E: the most that one run from the source to the sink needs. Utilisation: E divided by the period. \
    Longest path: all separations along it and the deadline of the sink; the period should not be shorter. Pairs: how \
    many pairs of interval and demand were needed to know the demand.";

const TASK_HEADS: [&str; 8] =
    ["Task", "Vertices", "Period", "E", "Utilisation", "Longest path", "Pairs", "Demand"];

/// One line for each task; a click on its name chooses it.
#[component]
pub(super) fn TaskTable(stage: Stage) -> impl IntoView {
    let panel = stage.panel;
    let lines = memo(move |_| {
        stage.report(|report| report.set.iter().map(task_line).collect::<Vec<TaskLine>>()).unwrap_or_default()
    });
    let line = move |(task, line): (usize, TaskLine)| {
        let is_long = line.exact.len() > SHORT;
        let pressed = move || if panel.task.get() == task { "true" } else { "false" };
        view! {
            <tr class:at=move || panel.task.get() == task data-testid=format!("tasks-row-{task}")>
                <th scope="row">
                    <button class="link" aria-pressed=pressed data-testid=format!("task-choose-{task}") on:click=move |_| panel.task.set(task)>
                        <Swatch class=class(task)/>{line.name}
                    </button>
                </th>
                {line.numbers.map(|number| view! { <td class="time">{number}</td> }).collect_view()}
                <td class:long=is_long>{line.exact}</td>
            </tr>
        }
    };
    view! {
        <section class="figure tasks-set" aria-label="Task by task" data-testid="tasks-set">
            <h3>"The tasks"</h3>
            <div class="scroll" role="region" tabindex="0" aria-label="The tasks">
                <table class="numbers">
                    <thead><tr>{TASK_HEADS.map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
                    <tbody>{live(move || lines.get().into_iter().enumerate().map(line).collect_view())}</tbody>
                </table>
            </div>
            <p class="hint" data-testid="tasks-columns">{COLUMNS}</p>
        </section>
    }
}

const VERTEX_HEADS: [&str; 4] = ["Vertex", "Needs", "May need at most", "Room"];

/// How much all requirements may grow together, and each by itself; nothing where that was not computed.
#[component]
pub(super) fn Sensitivity(stage: Stage) -> impl IntoView {
    let panel = stage.panel;
    let lines = memo(move |_| stage.report(vertex_lines).unwrap_or_default());
    let words = memo(move |_| {
        let said = |lines: &[VertexLine]| {
            stage.report(|report| report.sensitivity.as_ref().map(|found| growth(found, lines))).flatten()
        };
        lines.with(|lines| said(lines))
    });
    let about = move || lines.with(|lines| stage.report(|report| vertices_in_words(report, lines)));
    let some = memo(move |_| lines.with(|lines| lines.iter().any(|line| line.most.is_some())));
    let any = memo(move |_| words.with(Option::is_some) || some.get());
    let all = RwSignal::new(false);
    let line = move |line: VertexLine| {
        let number = |n: u64| people::grouped(n.into());
        let (room, task) = (line.room(), line.task);
        view! {
            <tr>
                <th scope="row"><button class="link" on:click=move |_| panel.task.set(task)>{line.name}</button></th>
                <td class="time">{number(line.e)}</td>
                <td class="time">{line.most.map_or_else(|| NONE.to_owned(), number)}</td>
                <td class="time">{room}</td>
            </tr>
        }
    };
    let shown = move || {
        let lines = lines.get();
        let count = if all.get() { lines.len() } else { lines.len().min(IN_SIGHT) };
        lines.into_iter().take(count).map(line).collect_view()
    };
    let more = move || lines.with(Vec::len).saturating_sub(IN_SIGHT);
    let has_more = move || some.get() && more() > 0;
    view! {
        <Show when=move || any.get()>
            <section class="figure tasks-growth" aria-label="Slack per job (sensitivity)" data-testid="tasks-growth">
                <h3>"Slack per job (sensitivity)"</h3>
                <p class="told" data-testid="tasks-growth-told">{live(move || words.get())}</p>
                <p class="hint" data-testid="tasks-vertices-about">{about}</p>
                <Show when=move || some.get()>
                    <div class="scroll" role="region" tabindex="0" aria-label="How much each vertex may grow by itself">
                        <table class="numbers" data-testid="tasks-vertices">
                            <thead><tr>{VERTEX_HEADS.map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
                            <tbody>{shown}</tbody>
                        </table>
                    </div>
                </Show>
                <Show when=has_more>
                    <p><button data-testid="tasks-vertices-all" aria-expanded=live(move || if all.get() { "true" } else { "false" })
                        on:click=move |_| all.update(|all| *all = !*all)>
                        {live(move || if all.get() { "Show fewer".to_owned() } else { format!("Show {} more", people::grouped(more() as u128)) })}
                    </button></p>
                </Show>
            </section>
        </Show>
    }
}
