//! What the page may load, run and talk to: its own files and nothing else, by a policy that browsers keep.

use serde_json::json;
use warpspan::scenario::link;
use warpspan_e2e::{Outcome, Page, in_browser, on_page, same, that};

use crate::chain::stand;
use crate::scenario_panel::show;

/// Notes what the browser refuses, from before the page's own scripts on.
const LISTEN: &str = "window.refused = [];
    document.addEventListener('securitypolicyviolation', (event) => {
        window.refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });";

/// Two short chains.
const ANNEALING: &str = r#"{"warpspan": 1, "title": "Two chains", "warps": {"kernel": "5L 9C 2L 9C", "count": 16,
    "machine": {"L": 1, "C": 4}, "method": {"anneal": {"iterations": 4000, "starts": ["round-robin", "random"]}}}}"#;

/// That nothing was refused, and nothing was asked of another origin, since the page was opened.
async fn kept_to_itself(page: &Page) -> Outcome {
    // What the page has begun would have been told of by now.
    page.quiet().await?;
    let refused = page.eval("return window.refused", vec![]).await?;
    same("what was refused", &refused, &json!([]))?;
    // Hatches are pictures within the style sheets.
    let elsewhere = "return performance.getEntriesByType('resource').map((entry) => new URL(entry.name))
        .filter((url) => url.protocol !== 'data:' && url.origin !== location.origin).map(String)";
    same("what was asked elsewhere", &page.eval(elsewhere, vec![]).await?, &json!([]))
}

/// Opens the page with a script in place that notes what is refused.
async fn begin(page: &Page) -> Outcome {
    page.before_load(LISTEN).await?;
    page.go("").await?;
    page.expect("makespan", "154 cycles").await
}

#[test]
fn the_policy_is_in_the_page() -> Outcome {
    on_page("", async |page| {
        let read = "return document.querySelector('meta[http-equiv=Content-Security-Policy]')?.content ?? ''";
        let policy = page.string(read).await?;
        let rule = |name: &str| {
            policy.split("; ").find_map(|rule| rule.strip_prefix(name)).unwrap_or_default().to_owned()
        };
        let own = ["default-src ", "connect-src ", "worker-src "];
        for name in own {
            same(name, rule(name).as_str(), "'self'")?;
        }
        same("img-src", rule("img-src ").as_str(), "'self' data:")?;
        for name in ["object-src ", "base-uri ", "form-action "] {
            same(name, rule(name).as_str(), "'none'")?;
        }
        let scripts = rule("script-src ");
        that(scripts.starts_with("'self' 'wasm-unsafe-eval' 'sha256-"), || scripts.clone())?;
        that(!scripts.contains("unsafe-inline") && !scripts.contains("'unsafe-eval'"), || scripts.clone())
    })
}

/// All labs and rooms, each with what it loads, its pictures, files, printing, searching and handing over.
#[test]
fn a_walk_through_all_labs_meets_no_refusal() -> Outcome {
    in_browser(Default::default(), async |page| {
        begin(&page).await?;
        page.eval("window.print = () => { window.printed = true; }", vec![]).await?;
        page.stand_in_for_perfetto().await?;
        for file in ["svg", "png", "csv", "report", "trace"] {
            page.download(file).await?;
        }
        page.click("perfetto").await?;
        page.handed_over().await?;
        page.drop_files(&[("chains.json", ANNEALING)]).await?;
        page.expect_part("search-told", "Done: ").await?;
        page.wait_for("chart-plot").await?;
        page.download("chart-svg").await?;
        show(&page, "raravi-formula").await?;
        page.expect_part("conjecture-told", "Computed in ").await?;
        page.download("conjecture-csv").await?;
        page.click("lab-blocks").await?;
        page.wait_for("tile-end").await?;
        for file in ["blocks-svg", "blocks-png", "blocks-csv", "blocks-trace"] {
            page.download(file).await?;
        }
        page.click("lab-tasks").await?;
        page.expect_part("tasks-told", "Computed in ").await?;
        for file in ["tasks-svg", "tasks-png", "tasks-csv"] {
            page.download(file).await?;
        }
        page.click("lab-chain").await?;
        page.expect_part("chain-told", "Computed in ").await?;
        for file in ["chain-svg", "chain-png", "chain-tasks-csv"] {
            page.download(file).await?;
        }
        page.eval("document.querySelector('.teach').open = true", vec![]).await?;
        page.click("make-sheet").await?;
        page.wait_for("paper").await?;
        page.click("print").await?;
        page.until("a print", "return window.printed === true").await?;
        page.click("sheet-back").await?;
        page.click("room-lessons").await?;
        page.click("begin-orders").await?;
        page.wait_for("lesson-answer").await?;
        page.click("room-reproduce").await?;
        page.wait_for("reproduce-all").await?;
        page.click("room-examples").await?;
        page.wait_for("example-figure-2").await?;
        page.choose("theme", "dark").await?;
        kept_to_itself(&page).await
    })
}

/// What a hole in the page would let in does not run, and nothing is fetched from elsewhere.
#[test]
fn what_is_put_into_the_page_does_not_run() -> Outcome {
    in_browser(Default::default(), async |page| {
        begin(&page).await?;
        let put = "const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
            const place = document.createElement('div');
            place.innerHTML = '<img src=\"https://elsewhere.example/x.png\"><button onclick=\"window.ran = true\">x</button>';
            document.body.append(place);
            place.querySelector('button').click();
            fetch('https://elsewhere.example/').then(() => { window.ran = true; }, () => {});
            window.ran ??= false";
        page.eval(put, vec![]).await?;
        let all = "const all = window.refused.map((line) => line.split(' ')[0]);
            return ['script-src-elem', 'script-src-attr', 'img-src', 'connect-src'].every((rule) => all.includes(rule))";
        page.until("all four to be refused", all).await?;
        same("whether any of it ran", &page.eval("return window.ran", vec![]).await?, &json!(false))
    })
}

/// A kernel whose name is mark-up: its code to embed is a frame and no more, and its link opens again.
#[test]
fn names_that_are_mark_up_stay_names() -> Outcome {
    const NAME: &str = "\"></iframe><img src=x onerror=\"window.top.ran = true\"> ü&%#";
    in_browser(Default::default(), async |page| {
        begin(&page).await?;
        let document = json!({"warpspan": 1, "title": NAME, "chain": {"device": {"preset": "jetson-tx2"},
            "machine": {"L": 1, "C": 1}, "clock": 1_000_000_000, "kernels": [{"name": NAME, "kernel": "LCL", "blocks": 2, "threads": 64}],
            "tasks": [{"name": "look", "period": 40_000_000, "segments": [{"ticks": 4}, {"launch": NAME}]}]}});
        page.drop_files(&[("chain.json", &document.to_string())]).await?;
        page.expect_part("chain-told", "Computed in ").await?;
        stand(&page, "station-kernel-0-code").await?;
        page.until("the station in the address", "return location.hash.includes('&sel-u=kernel:')").await?;
        let fragment = page.fragment().await?;
        let opened = link::open(&fragment).map_err(|problem| problem.to_string())?;
        same("what is selected", opened.view.sel, Some(format!("kernel:{NAME}:code")))?;
        let script = "window.copied = null; navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";
        page.eval(script, vec![]).await?;
        page.eval("document.querySelector('.teach').open = true", vec![]).await?;
        page.click("copy-embed").await?;
        page.until("the code", "return window.copied !== null").await?;
        let made = "const place = document.createElement('template'); place.innerHTML = window.copied;
            return [...place.content.querySelectorAll('*')].map((e) => `${e.localName} ${e.getAttributeNames()}`)";
        let made = page.eval(made, vec![]).await?;
        same("what the code makes", &made, &json!(["iframe src,title,width,height,style,loading"]))?;
        page.go(&fragment).await?;
        page.expect_part("chain-told", "Computed in ").await?;
        same("problems with the link", page.has("trouble").await?, false)?;
        kept_to_itself(&page).await
    })
}
