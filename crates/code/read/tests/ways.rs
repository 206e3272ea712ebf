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
    let of_the_way = |text: &&str| ["At ", "The loop", "The way"].iter().any(|begin| text.starts_with(begin));
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

/// Rounds of the loop at an address: given ones, assumed ones, or none where the text decides them.
fn trips(made: &Made, address: u64) -> Option<(Option<u32>, bool)> {
    let found = made.walk.loops.iter().find(|own| own.address == address);
    found.map(|own| (own.trips, own.known))
}

/// How often the line at an address is executed.
fn times(made: &Made, address: u64) -> usize {
    made.walk.steps.iter().filter(|&&at| made.rows[at as usize].address == address).count()
}

/// The second loop counts with what the first one, whose rounds nobody knows, has written.
#[test]
fn what_a_loop_of_unknown_rounds_writes_decides_nothing_behind_it() {
    let lines = [
        "MOV R5, RZ",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.LT.AND P0, PT, R5, c[0x0][0x160], PT",
        "@P0 BRA 0x10",
        "IADD3 R5, R5, -0x1, RZ",
        "FADD R1, R1, R1",
        "ISETP.GT.AND P1, PT, R5, 0x0, PT",
        "@P1 BRA 0x40",
        "EXIT",
    ];
    let once = made(&lines, Trips::default());
    assert_eq!((trips(&once, 0x10), trips(&once, 0x40)), (Some((Some(1), false)), Some((Some(1), false))));
    let given = made(&lines, Trips { each: [(0x10, 3), (0x40, 7)].into(), ..Trips::default() });
    assert_eq!((times(&given, 0x10), times(&given, 0x40)), (3, 7));
    // A round that the way has not taken may write, too.
    let seventh = [
        "MOV R5, RZ",
        "MOV R6, 0x4",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.NE.AND P0, PT, R5, 0x7, PT",
        "@P0 BRA 0x60",
        "MOV R6, 0x9",
        "ISETP.LT.AND P1, PT, R5, c[0x0][0x160], PT",
        "@P1 BRA 0x20",
        "IADD3 R6, R6, -0x1, RZ",
        "ISETP.GT.AND P2, PT, R6, 0x0, PT",
        "@P2 BRA 0x80",
        "EXIT",
    ];
    assert_eq!(trips(&made(&seventh, Trips::default()), 0x80), Some((Some(1), false)));
}

#[test]
fn what_a_branch_skips_or_passes_decides_nothing_behind_it() {
    // R5 is 4, or 9 where the branch is taken; R6 is 3 either way, and counts in the skipped code as well.
    let lines = [
        "MOV R5, 0x9",
        "ISETP.LT.AND P0, PT, R9, c[0x0][0x160], PT",
        "@P0 BRA 0x80",
        "MOV R5, 0x4",
        "MOV R6, 0x2",
        "IADD3 R6, R6, -0x1, RZ",
        "ISETP.GT.AND P1, PT, R6, 0x0, PT",
        "@P1 BRA 0x50",
        "MOV R6, 0x3",
        "IADD3 R6, R6, -0x1, RZ",
        "ISETP.GT.AND P1, PT, R6, 0x0, PT",
        "@P1 BRA 0x90",
        "IADD3 R5, R5, -0x1, RZ",
        "ISETP.GT.AND P1, PT, R5, 0x0, PT",
        "@P1 BRA 0xc0",
        "EXIT",
    ];
    let own = made(&lines, Trips::default());
    let known = Some((None, true));
    assert_eq!((trips(&own, 0x50), trips(&own, 0x90)), (known, known));
    assert_eq!((times(&own, 0x50), times(&own, 0x90)), (2, 3));
    assert_eq!((trips(&own, 0xc0), times(&own, 0xc0)), (Some((Some(1), false)), 1));
    // The other side writes, and is not on the way.
    let other = [
        "MOV R5, 0x4",
        "@P0 BRA 0x40",
        "FADD R1, R1, R1",
        "BRA 0x50",
        "MOV R5, 0x9",
        "IADD3 R5, R5, -0x1, RZ",
        "ISETP.GT.AND P1, PT, R5, 0x0, PT",
        "@P1 BRA 0x50",
        "EXIT",
    ];
    assert_eq!(trips(&made(&other, Trips::default()), 0x50), Some((Some(1), false)));
    // So does a function that some thread has left before.
    let left = [
        "MOV R5, 0x4",
        "CALL.REL.NOINC 0x60",
        "IADD3 R5, R5, -0x1, RZ",
        "ISETP.GT.AND P1, PT, R5, 0x0, PT",
        "@P1 BRA 0x20",
        "EXIT",
        "@P0 RET.REL.NODEC R2 0x0",
        "MOV R5, 0x2",
        "RET.REL.NODEC R2 0x0",
    ];
    assert_eq!(trips(&made(&left, Trips::default()), 0x20), Some((Some(1), false)));
}

/// Rounds of a loop stay decided around branches within it that are not.
#[test]
fn a_counted_loop_with_a_branch_that_nothing_decides_is_counted() {
    let lines = [
        "MOV R5, RZ",
        "@P0 BRA 0x40",
        "FADD R1, R1, R1",
        "BRA 0x50",
        "FMUL R1, R1, R1",
        "IADD3 R5, R5, 0x1, RZ",
        "FADD R2, R2, R2",
        "@P2 BRA 0x60",
        "ISETP.LT.AND P1, PT, R5, 0x6, PT",
        "@P1 BRA 0x10",
        "EXIT",
    ];
    let own = made(&lines, Trips { each: [(0x60, 2)].into(), ..Trips::default() });
    assert_eq!((trips(&own, 0x10), times(&own, 0x10), times(&own, 0x60)), (Some((None, true)), 6, 12));
}

/// Of threads that go through an array with long strides: a loop that ends where they leave the kernel.
#[test]
fn a_loop_that_only_an_exit_ends_is_asked_for() {
    let lines = [
        "S2R R0, SR_TID.X",
        "ISETP.GE.AND P0, PT, R0, c[0x0][0x160], PT",
        "@P0 EXIT",
        "IADD3 R0, R0, 0x80, RZ",
        "ISETP.GE.AND P0, PT, R0, c[0x0][0x160], PT",
        "BRA 0x20",
    ];
    let once = made(&lines, Trips::default());
    assert_eq!((trips(&once, 0x20), times(&once, 0x30)), (Some((Some(1), false)), 1));
    assert_eq!(
        assumed(&once),
        [
            "The loop at 0x0020 was gone round once; its trip count is not known.",
            "At 0x0020: all threads leave the loop there together, after its last round."
        ]
    );
    let four = made(&lines, Trips { each: [(0x20, 4)].into(), ..Trips::default() });
    assert_eq!((trips(&four, 0x20), times(&four, 0x30), times(&four, 0x20)), (Some((Some(4), true)), 4, 5));
    // A function may be left so, too, and each time it is called.
    let called = [
        "CALL.REL.NOINC 0x30",
        "CALL.REL.NOINC 0x30",
        "EXIT",
        "@P0 RET.REL.NODEC R2 0x0",
        "FADD R1, R1, R1",
        "BRA 0x30",
    ];
    let three = made(&called, Trips { each: [(0x30, 3)].into(), ..Trips::default() });
    assert_eq!((times(&three, 0x40), three.walk.steps.last()), (6, Some(&2)));
    // An exit out of a loop that ends by itself is one of some threads.
    let counted = ["@P1 BRA 0x40", "@P0 EXIT", "FADD R1, R1, R1", "BRA 0x0", "EXIT"];
    let two = made(&counted, Trips { all: Some(2), ..Trips::default() });
    assert_eq!(two.walk.steps, [0, 1, 2, 3, 0, 1, 2, 3, 0, 4]);
    assert_eq!(assumed(&two), ["At 0x0010: threads that leave there are not followed, the warp goes on."]);
}

/// Rounds are those of the loop, whichever branch goes back.
#[test]
fn rounds_are_counted_by_where_a_loop_begins() {
    let lines = ["MOV R5, 0x0", "FADD R7, R7, R7", "@P2 BRA 0x10", "FADD R8, R7, R7", "@P3 BRA 0x10", "EXIT"];
    let four = made(&lines, Trips { each: [(0x10, 4)].into(), ..Trips::default() });
    assert_eq!((times(&four, 0x10), times(&four, 0x30)), (4, 4));
    assert_eq!(assumed(&four), ["At 0x0020: the branch there is not taken."]);
    // The first branch back is decided, the second is not: of four rounds the first is one.
    let decided = [
        "MOV R5, 0x0",
        "ISETP.EQ.AND P2, PT, R5, 0x0, PT",
        "IADD3 R5, R5, 0x1, RZ",
        "@P2 BRA 0x10",
        "FADD R8, R7, R7",
        "@P3 BRA 0x10",
        "EXIT",
    ];
    let four = made(&decided, Trips { each: [(0x10, 4)].into(), ..Trips::default() });
    assert_eq!((times(&four, 0x10), times(&four, 0x40)), (4, 3));
    // Two ways out of an inner loop: each time it is entered it has all its rounds.
    let nested = [
        "MOV R5, RZ",
        "@P0 BRA 0x60",
        "FADD R1, R1, R1",
        "@P1 BRA 0x60",
        "FADD R1, R1, R1",
        "BRA 0x10",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.LT.AND P2, PT, R5, 0x3, PT",
        "@P2 BRA 0x10",
        "EXIT",
    ];
    let twice = made(&nested, Trips { all: Some(2), ..Trips::default() });
    assert_eq!((times(&twice, 0x20), times(&twice, 0x60)), (6, 3));
}

/// What a round leaves out is unknown in the next one.
#[test]
fn a_round_that_may_be_cut_short_decides_nothing_in_the_next() {
    let lines = [
        "MOV R5, RZ",
        "FADD R7, R7, R7",
        "@P2 BRA 0x10",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.LT.AND P1, PT, R5, 0x4, PT",
        "@P1 BRA 0x10",
        "EXIT",
    ];
    let own = made(&lines, Trips::default());
    assert!(assumed(&own).contains(&"At 0x0020: the branch there is not taken."), "{:?}", assumed(&own));
    assert_eq!(trips(&own, 0x10).map(|own| own.0), Some(Some(1)));
}

/// Rounds that are given and say nothing are not dropped in silence.
#[test]
fn rounds_that_change_nothing_are_told() {
    let counted = [
        "MOV R5, RZ",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.LT.AND P1, PT, R5, 0x4, PT",
        "@P1 BRA 0x10",
        "EXIT",
        "FADD R1, R1, R1",
        "BRA 0x50",
    ];
    let at = |address: u64| Trips { each: [(address, 3)].into(), ..Trips::default() };
    let all = Trips { all: Some(3), ..Trips::default() };
    let idle = |lines: &[&str], trips: Trips| {
        let made = made(lines, trips);
        assert!(made.walk.idle.iter().all(|text| made.notes.contains(text)));
        made.walk.idle.join(" ")
    };
    assert_eq!(idle(&counted, Trips::default()), "");
    assert_eq!(
        idle(&counted, at(0x10)),
        "The 3 rounds given for the loop at 0x0010 change nothing: the text decides how often it goes round."
    );
    assert_eq!(
        idle(&counted, all.clone()),
        "The rounds given for all loops change nothing: the text decides how often each goes round."
    );
    assert_eq!(
        idle(&counted, at(0x50)),
        "The 3 rounds given for 0x0050 change nothing: the way does not come by the branch back to it."
    );
    assert_eq!(
        idle(&["EXIT"], all),
        "The rounds given for all loops change nothing: there is no loop on the way."
    );
    // Left by a branch that is decided, in the second round.
    let early = [
        "MOV R5, RZ",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.EQ.AND P1, PT, R5, 0x2, PT",
        "@P1 BRA 0x50",
        "@P0 BRA 0x10",
        "EXIT",
    ];
    assert_eq!(idle(&early, at(0x10)), "The loop at 0x0010 was left before the 3 rounds given were over.");
    assert_eq!(idle(&["FADD R1, R1, R1", "@P0 BRA 0x0", "EXIT"], at(0)), "");
}

/// An inner loop that begins where the outer one does, whose rounds the text decides: the open one is asked for.
#[test]
fn a_branch_back_that_alone_is_open_ends_a_round() {
    let lines = [
        "MOV R5, RZ",
        "FADD R7, R7, R7",
        "@P2 BRA 0x10",
        "MOV R6, 0x4",
        "ISETP.LT.AND P1, PT, R6, 0x3, PT",
        "@P1 BRA 0x10",
        "EXIT",
    ];
    let four = made(&lines, Trips { each: [(0x10, 4)].into(), ..Trips::default() });
    assert_eq!((trips(&four, 0x10), times(&four, 0x10), times(&four, 0x30)), (Some((Some(4), true)), 4, 1));
    assert_eq!((assumed(&four).len(), four.walk.idle.len()), (0, 0));
}

/// A way that ends within a loop does not say that it went round.
#[test]
fn a_loop_that_is_left_before_a_round_is_over_is_told() {
    let lines = ["@P5 BRA 0x30", "EXIT", "BRA 0x0", "FADD R1, R1, R1", "EXIT"];
    let own = made(&lines, Trips::default());
    assert_eq!(own.walk.steps, [0, 1]);
    assert_eq!(
        assumed(&own),
        ["The way leaves the loop at 0x0000 before a round is over: others out of it are not followed."]
    );
}

/// Two open loops that begin at one place, of which the inner one has had the rounds: that the outer one has none is told.
#[test]
fn rounds_that_one_of_two_loops_has_are_not_said_of_both() {
    let lines = ["@P5 BRA 0x30", "FADD R1, R1, R1", "BRA 0x0", "FMUL R1, R1, R1", "@P4 BRA 0x0", "EXIT"];
    let three = made(&lines, Trips { each: [(0x0, 3)].into(), ..Trips::default() });
    assert_eq!((times(&three, 0x10), times(&three, 0x30)), (3, 1));
    assert_eq!(
        assumed(&three),
        ["At 0x0040: the branch back there is not taken, the loop has had its rounds."]
    );
}

/// More open branches than are followed at once: counted loops behind them are asked for, and nothing takes long.
#[test]
fn very_many_open_branches_leave_nothing_certain() {
    let many = 3_000;
    let mut lines: Vec<String> = vec!["MOV R5, RZ".to_owned()];
    lines.extend((0..many).map(|_| format!("@P0 BRA {:#x}", (many + 4) * 16)));
    let counts =
        ["IADD3 R5, R5, 0x1, RZ", "ISETP.LT.AND P1, PT, R5, 0x9, PT", "@P1 BRA 0x10", "EXIT", "EXIT"];
    lines.extend(counts.map(str::to_owned));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let own = made(&lines, Trips { all: Some(30), ..Trips::default() });
    assert_eq!((trips(&own, 0x10), times(&own, 0x10)), (Some((Some(30), true)), 30));
}

/// The number that is told does, and with one loop it is the most.
#[test]
fn too_many_rounds_are_told_with_a_number_that_would_do() {
    let walked = |lines: &[&str], rounds: u32| {
        let listing = read(&listing(lines)).expect("it is read");
        launch(
            &listing,
            &Asked { trips: Trips { all: Some(rounds), ..Trips::default() }, ..Asked::default() },
        )
    };
    let told = |lines: &[&str]| {
        let problem = walked(lines, 1_000_000).expect_err("a million rounds are too many").remove(0);
        assert_eq!(problem.place, "loops");
        let told =
            problem.expected.strip_prefix("at most 100,000, as with no loop above ").map(str::to_owned);
        let digits: String = told.expect("a number").chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u32>().expect("a number of rounds")
    };
    let one = ["MOV R1, R2", "FADD R1, R1, R1", "FADD R1, R1, R1", "@P0 BRA 0x10", "EXIT"];
    let most = told(&one);
    assert_eq!(most, 33_332);
    assert!(walked(&one, most).is_ok() && walked(&one, most + 1).is_err());
    let nested = ["MOV R1, R2", "FADD R1, R1, R1", "@P0 BRA 0x10", "FADD R1, R1, R1", "@P1 BRA 0x0", "EXIT"];
    let most = told(&nested);
    assert!(walked(&nested, most).is_ok_and(|made| made.walk.steps.len() > 50_000), "{most} rounds");
}

/// What was cut at the end of a line reads well: so it is told where the text ends.
#[test]
fn a_text_that_ends_without_an_exit_is_told() {
    let whole = made(&["FADD R1, R1, R1", "EXIT"], Trips::default());
    assert_eq!((whole.walk.cut, whole.walk.guessed), (None, 0));
    let cut = made(&["@P0 BRA 0x20", "@P0 EXIT", "FADD R1, R1, R1"], Trips::default());
    assert_eq!((cut.walk.cut, cut.walk.guessed), (Some(0x20), 1), "an exit of some threads is no guess");
    assert!(assumed(&cut).iter().any(|text| text.contains("the text ends there")), "{:?}", assumed(&cut));
}

/// Lines that are gone leave a gap in the addresses; where none are gone there is none.
#[test]
fn missing_addresses_are_told() {
    let lines: Vec<String> =
        (0..6).map(|at| format!("FADD R{at}, R1, R1")).chain(["EXIT".to_owned()]).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let text = listing(&lines);
    let gaps = |text: &str| {
        let listing = read(text).expect("it is read");
        launch(&listing, &Asked::default()).expect("it is walked through")
    };
    assert_eq!(gaps(&text).gaps, []);
    let cut = |from: &str, to: &str| {
        let (from, to) = (text.find(from).expect("a line"), text.find(to).expect("a line"));
        gaps(&format!("{}{}", &text[..from], &text[to..]))
    };
    let hole = cut("        /*0010*/", "        /*0030*/");
    assert_eq!(hole.gaps, [(Some(0), 0x30)]);
    assert!(
        hole.assumed.iter().any(|text| text.starts_with("Between 0x0000 and 0x0030 addresses are missing"))
    );
    assert_eq!(cut("        /*0000*/", "        /*0030*/").gaps, [(None, 0x30)]);
}
