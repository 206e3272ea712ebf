//! The room of reproductions: what the papers print beside what is computed here and now.
//!
//! Which items wait, run and are done is `crates/classroom/src/page/reproduce.rs`; here it is bound to the screen and to the page's jobs.

mod item;
mod seen;
mod tools;

use std::collections::HashMap;

use leptos::prelude::*;

use classroom::page::reproduce::{Action, Board};
use classroom::reproduce::{Item, Paper, papers};
use item::ItemCard;
use kit::page::Ask;
use kit::page::parts::{Heard, JobNews};
use kit::page::rooms::ToldOfRoom;
use tools::Tools;
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::{Sheet, wear};

/// Its own style, which the page need not load before.
const REPRODUCE: Sheet = Sheet { name: "reproduce", text: include_str!("../../../../../www/reproduce.css") };

/// The room: what all parts of it share.
#[derive(Clone, Copy)]
pub struct Reproductions {
    told: RwSignal<ToldOfRoom>,
    board: RwSignal<Board>,
    /// How far jobs are, as a share of one.
    shares: RwSignal<HashMap<u32, f64>>,
    /// The item someone asked for last, until it is done: its outcome is said.
    asked: RwSignal<Option<String>>,
    page: Page,
}

impl Content for Reproductions {
    type Told = ToldOfRoom;
    type Entry = JobNews;

    fn view(self) -> AnyView {
        view! { <Panel shared=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfRoom, news: &News<'_, JobNews>) {
        for news in news.all() {
            self.heard(news);
        }
    }

    fn tell(self, told: ToldOfRoom) {
        put(self.told, told);
    }
}

impl Reproductions {
    /// Nothing was computed yet.
    pub fn new(page: Page) -> Self {
        // A test reads every file of the papers, so there are all of them.
        let board = RwSignal::new(Board::new(papers().unwrap_or_default()));
        Self {
            told: RwSignal::default(),
            board,
            shares: RwSignal::default(),
            asked: RwSignal::new(None),
            page,
        }
    }

    /// Changes the board, and does what follows from it.
    fn change(&self, change: impl FnOnce(&mut Board) -> Vec<Action>) {
        let actions = self.board.try_update(change).unwrap_or_default();
        for action in actions {
            match action {
                Action::Start(job, text) => self.page.ask(Ask::Job { number: job, text }),
                Action::Cancel(job) => self.page.ask(Ask::Cancel(job)),
            }
        }
    }

    /// Someone wants this item computed.
    fn ask(&self, id: &str) {
        self.asked.set(Some(id.to_owned()));
        self.change(|board| board.ask(id));
    }

    /// Says something in the page's status line.
    fn say(&self, text: &str) {
        self.page.notice(text);
    }

    /// Hears of a job.
    fn heard(&self, JobNews { number, what }: JobNews) {
        match what {
            Heard::Progress { done, total } => {
                let share = (done as f64 / total.max(1) as f64).min(1.0);
                self.shares.update(|shares| shares.extend([(number, share)]));
            }
            Heard::Report(_) | Heard::Refused(_) | Heard::Crashed(_) => self.is_over(number, &what),
        }
    }

    fn is_over(&self, job: u32, what: &Heard) {
        let before = self.board.with_untracked(Board::runs_all);
        self.shares.update(|shares| shares.retain(|known, _| *known != job));
        self.change(|board| board.heard(job, what));
        self.told_of_asked();
        if before && !self.board.with_untracked(Board::runs_all) {
            self.say(&self.board.with_untracked(Board::summary));
        }
    }

    /// Says what came of the item that was asked for.
    fn told_of_asked(&self) {
        let Some(id) = self.asked.get_untracked() else { return };
        let told = self.board.with_untracked(|board| {
            let outcome = board.outcome(&id)?;
            let item = board.items().find(|item| item.id == id)?;
            Some(format!("{}, {}: {}", item.paper, item.place, outcome.sentence()))
        });
        if let Some(told) = told {
            self.asked.set(None);
            self.say(&told);
        }
    }
}

#[component]
fn Panel(shared: Reproductions) -> impl IntoView {
    wear(&[REPRODUCE]);
    let told = shared.told;
    let papers = shared.board.with_untracked(|board| board.papers().to_vec());
    let list = NodeRef::<leptos::html::Div>::new();
    seen::watch(list, move |id| shared.change(|board| board.seen(id)));
    let at = Memo::new(move |_| told.with(|told| told.at.clone()));
    Effect::new(move |_| {
        let Some(list) = list.get() else { return };
        let id = at.get();
        if seen::go_to(&list, &id) {
            shared.change(|board| board.seen(&id));
        }
    });
    let sections = papers.into_iter().map(|paper| view! { <PaperSection paper shared at/> }).collect_view();
    view! {
        <div class="reproductions">
            <h1>"What was published, computed again"</h1>
            <p class="lead">
                "Every figure, table and worked number of five papers. Each has a scenario, which is run in this browser; the published value stands beside what came out."
            </p>
            <Tools shared/>
            <div node_ref=list>{sections}</div>
        </div>
    }
}

/// A paper's items, and what of it is not listed.
#[component]
fn PaperSection(paper: Paper, shared: Reproductions, at: Memo<String>) -> impl IntoView {
    let Paper { letter, title, authors, items, left_out } = paper;
    let heading = format!("paper-{letter}");
    let labelled = heading.clone();
    let own = letter.clone();
    let any = Memo::new(move |_| {
        shared.board.with(|board| board.items().any(|item| item.paper == own && board.is_listed(item)))
    });
    let all = Memo::new(move |_| shared.board.with(|board| board.filter.verdict.is_none()));
    let cards = items.into_iter().map(|item: Item| view! { <ItemCard item shared at/> }).collect_view();
    let left: Vec<_> =
        left_out.into_iter().map(|left| view! { <li><b>{left.place}</b>": "{left.why}</li> }).collect();
    let has_left = !left.is_empty();
    view! {
        <section class="paper" aria-labelledby=labelled hidden=move || !any.get()>
            <h2 id=heading><span class="letter">{letter}</span>" "{title}</h2>
            <p class="hint">{authors}</p>
            <div class="items">{cards}</div>
            <details class="left-out" hidden=move || !has_left || !all.get()>
                <summary>"Not in the list"</summary>
                <ul>{left}</ul>
            </details>
        </section>
    }
}
