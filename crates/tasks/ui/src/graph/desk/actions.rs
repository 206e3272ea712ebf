//! What is done to the document from the editor, and what is said of it.

use leptos::prelude::*;
use serde_json::Value;

use super::{Desk, drawn_id};
use tasks_lab::page::tasks::graph::edits;
use tasks_lab::page::tasks::graph::edits::Added;
use tasks_lab::page::tasks::graph::sight::Sight;
use tasks_lab::page::tasks::graph::{Doing, Item, Point, editor};
use ui_kit::cells::focus_soon;

impl Desk {
    /// Adds a vertex: after the one selected, in the middle of the edge selected, or alone.
    pub fn add_vertex(self) {
        let new = match self.selected.get_untracked() {
            Some(Item::Vertex(from)) => self.add(|tree, task| edits::add_after(tree, task, from, None)),
            Some(Item::Edge(edge)) => self.add(|tree, task| edits::split(tree, task, edge)),
            None => self.add(|tree, task| edits::add_vertex(tree, task, None)),
        };
        self.chose_new(new);
    }

    /// Adds a vertex at a place, after another one if there is one.
    pub fn add_vertex_at(self, after: Option<usize>, at: Point) {
        let new = self.add(|tree, task| match after {
            Some(from) => edits::add_after(tree, task, from, Some(at)),
            None => edits::add_vertex(tree, task, Some(at)),
        });
        self.chose_new(new);
    }

    fn chose_new(self, new: Option<usize>) {
        if let Some(new) = new {
            self.doing.set(Doing::Nothing);
            self.choose(Item::Vertex(new));
            self.say(&format!("{} added", self.name(Item::Vertex(new))));
        }
    }

    /// Begins an edge from what is selected.
    pub fn begin_edge(self) {
        if let Some(Item::Vertex(from)) = self.selected.get_untracked() {
            self.doing.set(Doing::Connecting(from));
            self.say(&format!("From {} to which vertex?", self.name(Item::Vertex(from))));
            focus_soon(vec![drawn_id(Item::Vertex(from))]);
        }
    }

    /// Joins two vertices.
    pub fn connect(self, from: usize, to: usize) {
        self.doing.set(Doing::Nothing);
        let (first, second) = (self.name(Item::Vertex(from)), self.name(Item::Vertex(to)));
        match self.add(|tree, task| edits::connect(tree, task, from, to)) {
            Some(edge) => {
                self.choose(Item::Edge(edge));
                self.say(&format!("{first} leads to {second}"));
            }
            None if from == to => self.say("An edge leads to another vertex"),
            None => self.say(&format!("{first} leads to {second} already")),
        }
    }

    /// Takes away what is selected.
    pub fn remove(self) {
        let Some(gone) = self.selected.get_untracked() else { return };
        let name = self.name(gone);
        let next = self.picture.with_untracked(|picture| editor::after_removal(picture, gone));
        let done = self.edit(|tree, task| match gone {
            Item::Vertex(vertex) => edits::remove_vertex(tree, task, vertex),
            Item::Edge(edge) => edits::disconnect(tree, task, edge),
        });
        if done {
            self.selected.set(next);
            self.doing.set(Doing::Nothing);
            self.say(&format!("Removed {name}"));
            focus_soon(vec![next.map(drawn_id).unwrap_or_default(), "graph-add".to_owned()]);
        }
    }

    /// Moves what is selected by so much; it is written once it is put down.
    pub fn nudge(self, vertex: usize, (dx, dy): Point) {
        let (x, y) = match self.moving.get_untracked() {
            Some((same, by)) if same == vertex => by,
            _ => (0.0, 0.0),
        };
        self.moving.set(Some((vertex, (x + dx, y + dy))));
    }

    /// Writes where a vertex was moved to.
    pub fn put_down(self) {
        let Some((vertex, by)) = self.moving.get_untracked() else { return };
        let at = self.layout.with_untracked(|(_, layout)| layout.at.get(vertex).copied());
        if let Some((x, y)) = at {
            self.edit(|tree, task| edits::move_vertex(tree, task, vertex, (x + by.0, y + by.1)));
        }
        self.moving.set(None);
        self.stay();
    }

    /// Moves the view only if something is out of sight.
    fn stay(self) {
        let (sight, (wide, high)) = (self.sight.get_untracked(), self.size.get_untracked());
        let bounds = self.picture.with_untracked(|picture| picture.bounds);
        // The window grows with what is in it.
        if sight.shows(bounds, (wide, high.max(Sight::height(bounds, wide)))) {
            self.looked.set(true);
        }
    }

    /// Puts all vertices where the layout has them.
    pub fn arrange(self) {
        if self.edit(edits::arrange) {
            self.fit();
            self.say("Arranged from left to right");
        }
    }

    /// Begins to write the numbers of what is selected.
    pub fn write(self) {
        if let Some(item) = self.selected.get_untracked() {
            self.doing.set(Doing::Writing(item));
        }
    }

    /// Takes what was written of something; whether it could be taken.
    pub fn written(self, item: Item, texts: &[String]) -> bool {
        self.edit(|tree, task| match (item, texts) {
            (Item::Vertex(vertex), [name, e, d]) => {
                let tree = edits::rename(tree, task, vertex, name)?;
                let tree = edits::set_number(&tree, task, vertex, "e", e)?;
                edits::set_number(&tree, task, vertex, "d", d)
            }
            (Item::Edge(edge), [p]) => edits::set_separation(tree, task, edge, p),
            _ => None,
        })
    }

    /// Does something with the list of tasks, and looks at the one that is new.
    pub fn more_tasks(self, change: impl FnOnce(&Value, usize) -> Option<Added>) {
        if let Some(new) = self.add(change) {
            self.panel.task.set(new);
            let name = self.names.with_untracked(|names| names.get(new).cloned().unwrap_or_default());
            self.say(&format!("{name} added"));
        }
    }

    /// Takes away the task someone looks at.
    pub fn remove_task(self) {
        if self.edit(edits::remove_task) {
            self.selected.set(None);
            self.looked.set(false);
            self.say("Task removed; Undo brings it back");
        }
    }
}
