//! Files packed with gzip (RFC 1952), as `.json.gz` come.

use super::{LONGEST, too_long};
use crate::base::{Problem, crc32};

/// The text in a file's bytes, unpacked if it is packed.
pub fn text_of(bytes: &[u8]) -> Result<String, Problem> {
    let plain = match bytes {
        [0x1f, 0x8b, 8, flags, rest @ ..] => unpack(*flags, rest).ok_or_else(|| {
            Problem::at(
                "document",
                "a gzip file that is damaged or too large",
                "a whole gzip file of at most 64 MiB unpacked",
            )
        })?,
        _ if bytes.len() > LONGEST => return Err(too_long()),
        _ => bytes.to_vec(),
    };
    String::from_utf8(plain).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Problem::at("document", format!("not UTF-8 text at byte {at}"), "UTF-8 text")
    })
}

/// Skips the header's optional parts, inflates, and compares length and checksum.
fn unpack(flags: u8, rest: &[u8]) -> Option<Vec<u8>> {
    let mut at = 6; // time, extra flags, system
    if flags & 4 != 0 {
        at += 2 + usize::from(*rest.get(at)?) + 256 * usize::from(*rest.get(at + 1)?);
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += rest.get(at..)?.iter().position(|&byte| byte == 0)? + 1;
        }
    }
    at += if flags & 2 != 0 { 2 } else { 0 };
    let (packed, trailer) = rest.get(at..)?.split_last_chunk::<8>()?;
    let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, LONGEST).ok()?;
    let (sum, length) = trailer.split_first_chunk::<4>()?;
    let right = crc32(&plain).to_le_bytes() == *sum && (plain.len() as u32).to_le_bytes() == *length;
    right.then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(text: &str, flags: u8, extra: &[u8]) -> Vec<u8> {
        let mut file = vec![0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3];
        file.extend_from_slice(extra);
        file.extend(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6));
        file.extend(crc32(text.as_bytes()).to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file
    }

    #[test]
    fn packed_and_plain_text() {
        assert_eq!(text_of(b"{}").as_deref(), Ok("{}"));
        assert_eq!(text_of(&packed("{\"a\": 1}", 0, &[])).as_deref(), Ok("{\"a\": 1}"));
        assert_eq!(text_of(&packed("{}", 8 | 4, b"\x02\x00xyname.json\0")).as_deref(), Ok("{}"));
    }

    #[test]
    fn every_cut_is_refused() {
        let file = packed("{\"a\": 1}", 8, b"name\0");
        for end in 4..file.len() {
            assert!(text_of(&file[..end]).is_err(), "{end}");
        }
        assert!(text_of(&[0xff, 0xfe]).is_err());
    }
}
