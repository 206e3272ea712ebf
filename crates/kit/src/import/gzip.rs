//! The text in a file's bytes: plain, packed with gzip (RFC 1952, as `.json.gz` come) or in a ZIP archive, in UTF-8 or
//! UTF-16.
//!
//! Invariant: a character that is no character is told, never replaced.

use super::{LONGEST, several, too_long, zip};
use base::problem::named;
use base::{Problem, crc32};

/// How an SQLite database begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// The text in a file's bytes, unpacked if it is packed.
pub fn text_of(bytes: &[u8]) -> Result<String, Problem> {
    let plain = match bytes {
        _ if zip::is_zip(bytes) => return archived(bytes).map(|texts| several::joined(&texts)),
        [0x1f, 0x8b, 8, flags, rest @ ..] => unpack(*flags, rest).ok_or_else(|| {
            Problem::at(
                "document",
                "a gzip file that is damaged or too large",
                "a whole gzip file of at most 64 MiB unpacked",
            )
        })?,
        _ if bytes.starts_with(SQLITE) => {
            let expected = "a text; a profiler's export is read from a file: `warpspan run FILE`";
            return Err(Problem::at("document", "an SQLite database", expected));
        }
        _ if bytes.len() > LONGEST => return Err(too_long()),
        _ => bytes.to_vec(),
    };
    decoded(plain)
}

/// The texts of a file that somebody opens, with their names: an archive of JSON files is as many files, anything else
/// one.
pub fn texts_of(name: &str, bytes: &[u8]) -> Result<Vec<(String, String)>, Problem> {
    if zip::is_zip(bytes) {
        let texts = archived(bytes)?;
        if texts.iter().all(|(name, _)| name.ends_with(".json")) {
            return Ok(texts);
        }
    }
    Ok(vec![(name.to_owned(), text_of(bytes)?)])
}

/// The texts in an archive, with the names of their files.
fn archived(bytes: &[u8]) -> Result<Vec<(String, String)>, Problem> {
    if bytes.len() > LONGEST {
        return Err(too_long());
    }
    let mut texts = Vec::new();
    for (name, content) in zip::files(bytes)? {
        let text = decoded(content).map_err(|problem| Problem { place: named(&name), ..problem })?;
        texts.push((name, text));
    }
    if texts.is_empty() {
        return Err(Problem::at("document", "a ZIP archive without files", "a file in it"));
    }
    Ok(texts)
}

/// Bytes as text: UTF-16 by its mark or by how XML begins in it, else UTF-8.
fn decoded(bytes: Vec<u8>) -> Result<String, Problem> {
    let wide: Option<fn([u8; 2]) -> u16> = match bytes.get(..2) {
        Some([0xff, 0xfe] | [b'<', 0]) => Some(u16::from_le_bytes),
        Some([0xfe, 0xff] | [0, b'<']) => Some(u16::from_be_bytes),
        _ => None,
    };
    let Some(unit) = wide else {
        return String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Problem::at("document", format!("not UTF-8 text at byte {at}"), "UTF-8 or UTF-16 text")
        });
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(pairs.iter().map(|&pair| unit(pair))).collect();
    match text {
        Ok(text) if rest.is_empty() => Ok(text),
        _ => Err(Problem::at("document", "UTF-16 text that is damaged", "UTF-8 or UTF-16 text")),
    }
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
    }

    #[test]
    fn utf16_in_both_orders_with_and_without_a_mark() {
        let text = "<a name=\"é\u{1f600}\"/>";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(text_of(&little).as_deref(), Ok(text));
        assert_eq!(text_of(&big).as_deref(), Ok(text));
        let marked = |mark: [u8; 2], rest: &[u8]| text_of(&[mark.as_slice(), rest].concat());
        assert_eq!(marked([0xff, 0xfe], &little), Ok(format!("\u{feff}{text}")));
        assert_eq!(marked([0xfe, 0xff], &big), Ok(format!("\u{feff}{text}")));
        assert!(text_of(&little[..little.len() - 1]).is_err());
        assert!(text_of(&[0xff, 0xfe, 0x00, 0xd8]).is_err());
        assert!(text_of(&[0x80]).is_err());
    }

    #[test]
    fn archives_of_one_file_and_of_several() {
        let one = zip::tests::archive(&[("m.amxmi", b"<a/>")], 8);
        assert_eq!(text_of(&one).as_deref(), Ok("<a/>"));
        let two = text_of(&zip::tests::archive(&[("a", b"<a/>"), ("b", b"<b/>")], 8));
        let two = two.unwrap_or_default();
        assert_eq!(several::parts(&two), Ok(vec![("a", "<a/>"), ("b", "<b/>")]));
        let bad = text_of(&zip::tests::archive(&[("a", b"\x80")], 0)).map_err(|problem| problem.place);
        assert_eq!(bad, Err("a".to_owned()));
        let odd = text_of(&zip::tests::archive(&[("a\n", b"\x80")], 0)).map_err(|problem| problem.place);
        assert_eq!(odd, Err("\"a\\n\"".to_owned()));
        assert!(text_of(&zip::tests::archive(&[], 0)).is_err());
    }

    #[test]
    fn archives_of_logs_are_as_many_files_and_databases_are_told() {
        let logs = zip::tests::archive(&[("a.json", b"{}"), ("b.json", b"[]")], 8);
        let names = |found: Result<Vec<(String, String)>, Problem>| {
            found.map(|all| all.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(names(texts_of("x.zip", &logs)), Ok(vec!["a.json".to_owned(), "b.json".to_owned()]));
        let models = zip::tests::archive(&[("a.amxmi", b"<a/>"), ("b.amxmi", b"<b/>")], 8);
        assert_eq!(names(texts_of("x.zip", &models)), Ok(vec!["x.zip".to_owned()]));
        let database = text_of(b"SQLite format 3\0and so on").map_err(|problem| problem.what);
        assert_eq!(database, Err("an SQLite database".to_owned()));
    }
}
