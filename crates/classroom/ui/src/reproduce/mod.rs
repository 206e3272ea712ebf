//! The room of reproductions: what the papers print beside what is computed here and now.
//!
//! Which items wait, run and are done is `crates/classroom/src/page/reproduce.rs`; here it is bound to the screen and to
//! the page's jobs. Which tab is open, and at which item, stands in the address.

mod item;
mod refuted;
mod tabs;
mod tools;

use std::collections::HashMap;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::seen::Sight;
use classroom::page::reproduce::{Action, Board, Chosen, Tab};
use classroom::reproduce::{Paper, papers};
use item::ItemRow;
use kit::page::parts::{Heard, JobNews};
use kit::page::rooms::ToldOfRoom;
use kit::page::{Ask, Room};
use refuted::Refuted;
use tabs::Tabs;
use tools::Tools;
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::{Sheet, wear};

/// Its own style, which the page need not load before.
const REPRODUCE: Sheet = Sheet { name: "reproduce", text: include_str!("../../../../../www/reproduce.css") };

/// What the element of an item is called, before its id.
const NAME: &str = "item-";

/// The room: what all parts of it share.
#[derive(Clone, Copy)]
pub struct Reproductions {
    /// What the address asks for.
    at: Memo<String>,
    chosen: Memo<Chosen>,
    told: RwSignal<ToldOfRoom>,
    board: RwSignal<Board>,
    /// How far jobs are, as a share of one.
    shares: RwSignal<HashMap<u32, f64>>,
    /// The item someone asked for last, until it is done: its outcome is said.
    asked: RwSignal<Option<String>>,
    sight: Sight,
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
        let told = RwSignal::new(ToldOfRoom::default());
        let at = memo(move |_| told.with(|told| told.at.clone()));
        let chosen = memo(move |_| board.with_untracked(|board| Chosen::of(&at.get(), board.papers())));
        let sight = Sight::new(move |id| act(page, board, |board| board.seen(id)));
        Self { at, chosen, told, board, shares: RwSignal::default(), asked: RwSignal::new(None), sight, page }
    }

    /// Changes the board, and does what follows from it.
    fn change(&self, change: impl FnOnce(&mut Board) -> Vec<Action>) {
        act(self.page, self.board, change);
    }

    /// Someone wants this item computed.
    fn ask(&self, id: &str) {
        self.asked.set(Some(id.to_owned()));
        self.change(|board| board.ask(id));
    }

    /// Someone wants this listed: the address says it, and the page tells it back.
    fn choose(&self, chosen: &Chosen) {
        self.page.ask(Ask::Room(Room::Reproduce, chosen.at()));
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

/// Changes the board, and asks the page for what follows from it.
fn act(page: Page, board: RwSignal<Board>, change: impl FnOnce(&mut Board) -> Vec<Action>) {
    for action in board.try_update(change).unwrap_or_default() {
        match action {
            Action::Start(job, text) => page.ask(Ask::Job { number: job, text }),
            Action::Cancel(job) => page.ask(Ask::Cancel(job)),
        }
    }
}

#[component]
fn Panel(shared: Reproductions) -> impl IntoView {
    wear(&[REPRODUCE]);
    let tab = memo(move |_| shared.chosen.with(|chosen| chosen.tab.clone()));
    let panel = move || match tab.get() {
        Tab::Refuted => view! { <Refuted shared/> }.into_any(),
        Tab::Paper(letter) => {
            let named = move |paper: &Paper| paper.letter == letter;
            view! { <Papers shared papers=shared.board.with_untracked(|board| board.papers().iter().filter(|paper| named(paper)).cloned().collect())/> }.into_any()
        }
        Tab::All => {
            view! { <Papers shared papers=shared.board.with_untracked(|board| board.papers().to_vec())/> }
                .into_any()
        }
    };
    // What an address leads to is on the screen once its tab is.
    effect(move || {
        let id = shared.at.get();
        request_animation_frame(move || {
            if go_to(&id) {
                shared.change(|board| board.seen(&id));
            }
        });
    });
    view! {
        <div class="reproductions">
            <h1>"What was published, computed again"</h1>
            <p class="lead">
                "Every figure, table and worked number of five papers. Each has a scenario, which is run in this browser; the published value stands beside what came out."
            </p>
            <Tools shared/>
            <Tabs shared/>
            <div id="reproduce-panel" role="tabpanel" aria-labelledby=live(move || tabs::name(&tab.get()))>{panel}</div>
        </div>
    }
}

/// The items of some papers, and what of them is not listed.
#[component]
fn Papers(shared: Reproductions, papers: Vec<Paper>) -> impl IntoView {
    papers.into_iter().map(|paper| view! { <PaperSection paper shared/> }).collect_view()
}

#[component]
fn PaperSection(paper: Paper, shared: Reproductions) -> impl IntoView {
    let Paper { letter, title, authors, items, left_out } = paper;
    let heading = format!("paper-{letter}");
    let labelled = heading.clone();
    let any = memo(move |_| {
        let chosen = shared.chosen.get();
        shared
            .board
            .with(|board| board.items().any(|item| item.paper == letter && board.is_listed(item, &chosen)))
    });
    let all = memo(move |_| shared.chosen.with(|chosen| chosen.show.is_none()));
    let rows = items.into_iter().map(|item| view! { <ItemRow item shared/> }).collect_view();
    let left: Vec<_> =
        left_out.into_iter().map(|left| view! { <li><b>{left.place}</b>": "{left.why}</li> }).collect();
    let has_left = !left.is_empty();
    view! {
        <section class="paper" aria-labelledby=labelled hidden=live(move || !any.get())>
            <h2 id=heading>{title}</h2>
            <p class="hint">{authors}</p>
            <div class="items">{rows}</div>
            <details class="left-out" hidden=live(move || !has_left || !all.get())>
                <summary>"Not in the list"</summary>
                <ul>{left}</ul>
            </details>
        </section>
    }
}

/// Unfolds an item, brings it onto the screen and puts the focus on it; whether it is there.
fn go_to(id: &str) -> bool {
    let Some(item) = document().get_element_by_id(&format!("{NAME}{id}")).filter(|_| !id.is_empty()) else {
        return false;
    };
    if let Ok(Some(details)) = item.query_selector("details") {
        let _ = details.set_attribute("open", ""); // it can be unfolded by hand
    }
    item.scroll_into_view();
    if let Ok(Some(summary)) = item.query_selector("summary")
        && let Ok(summary) = summary.dyn_into::<HtmlElement>()
    {
        let _ = summary.focus(); // without focus it is still on the screen
    }
    true
}
