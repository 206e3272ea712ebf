//! A task as reports have it, and back; and a witness as they have it.

use std::collections::HashMap;

use super::{JobReport, TaskReport, VertexReport, WitnessReport};
use tasks::witness::Witness;
use tasks::{Edge, Task, Vertex};

impl TaskReport {
    /// What a task says of itself; what is computed from its demand is left open.
    pub fn of(task: &Task) -> Self {
        let name = |v: usize| task.vertices()[v].name.clone();
        let vertex = |v: &Vertex| VertexReport { name: v.name.clone(), e: v.e, d: v.d, most: None };
        let traits = task.traits();
        Self {
            name: task.name().to_owned(),
            period: task.period(),
            restart: task.restart(),
            vertices: task.vertices().iter().map(vertex).collect(),
            edges: task.edges().iter().map(|edge| (name(edge.from), name(edge.to), edge.p)).collect(),
            demand: task.demand(),
            utilisation: task.demand() as f64 / task.period() as f64,
            longest: task.longest(),
            separated: traits.separated,
            roomy: traits.roomy,
            exact: false,
            pairs: 0,
        }
    }

    /// The task again; none where it is not one.
    pub fn task(&self) -> Option<Task> {
        let places: HashMap<&str, usize> =
            self.vertices.iter().enumerate().map(|(place, v)| (v.name.as_str(), place)).collect();
        let place = |name: &str| places.get(name).copied();
        let vertices = self.vertices.iter().map(|v| Vertex { name: v.name.clone(), e: v.e, d: v.d });
        let edges =
            self.edges.iter().map(|(from, to, p)| Some(Edge { from: place(from)?, to: place(to)?, p: *p }));
        let edges: Option<Vec<Edge>> = edges.collect();
        let task = Task::new(self.name.clone(), self.period, vertices.collect(), edges?).ok()?;
        Some(match self.restart {
            Some(after) => task.restarting(after),
            None => task,
        })
    }
}

impl WitnessReport {
    /// A witness of a task.
    pub fn of(task: &Task, witness: &Witness) -> Self {
        let jobs = witness.jobs.iter().map(|job| {
            let vertex = &task.vertices()[job.vertex];
            JobReport {
                vertex: vertex.name.clone(),
                time: job.time,
                deadline: job.time + vertex.d,
                e: vertex.e,
                counted: job.counted,
            }
        });
        Self { task: task.name().to_owned(), t: witness.t, demand: witness.demand, jobs: jobs.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tasks::random;

    #[test]
    fn a_task_comes_back() {
        for seed in 0..20 {
            let task = random::task(1 + seed as u32, 50, 3, seed);
            assert_eq!(TaskReport::of(&task).task(), Some(task.clone()));
            let back = task.restarting(7);
            assert_eq!(TaskReport::of(&back).task(), Some(back));
        }
        let nobody = TaskReport { edges: vec![("a".into(), "b".into(), 1)], ..TaskReport::default() };
        assert_eq!(nobody.task(), None);
    }
}
