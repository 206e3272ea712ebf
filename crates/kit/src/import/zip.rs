//! Archives of files (ZIP, PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4), as tools of Eclipse store packed models.
//!
//! Invariant: what comes out is what went in, by length and checksum; nothing unpacked is larger than what is read at
//! all, all files of an archive together, and no byte is unpacked twice: files that overlap are refused. Files are
//! found by the directory at the end, never by what stands before it. Stored and deflated files are read; encrypted
//! ones, other methods and the long numbers of ZIP64 say what they are.

use super::several::{MOST_FILES, too_many};
use super::{LONGEST, too_long};
use base::problem::quoted;
use base::{Problem, crc32};

/// Bytes of the record at the end without its comment, and of an entry of the directory without its texts.
const END: usize = 22;
const ENTRY: usize = 46;
/// What stands in place of numbers that are too large, which ZIP64 has elsewhere.
const SHORT: usize = 0xffff;
const LONG: usize = 0xffff_ffff;

/// Whether a file is an archive: it begins with a file, or with the end of an empty directory.
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The files of an archive with their names, in the order of its directory; folders are left out.
pub fn files(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, Problem> {
    let broken = || wrong("a ZIP archive that is damaged", "a whole ZIP archive");
    let (count, mut at) = directory(bytes).ok_or_else(broken)?;
    if at == LONG || count == SHORT {
        return Err(wrong("a ZIP64 archive", "an archive of less than 4 GiB and 65,535 files"));
    }
    if count > MOST_FILES {
        return Err(too_many());
    }
    let mut found = Vec::new();
    let (mut left, mut unread) = (LONGEST, bytes.len());
    for _ in 0..count {
        let entry = Entry::read(bytes, at).ok_or_else(broken)?;
        at = entry.next;
        if entry.name.ends_with('/') {
            continue;
        }
        let content = entry.content(bytes, left)?;
        let overlap = || wrong("a ZIP archive whose files overlap", "a whole ZIP archive");
        unread = unread.checked_sub(entry.packed).ok_or_else(overlap)?;
        left = left.checked_sub(content.len()).ok_or_else(too_long)?;
        found.push((entry.name, content));
    }
    Ok(found)
}

fn wrong(what: &str, expected: &str) -> Problem {
    Problem::at("document", what, expected)
}

/// How many entries the directory has, and where it begins.
fn directory(bytes: &[u8]) -> Option<(usize, usize)> {
    // Behind the record there may be a comment of up to 64 KiB.
    let last = bytes.len().checked_sub(END)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let at = (first..=last).rev().find(|&at| {
        let comment = || short(bytes, at + 20).map(|length| at + END + length);
        bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x05\x06")) && comment() == Some(bytes.len())
    })?;
    Some((short(bytes, at + 10)?, long(bytes, at + 16)?))
}

/// A file as the directory lists it.
struct Entry {
    name: String,
    flags: usize,
    method: usize,
    sum: usize,
    packed: usize,
    length: usize,
    at: usize,
    next: usize,
}

impl Entry {
    fn read(bytes: &[u8], at: usize) -> Option<Self> {
        if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
            return None;
        }
        let texts = (short(bytes, at + 28)?, short(bytes, at + 30)?, short(bytes, at + 32)?);
        let name = bytes.get(at + ENTRY..at + ENTRY + texts.0)?;
        Some(Self {
            name: String::from_utf8_lossy(name).into_owned(),
            flags: short(bytes, at + 8)?,
            method: short(bytes, at + 10)?,
            sum: long(bytes, at + 16)?,
            packed: long(bytes, at + 20)?,
            length: long(bytes, at + 24)?,
            at: long(bytes, at + 42)?,
            next: at + ENTRY + texts.0 + texts.1 + texts.2,
        })
    }

    fn content(&self, bytes: &[u8], left: usize) -> Result<Vec<u8>, Problem> {
        let name = quoted(&self.name);
        if self.flags & 1 != 0 {
            return Err(wrong(
                &format!("{name} in a ZIP archive, which is encrypted"),
                "a file without a password",
            ));
        }
        if [self.at, self.packed, self.length].contains(&LONG) {
            let what = format!("{name} in a ZIP archive, with the long numbers of ZIP64");
            return Err(wrong(&what, "a file of less than 4 GiB"));
        }
        if self.length > left {
            return Err(too_long());
        }
        let broken = || wrong(&format!("{name} in a ZIP archive, which is damaged"), "a whole ZIP archive");
        let packed = self.packed(bytes).ok_or_else(broken)?;
        let plain = match self.method {
            0 => packed.to_vec(),
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, self.length)
                .map_err(|_| broken())?,
            other => {
                let what = format!("{name} in a ZIP archive, packed by method {other}");
                return Err(wrong(&what, "files that are stored (0) or deflated (8)"));
            }
        };
        let right = plain.len() == self.length && usize::try_from(crc32(&plain)) == Ok(self.sum);
        if right { Ok(plain) } else { Err(broken()) }
    }

    /// What is stored of it, behind its own header, whose texts may differ from those of the directory.
    fn packed<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        if !bytes.get(self.at..)?.starts_with(b"PK\x03\x04") {
            return None;
        }
        let from = self.at + 30 + short(bytes, self.at + 26)? + short(bytes, self.at + 28)?;
        bytes.get(from..from.checked_add(self.packed)?)
    }
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..)?.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*two)))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*four)).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An archive of files, each deflated or stored.
    pub fn archive(files: &[(&str, &[u8])], method: u16) -> Vec<u8> {
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for (name, content) in files {
            let packed = match method {
                8 => miniz_oxide::deflate::compress_to_vec(content, 6),
                _ => content.to_vec(),
            };
            let at = u32::try_from(out.len()).unwrap_or_default();
            let mut common = Vec::new();
            common.extend([20, 0, 0, 0]);
            common.extend(method.to_le_bytes());
            common.extend([0; 4]);
            common.extend(crc32(content).to_le_bytes());
            common.extend(u32::try_from(packed.len()).unwrap_or_default().to_le_bytes());
            common.extend(u32::try_from(content.len()).unwrap_or_default().to_le_bytes());
            common.extend(u16::try_from(name.len()).unwrap_or_default().to_le_bytes());
            common.extend([0; 2]);
            out.extend(b"PK\x03\x04");
            out.extend(&common);
            out.extend(name.as_bytes());
            out.extend(&packed);
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(&common);
            directory.extend([0; 10]);
            directory.extend(at.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (begin, length) = (out.len(), directory.len());
        let count = u16::try_from(files.len()).unwrap_or_default().to_le_bytes();
        out.extend(directory);
        out.extend(b"PK\x05\x06\0\0\0\0");
        out.extend(count);
        out.extend(count);
        out.extend(u32::try_from(length).unwrap_or_default().to_le_bytes());
        out.extend(u32::try_from(begin).unwrap_or_default().to_le_bytes());
        out.extend([0; 2]);
        out
    }

    #[test]
    fn files_come_out_as_they_went_in() {
        for method in [0, 8] {
            let packed = archive(&[("a/", b""), ("a/b.txt", b"one"), ("c", b"")], method);
            assert!(is_zip(&packed));
            let expected = vec![("a/b.txt".to_owned(), b"one".to_vec()), ("c".to_owned(), Vec::new())];
            assert_eq!(files(&packed), Ok(expected));
        }
        assert_eq!(files(&archive(&[], 8)), Ok(Vec::new()));
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_told_or_harmless() {
        let whole = archive(&[("model.amxmi", b"<am:Amalthea/>")], 8);
        for end in 4..whole.len() {
            assert!(files(&whole[..end]).is_err(), "{end}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                if let Ok(found) = files(&changed) {
                    assert!(found.is_empty() || found[0].1 == b"<am:Amalthea/>", "{at} {bit}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_read_is_told() {
        let said =
            |bytes: &[u8]| files(bytes).map_err(|problem| problem.to_string()).err().unwrap_or_default();
        assert!(said(&archive(&[("x", b"1")], 14)).contains("packed by method 14"));
        let mut locked = archive(&[("x", b"1")], 0);
        let at = locked.windows(4).position(|four| four == b"PK\x01\x02").unwrap_or_default();
        locked[at + 8] = 1;
        assert!(said(&locked).contains("encrypted"));
        assert!(said(b"PK\x03\x04").contains("damaged"));
    }

    /// An archive in whose directory a number of four bytes is another one, at so many bytes from an entry's begin.
    fn changed(mut packed: Vec<u8>, at: usize, number: u32) -> Vec<u8> {
        let entry = packed.windows(4).position(|four| four == b"PK\x01\x02").unwrap_or_default();
        packed[entry + at..entry + at + 4].copy_from_slice(&number.to_le_bytes());
        packed
    }

    fn said(bytes: &[u8]) -> String {
        files(bytes).map_err(|problem| problem.to_string()).err().unwrap_or_default()
    }

    #[test]
    fn what_would_fill_the_memory_is_refused() {
        let spaces = vec![b' '; LONGEST + 1];
        let bomb = archive(&[("bomb", &spaces)], 8);
        assert!(bomb.len() < 1 << 17);
        assert_eq!(said(&bomb), "document: more than 64 MiB of text, expected at most 64 MiB");
        // One that says it was small is unpacked as far as it says.
        assert!(said(&changed(bomb, 24, 100)).contains("damaged"));
        let halves = archive(&[("a", &spaces[..LONGEST / 2]), ("b", &spaces[..LONGEST / 2 + 1])], 8);
        assert_eq!(said(&halves), "document: more than 64 MiB of text, expected at most 64 MiB");
        let many = archive(&vec![("a", b"".as_slice()); MOST_FILES + 1], 0);
        assert_eq!(said(&many), "document: more than 1,000 files, expected at most 1,000");
    }

    #[test]
    fn files_that_overlap_are_refused() {
        // Blocks of nothing take time to go through, and as often as there are entries for them.
        let mut packed = [0, 0, 0, 0xff, 0xff].repeat(200);
        packed.extend([1, 0, 0, 0xff, 0xff]);
        let mut twice = archive(&[("a", &packed), ("b", &packed)], 0);
        let entries: Vec<usize> =
            (0..twice.len()).filter(|&at| twice[at..].starts_with(b"PK\x01\x02")).collect();
        for &at in &entries {
            twice[at + 10] = 8;
            twice[at + 16..at + 20].fill(0);
            twice[at + 24..at + 28].fill(0);
        }
        assert_eq!(files(&twice).map(|found| found.len()), Ok(2));
        let first = twice[entries[0] + 42..entries[0] + 46].to_vec();
        twice[entries[1] + 42..entries[1] + 46].copy_from_slice(&first);
        assert_eq!(files(&twice).map(|found| found.len()), Ok(2), "there is as much as is read");
        let short = [&twice[..30 + 1], &packed, &twice[2 * (31 + packed.len())..]].concat();
        let end = short.len() - END;
        let short =
            [&short[..end + 16], &(31 + packed.len() as u32).to_le_bytes(), &short[end + 20..]].concat();
        assert_eq!(said(&short), "document: a ZIP archive whose files overlap, expected a whole ZIP archive");
    }

    #[test]
    fn the_long_numbers_of_zip64_are_told() {
        let one = archive(&[("x", b"1")], 0);
        for at in [20, 24, 42] {
            let said = said(&changed(one.clone(), at, u32::MAX));
            assert!(said.contains("\"x\" in a ZIP archive, with the long numbers of ZIP64"), "{at}: {said}");
        }
        let mut many = one.clone();
        let end = many.len() - END;
        many[end + 10..end + 12].fill(0xff);
        assert!(said(&many).contains("a ZIP64 archive"));
    }
}
