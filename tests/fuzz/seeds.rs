//! What inputs are made from: the project's own documents by path, what broke once, and the words in all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use warpspan::base::Control;
use warpspan::job::{self, Step};
use warpspan::scenario::builtin::{BUILTINS, Builtin};
use warpspan::scenario::link::{self, LessonSource, View};
use warpspan::{import, scenario};

use super::archives::{archives, split};
use super::targets::{LONGEST, Seeds, Target};

/// The inputs that a target begins with.
pub struct Pool {
    /// As they are.
    pub texts: Vec<Vec<u8>>,
    /// As trees, those that are JSON.
    pub trees: Vec<Value>,
    /// The words in them, each once.
    pub words: Vec<String>,
    /// What stands in the trees under each key: where one of them fits, so may the others.
    pub by_key: BTreeMap<String, Vec<Value>>,
}

/// Examples that take long to run whatever becomes of them.
const LARGE: [&str; 4] = ["large", "many-blocks", "chain-camera", "chain-machine-code"];

/// The pool of a target.
pub fn of(target: &Target) -> Pool {
    let mut texts = below("tests/fuzz/corpus", Some(target.name));
    texts.extend(match target.seeds {
        Seeds::Scenarios if target.name == "run" => [scenarios(&LARGE), in_prose()].concat(),
        Seeds::Scenarios => [scenarios(&[]), in_prose(), below("www/studies", Some("json"))].concat(),
        Seeds::Links => links(),
        Seeds::Certificates => certificates(),
        Seeds::Words => WORDS.iter().map(|word| word.as_bytes().to_vec()).collect(),
        Seeds::Gzip => scenarios(&LARGE).iter().map(|text| packed(text)).collect(),
        Seeds::Zip => archives(
            &models(),
            &json!({"warpspan": 1, "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1}}}),
        ),
        Seeds::Several => split_models(),
        Seeds::Ptx => [below("tests/ptx", Some("ptx")), in_documents("/warps/program")].concat(),
        Seeds::Amalthea => models(),
        Seeds::Configurations => [examiner(true), in_documents("/blocks/examiner")].concat(),
        Seeds::Logs => [examiner(false), in_documents("/blocks/measured/0"), folders()].concat(),
        Seeds::Lessons => below("www/lessons", Some("json")),
        Seeds::Exercises => [below("www/exercises", Some("json")), exercises()].concat(),
        Seeds::Reproductions => items(),
    });
    texts.retain(|text| text.len() <= LONGEST);
    let trees: Vec<Value> = texts.iter().filter_map(|text| serde_json::from_slice(text).ok()).collect();
    let mut words = BTreeSet::new();
    texts.iter().for_each(|text| harvest(&String::from_utf8_lossy(text), &mut words));
    let mut by_key = BTreeMap::new();
    trees.iter().for_each(|tree| sort_by_key(tree, &mut by_key));
    Pool { texts, trees, words: words.into_iter().collect(), by_key }
}

fn sort_by_key(tree: &Value, by_key: &mut BTreeMap<String, Vec<Value>>) {
    match tree {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            by_key.entry(key.clone()).or_default().push(value.clone());
            sort_by_key(value, by_key);
        }),
        Value::Array(items) => items.iter().for_each(|item| sort_by_key(item, by_key)),
        _ => {}
    }
}

/// Words of letters and digits, and whatever stands in quotation marks.
fn harvest(text: &str, words: &mut BTreeSet<String>) {
    let is_word = |word: &&str| (2..=40).contains(&word.len());
    let plain = text.split(|c: char| !c.is_alphanumeric() && !"_.%-".contains(c));
    let quoted = text.split('"').skip(1).step_by(2);
    words.extend(plain.filter(is_word).map(str::to_owned));
    words.extend(quoted.filter(is_word).map(str::to_owned));
}

/// A small set of exercises, and answers to one.
fn exercises() -> Vec<Vec<u8>> {
    let set = r#"{"exercises": 1, "name": "x", "title": "X", "list": [{"name": "a", "draw": {"n": {"from": 1, "to": 4},
        "k": {"one_of": ["L", "C"]}}, "title": "{n}", "text": "{k}", "scenario": {"warpspan": 1, "warps": {"kernel": "L{k}",
        "count": {"drawn": "n", "times": 2, "plus": 1}, "machine": {"L": 1, "C": 1}}},
        "answer": {"ask": "?", "number": {"report": "/makespan"}}}]}"#;
    let answers = r#"{"answers": 1, "exercises": "x", "student": "Ada", "given": {"a": 3, "b": "R1"}}"#;
    [set, answers].map(|text| text.as_bytes().to_vec()).to_vec()
}

/// The files below a folder, of an extension or in a folder of that name.
fn below(folder: &str, named: Option<&str>) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let fits = |path: &&std::path::PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let within = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        named.is_none() || extension == named || within == named
    };
    paths.iter().filter(fits).map(|path| fs::read(path).expect("a file of the project")).collect()
}

/// The examples but studies, which are a folder of their own, and without some.
fn scenarios(without: &[&str]) -> Vec<Vec<u8>> {
    let fits = |example: &&Builtin| example.group != "Studies" && !without.contains(&example.name);
    let examples = BUILTINS.iter().filter(fits);
    examples.map(|example| example.text.as_bytes().to_vec()).collect()
}

/// The documents in the project's pages.
fn in_prose() -> Vec<Vec<u8>> {
    let pages = below("docs", Some("md"));
    let pages = pages.iter().map(|page| String::from_utf8_lossy(page).into_owned());
    pages
        .flat_map(|page| {
            let blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
            blocks.map(|block| block.as_bytes().to_vec()).collect::<Vec<_>>()
        })
        .collect()
}

/// What stands at a place in the examples: a text as it is, all else as JSON.
fn in_documents(place: &str) -> Vec<Vec<u8>> {
    let trees = BUILTINS.iter().filter_map(|example| serde_json::from_str::<Value>(example.text).ok());
    let found = trees.filter_map(|tree| tree.pointer(place).cloned());
    found
        .map(|value| match value {
            Value::String(text) => text.into_bytes(),
            other => other.to_string().into_bytes(),
        })
        .collect()
}

/// The examiner's files among the tests: configurations, or logs.
fn examiner(configurations: bool) -> Vec<Vec<u8>> {
    let kind = |text: &[u8]| import::sniff(&String::from_utf8_lossy(text));
    let is_config = |text: &Vec<u8>| kind(text) == import::Format::ExaminerConfig;
    below("tests/examiner", Some("json"))
        .into_iter()
        .filter(|text| is_config(text) == configurations)
        .collect()
}

/// Folders of logs, one log a line: those of runs that the examples hold, also with clocks that differ and with one log
/// cut off.
fn folders() -> Vec<Vec<u8>> {
    let runs = BUILTINS.iter().filter_map(|example| serde_json::from_str::<Value>(example.text).ok());
    let runs = runs.filter_map(|tree| tree.pointer("/blocks/measured")?.as_array().cloned());
    let logs = below("tests/examiner", Some("json"))
        .into_iter()
        .filter_map(|text| serde_json::from_slice(&text).ok());
    let logs: Vec<Value> = logs.filter(|log: &Value| log.get("times").is_some()).collect();
    let mut found = Vec::new();
    for run in runs.chain([logs]) {
        let text = lines(&run);
        found.push(text.as_bytes()[..text.len() * 3 / 4].to_vec());
        found.push(text.into_bytes());
        for apart in [-0.05, 1.7e9] {
            let mut run = run.clone();
            run.iter_mut().skip(1).for_each(|log| skewed(log, apart));
            found.push(lines(&run).into_bytes());
        }
    }
    found
}

fn lines(run: &[Value]) -> String {
    run.iter().map(|log| format!("{log}\n")).collect()
}

/// The log of a run in which the clock of the CPU is so many seconds apart from that of the GPU.
fn skewed(log: &mut Value, apart: f64) {
    for entry in log["times"].as_array_mut().into_iter().flatten() {
        for key in ["cuda_launch_times", "cpu_times"] {
            for time in entry.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
                *time = json!(time.as_f64().unwrap_or_default() + apart);
            }
        }
    }
}

/// One list of published values for each of the items of the project's lists: whole lists are long.
fn items() -> Vec<Vec<u8>> {
    let papers = below("www/reproductions", Some("json"));
    let mut found = Vec::new();
    for text in papers {
        let Ok(paper) = serde_json::from_slice::<Value>(&text) else { continue };
        for item in paper["items"].as_array().into_iter().flatten().step_by(3) {
            let mut one = paper.clone();
            one["items"] = json!([item]);
            if let Some(map) = one.as_object_mut() {
                map.shift_remove("left_out");
            }
            found.push(one.to_string().into_bytes());
        }
    }
    found
}

/// AMALTHEA models.
fn models() -> Vec<Vec<u8>> {
    [below("tests/amalthea", Some("amxmi")), below("www/models", Some("amxmi"))].concat()
}

/// Models of several files, some of which belong together.
fn split_models() -> Vec<Vec<u8>> {
    let file = |(place, text): (usize, &Vec<u8>)| {
        (format!("part {place}.amxmi"), String::from_utf8_lossy(text).into_owned())
    };
    let whole: Vec<(String, String)> =
        models().iter().filter(|text| text.len() < 8_000).enumerate().map(file).collect();
    let pairs = whole.windows(2).map(import::several::joined);
    let split = split();
    let halves = [&split[..], &split[..2], &split[1..]].map(import::several::joined);
    let bare = [("a".to_owned(), "<a/>".to_owned()), (String::new(), String::new())];
    let all = halves.into_iter().chain(pairs).chain([import::several::joined(&bare)]);
    all.map(String::into_bytes).collect()
}

fn packed(text: &[u8]) -> Vec<u8> {
    super::targets::packed(text)
}

/// Links to small examples, with all there is to a view.
fn links() -> Vec<Vec<u8>> {
    let views = [
        View::default(),
        View { step: Some(3), t0: Some(-0.5), t1: Some(1e9), sel: Some("2:3".to_owned()), ..View::default() },
        View { embed: true, hide: true, projector: true, theme: Some("dark".to_owned()), ..View::default() },
        View { lesson: Some(LessonSource::Named("edf".to_owned())), at: Some(2), ..View::default() },
        View {
            lesson: Some(LessonSource::Own("{\"lesson\":1}".to_owned())),
            rows: Some("units".to_owned()),
            ..View::default()
        },
    ];
    let small = scenarios(&LARGE).into_iter().filter(|text| text.len() < 1_500);
    let trees = small.filter_map(|text| serde_json::from_slice::<Value>(&text).ok());
    trees
        .zip(views.iter().cycle())
        .filter_map(|(tree, view)| link::write(&tree, view).ok())
        .map(|link| format!("#{link}").into_bytes())
        .collect()
}

/// Certificates of small results, whose bounds are proven in different ways.
fn certificates() -> Vec<Vec<u8>> {
    let asked = [
        json!({"kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}, "method": {"exact": {}}}),
        json!({"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1, "issue": 2}, "method": {"exact": {}}}),
        json!({"kernel": "C LLC L", "count": 3, "machine": {"L": 1, "C": 2, "issue": 2}, "fairness": "sub-block", "sub_blocks": [1, 3], "method": {"exact": {}}}),
        json!({"kernel": "3L 2S D", "count": 4, "machine": {"L": 1, "C": 4, "S": 2, "D": 1}}),
    ];
    asked
        .into_iter()
        .map(|warps| {
            let text = json!({"warpspan": 1, "title": "t", "warps": warps}).to_string();
            let scenario =
                scenario::read(&text).unwrap_or_else(|problems| unreachable!("{text}: {problems:?}"));
            let mut job = job::start_certificate(scenario);
            loop {
                if let Step::Done(report) = job.step(&mut Control::unlimited()) {
                    return report.line().into_bytes();
                }
            }
        })
        .collect()
}

/// Kernel strings, formulas, templates, selections, remarks, addresses, places, and what is typed into fields.
const WORDS: [&str; 32] = [
    "LCL",
    "5L 9C 2L 9C",
    "100L 3S D",
    "L 2(C S) L",
    "n*(L C) 3L",
    "{n}L 2C",
    "ceil(n/16)*3 + 2",
    "floor((n - w) / (k + 1)) - -3",
    "max(n, w, 2.5) * min(1/3, exact(2))",
    "exact(n) + exact(w + 1) * 0.001",
    "big * big - least / 3",
    "9223372036854775807 + 999999999999999.9",
    "least - 1",
    "1/0",
    "3:5",
    "18:4294967295",
    "`LCL` and *worst* [case](#exact)",
    "**bold** `open",
    "a(b, c)",
    "((((((((n))))))))",
    "------n",
    "0.000000000000001 / 999999999999999",
    "L3 C2 L",
    "lcl # remark",
    "#reproduce=b-fig-12",
    "#lesson=lessons/my.json/2",
    "chain.kernels[0].blocks",
    "chain.tasks[1].segments[2].bytes",
    "/chains/*/best",
    "/chains/best=3/name",
    "1 -2, 3.5;x",
    "18446744073709551616",
];
