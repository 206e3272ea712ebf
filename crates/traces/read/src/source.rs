//! Where bytes come from: a source read at any place, and feeds that give a text from its beginning.
//!
//! Invariants: nothing here opens a file; a source may give fewer bytes than asked for, never more; whoever drives a
//! reader is told how many bytes were read and may stop it at each reading.

use base::Problem;

/// A file, or what stands for one.
pub trait Source {
    /// How many bytes it has.
    fn len(&self) -> u64;

    /// Reads bytes from a place on, and says how many there were: 0 at the end.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Problem>;

    /// Whether there is nothing in it.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Source for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Problem> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.get(from..).unwrap_or_default();
        let count = rest.len().min(into.len());
        if let (Some(to), Some(from)) = (into.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

/// Bytes of a piece that is read at once: a browser takes some milliseconds for each, however short.
const CHUNK: usize = 1 << 25;
/// Pieces that are kept.
const KEPT: usize = 2;

/// A source read in large pieces, of which the last few are kept: for sources where each reading takes its time.
pub struct Chunked<S> {
    source: S,
    /// Bytes of a piece.
    size: usize,
    /// Piece and bytes, those used last at the end.
    kept: Vec<(u64, Vec<u8>)>,
}

impl<S: Source> Chunked<S> {
    /// Over a source.
    pub fn new(source: S) -> Self {
        Self { source, size: CHUNK, kept: Vec::new() }
    }

    fn chunk(&mut self, number: u64) -> Result<&[u8], Problem> {
        let known = self.kept.iter().position(|(own, _)| *own == number);
        let chunk = if let Some(at) = known {
            self.kept.remove(at)
        } else {
            let from = number * self.size as u64;
            let size = self.size.min(usize::try_from(self.source.len() - from).unwrap_or(usize::MAX));
            let mut bytes = if self.kept.len() < KEPT { vec![0; size] } else { self.kept.remove(0).1 };
            bytes.resize(size, 0);
            let mut done = 0;
            while let Some(room) = bytes.get_mut(done..).filter(|room| !room.is_empty()) {
                match self.source.read_at(from + done as u64, room)? {
                    0 => break,
                    count => done += count,
                }
            }
            bytes.truncate(done);
            (number, bytes)
        };
        self.kept.push(chunk);
        Ok(self.kept.last().map_or(&[], |(_, bytes)| bytes))
    }
}

impl<S: Source> Source for Chunked<S> {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Problem> {
        if offset >= self.len() {
            return Ok(0);
        }
        let (number, from) = (offset / self.size as u64, (offset % self.size as u64) as usize);
        let rest = self.chunk(number)?.get(from..).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Why a reading ended before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The source could not be read.
    Problem(Problem),
    /// Whoever drives the reading asked for it.
    Stopped,
}

/// A source whose readings are counted and told. What is read twice counts twice, so that there may be a few more bytes
/// than the source has.
pub struct Tracked<'a> {
    source: &'a mut dyn Source,
    progress: &'a mut dyn FnMut(u64) -> bool,
    read: u64,
}

impl<'a> Tracked<'a> {
    /// A source, and whom to tell how many bytes were read; who answers false stops the reading.
    pub fn new(source: &'a mut dyn Source, progress: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Self { source, progress, read: 0 }
    }

    /// How many bytes the source has.
    pub fn len(&self) -> u64 {
        self.source.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// Reads until the room is full or the source is at its end.
    pub fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Halt> {
        let mut done = 0;
        while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let most = rest.len();
            let count =
                self.source.read_at(offset.saturating_add(done as u64), rest).map_err(Halt::Problem)?;
            if count == 0 {
                break;
            }
            done += count.min(most);
        }
        self.read = self.read.saturating_add(done as u64);
        if (self.progress)(self.read) { Ok(done) } else { Err(Halt::Stopped) }
    }
}

/// Bytes one after the other.
pub trait Feed {
    /// The next bytes, and how many there were: 0 at the end.
    fn feed(&mut self, into: &mut [u8]) -> Result<usize, Halt>;

    /// What was wrong with the bytes that were given, if anything; told at the end.
    fn note(&self) -> Option<String> {
        None
    }
}

/// A source from its beginning to its end.
pub struct Plain<'a> {
    source: Tracked<'a>,
    at: u64,
}

impl<'a> Plain<'a> {
    /// At the beginning.
    pub fn new(source: Tracked<'a>) -> Self {
        Self { source, at: 0 }
    }
}

impl Feed for Plain<'_> {
    fn feed(&mut self, into: &mut [u8]) -> Result<usize, Halt> {
        let count = self.source.read_at(self.at, into)?;
        self.at = self.at.saturating_add(count as u64);
        Ok(count)
    }
}

/// The beginning of a feed: so many bytes at most.
pub struct Beginning<'a> {
    feed: &'a mut dyn Feed,
    left: usize,
}

impl<'a> Beginning<'a> {
    /// So many bytes of a feed.
    pub fn new(feed: &'a mut dyn Feed, most: usize) -> Self {
        Self { feed, left: most }
    }
}

impl Feed for Beginning<'_> {
    fn feed(&mut self, into: &mut [u8]) -> Result<usize, Halt> {
        let most = self.left.min(into.len());
        let count = match into.get_mut(..most) {
            Some(room) if most > 0 => self.feed.feed(room)?,
            _ => 0,
        };
        self.left = self.left.saturating_sub(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_gives_what_it_has() {
        let mut slice: &[u8] = b"0123456789";
        let mut room = [0; 4];
        assert_eq!(slice.read_at(8, &mut room), Ok(2));
        assert_eq!(&room[..2], b"89");
        assert_eq!(slice.read_at(u64::MAX, &mut room), Ok(0));
    }

    #[test]
    fn pieces_make_up_the_whole() {
        let size = 1 << 16;
        let whole: Vec<u8> = (0..20 * size + 7).map(|at| (at * 31 % 251) as u8).collect();
        let mut chunked = Chunked { size, ..Chunked::new(&whole[..]) };
        let mut room = vec![0; 5_000];
        for offset in [0, size - 1, size, 19 * size + 5, whole.len() - 3, 3, whole.len(), whole.len() + 9] {
            let mut done = 0;
            while done < room.len() {
                match chunked.read_at((offset + done) as u64, &mut room[done..]) {
                    Ok(0) | Err(_) => break,
                    Ok(count) => done += count,
                }
            }
            let end = (offset + room.len()).min(whole.len());
            assert_eq!(&room[..done], whole.get(offset..end).unwrap_or_default(), "{offset}");
        }
        assert!(chunked.kept.len() <= KEPT);
    }

    #[test]
    fn the_driver_stops_a_reading() {
        let mut slice: &[u8] = b"0123456789";
        let mut progress = |bytes| bytes < 8;
        let mut tracked = Tracked::new(&mut slice, &mut progress);
        assert_eq!(tracked.read_at(0, &mut [0; 4]), Ok(4));
        assert_eq!(tracked.read_at(4, &mut [0; 4]), Err(Halt::Stopped));
    }

    #[test]
    fn a_beginning_ends() {
        let mut slice: &[u8] = b"0123456789";
        let mut progress = |_| true;
        let mut plain = Plain::new(Tracked::new(&mut slice, &mut progress));
        let mut beginning = Beginning::new(&mut plain, 6);
        let mut room = [0; 4];
        assert_eq!(beginning.feed(&mut room), Ok(4));
        assert_eq!(beginning.feed(&mut room), Ok(2));
        assert_eq!(beginning.feed(&mut room), Ok(0));
    }
}
