//! What is said about broken models: where, what, and what was expected.

use expect_test::{Expect, expect};

use super::{TEACHING, shown};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

/// A model with tasks and runnables, and hardware of one core.
fn model(software: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0.0\" xmlns:xsi=\"x\">\n<swModel>\n{software}\n</swModel>\n</am:Amalthea>"
    )
}

#[test]
fn a_tag_that_is_not_closed() {
    check(
        &TEACHING.replace("</hwModel>", ""),
        expect![[r#"
            line 103, column 1, in Amalthea/hwModel: </am:Amalthea> closes <hwModel>, expected </hwModel>
        "#]],
    );
    check(
        &TEACHING[..TEACHING.len() / 2],
        expect![[r#"
            line 52, column 7, in Amalthea/swModel/runnables/activityGraph: a tag that never ends, expected >
        "#]],
    );
    check(
        "<am:Amalthea><swModel",
        expect![[r#"
        line 1, column 14, in Amalthea: a tag that never ends, expected >
    "#]],
    );
    check(
        "<am:Amalthea></am:Amalthea></x>",
        expect![[r#"
        line 1, column 28: </x> closes nothing, expected an element that was opened
    "#]],
    );
    check(
        "<am:Amalthea name=\"x></am:Amalthea>",
        expect![[r#"
        line 1, column 1: a tag with an attribute whose quotes never end, expected a closing quote and >
    "#]],
    );
}

#[test]
fn attributes() {
    check(
        "<am:Amalthea a=\"1\" a=\"2\"/>",
        expect![[r#"
        line 1, column 1, in Amalthea: an attribute of <Amalthea> that cannot be read (position 18: duplicated attribute, previous declaration at position 12), expected name="value", each name once
    "#]],
    );
    check(
        "<am:Amalthea a=1/>",
        expect![[r#"
        line 1, column 1, in Amalthea: an attribute of <Amalthea> that cannot be read (position 14: attribute value must be enclosed in `"` or `'`), expected name="value", each name once
    "#]],
    );
    check(
        "<am:Amalthea a=\"&nothing;\"/>",
        expect![[r#"
        line 1, column 1, in Amalthea: a="&nothing;", where nothing defines the entity "nothing", expected &lt; &gt; &amp; &apos; &quot; or a character's number
    "#]],
    );
    check(
        "<am:Amalthea a=\"&#x110000;\"/>",
        expect![[r#"
        line 1, column 1, in Amalthea: a="&#x110000;", with the number of no character, expected &lt; &gt; &amp; &apos; &quot; or a character's number
    "#]],
    );
    check(
        "<am:Amalthea a=\"a & b\"/>",
        expect![[r#"
        line 1, column 1, in Amalthea: a="a & b", with & but without the ; of an entity, expected &lt; &gt; &amp; &apos; &quot; or a character's number
    "#]],
    );
    let many: String = (0..200).map(|i| format!(" a{i}=\"\"")).collect();
    check(
        &format!("<am:Amalthea{many}/>"),
        expect![[r#"
        line 1, column 1, in Amalthea: more than 100 attributes of <Amalthea>, expected at most 100
    "#]],
    );
}

#[test]
fn long_names() {
    let name = "n".repeat(600);
    check(
        &format!("<am:Amalthea name=\"{name}\"/>"),
        expect![[r#"
        line 1, column 1, in Amalthea: the attribute name of <Amalthea>, which is too long, expected at most 500 bytes
    "#]],
    );
    check(
        &format!("<{name}/>"),
        expect![[r#"
        line 1, column 1: an element called "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…", expected a name of 1 to 200 bytes
    "#]],
    );
}

#[test]
fn entities_are_not_defined() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE bomb [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<am:Amalthea>&b;</am:Amalthea>";
    check(
        bomb,
        expect![[r#"
        line 2, column 1: a document type declaration, expected a model without one
    "#]],
    );
    check(
        "<am:Amalthea>\n  &b;\n</am:Amalthea>",
        expect![[r#"
        line 2, column 3, in Amalthea: the entity "&b;", which nothing defines, expected an entity of XML itself
    "#]],
    );
}

#[test]
fn no_model_at_all() {
    check(
        "",
        expect![[r#"
        line 1, column 1: no element, expected <am:Amalthea>
    "#]],
    );
    check(
        "<html><body/></html>",
        expect![[r#"
            line 1, column 1, in html: the root is <html>, expected <am:Amalthea>, <central:AMALTHEA> or one of its parts, as AMALTHEA models have
        "#]],
    );
    check(
        "amalthea",
        expect![[r#"
        line 1, column 1: text outside of any element, "amalthea", expected elements
    "#]],
    );
    check(
        "\u{0}\u{1}\u{fffd}<\u{0}",
        expect![[r#"
            line 1, column 1: the character "\0", expected a character that XML may have
        "#]],
    );
    check(
        "<am:Amalthea/>\n<am:Amalthea/>",
        expect![[r#"
        line 2, column 1, in Amalthea: a second root, <Amalthea>, expected one root
    "#]],
    );
    check(
        "<am:Amalthea/>",
        expect![[r#"
        swModel: no task, expected at least one task or interrupt routine
    "#]],
    );
}

#[test]
fn numbers() {
    let ticks = |value: &str| {
        model(&format!(
            "<tasks name=\"T\"><activityGraph><items xsi:type=\"am:Ticks\"><default xsi:type=\"am:DiscreteValueConstant\" value=\"{value}\"/></items></activityGraph></tasks>"
        ))
    };
    check(
        &ticks("many"),
        expect![[r#"
        line 4, column 59, in Amalthea/swModel/tasks/activityGraph/items/default: value="many", expected a number from 0 up
    "#]],
    );
    check(
        &ticks("-5"),
        expect![[r#"
        line 4, column 59, in Amalthea/swModel/tasks/activityGraph/items/default: value="-5", expected a number from 0 up
    "#]],
    );
    check(
        &ticks("1e99"),
        expect![[r#"
        line 4, column 59, in Amalthea/swModel/tasks/activityGraph/items/default: value="1e99", expected a number from 0 up
    "#]],
    );
    check(
        &TEACHING.replace("value=\"40\" unit=\"ms\"", "value=\"40\" unit=\"parsec\""),
        expect![[r#"
            line 86, column 7, in Amalthea/stimuliModel/stimuli/recurrence: unit="parsec", expected s, ms, us, ns or ps
        "#]],
    );
    check(
        &TEACHING.replace("value=\"1.0\" unit=\"GHz\"", "value=\"1,0\" unit=\"GHz\""),
        expect![[r#"
            line 74, column 81, in Amalthea/hwModel/domains/defaultValue: value="1,0", expected a number from 0 up
        "#]],
    );
}

#[test]
fn references_that_lead_nowhere() {
    check(
        &TEACHING.replace("runnable=\"Tell?type=Runnable\"", "runnable=\"Shout?type=Runnable\""),
        expect![[r#"
            line 11, column 9, in task "Look": the runnable "Shout", which is not in the model, expected a runnable of the model
        "#]],
    );
}

#[test]
fn calls_that_never_end() {
    let call = |name: &str, to: &str| {
        format!(
            "<runnables name=\"{name}\"><activityGraph><items xsi:type=\"am:RunnableCall\" runnable=\"{to}?type=Runnable\"/></activityGraph></runnables>\n"
        )
    };
    let task = "<tasks name=\"T\"><activityGraph><items xsi:type=\"am:RunnableCall\" runnable=\"r0?type=Runnable\"/></activityGraph></tasks>\n";
    check(
        &model(&format!("{task}{}{}", call("r0", "r1"), call("r1", "r0"))),
        expect![[r#"
        line 6, column 37, in task "T": the runnable "r0" calls itself, expected calls that end
    "#]],
    );
    let chain: String = (0..1_000).map(|i| call(&format!("r{i}"), &format!("r{}", i + 1))).collect();
    check(
        &model(&format!("{task}{chain}")),
        expect![[r#"
        line 304, column 39, in task "T": calls and branches nested more than 300 deep, expected fewer calls within calls
    "#]],
    );
}

#[test]
fn calls_that_double() {
    let twice = |i: u32| {
        let one = format!("<items xsi:type=\"am:RunnableCall\" runnable=\"r{}?type=Runnable\"/>", i + 1);
        format!("<runnables name=\"r{i}\"><activityGraph>{one}{one}</activityGraph></runnables>\n")
    };
    let all: String = (0..60).map(twice).collect();
    let task = "<tasks name=\"T\"><activityGraph><items xsi:type=\"am:RunnableCall\" runnable=\"r0?type=Runnable\"/></activityGraph></tasks>\n";
    check(
        &model(&format!("{task}{all}<runnables name=\"r60\"/>")),
        expect![[r#"
        line 4, column 1: the task "T" comes to 2305843009213693951 items with all its calls, expected at most 200000
    "#]],
    );
}

#[test]
fn elements_too_deep() {
    let deep = format!("<am:Amalthea>{}{}</am:Amalthea>", "<a>".repeat(50_000), "</a>".repeat(50_000));
    check(
        &deep,
        expect![[r#"
        line 1, column 311, in Amalthea/a/a/a: elements nested more than 100 deep, expected at most 100
    "#]],
    );
}

#[test]
fn tasks_of_the_gpu_that_activate_each_other() {
    let back = "<items xsi:type=\"am:InterProcessTrigger\" stimulus=\"Picture_is_there?type=InterProcessStimulus\"/>";
    let call = "<items xsi:type=\"am:RunnableCall\" runnable=\"Edges_from_GPU?type=Runnable\"/>";
    check(
        &TEACHING.replace(call, &format!("{call}{back}")),
        expect![[r#"
            line 15, column 5: the task "Edges" activates itself on the GPU, expected activations that end
        "#]],
    );
}

#[test]
fn many_problems_are_counted() {
    let wrong = "<labels name=\"l\"><size value=\"x\" unit=\"B\"/></labels>\n".repeat(1_000);
    let said = shown(&model(&wrong));
    assert_eq!(said.lines().count(), 50);
    expect!["document: 951 more problems, expected a model with fewer"]
        .assert_eq(said.lines().last().unwrap_or_default());
}
