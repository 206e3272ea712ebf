//! Thread traces: the code beside the picture, what every wave waited for, opened by dropping and shared without the file.

use fantoccini::key::Key;
use warpspan_e2e::{Outcome, Page, key, key_escape, on_page, patiently, same, that};

/// A shipped capture, as a file that somebody has.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/waves/lab/captures/layernorm.waves");

/// Opens an example.
async fn example(page: &Page, name: &str) -> Outcome {
    page.go(&format!("#example={name}")).await?;
    page.wait_for("waves-costs").await.map(drop)
}

/// Where the picture is, once it says how long its waves live and nothing moves any more: left, top and width.
async fn picture(page: &Page) -> Result<[f64; 3], String> {
    page.wait_for("waves-costs").await?;
    page.quiet().await?;
    let [left, top, width, _] = page.place("[data-testid=waves-schedule]").await?;
    Ok([left, top, width])
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
pub fn folder() -> [(&'static str, &'static str); 3] {
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

/// The same after a change: what is loaded takes 400 cycles longer.
fn slower() -> [(&'static str, &'static str); 3] {
    let [names, code, _] = folder();
    let wave = r#"{"wave": {"begin": 1000, "end": 1900, "cu": 0, "simd": 0, "slot": 0, "id": 0, "instructions": [[1000, 3, 0, 4, 1], [1004, 9, 808, 812, 2], [1816, 6, 0, 4, 3], [1820, 11, 0, 80, 4]]}}"#;
    [names, code, ("se0_sm0_sl0_wv0.json", wave)]
}

/// From now on workers are heard only as far as they read, until `holds` is false.
const HOLDS: &str = "const Real = Worker;
    window.holds = true;
    const waits = (data) => window.holds && (data?.Drawn || data?.Summed || data?.Does === 'Accounts');
    window.Worker = class extends Real {
        set onmessage(hears) { super.onmessage = (event) => waits(event.data) || hears?.(event); }
    };";

#[test]
fn an_example_shows_where_the_cycles_went_and_a_line_lights_its_instructions() -> Outcome {
    on_page("", async |page| {
        example(&page, "waves-rmsnorm").await?;
        page.expect("title", "RMSNorm on an MI350X, 64 waves").await?;
        page.expect("tile-waves-named", "99.4 %").await?;
        page.expect_part("tile-waves-replay", "0.32 % off").await?;
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
        let [left, top, width] = picture(&page).await?;
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

#[test]
fn units_are_held_beneath_the_waves_and_the_engine_has_its_waves_above() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&folder()).await?;
        page.expect("tile-waves-cycles", "500").await?;
        let [left, top, width] = picture(&page).await?;
        // Under the axis the one wave, then the units that it uses: vector arithmetic, and the way to memory.
        let (vector, memory) = (top + 22.0 + 48.0 + 11.0, top + 22.0 + 48.0 + 22.0 + 11.0);
        page.hover((left + width * 0.5, vector)).await?;
        page.expect("waves-tip", "Vector unit of SIMD 0, held by nobody for 416 cycles until 416").await?;
        page.wait_for("waves-cursor").await?;
        let first = left + (width * 0.22).min(134.0) + 2.0;
        page.hover((first, memory)).await?;
        let held = "Way to vector memory of SIMD 0, held by wave 0 for 4 cycles from 0: global_load_dword";
        page.expect_part("waves-tip", held).await?;
        let place = "document.querySelector('.waves-code .line.at')?.textContent.includes('global_load')";
        page.until("its line to be lit", &format!("return {place}")).await?;
        page.click_at(first, memory).await?;
        page.expect_part("waves-details", "global_load_dword").await?;
        // Without them there is nothing there.
        page.click("waves-units").await?;
        page.hover((left + width * 0.5, vector)).await?;
        page.gone("waves-tip").await?;
        example(&page, "waves-layernorm").await?;
        let [left, top, width] = picture(&page).await?;
        page.hover((left + width * 0.5, top + 35.0)).await?;
        page.expect_part("waves-tip", "Shader engine 0: ").await?;
        page.expect_part("waves-tip", "of them on compute unit 1, which was traced").await
    })
}

#[test]
fn another_capture_is_compared_by_cause_and_by_line_and_let_go() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&folder()).await?;
        page.expect("tile-waves-cycles", "500").await?;
        page.give_files("waves-compare-file-field", &slower()).await?;
        page.expect_part(
            "waves-compared-told",
            "The median wave lives 900 cycles instead of 500: 80 % longer, worse.",
        )
        .await?;
        page.expect_part("waves-compared-data", "+400 worse").await?;
        page.expect_part("waves-changed", "s_waitcnt vmcnt(0)").await?;
        // A line of the comparison is the line of the code.
        page.eval("document.getElementById('waves-changed-0').click()", vec![]).await?;
        page.expect_part("waves-why", "Waited 408 cycles for global_load_dword").await?;
        page.click("waves-compared-swap").await?;
        page.expect_part("waves-compared-told", "44.4 % shorter, better.").await?;
        page.expect_part("waves-compared-data", "−400 better").await?;
        // No link holds it.
        let link = link_with(&page, "s=").await?;
        that(link.len() < 400, || format!("a capture is in the link: {link}"))?;
        page.click("waves-compared-end").await?;
        page.gone("waves-compared").await?;
        page.give_files("waves-compare-file-field", &[("none.txt", "no capture")]).await?;
        page.expect_part("status", "No thread trace").await?;
        page.gone("waves-compared").await
    })
}

#[test]
fn while_a_capture_is_read_it_says_how_far_and_esc_leaves_what_stood() -> Outcome {
    on_page("", async |page| {
        example(&page, "waves-layernorm").await?;
        let title = page.text("title").await?;
        page.eval(HOLDS, vec![]).await?;
        page.drop_files(&folder()).await?;
        page.expect_part("waves-progress-told", " of 1 wave read").await?;
        page.press(&key_escape()).await?;
        page.gone("waves-progress").await?;
        same("the title", page.text("title").await?.as_str(), title.as_str())?;
        page.wait_for("waves-costs").await?;
        // A second one to compare with is stopped likewise, by the button.
        page.give_files("waves-compare-file-field", &slower()).await?;
        page.expect_part("waves-progress-told", " of 1 wave read").await?;
        page.click("waves-progress-stop").await?;
        page.gone("waves-progress").await?;
        page.gone("waves-compared").await?;
        page.eval("window.holds = false", vec![]).await?;
        page.drop_files(&folder()).await?;
        page.expect("tile-waves-cycles", "500").await?;
        page.gone("waves-progress").await?;
        same("its errors", page.complaints().await?, Vec::<String>::new())
    })
}
