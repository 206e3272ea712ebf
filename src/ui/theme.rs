//! Light, dark, or what the system says.

use leptos::prelude::*;
use ui_kit::live::memo;

use super::state::App;
use crate::draw::Theme;
use ui_kit::kept;

/// What the visitor chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// As the system.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

const KEY: &str = "warpspan-theme";

impl Choice {
    /// All of them, with the names of the form.
    pub const ALL: [(Choice, &'static str); 3] =
        [(Choice::System, "system"), (Choice::Light, "light"), (Choice::Dark, "dark")];

    /// The name of the form.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(choice, _)| *choice == self).map_or("system", |(_, name)| name)
    }

    /// The choice of that name.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map_or(Choice::System, |(choice, _)| choice)
    }

    /// The name links carry; none for the system's.
    pub fn link_name(self) -> Option<&'static str> {
        (self != Choice::System).then(|| self.name())
    }

    /// The choice of an earlier visit.
    pub fn remembered() -> Self {
        kept::recall(KEY).map_or(Choice::System, |name| Self::named(&name))
    }

    /// Remembers the choice for later visits, where the browser lets it.
    pub fn remember(self) {
        kept::remember(KEY, self.name());
    }
}

/// The theme in force, following both the choice and the system.
pub fn effective(app: App) -> Memo<Theme> {
    let query = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    let system = RwSignal::new(query.as_ref().is_some_and(|query| query.matches()));
    if let Some(query) = query {
        use wasm_bindgen::prelude::*;
        let watched = query.clone();
        let change = Closure::<dyn FnMut()>::new(move || system.set(watched.matches()));
        // Older browsers without it keep the theme they started with.
        let _ = query.add_event_listener_with_callback("change", change.as_ref().unchecked_ref());
        change.forget();
    }
    memo(move |_| match app.theme.get() {
        Choice::Light => Theme::Light,
        Choice::Dark => Theme::Dark,
        Choice::System if system.get() => Theme::Dark,
        Choice::System => Theme::Light,
    })
}

/// Writes the theme onto the document, for the style sheet.
pub fn apply(theme: Theme) {
    if let Some(root) = document().document_element() {
        let name = if theme == Theme::Dark { "dark" } else { "light" };
        let _ = root.set_attribute("data-theme", name);
    }
}

/// Makes everything larger, or as large as it was.
pub fn enlarge(projector: bool) {
    if let Some(root) = document().document_element() {
        let _ = match projector {
            true => root.set_attribute("data-projector", ""),
            false => root.remove_attribute("data-projector"),
        };
    }
}
