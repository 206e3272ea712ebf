//! How fast the page's worker is beside native code: the same jobs, the same source, one table.
//!
//! `cargo xtask bench` serves the page and runs this; what follows `--` there is a part of it: `felt`, for what a visitor
//! feels and nothing else; or `soak`, how many actions and a seed, for a random walk over the page; or `recordings`, and
//! files of recorded runs: without any, one is made. Run by hand, a number in place of the usual count of runs may follow.

#![allow(clippy::disallowed_methods, reason = "measuring is what this program is for")]

mod felt;
mod recordings;
mod soak;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warpspan::job::protocol::{FromWorker, ToWorker};
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Look, Outcome, Page, in_browser};

/// Ways to start the large example; small ones take less than a browser's clock can tell.
const STARTS: [&str; 4] = ["random", "round-robin", "fixed-priority", "most-pending"];
/// Runs of each; the median counts.
const RUNS: usize = 25;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse().ok());
    let is_alone = |what: &str| words.first().is_some_and(|word| word == what);
    let (walk_alone, felt_alone, recordings_alone) =
        (is_alone("soak"), is_alone("felt"), is_alone("recordings"));
    let walk = soak::Walk::of(number(1).filter(|_| walk_alone), number(2).filter(|_| walk_alone));
    let runs = number(0).and_then(|runs| usize::try_from(runs).ok()).unwrap_or(RUNS);
    let all = async move |page: Page| {
        if walk_alone {
            return soak::soak(&page, walk).await;
        }
        if felt_alone {
            return felt::felt(&page).await;
        }
        if recordings_alone {
            return recordings::recordings(&page, words.get(1..).unwrap_or_default()).await;
        }
        table(&page, runs).await?;
        one_chain(&page, runs.min(5)).await?;
        proofs(&page, runs.min(5)).await?;
        blocks(&page, runs.min(5)).await?;
        tasks(&page, runs.min(5)).await?;
        proof_on_page(&page).await?;
        felt::felt(&page).await?;
        recordings::recordings(&page, &[]).await?;
        eight_chains(&page).await?;
        soak::soak(&page, walk).await
    };
    match in_browser(Look::default(), all) {
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

/// Iterations of the chain that is measured in a worker and natively.
const ITERATIONS: u32 = 400_000;

/// How long the published experiment may take.
const LONGEST_SEARCH: Duration = Duration::from_secs(300);

/// One chain in a worker for searches beside the same chain in native code, in turns.
async fn one_chain(page: &Page, runs: usize) -> Outcome {
    println!("\nOne chain of {ITERATIONS} iterations, swap: iterations per second, medians of {runs} turns");
    println!("{:<24} {:>10} {:>10} {:>6}", "scenario", "native", "worker", "ratio");
    for (name, machine) in
        [("Voronoi, W=16", json!({"L": 1, "C": 4})), ("issue limit 4", json!({"L": 1, "C": 4, "issue": 4}))]
    {
        let method = json!({"anneal": {"iterations": ITERATIONS, "starts": ["round-robin"]}});
        let warps = json!({"kernel": "5L 9C 2L 9C", "count": 16, "machine": machine, "method": method});
        let text = json!({"warpspan": 1, "warps": warps}).to_string();
        let (mut natives, mut workers) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            natives.push(native(&text, 1)?);
            workers.push(in_worker(page, &text, 1).await?.0);
        }
        let rate = |times| Ok::<f64, String>(f64::from(ITERATIONS) * 1000.0 / median(times)?);
        let (native, worker) = (rate(natives)?, rate(workers)?);
        println!("{name:<24} {native:>10.0} {worker:>10.0} {:>6.2}", worker / native);
    }
    Ok(())
}

/// The published kernel on the published machine, without and with an issue limit.
fn published(issue: Option<u32>, method: &Value) -> String {
    let machine = json!({"L": 1, "C": 4, "issue": issue});
    let warps = json!({"kernel": "5L 9C 2L 9C", "count": 16, "machine": machine, "method": method});
    json!({"warpspan": 1, "warps": warps}).to_string()
}

/// Exact searches and beams in a worker for searches beside the same in native code, in turns.
async fn proofs(page: &Page, runs: usize) -> Outcome {
    println!("\nVoronoi, 16 warps, proven and found: milliseconds, medians of {runs} turns");
    println!("{:<32} {:>8} {:>8} {:>6}", "method", "native", "worker", "ratio");
    let exact = json!({"exact": {"shortest": false}});
    let beam = |width: u32| json!({"beam": {"width": width}});
    for (name, issue, method) in [
        ("exact, no issue limit", None, &exact),
        ("exact, issue limit 4", Some(4), &exact),
        ("beam of 100, no issue limit", None, &beam(100)),
        ("beam of 300, issue limit 4", Some(4), &beam(300)),
    ] {
        let text = published(issue, method);
        let (mut natives, mut workers) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            natives.push(native(&text, 1)?);
            workers.push(in_worker(page, &text, 1).await?.0);
        }
        let (native, worker) = (median(natives)?, median(workers)?);
        println!("{name:<32} {native:>8.0} {worker:>8.0} {:>6.2}", worker / native);
    }
    Ok(())
}

/// The published experiment with random tasks, natively and in a worker: milliseconds of each piece.
async fn tasks(page: &Page, runs: usize) -> Outcome {
    let experiment = json!({"sizes": [10, 20, 30, 40, 50], "most": 10_000, "fan": 5, "seed": 1});
    let text = json!({"warpspan": 1, "tasks": {"experiment": experiment}}).to_string();
    println!("\nRandom tasks, in milliseconds: the published table, undominated pairs, exact demand");
    println!(
        "{:<9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "vertices", "native", "", "", "worker", "", ""
    );
    let worker = answers(page, &text, 1).await?.pop().map(|(_, report)| report).unwrap_or_default();
    let reports = [measured(&text)?, worker];
    let rows = reports.map(|report| report["experiment"].as_array().cloned().unwrap_or_default());
    for (native, worker) in rows[0].iter().zip(&rows[1]) {
        let ms = |row: &Value, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
        let of =
            |row: &Value| ["dense_ms", "front_ms", "exact_ms"].map(|key| format!("{:>10.3}", ms(row, key)));
        println!("{:<9} {} {}", native["vertices"], of(native).join(" "), of(worker).join(" "));
    }
    println!("\nOne task and a set, decided: milliseconds, medians of {runs} turns");
    println!("{:<24} {:>8} {:>8} {:>6} {:>14}", "tasks", "native", "worker", "ratio", "with messages");
    for name in ["tasks-controller", "tasks-equation-rejects"] {
        let text = BUILTINS.iter().find(|example| example.name == name).map_or("", |example| example.text);
        let native = native(text, runs)?;
        let (worker, round) = in_worker(page, text, runs).await?;
        println!("{name:<24} {native:>8.2} {worker:>8.2} {:>6.2} {round:>14.2}", worker / native);
    }
    Ok(())
}

/// So many blocks on the 80 multiprocessors of a Titan V, of eight kernels that differ in size and duration.
fn many_blocks(blocks: u32) -> String {
    let stream = |i: u32| {
        let threads = [32, 64, 128, 256, 512, 1024, 96, 320][i as usize];
        let kernel = json!({"kernel": format!("K{i}"), "blocks": blocks / 8, "threads": threads, "duration": 20_000 + 3_000 * i});
        json!({"release": i * 100_000, "operations": [kernel]})
    };
    let streams: Vec<Value> = (0..8).map(stream).collect();
    let asked = json!({"device": {"preset": "titan-v"}, "most_blocks": 2_000_000, "streams": streams});
    json!({"warpspan": 1, "blocks": asked}).to_string()
}

/// Simulations in a worker beside the same in native code, in turns; the answer with every block is made in both.
async fn blocks(page: &Page, runs: usize) -> Outcome {
    println!("\nBlocks simulated on 80 multiprocessors: milliseconds, medians of {runs} turns");
    println!("{:<12} {:>8} {:>8} {:>6} {:>14}", "blocks", "native", "worker", "ratio", "with messages");
    for count in [10_000, 100_000, 1_000_000] {
        let text = many_blocks(count);
        let (mut natives, mut workers, mut rounds) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..runs {
            natives.push(reported(&text)?);
            let (worker, round) = told_by_worker(page, &text).await?;
            workers.push(worker);
            rounds.push(round);
        }
        let (native, worker, round) = (median(natives)?, median(workers)?, median(rounds)?);
        println!("{count:<12} {native:>8.0} {worker:>8.0} {:>6.2} {round:>14.0}", worker / native);
    }
    Ok(())
}

/// Milliseconds of native code until the report is there, not yet as text.
fn reported(text: &str) -> Result<f64, String> {
    let scenario = warpspan::scenario::read(text).map_err(|problems| format!("{problems:?}"))?;
    let start = Instant::now();
    std::hint::black_box(warpspan::job::run(scenario));
    Ok(start.elapsed().as_secs_f64() * 1000.0)
}

/// The same inside a worker, and until its answer is back as text. The answer itself stays in the browser.
async fn told_by_worker(page: &Page, text: &str) -> Result<(f64, f64), String> {
    let start = ToWorker::Start { job: 1, text: text.to_owned() };
    let start = serde_json::to_value(start).map_err(|error| error.to_string())?;
    let script = "const [start, done] = arguments;
        const worker = new Worker('worker-loader.js?bench');
        let sent;
        worker.onerror = (event) => done([0, 0, event.message]);
        worker.onmessage = ({data}) => {
            if (data.ready) { sent = performance.now(); return worker.postMessage(start); }
            if (!data.done) return;
            const seconds = Number(/\"seconds\":([0-9.e-]+)/.exec(data.done.report.slice(0, 2000))[1]);
            worker.terminate();
            done([1000 * seconds, performance.now() - sent, '']);
        }";
    let answer = page.eval_async(script, vec![start]).await?;
    match (answer[0].as_f64(), answer[1].as_f64()) {
        (Some(inside), Some(round)) if inside > 0.0 => Ok((inside, round)),
        _ => Err(format!("the worker: {answer}")),
    }
}

/// From the click to the first bracket and to the proof, on the page.
async fn proof_on_page(page: &Page) -> Outcome {
    println!("\nThe worst case on the page, from the click: milliseconds");
    for (name, issue) in [("no issue limit", None), ("issue limit 4", Some(4))] {
        let tree: Value = serde_json::from_str(&published(issue, &json!({"initial": "round-robin"})))
            .map_err(|error| error.to_string())?;
        let link = link::write(&tree, &View::default()).map_err(|problem| problem.to_string())?;
        page.go(&format!("#{link}")).await?;
        page.expect("proof-run", "Find the worst case").await?;
        let script = "const done = arguments[0];
            const begun = performance.now();
            let first = null;
            const look = setInterval(() => {
                const told = document.querySelector('[data-testid=proof-bounds]')?.textContent;
                if (told) first ??= performance.now() - begun;
                if (!told?.includes('proven')) return;
                clearInterval(look);
                done([first, performance.now() - begun, told]);
            }, 5);
            document.querySelector('[data-testid=proof-run]').click()";
        let answer = page.eval_async(script, vec![]).await?;
        let [first, proven] = [0, 1].map(|i| answer[i].as_f64().unwrap_or_default());
        println!("{name}: first bracket {first:.0}, proof {proven:.0}: {}", answer[2]);
    }
    Ok(())
}

/// The published experiment on the page, from the choice of the example to its end.
async fn eight_chains(page: &Page) -> Outcome {
    let example =
        BUILTINS.iter().position(|example| example.name == "voronoi-anneal").ok_or("no such example")?;
    let workers = page.number("return navigator.hardwareConcurrency").await?;
    let script = "const [example] = arguments;
        const select = document.querySelector('[data-testid=example]');
        const begun = performance.now();
        const frames = [];
        let last = begun;
        const frame = (now) => { frames.push(now - last); last = now; requestAnimationFrame(frame); };
        requestAnimationFrame(frame);
        select.value = String(example);
        select.dispatchEvent(new Event('change', {bubbles: true}));
        const look = setInterval(() => {
            const told = document.querySelector('[data-testid=search-told]')?.textContent ?? '';
            if (!told.startsWith('Done')) return;
            clearInterval(look);
            frames.sort((a, b) => a - b);
            window.benched = [(performance.now() - begun) / 1000, told, frames[Math.floor(frames.length / 2)], frames[Math.floor(frames.length * 0.99)]];
        }, 20)";
    page.eval(script, vec![json!(example)]).await?;
    let begun = Instant::now();
    let answer = loop {
        let answer = page.eval("return window.benched ?? null", vec![]).await?;
        if !answer.is_null() {
            break answer;
        }
        if begun.elapsed() > LONGEST_SEARCH {
            return Err(format!("the search was not over after {LONGEST_SEARCH:?}"));
        }
        std::thread::sleep(Duration::from_millis(500));
    };
    let (wall, told) = (answer[0].as_f64().unwrap_or_default(), answer[1].as_str().unwrap_or_default());
    let computing = told.rsplit("; ").next().and_then(|end| end.split(' ').next()?.parse::<f64>().ok());
    let computing = computing.ok_or_else(|| format!("no seconds in {told:?}"))?;
    println!("\n8 chains of 2,000,000 iterations on the page, {workers} workers: {wall:.1} s");
    println!("{told}");
    println!("workers busy {:.1} % of the time", 100.0 * computing / wall / workers);
    println!("frames of the page meanwhile: median {} ms, 99 in 100 below {} ms", answer[2], answer[3]);
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
    let answers = answers(page, text, runs).await?;
    let inside = answers.iter().map(|(_, report)| report["seconds"].as_f64().unwrap_or_default() * 1000.0);
    Ok((median(inside.collect())?, median(answers.iter().map(|(waited, _)| *waited).collect())?))
}

/// What a worker of the page's own answers, and after how many milliseconds.
async fn answers(page: &Page, text: &str, runs: usize) -> Result<Vec<(f64, Value)>, String> {
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
            if (kind === 'progress' || kind === 'news') return;
            // It is ready once, and idle after each answer.
            const waits = kind === 'ready' || kind === 'idle';
            if (!waits) answers.push([performance.now() - sent, data]);
            if (answers.length < runs) return waits && send();
            worker.terminate();
            done(answers);
        }";
    let answers = page.eval_async(script, vec![start, json!(runs)]).await?;
    let answers: Vec<(f64, FromWorker)> =
        serde_json::from_value(answers.clone()).map_err(|error| format!("{error}: {answers}"))?;
    let report = |(waited, answer): (f64, FromWorker)| {
        let FromWorker::Done { report: Some(report), .. } = answer else {
            return Err(format!("the worker: {answer:?}"));
        };
        let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
        Ok((waited, report))
    };
    answers.into_iter().map(report).collect()
}

/// The report of a job that hears how long its steps take.
fn measured(text: &str) -> Result<Value, String> {
    let scenario = warpspan::scenario::read(text).map_err(|problems| format!("{problems:?}"))?;
    let mut job = warpspan::job::start(scenario);
    loop {
        let start = Instant::now();
        let step = job.step(&mut warpspan::base::Control::slice(10_000));
        if let warpspan::job::Step::Done(report) = step {
            return serde_json::from_str(&report.line()).map_err(|error| error.to_string());
        }
        job.took(start.elapsed().as_secs_f64());
    }
}

fn median(mut times: Vec<f64>) -> Result<f64, String> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}
