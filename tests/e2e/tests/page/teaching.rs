//! In front of a class: answers hidden and guessed, everything larger, scenarios within other pages, sheets of paper.

use serde_json::json;
use warpspan::draw::gantt::AXIS;
use warpspan::scenario::link;
use warpspan_e2e::{Outcome, Page, on_page, same, that};

use crate::links::copied_view;
use crate::scenario_panel::show;

/// Unfolds what is for teachers, and presses one of its buttons.
async fn teach(page: &Page, button: &str) -> Outcome {
    page.eval("document.querySelector('.teach').open = true", vec![]).await?;
    page.click(button).await
}

#[test]
fn a_makespan_is_guessed_before_it_is_seen() -> Outcome {
    on_page("", async |page| {
        teach(&page, "hide-answer").await?;
        page.gone("makespan").await?;
        page.gone("figure").await?;
        page.expect_part("guess", "16 warps execute 5L 9C 2L 9C").await?;
        that(copied_view(&page).await?.hide, || "the link does not hide the answer".to_owned())?;
        page.fill("guess-0", "lots").await?;
        page.expect_part("guess", "“lots” is no number.").await?;
        page.fill("guess-0", "150").await?;
        page.click("reveal").await?;
        page.expect("makespan", "154 cycles").await?;
        page.expect_part("guessed", "154 cycles; you said 150 cycles, 4 cycles too little").await?;
        page.expect_part("guessed", "0 of 1 guess right, 1 close").await?;
        page.click("forget-guesses").await?;
        page.gone("guessed").await
    })
}

#[test]
fn a_link_hides_the_answer_and_an_opened_example_does_not() -> Outcome {
    on_page("", async |page| {
        teach(&page, "hide-answer").await?;
        page.wait_for("guess").await?;
        page.until("the address", "return location.hash.includes('&hide=1')").await?;
        let fragment = page.fragment().await?;
        page.go(&fragment).await?;
        page.wait_for("guess").await?;
        same("what tells the answer", page.count("[data-testid=makespan], [data-testid=figure]").await?, 0)?;
        show(&page, "figure-2").await?;
        page.expect("makespan", "8 cycles").await
    })
}

/// Another document asks another question in the same place.
#[test]
fn a_question_is_that_of_the_document() -> Outcome {
    on_page("", async |page| {
        for (example, warps) in [("code-barrier", "of 4 warps"), ("code-saxpy", "of 8 warps")] {
            page.go(&format!("#example={example}&hide=1")).await?;
            page.expect_part("guess", warps).await?;
        }
        Ok(())
    })
}

#[test]
fn code_traces_and_waves_ask_before_they_tell() -> Outcome {
    on_page("", async |page| {
        // What is asked, and what tells the answer.
        let labs = [
            ("code-saxpy", "About how many cycles", "[data-testid=tile-makespan], [data-testid=code-proof]"),
            (
                "loss-in-every-step",
                "nothing run on the GPU",
                "[data-testid=traces-plot], [data-testid=traces-causes]",
            ),
            (
                "waves-layernorm",
                "issue an instruction",
                "[data-testid=tile-waves-named], [data-testid=waves-causes]",
            ),
        ];
        for (example, asks, tells) in labs {
            page.go(&format!("#example={example}&hide=1")).await?;
            page.expect_part("guess", asks).await?;
            same(example, page.count(tells).await?, 0)?;
            page.fill("guess-0", "50").await?;
            page.click("reveal").await?;
            page.expect_part("guessed", "you said 50").await?;
            page.wait_for_css(tells).await?;
        }
        Ok(())
    })
}

#[test]
fn a_guess_outlasts_the_search_that_goes_on() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-scan&hide=1").await?;
        page.fill("guess-0", "50").await?;
        page.click("reveal").await?;
        page.expect_part("code-told", "computed in").await?;
        page.expect_part("guessed", "you said 50").await
    })
}

#[test]
fn a_study_has_nothing_to_hide() -> Outcome {
    on_page("", async |page| {
        page.go("#example=latency-hiding&hide=1").await?;
        page.wait_for("study-plot").await?;
        page.until(
            "its title",
            "return document.querySelector('[data-testid=title]').textContent.startsWith('Latency')",
        )
        .await
    })
}

#[test]
fn the_next_blocks_place_is_guessed_one_by_one() -> Outcome {
    on_page("", async |page| {
        page.click("lab-blocks").await?;
        page.wait_for("tile-end").await?;
        teach(&page, "hide-answer").await?;
        page.wait_for("so-far").await?;
        page.gone("tile-end").await?;
        page.gone("blocks-figure").await?;
        page.expect_part("guess", "At 0 s, where does K1:0 go?").await?;
        let drawn = "return [...document.querySelectorAll('.guess-picture text')].filter((t) => /^K\\d+:\\d+$/.test(t.textContent)).length";
        same("blocks before any guess", page.number(drawn).await?, 0.0)?;
        page.click("guess-0-SM 0").await?;
        page.expect_part("guess", "Right: SM 0").await?;
        page.click("guess-1-SM 0").await?;
        page.expect_part("guess", "Not so: SM 1; you said SM 0").await?;
        same("blocks after two guesses", page.number(drawn).await?, 2.0)?;
        page.expect_part("guess", "When does K2 end?").await?;
        page.click("reveal").await?;
        page.expect_part("guessed", "1 of 2 guesses right").await?;
        page.wait_for("blocks-figure").await.map(drop)
    })
}

#[test]
fn a_verdict_is_guessed() -> Outcome {
    on_page("", async |page| {
        page.click("lab-tasks").await?;
        page.wait_for("tasks-verdict").await?;
        teach(&page, "hide-answer").await?;
        page.gone("tasks-verdict").await?;
        page.click("guess-0-yes").await?;
        let pressed = "return document.querySelector('[data-testid=guess-0-yes]').ariaPressed === 'true'";
        page.until("the choice", pressed).await?;
        that(!page.text("guess").await?.contains("Right"), || {
            "a guess is judged before the answer".to_owned()
        })?;
        page.click("reveal").await?;
        page.expect_part("tasks-verdict", "EDF meets every deadline").await?;
        page.expect_part("guessed", "1 of 1 guess right").await
    })
}

#[test]
fn in_front_of_a_class_everything_is_larger_and_pointers_still_hit() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-2").await?;
        let text =
            "return parseFloat(getComputedStyle(document.querySelector('[data-testid=makespan]')).fontSize)";
        let before = (page.number(text).await?, page.rect("[data-testid=plot] canvas").await?[3]);
        page.click("projector").await?;
        page.until("a larger picture", "return document.documentElement.hasAttribute('data-projector')")
            .await?;
        that(page.number(text).await? > 1.2 * before.0, || "the text is no larger".to_owned())?;
        // The picture is measured and painted anew.
        page.quiet().await?;
        let [left, top, width, height] = page.place("[data-testid=plot] canvas").await?;
        // The last warp's row, in its last cycle: cycle 8 of 8, warp 4. Beneath it are two lanes of units, each 0.7 times
        // as high as a row.
        let row = (height / 1.3 - AXIS - 10.0) / (4.0 + 2.0 * 0.7);
        page.click_at(left + width - 12.0, top + 1.3 * (AXIS + 3.5 * row)).await?;
        page.expect("selected", "4:3").await?;
        that(copied_view(&page).await?.projector, || "the link forgets it".to_owned())?;
        page.click("projector").await?;
        page.until("the usual size", "return !document.documentElement.hasAttribute('data-projector')").await
    })
}

#[test]
fn a_scenario_within_another_page_tells_how_high_it_is() -> Outcome {
    on_page("", async |page| {
        let script =
            "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";
        page.eval(&format!("window.copied = null; {script}"), vec![]).await?;
        teach(&page, "copy-embed").await?;
        page.until("the code", "return window.copied !== null").await?;
        let code = page.string("return window.copied").await?;
        that(code.starts_with("<iframe src=\"") && code.contains("title=\"Warpspan: Voronoi"), || {
            code.clone()
        })?;
        let watch = "window.told = []; addEventListener('message', (event) => window.told.push(event.data));
            const place = document.createElement('div'); place.style.width = '600px';
            place.innerHTML = arguments[0]; document.body.prepend(place)";
        page.eval(watch, vec![json!(code)]).await?;
        page.until(
            "word of its height",
            "return window.told.some((m) => m.type === 'warpspan-ready' && m.height > 300)",
        )
        .await?;
        page.eval("document.querySelector('iframe').parentElement.style.width = '330px'", vec![]).await?;
        page.until(
            "word of another height",
            "return window.told.some((m) => m.type === 'warpspan-height' && m.height !== window.told[0].height)",
        )
        .await?;
        let bare = "const inner = document.querySelector('iframe').contentDocument;
            return inner.querySelector('header, .toolbar') === null && inner.location.hash.includes('embed=1')";
        page.until("nothing around it", bare).await?;
        let src = page.string("return document.querySelector('iframe').src").await?;
        let opened = link::open(&src).map_err(|problem| problem.to_string())?;
        that(opened.view.embed, || "not an embedding".to_owned())
    })
}

#[test]
fn a_sheet_holds_the_scenario_and_its_numbers_and_a_worksheet_does_not() -> Outcome {
    on_page("", async |page| {
        for (lab, result, told) in [
            ("", "makespan", "8 cycles"),
            ("lab-blocks", "tile-end", "12 s"),
            ("lab-tasks", "tasks-verdict", "EDF meets every deadline"),
        ] {
            if lab.is_empty() {
                show(&page, "figure-2").await?;
                page.expect(result, "8 cycles").await?;
            } else {
                page.click(lab).await?;
                // Not the result of the lab before.
                page.wait_for(result).await?;
            }
            teach(&page, "make-sheet").await?;
            page.expect_part("paper", told).await?;
            that(page.count("[data-testid=paper] .picture svg").await? == 1, || {
                format!("no picture in {lab}")
            })?;
            page.click("worksheet").await?;
            page.expect_part("paper", "Name:").await?;
            that(!page.text("paper").await?.contains(told), || format!("the worksheet of {lab} tells"))?;
            that(page.count("[data-testid=paper] .picture svg").await? == 1, || {
                format!("nothing to draw into in {lab}")
            })?;
            page.click("sheet-back").await?;
            page.gone("paper").await?;
        }
        Ok(())
    })
}

#[test]
fn a_worksheet_leads_to_the_question_and_fits_a_pencil() -> Outcome {
    on_page("#example=voronoi-16", async |page| {
        page.expect("makespan", "154 cycles").await?;
        teach(&page, "make-sheet").await?;
        page.expect_part("sheet-link", "#example=voronoi-16").await?;
        that(!page.text("sheet-link").await?.contains("hide"), || "the open sheet hides".to_owned())?;
        page.wait_for("qr").await?;
        page.click("worksheet").await?;
        page.expect_part("sheet-link", "#example=voronoi-16&hide=1").await?;
        page.expect_part("sheet-large", "cells too small to write in").await?;
        same("grids", page.count("[data-testid=paper] .picture svg").await?, 0)?;
        page.click("sheet-small").await?;
        page.expect_part("paper", "1 1 2 2 3 3 4 1 4 2 3 4").await?;
        page.gone("sheet-large").await?;
        let cell =
            "return parseFloat(document.querySelector('.paper .picture svg').getAttribute('width')) > 80";
        page.until("a grid in millimetres", cell).await
    })
}

#[test]
fn what_is_hidden_is_not_told_by_titles() -> Outcome {
    on_page("", async |page| {
        page.go("#example=head-of-line&hide=1").await?;
        page.wait_for("guess").await?;
        page.expect("title", "Guess first").await?;
        page.until("the window's name", "return document.title === 'Guess first · Blocks · Warpspan'")
            .await?;
        let told = "return document.body.innerText.includes('head of the queue') || !!document.querySelector('[data-testid=field-title]')
            || document.querySelector('[data-testid=example]').selectedOptions[0].text !== 'Guess first'";
        that(page.eval(told, vec![]).await? == json!(false), || "something tells the title".to_owned())?;
        page.click("reveal").await?;
        page.expect_part("title", "head of the queue").await
    })
}

#[test]
fn the_next_entry_of_an_order_is_placed_by_hand() -> Outcome {
    on_page("", async |page| {
        page.go("#example=figure-2&hide=1").await?;
        page.expect_part("predict-asks", "Entry 1 of 12: the next instruction of warp 1 is L.").await?;
        page.click("predict-1-1").await?;
        page.expect_part("predict-told", "Right: cycle 1. 1 of 1 right.").await?;
        page.click("predict-1-5").await?;
        page.expect_part("predict-told", "Not so: cycle 2; you said 5. 1 of 2 right.").await?;
        page.expect_part("predict-asks", "Entry 3 of 12").await
    })
}

#[test]
fn only_the_sheet_is_printed() -> Outcome {
    on_page("", async |page| {
        teach(&page, "make-sheet").await?;
        page.wait_for("paper").await?;
        page.eval("window.printed = 0; window.print = () => { window.printed += 1; }", vec![]).await?;
        page.click("print").await?;
        page.until("one print", "return window.printed === 1").await?;
        // What is for paper is shown on the screen.
        let paper = "for (const sheet of document.styleSheets) for (const rule of sheet.cssRules)
            if (rule.media?.mediaText === 'print') rule.media.mediaText = 'all'";
        page.eval(paper, vec![]).await?;
        let seen = "return ['.header', '.sheet-tools', '#toasts'].filter((s) => {
            const e = document.querySelector(s); return e && getComputedStyle(e).display !== 'none'; })";
        same("beside the sheet", page.eval(seen, vec![]).await?, json!([]))
    })
}
