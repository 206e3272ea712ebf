//! Everything that is written with names of the input in it: pictures are pictures, tables are tables, traces are JSON,
//! and code to embed a scenario is one frame.

use serde_json::{Value, json};
use warpspan::draw::blocks::{Look as BlocksLook, Panel};
use warpspan::draw::chart::{Frame, Spread};
use warpspan::draw::tasks::Look as TasksLook;
use warpspan::draw::{Theme, gantt};
use warpspan::export::chart::chart_svg;
use warpspan::export::{
    blocks_csv, blocks_svg, chain_csv, chain_svg, examiner_log, perfetto, svg, tasks_csv, tasks_svg,
};
use warpspan::import::json::{line, parse, pretty};
use warpspan::job;
use warpspan::page::chain::part;
use warpspan::page::sheet::sheet;
use warpspan::page::{Shown, embed};
use warpspan::report::blocks::picture;
use warpspan::report::chain::WholeReport;
use warpspan::report::tasks::TasksReport;
use warpspan::report::{BlocksReport, Report};
use warpspan::scenario::{self, link};
use warpspan::timeline::Rows;
use warpspan::timeline::blocks::{BlocksTimeline, Measure, kernel_classes};
use warpspan::timeline::chain::Walk;
use warpspan::timeline::convergence::{Axis, Convergence};
use warpspan::timeline::tasks::{Demand, Witnessed};

use super::hostile;

fn report(document: &Value) -> Report {
    let scenario = scenario::from_tree(document).expect("valid, whatever its names are");
    job::run(scenario)
}

/// The link to a document with something of this name selected: no text in it can end an attribute.
fn link_to(document: &Value, name: &str) -> String {
    let view = link::View { sel: Some(format!("kernel:{name}:code")), ..link::View::default() };
    let link = link::write(document, &view).expect("short enough");
    assert!(link.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~:/,;@%&=".contains(&b)), "{link}");
    assert_eq!(link::open(&link).map(|link| link.view), Ok(view));
    link
}

/// Names that a link and a picture can hold.
fn names() -> Vec<String> {
    hostile().into_iter().map(|name| name.chars().take(500).collect()).collect()
}

/// A picture: the elements and attributes that drawings have, and nothing that runs or leads elsewhere.
fn is_picture(svg: &str) {
    const ELEMENTS: [&str; 14] = [
        "svg", "title", "metadata", "defs", "pattern", "line", "rect", "text", "g", "path", "polyline",
        "polygon", "circle", "tspan",
    ];
    const ATTRIBUTES: [&str; 32] = [
        "xmlns",
        "width",
        "height",
        "viewBox",
        "font-family",
        "role",
        "id",
        "patternUnits",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "stroke",
        "stroke-opacity",
        "stroke-width",
        "fill",
        "font-size",
        "text-anchor",
        "dominant-baseline",
        "opacity",
        "points",
        "cx",
        "cy",
        "r",
        "d",
        "dy",
        "dx",
        "font-style",
        "font-weight",
        "transform",
    ];
    let mut rest = svg;
    let mut open = Vec::new();
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        let (inside, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let (inside, empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let (name, mut attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        assert!(ELEMENTS.contains(&name), "<{name}> in {svg}");
        while let Some((key, after)) = attributes.trim_start().split_once("=\"") {
            assert!(ATTRIBUTES.contains(&key), "{key} in <{name}>");
            let (_, after) = after.split_once('"').expect("an attribute ends");
            attributes = after;
        }
        assert_eq!(attributes.trim(), "", "<{inside}>");
        if !empty {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
    assert!(!svg.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "control characters");
}

/// A table: as many fields in every line, none of which a spreadsheet runs.
fn is_table(csv: &str) {
    let lines = fields(csv);
    assert!(lines.len() > 1, "{csv}");
    for line in &lines {
        assert_eq!(line.len(), lines[0].len(), "{csv}");
        for field in line {
            let runs =
                field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && field.parse::<f64>().is_err();
            assert!(!runs, "{field}");
        }
    }
}

/// The fields of a table, as RFC 4180 says.
fn fields(csv: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut field)),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'));
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && line.is_empty());
    lines
}

/// A printed sheet: its pictures are the only mark-up in it.
fn is_sheet(document: &Value, report: &Report, link: &str) {
    let sheet = sheet(&pretty(document), &[report.line()], None, link).expect("a sheet");
    sheet.picture.iter().chain(&sheet.blank).for_each(|svg| is_picture(svg));
}

fn is_frame(link: &str, title: &str) {
    let code = embed::frame("https://example.org/\"><script>", link, title);
    assert_eq!(code.matches(['<', '>']).count(), 4, "{code}");
    assert_eq!(code.matches('"').count(), 12, "{code}");
}

#[test]
fn warps() {
    for name in names() {
        let document = json!({"warpspan": 1, "title": name, "notes": name,
            "warps": {"kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}}});
        let (report, link) = (report(&document), link_to(&document, &name));
        let shown = Shown::new(&pretty(&document), &report.line()).expect("shown");
        let timeline = shown.whole_picture(Rows::Warps);
        let list = gantt::draw(&timeline, &gantt::Frame::whole(&timeline, 800.0));
        is_picture(&svg::svg(&list, &name, &link));
        assert!(parse(&perfetto::schedule_perfetto(&timeline, &name)).is_ok());
        is_sheet(&document, &report, &link);
        is_frame(&link, &name);
    }
}

#[test]
fn chains_of_an_annealing() {
    let data = Convergence::default();
    for name in names() {
        let frame = Frame {
            width: 600.0,
            height: 300.0,
            axis: Axis::Iterations,
            spread: Spread::Linear,
            zoom: None,
            hidden: Vec::new(),
            pointed: None,
            selected: None,
            range: None,
            heading: Some(name.clone()),
            theme: Theme::Light,
        };
        is_picture(&chart_svg(&data, &frame, &name, &name));
    }
}

#[test]
fn blocks() {
    for name in names() {
        let launch = json!({"kernel": name, "blocks": 4, "threads": 32, "duration": 1000});
        let copy = json!({"copy": "in", "bytes": 4096, "label": name});
        let document = json!({"warpspan": 1, "title": name, "blocks": {"device": {"preset": "jetson-tx2"},
            "streams": [{"label": name, "operations": [copy, launch]}]}});
        let (report, link) = (report(&document), link_to(&document, &name));
        let Some(seen) = report.of::<BlocksReport>() else { unreachable!("a run of blocks") };
        let run = picture(seen).0.expect("simulated");
        is_table(&blocks_csv::blocks_csv(&run.setup, &run.trace));
        is_table(&blocks_csv::kernels_csv(&run.setup, &run.trace));
        is_table(&blocks_csv::copies_csv(&run.setup, &run.trace));
        assert!(parse(&perfetto::perfetto(&run.setup, &run.trace)).is_ok());
        let logs =
            examiner_log::examiner_logs(&run.setup, &run.trace, &name, examiner_log::Origin::Simulated);
        for log in logs.files {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            assert!(log.name.chars().all(plain) && !log.name.starts_with('.'), "{}", log.name);
            let again = parse(&log.text).expect("JSON");
            assert_eq!(again["label"], Value::from(name.as_str()));
        }
        let classes = kernel_classes(&[(&run.setup, &run.trace)]);
        let timeline = BlocksTimeline::new(&run.setup, &run.trace, &classes[0], Measure::Threads);
        let panel = Panel { title: &name, setup: &run.setup, trace: &run.trace, timeline: &timeline };
        let look = BlocksLook::new(800.0, 600.0, 0.0, timeline.end);
        is_picture(&blocks_svg::blocks_svg(&[panel], &look, &name, &link));
        is_sheet(&document, &report, &link);
        is_frame(&link, &name);
    }
}

#[test]
fn tasks() {
    for name in names() {
        let document = json!({"warpspan": 1, "title": name, "tasks": [
            {"name": name, "period": 10, "vertices": [{"name": name, "e": 4, "d": 5}, {"name": "b", "e": 3, "d": 5}],
             "edges": [[name, "b", 5]]},
            {"name": "other", "period": 10, "vertices": [{"name": "c", "e": 4, "d": 4}]}]});
        let (report, link) = (report(&document), link_to(&document, &name));
        let Some(seen) = report.of::<TasksReport>() else { unreachable!("a set of tasks") };
        let demand = Demand::new(seen);
        is_table(&tasks_csv::demand_csv(&demand));
        is_picture(&tasks_svg::tasks_svg(&demand, &TasksLook::new(800.0, 400.0, 0.0, 40.0), &name, &link));
        let witness = Witnessed::new(&seen.witness);
        assert!(!witness.jobs.is_empty(), "a deadline is missed");
        is_table(&tasks_csv::witness_csv(&witness));
        assert!(parse(&perfetto::witness_perfetto(&witness, &name)).is_ok());
        is_sheet(&document, &report, &link);
        is_frame(&link, &name);
    }
}

/// And every station of a chain, which its link names, is found again when that is opened.
#[test]
fn chains() {
    for name in names() {
        let document = json!({"warpspan": 1, "title": name, "chain": {"device": {"preset": "jetson-tx2"},
            "machine": {"L": 1, "C": 1}, "clock": 1_000_000_000,
            "kernels": [{"name": name, "kernel": "LCL", "blocks": 2, "threads": 64}],
            "tasks": [{"name": name, "period": 40_000_000, "segments": [{"ticks": 4, "label": name}, {"launch": name}]}]}});
        let (report, link) = (report(&document), link_to(&document, &name));
        let Some(seen) = report.of::<WholeReport>() else { unreachable!("a chain") };
        is_table(&chain_csv::kernels_csv(seen));
        is_table(&chain_csv::tasks_csv(seen));
        is_picture(&chain_svg::chain_svg(seen, 900.0, &name, &link));
        is_sheet(&document, &report, &link);
        is_frame(&link, &name);
        let walk = Walk::new(seen);
        for node in walk.nodes() {
            let sel = Walk::name(seen, node).expect("a station has a name");
            let view = link::View { sel: Some(sel), ..link::View::default() };
            let opened = link::open(&link::write(&document, &view).expect("a link")).expect("it opens");
            assert_eq!(walk.named(seen, opened.view.sel.as_deref().unwrap_or_default()), Some(node));
        }
        for own in &seen.parts {
            let known = part(seen, &own.id).expect("found by its id");
            assert!(parse(&line(&known.document)).is_ok());
        }
    }
}
