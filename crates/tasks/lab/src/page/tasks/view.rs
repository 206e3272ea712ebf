//! How a set is looked at, as links carry it: a window, and an interval or a task.

use super::Demand;
use kit::page::Window;
use kit::page::told::Looked;

/// How a set is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The intervals in sight.
    pub window: Window,
    /// The selected interval.
    pub at: Option<u64>,
    /// The chosen task, by its place.
    pub task: usize,
}

impl View {
    /// Everything in sight, nothing selected.
    pub fn whole(demand: &Demand) -> Self {
        Self { window: Window::whole(demand.horizon as f64), at: None, task: 0 }
    }

    /// What a link asked for: `t:21` is an interval, `task:2` the second task.
    pub fn asked(looked: &Looked, demand: &Demand) -> Self {
        let mut view = Self::whole(demand);
        if let (Some(t0), Some(t1)) = (looked.t0, looked.t1) {
            view.window = Window::given(t0, t1, view.window.end);
        }
        let selected = looked.sel.as_deref().and_then(|sel| sel.split_once(':'));
        match selected.and_then(|(what, number)| Some((what, number.parse::<u64>().ok()?))) {
            Some(("t", t)) => view.at = Some(t).filter(|&t| t <= demand.horizon),
            Some(("task", number)) => {
                let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                view.task = place.filter(|&place| place < demand.names.len()).unwrap_or(0);
            }
            _ => {}
        }
        view
    }

    /// The same look at another result: what is there in both stays.
    #[must_use]
    pub fn carried(&self, demand: &Demand) -> Self {
        let whole = Self::whole(demand).window;
        let kept = self.window.t0 < whole.end && !self.window.is_whole();
        let window = if kept { Window::given(self.window.t0, self.window.t1, whole.end) } else { whole };
        Self {
            window,
            at: self.at.filter(|&t| t <= demand.horizon),
            task: self.task.min(demand.names.len().saturating_sub(1)),
        }
    }

    /// As a link carries it: what is as usual is left out.
    pub fn looked(&self) -> Looked {
        let rounded =
            |t: f64| if self.window.width() < 1_000.0 { (t * 100.0).round() / 100.0 } else { t.round() };
        let end = |t: f64| (!self.window.is_whole()).then(|| rounded(t));
        let sel = match (self.at, self.task) {
            (Some(t), _) => Some(format!("t:{t}")),
            (None, 0) => None,
            (None, task) => Some(format!("task:{}", task + 1)),
        };
        Looked { t0: end(self.window.t0), t1: end(self.window.t1), sel, ..Looked::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    fn asked(sel: &str, window: Option<(f64, f64)>) -> View {
        let (t0, t1) = (window.map(|of| of.0), window.map(|of| of.1));
        let looked = Looked { sel: Some(sel.to_owned()), t0, t1, ..Looked::default() };
        View::asked(&looked, &Demand::new(&sample::fits()))
    }

    #[test]
    fn a_view_comes_back_from_its_link() {
        for (sel, window) in [("t:21", Some((2.5, 30.0))), ("task:3", None)] {
            let looked = asked(sel, window).looked();
            assert_eq!(looked.sel.as_deref(), Some(sel));
            assert_eq!((looked.t0, looked.t1), (window.map(|of| of.0), window.map(|of| of.1)));
        }
        assert_eq!(View::whole(&Demand::new(&sample::fits())).looked(), Looked::default());
    }

    #[test]
    fn what_is_not_there_is_not_selected() {
        for sel in ["t:41", "task:0", "task:4", "K2:5", "t:", "x"] {
            let view = asked(sel, None);
            assert_eq!((view.at, view.task, view.window.is_whole()), (None, 0, true), "{sel}");
        }
    }

    #[test]
    fn another_result_is_looked_at_in_the_same_way() {
        let short = Demand::new(&sample::overloaded());
        let view = asked("t:33", Some((2.0, 10.0))).carried(&short);
        assert_eq!((view.at, view.window.t0, view.window.t1, view.window.end), (None, 2.0, 10.0, 20.0));
        assert!(asked("t:9", Some((30.0, 40.0))).carried(&short).window.is_whole());
        assert_eq!(asked("task:3", None).carried(&short).task, 1);
    }
}
