//! What is read out of a text: kernels, instructions, classes, graphs, warnings and problems.

use expect_test::{Expect, expect};
use warpspan::import::ptx::graph::Graph;
use warpspan::import::ptx::{self, Path};

use super::*;

fn warnings(text: &str, entry: Option<&str>, expected: Expect) {
    let walk = walked(text, entry, &Path::FallThrough).expect("it can be walked");
    expected.assert_eq(&walk.warnings.join("\n"));
}

fn problems(text: &str, expected: Expect) {
    let shown = match ptx::read(text) {
        Ok(module) => format!("accepted: {} functions", module.functions.len()),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&shown);
}

#[test]
fn b_figure_11() {
    assert_eq!(string(FIGURE_11, None, &Path::FallThrough), "5L 9C 2L 9C");
    warnings(
        FIGURE_11,
        None,
        expect![[r#"
        The path ends at line 27, before it would go round a loop.
        Lines 2, 3, 4, 5, 6, 16 and 17 move names that are declared nowhere, and count as loads."#]],
    );
}

/// The guards stand at the margin, where a printed copy loses them.
#[test]
fn b_figure_11_without_its_guards() {
    let printed = FIGURE_11.replace("@p", "  ").replace("@q", "  ");
    assert_eq!(string(&printed, None, &Path::FallThrough), "5L 9C 2L 9C");
    warnings(
        &printed,
        None,
        expect![[r#"
            The path ends at line 27, before it would go round a loop.
            Without a guard, but right after a comparison that nothing else reads: the branches on lines 15 and 23, taken as guarded by it.
            Lines 2, 3, 4, 5, 6, 16 and 17 move names that are declared nowhere, and count as loads."#]],
    );
}

#[test]
fn kernels_and_their_strings() {
    assert_eq!(string(VECTOR_ADD, None, &Path::FallThrough), "4L 11C 2L 3C L C");
    assert_eq!(string(SPECIAL_FUNCTIONS, None, &Path::FallThrough), "2L 2S C 2S 2C 2S L C");
    assert_eq!(string(DOUBLE_PRECISION, Some("daxpy"), &Path::FallThrough), "5L D L C");
    assert_eq!(string(DOUBLE_PRECISION, Some("nbody"), &Path::FallThrough), "L 2C L 4D C 3D 3C L C");
    assert_eq!(string(SWITCH, None, &Path::FallThrough), "2L 5C L C");
    assert_eq!(string(PREDICATED, None, &Path::FallThrough), "2L 3C 2L 2C L C");
}

#[test]
fn calls_are_walked_where_they_can_be() {
    // ld ld st | call, weigh: ld ld, setp bra mul, st, ret | ld st ret
    assert_eq!(string(SEVERAL_KERNELS, Some("first"), &Path::FallThrough), "3L C 2L 3C L C 2L C");
    // ld mov cvta st st call ld | st call, countdown: ld st call ret | ret
    assert_eq!(string(SEVERAL_KERNELS, Some("second"), &Path::FallThrough), "L 2C 2L C 2L 2C");
    warnings(
        SEVERAL_KERNELS,
        None,
        expect!["The text has several kernels; first is the first and was taken, not second."],
    );
    warnings(
        SEVERAL_KERNELS,
        Some("second"),
        expect![[r#"
            The call of "countdown" on line 97 counts as one C: it calls itself, or calls stand too deep inside of it.
            The call of "vprintf" on line 86 counts as one C: it is not defined in this text."#]],
    );
    assert_eq!(
        string(SEVERAL_KERNELS, Some("third"), &Path::FallThrough),
        "entry: no kernel \"third\", expected one of first and second"
    );
}

#[test]
fn what_a_reader_should_know() {
    warnings(
        PREDICATED,
        None,
        expect![[r#"
        The path ends at line 32, before it would go round a loop.
        The opcode "frobnicate.b32" on line 49 is unknown and counts as C."#]],
    );
    warnings(
        MATRIX_MULTIPLY,
        None,
        expect![[
            r#""bar.sync" on lines 40 and 51: waiting at barriers is not modelled; it counts as one instruction."#
        ]],
    );
    warnings(
        SPECIAL_FUNCTIONS,
        None,
        expect![[r#"
        "sqrt.rn.f32" on line 17: the hardware executes a sequence of instructions for it; it counts as one.
        "div.rn.f32" on line 18: the hardware executes a sequence of instructions for it; it counts as one."#]],
    );
}

#[test]
fn every_instruction_has_its_line_and_its_class() {
    let walk = walked(VECTOR_ADD, None, &Path::FallThrough).expect("it can be walked");
    assert_eq!((walk.lines.len(), walk.steps.len()), (22, 22));
    assert_eq!((walk.lines[0].line, walk.lines[21].line), (22, 46));
    assert!(walk.lines.iter().all(|line| line.times == 1));
    let walk = walked(MATRIX_MULTIPLY, None, &loops(3)).expect("it can be walked");
    let fma = walk.lines.iter().find(|line| line.opcode == "fma.rn.f32").expect("it is there");
    assert_eq!((fma.line, fma.times), (46, 9));
}

#[test]
fn graphs() {
    let graph = |text| Graph::of(&ptx::read(text).expect("sound").functions[0]);
    let figure = graph(FIGURE_11);
    // Up to Loop, the test, the body up to bra If, the update, the rest.
    assert_eq!(
        figure.blocks.iter().map(|block| block.end - block.start).collect::<Vec<_>>(),
        [12, 2, 8, 2, 2]
    );
    assert_eq!(figure.loops.len(), 1);
    assert_eq!((figure.loops[0].header, &figure.loops[0].latches[..]), (1, &[4][..]));
    let matrix = graph(MATRIX_MULTIPLY);
    let loops: Vec<_> = matrix.loops.iter().map(|found| (found.depth, found.parent, found.header)).collect();
    assert_eq!(loops, [(1, None, 2), (2, Some(0), 3)]);
    assert_eq!(matrix.back(3, 3), Some(1));
    assert_eq!(matrix.back(2, 3), None);
    let switch = graph(SWITCH);
    assert_eq!(switch.blocks[1].edges.len(), 3);
    assert!(switch.loops.is_empty());
}

#[test]
fn problems_have_lines_and_columns() {
    problems(
        ".version 7.8\n.entry k()\n{\n  add.f32 %f1 %f2;\n  bra Nowhere;\n  mul.f32 %f1, [%f2;\n  ret;\n}\n",
        expect![[r#"
        line 4 column 15: "%f2", expected "," or ";"
        line 5 column 3: no label "Nowhere" in this function, expected a label that stands in it
        line 6 column 20: ";", expected "," or "]""#]],
    );
    problems(
        "add.f32 %f1, %f2\nadd.f32 %f1, %f2;\nmul.f32 %f1, ;",
        expect![[r#"
        line 2 column 1: "add.f32", expected "," or ";"
        line 3 column 14: ";", expected an operand"#]],
    );
    problems(
        ".entry k() { L: ret; L: ret; }",
        expect![[r#"line 1 column 22: the label "L" of line 1 again, expected each label once"#]],
    );
    problems(
        ".entry k() { ret;",
        expect![[r#"line 1 column 18: the end inside of "k" of line 1, expected "}" before it"#]],
    );
    problems(
        "",
        expect![
            "line 1 column 1: no instruction in it, expected PTX with an .entry, or instructions such as add.f32 %f1, %f2, %f3;"
        ],
    );
    problems(
        ".entry k() { ret; }\nadd.f32 %f1, %f2, %f3;",
        expect![
            "line 2 column 1: an instruction outside of any function, expected it in the body of an .entry or a .func"
        ],
    );
    problems(
        ".entry k() { mov.u32 %r1, 0xZZ; é }",
        expect![[r#"
            line 1 column 27: "0xZZ": not a number, expected a number such as 16, 0x10, 0b10, 1.5, 0f3F800000 or 0d3FF0000000000000
            line 1 column 33: "é": a character that PTX does not use, expected PTX, which is plain ASCII"#]],
    );
    problems("/* no end", expect![[r#"line 1 column 1: "/*": a comment without an end, expected "*/""#]]);
    problems(
        ".entry k() { brx.idx %r1, list; }",
        expect![[
            r#"line 1 column 14: no .branchtargets "list" in this function, expected a list of labels with that name"#
        ]],
    );
}
