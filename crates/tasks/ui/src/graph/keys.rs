//! Keys of the editor, while something in it has the focus. Letters act only if the page lets single keys act.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::desk::Desk;
use tasks_lab::page::tasks::graph::{Doing, Item, Point, editor};
use ui_kit::keys::{focus, typing};

/// How far an arrow moves a vertex, and with Shift.
const STEP: f64 = 10.0;
const LEAP: f64 = 50.0;

/// A key goes down.
pub fn down(desk: Desk, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || typing(event) || event.default_prevented() {
        return;
    }
    if key(desk, event) {
        event.prevent_default();
    }
}

/// A key goes up: whatever arrows have moved stays there.
pub fn up(desk: Desk, event: &KeyboardEvent) {
    if way(&event.key()).is_some() {
        desk.put_down();
    }
}

fn way(key: &str) -> Option<Point> {
    Some(match key {
        "ArrowLeft" => (-1.0, 0.0),
        "ArrowRight" => (1.0, 0.0),
        "ArrowUp" => (0.0, -1.0),
        "ArrowDown" => (0.0, 1.0),
        _ => return None,
    })
}

/// Whether it was one of them.
fn key(desk: Desk, event: &KeyboardEvent) -> bool {
    let (focused, doing) = (desk.focused.get_untracked(), desk.doing.get_untracked());
    let key = event.key();
    let Some(focused) = focused else {
        // The ground has the focus.
        return desk.has_keys() && on_plot(event) && plain(desk, &key);
    };
    if let Some(way) = way(&key) {
        return arrow(desk, focused, doing, way, if event.shift_key() { LEAP } else { STEP });
    }
    match (key.as_str(), doing) {
        ("Tab", _) => {
            let back = event.shift_key();
            let next = desk.picture.with_untracked(|picture| {
                let next = |from| editor::next(picture, from, doing, back);
                // Targets come round again: there is Esc to leave.
                let around = || if let Doing::Connecting(_) = doing { next(None) } else { None };
                next(Some(focused)).or_else(around)
            });
            if let Some(next) = next {
                desk.choose(next);
            }
            return next.is_some();
        }
        ("Escape", Doing::Connecting(_)) => {
            desk.doing.set(Doing::Nothing);
            desk.say("No edge");
        }
        ("Escape", _) if !desk.runs() => focus("graph-help"),
        ("Enter", Doing::Connecting(from)) => match focused {
            Item::Vertex(to) => desk.connect(from, to),
            Item::Edge(_) => return false,
        },
        ("Enter" | " " | "F2", Doing::Nothing) => desk.write(),
        ("Delete" | "Backspace", Doing::Nothing) => desk.remove(),
        (letter, _) => return desk.has_keys() && plain(desk, letter),
    }
    true
}

/// Whether the drawing itself has the focus, with nothing in it.
fn on_plot(event: &KeyboardEvent) -> bool {
    event.target() == event.current_target()
}

fn arrow(desk: Desk, focused: Item, doing: Doing, way: Point, step: f64) -> bool {
    match (doing, focused) {
        (Doing::Connecting(_), _) => {
            let next = desk.picture.with_untracked(|picture| editor::towards(picture, focused, way, doing));
            if let Some(next) = next {
                desk.choose(next);
            }
        }
        (_, Item::Vertex(vertex)) => desk.nudge(vertex, (way.0 * step, way.1 * step)),
        (_, Item::Edge(_)) => return false,
    }
    true
}

fn plain(desk: Desk, letter: &str) -> bool {
    match letter {
        "n" | "N" => desk.add_vertex(),
        "c" | "C" => desk.begin_edge(),
        "+" | "=" => desk.zoom(1.0 / 0.8),
        "-" => desk.zoom(0.8),
        "0" => desk.fit(),
        _ => return false,
    }
    true
}
