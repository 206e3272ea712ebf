//! Ways through kernels, with strings derived by hand.

use super::*;
use warpspan::base::Seeded;
use warpspan::import::ptx::{Branch, Choice, Choices, Turns};

fn each(text: &str, times: &[(&str, u32)]) -> String {
    let times = times.iter().map(|&(label, times)| (label.to_owned(), times.into())).collect();
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
        "path.loops.iterations: no loop begins at \"Lop\", expected labels of loops: Loop"
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

/// Straight code that is too long says how long it is, and blames no loop.
#[test]
fn long_straight_code_blames_no_loop() {
    let text = "add.u32 %r1, %r1, 1;\n".repeat(10_001) + "L: @%p1 bra L;";
    let expected = "path: the path executes 10,002 instructions, and none of them because a loop goes round, expected at most 10,000, the limit of a kernel string: another \"entry\", or \"branches\" that end it earlier";
    for path in [Path::FallThrough, loops(1), longest(1), Path::Loops(Iterations::Once)] {
        assert_eq!(string(&text, None, &path), expected);
    }
    assert_eq!(
        string(&text, None, &Path::Branches(Vec::new())),
        "path: the path executes more than 10,000 instructions, expected at most 10,000, the limit of a kernel string: branches that end the path earlier"
    );
    // Calls of calls: 2^40 instructions and more, counted without being walked.
    let calls: String =
        (1..40).map(|i| format!(".func f{i}() {{ call f{}; call f{0}; ret; }}\n", i - 1)).collect();
    let text = format!(".func f0() {{ ret; }}\n{calls}.entry k() {{ call f39; exit; }}");
    assert!(
        string(&text, None, &Path::FallThrough).contains("executes 2,199,023,255,551 instructions"),
        "{}",
        string(&text, None, &Path::FallThrough)
    );
    let nested = "A: add.u32 %r1, %r1, 1; B: add.u32 %r1, %r1, 1; C: add.u32 %r1, %r1, 1; D: add.u32 %r1, %r1, 1; @%p1 bra D; @%p1 bra C; @%p1 bra B; @%p1 bra A; ret;";
    assert!(
        string(nested, None, &longest(1_000_000))
            .contains("more than 9,000,000,000,000,000,000 instructions")
    );
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

/// Without loops, the longest path is the longest of all that choices can make, and every number of rounds
/// gives the path that falls through.
#[test]
fn the_longest_path_is_the_longest_of_all() {
    let mut rng = Seeded::new(13, 0);
    for _ in 0..300 {
        let (mut text, mut lines) = (String::new(), Vec::new());
        let size = 3 + rng.below(6);
        for at in 0..size {
            text += &format!("L{at}: {}\n", "add.u32 %r1, %r1, 1; ".repeat(rng.below(4) as usize));
            let to = at + 1 + rng.below(size - at);
            match rng.below(4) {
                0 => text += &format!("bra L{to};\n"),
                1 => text += "\n",
                _ => {
                    text += &format!("@%p1 bra L{to};\n");
                    lines.push(2 * at + 2);
                }
            }
        }
        text += &format!("L{size}: ret;\n");
        let all = (0..1u32 << lines.len()).map(|bits| {
            let choice = |i: usize| if bits >> i & 1 == 1 { Choice::Taken } else { Choice::NotTaken };
            let choices =
                lines.iter().enumerate().map(|(i, &line)| at(Branch::Line(line), Turns::Always(choice(i))));
            steps(&text, &Path::Branches(choices.collect()))
        });
        assert_eq!(all.max(), Some(steps(&text, &longest(3))), "{text}");
        assert_eq!(string(&text, None, &loops(3)), string(&text, None, &Path::FallThrough), "{text}");
    }
}

/// With one loop that is left at its end only, choices can make the same rounds.
#[test]
fn rounds_are_what_choices_make() {
    let text = "ld.u32 %r1, [%rd1]; A: add.u32 %r1, %r1, 1;\n@%p1 bra B;\nmul.lo.u32 %r1, %r1, 3; B: sin.approx.f32 %f1, %f1;\n@%p2 bra A;\nret;";
    for rounds in 1..20 {
        let mut turns = vec![Choice::Taken; rounds - 1];
        turns.push(Choice::NotTaken);
        let chosen = Path::Branches(vec![at(Branch::Line(4), Turns::Each(turns))]);
        assert_eq!(string(text, None, &chosen), string(text, None, &loops(rounds as u32)));
        assert_eq!(string(text, None, &chosen), string(text, None, &longest(rounds as u32)));
    }
}

fn steps(text: &str, path: &Path) -> usize {
    walked(text, None, path).expect("it can be walked").steps.len()
}
