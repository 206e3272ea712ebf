//! The device of a document in its form: a preset, or limits written out.

use serde_json::{Map, Value, json};

use super::path::Key::{self, Of};
use super::path::{get, set};
use blocks::{Device, presets};

/// Where it stands.
pub const DEVICE: [Key; 2] = [Of("blocks"), Of("device")];
/// And its preset.
pub const PRESET: [Key; 3] = [Of("blocks"), Of("device"), Of("preset")];
/// The preset that is meant where none is named.
const USUAL: &str = "jetson-tx2";

/// A limit that the form shows.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Its key.
    pub key: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What is meant where it is empty.
    pub usual: &'static str,
    of: fn(&Device) -> u32,
}

const fn limit(key: &'static str, label: &'static str, usual: &'static str, of: fn(&Device) -> u32) -> Limit {
    Limit { key, label, usual, of }
}

/// The limits that the form shows.
pub const LIMITS: [Limit; 8] = [
    limit("sms", "SMs", "", |device| device.sms.into()),
    limit("threads", "Threads", "", |device| device.threads_per_sm),
    limit("blocks", "Blocks", "no limit", |device| device.blocks_per_sm),
    limit("shared_memory", "Shared, B", "no limit", |device| device.shared_memory_per_sm),
    limit("registers", "Registers", "no limit", |device| device.registers_per_sm),
    limit("threads_per_block", "Threads", "no limit", |device| device.threads_per_block),
    limit("shared_memory_per_block", "Shared, B", "no limit", |device| device.shared_memory_per_block),
    limit("copy_engines", "Copy engines", "1", |device| device.copy_engines.into()),
];

/// The device a document means, whatever else is wrong with it; the usual one where its device is wrong.
pub fn device(tree: &Value) -> Device {
    let read = |device: Option<&Value>| {
        let mut blocks = json!({"streams": [{"operations": []}]});
        if let (Some(device), Some(blocks)) = (device, blocks.as_object_mut()) {
            blocks.insert("device".to_owned(), device.clone());
        }
        let scenario =
            kit::scenario::from_tree(crate::LABS, &json!({"warpspan": 1, "blocks": blocks})).ok()?;
        scenario.asked::<crate::scenario::BlocksScenario>()?.device().cloned()
    };
    read(get(tree, &DEVICE)).or_else(|| read(None)).unwrap_or_else(|| presets::ALL[0].device())
}

/// The preset of a document; none where the limits are written out.
pub fn preset(tree: &Value) -> Option<String> {
    match get(tree, &DEVICE) {
        None => Some(USUAL.to_owned()),
        Some(device) => Some(device.get("preset")?.as_str()?.to_owned()),
    }
}

/// Limits that stand beside the preset and change it.
pub fn changed(tree: &Value) -> Vec<String> {
    let Some(Value::Object(device)) = get(tree, &DEVICE) else { return Vec::new() };
    device.keys().filter(|key| *key != "preset").cloned().collect()
}

/// The document with another preset, or with the limits of its present device written out where none is named. What
/// a preset does not say stays.
pub fn with_device(tree: &Value, name: &str) -> Value {
    let mut fields = Map::new();
    if name.is_empty() {
        let present = device(tree);
        fields.insert("name".to_owned(), Value::from(present.name.as_str()));
        for limit in LIMITS {
            fields.insert(limit.key.to_owned(), Value::from((limit.of)(&present)));
        }
    } else {
        fields.insert("preset".to_owned(), Value::from(name));
    }
    let shown = |key: &str| key == "preset" || key == "name" || LIMITS.iter().any(|limit| limit.key == key);
    if let Some(Value::Object(device)) = get(tree, &DEVICE) {
        let rest = device.iter().filter(|(key, _)| !shown(key));
        fields.extend(rest.map(|(key, value)| (key.clone(), value.clone())));
    }
    set(tree, &DEVICE, Value::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(device: Value) -> Value {
        json!({"warpspan": 1, "blocks": {"device": device, "streams": [{"operations": []}]}})
    }

    #[test]
    fn presets_and_limits_written_out() {
        let tree = of(json!({"preset": "jetson-tx2", "sms": 4, "warp": 16}));
        assert_eq!(preset(&tree), Some("jetson-tx2".to_owned()));
        assert_eq!(changed(&tree), ["sms", "warp"]);
        let written = with_device(&tree, "");
        assert_eq!((preset(&written), device(&written).sms), (None, 4));
        assert_eq!(device(&written).threads_per_sm, device(&tree).threads_per_sm);
        assert_eq!(get(&written, &[Of("blocks"), Of("device"), Of("warp")]), Some(&json!(16)));
        assert!(crate::LINKED.from_tree(&written).is_ok());
        let other = with_device(&written, "titan-v");
        assert_eq!(other["blocks"]["device"], json!({"preset": "titan-v", "warp": 16}));
        assert!(crate::LINKED.from_tree(&other).is_ok());
    }

    #[test]
    fn a_wrong_device_is_the_usual_one() {
        let usual = device(&json!({"blocks": {}}));
        assert_eq!(preset(&json!({"blocks": {}})), Some(USUAL.to_owned()));
        for wrong in [json!({"preset": "abacus"}), json!(3), json!({"sms": 0, "threads": 1})] {
            assert_eq!(device(&of(wrong)), usual);
        }
    }
}
