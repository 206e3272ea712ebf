//! What models say, by hand: it is in the chain, or an assumption names it.

use expect_test::{Expect, expect};
use warpspan::chain::{Code, Safe};
use warpspan::import::amalthea::{self, Asked};

use super::classes::{Parts, TICKS, mapped, model, more};
use super::{FILES, shown};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn waiting_for_a_task_of_a_core() {
    check(
        include_str!("wait.amxmi"),
        expect![[r#"
        version 2.0.0
        core left 1000000000 Hz, by Priority
        core right 1000000000 Hz, by Priority
        Ask on left, 12000000 ns within 12000000: 2000000 ticks, activates Answer, waits for Answer, 1000000 ticks
        Answer on right, 12000000 ns within 12000000: 10000000 ticks
    "#]],
    );
}

#[test]
fn waiting_for_the_gpu_actively() {
    check(
        include_str!("active.amxmi"),
        expect![[r#"
        version 2.0.0
        core core 1000000000 Hz, by Priority
        kernel There 6000000 cycles, 6 x 1024
        High on core, 30000000 ns within 30000000 rank 1 spinning: 2000000 ticks, There, 1000000 ticks
        Low on core, 12000000 ns within 12000000 rank 2: 5000000 ticks
        ? chain.device: the GPU = jetson-tx2 (3 multiprocessors are the model's; the model calls it gpu) [gpu, lower holds; on chain.machine]
        ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
        ? chain.kernels[0]: blocks and threads of There = 6 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
    "#]],
    );
}

#[test]
fn activations_that_come_late() {
    check(
        include_str!("jitter.amxmi"),
        expect![[r#"
        version 2.0.0
        core left 1000000000 Hz, by Priority
        core right 1000000000 Hz, by Priority
        Front on left, 90000000 ns within 90000000 rank 1: 30000000 ticks
        First on left, 45000000 ns within 45000000 rank 2: 10000000 ticks, activates Back
        Back on right, 45000000 ns within 45000000 rank 1: 15000000 ticks
        Low on right, 180000000 ns within 45000000 rank 2: 20000000 ticks
    "#]],
    );
}

#[test]
fn semaphores() {
    check(
        include_str!("semaphore.amxmi"),
        expect![[r#"
        version 2.0.0
        core core 1000000000 Hz, by Priority
        High on core, 6000000 ns within 6000000 rank 1: 1000000 ticks
        Low on core, 90000000 ns within 90000000 rank 2: 9000000 ticks
        ? chain.tasks: who waits for the semaphore "Bus" = nobody (line 28, column 5: High and Low ask for it, and a chain has none) [resource; on chain.tasks[0].priority chain.tasks[1].priority]
    "#]],
    );
    // Who shares it with nobody waits for nobody, unless somebody holds it from the beginning.
    let alone = include_str!("semaphore.amxmi").replace("name=\"Low\"", "name=\"Low\" x=\"\"");
    let mut alone = alone.replacen("semaphore=\"Bus?type=Semaphore\"", "semaphore=\"Own?type=Semaphore\"", 2);
    let own =
        |taken: u32| format!("<semaphores name=\"Own\" initialValue=\"{taken}\" maxValue=\"1\"/><semaphores");
    alone = alone.replace("<semaphores", &own(0));
    assert!(!shown(&alone).contains("semaphore"));
    assert!(shown(&alone.replace(&own(0), &own(1))).contains("who waits for the semaphore \"Own\""));
}

#[test]
fn the_oldest_version() {
    check(
        include_str!("itea-1.1.amxmi"),
        expect![[r#"
        version 1.1.0
        core Core_0 1200000 Hz, by Priority
        core Core_1 1200000 Hz, by Priority
        Often on Core_1, 10000000 ns within 4000000 rank 1: 9000 ticks
        Seldom on Core_1, 40000000 ns within 40000000 rank 2: 4500 ticks
    "#]],
    );
}

/// What of a list is about a word.
fn about<'a>(asked: &'a [Asked], word: &str) -> Vec<&'a Asked> {
    asked.iter().filter(|asked| asked.what.contains(word) || asked.why.contains(word)).collect()
}

#[test]
fn how_often_calls_are_made() {
    let call = |statistic: &str| {
        format!(
            r#"<items xsi:type="am:RunnableCall" runnable="R"><statistic>{statistic}</statistic></items>"#
        )
    };
    let ticks = |statistic: &str| {
        let mapped = mapped(&Parts { item: &call(statistic), ..Parts::default() });
        (format!("{:?}", mapped.tasks[0].segments[0].act), about(&mapped.asked, "how often").len())
    };
    let most = r#"<statistic xsi:type="am:MinAvgMaxStatistic" min="1" avg="2.0" max="3"/>"#;
    assert_eq!(ticks(most), ("Ticks(2500)".to_owned(), 0));
    // A single value is no bound.
    assert_eq!(
        ticks(r#"<statistic xsi:type="am:SingleValueStatistic" value="2.0"/>"#),
        ("Ticks(2000)".to_owned(), 1)
    );
}

#[test]
fn needs_of_several_categories_follow_each_other() {
    let value = |ticks: u32| format!(r#"<value xsi:type="am:DiscreteValueConstant" value="{ticks}"/>"#);
    let item = format!(
        r#"<items xsi:type="am:ExecutionNeed"><default key="a">{}</default><default key="b">{}</default>
<extended key="D"><value key="b">{}</value></extended></items>"#,
        value(10),
        value(20),
        value(300)
    );
    let mapped = mapped(&Parts { item: &item, ..Parts::default() });
    assert_eq!(format!("{:?}", mapped.tasks[0].segments[0].act), "Ticks(1310)");
}

#[test]
fn work_for_other_units_takes_no_time_and_says_so() {
    let item = TICKS
        .replace("<default ", r#"<extended key="Other"><value "#)
        .replace("/></items>", "/></extended></items>");
    let mapped = mapped(&Parts { item: &item, ..Parts::default() });
    assert_eq!(format!("{:?}", mapped.tasks[0].segments[0].act), "Ticks(1000)");
    let told = about(&mapped.asked, "it is told for other units only");
    assert_eq!(
        told.iter().map(|asked| (asked.code, asked.safe)).collect::<Vec<_>>(),
        [(Code::Work, Safe::Lower)]
    );
}

#[test]
fn branches_by_modes_may_not_be_possible() {
    let switch = |kind: &str| {
        format!(
            r#"<items xsi:type="am:{kind}"><entries probability="1">{TICKS}</entries><entries probability="9"/></items>"#
        )
    };
    let asked = |kind: &str| {
        let item = switch(kind);
        let mapped = mapped(&Parts { item: &item, ..Parts::default() });
        assert_eq!(format!("{:?}", mapped.tasks[0].segments[0].act), "Ticks(1500)");
        about(&mapped.asked, "branches").iter().map(|asked| asked.safe).collect::<Vec<_>>()
    };
    assert_eq!(asked("ModeSwitch"), [Safe::Upper]);
    assert_eq!(asked("ProbabilitySwitch"), []);
    assert_eq!(asked("ProbabiltitySwitch"), []);
}

#[test]
fn stimuli() {
    let with = |inner: &str| {
        let text = format!(
            r#"<stimuli xsi:type="am:PeriodicStimulus" name="S"><recurrence value="10" unit="ms"/>{inner}</stimuli>"#
        );
        let bare = mapped(&Parts::default());
        let mapped = mapped(&Parts { stimulus: Some(&text), ..Parts::default() });
        let asked = mapped.asked.iter().filter(|asked| asked.path == "chain.tasks[0].period");
        let told = asked
            .map(|asked| format!("{} {:?}", asked.code.name(), asked.safe))
            .collect::<Vec<_>>()
            .join(", ");
        assert_eq!(more(&mapped, &bare).is_empty(), told.is_empty());
        (mapped.tasks[0].period, told)
    };
    let jitter = |kind: &str, lower: &str, upper: &str| {
        let side = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!(r#"<{name} value="{value}" unit="ms"/>"#),
        };
        let (lower, upper) = (side("lowerBound", lower), side("upperBound", upper));
        with(&format!(r#"<jitter xsi:type="am:{kind}">{lower}{upper}</jitter>"#))
    };
    let told = |period: u64, text: &str| (period, text.to_owned());
    assert_eq!(with(""), told(10_000_000, ""));
    // It may be 2 ms early and then 3 ms late.
    assert_eq!(jitter("TimeUniformDistribution", "-2", "3"), told(5_000_000, "jitter Upper"));
    assert_eq!(jitter("TimeUniformDistribution", "", "3"), told(7_000_000, "jitter Upper"));
    assert_eq!(jitter("TimeGaussDistribution", "", "3"), told(10_000_000, "jitter Neither"));
    assert_eq!(jitter("TimeUniformDistribution", "-5", "5"), told(10_000_000, "jitter Neither"));
    assert_eq!(with(r#"<offset value="1" unit="ms"/>"#), told(10_000_000, "period Upper"));
    assert_eq!(with("<executionCondition/>"), told(10_000_000, "period Upper"));
    assert_eq!(with(r#"<clock href="c"/>"#), told(10_000_000, "period Neither"));
    let nothing = r#"<stimuli xsi:type="am:PeriodicStimulus" name="S"><recurrence unit="ms"/></stimuli>"#;
    let unsaid = mapped(&Parts { stimulus: Some(nothing), ..Parts::default() });
    assert_eq!(about(&unsaid.asked, "S has no recurrence").len(), 1);
}

#[test]
fn periods_of_nothing_are_wrong() {
    let with = |value: &str, unit: &str| {
        let text = format!(
            r#"<stimuli xsi:type="am:PeriodicStimulus" name="S"><recurrence value="{value}" unit="{unit}"/></stimuli>"#
        );
        shown(&model(&Parts { stimulus: Some(&text), ..Parts::default() }))
    };
    let expected = "in Amalthea/stimuliModel/stimuli/recurrence: a recurrence of";
    assert!(
        with("0", "ms").contains(&format!("{expected} 0 ms, expected 1 ps or more")),
        "{}",
        with("0", "ms")
    );
    assert!(with("0.1", "ps").contains(&format!("{expected} 0.1 ps, expected 1 ps or more")));
    assert!(with("400", "ps").contains("shortest period there is here"));
}

#[test]
fn schedulers_rank_in_their_own_ways() {
    let ranks = |algorithm: &str| {
        let text = model(&Parts { algorithm: Some(algorithm), ..Parts::default() });
        let text = text.replace("</stimuliModel>", r#"<stimuli xsi:type="am:PeriodicStimulus" name="fast"><recurrence value="5" unit="ms"/></stimuli></stimuliModel>"#);
        let text = text.replace("stimuli=\"go?type=Stimulus\"", "stimuli=\"fast\"");
        let mapped = amalthea::read(&text)
            .and_then(|model| amalthea::mapped(&model))
            .unwrap_or_else(|p| unreachable!("{p:?}"));
        let asked = about(&mapped.asked, "which priority is").len();
        (mapped.tasks.iter().map(|task| task.priority).collect::<Vec<_>>(), asked)
    };
    // T has the larger priority, U the shorter period.
    assert_eq!(ranks("OSEK"), (vec![Some(1), Some(2)], 0));
    assert_eq!(ranks("FixedPriorityPreemptive"), (vec![Some(1), Some(2)], 1));
    assert_eq!(ranks("RateMonotonic"), (vec![Some(2), Some(1)], 0));
    assert_eq!(ranks("DeadlineMonotonic"), (vec![None, None], 0));
    // Of equal priorities any may go first.
    let equal = shown(&model(&Parts::default()).replace("priority=\"1\"", "priority=\"2\""));
    assert_eq!(equal.matches(" rank 1: ").count(), 2, "{equal}");
    let isr = model(&Parts::default()).replace("tasks name=\"U\"", "isrs name=\"U\"");
    let isr = isr.replacen("</activityGraph></tasks>\n<runnables", "</activityGraph></isrs>\n<runnables", 1);
    assert!(shown(&isr).contains("U on core, 10000000 ns within 10000000 rank 1"), "{}", shown(&isr));
    let groups = model(&Parts::default()).replace("<tasks ", "<tasks osekTaskGroup=\"3\" ");
    assert!(shown(&groups).contains("tasks of one OSEK group do not preempt each other"));
}

#[test]
fn sizes_of_all_versions() {
    let size = |value: &str, unit: &str| {
        let label = format!(r#"<labels name="M"><size value="{value}" unit="{unit}"/></labels>"#);
        let text = model(&Parts { software: &label, ..Parts::default() });
        let model = amalthea::read(&text).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        model.labels.iter().find(|label| label.name == "M").and_then(|label| label.bits)
    };
    assert_eq!(size("22", "byte"), Some(176));
    assert_eq!(size("30", "kibit"), Some(30_720));
    assert_eq!(size("2", "MiB"), Some(16 << 20));
    assert_eq!(size("5", "_undefined_"), None);
}

#[test]
fn what_has_no_unit_or_is_there_twice_is_in_doubt() {
    let bare = mapped(&Parts::default());
    for (software, what) in [
        (r#"<labels name="M"><size value="5"/></labels>"#, "5 without a unit"),
        (r#"<runnables name="R"/>"#, "R is there twice among the runnables"),
        (r#"<tasks name="V" priority="high"/>"#, "is no whole number"),
    ] {
        let with = mapped(&Parts { software, ..Parts::default() });
        assert!(more(&with, &bare).iter().any(|asked| asked.contains(what)), "{what}");
    }
}

#[test]
fn runnables_that_no_task_calls() {
    let idle = format!(r#"<runnables name="Idle"><activityGraph>{TICKS}</activityGraph></runnables>"#);
    let called =
        mapped(&Parts { item: r#"<items xsi:type="am:RunnableCall" runnable="R"/>"#, ..Parts::default() });
    assert_eq!(about(&called.asked, "no task calls").len(), 0);
    let both = mapped(&Parts { software: &idle, ..Parts::default() });
    assert_eq!(about(&both.asked, "2 runnables that no task calls")[0].safe, Safe::Lower);
}

#[test]
fn work_in_elements_that_nobody_knows() {
    let bare = mapped(&Parts::default());
    let text = model(&Parts::default());
    for (changed, what) in [
        (text.replacen("activityGraph>", "behaviour>", 2), "behaviour"),
        (
            text.replacen("tasks name=\"U\"", "chores name=\"U\"", 1).replacen(
                "</tasks>\n<runn",
                "</chores>\n<runn",
                1,
            ),
            "chores",
        ),
        (text.replace("</swModel>", &format!("</swModel><newModel><x>{TICKS}</x></newModel>")), "newModel"),
        (
            text.replacen("<runnables name=\"R\">", "<runnables name=\"R\"><executionCondition/>", 1)
                .replacen(
                    "<items xsi:type=\"am:Ticks\">",
                    "<items xsi:type=\"am:RunnableCall\" runnable=\"R\"/><items xsi:type=\"am:Ticks\">",
                    1,
                ),
            "every so many times",
        ),
    ] {
        let with = amalthea::read(&changed).and_then(|model| amalthea::mapped(&model));
        let with = with.unwrap_or_else(|problems| unreachable!("{problems:?}"));
        assert!(
            more(&with, &bare).iter().any(|asked| asked.contains(what)),
            "{what}: {:?}",
            more(&with, &bare)
        );
    }
}

#[test]
fn too_many_tasks_that_work() {
    let task =
        |i: u32| format!(r#"<tasks name="V{i}" stimuli="S"><activityGraph>{TICKS}</activityGraph></tasks>"#);
    let software: String = (0..49).map(task).collect();
    check(
        &model(&Parts { software: &software, ..Parts::default() }),
        expect![[r#"
        line 2, column 1, in swModel: 51 tasks of cores that take time, expected at most 50
    "#]],
    );
    let labels = model(&Parts::default()).replace("am:Ticks", "am:LabelAccess");
    check(
        &labels,
        expect![[r#"
        line 2, column 1, in swModel: 2 tasks, of which none works: there are no ticks, instructions or needs, expected a task that works; what labels take to read and write is not modelled
    "#]],
    );
}

/// The kind of mistake that loses work: a class that nobody knows. Each type in all files, one by one.
#[test]
fn a_type_that_is_not_known_is_never_silent() {
    let mut seen = 0;
    for text in FILES {
        let before = shown(text);
        for (at, _) in text.match_indices("xsi:type=\"") {
            let element = text[..at].rfind('<').map_or("", |from| &text[from + 1..at]);
            let name = element.split_whitespace().next().unwrap_or_default();
            if !matches!(
                name,
                "items" | "calls" | "graphEntries" | "runnableItems" | "stimuli" | "schedulingAlgorithm"
            ) {
                continue;
            }
            let value = at + "xsi:type=\"".len();
            let end = text[value..].find('"').map_or(value, |length| value + length);
            let changed = format!("{}am:Strange{}", &text[..value], &text[end..]);
            let after = shown(&changed);
            let asked = |text: &str| text.lines().filter(|line| line.starts_with("? ")).count();
            let named = after.lines().any(|line| line.starts_with("? ") && line.contains("Strange"));
            let told = named || asked(&after) > asked(&before);
            // What is said of a stimulus or a scheduler that no task has, and of a runnable that nobody calls, is nothing.
            assert!(told || after == before || !after.starts_with("version"), "{name} at {at}:\n{after}");
            seen += 1;
        }
    }
    assert!(seen > 250, "{seen}");
}
