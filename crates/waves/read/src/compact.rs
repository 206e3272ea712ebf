//! The compact form of a capture: one file of some tens of kilobytes, with where it is from and its licence.
//!
//! A line of text that tells it, then deflated: texts and numbers of variable length, columns of a wave's instructions
//! one after the other, and at the end a checksum of all that. Saved sources are not in it.

use base::crc32;
use waves::capture::{Capture, Instr, Kind, Line, NO_LINE, Presence, Wave};
use waves::isa::{Generation, Op};

/// The line that tells a file.
pub const MAGIC: &[u8] = b"warpspan waves 1\n";
/// Bytes of a file, unpacked.
const MOST: usize = 256 << 20;

/// A capture with where it is from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Packed {
    /// The title.
    pub title: String,
    /// Where it is from.
    pub source: String,
    /// Under which licence.
    pub licence: String,
    /// The capture.
    pub capture: Capture,
}

/// Writes a capture.
pub fn write(packed: &Packed) -> Vec<u8> {
    let mut out = Writer(Vec::new());
    out.text(&packed.title);
    out.text(&packed.source);
    out.text(&packed.licence);
    let capture = &packed.capture;
    out.number(u64::from(capture.generation.number()));
    out.number(capture.kernels.len() as u64);
    capture.kernels.iter().for_each(|kernel| out.text(kernel));
    out.lines(&capture.lines);
    out.number(capture.waves.len() as u64);
    capture.waves.iter().for_each(|wave| out.wave(wave));
    out.occupancy(&capture.occupancy);
    let sum = crc32(&out.0);
    out.0.extend(sum.to_le_bytes());
    let mut file = MAGIC.to_vec();
    file.extend(miniz_oxide::deflate::compress_to_vec(&out.0, 10));
    file
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Signed: small numbers of either sign are short.
    fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn lines(&mut self, lines: &[Line]) {
        self.number(lines.len() as u64);
        let (mut number, mut address) = (0_u32, 0_u64);
        for line in lines {
            self.signed(i64::from(line.number) - i64::from(number));
            self.signed(line.address.wrapping_sub(address).cast_signed());
            self.number(line.kernel.map_or(0, |kernel| u64::from(kernel) + 1));
            (number, address) = (line.number, line.address);
        }
        lines.iter().for_each(|line| self.text(&line.text));
        lines.iter().for_each(|line| self.text(&line.source));
    }

    fn wave(&mut self, wave: &Wave) {
        for number in [wave.se, wave.cu, wave.simd, wave.slot, wave.n] {
            self.number(u64::from(number));
        }
        self.signed(wave.begin);
        self.number(wave.life());
        self.number(wave.instrs.len() as u64);
        let mut line = 0;
        for instr in &wave.instrs {
            // One after the other, no line is the line before the first.
            let own = if instr.line == NO_LINE { -1 } else { i64::from(instr.line) };
            self.signed(own - line - 1);
            line = own;
        }
        wave.instrs.iter().for_each(|instr| self.0.push(instr.kind.number()));
        wave.instrs.iter().for_each(|instr| self.number(u64::from(instr.stall)));
        wave.instrs
            .iter()
            .for_each(|instr| self.number(u64::from(instr.duration - instr.stall.min(instr.duration))));
        let mut at = wave.begin;
        for instr in &wave.instrs {
            self.signed(instr.clock - at);
            at = instr.end();
        }
    }

    fn occupancy(&mut self, all: &[Presence]) {
        self.number(all.len() as u64);
        let (mut se, mut clock) = (0, 0);
        for one in all {
            self.signed(i64::from(one.se) - i64::from(se));
            self.signed(one.clock.wrapping_sub(clock));
            for number in [one.cu, one.simd, one.slot, u32::from(one.came)] {
                self.number(u64::from(number));
            }
            (se, clock) = (one.se, one.clock);
        }
    }
}

/// Reads a file that begins with [`MAGIC`]; says what is wrong with it.
pub fn read(file: &[u8]) -> Result<Packed, &'static str> {
    let body = file.strip_prefix(MAGIC).ok_or("no compact capture")?;
    let broken = "a compact capture that is cut off or damaged";
    let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(body, MOST).map_err(|_| broken)?;
    let (content, sum) = plain.split_last_chunk::<4>().ok_or(broken)?;
    if crc32(content) != u32::from_le_bytes(*sum) {
        return Err("a compact capture whose checksum differs");
    }
    packed(&mut Reader { bytes: content }).ok_or(broken)
}

struct Reader<'b> {
    bytes: &'b [u8],
}

fn packed(from: &mut Reader<'_>) -> Option<Packed> {
    let (title, source, licence) = (from.text()?, from.text()?, from.text()?);
    let mut capture = Capture { generation: Generation::of(from.signed_of_number()?)?, ..Capture::default() };
    for _ in 0..from.count()? {
        capture.kernels.push(from.text()?);
    }
    from.lines(&mut capture)?;
    for _ in 0..from.count()? {
        let wave = from.wave(capture.lines.len())?;
        capture.waves.push(wave);
    }
    from.occupancy(&mut capture)?;
    from.bytes.is_empty().then_some(Packed { title, source, licence, capture })
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn signed_of_number(&mut self) -> Option<i64> {
        i64::try_from(self.number()?).ok()
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// How many follow: each takes a byte at least.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.bytes.len())
    }

    fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn lines(&mut self, capture: &mut Capture) -> Option<()> {
        let (mut number, mut address) = (0_u32, 0_u64);
        let mut heads = Vec::new();
        for _ in 0..self.count()? {
            number = u32::try_from(i64::from(number).checked_add(self.signed()?)?).ok()?;
            address = address.wrapping_add(self.signed()?.cast_unsigned());
            let kernel = self.small()?.checked_sub(1);
            heads.push((number, address, kernel));
        }
        let texts: Option<Vec<String>> = heads.iter().map(|_| self.text()).collect();
        for ((number, address, kernel), text) in heads.into_iter().zip(texts?) {
            let (source, op) = (self.text()?, Op::of(&text, capture.generation));
            capture.lines.push(Line { number, text, source, address, kernel, op });
        }
        Some(())
    }

    fn wave(&mut self, lines: usize) -> Option<Wave> {
        let mut wave = Wave::default();
        for to in [&mut wave.se, &mut wave.cu, &mut wave.simd, &mut wave.slot, &mut wave.n] {
            *to = self.small()?;
        }
        wave.begin = self.signed()?;
        wave.end = wave.begin.checked_add(self.signed_of_number()?)?;
        if !wave.is_plausible() {
            return None;
        }
        let count = self.count()?;
        let mut line = 0_i64;
        for _ in 0..count {
            line = line.checked_add(self.signed()?)?.checked_add(1)?;
            let place = if line == -1 {
                NO_LINE
            } else {
                u32::try_from(line).ok().filter(|own| (*own as usize) < lines)?
            };
            wave.instrs.push(Instr { clock: 0, kind: Kind::Other, stall: 0, duration: 0, line: place });
        }
        for instr in &mut wave.instrs {
            instr.kind = Kind::of(i64::from(self.byte()?));
        }
        for place in 0..count {
            wave.instrs.get_mut(place)?.stall = self.small()?;
        }
        for place in 0..count {
            let instr = wave.instrs.get_mut(place)?;
            instr.duration = instr.stall.checked_add(self.small()?)?;
        }
        let mut at = wave.begin;
        for place in 0..count {
            let instr = wave.instrs.get_mut(place)?;
            instr.clock = at.checked_add(self.signed()?)?;
            at = instr.end();
        }
        wave.settle();
        Some(wave)
    }

    fn occupancy(&mut self, capture: &mut Capture) -> Option<()> {
        let (mut se, mut clock) = (0_u32, 0_i64);
        for _ in 0..self.count()? {
            se = u32::try_from(i64::from(se).checked_add(self.signed()?)?).ok()?;
            clock = clock.wrapping_add(self.signed()?);
            let (cu, simd, slot, came) = (self.small()?, self.small()?, self.small()?, self.small()? == 1);
            capture.occupancy.push(Presence { se, clock, cu, simd, slot, came });
        }
        Some(())
    }
}
