//! Annealing on the page: chains begin, pause, go on, grow in number and end; what they found is native.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, key_escape, on_page, patiently, same, that};

use crate::keyboard::{focused, tab_to};
use crate::reach::{fits, too_small};
use crate::scenario_panel::{at_least, place, show};

/// The example with eight chains of two million iterations.
const LONG: &str = "voronoi-anneal";

/// That example with chains that no test sees the end of, on any machine.
fn endless() -> Result<Value, String> {
    let example = BUILTINS.iter().find(|example| example.name == LONG).ok_or("no such example")?;
    let mut document: Value = serde_json::from_str(example.text).map_err(|error| error.to_string())?;
    document["warps"]["method"]["anneal"]["iterations"] = json!(1_000_000_000_000_u64);
    Ok(document)
}

/// Opens it and waits until its eight chains are under way.
pub async fn begin(page: &Page) -> Outcome {
    page.go(&to(&endless()?)?).await?;
    under_way(page).await?;
    page.wait_for("chart-plot").await.map(drop)
}

async fn under_way(page: &Page) -> Outcome {
    let script = "const best = [...document.querySelectorAll('[data-testid=chains] b')];
        return best.length === 8 && best.every((b) => Number(b.textContent) > 100)";
    page.until("eight chains under way", script).await
}

/// Four chains of so many iterations.
fn small(iterations: u32) -> Value {
    json!({
        "warpspan": 1,
        "title": "A small search",
        "warps": {
            "kernel": "5L 9C 2L 9C", "count": 16, "machine": {"L": 1, "C": 4},
            "method": {"anneal": {
                "iterations": iterations,
                "starts": ["round-robin", "fixed-priority", "most-pending", "random"]
            }}
        }
    })
}

fn to(scenario: &Value) -> Result<String, String> {
    let link = link::write(scenario, &View::default()).map_err(|problem| problem.to_string())?;
    Ok(format!("#{link}"))
}

/// Opens a link to a scenario and waits until its search is over.
async fn to_the_end(page: &Page, scenario: &Value) -> Outcome {
    page.go(&to(scenario)?).await?;
    page.expect_part("search-told", "Done: ").await
}

/// A report without what depends on the machine's speed.
fn timeless(line: &str) -> Result<Value, String> {
    let mut report: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    report["seconds"] = Value::Null;
    for chain in report["chains"].as_array_mut().ok_or("no chains in the report")? {
        chain["seconds"] = Value::Null;
        for improvement in chain["improvements"].as_array_mut().into_iter().flatten() {
            improvement[1] = Value::Null;
        }
    }
    Ok(report)
}

/// What the library finds without a browser.
fn natively(document: &str) -> Result<Value, String> {
    let scenario = warpspan::scenario::read(document).map_err(|problems| format!("{problems:?}"))?;
    timeless(&warpspan::job::run(scenario).line())
}

/// That the page's search came to what the library finds.
async fn is_native(page: &Page, document: &str) -> Outcome {
    let saved = page.download("report").await?;
    same("the report", timeless(&saved.text)?, natively(document)?)
}

/// Iterations of all chains so far.
pub async fn done(page: &Page) -> Result<u64, String> {
    let told = page.text("search-told").await?;
    let digits = told.split(" of ").next().unwrap_or_default().replace(|c: char| !c.is_ascii_digit(), "");
    digits.parse().map_err(|_| format!("no iterations in {told:?}"))
}

/// Waits until the chains have done more than so many iterations.
pub async fn beyond(page: &Page, iterations: u64) -> Outcome {
    patiently(&format!("more than {iterations} iterations"), async || {
        let found = done(page).await?;
        Ok(if found > iterations { Ok(()) } else { Err(found.to_string()) })
    })
    .await
}

/// That the chains stand still, once the last of them have heard of it.
async fn at_rest(page: &Page) -> Outcome {
    page.idle().await?;
    let (before, given) = (done(page).await?, page.number("return atWork.given()").await?);
    page.frames(30).await?;
    same("jobs given to workers", page.number("return atWork.given()").await?, given)?;
    same("iterations", done(page).await?, before)
}

/// The document as it stands in the editor.
async fn document(page: &Page) -> Result<String, String> {
    page.click("as-json").await?;
    let text = page.value("json").await?;
    page.click("as-form").await?;
    Ok(text)
}

#[test]
fn an_example_starts_eight_chains() -> Outcome {
    on_page("", async |page| {
        show(&page, LONG).await?;
        under_way(&page).await?;
        at_least(&page, 154).await?;
        page.wait_for("chart-plot").await.map(drop)
    })
}

#[test]
fn whatever_chains_tell_a_click_is_answered_in_the_next_frame() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.count_paint().await?;
        begin(&page).await?;
        // What a task after a frame sees has been painted.
        let script = "const done = arguments[0];
            const answers = [];
            const rows = ['units', 'warps'].map((name) => document.querySelector(`[data-testid=rows-${name}]`));
            const picture = () => {
                const canvas = document.querySelector('[data-testid=plot] canvas');
                const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return data.reduce((sum, value, i) => (sum * 31 + value + i % 4) % 1000003, 7);
            };
            const ask = () => {
                if (answers.length === 10) return done(answers);
                const chosen = rows[answers.length % 2];
                chosen.click();
                const {port1, port2} = new MessageChannel();
                port1.onmessage = () => {
                    port1.close();
                    answers.push([chosen.getAttribute('aria-pressed'), picture()]);
                    requestAnimationFrame(ask);
                };
                requestAnimationFrame(() => port2.postMessage(0));
            };
            requestAnimationFrame(ask)";
        let answers = page.eval_async(script, vec![]).await?;
        let answers: Vec<(String, u64)> =
            serde_json::from_value(answers).map_err(|error| error.to_string())?;
        that(answers.iter().all(|(pressed, _)| pressed == "true"), || format!("{answers:?}"))?;
        that(answers.windows(2).all(|pair| pair[0].1 != pair[1].1), || format!("{answers:?}"))?;
        // What the chains tell is painted once each time at the most.
        let before = page.number("return atWork.heard()").await?;
        page.painted().await?;
        page.frames(60).await?;
        let painted = page.painted().await?;
        let told = page.number("return atWork.heard()").await? - before;
        that(painted.frames as f64 <= told, || format!("{painted:?} for {told} messages"))
    })
}

#[test]
fn chains_pause_go_on_and_stop() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        beyond(&page, 100_000).await?;
        page.click("search-pause").await?;
        page.expect_part("search-told", "Paused: ").await?;
        at_rest(&page).await?;

        let before = done(&page).await?;
        page.click("search-resume").await?;
        beyond(&page, before).await?;

        page.click("search-stop").await?;
        page.expect_part("status", "Stopped, longest makespan found: 1").await?;
        page.expect_part("search-told", "Stopped: ").await?;
        at_rest(&page).await?;
        let best = page.text("makespan").await?;
        page.expect_part("search-told", &format!("longest makespan found: {best}")).await?;

        let before = done(&page).await?;
        page.click("search-resume").await?;
        beyond(&page, before).await?;
        page.blur().await?;
        page.press(&key_escape()).await?;
        page.expect_part("search-told", "Stopped: ").await?;
        at_rest(&page).await
    })
}

#[test]
fn a_document_from_the_editor_runs_to_the_native_result_and_on_for_another_round() -> Outcome {
    on_page("", async |page| {
        page.click("as-json").await?;
        page.put("json", &small(4_000).to_string()).await?;
        page.click("as-form").await?;
        page.expect("search-run", "Start 4 chains").await?;
        page.click("search-run").await?;
        page.expect_part("search-told", "Done: 16,000 of 16,000 iterations in 4 chains").await?;
        is_native(&page, &document(&page).await?).await?;

        page.click("search-round").await?;
        page.expect_part("search-told", "Done: 32,000 of 32,000 iterations in 4 chains").await?;
        page.expect_value("field-warps-method-anneal-rounds", "2").await?;
        let text = document(&page).await?;
        that(text.contains(r#""rounds": 2"#), || text.clone())?;
        is_native(&page, &text).await
    })
}

#[test]
fn a_link_starts_its_search_and_a_killed_worker_costs_no_result() -> Outcome {
    in_browser(Look::default(), async |page| {
        // The first search worker to tell how far its chain is dies with that.
        let kill = "const Real = window.Worker;
            window.deaths = 0;
            window.searchers = 0;
            // What the page says may be gone again before anybody asks.
            window.said = new Set();
            new MutationObserver(() => said.add(document.querySelector('[data-testid=status]')?.textContent))
                .observe(document, {subtree: true, childList: true, characterData: true});
            window.Worker = class extends Real {
                constructor(url, options) {
                    super(url, options);
                    if (!url.includes('worker-loader')) return;
                    window.searchers += 1;
                    this.addEventListener('message', ({data}) => {
                        if (!data.chain || data.chain.over || window.deaths) return;
                        window.deaths += 1;
                        setTimeout(() => this.dispatchEvent(
                            new ErrorEvent('error', {message: 'out of memory', cancelable: true})));
                    });
                }
            };";
        page.before_load(kill).await?;
        let mut scenario = small(150_000);
        scenario["warps"]["method"]["anneal"]["starts"] = json!(["fixed-priority", "random"]);
        page.go(&to(&scenario)?).await?;
        page.expect_part("search-told", "Done: ").await?;
        let told = "return window.said.has('A worker broke off; its chain goes on in a new one')";
        same("the page said so", page.eval(told, vec![]).await?, json!(true))?;
        same("deaths", page.number("return window.deaths").await?, 1.0)?;
        let processors = page.number("return Math.min(navigator.hardwareConcurrency, 2)").await?;
        same("workers for two chains", page.number("return window.searchers").await?, processors + 1.0)?;
        is_native(&page, &scenario.to_string()).await
    })
}

#[test]
fn a_chain_is_added_while_others_run() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        page.expect_part("chart-legend", "most pending (2)").await?;
        beyond(&page, 100_000).await?;
        let before = done(&page).await?;
        page.choose("chain-start", "most-pending").await?;
        page.click("chain-add").await?;
        page.expect_part("search-told", "in 9 chains").await?;
        that(done(&page).await? >= before, || "the chains began again".to_owned())?;
        same("lines", page.count("[data-testid=chains] li").await?, 9)?;
        page.expect_value("starts-most-pending", "3").await?;
        page.expect_part("chart-legend", "most pending (3)").await?;
        let begun = "return Number(document.querySelector('[data-testid=chains] li:nth-child(9) b').textContent) > 100";
        page.until("the ninth chain under way", begun).await?;
        // Its staircase: the last rows of the table are its own.
        page.eval("document.querySelector('[data-testid=improvements]').open = true", vec![]).await?;
        let table = page.wait_for("improvements-rows").await?;
        table.send_keys(&key(Key::End)).await.map_err(|error| error.to_string())?;
        page.expect_part("chart-details", "chain 9, most pending: ").await
    })
}

#[test]
fn an_edit_stops_the_search_and_offers_another() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        beyond(&page, 100_000).await?;
        page.fill("field-warps-method-anneal-t0", "0.5").await?;
        page.expect("search-run", "Start 8 chains").await?;
        page.expect_part("search-stale", "The scenario has changed").await?;
        page.expect_part("search-told", "Stopped: ").await?;
        at_rest(&page).await?;

        page.click("undo").await?;
        page.gone("search-stale").await?;
        page.expect("search-resume", "Resume").await?;
        let before = done(&page).await?;
        page.click("search-resume").await?;
        beyond(&page, before).await?;

        page.choose("method", "fixed-priority").await?;
        page.expect("makespan", "128 cycles").await?;
        page.gone("search").await?;
        let chart = "return document.querySelector('[data-testid=chart]').checkVisibility()";
        same("a chart without a search", page.eval(chart, vec![]).await?, json!(false))?;
        page.click("undo").await?;
        page.expect("search-resume", "Resume").await?;
        same("a chart of what was found", page.eval(chart, vec![]).await?, json!(true))
    })
}

#[test]
fn an_improvement_is_chosen_by_keyboard() -> Outcome {
    in_browser(Look::default(), async |page| {
        to_the_end(&page, &small(4_000)).await?;
        let best = page.text("makespan").await?;
        page.wait_for("chart-plot").await?;
        page.eval("document.querySelector('[data-testid=chart-plot]').focus()", vec![]).await?;
        page.press(&key(Key::Home)).await?;
        page.expect_part("chart-details", "chain 1, round-robin: starts at 154 cycles").await?;
        // Into the middle of a chain, where the order was not kept and has to be found again.
        page.press(&key(Key::Down)).await?;
        page.press(&key(Key::Right).repeat(3)).await?;
        page.expect_part("chart-details", "chain 2, fixed priority: ").await?;
        let details = page.text("chart-details").await?;
        let chosen = details.split([':', 'c']).find_map(|part| part.trim().parse::<u32>().ok());
        let chosen = chosen.ok_or(details)?;
        page.press(&key(Key::Enter)).await?;
        page.expect("makespan", &format!("{chosen} cycles")).await?;
        page.expect_part("chosen", "that of the improvement you chose").await?;
        page.expect_part("sentence", "All 400 instructions").await?;
        that(best != format!("{chosen} cycles"), || format!("{chosen} is the longest"))?;
        page.click_in("chosen", "Show the longest").await?;
        page.expect("makespan", &best).await?;
        page.gone("chosen").await
    })
}

#[test]
fn the_fields_of_an_annealing_write_the_document() -> Outcome {
    on_page("", async |page| {
        // A quick method becomes a search, which waits to be started.
        page.choose("method", "anneal").await?;
        page.expect("search-run", "Start 8 chains").await?;
        page.fill("field-warps-method-anneal-iterations", "3000").await?;
        page.fill("field-warps-method-anneal-t0", "0.05").await?;
        page.fill("field-warps-method-anneal-seed", "7").await?;
        page.choose("neighbourhood", "gang").await?;
        for (start, count) in [("round-robin", "0"), ("fixed-priority", "1"), ("most-pending", "0")] {
            page.put(&format!("starts-{start}"), count).await?;
        }
        page.put("starts-random", "3").await?;
        page.expect("search-run", "Start 4 chains").await?;
        let text = document(&page).await?;
        let tree: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let wanted = json!({
            "iterations": 3_000, "t0": 0.05, "seed": 7, "neighbourhood": "gang",
            "starts": ["fixed-priority", "random", "random", "random"]
        });
        same("the method", &tree["warps"]["method"]["anneal"], &wanted)?;
        page.click("search-run").await?;
        page.expect_part("search-told", "Done: 12,000 of 12,000 iterations").await?;
        is_native(&page, &text).await?;

        page.fill("field-warps-method-anneal-iterations", "0").await?;
        page.expect_part("problems", "Iterations: 0").await?;
        page.expect("search-run", "Start chains").await?;
        let disabled = "return document.querySelector('[data-testid=search-run]').disabled";
        same("nothing to run", page.eval(disabled, vec![]).await?, json!(true))?;
        page.expect_part("search-told", "Done: ").await?;
        page.click("undo").await?;
        page.expect("search-round", "Another round").await
    })
}

#[test]
fn a_search_by_keyboard_alone() -> Outcome {
    on_page("", async |page| {
        tab_to(&page, "example").await?;
        let down = place(LONG)?.parse().map_err(|_| "no place")?;
        page.press(&key(Key::Down).repeat(down)).await?;
        page.expect("title", "Voronoi, 16 warps: the published annealing").await?;
        begin(&page).await?;
        tab_to(&page, "search-pause").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("search-told", "Paused: ").await?;
        same("the focus after pausing", focused(&page).await?.as_str(), "search-resume")?;
        page.press(&key(Key::Enter)).await?;
        page.expect("search-pause", "Pause").await?;
        tab_to(&page, "chain-start").await?;
        page.press("f").await?;
        tab_to(&page, "chain-add").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("search-told", "in 9 chains").await?;
        page.expect_value("starts-fixed-priority", "3").await?;
        tab_to(&page, "search-stop").await?;
        page.press(" ").await?;
        page.expect_part("search-told", "Stopped: ").await?;
        same("the focus after stopping", focused(&page).await?.as_str(), "search-resume")
    })
}

#[test]
fn a_search_fits_on_a_phone_and_rests_while_it_runs() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        begin(&page).await?;
        fits(&page, "while chains run").await?;
        same("small targets", too_small(&page).await?, json!([]))?;
        // Nothing moves under a finger while chains run, pause and stop.
        let top =
            "const top = (id) => document.querySelector(`[data-testid=${id}]`).getBoundingClientRect().top;
            return [top('chart-plot') - top('search'), top('plot') - top('search')].map(Math.round)";
        page.frames(2).await?; // by now pictures are as high as what is painted on them
        let before = page.eval(top, vec![]).await?;
        beyond(&page, 1_000_000).await?;
        same("places while chains run", page.eval(top, vec![]).await?, before.clone())?;
        page.click("search-pause").await?;
        page.expect_part("search-told", "Paused: ").await?;
        same("places in a pause", page.eval(top, vec![]).await?, before)?;
        page.click("search-stop").await?;
        page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![]).await?;
        fits(&page, "everything unfolded").await?;
        same("small targets, unfolded", too_small(&page).await?, json!([]))
    })
}
