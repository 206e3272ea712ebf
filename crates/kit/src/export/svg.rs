//! A draw list as SVG with real text, in the light theme, with the scenario's link in its metadata.

use std::fmt::Write;

use crate::draw::{Align, DrawList, Hatch, Ink, Mark, Theme};
use crate::timeline::Class;

/// Where the hatch lines of a class run within an 8 by 8 tile; the canvas draws the same ones.
pub fn hatch_lines(class: Class) -> &'static [[f64; 4]] {
    match class % 4 {
        0 => &[[-2.0, 6.0, 6.0, -2.0], [2.0, 10.0, 10.0, 2.0]],
        1 => &[],
        2 => &[[-2.0, 2.0, 6.0, 10.0], [2.0, -2.0, 10.0, 6.0]],
        _ => &[[-1.0, 4.0, 9.0, 4.0], [4.0, -1.0, 4.0, 9.0]],
    }
}

/// How strong hatch lines are.
pub const HATCH_COLOR: &str = "rgba(0, 0, 0, 0.32)";

/// The picture as an SVG document.
pub fn svg(list: &DrawList, title: &str, link: &str) -> String {
    let (w, h) = (list.width, list.height);
    let mut out = String::new();
    let mut add = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = out.write_fmt(text);
        out.push('\n');
    };
    add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"system-ui, sans-serif\" role=\"img\">"
    ));
    add(format_args!("<title>{}</title>", escaped(title)));
    add(format_args!("<metadata>{}</metadata>", escaped(link)));
    add(format_args!("<defs>"));
    for class in 0..4u8 {
        add(format_args!(
            "<pattern id=\"hatch{class}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
        ));
        for [x1, y1, x2, y2] in hatch_lines(class) {
            add(format_args!(
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#000\" stroke-opacity=\"0.32\" stroke-width=\"1\"/>"
            ));
        }
        add(format_args!("</pattern>"));
    }
    add(format_args!("</defs>"));
    for mark in &list.marks {
        add(format_args!("{}", element(mark)));
    }
    out.push_str("</svg>\n");
    out
}

fn element(mark: &Mark) -> String {
    match mark {
        Mark::Rect { x, y, w, h, ink, hatch } => {
            let place = format!("x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\"");
            let over = match hatch {
                Hatch::Class(class) if !hatch_lines(*class).is_empty() => {
                    format!("<rect {place} fill=\"url(#hatch{})\"/>", class % 4)
                }
                _ => String::new(),
            };
            format!("<rect {place} fill=\"{}\"/>{over}", color(*ink))
        }
        Mark::Frame { x, y, w, h, ink, line } => format!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{line}\"/>",
            color(*ink)
        ),
        Mark::Line { from, to, ink, line } => format!(
            "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{}\" stroke-width=\"{line}\"/>",
            from.0,
            from.1,
            to.0,
            to.1,
            color(*ink)
        ),
        Mark::Text { x, y, text, ink, size, align } => {
            let anchor = match align {
                Align::Start => "start",
                Align::Middle => "middle",
                Align::End => "end",
            };
            format!(
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\" dominant-baseline=\"central\" fill=\"{}\">{}</text>",
                color(*ink),
                escaped(text)
            )
        }
    }
}

fn color(ink: Ink) -> &'static str {
    Theme::Light.color(ink)
}

/// Text as XML takes it; characters XML forbids become spaces.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut list = DrawList::new(10.0, 10.0);
        list.text((1.0, 2.0), "a<b&\"c\"\u{0}", Ink::Text, 12.0, Align::Middle);
        let svg = svg(&list, "<t>", "#v=1&s=x");
        assert!(svg.contains(">a&lt;b&amp;&quot;c&quot; </text>"), "{svg}");
        assert!(
            svg.contains("<title>&lt;t&gt;</title>") && svg.contains("<metadata>#v=1&amp;s=x</metadata>")
        );
    }

    #[test]
    fn every_mark_is_one_element() {
        let mut list = DrawList::new(10.0, 10.0);
        list.rect((0.0, 0.0), (1.0, 1.0), Ink::Class(1));
        list.line((0.0, 0.0), (1.0, 1.0), Ink::Grid);
        let svg = svg(&list, "", "");
        assert_eq!(svg.matches("<rect ").count(), 1);
        assert!(svg.trim_end().ends_with("</svg>"));
    }
}
