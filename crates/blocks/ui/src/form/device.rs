//! The device in the form, where blocks go on it, and how processes take turns.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use base::people::{counted, grouped};
use blocks::{Placement, presets};
use blocks_lab::page::blocks::form;
use blocks_lab::page::blocks::form::device::{DEVICE, LIMITS, PRESET, changed, device, preset, with_device};
use blocks_lab::page::blocks::form::path::Key::Of;
use blocks_lab::page::blocks::form::path::place;
use blocks_lab::page::blocks::form::units::Unit;
use blocks_lab::page::blocks::form::{Holds, Slot};
use ui_kit::cells::{choice, row, told};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;

/// Device and placement.
#[component]
pub fn DeviceForm(doc: Doc) -> impl IntoView {
    let name = memo(move |_| doc.tree.with(|tree| tree.as_ref().ok().and_then(preset)));
    let choices = Signal::derive(|| -> Choices {
        let known = presets::ALL.iter().map(|preset| (preset.name.to_owned(), preset.device().name));
        known.chain([(String::new(), "Limits written out".to_owned())]).collect()
    });
    let bound = Bound {
        value: Signal::derive(move || name.get().unwrap_or_default()),
        write: Callback::new(move |chosen: String| {
            doc.edit_tree("device", |tree| with_device(tree, &chosen))
        }),
    };
    let about = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(said).unwrap_or_default()));
    let own = [place(&DEVICE), place(&PRESET)];
    view! {
        <fieldset>
            <legend>"Device"</legend>
            {select("Device".to_owned(), "device".to_owned(), choices, bound)}
            <Show when=move || name.with(Option::is_none) fallback=move || view! { <p class="hint" data-testid="device-limits">{live(move || about.get())}</p> }>
                <p class="heading">"One multiprocessor (SM) holds at most"</p>
                {row(doc, limits(&["threads", "blocks", "shared_memory", "registers"]), "two")}
                <p class="heading">"One block has at most"</p>
                {row(doc, limits(&["threads_per_block", "shared_memory_per_block"]), "two")}
                {row(doc, limits(&["sms", "copy_engines"]), "two")}
            </Show>
            {told(doc, "notes-device".to_owned(), move |problems| form::problems_at(problems, &own))}
            {choice(doc, "A block goes to", vec![Of("blocks"), Of("placement")], placements())}
        </fieldset>
        <Slices doc/>
    }
}

fn limits(keys: &[&str]) -> Vec<Slot> {
    let known = LIMITS.iter().filter(|limit| keys.contains(&limit.key));
    known.map(|limit| Slot::of(&DEVICE, limit.key, limit.label, Holds::Number, limit.usual)).collect()
}

/// `2 SMs of 2,048 threads, 32 blocks and 64 KiB shared memory`.
fn said(tree: &serde_json::Value) -> String {
    let device = device(tree);
    let mut said = format!(
        "{} of {}, {}, {} of shared memory and {}.",
        counted(device.sms.into(), "multiprocessor"),
        counted(device.threads_per_sm as usize, "thread"),
        counted(device.blocks_per_sm as usize, "block"),
        bytes(device.shared_memory_per_sm),
        counted(device.registers_per_sm as usize, "register"),
    );
    let note = preset(tree).and_then(|name| presets::named(&name)).map_or("", |preset| preset.note);
    if !note.is_empty() {
        said += &format!(" {note}");
    }
    let changed = changed(tree);
    if !changed.is_empty() {
        said += &format!(" Changed beside the preset, under JSON: {}.", changed.join(", "));
    }
    said
}

fn bytes(bytes: u32) -> String {
    match bytes {
        0 => "no".to_owned(),
        n if n.is_multiple_of(1024) => format!("{} KiB", grouped((n / 1024).into())),
        n => format!("{} bytes", grouped(n.into())),
    }
}

fn placements() -> Choices {
    let label = |placement| match placement {
        Placement::MostFreeThreads => "the SM with the most free threads",
        Placement::FewestBlocks => "the SM with the fewest blocks",
        Placement::RoundRobin => "the next SM in turn",
        Placement::LowestFirst => "the lowest SM with room",
        Placement::HighestFirst => "the highest SM with room",
    };
    Placement::ALL.map(|(placement, name)| (name.to_owned(), label(placement).to_owned())).to_vec()
}

/// How processes take turns, where there are several.
#[component]
fn Slices(doc: Doc) -> impl IntoView {
    let several = memo(move |_| doc.tree.with(|tree| tree.as_ref().is_ok_and(form::has_processes)));
    let slice = [Of("blocks"), Of("time_slice")];
    let switch = vec![Of("blocks"), Of("time_slice"), Of("switch")];
    let ways = || {
        [("drain", "its running blocks end first"), ("preempt", "its running blocks stand still")]
            .map(|(value, label)| (value.to_owned(), label.to_owned()))
            .to_vec()
    };
    view! {
        <Show when=move || several.get()>
            <fieldset>
                <legend>"Processes take turns"</legend>
                {row(doc, vec![Slot::of(&slice, "quantum", "A turn takes, ms", Holds::Time(Unit::Millis), "2")], "two")}
                {choice(doc, "When it is over", switch.clone(), ways())}
            </fieldset>
        </Show>
    }
}
