//! The search field of every lab: terms, how many there are, the way through, and what is said of terms that are none.

use fantoccini::key::Key;
use serde_json::json;
use warpspan_e2e::{Outcome, Page, key, on_page, patiently, same, that};

/// How many a field says there are, and which of them is selected.
async fn told(page: &Page, id: &str) -> Result<(Option<u64>, u64), String> {
    let count = format!("{id}-count");
    patiently(&format!("{count} to be told"), async || {
        let text = page.text(&count).await?.replace(',', "");
        let mut numbers = text.split(" of ").map(str::parse::<u64>);
        Ok(match (numbers.next(), numbers.next()) {
            (Some(Ok(all)), None) => Ok((None, all)),
            (Some(Ok(at)), Some(Ok(all))) => Ok((Some(at), all)),
            _ => Err(text),
        })
    })
    .await
}

/// Goes through what terms find, forth and back; then writes a term that is none, and leaves.
async fn goes_through(page: &Page, id: &str, terms: &str, knows: &str) -> Outcome {
    page.blur().await?;
    page.press("/").await?;
    let focused = "return document.activeElement.id";
    same("the focus", page.string(focused).await?.as_str(), id)?;
    page.fill(id, terms).await?;
    let (_, all) = told(page, id).await?;
    that(all > 1, || format!("{id}: {terms} finds {all}"))?;
    page.press(&key(Key::Enter)).await?;
    let first = told(page, id).await?.0.ok_or("none is selected")?;
    page.press(&key(Key::Down)).await?;
    let second = first % all + 1;
    page.expect(&format!("{id}-count"), &format!("{second} of {all}")).await?;
    // They are listed, also while the focus is elsewhere: what, where, how long. What is selected is marked, and each is
    // one press away.
    page.blur().await?;
    page.wait_for(&format!("{id}-list")).await?;
    let list = format!("document.querySelector('[data-testid={id}-list]')");
    let marked =
        format!("return [...{list}.querySelectorAll('button')].filter(row => row.ariaCurrent).length");
    same("rows that are marked", page.number(&marked).await? as u64, 1)?;
    let cells = format!("return {list}.querySelector('button').children.length");
    same("cells of a row", page.number(&cells).await? as u64, 3)?;
    // It covers nothing of the picture.
    let apart = format!(
        "const plot = document.querySelector('.figure-plot, .chain-plot').getBoundingClientRect(); return {list}.getBoundingClientRect().bottom <= plot.top + 1 ? 1 : 0"
    );
    same("the list is above the picture", page.number(&apart).await? as u64, 1)?;
    let pick = format!(
        "const rows = [...{list}.querySelectorAll('button')]; (rows[rows.findIndex((row) => row.ariaCurrent) + 1] ?? rows[0]).click(); return rows.length"
    );
    let rows = page.number(&pick).await? as u64;
    that(rows > 1 && rows <= all, || format!("{rows} rows are listed of {all}"))?;
    let reached =
        format!("return document.querySelector('[data-testid={id}-count]').textContent.replace(/,/g, '')");
    page.until("another to be selected", &format!("{}.split(' of ')[0] !== '{second}'", reached)).await?;
    for _ in 0..(told(page, id).await?.0.ok_or("none is selected")? + all - second) % all {
        page.click(&format!("{id}-back")).await?;
    }
    page.expect(&format!("{id}-count"), &format!("{second} of {all}")).await?;
    page.click(&format!("{id}-back")).await?;
    page.expect(&format!("{id}-count"), &format!("{first} of {all}")).await?;
    // What is no term of this lab is told, with those that are.
    page.fill(id, "wavelength:5").await?;
    page.expect_part(&format!("{id}-help"), "No term wavelength here").await?;
    page.expect_part(&format!("{id}-help"), knows).await?;
    page.gone(&format!("{id}-next")).await?;
    page.press(&key(Key::Escape)).await?;
    page.expect_value(id, "").await?;
    page.gone(&format!("{id}-list")).await?;
    page.expect(&format!("{id}-count"), "").await?;
    let left = page.eval("return document.activeElement.id", vec![]).await?;
    that(left != json!(id), || "the field kept the focus".to_owned())
}

#[test]
fn warps_are_searched_by_terms() -> Outcome {
    on_page("", async |page| {
        page.go("#example=figure-2").await?;
        // Not that of the page's first example, which may be there before.
        page.expect("makespan", "8 cycles").await?;
        page.blur().await?;
        page.fill("find", "C warp:1..2").await?;
        let (_, all) = told(&page, "find").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("find-count", &format!("1 of {all}")).await?;
        // Idle cells, the longest stretch first, with what is waited for; the terms are told.
        page.fill("find", "idle").await?;
        let (_, idle) = told(&page, "find").await?;
        that(idle > 0, || "no idle cell".to_owned())?;
        let row = "document.querySelector('[data-testid=find-list] button').textContent";
        page.until(
            "why",
            &format!("return /^before .*cycles \\d+ to \\d+, waits for .*idle \\d+$/.test({row})"),
        )
        .await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("find-count", &format!("1 of {idle}")).await?;
        page.expect_part("find-help", "idle> for:").await?;
        page.fill("find", "lane:3").await?;
        page.expect_part("find-help", "No term lane here. There are warp:").await?;
        page.press(&key(Key::Escape)).await?;
        page.expect_value("find", "").await
    })
}

#[test]
fn blocks_are_searched_by_terms() -> Outcome {
    on_page("", async |page| {
        page.go("#example=paredes-example").await?;
        page.wait_for("blocks-plot").await?;
        goes_through(&page, "blocks-find", "K2 block:0..3", "sm:").await?;
        // A block by its name is selected.
        page.fill("blocks-find", "K2:5").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("blocks-selected", "K2:5").await
    })
}

#[test]
fn tasks_are_searched_by_intervals_and_vertices() -> Outcome {
    on_page("", async |page| {
        page.go("#example=tasks-controller").await?;
        page.wait_for("tasks-plot").await?;
        // Before, there may be more to come.
        page.expect_part("tasks-told", "Computed in ").await?;
        goes_through(&page, "tasks-find", "demand>0", "slack:").await?;
        page.fill("tasks-find", "needs>0").await?;
        page.press(&key(Key::Enter)).await?;
        let selected = "document.querySelectorAll('.graph-drawing .vertex[aria-pressed=true]').length === 1";
        page.until("a vertex to be selected", &format!("return {selected}")).await
    })
}

#[test]
fn traces_are_searched_by_terms() -> Outcome {
    on_page("", async |page| {
        page.go("#example=alexnet-first-steps").await?;
        page.wait_for("traces-plot").await?;
        goes_through(&page, "traces-find", "kind:kernel time>2us", "stream:").await
    })
}

#[test]
fn machine_code_is_searched_by_terms() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "Assumes tables of Turing").await?;
        goes_through(&page, "code-find", "warp:2 wait", "cycle:").await
    })
}

#[test]
fn waves_are_searched_by_terms() -> Outcome {
    on_page("", async |page| {
        page.go("#example=waves-rmsnorm").await?;
        page.expect("tile-waves-named", "99.4 %").await?;
        goes_through(&page, "waves-find", "simd:1 wait>100", "wave:").await
    })
}

#[test]
fn chains_are_searched_by_terms() -> Outcome {
    on_page("", async |page| {
        page.go("#example=chain-teaching").await?;
        page.wait_for("chain-drawing").await?;
        page.expect_part("chain-told", "Computed in ").await?;
        goes_through(&page, "chain-find", "time>0", "station:").await
    })
}
