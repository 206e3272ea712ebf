//! Archives of tar (POSIX ustar, with the long names of GNU and of pax), plain or packed by gzip (RFC 1952).
//!
//! Invariants: no more than [`MOST`] bytes are unpacked; what is cut off gives the files before it.

use crate::files::AtHand;
use base::crc32;

/// Bytes of an archive, unpacked.
pub const MOST: usize = 512 << 20;
const BLOCK: usize = 512;

/// Whether a file is packed by gzip.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Whether a file is an archive of tar.
pub fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar") && sum_fits(bytes.get(..BLOCK).unwrap_or_default())
}

/// What is packed by gzip, as far as it is sound, and what is wrong with the rest.
pub fn unpacked(bytes: &[u8]) -> Result<(Vec<u8>, Option<&'static str>), &'static str> {
    let body = past_head(bytes).ok_or("a gzip file that is cut off within its head")?;
    match miniz_oxide::inflate::decompress_to_vec_with_limit(body, MOST) {
        Ok(plain) => {
            let fits = has_sum(body, crc32(&plain));
            Ok((plain, (!fits).then_some("its checksum differs")))
        }
        Err(error) if error.status == miniz_oxide::inflate::TINFLStatus::HasMoreOutput => {
            Err("a gzip file of more than 512 MiB")
        }
        Err(error) if error.output.is_empty() => Err("a gzip file that is damaged"),
        Err(error) => Ok((error.output, Some("it is cut off or damaged"))),
    }
}

/// The trailer stands behind the packed bytes, whose end only the unpacking knows: it is looked for near the end.
fn has_sum(body: &[u8], sum: u32) -> bool {
    let from = body.len().saturating_sub(4096);
    body.get(from..).unwrap_or_default().windows(4).any(|four| four == sum.to_le_bytes())
}

fn past_head(bytes: &[u8]) -> Option<&[u8]> {
    let flags = *bytes.get(3).filter(|_| bytes.get(2) == Some(&8))?;
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk::<2>()?));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|&byte| byte == 0)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    bytes.get(at..)
}

/// The files of an archive, and whether it is cut off.
pub fn files(bytes: &[u8]) -> (AtHand, bool) {
    let mut found = AtHand::default();
    let mut at = 0;
    let mut long_name: Option<String> = None;
    while let Some(head) = bytes.get(at..at + BLOCK) {
        if head.iter().all(|&byte| byte == 0) {
            return (found, false);
        }
        let length = number(head.get(124..136).unwrap_or_default()).filter(|_| sum_fits(head));
        let Some(length) = length else { return (found, true) };
        let from = at + BLOCK;
        let Some(content) = from.checked_add(length).and_then(|to| bytes.get(from..to)) else {
            return (found, true);
        };
        match head.get(156) {
            Some(b'L') => long_name = Some(text(content)),
            Some(b'x') => long_name = pax_path(content).or(long_name),
            Some(b'0' | 0) => {
                let name = long_name.take().unwrap_or_else(|| name_of(head));
                let name = name.strip_prefix("./").map(str::to_owned).unwrap_or(name);
                found.0.insert(name, content.to_vec());
            }
            _ => long_name = None,
        }
        at = from + length.div_ceil(BLOCK) * BLOCK;
    }
    (found, true)
}

fn name_of(head: &[u8]) -> String {
    let (name, prefix) =
        (text(head.get(..100).unwrap_or_default()), text(head.get(345..500).unwrap_or_default()));
    let ustar = head.get(257..263) == Some(b"ustar\0");
    if ustar && !prefix.is_empty() { format!("{prefix}/{name}") } else { name }
}

fn text(bytes: &[u8]) -> String {
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..length).unwrap_or_default()).into_owned()
}

/// A number of a head: octal digits, or bytes behind a mark.
fn number(bytes: &[u8]) -> Option<usize> {
    if bytes.first().is_some_and(|first| first & 0x80 != 0) {
        let rest = bytes.get(bytes.len().checked_sub(8)?..)?;
        return usize::try_from(u64::from_be_bytes(*rest.first_chunk::<8>()?)).ok();
    }
    usize::from_str_radix(text(bytes).trim(), 8).ok()
}

fn sum_fits(head: &[u8]) -> bool {
    let sum: usize = (0..)
        .zip(head)
        .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { usize::from(byte) })
        .sum();
    head.len() == BLOCK && number(head.get(148..156).unwrap_or_default()) == Some(sum)
}

/// The path among the records of pax, each `length key=value`.
fn pax_path(content: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(content);
    text.lines().find_map(|line| line.split_once(' ')?.1.strip_prefix("path=").map(str::to_owned))
}
