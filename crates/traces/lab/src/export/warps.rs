//! A kernel of a recorded run as a document of warps, once its code is given as PTX.
//!
//! A recording holds no code. From it come the number of warps that one multiprocessor holds at once and the compute
//! capability; which path the code takes is not recorded, so the document falls through at branches, and its notes say so.

use serde_json::{Value, json};

use base::people;
use traces::Trace;
use traces::occupancy::occupancy;
use traces::trace::Kind;

/// Documents of warps take no more.
const MOST: u64 = 64;

/// The document of a kernel, by its place, with its code; or why there is none.
pub fn warps(trace: &Trace, kernel: u32, code: &str) -> Result<Value, String> {
    let own = trace.operations.get(kernel as usize);
    let Some((own, Kind::Kernel(shape))) = own.map(|own| (own, &own.kind)) else {
        return Err("Only a kernel has code.".to_owned());
    };
    let name = &trace.names[own.name as usize];
    let limits = &trace.devices[trace.streams[own.stream as usize].device as usize].limits;
    let entry = entry(name, code)?;
    let target =
        limits.capability.map(|(major, minor)| format!("cc-{major}.{minor}")).or_else(|| target(code));
    let Some(preset) = target else {
        return Err("Neither the recording nor the code says for which compute capability it is: a .target line is needed.".to_owned());
    };
    let warp = u64::from(limits.warp.unwrap_or(32).max(1));
    let of_block = shape.threads().div_ceil(warp).max(1);
    let each = limits
        .multiprocessors
        .filter(|&count| count > 0)
        .map_or(shape.blocks(), |count| shape.blocks().div_ceil(u64::from(count)));
    let held = occupancy(shape, limits).map(|held| held.blocks);
    let blocks = held.unwrap_or(1).min(each).max(1);
    let resident_warps = blocks * of_block;
    let count = resident_warps.min(MOST);
    let cut = if resident_warps > MOST {
        format!(" They are {resident_warps} warps, of which {MOST} are here.")
    } else {
        String::new()
    };
    let counted = |n: u64, thing| people::counted(usize::try_from(n).unwrap_or(usize::MAX), thing);
    let resident = match held {
        Some(_) => format!("{} of {}", counted(blocks, "block"), counted(of_block, "warp")),
        None => format!("one block of {}, as the GPU's limits are not recorded", counted(of_block, "warp")),
    };
    Ok(json!({
        "warpspan": 1,
        "title": format!("{} of a recorded run", name.chars().take(60).collect::<String>()),
        "notes": format!("Recorded: grid and block, so one multiprocessor holds {resident} at once.{cut} The code was given beside the recording, and nothing shows that it is what ran. Which way its branches went is not recorded: none is taken."),
        "warps": {"ptx": code, "entry": entry, "path": "fall-through", "count": count, "machine": {"preset": preset}},
    }))
}

/// The kernel in the code that a name of the recording means: the only one of that name.
fn entry(name: &str, code: &str) -> Result<String, String> {
    let all: Vec<&str> = code
        .split(".entry")
        .skip(1)
        .filter_map(|rest| rest.trim_start().split(|c: char| c.is_whitespace() || "({".contains(c)).next())
        .filter(|found| !found.is_empty())
        .collect();
    let plain = name.split(['<', '(']).next().unwrap_or_default();
    let plain = plain.rsplit([' ', ':']).next().unwrap_or_default();
    // As compilers mangle it: its length and itself.
    let mangled = format!("{}{plain}", plain.len());
    let means =
        |found: &&&str| **found == name || **found == plain || !plain.is_empty() && found.contains(&mangled);
    let meant: Vec<&str> = all.iter().filter(means).copied().collect();
    match (&all[..], &meant[..]) {
        ([], _) => Err("There is no kernel in this code: PTX with an .entry is expected.".to_owned()),
        (_, [only]) => Ok((*only).to_string()),
        (_, []) => Err(format!(
            "The code holds {}, and none of the name {plain}.",
            people::counted(all.len(), "kernel")
        )),
        _ => Err(format!(
            "The code holds {}, and it is not clear which of them is {plain}.",
            people::counted(all.len(), "kernel")
        )),
    }
}

/// The compute capability that the code is for.
fn target(code: &str) -> Option<String> {
    let digits: String = code
        .split(".target")
        .nth(1)?
        .trim_start()
        .strip_prefix("sm_")?
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let minor = digits.len().checked_sub(1).filter(|&major| major > 0)?;
    Some(format!("cc-{}.{}", &digits[..minor], &digits[minor..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use traces::trace::{Device, Limits, Operation, Shape, Stream};

    fn recorded(name: &str, limits: Limits) -> Trace {
        let shape = Shape {
            grid: [100, 1, 1],
            block: [96, 1, 1],
            registers: Some(32),
            shared: Some(0),
            ..Shape::default()
        };
        let kind = Kind::Kernel(shape.into());
        Trace {
            names: vec![name.to_owned()],
            devices: vec![Device { limits, ..Device::default() }],
            streams: vec![Stream::default()],
            operations: vec![Operation {
                id: 0,
                stream: 0,
                name: 0,
                start: 0,
                end: 9,
                call: None,
                graph_node: false,
                kind,
            }],
            ..Trace::default()
        }
    }

    const CODE: &str = ".target sm_80\n.visible .entry _Z4blurPf(.param .u64 p) { ret; }\n.visible .entry _Z5sharpPf() { ret; }";

    #[test]
    fn the_entry_of_the_name_is_taken_with_the_warps_that_fit() {
        let limits = Limits {
            capability: Some((7, 0)),
            multiprocessors: Some(80),
            warp: Some(32),
            threads: Some(2048),
            ..Limits::default()
        };
        let document = warps(&recorded("void blur<float>(float*)", limits), 0, CODE).unwrap();
        let own = &document["warps"];
        // 100 blocks on 80 multiprocessors: two of three warps on one at most.
        assert_eq!((&own["entry"], &own["count"]), (&json!("_Z4blurPf"), &json!(6)));
        assert_eq!(own["machine"]["preset"], "cc-7.0");
        let unknown = warps(&recorded("sharp(float*)", Limits::default()), 0, CODE).unwrap();
        assert_eq!(
            (&unknown["warps"]["count"], &unknown["warps"]["machine"]["preset"]),
            (&json!(3), &json!("cc-8.0"))
        );
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        let trace = recorded("other(float*)", Limits::default());
        let none = warps(&trace, 0, CODE).unwrap_err();
        assert_eq!(none, "The code holds 2 kernels, and none of the name other.");
        let twice = ".target sm_80 .entry _Z5otherPf() { ret; } .entry _Z5otherPi() { ret; }";
        assert!(warps(&trace, 0, twice).unwrap_err().contains("not clear which"));
        // One kernel alone is not taken for another one's code.
        assert!(warps(&trace, 0, ".target sm_80 .entry k() { ret; }").is_err());
        assert!(warps(&trace, 0, "ret;").unwrap_err().contains(".entry"));
        assert!(warps(&trace, 0, ".entry other() { ret; }").unwrap_err().contains(".target"));
        assert!(warps(&trace, 7, CODE).is_err());
    }
}
