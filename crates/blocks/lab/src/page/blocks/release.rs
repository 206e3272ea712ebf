//! A launch that is dragged along the axis: its stream begins sooner or later.

use serde_json::Value;

use crate::report::blocks::Pictured;
use base::Nanos;
use kit::page::edit;

/// A stream of a document that begins when its launch is dragged there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// Its place in the document.
    pub stream: usize,
    /// When it begins.
    pub at: Nanos,
}

impl Release {
    /// The stream of a launch. None unless that is the first one of its stream, and the document tells which stream that
    /// is: null streams of one process are one stream, however many entries they have.
    pub fn of(tree: &Value, run: &Pictured, launch: usize) -> Option<Self> {
        let own = run.trace.kernels.get(launch)?;
        let is_sooner = |other: &&blocks::KernelRun| other.stream == own.stream && other.op < own.op;
        if run.trace.kernels.iter().any(|other| is_sooner(&other)) {
            return None;
        }
        let streams = tree.get("blocks")?.get("streams")?.as_array()?;
        let named = |(place, stream): (usize, &Value)| {
            let label = stream.get("label").and_then(Value::as_str);
            label.map_or_else(|| format!("stream {}", place + 1), str::to_owned)
        };
        let label = &run.setup.streams.get(own.stream)?.label;
        let mut all = (0..streams.len()).filter(|&place| named((place, &streams[place])) == *label);
        let (stream, None) = (all.next()?, all.next()) else { return None };
        let entry = &streams[stream];
        let null = entry.get("kind").and_then(Value::as_str) == Some("null");
        let at = Nanos(entry.get("release").and_then(Value::as_u64).unwrap_or(0));
        (!null).then_some(Self { stream, at })
    }

    /// It begins so much later, or sooner if that is negative: never before everything, and in whole `grain`s.
    #[must_use]
    pub fn moved(self, by: f64, grain: f64) -> Self {
        let at = ((self.at.0 as f64 + by) / grain).round() * grain;
        Self { at: Nanos(at.max(0.0) as u64), ..self }
    }

    /// A document in which it begins then.
    pub fn written(self, tree: &Value) -> Value {
        let mut streams = edit::get(tree, &["blocks", "streams"]).cloned().unwrap_or_default();
        if let Some(entry) = streams.get_mut(self.stream) {
            *entry = edit::set(entry, &["release"], self.at.0.into());
        }
        edit::set(tree, &["blocks", "streams"], streams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::blocks::legend;
    use crate::page::blocks::{Runs, Which, sample};
    use crate::timeline::blocks::Measure;
    use serde_json::json;

    fn given() -> Value {
        let one = |kernel: &str| json!([{"kernel": kernel, "blocks": 1, "threads": 64, "duration": 10}]);
        json!({"warpspan": 1, "title": "Five", "blocks": {"device": {"preset": "jetson-tx2"}, "streams": [
            {"operations": one("A")}, {"label": "late", "release": 500, "rounds": 2, "operations": one("B")},
            {"kind": "null", "label": "null", "operations": one("C")},
            {"label": "twice", "operations": one("D")}, {"label": "twice", "operations": one("E")}]}})
    }

    #[test]
    fn the_first_launch_of_a_stream_moves_it() {
        let tree = given();
        let seen = sample::seen(&tree.to_string());
        let Some(run) = seen.simulated.as_ref() else { panic!("it was simulated") };
        let of = |kernel: &str, round: u32| {
            let is = |launch: &blocks::KernelRun| {
                run.setup.kernels[launch.kernel].label == kernel && launch.round == round
            };
            run.trace.kernels.iter().position(is).and_then(|launch| Release::of(&tree, run, launch))
        };
        assert_eq!(of("A", 0), Some(Release { stream: 0, at: Nanos(0) }));
        assert_eq!(of("B", 0), Some(Release { stream: 1, at: Nanos(500) }));
        assert_eq!([of("B", 1), of("C", 0), of("D", 0), of("E", 0)], [None; 4]);
        let Some(late) = of("B", 0) else { return };
        assert_eq!(late.moved(-123.0, 10.0).at, Nanos(380));
        assert_eq!(late.moved(-1e9, 10.0).at, Nanos(0));
        let written = late.moved(1_500.0, 100.0).written(&tree);
        assert_eq!(written["blocks"]["streams"][1]["release"], 2_000);
        // It is launched then.
        let again = sample::seen(&written.to_string());
        let kernels = again.simulated.as_ref().map(|run| &run.trace.kernels);
        assert!(kernels.is_some_and(|all| all.iter().any(|launch| launch.launched == Nanos(2_000))));
    }

    /// Every kernel with its colour, as the picture and its legend have it.
    fn colours(tree: &Value) -> Vec<(String, kit::timeline::Class)> {
        let runs = Runs::new(sample::seen(&tree.to_string()), Measure::Threads);
        let (Some(run), Some(known)) = (runs.run(Which::Simulated), runs.pictured(Which::Simulated)) else {
            panic!("it was simulated")
        };
        let name = |launch: &blocks::KernelRun| known.setup.kernels[launch.kernel].label.clone();
        let mut drawn: Vec<_> =
            known.trace.kernels.iter().map(name).zip(run.timeline.classes.iter().copied()).collect();
        drawn.sort();
        drawn.dedup();
        let listed =
            runs.panels().into_iter().flat_map(|panel| legend(&panel)).flat_map(|stream| stream.kernels);
        let mut listed: Vec<_> = listed.map(|(class, name)| (name, class)).collect();
        listed.sort();
        assert_eq!(drawn, listed);
        drawn
    }

    #[test]
    fn no_kernel_changes_its_colour_when_another_is_launched_sooner_or_takes_longer() {
        let tree = given();
        let before = colours(&tree);
        assert_eq!(before.iter().map(|(_, class)| *class).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        for (stream, at) in [(0, 9_000), (1, 0), (2, 700), (3, 50), (4, 0)] {
            let at = Nanos(at);
            assert_eq!(colours(&Release { stream, at }.written(&tree)), before, "stream {stream} at {at}");
        }
        for stream in 0..5 {
            let mut longer = tree.clone();
            longer["blocks"]["streams"][stream]["operations"][0]["duration"] = json!([700]);
            assert_eq!(colours(&longer), before, "stream {stream}");
        }
    }
}
