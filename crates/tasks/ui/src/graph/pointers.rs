//! Pointers on the drawing: mouse, pen and fingers alike.

use leptos::ev::{MouseEvent, PointerEvent, WheelEvent};
use leptos::prelude::*;
use leptos::svg::Svg;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::desk::Desk;
use tasks_lab::page::tasks::graph::hand::{Gesture, Hand, On, Release};
use tasks_lab::page::tasks::graph::{Doing, Item, Point};

/// The pointers that are down.
#[derive(Clone, Copy)]
pub struct Pointers {
    desk: Desk,
    svg: NodeRef<Svg>,
    hand: StoredValue<Hand>,
    /// How far the drawing was moved along beneath the vertex that is dragged, in pixels.
    along: StoredValue<Point>,
    /// What was clicked last: where a pointer is captured, a double click does not say.
    clicked: StoredValue<On>,
}

impl Pointers {
    /// None are down.
    pub fn new(desk: Desk, svg: NodeRef<Svg>) -> Self {
        Self {
            desk,
            svg,
            hand: StoredValue::new(Hand::default()),
            along: StoredValue::new((0.0, 0.0)),
            clicked: StoredValue::new(On::Ground),
        }
    }

    /// Where an event is, from the corner of the drawing.
    fn at(self, event: &MouseEvent) -> Point {
        let corner = self.svg.get_untracked().map(|svg| svg.get_bounding_client_rect());
        let (left, top) = corner.map_or((0.0, 0.0), |corner| (corner.left(), corner.top()));
        (f64::from(event.client_x()) - left, f64::from(event.client_y()) - top)
    }

    /// A pointer goes down.
    pub fn down(self, event: &PointerEvent) {
        if event.button() != 0 {
            return;
        }
        let on = on(event);
        self.clicked.set_value(on);
        self.along.set_value((0.0, 0.0));
        self.hand.update_value(|hand| hand.press(event.pointer_id(), self.at(event), on));
        if let Some(svg) = self.svg.get_untracked() {
            // Without capture a drag ends at the edge of the drawing.
            let _ = svg.set_pointer_capture(event.pointer_id());
        }
    }

    /// A pointer moves.
    pub fn moved(self, event: &PointerEvent) {
        let desk = self.desk;
        let gesture = self.hand.try_update_value(|hand| hand.drag(event.pointer_id(), self.at(event)));
        let sight = desk.sight.get_untracked();
        match gesture.flatten() {
            Some(Gesture::Pan(by)) => desk.look(sight.panned(by)),
            Some(Gesture::Pinch(factor, at)) => {
                desk.moving.set(None);
                desk.band.set(None);
                desk.look(sight.zoomed(factor, at));
            }
            Some(Gesture::Move(vertex, (x, y))) => {
                let along = self.along.get_value();
                let by = ((x + along.0) / sight.scale, (y + along.1) / sight.scale);
                desk.moving.set(Some((vertex, by)));
                self.along.set_value(along_with(along, desk.follow_moved(vertex)));
            }
            Some(Gesture::Draw(vertex, at)) => {
                let from = desk.picture.with_untracked(|picture| {
                    let (x, y) = picture.place(Item::Vertex(vertex))?;
                    Some((x + picture.size.0 / 2.0, y))
                });
                desk.band.set(from.map(|from| (from, sight.drawn(at))));
            }
            None => {}
        }
    }

    /// A pointer goes up.
    pub fn up(self, event: &PointerEvent) {
        let desk = self.desk;
        let release = self.hand.try_update_value(|hand| hand.release(event.pointer_id(), self.at(event)));
        desk.band.set(None);
        match release.unwrap_or(Release::Nothing) {
            Release::Click(on) => self.click(on),
            Release::Moved(vertex, _) => {
                desk.selected.set(Some(Item::Vertex(vertex)));
                desk.put_down();
            }
            Release::Drawn(from, at) => {
                let at = desk.sight.get_untracked().drawn(at);
                match desk.picture.with_untracked(|picture| picture.vertex_at(at)) {
                    Some(to) if to != from => desk.connect(from, to),
                    Some(_) => {}
                    None => desk.add_vertex_at(Some(from), at),
                }
            }
            Release::Nothing => {}
        }
    }

    /// A pointer is taken away; what it has begun is left.
    pub fn lost(self, event: &PointerEvent) {
        self.hand.update_value(|hand| {
            hand.lift(event.pointer_id());
        });
        self.desk.band.set(None);
        self.desk.moving.set(None);
    }

    fn click(self, on: On) {
        let desk = self.desk;
        match (desk.doing.get_untracked(), on) {
            (Doing::Connecting(from), On::Item(Item::Vertex(to)) | On::Handle(to)) => desk.connect(from, to),
            (Doing::Connecting(_), On::Ground) => desk.doing.set(Doing::Nothing),
            (Doing::Nothing, On::Item(item)) => desk.selected.set(Some(item)),
            (Doing::Nothing, On::Handle(vertex)) => desk.selected.set(Some(Item::Vertex(vertex))),
            (Doing::Nothing, On::Ground) => desk.selected.set(None),
            _ => {}
        }
    }

    /// Two clicks: on the ground for a new vertex, on anything else to change it.
    pub fn twice(self, event: &MouseEvent) {
        let desk = self.desk;
        if desk.doing.get_untracked() != Doing::Nothing {
            return;
        }
        match self.clicked.get_value() {
            On::Ground => {
                let at = desk.sight.get_untracked().drawn(self.at(event));
                desk.add_vertex_at(None, at);
            }
            On::Item(item) => {
                desk.selected.set(Some(item));
                desk.write();
            }
            On::Handle(vertex) => {
                desk.selected.set(Some(Item::Vertex(vertex)));
                desk.write();
            }
        }
    }

    /// The wheel zooms with Ctrl, and without it once the drawing has the keyboard; else the page scrolls.
    pub fn wheel(self, event: &WheelEvent) {
        let desk = self.desk;
        if event.ctrl_key() || desk.focused.get_untracked().is_some() {
            event.prevent_default();
            let lines = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
            let factor = (-event.delta_y() * lines / 400.0).clamp(-1.0, 1.0).exp();
            desk.look(desk.sight.get_untracked().zoomed(factor, self.at(event)));
        }
    }
}

fn along_with((x, y): Point, (dx, dy): Point) -> Point {
    (x + dx, y + dy)
}

/// What an event is on.
fn on(event: &PointerEvent) -> On {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(target) = target else { return On::Ground };
    let number = |name: &str| -> Option<usize> {
        let owner = target.closest(&format!("[{name}]")).ok().flatten()?;
        owner.get_attribute(name)?.parse().ok()
    };
    let class = target.get_attribute("class").unwrap_or_default();
    match (number("data-vertex"), number("data-edge")) {
        (Some(vertex), _) if class == "grip" || class == "handle" => On::Handle(vertex),
        (Some(vertex), _) => On::Item(Item::Vertex(vertex)),
        (None, Some(edge)) => On::Item(Item::Edge(edge)),
        (None, None) => On::Ground,
    }
}
