//! How models come: in several files, in other encodings, with characters that XML cannot have.

use expect_test::{Expect, expect};
use warpspan::import::{gzip, several};
use warpspan::scenario;

use super::{TEACHING, shown};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn a_model_in_several_files() {
    let parts = ["swModel", "hwModel", "osModel", "stimuliModel", "constraintsModel", "mappingModel"];
    let begin = &TEACHING[..TEACHING.find("<swModel>").unwrap_or_default()];
    let files: Vec<(String, String)> = parts
        .iter()
        .map(|part| {
            let from = TEACHING.find(&format!("<{part}>")).unwrap_or_default();
            let end = format!("</{part}>");
            let to = TEACHING.find(&end).unwrap_or_default() + end.len();
            (format!("{part}.amxmi"), format!("{begin}{}\n</am:Amalthea>", &TEACHING[from..to]))
        })
        .collect();
    let chain = |text: &str| scenario::tree(text).map(|document| document["chain"]["tasks"].clone());
    let joined = several::joined(&files);
    assert_eq!(chain(&joined), chain(TEACHING));
    let first =
        |text: &str| scenario::tree(text).err().map(|problems| problems[0].to_string()).unwrap_or_default();
    // Without the file that says when, somebody has to be asked; without the one that says what, nothing is there.
    assert!(chain(&several::joined(&files[..3])).is_ok());
    assert_eq!(
        first(&several::joined(&files[1..3])),
        "swModel: no task, expected at least one task or interrupt routine"
    );
    let mut broken = files.clone();
    broken[3].1 = broken[3].1.replace("</stimuliModel>", "<stimuliModel>");
    assert_eq!(
        first(&several::joined(&broken)),
        "stimuliModel.amxmi, line 10, column 1, in Amalthea/stimuliModel/stimuliModel: </am:Amalthea> closes <stimuliModel>, expected </stimuliModel>"
    );
    let mut by_position = files.clone();
    by_position[5].1 =
        by_position[5].1.replace("task=\"Look?type=Task\"", "task=\"sw.amxmi#//@swModel/@tasks.0\"");
    assert_eq!(
        first(&several::joined(&by_position)),
        "mappingModel.amxmi, line 4, column 35: the reference \"#//@swModel/@tasks.0\", expected a name or an identifier, as the model has several files"
    );
}

#[test]
fn texts_in_other_encodings() {
    let utf16: Vec<u8> = TEACHING.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let text = gzip::text_of(&utf16).unwrap_or_default();
    assert_eq!(shown(&text), shown(TEACHING));
}

#[test]
fn characters_that_xml_cannot_have() {
    check(
        "<am:Amalthea>\n <a b=\"\u{1}\"/></am:Amalthea>",
        expect![[r#"
        line 2, column 8: the character "\u{1}", expected a character that XML may have
    "#]],
    );
    check(
        "<am:Amalthea>\n <a b=\"x<y\"/></am:Amalthea>",
        expect![[r#"
        line 2, column 2, in Amalthea/a: b="x<y", with <, expected &lt;
    "#]],
    );
    check(
        "<am:Amalthea>\n <a b=\"&#x2;\"/></am:Amalthea>",
        expect![[r#"
        line 2, column 2, in Amalthea/a: b="&#x2;", with the number of no character, expected the number of a character that XML may have
    "#]],
    );
}
