//! Mouse and fingers, moved by the developer tools: real events, with the keys held down that a test asks for.

use serde_json::{Value, json};

use crate::{Outcome, Page};

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
    fn bits(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Control => 2,
            Self::Shift => 8,
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

    /// Left, top, width and height of an element in the window, wherever the page is scrolled to.
    pub async fn rect(&self, selector: &str) -> Result<[f64; 4], String> {
        let script = "const r = document.querySelector(arguments[0]).getBoundingClientRect();
            return [r.left, r.top, r.width, r.height]";
        let found = self.eval(script, vec![json!(selector)]).await?;
        let sides: Vec<f64> = found.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        sides.try_into().map_err(|_| format!("{selector} has no place on the page"))
    }

    /// Presses and releases at a point of the window.
    pub async fn click_at(&self, x: f64, y: f64) -> Outcome {
        self.drag((x, y), (x, y), Held::Nothing).await
    }

    /// Presses and releases twice at a point of the window.
    pub async fn double_click_at(&self, x: f64, y: f64) -> Outcome {
        self.click_at(x, y).await?;
        for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 2});
            self.devtools("Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }

    /// Presses at one point and releases at another, with a stop half way.
    pub async fn drag(&self, from: (f64, f64), to: (f64, f64), held: Held) -> Outcome {
        self.pointer("mouseMoved", from, held, 0).await?;
        self.pointer("mousePressed", from, held, 1).await?;
        if from != to {
            self.pointer("mouseMoved", ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), held, 1).await?;
            self.pointer("mouseMoved", to, held, 1).await?;
        }
        self.pointer("mouseReleased", to, held, 0).await
    }

    /// Turns the wheel at a point of the window.
    pub async fn wheel(&self, at: (f64, f64), delta: f64, held: Held) -> Outcome {
        let event = json!({"type": "mouseWheel", "x": at.0, "y": at.1, "deltaX": 0, "deltaY": delta,
            "modifiers": held.bits()});
        self.devtools("Input.dispatchMouseEvent", event).await.map(drop)
    }

    /// Puts down fingers, moves them from place to place and lifts them.
    pub async fn touch(&self, places: &[&[(f64, f64)]]) -> Outcome {
        for (i, fingers) in places.iter().enumerate() {
            let points: Vec<Value> =
                (0..).zip(*fingers).map(|(id, (x, y))| json!({"x": x, "y": y, "id": id})).collect();
            let kind = if i == 0 { "touchStart" } else { "touchMove" };
            self.devtools("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points})).await?;
        }
        let end = json!({"type": "touchEnd", "touchPoints": []});
        self.devtools("Input.dispatchTouchEvent", end).await.map(drop)
    }

    async fn pointer(&self, kind: &str, at: (f64, f64), held: Held, buttons: u32) -> Outcome {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        let event = json!({"type": kind, "x": at.0, "y": at.1, "button": button, "buttons": buttons,
            "clickCount": 1, "modifiers": held.bits()});
        self.devtools("Input.dispatchMouseEvent", event).await.map(drop)
    }
}
