//! How a result is looked at, as links carry it: what is ordinary needs no key.

use super::{Chosen, Runs, Which};
use crate::timeline::blocks::Measure;
use kit::page::Window;
use kit::page::told::Looked;

/// In the key `rows`, where heights stand for shared memory.
const SHARED_MEMORY: &str = "shared-memory";

/// How a result is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// What heights stand for.
    pub measure: Measure,
    /// The run that is played.
    pub played: Which,
    /// The stretch of time in sight.
    pub window: Window,
    /// What is selected.
    pub selected: Option<Chosen>,
    /// Where the player stands, if not at the end.
    pub step: Option<u64>,
}

impl View {
    /// Everything in sight, nothing selected.
    pub fn whole(runs: &Runs) -> Self {
        Self {
            measure: Measure::Threads,
            played: runs.first(),
            window: Window::whole(runs.end.0 as f64),
            selected: None,
            step: None,
        }
    }

    /// What a link asked for.
    pub fn asked(looked: &Looked, runs: &Runs) -> Self {
        let whole = Self::whole(runs);
        let rows = || looked.rows.iter().flat_map(|rows| rows.split('.'));
        let played = Which::ALL
            .into_iter()
            .find(|which| runs.run(*which).is_some() && rows().any(|row| row == which.name()));
        let window = match (looked.t0, looked.t1) {
            (Some(t0), Some(t1)) => Window::given(t0, t1, whole.window.end),
            _ => whole.window,
        };
        Self {
            measure: measure_asked(looked),
            played: played.unwrap_or(whole.played),
            window,
            selected: looked.sel.as_deref().and_then(|text| runs.named(text)),
            step: looked.step,
        }
    }

    /// The same look at another result: what is there in both stays. `selected` is what was selected, by its name.
    #[must_use]
    pub fn carried(&self, selected: Option<&str>, runs: &Runs) -> Self {
        let whole = Self::whole(runs);
        let window = if self.window.is_whole() {
            whole.window
        } else {
            Window::given(self.window.t0, self.window.t1, whole.window.end)
        };
        Self {
            measure: self.measure,
            played: if runs.run(self.played).is_some() { self.played } else { whole.played },
            window,
            selected: selected.and_then(|name| runs.named(name)),
            step: None,
        }
    }

    /// As a link carries it: what is as usual is left out.
    pub fn looked(&self, runs: &Runs) -> Looked {
        let (t0, t1) = match self.window.is_whole() {
            true => (None, None),
            false => (Some(self.rounded(self.window.t0)), Some(self.rounded(self.window.t1))),
        };
        let rows = [
            (self.played != runs.first()).then(|| self.played.name()),
            (self.measure == Measure::SharedMemory).then_some(SHARED_MEMORY),
        ];
        let rows: Vec<&str> = rows.into_iter().flatten().collect();
        let sel = self.selected.and_then(|selected| runs.link_name(selected));
        Looked {
            step: self.step,
            t0,
            t1,
            sel,
            rows: (!rows.is_empty()).then(|| rows.join(".")),
            ..Looked::default()
        }
    }

    /// A whole number of nanoseconds, unless the window is too narrow for that.
    fn rounded(&self, time: f64) -> f64 {
        if self.window.width() < 1_000.0 { (time * 1_000.0).round() / 1_000.0 } else { time.max(0.0).round() }
    }
}

/// What heights are to stand for, which is asked before anything is drawn.
pub fn measure_asked(looked: &Looked) -> Measure {
    let is_shared = looked.rows.iter().flat_map(|rows| rows.split('.')).any(|row| row == SHARED_MEMORY);
    if is_shared { Measure::SharedMemory } else { Measure::Threads }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::blocks::Selected;
    use crate::page::blocks::sample;

    #[test]
    fn what_is_ordinary_needs_no_key() {
        for runs in [sample::runs(), sample::both()] {
            let view = View::whole(&runs);
            assert_eq!(view.looked(&runs), Looked::default());
            assert_eq!(View::asked(&Looked::default(), &runs), view);
        }
    }

    #[test]
    fn a_view_comes_back_as_it_was() {
        let runs = sample::both();
        let selected = Chosen { which: Which::Measured, what: Selected::Block { run: 1, block: 0 } };
        let view = View {
            measure: Measure::SharedMemory,
            played: Which::Measured,
            window: Window::given(100.0, 250_000.0, runs.end.0 as f64),
            selected: Some(selected),
            step: Some(7),
        };
        let looked = view.looked(&runs);
        assert_eq!(View::asked(&looked, &runs), view, "{looked:?}");
        assert_eq!(looked.rows.as_deref(), Some("measured.shared-memory"));
        assert!(looked.sel.as_deref().is_some_and(|sel| sel.starts_with("measured.")), "{looked:?}");
        assert_eq!(measure_asked(&looked), Measure::SharedMemory);
    }

    #[test]
    fn another_result_is_looked_at_as_the_one_before() {
        let (one, other) = (sample::runs(), sample::both());
        let selected = Some(Chosen { which: Which::Simulated, what: Selected::Block { run: 1, block: 0 } });
        let window = Window::given(1e9, 2e9, one.end.0 as f64);
        let view = View { window, selected, step: Some(3), ..View::whole(&one) };
        assert_eq!(view.carried(Some("K2:0"), &other), View { window, selected, ..View::whole(&other) });
        assert_eq!(View::whole(&one).carried(None, &sample::odd()), View::whole(&sample::odd()));
        let gone = view.carried(Some("K2:0"), &sample::odd());
        assert_eq!((gone.selected, gone.window.end), (None, 45.0));
    }

    #[test]
    fn what_makes_no_sense_is_left_out() {
        let runs = sample::runs();
        let text = |text: &str| Some(text.to_owned());
        let (sel, rows) = (text("K77:1"), text("units.measured"));
        let asked = Looked { t0: Some(9.0), t1: Some(3.0), sel, rows, ..Looked::default() };
        assert_eq!(View::asked(&asked, &runs), View::whole(&runs));
    }
}
