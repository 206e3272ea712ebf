//! The papers that come with Warpspan.

use super::paper::Paper;
use super::read::read;
use base::Problem;

/// One file for each; problems name the file.
const FILES: [(&str, &str); 6] = [
    ("berezovskyi.json", include_str!("../../../../www/reproductions/berezovskyi.json")),
    ("raravi.json", include_str!("../../../../www/reproductions/raravi.json")),
    ("paredes.json", include_str!("../../../../www/reproductions/paredes.json")),
    ("nunna.json", include_str!("../../../../www/reproductions/nunna.json")),
    ("amert.json", include_str!("../../../../www/reproductions/amert.json")),
    ("mi350x.json", include_str!("../../../../www/reproductions/mi350x.json")),
];

/// All papers, in the order they are listed.
pub fn papers() -> Result<Vec<Paper>, Vec<Problem>> {
    FILES.iter().map(|(file, text)| read(text).map_err(|problems| named(file, problems))).collect()
}

fn named(file: &str, problems: Vec<Problem>) -> Vec<Problem> {
    let named = |problem: Problem| Problem { place: format!("{file}: {}", problem.place), ..problem };
    problems.into_iter().map(named).collect()
}
