//! Ways through kernels, with strings derived by hand.

use super::*;
use warpspan::import::ptx::{Branch, Choice, Choices, Turns};

fn each(text: &str, times: &[(&str, u32)]) -> String {
    let times = times.iter().map(|&(label, times)| (label.to_owned(), times)).collect();
    string(text, None, &Path::Loops(Iterations::Each(times)))
}

fn at(branch: Branch, turns: Turns) -> Choices {
    Choices { branch, turns }
}

#[test]
fn a_loop_tested_at_its_top_runs_its_test_once_more() {
    // 12 before the loop; 2 for the test; 12 for the rest of the body and the jump back.
    for (times, expected) in [(0, "5L 9C"), (1, "5L 9C 2L 12C"), (2, "5L 9C 2L 12C 2L 12C")] {
        assert_eq!(string(FIGURE_11, None, &loops(times)), expected);
    }
    assert_eq!(each(FIGURE_11, &[("Loop", 2)]), "5L 9C 2L 12C 2L 12C");
    assert_eq!(
        each(FIGURE_11, &[("Lop", 2)]),
        "path: no loop begins at \"Lop\", expected labels of loops: Loop"
    );
}

#[test]
fn a_loop_tested_at_its_end_runs_at_least_once() {
    let body = "2L 4C ";
    let nest = |outer: usize, inner: usize| {
        let once = format!("L L L L 2C {}6C ", body.repeat(inner));
        same(&format!("3L 10C {}L C", once.repeat(outer)))
    };
    assert_eq!(string(MATRIX_MULTIPLY, None, &loops(0)), nest(1, 1));
    assert_eq!(string(MATRIX_MULTIPLY, None, &loops(1)), nest(1, 1));
    assert_eq!(string(MATRIX_MULTIPLY, None, &loops(3)), nest(3, 3));
    assert_eq!(each(MATRIX_MULTIPLY, &[("$L__BB0_3", 16)]), nest(1, 16));
    assert_eq!(each(MATRIX_MULTIPLY, &[("$L__BB0_3", 16), ("$L__BB0_2", 4)]), nest(4, 16));
    assert_eq!(string(MATRIX_MULTIPLY, None, &longest(2)), nest(2, 2));
}

/// A kernel string written in another way, as it is printed.
fn same(text: &str) -> String {
    warpspan::warps::Kernel::parse(text).expect("a string").to_string()
}

#[test]
fn a_loop_entered_at_its_test() {
    // Jumps to the test; each round: 3 C around a load, then the test; the kernel ends at the guarded ret or goes on.
    assert_eq!(string(REDUCTION, None, &Path::FallThrough), same("3L 3C 2C 9C 2L C"));
    assert_eq!(string(REDUCTION, None, &loops(2)), same("3L 3C 2(2C 2C L 2C) 2C 9C 2L C"));
}

#[test]
fn the_longest_way_takes_the_longest_case() {
    // ld ld setp bra brx, then the third case: cvt, sin, cos, mul, bra; st ret.
    assert_eq!(string(SWITCH, None, &longest(1)), "2L 4C 2S 2C L C");
    assert_eq!(string(FIGURE_11, None, &longest(1)), "5L 9C 2L 12C");
    assert_eq!(string(VECTOR_ADD, None, &longest(7)), "4L 11C 2L 3C L C");
}

#[test]
fn branches_can_be_chosen() {
    let chosen = |text, choices| string(text, None, &Path::Branches(choices));
    let to = |label: &str| Branch::To(label.to_owned());
    let always = Turns::Always;
    assert_eq!(chosen(VECTOR_ADD, vec![]), "4L 11C 2L 3C L C");
    assert_eq!(chosen(VECTOR_ADD, vec![at(to("$L__BB0_2"), always(Choice::Taken))]), "4L 7C");
    assert_eq!(chosen(VECTOR_ADD, vec![at(Branch::Line(31), always(Choice::Taken))]), "4L 7C");
    let turns = Turns::Each(vec![Choice::NotTaken, Choice::Taken]);
    assert_eq!(chosen(FIGURE_11, vec![at(to("Done"), turns)]), "5L 9C 2L 12C");
    let skip = at(to("If"), always(Choice::Taken));
    let turns = Turns::Each(vec![Choice::NotTaken, Choice::Taken]);
    assert_eq!(chosen(FIGURE_11, vec![at(to("Done"), turns), skip]), "5L 9C 2L 10C");
    let case = always(Choice::Label("$L__BB0_3".to_owned()));
    assert_eq!(chosen(SWITCH, vec![at(to("$L_tab"), case)]), "2L 6C L C");
    let case = always(Choice::Label("$L__BB0_6".to_owned()));
    assert_eq!(
        chosen(SWITCH, vec![at(to("$L_tab"), case)]),
        "path.branches: \"$L__BB0_6\" for the branch at \"$L_tab\", expected \"taken\", \"not-taken\" or a label of its .branchtargets"
    );
    assert_eq!(
        chosen(FIGURE_11, vec![at(to("Dne"), always(Choice::Taken))]),
        "path.branches: no conditional branch at \"Dne\", expected line 15 (Done) and line 23 (If)"
    );
    assert_eq!(
        chosen(FIGURE_11, vec![]),
        "path: the path executes more than 10,000 instructions, expected a path that leaves its loops earlier"
    );
}

#[test]
fn long_paths_say_how_long_they_are() {
    assert_eq!(
        string(MATRIX_MULTIPLY, None, &loops(1000)),
        "path: the path executes 6,012,015 instructions, expected at most 10,000: fewer iterations, or \"fall-through\""
    );
    assert!(string(MATRIX_MULTIPLY, None, &longest(u32::MAX)).contains("expected at most 10,000"));
}

/// Two ways into a loop, loops without an end, and a kernel that is nothing but a loop.
#[test]
fn odd_graphs() {
    let two_entries = "setp.eq.u32 %p1, %r1, 0; @%p1 bra B; A: add.u32 %r1, %r1, 1; B: add.u32 %r1, %r1, 2; setp.lt.u32 %p2, %r1, 9; @%p2 bra A; ret;";
    assert_eq!(string(two_entries, None, &Path::FallThrough), "7C");
    assert_eq!(string(two_entries, None, &loops(2)), "11C");
    // The longest way comes in at B, and finishes that round before the two it is given.
    assert_eq!(string(two_entries, None, &longest(2)), "14C");
    let endless = "L: ld.global.u32 %r1, [%rd1]; bra L;";
    assert_eq!(string(endless, None, &Path::FallThrough), "L");
    assert_eq!(string(endless, None, &loops(3)), "L C L C L C");
    let spin = "L: bra L;";
    assert_eq!(
        string(spin, None, &Path::FallThrough),
        "ptx: nothing is executed in \"(fragment)\", expected a kernel with instructions on its path"
    );
    assert_eq!(string(spin, None, &longest(4)), "4C");
    let outward = "A: ld.u32 %r1, [%r2]; B: add.u32 %r1, %r1, 1; @%p1 bra B; @%p2 ret; @%p3 bra A;";
    assert_eq!(string(outward, None, &loops(2)), "L 6C L 6C");
}
