//! Draws a chart with plotters, on whatever it can draw on: a canvas, or an SVG document.
//!
//! Chains differ by colour and by the shape of their dots, references by their dashes. All sizes are those of
//! a picture at one pixel per pixel, multiplied at the last moment.

use base::sort;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{DOT, Entry, Frame, Layout, Spread, Tick, corners, ink};
use crate::timeline::Convergence;
use crate::timeline::convergence::{Axis, Bracket, Narrowing, ReferenceKind, StartKind};
use kit::draw::{Ink, Theme};

/// What is drawn on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Its pixels per pixel of the frame.
    pub ratio: f64,
    /// What its font sizes are multiplied by.
    pub font: f64,
}

/// What went wrong while drawing.
pub type DrawError<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

type Drawn<DB> = Result<(), DrawError<DB>>;

const FONT: &str = "system-ui, sans-serif";
const TEXT: f64 = 12.0;
const CHAIN_LINE: f64 = 1.5;
const ENVELOPE_LINE: f64 = 3.0;
const BOUND_LINE: f64 = 2.0;
/// Pixels between the names of lines.
const NAME_ROW: f64 = 16.0;
/// Characters of a line's name, without its number.
const LONGEST_NAME: usize = 22;

/// Draws a chart over the whole of a backend.
pub fn draw<DB: DrawingBackend>(
    backend: DB,
    data: &Convergence,
    frame: &Frame,
    surface: Surface,
) -> Drawn<DB> {
    let root = backend.into_drawing_area();
    let layout = Layout::new(data, frame);
    let brush = Brush { root: &root, theme: frame.theme, surface };
    root.fill(&brush.color(Ink::Ground))?;
    brush.heading(data, frame, &layout)?;
    brush.axes(&layout)?;
    brush.range(frame, &layout)?;
    brush.references(data, &layout)?;
    brush.chains(data, frame, &layout)?;
    brush.names(data, frame, &layout)?;
    brush.marked(data, frame, &layout)?;
    root.present()
}

/// An axis with the ticks of the layout.
struct Ticked {
    range: Range<f64>,
    ticks: Vec<Tick>,
}

impl Ranged for Ticked {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        first + (f64::from(last - first) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new(); // every tick is a bold one
        }
        self.ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Ticked {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().find(|tick| tick.at == *value).map(|tick| tick.label.clone()).unwrap_or_default()
    }
}

/// The surface with its colours and its scale.
struct Brush<'a, DB: DrawingBackend> {
    root: &'a DrawingArea<DB, Shift>,
    theme: Theme,
    surface: Surface,
}

/// The name of a line.
struct Name {
    /// The line's height in pixels.
    line: f64,
    text: String,
    ink: Ink,
    /// Where it stands in a narrow picture.
    end: HPos,
}

impl<DB: DrawingBackend> Brush<'_, DB> {
    fn axes(&self, layout: &Layout) -> Drawn<DB> {
        let x = Ticked { range: layout.x.from..layout.x.to, ticks: layout.x_ticks() };
        let y = Ticked { range: layout.y.from..layout.y.to, ticks: layout.y_ticks() };
        let (width, height) = self.root.dim_in_pixel();
        let [left, top, right, bottom] =
            [layout.area.left, layout.area.top, layout.area.right, layout.area.bottom]
                .map(|edge| self.pixels(edge));
        let mut chart = ChartBuilder::on(self.root)
            .margin_top(top)
            .margin_right(width.cast_signed() - right)
            .x_label_area_size(height.cast_signed() - bottom)
            .y_label_area_size(left)
            .build_cartesian_2d(x, y)?;
        let grid = self.color(Ink::Grid).stroke_width(self.width(1.0));
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(grid)
            .axis_style(self.color(Ink::Muted).stroke_width(self.width(1.0)))
            .set_all_tick_mark_size(self.pixels(4.0))
            .label_style(self.style(TEXT, Ink::Muted))
            .draw()?;
        let below = (f64::midpoint(layout.area.left, layout.area.right), layout.area.bottom + 34.0);
        self.text(below, axis_title(layout), TEXT, Ink::Muted, HPos::Center)?;
        self.text((8.0, layout.area.top - 16.0), "makespan in cycles", TEXT, Ink::Muted, HPos::Left)
    }

    /// Title and legend of a picture that stands alone.
    fn heading(&self, data: &Convergence, frame: &Frame, layout: &Layout) -> Drawn<DB> {
        let Some(title) = &frame.heading else { return Ok(()) };
        // Line breaks and other control characters: an SVG document that holds some is none.
        let title = title.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), " ");
        self.text((layout.area.left, 14.0), &title, 14.0, Ink::Text, HPos::Left)?;
        for (i, entry) in frame.legend(data).into_iter().enumerate() {
            let (x, y) = layout.legend.entry(i);
            let (ink, line) = stroke(entry);
            self.line(&[(x, y), (x + 20.0, y)], ink, line)?;
            if let Entry::Chains(kind) = entry {
                self.dot((x + 10.0, y), kind)?;
            }
            self.text((x + 26.0, y), entry.label(), TEXT, Ink::Text, HPos::Left)?;
        }
        Ok(())
    }

    fn range(&self, frame: &Frame, layout: &Layout) -> Drawn<DB> {
        let Some((a, b)) = frame.range else { return Ok(()) };
        let within = |x: f64| x.clamp(layout.area.left, layout.area.right);
        let corners = [(within(a.min(b)), layout.area.top), (within(a.max(b)), layout.area.bottom)];
        let veil = self.color(Ink::Muted).mix(0.2).filled();
        self.root.draw(&Rectangle::new(corners.map(|corner| self.at(corner)), veil))
    }

    fn references(&self, data: &Convergence, layout: &Layout) -> Drawn<DB> {
        for reference in &data.references {
            let y = layout.y.pixel(f64::from(reference.makespan));
            let (on, off) = dashes(reference.kind);
            let mut x = layout.area.left;
            while x < layout.area.right && in_sight(layout, reference.makespan) {
                let end = (x + on).min(layout.area.right);
                self.line(&[(x, y), (end, y)], Ink::Muted, CHAIN_LINE)?;
                x = end + off;
            }
        }
        Ok(())
    }

    fn chains(&self, data: &Convergence, frame: &Frame, layout: &Layout) -> Drawn<DB> {
        let pixels = |path: Vec<(f64, f64)>| -> Vec<(f64, f64)> {
            path.into_iter().map(|(x, y)| (layout.x.pixel(x), layout.y.pixel(y))).collect()
        };
        if let Some(bracket) = &data.bracket {
            let end = data.end(layout.axis);
            let side = |side| pixels(layout.path(&bracket.staircase(layout.axis, end, side)));
            self.bracket(side(|step| step.upper), &side(|step| step.lower), layout)?;
        }
        let shown = || data.chains.iter().filter(|chain| frame.shows(chain));
        for chain in shown() {
            self.line(&pixels(layout.path(&chain.staircase(layout.axis))), ink(chain.kind), CHAIN_LINE)?;
        }
        self.line(&pixels(layout.path(&data.envelope(layout.axis))), Ink::Text, ENVELOPE_LINE)?;
        for chain in shown() {
            for improvement in &chain.improvements {
                let (x, y) = layout.pixel(improvement.at(layout.axis), improvement.makespan);
                if x >= layout.area.left - 0.5 && x <= layout.area.right + 0.5 {
                    self.dot((x, y), chain.kind)?;
                }
            }
        }
        Ok(())
    }

    /// Says what the envelope has reached and what the references are: beside the plot, or above the lines.
    fn names(&self, data: &Convergence, frame: &Frame, layout: &Layout) -> Drawn<DB> {
        let best = data.envelope(layout.axis).last().map(|&(_, best)| Name {
            line: layout.y.pixel(f64::from(best)),
            text: format!("largest found: {best}"),
            ink: Ink::Text,
            end: HPos::Right,
        });
        let mut names: Vec<Name> = best.into_iter().chain(bounds(data, layout)).collect();
        for reference in &data.references {
            let makespan = f64::from(reference.makespan);
            // Within the plot, references stand at the left, where chains are still low.
            let (beyond, end) = match () {
                () if makespan > layout.y.to => (" ↑", HPos::Right),
                () if makespan < layout.y.from => (" ↓", HPos::Right),
                () => ("", HPos::Left),
            };
            names.push(Name {
                line: layout.y.pixel(makespan).clamp(layout.area.top, layout.area.bottom),
                text: format!("{}: {}{beyond}", short(&reference.label), reference.makespan),
                ink: Ink::Muted,
                end,
            });
        }
        sort::sort_by(&mut names, |a, b| a.line.total_cmp(&b.line));
        if frame.is_wide() {
            return self.names_beside(&names, layout);
        }
        // Beside the name of the axis there is room at the right.
        let top = layout.area.top;
        self.names_above(names.iter().filter(|name| matches!(name.end, HPos::Left)), layout, top + 8.0)?;
        self.names_above(names.iter().filter(|name| matches!(name.end, HPos::Right)), layout, top - 16.0)
    }

    fn names_beside(&self, names: &[Name], layout: &Layout) -> Drawn<DB> {
        let mut free = layout.area.top - NAME_ROW;
        let x = layout.area.right;
        for Name { line, text, ink, .. } in names {
            let y = line.max(free);
            self.line(&[(x, *line), (x + 8.0, y)], *ink, 1.0)?;
            self.text((x + 12.0, y), text, TEXT, *ink, HPos::Left)?;
            free = y + NAME_ROW;
        }
        Ok(())
    }

    /// Names on plates of their own, at one end of the lines, from a height downwards.
    fn names_above<'a>(
        &self,
        names: impl Iterator<Item = &'a Name>,
        layout: &Layout,
        mut free: f64,
    ) -> Drawn<DB> {
        for Name { line, text, ink, end } in names {
            let width = text.chars().count() as f64 * 6.4 + 4.0;
            let (x, left) = match end {
                HPos::Right => (layout.area.right - 4.0, layout.area.right - 4.0 - width),
                _ => (layout.area.left + 8.0, layout.area.left + 6.0),
            };
            let y = (line - 10.0).max(free);
            let plate = [(left, y - 7.0), (left + width, y + 7.0)].map(|corner| self.at(corner));
            self.root.draw(&Rectangle::new(plate, self.color(Ink::Ground).mix(0.85).filled()))?;
            self.text((x, y), text, TEXT, *ink, *end)?;
            free = y + NAME_ROW;
        }
        Ok(())
    }

    /// Rings around what is pointed at and what is selected.
    fn marked(&self, data: &Convergence, frame: &Frame, layout: &Layout) -> Drawn<DB> {
        let rings = [(frame.selected, 9.0, 3.0), (frame.pointed, 7.0, 1.5)];
        for (id, radius, line) in rings {
            let Some((chain, improvement)) = id.and_then(|id| data.improvement(id)) else { continue };
            let (x, y) = layout.pixel(improvement.at(layout.axis), improvement.makespan);
            if frame.shows(chain) && layout.area.holds(x, y) {
                let style = self.color(Ink::Accent).stroke_width(self.width(line));
                self.root.draw(&Circle::new(self.at((x, y)), self.pixels(radius), style))?;
            }
        }
        Ok(())
    }

    /// The dot of an improvement: every kind of start has its own shape.
    fn dot(&self, at: (f64, f64), kind: StartKind) -> Drawn<DB> {
        let style = self.color(ink(kind)).filled();
        let shape = corners(kind);
        if shape.is_empty() {
            return self.root.draw(&Circle::new(self.at(at), self.pixels(DOT), style));
        }
        let corners: Vec<_> = shape.iter().map(|(dx, dy)| self.at((at.0 + dx, at.1 + dy))).collect();
        self.root.draw(&Polygon::new(corners, style))
    }

    /// What is found and what is proven, with the gap between them shaded.
    fn bracket(&self, mut upper: Vec<(f64, f64)>, lower: &[(f64, f64)], layout: &Layout) -> Drawn<DB> {
        // First bounds may lie far above the plot.
        upper.iter_mut().for_each(|(_, y)| *y = y.max(layout.area.top));
        let around = upper.iter().chain(lower.iter().rev()).map(|&point| self.at(point));
        let (ink, width) = stroke(Entry::Bracket);
        self.root.draw(&Polygon::new(around.collect::<Vec<_>>(), self.color(ink).mix(0.14).filled()))?;
        let seen = upper.iter().take_while(|point| point.1 <= layout.area.top).count();
        // From the last corner out of sight the line comes down into the plot.
        self.line(&upper[seen.saturating_sub(1)..], ink, width)?;
        self.line(lower, ink, width)
    }

    fn line(&self, path: &[(f64, f64)], ink: Ink, width: f64) -> Drawn<DB> {
        let points = path.iter().map(|&point| self.at(point)).collect::<Vec<_>>();
        self.root.draw(&PathElement::new(points, self.color(ink).stroke_width(self.width(width))))
    }

    /// A text, vertically centred.
    fn text(&self, at: (f64, f64), text: &str, size: f64, ink: Ink, end: HPos) -> Drawn<DB> {
        let style = self.style(size, ink).pos(Pos::new(end, VPos::Center));
        self.root.draw(&Text::new(text, self.at(at), style))
    }

    fn style(&self, size: f64, ink: Ink) -> TextStyle<'static> {
        (FONT, size * self.surface.ratio * self.surface.font).into_font().color(&self.color(ink))
    }

    fn color(&self, ink: Ink) -> RGBColor {
        let hex = u32::from_str_radix(self.theme.color(ink).trim_start_matches('#'), 16).unwrap_or_default();
        let [_, red, green, blue] = hex.to_be_bytes();
        RGBColor(red, green, blue)
    }

    fn at(&self, (x, y): (f64, f64)) -> (i32, i32) {
        (self.pixels(x), self.pixels(y))
    }

    fn pixels(&self, length: f64) -> i32 {
        (length * self.surface.ratio).round() as i32
    }

    fn width(&self, line: f64) -> u32 {
        (line * self.surface.ratio).round().max(1.0) as u32
    }
}

/// How the line of an entry is drawn.
fn stroke(entry: Entry) -> (Ink, f64) {
    match entry {
        Entry::Envelope => (Ink::Text, ENVELOPE_LINE),
        Entry::Bracket => (Ink::Proof, BOUND_LINE),
        Entry::Chains(kind) => (ink(kind), CHAIN_LINE),
    }
}

/// The names of what is found and what is proven; one where they meet.
fn bounds(data: &Convergence, layout: &Layout) -> Vec<Name> {
    let Some(step) = data.bracket.as_ref().and_then(Bracket::last) else { return Vec::new() };
    let name = |makespan: u32, text: String| Name {
        line: layout.y.pixel(f64::from(makespan)).max(layout.area.top),
        text,
        ink: stroke(Entry::Bracket).0,
        end: HPos::Right,
    };
    let Narrowing { lower, upper, .. } = step;
    if lower >= upper {
        return vec![name(upper, format!("worst case: {upper}, proven"))];
    }
    let gap = format!("at most: {upper}, gap {}", upper - lower);
    vec![name(upper, gap), name(lower, format!("search found: {lower}"))]
}

fn axis_title(layout: &Layout) -> &'static str {
    match (layout.axis, layout.spread) {
        (Axis::Seconds, Spread::Linear) => "seconds of computing, each from its own start",
        (Axis::Seconds, Spread::Log) => "seconds of computing, each from its own start, logarithmic",
        (Axis::Iterations, Spread::Linear) => "iterations per chain",
        (Axis::Iterations, Spread::Log) => "iterations per chain, logarithmic",
    }
}

/// How long dashes and gaps are.
fn dashes(kind: ReferenceKind) -> (f64, f64) {
    match kind {
        ReferenceKind::UpperBound => (f64::INFINITY, 0.0),
        ReferenceKind::LowerBound => (10.0, 5.0),
        ReferenceKind::Published => (3.0, 5.0),
    }
}

/// A name that fits beside the plot; what is drawn may hold any character, but an SVG document may not.
fn short(label: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut name: String = label.chars().map(plain).take(LONGEST_NAME).collect();
    if label.chars().nth(LONGEST_NAME).is_some() {
        name.push('…');
    }
    name
}

fn in_sight(layout: &Layout, makespan: u32) -> bool {
    (layout.y.from..=layout.y.to).contains(&f64::from(makespan))
}
