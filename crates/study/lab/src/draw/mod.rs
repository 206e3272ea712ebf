//! Charts of a study as marks: curves with their intervals, boxes, clouds and heat maps. A plan says where everything
//! stands; pictures, pointers and tests ask it.

mod axes;
mod cells;
mod layout;
mod legend;
mod series;
mod shapes;
#[cfg(test)]
mod tests;
mod ticks;

pub use layout::{Layout, Spot};
pub use shapes::shape;

use kit::draw::list::{DrawList, Ink};

use crate::page::Chart;
use crate::scenario::Kind;

/// Size of words along axes and in legends.
const SIZE: f64 = 12.0;

/// How large a picture is, and what stands out in it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Look {
    /// Width of the whole picture.
    pub width: f64,
    /// Height of the whole picture.
    pub height: f64,
    /// Whether its title stands in it.
    pub titled: bool,
    /// The dot under the pointer.
    pub pointed: Option<Spot>,
    /// The dot that is selected.
    pub selected: Option<Spot>,
}

/// Draws a chart.
pub fn draw(chart: &Chart, look: &Look) -> DrawList {
    let layout = Layout::new(chart, look);
    let mut list = DrawList::new(layout.width, layout.height);
    list.rect((0.0, 0.0), (layout.width, layout.height), Ink::Ground);
    axes::grid(chart, &layout, &mut list.marks);
    match chart.kind {
        Kind::Line => series::lines(chart, &layout, &mut list.marks),
        Kind::Box => series::boxes(chart, &layout, &mut list.marks),
        Kind::Scatter => series::cloud(chart, &layout, &mut list.marks),
        Kind::Heat => cells::draw(chart, &layout, &mut list.marks),
    }
    axes::draw(chart, &layout, &mut list.marks);
    legend::draw(chart, &layout, look.titled, &mut list.marks);
    for (spot, thick) in [(look.selected, 2.5), (look.pointed, 1.5)] {
        if let Some(spot) = spot {
            series::ring(chart, &layout, spot, thick, &mut list.marks);
        }
    }
    list
}
