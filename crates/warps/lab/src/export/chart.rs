//! A chart of converging chains as SVG, with the scenario's link in its metadata.

use plotters::prelude::SVGBackend;

use crate::draw::chart::{Frame, Surface, draw};
use crate::timeline::Convergence;
use kit::export::svg::escaped;

/// plotters' SVG makes letters smaller by this.
const FONT: f64 = 1.24;

/// The chart as an SVG document.
pub fn chart_svg(data: &Convergence, frame: &Frame, title: &str, link: &str) -> String {
    let mut out = String::new();
    let size = (frame.width.round().max(1.0) as u32, frame.height.round().max(1.0) as u32);
    // Drawing into a string cannot fail; a picture cut short would still be well-formed.
    let _ = draw(SVGBackend::with_string(&mut out, size), data, frame, Surface { ratio: 1.0, font: FONT });
    let about = format!("<title>{}</title>\n<metadata>{}</metadata>\n", escaped(title), escaped(link));
    let place = out.find('\n').map_or(0, |end| end + 1);
    out.insert_str(place, &about);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::chart::sample::{data, frame, proven};
    use crate::draw::chart::{Frame, Layout, Spread};
    use crate::timeline::convergence::{Axis, StartKind};
    use kit::draw::{Ink, Theme};

    fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
        let rest = element.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
        rest.split('"').next().unwrap_or_default()
    }

    /// The points of all lines of a colour and a width.
    fn lines(svg: &str, ink: Ink, width: &str) -> Vec<Vec<(f64, f64)>> {
        let color = Theme::Light.color(ink).to_ascii_uppercase();
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        svg.lines()
            .filter(|line| line.starts_with("<polyline"))
            .filter(|line| attribute(line, "stroke") == color && attribute(line, "stroke-width") == width)
            .map(|line| {
                let pairs = attribute(line, "points").split_whitespace();
                pairs.filter_map(|pair| pair.split_once(',')).map(|(x, y)| (number(x), number(y))).collect()
            })
            .collect()
    }

    fn same(found: &[(f64, f64)], expected: &[(f64, f64)]) {
        let near = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs() <= 0.51 && (a.1 - b.1).abs() <= 0.51;
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| near(a, b)),
            "{found:?}\n{expected:?}"
        );
    }

    #[test]
    fn every_staircase_and_the_envelope_stand_where_the_plan_says() {
        for spread in [Spread::Linear, Spread::Log] {
            let (data, frame) = (data(), frame(spread));
            let svg = chart_svg(&data, &frame, "", "");
            let layout = Layout::new(&data, &frame);
            let pixels = |staircase: &[(f64, u32)]| -> Vec<(f64, f64)> {
                let path = layout.path(staircase).into_iter();
                path.map(|(x, y)| (layout.x.pixel(x), layout.y.pixel(y))).collect()
            };
            for (chain, ink) in data.chains.iter().zip([Ink::Class(0), Ink::Class(3)]) {
                let [found] = &lines(&svg, ink, "2")[..] else { unreachable!("one line per chain: {svg}") };
                same(found, &pixels(&chain.staircase(frame.axis)));
            }
            let [found] = &lines(&svg, Ink::Text, "3")[..] else { unreachable!("one envelope: {svg}") };
            same(found, &pixels(&data.envelope(frame.axis)));
        }
    }

    #[test]
    fn the_axes_agree_with_the_plan() {
        let (data, frame) = (data(), frame(Spread::Log));
        let svg = chart_svg(&data, &frame, "", "");
        let layout = Layout::new(&data, &frame);
        let grid = lines(&svg, Ink::Grid, "1").concat();
        let drawn: Vec<&str> = svg.lines().filter(|line| line.starts_with("<line")).collect();
        let has = |name: &str, pixel: f64| {
            drawn.iter().any(|line| {
                attribute(line, name).parse::<f64>().is_ok_and(|found| (found - pixel).abs() <= 0.51)
            }) || grid.iter().any(|&(x, y)| ((if name == "x1" { x } else { y }) - pixel).abs() <= 0.51)
        };
        assert!(layout.x_ticks().iter().all(|tick| has("x1", layout.x.pixel(tick.at))), "{svg}");
        assert!(layout.y_ticks().iter().all(|tick| has("y1", layout.y.pixel(tick.at))), "{svg}");
    }

    #[test]
    fn dots_names_and_labels_are_there() {
        let (mut data, mut frame) = (data(), frame(Spread::Log));
        data.references[0].label += "\u{0}";
        let count = |svg: &str, element: &str| svg.matches(element).count();
        let svg = chart_svg(&data, &frame, "a & b", "#v=1&s=x");
        assert_eq!((count(&svg, "<circle"), count(&svg, "<polygon")), (3, 4), "{svg}");
        for text in [
            "<title>a &amp; b</title>",
            "<metadata>#v=1&amp;s=x</metadata>",
            "found by &lt;B&gt; : 160\n",
            "upper bound: 281 ↑\n",
            "largest found: 160\n",
            "makespan in cycles\n",
            "seconds of computing, each from its own start, logarithmic\n",
        ] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert!(!svg.contains('\u{0}') && svg.trim_end().ends_with("</svg>"));
        frame.hidden = vec![StartKind::Random];
        (frame.pointed, frame.selected) = (Some((0, 1)), Some((1, 1)));
        let svg = chart_svg(&data, &frame, "", "");
        // Three dots and one ring: what is hidden is not marked either.
        assert_eq!((count(&svg, "<circle"), count(&svg, "<polygon")), (4, 0), "{svg}");
    }

    #[test]
    fn a_bracket_is_two_staircases_that_meet_and_says_so() {
        for axis in [Axis::Seconds, Axis::Iterations] {
            let (mut data, frame) = (proven(), Frame { axis, ..frame(Spread::Log) });
            data.references.clear();
            let svg = chart_svg(&data, &frame, "", "");
            let layout = Layout::new(&data, &frame);
            let found = lines(&svg, Ink::Proof, "2");
            let end = |line: &Vec<(f64, f64)>| line.last().copied().unwrap_or_default().1;
            let y = layout.y.pixel(160.0);
            assert!(found.len() == 2 && found.iter().all(|line| (end(line) - y).abs() <= 0.51), "{found:?}");
            assert!(svg.contains("worst case: 160, proven\n"), "{svg}");
            let steps = data.bracket.as_mut().map(|bracket| bracket.steps.pop());
            assert!(steps.is_some());
            let open = chart_svg(&data, &frame, "", "");
            assert!(open.contains("at most: 162, gap 3\n") && open.contains("search found: 159\n"), "{open}");
        }
    }

    #[test]
    fn references_in_sight_are_lines_across_the_plot() {
        let (mut data, frame) = (data(), frame(Spread::Log));
        data.references[1].makespan = 170;
        let layout = Layout::new(&data, &frame);
        let found = lines(&chart_svg(&data, &frame, "", ""), Ink::Muted, "2");
        let y = layout.y.pixel(170.0);
        let across = [(layout.area.left, y), (layout.area.right, y)];
        assert!(found.iter().any(|line| (line[0].1 - y).abs() <= 0.51 && line.len() == 2), "{found:?}");
        same(&found.into_iter().find(|line| (line[0].1 - y).abs() <= 0.51).unwrap_or_default(), &across);
    }

    #[test]
    fn a_picture_that_stands_alone_has_a_title_and_a_legend() {
        let (data, mut frame) = (data(), frame(Spread::Log));
        frame.heading = Some("Voronoi".to_owned());
        let svg = chart_svg(&data, &frame, "", "");
        for text in ["Voronoi\n", "largest of all\n", "round-robin\n", "random\n"] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert!(!svg.contains("most pending"), "{svg}");
    }

    #[test]
    fn no_size_and_no_data_are_drawn_as_well() {
        let mut small = frame(Spread::Linear);
        (small.width, small.height) = (0.0, 0.0);
        assert!(chart_svg(&data(), &small, "", "").ends_with("</svg>\n"));
        assert!(chart_svg(&Convergence::default(), &frame(Spread::Log), "", "").ends_with("</svg>\n"));
    }
}
