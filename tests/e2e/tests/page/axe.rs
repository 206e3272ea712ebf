//! What axe-core's rules say of every view of the page: wide in light and dark, and as narrow as a phone.
//!
//! A view is one entry below: the name of its test, and how to get there from the first screen.

use std::fs;

use serde_json::{Value, json};
use warpspan_e2e::{Look, Outcome, Page, System, on_page, same, skip, that};

use crate::scenario_panel::show;

/// A step on the way to a view.
enum Do {
    /// Choose a built-in example by its name.
    Show(&'static str),
    /// Drop a document onto the page.
    Drop(&'static str),
    /// Choose the files of a small capture in a field.
    Give(&'static str),
    Click(&'static str),
    /// Put a text into a field.
    Put(&'static str, &'static str),
    /// Press keys that stand for themselves.
    Press(&'static str),
    /// Unfold what a selector finds.
    Unfold(&'static str),
    /// Wait until an element is there.
    Wait(&'static str),
    /// Wait until an element says something.
    Read(&'static str, &'static str),
}
use Do::{Click, Drop, Give, Press, Put, Read, Show, Unfold, Wait};

/// A test for each view.
macro_rules! views {
    ($($name:ident: $steps:expr;)*) => { $(
        #[test]
        fn $name() -> Outcome {
            obeys(&$steps)
        }
    )* };
}

views! {
    a_schedule: [];
    two_schedules: [Click("keep"), Show("voronoi-fixed"), Wait("differences")];
    an_annealing: [Drop(ANNEALING), Read("search-told", "Done: "), Wait("chart-plot")];
    a_proof: [Drop(PROOF), Read("proof-bounds", "proven."), Wait("chart-plot")];
    ptx_beside_its_schedule: [Show("voronoi-ptx"), Wait("source-lines")];
    a_conjecture: [Show("raravi-formula"), Read("conjecture-told", "Computed in "), Click("cell-12"), Wait("conjecture-open")];
    the_form_as_json: [Click("as-json"), Wait("json")];
    a_mistake_in_the_form: [Put("field-warps-kernel", "5L Q"), Wait("problems")];
    a_mistake_in_json: [Click("as-json"), Wait("json"), Put("json", "{\"warpspan\": 1, \"warps\": 3}"), Wait("problems")];
    a_file_that_is_none: [Drop("neither this nor that"), Wait("trouble")];
    the_help: [Press("?"), Wait("help-dialog")];
    a_replay_of_blocks: [Show("paredes-example"), Wait("worst-0-open"), Click("blocks-back"), Read("blocks-sentence", "Event ")];
    an_analysis_of_blocks: [Show("paredes-example"), Wait("steps-open"), Click("steps-open"), Wait("step-1")];
    copies_and_engines: [Show("copies"), Wait("blocks-back"), Click("blocks-back"), Wait("blocks-engines")];
    a_measured_run: [Show("measured-run"), Read("check-verdict", "Breaks the rules"), Click("violation-0-show")];
    blocks_with_a_mistake: [Show("paredes-example"), Wait("tile-end"), Put("field-blocks-streams-0-operations-0-threads", "many"), Read("blocks-told", "mistakes")];
    a_graph_of_tasks: [Show("tasks-controller"), Read("tasks-told", "Computed in "), Wait("vertex-0")];
    an_overload: [Show("tasks-overload"), Read("tasks-told", "Computed in "), Wait("tasks-witness")];
    the_list_of_lessons: [Click("room-lessons"), Wait("begin-orders")];
    exercises_of_a_student: [Click("room-lessons"), Click("exercises-warps-and-blocks"), Put("exercises-student", "Ada"), Click("exercises-take"), Wait("exercises-save")];
    the_list_of_examples: [Click("room-examples"), Wait("example-figure-2")];
    a_step_of_a_lesson: [Click("room-lessons"), Click("begin-orders"), Wait("lesson-answer")];
    what_is_refuted: [Click("room-reproduce"), Wait("reproduce-all")];
    what_is_reproduced: [Click("room-reproduce"), Click("reproduce-tab-B"), Wait("item-b-fig-2"), Wait("badge")];
    a_sheet: [Unfold(".teach"), Click("make-sheet"), Wait("paper")];
    a_worksheet: [Show("tasks-controller"), Read("tasks-told", "Computed in "), Unfold(".teach"), Click("make-sheet"), Click("worksheet"), Wait("paper")];
    a_guess: [Unfold(".teach"), Click("hide-answer"), Wait("guess")];
    a_guess_about_blocks: [Show("paredes-example"), Wait("tile-end"), Unfold(".teach"), Click("hide-answer"), Wait("so-far")];
    what_guesses_were_worth: [Unfold(".teach"), Click("hide-answer"), Put("guess-0", "150"), Click("reveal"), Wait("guessed")];
    in_front_of_a_class: [Click("projector"), Wait("plot")];
    the_instructions_of_a_chain: [Show("chain-teaching"), Read("chain-told", "Computed in "), Click("station-kernel-0-code"), Wait("chain-string")];
    a_kernel_of_a_chain: [Show("chain-teaching"), Read("chain-told", "Computed in "), Click("station-kernel-0-gpu"), Wait("chain-alone")];
    a_task_of_a_chain: [Show("chain-teaching"), Read("chain-told", "Computed in "), Click("station-task-0-task"), Wait("chain-segments")];
    what_a_chain_assumes: [Drop(super::chain::ASSUMED), Read("chain-told", "Computed in "), Wait("chain-assumed")];
    a_chain_with_a_mistake: [Show("chain-teaching"), Read("chain-told", "Computed in "), Put("field-chain-kernels-0-threads", "many"), Read("chain-told", "mistakes")];
    a_guess_about_a_chain: [Show("chain-teaching"), Read("chain-told", "Computed in "), Unfold(".teach"), Click("hide-answer"), Wait("guess")];
    a_study_before_it_runs: [Show("equation-rejects"), Read("study-estimate", "1,100 cells")];
    a_study: [Drop(STUDY), Read("study-told", "computed in"), Unfold("[data-testid=study-table]"), Wait("points")];
    studies_to_make: [Unfold("[data-testid=make-study]"), Wait("made-choice")];
    machine_code: [Show("code-saxpy"), Read("code-told", "computed in"), Wait("code-lines")];
    machine_code_written_out: [Show("code-barrier"), Read("code-told", "computed in"), Wait("code-policies")];
    a_thread_trace: [Show("waves-layernorm"), Wait("waves-costs"), Click("waves-wait"), Read("waves-why", " ")];
    thread_traces_compared: [Show("waves-layernorm"), Wait("waves-costs"), Give("waves-compare-file-field"), Wait("waves-compared")];
    a_thread_trace_to_open: [Drop(CAPTURE), Wait("waves-waits")];
    an_experiment: [Drop(EXPERIMENT), Read("experiment-1", "✓ equal")];
}

/// A few cells.
const STUDY: &str = r#"{"warpspan": 1, "title": "Few", "study": {"base": {"warps": {"kernel": "LCL", "count": 1,
    "machine": {"L": 1, "C": 1}}}, "axes": [{"path": "warps.count", "name": "warps", "from": 1, "to": 12}],
    "measures": {"makespan": "makespan"}}}"#;
/// Four short chains.
const ANNEALING: &str = r#"{"warpspan": 1, "title": "Four chains", "warps": {
    "kernel": "5L 9C 2L 9C", "count": 16, "machine": {"L": 1, "C": 4}, "method": {"anneal": {
        "iterations": 4000, "starts": ["round-robin", "fixed-priority", "most-pending", "random"]}}}}"#;
const PROOF: &str = r#"{"warpspan": 1, "title": "A proof", "warps": {
    "kernel": "5L 9C 2L 9C", "count": 4, "machine": {"L": 1, "C": 4}, "method": {"exact": {}}}}"#;
const CAPTURE: &str =
    r#"{"warpspan": 1, "title": "A capture", "waves": {"folder": {"name": "ui_output_agent_1_dispatch_2"}}}"#;
const EXPERIMENT: &str = r#"{"warpspan": 1, "title": "Small tasks", "tasks": {
    "experiment": {"sizes": [3, 6], "most": 60, "fan": 3, "seed": 1}}}"#;

/// The rules: those of WCAG 2 to level AA, and what axe-core calls good practice.
const RULES: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// What shows signs and numbers, as the cells of a map do, and has a name that says them in words: here the name
/// need not hold what is shown letter by letter.
const SIGNS: &str = ".heat button, .graph-drawing .vertex";

async fn step(page: &Page, step: &Do) -> Outcome {
    match *step {
        Show(example) => show(page, example).await,
        Drop(text) => page.drop_files(&[("dropped.json", text)]).await,
        Give(id) => page.give_files(id, &super::waves::folder()).await,
        Click(id) => page.click(id).await,
        Put(id, text) => page.put(id, text).await,
        Press(keys) => page.press(keys).await,
        Unfold(css) => {
            page.wait_for_css(css).await?;
            page.eval("document.querySelector(arguments[0]).open = true", vec![json!(css)]).await.map(drop)
        }
        Wait(id) => page.wait_for(id).await.map(drop),
        Read(id, part) => page.expect_part(id, part).await,
    }
}

fn obeys(steps: &'static [Do]) -> Outcome {
    let Some(axe) = std::env::var_os("WARPSPAN_AXE") else {
        return skip("axe-core is not there; where npm is, `cargo xtask test` installs it");
    };
    let axe = fs::read_to_string(axe).map_err(|error| format!("axe-core: {error}"))?;
    on_page("", async move |page| {
        for one in steps {
            step(&page, one).await?;
        }
        page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![]).await?;
        // What is unfolded may have to be fetched first.
        page.frames(2).await?;
        page.until("all that is unfolded", "return !document.body.textContent.includes('Loading…')").await?;
        page.eval(&axe, vec![]).await?;
        let looks = [(1440, System::Light), (1440, System::Dark), (390, System::Light)];
        let mut all = Vec::new();
        for (width, system) in looks {
            page.look(Look { width, height: 900, system }).await?;
            // A page that is between two themes has the colours of neither.
            let theme = format!("return document.documentElement.dataset.theme === '{}'", system.name());
            page.until("the system's theme", &theme).await?;
            let found = broken(&page).await?;
            let told = |what| format!("{width} {}: {what}", system.name());
            all.extend(found.into_iter().map(told));
        }
        that(all.is_empty(), || format!("axe-core finds {} things:\n{}", all.len(), all.join("\n")))
    })
}

/// What the rules find now, each with its rule, its weight and the elements; and that there were rules at all.
async fn broken(page: &Page) -> Result<Vec<String>, String> {
    let script = "const [tags, signs, done] = arguments;
        // A change of theme fades; what counts is how it ends.
        document.getAnimations().forEach((each) => each.finish());
        // What lies half beneath the end of a row that is drawn sideways is drawn out; the row begins at its beginning.
        document.querySelectorAll('.header').forEach((row) => { row.scrollLeft = 0; });
        const counts = (rule) => ({target}) => rule !== 'label-content-name-mismatch'
            || !document.querySelector(target[0]).matches(signs);
        axe.run(document, {runOnly: {type: 'tag', values: tags}}).then(({violations, passes}) => done({
            passes: passes.length,
            violations: violations.map((found) => ({...found, nodes: found.nodes.filter(counts(found.id))}))
                .filter(({nodes}) => nodes.length > 0).map(({id, impact, nodes}) => `${id} (${impact}): ` + nodes.map((node) =>
                `${node.html.slice(0, 160)} ${node.any.concat(node.all, node.none).map((c) => c.message).join('; ').slice(0, 200)}`).join('\\n    ')),
        }), (error) => done({failed: String(error)}));";
    let found = page.eval_async(script, vec![json!(RULES), json!(SIGNS)]).await?;
    same("a failure of axe-core", &found["failed"], &Value::Null)?;
    let passes = found["passes"].as_u64().unwrap_or_default();
    that(passes > 20, || format!("only {passes} rules looked at something"))?;
    serde_json::from_value(found["violations"].clone()).map_err(|error| error.to_string())
}
