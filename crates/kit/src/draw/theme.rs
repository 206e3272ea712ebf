//! Colours for roles. Classes and waits stand out from both grounds by at least 3:1, text by at least 4.5:1; the tests
//! compute it.

use serde::{Deserialize, Serialize};

use super::list::Ink;
use crate::timeline::{Class, WaitKind};

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

/// Blue, vermilion, green, purple, ochre, lavender: after Okabe and Ito, moved in lightness to stand out on both grounds.
const CLASSES: [&str; 6] = ["#3584c4", "#d9650b", "#0a9a72", "#b95ba3", "#a8820a", "#7a7fd6"];

/// The same at a quarter, a half and three quarters, mixed with the ground.
const LIGHT_DENSITY: [[&str; 6]; 3] = [
    ["#cde0f0", "#f6d9c2", "#c2e6dc", "#eed6e8", "#e9e0c2", "#dedff5"],
    ["#9ac2e2", "#ecb285", "#85cdb9", "#dcadd1", "#d4c084", "#bcbfea"],
    ["#68a3d3", "#e38c48", "#47b395", "#cb84ba", "#bea147", "#9b9fe0"],
];
const DARK_DENSITY: [[&str; 6]; 3] = [
    ["#1d3347", "#462b18", "#123832", "#3e283e", "#393218", "#2e324b"],
    ["#255077", "#7d3f14", "#0f5947", "#663960", "#5e4d14", "#474c7a"],
    ["#2d6a9d", "#ab520f", "#0c7a5d", "#904a81", "#83680f", "#6065a8"],
];

/// From the least to the most, one hue for all eyes: the ground's own end first, lightness alone tells.
const LIGHT_HEAT: [&str; 9] =
    ["#eaf2f9", "#cfe2f2", "#b0cfe8", "#8bb9dc", "#659fcd", "#4384ba", "#2869a2", "#155088", "#08376a"];
const DARK_HEAT: [&str; 9] =
    ["#182838", "#1b3650", "#1e466a", "#235886", "#2f6da3", "#4484bf", "#649dd5", "#8cb8e6", "#bbd6f4"];

impl Theme {
    /// The colour of a role, as CSS writes it.
    pub fn color(self, ink: Ink) -> &'static str {
        let dark = self == Theme::Dark;
        let pick = |light, other| if dark { other } else { light };
        match ink {
            Ink::Ground => pick("#ffffff", "#14181d"),
            Ink::Band => pick("#f4f6f8", "#1a1f26"),
            Ink::Grid => pick("#d5dbe1", "#303842"),
            Ink::Text => pick("#1b2129", "#e8ecf0"),
            Ink::Muted => pick("#566170", "#a3aebb"),
            Ink::Accent => pick("#0b1016", "#ffffff"),
            Ink::Proof => pick("#0f62b0", "#6fb3f2"),
            Ink::Veil => pick("rgba(20, 40, 70, 0.16)", "rgba(210, 225, 255, 0.2)"),
            Ink::Future => pick("rgba(255, 255, 255, 0.72)", "rgba(20, 24, 29, 0.72)"),
            Ink::Wrong => pick("#b3261e", "#ffb4ab"),
            Ink::WrongVeil => pick("rgba(179, 38, 30, 0.2)", "rgba(255, 180, 171, 0.28)"),
            Ink::Differs => pick("#ffd23f", "#a8841a"),
            Ink::Changed => "#ffe45c",
            Ink::Pinned => pick("#c2006b", "#ff8cc6"),
            Ink::Heat(level) => (if dark { DARK_HEAT } else { LIGHT_HEAT })[usize::from(level.min(8))],
            Ink::OnClass => "#05080b",
            // Paler than any class, and drawn in other shapes.
            Ink::Wait(WaitKind::Data) => pick("#6a83a3", "#8ba5c6"),
            Ink::Wait(WaitKind::Unit) => pick("#96785f", "#bd9d84"),
            Ink::Wait(WaitKind::Slot) => pick("#77813f", "#a9b36c"),
            Ink::Wait(WaitKind::Free) => pick("#ad4a6b", "#dd8ba6"),
            Ink::Wait(WaitKind::Done) => pick("#566170", "#a3aebb"),
            Ink::Class(class) | Ink::Density(class, 4..) => CLASSES[index(class)],
            Ink::Density(class, level) => {
                let level = usize::from(level.max(1)) - 1;
                pick(LIGHT_DENSITY[level][index(class)], DARK_DENSITY[level][index(class)])
            }
        }
    }
}

fn index(class: Class) -> usize {
    usize::from(class) % CLASSES.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap_or(0)) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_can_be_told_apart_from_its_ground() {
        for theme in [Theme::Light, Theme::Dark] {
            let ground = theme.color(Ink::Ground);
            for class in 0..6 {
                let fill = theme.color(Ink::Class(class));
                assert!(contrast(fill, ground) >= 3.0, "{theme:?} {class}: {}", contrast(fill, ground));
                let text = contrast(theme.color(Ink::OnClass), fill);
                assert!(text >= 4.5, "{theme:?} {class}: {text}");
            }
            for kind in WaitKind::ALL {
                for under in [Ink::Ground, Ink::Band] {
                    let found = contrast(theme.color(Ink::Wait(kind)), theme.color(under));
                    assert!(found >= 3.0, "{theme:?} {kind:?} on {under:?}: {found}");
                }
            }
            for (class, level) in [(0, 2), (1, 2), (2, 2), (5, 2)] {
                let found = contrast(theme.color(Ink::Text), theme.color(Ink::Density(class, level)));
                assert!(found >= 4.5, "{theme:?} text on {class} at {level}: {found}");
            }
            for ink in [Ink::Text, Ink::Muted, Ink::Wrong, Ink::Pinned] {
                for under in [Ink::Ground, Ink::Band] {
                    let found = contrast(theme.color(ink), theme.color(under));
                    assert!(found >= 4.5, "{theme:?} {ink:?} on {under:?}: {found}");
                }
            }
        }
    }
}
