//! Files in and out: opened, dropped, pasted, saved; a bad one changes nothing.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use warpspan::export::perfetto::schedule_perfetto;
use warpspan::page::shown::timeline_of;
use warpspan_e2e::{Outcome, Page, key_escape, on_page, same, that, with_control};

use crate::scenario_panel::show;

const FIGURE_5: &str = include_str!("../../../../www/scenarios/figure-5.json");
const FIGURE_6: &str = include_str!("../../../../www/scenarios/figure-6.json");
/// One mistake, and a place for it.
const DAMAGED: &str =
    r#"{"warpspan": 1, "warps": {"kernel": "LXL", "machine": {"L": 1, "C": 1}, "count": 4}}"#;

/// A file on the disk to be opened.
pub fn file(name: &str, bytes: &[u8]) -> Result<String, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.to_string_lossy().into_owned())
}

/// Chooses files, one path a line, in the browser's own dialog.
pub async fn open(page: &Page, paths: &str) -> Outcome {
    page.wait_for("file").await?.send_keys(paths).await.map_err(|error| error.to_string())
}

/// A text as a gzip file of one stored block.
fn gzip(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(0);
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(warpspan::base::crc32(text.as_bytes()).to_le_bytes());
    bytes.extend(u32::from(length).to_le_bytes());
    bytes
}

#[test]
fn a_file_is_opened_and_undo_brings_back_what_was_there() -> Outcome {
    on_page("", async |page| {
        open(&page, &file("moved.json", FIGURE_5.as_bytes())?).await?;
        page.expect("makespan", "9 cycles").await?;
        page.expect("title", "Four warps of LCL, one moved to the end").await?;
        page.click("undo").await?;
        page.expect("makespan", "154 cycles").await
    })
}

#[test]
fn a_packed_file_is_opened() -> Outcome {
    on_page("", async |page| {
        open(&page, &file("moved.json.gz", &gzip(FIGURE_5))?).await?;
        page.expect("makespan", "9 cycles").await
    })
}

#[test]
fn a_damaged_file_is_named_and_changes_nothing() -> Outcome {
    on_page("", async |page| {
        open(&page, &file("damaged.json", DAMAGED.as_bytes())?).await?;
        for part in
            ["damaged.json", "warps.kernel", "X", "Expected", "The scenario on the page is unchanged."]
        {
            page.expect_part("trouble", part).await?;
        }
        page.expect("makespan", "154 cycles").await?;
        page.expect_value("field-warps-kernel", "5L 9C 2L 9C").await?;
        page.click_in("trouble", "Dismiss").await?;
        page.gone("trouble").await
    })
}

#[test]
fn of_several_files_every_bad_one_is_named() -> Outcome {
    on_page("", async |page| {
        let no_json = "{\"warpspan\": ";
        let files = [("good.json", FIGURE_6), ("one.json", DAMAGED), ("two.json", no_json)];
        page.drop_files(&files).await?;
        page.expect("title", "Three warps of LCCL, fixed priority").await?;
        page.expect_part("trouble", "two.json").await?;
        let text = page.text("trouble").await?;
        that(text.contains("one.json") && !text.contains("good.json"), || text)?;
        page.blur().await?;
        page.press(&key_escape()).await?;
        page.gone("trouble").await
    })
}

#[test]
fn of_two_documents_the_one_that_is_not_shown_is_named() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("first.json", FIGURE_5), ("second.json", FIGURE_6)]).await?;
        page.expect("title", "Three warps of LCCL, fixed priority").await?;
        page.expect_part("trouble", "Could not open first.json").await?;
        page.expect_part("trouble", "\"second.json\" was opened in its place").await?;
        same("what is unchanged", page.text("trouble").await?.contains("is unchanged"), false)
    })
}

#[test]
fn a_text_is_pasted_onto_the_page_but_not_out_of_a_field() -> Outcome {
    on_page("", async |page| {
        page.wait_for("field-title").await?;
        page.paste("input[data-testid=field-title]", FIGURE_6).await?;
        page.paste("body", FIGURE_5).await?;
        page.expect("makespan", "9 cycles").await?;
        page.click("undo").await?;
        page.expect("makespan", "154 cycles").await?;
        page.paste("body", "Lorem ipsum").await?;
        page.expect_part("trouble", "the pasted text").await?;
        page.expect("makespan", "154 cycles").await?;
        page.paste("body", " LCL\n").await?;
        page.expect("kernel", "L C L").await?;
        page.expect("title", "LCL").await?;
        page.paste("body", "https://a.example/page/#example=figure-2\n").await?;
        page.expect("makespan", "8 cycles").await
    })
}

#[test]
fn a_dropped_file_is_opened() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("moved.json", FIGURE_5)]).await?;
        page.expect("makespan", "9 cycles").await?;
        same("the outline of the drop zone", page.count(".drop").await?, 0)
    })
}

#[test]
fn the_scenario_is_saved_as_it_stands() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-5").await?;
        let saved = page.download("save").await?;
        same("the text", saved.text.as_str(), FIGURE_5)?;
        same("the name", saved.name.as_str(), "four-warps-of-lcl-one-moved-to-the.json")?;
        page.fill("field-title", "Ours").await?;
        page.catch_downloads().await?;
        page.press(&with_control("s")).await?;
        let saved = page.caught().await?;
        same("the name", saved.name.as_str(), "ours.json")?;
        that(saved.text.contains(r#""title": "Ours""#), || saved.text)
    })
}

#[test]
fn the_picture_is_saved_with_real_text() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-7").await?;
        let saved = page.download("svg").await?;
        same("the kind", saved.kind.as_str(), "image/svg+xml")?;
        let script = "const doc = new DOMParser().parseFromString(arguments[0], 'image/svg+xml');
            const all = (name) => [...doc.getElementsByTagName(name)];
            return [all('parsererror').length, all('text').map((t) => t.textContent), all('metadata')[0].textContent]";
        let parts = page.eval(script, vec![saved.text.clone().into()]).await?;
        same("errors of the parser", &parts[0], &Value::from(0))?;
        let texts = parts[1].as_array().into_iter().flatten();
        let letters = texts.filter(|text| **text == "L" || **text == "C").count();
        same("letters of instructions", letters, 12)?;
        let link = parts[2].as_str().unwrap_or_default();
        that(warpspan::scenario::link::open(link).is_ok(), || format!("the link in it: {link}"))
    })
}

#[test]
fn the_picture_is_saved_at_twice_its_size() -> Outcome {
    on_page("", async |page| {
        let size = "const c = document.querySelector('[data-testid=plot] canvas'); return [c.clientWidth, c.clientHeight]";
        page.idle().await?; // by now nothing moves any more
        let saved = page.download("png").await?;
        let shown = page.eval(size, vec![]).await?;
        same("the kind", saved.kind.as_str(), "image/png")?;
        let twice = |side: &Value| side.as_u64().map(|side| 2 * side);
        same("its size", saved.size, twice(&shown[0]).zip(twice(&shown[1])))
    })
}

#[test]
fn the_schedule_is_saved_as_a_table() -> Outcome {
    on_page("", async |page| {
        let saved = page.download("csv").await?;
        let mut lines = saved.text.split("\r\n");
        let header = "position,warp,instruction,unit,ready_cycle,cycle,waited_cycles";
        same("the header", lines.next(), Some(header))?;
        same("the first row", lines.next(), Some("1,1,1,L,1,1,0"))?;
        same("rows", lines.filter(|line| !line.is_empty()).count(), 16 * 25 - 1)
    })
}

#[test]
fn the_report_is_saved_as_json() -> Outcome {
    on_page("", async |page| {
        let saved = page.download("report").await?;
        let report: Value = serde_json::from_str(&saved.text).map_err(|error| error.to_string())?;
        same("the makespan in it", &report["makespan"], &Value::from(154))?;
        same("its lines", saved.text.trim_end().lines().count(), 1)
    })
}

/// The trace of a built-in schedule.
fn trace(text: &str) -> Result<String, String> {
    let scenario = warpspan::scenario::read(text).map_err(|_| "not valid")?;
    let line = warpspan::job::run(scenario).line();
    let (title, timeline) = timeline_of(&line).ok_or("no schedule")?;
    Ok(schedule_perfetto(&timeline, &title))
}

#[test]
fn the_schedule_is_saved_as_a_trace() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-5").await?;
        page.expect("makespan", "9 cycles").await?;
        let saved = page.download("trace").await?;
        same("the name", saved.name.as_str(), "four-warps-of-lcl-one-moved-to-the.trace.json")?;
        same("the kind", saved.kind.as_str(), "application/json")?;
        same("the trace", saved.text, trace(FIGURE_5)?)
    })
}

#[test]
fn perfetto_is_asked_and_then_sent_the_schedule() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-5").await?;
        page.expect("makespan", "9 cycles").await?;
        page.stand_in_for_perfetto().await?;
        page.click("perfetto").await?;
        let [title, name, text] = page.handed_over().await?;
        same("its title", title.as_str(), "Four warps of LCL, one moved to the end")?;
        same("its name", name.as_str(), "four-warps-of-lcl-one-moved-to-the.json")?;
        same("the trace", text, trace(FIGURE_5)?)?;
        page.expect_part("status", "shown in Perfetto").await?;
        page.eval("window.open = () => null", vec![]).await?;
        page.click("perfetto").await?;
        page.expect_part("status", "allow pop-ups").await
    })
}

#[test]
fn logs_that_the_page_saved_are_dropped_as_they_are() -> Outcome {
    on_page("", async |page| {
        show(&page, "paredes-example").await?;
        page.wait_for("tile-end").await?;
        page.catch_downloads().await?;
        page.eval("document.querySelector('[data-testid=blocks-logs]').click()", vec![]).await?;
        page.until("an archive", "return !!window.caught").await?;
        let script = "const done = arguments[0];
            const data = new DataTransfer();
            data.items.add(new File([window.caught.blob], 'logs.zip'));
            for (const kind of ['dragenter', 'dragover', 'drop']) {
                document.querySelector('main').dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
            }
            done()";
        page.eval_async(script, vec![]).await?;
        page.expect_part("check-verdict", "Keeps the rules").await?;
        same("trouble", page.has("trouble").await?, false)
    })
}
