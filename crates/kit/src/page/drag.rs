//! What pointers mean on the figure: a click, a range, a pan, or a pinch by two fingers.

/// Movement of fewer pixels is a click.
pub const CLICK: f64 = 4.0;
/// Two fingers closer than this count as this far apart.
const CLOSEST: f64 = 8.0;

/// What moving one pointer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Means {
    /// It selects a range.
    #[default]
    Select,
    /// It moves the window.
    Pan,
}

/// What a movement asks for, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gesture {
    /// Move the picture by so much.
    Pan(f64),
    /// Make the window wider by this factor, about this place.
    Pinch(f64, f64),
    /// Select from here to there.
    Range(f64, f64),
}

/// The pointers that are down, by id, and what they have done so far.
#[derive(Debug, Clone, Default)]
pub struct Drag {
    pointers: Vec<(i32, f64)>,
    start: f64,
    means: Means,
    moved: bool,
}

impl Drag {
    /// A pointer goes down; the first one decides what moving means.
    pub fn press(&mut self, id: i32, x: f64, means: Means) {
        self.pointers.retain(|&(other, _)| other != id);
        self.pointers.push((id, x));
        if self.pointers.len() == 1 {
            (self.start, self.means, self.moved) = (x, means, false);
        }
    }

    /// A pointer moves; nothing is asked for while it is up or has hardly moved.
    pub fn drag(&mut self, id: i32, x: f64) -> Option<Gesture> {
        let place = self.pointers.iter().position(|&(other, _)| other == id)?;
        let before = std::mem::replace(&mut self.pointers[place].1, x);
        if let [(_, a), (_, b)] = self.pointers[..] {
            self.moved = true;
            let other = if place == 0 { b } else { a };
            let (was, is) = ((before - other).abs().max(CLOSEST), (x - other).abs().max(CLOSEST));
            return Some(Gesture::Pinch(was / is, (a + b) / 2.0));
        }
        self.moved |= (x - self.start).abs() > CLICK;
        match (self.moved, self.means) {
            (false, _) => None,
            (true, Means::Pan) => Some(Gesture::Pan(x - before)),
            (true, Means::Select) => Some(Gesture::Range(self.start, x)),
        }
    }

    /// A pointer goes up; whether that was a click.
    pub fn release(&mut self, id: i32) -> bool {
        let known = self.pointers.iter().any(|&(other, _)| other == id);
        self.pointers.retain(|&(other, _)| other != id);
        known && !self.moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_that_hardly_moves_is_a_click() {
        let mut drag = Drag::default();
        drag.press(1, 100.0, Means::Select);
        assert_eq!(drag.drag(1, 103.0), None);
        assert!(drag.release(1));
        assert!(!drag.release(1), "it is up already");
        assert_eq!(drag.drag(1, 200.0), None);
    }

    #[test]
    fn one_pointer_selects_or_pans() {
        let mut drag = Drag::default();
        drag.press(1, 100.0, Means::Select);
        assert_eq!(drag.drag(1, 150.0), Some(Gesture::Range(100.0, 150.0)));
        assert!(!drag.release(1));
        drag.press(1, 100.0, Means::Pan);
        assert_eq!(drag.drag(1, 150.0), Some(Gesture::Pan(50.0)));
        assert_eq!(drag.drag(1, 140.0), Some(Gesture::Pan(-10.0)));
    }

    #[test]
    fn two_pointers_pinch_about_their_middle() {
        let mut drag = Drag::default();
        drag.press(1, 100.0, Means::Pan);
        drag.press(2, 200.0, Means::Pan);
        assert_eq!(drag.drag(2, 300.0), Some(Gesture::Pinch(0.5, 200.0)));
        assert_eq!(drag.drag(1, 300.0), Some(Gesture::Pinch(25.0, 300.0)));
        assert!(!drag.release(1) && !drag.release(2));
    }
}
