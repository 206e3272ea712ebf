//! What pointers mean on the graph: a click, a vertex that is dragged, a new edge, a pan, or a pinch by two fingers.

use super::Point;
use super::picture::Item;

/// Movement of fewer pixels is a click.
const CLICK: f64 = 4.0;
/// Two fingers closer than this count as this far apart.
const CLOSEST: f64 = 8.0;

/// What a pointer went down on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum On {
    /// Nothing.
    #[default]
    Ground,
    /// A vertex or an edge.
    Item(Item),
    /// The handle of a vertex, from which edges are drawn.
    Handle(usize),
}

/// What a movement asks for, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gesture {
    /// Move the drawing by so much.
    Pan(Point),
    /// Make it larger by this factor, about this place.
    Pinch(f64, Point),
    /// A vertex stands so far from where it stood.
    Move(usize, Point),
    /// An edge is drawn from a vertex to here.
    Draw(usize, Point),
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Release {
    /// A click.
    Click(On),
    /// The vertex was moved by so much.
    Moved(usize, Point),
    /// The edge from this vertex ends here.
    Drawn(usize, Point),
    /// Nothing that is left to do.
    Nothing,
}

/// The pointers that are down, and what they have done so far.
#[derive(Debug, Clone, Default)]
pub struct Hand {
    pointers: Vec<(i32, Point)>,
    on: On,
    start: Point,
    moved: bool,
    pinched: bool,
}

impl Hand {
    /// A pointer goes down; the first one decides what moving means.
    pub fn press(&mut self, id: i32, at: Point, on: On) {
        self.pointers.retain(|&(other, _)| other != id);
        self.pointers.push((id, at));
        if self.pointers.len() == 1 {
            (self.on, self.start, self.moved, self.pinched) = (on, at, false, false);
        } else {
            self.pinched = true;
        }
    }

    /// A pointer moves; nothing is asked for while it is up or has hardly moved.
    pub fn drag(&mut self, id: i32, at: Point) -> Option<Gesture> {
        let place = self.pointers.iter().position(|&(other, _)| other == id)?;
        let before = std::mem::replace(&mut self.pointers[place].1, at);
        if let [(_, a), (_, b)] = self.pointers[..] {
            let other = if place == 0 { b } else { a };
            let (was, is) = (distance(before, other).max(CLOSEST), distance(at, other).max(CLOSEST));
            return Some(Gesture::Pinch(is / was, ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)));
        }
        self.moved |= distance(at, self.start) > CLICK;
        if !self.moved {
            return None;
        }
        Some(match self.on {
            _ if self.pinched => Gesture::Pan(less(at, before)),
            On::Item(Item::Vertex(vertex)) => Gesture::Move(vertex, less(at, self.start)),
            On::Handle(vertex) => Gesture::Draw(vertex, at),
            On::Ground | On::Item(Item::Edge(_)) => Gesture::Pan(less(at, before)),
        })
    }

    /// A pointer goes up.
    pub fn release(&mut self, id: i32, at: Point) -> Release {
        if !self.lift(id) || self.pinched || !self.pointers.is_empty() {
            return Release::Nothing;
        }
        match (self.moved, self.on) {
            (false, on) => Release::Click(on),
            (true, On::Item(Item::Vertex(vertex))) => Release::Moved(vertex, less(at, self.start)),
            (true, On::Handle(vertex)) => Release::Drawn(vertex, at),
            (true, _) => Release::Nothing,
        }
    }

    /// A pointer is lost, and with it what it has begun; whether it was known.
    pub fn lift(&mut self, id: i32) -> bool {
        let known = self.pointers.iter().any(|&(other, _)| other == id);
        self.pointers.retain(|&(other, _)| other != id);
        known
    }

    /// Whether any pointer is down.
    pub fn is_down(&self) -> bool {
        !self.pointers.is_empty()
    }
}

fn less(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERTEX: On = On::Item(Item::Vertex(3));

    #[test]
    fn a_press_that_hardly_moves_is_a_click() {
        let mut hand = Hand::default();
        hand.press(1, (10.0, 10.0), VERTEX);
        assert_eq!(hand.drag(1, (12.0, 12.0)), None);
        assert_eq!(hand.release(1, (12.0, 12.0)), Release::Click(VERTEX));
        assert_eq!(hand.release(1, (12.0, 12.0)), Release::Nothing, "it is up already");
        assert_eq!(hand.drag(1, (50.0, 50.0)), None);
    }

    #[test]
    fn vertices_are_dragged_and_handles_draw_edges() {
        let mut hand = Hand::default();
        hand.press(1, (10.0, 10.0), VERTEX);
        assert_eq!(hand.drag(1, (20.0, 5.0)), Some(Gesture::Move(3, (10.0, -5.0))));
        assert_eq!(hand.drag(1, (11.0, 10.0)), Some(Gesture::Move(3, (1.0, 0.0))), "it is a drag by now");
        assert_eq!(hand.release(1, (30.0, 10.0)), Release::Moved(3, (20.0, 0.0)));
        hand.press(1, (10.0, 10.0), On::Handle(3));
        assert_eq!(hand.drag(1, (20.0, 5.0)), Some(Gesture::Draw(3, (20.0, 5.0))));
        assert_eq!(hand.release(1, (60.0, 5.0)), Release::Drawn(3, (60.0, 5.0)));
        hand.press(1, (0.0, 0.0), On::Ground);
        assert_eq!(hand.drag(1, (9.0, 0.0)), Some(Gesture::Pan((9.0, 0.0))));
        assert_eq!(hand.release(1, (9.0, 0.0)), Release::Nothing);
    }

    #[test]
    fn a_second_finger_makes_it_a_pinch() {
        let mut hand = Hand::default();
        hand.press(1, (0.0, 0.0), VERTEX);
        hand.press(2, (30.0, 40.0), On::Ground);
        assert_eq!(hand.drag(2, (60.0, 80.0)), Some(Gesture::Pinch(2.0, (30.0, 40.0))));
        assert_eq!(hand.release(2, (60.0, 80.0)), Release::Nothing);
        assert_eq!(hand.drag(1, (10.0, 0.0)), Some(Gesture::Pan((10.0, 0.0))));
        assert_eq!((hand.release(1, (10.0, 0.0)), hand.is_down()), (Release::Nothing, false));
    }
}
