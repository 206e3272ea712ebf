//! The source a kernel string comes from: its lines, what the path executes of them, and how both belong to the
//! instructions of the schedule.

use std::ops::Range;
use std::sync::Arc;

use crate::import::ptx::{Holds, Iterations, Line, LoopMet, Path, Stated, Trips, Walk};
use crate::scenario::WarpsScenario;
use base::people;
use kit::import::json;
use kit::page::edit;
use kit::timeline::{Timeline, WaitKind};

/// A source with the path through it.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The walk.
    pub walk: Arc<Walk>,
    text: String,
    /// Where each line lies in the text.
    lines: Vec<Range<usize>>,
    /// The place in `walk.lines` of each instruction of a warp, repeated ones repeated.
    origins: Vec<u32>,
    /// Characters of the longest line as it is shown.
    pub widest: usize,
}

/// The most columns of a line that are shown.
const MOST_COLUMNS: usize = 1_000;
/// A line that stands further in is shown so far in: beside a picture there is no room for more.
const INDENT: &str = "  ";

/// A line without the room that PTX leaves before opcodes and operands.
fn tidy(line: &str) -> impl Iterator<Item = char> {
    let words = line.trim_start();
    let indent = if words.len() < line.len() { INDENT } else { "" };
    let mut before = ' ';
    let one = move |c: &char| {
        let again = c.is_whitespace() && before.is_whitespace();
        before = *c;
        !again
    };
    indent.chars().chain(words.chars().filter(one).map(|c| if c == '\t' { ' ' } else { c }))
}

impl Source {
    /// The source that a document's kernel comes from, if it comes from one.
    pub fn of(document: &str) -> Option<Self> {
        let tree = json::parse(document).ok()?;
        let scenario = kit::scenario::from_tree(crate::LABS, &tree).ok()?;
        let warps = scenario.asked::<WarpsScenario>()?;
        let walk = Arc::clone(warps.ptx.as_ref()?);
        let text = edit::get(&tree, &["warps", "ptx"])?.as_str()?.to_owned();
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            lines.push(start..start + shown.len());
            start += line.len();
        }
        let columns = |line: &Range<usize>| tidy(&text[line.clone()]).take(MOST_COLUMNS + 1).count();
        let widest = lines.iter().map(columns).max().unwrap_or(0);
        let repeat = &warps.normalised.repeat;
        let mut origins = Vec::with_capacity(warps.kernel.len());
        for &place in &walk.steps {
            if let Some(unit) = walk.lines.get(place as usize).and_then(|line| line.row.unit) {
                origins.extend(std::iter::repeat_n(place, repeat[unit] as usize));
            }
        }
        debug_assert_eq!(origins.len(), warps.kernel.len());
        Some(Self { walk, text, lines, origins, widest })
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// The text of a line, from 0.
    pub fn line(&self, index: usize) -> &str {
        self.lines.get(index).and_then(|line| self.text.get(line.clone())).unwrap_or_default()
    }

    /// What is shown of a line: all of it, or its beginning and how long it is.
    pub fn shown(&self, index: usize) -> String {
        let line = self.line(index);
        let mut shown = tidy(line);
        let mut text: String = shown.by_ref().take(MOST_COLUMNS).collect();
        if shown.next().is_some() {
            let all = people::grouped(line.chars().count() as u128);
            text.push_str(&format!("… ({all} characters)"));
        }
        text
    }

    /// The instructions that begin on a line.
    pub fn instructions(&self, index: usize) -> &[Line] {
        let before = |line: &Line| (line.line as usize) <= index;
        let start = self.walk.lines.partition_point(before);
        let rest = &self.walk.lines[start..];
        &rest[..rest.partition_point(|line| (line.line as usize) <= index + 1)]
    }

    /// The line of a warp's instruction.
    pub fn line_of(&self, instruction: u32) -> Option<usize> {
        let place = *self.origins.get(instruction as usize)?;
        (self.walk.lines.get(place as usize)?.line as usize).checked_sub(1)
    }

    /// The instructions of a warp that a line stands for, ascending.
    pub fn all(&self, index: usize) -> impl Iterator<Item = u32> {
        let stands = move |place: u32| {
            self.walk.lines.get(place as usize).is_some_and(|line| line.line as usize == index + 1)
        };
        (0u32..).zip(&self.origins).filter(move |(_, place)| stands(**place)).map(|(at, _)| at)
    }

    /// The first of them.
    pub fn first(&self, index: usize) -> Option<u32> {
        self.all(index).next()
    }

    /// How long all warps wait before each line, by what for, as a picture of them shows it.
    pub fn waited(&self, picture: &Timeline) -> Vec<[f64; WaitKind::ALL.len()]> {
        let mut sums = vec![[0.0; WaitKind::ALL.len()]; self.count()];
        for track in 0..picture.warps() {
            let mut spans = picture.tracks[track].spans.iter().peekable();
            for wait in picture.waits(track, 0.0, picture.end) {
                while spans.next_if(|span| span.start < wait.start).is_some() {}
                let line = spans.peek().and_then(|span| self.line_of(span.id.1));
                if let Some(sum) = line.and_then(|line| sums.get_mut(line)) {
                    sum[wait.kind as usize] += wait.end - wait.start;
                }
            }
        }
        sums
    }

    /// The instructions of a warp from lines with a text in them, ascending.
    pub fn with(&self, text: &str) -> Vec<u32> {
        let text = text.trim().to_ascii_lowercase();
        if text.is_empty() {
            return Vec::new();
        }
        let has = |line: &Line| {
            let index = (line.line as usize).saturating_sub(1);
            tidy(self.line(index)).collect::<String>().to_ascii_lowercase().contains(&text)
        };
        let lines: Vec<bool> = self.walk.lines.iter().map(has).collect();
        let found = |&(_, place): &(u32, &u32)| lines.get(*place as usize) == Some(&true);
        (0u32..).zip(&self.origins).filter(found).map(|(at, _)| at).collect()
    }

    /// How often the path executes a line, in few characters; empty where there is no instruction.
    pub fn times(&self, index: usize) -> String {
        let times = self.instructions(index).iter().map(|line| line.times);
        match times.clone().min().zip(times.max()) {
            None => String::new(),
            Some((least, most)) if least == most => people::grouped(most.into()),
            Some((least, most)) => format!("{least} to {most}"),
        }
    }

    /// Everything there is to say about a line.
    pub fn about(&self, index: usize) -> String {
        const MOST: usize = 4;
        let here = self.instructions(index);
        let mut parts: Vec<String> = here.iter().take(MOST).map(about).collect();
        match here.len() {
            0 => parts.push("no instruction of the kernel".to_owned()),
            count if count > MOST => parts.push(format!("and {} more", count - MOST)),
            _ => {}
        }
        format!("Line {}: {}.", index + 1, parts.join("; "))
    }

    /// What proven bounds hold for, in a sentence.
    pub fn holds(&self) -> &'static str {
        match self.walk.holds() {
            Holds::String => {
                "What is proven is proven of the string, not of the kernel: something below was assumed."
            }
            Holds::Path => "What is proven holds for every run of the kernel that takes this path.",
            Holds::Range => {
                "What is proven of the string holds for the most rounds; what holds for fewer is told with the result."
            }
        }
    }

    /// A loop in words: where it is, how often it goes round, and who says so.
    pub fn about_loop(own: &LoopMet) -> String {
        let rounds = |trips: Trips| match trips {
            Trips { least, most } if least < most => format!("{least} to {most} times"),
            Trips { most: 1, .. } => "once".to_owned(),
            Trips { most, .. } => format!("{} times", people::grouped(most.into())),
        };
        let round = match (own.executed, own.trips, own.stated) {
            (0, _, _) => "the path does not come by".to_owned(),
            (_, Some(_), Stated::Assumed) => "gone round once: its trip count is not known".to_owned(),
            (_, Some(trips), _) => format!("goes round {} each time, as stated", rounds(trips)),
            (_, None, Stated::Assumed) => "left where no choice was stated".to_owned(),
            (_, None, _) => "left as its branches are chosen".to_owned(),
        };
        format!("Line {}, {round}", own.line)
    }

    /// How much of the program the path meets.
    pub fn met(&self) -> String {
        let (met, of) = (self.walk.met, self.walk.lines.len());
        format!(
            "{} of {} instructions of the program are on the path",
            people::grouped(met.into()),
            people::grouped(of as u128)
        )
    }

    /// The path in words.
    pub fn path(&self) -> String {
        let rounds = |iterations: &Iterations| match iterations {
            Iterations::Once => "every loop runs once".to_owned(),
            Iterations::All(Trips { most: 1, .. }) => "every loop runs once".to_owned(),
            Iterations::All(trips) => format!("every loop runs {} times", people::grouped(trips.most.into())),
            Iterations::Each(_) => "every loop runs its own number of times".to_owned(),
        };
        match &self.walk.path {
            Path::FallThrough => "no conditional branch is taken".to_owned(),
            Path::Loops(iterations) => rounds(iterations),
            Path::Longest(iterations) => format!("the longest on which {}", rounds(iterations)),
            Path::Branches(_) => "branches as chosen".to_owned(),
        }
    }
}

fn about(line: &Line) -> String {
    let runs = match line.row.unit {
        Some(unit) => format!("runs on {} ({})", unit.letter(), unit.name()),
        None => "runs on no unit".to_owned(),
    };
    let times = match line.times {
        0 => "not executed".to_owned(),
        1 => "executed once".to_owned(),
        times => format!("executed {} times", people::grouped(times.into())),
    };
    format!("{} {runs}, {times}: {}", line.opcode, line.row.why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const LOOP: &str = r#"{"warpspan": 1, "warps": {"count": 2, "path": {"loops": {"iterations": 2}},
        "machine": {"warp_size": 32, "units": {"L": 16, "C": 32, "S": 32}},
        "ptx": "\tld.global.f32 f1, [a];\r\nLoop:\n  sin.approx.f32 f1, f1; frobnicate f1;\n@p bra Loop;\n@q bra Loop; nop;"}}"#;

    fn source(text: &str) -> Source {
        Source::of(text).unwrap_or_else(|| unreachable!("it has a source"))
    }

    #[test]
    fn lines_and_instructions_lead_to_each_other() {
        let source = source(LOOP);
        assert_eq!((source.count(), source.line(0), source.widest), (5, "\tld.global.f32 f1, [a];", 39));
        // A load takes two cycles, so it stands in the string twice.
        let lines: Vec<_> = (0..12).map(|instruction| source.line_of(instruction)).collect();
        expect!["[Some(0), Some(0), Some(2), Some(2), Some(3), Some(4), Some(2), Some(2), Some(3), Some(4), None, None]"].assert_eq(&format!("{lines:?}"));
        let firsts: Vec<_> = (0..6).map(|line| source.first(line)).collect();
        expect!["[Some(0), None, Some(2), Some(4), Some(5), None]"].assert_eq(&format!("{firsts:?}"));
        let times: Vec<_> = (0..6).map(|line| source.times(line)).collect();
        expect![[r#"["1", "", "2", "2", "1 to 2", ""]"#]].assert_eq(&format!("{times:?}"));
    }

    #[test]
    fn what_is_waited_for_is_told_at_the_line_that_waits() {
        let source = source(LOOP);
        let Ok(scenario) = crate::LINKED.read(LOOP) else { unreachable!("valid") };
        let Some(shown) = crate::page::Shown::new(LOOP, &crate::LINKED.run(&scenario).line()) else {
            unreachable!("a report fits its scenario")
        };
        let picture = shown.whole_picture(crate::timeline::Rows::Warps);
        let waited = source.waited(&picture);
        let all: f64 = waited.iter().flatten().sum();
        let naive = (0..2).flat_map(|warp| (0..10).map(move |instruction| (warp, instruction)));
        let naive: u32 = naive.map(|this| shown.waited(this).map_or(0, |(from, to)| to + 1 - from)).sum();
        assert!(all > 0.0 && all == f64::from(naive), "{all} {naive}");
        assert_eq!(waited[1], [0.0; WaitKind::ALL.len()], "a label waits for nothing");
    }

    #[test]
    fn every_line_says_why() {
        let source = source(LOOP);
        let about: Vec<_> = (0..5).map(|line| source.about(line)).collect();
        expect![[r#"
            Line 1: ld.global.f32 runs on L (load/store), executed once: loads, stores and atomics of every state space; loads of parameters and constants too, as every load counts and hits its cache.
            Line 2: no instruction of the kernel.
            Line 3: sin.approx.f32 runs on S (special function), executed 2 times: approximations in single or half precision; frobnicate runs on C (CUDA core), executed 2 times: unknown: counts as C and is named in the report.
            Line 4: bra runs on C (CUDA core), executed 2 times: a jump takes an issue slot like any other instruction.
            Line 5: bra runs on C (CUDA core), executed 2 times: a jump takes an issue slot like any other instruction; nop runs on no unit, executed once: no work: performance events and stops for a debugger."#]].assert_eq(&about.join("\n"));
        assert_eq!(source.path(), "every loop runs 2 times");
        assert_eq!(source.with("LD."), [0, 1]);
        assert_eq!(source.with("f1, f1; frob"), [2, 3, 6, 7], "both instructions of that line");
        assert_eq!(
            (source.with("bra"), source.with(" "), source.with("absent")),
            (vec![4, 5, 8, 9], vec![], vec![])
        );
    }

    #[test]
    fn of_a_line_too_long_the_beginning_is_shown() {
        let text = LOOP.replace("[a];", &format!("[a]; // {}", "ä".repeat(50_000)));
        let source = source(&text);
        let shown = source.shown(0);
        assert!(
            shown.starts_with("  ld.global.f32 f1, [a]; // ää") && shown.ends_with("ä… (50,027 characters)")
        );
        assert_eq!(source.shown(1), "Loop:");
        assert!(source.widest < 1_100, "{}", source.widest);
    }

    #[test]
    fn a_string_has_no_source() {
        let text = r#"{"warpspan": 1, "warps": {"count": 2, "kernel": "LCL", "machine": {"L": 1, "C": 1}}}"#;
        assert_eq!(Source::of(text), None);
    }
}
