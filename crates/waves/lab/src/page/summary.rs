//! What came of a capture, in a few numbers and sentences made of its report.

use serde_json::Value;

use base::people::{self, grouped};
use kit::page::guess::{Answer, CLOSE, Question};
use kit::page::tile::{Tile, Tone};

/// Numbers: cycles, how much is named, how far a replay is off, what the measurement lies between.
pub fn tiles(report: &Value) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let mut tile = |id, label, value: String, hint: String, tone| {
        tiles.push(Tile { id, label, value, hint, tone });
    };
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let whole =
        |chain: &Value| chain["end"].as_i64().unwrap_or(0).abs_diff(chain["begin"].as_i64().unwrap_or(0));
    let cycles = list("critical").iter().map(whole).max().unwrap_or(0);
    let waves = people::counted(list("waves").len(), "wave");
    let instructions = grouped(number(&report["instructions"]).into());
    let hint = format!(
        "Of the whole capture, from the first cycle of the first wave to the last of the last: {waves} traced, {instructions} instructions"
    );
    tile("waves-cycles", "Cycles, all waves", grouped(cycles.into()), hint, Tone::Plain);
    let (all, named) = (number(&report["named"]["cycles"]), number(&report["named"]["named"]));
    let issue = number(&report["causes"]["issue"]) as f64 / all.max(1) as f64;
    let hint = format!(
        "Of the cycles of all waves, added up, those that have a witness. In {} of them, an instruction issued",
        people::percent(issue)
    );
    tile(
        "waves-named",
        "Of them named",
        people::percent(named as f64 / all.max(1) as f64),
        hint,
        Tone::Plain,
    );
    let replays = list("replay");
    if let Some(best) = replays.first() {
        let said = |fit: &Value| {
            format!("{} {}", fit["policy"].as_str().unwrap_or_default(), percent(&fit["error"]))
        };
        let hint = format!(
            "Median error of a wave's life when its streams are executed again; the largest is {}. By policy: {}. Simulated",
            percent(&best["worst"]),
            people::listed(&replays.iter().map(said).collect::<Vec<_>>())
        );
        let value = format!("{} off", percent(&best["error"]));
        tile("waves-replay", "One wave, replayed", value, hint, Tone::Plain);
    }
    if let Some((value, hint, holds)) = between(&list("brackets")) {
        tile("waves-between", "One SIMD, bounds", value, hint, if holds { Tone::Plain } else { Tone::Bad });
    }
    tiles
}

/// Percent, of which a report has thousandths.
pub fn percent(value: &Value) -> String {
    let thousandths = (value.as_f64().unwrap_or(0.0) * 1_000.0).round().max(0.0) as u64;
    let hundredths = (thousandths + 5) / 10;
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// What the measurement of the SIMD that took longest lies between, and whether all lie so.
fn between(brackets: &[Value]) -> Option<(String, String, bool)> {
    let longest = brackets.iter().max_by_key(|one| one["measured"].as_i64().unwrap_or(0))?;
    let outside = brackets.iter().filter(|one| one["between"] != true).count();
    let bound =
        |key: &str| longest[key].as_u64().map_or("not known".to_owned(), |bound| grouped(bound.into()));
    let measured = grouped(longest["measured"].as_u64().unwrap_or(0).into());
    let hint = format!(
        "Cycles of the SIMD that took longest, not of the whole capture: no schedule of SIMD {}'s streams takes less, and none that leaves no unit idle takes more; measured {measured}. {}",
        longest["simd"],
        match outside {
            0 => format!("So it is on all {} SIMDs", brackets.len()),
            outside => format!("{outside} of {} SIMDs are outside", brackets.len()),
        }
    );
    Some((format!("{} to {}", bound("best"), bound("worst")), hint, outside == 0))
}

/// The assumption that fell on each SIMD where one did, in sentences.
pub fn fallen(report: &Value) -> Vec<String> {
    let brackets = report["brackets"].as_array().cloned().unwrap_or_default();
    let one = |own: &Value| {
        let place = format!("SE {}, CU {}, SIMD {}", own["se"], own["cu"], own["simd"]);
        let mut said = Vec::new();
        if own["between"] != true {
            said.push(format!("{place}: the measurement is outside of what was proven of its streams"));
        }
        if let Some(idle) = own["idle"].as_array() {
            let at =
                idle.first().and_then(Value::as_u64).map_or(String::new(), |line| format!(" at line {line}"));
            let clock = idle.get(1).cloned().unwrap_or_default();
            said.push(format!(
                "{place}: no work-conserving arbiter; at clock {clock} a wave stood ready{at}, its unit was free as far as is known, and nothing issued"
            ));
        }
        said
    };
    brackets.iter().flat_map(one).collect()
}

/// What is asked while the answer is hidden.
pub fn questions(report: &Value) -> Vec<Question> {
    let number = |value: &Value| value.as_u64().unwrap_or(0) as f64;
    let all = number(&report["named"]["cycles"]);
    if all == 0.0 {
        return Vec::new();
    }
    let issue = 100.0 * number(&report["causes"]["issue"]) / all;
    vec![Question::new(
        "In about how many per cent of their cycles do waves issue an instruction?",
        Answer::Estimate(issue, "%", CLOSE),
    )]
}
