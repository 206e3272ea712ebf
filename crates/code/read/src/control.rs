//! What the assembler writes into every instruction about its timing: 21 bits.
//!
//! | bits | field |
//! |---|---|
//! | 0 to 3 | stall: the next instruction of the warp issues so many cycles later at the earliest |
//! | 4 | yield: 0 says that another warp is preferred next |
//! | 5 to 7 | scoreboard set until the result is there, 7 for none |
//! | 8 to 10 | scoreboard set until the operands are read, 7 for none |
//! | 11 to 16 | scoreboards that must be clear before |
//! | 17 to 20 | operands kept for reuse; no timing |
//!
//! From Volta on they are bits 41 to 61 of the high word of an instruction. Maxwell and Pascal have a word for every three
//! instructions, with the first one's bits at its low end.

/// The timing of one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Control {
    /// Cycles to the next instruction, at least.
    pub stall: u8,
    /// Whether another warp is preferred next.
    pub yields: bool,
    /// The scoreboard that is clear once the result is there.
    pub write: Option<u8>,
    /// The scoreboard that is clear once the operands are read.
    pub read: Option<u8>,
    /// The scoreboards that must be clear before, as bits.
    pub wait: u8,
}

impl Control {
    /// Out of 21 bits.
    pub fn of_bits(bits: u32) -> Self {
        let board = |bits: u32| (bits & 7 != 7).then_some((bits & 7) as u8);
        Self {
            stall: (bits & 15) as u8,
            yields: bits >> 4 & 1 == 0,
            write: board(bits >> 5),
            read: board(bits >> 8),
            wait: (bits >> 11 & 63) as u8,
        }
    }

    /// Out of the high word of an instruction of 128 bits.
    pub fn of_high_word(word: u64) -> Self {
        Self::of_bits((word >> 41) as u32 & 0x1f_ffff)
    }

    /// That of one of the three instructions a control word is for, from 0.
    pub fn of_three(word: u64, which: usize) -> Self {
        Self::of_bits((word >> (21 * which)) as u32 & 0x1f_ffff)
    }

    /// The scoreboards that must be clear before.
    pub fn waits(self) -> impl Iterator<Item = u8> {
        (0..6).filter(move |board| self.wait >> board & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `saxpy` for sm_75.
    #[test]
    fn a_load_and_what_waits_for_it() {
        let load = Control::of_high_word(0x000e_a800_001e_e900);
        assert_eq!((load.stall, load.write, load.read, load.wait), (4, Some(2), None, 0));
        let multiply = Control::of_high_word(0x004f_d000_0000_0007);
        assert_eq!((multiply.stall, multiply.write, multiply.wait), (8, None, 0b100));
        assert_eq!(multiply.waits().collect::<Vec<_>>(), [2]);
    }

    /// The same two, with the highest bit on the left, as the lesson on control codes writes them out.
    #[test]
    fn digits_of_a_lesson() {
        let lesson = include_str!("../../../../www/lessons/control-codes.json");
        for (word, digits) in [
            (0x004f_d000_0000_0007, "0000 000100 111 111 0 1000"),
            (0x000e_a800_001e_e900, "0000 000000 111 010 1 0100"),
        ] {
            let bits = u32::from_str_radix(&digits.replace(' ', ""), 2);
            assert_eq!(bits.map(Control::of_bits), Ok(Control::of_high_word(word)));
            assert!(lesson.contains(&format!("`{digits}`")) && lesson.contains(&format!("`{word:#018x}`")));
        }
    }

    /// The lesson counts the bits of a field as it counts those of the word, and in the order of the digits.
    #[test]
    fn bits_of_a_lesson() {
        let lesson = include_str!("../../../../www/lessons/control-codes.json");
        let groups: Vec<&str> = "0000 000100 111 111 0 1000".split(' ').rev().collect();
        let mut first = 41;
        for (digits, says) in groups.iter().zip([
            "Bits {}, `1000`, are the *stall*",
            "Bit {} is *yield*",
            "Bits {} are the *write scoreboard*",
            "bits {} the *read scoreboard*",
            "Bits {} are the *wait mask*",
            "Bits {} keep operands",
        ]) {
            let last = first + digits.len() - 1;
            let bits = if first == last { first.to_string() } else { format!("{first} to {last}") };
            let says = says.replace("{}", &bits);
            assert!(lesson.contains(&says), "{says}");
            first = last + 1;
        }
        assert!(lesson.contains(&format!("Its bits 41 to {} are the control fields", first - 1)));
        assert!(lesson.contains("\"Its bits 46 to 48 are `010`.\""), "the field that is asked for");
    }

    /// One for three instructions: stall 1, stall 13 with yield, stall 6 and scoreboard 0 until the result is there.
    #[test]
    fn a_word_for_three() {
        let bits = |stall: u64, yields: u64, write: u64| stall | (1 - yields) << 4 | write << 5 | 7 << 8;
        let word = bits(1, 0, 7) | bits(13, 1, 7) << 21 | bits(6, 0, 0) << 42;
        let three = [0, 1, 2].map(|which| Control::of_three(word, which));
        assert_eq!(three.map(|own| own.stall), [1, 13, 6]);
        assert_eq!(three.map(|own| own.yields), [false, true, false]);
        assert_eq!(three.map(|own| own.write), [None, None, Some(0)]);
    }
}
