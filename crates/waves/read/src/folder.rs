//! The folder `ui_output_agent_A_dispatch_D` that `rocprofv3 --att` decodes a thread trace into.
//!
//! filenames.json names the waves' files, code.json the lines, occupancy.json who was on the shader engines;
//! snapshots.json the saved sources. What is missing, cut off or contradicts itself is left out and noted; without a
//! single wave there is no capture.

use std::collections::HashMap;

use base::Problem;
use base::problem::{named, quoted};
use waves::capture::{Capture, NO_LINE, Presence};
use waves::isa::Generation;

use crate::code;
use crate::files::{Files, captures, wave_name};
use crate::json::{Json, Stop};
use crate::{Progress, stopped, wave};

/// Instructions that are read; no capture that a person looks at has more.
pub const MOST_INSTRUCTIONS: usize = 8_000_000;
/// Bytes of saved sources that are kept.
const MOST_SOURCE: usize = 16 << 20;

/// A wave's file as filenames.json names it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Listed {
    /// Shader engine, SIMD, slot, number.
    place: [u32; 4],
    file: String,
    life: Option<(i64, i64)>,
}

/// Reads a capture. Who drives it is told what is read next, how many waves were read, and of how many.
pub fn read(
    files: &mut dyn Files,
    progress: &mut dyn FnMut(&Progress<'_>) -> bool,
) -> Result<Capture, Vec<Problem>> {
    let names = files.names();
    let folder = one_folder(&names)?;
    let mut capture = Capture::default();
    let mut listed = head(files, &folder, &mut capture)?;
    if listed.is_empty() {
        listed = by_name(&names, &folder);
    }
    let total = listed.len() as u64;
    if !progress(&Progress { what: "code.json", done: 0, total }) {
        return Err(stopped());
    }
    let lines = code::read(files, &folder, &mut capture);
    for (done, one) in (0..).zip(&listed) {
        if capture.instructions_left() == 0 {
            capture.leave_out(format!("waves after {MOST_INSTRUCTIONS} instructions"), total - done);
            break;
        }
        if !progress(&Progress { what: &one.file, done, total }) {
            return Err(stopped());
        }
        add_wave(files, &folder, one, &lines, &mut capture);
    }
    if capture.waves.is_empty() {
        let mut what = format!("no wave that can be read among {total} files of waves");
        if let Some(left) = capture.left_out.first() {
            what = format!("{what}; {}", left.what);
        }
        return Err(vec![Problem::at(
            "capture",
            what,
            "files of waves, such as se0_sm0_sl0_wv0.json, with instructions",
        )]);
    }
    occupancy(files, &folder, &mut capture);
    sources(files, &folder, &mut capture);
    Ok(capture)
}

/// Room for instructions.
trait Room {
    fn instructions_left(&self) -> usize;
}

impl Room for Capture {
    fn instructions_left(&self) -> usize {
        MOST_INSTRUCTIONS.saturating_sub(self.waves.iter().map(|wave| wave.instrs.len() + 1).sum())
    }
}

/// The folder of the one capture among files.
fn one_folder(names: &[String]) -> Result<String, Vec<Problem>> {
    let mut found = captures(names);
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(vec![Problem::at(
            "capture",
            "no filenames.json and no file of a wave",
            "the folder ui_output_agent_A_dispatch_D that rocprofv3 --att writes",
        )]),
        count => {
            let some: Vec<String> = found.iter().take(5).map(|folder| quoted(folder)).collect();
            let what = format!("{count} captures: {}", some.join(", "));
            Err(vec![Problem::at("capture", what, "one of them by itself")])
        }
    }
}

/// Reads filenames.json.
fn head(files: &mut dyn Files, folder: &str, capture: &mut Capture) -> Result<Vec<Listed>, Vec<Problem>> {
    let mut listed = Vec::new();
    let mut generation = None;
    match files.bytes(&format!("{folder}filenames.json")) {
        Ok(bytes) => {
            let mut json = Json::new(&bytes);
            if let Err(stop) = head_object(&mut json, &mut listed, &mut generation) {
                capture.leave_out(format!("what follows in filenames.json: {}", stop.said()), 1);
            }
        }
        Err(why) => {
            capture.leave_out(format!("filenames.json: {why}; waves are told by their files' names"), 1)
        }
    }
    match generation {
        Some(number) => {
            capture.generation = Generation::of(number).ok_or_else(|| {
                let what = format!("graphics core of generation {number}");
                vec![Problem::at("filenames.json: gfxip", what, "9, 10, 11 or 12")]
            })?;
        }
        None => capture
            .leave_out("the generation of the graphics core is not told: it is taken for gfx9".to_owned(), 1),
    }
    listed.sort_by_key(|one| one.place);
    Ok(listed)
}

fn head_object(
    json: &mut Json<'_>,
    listed: &mut Vec<Listed>,
    generation: &mut Option<i64>,
) -> Result<(), Stop> {
    if !json.object()? {
        return Ok(());
    }
    while let Some(key) = json.key()? {
        match key.as_str() {
            "gfxip" => *generation = json.whole()?,
            "wave_filenames" => tree(json, &mut Vec::new(), listed)?,
            _ => json.skip()?,
        }
    }
    Ok(())
}

/// Objects within each other, by shader engine, SIMD, slot and number.
fn tree(json: &mut Json<'_>, place: &mut Vec<u32>, listed: &mut Vec<Listed>) -> Result<(), Stop> {
    if place.len() < 4 {
        if !json.object()? {
            return Ok(());
        }
        while let Some(key) = json.key()? {
            match key.parse() {
                Ok(number) => {
                    place.push(number);
                    tree(json, place, listed)?;
                    place.pop();
                }
                Err(_) => json.skip()?,
            }
        }
        return Ok(());
    }
    if !json.array()? {
        return Ok(());
    }
    let (mut file, mut numbers) = (None, Vec::new());
    let mut at = 0;
    while json.item()? {
        if at == 0 {
            file = json.text()?;
        } else {
            numbers.push(json.whole()?);
        }
        at += 1;
    }
    if let (Some(file), [a, b, c, d]) = (file, place.as_slice()) {
        let life = match numbers.as_slice() {
            [Some(begin), Some(end), ..] => Some((*begin, *end)),
            _ => None,
        };
        listed.push(Listed { place: [*a, *b, *c, *d], file, life });
    }
    Ok(())
}

fn by_name(names: &[String], folder: &str) -> Vec<Listed> {
    let mut listed: Vec<Listed> = names
        .iter()
        .filter_map(|name| {
            let file = name.strip_prefix(folder)?;
            Some(Listed { place: wave_name(file)?, file: file.to_owned(), life: None })
        })
        .collect();
    listed.sort_by_key(|one| one.place);
    listed
}

fn add_wave(
    files: &mut dyn Files,
    folder: &str,
    one: &Listed,
    lines: &HashMap<u32, u32>,
    capture: &mut Capture,
) {
    let name = named(&one.file);
    // A name leads to a file of this folder, never out of it.
    if one.file.contains(['/', '\\']) {
        capture.leave_out(format!("{name}: no name of a file in this folder"), 1);
        return;
    }
    let bytes = match files.bytes(&format!("{folder}{}", one.file)) {
        Ok(bytes) => bytes,
        Err(why) => {
            capture.leave_out(format!("{name}: {why}"), 1);
            return;
        }
    };
    let mut read = wave::read(&bytes, one.life, capture.instructions_left());
    drop(bytes);
    [read.wave.se, read.wave.simd, read.wave.slot, read.wave.n] = one.place;
    for note in &read.notes {
        capture.leave_out(format!("{name}: {note}"), 1);
    }
    if !read.sound {
        return;
    }
    let mut unmatched = 0;
    for instr in &mut read.wave.instrs {
        let number = instr.line;
        instr.line = if number == 0 { NO_LINE } else { lines.get(&number).copied().unwrap_or(NO_LINE) };
        unmatched += u64::from(instr.line == NO_LINE);
    }
    capture.leave_out("lines of instructions that the code does not have".to_owned(), unmatched);
    capture.waves.push(read.wave);
}

/// Reads occupancy.json; without it the capture is whole but for that.
fn occupancy(files: &mut dyn Files, folder: &str, capture: &mut Capture) {
    let Ok(bytes) = files.bytes(&format!("{folder}occupancy.json")) else { return };
    let mut found = Vec::new();
    let done = occupancy_object(&mut Json::new(&bytes), &mut found);
    drop(bytes);
    if let Err(stop) = done {
        capture.leave_out(format!("what follows in occupancy.json: {}", stop.said()), 1);
    }
    found.sort_by_key(|one: &Presence| (one.se, one.clock));
    capture.occupancy = found;
}

fn occupancy_object(json: &mut Json<'_>, found: &mut Vec<Presence>) -> Result<(), Stop> {
    if !json.object()? {
        return Ok(());
    }
    while let Some(key) = json.key()? {
        let Ok(se) = key.parse::<u32>() else {
            json.skip()?;
            continue;
        };
        if !json.array()? {
            continue;
        }
        while json.item()? {
            let row = wave::row(json)?;
            let [Some(clock), Some(cu), Some(simd), Some(slot), Some(came), ..] = row else { continue };
            let small = |number: i64| u32::try_from(number).ok();
            if let (Some(cu), Some(simd), Some(slot)) = (small(cu), small(simd), small(slot)) {
                found.push(Presence { se, clock, cu, simd, slot, came: came == 1 });
            }
        }
    }
    Ok(())
}

/// Reads snapshots.json, a tree of folders whose leaves are saved files, and those files.
fn sources(files: &mut dyn Files, folder: &str, capture: &mut Capture) {
    let Ok(bytes) = files.bytes(&format!("{folder}snapshots.json")) else { return };
    let mut found = Vec::new();
    let done = leaves(&mut Json::new(&bytes), &mut found);
    drop(bytes);
    if let Err(stop) = done {
        capture.leave_out(format!("what follows in snapshots.json: {}", stop.said()), 1);
    }
    let mut room = MOST_SOURCE;
    for (path, file) in found {
        if file.contains(['/', '\\']) {
            continue;
        }
        let Ok(bytes) = files.bytes(&format!("{folder}{file}")) else { continue };
        if bytes.len() > room {
            capture.left_out.push(waves::capture::LeftOut {
                what: format!("the source {}: sources are larger than 16 MiB", named(&path)),
                count: 1,
            });
            continue;
        }
        room -= bytes.len();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        capture.sources.push((path, text));
    }
}

/// Files and folders at most.
const MOST_LEAVES: usize = 10_000;

fn leaves(json: &mut Json<'_>, found: &mut Vec<(String, String)>) -> Result<(), Stop> {
    let mut path: Vec<String> = Vec::new();
    if !json.object()? {
        return Ok(());
    }
    loop {
        let Some(key) = json.key()? else {
            if path.pop().is_none() {
                return Ok(());
            }
            continue;
        };
        if json.peek()? == b'{' && path.len() < 256 {
            json.object()?;
            path.push(key);
        } else if let Some(file) = json.text()?.filter(|_| found.len() < MOST_LEAVES) {
            let folders: String = path
                .iter()
                .map(|part| if part == "/" { "/".to_owned() } else { format!("{part}/") })
                .collect();
            found.push((folders + &key, file));
        }
    }
}
