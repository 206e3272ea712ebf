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
            The loop Loop at line 14 was gone round once; its trip count is not known.
            The path ends at line 27, before it would go round a loop.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.
            The path meets 25 of the 26 instructions of the kernel.
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
            The loop Loop at line 14 was gone round once; its trip count is not known.
            The path ends at line 27, before it would go round a loop.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.
            The path meets 25 of the 26 instructions of the kernel.
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
        expect![[r#"
            The text has several kernels; first is the first and was taken, not second.
            "ld.param.f32", "ld.const.f32" and "ld.param.u64" on lines 21, 22, 54 and 66: kernels read these from a constant bank, as operands; it counts as L; the model may be slower than the hardware."#]],
    );
    warnings(
        SEVERAL_KERNELS,
        Some("second"),
        expect![[r#"
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.
            The path meets 10 of the 14 instructions of the kernel and what it calls.
            The call of "countdown" on line 97 counts as one C: it calls itself, or calls stand too deep inside of it.
            The call of "vprintf" on line 86 counts as one C: it is not defined in this text.
            "ld.param.u64" and "ld.param.b32" on lines 77 and 92: kernels read these from a constant bank, as operands; it counts as L; the model may be slower than the hardware."#]],
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
            The loop LAB_WAIT at line 30 was gone round once; its trip count is not known.
            The path ends at line 32, before it would go round a loop.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.
            The path does not come by the loop DONE at line 38.
            The path meets 11 of the 22 instructions of the kernel.
            The opcode "frobnicate.b32" on line 49 is unknown and counts as C.
            "ld.global.v2.f32" on lines 23 and 24: a warp moves more than 128 bytes with it, in several passes; it counts as one L; the hardware may be slower than the model.
            "ld.param.u64" and "ld.param.v2.f32" on lines 18 and 19: kernels read these from a constant bank, as operands; it counts as L; the model may be slower than the hardware."#]],
    );
    warnings(
        MATRIX_MULTIPLY,
        None,
        expect![[r#"
            The loop $L__BB0_2 at line 36 was gone round once; its trip count is not known.
            The loop $L__BB0_3 at line 44 was gone round once; its trip count is not known.
            What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.
            "bar.sync" on lines 40 and 51: waiting at barriers is not modelled; it counts as one instruction.
            "add.s64" on lines 52 and 53: the hardware computes it in halves, with several instructions; it counts as one; the hardware may be slower than the model.
            "ld.param.u64" and "ld.param.u32" on lines 20, 21 and 22: kernels read these from a constant bank, as operands; it counts as L; the model may be slower than the hardware."#]],
    );
    warnings(
        SPECIAL_FUNCTIONS,
        None,
        expect![[r#"
            "sqrt.rn.f32" on line 17: the hardware executes a sequence of instructions for it; it counts as one.
            "div.rn.f32" on line 18: the hardware executes a sequence of instructions for it; it counts as one.
            "ld.global.v4.f32" and "st.global.v4.f32" on lines 11 and 21: a warp moves more than 128 bytes with it, in several passes; it counts as one L; the hardware may be slower than the model.
            "sqrt.rn.f32" and "div.rn.f32" on lines 17 and 18: one instruction of the sequence runs on S; it counts as C; the hardware may be slower than the model.
            "ld.param.u64" on line 10: kernels read these from a constant bank, as operands; it counts as L; the model may be slower than the hardware."#]],
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

/// Compilers up to CUDA 4.0 declare device functions without a semicolon.
#[test]
fn declarations_may_end_with_their_line() {
    let heading = ".version 2.1\n.target sm_20\n.visible .func (.param .s32 r) twice (.param .s32 a)\n\n";
    let rest = "\n.entry k (.param .u64 p)\n{\n ld.param.u64 %rd1, [p];\n call (r), twice, (a);\n exit;\n}\n";
    let defined =
        ".visible .func (.param .s32 r) twice (.param .s32 a)\n{\n add.s32 %r1, %r1, %r1;\n ret;\n}\n";
    for next in [
        ".extern .shared .align 4 .b8 smem[];",
        ".global .u32 g;",
        ".const .f32 c;",
        ".file 1 \"a.cu\"",
        ".reg .u32 x;",
        "",
    ] {
        assert_eq!(
            string(&format!("{heading}{next}{rest}{defined}"), None, &Path::FallThrough),
            "L 4C",
            "{next}"
        );
    }
    // What is missing is missing after the heading.
    problems(
        ".entry k()\n\n\n\nsmem { ret; }\n.entry j() { ret; }",
        expect![[r#"
            line 1 column 8: "smem" after the heading of "k", expected "{" or ";"
            line 5 column 11: ";", expected "," or "}"
            line 5 column 13: "}" without a "{" before it, expected balanced braces"#]],
    );
}

#[test]
fn directives_need_no_blank_before_their_type() {
    let text = ".version 7.0\n.target sm_80\n.visible .entry k(.param.u64 p)\n{\n .reg.u64 %rd<3>;\n .shared.align 8 .b8 s[8];\n ld.param.u64 %rd1,[p];\n ret;\n}\n";
    assert_eq!(string(text, None, &Path::FallThrough), "L C");
    assert!(ptx::looks_like(".reg.u64 x;\nld.u64 x, [y];"));
}

/// Each kind of caveat once, with the names of all opcodes it is about.
#[test]
fn what_one_letter_does_not_tell_is_noted() {
    warnings(
        "ld.param.u64 %rd1, [p];\nld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];\ndiv.approx.f32 %f1, %f1, %f2;\ndiv.full.f32 %f1, %f1, %f2;\nmad.lo.s64 %rd2, %rd1, %rd1, %rd1;\nshfl.sync.down.b32 %r1, %r2, 1, 31, -1;\npopc.b32 %r1, %r2;\nret;",
        None,
        expect![[r#"
            "div.approx.f32" and "div.full.f32" on lines 3 and 4: the hardware executes a sequence of instructions for it; it counts as one.
            "ld.global.v4.f32" on line 2: a warp moves more than 128 bytes with it, in several passes; it counts as one L; the hardware may be slower than the model.
            "mad.lo.s64" on line 5: the hardware computes it in halves, with several instructions; it counts as one; the hardware may be slower than the model.
            "shfl.sync.down.b32" on line 6: it goes through the load/store units; it counts as C; the hardware may be slower than the model.
            "popc.b32" on line 7: most multiprocessors run it at a fraction of the rate of additions; it counts as one C; the hardware may be slower than the model.
            "div.approx.f32" and "div.full.f32" on lines 3 and 4: one instruction of the sequence runs on S; it counts as C; the hardware may be slower than the model.
            "ld.param.u64" on line 1: kernels read these from a constant bank, as operands; it counts as L; the model may be slower than the hardware."#]],
    );
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
