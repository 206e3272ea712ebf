//! What other ways write, which may come to a loop by another call, decides no rounds.

#![allow(missing_docs)]

use warpspan_code_read::{Asked, Made, Trips, launch, read};

/// A function of sm_75 with one instruction every 16 bytes.
fn made(lines: &[&str]) -> Made {
    let line = |(at, text): (usize, &&str)| {
        format!("        /*{:04x}*/ {text} ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n", at * 16)
    };
    let lines: String = lines.iter().enumerate().map(line).collect();
    let listing = read(&format!("\tcode for sm_75\n\t\tFunction : k\n{lines}")).expect("it is read");
    launch(&listing, &Asked { trips: Trips::default(), ..Asked::default() }).expect("it is walked through")
}

/// Whether the text is said to decide how often the loop at an address goes round.
fn decided(made: &Made, address: u64) -> bool {
    let found = made.walk.loops.iter().find(|own| own.address == address);
    found.expect("the way comes by it").trips.is_none()
}

/// Two calls of one function, of which the way takes one.
#[test]
fn another_way_that_calls_the_same_function() {
    let lines = [
        "MOV R3, 0x2",
        "@P0 BRA 0x40",
        "CALL.REL.NOINC 0x70",
        "EXIT",
        "MOV R3, 0x5",
        "CALL.REL.NOINC 0x70",
        "EXIT",
        "IADD3 R3, R3, -0x1, RZ",
        "ISETP.NE.AND P1, PT, R3, RZ, PT",
        "@P1 BRA 0x70",
        "RET.REL.NODEC R20 0x0",
    ];
    let own = made(&lines);
    assert!(!decided(&own, 0x70));
    // What the function sets itself is the same for all who call it.
    let own = made(
        &[
            &lines[..7],
            &["MOV R3, 0x4", "IADD3 R3, R3, -0x1, RZ"],
            &["ISETP.NE.AND P1, PT, R3, RZ, PT"],
            &["@P1 BRA 0x80", "RET.REL.NODEC R20 0x0"],
        ]
        .concat(),
    );
    assert!(decided(&own, 0x80), "{:?}", own.walk.loops);
}

/// Both ways of a branch come to the end of the round, and write nothing that counts.
#[test]
fn what_comes_together_within_a_round_is_still_decided() {
    let lines = [
        "MOV R0, RZ",
        "@P0 BRA 0x30",
        "FADD R1, R1, R1",
        "IADD3 R0, R0, 0x1, RZ",
        "ISETP.LT.AND P1, PT, R0, 0x4, PT",
        "@P1 BRA 0x10",
        "EXIT",
    ];
    let own = made(&lines);
    assert!(decided(&own, 0x10), "{:?}", own.walk.loops);
    assert_eq!(own.walk.loops[0].rounds, (4, 4));
}

/// `MOV R1, R0, 0x1` of Maxwell writes some bytes only.
#[test]
fn a_move_with_a_mask_moves_less_than_all() {
    let lines = [
        "MOV R0, c[0x0][0x160]",
        "MOV R0, 0x2, 0x1",
        "IADD3 R0, R0, -0x1, RZ",
        "ISETP.NE.AND P1, PT, R0, RZ, PT",
        "@P1 BRA 0x20",
        "EXIT",
    ];
    assert!(!decided(&made(&lines), 0x20));
}
