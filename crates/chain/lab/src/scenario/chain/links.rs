//! Who activates whom in a chain, and who waits for that.
//!
//! A task is activated by time, or in one segment of one other task, whose period it has; activations lead back to nobody. A
//! segment awaits what an earlier one of its task has activated, each activation once.

use serde_json::Value;

use base::problem::quoted;
use chain::{Host, SegmentKind};
use kit::import::reader::Reader;

/// The names of all tasks as they are written, and who activates whom, before anything is checked.
#[derive(Debug, Default)]
pub struct Written<'a> {
    items: &'a [Value],
    names: Vec<&'a str>,
    by: Vec<Option<usize>>,
}

impl<'a> Written<'a> {
    /// Looks at the list of tasks.
    pub fn of(items: &'a [Value]) -> Self {
        let text = |value: &'a Value, key: &str| value.get(key).and_then(Value::as_str);
        let names: Vec<&str> = items.iter().map(|item| text(item, "name").unwrap_or_default()).collect();
        let mut by = vec![None; items.len()];
        for (task, item) in items.iter().enumerate() {
            let segments = item.get("segments").and_then(Value::as_array).into_iter().flatten();
            for name in segments.filter_map(|segment| text(segment, "activate")) {
                let other = names.iter().position(|known| *known == name);
                if let Some(slot) = other.and_then(|other| by.get_mut(other)) {
                    slot.get_or_insert(task);
                }
            }
        }
        Self { items, names, by }
    }

    /// The names of the tasks.
    pub fn names(&self) -> &[&'a str] {
        &self.names
    }

    /// The period that is written for a task, or for the one that activates it, or for the one before that.
    pub fn period(&self, task: usize) -> Option<&'a Value> {
        let mut at = task;
        for _ in 0..self.items.len() {
            match self.items.get(at)?.get("period") {
                Some(period) => return Some(period),
                None => at = (*self.by.get(at)?)?,
            }
        }
        None
    }
}

/// Notes who activates each task, and all that cannot be.
pub fn join(reader: &mut Reader, path: &str, tasks: &mut [Host]) -> Option<()> {
    let mut sound = Some(());
    let mut wrong = |place: String, what: String, expected: String| {
        reader.problem(place, what, expected);
        sound = None;
    };
    let mut links: Vec<(usize, usize, usize)> = Vec::new();
    for (task, host) in tasks.iter().enumerate() {
        let mut open: Vec<usize> = Vec::new();
        for (place, segment) in host.segments.iter().enumerate() {
            let at = |key: &str| format!("{path}[{task}].segments[{place}].{key}");
            match segment.kind {
                SegmentKind::Activate(of) => {
                    let name = quoted(&tasks[of].name);
                    if let Some((by, before, _)) = links.iter().find(|(.., known)| *known == of) {
                        let what = format!("{name}, which {path}[{by}].segments[{before}] activates");
                        wrong(at("activate"), what, "a task that nothing else activates".to_owned());
                    } else {
                        links.push((task, place, of));
                        open.push(of);
                    }
                }
                SegmentKind::Await(of) => match open.iter().position(|&known| known == of) {
                    Some(known) => {
                        open.remove(known);
                    }
                    None => {
                        let expected = "a task that an earlier segment activates, and none awaits yet";
                        wrong(at("await"), quoted(&tasks[of].name), expected.to_owned());
                    }
                },
                _ => {}
            }
        }
    }
    for &(by, place, of) in &links {
        tasks[of].activated = Some((by, place));
    }
    for &(by, place, of) in &links {
        if leads_back(tasks, of) {
            let at = format!("{path}[{by}].segments[{place}].activate");
            let expected = "a task that does not lead back to this one".to_owned();
            wrong(at, quoted(&tasks[of].name), expected);
        }
        if tasks[of].period != tasks[by].period {
            let expected = format!("{}, the period of {path}[{by}], which activates it", tasks[by].period.0);
            wrong(format!("{path}[{of}].period"), tasks[of].period.0.to_string(), expected);
        }
        if tasks[of].jitter.0 > 0 {
            let expected = format!("none: {path}[{by}] activates it, and how late is computed");
            wrong(format!("{path}[{of}].jitter"), tasks[of].jitter.0.to_string(), expected);
        }
    }
    sound
}

/// Whether those that activate a task are activated by it.
fn leads_back(tasks: &[Host], task: usize) -> bool {
    let mut at = task;
    for _ in 0..tasks.len() {
        match tasks[at].activated {
            None => return false,
            Some((by, _)) => at = by,
        }
        if at == task {
            return true;
        }
    }
    // A ring further up, which is told of there.
    false
}
