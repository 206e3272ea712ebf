//! What the stretch of a schedule that is selected adds up to.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;

use kit::draw::Theme;
use kit::page::Ask;
use kit::page::results::{Ran, ToldOfSums};
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::sums::{SumsOf, Which};
use warps_lab::page::Shown;
use warps_lab::page::sums::Lights;

/// The tables.
#[derive(Clone, Copy)]
pub struct Sums {
    shown: RwSignal<Option<Arc<Shown>>>,
    told: RwSignal<ToldOfSums>,
    page: Page,
}

impl Sums {
    /// Of nothing yet.
    pub fn new(page: Page) -> Self {
        Self { shown: RwSignal::new(None), told: RwSignal::default(), page }
    }

    fn light(self, which: Option<Which>) {
        let there = self.shown.try_get_untracked().flatten().zip(self.told.try_get_untracked());
        let lights = which
            .zip(there)
            .and_then(|((_, key), (shown, told))| shown.lights(told.range?, told.rows, told.placed, key));
        self.page.ask(match lights {
            Some(Lights::One(warp, instruction)) => Ask::Choose(warp, instruction),
            Some(Lights::Instructions(instructions)) => Ask::Light(instructions),
            None => Ask::Light(Vec::new()),
        });
    }
}

impl Content for Sums {
    type Told = ToldOfSums;
    type Entry = Ran;

    fn view(self) -> AnyView {
        provide_context(memo(
            move |_| {
                if self.told.with(|told| told.dark) { Theme::Dark } else { Theme::Light }
            },
        ));
        let tables = memo(move |_| {
            let (range, rows, placed) = self.told.with(|told| (told.range, told.rows, told.placed));
            let sums = range
                .and_then(|range| self.shown.with(|shown| Some(shown.as_ref()?.sums(range, rows, placed))));
            sums.unwrap_or_default()
        });
        let light = Callback::new(move |which| self.light(which));
        view! { <div class="said"><SumsOf id="sums" label="The stretch by unit" tables light/></div> }
            .into_any()
    }

    fn hear(self, _told: &ToldOfSums, news: &News<'_, Ran>) {
        self.shown.set(news.last().and_then(|ran| Shown::new(&ran.text, &ran.line)).map(Arc::new));
    }

    fn tell(self, told: ToldOfSums) {
        put(self.told, told);
    }
}
