//! Beneath the picture: what policies take, how often loops go round, and the tables, whose numbers can be changed.
//!
//! Rows stay as long as their names do, so that the keyboard stays in a field while a new report comes.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use base::people;
use code_lab::page::{Seen, edits, says, sources, summary};

/// A row of a table, as its cells are called.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// What the document calls it.
    pub(super) name: String,
    /// What people call it.
    pub(super) called: String,
    /// Before the field, or in its place where nothing can be changed.
    pub(super) about: String,
    /// What stands in the field; none where nothing can be changed.
    pub(super) value: Option<String>,
    /// After it.
    pub(super) source: String,
}

/// Takes the name of a row and what was typed.
pub(super) type Write = Callback<(String, String)>;

/// A table whose rows may have a field.
#[derive(Clone, Copy)]
pub(super) struct Table {
    pub(super) id: &'static str,
    /// What tests find fields by, before the name of their row.
    pub(super) field: &'static str,
    pub(super) title: &'static str,
    pub(super) hint: &'static str,
    pub(super) heads: &'static [&'static str],
    /// What fields are called, before the name of their row.
    pub(super) label: &'static str,
    /// What stands in an empty field.
    pub(super) empty: &'static str,
    pub(super) open: bool,
    pub(super) rows: Memo<Vec<Row>>,
    pub(super) write: Write,
    /// The number that a change moves, which may be out of sight.
    pub(super) now: Option<Memo<String>>,
    /// What is wrong with a row of the document, by its name; with all of them where that is empty.
    pub(super) wrong: Callback<String, Option<String>>,
}

/// What is wrong with the rows of a table of the document.
pub(super) fn wrong(stage: Stage, table: &'static str) -> Callback<String, Option<String>> {
    Callback::new(move |name: String| stage.told.with(|told| edits::wrong(&told.problems, table, &name)))
}

/// What each policy takes with the longest latencies.
#[component]
pub(super) fn Policies(stage: Stage) -> impl IntoView {
    let rows = rows(stage, |seen| {
        let line = |own: &code_lab::report::PolicyReport| Row {
            name: own.policy.to_string(),
            called: own.policy.to_string(),
            about: String::new(),
            value: None,
            source: people::counted(own.makespan as usize, "cycle"),
        };
        seen.report.policies.iter().map(line).collect()
    });
    table(Table {
        id: "code-policies",
        field: "",
        title: "What policies of issue take, with the longest latencies",
        hint: "",
        heads: &["Policy", "Makespan"],
        label: "",
        empty: "",
        open: true,
        rows,
        write: Callback::new(|_| {}),
        now: None,
        wrong: wrong(stage, "method"),
    })
}

/// Loops, with a field for how often they go round where the text does not say.
#[component]
pub(super) fn Loops(stage: Stage) -> impl IntoView {
    let rows = rows(stage, |seen| {
        let line = |own: &code_lab::report::LoopReport| Row {
            name: format!("0x{:04x}", own.address),
            called: format!("0x{:04x}", own.address),
            about: edits::rounds(own),
            value: match &own.stated[..] {
                "text" => None,
                "given" => own.trips.map(|trips| trips.to_string()),
                _ => Some(String::new()),
            },
            source: match &own.stated[..] {
                "text" => "as often as the text says",
                "given" => "given in the document",
                _ => "nobody says how often: it was gone round once",
            }
            .to_owned(),
        };
        seen.report.loops.iter().flatten().map(line).collect()
    });
    let write = Callback::new(move |(name, typed): (String, String)| {
        let Some(address) = edits::address(&name) else { return };
        let loops = untrack(|| stage.with(|seen| seen.report.loops.clone())).flatten().unwrap_or_default();
        stage.edit(|tree| edits::with_trips(tree, &loops, address, &typed));
    });
    table(Table {
        id: "code-loops",
        field: "code-loop",
        title: "Loops",
        hint: "",
        heads: &["Begins at", "Goes round", "Who says so"],
        label: "Rounds of the loop at",
        empty: "1, assumed",
        open: true,
        rows,
        write,
        now: Some(now(stage)),
        wrong: wrong(stage, "loops"),
    })
}

/// Latencies by kind.
#[component]
pub(super) fn Latencies(stage: Stage) -> impl IntoView {
    let rows = rows(stage, |seen| {
        let all = seen.report.tables.iter().flat_map(|own| &own.latencies);
        all.map(|(name, least, hit, most, source)| Row {
            name: name.to_string(),
            called: name.to_string(),
            about: says::unit_of_kind(&seen.report, name).to_owned(),
            value: Some(edits::latency(*least, *hit, *most)),
            source: sources::in_words(source),
        })
        .collect()
    });
    let write = Callback::new(move |(name, typed): (String, String)| {
        stage.edit(|tree| edits::with_latency(tree, &name, &typed));
    });
    table(Table {
        id: "code-latencies",
        field: "code-latency",
        title: "Latencies, in cycles",
        hint: "One number, the least and the most as in 34-466, or the least, the longest hit and the most as in 34-38-466. An empty field brings those of the table back.",
        heads: &["Result of", "Unit", "Cycles", "Source"],
        label: "Cycles of",
        empty: "as in the table",
        open: true,
        rows,
        write,
        now: Some(now(stage)),
        wrong: wrong(stage, "latencies"),
    })
}

/// Lanes of units.
#[component]
pub(super) fn Units(stage: Stage) -> impl IntoView {
    let rows = rows(stage, |seen| {
        let all = seen.report.tables.iter().flat_map(|own| &own.units);
        all.map(|(name, scope, lanes, source)| Row {
            name: name.to_string(),
            called: says::unit_short(name).to_owned(),
            about: scope.to_string(),
            value: Some(lanes.to_string()),
            source: sources::in_words(source),
        })
        .collect()
    });
    let write = Callback::new(move |(name, typed): (String, String)| {
        stage.edit(|tree| edits::with_lanes(tree, &name, &typed))
    });
    table(Table {
        id: "code-units",
        field: "code-lanes",
        title: "Units, in threads a cycle",
        hint: "",
        heads: &["Unit", "One for each", "Lanes", "Source"],
        label: "Lanes of",
        empty: "as in the table",
        open: false,
        rows,
        write,
        now: Some(now(stage)),
        wrong: wrong(stage, "lanes"),
    })
}

/// The worst case at present, in a sentence.
fn now(stage: Stage) -> Memo<String> {
    memo(move |_| {
        stage.told.with(|told| stage.with(|seen| summary::now(told, &seen.report))).unwrap_or_default()
    })
}

fn rows(stage: Stage, made: fn(&Seen) -> Vec<Row>) -> Memo<Vec<Row>> {
    memo(move |_| stage.with(made).unwrap_or_default())
}

/// A table with its title, which folds it away.
fn table(own: Table) -> AnyView {
    let any = memo(move |_| own.rows.with(|rows| !rows.is_empty()));
    view! {
        <details class="section" open=own.open hidden=live(move || !any.get()) data-testid=own.id>
            <summary>{own.title}</summary>
            {(!own.hint.is_empty()).then(|| view! { <p class="hint">{own.hint}</p> })}
            {own.now.map(|now| view! { <p class="hint" data-testid=format!("{}-now", own.id)>{move || now.get()}</p> })}
            {grid(own)}
        </details>
    }
    .into_any()
}

/// Its rows alone.
pub(super) fn grid(own: Table) -> AnyView {
    let names = memo(move |_| {
        own.rows.with(|rows| {
            rows.iter()
                .map(|row| (row.name.clone(), row.called.clone(), row.value.is_some()))
                .collect::<Vec<_>>()
        })
    });
    let has_about = own.heads.len() == 4;
    let line = move |at: usize, name: String, called: String, editable: bool| {
        let row = memo(move |_| own.rows.with(|rows| rows.get(at).cloned()));
        let of = move |what: fn(&Row) -> String| {
            live(move || row.with(|row| row.as_ref().map(what)).unwrap_or_default())
        };
        let (written, asked) = (name.clone(), name.clone());
        let wrong = memo(move |_| own.wrong.run(asked.clone()));
        let field = editable.then(|| {
            view! {
                <td><input type="text" autocomplete="off" class="code" aria-label=format!("{} {called}", own.label)
                    data-testid=format!("{}-{name}", own.field) aria-invalid=live(move || if wrong.with(Option::is_some) { "true" } else { "false" })
                    placeholder=own.empty prop:value=of(|row| row.value.clone().unwrap_or_default())
                    on:change=move |event| own.write.run((written.clone(), event_target_value(&event)))/>
                    {live(move || wrong.get().map(|said| view! { <p class="wrong" role="alert">{said}</p> }))}</td>
            }
        });
        let blank =
            (!editable && own.heads.len() > 2).then(|| view! { <td>{of(|row| row.about.clone())}</td> });
        let about = has_about.then(|| view! { <td>{of(|row| row.about.clone())}</td> });
        view! { <tr><th scope="row"><code>{called.clone()}</code></th>{about}{field}{blank}<td>{of(|row| row.source.clone())}</td></tr> }
    };
    let lines = move || {
        let all = names.get().into_iter().enumerate();
        all.map(|(at, (name, called, editable))| line(at, name, called, editable)).collect_view()
    };
    let heads = own.heads.iter().map(|head| view! { <th scope="col">{*head}</th> }).collect_view();
    let wrong = memo(move |_| own.wrong.run(String::new()));
    view! {
        {live(move || wrong.get().map(|said| view! { <p class="wrong" role="alert">{said}</p> }))}
        <div class="scroll"><table class="numbers code-edits"><thead><tr>{heads}</tr></thead><tbody>{live(lines)}</tbody></table></div>
    }
    .into_any()
}

/// What was assumed, what else there is to know, and what any result takes for granted.
#[component]
pub(super) fn Texts(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        stage
            .with(|seen| {
                let own = &seen.report;
                let general = own.assumptions.iter().map(ToString::to_string).collect::<Vec<_>>();
                vec![
                    ("code-assumed", "What is assumed of this code", own.assumed.clone()),
                    ("code-notes", "Notes", own.notes.clone()),
                    ("code-assumptions", "What any result takes for granted", general),
                ]
            })
            .unwrap_or_default()
    });
    let list = |(id, title, texts): (&'static str, &'static str, Vec<String>)| {
        (!texts.is_empty()).then(|| {
            view! {
                <details class="more" data-testid=id>
                    <summary>{format!("{title} ({})", texts.len())}</summary>
                    <ul>{texts.into_iter().map(|text| view! { <li>{text}</li> }).collect_view()}</ul>
                </details>
            }
        })
    };
    move || known.get().into_iter().map(list).collect_view()
}
