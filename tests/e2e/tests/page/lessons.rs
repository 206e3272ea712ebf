//! Lessons: a step is done by doing what it asks for, in each lab; answers, own lessons, links, the keyboard.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan::scenario::link::{self, LessonSource};
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, on_page, same, that};

use crate::files::file;
use crate::reach::{fits, nameless, too_small};
use crate::scenario_panel::show;

/// A lesson of someone's own: a question, and a step that goes on with what is there.
const OWN: &str = r#"{"lesson": 1, "title": "My own lesson", "minutes": 2, "steps": [
    {"title": "Count", "text": "A *text* with `code` and <b>no HTML</b>.", "example": "figure-2",
        "check": {"answer": {"ask": "How many cycles?", "number": {"report": "/makespan"}, "unit": "cycles"}},
        "hint": "The last column.", "after": "Eight."},
    {"title": "Longer", "text": "x", "do": "Make it longer.",
        "check": {"report": "/makespan", "more_than": {"start": "/makespan"}},
        "solution": {"set": {"/warps/method/order": [1, 1, 2, 2, 3, 3, 1, 2, 3, 4, 4, 4]}}}]}"#;

const DAMAGED: &str =
    r#"{"lesson": 1, "title": "x", "steps": [{"title": "One", "txt": "x", "example": "figure-3"}]}"#;

/// Waits until the step of this title is there, and not done.
async fn at_step(page: &Page, number: &str, title: &str) -> Outcome {
    page.expect("lesson-step", title).await?;
    page.expect("lesson-at", number).await?;
    page.expect("lesson-state", "Not done yet").await
}

async fn answer(page: &Page, text: &str) -> Outcome {
    page.fill("lesson-answer", text).await?;
    page.click("lesson-submit").await
}

#[test]
fn a_lesson_of_warps_is_gone_through_by_doing_what_it_asks_for() -> Outcome {
    on_page("", async |page| {
        page.click("room-lessons").await?;
        page.click("begin-orders").await?;
        at_step(&page, "Step 1 of 7", "A schedule is a table").await?;
        page.expect("makespan", "8 cycles").await?;
        answer(&page, "9").await?;
        page.expect("lesson-verdict", "9 is not right.").await?;
        page.expect_part("lesson-hint", "lane of C").await?;
        answer(&page, "four").await?;
        page.expect_part("lesson-verdict", "no number").await?;
        answer(&page, "4").await?;
        page.expect("lesson-state", "Done").await?;
        page.expect_part("lesson-after", "no schedule can be shorter").await?;

        page.click("lesson-next").await?;
        at_step(&page, "Step 2 of 7", "Most tables are no schedules").await?;
        answer(&page, "5").await?;
        page.expect("lesson-state", "Done").await?;

        page.click("lesson-next").await?;
        at_step(&page, "Step 3 of 7", "An order always makes a schedule").await?;
        page.put("player-slider", "8").await?;
        page.expect("lesson-state", "Done").await?;

        page.visit("#lesson=orders/5").await?;
        at_step(&page, "Step 5 of 7", "Move a warp to the end").await?;
        page.put("field-warps-method-order", "1 1 2 2 3 3 1 2 3 4 4 4").await?;
        page.expect("makespan", "9 cycles").await?;
        page.expect("lesson-state", "Done").await?;

        page.visit("#lesson=orders/7").await?;
        at_step(&page, "Step 7 of 7", "Is 9 the worst?").await?;
        page.choose("method", "exact").await?;
        page.click("proof-run").await?;
        page.expect("lesson-state", "Done").await?;
        page.click("lesson-next").await?;
        page.expect_part("card-orders", "5 of 7 done").await?;
        page.expect("start-here", "Go on here").await
    })
}

#[test]
fn a_step_is_the_same_whichever_way_it_is_come_to() -> Outcome {
    on_page("", async |page| {
        for (step, cycles) in [(5, "46 cycles"), (4, "24 cycles"), (3, "22 cycles")] {
            page.visit(&format!("#lesson=the-ninth-warp/{step}")).await?;
            page.expect("lesson-at", &format!("Step {step} of 5")).await?;
            page.expect_part("tile-makespan", cycles).await?;
        }
        page.visit("#lesson=the-ninth-warp").await?;
        page.expect_part("tile-makespan", "22 cycles").await?;
        page.eval("document.querySelectorAll('.lesson-dots .dot')[4].click()", vec![]).await?;
        at_step(&page, "Step 5 of 5", "Whose fault is it").await?;
        page.expect_part("tile-makespan", "46 cycles").await?;
        answer(&page, "36").await?;
        page.expect("lesson-state", "Done").await
    })
}

#[test]
fn a_lesson_of_blocks_listens_to_the_figure_and_the_form() -> Outcome {
    on_page("", async |page| {
        page.visit("#lesson=shared-memory/2").await?;
        at_step(&page, "Step 2 of 6", "What shared memory allows").await?;
        answer(&page, "2").await?;
        page.expect("lesson-state", "Not done yet").await?;
        page.click("measure-shared").await?;
        page.expect("lesson-state", "Done").await?;
        page.visit("#lesson=head-of-line/5").await?;
        at_step(&page, "Step 5 of 7", "A queue of its own").await?;
        page.click("lesson-show").await?;
        page.expect("lesson-state", "Done").await
    })
}

#[test]
fn a_lesson_of_tasks_listens_to_the_document() -> Outcome {
    on_page("", async |page| {
        page.visit("#lesson=edf/6").await?;
        at_step(&page, "Step 6 of 7", "One branch too long").await?;
        page.click("as-json").await?;
        let document = page.value("json").await?;
        let wrong = document.replace("\"e\": 28", "\"e\": 25");
        that(wrong != document, || "no requirement of 28".to_owned())?;
        page.put("json", &wrong).await?;
        page.expect_part("tasks-because", "emand fits into every interval").await?;
        page.expect("lesson-state", "Not done yet").await?;
        page.put("json", &document.replace("\"recover\", \"actuate\", 40", "\"recover\", \"actuate\", 45"))
            .await?;
        page.expect("lesson-state", "Done").await?;
        page.click("lesson-again").await?;
        at_step(&page, "Step 6 of 7", "One branch too long").await
    })
}

#[test]
fn an_own_lesson_is_pasted_and_travels_in_its_link() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        page.paste("body", OWN).await?;
        at_step(&page, "Step 1 of 2", "Count").await?;
        page.expect("lesson-title", "My own lesson").await?;
        page.expect_part("lesson-card", "A text with code and <b>no HTML</b>.").await?;
        page.click("lesson-show").await?;
        page.expect("lesson-state", "Done").await?;
        page.expect_value("lesson-answer", "8").await?;
        page.click("lesson-next").await?;
        at_step(&page, "Step 2 of 2", "Longer").await?;
        page.expect("makespan", "8 cycles").await?;

        let script =
            "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";
        page.eval(&format!("window.copied = null; {script}"), vec![]).await?;
        page.click("lesson-link").await?;
        page.until("a copied link", "return window.copied !== null").await?;
        let link = page.string("return window.copied").await?;
        let view = link::open(&link).map_err(|problem| problem.to_string())?.view;
        that(matches!(view.lesson, Some(LessonSource::Own(_))) && view.at == Some(2), || link.clone())?;
        let fragment = link.strip_prefix(page.url()).ok_or("a link to elsewhere")?.to_owned();
        page.go(&fragment).await?;
        at_step(&page, "Step 2 of 2", "Longer").await?;
        page.expect("makespan", "8 cycles").await?;
        page.click("lesson-show").await?;
        page.expect("lesson-state", "Done").await?;
        page.click("lesson-close").await?;
        page.gone("lesson").await?;
        page.until("the lesson to leave the address", "return !location.hash.includes('&l=')").await
    })
}

#[test]
fn what_is_changed_stays_while_someone_looks_elsewhere() -> Outcome {
    on_page("#lesson=latency-hiding/3", async |page| {
        at_step(&page, "Step 3 of 8", "A second warp").await?;
        page.put("field-warps-count", "3").await?;
        page.expect("makespan", "110 cycles").await?;
        page.click("room-lessons").await?;
        page.wait_for("card-orders").await?;
        page.click("lab-warps").await?;
        page.expect("makespan", "110 cycles").await?;
        at_step(&page, "Step 3 of 8", "A second warp").await?;
        page.put("field-warps-count", "2").await?;
        page.expect("lesson-state", "Done").await
    })
}

#[test]
fn sliders_of_a_step_change_the_document_and_the_picture_follows() -> Outcome {
    on_page("#lesson=latency-hiding/3", async |page| {
        at_step(&page, "Step 3 of 8", "A second warp").await?;
        page.expect("makespan", "74 cycles").await?;
        page.expect("lesson-value-0", "1").await?;
        page.put("lesson-control-0", "2").await?;
        page.expect("makespan", "92 cycles").await?;
        page.expect("lesson-state", "Done").await?;
        page.expect_value("field-warps-count", "2").await?;
        page.expect("lesson-value-0", "2").await?;
        // By keyboard, which leaves the selection of the schedule alone.
        page.eval("document.querySelector('[data-testid=lesson-control-0]').focus()", vec![]).await?;
        page.press(&key(Key::Right)).await?;
        page.expect("makespan", "110 cycles").await?;
        page.expect("selected", "").await?;
        // What the slider does not reach stays as it is.
        page.put("field-warps-count", "6").await?;
        page.expect("makespan", "164 cycles").await?;
        page.expect("lesson-value-0", "6").await?;
        page.expect_value("lesson-control-0", "4").await?;
        page.expect_value("field-warps-count", "6").await?;
        page.click("undo").await?;
        page.expect("makespan", "110 cycles").await?;
        page.expect("lesson-value-0", "3").await
    })
}

#[test]
fn choices_of_a_step_switch_at_once() -> Outcome {
    on_page("#lesson=latency-hiding/4", async |page| {
        at_step(&page, "Step 4 of 8", "Hiding off, hiding on").await?;
        page.expect("makespan", "74 cycles").await?;
        let pressed = |off: bool| {
            format!(
                "return [0, 1].map((at) => document.querySelector(`[data-testid=lesson-choice-0-${{at}}]`).getAttribute('aria-pressed')).join() === '{off},{}'",
                !off
            )
        };
        page.until("hiding to be off", &pressed(true)).await?;
        page.click("lesson-choice-0-1").await?;
        page.expect("makespan", "400 cycles").await?;
        page.until("hiding to be on", &pressed(false)).await?;
        answer(&page, "0").await?;
        page.expect("lesson-state", "Done").await?;
        page.click("lesson-choice-0-0").await?;
        page.expect("makespan", "74 cycles").await?;
        // Another document has no such values.
        show(&page, "raravi-formula").await?;
        page.until(
            "controls that are off",
            "return document.querySelector('[data-testid=lesson-choice-0-1]').disabled",
        )
        .await?;
        // Beside another lab the lesson waits.
        show(&page, "head-of-line").await?;
        page.wait_for("tile-end").await?;
        page.wait_for("lesson-away").await.map(drop)
    })
}

#[test]
fn every_step_on_latency_hiding_has_its_picture_and_its_controls_on_the_screen() -> Outcome {
    on_page("", async |page| {
        for (width, height) in [(1440, 900), (1280, 720), (390, 844)] {
            page.look(Look { width, height, ..Look::default() }).await?;
            for step in 1..=7 {
                page.go(&format!("#lesson=latency-hiding/{step}")).await?;
                page.expect("lesson-state", "Not done yet").await?;
                page.wait_for("makespan").await?;
                page.until("controls in sight", IN_SIGHT).await?;
                page.until("the step's scenario", THERE).await?;
                // Beside the card all of the picture is seen; beneath it at least the axis and some rows are.
                let rows = if width == 390 { "plot.height - unseen > 110" } else { "false" };
                let seen = format!("{UNSEEN_OF_PICTURE}; return unseen < 1 || {rows}");
                page.until(&format!("step {step} at {width} by {height}: the picture in sight"), &seen)
                    .await?;
            }
        }
        Ok(())
    })
}

/// Whether all controls of a step and its title are seen whole.
const IN_SIGHT: &str = "const seen = (e) => { const {top, bottom} = e.getBoundingClientRect(); return top > -1 && bottom < innerHeight + 1; };
    return [...document.querySelectorAll('[data-testid=lesson-step], .lesson-controls > *, [data-testid=lesson-next]')].every(seen)";

/// Whether the page shows the scenario of a step on latency hiding.
const THERE: &str =
    "return document.querySelector('.brief h2')?.textContent === 'Warps that wait for their loads'";

/// How much of the height of the picture is beneath the window or behind the card of a step.
const UNSEEN_OF_PICTURE: &str =
    "const plot = document.querySelector('[data-testid=plot] canvas').getBoundingClientRect();
    const card = document.querySelector('.lesson-card').getBoundingClientRect();
    const behind = card.right <= plot.left ? 0 : Math.max(0, card.bottom - plot.top);
    const unseen = behind + Math.max(0, plot.bottom - innerHeight)";

#[test]
fn the_button_for_the_worst_case_does_what_a_step_asks_for() -> Outcome {
    on_page("#lesson=orders/7", async |page| {
        at_step(&page, "Step 7 of 7", "Is 9 the worst?").await?;
        page.click("proof-run").await?;
        page.expect("lesson-state", "Done").await?;
        page.expect_part("proof-bounds", "The worst case is 9 cycles, proven.").await
    })
}

#[test]
fn what_is_no_lesson_says_so_and_changes_nothing() -> Outcome {
    on_page("#lesson=nothing", async |page| {
        page.expect_part("lesson-trouble", "there is none called \"nothing\"").await?;
        page.expect("makespan", "154 cycles").await?;
        page.visit("#lesson=lessons/missing.json").await?;
        page.expect_part("lesson-trouble", "is not there").await?;
        page.visit("#lesson=../../missing.json").await?;
        page.expect_part("lesson-trouble", "leads away from the page").await?;
        page.paste("body", DAMAGED).await?;
        for part in ["steps[0].txt", "unknown key", "steps[0].text", "missing", "figure-3"] {
            page.expect_part("lesson-trouble", part).await?;
        }
        page.expect("makespan", "154 cycles").await?;
        page.click("to-lessons").await?;
        let path = file("damaged-lesson.json", DAMAGED.as_bytes())?;
        let input = page.wait_for("lesson-file").await?;
        input.send_keys(&path).await.map_err(|error| error.to_string())?;
        page.expect_part("lesson-file-trouble", "steps[0].txt").await
    })
}

#[test]
fn a_lesson_is_gone_through_by_keyboard_and_fits_small_screens() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("#lesson=head-of-line").await?;
        at_step(&page, "Step 1 of 7", "A small kernel waits").await?;
        page.wait_for("tile-end").await?;
        fits(&page, "a step at 390").await?;
        same("too small in a step", too_small(&page).await?, json!([]))?;
        page.eval("document.querySelector('[data-testid=lesson-answer]').focus()", vec![]).await?;
        page.press("28\n").await?;
        page.expect("lesson-state", "Done").await?;
        same("without a name in a step", nameless(&page).await?, vec![])?;
        let tabs = "let e = document.activeElement, all = [...document.querySelectorAll('.lesson-card button:enabled, .lesson-card input')];
            return all.indexOf(document.querySelector('[data-testid=lesson-next]')) - all.indexOf(e)";
        let steps = page.eval(tabs, vec![]).await?.as_u64().unwrap_or(0);
        page.press(&key(Key::Tab).repeat(usize::try_from(steps).unwrap_or(0))).await?;
        page.press("\n").await?;
        at_step(&page, "Step 2 of 7", "Was there no room?").await?;
        let focused = page.eval("return document.activeElement.id", vec![]).await?;
        same("what has the focus", focused, Value::from("lesson-step"))?;
        page.click("lesson-fold").await?;
        page.look(Look { width: 320, ..Look::default() }).await?;
        fits(&page, "a folded step at 320").await?;
        page.go("#lessons").await?;
        page.wait_for("card-orders").await?;
        fits(&page, "the list at 320").await?;
        same("too small in the list", too_small(&page).await?, json!([]))
    })
}

/// Waits until a part of the page is seen whole within the window.
async fn in_sight(page: &Page, selector: &str) -> Outcome {
    let script = format!(
        "const {{top, bottom, width}} = document.querySelector('{selector}').getBoundingClientRect();
        return width > 0 && top > -1 && bottom < innerHeight + 1"
    );
    page.until(&format!("{selector} in sight"), &script).await
}

#[test]
fn text_and_picture_of_a_step_are_seen_together() -> Outcome {
    in_browser(Look { width: 1440, height: 900, ..Look::default() }, async |page| {
        page.go("#lesson=orders").await?;
        at_step(&page, "Step 1 of 7", "A schedule is a table").await?;
        page.expect("makespan", "8 cycles").await?;
        for seen in ["[data-testid=lesson-next]", "[data-testid=lesson-step]", "[data-testid=plot]"] {
            in_sight(&page, seen).await?;
        }
        let beside = "const box = (s) => document.querySelector(s).getBoundingClientRect();
            return box('.lesson-card').right <= box('[data-testid=plot]').left";
        page.until("the card beside the picture", beside).await?;
        // As a bar on top it takes less than half of a narrow window, and stays there.
        page.look(Look { width: 390, height: 844, ..Look::default() }).await?;
        let bar = "scrollTo(0, 400);
            const {top, bottom} = document.querySelector('.lesson-card').getBoundingClientRect();
            return scrollY > 0 && top > -1 && bottom < 0.46 * innerHeight";
        page.until("the card on top of the window", bar).await?;
        in_sight(&page, "[data-testid=lesson-next]").await
    })
}

#[test]
fn what_an_author_notes_does_not_tell_the_answer_of_a_step() -> Outcome {
    on_page("#lesson=orders", async |page| {
        at_step(&page, "Step 1 of 7", "A schedule is a table").await?;
        page.expect("makespan", "8 cycles").await?;
        let told = "return [...document.querySelectorAll('.about, [data-testid=field-notes]')].filter((e) => e.checkVisibility()).length";
        same("notes that are seen", page.number(told).await?, 0.0)?;
        page.click("lesson-close").await?;
        page.gone("lesson").await?;
        page.until("the notes", "return document.querySelector('.about').checkVisibility()").await
    })
}

#[test]
fn the_list_of_lessons_says_where_to_begin() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("#lessons").await?;
        page.expect("start-here", "Start here").await?;
        let drawn = "return document.querySelectorAll('.card .thumb.drawn').length > 0";
        page.until("a picture", drawn).await?;
        let screens = page.number("return document.documentElement.scrollHeight / innerHeight").await?;
        that(screens <= 3.0, || format!("the list is {screens} screens high"))?;
        page.click("start-here").await?;
        page.wait_for("lesson-step").await.map(drop)
    })
}

#[test]
fn a_right_answer_alone_is_told_what_else_is_asked_for() -> Outcome {
    on_page("", async |page| {
        page.visit("#lesson=latency-hiding/2").await?;
        page.expect("lesson-at", "Step 2 of 8").await?;
        answer(&page, "7").await?;
        page.expect_part("lesson-verdict", "That is right. The step asks for something else, too").await?;
        page.expect("lesson-state", "Not done yet").await
    })
}

#[test]
fn a_lesson_waits_in_its_lab() -> Outcome {
    on_page("#lesson=latency-hiding", async |page| {
        page.wait_for("lesson-card").await?;
        page.wait_for("makespan").await?;
        let title = page.text("lesson-title").await?;
        // Beside another lab there is the way back to it, and nothing else of it.
        page.click("lab-studies").await?;
        page.wait_for("lesson-away").await?;
        page.gone("lesson-card").await?;
        page.expect_part("lesson-away", &title).await?;
        page.expect("lesson-return", "Back to step 1").await?;
        page.click("lesson-return").await?;
        page.wait_for("lesson-card").await?;
        page.gone("lesson-away").await?;
        page.expect("lesson-title", &title).await?;
        // It can be left there, too.
        page.click("lab-tasks").await?;
        page.click("lesson-leave").await?;
        page.gone("lesson-away").await?;
        page.wait_for("tasks-plot").await.map(drop)
    })
}
