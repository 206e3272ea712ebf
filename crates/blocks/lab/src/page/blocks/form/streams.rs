//! Streams and their operations in the form: what there is, and what new ones look like.

use serde_json::{Value, json};

use super::device::device;
use super::path::Key::{self, At, Of};
use super::path::{items, push};

/// Where the streams of a document stand.
pub const STREAMS: [Key; 2] = [Of("blocks"), Of("streams")];

/// How long a block of a new kernel takes where there is none to go by, in nanoseconds.
const USUAL_TIME: u64 = 1_000_000;
/// Threads of a block of a new kernel, if the device has that many.
const USUAL_THREADS: u32 = 256;

/// What an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A kernel is launched.
    Kernel,
    /// Something is copied.
    Copy,
    /// The program sleeps.
    Sleep,
    /// The program waits for its stream or the device.
    Wait,
    /// Operations are repeated; edited as JSON.
    Repeat,
    /// Nothing known.
    Unknown,
}

impl Kind {
    /// Those that can be added.
    pub const NEW: [Self; 4] = [Self::Kernel, Self::Copy, Self::Sleep, Self::Wait];

    /// The kind of an operation.
    pub fn of(operation: &Value) -> Self {
        let known = [Self::Kernel, Self::Copy, Self::Sleep, Self::Wait, Self::Repeat];
        known.into_iter().find(|kind| operation.get(kind.key()).is_some()).unwrap_or(Self::Unknown)
    }

    /// The key that says so.
    pub fn key(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Copy => "copy",
            Self::Sleep => "sleep",
            Self::Wait => "wait",
            Self::Repeat => "repeat",
            Self::Unknown => "unknown",
        }
    }

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Kernel => "Kernel",
            Self::Copy => "Copy",
            Self::Sleep => "Sleep",
            Self::Wait => "Wait",
            Self::Repeat => "Repeat",
            Self::Unknown => "Unknown operation",
        }
    }
}

/// The list of a stream's operations.
pub fn operations(stream: usize) -> Vec<Key> {
    [&STREAMS[..], &[At(stream), Of("operations")]].concat()
}

/// What the head of a stream says: its name and what it launches.
pub fn about(tree: &Value, stream: usize) -> (String, String) {
    let label = items(tree, &STREAMS).get(stream).and_then(|stream| stream.get("label")?.as_str());
    let label = label.map_or_else(|| format!("stream {}", stream + 1), str::to_owned);
    let listed = items(tree, &operations(stream));
    let kernels: Vec<&str> =
        listed.iter().filter_map(|operation| operation.get("kernel")?.as_str()).take(4).collect();
    let what = match (&kernels[..], listed.len()) {
        ([], 0) => "nothing yet".to_owned(),
        ([], _) => "no kernel".to_owned(),
        ([first, second, third, _], _) => format!("{first}, {second}, {third}, …"),
        (few, _) => few.join(", "),
    };
    (label, what)
}

/// The document with one more stream, with one kernel in it.
pub fn with_new_stream(tree: &Value) -> Value {
    let known: Vec<&str> =
        items(tree, &STREAMS).iter().filter_map(|stream| stream.get("label")?.as_str()).collect();
    let label = unused("stream ", &known, items(tree, &STREAMS).len() + 1);
    let stream = json!({"label": label, "operations": [new_kernel(tree)]});
    push(tree, &STREAMS, stream)
}

/// The document with one more operation at the end of a stream.
pub fn with_new_operation(tree: &Value, stream: usize, kind: Kind) -> Value {
    let operation = match kind {
        Kind::Kernel => new_kernel(tree),
        Kind::Copy => json!({"copy": "in", "bytes": 1_000_000}),
        Kind::Sleep => json!({"sleep": USUAL_TIME}),
        Kind::Wait => json!({"wait": "stream"}),
        Kind::Repeat | Kind::Unknown => return tree.clone(),
    };
    push(tree, &operations(stream), operation)
}

/// A kernel that fits the device and takes as long as the last one before it.
fn new_kernel(tree: &Value) -> Value {
    let all = items(tree, &STREAMS).iter().filter_map(|stream| stream.get("operations")?.as_array());
    let kernels: Vec<&Value> =
        all.flatten().filter(|operation| Kind::of(operation) == Kind::Kernel).collect();
    let known: Vec<&str> = kernels.iter().filter_map(|kernel| kernel.get("kernel")?.as_str()).collect();
    let last = kernels.iter().rev().find_map(|kernel| kernel.get("duration")?.as_u64());
    let device = device(tree);
    let threads = USUAL_THREADS.min(device.threads_per_block).min(device.threads_per_sm);
    json!({
        "kernel": unused("K", &known, known.len() + 1),
        "blocks": 4,
        "threads": threads,
        "duration": last.unwrap_or(USUAL_TIME),
    })
}

/// A name with the first number from this one on that nobody has yet.
fn unused(name: &str, known: &[&str], from: usize) -> String {
    let names = (from..=from + known.len()).map(|number| format!("{name}{number}"));
    names.into_iter().find(|name| !known.contains(&name.as_str())).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::scenario::builtin::BUILTINS;

    #[test]
    fn whatever_is_added_makes_a_valid_document() {
        let small = r#"{"warpspan": 1, "blocks": {"device": {"sms": 1, "threads": 48, "shared_memory": 0,
            "threads_per_block": 16}, "streams": [{"operations": []}]}}"#;
        let examples =
            BUILTINS.iter().filter(|example| example.group == "Blocks").map(|example| example.text);
        let mut seen = 0;
        for text in examples.chain([small]) {
            let Ok(tree) = kit::import::json::parse(text) else { unreachable!("{text}") };
            if items(&tree, &STREAMS).is_empty() {
                continue;
            }
            let more = with_new_stream(&tree);
            let last = items(&more, &STREAMS).len() - 1;
            let more = Kind::NEW.iter().fold(more, |tree, &kind| with_new_operation(&tree, last, kind));
            assert!(crate::LINKED.from_tree(&more).is_ok(), "{:?}", crate::LINKED.from_tree(&more));
            assert_eq!(items(&more, &operations(last)).len(), 5);
            seen += 1;
        }
        assert!(seen > 5);
    }

    #[test]
    fn new_names_are_nobody_elses() {
        let tree = json!({"blocks": {"streams": [
            {"label": "stream 2", "operations": [{"kernel": "K2", "threads": 1, "duration": 7}]},
        ]}});
        let more = with_new_stream(&tree);
        let stream = &more["blocks"]["streams"][1];
        assert_eq!(
            (&stream["label"], &stream["operations"][0]["kernel"]),
            (&json!("stream 3"), &json!("K3"))
        );
        assert_eq!(stream["operations"][0]["duration"], json!(7));
        let next = &with_new_stream(&more)["blocks"]["streams"][2];
        assert_eq!((&next["label"], &next["operations"][0]["kernel"]), (&json!("stream 4"), &json!("K4")));
    }

    #[test]
    fn heads_say_what_a_stream_launches() {
        let kernel = |name: &str| json!({"kernel": name});
        let tree = json!({"blocks": {"streams": [
            {"label": "a", "operations": [kernel("K1"), {"sleep": 1}, kernel("K2")]},
            {"operations": [kernel("A"), kernel("B"), kernel("C"), kernel("D")]},
            {"operations": [{"copy": "in"}]},
            {"operations": []},
        ]}});
        let heads: Vec<String> =
            (0..4).map(|stream| about(&tree, stream)).map(|(a, b)| format!("{a}: {b}")).collect();
        assert_eq!(
            heads,
            ["a: K1, K2", "stream 2: A, B, C, …", "stream 3: no kernel", "stream 4: nothing yet"]
        );
        assert_eq!(Kind::of(&json!({"odd": 1})), Kind::Unknown);
    }
}
