//! Random sets of tasks: small and tight ones, middling ones, and some with large numbers; with separations shorter than
//! deadlines, periods shorter than paths, and ways back of any length.

use warpspan::base::Seeded;

use super::model::Task;

/// One to four tasks of one size; about half of the sets can meet their deadlines.
pub fn set(rng: &mut Seeded) -> Vec<Task> {
    let count = [1, 1, 2, 2, 3, 4][rng.below(6) as usize];
    let (vertices, largest) = [(4, 6), (6, 12), (8, 40), (14, 200), (24, 3_000)][rng.below(5) as usize];
    let stretch = count * (2 + u64::from(rng.below(3)));
    (0..count).map(|number| task(rng, format!("t{number}"), (vertices, largest), stretch)).collect()
}

/// A number from 1 on.
fn number(rng: &mut Seeded, most: u64) -> u64 {
    1 + u64::from(rng.below(u32::try_from(most.max(1)).expect("small")))
}

fn task(rng: &mut Seeded, name: String, (vertices, largest): (u32, u64), stretch: u64) -> Task {
    let count = if rng.below(10) == 0 { 1 } else { 2 + rng.below(vertices - 1) as usize };
    let (separated, roomy) = (rng.below(3) > 0, rng.below(3) > 0);
    let zeros = rng.below(6) == 0;
    let d: Vec<u64> = (0..count).map(|_| number(rng, largest)).collect();
    let requirement = |d: &u64| {
        let any = if rng.below(8) == 0 { number(rng, largest) } else { number(rng, *d) };
        if zeros && rng.below(3) == 0 { 0 } else { any * 2 / stretch.max(2) }
    };
    let e: Vec<u64> = d.iter().map(requirement).collect();
    let mut leaving = vec![Vec::new(); count];
    let edge = |rng: &mut Seeded, leaving: &mut Vec<Vec<(usize, u64)>>, u: usize, v: usize| {
        if leaving[u].iter().all(|edge: &(usize, u64)| edge.0 != v) {
            let more = number(rng, largest) - 1;
            leaving[u].push((v, if separated { d[u] + more / 3 } else { more }));
        }
    };
    for v in 1..count {
        // Vertices nearby, so that paths get long; now and then one far away.
        for _ in 0..number(rng, 3) {
            let reach = if rng.below(6) == 0 { v } else { v.min(4) };
            let u = v - number(rng, reach as u64) as usize;
            edge(rng, &mut leaving, u, v);
        }
    }
    for u in 0..count - 1 {
        if leaving[u].is_empty() {
            let v = u + number(rng, (count - 1 - u).min(3) as u64) as usize;
            edge(rng, &mut leaving, u, v);
        }
    }
    let restart = match rng.below(5) {
        0 => Some(number(rng, d[count - 1]) - 1),
        1 => Some(d[count - 1] + number(rng, largest) - 1),
        _ => None,
    };
    let mut task = Task { name, e, d, leaving, period: 1, restart };
    let longest = task.longest();
    let spare = if rng.below(2) == 0 { 0 } else { number(rng, largest) };
    task.period = if roomy { (longest + spare).max(1) } else { number(rng, longest) };
    task
}
