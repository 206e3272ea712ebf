//! The axes of a chart: the grid, both lines, and what stands along them.

use super::list::{Align, Ink, Mark};
use super::scale::Scale;
use super::words::{fitted, text, width};

/// A place on an axis, and what is written there.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where.
    pub at: f64,
    /// What.
    pub label: String,
}

/// Both axes of a plot.
#[derive(Debug, Clone, Copy)]
pub struct Axes<'a> {
    /// To the right.
    pub x: &'a Scale,
    /// Upwards: its `left` is the bottom of the plot.
    pub y: &'a Scale,
    /// What stands along the axis to the right.
    pub across: &'a [Tick],
    /// What stands along the one upwards.
    pub up: &'a [Tick],
    /// Width of the whole picture.
    pub width: f64,
    /// Size of the words.
    pub size: f64,
}

impl Axes<'_> {
    /// Lines of the grid; those upwards reach below the axis, to their numbers.
    pub fn grid(&self, out: &mut Vec<Mark>) {
        for tick in self.up {
            let y = self.y.pixel(tick.at).round();
            out.push(line((self.x.left, y), (self.x.right, y), Ink::Grid));
        }
        for tick in self.across {
            let x = self.x.pixel(tick.at).round();
            out.push(line((x, self.y.right), (x, self.y.left + 4.0), Ink::Grid));
        }
    }

    /// The two lines.
    pub fn lines(&self, out: &mut Vec<Mark>) {
        let corner = (self.x.left, self.y.left);
        out.push(line(corner, (self.x.right, self.y.left), Ink::Muted));
        out.push(line((self.x.left, self.y.right), corner, Ink::Muted));
    }

    /// What stands along both; nothing reaches beyond the picture, and nothing into its neighbour.
    pub fn words(&self, out: &mut Vec<Mark>) {
        let (left, bottom) = (self.x.left, self.y.left);
        for tick in self.up {
            let y = self.y.pixel(tick.at).round();
            let said = fitted(&tick.label, left - 10.0, self.size);
            out.push(text((left - 7.0, y), said, Ink::Muted, self.size, Align::End));
        }
        let apart = self.across.windows(2).map(|pair| (pair[1].at - pair[0].at) * self.x.per_unit());
        let room = apart.fold(self.x.right - left, f64::min).max(24.0) - 6.0;
        for tick in self.across {
            let said = fitted(&tick.label, room, self.size);
            let half = width(&said, self.size) / 2.0;
            let x = self.x.pixel(tick.at).round().min(self.width - 2.0 - half).max(half + 2.0);
            out.push(text((x, bottom + 14.0), said, Ink::Muted, self.size, Align::Middle));
        }
    }
}

fn line(from: (f64, f64), to: (f64, f64), ink: Ink) -> Mark {
    Mark::Line { from, to, ink, line: 1.0 }
}
