//! Archives that the target `zip` begins with, and a model in several files.

use serde_json::Value;
use warpspan::base::crc32;

use super::targets::LONGEST;

/// A file as it is put into an archive.
#[derive(Clone)]
pub struct File<'a> {
    /// Its name.
    pub name: &'a str,
    /// What is in it.
    pub content: &'a [u8],
    /// How it is stored: 0 as it is, 8 deflated.
    pub method: u16,
    /// Bit 0 for encrypted, bit 3 for lengths behind the file.
    pub flags: u16,
    /// What its own header and the directory have behind the name, such as the lengths of ZIP64.
    pub extra: &'a [u8],
    /// The lengths that are told, packed and unpacked, where they are not the right ones.
    pub lengths: Option<[u32; 2]>,
}

impl<'a> File<'a> {
    /// A deflated file with nothing odd about it.
    pub fn new(name: &'a str, content: &'a [u8]) -> Self {
        Self { name, content, method: 8, flags: 0, extra: &[], lengths: None }
    }

    /// What both headers say alike.
    fn header(&self, sum: u32, lengths: [u32; 2]) -> Vec<u8> {
        let mut out = vec![20, 0];
        out.extend(self.flags.to_le_bytes());
        out.extend(self.method.to_le_bytes());
        out.extend([0; 4]);
        for number in [sum, lengths[0], lengths[1]] {
            out.extend(number.to_le_bytes());
        }
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend((self.extra.len() as u16).to_le_bytes());
        out
    }
}

/// An archive with a remark at its end.
pub fn archived(files: &[File<'_>], remark: &[u8]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let packed = match file.method {
            8 => miniz_oxide::deflate::compress_to_vec(file.content, 6),
            _ => file.content.to_vec(),
        };
        let (at, sum) = (out.len() as u32, crc32(file.content));
        let right = [packed.len() as u32, file.content.len() as u32];
        let told = file.lengths.unwrap_or(right);
        let behind = file.flags & 8 != 0;
        out.extend(b"PK\x03\x04");
        out.extend(if behind { file.header(0, [0, 0]) } else { file.header(sum, told) });
        out.extend([file.name.as_bytes(), file.extra, &packed].concat());
        if behind {
            out.extend(b"PK\x07\x08");
            [sum, right[0], right[1]].iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(file.header(sum, told));
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend([file.name.as_bytes(), file.extra].concat());
    }
    let (begin, length, count) = (out.len() as u32, directory.len() as u32, files.len() as u16);
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend([length.to_le_bytes(), begin.to_le_bytes()].concat());
    out.extend((remark.len() as u16).to_le_bytes());
    out.extend(remark);
    out
}

/// Archives of all kinds that there are: stored and deflated, several files and folders, other archives within, lengths
/// behind the files, the marks of ZIP64, wrong lengths, and what is not read.
pub fn archives(models: &[Vec<u8>], document: &Value) -> Vec<Vec<u8>> {
    let document = document.to_string();
    let json = File::new("a.json", document.as_bytes());
    let mut all = vec![archived(&[], b""), archived(&[], b"a remark")];
    all.extend(models.iter().map(|model| archived(&[File::new("model.amxmi", model)], b"")));
    let odd = [
        File { method: 0, ..json.clone() },
        File { flags: 8, ..json.clone() },
        File { flags: 0x800, name: "Modell ä.json", ..json.clone() },
        File { flags: 1, ..json.clone() },
        File { method: 12, ..json.clone() },
        File { extra: b"UT\x05\0\x03\0\0\0\0", ..json.clone() },
        // ZIP64: both lengths stand behind the name.
        File {
            extra: b"\x01\0\x10\0\x20\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0",
            lengths: Some([u32::MAX; 2]),
            ..json.clone()
        },
        File { lengths: Some([7, 7]), ..json.clone() },
        File { lengths: Some([u32::MAX - 1, 1]), ..json.clone() },
        File { lengths: Some([20, 1 << 30]), method: 0, ..json.clone() },
    ];
    all.extend(odd.iter().map(|file| archived(std::slice::from_ref(file), b"")));
    all.push(archived(&odd, b"PK\x05\x06"));
    let zeros = vec![b' '; 300_000];
    all.push(archived(&[File::new("spaces", &zeros), File::new("more", &zeros)], b""));
    let split = split();
    let mut files: Vec<File<'_>> =
        split.iter().map(|(name, text)| File::new(name, text.as_bytes())).collect();
    files.insert(0, File { method: 0, ..File::new("model/", b"") });
    all.push(archived(&files, b""));
    all.iter_mut().filter(|one| one.len() > LONGEST).for_each(|one| one.truncate(LONGEST));
    let nested =
        archived(&[File::new("inner.zip", &all[3]), File { method: 0, ..File::new("x.zip", &all[4]) }], b"");
    all.push(nested);
    all
}

/// A model in three files, which refer to each other by names.
pub fn split() -> Vec<(String, String)> {
    let root = |inside: &str| {
        format!(
            "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/3.1.0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{inside}</am:Amalthea>"
        )
    };
    let software = r#"<swModel><tasks name="T" stimuli="S?type=PeriodicStimulus"><activityGraph><items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></activityGraph></tasks><runnables name="R"><activityGraph><items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="1000"/></items></activityGraph></runnables></swModel>"#;
    let hardware = r#"<hwModel><definitions xsi:type="am:ProcessingUnitDefinition" name="D" puType="CPU"/><structures name="System"><modules xsi:type="am:ProcessingUnit" name="P" frequencyDomain="F?type=FrequencyDomain" definition="D?type=ProcessingUnitDefinition"/></structures><domains xsi:type="am:FrequencyDomain" name="F"><defaultValue value="1.0" unit="GHz"/></domains></hwModel>"#;
    let rest = r#"<osModel><operatingSystems name="O"><taskSchedulers name="Z"><schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive"/></taskSchedulers></operatingSystems></osModel><stimuliModel><stimuli xsi:type="am:PeriodicStimulus" name="S"><recurrence value="10" unit="ms"/></stimuli></stimuliModel><mappingModel><taskAllocation task="T?type=Task" scheduler="Z?type=TaskScheduler"/><schedulerAllocation scheduler="Z?type=TaskScheduler" responsibility="P?type=ProcessingUnit"/></mappingModel>"#;
    let file = |name: &str, inside: &str| (format!("model/{name}.amxmi"), root(inside));
    vec![file("software", software), file("hardware", hardware), file("rest", rest)]
}
