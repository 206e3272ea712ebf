//! JSON changed as a tree, so that what comes of it is JSON again: values exchanged, keys renamed, lists lengthened.

use serde_json::{Map, Value};
use warpspan::base::Seeded;

use super::mutate::{number, pick};
use super::seeds::Pool;

/// A tree of the pool with one to three changes. Half of all are such that the tree may well be right still: so they reach
/// what comes after reading.
pub fn changed(rng: &mut Seeded, pool: &Pool) -> Value {
    let mut tree = pick(rng, &pool.trees).clone();
    let fitting = rng.below(2) == 0;
    for _ in 0..=rng.below(3) {
        let size = size(&tree) as u32;
        let mut left = rng.below(size);
        if let Some(place) = nth(&mut tree, &mut left) {
            if fitting { fit(rng, pool, place) } else { change(rng, pool, place) }
        }
    }
    tree
}

/// A change that fits: a number near what it was, a field with a value that stands under its key elsewhere, a list with one
/// of its items more or less.
fn fit(rng: &mut Seeded, pool: &Pool, place: &mut Value) {
    match place {
        Value::Number(_) => *place = near(rng, place),
        Value::Object(map) if !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            // A field of an object of this kind, which need not be in this one.
            let key = pick(rng, &keys);
            if let Some(values) = pool.by_key.get(key) {
                map.insert(key.clone(), pick(rng, values).clone());
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = rng.below(items.len() as u32) as usize;
            match rng.below(3) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                _ => items.swap(0, at),
            }
        }
        _ => {}
    }
}

/// How many values there are in a tree, itself included.
fn size(tree: &Value) -> usize {
    1 + match tree {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.values().map(size).sum(),
        _ => 0,
    }
}

/// A value of a tree by its number, in the order in which they are written.
fn nth<'a>(tree: &'a mut Value, left: &mut u32) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(tree);
    }
    *left -= 1;
    match tree {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(map) => map.values_mut().find_map(|item| nth(item, left)),
        _ => None,
    }
}

fn change(rng: &mut Seeded, pool: &Pool, place: &mut Value) {
    match rng.below(8) {
        0 => *place = stranger(rng, pool),
        1 => *place = from_another(rng, pool),
        _ => match place {
            Value::Number(_) => *place = near(rng, place),
            Value::String(text) => *place = Value::from(rewritten(rng, pool, text)),
            Value::Array(items) => lengthened(rng, pool, items),
            Value::Object(map) => rekeyed(rng, pool, map),
            Value::Bool(told) => *told = !*told,
            Value::Null => *place = stranger(rng, pool),
        },
    }
}

/// A value that has nothing to do with what stood there.
fn stranger(rng: &mut Seeded, pool: &Pool) -> Value {
    match rng.below(8) {
        0 => Value::Null,
        1 => Value::Bool(rng.below(2) == 0),
        2 => Value::Array(vec![]),
        3 => Value::Object(Map::new()),
        4 | 5 if !pool.words.is_empty() => Value::from(pick(rng, &pool.words).as_str()),
        _ => serde_json::from_str(number(rng)).unwrap_or_default(),
    }
}

/// A value that stands in one of the seeds.
fn from_another(rng: &mut Seeded, pool: &Pool) -> Value {
    let mut other = pick(rng, &pool.trees).clone();
    let size = size(&other) as u32;
    let mut left = rng.below(size);
    nth(&mut other, &mut left).map(Value::take).unwrap_or_default()
}

/// A number a little beside a number, or far from it.
fn near(rng: &mut Seeded, place: &Value) -> Value {
    match (place.as_i64(), rng.below(6)) {
        (Some(number), 0) => Value::from(number.saturating_add(1)),
        (Some(number), 1) => Value::from(number.saturating_sub(1)),
        (Some(number), 2) => Value::from(number.saturating_mul(1 << rng.below(40))),
        (Some(number), 3) => Value::from(number / 2),
        _ => serde_json::from_str(number(rng)).unwrap_or_default(),
    }
}

fn rewritten(rng: &mut Seeded, pool: &Pool, text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = rng.below(chars.len() as u32 + 1) as usize;
    let (before, after) = (chars[..at].iter().collect::<String>(), chars[at..].iter().collect::<String>());
    match rng.below(6) {
        0 => String::new(),
        1 => before,
        2 => format!("{before}{}{after}", number(rng)),
        3 if !pool.words.is_empty() => format!("{before}{}{after}", pick(rng, &pool.words)),
        4 => text.repeat(1 + rng.below(20) as usize),
        _ => format!(
            "{before}{}{after}",
            ["\u{0}", "é", "\u{202e}", "</svg>", "\n", "=1"][rng.below(6) as usize]
        ),
    }
}

fn lengthened(rng: &mut Seeded, pool: &Pool, items: &mut Vec<Value>) {
    let at = rng.below(items.len() as u32 + 1) as usize;
    match rng.below(5) {
        0 if at < items.len() => drop(items.remove(at)),
        1 => items.insert(at, from_another(rng, pool)),
        2 => items.reverse(),
        3 => items.truncate(at),
        _ => {
            let copied: Vec<Value> = items.iter().take(at.max(1)).cloned().collect();
            let times = if copied.len() < 20 { 1 << rng.below(5) } else { 1 };
            for _ in 0..times {
                items.extend_from_slice(&copied);
            }
        }
    }
}

fn rekeyed(rng: &mut Seeded, pool: &Pool, map: &mut Map<String, Value>) {
    let keys: Vec<String> = map.keys().cloned().collect();
    let key = if keys.is_empty() { String::new() } else { pick(rng, &keys).clone() };
    match rng.below(4) {
        0 => drop(map.shift_remove(&key)),
        1 if !pool.words.is_empty() => {
            let value = map.shift_remove(&key).unwrap_or_default();
            map.insert(pick(rng, &pool.words).clone(), value);
        }
        2 if !pool.words.is_empty() => drop(map.insert(pick(rng, &pool.words).clone(), stranger(rng, pool))),
        // Another object's fields beside its own: parts of other documents where they fit.
        _ => {
            if let Value::Object(other) = from_another(rng, pool) {
                map.extend(other);
            }
        }
    }
}
