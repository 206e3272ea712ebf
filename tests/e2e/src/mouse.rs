//! Mouse and fingers: real events, with the keys held down that a test asks for, by the actions of WebDriver.

use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
    TouchActions, WheelAction, WheelActions,
};
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::{Browser, Outcome, Page, chromium, said};

/// A key held down while the pointer moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// None.
    Nothing,
    /// Ctrl.
    Control,
    /// Shift.
    Shift,
}

impl Held {
    fn key(self) -> Option<char> {
        match self {
            Self::Nothing => None,
            Self::Control => Some(Key::Control.into()),
            Self::Shift => Some(Key::Shift.into()),
        }
    }
}

impl Page {
    /// Left, top, width and height of an element in the window, brought into sight first.
    pub async fn place(&self, selector: &str) -> Result<[f64; 4], String> {
        let script =
            "document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})";
        self.eval(script, vec![json!(selector)]).await?;
        self.rect(selector).await
    }

    /// Width and height of the place that a picture has, without bars to scroll it.
    pub async fn room(&self, selector: &str) -> Result<(f64, f64), String> {
        let script = "const p = document.querySelector(arguments[0]); return [p.clientWidth, p.clientHeight]";
        let found = self.eval(script, vec![json!(selector)]).await?;
        let sides: Vec<f64> = found.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        <[f64; 2]>::try_from(sides)
            .map(Into::into)
            .map_err(|_| format!("{selector} has no place on the page"))
    }

    /// Left, top, width and height of an element in the window, wherever the page is scrolled to.
    pub async fn rect(&self, selector: &str) -> Result<[f64; 4], String> {
        let script = "const r = document.querySelector(arguments[0]).getBoundingClientRect();
            return [r.left, r.top, r.width, r.height]";
        let found = self.eval(script, vec![json!(selector)]).await?;
        let sides: Vec<f64> = found.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        sides.try_into().map_err(|_| format!("{selector} has no place on the page"))
    }

    /// Moves the pointer to a point of the window.
    pub async fn hover(&self, (x, y): (f64, f64)) -> Outcome {
        self.act(mouse(&[to(x, y)]), Held::Nothing).await
    }

    /// Presses and releases at a point of the window.
    pub async fn click_at(&self, x: f64, y: f64) -> Outcome {
        self.drag((x, y), (x, y), Held::Nothing).await
    }

    /// Presses and releases twice at a point of the window.
    pub async fn double_click_at(&self, x: f64, y: f64) -> Outcome {
        match self.browser {
            // Its driver reads a clock: two clicks of a slow machine are single ones to it.
            Browser::Chromium => chromium::double_click(&self.client, (x, y)).await,
            Browser::Firefox => self.act(mouse(&[to(x, y), DOWN, UP, DOWN, UP]), Held::Nothing).await,
        }
    }

    /// Presses at one point and releases at another, with a stop half way.
    pub async fn drag(&self, from: (f64, f64), end: (f64, f64), held: Held) -> Outcome {
        if from == end {
            return self.act(mouse(&[to(from.0, from.1), DOWN, UP]), held).await;
        }
        let half = to((from.0 + end.0) / 2.0, (from.1 + end.1) / 2.0);
        self.act(mouse(&[to(from.0, from.1), DOWN, half, to(end.0, end.1), UP]), held).await
    }

    /// Presses at a point of the window, and holds: [`Page::hover`] drags from then on.
    pub async fn press_at(&self, (x, y): (f64, f64)) -> Outcome {
        self.act(mouse(&[to(x, y), DOWN]), Held::Nothing).await
    }

    /// Lets go where the pointer is.
    pub async fn let_go(&self) -> Outcome {
        self.act(mouse(&[UP]), Held::Nothing).await
    }

    /// Turns the wheel at a point of the window.
    pub async fn wheel(&self, at: (f64, f64), delta: f64, held: Held) -> Outcome {
        let turn = WheelAction::Scroll {
            duration: None,
            x: at.0.round() as i64,
            y: at.1.round() as i64,
            delta_x: 0,
            delta_y: delta.round() as i64,
        };
        self.act(WheelActions::new("wheel".to_owned()).then(turn), held).await
    }

    /// Puts down fingers, moves them from place to place and lifts them.
    pub async fn touch(&self, places: &[&[(f64, f64)]]) -> Outcome {
        match self.browser {
            // Its driver ends at the standard's actions of fingers.
            Browser::Chromium => chromium::touch(&self.client, places).await,
            Browser::Firefox => self.perform(touches(places)).await,
        }
    }

    /// Performs the moves of one device while a key is held down.
    async fn act(&self, moves: impl Into<Actions>, held: Held) -> Outcome {
        if let Some(value) = held.key() {
            self.perform(keyboard(KeyAction::Down { value })).await?;
        }
        let done = self.perform(moves).await;
        if let Some(value) = held.key() {
            self.perform(keyboard(KeyAction::Up { value })).await?;
        }
        done
    }

    async fn perform(&self, actions: impl Into<Actions>) -> Outcome {
        self.client.perform_actions(actions).await.map_err(said)
    }
}

const DOWN: PointerAction = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
const UP: PointerAction = PointerAction::Up { button: MOUSE_BUTTON_LEFT };

fn to(x: f64, y: f64) -> PointerAction {
    PointerAction::MoveTo { duration: None, x, y }
}

/// The moves of each finger.
fn touches(places: &[&[(f64, f64)]]) -> Actions {
    let fingers = places.iter().map(|place| place.len()).max().unwrap_or_default();
    let one = |finger: usize| {
        let mut moves = TouchActions::new(format!("finger {finger}"));
        for (i, place) in places.iter().enumerate() {
            let Some(&(x, y)) = place.get(finger) else { continue };
            moves = moves.then(to(x, y));
            if i == 0 {
                moves = moves.then(DOWN);
            }
        }
        moves.then(UP)
    };
    (1..fingers).fold(Actions::from(one(0)), |all, finger| all.and(one(finger)))
}

fn mouse(moves: &[PointerAction]) -> MouseActions {
    moves.iter().cloned().fold(MouseActions::new("mouse".to_owned()), InputSource::then)
}

fn keyboard(action: KeyAction) -> KeyActions {
    KeyActions::new("keyboard".to_owned()).then(action)
}
