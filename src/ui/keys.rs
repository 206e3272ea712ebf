//! Single keys and shortcuts of the whole page; never while someone types into a field.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::cursor;
use super::fold;
use super::state::App;
use crate::page::Subject;
use crate::page::shown::Direction;
use crate::timeline::Rows;
use kit::page::glide::Motion;
use ui_kit::glide::glide;
use ui_kit::keys::{element, go_to, leave_text_field, on_control, on_plot, typing};

/// Listens to the whole window.
pub fn listen(app: App) {
    ui_kit::keys::listen(move |event| with_control(app, event) || plain(app, event));
}

/// Shortcuts with Ctrl; they act everywhere but for undo in a field, which is the field's own.
fn with_control(app: App, event: &KeyboardEvent) -> bool {
    if !(event.ctrl_key() || event.meta_key()) || event.alt_key() {
        return false;
    }
    match event.key().to_ascii_lowercase().as_str() {
        "o" => open_files(),
        "s" => save_scenario(app),
        "z" if !typing(event) && event.shift_key() => app.redo(),
        "z" if !typing(event) => app.undo(),
        "y" if !typing(event) => app.redo(),
        _ => return false,
    }
    true
}

fn plain(app: App, event: &KeyboardEvent) -> bool {
    if event.key() == "Escape" {
        if !typing(event) {
            return escape(app);
        }
        leave_text_field(); // searches are none of its business
        return false;
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || typing(event) || app.help.get_untracked() {
        return false;
    }
    if event.key() == "?" {
        app.help.set(true);
        return true;
    }
    app.keys.get_untracked()
        && (lab(app, event)
            || (app.lab.get_untracked() == Subject::Warps
                && app.subject.get_untracked() == Subject::Warps
                && schedule(app, event)))
}

fn lab(app: App, event: &KeyboardEvent) -> bool {
    if event.code() == "KeyE" {
        fold::toggle(app);
        return true;
    }
    let number = event.key().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let lab = number.and_then(|at| Subject::labs().nth(at));
    lab.inspect(|&lab| app.visit(lab)).is_some()
}

fn schedule(app: App, event: &KeyboardEvent) -> bool {
    let on_control = on_control(event);
    match (event.code().as_str(), event.key().as_str()) {
        ("KeyW", _) | (_, "+" | "=") => glide(event, app.window, Motion::In(looked_at(app))),
        ("KeyS", _) | (_, "-") => glide(event, app.window, Motion::Out(looked_at(app))),
        ("KeyA", _) => glide(event, app.window, Motion::Pan(-0.15)),
        ("KeyD", _) => glide(event, app.window, Motion::Pan(0.15)),
        (_, "0") => app.window.update(|w| *w = crate::page::Window::whole(w.end)),
        ("KeyF", _) => centre(app),
        (_, ".") => app.player.update(|p| *p = p.moved(1)),
        (_, ",") => app.player.update(|p| *p = p.moved(-1)),
        (_, "/") => go_to("find"),
        (_, " ") if !on_control => app.player.update(|p| *p = p.toggled()),
        (_, "Home") if !on_control => app.player.update(|p| *p = p.at(0)),
        (_, "End") if !on_control => app.player.update(|p| *p = p.at(p.total)),
        (_, "ArrowLeft") if !on_control && event.shift_key() => cursor::move_by(app, -1),
        (_, "ArrowRight") if !on_control && event.shift_key() => cursor::move_by(app, 1),
        (_, "ArrowLeft") if !on_control => select(app, Direction::Left),
        (_, "ArrowRight") if !on_control => select(app, Direction::Right),
        (_, "ArrowUp") if on_plot(event) => select(app, Direction::Up),
        (_, "ArrowDown") if on_plot(event) => select(app, Direction::Down),
        _ => return false,
    }
    true
}

/// Zooms about the selection if it is in sight, else about the middle.
pub fn zoom(app: App, factor: f64) {
    app.window.update(|window| *window = window.zoomed_about(factor, looked_at(app)));
}

fn looked_at(app: App) -> Option<f64> {
    let selected = app.selected.get_untracked()?;
    app.shown.with_untracked(|shown| shown.as_ref().map(|shown| f64::from(shown.cycle(selected)) - 0.5))
}

fn centre(app: App) {
    if let Some((from, to)) = app.range.get_untracked() {
        return app.window.update(|window| *window = window.fitting(f64::from(from) - 1.0, f64::from(to)));
    }
    let Some(selected) = app.selected.get_untracked() else { return };
    let cycle =
        app.shown.with_untracked(|shown| shown.as_ref().map(|shown| f64::from(shown.cycle(selected))));
    if let Some(cycle) = cycle {
        app.window.update(|window| *window = window.centred(cycle - 0.5));
    }
}

/// Moves the selection and brings it into sight.
pub fn select(app: App, direction: Direction) {
    let Some(shown) = app.shown.get_untracked() else { return };
    let idle = app.idle.get_untracked().filter(|_| app.rows.get_untracked() == Rows::Warps);
    let next = match (app.selected.get_untracked(), idle) {
        (None, Some((row, cycle))) => shown.beside_idle((row as u32, cycle), direction),
        (selected, _) => shown.neighbour(selected, direction),
    };
    choose(app, next);
}

/// Selects an instruction and brings it into sight.
pub fn choose(app: App, selected: (u32, u32)) {
    let Some(shown) = app.shown.get_untracked().filter(|shown| shown.has(selected)) else { return };
    let cycle = f64::from(shown.cycle(selected));
    app.selected.set(Some(selected));
    app.window.update(|window| *window = window.revealing(cycle - 1.0, cycle));
}

/// Esc acts on the nearest thing: the dialog, the run, the trouble, the range, the selection.
fn escape(app: App) -> bool {
    if app.help.get_untracked() {
        app.help.set(false);
    } else if app.held.with_untracked(Option::is_some) {
        app.held.set(None);
    } else if app.sheet.get_untracked() {
        app.close_sheet();
    } else if app.is_running() {
        app.cancel();
        return app.lab.get_untracked() != Subject::Study; // its cells run besides, and stop with it
    } else if !app.trouble.with_untracked(Vec::is_empty) {
        app.trouble.update(Vec::clear);
    } else if app.cursor.let_go() {
        // It is gone.
    } else if app.range.get_untracked().is_some() {
        app.range.set(None);
    } else if app.selected.get_untracked().is_some() {
        app.selected.set(None);
    } else if app.idle.get_untracked().is_some() {
        app.idle.set(None);
    } else {
        return false;
    }
    true
}

/// Saves the scenario as a file.
pub fn save_scenario(app: App) {
    let title = app.read.with_untracked(|read| read.as_ref().map(|s| s.title.clone()).unwrap_or_default());
    ui_kit::save::save(
        &ui_kit::save::file_name(&title, "json"),
        "application/json",
        &app.text.get_untracked(),
    );
    app.notice.set("Scenario saved as a file".to_owned());
}

/// Asks for files to open.
pub fn open_files() {
    if let Some(element) = element("open-files") {
        element.click();
    }
}
