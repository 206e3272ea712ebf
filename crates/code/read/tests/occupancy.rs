//! Occupancy against results of NVIDIA's own header, against a twin that hands registers out warp by warp, and what
//! texts state of registers and shared memory.

#![allow(missing_docs)]

use warpspan_code_read::occupancy::{LIMITS, MOST_REGISTERS, WARP};
use warpspan_code_read::{Asked, Known, Limits, Made, Need, Resource, launch, read};

/// Results of the header; the first lines of the file say which and how.
const HEADER: &str = include_str!("fixtures/occupancy.csv");
const SECTIONS: &str = include_str!("fixtures/matmul-nvdisasm-sm_86.sass");
const PLAIN: &str = include_str!("fixtures/saxpy-sm_75.sass");
const OLD: &str = include_str!("fixtures/saxpy-sm_50.sass");

#[test]
fn it_is_as_the_header_has_it() {
    let mut seen = 0;
    for line in HEADER.lines().filter(|line| !line.starts_with('#')) {
        let n: Vec<i64> = line.split(',').map(|part| part.parse().expect("a number")).collect();
        let small = |at: usize| u32::try_from(n[at]).expect("a number from 0");
        let limits = Limits::of(small(0)).expect("a number that is known");
        let need = Need { registers: small(1), warps: small(2).div_ceil(WARP), shared: small(3) };
        let held = limits.held(need);
        let allows = held.allows.map(|allows| allows.map_or(-1, i64::from));
        assert_eq!((i64::from(held.blocks), &allows[..]), (n[4], &n[5..9]), "{line}");
        let limiting = (5..9).filter(|&at| n[at] == n[4]).count();
        assert_eq!(held.limited_by().count(), limiting, "{line}");
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}

/// Blocks come one after the other, each with all that it takes, until one finds no room. What is full then is what
/// limits.
fn one_by_one(limits: &Limits, need: Need) -> (u32, u32) {
    let of_warp = (0..).find(|units| units * 256 >= need.registers * WARP).expect("some units") * 256;
    let of_block = (0..)
        .map(|units| units * limits.shared_by)
        .find(|&bytes| bytes >= need.shared + limits.reserved)
        .expect("some units");
    let fours = (1..).map(|n| n * limits.partitions).find(|&warps| warps >= need.warps).expect("some");
    let refused = need.registers > MOST_REGISTERS
        || need.warps > 32
        || of_warp * fours > limits.registers_of_block
        || of_block > limits.shared_of_block + limits.reserved;
    let mut free = vec![limits.registers / limits.partitions; limits.partitions as usize];
    let (mut shared, mut warps, mut blocks) = (limits.shared, limits.warps, 0);
    'blocks: while !refused && blocks < limits.blocks && warps >= need.warps && shared >= of_block {
        for _ in 0..need.warps {
            match free.iter_mut().find(|free| **free >= of_warp) {
                Some(free) => *free -= of_warp,
                None => break 'blocks,
            }
        }
        (shared, warps, blocks) = (shared - of_block, warps - need.warps, blocks + 1);
    }
    (blocks, blocks * need.warps)
}

#[test]
fn it_is_what_hands_out_one_by_one() {
    for limits in &LIMITS {
        for registers in (1..=256).step_by(if limits.number == 80 { 1 } else { 7 }) {
            for warps in 1..=33 {
                for shared in [0, 1, 4096, 30_000, 49_152, 49_153, limits.shared_of_block] {
                    let need = Need { registers, shared, warps };
                    let held = limits.held(need);
                    let own = (held.blocks, held.warps);
                    assert_eq!(own, one_by_one(limits, need), "sm_{} {need:?}", limits.number);
                    assert!(held.limited_by().count() >= 1);
                }
            }
        }
    }
}

#[test]
fn less_never_holds_fewer() {
    for limits in &LIMITS {
        let blocks = |registers, shared, warps| limits.held(Need { registers, shared, warps }).blocks;
        for warps in 1..=32 {
            for registers in 1..MOST_REGISTERS {
                assert!(blocks(registers, 0, warps) >= blocks(registers + 1, 0, warps));
            }
            for shared in (0..limits.shared_of_block).step_by(1000) {
                assert!(blocks(32, shared, warps) >= blocks(32, shared + 1000, warps));
            }
        }
    }
}

#[test]
fn every_number_has_a_source() {
    for limits in &LIMITS {
        assert!(limits.rows().iter().all(|(_, _, source)| !source.is_empty()));
        assert!(limits.shared >= limits.shared_of_block + limits.reserved || limits.number < 80);
    }
}

fn made(text: &str, function: Option<&str>) -> Made {
    let asked = Asked { function: function.map(str::to_owned), ..Asked::default() };
    read(text).and_then(|listing| launch(&listing, &asked)).unwrap_or_else(|told| unreachable!("{told:?}"))
}

#[test]
fn sections_state_registers_and_shared_memory() {
    let own = made(SECTIONS, None).resources;
    assert_eq!((own.registers, own.registers_known), (33, Known::Stated));
    assert_eq!((own.shared, own.shared_known), (16_384, Known::Stated));
    assert_eq!((own.highest, own.uses_shared), (Some(30), true));
    // Either of the two forms is enough.
    let attribute: String =
        SECTIONS.lines().filter(|line| !line.contains("SHI_")).fold(String::new(), joined);
    assert_eq!(made(&attribute, None).resources, own);
    let info: String =
        SECTIONS.lines().filter(|line| !line.contains("0x00000021")).fold(String::new(), joined);
    assert_eq!(made(&info, None).resources, own);
    // A file that has sections, but none for shared memory, has none.
    let cut = SECTIONS.find("\t.section\t.nv.shared").expect("a section");
    let less = made(&SECTIONS[..cut], None).resources;
    assert_eq!((less.shared, less.shared_known), (0, Known::Stated));
}

fn joined(text: String, line: &str) -> String {
    text + line + "\n"
}

#[test]
fn without_a_word_the_registers_that_are_named_count() {
    let own = made(PLAIN, None);
    assert_eq!((own.number, own.resources.highest), (75, Some(7)));
    assert_eq!((own.resources.registers, own.resources.registers_known), (10, Known::Named));
    assert_eq!((own.resources.shared, own.resources.shared_known), (0, Known::Assumed));
    let old = made(OLD, None).resources;
    assert_eq!(Some(old.registers), old.highest.map(|highest| highest + 1), "none are kept on Maxwell");
}

#[test]
fn lines_of_use_are_read_and_are_nothing_that_is_left_out() {
    let usage = "Resource usage:\n Common:\n  GLOBAL:0\n Function saxpy:\n  REG:12 STACK:0 SHARED:512 LOCAL:0 CONSTANT[0]:380 TEXTURE:0 SURFACE:0 SAMPLER:0\n";
    let ptxas = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'saxpy' for 'sm_75'\nptxas info    : Function properties for saxpy\nptxas info    : Used 12 registers, used 1 barriers, 512 bytes smem, 380 bytes cmem[0]\n";
    for told in [usage, ptxas] {
        for text in [format!("{told}{PLAIN}"), format!("{PLAIN}\n{told}")] {
            let listing = read(&text).expect("a listing");
            assert_eq!((listing.functions.len(), listing.skipped), (1, 0), "{:?}", listing.first_skipped);
            let own = made(&text, None).resources;
            assert_eq!((own.registers, own.registers_known), (12, Known::Stated), "{told}");
            assert_eq!((own.shared, own.shared_known), (512, Known::Stated));
        }
    }
    let none = made(&format!("{}{PLAIN}", usage.replace("saxpy", "other")), None).resources;
    assert_eq!(none.registers_known, Known::Named, "what is said of another function is not of this one");
}

/// Two files in one text, each with a function of the same name.
#[test]
fn each_part_of_a_text_states_its_own() {
    let part = |number: u32, registers: u32| {
        let usage = format!(" Function saxpy:\n  REG:{registers} STACK:0 SHARED:0 LOCAL:0\n");
        format!("Fatbin elf code:\n================\narch = sm_{number}\n{usage}{PLAIN}\n")
    };
    let text = part(75, 20) + &part(75, 30);
    assert_eq!(made(&text, None).resources.registers, 20);
    assert_eq!(made(&text, Some("saxpy (2)")).resources.registers, 30);
    // Apart from the code, the most of what is stated counts.
    let apart = format!(
        "{PLAIN}\nFatbin elf code:\n Function saxpy:\n REG:20 SHARED:0\nFatbin elf code:\n Function saxpy:\n REG:30 SHARED:0\n"
    );
    assert_eq!(made(&apart, None).resources.registers, 30);
}

#[test]
fn resources_have_names() {
    assert_eq!(Resource::ALL.map(Resource::name), ["registers", "shared", "warps", "blocks"]);
}
