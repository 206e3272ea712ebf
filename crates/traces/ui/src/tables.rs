//! What stands beneath the picture: idle time by cause, changes by gain, operations by name, the critical path.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use base::people;
use kit::draw::nanos::in_words;
use traces::Cause;
use traces_lab::draw::of_cause;
use traces_lab::page::packed::cause;
use traces_lab::page::{says, table};
use ui_kit::fold::Fold;
use ui_kit::grid::Grid;
use ui_kit::swatch::InkSwatch;

/// More leads than these say little.
const MOST_LEADS: usize = 12;
/// More stretches of the path likewise.
const MOST_STRETCHES: usize = 12;

fn nanos(value: &Value) -> String {
    in_words(value.as_i64().unwrap_or(0))
}

fn list(report: &Value, key: &str) -> Vec<Value> {
    report[key].as_array().cloned().unwrap_or_default()
}

/// Something made of the report; nothing before there is one.
fn with<T: Default>(stage: Stage, what: impl FnOnce(&Value, &[Option<String>]) -> T) -> T {
    stage.report.with(|report| report.as_ref().map(|report| what(&report.0, &report.1)).unwrap_or_default())
}

/// What the devices of a report are called.
fn named(devices: &[Value]) -> Vec<String> {
    let numbers = devices.iter().map(|device| device["device"].as_i64().unwrap_or_default());
    says::gpus(&numbers.collect::<Vec<_>>())
}

/// Where the idle time of each device went; a click goes through its gaps.
#[component]
pub(super) fn Causes(stage: Stage) -> impl IntoView {
    let fold = Fold::new();
    let devices = memo(move |_| with(stage, |report, _| list(report, "devices")));
    let go = move |wanted: Cause| {
        let Some(run) = stage.run.get_untracked() else { return };
        let from = stage.selected.get_untracked().map_or(-1.0, |bar| bar.start);
        let found = run.gap(Some(wanted), 1.0, from, true).or_else(|| run.gap(Some(wanted), 1.0, -1.0, true));
        stage.as_changed.set(false);
        stage.select(found, true);
    };
    let row = move |wanted: Cause, devices: &[Value]| {
        let total: u64 =
            devices.iter().map(|device| device["causes"][wanted.name()].as_u64().unwrap_or(0)).sum();
        let cells = devices.iter().map(|device| {
            let (own, idle) = (device["causes"][wanted.name()].as_u64().unwrap_or(0), device["idle"].as_u64().unwrap_or(0));
            let share = if idle > 0 { people::percent(own as f64 / idle as f64) } else { String::new() };
            view! { <td class="time">{in_words(i64::try_from(own).unwrap_or(i64::MAX))}</td><td class="time">{share}</td> }
        });
        let (ink, hatch) = of_cause(wanted);
        (total > 0).then(|| view! {
            <tr data-testid=format!("cause-{}", wanted.name())>
                <th scope="row">
                    <button type="button" class="link" title="Go to the next such gap" on:click=move |_| go(wanted)>
                        <InkSwatch ink hatch/>
                        {says::name_of(wanted)}
                    </button>
                </th>
                {cells.collect_view()}
                <td>{says::meaning(wanted)}</td>
            </tr>
        })
    };
    move || {
        let devices = devices.get();
        (!devices.is_empty()).then(|| {
            let heads = named(&devices).into_iter().map(|name| view! { <th scope="col" colspan="2">{name}</th> });
            let sums = devices.iter().map(|device| view! { <td class="time">{nanos(&device["idle"])}</td><td class="time">"of "{in_words(device["idle"].as_i64().unwrap_or(0).saturating_add(device["busy"].as_i64().unwrap_or(0)))}</td> });
            view! {
                <details class="section" open=live(move || fold.open()) on:toggle=move |event| fold.toggled(&event) data-testid="traces-causes">
                    <summary>"Why the GPU was idle"</summary>
                    <div class="scroll" role="region" tabindex="0" aria-label="Idle time by cause">
                        <table class="numbers">
                            <thead><tr><th scope="col">"Cause"</th>{heads.collect_view()}<th scope="col">"Meaning"</th></tr></thead>
                            <tbody>
                                {Cause::ALL.into_iter().map(|cause| row(cause, &devices)).collect_view()}
                                <tr class="done"><th scope="row">"All idle time"</th>{sums.collect_view()}<td>"The causes add up to it, to the nanosecond."</td></tr>
                            </tbody>
                        </table>
                    </div>
                </details>
            }
        })
    }
}

/// What is changed, in words.
fn changed(lead: &Value) -> String {
    let (count, name) = (lead["count"].as_u64().unwrap_or(0), lead["name"].as_str().unwrap_or_default());
    let of_calls = matches!(lead["change"].as_str(), Some("no-wait" | "at-once" | "half-calls"));
    let all = match count {
        1 => format!("{name} ({} {})", if of_calls { "call" } else { "operation" }, lead["first"]),
        count => format!("{name} ({} times)", people::grouped(count.into())),
    };
    match lead["change"].as_str().unwrap_or_default() {
        "no-wait" => format!("{all} waits for nothing"),
        "at-once" => format!("{all} returns at once"),
        "half" => format!("{all} takes half as long"),
        "half-calls" => format!("{all} takes half its own time"),
        other => format!("{all}: {}", other.replace('-', " ")),
    }
}

/// The changes worth most, each of which can be tried.
#[component]
pub(super) fn Leads(stage: Stage) -> impl IntoView {
    let fold = Fold::new();
    let known = memo(move |_| {
        with(stage, |report, changes| {
            list(report, "leads")
                .into_iter()
                .zip(changes.iter().cloned())
                .take(MOST_LEADS)
                .collect::<Vec<_>>()
        })
    });
    let tried = memo(move |_| stage.changes());
    let row = move |(place, (lead, change)): (usize, (Value, Option<String>))| {
        let change = change.and_then(|text| kit::import::json::parse(&text).ok());
        let wanted = change.clone();
        let is_on =
            memo(move |_| wanted.as_ref().is_some_and(|change| tried.with(|tried| tried.contains(change))));
        let toggle = move |_| {
            let Some(change) = change.clone() else { return };
            let mut all = tried.get_untracked();
            match all.iter().position(|known| *known == change) {
                Some(at) => {
                    all.remove(at);
                }
                None => all.push(change),
            }
            stage.set_changes(all);
        };
        view! {
            <tr>
                <td><button type="button" aria-pressed=live(move || if is_on.get() { "true" } else { "false" }) data-testid=format!("traces-try-{place}") on:click=toggle>{live(move || if is_on.get() { "Tried" } else { "Try" })}</button></td>
                <th scope="row">{changed(&lead)}</th>
                <td class="time">{if lead["turned"].is_null() { "" } else { "up to " }}{nanos(&lead["gain"])}</td>
                <td class="time">{nanos(&lead["together"])}</td>
            </tr>
        }
    };
    move || {
        let known = known.get();
        (!known.is_empty()).then(|| view! {
            <details class="section" open=live(move || fold.open()) on:toggle=move |event| fold.toggled(&event) data-testid="traces-leads">
                <summary>"What would change the run most"</summary>
                <p class="hint">"Each is replayed by itself. Gains may overlap: what all up to a line gain together stands beside it, which may be less than their sum. Up to: it lets calls of other threads, or copies, go first that a replay keeps in their order."</p>
                <div class="scroll" role="region" tabindex="0" aria-label="Changes by gain">
                    <table class="numbers">
                        <thead><tr><th scope="col"><span class="hidden">"Try"</span></th><th scope="col">"Change"</th><th scope="col">"Ends sooner by"</th><th scope="col">"With all above"</th></tr></thead>
                        <tbody>{known.into_iter().enumerate().map(row).collect_view()}</tbody>
                    </table>
                </div>
            </details>
        })
    }
}

/// Operations by name, in the stretch that is selected, or in sight.
#[component]
pub(super) fn Names(stage: Stage) -> impl IntoView {
    let open = RwSignal::new(false);
    let known = memo(move |_| {
        let run = stage.seen().filter(|_| open.get())?;
        let window = stage.still.get();
        let (from, to) =
            stage.sight.range.get().map_or((window.t0, window.t1), |range| (range.from, range.to));
        Some(std::sync::Arc::new(table::by_name(&run, from, to)))
    });
    let count = memo(move |_| known.with(|known| known.as_ref().map_or(0, |known| known.len())));
    let place = RwSignal::new(None::<usize>);
    let at = memo(move |_| place.get());
    let cells = move |at: usize| {
        let known = known.get()?;
        let own = known.get(at)?;
        let run = stage.seen()?;
        let idle = own.mostly.map_or(String::new(), |kind| {
            format!("{}, mostly {}", in_words(own.idle as i64), says::name_of(cause(kind)))
        });
        Some(vec![
            run.names.get(own.name as usize).cloned().unwrap_or_default(),
            people::grouped(own.count as u128),
            in_words(own.total as i64),
            in_words((own.total / own.count.max(1) as f64) as i64),
            in_words(own.longest as i64),
            idle,
        ])
    };
    let choose = move |at: usize| {
        place.set(Some(at));
        let Some(run) = stage.seen_now() else { return };
        let name = known.with_untracked(|known| {
            known.as_ref().and_then(|known| run.names.get(known.get(at)?.name as usize).cloned())
        });
        let from = stage.selected.get_untracked().map_or(-1.0, |bar| bar.start);
        if let Some(bar) = name.and_then(|name| run.find(&name, from, true)) {
            stage.select(Some(bar), true);
        }
    };
    let toggled = move |event: leptos::ev::Event| {
        let details =
            event.target().and_then(|at| wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(at).ok());
        open.set(details.is_some_and(|details| details.has_attribute("open")));
    };
    view! {
        <details class="section traces-names" data-testid="traces-names" on:toggle=toggled>
            <summary>"Operations by name, in the stretch selected or in sight"</summary>
            <Grid id="traces-name" label="Operations by name" columns=&["Name", "Times", "Together", "Mean", "Longest", "Idle before them"] rows=count place=at cells choose/>
        </details>
    }
}

/// The critical path, by what happened on it.
#[component]
pub(super) fn Critical(stage: Stage) -> impl IntoView {
    let known = memo(move |_| with(stage, |report, _| list(report, "critical")));
    let row = |stretch: &Value| {
        let what = match stretch["what"].as_str().unwrap_or_default() {
            "ran" => "ran".to_owned(),
            "called" => "host in call".to_owned(),
            "returned" => "call returned after waiting".to_owned(),
            "paused" => "host did nothing recorded after".to_owned(),
            "before" => "before the first thing recorded".to_owned(),
            cause => Cause::ALL
                .into_iter()
                .find(|one| one.name() == cause)
                .map_or(cause.to_owned(), |one| says::name_of(one).to_owned()),
        };
        view! {
            <tr>
                <th scope="row">{what}</th>
                <td>{stretch["name"].as_str().unwrap_or_default().to_owned()}</td>
                <td class="time">{nanos(&stretch["nanos"])}</td>
                <td class="time">{people::grouped(stretch["segments"].as_u64().unwrap_or(0).into())}</td>
            </tr>
        }
    };
    move || {
        let known = known.get();
        (!known.is_empty()).then(|| view! {
            <details class="section" data-testid="traces-critical">
                <summary>"The critical path, by what happened on it"</summary>
                <div class="scroll" role="region" tabindex="0" aria-label="Critical path">
                    <table class="numbers">
                        <thead><tr><th scope="col">"What"</th><th scope="col">"Name"</th><th scope="col">"Time"</th><th scope="col">"Stretches"</th></tr></thead>
                        <tbody>{known.iter().take(MOST_STRETCHES).map(row).collect_view()}</tbody>
                    </table>
                </div>
            </details>
        })
    }
}

/// What the rule that nothing overtakes would need, device by device.
fn head_of_queue(name: &str, device: &Value) -> String {
    let queue = &device["head_of_queue"];
    let count = |key: &str| queue[key].as_u64().unwrap_or(0);
    let amid = match count("amid") {
        0 => String::new(),
        amid => format!(
            " {} began amid the waves of another: the rule needs blocks of operation {} ({}) to differ by {} % in time, or operation {} to have a higher priority.",
            people::counted(usize::try_from(amid).unwrap_or(usize::MAX), "kernel"),
            queue["uneven"]["blocks_of"],
            queue["uneven"]["name"].as_str().unwrap_or_default(),
            queue["uneven"]["percent"],
            queue["uneven"]["began"],
        ),
    };
    format!("{name}: {}.{amid}", queue["says"].as_str().unwrap_or_default())
}

/// The published rule that a recording of whole kernels cannot refute.
#[component]
pub(super) fn Queue(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        with(stage, |report, _| {
            let devices = list(report, "devices");
            let queues = named(&devices).into_iter().zip(&devices);
            queues.map(|(name, device)| head_of_queue(&name, device)).collect::<Vec<_>>()
        })
    });
    let item = |text: String| view! { <li>{text}</li> };
    move || {
        let known = known.get();
        (!known.is_empty()).then(|| view! {
            <details class="section" data-testid="traces-queue">
                <summary>"Does a kernel overtake another? (rule X1)"</summary>
                <p class="hint">"A recording of whole kernels cannot refute the rule: it does not say when blocks were handed out. Logs block by block can: drop the scheduling examiner's on this page, and Blocks holds them against every rule, as it does "<a href="#example=paredes-measured">"a measured run"</a>"."</p>
                <ul>{known.into_iter().map(item).collect_view()}</ul>
            </details>
        })
    }
}

/// What of the file is in none of this, and what is taken for granted.
#[component]
pub(super) fn LeftOut(stage: Stage) -> impl IntoView {
    let left = memo(move |_| with(stage, |report, _| list(report, "left_out")));
    let assumed = memo(move |_| with(stage, |report, _| list(report, "assumptions")));
    let item = |text: String| view! { <li>{text}</li> };
    move || {
        let (left, assumed) = (left.get(), assumed.get());
        let left: Vec<String> = left
            .iter()
            .map(|one| {
                format!(
                    "{}: {}",
                    one["what"].as_str().unwrap_or_default(),
                    people::grouped(one["count"].as_u64().unwrap_or(0).into())
                )
            })
            .collect();
        let assumed: Vec<String> = assumed.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
        view! {
            {(!left.is_empty()).then(|| view! {
                <details class="section" data-testid="traces-left-out">
                    <summary>{format!("Not read: {} kinds of records", left.len())}</summary>
                    <ul>{left.into_iter().map(item).collect_view()}</ul>
                </details>
            })}
            {(!assumed.is_empty()).then(|| view! {
                <details class="more"><summary>"What all of this takes for granted"</summary><ol>{assumed.into_iter().map(item).collect_view()}</ol></details>
            })}
        }
    }
}
