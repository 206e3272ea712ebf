//! The way into the lab and back, and every example with its verdict.

use warpspan::page::chain::summary::{because, verdict, weakest};
use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{Outcome, on_page, same, that};

use super::{SMALL, computed, open, report};

/// Examples that compute for too long to be computed here once more.
const LONG: [&str; 2] = ["chain-camera", "chain-exclusive"];

fn examples() -> Vec<&'static str> {
    let of_group = BUILTINS.iter().filter(|example| example.group == "Chain").map(|example| example.name);
    of_group.filter(|name| !LONG.contains(name)).collect()
}

#[test]
fn a_key_and_the_tab_lead_to_the_first_example_and_back_returns() -> Outcome {
    on_page("", async |page| {
        page.blur().await?;
        page.press("5").await?;
        let heading = "return document.querySelector('h1').textContent === 'Chain: Does the whole chain meet its deadlines?'";
        page.until("the heading of the lab", heading).await?;
        computed(&page).await?;
        page.expect("title", "From three instructions to a deadline").await?;
        // The address follows after a moment; Back leads to what is in it by then.
        page.until("an address", "return location.hash.length > 1").await?;
        page.eval("history.back()", vec![]).await?;
        page.expect("makespan", "154 cycles").await?;
        page.click("lab-chain").await?;
        computed(&page).await?;
        page.press("1").await?;
        page.expect("makespan", "154 cycles").await
    })
}

#[test]
fn every_example_has_its_verdict() -> Outcome {
    on_page("", async |page| {
        for name in examples() {
            open(&page, name).await?;
            let report = report(name)?;
            page.expect("chain-verdict", verdict(&report, false)).await?;
            if !report.verdict.because.is_empty() {
                page.expect("chain-because", &because(&report)).await?;
            }
            let stations = 4 * report.kernels.len() + 2 * report.tasks.len();
            same(
                &format!("stations of {name}"),
                page.count(".chain-drawing .station").await?,
                stations as u64,
            )?;
            let words = weakest(&report).map(|(_, words)| words);
            same(&format!("weakest link of {name}"), page.has("chain-weakest").await?, words.is_some())?;
            if let Some(words) = words {
                page.expect("chain-weakest", &format!("Weakest: {words}")).await?;
            }
        }
        let said = page.complaints().await?;
        that(said.is_empty(), || format!("the console: {said:?}"))
    })
}

#[test]
fn long_examples_fill_in_and_come_to_a_verdict() -> Outcome {
    on_page("", async |page| {
        for name in LONG {
            crate::scenario_panel::show(&page, name).await?;
            page.wait_for("chain-drawing").await?;
            let done = "return document.querySelector('[data-testid=chain-told]').textContent.startsWith('Computed in ')";
            page.until(&format!("{name} to be computed"), done).await?;
            let said = page.text("chain-verdict").await?;
            that(said.contains("deadline"), || format!("{name}: {said}"))?;
            let missing = "return [...document.querySelectorAll('.chain-drawing text')].some((t) => t.textContent === 'computing…')";
            same(&format!("still computing in {name}"), page.eval(missing, vec![]).await?, false.into())?;
        }
        Ok(())
    })
}

#[test]
fn the_weakest_link_leads_to_its_station() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        let report = report(SMALL)?;
        let Some((node, _)) = weakest(&report) else { return Ok(()) };
        super::stand(&page, "station-kernel-0-code").await?;
        page.click("chain-weakest").await?;
        let key = node.station.key();
        let there = format!(
            "return document.activeElement.dataset.testid?.endsWith('-{key}') && document.activeElement.ariaPressed === 'true'"
        );
        page.until("the weakest link", &there).await
    })
}

#[test]
fn a_verdict_is_guessed_before_it_is_seen() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.eval("document.querySelector('.teach').open = true", vec![]).await?;
        page.click("hide-answer").await?;
        page.gone("chain-verdict").await?;
        page.gone("chain-details").await?;
        page.wait_for("guess").await?;
        let told = "return [...document.querySelectorAll('.chain-drawing text')].some((t) => /^[=≤≥~]$/.test(t.textContent))";
        that(page.eval(told, vec![]).await? == false, || "the picture tells an answer".to_owned())?;
        page.click("reveal").await?;
        computed(&page).await
    })
}
