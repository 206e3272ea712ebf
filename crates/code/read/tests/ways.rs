//! Ways through small listings written by hand: nothing about them is decided without being told.

#![allow(missing_docs)]

use warpspan_code_read::{Asked, Made, Trips, launch, read};

/// A function of sm_75 with one instruction every 16 bytes.
fn listing(lines: &[&str]) -> String {
    let line = |(at, text): (usize, &&str)| {
        let address = at * 16;
        format!("        /*{address:04x}*/ {text} ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n")
    };
    let lines: String = lines.iter().enumerate().map(line).collect();
    format!("\tcode for sm_75\n\t\tFunction : k\n{lines}")
}

fn made(lines: &[&str], trips: Trips) -> Made {
    let listing = read(&listing(lines)).expect("it is read");
    launch(&listing, &Asked { trips, ..Asked::default() }).expect("it is walked through")
}

/// What is assumed of the way, without what it says of units.
fn assumed(made: &Made) -> Vec<&str> {
    let of_the_way = |text: &&str| text.starts_with("At ") || text.starts_with("The loop");
    made.assumed.iter().map(String::as_str).filter(of_the_way).collect()
}

/// Threads that return early leave others behind, who go on.
#[test]
fn a_return_that_nothing_decides_does_not_end_the_way() {
    let lines = [
        "CALL.REL.NOINC 0x30",
        "FADD R1, R1, R1",
        "EXIT",
        "@P1 RET.REL.NODEC R2 0x0",
        "MUFU.RCP R4, R1",
        "RET.REL.NODEC R2 0x0",
    ];
    let made = made(&lines, Trips::default());
    assert_eq!(made.walk.steps, [0, 3, 4, 5, 1, 2]);
    assert_eq!(assumed(&made), ["At 0x0030: threads that return there are not followed, the warp goes on."]);
}

#[test]
fn a_call_that_nothing_decides_is_told() {
    let lines =
        ["@P0 CALL.REL.NOINC 0x30", "FADD R1, R1, R1", "EXIT", "MUFU.RCP R1, R1", "RET.REL.NODEC R2 0x0"];
    let made = made(&lines, Trips::default());
    assert_eq!(made.walk.steps, [0, 3, 4, 1, 2]);
    assert_eq!(assumed(&made), ["At 0x0000: the call there is taken, for some thread of the warp."]);
}

/// Where an indirect branch leads is not known; where its guard is not known either, the warp goes on.
#[test]
fn an_indirect_branch_ends_the_way_only_where_it_is_taken() {
    let guarded = made(&["@P0 BRX R2 -0x10", "FADD R1, R1, R1", "EXIT"], Trips::default());
    assert_eq!(guarded.walk.steps, [0, 1, 2]);
    assert_eq!(
        assumed(&guarded),
        ["At 0x0000: where the branch there leads is not in the text: it is not taken."]
    );
    let never = made(&["@!PT BRX R2 -0x10", "FADD R1, R1, R1", "EXIT"], Trips::default());
    assert_eq!((never.walk.steps.len(), assumed(&never).len()), (3, 0));
}

#[test]
fn a_branch_to_itself_is_told() {
    let made = made(&["MOV R1, 0x1", "BRA 0x10"], Trips::default());
    assert_eq!(made.walk.steps, [0, 1]);
    assert_eq!(assumed(&made), ["At 0x0010: a branch to itself never ends: the way ends there."]);
}
