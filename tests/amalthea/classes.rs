//! Every class of the meta model that may carry work, waiting, activation or exclusion: a model with each, and what
//! became of it.

use std::fmt::Write as _;

use warpspan::chain::Code;
use warpspan::import::amalthea::meta::{CLASSES, Class, Fate, Within};
use warpspan::import::amalthea::{self, Mapped};

/// A model with something in one place: task T, which works 1000 ticks every 10 ms, and U, which T may activate.
#[derive(Default)]
pub struct Parts<'a> {
    pub software: &'a str,
    pub item: &'a str,
    pub stimulus: Option<&'a str>,
    pub algorithm: Option<&'a str>,
    pub in_scheduler: &'a str,
    pub in_system: &'a str,
    pub in_mapping: &'a str,
    pub requirement: &'a str,
}

pub const TICKS: &str =
    r#"<items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="500"/></items>"#;

pub fn model(parts: &Parts<'_>) -> String {
    let periodic =
        r#"<stimuli xsi:type="am:PeriodicStimulus" name="S"><recurrence value="10" unit="ms"/></stimuli>"#;
    let algorithm = parts.algorithm.unwrap_or("OSEK");
    let mut out =
        String::from(r#"<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/2.0.0" xmlns:xsi="x">"#);
    let _ = write!(
        out,
        r#"<swModel>
<tasks name="T" stimuli="S?type=Stimulus" preemption="preemptive"><activityGraph>{}
<items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="1000"/></items></activityGraph></tasks>
<tasks name="U" stimuli="go?type=Stimulus" preemption="preemptive"><activityGraph>{TICKS}
<items xsi:type="am:SemaphoreAccess" semaphore="lock?type=Semaphore" access="request"/></activityGraph></tasks>
<runnables name="R"><activityGraph>{TICKS}</activityGraph></runnables>
<labels name="L"><size value="4" unit="B"/></labels>{}
</swModel>"#,
        parts.item, parts.software
    );
    let _ = write!(
        out,
        r#"<hwModel>
<definitions xsi:type="am:ProcessingUnitDefinition" name="D" puType="CPU" instructionsPerCycle="1"/>
<structures name="B"><modules xsi:type="am:ProcessingUnit" name="core" definition="D" frequencyDomain="f"/></structures>
<domains xsi:type="am:FrequencyDomain" name="f"><defaultValue value="1" unit="GHz"/></domains>
</hwModel>
<osModel>{}<semaphores name="lock" initialValue="0" maxValue="1"/><operatingSystems name="os">
<taskSchedulers name="s"><schedulingAlgorithm xsi:type="am:{algorithm}"/>{}</taskSchedulers></operatingSystems></osModel>
<stimuliModel>{}<stimuli xsi:type="am:InterProcessStimulus" name="go"/></stimuliModel>
<constraintsModel>{}</constraintsModel>
<mappingModel>{}<schedulerAllocation scheduler="s" responsibility="core"/>
<taskAllocation task="T" scheduler="s"><schedulingParameters priority="2"/></taskAllocation>
<taskAllocation task="U" scheduler="s"><schedulingParameters priority="1"/></taskAllocation>
</mappingModel></am:Amalthea>"#,
        parts.in_system,
        parts.in_scheduler,
        parts.stimulus.unwrap_or(periodic),
        parts.requirement,
        parts.in_mapping,
    );
    out
}

pub fn mapped(parts: &Parts<'_>) -> Mapped {
    let text = model(parts);
    let read = amalthea::read(&text).and_then(|model| amalthea::mapped(&model));
    read.unwrap_or_else(|problems| unreachable!("{problems:?}\n{text}"))
}

/// An item of a class, with what makes it matter.
fn item(name: &str) -> String {
    let with = |attributes: &str, inner: &str| {
        format!(r#"<items xsi:type="am:{name}" {attributes}>{inner}</items>"#)
    };
    let value = r#"<value xsi:type="am:DiscreteValueConstant" value="500"/>"#;
    match name {
        "Ticks" | "RunnableInstructions" => {
            with("", r#"<default xsi:type="am:DiscreteValueConstant" value="500"/>"#)
        }
        "InstructionsConstant" => with(r#"value="500""#, ""),
        "InstructionsDeviation" => {
            with("", r#"<deviation><lowerBound value="1"/><upperBound value="500"/></deviation>"#)
        }
        "ExecutionNeed" => with("", &format!(r#"<default key="Instructions">{value}</default>"#)),
        "CallSequence" | "Group" | "DeviationRunnableItemGroup" | "WhileLoop" => with("", TICKS),
        name if name.contains("Switch") => {
            with("", &format!(r#"<entries probability="1">{TICKS}</entries>"#))
        }
        "WaitEvent" | "SetEvent" | "ClearEvent" => with("", r#"<eventMask events="e?type=OsEvent"/>"#),
        _ => {
            let links =
                r#"runnable="R" serverRunnable="R" stimulus="go" semaphore="lock" data="L" label="L""#;
            with(links, "")
        }
    }
}

/// What is asked that is not asked without it.
pub fn more(with: &Mapped, without: &Mapped) -> Vec<String> {
    let asked = |mapped: &Mapped| mapped.asked.iter().map(|asked| format!("{asked:?}")).collect::<Vec<_>>();
    let before = asked(without);
    asked(with).into_iter().filter(|asked| !before.contains(asked)).collect()
}

fn check(class: &Class) {
    let Class { within, name, fate } = *class;
    let bare = mapped(&Parts::default());
    let with = match within {
        Within::Item => mapped(&Parts { item: &item(name), ..Parts::default() }),
        Within::Stimulus => {
            let inner = r#"<recurrence value="10" unit="ms"/><period value="10" unit="ms"/><minDistance value="10" unit="ms"/>
<nextOccurrence><lowerBound value="10" unit="ms"/><upperBound value="20" unit="ms"/></nextOccurrence>
<occurrenceTimes><timestamps value="0" unit="ms"/></occurrenceTimes>"#;
            let stimulus =
                format!(r#"<stimuli xsi:type="am:{name}" name="S" occurrenceCount="2">{inner}</stimuli>"#);
            mapped(&Parts { stimulus: Some(&stimulus), ..Parts::default() })
        }
        Within::Scheduler => mapped(&Parts { algorithm: Some(name), ..Parts::default() }),
        Within::System => {
            let inner = if fate == Fate::Assumed { r#"<delay value="5" unit="ns"/>"# } else { "" };
            let element = format!(r#"<{name} name="more" mode="automaticProtection">{inner}</{name}>"#);
            let is_inner = matches!(name, "computationItems" | "schedulingUnit" | "parentAssociation");
            let place = if is_inner { "" } else { element.as_str() };
            let inner = if is_inner { element.as_str() } else { "" };
            let inner = if name == "schedulingAlgorithm" { "" } else { inner };
            let place = if name == "schedulingAlgorithm" { "" } else { place };
            mapped(&Parts { in_system: place, in_scheduler: inner, ..Parts::default() })
        }
        Within::Mapping => {
            let element = format!(r#"<{name} task="T" process="T" scheduler="s" core="core" label="L"/>"#);
            mapped(&Parts { in_mapping: &element, ..Parts::default() })
        }
        Within::Requirement => {
            let limit = r#"<limit limitType="UpperLimit" metric="ResponseTime"><limitValue value="7" unit="ms"/></limit>"#;
            let element = format!(r#"<requirements xsi:type="am:{name}" process="T">{limit}</requirements>"#);
            mapped(&Parts { requirement: &element, ..Parts::default() })
        }
    };
    let asked = more(&with, &bare);
    let period_of_t = with.tasks.iter().find(|task| task.name == "T").map(|task| task.period);
    match (fate, within) {
        (Fate::Assumed, _) => assert!(!asked.is_empty(), "{name} is no assumption"),
        (Fate::Nothing, _) => assert_eq!((&with.tasks, asked), (&bare.tasks, Vec::new()), "{name}"),
        (Fate::Modelled, Within::Item | Within::Requirement) => {
            assert_ne!(with, bare, "{name} is in no chain")
        }
        (Fate::Modelled, Within::Stimulus) => {
            assert_eq!((period_of_t, asked), (Some(10_000_000), Vec::new()), "{name}");
        }
        (Fate::Modelled, Within::Scheduler) => {
            assert!(!asked.iter().any(|asked| asked.contains("code: Scheduling")), "{name}: {asked:?}");
        }
        (Fate::Modelled, _) => assert_eq!(asked, Vec::<String>::new(), "{name}"),
    }
}

#[test]
fn every_class_is_modelled_or_assumed_or_carries_nothing() {
    CLASSES.iter().for_each(check);
}

#[test]
fn no_class_is_there_twice() {
    for (place, class) in CLASSES.iter().enumerate() {
        let same = |other: &&Class| other.within == class.within && other.name == class.name;
        assert!(!CLASSES[..place].iter().any(|other| same(&other)), "{class:?}");
    }
}

#[test]
fn what_is_not_known_is_read_and_assumed() {
    let bare = mapped(&Parts::default());
    let ticks_of = |mapped: &Mapped| format!("{:?}", mapped.tasks[0].segments);
    for wrapped in [
        format!(r#"<items xsi:type="am:Invented">{TICKS}</items>"#),
        format!(r#"<items xsi:type="am:Invented"><entries><inner>{TICKS}</inner></entries></items>"#),
        format!(r#"<items xsi:type="am:Group"><invented>{TICKS}</invented></items>"#),
        format!(r#"<items xsi:type="am:Switch"><invented>{TICKS}</invented></items>"#),
        format!(r#"<items>{TICKS}</items>"#),
    ] {
        let with = mapped(&Parts { item: &wrapped, ..Parts::default() });
        assert!(ticks_of(&with).contains("Ticks(1500)"), "{wrapped}");
        assert!(
            more(&with, &bare).iter().any(|asked| asked.contains("what") && asked.contains("Work")),
            "{wrapped}"
        );
    }
    let nothing = mapped(&Parts { item: r#"<items xsi:type="am:Invented"/>"#, ..Parts::default() });
    assert_eq!(nothing.tasks, bare.tasks);
    assert!(nothing.asked.iter().any(|asked| asked.code == Code::Work && asked.what.contains("Invented")));
    let strange = r#"<stimuli xsi:type="am:Invented" name="S"/>"#;
    let stimulus = mapped(&Parts { stimulus: Some(strange), ..Parts::default() });
    assert!(more(&stimulus, &bare).iter().any(|asked| asked.contains("Invented")));
    for (parts, what) in [
        (Parts { in_system: "<invented/>", ..Parts::default() }, "invented"),
        (Parts { in_scheduler: "<invented/>", ..Parts::default() }, "invented"),
        (Parts { in_mapping: "<invented/>", ..Parts::default() }, "invented"),
        (Parts { algorithm: Some("Invented"), ..Parts::default() }, "Invented"),
    ] {
        assert!(more(&mapped(&parts), &bare).iter().any(|asked| asked.contains(what)), "{what}");
    }
}

/// The table of the reference: one row for each place, one column for each fate.
#[test]
fn the_reference_lists_them_all() {
    let rows: Vec<Vec<&str>> = include_str!("../../docs/amalthea.md")
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let places = [
        (Within::Item, "in what tasks and runnables do"),
        (Within::Stimulus, "types of stimuli"),
        (Within::Scheduler, "algorithms of schedulers"),
        (Within::System, "the operating system"),
        (Within::Mapping, "the mapping"),
        (Within::Requirement, "requirements"),
    ];
    for (within, title) in places {
        let row = rows.iter().find(|row| row.first() == Some(&title) && row.len() == 4);
        let row = row.unwrap_or_else(|| unreachable!("no row {title}"));
        for (fate, cell) in [Fate::Modelled, Fate::Assumed, Fate::Nothing].into_iter().zip(&row[1..]) {
            let mut written: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
            let of = |class: &&Class| class.within == within && class.fate == fate;
            let mut known: Vec<&str> = CLASSES.iter().filter(of).map(|class| class.name).collect();
            written.sort_unstable();
            known.sort_unstable();
            assert_eq!(written, known, "{title}, {fate:?}");
        }
    }
}
