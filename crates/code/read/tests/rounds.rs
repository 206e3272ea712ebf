//! How often loops go round each time they are entered, as the way has it.

#![allow(missing_docs)]

use warpspan_code_read::{Asked, Made, Trips, launch, read};

/// Functions of sm_75 with one instruction every 16 bytes, the first of which is walked through.
fn made(functions: &[(&str, &[&str])], trips: Trips) -> Made {
    let mut text = "\tcode for sm_75\n".to_owned();
    for (name, lines) in functions {
        text += &format!("\t\tFunction : {name}\n");
        for (at, line) in lines.iter().enumerate() {
            text += &format!("        /*{:04x}*/ {line} ; /* 0x0000000000000000 */\n", at * 16);
            text += " /* 0x000fea0000000000 */\n";
        }
    }
    let listing = read(&text).expect("it is read");
    launch(&listing, &Asked { trips, ..Asked::default() }).expect("it is walked through")
}

/// Address, rounds, and whether the way leaves it before a round is over.
fn rounds(made: &Made) -> Vec<(u64, (u32, u32), bool)> {
    made.walk.loops.iter().map(|own| (own.address, own.rounds, own.left)).collect()
}

/// The inner loop goes round as often as the outer one has: once, twice and three times.
#[test]
fn a_loop_within_another_has_its_fewest_and_its_most() {
    let lines = [
        "MOV R5, RZ",
        "IADD3 R5, R5, 0x1, RZ",
        "MOV R6, RZ",
        "IADD3 R6, R6, 0x1, RZ",
        "ISETP.LT.AND P0, PT, R6, R5, PT",
        "@P0 BRA 0x30",
        "ISETP.LT.AND P1, PT, R5, 0x3, PT",
        "@P1 BRA 0x10",
        "EXIT",
    ];
    let own = made(&[("k", &lines)], Trips::default());
    assert_eq!(rounds(&own), [(0x10, (3, 3), false), (0x30, (1, 3), false)]);
    assert!(own.walk.loops.iter().all(|own| own.trips.is_none()), "{:?}", own.walk.loops);
}

/// A loop of a function that is called twice, at the same depth and one call deeper, is entered anew each time, also
/// where it is the first thing there.
#[test]
fn a_loop_that_is_called_begins_anew() {
    let calls = ["CALL.REL.NOINC `(twice)", "CALL.REL.NOINC `(twice)", "CALL.REL.NOINC `(over)", "EXIT"];
    let over = ["CALL.REL.NOINC `(twice)", "RET.REL.NODEC R2 0x0"];
    let twice = ["FADD R1, R1, R1", "@P0 BRA 0x0", "RET.REL.NODEC R2 0x0"];
    let trips = Trips { all: Some(5), ..Trips::default() };
    let own = made(&[("k", &calls), ("over", &over), ("twice", &twice)], trips);
    assert_eq!(rounds(&own), [(0, (5, 5), false)]);
    let begins = own.rows.iter().position(|row| row.function == "twice" && row.address == 0);
    let times = own.walk.steps.iter().filter(|&&step| Some(step as usize) == begins).count();
    assert_eq!(times, 15);
}

/// What is given is gone round so often, but where the way leaves before.
#[test]
fn rounds_that_are_given_are_those_of_the_way() {
    let nested = ["MOV R1, R2", "FADD R1, R1, R1", "@P0 BRA 0x10", "FADD R1, R1, R1", "@P1 BRA 0x0", "EXIT"];
    let trips = Trips { each: [(0x0, 4), (0x10, 7)].into(), ..Trips::default() };
    assert_eq!(rounds(&made(&[("k", &nested)], trips)), [(0, (4, 4), false), (0x10, (7, 7), false)]);
    let left = ["@P5 BRA 0x30", "EXIT", "BRA 0x0", "FADD R1, R1, R1", "EXIT"];
    assert_eq!(rounds(&made(&[("k", &left)], Trips::default())), [(0, (1, 1), true)]);
}

/// Sentences that nothing else says are told apart from those that loops, the end, gaps and opcodes have of their own.
#[test]
fn details_are_what_nothing_else_says() {
    let lines = ["@P0 BRA 0x30", "FADD R2, R2, R1", "@P1 BRA 0x10", "QUUX R1, R1", "FADD R1, R1, R1"];
    let own = made(&[("k", &lines)], Trips::default());
    let kept: Vec<&String> = own.assumed.iter().filter(|said| own.details.contains(said)).collect();
    assert_eq!(kept, ["At 0x0000: the branch there is not taken."]);
    assert_eq!((own.details.len(), own.assumed.len()), (1, 4), "{:?}", own.assumed);
    assert_eq!((own.walk.cut, &own.unknown[..]), (Some(0x40), &["QUUX".to_owned()][..]));
}
