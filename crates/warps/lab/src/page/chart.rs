//! What is shown of the chart of chains: axis, zoom, hidden kinds, and the improvement pointed at.

use serde::{Deserialize, Serialize};

use crate::draw::chart::{Frame, Layout, Spread, whole};
use crate::timeline::Convergence;
use crate::timeline::convergence::{Axis, ImprovementId, Narrowing, StartKind};
use base::people;
use kit::draw::Theme;

/// The narrowest window, as a share of the whole axis.
const NARROWEST: f64 = 1e-4;
/// Pictures saved as files are at least this wide.
const WIDTH_OF_FILES: f64 = 800.0;

/// Files are higher by this, for their title and legend.
const ROOM_FOR_HEADING: f64 = 44.0;

/// What the page tells the chart beside its data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Told {
    /// The scenario's title.
    pub title: String,
    /// Whether the chains are still running.
    pub live: bool,
    /// Whether single keys act.
    pub keys: bool,
    /// The selected improvement.
    pub selected: Option<ImprovementId>,
    /// The colours.
    pub theme: Theme,
}

/// The chart as someone looks at it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChartView {
    /// What the axis counts.
    pub axis: Axis,
    /// How it spreads it.
    pub spread: Spread,
    /// The part of the spread axis in sight; all of it if none, also while it grows.
    pub zoom: Option<(f64, f64)>,
    /// A stretch that is being marked, in pixels.
    pub range: Option<(f64, f64)>,
    /// Kinds of chains that are not shown.
    pub hidden: Vec<StartKind>,
    /// The improvement under the pointer or the cursor.
    pub pointed: Option<ImprovementId>,
}

/// Where the cursor moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// To the chain's previous improvement.
    Back,
    /// To the chain's next improvement.
    On,
    /// To the chain before, at about the same time.
    ChainBefore,
    /// To the chain after.
    ChainAfter,
    /// To the chain's start.
    First,
    /// To the chain's last improvement.
    Last,
}

impl ChartView {
    /// The view as a frame for the screen.
    pub fn frame(&self, width: f64, selected: Option<ImprovementId>, theme: Theme) -> Frame {
        Frame {
            width,
            height: (width * 0.48).clamp(300.0, 500.0).round(),
            axis: self.axis,
            spread: self.spread,
            zoom: self.zoom,
            hidden: self.hidden.clone(),
            pointed: self.pointed,
            selected,
            range: self.range,
            heading: None,
            theme,
        }
    }

    /// The view as a frame for a file: light, with a title, and nothing that only a pointer means.
    pub fn frame_of_file(&self, width: f64, title: &str) -> Frame {
        let still = Self { pointed: None, range: None, ..self.clone() };
        let frame = still.frame(width.max(WIDTH_OF_FILES), None, Theme::Light);
        Frame { heading: Some(title.to_owned()), height: frame.height + ROOM_FOR_HEADING, ..frame }
    }

    /// Counts something else.
    pub fn count(&mut self, axis: Axis) {
        if self.axis != axis {
            (self.axis, self.zoom) = (axis, None);
        }
    }

    /// Spreads the axis in another way.
    pub fn spread(&mut self, spread: Spread) {
        if self.spread != spread {
            (self.spread, self.zoom) = (spread, None);
        }
    }

    /// Hides chains of a kind, or shows them again.
    pub fn toggle(&mut self, kind: StartKind) {
        match self.hidden.iter().position(|&hidden| hidden == kind) {
            Some(place) => drop(self.hidden.remove(place)),
            None => self.hidden.push(kind),
        }
    }

    /// Narrower (`factor` under 1) or wider, with a place of the spread axis staying where it is.
    pub fn zoom_by(&mut self, data: &Convergence, factor: f64, at: f64) {
        let (from, to) = self.window(data);
        let share = ((at - from) / (to - from)).clamp(0.0, 1.0);
        let (low, high) = whole(data, self.axis, self.spread);
        let width = ((to - from) * factor).max((high - low) * NARROWEST);
        let from = at.clamp(from, to) - share * width;
        self.set_window(data, from, from + width);
    }

    /// Moved along the axis by so much of the spread axis.
    pub fn pan_by(&mut self, data: &Convergence, by: f64) {
        let (from, to) = self.window(data);
        self.set_window(data, from + by, to + by);
    }

    /// Zooms into the marked stretch.
    pub fn enter_range(&mut self, data: &Convergence, layout: &Layout) {
        let Some((a, b)) = self.range.take() else { return };
        let within = |pixel: f64| layout.x.value(pixel.clamp(layout.x.left, layout.x.right));
        let (from, to) = (within(a.min(b)), within(a.max(b)));
        let (low, high) = whole(data, self.axis, self.spread);
        if to - from >= (high - low) * NARROWEST {
            self.set_window(data, from, to);
        }
    }

    /// Points at an improvement and brings it into sight.
    pub fn point_at(&mut self, data: &Convergence, id: ImprovementId) {
        let Some((_, improvement)) = data.improvement(id) else { return };
        self.pointed = Some(id);
        if let Some((from, to)) = self.zoom {
            let frame = self.frame(WIDTH_OF_FILES, None, Theme::Light);
            let at = Layout::new(data, &frame).spread(improvement.at(self.axis));
            if at < from || at > to {
                self.pan_by(data, at - (from + to) / 2.0);
            }
        }
    }

    /// The improvement that a move leads to; the first one in sight if none is pointed at.
    pub fn moved(&self, data: &Convergence, direction: Move) -> Option<ImprovementId> {
        let shown: Vec<usize> = (0..data.chains.len())
            .filter(|&i| {
                !self.hidden.contains(&data.chains[i].kind) && !data.chains[i].improvements.is_empty()
            })
            .collect();
        let known = self.pointed.filter(|&id| shown.contains(&id.0) && data.improvement(id).is_some());
        let Some((chain, improvement)) = known else { return Some((*shown.first()?, 0)) };
        let last = data.chains[chain].improvements.len() - 1;
        let place = shown.iter().position(|&i| i == chain)?;
        let in_chain = |other: usize| {
            let at = data.chains[chain].improvements[improvement].at(self.axis);
            let after = data.chains[other].improvements.partition_point(|i| i.at(self.axis) <= at);
            (other, after.saturating_sub(1))
        };
        Some(match direction {
            Move::Back => (chain, improvement.saturating_sub(1)),
            Move::On => (chain, (improvement + 1).min(last)),
            Move::First => (chain, 0),
            Move::Last => (chain, last),
            Move::ChainBefore => place.checked_sub(1).map_or((chain, improvement), |i| in_chain(shown[i])),
            Move::ChainAfter => shown.get(place + 1).map_or((chain, improvement), |&i| in_chain(i)),
        })
    }

    fn window(&self, data: &Convergence) -> (f64, f64) {
        self.zoom.unwrap_or_else(|| whole(data, self.axis, self.spread))
    }

    fn set_window(&mut self, data: &Convergence, from: f64, to: f64) {
        let (low, high) = whole(data, self.axis, self.spread);
        let width = to - from;
        let from = from.clamp(low, (high - width).max(low));
        self.zoom = (width < (high - low) * 0.999_999).then_some((from, from + width));
    }
}

/// What a search with proofs has come to, in words.
pub fn bracket_in_words(step: Narrowing) -> String {
    let cycles = |n: u32| people::grouped(n.into());
    let Narrowing { seconds, lower, upper } = step;
    let after = people::duration(seconds);
    if lower >= upper {
        format!("After {after}: the worst case is {} cycles, proven", cycles(upper))
    } else {
        let gap = people::counted((upper - lower) as usize, "cycle");
        format!(
            "After {after}: the worst case is {} to {} cycles, a gap of {gap}",
            cycles(lower),
            cycles(upper)
        )
    }
}

/// An improvement in words.
pub fn in_words(data: &Convergence, id: ImprovementId) -> Option<String> {
    let (chain, improvement) = data.improvement(id)?;
    let makespan = people::grouped(improvement.makespan.into());
    Some(if improvement.iteration == 0 {
        format!("{}: starts at {makespan} cycles", chain.label)
    } else {
        format!(
            "{}: {makespan} cycles after {}, {}",
            chain.label,
            people::counted(improvement.iteration as usize, "iteration"),
            people::duration(improvement.seconds)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::chart::sample::data;

    #[test]
    fn arrows_move_within_and_between_chains() {
        let data = data();
        let step = |pointed, direction| ChartView { pointed, ..ChartView::default() }.moved(&data, direction);
        assert_eq!(step(None, Move::On), Some((0, 0)));
        assert_eq!(step(Some((0, 0)), Move::Back), Some((0, 0)));
        assert_eq!(step(Some((0, 1)), Move::On), Some((0, 2)));
        assert_eq!(step(Some((0, 2)), Move::On), Some((0, 2)));
        assert_eq!(step(Some((0, 2)), Move::ChainAfter), Some((1, 2))); // 0.01 s is the last before 0.2 s
        assert_eq!(step(Some((1, 3)), Move::ChainBefore), Some((0, 2)));
        assert_eq!(step(Some((1, 3)), Move::ChainAfter), Some((1, 3)));
        assert_eq!(step(Some((1, 2)), Move::First), Some((1, 0)));
        assert_eq!(step(Some((1, 0)), Move::Last), Some((1, 3)));
        assert_eq!(step(Some((7, 7)), Move::On), Some((0, 0)), "what is gone is not pointed at");
    }

    #[test]
    fn hidden_chains_are_passed_over() {
        let data = data();
        let mut view = ChartView::default();
        view.toggle(StartKind::RoundRobin);
        assert_eq!(view.moved(&data, Move::On), Some((1, 0)));
        view.toggle(StartKind::Random);
        assert_eq!(view.moved(&data, Move::On), None);
        view.toggle(StartKind::RoundRobin);
        assert_eq!(view.hidden, [StartKind::Random]);
        assert_eq!(ChartView::default().moved(&Convergence::default(), Move::Last), None);
    }

    #[test]
    fn zooming_keeps_the_pointer_where_it_is_and_nothing_leaves_the_axis() {
        let data = data();
        let mut view = ChartView { spread: Spread::Linear, ..ChartView::default() };
        view.zoom_by(&data, 0.5, 2.0);
        assert_eq!(view.zoom, Some((1.0, 6.0)));
        view.pan_by(&data, 100.0);
        assert_eq!(view.zoom, Some((5.0, 10.0)));
        view.zoom_by(&data, 1e-12, 7.0);
        let (from, to) = view.zoom.unwrap_or_default();
        assert!(((to - from) - 1e-3).abs() < 1e-9, "{from} {to}");
        view.zoom_by(&data, 1e9, 7.0);
        assert_eq!(view.zoom, None);
        view.pan_by(&data, -3.0);
        assert_eq!(view.zoom, None);
    }

    #[test]
    fn a_marked_stretch_becomes_the_window() {
        let data = data();
        let mut view = ChartView { range: Some((300.0, 200.0)), ..ChartView::default() };
        let layout = Layout::new(&data, &view.frame(800.0, None, Theme::Light));
        view.enter_range(&data, &layout);
        assert_eq!((view.zoom, view.range), (Some((layout.x.value(200.0), layout.x.value(300.0))), None));
        view.range = Some((300.0, 300.0));
        let before = view.zoom;
        view.enter_range(&data, &layout);
        assert_eq!(view.zoom, before, "a point is no stretch");
    }

    #[test]
    fn another_axis_shows_all_of_it_and_the_cursor_stays_in_sight() {
        let data = data();
        let mut view = ChartView { spread: Spread::Linear, zoom: Some((0.0, 1.0)), ..ChartView::default() };
        view.count(Axis::Seconds);
        view.point_at(&data, (0, 2));
        assert_eq!(view.zoom, Some((0.0, 1.0)), "it is in sight already");
        view.point_at(&data, (1, 3));
        assert_eq!((view.zoom, view.pointed), (Some((4.0, 5.0)), Some((1, 3))));
        view.count(Axis::Iterations);
        assert_eq!(view.zoom, None);
    }

    #[test]
    fn brackets_in_words() {
        let step = |lower, upper| Narrowing { seconds: 0.5, lower, upper };
        assert_eq!(
            bracket_in_words(step(159, 160)),
            "After 500 ms: the worst case is 159 to 160 cycles, a gap of 1 cycle"
        );
        assert_eq!(bracket_in_words(step(160, 160)), "After 500 ms: the worst case is 160 cycles, proven");
    }

    #[test]
    fn improvements_in_words() {
        let data = data();
        assert_eq!(in_words(&data, (1, 0)).as_deref(), Some("chain 2, random: starts at 131 cycles"));
        assert_eq!(
            in_words(&data, (0, 2)).as_deref(),
            Some("chain 1, round-robin: 158 cycles after 20,000 iterations, 200 ms")
        );
        assert_eq!(in_words(&data, (5, 0)), None);
    }

    #[test]
    fn files_are_light_and_stand_alone() {
        let view = ChartView { pointed: Some((0, 0)), range: Some((1.0, 2.0)), ..ChartView::default() };
        let frame = view.frame_of_file(300.0, "Voronoi");
        assert_eq!((frame.pointed, frame.range, frame.theme), (None, None, Theme::Light));
        assert_eq!((frame.heading.as_deref(), frame.width), (Some("Voronoi"), WIDTH_OF_FILES));
    }
}
