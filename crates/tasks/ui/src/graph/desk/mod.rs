//! What the parts of the editor share: the document, the picture made of it, and the selection.

mod actions;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{effect, memo};

use crate::Panel;
use kit::import::json;
use kit::page::{Ask, Edited};
use tasks_lab::page::tasks::graph::edits::Added;
use tasks_lab::page::tasks::graph::layout::{Layout, Sizes, placed};
use tasks_lab::page::tasks::graph::picture::sizes;
use tasks_lab::page::tasks::graph::sight::Sight;
use tasks_lab::page::tasks::graph::{Doing, Graph, Item, Picture, Point, names, trouble, walked};
use tasks_lab::page::tasks::seek::Hit;
use ui_kit::cells::focus_soon;

/// The editor's state.
#[derive(Clone, Copy)]
pub struct Desk {
    panel: Panel,
    /// The document, as it is edited here.
    text: RwSignal<String>,
    tree: Memo<Option<Value>>,
    /// The names of the tasks.
    pub names: Memo<Vec<String>>,
    /// Whether there is any.
    pub any: Memo<bool>,
    /// The task someone looks at.
    pub graph: Memo<Graph>,
    layout: Memo<(Sizes, Layout)>,
    /// How it is drawn.
    pub picture: Memo<Picture>,
    /// What is selected.
    pub selected: RwSignal<Option<Item>>,
    /// What has the keyboard.
    pub focused: RwSignal<Option<Item>>,
    /// What is going on.
    pub doing: RwSignal<Doing>,
    /// The vertex that is being moved, and how far.
    pub moving: RwSignal<Option<(usize, Point)>>,
    /// The line that follows the pointer.
    pub band: RwSignal<Option<(Point, Point)>>,
    /// What is in sight.
    pub sight: RwSignal<Sight>,
    /// The size of the window, in pixels.
    pub size: RwSignal<Point>,
    /// Whether someone has zoomed or panned.
    looked: RwSignal<bool>,
}

impl Desk {
    /// The desk of a panel, and the sequence that is marked on it.
    pub fn new(panel: Panel, marked: Option<Signal<Vec<usize>>>) -> Self {
        let told = memo(move |_| panel.told.with(|told| told.document.clone().unwrap_or_default()));
        let text = RwSignal::new(told.get_untracked());
        effect(move || text.set(told.get()));
        // While someone types, the text is no JSON for moments: what was there before stays on the screen.
        let tree = memo(move |before: Option<&Option<Value>>| {
            text.with(|text| json::parse(text).ok()).or_else(|| before?.clone())
        });
        let names = memo(move |_| tree.with(|tree| tree.as_ref().map(names).unwrap_or_default()));
        let graph = memo(move |_| {
            let task = panel.task.get();
            tree.with(|tree| tree.as_ref().and_then(|tree| Graph::read(tree, task)).unwrap_or_default())
        });
        let layout = memo(move |_| {
            graph.with(|graph| {
                let sizes = sizes(graph);
                (sizes, placed(graph, sizes))
            })
        });
        let marked = memo(move |_| match (marked, panel.at.get()) {
            (Some(marked), _) => marked.get(),
            (None, Some(t)) => text.with(|text| walked(text, panel.task.get(), t)),
            (None, None) => Vec::new(),
        });
        let moving = RwSignal::new(None::<(usize, Point)>);
        let picture = memo(move |_| {
            let moving = moving.get();
            graph.with(|graph| {
                layout.with(|(sizes, layout)| {
                    marked.with(|marked| match moving {
                        None => Picture::new(graph, layout, *sizes, marked),
                        Some((vertex, by)) => Picture::new(
                            graph,
                            &layout.with_moved(vertex, by, &graph.joins()),
                            *sizes,
                            marked,
                        ),
                    })
                })
            })
        });
        let desk = Self {
            panel,
            text,
            tree,
            names,
            any: memo(move |_| names.with(|names| !names.is_empty())),
            graph,
            layout,
            picture,
            selected: RwSignal::new(None),
            focused: RwSignal::new(None),
            doing: RwSignal::new(Doing::Nothing),
            moving,
            band: RwSignal::new(None),
            sight: RwSignal::new(Sight::default()),
            size: RwSignal::new((0.0, 0.0)),
            looked: RwSignal::new(false),
        };
        desk.follow();
        desk
    }

    /// Keeps to a task there is, and everything in sight until someone looks elsewhere.
    fn follow(self) {
        let panel = self.panel;
        effect(move || {
            let count = self.names.with(Vec::len);
            if panel.task.get() >= count && count > 0 {
                panel.task.set(count - 1);
            }
        });
        Effect::new(move |before: Option<usize>| {
            let task = panel.task.get();
            if before != Some(task) {
                self.selected.set(None);
                self.follow_search();
                self.doing.set(Doing::Nothing);
                self.looked.set(false);
            }
            task
        });
        effect(move || {
            panel.sought.track();
            self.follow_search();
        });
        effect(move || {
            let size = self.size.get();
            let looked = self.looked.get();
            let bounds = self.picture.with(|picture| picture.bounds);
            if size.0 > 0.0 && !looked && self.moving.with(Option::is_none) {
                self.sight.set(Sight::fitted(bounds, size));
            }
        });
    }

    /// Selects the vertex that a search led to.
    fn follow_search(self) {
        if let Some((task, vertex)) = self.panel.sought.get_untracked()
            && task == self.panel.task.get_untracked()
        {
            self.selected.set(Some(Item::Vertex(vertex)));
        }
    }

    /// Whether a search has found vertices, and this is none of them.
    pub fn is_away(self, vertex: usize) -> bool {
        let own = Hit::Vertex(self.panel.task.get(), vertex);
        let of_vertices = |hit: &Hit| matches!(hit, Hit::Vertex(..));
        self.panel.found.with(|found| {
            found.as_ref().is_some_and(|found| found.iter().any(of_vertices) && !found.contains(&own))
        })
    }

    /// What is wrong with the document, where it cannot be run.
    pub fn trouble(self) -> Option<String> {
        self.panel.told.with(|told| told.wrong).then(|| self.text.with(|text| trouble(text))).flatten()
    }

    /// The task someone looks at.
    pub fn task(self) -> RwSignal<usize> {
        self.panel.task
    }

    /// Whether single letters act.
    pub fn has_keys(self) -> bool {
        self.panel.told.with_untracked(|told| told.page.keys)
    }

    /// Whether the document is being run.
    pub fn runs(self) -> bool {
        self.panel.told.with_untracked(|told| told.running)
    }

    /// Tells something to whoever does not see it.
    pub fn say(self, text: &str) {
        self.panel.page.notice(text);
    }

    /// Looks elsewhere.
    pub fn look(self, sight: Sight) {
        self.looked.set(true);
        self.sight.set(sight);
    }

    /// Moves the drawing along so that the vertex that is dragged stays in sight; how far, in pixels. Once it is put
    /// down all is made to fit as before.
    pub fn follow_moved(self, vertex: usize) -> Point {
        let place = self.picture.with_untracked(|picture| picture.place(Item::Vertex(vertex)));
        let (sight, size) = (self.sight.get_untracked(), self.size.get_untracked());
        let Some(next) = place.map(|place| sight.along(place, size)).filter(|_| size.0 > 0.0) else {
            return (0.0, 0.0);
        };
        if next != sight {
            self.sight.set(next);
        }
        let moved = |before: f64, now: f64| (now - before) * sight.scale;
        (moved(sight.corner.0, next.corner.0), moved(sight.corner.1, next.corner.1))
    }

    /// Looks at everything.
    pub fn fit(self) {
        self.looked.set(false);
    }

    /// Zooms about the middle.
    pub fn zoom(self, factor: f64) {
        let (wide, high) = self.size.get_untracked();
        self.look(self.sight.get_untracked().zoomed(factor, (wide / 2.0, high / 2.0)));
    }

    /// Makes another document; whether there is one.
    fn edit(self, change: impl FnOnce(&Value, usize) -> Option<Value>) -> bool {
        if self.text.with_untracked(|text| json::parse(text).is_err()) {
            self.say("The document is no JSON at the moment: mend it first");
            return false;
        }
        let task = self.panel.task.get_untracked();
        let made = self.tree.with_untracked(|tree| change(tree.as_ref()?, task));
        let Some(made) = made else { return false };
        let text = json::pretty(&made);
        if self.text.with_untracked(|old| *old != text) {
            self.text.set(text.clone());
            self.panel.page.ask(Ask::Edit { text, edited: Edited::Once });
        }
        true
    }

    /// Makes another document with something new in it.
    fn add(self, change: impl FnOnce(&Value, usize) -> Option<Added>) -> Option<usize> {
        let mut place = None;
        self.edit(|tree, task| {
            let (tree, new) = change(tree, task)?;
            place = Some(new);
            Some(tree)
        });
        place
    }

    /// What something is called.
    pub fn name(self, item: Item) -> String {
        match item {
            Item::Vertex(vertex) => self
                .graph
                .with_untracked(|graph| graph.vertices.get(vertex).map(|v| v.name.clone()))
                .unwrap_or_default(),
            Item::Edge(_) => "the edge ".to_owned() + &self.words(item),
        }
    }

    /// What something is, in words.
    pub fn words(self, item: Item) -> String {
        self.picture.with_untracked(|picture| picture.words(item).unwrap_or_default().to_owned())
    }

    /// Selects something, brings it into sight and takes the keyboard there.
    pub fn choose(self, item: Item) {
        if self.doing.get_untracked() == Doing::Nothing {
            self.selected.set(Some(item));
        }
        let place = self.picture.with_untracked(|picture| picture.place(item));
        let (sight, size) = (self.sight.get_untracked(), self.size.get_untracked());
        if let Some(place) = place
            && size.0 > 0.0
        {
            let next = sight.revealing(place, size);
            if next != sight {
                self.look(next);
            }
        }
        focus_soon(vec![drawn_id(item)]);
    }
}

/// What tests, and the keyboard, find something by.
pub fn drawn_id(item: Item) -> String {
    match item {
        Item::Vertex(vertex) => format!("vertex-{vertex}"),
        Item::Edge(edge) => format!("edge-{edge}"),
    }
}
