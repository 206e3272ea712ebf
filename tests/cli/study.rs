//! `warpspan study`: rows, threads, files, tables, and going on after a cut.

use super::*;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::fs;

const STUDY: &str = r#"{"warpspan": 1, "title": "s", "study": {
    "base": {"warps": {"kernel": {"generate": "kernel", "length": 4}, "count": 1, "machine": {"L": 1, "C": 1}}},
    "axes": [{"path": "warps.count", "from": 1, "to": 3}], "samples": 2, "measures": {"m": "makespan"}}}"#;

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A name for a file that is not there yet; it is taken away in the end.
struct Out(String);

impl Out {
    fn new(scratch: &Scratch, ending: &str) -> Self {
        Self(format!("{}{ending}", scratch.path()))
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let file = Scratch::new(STUDY.as_bytes());
    let one = warpspan(&["study", file.path(), "--threads", "1"]);
    assert_eq!((one.status, one.err.as_str(), one.out.lines().count()), (0, "", 6));
    for threads in ["2", "7"] {
        let more = warpspan(&["study", file.path(), "--threads", threads]);
        assert_eq!((more.status, sorted(&more.out)), (0, sorted(&one.out)));
    }
    let row: Value = serde_json::from_str(one.out.lines().next().unwrap_or_default()).expect("a row is JSON");
    assert_eq!(row["point"], serde_json::json!({"warps.count": 1}));
    assert!(row["sample"] == 0 && row["seed"].is_u64() && row["values"]["m"].is_u64(), "{row}");
}

/// Cut anywhere in the first three lines, the file is whole again afterwards.
#[test]
fn a_cut_run_goes_on() {
    let file = Scratch::new(STUDY.as_bytes());
    let whole = warpspan(&["study", file.path(), "--threads", "1"]).out;
    let out = Out::new(&file, ".ndjson");
    let three: usize = whole.split_inclusive('\n').take(3).map(str::len).sum();
    for end in 0..=three {
        fs::write(&out.0, &whole[..end]).expect("a scratch file can be written");
        let answer = warpspan(&["study", file.path(), "--threads", "1", "--out", &out.0, "--resume"]);
        assert_eq!((answer.status, answer.err.as_str(), answer.out.as_str()), (0, "", ""), "cut at {end}");
        let found = fs::read_to_string(&out.0).expect("rows were written");
        assert_eq!(found, whole, "cut at {end}");
    }
}

/// Cells that take so long that a run of them can be stopped in the middle.
const LONG: &str = r#"{"warpspan": 1, "title": "s", "study": {
    "base": {"warps": {"kernel": {"generate": "kernel", "length": 40}, "count": 16, "machine": {"L": 1, "C": 2},
        "method": {"beam": {"width": 20}}}},
    "samples": 60, "measures": {"m": "makespan"}}}"#;

/// Killed in the middle, with and without half a line after it, a run goes on and ends with the rows of any other.
#[test]
fn a_killed_run_goes_on() {
    let file = Scratch::new(LONG.as_bytes());
    let whole = warpspan(&["study", file.path()]).out;
    for (ending, half) in [(".ndjson", ""), (".csv", "{\"point\": {")] {
        let out = Out::new(&file, ending);
        let rows = if ending == ".csv" { format!("{}.rows.ndjson", out.0) } else { out.0.clone() };
        let words = ["study", file.path(), "--threads", "2", "--out", &out.0];
        killed_once(&words, || fs::metadata(&rows).is_ok_and(|there| there.len() > 0));
        let before = fs::read_to_string(&rows).expect("rows were written");
        assert!(sorted(&before).iter().all(|row| whole.contains(row)), "{before}");
        fs::write(&rows, before + half).expect("a scratch file can be written");
        let answer = warpspan(&["study", file.path(), "--threads", "1", "--out", &out.0, "--resume"]);
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{ending}");
        let found = fs::read_to_string(&out.0).expect("rows were written");
        if ending == ".csv" {
            assert_eq!(found.lines().count(), 61);
        } else {
            assert_eq!(sorted(&found), sorted(&whole));
        }
    }
}

/// Stopped while the table is made, or right after it, a run makes it again.
#[test]
fn a_table_is_there_whole_or_not_at_all() {
    let file = Scratch::new(STUDY.as_bytes());
    let out = Out::new(&file, ".csv");
    let [rows, part] = [".rows.ndjson", ".part"].map(|more| format!("{}{more}", out.0));
    let whole = warpspan(&["study", file.path(), "--threads", "1"]).out;
    for there in [&part, &out.0] {
        fs::write(&rows, &whole).expect("a scratch file can be written");
        fs::write(there, "half a tab").expect("a scratch file can be written");
        let answer = warpspan(&["study", file.path(), "--out", &out.0, "--resume"]);
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{there}");
        assert_eq!(fs::read_to_string(&out.0).expect("a table").lines().count(), 7);
        assert!(fs::metadata(&rows).is_err() && fs::metadata(&part).is_err());
    }
    let again = warpspan(&["study", file.path(), "--out", &out.0, "--resume"]);
    let said = "there is such a file, expected another name: it is finished, and the rows that it was made of are gone";
    assert_eq!((again.status, again.err), (2, format!("{}: {}: {said}\n", file.path(), out.0)));
}

#[test]
fn a_study_of_which_every_cell_fails_is_a_mistake() {
    let file = Scratch::new(STUDY.replace("\"makespan\"}", "\"makespam\"}").as_bytes());
    let answer = warpspan(&["study", file.path()]);
    let said = "study: every cell failed, the first with: m: makespam is not in the report, expected a cell that has values";
    assert_eq!((answer.status, answer.err), (2, format!("{}: {said}\n", file.path())));
    assert_eq!(answer.out.lines().filter(|row| row.contains("makespam is not in the report")).count(), 6);
    // Of one measure of two it is a problem of its cells, and so is a cell among others.
    let some = Scratch::new(
        STUDY.replace("\"m\": \"makespan\"", "\"m\": \"if(count > 1, makespan, nothing)\"").as_bytes(),
    );
    assert_eq!(warpspan(&["study", some.path()]).status, 0);
}

#[test]
fn a_recorded_run_in_files_is_no_base_of_a_study() {
    let base = r#"{"warpspan": 1, "study": {"base": {"trace": {"files": [{"name": "a.json"}]}}, "measures": {"e": "end"}}}"#;
    let file = Scratch::new(base.as_bytes());
    let answer = warpspan(&["study", file.path()]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert!(
        answer.err.contains("study.base.trace.files: a list of 1, expected a run that is in the document"),
        "{}",
        answer.err
    );
}

#[test]
fn what_is_there_is_not_written_over() {
    let file = Scratch::new(STUDY.as_bytes());
    let out = Out::new(&file, ".ndjson");
    assert_eq!(warpspan(&["study", file.path(), "--out", &out.0]).status, 0);
    let rows = fs::read_to_string(&out.0).expect("rows were written");
    let again = warpspan(&["study", file.path(), "--out", &out.0]);
    let said = format!(
        "{}: {}: there is such a file, expected another name, or --resume to go on with its rows\n",
        file.path(),
        out.0
    );
    assert_eq!((again.status, again.err), (2, said));
    // Rows of another study are no rows of this one, even where the points are the same.
    for (old, new) in [("\"length\": 4", "\"length\": 5"), ("\"samples\"", "\"seed\": 2, \"samples\"")] {
        let other = Scratch::new(STUDY.replace(old, new).as_bytes());
        let answer = warpspan(&["study", other.path(), "--out", &out.0, "--resume"]);
        let said = format!(
            "{}: {} line 1: another row, expected rows of this study, to go on with\n",
            other.path(),
            out.0
        );
        assert_eq!((answer.status, answer.err), (2, said));
    }
    assert_eq!(fs::read_to_string(&out.0).expect("rows are there"), rows, "nothing was changed");
}

#[test]
fn a_table_has_a_line_for_each_row() {
    let file = Scratch::new(STUDY.as_bytes());
    let out = Out::new(&file, ".csv");
    let answer = warpspan(&["study", file.path(), "--threads", "1", "--out", &out.0]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let table = fs::read_to_string(&out.0).expect("a table was written");
    let rows = warpspan(&["study", file.path(), "--threads", "1"]).out;
    let mut lines = table.lines();
    assert_eq!(lines.next().map(str::trim_end), Some("warps.count,sample,seed,m,problem"));
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).expect("a row is JSON");
        let expected = format!(
            "{},{},{},{},",
            row["point"]["warps.count"], row["sample"], row["seed"], row["values"]["m"]
        );
        assert_eq!(lines.next().map(str::trim_end), Some(expected.as_str()));
    }
    assert_eq!(lines.next(), None);
    assert!(fs::metadata(format!("{}.rows.ndjson", out.0)).is_err(), "the rows beside it are gone");
}

/// Read back by the crate's own reader: names, types and values are those of the rows.
#[test]
fn a_parquet_file_has_a_row_for_each_cell() {
    let odd = r#"{"warpspan": 1, "title": "s", "study": {
        "base": {"warps": {"kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}}},
        "axes": [{"path": "warps.count", "name": "n", "from": 1, "to": 3},
            {"path": "warps.machine.C", "name": "m", "values": [1, 2], "labels": ["one", "two"]}],
        "measures": {"m": "makespan", "half": "makespan / 2", "late": "makespan > 4", "few": "1 / (makespan - 3)"}}}"#;
    let file = Scratch::new(odd.as_bytes());
    let out = Out::new(&file, ".parquet");
    let answer = warpspan(&["study", file.path(), "--threads", "1", "--out", &out.0]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let table = SerializedFileReader::new(fs::File::open(&out.0).expect("a table")).expect("a Parquet file");
    let mut shown = String::new();
    for column in table.metadata().file_metadata().schema_descr().columns() {
        shown += &format!("{} {}\n", column.name(), column.physical_type());
    }
    for row in table.get_row_iter(None).expect("rows") {
        let row = row.expect("a row");
        let seed =
            row.get_column_iter().any(|(name, field)| name == "seed" && matches!(field, Field::Long(_)));
        assert!(seed, "{row}");
        let fields = row.get_column_iter().filter(|(name, _)| *name != "seed");
        let fields: Vec<String> = fields.map(|(_, field)| field.to_string()).collect();
        shown += &(fields.join(" ") + "\n");
    }
    expect![[r#"
        n INT64
        point.m BYTE_ARRAY
        sample INT64
        seed INT64
        m INT64
        half INT64
        late BOOLEAN
        few DOUBLE
        problem BYTE_ARRAY
        1 "one" 0 null null null null "few: a division by 0"
        1 "two" 0 null null null null "few: a division by 0"
        2 "one" 0 4 2 false 1.0 null
        2 "two" 0 4 2 false 1.0 null
        3 "one" 0 6 3 true 0.3333333333333333 null
        3 "two" 0 6 3 true 0.3333333333333333 null
    "#]]
    .assert_eq(&shown);
}

#[test]
fn what_is_no_study_is_refused() {
    let file = Scratch::new(STUDY.as_bytes());
    let answer = warpspan(&["study", file.path(), "--out", "rows.arrow"]);
    let said = "--out: \"rows.arrow\", expected a name that ends in .ndjson, .csv or .parquet";
    assert_eq!((answer.status, answer.err), (2, format!("{}: {said}\n", file.path())));
    let warps = Scratch::new(document(SOUND).as_bytes());
    let answer = warpspan(&["study", warps.path()]);
    let said =
        format!("{}: document: no study, expected {{\"warpspan\": 1, \"study\": {{...}}}}\n", warps.path());
    assert_eq!((answer.status, answer.out.as_str(), answer.err), (2, "", said));
}
