//! PTX on the page: pasted, dropped, its kernels and paths, its mistakes, and source and schedule together.

use fantoccini::key::Key;
use serde_json::json;
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, on_page, same, that, with_control};

use crate::keyboard::{focused, tab_to};
use crate::reach::{fits, too_small};
use crate::scenario_panel::show;

const FIGURE_11: &str = include_str!("../../../ptx/figure-11.ptx");
const MATRIX_MULTIPLY: &str = include_str!("../../../ptx/matrix-multiply.ptx");
const SEVERAL_KERNELS: &str = include_str!("../../../ptx/several-kernels.ptx");
const SPECIAL_FUNCTIONS: &str = include_str!("../../../ptx/special-functions.ptx");
const SWITCH: &str = include_str!("../../../ptx/switch.ptx");

const FIELD: &str = "field-warps-ptx";

/// Writes into the field with the focus as pasting does.
async fn paste_here(page: &Page, text: &str) -> Outcome {
    let script = "document.execCommand('insertText', false, arguments[0])";
    page.eval(script, vec![json!(text)]).await.map(drop)
}

/// Makes the kernel of the first screen that of a program.
async fn take(page: &Page, program: &str) -> Outcome {
    page.click("kernel-ptx").await?;
    page.put(FIELD, program).await?;
    page.wait_for("source").await.map(drop)
}

/// The number of the selected line, as the source shows it.
const SELECTED_LINE: &str = "return document.querySelector(
    '[data-testid=source-lines] [aria-selected=true]')?.children[0].textContent ?? 'none'";

async fn selected_line(page: &Page, line: &str) -> Outcome {
    let script = SELECTED_LINE.replacen("return", "return (", 1) + &format!(") === '{line}'");
    page.until(&format!("line {line} to be selected"), &script).await
}

/// Clicks a line that is in sight.
async fn click_line(page: &Page, line: usize) -> Outcome {
    page.click_css(&format!("#source-lines-{}", line - 1)).await
}

#[test]
fn figure_11_is_pasted_and_comes_back_as_a_string() -> Outcome {
    on_page("", async |page| {
        page.click("kernel-ptx").await?;
        page.expect_part("problems", "Paste the program").await?;
        page.expect("makespan", "154 cycles").await?;
        page.expect("stale", "The kernel before: paste a program").await?;
        same("what is struck out", page.count(".stale").await?, 0)?;
        page.click(FIELD).await?;
        paste_here(&page, FIGURE_11).await?;
        page.expect("source-string", "5L 9C 2L 9C").await?;
        page.expect("makespan", "154 cycles").await?;
        page.expect_part("source-path", "no conditional branch is taken").await?;
        page.expect("problems", "").await?;
        page.click("kernel-string").await?;
        page.expect_value("field-warps-kernel", "5L 9C 2L 9C").await?;
        page.gone("source").await?;
        page.click("undo").await?;
        page.expect("source-string", "5L 9C 2L 9C").await?;
        page.click("undo").await?;
        page.click("undo").await?;
        page.expect_value("field-warps-kernel", "5L 9C 2L 9C").await
    })
}

#[test]
fn loops_run_as_often_as_one_says() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-ptx").await?;
        page.choose("path", "loops").await?;
        page.expect_value("rounds", "1").await?;
        page.expect("source-string", "5L 9C 2L 12C").await?;
        page.fill("rounds", "2").await?;
        page.expect("source-string", "5L 9C 2L 12C 2L 12C").await?;
        page.expect_part("source-path", "every loop runs 2 times").await?;
        page.choose("path", "longest").await?;
        page.expect_value("rounds", "2").await?;
        page.fill("rounds", "many").await?;
        page.expect_part("problems-warps-path", "whole number").await?;
        page.choose("path", "fall-through").await?;
        page.expect("source-string", "5L 9C 2L 9C").await
    })
}

#[test]
fn nested_loops_have_rounds_of_their_own() -> Outcome {
    on_page("", async |page| {
        take(&page, MATRIX_MULTIPLY).await?;
        page.choose("path", "loops").await?;
        page.fill("rounds", "2").await?;
        page.expect_value("rounds-$L__BB0_3", "2").await?;
        page.fill("rounds-$L__BB0_3", "5").await?;
        page.expect_value("rounds-$L__BB0_2", "2").await?;
        page.expect_value("rounds", "").await?;
        page.click("as-json").await?;
        let text = page.value("json").await?;
        that(text.contains(r#""$L__BB0_2": 2"#) && text.contains(r#""$L__BB0_3": 5"#), || text)
    })
}

#[test]
fn one_of_several_kernels_is_taken() -> Outcome {
    on_page("", async |page| {
        take(&page, SEVERAL_KERNELS).await?;
        page.expect_value("entry", "first").await?;
        page.expect_part("source-notes", "The text has several kernels").await?;
        page.choose("entry", "second").await?;
        page.expect_part("source-path", "second;").await?;
        page.click("undo").await?;
        page.expect_part("source-path", "first;").await?;
        page.expect_value("entry", "first").await
    })
}

#[test]
fn every_branch_is_chosen() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-ptx").await?;
        page.choose("path", "branches").await?;
        // Nothing leaves the loop yet.
        page.expect_part("problems-warps-path", "more than 10,000 instructions").await?;
        page.expect_value("fork-line 15", "not-taken").await?;
        page.choose("fork-line 15", "taken").await?;
        page.expect("source-string", "5L 9C").await?;
        page.choose("fork-line 15", "after").await?;
        page.expect("source-string", "5L 9C 2L 12C").await?;
        page.fill("times-line 15", "2").await?;
        page.expect("source-string", "5L 9C 2L 12C 2L 12C").await?;
        page.choose("fork-line 23", "first").await?;
        page.expect("source-string", "5L 9C 2L 10C 2L 12C").await?;
        page.expect_value("times-line 23", "1").await?;
        take(&page, SWITCH).await?;
        page.choose("fork-line 23", "to $L__BB0_3").await?;
        page.expect_value("fork-line 23", "to $L__BB0_3").await?;
        page.expect_part("problems-warps-path", "no conditional branch at line 15").await?;
        page.click_in("choices", "Remove").await?;
        page.expect("problems", "").await
    })
}

#[test]
fn a_mistake_is_told_beside_the_field_with_line_and_column() -> Outcome {
    on_page("", async |page| {
        take(&page, FIGURE_11).await?;
        page.put(FIELD, ".entry k()\n{\n  add.f32 %f1 %f2;\n  bra Nowhere;\n}").await?;
        let told = "const field = document.querySelector('[data-testid=field-warps-ptx]');
            const notes = document.getElementById(field.getAttribute('aria-describedby'));
            return field.getAttribute('aria-invalid') + ': ' + [...notes.querySelectorAll('.to-line')].map((p) => p.textContent).join(' ')";
        page.until("the mistakes", &format!("{} === 'true: Line 3 column 15: \"%f2\". Expected \",\" or \";\". Line 4 column 3: no label \"Nowhere\" in this function. Expected a label that stands in it.'", told)).await?;
        page.expect("source-string", "5L 9C 2L 9C").await?;
        page.expect("makespan", "154 cycles").await
    })
}

#[test]
fn a_dropped_program_replaces_only_the_kernel() -> Outcome {
    on_page("", async |page| {
        page.fill("field-warps-count", "3").await?;
        page.fill("field-warps-machine-C", "2").await?;
        page.choose("method", "fixed-priority").await?;
        page.drop_files(&[("figure-11.ptx", FIGURE_11)]).await?;
        page.expect("source-string", "5L 9C 2L 9C").await?;
        page.expect_value("field-warps-count", "3").await?;
        page.expect_value("field-warps-machine-C", "2").await?;
        page.expect_value("method", "fixed-priority").await?;
        // No unit for sines: the machine is the one a program alone gets.
        page.drop_files(&[("sines.ptx", SPECIAL_FUNCTIONS)]).await?;
        page.expect_value("machine-kind", "preset").await?;
        page.expect_value("field-warps-count", "3").await?;
        same("trouble", page.has("trouble").await?, false)?;
        page.click("undo").await?;
        page.expect_value("machine-kind", "capacities").await?;
        page.drop_files(&[("bad.ptx", ".entry k()\n{\n  add.f32 %f1 %f2;\n}")]).await?;
        page.expect_part("trouble", "line 3 column 15").await?;
        page.expect("source-string", "5L 9C 2L 9C").await
    })
}

#[test]
fn source_and_schedule_select_in_each_other() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-ptx").await?;
        click_line(&page, 9).await?;
        page.expect("selected", "1:8").await?;
        page.expect_part("source-about", "Line 9: sub.f32 runs on C (CUDA core), executed once: ").await?;
        selected_line(&page, "9").await?;
        let find = page.wait_for_css("#find").await?;
        find.send_keys(&format!("4:20{}", key(Key::Enter))).await.map_err(|error| error.to_string())?;
        page.expect("selected", "4:20").await?;
        selected_line(&page, "21").await?;
        // A comment stands for no instruction.
        page.eval("document.querySelector('[data-testid=source-lines]').scrollTop = 0", vec![]).await?;
        click_line(&page, 1).await?;
        page.expect_part("status", "Line 1 is not in the schedule").await?;
        page.expect("selected", "4:20").await
    })
}

/// The pixels of the schedule.
async fn pixels(page: &Page) -> Result<String, String> {
    page.idle().await?;
    page.string("return document.querySelector('[data-testid=plot] canvas').toDataURL()").await
}

#[test]
fn a_line_that_is_pointed_at_stands_out_in_the_picture() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-ptx").await?;
        page.wait_for_css("#source-lines-8").await?;
        page.hover((2.0, 2.0)).await?;
        let before = pixels(&page).await?;
        let [left, top, _, height] = page.place("#source-lines-8").await?;
        page.hover((left + 20.0, top + height / 2.0)).await?;
        page.expect_part("source-about", "Line 9: ").await?;
        that(pixels(&page).await? != before, || "the picture is the same".to_owned())?;
        page.hover((2.0, 2.0)).await?;
        page.expect_part("source-about", "Point at a line").await?;
        that(pixels(&page).await? == before, || "the picture is another one".to_owned())
    })
}

#[test]
fn what_is_sought_is_counted_and_gone_through() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-ptx").await?;
        page.wait_for("source-lines").await?;
        let plain = pixels(&page).await?;
        let find = page.wait_for_css("#find").await?;
        let keys = async |keys: String| find.send_keys(&keys).await.map_err(|error| error.to_string());
        // Text of the program: twelve of its instructions, in sixteen warps.
        keys("MOV".to_owned()).await?;
        page.expect("find-count", "192").await?;
        that(pixels(&page).await? != plain, || "nothing stands out".to_owned())?;
        keys(key(Key::Enter)).await?;
        page.expect("find-count", "1 of 192").await?;
        page.expect("selected", "1:1").await?;
        page.click("find-next").await?;
        page.expect("find-count", "2 of 192").await?;
        page.click("find-back").await?;
        page.click("find-back").await?;
        page.expect("find-count", "192 of 192").await?;
        // A unit by its letter; and nothing by that name.
        page.eval("const field = document.querySelector('#find'); field.value = 'L'; field.dispatchEvent(new Event('input', {bubbles: true}))", vec![]).await?;
        page.expect("find-count", "112").await?;
        page.eval("const field = document.querySelector('#find'); field.value = 'nowhere'; field.dispatchEvent(new Event('input', {bubbles: true}))", vec![]).await?;
        page.gone("find-next").await?;
        keys(key(Key::Enter)).await?;
        page.expect_part("status", "Not found here: nowhere").await?;
        that(page.has("plot").await?, || "there is no picture".to_owned())
    })
}

#[test]
fn unknown_instructions_are_listed_and_lead_to_their_lines() -> Outcome {
    on_page("", async |page| {
        let mut program = "add.f32 %f1, %f2, %f3;\n".repeat(60);
        program += "frobnicate.u32 %r1, %r2;\nfrobnicate.u32 %r1, %r2;\n";
        take(&page, &program).await?;
        page.expect_part("source-unknown", "frobnicate.u32 × 2").await?;
        page.expect_part("source-counts", "C").await?;
        page.click_in("source-unknown", "frobnicate.u32 × 2").await?;
        page.expect_part("source-about", "Line 61: frobnicate.u32 runs on C").await?;
        // Rows are made once the list has scrolled to them.
        let marks = "return document.querySelectorAll('.source .strange').length === 2";
        page.until("two question marks in sight", marks).await
    })
}

#[test]
fn ten_thousand_lines_stay_smooth() -> Outcome {
    on_page("", async |page| {
        let mut program = "ld.global.f32 %f1, [%rd1];\n".to_owned();
        program += &"add.f32 %f1, %f2, %f3; // one of many lines\n\n".repeat(4_999);
        program += "st.global.f32 [%rd1], %f1;\n";
        page.click("kernel-ptx").await?;
        page.fill("field-warps-count", "2").await?;
        page.put(FIELD, &program).await?;
        page.expect("source-string", "L 4999C L").await?;
        // What is made from here on is made by scrolling.
        page.idle().await?;
        // However far one scrolls in a frame, only rows in sight are made, and those in sight are there after it.
        let scroll = "const done = arguments[0], grid = document.querySelector('[data-testid=source-lines]');
            let made = 0, most = 0, frames = 0;
            new MutationObserver((changes) => {
                for (const change of changes) made += [...change.addedNodes].filter((n) => n.nodeType === 1).length;
            }).observe(grid, {childList: true, subtree: true});
            const step = () => {
                most = Math.max(most, made); made = 0; grid.scrollTop += 400;
                if (++frames < 60) requestAnimationFrame(step);
                else done([most, grid.querySelectorAll('.line').length]);
            };
            requestAnimationFrame(step)";
        let found = page.eval_async(scroll, vec![]).await?;
        println!("elements made in a frame, rows there: {found}");
        that(found[0].as_u64().is_some_and(|made| (1..600).contains(&made)), || {
            format!("{found} in a frame")
        })?;
        that(found[1].as_u64().is_some_and(|rows| rows < 60), || format!("all rows exist: {found}"))?;
        page.wait_for("source-lines")
            .await?
            .send_keys(&key(Key::End))
            .await
            .map_err(|error| error.to_string())?;
        page.expect_part("source-about", "Line 10000: st.global.f32").await?;
        let in_sight = "const row = document.getElementById('source-lines-9999')?.getBoundingClientRect();
            const grid = document.querySelector('[data-testid=source-lines]').getBoundingClientRect();
            return !!row && row.bottom <= grid.bottom + 1";
        page.until("the last line", in_sight).await?;
        // Another path builds the rows anew; those in sight are there.
        page.choose("path", "longest").await?;
        page.expect_part("source-path", "the longest").await?;
        page.until("the last line again", in_sight).await
    })
}

#[test]
fn everything_by_keyboard() -> Outcome {
    on_page("", async |page| {
        tab_to(&page, "kernel-ptx").await?;
        page.press(&key(Key::Enter)).await?;
        tab_to(&page, FIELD).await?;
        paste_here(&page, FIGURE_11).await?;
        page.expect("source-string", "5L 9C 2L 9C").await?;
        tab_to(&page, "path").await?;
        page.press(&key(Key::Down)).await?;
        tab_to(&page, "rounds").await?;
        page.press(&format!("{}2", with_control("a"))).await?;
        page.expect_part("source-path", "every loop runs 2 times").await?;
        tab_to(&page, "source-lines").await?;
        page.press(&key(Key::Down).repeat(9)).await?;
        page.expect_part("source-about", "Line 9: sub.f32").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("selected", "1:8").await?;
        same("the focus", focused(&page).await?.as_str(), "source-lines")
    })
}

#[test]
fn it_fits_everywhere_and_is_large_enough_to_hit() -> Outcome {
    in_browser(Look::default(), async |page| {
        for width in [1440, 1024, 390, 320] {
            page.look(Look { width, ..Look::default() }).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            show(&page, "voronoi-ptx").await?;
            page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![])
                .await?;
            for path in ["loops", "branches"] {
                page.choose("path", path).await?;
                page.idle().await?;
                fits(&page, &format!("{path} at {width}")).await?;
                same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
            }
        }
        Ok(())
    })
}
