//! Tasks of cores that activate others and wait for them: what of that is in the chain, and what is an assumption.

use warpspan::scenario;

use super::shown;

const WAIT: &str = include_str!("wait.amxmi");
const LATE: &str = "how late, and how many times at once, is not looked at";
const WAITS: &str = "how long Ask waits for \"Answered\"";

/// The model with something else in the place of a text that stands there once.
fn with(from: &str, to: &str) -> String {
    assert_eq!(WAIT.matches(from).count(), 1, "{from}");
    WAIT.replace(from, to)
}

const TRIGGER: &str =
    r#"<items xsi:type="am:InterProcessTrigger" stimulus="Asked?type=InterProcessStimulus"/>"#;
const SET: &str = r#"<items xsi:type="am:SetEvent" process="Ask?type=Task"><eventMask events="Answered?type=OsEvent"/></items>"#;
const WAITING: &str = r#"<items xsi:type="am:WaitEvent" waitingBehaviour="passive"><eventMask events="Answered?type=OsEvent"/></items>"#;
const CLEAR: &str = r#"<items xsi:type="am:ClearEvent"><eventMask events="Answered?type=OsEvent"/></items>"#;
const WORK: &str =
    r#"<items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="10000000"/></items>"#;

fn switch(inner: &str) -> String {
    format!(r#"<items xsi:type="am:ProbabilitySwitch"><entries probability="1">{inner}</entries></items>"#)
}

fn turns(inner: &str) -> String {
    let bound = r#"<customProperties key="loopBound"><value xsi:type="am:IntegerObject" value="1"/></customProperties>"#;
    format!(r#"<items xsi:type="am:WhileLoop">{bound}{inner}</items>"#)
}

#[test]
fn what_is_sure_is_in_the_chain() {
    let text = shown(WAIT);
    assert!(text.contains("2000000 ticks, activates Answer, waits for Answer, 1000000 ticks"), "{text}");
    assert!(!text.contains("\n?"), "{text}");
    // The same in a runnable that is called once.
    let runnable = format!(r#"<runnables name="R"><activityGraph>{TRIGGER}</activityGraph></runnables>"#);
    let called = with(TRIGGER, r#"<items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/>"#);
    let called = called.replace("<events name", &format!("{runnable}<events name"));
    assert_eq!(shown(&called), text);
    let spinning = shown(&with("\"passive\"", "\"active\""));
    assert!(spinning.contains("12000000 spinning: 2000000 ticks, activates Answer"), "{spinning}");
    let unsaid = shown(&with("waitingBehaviour=\"passive\"", ""));
    assert!(unsaid.contains("what the core does while Ask waits = suspend"), "{unsaid}");
}

/// Where it is not sure that one job causes one, when it does so is not known.
#[test]
fn what_is_not_sure_is_an_assumption() {
    let twice = format!("{TRIGGER}{TRIGGER}");
    let by_both = format!("{WORK}{TRIGGER}");
    let more = "\"Asked?type=InterProcessStimulus\" preemption";
    for (what, text) in [
        ("twice", with(TRIGGER, &twice)),
        ("on a branch", with(TRIGGER, &switch(TRIGGER))),
        ("in a loop", with(TRIGGER, &turns(TRIGGER))),
        ("by itself, too", with(WORK, &by_both)),
        (
            "by time, too",
            with(more, "\"Asked?type=InterProcessStimulus Every_12?type=PeriodicStimulus\" preemption"),
        ),
    ] {
        let text = shown(&text);
        assert!(text.contains(LATE) && text.contains(WAITS), "{what}: {text}");
        assert!(!text.contains("activates Answer"), "{what}: {text}");
    }
}

/// Where it is not sure that the other task is over, it is not awaited, though its activation is known.
#[test]
fn waits_that_are_none_for_the_end() {
    let early = WAIT.replace(WORK, "").replace(SET, &format!("{SET}{WORK}"));
    for (what, text) in [
        ("set before the end", early),
        ("set on a branch", with(SET, &switch(SET))),
        ("set for another task", with("process=\"Ask?type=Task\"", "process=\"Answer?type=Task\"")),
        ("waited for on a branch", with(WAITING, &switch(WAITING))),
        ("waited for before", WAIT.replace(TRIGGER, "").replace(CLEAR, &format!("{CLEAR}{TRIGGER}"))),
    ] {
        let text = shown(&text);
        assert!(text.contains("activates Answer") && text.contains(WAITS), "{what}: {text}");
        assert!(!text.contains("waits for Answer") && !text.contains(LATE), "{what}: {text}");
    }
    // An event that stays set, or that others set, may come sooner.
    for (what, text) in
        [("not cleared", with(CLEAR, "")), ("set by itself", with(CLEAR, &format!("{CLEAR}{SET}")))]
    {
        let text = shown(&text);
        assert!(text.contains("waits for Answer"), "{what}: {text}");
        assert!(text.contains("whether Ask waits for Answer at all, and to its end"), "{what}: {text}");
    }
}

/// Tasks that activate each other in a circle have no period, and the chain has no such activation.
#[test]
fn circles_are_assumptions() {
    let back =
        with("stimuli=\"Every_12?type=PeriodicStimulus\"", "stimuli=\"Back?type=InterProcessStimulus\"");
    let answer = r#"<items xsi:type="am:InterProcessTrigger" stimulus="Back?type=InterProcessStimulus"/>"#;
    let back = back.replace(SET, &format!("{answer}{SET}")).replace(
        "<stimuli xsi:type=\"am:InterProcessStimulus\"",
        "<stimuli xsi:type=\"am:InterProcessStimulus\" name=\"Back\"/><stimuli xsi:type=\"am:InterProcessStimulus\"",
    );
    let text = shown(&back);
    assert!(!text.contains("activates") && text.contains(WAITS), "{text}");
    assert!(scenario::read(&back).is_ok(), "{text}");
}

/// Of a task whose period is not known nothing better is known of one that it activates.
#[test]
fn periods_are_those_of_who_activates() {
    let text = with("stimuli=\"Every_12?type=PeriodicStimulus\"", "");
    let told = shown(&text);
    assert_eq!(told.matches("no stimulus activates it").count(), 2, "{told}");
    assert!(told.contains("activates Answer") && scenario::read(&text).is_ok(), "{told}");
}

/// A task that does nothing that takes time activates nobody in the chain.
#[test]
fn who_takes_no_time_activates_nobody() {
    let text = WAIT.replace("value=\"2000000\"", "value=\"0\"").replace("value=\"1000000\"", "value=\"0\"");
    let told = shown(&text);
    assert!(told.contains("what Ask does") && told.contains(LATE), "{told}");
    assert!(scenario::read(&text).is_ok(), "{told}");
    let text = WAIT.replace("value=\"10000000\"", "value=\"0\"");
    let told = shown(&text);
    assert!(
        told.contains("what Answer does") && told.contains("3000000 ticks") && !told.contains("activates"),
        "{told}"
    );
    assert!(scenario::read(&text).is_ok(), "{told}");
}

/// Activations that are lost where too many come are in the chain all the same: upper sides hold.
#[test]
fn activations_may_be_lost() {
    let limited = |text: &str| {
        text.replace(
            "stimuli=\"Asked?type=InterProcessStimulus\"",
            "stimuli=\"Asked?type=InterProcessStimulus\" multipleTaskActivationLimit=\"1\"",
        )
    };
    // Who is awaited has one job at a time.
    assert_eq!(shown(&limited(WAIT)), shown(WAIT));
    let told = shown(&limited(&with(WAITING, "")));
    let expected = "how many activations of Answer may wait = any number (line 14, column 5: at most 1 job of it may be there at once, and further activations are lost) [jitter, upper holds]";
    assert!(told.contains(expected), "{told}");
}
