//! Small pictures on cards, made as the cards come into view: workers run the documents, and each is painted here.

use leptos::html;
use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{effect, live, memo};

use super::seen::Sight;
use classroom::page::pictures::{HIGH, Pictures, Stage, Start, WIDE};
use kit::draw::Theme;
use kit::page::Ask;
use kit::page::parts::JobNews;
use kit::page::rooms::ToldOfRoom;
use ui_kit::canvas::{Painter, ratio};
use ui_kit::mounted::Page;
use ui_kit::styles::Sheet;

/// Cards with pictures.
pub(super) const CARDS: Sheet = Sheet { name: "cards", text: include_str!("../../../../www/cards.css") };

/// The pictures of a room.
#[derive(Clone, Copy)]
pub(super) struct Thumbs {
    pictures: RwSignal<Pictures>,
    sight: Sight,
    theme: Memo<Theme>,
    page: Page,
}

impl Thumbs {
    /// Of these documents, in a room that is told how the page stands.
    pub(super) fn new(
        documents: impl IntoIterator<Item = Value>,
        page: Page,
        told: RwSignal<ToldOfRoom>,
    ) -> Self {
        let pictures = RwSignal::new(Pictures::of(documents));
        let sight = Sight::new(move |key| {
            let at = key.parse().unwrap_or(usize::MAX);
            start(page, pictures.try_update(|pictures| pictures.seen(at)).flatten());
        });
        let theme = memo(move |_| told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light }));
        Self { pictures, sight, theme, page }
    }

    /// Hears how a job stands.
    pub(super) fn heard(self, JobNews { number, what }: &JobNews) {
        let next = self.pictures.try_update(|pictures| pictures.heard(*number, what));
        start(self.page, next.flatten());
    }
}

fn start(page: Page, next: Option<Start>) {
    if let Some((number, text)) = next {
        page.ask(Ask::Job { number, text });
    }
}

/// One of them; until it is there, and where there is none, the name of the lab stands in its place.
#[component]
pub(super) fn Thumb(thumbs: Thumbs, at: usize, lab: &'static str) -> impl IntoView {
    let Thumbs { pictures, sight, theme, .. } = thumbs;
    let (place, canvas) = (NodeRef::<html::Div>::new(), NodeRef::<html::Canvas>::new());
    let drawn = memo(move |_| pictures.with(|all| matches!(all.stage(at), Stage::Drawn(_))));
    effect(move || {
        if let Some(place) = place.get() {
            sight.on(&place);
        }
    });
    effect(move || {
        let Some(canvas) = canvas.get().filter(|_| drawn.get()) else { return };
        let theme = theme.get();
        pictures.with_untracked(|all| {
            if let (Stage::Drawn(list), Some(mut painter)) = (all.stage(at), Painter::new(canvas)) {
                painter.paint(list, theme, ratio());
            }
        });
    });
    view! {
        <div class="thumb" class:drawn=live(move || drawn.get()) data-seen=at.to_string() aria-hidden="true" node_ref=place
            style=format!("aspect-ratio: {WIDE} / {HIGH}")>
            <span>{lab}</span>
            <canvas node_ref=canvas></canvas>
        </div>
    }
}
