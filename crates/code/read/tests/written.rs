//! What instructions write, where they may end the way, and what they wait for: nothing of it is overlooked in silence.

#![allow(missing_docs)]

use code::{Set, Wait};
use warpspan_code_read::{Asked, Made, launch, read};

/// The control fields of an instruction: its stall, the scoreboards that it sets for its result and for its operands, 7
/// for none, and those that it waits for.
fn control(stall: u64, write: u64, read: u64, wait: u64) -> u64 {
    (stall | 1 << 4 | write << 5 | read << 8 | wait << 11) << 41
}

/// One warp of a function with one instruction every 16 bytes, each with its control fields.
fn timed(architecture: u32, lines: &[(&str, u64)]) -> Made {
    let line = |(at, (text, high)): (usize, &(&str, u64))| {
        let address = at * 16;
        format!("        /*{address:04x}*/ {text} ; /* 0x0000000000000000 */\n /* 0x{high:016x} */\n")
    };
    let lines: String = lines.iter().enumerate().map(line).collect();
    let text = format!("\tcode for sm_{architecture}\n\t\tFunction : k\n{lines}");
    let listing = read(&text).expect("it is read");
    launch(&listing, &Asked { warps: 1, ..Asked::default() }).expect("it is walked through")
}

fn made(architecture: u32, lines: &[&str]) -> Made {
    let lines: Vec<(&str, u64)> = lines.iter().map(|text| (*text, control(5, 7, 7, 0))).collect();
    timed(architecture, &lines)
}

/// A register that holds a constant is written by another instruction, and a loop goes round as long as it is not zero.
/// Nobody knows how often that is.
#[test]
fn a_constant_that_something_writes_over_is_none() {
    let writes = [
        (61, "R0", "IADD R0.CC, R2, 0x1"),
        (61, "R0", "IADD32I R0.CC, R2, 0x1"),
        (61, "R0", "ISCADD R0.CC, R2, c[0x0][0x140], 0x2"),
        (61, "R2", "TEXS R9, R2, R4, R5, 0x10, 2D"),
        (75, "R20", "TEX.B.LL R8, R20, R4, R6, 2D"),
        (120, "R4", "LDG.E.ENL2.256 R8, R4, desc[UR6][R2.64]"),
        (120, "R11", "LDG.E.ENL2.256.CONSTANT R8, R4, desc[UR6][R2.64]"),
        (90, "R40", "IGMMA.64x64x32.S8.S8 R24, gdesc[UR8], RZ, !UPT, gsb0"),
        (90, "R151", "HGMMA.64x256x16.F32 R24, gdesc[UR8], RZ, !UPT, gsb0"),
        (100, "R40", "LDTM.x64 R4, tmem[UR4]"),
        (75, "R0", "IADD3 R0, R2, 0x1, RZ"),
        (75, "R3", "LDG.E.64 R2, [R4]"),
    ];
    for (architecture, register, writes) in writes {
        let [constant, test] =
            [format!("MOV {register}, 0x0"), format!("ISETP.NE.AND P0, PT, {register}, RZ, PT")];
        let made = made(architecture, &[&constant, writes, &test, "@P0 BRA 0x10", "EXIT"]);
        let loops: Vec<(Option<u32>, bool)> =
            made.walk.loops.iter().map(|own| (own.trips, own.known)).collect();
        assert_eq!(loops, [(Some(1), false)], "{writes}");
        let said = "The loop at 0x0010 was gone round once; its trip count is not known.";
        assert!(made.assumed.iter().any(|text| text == said), "{writes}: {:?}", made.assumed);
    }
}

/// What reads a register that holds a constant leaves it as it is.
#[test]
fn a_constant_that_is_read_stays_one() {
    for reads in
        ["FADD R2, R0, R0", "STG.E.ENL2.256 [R2.64], R0, R4", "IADD R2.CC, R0, 0x1", "HFMA2 R2, R0, R4, R5"]
    {
        let lines = ["MOV R0, 0x0", reads, "ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 BRA 0x10", "EXIT"];
        let made = made(75, &lines);
        let loops: Vec<Option<u32>> = made.walk.loops.iter().map(|own| own.trips).collect();
        assert_eq!((loops, made.walk.assumed.len()), (vec![None], 0), "{reads}");
    }
}

/// Conditions stand among operands, too: the way goes on where they are not known, and ends where they hold.
#[test]
fn an_end_with_a_condition_is_one_only_if_it_holds() {
    for (architecture, end) in
        [(61, "EXIT CC.LT"), (75, "EXIT !P0"), (75, "@P1 EXIT P0"), (75, "RET.REL.NODEC P0, R2 0x0")]
    {
        let made = made(architecture, &[end, "FADD R1, R1, R1", "EXIT"]);
        assert_eq!(made.walk.steps, [0, 1, 2], "{end}");
        assert_eq!(made.walk.assumed.len(), 1, "{end}");
    }
    let known: [(&[&str], &[u32]); 5] = [
        (&["EXIT PT", "FADD R1, R1, R1", "EXIT"], &[0]),
        (&["EXIT !PT", "FADD R1, R1, R1", "EXIT"], &[0, 1, 2]),
        (&["@!PT EXIT PT", "FADD R1, R1, R1", "EXIT"], &[0, 1, 2]),
        (&["ISETP.EQ.AND P0, PT, RZ, RZ, PT", "EXIT P0", "EXIT"], &[0, 1]),
        (&["ISETP.EQ.AND P0, PT, RZ, RZ, PT", "EXIT !P0", "EXIT"], &[0, 1, 2]),
    ];
    for (lines, steps) in known {
        let made = made(75, lines);
        assert_eq!((&made.walk.steps[..], made.walk.assumed.len()), (steps, 0), "{lines:?}");
    }
}

#[test]
fn a_depbar_of_all_waits_for_all() {
    let lines = [
        ("LDG.E R2, [R4]", control(4, 5, 7, 0)),
        ("DEPBAR.ALL", control(1, 7, 7, 0)),
        ("FADD R2, R2, R2", control(4, 7, 7, 0)),
        ("EXIT", control(5, 7, 7, 0)),
    ];
    let made = timed(75, &lines);
    let waits: Vec<Wait> = (0..6).map(|board| Wait { board, left: 0 }).collect();
    assert_eq!(made.launch.code()[1].waits, waits);
}

/// A scoreboard whose latency no table has, and waiting that no scoreboard tells, are told of.
#[test]
fn what_no_table_has_is_told() {
    let lines = [
        ("REDUX.SUM UR4, R2", control(4, 0, 7, 0)),
        ("FCHK P0, R2, R3", control(4, 1, 7, 0)),
        ("MUFU.RCP R5, R2", control(4, 2, 7, 0)),
        ("MEMBAR.SC.GPU", control(4, 7, 7, 0)),
        ("NANOSLEEP 0x64", control(4, 7, 7, 0)),
        ("WARPGROUP.DEPBAR.LE gsb0, 0x0", control(4, 7, 7, 0)),
        ("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R2], R3", control(4, 3, 7, 0)),
        ("SYNCS.ARRIVE.TRANS64 RZ, [R2], RZ", control(4, 7, 7, 0)),
        ("DEPBAR.LE SB0, UR4", control(4, 7, 7, 0)),
        ("EXIT", control(5, 7, 7, 0x0f)),
    ];
    let made = timed(90, &lines);
    let fixed = Set { board: 0, least: 4, most: 4, hit: None };
    assert_eq!(made.launch.code()[0].sets, [fixed]);
    let latency = |opcode: &str| {
        format!("No table has a latency for \"{opcode}\", which sets a scoreboard: 4 cycles are taken.")
    };
    let waits =
        |opcode: &str| format!("How long \"{opcode}\" waits is in no table: it takes a slot and its unit.");
    let mut told = made.assumed.clone();
    told.sort();
    let mut all = vec![
        latency("FCHK"),
        latency("REDUX"),
        waits("MEMBAR"),
        waits("NANOSLEEP"),
        waits("SYNCS"),
        waits("WARPGROUP"),
        "A DEPBAR whose count is in a register waits for all.".to_owned(),
    ];
    all.sort();
    assert_eq!(told, all);
}

/// Control fields that stand in words behind the operands belong to none of them.
#[test]
fn fields_behind_the_operands_are_no_part_of_them() {
    let lines = [
        "MOV R0, 0x0                                          ?trans1",
        "LDG.E R2, desc[UR4][R2.64]   &wr=0x0          ?trans1",
        "IADD3 R0, PT, PT, R0, 0x1, RZ       &req={1,0} ?WAIT5_END_GROUP",
        "ISETP.GE.AND P0, PT, R0, 0x3, PT           ?WAIT13_END_GROUP",
        "DEPBAR.LE SB0, 0x1       ?trans1",
        "@!P0 BRA 0x10     &req={2}   ?trans5",
        "EXIT                    ?trans5",
    ];
    let behind = made(120, &lines);
    let bare: Vec<&str> = lines.iter().map(|line| line.split("  ").next().unwrap_or_default()).collect();
    let bare = made(120, &bare);
    assert_eq!(behind.launch, bare.launch);
    assert_eq!((&behind.walk, &behind.assumed), (&bare.walk, &bare.assumed));
    assert_eq!(behind.walk.loops.iter().map(|own| own.rounds).collect::<Vec<_>>(), [(3, 3)]);
    assert_eq!(behind.launch.code()[4].waits, [Wait { board: 0, left: 1 }]);
}
