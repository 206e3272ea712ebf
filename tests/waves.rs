//! Thread traces through the program: what scripts rely on.

use std::process::Command;

use serde_json::Value;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/waves/lab/captures/layernorm.waves");

fn called(arguments: &[&str]) -> (i32, String, String) {
    let program = env!("CARGO_BIN_EXE_warpspan");
    let output = Command::new(program).args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one line of JSON")
}

#[test]
fn a_report_adds_up() {
    let (status, out, error) = called(&["run", SHIPPED]);
    assert_eq!((status, error.as_str(), out.lines().count()), (0, "", 1));
    let report = json(&out);
    assert_eq!(
        (&report["lab"], &report["gfx"], &report["instructions"]),
        (&"waves".into(), &9.into(), &6504.into())
    );
    assert!(report.get("items").is_none());
    let sum =
        |causes: &Value| causes.as_object().expect("causes").values().filter_map(Value::as_i64).sum::<i64>();
    let waves = report["waves"].as_array().expect("waves");
    let lives = waves.iter().map(|wave| {
        let life = wave["end"].as_i64().unwrap_or(0) - wave["begin"].as_i64().unwrap_or(0);
        assert_eq!(sum(&wave["causes"]), life);
        life
    });
    assert_eq!(lives.sum::<i64>(), sum(&report["causes"]));
    assert!(
        report["lines"]
            .as_array()
            .is_some_and(|lines| lines.iter().all(|line| line["hits"].as_u64() > Some(0)))
    );
    assert_eq!(report["replay"].as_array().map(Vec::len), Some(2));
}

#[test]
fn stretches_on_request() {
    let (status, out, _) = called(&["run", "--instructions", SHIPPED]);
    assert_eq!(status, 0);
    let report = json(&out);
    let items = report["items"].as_array().expect("items");
    assert!(items.len() > 6504);
    let data = items.iter().find(|item| item["cause"] == "data").expect("a wait");
    assert_eq!(data["witness"]["wave"], data["wave"]);
    assert!(data["witness"]["clock"].as_i64() < data["clock"].as_i64());
    assert_eq!(called(&["convert", "--instructions", SHIPPED, "--to", "csv"]).0, 2);
}

#[test]
fn other_forms_and_comparisons() {
    let (status, out, _) = called(&["convert", SHIPPED, "--to", "csv"]);
    assert!(status == 0 && out.starts_with("wave,se,cu,simd,slot,n,line,text,"));
    let (status, out, _) = called(&["convert", SHIPPED, "--to", "perfetto"]);
    assert!(status == 0 && json(&out)["traceEvents"].is_array());
    let (status, _, error) = called(&["convert", SHIPPED, "--to", "svg"]);
    assert!(
        status == 2
            && error.contains("a thread trace becomes no examiner's log, picture or machine code here")
    );
    let (status, out, _) = called(&["diff", SHIPPED, SHIPPED, "--threshold", "1%"]);
    assert_eq!((status, &json(&out)["slower"]), (0, &false.into()));
}

#[test]
fn what_cannot_be_read_is_told() {
    let folder = std::env::temp_dir().join(format!("warpspan-waves-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("filenames.json"), r#"{"gfxip": 9, "wave_filenames": {}}"#).expect("a file");
    let path = folder.to_string_lossy().into_owned();
    let (status, out, error) = called(&["run", &path]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(error.contains("capture: no wave that can be read among 0 files of waves"), "{error}");
    let cut = folder.join("cut.waves");
    let bytes = std::fs::read(SHIPPED).expect("the capture");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a file");
    let (status, out, error) = called(&["run", &cut.to_string_lossy()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(error.contains("a compact capture that is cut off or damaged"), "{error}");
    let (status, _, error) = called(&["diff", SHIPPED, &path]);
    assert!(status == 2 && error.contains("no wave that can be read"), "{error}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
