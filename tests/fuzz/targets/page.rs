//! What the page's forms make of a document, which need not be a sound one: what they show, and what editing writes.

use serde_json::Value;
use warpspan::import::json;
use warpspan::page::blocks::form::{device, examiner, has_processes, streams};
use warpspan::page::chain::{assumed, form as chain};
use warpspan::page::fields::path::{self, Key};
use warpspan::page::fields::{Slot, fits, shown, written};
use warpspan::page::tasks::graph::{self, Graph, edits, picture};
use warpspan::page::tasks::{form as tasks, graph::layout};
use warpspan::page::{Subject, claims, edit, program};
use warpspan::scenario;

use super::said::clear;
use super::text;

/// What someone types into fields.
const TYPED: [&str; 6] = ["", "3", "-1e308", "18446744073709551616", "1.5 ms", "a, b"];
/// Places in lists that are looked at.
const PLACES: [usize; 4] = [0, 1, 2, 1_000_000];
/// Graphs with more vertices or edges are not laid out here.
const MOST_DRAWN: usize = 60;

/// The forms of any tree, and the documents that editing makes of it.
pub fn page(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Ok(tree) = json::parse(&text) else { return };
    let _ = Subject::of(&tree).map(|subject| subject.key());
    for place in PLACES {
        blocks_form(&tree, place);
        tasks_form(&tree, place);
        chain_form(&tree, place);
        claim_form(&tree, place);
    }
    program_form(&tree);
}

/// A document that editing has made.
fn made(tree: &Value) {
    // It is written into the address and read again, where fractions may have another last digit.
    assert!(json::parse(&json::line(tree)).is_ok(), "what is edited can be written");
    if let Err(problems) = scenario::from_tree(tree) {
        clear(&problems);
    }
}

/// What fields show and what typing into them makes, of some of them in one of many ways.
fn fields(tree: &Value, slots: &[Slot]) {
    for (at, slot) in slots.iter().enumerate() {
        let value = path::get(tree, &slot.path);
        let text = shown(value, slot.holds);
        let typed = TYPED[(at + text.len()) % TYPED.len()];
        if fits(value, slot.holds) {
            let _ = path::place(&slot.path);
            let _ = written(tree, &slot.path, slot.holds, typed);
        }
    }
}

fn blocks_form(tree: &Value, place: usize) {
    let _ = (has_processes(tree), device::device(tree), device::preset(tree), device::changed(tree));
    let (slots, _) = examiner::slots(tree, place);
    fields(tree, &slots);
    let _ = (examiner::logs(tree), streams::about(tree, place));
    if place < 2 {
        made(&examiner::without_log(tree, place));
        made(&device::with_device(tree, "jetson-tx2"));
        made(&streams::with_new_stream(tree));
    }
}

fn tasks_form(tree: &Value, place: usize) {
    let _ = (tasks::Kind::of(tree), graph::names(tree));
    if let Some(task) = graph::task(tree, place) {
        fields(tree, &tasks::of_task(&task));
        let _ = (tasks::vertices(tree, &task), tasks::about(tree, &task));
    }
    if let Some(graph) = Graph::read(tree, place) {
        let _ = graph.ends();
        if graph.vertices.len().max(graph.edges.len()) <= MOST_DRAWN {
            let sizes = picture::sizes(&graph);
            let layout = layout::placed(&graph, sizes);
            let _ = picture::Picture::new(&graph, &layout, sizes, &[0, 1, 0]);
        }
    }
    let added = [
        edits::add_vertex(tree, place, None),
        edits::add_after(tree, place, 0, Some((1.0, -2.5))),
        edits::split(tree, place, 0),
        edits::connect(tree, place, 0, 1),
        edits::add_edge(tree, place),
        edits::duplicate_task(tree, place),
    ];
    added.iter().flatten().for_each(|(tree, _)| made(tree));
    let changed = [
        edits::remove_vertex(tree, place, 0),
        edits::disconnect(tree, place, 1),
        edits::rename(tree, place, 0, "v\u{202e}"),
        edits::set_separation(tree, place, 0, "1e999"),
        edits::set_period(tree, place, ""),
        edits::remove_task(tree, place),
    ];
    changed.iter().flatten().for_each(made);
}

fn chain_form(tree: &Value, place: usize) {
    let list = |name| [Key::Of("chain"), Key::Of(name)];
    let _ =
        (chain::about_kernel(tree, place), chain::about_task(tree, place), chain::about_core(tree, place));
    fields(tree, &chain::of_kernel(&chain::at(&list("kernels"), place)));
    fields(tree, &chain::of_task(&chain::at(&list("tasks"), place)));
    let _ = (chain::names(tree, &list("cores")), chain::order(tree), chain::preset(tree, "device", "x"));
    if place < 2 {
        for changed in [
            chain::with_new_kernel(tree),
            chain::with_new_task(tree),
            chain::with_new_core(tree),
            chain::renamed(tree, &list("kernels"), place, "another"),
            chain::with_order(tree, "edf"),
        ] {
            made(&changed);
        }
    }
    for entry in assumed::entries(tree).iter().take(4) {
        for typed in TYPED {
            if let Some(changed) = assumed::with_value(tree, entry.place, typed) {
                made(&changed);
            }
        }
    }
}

fn claim_form(tree: &Value, place: usize) {
    let _ = (claims::named(tree), claims::is_as_published(tree));
    if let Some(row) = claims::ranges(tree).get(place) {
        made(&claims::with_range(tree, place, row));
    }
    if place == 0 {
        made(&claims::as_published(tree));
        made(&claims::spelt_out(tree));
        made(&claims::with_another_range(tree));
    }
}

fn program_form(tree: &Value) {
    let _ = (program::is_ptx(tree), program::path_kind(tree), program::trips_text(program::rounds(tree)));
    for kind in ["loops", "longest"] {
        made(&program::with_path(tree, kind));
    }
    for typed in TYPED {
        made(&program::with_rounds(tree, typed));
    }
    made(&program::with_ptx(tree));
    made(&program::with_string(tree, "L C"));
    made(&edit::set(tree, &["a", "b"], edit::numbers_or_text("1 -2;3.5 x")));
}
