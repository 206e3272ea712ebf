//! The browsers that the page is tested in.

/// A browser that is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// Chromium or Chrome; started once per place and emptied for each test.
    Chromium,
    /// Firefox; started once per place and given a new, empty container for each test.
    Firefox,
}

impl Browser {
    /// The one that `WARPSPAN_BROWSER` names; Chromium where it names none.
    pub fn chosen() -> Result<Self, String> {
        match std::env::var("WARPSPAN_BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Ok(Self::Chromium),
            Ok("firefox") => Ok(Self::Firefox),
            Ok(other) => Err(format!("WARPSPAN_BROWSER is {other}, expected chromium or firefox")),
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chromium => "Chromium",
            Self::Firefox => "Firefox",
        }
    }
}
