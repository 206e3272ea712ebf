//! What is selected in the editor, what it is being asked for, and where keys lead.

use super::Point;
use super::picture::{Item, Picture};

/// What the editor is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doing {
    /// Nothing: keys and pointers act on what is selected.
    #[default]
    Nothing,
    /// An edge from this vertex is wanted; where to is to be chosen.
    Connecting(usize),
    /// The numbers of this are being written.
    Writing(Item),
}

/// The next thing in reading order, or the one before; none past the ends. While an edge is wanted only vertices count,
/// and the one it comes from does not.
pub fn next(picture: &Picture, from: Option<Item>, doing: Doing, back: bool) -> Option<Item> {
    let fits = |item: &Item| match doing {
        Doing::Connecting(source) => matches!(item, Item::Vertex(vertex) if *vertex != source),
        _ => true,
    };
    let place = from.and_then(|from| picture.order.iter().position(|item| *item == from));
    match (place, back) {
        (Some(place), false) => picture.order[place + 1..].iter().copied().find(fits),
        (Some(place), true) => picture.order[..place].iter().rev().copied().find(fits),
        (None, false) => picture.order.iter().copied().find(fits),
        (None, true) => picture.order.iter().rev().copied().find(fits),
    }
}

/// The nearest vertex in a direction, for those who choose with arrows.
pub fn towards(picture: &Picture, from: Item, (dx, dy): Point, doing: Doing) -> Option<Item> {
    let (x, y) = picture.place(from)?;
    let cost = |vertex: usize| {
        let at = picture.shapes[vertex].at;
        let (right, down) = (at.0 - x, at.1 - y);
        let (on, aside) = (right * dx + down * dy, (right * dy + down * dx).abs());
        (on > 0.5).then_some(on + 2.0 * aside)
    };
    let source = if let Doing::Connecting(source) = doing { Some(source) } else { None };
    let others =
        (0..picture.shapes.len()).filter(|&vertex| Some(vertex) != source && Item::Vertex(vertex) != from);
    let found = others.filter_map(|vertex| Some((cost(vertex)?, vertex))).min_by(|a, b| a.0.total_cmp(&b.0));
    found.map(|(_, vertex)| Item::Vertex(vertex))
}

/// What is selected once something is gone: what came before it, else what came after it.
pub fn after_removal(picture: &Picture, gone: Item) -> Option<Item> {
    let near = |back: bool| {
        let mut at = gone;
        while let Some(item) = next(picture, Some(at), Doing::Nothing, back) {
            if let Item::Vertex(vertex) = item {
                return Some(vertex);
            }
            at = item;
        }
        None
    };
    let vertex = near(true).or_else(|| near(false))?;
    // Whatever stands behind a vertex that is gone moves up by one place.
    Some(Item::Vertex(match gone {
        Item::Vertex(gone) if vertex > gone => vertex - 1,
        _ => vertex,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::picture::tests::picture;
    use super::*;

    #[test]
    fn tab_walks_everything_and_targets_only() {
        let picture = picture(&[]);
        let walk = |doing, back| {
            let mut walked = Vec::new();
            let mut at = None;
            while let Some(item) = next(&picture, at, doing, back) {
                walked.push(item);
                at = Some(item);
            }
            walked
        };
        assert_eq!(walk(Doing::Nothing, false), picture.order);
        assert!(walk(Doing::Nothing, true).iter().eq(picture.order.iter().rev()));
        let targets = [2, 3, 0].map(Item::Vertex);
        assert_eq!(walk(Doing::Connecting(1), false), targets);
    }

    #[test]
    fn arrows_lead_to_what_is_near() {
        let picture = picture(&[]);
        let to = |from: usize, way| towards(&picture, Item::Vertex(from), way, Doing::Nothing);
        assert_eq!(to(2, (0.0, 1.0)), Some(Item::Vertex(3)));
        assert_eq!(to(3, (0.0, -1.0)), Some(Item::Vertex(2)));
        assert_eq!((to(3, (1.0, 0.0)), to(1, (-1.0, 0.0))), (Some(Item::Vertex(0)), None));
        assert!(towards(&picture, Item::Vertex(3), (0.0, -1.0), Doing::Connecting(2)).is_some());
    }

    #[test]
    fn the_selection_stays_near_what_is_gone() {
        let picture = picture(&[]);
        assert_eq!(after_removal(&picture, Item::Vertex(0)), Some(Item::Vertex(2)));
        assert_eq!(after_removal(&picture, Item::Vertex(1)), Some(Item::Vertex(1)));
        assert_eq!(after_removal(&picture, Item::Edge(3)), Some(Item::Vertex(2)));
    }
}
