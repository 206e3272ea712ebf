//! Texts that are listings though they are short, or not as usual.

#![allow(missing_docs)]

use warpspan_code_read::{Asked, Made, Timing, Trips, launch, looks_like, read};

const SAXPY: &str = include_str!("fixtures/saxpy-sm_75.sass");

fn made(text: &str, asked: &Asked) -> Made {
    launch(&read(text).expect("it is read"), asked).expect("a launch")
}

#[test]
fn one_instruction_of_a_named_function_is_a_listing() {
    let one = "\tcode for sm_75\n\t\tFunction : k\n /*0000*/ EXIT ; /* 0x0 */\n /* 0x000fea0000000000 */\n";
    assert!(looks_like(one));
    assert_eq!(made(one, &Asked::default()).walk.steps, [0]);
    // A comment at the beginning of another text is none.
    assert!(!looks_like("/*12*/ Hello\n{ \"warpspan\": 1 }"));
}

#[test]
fn ends_of_lines_and_marks_of_encodings_are_not_text() {
    let usual = read(SAXPY).expect("it is read");
    for other in [SAXPY.replace('\n', "\r"), SAXPY.replace('\n', "\r\n"), format!("\u{feff}{SAXPY}")] {
        assert!(looks_like(&other));
        assert_eq!(read(&other).as_ref(), Ok(&usual));
    }
}

#[test]
fn a_second_function_of_the_same_name_is_reached_by_a_number() {
    let function = |body: &str| format!("\t\tFunction : k\n /*0000*/ {body} ;\n /*0010*/ EXIT ;\n");
    let text = format!("\tcode for sm_75\n{}{}", function("FADD R1, R1, R1"), function("FMUL R1, R1, R1"));
    let first = made(&text, &Asked::default());
    assert_eq!(
        first.notes,
        ["Several functions are named \"k\": this is the first, the next one is \"k (2)\"."]
    );
    let second = made(&text, &Asked { function: Some("k (2)".to_owned()), ..Asked::default() });
    assert_eq!((second.rows[0].text.as_str(), second.notes.len()), ("FMUL R1, R1, R1", 0));
}

/// Words at the ends of lines are not denied, and branches to a control word lead behind it.
#[test]
fn control_words_of_maxwell_have_addresses() {
    let lines = [
        "/*0008*/ MOV R1, c[0x0][0x20] ; /* 0x4c98078000870001 */ /* 0x001c4400fe0007f6 */",
        "/*0010*/ MOV R2, RZ ; /* 0x5c9807800ff7001a */",
        "/*0018*/ MOV R3, RZ ; /* 0x5c9807800ff7001a */",
        "/*0028*/ IADD R1, R1, R2 ; /* 0x5c9807800ff7001a */ /* 0x083fc400e3a007f9 */",
        "/*0030*/ @P0 BRA 0x20 ; /* 0xe24000002381000f */",
        "/*0038*/ EXIT ; /* 0xe30000000007000f */",
    ];
    let text = format!("code for sm_50\nFunction : k\n{}\n", lines.join("\n"));
    for address in [0x20, 0x28] {
        let trips = Trips { each: [(address, 3)].into(), ..Trips::default() };
        let own = made(&text, &Asked { trips, ..Asked::default() });
        assert_eq!(own.walk.steps, [0, 1, 2, 3, 4, 3, 4, 3, 4, 5]);
        assert_eq!((own.walk.loops[0].address, own.timing), (0x28, Timing::None));
        assert!(own.assumed.iter().all(|text| !text.contains("has no control words")), "{:?}", own.assumed);
        assert!(own.assumed.iter().any(|text| text.starts_with("Some lines end in a second word")));
    }
}

#[test]
fn loops_are_named_by_labels_too() {
    let text = "kernel(int):\n MOV R5, c[0x0][0x160]\n.L_x_0:\n FADD R1, R1, R1\n @P0 BRA `(.L_x_0)\n EXIT\n";
    let with = |label: &str, each: &[(u64, u32)]| {
        let each = each.iter().copied().collect();
        let trips = Trips { labels: [(label.to_owned(), 3)].into(), each, ..Trips::default() };
        launch(&read(text).expect("it is read"), &Asked { trips, ..Asked::default() })
    };
    let steps = |label: &str, each: &[(u64, u32)]| with(label, each).expect("a launch").walk.steps.len();
    assert_eq!(steps(".L_x_0", &[]), 2 + 3 * 2);
    assert_eq!(steps(".L_x_0", &[(0x10, 5)]), 2 + 5 * 2);
    let refused = with(".L_x_1", &[]).map(|_| ()).unwrap_err();
    assert_eq!(
        refused[0].to_string(),
        "loops: \".L_x_1\", expected the address a loop begins at, such as \"0xc0\", or a label of the text"
    );
}

/// Names with numbers may be there already, and thousands of functions may have none.
#[test]
fn every_function_has_a_name_of_its_own() {
    let function = |name: &str| format!("Function : {name}\n /*0000*/ EXIT ;\n");
    let named = ["k", "k (2)", "k", "k", "k (2)"].map(function).concat();
    let listing = read(&named).expect("it is read");
    let names: Vec<&str> = listing.functions.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["k", "k (2)", "k (3)", "k (4)", "k (2) (2)"]);
    let fragments = read(&"/*0000*/ EXIT ;\n".repeat(50_000)).expect("it is read");
    assert_eq!(fragments.functions.last().map(|own| own.name.as_str()), Some("(fragment) (50000)"));
}

/// A label before an instruction on one line hides it no more, nor is what stands behind a semicolon lost.
#[test]
fn what_shares_a_line_is_read_or_counted() {
    let text = "\tcode for sm_75\n\t\tFunction : k\n.L_1: FADD R1, R1, R1 ;\n.L_2: // ends here\n\
        FMUL R2, R2, R2 ; FMUL R3, R3, R3 ;\n@P0 BRA `(.L_2) ; // again\n.L_3:  /*0030*/ EXIT ;\n";
    let listing = read(text).expect("it is read");
    let own = &listing.functions[0];
    let opcodes: Vec<&str> = own.lines.iter().map(|line| line.opcode.as_str()).collect();
    assert_eq!(opcodes, ["FADD", "FMUL", "BRA", "EXIT"]);
    let labels = [(".L_1", 0), (".L_2", 1), (".L_3", 3)];
    assert_eq!(own.labels, labels.map(|(name, at)| (name.to_owned(), at)));
    assert_eq!((listing.skipped, listing.first_skipped), (1, Some((5, "FMUL R3, R3, R3".to_owned()))));
}
