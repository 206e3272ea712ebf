//! The sheet to print: a scenario with its picture and numbers, or a worksheet with room for them.

use std::cell::Cell;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use ui_kit::show::Show;

use classroom::page::sheet::{Fact, Sheet, Table, TooLarge, qr, sheet};
use kit::page::Ask;
use kit::page::rooms::{ToOpen, ToldOfRoom};
use kit::scenario::builtin::BUILTINS;
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::{self, wear};

/// Its own style, which the page need not load before.
const PAPER: styles::Sheet = styles::Sheet { name: "sheet", text: include_str!("../../../../www/sheet.css") };

/// Lines to write on, where a worksheet has a table of its own for the answer.
const EMPTY_LINES: usize = 3;

/// What links to examples have in them.
const EXAMPLE: &str = "#example=";

/// The example that always fits on paper.
const SMALL: (&str, &str) = ("figure-2", "Four warps of LCL");

thread_local! {
    /// Whether the next sheet is a worksheet: who takes what fits on paper goes on with one.
    static WORKSHEET: Cell<bool> = const { Cell::new(false) };
}

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
        memo(move |_| told.with(|told| lines.with(|lines| sheet(&told.at, lines, told.proven, &told.base))));
    let worksheet = RwSignal::new(WORKSHEET.replace(false));
    let back = NodeRef::<leptos::html::Button>::new();
    effect(move || {
        if let Some(back) = back.get() {
            let _ = back.focus();
        }
    });
    let print = move |_| {
        // Nothing can be done about a browser that does not print.
        let _ = window().print();
    };
    let missing = move || sheet.with(Option::is_none);
    let too_large = memo(move |_| {
        worksheet.get().then(|| sheet.with(|sheet| sheet.as_ref()?.too_large.clone())).flatten()
    });
    view! {
        <div class="sheet-tools">
            <button node_ref=back data-testid="sheet-back" on:click=move |_| page.ask(Ask::CloseSheet)>"Back"</button>
            <label class="check">
                <input type="checkbox" data-testid="worksheet" prop:checked=live(move || worksheet.get())
                    on:change=move |event| worksheet.set(event_target_checked(&event))/>
                "Worksheet: leave the answers blank"
            </label>
            <span class="spacer"></span>
            <button class="primary" data-testid="print" disabled=missing on:click=print>"Print"</button>
        </div>
        <Show when=missing>
            <p class="sheet-none">"There is no result to print yet. It comes with the first run of the scenario."</p>
        </Show>
        {live(move || too_large.get().map(|why| view! { <Offers why page/> }))}
        {live(move || sheet.get().map(|sheet| {
            let worksheet = worksheet.get();
            // Who scans a worksheet is asked, not told.
            let link = told.with(|told| if worksheet { told.hidden.clone() } else { told.base.clone() });
            view! { <Paper sheet link worksheet/> }
        }))}
    }
}

/// What fits on paper, where the picture of a worksheet does not.
#[component]
fn Offers(why: TooLarge, page: Page) -> impl IntoView {
    let open = move |document: String, what: String| {
        WORKSHEET.set(true);
        page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
        page.ask(Ask::Sheet);
    };
    let fewer = why.fewer.map(|(warps, document)| {
        let said = format!("Take {}", base::people::counted(warps, "warp"));
        let what = said.clone();
        view! { <button data-testid="sheet-fewer" on:click=move |_| open(document.clone(), what.clone())>{said}</button> }
    });
    let (name, label) = SMALL;
    let small = BUILTINS.iter().find(|example| example.name == name).map(|example| {
        let text = example.text.to_owned();
        view! {
            <button data-testid="sheet-small" on:click=move |_| open(text.clone(), label.to_owned())>"Take the example "{label}</button>
        }
    });
    view! {
        <div class="sheet-large" role="status" data-testid="sheet-large">
            <p>{why.why}" The worksheet asks for the numbers alone."</p>
            <div class="row">{fewer}{small}</div>
        </div>
    }
}

#[component]
fn Paper(sheet: Sheet, link: String, worksheet: bool) -> impl IntoView {
    let title = match sheet.title {
        // What an example is called tends to tell the answer; one's own title is as its author wants it.
        _ if worksheet && link.contains(EXAMPLE) => sheet.kind.to_owned(),
        title if title.is_empty() => "Untitled scenario".to_owned(),
        title => title,
    };
    let picture = if worksheet { sheet.blank } else { sheet.picture };
    let named = if worksheet { "Room to draw the answer" } else { "The result as a picture" };
    let answers = if worksheet { Hidden::Answers } else { Hidden::Nothing };
    // Where there is nothing to draw into, nothing is to be drawn.
    let asked = if picture.is_some() { sheet.asked } else { "Work out the numbers below." };
    let mut granted = if worksheet { Vec::new() } else { sheet.warns };
    granted.extend(sheet.assumes);
    let code = qr::code(&link);
    let dense = code.is_none();
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
            {worksheet.then(|| view! { <p class="asked">{asked}</p> })}
            {picture.map(|svg| view! { <div class="picture" role="img" aria-label=named inner_html=svg></div> })}
            <Facts facts=sheet.found hidden=answers/>
            {sheet.found_tables.into_iter().map(|table| view! { <Rows table hidden=answers/> }).collect_view()}
            {(!granted.is_empty()).then(|| view! {
                <h2>{if worksheet { "Take for granted" } else { "What this takes for granted" }}</h2>
                <ol class="assumes">{granted.into_iter().map(|text| view! { <li>{text}</li> }).collect_view()}</ol>
            })}
            <footer>
                {code.map(|svg| view! { <div class="code" role="img" aria-label="The link as a QR code" data-testid="qr" inner_html=svg></div> })}
                <div class="onward">
                    <p>"Warpspan. Open this scenario in a browser:"</p>
                    <p class="address" data-testid="sheet-link">{link}</p>
                    {dense.then(|| view! { <p class="hint" data-testid="no-qr">"The link is too long for a QR code that could be read from paper."</p> })}
                </div>
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
    let facts: Vec<Fact> = facts.into_iter().filter(|fact| hidden == Hidden::Nothing || fact.asked).collect();
    let line = move |fact: Fact| {
        match hidden {
        Hidden::Nothing => view! {
            <dt>{fact.name}</dt>
            <dd>{fact.value}{(!fact.hint.is_empty()).then(|| view! { <span class="hint">" ("{fact.hint}")"</span> })}</dd>
        }
        .into_any(),
        Hidden::Answers => view! { <dt>{fact.name}</dt><dd class="blank"><span>{fact.unit}</span></dd> }.into_any(),
    }
    };
    view! { <dl>{facts.into_iter().map(line).collect_view()}</dl> }
}

#[component]
fn Rows(table: Table, hidden: Hidden) -> impl IntoView {
    let blank = hidden == Hidden::Answers;
    let given = if blank { table.given } else { usize::MAX };
    let heads: Vec<String> = (0..table.head.len())
        .map(|at| if blank { table.asked_head(at) } else { table.head[at].to_owned() })
        .collect();
    let title = table.asked.filter(|_| blank).unwrap_or(table.title);
    let mut rows = table.rows;
    if given == 0 {
        rows = vec![vec![String::new(); heads.len()]; EMPTY_LINES];
    }
    let row = move |cells: Vec<String>| {
        let cell = move |(i, text): (usize, String)| {
            let open = i >= given;
            view! { <td class:blank=open>{if open { String::new() } else { text }}</td> }
        };
        view! { <tr>{cells.into_iter().enumerate().map(cell).collect_view()}</tr> }
    };
    view! {
        <table>
            <caption>{title}</caption>
            <thead><tr>{heads.into_iter().map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr></thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
