//! Thread traces: the code beside the picture, what every wave waited for, opened by dropping and shared without the file.

use fantoccini::key::Key;
use warpspan_e2e::{Outcome, Page, key, on_page, patiently, same, that};

/// A shipped capture, as a file that somebody has.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/waves/lab/captures/layernorm.waves");

/// Opens an example.
async fn example(page: &Page, name: &str) -> Outcome {
    page.go(&format!("#example={name}")).await?;
    page.wait_for("waves-costs").await.map(drop)
}

/// The address, once it has something in it.
async fn link_with(page: &Page, part: &str) -> Result<String, String> {
    patiently("the address to follow", async || {
        let link = page.fragment().await?;
        if link.contains(part) { Ok(Ok(link)) } else { Ok(Err(link)) }
    })
    .await
}

/// The files of a small capture: one wave that loads, waits and adds.
fn folder() -> [(&'static str, &'static str); 3] {
    [
        (
            "filenames.json",
            r#"{"version": "3.0.0", "gfxip": 9, "gfxv": "vega", "wave_filenames": {"0": {"0": {"0": {"0": ["se0_sm0_sl0_wv0.json", 1000, 1500]}}}}}"#,
        ),
        (
            "code.json",
            r#"{"code": [["; made", 0, 0, "", 1, 0, 0, 0, 0, 0], ["global_load_dword v1, v0, s[0:1]", 0, 1, "a.hip:1", 1, 0, 1, 0, 0, 0], ["s_waitcnt vmcnt(0)", 0, 2, "a.hip:2", 1, 8, 1, 0, 0, 0], ["v_add_f32_e32 v1, v1, v1", 0, 3, "a.hip:2", 1, 12, 1, 0, 0, 0], ["s_endpgm", 0, 4, "a.hip:3", 1, 16, 1, 0, 0, 0]], "header": "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"}"#,
        ),
        (
            "se0_sm0_sl0_wv0.json",
            r#"{"wave": {"begin": 1000, "end": 1500, "cu": 0, "simd": 0, "slot": 0, "id": 0, "instructions": [[1000, 3, 0, 4, 1], [1004, 9, 408, 412, 2], [1416, 6, 0, 4, 3], [1420, 11, 0, 80, 4]]}}"#,
        ),
    ]
}

#[test]
fn an_example_shows_where_the_cycles_went_and_a_line_lights_its_instructions() -> Outcome {
    on_page("", async |page| {
        example(&page, "waves-rmsnorm").await?;
        page.expect("title", "RMSNorm on an MI350X, 64 waves").await?;
        page.expect("tile-waves-named", "99.4 %").await?;
        page.expect_part("tile-waves-replay", "0.33 % off").await?;
        page.expect_part("tile-waves-between", " to ").await?;
        page.expect_part("waves-what-if", "simulated").await?;
        page.expect_part("waves-cause-data", "data").await?;
        // A line of the code leads to the first wait at it.
        page.fill("waves-find", "s_waitcnt lgkmcnt(0)").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("waves-why", "Waited").await?;
        page.expect_part("waves-why", "; it took ").await?;
        let lit = "document.querySelector('.waves-code [aria-selected=true]')?.textContent.includes('s_waitcnt lgkmcnt(0)')";
        page.until("the line to be selected", &format!("return {lit}")).await?;
        // From there to the witness, and on from one stretch to the next.
        page.eval("document.querySelector('[data-testid=waves-schedule]').focus()", vec![]).await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("waves-details", "_load_").await?;
        page.expect_part("waves-why", "Issued at ").await
    })
}

#[test]
fn the_pointer_lights_the_line_of_what_it_is_at_and_a_click_says_the_sentence() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&folder()).await?;
        page.expect("title", "files of a thread trace").await?;
        page.expect("tile-waves-cycles", "500").await?;
        let [left, top, width, _] = page.place("[data-testid=waves-schedule]").await?;
        // In the middle of the one wave it waits.
        let at = (left + width * 0.5, top + 45.0);
        page.hover(at).await?;
        page.expect_part("waves-tip", "s_waitcnt vmcnt(0), line 2: data, 408 cycles").await?;
        let place = "document.querySelector('.waves-code .line.at')?.textContent.includes('s_waitcnt')";
        page.until("its line to be lit", &format!("return {place}")).await?;
        page.click_at(at.0, at.1).await?;
        page.expect_part(
            "waves-why",
            "Waited 408 cycles for global_load_dword v1, v0, s[0:1] of line 1, issued at 0; it took 412",
        )
        .await?;
        page.click_in("waves-details", "Show it").await?;
        page.expect_part("waves-details", "global_load_dword").await
    })
}

#[test]
fn a_dropped_capture_stays_here_and_is_asked_for_again() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&folder()).await?;
        page.expect("tile-waves-cycles", "500").await?;
        let link = link_with(&page, "s=").await?;
        that(link.len() < 400, || format!("the capture is in the link: {link}"))?;
        page.go(&link).await?;
        page.expect_part("waves-waits", "Open the folder files of a thread trace here").await?;
        page.drop_files(&folder()).await?;
        page.expect("tile-waves-cycles", "500").await
    })
}

#[test]
fn a_file_is_opened_and_the_view_is_in_the_link() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        let file = std::fs::canonicalize(FILE).map_err(|error| error.to_string())?;
        page.choose_files(&[file.display().to_string()]).await?;
        page.expect("title", "layernorm.waves").await?;
        page.wait_for("waves-costs").await?;
        example(&page, "waves-layernorm").await?;
        page.click("waves-in").await?;
        page.click("waves-wait").await?;
        page.expect_part("waves-why", " ").await?;
        let said = page.text("waves-why").await?;
        let link = link_with(&page, "&sel").await?;
        page.go(&link).await?;
        page.expect("waves-why", &said).await
    })
}

#[test]
fn a_bad_file_is_told_and_what_was_there_stays() -> Outcome {
    on_page("", async |page| {
        example(&page, "waves-layernorm").await?;
        let title = page.text("title").await?;
        page.drop_files(&[("bad.waves", "warpspan waves 1\nand nothing more")]).await?;
        page.expect_part("trouble", "bad.waves").await?;
        same("the title", page.text("title").await?.as_str(), title.as_str())?;
        page.wait_for("waves-costs").await?;
        // Files of a folder none of which is a wave.
        let [names, code, _] = folder();
        page.drop_files(&[names, code]).await?;
        page.expect_part("trouble", "no wave that can be read").await?;
        same("the title", page.text("title").await?.as_str(), title.as_str())?;
        same("its errors", page.complaints().await?, Vec::<String>::new())
    })
}
