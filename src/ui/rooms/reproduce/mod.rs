//! The room of reproductions: what the papers print beside what is computed here and now.
//!
//! Which items wait, run and are done is `src/page/reproduce.rs`; here it is bound to the screen and to the page's jobs.

mod item;
mod seen;
mod tools;

use std::collections::HashMap;

use js_sys::{Array, Function};
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::{Act, Room};
use crate::page::reproduce::{Action, Board, Heard};
use crate::page::rooms::ToldOfRoom;
use crate::reproduce::{Item, Paper, papers};
use item::ItemCard;
use tools::Tools;

/// Its own style, which the page need not load before.
const STYLE: &str = include_str!("../../../../www/reproduce.css");

/// The room in the page, until it is dropped.
pub struct Mounted(Room<ToldOfRoom>);

impl Mounted {
    /// Puts it into an element; `act` is called with what someone wants done.
    pub fn new(host: HtmlElement, act: Function) -> Self {
        Self(Room::new(host, act, |told, heard, count, act| view! { <Panel told heard count act/> }))
    }

    /// Shows what was heard, and how the page stands.
    pub fn show(&self, heard: &Array, told: ToldOfRoom) {
        self.0.show(heard, told);
    }
}

/// What all parts of the room share.
#[derive(Clone, Copy)]
struct Shared {
    board: RwSignal<Board>,
    /// How far jobs are, as a share of one.
    shares: RwSignal<HashMap<u32, f64>>,
    /// The item someone asked for last, until it is done: its outcome is said.
    asked: RwSignal<Option<String>>,
    act: Act,
}

impl Shared {
    /// Changes the board, and does what follows from it.
    fn change(&self, change: impl FnOnce(&mut Board) -> Vec<Action>) {
        let actions = self.board.try_update(change).unwrap_or_default();
        for action in actions {
            match action {
                Action::Start(job, text) => self.act.ask("job", Some(job), Some(&text)),
                Action::Cancel(job) => self.act.ask("cancel", Some(job), None),
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
        self.act.ask("notice", None, Some(text));
    }

    /// An entry of what was heard of the jobs.
    fn hear(&self, entry: &Array) {
        let job = entry.get(0).as_f64().map_or(0, |job| job as u32);
        let text = entry.get(2).as_string().unwrap_or_default();
        let heard = match entry.get(1).as_string().unwrap_or_default().as_str() {
            "done" => Heard::Report(text),
            "refused" => Heard::Refused(text),
            "crashed" => Heard::Crashed(text),
            "progress" => return self.is_at(job, &text),
            _ => return,
        };
        let before = self.board.with_untracked(Board::runs_all);
        self.shares.update(|shares| shares.retain(|known, _| *known != job));
        self.change(|board| board.heard(job, &heard));
        self.told_of_asked();
        if before && !self.board.with_untracked(Board::runs_all) {
            self.say(&self.board.with_untracked(Board::summary));
        }
    }

    fn is_at(&self, job: u32, text: &str) {
        let numbers: Vec<f64> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        if let [done, total] = numbers[..] {
            self.shares.update(|shares| shares.extend([(job, (done / total.max(1.0)).min(1.0))]));
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
fn Panel(
    told: RwSignal<ToldOfRoom>,
    heard: RwSignal<Array, LocalStorage>,
    count: RwSignal<u32>,
    act: Act,
) -> impl IntoView {
    let papers = match papers() {
        Ok(papers) => papers,
        // A test reads every file, so nobody comes to see this.
        Err(problems) => {
            let lines =
                problems.iter().map(|problem| view! { <li>{problem.to_string()}</li> }).collect_view();
            return view! { <ul class="wrong">{lines}</ul> }.into_any();
        }
    };
    let shared = Shared {
        board: RwSignal::new(Board::new(papers.clone())),
        shares: RwSignal::default(),
        asked: RwSignal::new(None),
        act,
    };
    let next = StoredValue::new(0);
    Effect::new(move |_| {
        count.track();
        let heard = heard.get_untracked();
        for at in next.get_value()..heard.length() {
            next.set_value(at + 1);
            shared.hear(&heard.get(at).into());
        }
    });
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
        <style>{STYLE}</style>
        <div class="reproductions">
            <h1>"What was published, computed again"</h1>
            <p class="lead">
                "Every figure, table and worked number of five papers. Each has a scenario, which is run in this browser; the published value stands beside what came out."
            </p>
            <Tools shared/>
            <div node_ref=list>{sections}</div>
        </div>
    }
    .into_any()
}

/// A paper's items, and what of it is not listed.
#[component]
fn PaperSection(paper: Paper, shared: Shared, at: Memo<String>) -> impl IntoView {
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
