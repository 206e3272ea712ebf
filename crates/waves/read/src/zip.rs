//! Archives of files (ZIP, PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4), unpacked file by file.
//!
//! Invariants: files are found by the directory at the end; none is unpacked to more than it says, nor to more than
//! [`MOST`] bytes; lengths and checksums are compared.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::files::Files;
use base::crc32;

/// Bytes of one file, unpacked.
pub const MOST: usize = 256 << 20;
const END: usize = 22;
const ENTRY: usize = 46;

/// Whether a file is an archive.
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

struct Entry {
    flags: usize,
    method: usize,
    sum: usize,
    packed: usize,
    length: usize,
    at: usize,
}

/// An archive.
pub struct Zip<'b> {
    bytes: &'b [u8],
    entries: BTreeMap<String, Entry>,
}

impl<'b> Zip<'b> {
    /// Reads its directory.
    pub fn open(bytes: &'b [u8]) -> Result<Self, &'static str> {
        let broken = "a ZIP archive whose directory is damaged or cut off";
        let (count, mut at) = directory(bytes).ok_or(broken)?;
        if count == 0xffff || at == 0xffff_ffff {
            return Err("a ZIP archive with the long numbers of ZIP64");
        }
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let (name, entry, next) = entry(bytes, at).ok_or(broken)?;
            at = next;
            if !name.ends_with('/') {
                entries.insert(name, entry);
            }
        }
        Ok(Self { bytes, entries })
    }
}

impl Files for Zip<'_> {
    fn names(&self) -> Vec<String> {
        self.entries.keys().cloned().collect()
    }

    fn bytes(&mut self, name: &str) -> Result<Cow<'_, [u8]>, String> {
        let entry = self.entries.get(name).ok_or("it is not there")?;
        content(self.bytes, entry).map(Cow::Owned).map_err(str::to_owned)
    }
}

fn content(bytes: &[u8], entry: &Entry) -> Result<Vec<u8>, &'static str> {
    let broken = "it is damaged in the ZIP archive";
    if entry.flags & 1 != 0 {
        return Err("it is encrypted in the ZIP archive");
    }
    if entry.length > MOST {
        return Err("it is larger than 256 MiB");
    }
    let head = bytes.get(entry.at..).filter(|rest| rest.starts_with(b"PK\x03\x04")).ok_or(broken)?;
    let texts = short(head, 26).zip(short(head, 28)).ok_or(broken)?;
    let from = 30 + texts.0 + texts.1;
    let packed = head.get(from..from.saturating_add(entry.packed)).ok_or(broken)?;
    let plain = match entry.method {
        0 => packed.to_vec(),
        8 => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, entry.length).map_err(|_| broken)?,
        _ => return Err("it is packed in a way other than deflate in the ZIP archive"),
    };
    let right = plain.len() == entry.length && usize::try_from(crc32(&plain)) == Ok(entry.sum);
    if right { Ok(plain) } else { Err(broken) }
}

fn directory(bytes: &[u8]) -> Option<(usize, usize)> {
    let last = bytes.len().checked_sub(END)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let at = (first..=last).rev().find(|&at| {
        let whole = || short(bytes, at + 20).map(|length| at + END + length) == Some(bytes.len());
        bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x05\x06")) && whole()
    })?;
    Some((short(bytes, at + 10)?, long(bytes, at + 16)?))
}

fn entry(bytes: &[u8], at: usize) -> Option<(String, Entry, usize)> {
    if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
        return None;
    }
    let texts = (short(bytes, at + 28)?, short(bytes, at + 30)?, short(bytes, at + 32)?);
    let name = bytes.get(at + ENTRY..at + ENTRY + texts.0)?;
    let entry = Entry {
        flags: short(bytes, at + 8)?,
        method: short(bytes, at + 10)?,
        sum: long(bytes, at + 16)?,
        packed: long(bytes, at + 20)?,
        length: long(bytes, at + 24)?,
        at: long(bytes, at + 42)?,
    };
    Some((String::from_utf8_lossy(name).into_owned(), entry, at + ENTRY + texts.0 + texts.1 + texts.2))
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk::<2>()?)))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?)).ok()
}
