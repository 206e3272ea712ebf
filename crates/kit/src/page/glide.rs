//! How what is in sight moves while a key is held: one step for a tap, and faster and faster for longer. Nothing here
//! knows a clock: where it is follows from how long the key has been held.

use super::Window;

/// Steps a second at first.
const BEGINS: f64 = 5.0;
/// So many more with every second.
const FASTER: f64 = 12.0;
/// And no more than this.
const FASTEST: f64 = 20.0;
/// So many seconds it rolls on when the key is up.
const ROLLS: f64 = 0.12;

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// Nearer, about something if that is in sight.
    In(Option<f64>),
    /// Further away, likewise.
    Out(Option<f64>),
    /// Along the axis, by a share of what is in sight.
    Pan(f64),
}

impl Motion {
    /// The window after so many steps from another one.
    #[must_use]
    pub fn after(self, from: &Window, steps: f64) -> Window {
        // A whole step is what buttons do, to the last digit.
        let near = if steps == 1.0 { 0.7 } else { (steps * LN_STEP).exp() };
        match self {
            Self::In(about) => from.zoomed_about(near, about),
            Self::Out(about) => from.zoomed_about(1.0 / near, about),
            Self::Pan(share) => from.panned(from.width() * share * steps),
        }
    }
}

/// The logarithm of 0.7.
const LN_STEP: f64 = -0.356_674_943_938_732_4;

/// How many steps it has gone, and whether it stands still: a key is held for so many seconds, and may be up since.
pub fn gone(seconds: f64, up: Option<f64>) -> (f64, bool) {
    let seconds = seconds.max(0.0);
    let Some(up) = up.map(|up| up.max(0.0)).filter(|up| *up < seconds || *up == 0.0) else {
        return (held(seconds), false);
    };
    let speed = (BEGINS + FASTER * up).min(FASTEST);
    if held(up) + speed * ROLLS / 2.0 <= 1.0 {
        // A tap is one step, however short.
        let so_far = held(seconds);
        return (so_far.min(1.0), so_far >= 1.0);
    }
    let rolled = (seconds - up).min(ROLLS);
    let at = held(up) + speed * (rolled - rolled * rolled / (2.0 * ROLLS));
    (at, rolled >= ROLLS)
}

/// How many steps a key has made that is held for so many seconds.
fn held(seconds: f64) -> f64 {
    let grows = (FASTEST - BEGINS) / FASTER;
    let growing = seconds.min(grows);
    BEGINS * growing + FASTER * growing * growing / 2.0 + (seconds - growing) * FASTEST
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where it is at each of many instants.
    fn way(up: Option<f64>, to: f64) -> Vec<(f64, bool)> {
        (0..=1_000).map(|at| gone(f64::from(at) / 1_000.0 * to, up)).collect()
    }

    #[test]
    fn a_tap_is_one_step_however_short_and_as_a_button_has_it() {
        for up in [0.0, 0.001, 0.03, 0.08] {
            let (steps, still) = gone(5.0, Some(up));
            assert_eq!((steps, still), (1.0, true), "{up}");
        }
        let window = Window::given(10.0, 60.0, 100.0);
        assert_eq!(Motion::In(None).after(&window, 1.0), window.zoomed_about(0.7, None));
        assert_eq!(Motion::Out(Some(20.0)).after(&window, 1.0), window.zoomed_about(1.0 / 0.7, Some(20.0)));
        assert_eq!(Motion::Pan(0.15).after(&window, 1.0), window.panned(7.5));
    }

    #[test]
    fn it_never_jumps_and_never_goes_back() {
        for up in [None, Some(0.0), Some(0.05), Some(0.2), Some(0.9), Some(2.5)] {
            let way = way(up, 3.0);
            for pair in way.windows(2) {
                let by = pair[1].0 - pair[0].0;
                assert!((0.0..=FASTEST * 0.003 + 1e-9).contains(&by), "{up:?}: {pair:?}");
            }
            assert_eq!(way.last().map(|last| last.1), Some(up.is_some()), "{up:?}");
            assert_eq!(way[0], (0.0, false), "{up:?}");
        }
    }

    #[test]
    fn the_longer_a_key_is_held_the_faster_it_goes() {
        let second = |from: f64| gone(from + 0.1, None).0 - gone(from, None).0;
        assert!(second(0.0) < second(0.5) && second(0.5) < second(1.0));
        assert!((second(2.0) - second(3.0)).abs() < 1e-9, "but not for ever");
        // What is up rolls out.
        let rolls = gone(9.0, Some(1.0)).0 - gone(1.0, None).0;
        assert!(rolls > 0.5 && rolls < 2.0, "{rolls}");
    }

    #[test]
    fn how_often_it_is_drawn_changes_nothing() {
        let window = Window::whole(1_000.0);
        let there = |steps: f64| Motion::In(Some(300.0)).after(&window, steps);
        let twice = Motion::In(Some(300.0)).after(&there(0.5), 0.5);
        assert!((twice.t0 - there(1.0).t0).abs() < 1e-9 && (twice.t1 - there(1.0).t1).abs() < 1e-9);
    }
}
