//! What there is to choose in a program, as the page's form lists it.

use expect_test::{Expect, expect};
use warpspan::import::ptx;

use super::{FIGURE_11, MATRIX_MULTIPLY, SEVERAL_KERNELS, SWITCH};

fn check(text: &str, entry: Option<&str>, expected: &Expect) {
    let module = ptx::read(text).unwrap_or_else(|problems| unreachable!("{problems:#?}"));
    let found = ptx::outline(&module, entry);
    let mut lines = vec![format!("kernels: {}", found.kernels.join(", "))];
    lines.extend(found.loops.iter().map(|head| format!("loop {} at {}", head.label, head.line)));
    lines.extend(found.forks.iter().map(|fork| {
        let label = fork.label.as_deref().unwrap_or("(out)");
        format!("{}: to {label} {}", fork.key, fork.targets.join(" ")).trim_end().to_owned()
    }));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn figure_11_has_a_loop_and_two_branches() {
    check(
        FIGURE_11,
        None,
        &expect![[r#"
        kernels: (fragment)
        loop Loop at 14
        line 15: to Done
        line 23: to If"#]],
    );
}

#[test]
fn nested_loops() {
    check(
        MATRIX_MULTIPLY,
        None,
        &expect![[r#"
        kernels: matmul
        loop $L__BB0_2 at 36
        loop $L__BB0_3 at 44
        line 31: to $L__BB0_5
        line 49: to $L__BB0_3
        line 56: to $L__BB0_2"#]],
    );
}

#[test]
fn several_kernels_and_what_one_of_them_calls() {
    check(
        SEVERAL_KERNELS,
        None,
        &expect![[r#"
        kernels: first, second
        line 24: to $L__BB0_2"#]],
    );
    check(SEVERAL_KERNELS, Some("second"), &expect!["kernels: first, second"]);
    check(SEVERAL_KERNELS, Some("none of these"), &expect!["kernels: first, second"]);
}

#[test]
fn a_switch_names_its_labels() {
    check(
        SWITCH,
        None,
        &expect![[r#"
        kernels: choose
        line 17: to $L__BB0_5
        line 23: to $L_tab $L__BB0_2 $L__BB0_3 $L__BB0_4"#]],
    );
}

#[test]
fn branches_on_one_line_go_by_their_labels() {
    let text =
        "Loop: @%p1 bra Skip; sin.approx.f32 %f1, %f1; Skip: @%p2 bra Loop;\n@%p3 ret;\nadd.u32 %r1, %r1, 1;";
    check(
        text,
        None,
        &expect![[r#"
        kernels: (fragment)
        loop Loop at 1
        Skip: to Skip
        Loop: to Loop
        line 2: to (out)"#]],
    );
}
