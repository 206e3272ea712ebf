//! Links: one holds the scenario and how it is looked at; damaged ones are named; the address and Back.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Outcome, Page, key, on_page, same, that};

use crate::scenario_panel::show;

/// A link to a built-in example, from `#` on.
fn to(name: &str, view: &View) -> Result<String, String> {
    let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
    let scenario: Value = serde_json::from_str(example.text).map_err(|error| error.to_string())?;
    Ok(format!("#{}", link::write(&scenario, view).map_err(|problem| problem.to_string())?))
}

/// The link that Copy link puts on the clipboard.
pub async fn copied(page: &Page) -> Result<String, String> {
    let script =
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";
    page.eval(&format!("window.copied = null; {script}"), vec![]).await?;
    // Not by the mouse: the focus stays where it is.
    page.eval("document.querySelector('[data-testid=copy-link]').click()", vec![]).await?;
    page.until("the dialog", "return document.querySelector('[data-testid=share-dialog]').open").await?;
    same("what is copied so far", page.eval("return window.copied", vec![]).await?.is_null(), true)?;
    page.eval("document.querySelector('[data-testid=share-copy]').click()", vec![]).await?;
    page.until("a copied link", "return window.copied !== null").await?;
    page.expect_part("status", "Link copied").await?;
    // Until it is painted without the dialog, Firefox gives keys and fingers to what stood there.
    let gone = "const dialog = document.querySelector('[data-testid=share-dialog]');
        return !dialog.open && !dialog.contains(document.activeElement)";
    page.until("the dialog to be gone", gone).await?;
    page.frames(4).await?;
    page.string("return window.copied").await
}

/// The view in the link that Copy link makes.
pub async fn copied_view(page: &Page) -> Result<View, String> {
    let link = copied(page).await?;
    // An example as it opens is shared by its name.
    if link.contains("#example=") {
        return Ok(View::default());
    }
    link::open(&link).map(|link| link.view).map_err(|problem| problem.to_string())
}

/// Waits until the address ends in something the page wrote.
async fn written(page: &Page) -> Result<String, String> {
    page.until("an address", "return location.hash.startsWith('#v=1&s=')").await?;
    page.fragment().await
}

#[test]
fn a_copied_link_brings_back_scenario_and_view() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-7").await?;
        page.choose("theme", "dark").await?;
        page.click("rows-units").await?;
        page.press("/").await?;
        page.press("2:3\n").await?;
        page.click("zoom-in").await?;
        page.put("player-slider", "5").await?;
        page.expect_part("sentence", "Step 5 of 12").await?;
        let (details, sentence) = (page.text("selected").await?, page.text("sentence").await?);
        let link = copied(&page).await?;
        let fragment = link.strip_prefix(page.url()).ok_or_else(|| format!("a link to elsewhere: {link}"))?;
        let opened = link::open(fragment).map_err(|problem| problem.to_string())?.view;
        let parts = (opened.step, opened.sel.as_deref(), opened.rows.as_deref(), opened.theme.as_deref());
        same("the view in the link", parts, (Some(5), Some("2:3"), Some("units"), Some("dark")))?;
        that(opened.t0.zip(opened.t1).is_some(), || format!("no window in {link}"))?;

        page.eval("localStorage.clear()", vec![]).await?;
        page.go(fragment).await?;
        page.expect("title", "Three warps of LCCL, most pending first").await?;
        page.expect("sentence", &sentence).await?;
        page.expect("selected", &details).await?;
        let pressed = "return document.querySelector('[data-testid=rows-units]').ariaPressed";
        same("rows are units", page.string(pressed).await?.as_str(), "true")?;
        same(
            "the theme",
            page.string("return document.documentElement.dataset.theme").await?.as_str(),
            "dark",
        )?;
        same("the link again", copied(&page).await?, link)
    })
}

#[test]
fn a_link_typed_into_the_bar_of_the_open_page_is_opened() -> Outcome {
    on_page("", async |page| {
        page.visit(&to("figure-5", &View::default())?).await?;
        page.expect("makespan", "9 cycles").await
    })
}

#[test]
fn a_pasted_link_is_opened() -> Outcome {
    on_page("", async |page| {
        let link = to("figure-5", &View::default())?;
        page.paste("body", &format!("https://example.org/warpspan/{link}\n")).await?;
        page.expect("makespan", "9 cycles").await
    })
}

/// Opens a bad link on a fresh page: it is named with these words, and the page goes on.
fn is_named(link: &str, words: &'static [&'static str]) -> Outcome {
    on_page(link, async move |page| {
        for word in words {
            page.expect_part("trouble", word).await?;
        }
        page.expect("makespan", "154 cycles").await?;
        show(&page, "figure-5").await?;
        page.expect("makespan", "9 cycles").await?;
        page.gone("trouble").await
    })
}

#[test]
fn a_cut_link_is_named() -> Outcome {
    let link = to("figure-5", &View::default())?;
    is_named(&link[..link.len() / 2], &["the link in the address", "cut off"])
}

#[test]
fn a_changed_character_is_named() -> Outcome {
    let link = to("figure-5", &View::default())?;
    let middle = link.len() / 2;
    let other = if link.as_bytes()[middle] == b'x' { "y" } else { "x" };
    is_named(&format!("{}{other}{}", &link[..middle], &link[middle + 1..]), &["checksum", "as it was copied"])
}

#[test]
fn a_link_of_a_newer_version_is_named() -> Outcome {
    is_named("#v=3&s=abc&c=00000000", &["made by a newer version (3); this one understands up to 1"])
}

#[test]
fn unknown_parts_of_a_link_are_listed() -> Outcome {
    let link = to("figure-5", &View::default())?;
    let body = link.rsplit_once("&c=").map(|(body, _)| format!("{}&zoom=3", &body[1..])).unwrap_or_default();
    let link = format!("#{body}&c={:08x}", warpspan::base::crc32(body.as_bytes()));
    on_page(&link, async |page| {
        page.expect("makespan", "9 cycles").await?;
        page.until("the unknown part's name", "return document.body.innerText.includes('left out: zoom')")
            .await
    })
}

#[test]
fn back_brings_the_scenario_before() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-5").await?;
        let first = written(&page).await?;
        show(&page, "figure-6").await?;
        page.until("another address", &format!("return location.hash !== '{first}'")).await?;
        let back = async || page.eval("history.back()", vec![]).await;
        back().await?;
        page.expect("title", "Four warps of LCL, one moved to the end").await?;
        same("the address", page.fragment().await?, first)?;
        back().await?;
        page.expect("title", "Voronoi, 16 warps, round-robin").await?;
        page.eval("history.forward()", vec![]).await?;
        page.expect("title", "Four warps of LCL, one moved to the end").await
    })
}

#[test]
fn edits_replace_the_address() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        let first = written(&page).await?;
        let entries = page.number("return history.length").await?;
        page.put("field-warps-count", "5").await?;
        page.expect("makespan", "12 cycles").await?;
        page.until("another address", &format!("return location.hash !== '{first}'")).await?;
        page.click("zoom-in").await?;
        page.until("the window in the address", "return location.hash.includes('&t1=')").await?;
        same("entries of the history", page.number("return history.length").await?, entries)
    })
}

#[test]
fn embedded_there_is_only_the_work_and_the_address_stays() -> Outcome {
    let view = View { embed: true, theme: Some("dark".to_owned()), ..View::default() };
    let link = to("figure-7", &view)?;
    on_page(&link.clone(), async move |page| {
        page.expect("makespan", "8 cycles").await?;
        same("chrome", page.count("header, .panel").await?, 0)?;
        same(
            "the theme",
            page.string("return document.documentElement.dataset.theme").await?.as_str(),
            "dark",
        )?;
        page.press("w.").await?;
        page.click("rows-units").await?;
        page.quiet().await?;
        same("the address", page.fragment().await?, link)
    })
}

#[test]
fn an_embedded_page_tells_its_height() -> Outcome {
    let view = View { embed: true, ..View::default() };
    let link = to("figure-7", &view)?;
    on_page("", async move |page| {
        let script = "const [address, done] = arguments;
            addEventListener('message', (event) => { if (event.data?.type === 'warpspan-ready') done(event.data); });
            const frame = document.createElement('iframe'); frame.width = 900; frame.height = 700;
            frame.src = address; document.body.append(frame)";
        let said = page.eval_async(script, vec![json!(format!("{}{link}", page.url()))]).await?;
        that(said["height"].as_f64().is_some_and(|height| height > 300.0), || said.to_string())
    })
}

#[test]
fn a_link_says_how_long_it_is_before_it_is_copied() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        page.click("share").await?;
        page.expect_part("share-length", " characters").await?;
        page.expect_part("share-limits", "fits QR code").await?;
        page.until("the link first", "return document.activeElement.id === 'share-copy'").await?;
        page.press(&key(Key::Escape)).await?;
        page.until("no dialog", "return !document.querySelector('[data-testid=share-dialog]').open").await
    })
}
