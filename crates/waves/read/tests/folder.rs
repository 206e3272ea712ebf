//! Folders of thread traces: what is read, and what is said of files that are cut off, missing, inconsistent or hostile.

#![allow(missing_docs)]

use std::collections::BTreeMap;

use warpspan_waves_read as read;
use waves::isa::Generation;
use waves::{Account, Capture, Cause, Kind};

type Folder = BTreeMap<String, Vec<u8>>;

/// Two waves of one work-group: a load, its wait, a barrier, the end.
fn folder() -> Folder {
    let code = r#"{"header": "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle", "version": "3.0.0", "code": [
        ["; copy_kernel", 0, 0, "", 1, 4096, 0, 0, 0, 0],
        ["buffer_load_dword v1, v0, s[0:3], 0 offen", 0, 1, "/src/copy.hip:3", 1, 4096, 2, 8, 0, 0],
        ["s_waitcnt vmcnt(0)", 0, 2, "/src/copy.hip:4", 1, 4104, 2, 8, 0, 0],
        ["s_barrier", 0, 3, "", 1, 4108, 2, 8, 0, 0],
        ["s_endpgm", 0, 5, "", 1, 4112, 2, 8, 0, 0]]}"#;
    let names = r#"{"counter_names": [], "gfxip": 9, "gfxv": "vega", "version": "3.0.0", "wave_filenames": {"0": {
        "0": {"0": {"0": ["se0_sm0_sl0_wv0.json", 100, 560]}},
        "1": {"0": {"0": ["se0_sm1_sl0_wv0.json", 104, 560]}}}}}"#;
    let wave = |simd: u32, begin: i64, load: i64, stall: i64| {
        let wait = load + 4;
        let comes = wait + stall;
        format!(
            r#"{{"duration": {}, "name": "SE0", "num_insts": 4, "num_stitched": 4, "wave": {{"begin": {begin}, "cu": 7, "end": 560,
            "id": 0, "simd": {simd}, "slot": 0, "timeline": [[1, 4]], "waitcnt": [], "instructions":
            [[{load}, 3, 0, 4, 1], [{wait}, 9, {stall}, {stall}, 2], [{comes}, 9, {}, {}, 3], [552, 11, 0, 8, 5]]}}}}"#,
            560 - begin,
            552 - comes,
            552 - comes,
        )
    };
    let occupancy = r#"{"0": [[100, 7, 0, 0, 1, 1], [104, 7, 1, 0, 1, 1, 9], [560, 7, 0, 0, 0, 1]], "dispatches": {}, "version": 5}"#;
    let files = [
        ("filenames.json", names.to_owned()),
        ("code.json", code.to_owned()),
        ("occupancy.json", occupancy.to_owned()),
        ("snapshots.json", r#"{"/": {"src": {"copy.hip": "source_0_copy.hip"}}}"#.to_owned()),
        ("source_0_copy.hip", "kernel".to_owned()),
        ("se0_sm0_sl0_wv0.json", wave(0, 100, 128, 300)),
        ("se0_sm1_sl0_wv0.json", wave(1, 104, 132, 408)),
    ];
    files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

fn of(folder: &Folder) -> Result<Capture, String> {
    let told = |problems: Vec<base::Problem>| problems[0].to_string();
    read::folder::read(&mut read::AtHand(folder.clone()), &mut |_| true).map_err(told)
}

/// What is said to be left out.
fn left(capture: &Capture) -> String {
    capture.left_out.iter().map(|left| left.what.clone()).collect::<Vec<_>>().join("; ")
}

fn changed(name: &str, from: &str, to: &str) -> Folder {
    let mut folder = folder();
    let text = String::from_utf8(folder[name].clone()).expect("UTF-8");
    assert!(text.contains(from), "{from}");
    folder.insert(name.to_owned(), text.replace(from, to).into_bytes());
    folder
}

#[test]
fn a_folder_is_read() {
    let capture = of(&folder()).unwrap();
    assert_eq!(left(&capture), "");
    assert_eq!(capture.kernels, ["copy_kernel"]);
    assert_eq!((capture.lines.len(), capture.waves.len(), capture.instructions()), (4, 2, 8));
    assert_eq!(capture.lines[3].number, 5);
    assert_eq!(capture.waves[1].instrs[3].kind, Kind::Message);
    assert_eq!(capture.line(&capture.waves[1].instrs[3]).unwrap().text, "s_endpgm");
    assert_eq!(capture.sources, [("/src/copy.hip".to_owned(), "kernel".to_owned())]);
    assert_eq!(capture.occupancy.len(), 3);
    let account = Account::of(&capture);
    let sums = account.sums(0);
    assert_eq!((sums.of(Cause::Data), sums.of(Cause::Barrier), sums.total()), (300, 120, 460));
    assert_eq!(account.sums(1).of(Cause::Unit), 8);
}

#[test]
fn containers_hold_the_same() {
    let plain = of(&folder()).unwrap();
    let sub = |name: &str| format!("ui_output_agent_1_dispatch_2/{name}");
    let tar = tar(&folder().into_iter().map(|(name, bytes)| (sub(&name), bytes)).collect());
    let packed = gzip(&tar);
    let compact = read::compact::Packed { title: "two".into(), capture: plain.clone(), ..Default::default() };
    let compact = read::compact::write(&compact);
    for (bytes, container) in [
        (zip(&folder()), read::Container::Zip),
        (tar, read::Container::Tar),
        (packed.clone(), read::Container::TarGz),
        (compact.clone(), read::Container::Compact),
    ] {
        assert_eq!(read::sniff(&bytes), Some(container));
        let capture = read::read_packed(&bytes, &mut |_| true).unwrap();
        assert_eq!((&capture.waves, &capture.lines), (&plain.waves, &plain.lines), "{container:?}");
    }
    // What is cut off gives the sound part with a note, or a sentence; the compact form never a part.
    for end in (0..compact.len()).step_by(7) {
        assert!(read::read_packed(&compact[..end], &mut |_| true).is_err());
    }
    for end in (0..packed.len()).step_by(11) {
        if let Ok(capture) = read::read_packed(&packed[..end], &mut |_| true) {
            let said = left(&capture);
            let told = said.contains("cut off or damaged") || said.contains("checksum differs");
            assert!(told, "{end}: {said}");
        }
    }
}

#[test]
fn every_cut_of_every_file_gives_the_sound_part() {
    let whole = of(&folder()).unwrap();
    for (name, bytes) in folder() {
        for end in (0..bytes.len()).step_by(3) {
            let mut folder = folder();
            folder.insert(name.clone(), bytes[..end].to_vec());
            let capture = of(&folder).unwrap();
            assert!(capture.instructions() <= whole.instructions());
            if !name.starts_with("source") {
                assert!(left(&capture).contains(&name), "{name} {end}: {}", left(&capture));
            }
            let account = Account::of(&capture);
            for (place, wave) in capture.waves.iter().enumerate() {
                assert_eq!(account.sums(place).total(), wave.life());
            }
        }
    }
}

#[test]
fn what_is_missing_is_told() {
    for (name, said) in [
        ("filenames.json", "filenames.json: it is not there; waves are told by their files' names"),
        ("code.json", "code.json: it is not there; what instructions do is told by their kinds alone"),
        ("se0_sm0_sl0_wv0.json", "se0_sm0_sl0_wv0.json: it is not there"),
    ] {
        let mut folder = folder();
        folder.remove(name);
        let capture = of(&folder).unwrap();
        assert!(left(&capture).contains(said), "{}", left(&capture));
        assert!(!capture.waves.is_empty());
    }
    let nothing = of(&BTreeMap::from([("notes.txt".to_owned(), Vec::new())])).unwrap_err();
    assert!(nothing.contains("no filenames.json and no file of a wave"), "{nothing}");
    let mut folder = folder();
    folder.retain(|name, _| !name.starts_with("se0"));
    assert!(of(&folder).unwrap_err().contains("no wave that can be read among 2 files"));
}

#[test]
fn what_contradicts_itself_is_told() {
    let said = |name: &str, from: &str, to: &str| match of(&changed(name, from, to)) {
        Ok(capture) => left(&capture),
        Err(problem) => problem,
    };
    let wave = "se0_sm0_sl0_wv0.json";
    assert!(
        said("filenames.json", "\"gfxip\": 9", "\"gfxip\": 8")
            .contains("generation 8, expected 9, 10, 11 or 12")
    );
    assert!(said(wave, "\"num_insts\": 4", "\"num_insts\": 9").contains("it says 9 instructions and has 4"));
    assert!(
        said(wave, "\"end\": 560", "\"end\": 50")
            .contains("it begins at 100 and ends at 50, so it is left out")
    );
    assert!(said(wave, "[552, 11", "[9552, 11").contains("left out: 1 instruction outside of its life"));
    assert!(
        said(wave, "[128, 3, 0, 4, 1]", "[528, 3, 0, 4, 1]").contains("not in the order of their clocks")
    );
    assert!(
        said(wave, "[128, 3, 0, 4, 1]", "[128, 3, -5, 4, 1]")
            .contains("left out: 1 instruction without whole numbers")
    );
    assert!(
        said(wave, "[128, 3, 0, 4, 1]", "[1e300, 3, 0, 4, 1]")
            .contains("left out: 1 instruction without whole numbers")
    );
    assert!(said(wave, "[128, 3, 0, 4, 1]", "7").contains("left out: 1 instruction without whole numbers"));
    assert!(
        said("filenames.json", "\"se0_sm0_sl0_wv0.json\"", "\"../se0.json\"")
            .contains("no name of a file in this folder")
    );
    assert!(said("code.json", "0, 5, \"\"", "0, 3, \"\"").contains("the number of an earlier row"));
}

#[test]
fn clocks_beyond_what_floats_hold_stay_exact() {
    let far = 9_007_199_254_740_993_i64 - 128;
    let mut folder = folder();
    let text = String::from_utf8(folder["se0_sm0_sl0_wv0.json"].clone()).unwrap();
    let mut moved = text;
    for clock in ["100", "128", "132", "432", "552", "560"] {
        let number: i64 = clock.parse().unwrap();
        for (before, after) in [("[", ","), (": ", ",")] {
            moved = moved
                .replace(&format!("{before}{clock}{after}"), &format!("{before}{}{after}", number + far));
        }
    }
    folder.insert("se0_sm0_sl0_wv0.json".to_owned(), moved.into_bytes());
    let capture = of(&folder).unwrap();
    assert_eq!(capture.waves[0].instrs[0].clock, 128 + far);
    assert_eq!(Account::of(&capture).sums(0).of(Cause::Data), 300);
}

/// gfx12: durations reach into the next instruction, each counter has its own wait, barriers are split.
#[test]
fn gfx12_by_its_own_meaning() {
    let mut folder = changed("filenames.json", "\"gfxip\": 9", "\"gfxip\": 12");
    let text = String::from_utf8(folder["code.json"].clone()).unwrap();
    let text = text
        .replace("s_waitcnt vmcnt(0)", "s_wait_loadcnt 0x0")
        .replace("s_barrier\"", "s_barrier_wait 0xffff\"");
    let text = text.replace(
        "[\"s_endpgm\"",
        "[\"s_barrier_signal -1\", 0, 4, \"\", 1, 4106, 0, 0, 0, 0], [\"s_endpgm\"",
    );
    folder.insert("code.json".to_owned(), text.into_bytes());
    for (simd, begin, load, stall, signals) in [(0, 100, 128, 300, 432), (1, 104, 132, 408, 544)] {
        let wait = load + 4;
        let text = format!(
            r#"{{"num_insts": 5, "wave": {{"begin": {begin}, "cu": 7, "end": 560, "instructions":
            [[{load}, 3, 0, 40, 1], [{wait}, 9, {stall}, {}, 2], [{signals}, 9, 0, 4, 4], [{}, 9, {}, {}, 3], [552, 11, 0, 8, 5]]}}}}"#,
            stall + 1,
            signals + 1,
            551 - signals,
            551 - signals,
        );
        folder.insert(format!("se0_sm{simd}_sl0_wv0.json"), text.into_bytes());
    }
    let capture = of(&folder).unwrap();
    assert_eq!((left(&capture), capture.generation), (String::new(), Generation::Gfx12));
    let account = Account::of(&capture);
    for (place, wave) in capture.waves.iter().enumerate() {
        assert_eq!(account.sums(place).total(), wave.life());
    }
    assert_eq!(account.sums(0).of(Cause::Data), 300);
    let barrier = account.parts[0].iter().find(|part| part.cause == Cause::Barrier).unwrap();
    // The witness is the other wave's signal.
    assert_eq!(barrier.witness.map(|witness| (witness.wave, witness.item)), Some((1, 2)));
}

fn zip(files: &Folder) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let packed = miniz_oxide::deflate::compress_to_vec(content, 6);
        let at = out.len() as u32;
        let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        common.extend(base::crc32(content).to_le_bytes());
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (begin, length) = (out.len() as u32, directory.len() as u32);
    let count = (files.len() as u16).to_le_bytes();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(length.to_le_bytes());
    out.extend(begin.to_le_bytes());
    out.extend([0; 2]);
    out
}

fn tar(files: &Folder) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in files {
        let mut head = vec![0_u8; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        head[156] = b'0';
        head[257..263].copy_from_slice(b"ustar\0");
        head[148..156].fill(b' ');
        let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
        head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend(head);
        out.extend(content);
        out.resize(out.len().div_ceil(512) * 512, 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    out.extend(miniz_oxide::deflate::compress_to_vec(bytes, 6));
    out.extend(base::crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

#[test]
fn who_reads_is_told_what_is_read_and_may_stop_it() {
    let folder = folder();
    let mut told = Vec::new();
    let capture = read::folder::read(&mut read::AtHand(folder.clone()), &mut |now| {
        told.push((now.what.to_owned(), now.done, now.total));
        true
    })
    .unwrap();
    let waves = capture.waves.len() as u64;
    assert_eq!(told.first(), Some(&("code.json".to_owned(), 0, waves)));
    let files: Vec<_> = told.iter().skip(1).collect();
    assert_eq!(files.len() as u64, waves);
    assert!(
        (0..).zip(&files).all(|(done, (file, at, of))| file.contains("_wv") && (*at, *of) == (done, waves))
    );
    // At whatever it is told to stop.
    for stop in 0..=waves as usize {
        let mut steps = 0;
        let stopped = read::folder::read(&mut read::AtHand(folder.clone()), &mut |_| {
            steps += 1;
            steps <= stop
        });
        let problems = stopped.unwrap_err();
        assert!(steps == stop + 1 && problems[0].what == "the reading was stopped", "{problems:?}");
    }
    let packed = gzip(&tar(&folder));
    let mut first = None;
    let read = read::read_packed(&packed, &mut |now| {
        first.get_or_insert_with(|| now.what.to_owned());
        false
    });
    assert_eq!((first.as_deref(), read.is_err()), (Some(read::UNPACKING), true));
}
