//! How fast the page's worker is beside native code: the same jobs, the same source, one table.
//!
//! `cargo xtask bench` serves the page and runs this. A number in place of the usual count of runs may follow.

#![allow(clippy::disallowed_methods, reason = "measuring is what this program is for")]

use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};
use warpspan::job::protocol::{FromWorker, ToWorker};
use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{Look, Outcome, Page, in_browser};

/// Ways to start the large example; small ones take less than a browser's clock can tell.
const STARTS: [&str; 4] = ["random", "round-robin", "fixed-priority", "most-pending"];
/// Runs of each; the median counts.
const RUNS: usize = 25;

fn main() -> ExitCode {
    let runs = std::env::args().nth(1).and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    match in_browser(Look::default(), async move |page| table(&page, runs).await) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

async fn table(page: &Page, runs: usize) -> Outcome {
    page.go("").await?;
    page.wait_for("makespan").await?;
    println!("\nMedian of {runs} runs, in milliseconds");
    println!("{:<24} {:>8} {:>8} {:>6} {:>14}", "scenario", "native", "worker", "ratio", "with messages");
    for (name, text) in scenarios()? {
        let native = native(&text, runs)?;
        let (worker, round) = in_worker(page, &text, runs).await?;
        let ratio = worker / native;
        println!("{name:<24} {native:>8.2} {worker:>8.2} {ratio:>6.2} {round:>14.2}");
    }
    Ok(())
}

/// What is measured, each with a name.
fn scenarios() -> Result<Vec<(String, String)>, String> {
    let large = BUILTINS.iter().find(|example| example.name == "large").ok_or("no large example")?;
    let mut tree: Value = serde_json::from_str(large.text).map_err(|error| error.to_string())?;
    let mut all = vec![(BUILTINS[0].name.to_owned(), BUILTINS[0].text.to_owned())];
    for start in STARTS {
        tree["warps"]["method"] = json!({ "initial": start });
        all.push((format!("{}, {start}", large.label), tree.to_string()));
    }
    Ok(all)
}

/// Milliseconds of native code.
fn native(text: &str, runs: usize) -> Result<f64, String> {
    let one = || {
        let start = Instant::now();
        let scenario = warpspan::scenario::read(text).map_err(|_| "not valid".to_owned())?;
        let report = warpspan::job::run(scenario);
        std::hint::black_box(report.line());
        Ok(start.elapsed().as_secs_f64() * 1000.0)
    };
    median((0..runs).map(|_| one()).collect::<Result<Vec<f64>, String>>()?)
}

/// Milliseconds inside a worker of the page's own, and until its answer is back.
async fn in_worker(page: &Page, text: &str, runs: usize) -> Result<(f64, f64), String> {
    let start = ToWorker::Start { job: 1, text: text.to_owned() };
    let start = serde_json::to_value(start).map_err(|error| error.to_string())?;
    let script = "const [start, runs, done] = arguments;
        const worker = new Worker('worker-loader.js?bench');
        const answers = [];
        let sent;
        const send = () => { sent = performance.now(); worker.postMessage(start); };
        worker.onerror = (event) => done({error: event.message});
        worker.onmessage = ({data}) => {
            const kind = data.type ?? Object.keys(data)[0];
            if (kind === 'progress') return;
            if (kind !== 'ready') answers.push([performance.now() - sent, data]);
            if (answers.length < runs) return send();
            worker.terminate();
            done(answers);
        }";
    let answers = page.eval_async(script, vec![start, json!(runs)]).await?;
    let answers: Vec<(f64, FromWorker)> =
        serde_json::from_value(answers.clone()).map_err(|error| format!("{error}: {answers}"))?;
    let (mut inside, mut round) = (Vec::new(), Vec::new());
    for (waited, answer) in answers {
        let FromWorker::Done { report: Some(report), .. } = answer else {
            return Err(format!("the worker: {answer:?}"));
        };
        let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
        inside.push(report["seconds"].as_f64().unwrap_or_default() * 1000.0);
        round.push(waited);
    }
    Ok((median(inside)?, median(round)?))
}

fn median(mut times: Vec<f64>) -> Result<f64, String> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}
