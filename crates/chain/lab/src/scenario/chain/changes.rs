//! Documents that ask: what if? Each is the document of a chain with one thing different.
//!
//! Invariant: every one of them can be read, so that whoever opens it finds what was told of it.

use serde_json::{Map, Value, json};

use super::ChainScenario;
use chain::occupancy::Occupancy;
use chain::{Sharing, Wait, Work};
use kit::import::reader::Reader;

/// One thing different.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// What, for machines.
    pub id: String,
    /// The same for people.
    pub what: String,
    /// The chain then.
    pub asked: ChainScenario,
}

/// No more changes than these are asked.
const MOST: usize = 60;

impl ChainScenario {
    /// What may be asked of it.
    pub fn changes(&self) -> Vec<Changed> {
        let mut found = Vec::new();
        let mut add = |id: String, what: String, document: Option<Value>| {
            if found.len() < MOST
                && let Some(asked) = document.as_ref().and_then(read)
                && asked.chain != self.chain
            {
                found.push(Changed { id, what, asked });
            }
        };
        let chain = &self.chain;
        for (place, task) in chain.tasks.iter().enumerate() {
            let what = format!("{} computes twice as long", task.name);
            add(format!("ticks-2x:{}", task.name), what, self.computing_twice(place));
        }
        for (place, kernel) in chain.kernels.iter().enumerate() {
            let what = match kernel.work {
                Work::Instructions(_) | Work::Code(_) => {
                    format!("{} executes its instructions twice", kernel.name)
                }
                Work::Cycles(_) => format!("a block of {} takes twice the cycles", kernel.name),
            };
            add(format!("cycles-2x:{}", kernel.name), what, self.executing_twice(place));
        }
        let sms = chain.device.sms;
        add("sms-1".into(), "one multiprocessor fewer".into(), self.with_device("sms", sms.checked_sub(1)));
        let held = chain.kernels.iter().map(|kernel| Occupancy::of(chain, kernel).room).max().unwrap_or(0);
        let fewer = held.checked_sub(1).filter(|&blocks| blocks > 0);
        add(
            "blocks-1".into(),
            "multiprocessors hold one block fewer".into(),
            self.with_device("blocks", fewer),
        );
        let clock = chain.clock.hertz();
        add("clock-half".into(), "half the GPU's clock".into(), self.with("clock", json!(clock / 2)));
        let names = |order: &mut dyn Iterator<Item = usize>| {
            Value::from(order.map(|k| chain.kernels[k].name.as_str()).collect::<Vec<_>>())
        };
        match &chain.order {
            Some(order) => {
                let reverse = names(&mut order.iter().rev().copied());
                add("order:reverse".into(), "the reverse launch order".into(), self.with("order", reverse));
                add("order:worst".into(), "any launch order".into(), self.with("order", json!("worst")));
            }
            None => {
                let listed = names(&mut (0..chain.kernels.len()));
                let reverse = names(&mut (0..chain.kernels.len()).rev());
                add(
                    "order:listed".into(),
                    "launched in the order of the list".into(),
                    self.with("order", listed),
                );
                add(
                    "order:reverse".into(),
                    "launched in the reverse order of the list".into(),
                    self.with("order", reverse),
                );
            }
        }
        let (id, what, sharing) = match chain.sharing {
            Sharing::Shared => ("sharing:exclusive", "kernels one after the other", "exclusive"),
            Sharing::Exclusive => ("sharing:shared", "kernels of several tasks at once", "shared"),
        };
        add(id.into(), what.into(), self.with("sharing", json!(sharing)));
        for (wait, id, what) in [
            (Wait::Suspend, "wait:suspend", "tasks give their core away while they wait"),
            (Wait::Spin, "wait:spin", "tasks keep their core while they wait"),
        ] {
            let name = if wait == Wait::Spin { "spin" } else { "suspend" };
            add(id.into(), what.into(), self.waiting(name));
        }
        found
    }

    /// The document around this chain.
    pub fn around(&self, title: &str) -> Value {
        json!({"warpspan": kit::scenario::version::CURRENT, "title": title, "chain": self.document.clone()})
    }

    fn with(&self, key: &str, value: Value) -> Option<Value> {
        let mut document = self.document.clone();
        document.as_object_mut()?.insert(key.to_owned(), value);
        Some(document)
    }

    /// A limit of the GPU changed; no limit is left at nothing.
    fn with_device<T: Into<u64>>(&self, key: &str, value: Option<T>) -> Option<Value> {
        let value: u64 = value?.into();
        let mut device = match self.document.get("device") {
            Some(Value::Object(device)) => device.clone(),
            _ => Map::from_iter([("preset".to_owned(), json!(super::device::DEFAULT))]),
        };
        device.insert(key.to_owned(), json!(value));
        self.with("device", Value::Object(device))
    }

    fn computing_twice(&self, task: usize) -> Option<Value> {
        let mut document = self.document.clone();
        let segments = document.get_mut("tasks")?.get_mut(task)?.get_mut("segments")?.as_array_mut()?;
        for segment in segments {
            for key in ["cpu", "ticks"] {
                if let Some(amount) = segment.get_mut(key) {
                    *amount = json!(amount.as_u64()?.checked_mul(2)?);
                }
            }
        }
        Some(document)
    }

    fn executing_twice(&self, kernel: usize) -> Option<Value> {
        let mut document = self.document.clone();
        let written = document.get_mut("kernels")?.get_mut(kernel)?.as_object_mut()?;
        match &self.chain.kernels.get(kernel)?.work {
            Work::Cycles(cycles) => {
                written.insert("cycles".to_owned(), json!(cycles.times(2)?.0));
            }
            Work::Code(code) => {
                // A listing has no way to say it.
                written.get("code")?;
                let way = &code.block.streams().first()?.path;
                written.insert("path".to_owned(), json!([&way[..], &way[..]].concat()));
            }
            Work::Instructions(of) => {
                for key in ["ptx", "entry", "path"] {
                    written.remove(key);
                }
                written.insert("kernel".to_owned(), json!(format!("2({})", of.written)));
            }
        }
        Some(document)
    }

    fn waiting(&self, how: &str) -> Option<Value> {
        let mut document = self.document.clone();
        for task in document.get_mut("tasks")?.as_array_mut()? {
            task.as_object_mut()?.insert("wait".to_owned(), json!(how));
        }
        Some(document)
    }
}

fn read(document: &Value) -> Option<ChainScenario> {
    let mut reader = Reader::default();
    let asked = super::read(&mut reader, "chain", document)?;
    reader.into_problems().is_empty().then_some(asked)
}
