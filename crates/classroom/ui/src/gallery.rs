//! The room of examples: a card for each with its picture, and what of them is looked for.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::thumbs::{CARDS, Thumb, Thumbs};
use base::people;
use classroom::page::gallery::{Card, Filter, Level, cards};
use classroom::page::pictures::WITHOUT;
use classroom::reproduce::papers;
use kit::page::parts::JobNews;
use kit::page::place::Place;
use kit::page::rooms::ToldOfRoom;
use kit::page::{Ask, Room, Subject};
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::wear;

/// The room.
#[derive(Clone, Copy)]
pub struct Gallery {
    told: RwSignal<ToldOfRoom>,
    cards: StoredValue<Vec<Card>>,
    thumbs: Thumbs,
    page: Page,
}

impl Gallery {
    /// The room in a page.
    pub fn new(page: Page) -> Self {
        let told = RwSignal::new(ToldOfRoom::default());
        let cards = cards();
        let pictured = |card: &Card| match WITHOUT.contains(&card.name) {
            true => Value::Null,
            false => card.document.clone(),
        };
        let thumbs = Thumbs::new(cards.iter().map(pictured), page, told);
        Self { told, cards: StoredValue::new(cards), thumbs, page }
    }
}

impl Content for Gallery {
    type Told = ToldOfRoom;
    type Entry = JobNews;

    fn view(self) -> AnyView {
        view! { <Panel gallery=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfRoom, news: &News<'_, JobNews>) {
        for news in news.all() {
            self.thumbs.heard(&news);
        }
    }

    fn tell(self, told: ToldOfRoom) {
        put(self.told, told);
    }
}

#[component]
fn Panel(gallery: Gallery) -> impl IntoView {
    wear(&[CARDS]);
    let Gallery { told, cards, thumbs, page } = gallery;
    let filter = memo(move |_| told.with(|told| Filter::of(&told.at)));
    let words = RwSignal::new(String::new());
    // Who looks for nothing begins with what is easy.
    let more = RwSignal::new(false);
    let few = memo(move |_| {
        !more.get() && words.with(String::is_empty) && filter.with(|filter| *filter == Filter::default())
    });
    let fits = move |at: usize| {
        cards.with_value(|cards| {
            let begins = !few.get() || cards[at].level == Level::Beginner;
            begins && words.with(|words| filter.with(|filter| filter.fits(&cards[at], words)))
        })
    };
    let all = cards.with_value(Vec::len);
    let listed = move || {
        let count = (0..all).filter(|&at| fits(at)).count();
        if few.get() {
            format!("{count} of {all} examples, to begin with")
        } else {
            people::counted(count, "example")
        }
    };
    // A filter that was chosen already is let go.
    let choose = Callback::new(move |filter: Filter| page.ask(Ask::Room(Room::Examples, filter.at())));
    // A test reads every file of the papers, so there are all of them.
    let papers: Vec<(String, String)> =
        papers().unwrap_or_default().iter().map(|paper| (paper.letter.clone(), paper.short())).collect();
    let list = cards.with_value(|cards| {
        let card = |(at, card): (usize, &Card)| {
            let shown = memo(move |_| fits(at));
            let paper = papers.iter().find(|(letter, _)| *letter == card.paper);
            // Who it is by; the year has no room in a line.
            let paper = paper.and_then(|(_, short)| short.split(' ').next()).unwrap_or_default().to_owned();
            view! { <One card=card.clone() paper at thumbs shown/> }
        };
        cards.iter().enumerate().map(card).collect_view()
    });
    view! {
        <div class="gallery">
            <h1>"Examples"</h1>
            <p class="gallery-lead">"Each opens in its lab, to be looked at and changed. The address of each is short: a link to it stays."</p>
            <div class="gallery-tools">
                <input type="search" placeholder="Search" aria-label="Search the examples" data-testid="gallery-search"
                    prop:value=live(move || words.get()) on:input=move |event| words.set(event_target_value(&event))/>
                <Labs filter choose/>
                <Levels filter choose/>
                <Papers papers=papers.clone() filter choose/>
                <p class="hint" role="status" data-testid="gallery-listed">{listed}</p>
            </div>
            <ul class="cards">{list}</ul>
            <Show when=move || few.get()>
                <button class="gallery-all" data-testid="gallery-all" on:click=move |_| more.set(true)>{format!("Show all {all} examples")}</button>
            </Show>
        </div>
    }
}

/// A card. All of it leads to the example, by the link in its title.
#[component]
fn One(card: Card, paper: String, at: usize, thumbs: Thumbs, shown: Memo<bool>) -> impl IntoView {
    let link = Place::of_example(card.name);
    let mut facts = format!("{} · {}", card.lab, card.level.name());
    if !paper.is_empty() {
        facts += " · ";
        facts += &paper;
    }
    view! {
        <li class="card" hidden=live(move || !shown.get()) data-testid=format!("example-{}", card.name)>
            <Thumb thumbs at lab=card.lab/>
            <div class="card-text">
                <h2><a href=link>{card.title}</a></h2>
                <p class="card-says">{card.says}</p>
                <p class="card-facts">{facts}</p>
            </div>
        </li>
    }
}

/// A chip that is pressed or not.
#[component]
fn Chip(
    name: String,
    id: String,
    #[prop(into)] pressed: Signal<bool>,
    on_press: Callback<()>,
) -> impl IntoView {
    view! {
        <button class="chip" aria-pressed=live(move || pressed.get().to_string()) data-testid=id on:click=move |_| on_press.run(())>{name}</button>
    }
}

#[component]
fn Labs(filter: Memo<Filter>, choose: Callback<Filter>) -> impl IntoView {
    let chip = move |subject: &Subject| {
        // Two labs share the key of a document.
        let (panel, lab) = (subject.row().panel, subject.name());
        let pressed = Signal::derive(move || filter.with(|filter| filter.lab == Some(lab)));
        let on_press = Callback::new(move |()| {
            let other = (!pressed.get_untracked()).then_some(lab);
            choose.run(Filter { lab: other, ..filter.get_untracked() });
        });
        view! { <Chip name=lab.to_owned() id=format!("chip-{panel}") pressed on_press/> }
    };
    view! { <div class="chips" role="group" aria-label="About">{Subject::ALL.iter().map(chip).collect_view()}</div> }
}

#[component]
fn Levels(filter: Memo<Filter>, choose: Callback<Filter>) -> impl IntoView {
    let chip = move |level: Level| {
        let pressed = Signal::derive(move || filter.with(|filter| filter.level == Some(level)));
        let on_press = Callback::new(move |()| {
            let other = (!pressed.get_untracked()).then_some(level);
            choose.run(Filter { level: other, ..filter.get_untracked() });
        });
        let id = format!("chip-{}", level.name().to_ascii_lowercase());
        view! { <Chip name=level.name().to_owned() id pressed on_press/> }
    };
    view! { <div class="chips" role="group" aria-label="Level">{Level::ALL.map(chip)}</div> }
}

#[component]
fn Papers(papers: Vec<(String, String)>, filter: Memo<Filter>, choose: Callback<Filter>) -> impl IntoView {
    let chip = move |(letter, short): (String, String)| {
        let own = letter.clone();
        let pressed = Signal::derive(move || filter.with(|filter| filter.paper.as_ref() == Some(&own)));
        let id = format!("chip-{letter}");
        let on_press = Callback::new(move |()| {
            let other = (!pressed.get_untracked()).then(|| letter.clone());
            choose.run(Filter { paper: other, ..filter.get_untracked() });
        });
        view! { <Chip name=short id pressed on_press/> }
    };
    view! { <div class="chips" role="group" aria-label="Paper">{papers.into_iter().map(chip).collect_view()}</div> }
}
