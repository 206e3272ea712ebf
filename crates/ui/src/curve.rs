//! How long it takes for one and more of something, drawn small beneath the slider of how many.

use leptos::prelude::*;

use crate::live::live;

/// What is drawn.
#[derive(Clone, PartialEq, Default)]
pub struct Curve {
    /// How long it takes for one, for two and so on.
    pub turns: Vec<u32>,
    /// How long at worst, where that is known: for how many, and how long.
    pub worst: Vec<(u32, u32)>,
    /// How many there are.
    pub at: u32,
}

/// The width and the height that everything is drawn in.
const SIDE: u32 = 1_000;

impl Curve {
    /// Where something stands: across, and down.
    fn place(&self, count: u32, takes: u32) -> (u32, u32) {
        let most = self.turns.iter().chain(self.worst.iter().map(|worst| &worst.1)).max();
        let last = (self.turns.len() as u32).max(2) - 1;
        (
            SIDE * count.saturating_sub(1).min(last) / last,
            SIDE - (u64::from(SIDE) * u64::from(takes) / u64::from(most.map_or(1, |most| (*most).max(1))))
                as u32,
        )
    }

    fn line(&self) -> String {
        let mut path = String::new();
        for (count, &takes) in (1..).zip(&self.turns) {
            let (x, y) = self.place(count, takes);
            path += &format!("{}{x} {y}", if count == 1 { "M" } else { "L" });
        }
        path
    }

    /// A dot for each worst case, with a line from how long it takes in turn.
    fn dots(&self) -> (String, String) {
        let (mut dots, mut lines) = (String::new(), String::new());
        for &(count, takes) in self.worst.iter().filter(|worst| worst.0 as usize <= self.turns.len()) {
            let (x, y) = self.place(count, takes);
            dots += &format!("M{x} {y}h0");
            if let Some(&turns) = count.checked_sub(1).and_then(|at| self.turns.get(at as usize)) {
                lines += &format!("M{x} {y}V{}", self.place(count, turns).1);
            }
        }
        (dots, lines)
    }

    /// How many there are: a line up to the curve, and a dot on it.
    fn here(&self) -> (String, String) {
        // More than the curve has lie beyond it.
        let takes = self.at.checked_sub(1).and_then(|at| self.turns.get(at as usize)).copied();
        let Some(takes) = takes else { return Default::default() };
        let (x, y) = self.place(self.at, takes);
        (format!("M{x} {SIDE}V{y}"), format!("M{x} {y}h0"))
    }
}

/// The curve; nothing where there is none.
#[component]
pub fn CurveOf(
    /// What is drawn.
    curve: Memo<Curve>,
) -> impl IntoView {
    let of = move |what: fn(&Curve) -> String| live(move || curve.with(what));
    view! {
        <svg class="curve" class:away=live(move || curve.with(|curve| curve.turns.len() < 2)) viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" data-testid="curve"
            aria-label="How many cycles are needed in turn, for one and more; a dot is a worst case that is known">
            <title>"Cycles needed in turn, for one and more; a dot is a worst case that is known"</title>
            <path class="here" d=of(|curve| curve.here().0)/>
            <path d=of(Curve::line)/>
            <path class="apart" d=of(|curve| curve.dots().1)/>
            <path class="now" d=of(|curve| curve.here().1)/>
            <path class="dots" d=of(|curve| curve.dots().0)/>
        </svg>
    }
}
