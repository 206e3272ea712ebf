//! Models with random damage: whatever it is, the answer is a chain or problems, and there is one.

use super::FILES;
use warpspan::base::Seeded;
use warpspan::import::amalthea;

/// Times that a file is damaged.
const ROUNDS: u32 = 300;

/// A number below a length.
fn below(seeded: &mut Seeded, length: usize) -> usize {
    seeded.below(u32::try_from(length.max(1)).unwrap_or(u32::MAX)) as usize
}

/// A place in a text where a character begins.
fn place(seeded: &mut Seeded, text: &str) -> usize {
    let mut at = below(seeded, text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn damaged(seeded: &mut Seeded, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=seeded.below(4) {
        let (a, b) = (place(seeded, &text), place(seeded, &text));
        let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 200));
        let to = (from..=to).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(from);
        match seeded.below(6) {
            0 => text.replace_range(from..to, ""),
            1 => {
                let part = text[from..to].to_owned();
                text.insert_str(from, &part);
            }
            2 => {
                let part = text[from..to].to_owned();
                let elsewhere = place(seeded, &text);
                text.insert_str(elsewhere, &part);
            }
            3 => text.insert(from, ['<', '>', '"', '&', '/', '9', 'é', '\0'][below(seeded, 8)]),
            4 => lines(seeded, &mut text),
            _ => numbers(seeded, &mut text),
        }
    }
    text
}

/// Lines are left out, doubled or swapped: what stays is often well-formed.
fn lines(seeded: &mut Seeded, text: &mut String) {
    let mut all: Vec<&str> = text.lines().collect();
    if all.len() < 2 {
        return;
    }
    let (a, b) = (below(seeded, all.len()), below(seeded, all.len()));
    match seeded.below(3) {
        0 => {
            all.remove(a);
        }
        1 => all.insert(a, all[b]),
        _ => all.swap(a, b),
    }
    *text = all.join("\n");
}

/// A number becomes another one.
fn numbers(seeded: &mut Seeded, text: &mut String) {
    let quotes: Vec<usize> = text.match_indices("value=\"").map(|(at, found)| at + found.len()).collect();
    let Some(&from) = quotes.get(below(seeded, quotes.len())) else { return };
    let Some(length) = text[from..].find('"') else { return };
    let numbers =
        ["0", "-1", "18446744073709551615", "1e40", "0.0000000001", "x", "", "9".repeat(30).as_str()]
            .map(str::to_owned);
    let number = &numbers[below(seeded, numbers.len())];
    text.replace_range(from..from + length, number);
}

#[test]
fn damage_is_told() {
    let mut seeded = Seeded::new(20190703, 0);
    let (mut sound, mut broken) = (0, 0);
    for text in FILES {
        for _ in 0..ROUNDS {
            let text = damaged(&mut seeded, text);
            match amalthea::read(&text).and_then(|model| amalthea::mapped(&model)) {
                Ok(_) => sound += 1,
                Err(problems) => {
                    assert!(!problems.is_empty() && problems.len() <= 50);
                    broken += 1;
                }
            }
        }
    }
    assert!(sound > 100 && broken > 100, "{sound} sound, {broken} broken");
}
