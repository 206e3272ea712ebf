//! An experiment: random tasks of some sizes, and how long their demand takes to compute (N, section V).

use serde_json::Value;

use kit::import::reader::Reader;

/// Random tasks to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Vertices of each task.
    pub sizes: Vec<u32>,
    /// The largest execution requirement.
    pub most: u32,
    /// At most so many edges lead to a vertex.
    pub fan: u32,
    /// The seed of the generator.
    pub seed: u64,
}

/// Reads the `experiment` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<Experiment> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["sizes", "most", "fan", "seed"]);
    let sizes = reader.required(&fields, "sizes", "a list of numbers of vertices", |reader, path, value| {
        reader.numbers(path, value, 2..=500)
    });
    let sizes = sizes.filter(|sizes| {
        let fits = (1..=20).contains(&sizes.len());
        if !fits {
            reader.problem(fields.path_of("sizes"), format!("{} sizes", sizes.len()), "1 to 20 sizes");
        }
        fits
    });
    let small = |reader: &mut Reader, key: &str, range, otherwise| match fields.get(key) {
        Some(value) => reader.small(&fields.path_of(key), value, range),
        None => Some(otherwise),
    };
    let most = small(reader, "most", 1..=1_000_000, 10_000);
    let fan = small(reader, "fan", 1..=500, 5);
    let seed = match fields.get("seed") {
        Some(value) => reader.whole(&fields.path_of("seed"), value, 0..=9_007_199_254_740_991),
        None => Some(1),
    };
    Some(Experiment { sizes: sizes?, most: most?, fan: fan?, seed: seed? })
}
