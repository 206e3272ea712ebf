//! Several files as one: a ZIP archive that stores them as they are.

use base::crc32;

/// Times in the archive: the first day such archives know.
const DAY: u16 = 1 << 5 | 1;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// What is needed to unpack it.
const VERSION: u16 = 20;

/// An archive of files, given as name and text. What is too large for such an archive is left out.
pub fn zip(files: &[(String, String)]) -> Vec<u8> {
    let (mut out, mut list, mut count) = (Vec::new(), Vec::new(), 0u16);
    for (name, text) in files {
        let place = u32::try_from(out.len());
        let sizes = u32::try_from(text.len()).ok().zip(u16::try_from(name.len()).ok());
        let (Ok(place), Some((size, name_size))) = (place, sizes) else { continue };
        if count == u16::MAX || u32::try_from(out.len() + text.len() + name.len() + 1_000).is_err() {
            continue;
        }
        count += 1;
        let mut facts = Vec::new();
        for word in [VERSION, UTF8, 0, 0, DAY] {
            facts.extend(word.to_le_bytes());
        }
        for long in [crc32(text.as_bytes()), size, size] {
            facts.extend(long.to_le_bytes());
        }
        facts.extend(name_size.to_le_bytes());
        facts.extend([0, 0]); // nothing extra
        out.extend(b"PK\x03\x04");
        out.extend(&facts);
        out.extend(name.as_bytes());
        out.extend(text.as_bytes());
        list.extend(b"PK\x01\x02");
        list.extend(VERSION.to_le_bytes());
        list.extend(&facts);
        list.extend([0; 10]); // no comment, first disk, nothing about attributes
        list.extend(place.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let place = u32::try_from(out.len()).unwrap_or(u32::MAX);
    let size = u32::try_from(list.len()).unwrap_or(u32::MAX);
    out.extend(list);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(place.to_le_bytes());
    out.extend([0, 0]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn files_stand_in_the_archive_as_they_are() {
        let archive = zip(&[file("a.json", "{}"), file("b ü.json", "[1]")]);
        // A small file as other programs write it.
        let alone = zip(&[file("a.txt", "hello")]);
        assert_eq!(alone.len(), 30 + 5 + 5 + 46 + 5 + 22);
        assert_eq!(&alone[14..18], &0x3610_a686_u32.to_le_bytes(), "the checksum of hello");
        assert_eq!(&alone[alone.len() - 6..alone.len() - 2], &40_u32.to_le_bytes(), "where the list begins");
        let found = |bytes: &[u8]| archive.windows(bytes.len()).filter(|part| *part == bytes).count();
        assert_eq!((found(b"a.json{}"), found("b ü.json[1]".as_bytes())), (1, 1));
        assert_eq!((found(b"PK\x01\x02"), found(b"PK\x05\x06")), (2, 1));
        assert_eq!(zip(&[]).len(), 22);
    }
}
