//! Who is late, and who only waited for others.

use expect_test::{Expect, expect};

use super::checked;

fn late(text: &str, expected: Expect) {
    let checked = checked(text);
    let remarks = checked.remarks.iter().map(|remark| format!("{} {}", remark.at, remark.text));
    expected.assert_eq(&remarks.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_copy_that_waits_is_in_no_ones_way() {
    late(
        "stream s1\nK1 s @0 : 0:20-30\ncopy C1 s1 @2 : 5-8",
        expect![[r#"
            5 ns C1 started 3 ns after its engine was free
            20 ns block 0 of K1 started 20 ns after there was room for it on a multiprocessor"#]],
    );
}

#[test]
fn a_kernel_of_another_process_is_in_no_ones_way() {
    let text = "stream other process=1 prio=-1
                slice 0 0-20
                slice 1 20-40
                K2 other @0 t=1024 q=0 : 0:20-30
                K1 s @0 : 0:7-12";
    late(text, expect!["7 ns block 0 of K1 started 7 ns after there was room for it on a multiprocessor"]);
}

#[test]
fn within_its_slice_a_block_may_be_late_and_not_besides() {
    let text = "stream other process=1
                stream s1
                slice 0 0-10
                slice 1 10-20
                slice 0 20-40
                K0 other @0 : 0:10-20
                K1 s @0 : 0:0-5
                K2 s1 @2 : 0:25-30";
    late(text, expect!["25 ns block 0 of K2 started 5 ns after there was room for it on a multiprocessor"]);
    late(&text.replace("25-30", "15-18"), expect![""]);
    late(
        &text.replace("25-30", "8-9"),
        expect!["8 ns block 0 of K2 started 6 ns after there was room for it on a multiprocessor"],
    );
}

#[test]
fn who_was_first_of_two_is_not_guessed() {
    let text = "stream s1
                stream s2
                stream s3
                K0 s @0 : 0:0-30 1:0-30
                K1 s1 @10 : 0:30-40
                K2 s2 @10 t=1024 : 1:30-40";
    late(text, expect!["30 ns block 0 of K1 started 20 ns after there was room for it on a multiprocessor"]);
    // A block that was over as soon as it began may have let the second in first.
    late(&format!("{text}\nK3 s3 @10 : 0:10-10"), expect![""]);
}
