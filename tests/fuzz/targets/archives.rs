//! Archives, and several files that are one document.

use warpspan::base::crc32;
use warpspan::import::gzip::text_of;
use warpspan::import::{self, several, zip as archive};
use warpspan::scenario;

use super::formats::read_and_run;
use super::said::clear;
use super::text;

/// What is unpacked to learn its right length and checksum.
const MOST_UNPACKED: usize = 1 << 20;

/// An archive is refused, or unpacked within the limits; what comes out is read as any text is.
pub fn zip(data: &[u8]) {
    if data.len() > super::LONGEST {
        return;
    }
    unpacked(data);
    // Most changes end at a checksum: with the right ones they go further.
    let right = with_right_sums(data);
    if right != data {
        unpacked(&right);
    }
}

fn unpacked(data: &[u8]) {
    let files = match archive::files(data) {
        Ok(files) => files,
        Err(problem) => return clear(&[problem]),
    };
    let total: usize = files.iter().map(|(_, content)| content.len()).sum();
    assert!(total <= import::LONGEST, "{total} bytes out of {}", data.len());
    match text_of(data) {
        Ok(text) => read(&text),
        Err(problem) => clear(&[problem]),
    }
}

/// Several files come apart as they were joined, and are read as one model.
pub fn several(data: &[u8]) {
    if let Some(text) = text(data) {
        read(&text);
    }
}

fn read(text: &str) {
    match several::parts(text) {
        Ok(parts) if several::is_several(text) && parts.len() > 1 => {
            let file = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
            let again = several::joined(&parts.iter().map(file).collect::<Vec<_>>());
            let texts =
                |parts: &[(&str, &str)]| parts.iter().map(|part| part.1.to_owned()).collect::<Vec<_>>();
            let again = several::parts(&again).map(|parts| texts(&parts));
            assert_eq!(again, Ok(texts(&parts)), "files come apart as they were joined");
        }
        Ok(_) => {}
        Err(problem) => clear(&[problem]),
    }
    match scenario::tree(text) {
        Ok(tree) => read_and_run(&tree, 8),
        Err(problems) => clear(&problems),
    }
}

/// The archive with the lengths and checksums that its files have.
fn with_right_sums(data: &[u8]) -> Vec<u8> {
    let mut right = data.to_vec();
    for at in 0..data.len() {
        if data[at..].starts_with(b"PK\x01\x02")
            && let Some((plain, packed)) = content(data, at)
        {
            right[at + 16..at + 20].copy_from_slice(&crc32(&plain).to_le_bytes());
            right[at + 20..at + 24].copy_from_slice(&(packed as u32).to_le_bytes());
            right[at + 24..at + 28].copy_from_slice(&(plain.len() as u32).to_le_bytes());
        }
    }
    right
}

/// What the entry of a directory at a place leads to, and how long it is packed.
fn content(data: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let number = |at: usize, bytes: usize| {
        let bytes = data.get(at..at + bytes)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    let file = number(at + 42, 4)?;
    let from = file + 30 + number(file + 26, 2)? + number(file + 28, 2)?;
    let packed = number(at + 20, 4)?.min(data.len().checked_sub(from)?);
    let bytes = &data[from..from + packed];
    match number(at + 10, 2)? {
        0 => Some((bytes.to_vec(), packed)),
        8 => {
            let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, MOST_UNPACKED).ok()?;
            Some((plain, packed))
        }
        _ => None,
    }
}
