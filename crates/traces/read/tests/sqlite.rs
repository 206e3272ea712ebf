//! Rows of small databases, and what becomes of damaged ones.

#![allow(clippy::unwrap_used)] // It is all tests.

mod fixtures;

use warpspan_traces_read::source::Tracked;
use warpspan_traces_read::sqlite::{Damage, Database, Fault, Value};

fn rows(mut file: &[u8], name: &str, columns: &[&str]) -> (Vec<String>, Result<Damage, Fault>) {
    let mut progress = |_| true;
    let mut database = Database::open(Tracked::new(&mut file, &mut progress)).unwrap();
    let table = database.table(name).unwrap().clone();
    let mut found = Vec::new();
    let damage = database.rows(&table, columns, &|_| true, &mut |row| {
        let values: Vec<String> = (0..columns.len())
            .map(|place| match row.value(place) {
                Value::Text(_) => row.text(place).unwrap().into_owned(),
                value => format!("{value:?}"),
            })
            .collect();
        found.push(values.join(" "));
    });
    (found, damage)
}

#[test]
fn values_of_all_sorts() {
    let (rows, damage) = rows(&fixtures::tables(), "PLAIN", &["id", "B C", "a", "none"]);
    assert_eq!(damage, Ok(Damage::default()));
    assert_eq!(
        rows,
        [
            "Int(-7) Null Int(-129) Null",
            "Int(5) é😀 Int(1) Null",
            "Int(6) x Int(9007199254740993) Null",
            "Int(9223372036854775807) Blob([0, 255]) Real(1.5) Null",
        ]
    );
}

#[test]
fn long_texts_lie_on_other_pages_and_columns_may_be_missing() {
    let (rows, damage) = rows(&fixtures::tables(), "long", &["after", "text", "late"]);
    assert_eq!(damage, Ok(Damage::default()));
    let kept: Vec<i64> = (1..=60).filter(|i| i % 3 != 0).collect();
    assert_eq!(rows.len(), kept.len() + 1);
    for (row, i) in rows.iter().zip(kept) {
        let text = "0".repeat(usize::try_from(i * i).unwrap());
        assert_eq!(*row, format!("Int({i}) {text} Null"));
    }
    assert_eq!(rows.last().unwrap(), "Int(61) late Int(4)");
}

#[test]
fn what_is_not_read_says_so() {
    let file = fixtures::tables();
    let Err(Fault::Damaged(why)) = rows(&file, "keyed", &["k"]).1 else { panic!("it was read") };
    assert_eq!(why, "the table keyed is WITHOUT ROWID, which is not read");
    assert_eq!(rows(&file, "empty", &["x"]), (Vec::new(), Ok(Damage::default())));
    let mut short = &file[..50];
    let mut progress = |_| true;
    assert!(Database::open(Tracked::new(&mut short, &mut progress)).is_err());
}

#[test]
fn a_log_beside_the_file_is_told() {
    let mut file = fixtures::nsight();
    file[18] = 2;
    assert_eq!(fixtures::left_out(&fixtures::read(&file), "write-ahead log"), 1);
}

/// A page that points to itself, one after the other: the walk ends, and says what it left out.
#[test]
fn circles_end() {
    let file = fixtures::tables();
    let pages = file.len() / 512;
    let mut inner = 0;
    for page in 1..pages {
        let at = page * 512;
        if file[at] != 5 {
            continue;
        }
        inner += 1;
        let mut file = file.clone();
        let itself = u32::try_from(page + 1).unwrap().to_be_bytes();
        file[at + 8..at + 12].copy_from_slice(&itself);
        let (rows, damage) = rows(&file, "long", &["after"]);
        assert!(rows.len() < 41);
        assert!(damage.unwrap().first.unwrap().contains("used twice"));
    }
    assert!(inner > 0);
}
