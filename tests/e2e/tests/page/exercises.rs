//! Exercises: numbers drawn from a name, answers that are kept, and a file that is graded.

use warpspan::exercises::grade::grade;
use warpspan::exercises::{Answers, builtin, read};
use warpspan::lesson::question::Kind;
use warpspan_e2e::{Outcome, on_page, same};

const SET: &str = "warps-and-blocks";
const STUDENT: &str = "Ada  Übung/7";

#[test]
fn a_student_answers_on_the_page_and_the_file_is_graded() -> Outcome {
    let problems = |problems: Vec<_>| format!("{problems:?}");
    let set = read(builtin::named(SET).ok_or("no such set")?).map_err(problems)?;
    let given = set.given(STUDENT).map_err(problems)?;
    on_page("", async move |page| {
        page.click("room-lessons").await?;
        page.click("exercises-warps-and-blocks").await?;
        page.fill("exercises-student", STUDENT).await?;
        page.click("exercises-take").await?;
        for own in &given {
            let right = own.report().ok().and_then(|report| own.right(&report)).ok_or("no right answer")?;
            page.expect_part(&format!("exercise-{}", own.name), &own.title).await?;
            if let Kind::Choice(choices, _) = &own.question.kind {
                let place = choices.iter().position(|choice| *choice == right).ok_or("no such choice")?;
                let script = "document.querySelectorAll(`[data-testid=exercise-${arguments[0]}] input`)[arguments[1]].click()";
                page.eval(script, vec![own.name.clone().into(), place.into()]).await?;
            } else {
                page.put(&format!("answer-{}", own.name), &right).await?;
            }
        }

        // Its own scenario opens with the answer hidden, and what was typed is there when one comes back: to the
        // address, which follows after a moment.
        page.quiet().await?;
        page.click(&format!("open-{}", given[0].name)).await?;
        page.wait_for("guess").await?;
        page.until("an address of its own", "return location.hash.startsWith('#v=')").await?;
        page.eval("history.back()", vec![]).await?;
        page.wait_for("exercises-save").await?;

        let file = page.download("exercises-save").await?;
        same("its name", file.name.as_str(), "warps-and-blocks-ada-Übung-7-answers.json")?;
        let answers = Answers::read(&file.text).map_err(problems)?;
        let graded = grade(&set, &answers).map_err(problems)?;
        same("points", (graded.points, graded.student.as_str()), (set.points(), "Ada Übung/7"))
    })
}

#[test]
fn a_set_that_is_not_there_is_told() -> Outcome {
    on_page("", async |page| {
        page.visit("#lessons=exercises/none.json").await?;
        page.expect_part("exercises-trouble", "exercises/none.json: is not there (status 404)").await?;
        page.visit("#lessons=../elsewhere.json").await?;
        page.expect_part("exercises-trouble", "leads away from the page").await
    })
}
