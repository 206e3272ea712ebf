//! Paints a draw list onto a canvas, crisp at any pixel ratio.
//!
//! Works in device pixels: edges are rounded to whole ones, and hatch tiles keep their size.

use std::cell::Cell;

use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasPattern, CanvasRenderingContext2d, HtmlCanvasElement};

use kit::draw::{Align, DrawList, Hatch, Ink, Mark, Theme};
use kit::export::svg::{HATCH_COLOR, hatch_lines};

/// How much larger pictures are in front of a class; the style sheet says the same.
const PROJECTED: f64 = 1.3;

/// How much larger pictures are than usual.
fn zoom() -> f64 {
    let root = document().document_element();
    if root.is_some_and(|root| root.has_attribute("data-projector")) { PROJECTED } else { 1.0 }
}

/// Device pixels of a pixel of a picture.
pub fn ratio() -> f64 {
    window().device_pixel_ratio() * zoom()
}

/// Where a pointer is in a picture: events know nothing of how much larger it is.
pub fn place_of(event: &web_sys::MouseEvent) -> (f64, f64) {
    (f64::from(event.offset_x()) / zoom(), f64::from(event.offset_y()) / zoom())
}

/// A canvas with what painting on it needs again and again.
pub struct Painter {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    hatches: Vec<Option<CanvasPattern>>,
    ratio: f64,
    font: Cell<f64>,
}

impl Painter {
    /// The painter of a canvas; `None` where the browser has no 2D canvas.
    pub fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(Self { canvas, context, hatches: Vec::new(), ratio: 0.0, font: Cell::new(0.0) })
    }

    /// Paints a list, at a number of device pixels per pixel.
    pub fn paint(&mut self, list: &DrawList, theme: Theme, ratio: f64) {
        let (w, h) = ((list.width * ratio).round() as u32, (list.height * ratio).round() as u32);
        if self.canvas.width() != w || self.canvas.height() != h {
            self.canvas.set_width(w);
            self.canvas.set_height(h); // which also forgets the font
            self.font.set(0.0);
        }
        if self.ratio != ratio {
            self.ratio = ratio;
            self.hatches = (0..4u8).map(|class| hatch(class, ratio)).collect();
        }
        let mut last = None;
        for mark in &list.marks {
            self.mark(mark, theme, &mut last);
        }
    }

    fn mark(&self, mark: &Mark, theme: Theme, last: &mut Option<Ink>) {
        let (context, r) = (&self.context, self.ratio);
        match mark {
            Mark::Rect { x, y, w, h, ink, hatch } => {
                let (left, top) = ((x * r).round(), (y * r).round());
                let (right, bottom) =
                    (((x + w) * r).round().max(left + 1.0), ((y + h) * r).round().max(top + 1.0));
                self.fill(*ink, theme, last);
                context.fill_rect(left, top, right - left, bottom - top);
                if let Hatch::Class(class) = hatch
                    && let Some(Some(pattern)) = self.hatches.get(usize::from(class % 4))
                    && !hatch_lines(*class).is_empty()
                {
                    context.set_fill_style_canvas_pattern(pattern);
                    context.fill_rect(left, top, right - left, bottom - top);
                    *last = None;
                }
            }
            Mark::Frame { x, y, w, h, ink, line } => {
                context.set_stroke_style_str(theme.color(*ink));
                context.set_line_width((line * r).round().max(1.0));
                context.stroke_rect((x * r).round(), (y * r).round(), (w * r).round(), (h * r).round());
            }
            Mark::Line { from, to, ink, line } => {
                let width = (line * r).round().max(1.0);
                let half = if width % 2.0 == 1.0 { 0.5 } else { 0.0 };
                let at = |v: f64| (v * r).round() + half;
                context.set_stroke_style_str(theme.color(*ink));
                context.set_line_width(width);
                context.begin_path();
                context.move_to(at(from.0), at(from.1));
                context.line_to(at(to.0), at(to.1));
                context.stroke();
            }
            Mark::Text { x, y, text, ink, size, align } => {
                self.fill(*ink, theme, last);
                if self.font.replace(size * r) != size * r {
                    context.set_font(&format!("{}px system-ui, sans-serif", size * r));
                    context.set_text_baseline("middle");
                }
                context.set_text_align(match align {
                    Align::Start => "left",
                    Align::Middle => "center",
                    Align::End => "right",
                });
                // A text that cannot be drawn is in the table beneath.
                let _ = context.fill_text(text, x * r, y * r);
            }
        }
    }

    /// Sets the colour unless it is set already: crossing to JavaScript costs more than painting.
    fn fill(&self, ink: Ink, theme: Theme, last: &mut Option<Ink>) {
        if *last != Some(ink) {
            self.context.set_fill_style_str(theme.color(ink));
            *last = Some(ink);
        }
    }
}

/// A tile of hatch lines.
fn hatch(class: u8, ratio: f64) -> Option<CanvasPattern> {
    let tile: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
    let side = (8.0 * ratio).round();
    tile.set_width(side as u32);
    tile.set_height(side as u32);
    let context: CanvasRenderingContext2d = tile.get_context("2d").ok()??.dyn_into().ok()?;
    context.set_stroke_style_str(HATCH_COLOR);
    context.set_line_width(ratio);
    let scale = side / 8.0;
    for [x1, y1, x2, y2] in hatch_lines(class) {
        context.begin_path();
        context.move_to(x1 * scale, y1 * scale);
        context.line_to(x2 * scale, y2 * scale);
        context.stroke();
    }
    context.create_pattern_with_html_canvas_element(&tile, "repeat").ok()?
}
