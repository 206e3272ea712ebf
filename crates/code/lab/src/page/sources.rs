//! Where numbers of the tables are from, in words: reports have a letter for each source.

/// Letters, and what people find the source by.
const SOURCES: [(&str, &str); 8] = [
    ("G", "CUDA Programming Guide"),
    ("W", "NVIDIA white paper"),
    ("V", "Jia 2018"),
    ("T", "Jia 2019"),
    ("S", "gpu-arch-microbenchmark"),
    ("H", "Luo 2024"),
    ("X", "Accel-Sim"),
    ("O", "cuda_occupancy.h"),
];

/// `Jia 2019: 48; Accel-Sim: 64` for `T: 48; X: 64`.
pub fn in_words(source: &str) -> String {
    let part = |part: &str| {
        let named = |&(letter, name): &(&str, &str)| {
            let rest = part.strip_prefix(letter)?;
            (rest.is_empty() || rest.starts_with(": ")).then(|| format!("{name}{rest}"))
        };
        SOURCES.iter().find_map(named).unwrap_or_else(|| part.to_owned())
    };
    source.split("; ").map(part).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use code_read::Limits;
    use code_read::arch::ARCHITECTURES;
    use code_read::occupancy::LIMITS;

    #[test]
    fn sources_have_names() {
        assert_eq!(in_words("G"), "CUDA Programming Guide");
        assert_eq!(in_words("T: 48; X: 64"), "Jia 2019: 48; Accel-Sim: 64");
        assert_eq!(in_words("Given in the document"), "Given in the document");
    }

    #[test]
    fn no_letter_is_left_in_any_table() {
        let units = ARCHITECTURES.iter().flat_map(|own| own.units).map(|own| own.source);
        let latencies = ARCHITECTURES.iter().flat_map(|own| own.latencies).map(|own| own.source);
        let limits = LIMITS.iter().flat_map(Limits::rows).map(|row| row.2);
        for said in units.chain(latencies).chain(limits).map(in_words) {
            let letter = said.split("; ").any(|part| {
                let mut letters = part.chars();
                letters.next().is_some_and(char::is_uppercase)
                    && !letters.next().is_some_and(char::is_alphabetic)
            });
            assert!(!letter, "{said}");
        }
    }
}
