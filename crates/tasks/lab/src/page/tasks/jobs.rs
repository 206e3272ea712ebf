//! The jobs of a witness in words.

use super::Witnessed;
use base::people;

/// A job: `T1: v3 triggered at 10, needs 6 by 20`.
pub fn said_of(shown: &Witnessed, job: usize) -> Option<String> {
    let job = shown.jobs.get(job)?;
    let task = &shown.rows.get(job.load.task)?.name;
    let number = |n: u64| people::grouped(n.into());
    let load = &job.load;
    let mut said = format!(
        "{task}: {} triggered at {}, needs {} by {}",
        job.vertex,
        number(load.time),
        number(load.e),
        number(load.deadline)
    );
    said += &match job.is_late() {
        true => format!("; done at {}, too late", number(job.done)),
        false => format!("; done at {}", number(job.done)),
    };
    if !job.counted {
        said += "; does not count, its deadline is later";
    }
    Some(said)
}

/// How the timeline is read.
pub fn how_to_read(shown: &Witnessed) -> String {
    let own = "A frame is a job from its triggering to its deadline, the bar in it what it needs. The last row is what one \
               processor executes by EDF, the job whose deadline is next always first.";
    match shown.rows.iter().filter(|row| row.jobs.is_empty()).count() {
        0 => own.to_owned(),
        1 => format!("{own} One task has no job in it."),
        idle => format!("{own} {} tasks have no job in it.", people::grouped(idle as u128)),
    }
}

/// What the timeline shows, in a sentence.
pub fn jobs_in_words(shown: &Witnessed) -> String {
    let number = |n: u64| people::grouped(n.into());
    let late = shown.late().count();
    let counted = shown.jobs.iter().filter(|job| job.counted).count();
    let then = match late {
        0 => "EDF meets all their deadlines here".to_owned(),
        late => format!("EDF misses {}", people::plural(late, "deadline", "deadlines")),
    };
    format!(
        "In the interval of {}, {} {} {} to execute; {then}.",
        number(shown.t),
        people::plural(counted, "job", "jobs"),
        if counted == 1 { "has" } else { "have" },
        number(shown.demand())
    )
}

/// Jobs by the words someone looks for: a vertex, a task, or both as `task: vertex`.
pub fn found(shown: &Witnessed, words: &str) -> Option<usize> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    (0..shown.jobs.len()).find(|&job| said_of(shown, job).is_some_and(|said| said.contains(words)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn a_job_in_words() {
        let shown = Witnessed::new(&sample::overloaded().witness);
        let said = |job| said_of(&shown, job).unwrap_or_default();
        assert_eq!(said(0), "a: v0 triggered at 0, needs 3 by 4; done at 3");
        assert_eq!(said(1), "b: v0 triggered at 0, needs 3 by 4; done at 6, too late");
        assert_eq!(
            said(2),
            "b: v1 triggered at 2, needs 5 by 11; done at 11; does not count, its deadline is later"
        );
        assert_eq!(said(3), "");
        assert_eq!(
            jobs_in_words(&shown),
            "In the interval of 4, 2 jobs have 6 to execute; EDF misses 1 deadline."
        );
        assert!(how_to_read(&shown).ends_with("always first."));
        let mut shown = shown;
        shown.rows[1].jobs = 0..0;
        assert!(how_to_read(&shown).ends_with("One task has no job in it."));
        assert_eq!((found(&shown, "b: v1"), found(&shown, "zzz"), found(&shown, " ")), (Some(2), None, None));
    }
}
