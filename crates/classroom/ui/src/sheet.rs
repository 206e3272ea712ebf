//! The sheet to print: a scenario with its picture and numbers, or a worksheet with room for them.

use leptos::prelude::*;

use classroom::page::sheet::{Fact, Sheet, Table};
use kit::page::Ask;
use kit::page::rooms::ToldOfRoom;
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::{self, wear};

/// Its own style, which the page need not load before.
const PAPER: styles::Sheet = styles::Sheet { name: "sheet", text: include_str!("../../../../www/sheet.css") };

/// Lines to write on, where a worksheet has a table of its own for the answer.
const EMPTY_LINES: usize = 3;

/// The sheet.
#[derive(Clone, Copy)]
pub struct Printed {
    told: RwSignal<ToldOfRoom>,
    /// The lines of the report on the screen.
    lines: RwSignal<Vec<String>>,
    page: Page,
}

impl Printed {
    /// A sheet of nothing yet.
    pub fn new(page: Page) -> Self {
        Self { told: RwSignal::default(), lines: RwSignal::default(), page }
    }
}

impl Content for Printed {
    type Told = ToldOfRoom;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Panel printed=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfRoom, news: &News<'_, String>) {
        self.lines.update(|lines| {
            if news.begins() {
                lines.clear();
            }
            lines.extend(news.all());
        });
    }

    fn tell(self, told: ToldOfRoom) {
        put(self.told, told);
    }
}

#[component]
fn Panel(printed: Printed) -> impl IntoView {
    wear(&[PAPER]);
    let Printed { told, lines, page } = printed;
    let sheet =
        Memo::new(move |_| told.with(|told| lines.with(|lines| Sheet::new(&told.at, lines, &told.base))));
    let worksheet = RwSignal::new(false);
    let back = NodeRef::<leptos::html::Button>::new();
    Effect::new(move |_| {
        if let Some(back) = back.get() {
            let _ = back.focus();
        }
    });
    let print = move |_| {
        // Nothing can be done about a browser that does not print.
        let _ = window().print();
    };
    let missing = move || sheet.with(Option::is_none);
    view! {
        <div class="sheet-tools">
            <button node_ref=back data-testid="sheet-back" on:click=move |_| page.ask(Ask::CloseSheet)>"Back"</button>
            <label class="check">
                <input type="checkbox" data-testid="worksheet" prop:checked=move || worksheet.get()
                    on:change=move |event| worksheet.set(event_target_checked(&event))/>
                "Worksheet: leave the answers blank"
            </label>
            <span class="spacer"></span>
            <button class="primary" data-testid="print" disabled=missing on:click=print>"Print"</button>
        </div>
        <Show when=missing>
            <p class="sheet-none">"There is no result to print yet. It comes with the first run of the scenario."</p>
        </Show>
        {move || sheet.get().map(|sheet| {
            let link = told.with(|told| told.base.clone());
            view! { <Paper sheet link worksheet=worksheet.get()/> }
        })}
    }
}

#[component]
fn Paper(sheet: Sheet, link: String, worksheet: bool) -> impl IntoView {
    let title = if sheet.title.is_empty() { "Untitled scenario".to_owned() } else { sheet.title };
    let picture = if worksheet { sheet.blank } else { sheet.picture };
    let named = if worksheet { "Room to draw the answer" } else { "The result as a picture" };
    let answers = if worksheet { Hidden::Answers } else { Hidden::Nothing };
    view! {
        <article class="paper" data-testid="paper">
            <header>
                <h1>{title}</h1>
                {worksheet.then(|| view! { <p class="name">"Name:"</p> })}
            </header>
            // Notes tend to tell the answer.
            {(!worksheet && !sheet.notes.is_empty()).then(|| view! { <p>{sheet.notes.clone()}</p> })}
            <h2>"Given"</h2>
            <Facts facts=sheet.given hidden=Hidden::Nothing/>
            {sheet.given_tables.into_iter().map(|table| view! { <Rows table hidden=Hidden::Nothing/> }).collect_view()}
            <h2>{if worksheet { "Asked" } else { "Found" }}</h2>
            {worksheet.then(|| view! { <p>{sheet.asked}</p> })}
            {picture.map(|svg| view! { <div class="picture" role="img" aria-label=named inner_html=svg></div> })}
            <Facts facts=sheet.found hidden=answers/>
            {sheet.found_tables.into_iter().map(|table| view! { <Rows table hidden=answers/> }).collect_view()}
            {(!worksheet && !sheet.assumes.is_empty()).then(|| view! {
                <h2>"What this takes for granted"</h2>
                <ol class="assumes">{sheet.assumes.iter().map(|text| view! { <li>{text.clone()}</li> }).collect_view()}</ol>
            })}
            <footer>
                <p>"Warpspan. Open this scenario in a browser:"</p>
                <p class="address">{link}</p>
            </footer>
        </article>
    }
}

/// What a worksheet leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hidden {
    Nothing,
    Answers,
}

#[component]
fn Facts(facts: Vec<Fact>, hidden: Hidden) -> impl IntoView {
    let line = move |fact: Fact| {
        match hidden {
        Hidden::Nothing => view! {
            <dt>{fact.name}</dt>
            <dd>{fact.value}{(!fact.hint.is_empty()).then(|| view! { <span class="hint">" ("{fact.hint}")"</span> })}</dd>
        }
        .into_any(),
        Hidden::Answers => view! { <dt>{fact.name}</dt><dd class="blank"></dd> }.into_any(),
    }
    };
    view! { <dl>{facts.into_iter().map(line).collect_view()}</dl> }
}

#[component]
fn Rows(table: Table, hidden: Hidden) -> impl IntoView {
    let given = if hidden == Hidden::Answers { table.given } else { usize::MAX };
    let mut rows = table.rows;
    if given == 0 {
        rows = vec![vec![String::new(); table.head.len()]; EMPTY_LINES];
    }
    let row = move |cells: Vec<String>| {
        let cell = move |(i, text): (usize, String)| {
            let text = if i < given { text } else { String::new() };
            view! { <td>{text}</td> }
        };
        view! { <tr>{cells.into_iter().enumerate().map(cell).collect_view()}</tr> }
    };
    view! {
        <table>
            <caption>{if given == 0 { String::new() } else { table.title }}</caption>
            <thead><tr>{table.head.into_iter().map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr></thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
