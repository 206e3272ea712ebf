//! Numbers in the texts of lessons on machine code are those that the engine gives, also where no question asks for them.

use super::*;
use crate::lesson::prove::report;
use base::people::grouped;

/// A number of a report within a text: where it is found, by what it is multiplied, and the words around it.
type Said = (&'static str, f64, &'static str);

const AS_IT_IS: f64 = 1.0;
const IN_PERCENT: f64 = 100.0;

/// What the texts of a step say of its scenario as it begins, or as its solution leaves it.
#[rustfmt::skip]
const SAID: &[(&str, usize, bool, &[Said])] = &[
    ("control-codes", 1, false, &[("/code/9/stall", AS_IT_IS, "After {}.")]),
    ("control-codes", 2, false, &[
        ("/code/9/stall", AS_IT_IS, "one stall has to be all {}."),
        ("/code/9/hold", AS_IT_IS, "in {} cycles; in the 6 after these"),
        ("/code/4/stall", AS_IT_IS, "After {}: arithmetic"),
        ("/code/5/stall", AS_IT_IS, "each two stalls of {} later"),
        ("/code/6/stall", AS_IT_IS, "each two stalls of {} later"),
        ("/code/7/stall", AS_IT_IS, "each two stalls of {} later"),
    ]),
    ("control-codes", 3, false, &[
        ("/code/7/write", AS_IT_IS, "take scoreboard {}."),
        ("/code/8/write", AS_IT_IS, "take scoreboard {}."),
    ]),
    ("control-codes", 4, false, &[
        ("/code/9/stall", AS_IT_IS, "the *stall*: {}."),
        ("/code/9/wait/0", AS_IT_IS, "the one of scoreboard {} is set"),
        ("/code/7/write", AS_IT_IS, "{}, which is `010`"),
        ("/code/7/stall", AS_IT_IS, "`0100`, {} cycles"),
    ]),
    ("control-codes", 5, false, &[("/code/9/share", IN_PERCENT, "Some {} %.")]),
    ("control-codes", 6, false, &[("/upper", AS_IT_IS, "instead of {}:")]),
    ("control-codes", 6, true, &[("/upper", AS_IT_IS, "At most {} cycles")]),
    ("barriers", 1, false, &[
        ("/makespan", AS_IT_IS, "{} cycles, and no schedule"),
        ("/code/1/waited/scoreboard", AS_IT_IS, "wait {} cycles for them"),
        ("/code/2/waited/barrier", AS_IT_IS, "and {} at the barrier"),
    ]),
    ("barriers", 2, false, &[("/makespan", AS_IT_IS, "instead of {}.")]),
    ("barriers", 2, true, &[("/makespan", AS_IT_IS, "{} cycles instead")]),
    ("barriers", 3, false, &[
        ("/waits/9/1/2/1", AS_IT_IS, "For warp {},"),
        ("/code/2/waited/barrier", AS_IT_IS, "{} in all"),
        ("/code/2/share", IN_PERCENT, "{} % of all waiting, in front of `0002`"),
        ("/code/1/share", IN_PERCENT, "{} % is in front of `0001`"),
    ]),
    ("barriers", 4, false, &[
        ("/makespan", AS_IT_IS, "cycles instead of {},"),
        ("/code/2/waited/barrier", AS_IT_IS, "at the barrier instead of {},"),
        ("/code/1/waited/scoreboard", AS_IT_IS, "for their loads instead of {}."),
    ]),
    ("barriers", 4, true, &[
        ("/makespan", AS_IT_IS, "{} cycles instead"),
        ("/code/2/waited/barrier", AS_IT_IS, "wait {} cycles at the barrier"),
        ("/code/1/waited/scoreboard", AS_IT_IS, "and {} for their loads"),
    ]),
    ("barriers", 5, false, &[
        ("/code/9/share", IN_PERCENT, "{} %: seven warps"),
        ("/code/9/waited/barrier", AS_IT_IS, "{} cycles in all"),
    ]),
    ("the-ninth-warp", 1, false, &[("/makespan", AS_IT_IS, "{}. For half of that time")]),
    ("the-ninth-warp", 2, true, &[("/makespan", AS_IT_IS, "{} cycles again")]),
    ("the-ninth-warp", 3, true, &[("/makespan", AS_IT_IS, "in {} cycles instead of 22")]),
    ("the-ninth-warp", 4, true, &[("/makespan", AS_IT_IS, "{} cycles, proven")]),
    ("the-ninth-warp", 5, false, &[("/policies/1/makespan", AS_IT_IS, "{}: six rounds")]),
];

/// The report of a step, and its texts in one.
fn step(name: &str, at: usize, solved: bool) -> (Value, String) {
    let lesson = lesson(builtin::named(name).map_or("", |builtin| builtin.text));
    let begun = lesson.document(at - 1).unwrap_or_default();
    let step = &lesson.steps[at - 1];
    let document = if solved { step.solution.document(&begun) } else { begun };
    let report = report(&document).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    (report, format!("{} {}", step.text.join(" "), step.after))
}

#[test]
fn texts_say_what_the_engine_says() {
    let mut findings = Vec::new();
    for (name, at, solved, said) in SAID {
        let (report, text) = step(name, *at, *solved);
        for (place, times, words) in *said {
            let number = Path::parse(place).and_then(|path| path.find(&report, None)?.as_f64());
            let number = number.map_or("nothing".to_owned(), |own| grouped((own * times).round() as u128));
            let words = words.replace("{}", &number);
            if !text.contains(&words) {
                findings.push(format!("{name}, step {at}, {place}: \"{words}\" is not in \"{text}\""));
            }
        }
    }
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn of_a_late_warp_the_others_wait_as_long_as_is_said() {
    let (report, text) = step("barriers", 3, false);
    let waits =
        report["waits"].as_array().into_iter().flatten().flat_map(|row| row.as_array().into_iter().flatten());
    let long = |wait: &Value| Some(wait[1].as_u64()? - wait[0].as_u64()? + 1);
    let at_barrier: Vec<u64> = waits.filter(|wait| wait[2][0] == "barrier").filter_map(long).collect();
    assert_eq!(at_barrier, [80, 83, 82]);
    assert!(text.contains("The others wait 80, 83 and 82 cycles"), "{text}");
    assert_eq!(report["code"][2]["waited"], json!({"stall": 12, "barrier": 245, "slot": 2}));
    assert!(text.contains("With 14 more for stalls and turns"), "{text}");

    let (report, text) = step("barriers", 5, false);
    let lines = report["code"].as_array().into_iter().flatten();
    let barriers =
        lines.filter(|line| line["text"].as_str().is_some_and(|text| text.starts_with("BAR.SYNC")));
    let shares: Vec<f64> = barriers.filter_map(|line| line["share"].as_f64()).collect();
    assert!(shares.len() == 17 && shares[1..].iter().all(|share| *share < 0.01), "{shares:?}");
    assert!(text.contains("each of the other 16 barriers it is less than 1 %"), "{text}");
}

/// The listing has its column of control fields in wide windows alone; what the lesson is about stands beneath the picture
/// in all of them.
#[test]
fn what_stands_in_wide_windows_alone_is_called_so() {
    let lesson = lesson(builtin::named("control-codes").map_or("", |builtin| builtin.text));
    let steps = lesson.steps.iter();
    let texts = steps.flat_map(|step| step.text.iter().chain([&step.task, &step.hint, &step.after]));
    let sentences: Vec<&str> =
        texts.flat_map(|text| text.split_inclusive(". ")).filter(|said| said.contains("*Control*")).collect();
    assert!(
        !sentences.is_empty() && sentences.iter().all(|said| said.contains("wide enough")),
        "{sentences:?}"
    );
    assert!(lesson.steps[0].text[1].starts_with("Select a line: beneath the picture"));
}
