//! What a path takes for granted: loops, trip counts and their ranges, how much of the kernel is met.

use expect_test::{Expect, expect};
use warpspan::base::Seeded;
use warpspan::import::ptx::{Branch, Choice, Choices, Holds, Stated, Trips, Turns};

use super::*;

/// A loop around a special function, and another after it that a branch may leave out.
const TWO: &str = "ld.global.f32 %f1, [%rd1];\nA: sin.approx.f32 %f1, %f1;\n@%p1 bra A;\n@%p2 bra Out;\nB: fma.rn.f32 %f1, %f1, %f1, %f1;\n@%p3 bra B;\nOut: st.global.f32 [%rd1], %f1;\nret;";

fn each(times: &[(&str, Trips)]) -> Iterations {
    Iterations::Each(times.iter().map(|&(label, trips)| (label.to_owned(), trips)).collect())
}

/// What is told of loops, what of the whole.
fn told(text: &str, path: &Path, expected: &Expect) {
    let walk = walked(text, None, path).expect("it can be walked");
    let line = |own: &warpspan::import::ptx::LoopMet| {
        let trips = own.trips.map_or("?".to_owned(), |trips| format!("{}..{}", trips.least, trips.most));
        format!("{} line {}: {} times, {trips} {}", own.label, own.line, own.executed, own.stated.name())
    };
    let mut lines: Vec<String> = walk.loops.iter().map(line).collect();
    lines.push(format!("{}, {} of {}", walk.holds().name(), walk.met, walk.lines.len()));
    lines.extend(walk.cautions.iter().cloned());
    expected.assert_eq(&lines.join("\n"));
    assert!(walk.warnings.iter().filter(|text| walk.cautions.contains(text)).count() == walk.cautions.len());
    assert_eq!(walk.holds() == Holds::String, !walk.assumed.is_empty());
}

#[test]
fn a_loop_gone_round_once_is_no_proof_of_the_kernel() {
    let once = expect![[r#"
        A line 2: 1 times, 1..1 assumed
        B line 5: 1 times, 1..1 assumed
        string, 8 of 8
        The loop A at line 2 was gone round once; its trip count is not known.
        The loop B at line 5 was gone round once; its trip count is not known.
        What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed."#]];
    for path in [Path::FallThrough, Path::Loops(Iterations::Once), Path::Longest(Iterations::Once)] {
        told(TWO, &path, &once);
    }
    told(
        TWO,
        &Path::Loops(each(&[("A", 3.into())])),
        &expect![[r#"
            A line 2: 3 times, 3..3 given
            B line 5: 1 times, 1..1 assumed
            string, 8 of 8
            The loop B at line 5 was gone round once; its trip count is not known.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed."#]],
    );
    told(
        TWO,
        &loops(3),
        &expect![[r#"
            A line 2: 3 times, 3..3 given
            B line 5: 3 times, 3..3 given
            path, 8 of 8"#]],
    );
}

#[test]
fn branches_state_a_loop_where_all_that_leave_it_are_chosen() {
    let at =
        |line, turns: &[Choice]| Choices { branch: Branch::Line(line), turns: Turns::Each(turns.to_vec()) };
    let first = at(3, &[Choice::Taken, Choice::NotTaken]);
    let out = at(4, &[Choice::Taken]);
    told(
        TWO,
        &Path::Branches(vec![first.clone(), out]),
        &expect![[r#"
            A line 2: 2 times, ? chosen
            B line 5: 0 times, ? chosen
            path, 6 of 8
            The path does not come by the loop B at line 5.
            The path meets 6 of the 8 instructions of the kernel."#]],
    );
    told(
        TWO,
        &Path::Branches(vec![first]),
        &expect![[r#"
            A line 2: 2 times, ? chosen
            B line 5: 1 times, ? assumed
            string, 8 of 8
            The loop B at line 5 is left where no choice was stated; its trip count is not known.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed."#]],
    );
}

/// A guard that falls through to the exit: most of the kernel is never met, and that is said.
#[test]
fn what_is_not_met_is_told() {
    let text = "@!%p1 bra Body;\nret;\nBody: mul.f32 %f1, %f1, %f1;\nL: add.f32 %f1, %f1, %f1;\n@%p2 bra L;\nst.global.f32 [%rd1], %f1;\nret;";
    told(
        text,
        &Path::FallThrough,
        &expect![[r#"
            L line 4: 0 times, 1..1 assumed
            path, 2 of 7
            The path does not come by the loop L at line 4.
            The path meets 2 of the 7 instructions of the kernel."#]],
    );
}

#[test]
fn what_nobody_has_read_is_assumed() {
    let text = "L: add.u32 %r1, %r1, 1;\nbra L;";
    told(
        text,
        &loops(2),
        &expect![[r#"
            L line 1: 2 times, 2..2 given
            string, 2 of 2
            Nothing leaves the loop L at line 1; the path ends in it.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed."#]],
    );
    told(
        "call vprintf;\nfrobnicate.u32 %r1, %r1;\nret;",
        &Path::FallThrough,
        &expect![[r#"
            string, 3 of 3
            The call of "vprintf" on line 1 counts as one C: it is not defined in this text.
            The opcode "frobnicate.u32" on line 2 is unknown and counts as C.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed."#]],
    );
}

/// The caller and what it calls both end before a loop: both are told.
#[test]
fn every_end_before_a_loop_is_told() {
    let text = ".func g()\n{\nG: add.u32 %r1, %r1, 1;\nbra G;\n}\n.entry k()\n{\ncall g;\nK: add.u32 %r1, %r1, 1;\nbra K;\n}";
    let walk = walked(text, None, &Path::FallThrough).expect("it can be walked");
    let ends: Vec<&String> = walk.warnings.iter().filter(|text| text.starts_with("The path ends")).collect();
    assert_eq!(
        ends,
        [
            "The path ends at line 4, before it would go round a loop.",
            "The path ends at line 10, before it would go round a loop."
        ]
    );
}

#[test]
fn ranges_have_the_string_with_the_most_rounds_and_that_with_the_fewest() {
    let range = |least, most| Trips { least, most };
    let walk =
        walked(TWO, None, &Path::Loops(each(&[("A", range(0, 3)), ("B", range(2, 4))]))).expect("walked");
    // A loop that is left at its end runs at least once.
    assert_eq!(walk.kernel.to_string(), "L S C S C S 10C L C");
    assert_eq!(walk.fewest.as_ref().map(ToString::to_string), Some("L S 6C L C".to_owned()));
    assert_eq!((walk.holds(), walk.loops[0].stated), (Holds::Range, Stated::Given));
    assert_eq!(walked(TWO, None, &loops(3)).expect("walked").fewest, None);
    let some = walked(TWO, None, &Path::Loops(each(&[("A", range(1, 3))]))).expect("walked");
    assert_eq!(some.holds(), Holds::String, "B is assumed");
}

/// With ranges, the string of fewer rounds is part of the string of more, whatever the nest of loops; and where all
/// have the same fewest rounds, it is what those rounds alone make.
#[test]
fn fewer_rounds_leave_out_what_more_rounds_have() {
    let mut rng = Seeded::new(17, 0);
    for _ in 0..300 {
        let text = nest(&mut rng);
        let (least, most) = (rng.below(3), 3 + rng.below(2));
        let path = |trips: Trips| Path::Loops(Iterations::All(trips));
        let walk = walked(&text, None, &path(Trips { least, most })).expect("it can be walked");
        let Some(fewest) = &walk.fewest else { continue };
        assert_eq!(*fewest, walked(&text, None, &path(least.into())).expect("walked").kernel, "{text}");
        assert_eq!(walk.kernel, walked(&text, None, &path(most.into())).expect("walked").kernel, "{text}");
        let mut long = walk.kernel.units().iter();
        assert!(fewest.units().iter().all(|unit| long.any(|other| other == unit)), "{text}");
    }
}

/// Loops inside each other and one after the other, each left at its top or at its end.
fn nest(rng: &mut Seeded) -> String {
    fn body(rng: &mut Seeded, depth: u32, next: &mut u32) -> String {
        let mut text = String::new();
        for _ in 0..1 + rng.below(2) {
            text += ["ld.f32 %f1, [%r1];\n", "add.f32 %f1, %f1, %f1;\n", "sin.approx.f32 %f1, %f1;\n"]
                [rng.below(3) as usize];
            if depth < 3 && rng.below(2) == 0 {
                *next += 1;
                let (own, inner) = (*next, rng.below(2));
                let body = body(rng, depth + 1, next);
                text += &match inner {
                    0 => format!("L{own}: {body}@%p1 bra L{own};\n"),
                    _ => format!("L{own}: @%p1 bra X{own};\n{body}bra L{own};\nX{own}: mov.u32 %r1, 1;\n"),
                };
            }
        }
        text
    }
    body(rng, 0, &mut 0) + "st.f32 [%r1], %f1;\nret;"
}
