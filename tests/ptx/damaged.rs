//! Damaged listings: each gives a walk or problems with places, never a panic, a hang or silence.

use warpspan::base::Seeded;
use warpspan::base::problem::MOST_PROBLEMS;
use warpspan::import::ptx::{self, Path};

use super::{FILES, longest, loops};

/// Reads and walks a text every way; whether it was refused at once.
fn dealt_with(text: &str) -> bool {
    match ptx::read(text) {
        Ok(module) => {
            for path in [Path::FallThrough, loops(2), longest(2), Path::Branches(Vec::new())] {
                match ptx::walk(&module, None, &path) {
                    Ok(walk) => {
                        assert!(!walk.kernel.units().is_empty() && walk.steps.len() >= walk.kernel.len());
                        let executed: u64 = walk.lines.iter().map(|line| u64::from(line.times)).sum();
                        assert_eq!(executed, walk.steps.len() as u64, "{text}");
                    }
                    Err(problem) => {
                        let known =
                            ["entry", "path", "path.branches", "ptx"].contains(&problem.place.as_str());
                        assert!(known && problem.to_string().len() < 2_000, "{problem}");
                    }
                }
            }
            false
        }
        Err(problems) => {
            assert!((1..=MOST_PROBLEMS).contains(&problems.len()), "{} problems", problems.len());
            let lines = text.lines().count().max(1);
            for problem in &problems {
                let mut words = problem.place.split(' ');
                let line = words.nth(1).and_then(|line| line.parse::<usize>().ok());
                assert!(line.is_some_and(|line| (1..=lines + 1).contains(&line)), "{problem}\n{text}");
                assert!(!problem.to_string().contains(char::is_control), "{problem}");
            }
            true
        }
    }
}

#[test]
fn scratched_anywhere() {
    const THROWN: &[u8] = b"{}[]();:,@!.%$_\"/*\n 09xaL\0\xff|<>=+-";
    let mut rng = Seeded::new(11, 0);
    let (mut all, mut bad) = (0, 0);
    for text in FILES {
        for _ in 0..700 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=rng.below(3) {
                let i = rng.below(bytes.len() as u32) as usize;
                let j = rng.below(bytes.len() as u32) as usize;
                match rng.below(6) {
                    0 => drop(bytes.remove(i)),
                    1 => bytes.insert(i, THROWN[rng.below(THROWN.len() as u32) as usize]),
                    2 => bytes[i] = THROWN[rng.below(THROWN.len() as u32) as usize],
                    3 => bytes.swap(i, j),
                    4 => {
                        bytes.drain(i..(i + rng.below(60) as usize).min(bytes.len()));
                    }
                    _ => {
                        let piece = bytes[i..(i + rng.below(60) as usize).min(bytes.len())].to_vec();
                        bytes.splice(j..j, piece);
                    }
                }
                if bytes.is_empty() {
                    bytes.push(b' ');
                }
            }
            all += 1;
            bad += usize::from(dealt_with(&String::from_utf8_lossy(&bytes)));
        }
    }
    assert!(bad > all / 4 && bad < all, "{bad} of {all}");
}

#[test]
fn cut_off_anywhere() {
    for text in FILES {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(3) {
            dealt_with(&text[..end]);
            dealt_with(&text[end..]);
        }
    }
}

/// Branches from anywhere to anywhere: every graph has an answer.
#[test]
fn any_graph() {
    let mut rng = Seeded::new(12, 0);
    for _ in 0..2_000 {
        let size = 2 + rng.below(14);
        let mut text = String::new();
        for at in 0..size {
            let guard = ["", "@%p1 ", "@!%p2 "][rng.below(3) as usize];
            text += &format!("L{at}: add.u32 %r1, %r1, 1;\n");
            text += &match rng.below(5) {
                0 => format!("{guard}ret;\n"),
                1 => String::new(),
                _ => format!("{guard}bra L{};\n", rng.below(size)),
            };
        }
        assert!(!dealt_with(&text), "{text}");
    }
}

/// Long texts of every bad shape are dealt with in time that grows with their length alone.
#[test]
fn huge_and_deep_texts() {
    let many = 30_000;
    let texts = [
        "{".repeat(many),
        "}".repeat(many),
        "(".repeat(many),
        "add.f32 ".repeat(many),
        format!("add.f32 {};", "[".repeat(many)),
        format!("add.f32 {};", "%f1,".repeat(many)),
        format!("add.f32 {}%f1;", "-".repeat(many)),
        "@".repeat(many),
        "L:".repeat(many),
        "/*".repeat(many),
        "\"".repeat(many),
        ".reg .b32 r;".repeat(many),
        ".entry k() { ret; }".repeat(many),
        (0..many).map(|i| format!(".func f{i}() {{ call f{}; }}", (i + 1) % many)).collect(),
        (0..many).map(|i| format!("L{i}: .branchtargets A; brx.idx %r1, L{i};")).collect::<String>()
            + "A: ret;",
        (0..many).map(|i| format!("hello{i}.f32 %f1;")).collect(),
        "setp.eq.u32 p, a, b; bra L; ".repeat(many / 4) + "L: ret;",
        (0..many / 4).map(|i| format!("A{i}: @p bra A{};", many / 4 - 1 - i)).collect(),
        (0..many / 4).map(|i| format!("A{i}: add.u32 r, r, 1; @p bra A0;")).collect(),
        (0..many / 4).map(|i| format!("A{i}: add.u32 r, r, 1; @p bra Z;")).collect::<String>() + "Z: ret;",
        (0..many / 10)
            .map(|i| format!(".func f{i}() {{ call f{}; call f{}; ret; }}", i + 1, i + 1))
            .collect(),
        (0..many / 10).map(|i| format!("A{i}: {{ ")).collect::<String>() + "bra A0;" + &"}".repeat(many / 10),
    ];
    for text in &texts {
        dealt_with(text);
    }
}

/// Long texts without anything wrong: many kernels, and one long kernel.
#[test]
fn megabytes() {
    let mut text = String::new();
    while text.len() < 2_000_000 {
        text += &super::MATRIX_MULTIPLY.replace("matmul", &format!("k{}", text.len()));
    }
    assert!(!dealt_with(&text));
    let body = "add.f32 %f1, %f2, %f3;\n@%p1 bra L;\nst.global.f32 [%rd1+4], %f1;\n".repeat(20_000);
    assert!(!dealt_with(&format!(".entry k() {{\n{body}L: ret; }}")));
}
