//! What models say of a GPU and of waiting for it.

use expect_test::expect;
use warpspan::scenario;

use super::{TEACHING, shown};

#[test]
fn the_gpus_own_numbers() {
    let rate = r#"definition="Graphics?type=ProcessingUnitDefinition"><accessElements name="a" destination="RAM?type=Memory"><dataRate value="20" unit="GBPerSecond"/></accessElements></modules>"#;
    let text = TEACHING
        .replace(r#"name="GPU" frequencyDomain="GPU_clock?type=FrequencyDomain" definition="Small_GPU?type=ProcessingUnitDefinition"/>"#, &format!(r#"name="GPU" frequencyDomain="GPU_clock?type=FrequencyDomain" {}"#, rate.replace("Graphics", "Small_GPU")))
        .replace(r#"name="Small_GPU" puType="GPU""#, r#"name="Small_GPU" puType="GPU" features="SMs/four?type=HwFeature""#)
        .replace("<structures name=\"Board\"", r#"<featureCategories name="SMs"><features name="four" value="4.0"/></featureCategories><structures name="Board""#);
    let document = scenario::tree(&text).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let chain = &document["chain"];
    assert_eq!(chain["device"].to_string(), r#"{"preset":"jetson-tx2","sms":4,"copy_rate":20000000000}"#);
    assert_eq!(chain["kernels"][0]["blocks"], 8);
}

/// Waits of the model that comes with the program, changed.
fn waits(change: impl Fn(&str) -> String) -> String {
    let text = shown(&change(TEACHING));
    let line = |line: &&str| line.contains("[wait") || line.contains("spinning");
    text.lines().filter(line).map(|line| format!("{line}\n")).collect()
}

#[test]
fn waits_for_the_gpu() {
    let wait = r#"<items xsi:type="am:WaitEvent" waitingBehaviour="passive"><eventMask events="Edges_done?type=OsEvent"/></items>"#;
    let clear = r#"<items xsi:type="am:ClearEvent"><eventMask events="Edges_done?type=OsEvent"/></items>"#;
    let set = r#"<items xsi:type="am:SetEvent" process="Look?type=Task"><eventMask events="Edges_done?type=OsEvent"/></items>"#;
    let tell = r#"<items xsi:type="am:RunnableCall" runnable="Tell?type=Runnable"/>"#;
    let from = r#"<items xsi:type="am:RunnableCall" runnable="Edges_from_GPU?type=Runnable"/>"#;
    for part in [wait, clear, set, tell, from] {
        assert!(TEACHING.contains(part), "{part}");
    }
    let all = [
        waits(str::to_owned),
        waits(|text| text.replace("\"passive\"", "\"active\"")),
        waits(|text| text.replace(" waitingBehaviour=\"passive\"", "")),
        waits(|text| text.replace(wait, "")),
        waits(|text| text.replace(clear, "")),
        // It works first, and waits then.
        waits(|text| text.replace(wait, &format!("{tell}{wait}"))),
        // It sets the event, and works on.
        waits(|text| text.replace(from, "").replace(set, &format!("{set}{from}"))),
        // Set for another task.
        waits(|text| text.replace("process=\"Look?type=Task\"", "process=\"Edges?type=Task\"")),
        // Or another event would do.
        waits(|text| {
            text.replace(
                wait,
                &wait
                    .replace("passive\"", "passive\" maskType=\"OR\"")
                    .replace("Edges_done?type=OsEvent\"", "Edges_done?type=OsEvent Other?type=OsEvent\""),
            )
        }),
    ];
    expect![[r#"
        --
        Look on CPU, 40000000 ns within 30000000 spinning: 3000000 ticks, 640000 B in, Edges, 80000 B out, 1000000 ticks
        --
        ? chain.tasks[0].wait: what the core does while Look waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
        --
        ? chain.tasks[0]: whether Look waits for Edges = it does, at once (no wait for an event of it follows where it is activated) [waiting]
        ? chain.tasks[0].wait: what the core does while Look waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
        --
        ? chain.tasks[0]: whether Look waits for Edges at all, and to its end = it does (line 9, column 9: it does not clear the event, so that the next wait may find it set) [waiting]
        --
        ? chain.tasks[0]: what Look does while Edges runs = it waits first (line 9, column 74: it goes on before it waits; taken as one after the other) [waiting, upper holds]
        --
        ? chain.tasks[0]: whether Look waits for Edges at all, and to its end = it does (line 9, column 9: Edges goes on after it has set the event) [waiting]
        --
        ? chain.tasks[0]: how long Look waits for "Edges_done" = not at all (line 9, column 9: nothing that the GPU does for it sets that, nor does any other task) [waiting, lower holds]
        ? chain.tasks[0]: whether Look waits for Edges = it does, at once (no wait for an event of it follows where it is activated) [waiting]
        ? chain.tasks[0].wait: what the core does while Look waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
        --
        ? chain.tasks[0]: how long Look waits for "Other" = not at all (line 9, column 9: Edges sets that; a chain has no such wait) [waiting]
        ? chain.tasks[0]: whether Look waits for Edges at all, and to its end = it does (line 9, column 9: it does not clear the event, so that the next wait may find it set) [waiting]
    "#]].assert_eq(&all.join("--\n"));
}

#[test]
fn deadlines_of_tasks_on_the_gpu() {
    let text = TEACHING
        .replace("process=\"Look?type=Task\">\n      <limit", "process=\"Edges?type=Task\">\n      <limit");
    assert!(shown(&text).contains("the deadline of Edges = not looked at"), "{}", shown(&text));
}
