//! How the window of a test looks, whichever browser it belongs to.

/// How the browser is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Width of the page.
    pub width: u32,
    /// Height of the page.
    pub height: u32,
    /// What the system asks of pages.
    pub system: System,
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 1440, height: 1000, system: System::Light }
    }
}

/// The scheme of colours the system asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Light pages.
    Light,
    /// Dark pages.
    Dark,
}

impl System {
    /// Its name in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// How fine a screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// A point for a pixel of the style sheet.
    Plain,
    /// Four points for a pixel of the style sheet.
    Dense,
}

impl Screen {
    pub(crate) fn density(self) -> u32 {
        match self {
            Self::Plain => 1,
            Self::Dense => 2,
        }
    }
}

/// Whose colours a page is shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// The page's own.
    Own,
    /// The few that a visitor has chosen for all pages.
    Forced,
}

impl Colours {
    /// What style sheets are told about them.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Own => "none",
            Self::Forced => "active",
        }
    }
}

/// The GPU that pages see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    /// None.
    Missing,
    /// A processor that stands in for one.
    Software,
}
