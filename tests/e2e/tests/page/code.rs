//! Machine code: a listing beside its schedule, why every instruction waited, numbers of tables that can be changed.

use fantoccini::key::Key;
use warpspan_e2e::{Look, Outcome, Page, key, on_page, same, that};

/// A listing as the disassembler prints it.
const LISTING: &str = include_str!("../../../../crates/code/read/tests/fixtures/horner_f64_8-sm_75.sass");

/// A listing with an opcode that is in no table, and a line that is none.
const ODD: &str = "code for sm_75
		Function : odd
        /*0000*/ MOV R1, c[0x0][0x28] ;
        ??? not a line of code
        /*0010*/ QUUX.E R3, R1 ;
        /*0020*/ EXIT ;
";

/// The cycles that the schedule on the screen takes.
async fn makespan(page: &Page) -> Result<u64, String> {
    let text = page.text("tile-makespan").await?;
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().map_err(|_| format!("no number: {text}"))
}

#[test]
fn an_example_shows_its_bounds_and_a_line_lights_its_instructions() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect("title", "saxpy on Turing, 8 warps").await?;
        page.expect_part("code-told", "Assumes tables of Turing").await?;
        let cycles = makespan(&page).await?;
        that(cycles > 400, || format!("two loads in {cycles} cycles"))?;
        // A unit is called as the listing and the picture call it.
        let units =
            page.string("return document.querySelector('[data-testid=code-units]').textContent").await?;
        that(units.contains("load/store") && !units.contains("global"), || units.clone())?;
        page.expect_part("tile-worst", " to ").await?;
        page.eval("document.getElementById('code-lines-9').click()", vec![]).await?;
        page.expect_part("code-details", "waits for scoreboard 2").await?;
        page.expect_part("code-details", "of the same warp").await?;
        // The other way round: the next instruction of the warp is the next line.
        page.eval("document.querySelector('[data-testid=code-schedule]').focus()", vec![]).await?;
        page.press(&key(Key::Right)).await?;
        page.expect_part("code-details", "the STG at 0x00a0").await?;
        let lit = "document.querySelector('.code-source [aria-selected=true]')?.textContent.includes('STG')";
        page.until("the line of the instruction", &format!("return {lit}")).await
    })
}

/// What an instruction is, why it waited and what its control fields say, however wide the window is.
#[test]
fn what_is_said_of_a_line_is_seen_whole() -> Outcome {
    on_page("", async |page| {
        for (width, height) in [(1600, 900), (1280, 720), (1024, 768)] {
            page.look(Look { width, height, ..Look::default() }).await?;
            for place in ["#example=code-saxpy", "#lesson=control-codes/1"] {
                page.go(place).await?;
                page.expect_part("code-told", "computed in").await?;
                page.eval("document.getElementById('code-lines-9').click()", vec![]).await?;
                page.expect_part("code-details", "Control fields: stall 8").await?;
                let whole = "const box = document.querySelector('[data-testid=code-details]'); return box.scrollHeight <= box.clientHeight + 1";
                page.until(&format!("all of it at {width} by {height}, {place}"), whole).await?;
            }
        }
        Ok(())
    })
}

#[test]
fn a_changed_latency_moves_the_makespan() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "Assumes tables of Turing").await?;
        let before = makespan(&page).await?;
        page.fill("code-latency-global", "30 40").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("code-latencies", "given").await?;
        page.expect_part("code-told", "computed in").await?;
        let after = makespan(&page).await?;
        that(after < before, || format!("{after} cycles, and {before} before"))?;
        // What is wrong is told as the field asks for it.
        page.fill("code-latency-global", "soon").await?;
        page.press(&key(Key::Enter)).await?;
        let wrong = "document.querySelector('[data-testid=code-latency-global] ~ .wrong')?.textContent";
        page.until("what is wrong", &format!("return {wrong}?.includes('as in 34-466') ?? false")).await
    })
}

#[test]
fn a_dropped_listing_is_shown() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        page.drop_files(&[("horner.sass", LISTING)]).await?;
        page.expect_part("code-told", "Assumes tables of Turing").await?;
        that(page.text("code-lines").await?.contains("DFMA"), || "no DFMA in the listing".to_owned())?;
        same("the tab", page.text("lab-code").await?.as_str(), "Code")
    })
}

#[test]
fn one_of_several_functions_is_chosen_from_a_list() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        page.drop_files(&[("two.sass", &format!("{LISTING}\n{}", ODD.replace("odd", "even")))]).await?;
        page.expect_part("code-told", "Assumes tables of Turing").await?;
        let names = "return [...document.querySelector('[data-testid=field-warps-function]').options].map((o) => o.value).join()";
        page.wait_for("field-warps-function").await?;
        same("its functions", page.string(names).await?.as_str(), "horner_f64_8,even")?;
        page.expect_value("field-warps-function", "horner_f64_8").await?;
        page.choose("field-warps-function", "even").await?;
        page.expect("title", "even, machine code").await?;
        page.expect_part("code-lines", "QUUX").await
    })
}

#[test]
fn what_is_not_sure_of_a_listing_is_marked_at_its_line() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "Assumes tables of Turing").await?;
        page.drop_files(&[("odd.sass", ODD)]).await?;
        let marked = "return document.querySelector('.code-unsure')?.getAttribute('aria-label') ?? ''";
        page.until("the mark", "return document.querySelector('.code-unsure') !== null").await?;
        let said = page.string(marked).await?;
        that(said.contains("\"QUUX\" is not in the table of opcodes"), || said.clone())?;
        let left = page.string("return document.querySelector('.code-gone.unsure').title").await?;
        that(left.starts_with("Line 4 of the listing was not understood"), || left.clone())
    })
}

/// How often a loop goes round that nobody says is asked for beside the number, and a mistake is told at its field.
#[test]
fn what_a_bound_rests_on_stands_beside_it_and_leads_to_its_field() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-mandelbrot").await?;
        page.expect_part("code-rests", "tables of Ampere").await?;
        page.expect_part("tile-worst", " to ").await?;
        let label = "return document.querySelector('.tile:has([data-testid=tile-worst]) .label').textContent";
        same("rounds are given", page.string(label).await?.as_str(), "The worst case")?;
        page.fill("code-loop-0x00c0", "").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("code-rests", "loop 0x00c0 once").await?;
        same("rounds are not", page.string(label).await?.as_str(), "The worst case, loops once")?;
        page.eval("document.querySelector('.code-rest.grave').click()", vec![]).await?;
        let there = "return document.activeElement?.dataset.testid ?? ''";
        same("the field", page.string(there).await?.as_str(), "code-loop-0x00c0")?;
        page.expect_part("code-told", "taken as once; computed in").await?;
        let before = page.text("tile-worst").await?;
        page.fill("code-loop-0x00c0", "999999").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("code-loops", "as with no loop above").await?;
        page.expect("tile-worst", &before).await?;
        page.fill("code-loop-0x00c0", "0").await?;
        page.press(&key(Key::Enter)).await?;
        let wrong = "return document.querySelector('[data-testid=code-loop-0x00c0] ~ .wrong') !== null";
        page.until("what is wrong, beside the field", wrong).await?;
        page.fill("code-loop-0x00c0", "3").await?;
        page.press(&key(Key::Enter)).await?;
        page.until("no more", "return document.querySelector('.code-rest.grave') === null").await
    })
}

/// Of a loop that the text decides the table says how often it goes round, and asks for nothing.
#[test]
fn rounds_that_the_text_decides_stand_in_the_table_of_loops() -> Outcome {
    on_page("", async |page| {
        let lines = [
            "MOV R5, RZ",
            "IADD3 R5, R5, 0x1, RZ",
            "ISETP.LT.AND P0, PT, R5, 0x9, PT",
            "@P0 BRA 0x10",
            "EXIT",
        ];
        let lines =
            lines.iter().enumerate().map(|(at, line)| format!("        /*{:04x}*/ {line} ;\n", at * 16));
        let text = format!("code for sm_75\n\t\tFunction : nine\n{}", lines.collect::<String>());
        page.drop_files(&[("nine.sass", &text)]).await?;
        page.expect("title", "nine, machine code").await?;
        page.expect_part("code-loops", "as often as the text says").await?;
        let row = "return [...document.querySelectorAll('[data-testid=code-loops] tbody tr > *')].map((cell) => cell.textContent).join()";
        same("its row", page.string(row).await?.as_str(), "0x0010,9,as often as the text says")
    })
}

#[test]
fn a_certificate_of_machine_code_is_saved_and_accepted() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "computed in").await?;
        page.click("export").await?;
        let saved = page.download("code-certificate").await?;
        page.expect_part("status", "Certificate saved: the worst case is").await?;
        let verdict =
            code_lab::certificate::checked(&saved.text).map_err(|problems| format!("{problems:?}"))?;
        that(verdict.accepted && !verdict.provided.is_empty(), || verdict.line())
    })
}

#[test]
fn a_kernel_is_taken_along_into_a_chain() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "computed in").await?;
        page.click("export").await?;
        page.click("code-chain").await?;
        page.expect("title", "saxpy in a task with a made-up period").await?;
        same("the tab", page.text("lab-chain").await?.as_str(), "Chain")?;
        // The form says which multiprocessor the listing brings along, and what the one of the GPU is for.
        page.expect_value("field-chain-machine", "cc-7.5").await?;
        page.expect_part("chain-machine-for", "Not used").await?;
        page.reveal("chain-kernel-0-machine").await?;
        page.expect_part("chain-kernel-0-machine", "The listing is for sm_75").await?;
        page.expect_value("field-chain-kernels-0-registers", "10").await
    })
}

#[test]
fn another_kernel_is_compared_line_by_line() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "computed in").await?;
        page.click("code-keep").await?;
        page.drop_files(&[("odd.sass", ODD)]).await?;
        page.expect_part("code-changes", "The listing: ").await?;
        page.until(
            "signs",
            "return document.querySelector('.code-source.compared .code-gone.removed') !== null",
        )
        .await?;
        let more = "return /^[+−±]/.test(document.querySelector('.code-more > span')?.textContent ?? '')";
        page.until("cycles with their sign", more).await?;
        // What the column cuts is whole in the hint, and in the details of the line once it is selected.
        let cut = "const all = [...document.querySelectorAll('.code-source .line:has(.changed) > .code')];
            const hint = (all[0] ?? document.querySelector('.code-source .body .line > .code:not(.code-gone)')).title;
            return hint.split('\\n')[0]";
        let whole = page.string(cut).await?;
        that(whole.starts_with("0x"), || format!("the hint begins with {whole}"))?;
        let select = "const all = [...document.querySelectorAll('.code-source .line:has(.changed) > .code')];
            (all[0] ?? document.querySelector('.code-source .body .line > .code:not(.code-gone)')).click()";
        page.eval(select, vec![]).await?;
        page.expect_part("code-details", &whole).await
    })
}

#[test]
fn what_a_multiprocessor_holds_is_told_edited_and_taken() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "computed in").await?;
        page.expect_part("code-occupancy", "Occupancy: at most 32 of 32 warps").await?;
        page.eval("document.querySelector('[data-testid=code-occupancy]').open = true", vec![]).await?;
        page.expect_part("code-held", "holds at most 4 blocks of 8 warps: 32 of its 32 warps").await?;
        page.expect_part("code-occupancy", "R7 is the highest that an instruction names").await?;
        let curves = "return document.querySelectorAll('[data-testid=code-occupancy] svg[aria-label*=\"Now 32, with\"]').length === 3";
        page.until("three curves with the present number", curves).await?;
        page.fill("code-need-registers", "128").await?;
        page.press(&key(Key::Enter)).await?;
        let held = "holds 2 blocks of 8 warps: 16 of its 32 warps. Limited by registers.";
        page.expect_part("code-held", held).await?;
        page.fill("code-need-threads", "128").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("code-held", "holds 4 blocks of 4 warps").await?;
        page.expect("code-take", "Take these 16 warps").await?;
        page.click("code-take").await?;
        let count = "return /of 16 warps/.test(document.querySelector('[data-testid=code-schedule]').getAttribute('aria-label'))";
        page.until("sixteen warps", count).await?;
        let taken = "return document.querySelector('[data-testid=code-take]').disabled";
        page.until("nothing more to take", taken).await?;
        // An empty field brings back what the listing shows.
        page.fill("code-need-registers", "").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("code-held", "holds at most 8 blocks of 4 warps").await
    })
}
