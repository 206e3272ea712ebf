//! gzip unpacked as it is read (RFC 1952), by miniz_oxide's inflate.
//!
//! Invariants: one window of bytes in, one out, whatever the file's size; each member's CRC-32 and length are compared;
//! what is cut off or damaged ends the feed with a note, after every byte that was sound.

use crate::source::{Feed, Halt, Tracked};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

/// Bytes of the packed file held at once.
const WINDOW: usize = 1 << 16;
/// How a gzip file begins.
pub const MAGIC: [u8; 2] = [0x1f, 0x8b];

static CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// A gzip file being unpacked.
pub struct Gunzip<'a> {
    source: Tracked<'a>,
    next: u64,
    packed: Vec<u8>,
    at: usize,
    filled: usize,
    state: Box<InflateState>,
    check: crc::Digest<'static, u32>,
    length: u32,
    part: Part,
    note: Option<String>,
}

/// Where in the file the reading is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// Before a member.
    Head,
    /// In what a member packs.
    Body,
    /// After the last, or where it is damaged.
    End,
}

impl<'a> Gunzip<'a> {
    /// At the beginning of a file.
    pub fn new(source: Tracked<'a>) -> Self {
        Self {
            source,
            next: 0,
            packed: vec![0; WINDOW],
            at: 0,
            filled: 0,
            state: InflateState::new_boxed(DataFormat::Raw),
            check: CRC.digest(),
            length: 0,
            part: Part::Head,
            note: None,
        }
    }

    /// Has packed bytes at hand, or says that there are none.
    fn refill(&mut self) -> Result<bool, Halt> {
        if self.at >= self.filled {
            self.filled = self.source.read_at(self.next, &mut self.packed)?;
            self.next = self.next.saturating_add(self.filled as u64);
            self.at = 0;
        }
        Ok(self.at < self.filled)
    }

    fn byte(&mut self) -> Result<Option<u8>, Halt> {
        if !self.refill()? {
            return Ok(None);
        }
        let byte = self.packed.get(self.at).copied();
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self, bytes: u32) -> Result<Option<u32>, Halt> {
        let mut number = 0;
        for place in 0..bytes {
            let Some(byte) = self.byte()? else { return Ok(None) };
            number |= u32::from(byte) << (8 * place);
        }
        Ok(Some(number))
    }

    /// Reads past a member's head; false where there is none.
    fn head(&mut self) -> Result<bool, Halt> {
        let first = self.next == 0;
        let Some(magic) = self.number(2)? else { return Ok(false) };
        if magic != u32::from(u16::from_le_bytes(MAGIC)) {
            // Some tools fill the last block of a file with zeros.
            if magic != 0 || first {
                self.note = Some("what follows the packed text is not gzip".to_owned());
            }
            return Ok(false);
        }
        if self.rest_of_head()?.is_none() {
            self.end("it is cut off within a head");
            return Ok(false);
        }
        Ok(self.part != Part::End)
    }

    fn rest_of_head(&mut self) -> Result<Option<()>, Halt> {
        let Some(method) = self.byte()? else { return Ok(None) };
        let Some(flags) = self.byte()? else { return Ok(None) };
        if method != 8 {
            self.end("it is packed in a way that is not deflate");
            return Ok(Some(()));
        }
        if self.number(4)?.is_none() || self.number(2)?.is_none() {
            return Ok(None);
        }
        if flags & 4 != 0 {
            let Some(extra) = self.number(2)? else { return Ok(None) };
            for _ in 0..extra {
                if self.byte()?.is_none() {
                    return Ok(None);
                }
            }
        }
        // The file's name and a comment, each ended by a zero.
        for _ in [8, 16].iter().filter(|flag| flags & **flag != 0) {
            loop {
                match self.byte()? {
                    None => return Ok(None),
                    Some(0) => break,
                    Some(_) => {}
                }
            }
        }
        if flags & 2 != 0 && self.number(2)?.is_none() {
            return Ok(None);
        }
        Ok(Some(()))
    }

    /// Compares what a member says of itself with what came out of it.
    fn tail(&mut self) -> Result<(), Halt> {
        let check = std::mem::replace(&mut self.check, CRC.digest()).finalize();
        match (self.number(4)?, self.number(4)?) {
            (Some(told), Some(length)) => {
                if (told, length) != (check, self.length) {
                    self.note = Some("the packed text is damaged: its check sum differs".to_owned());
                }
                self.part = Part::Head;
            }
            _ => self.end("it is cut off before its check sum"),
        }
        self.length = 0;
        self.state.reset(DataFormat::Raw);
        Ok(())
    }

    fn end(&mut self, why: &str) {
        self.note = Some(format!("{why}, near byte {} of the packed file", self.place()));
        self.part = Part::End;
    }

    fn place(&self) -> u64 {
        self.next.saturating_sub(self.filled.saturating_sub(self.at) as u64)
    }

    /// Unpacks some of a member.
    fn body(&mut self, into: &mut [u8]) -> Result<usize, Halt> {
        let more = self.refill()?;
        let packed = self.packed.get(self.at..self.filled).unwrap_or_default();
        let done = inflate(&mut self.state, packed, into, MZFlush::None);
        self.at += done.bytes_consumed;
        let out = into.get(..done.bytes_written).unwrap_or_default();
        self.check.update(out);
        self.length = self.length.wrapping_add(u32::try_from(out.len()).unwrap_or_default());
        match done.status {
            Ok(MZStatus::StreamEnd) => self.tail()?,
            Ok(_) | Err(MZError::Buf) if more => {}
            Ok(_) | Err(MZError::Buf) if done.bytes_written == 0 => self.end("it is cut off"),
            Ok(_) | Err(MZError::Buf) => {}
            Err(_) => self.end("the packed text is damaged"),
        }
        Ok(done.bytes_written)
    }
}

impl Feed for Gunzip<'_> {
    fn feed(&mut self, into: &mut [u8]) -> Result<usize, Halt> {
        loop {
            match self.part {
                Part::End => return Ok(0),
                Part::Head => self.part = if self.head()? { Part::Body } else { Part::End },
                Part::Body => {
                    let count = self.body(into)?;
                    if count > 0 || into.is_empty() {
                        return Ok(count);
                    }
                }
            }
        }
    }

    fn note(&self) -> Option<String> {
        self.note.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One gzip member.
    fn member(text: &[u8], name: &str) -> Vec<u8> {
        let mut file = vec![0x1f, 0x8b, 8, if name.is_empty() { 0 } else { 8 }, 0, 0, 0, 0, 0, 3];
        if !name.is_empty() {
            file.extend(name.as_bytes());
            file.push(0);
        }
        file.extend(miniz_oxide::deflate::compress_to_vec(text, 6));
        file.extend(base::crc32(text).to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file
    }

    fn unpacked(mut file: &[u8]) -> (Vec<u8>, Option<String>) {
        let mut progress = |_| true;
        let mut gunzip = Gunzip::new(Tracked::new(&mut file, &mut progress));
        let mut all = Vec::new();
        let mut room = [0; 1000];
        loop {
            let count = gunzip.feed(&mut room).unwrap();
            if count == 0 {
                return (all, gunzip.note());
            }
            all.extend(&room[..count]);
        }
    }

    fn text() -> Vec<u8> {
        (0..200_000_u32).map(|place| (place.wrapping_mul(place) >> 7) as u8).collect()
    }

    #[test]
    fn members_follow_each_other() {
        let mut file = member(&text(), "name.json");
        file.extend(member(b"and more", ""));
        let (all, note) = unpacked(&file);
        assert_eq!(note, None);
        assert_eq!(all.len(), 200_008);
        assert_eq!(all, [&text()[..], b"and more"].concat());
    }

    #[test]
    fn what_is_cut_off_is_told_and_the_rest_is_given() {
        let file = member(&text(), "");
        let (all, note) = unpacked(&file[..file.len() / 2]);
        assert!(all.len() > 1000 && text().starts_with(&all));
        assert!(note.unwrap().starts_with("it is cut off, near byte"));
        let (all, note) = unpacked(&file[..file.len() - 3]);
        assert_eq!(all, text());
        assert!(note.unwrap().contains("before its check sum"));
    }

    #[test]
    fn a_wrong_check_sum_is_told() {
        let mut file = member(b"a text", "");
        let place = file.len() - 5;
        file[place] ^= 1;
        assert!(unpacked(&file).1.unwrap().contains("check sum differs"));
    }
}
