//! What another program calls: texts in, texts out, every mistake told with its place.
//!
//! Nothing here reads a clock, a file or the DOM, so a document has one result wherever it is computed. Who wants
//! to see a search at work steps a [job](crate::job) instead.

use serde_json::Value;

use labs::code_lab::certificate::{self as machine_code, Certified};

use crate::base::Problem;
use crate::import::{Format, sniff};
use crate::report::{Report, WarpsReport, certificate as verdict};
use crate::scenario::{self, WarpsScenario, certificate as written, link as share};
use crate::warps::certificate::Limits;
use crate::{import::json, job};

/// Computes what a document asks: the report, which is one line of JSON as `warpspan run` prints it.
///
/// The document may be a scenario, a share link, PTX, an AMALTHEA model, or a configuration of the examiner.
///
/// ```
/// let report = warpspan::run(
///     r#"{ "warpspan": 1, "warps": { "kernel": "LCL", "count": 3, "machine": { "L": 1, "C": 1 } } }"#,
/// ).unwrap();
/// let report: serde_json::Value = serde_json::from_str(&report.line()).unwrap();
/// assert_eq!(report["makespan"], 6);
///
/// let wrong = warpspan::run(r#"{ "warpspan": 1, "warps": { "kernel": "LXL" } }"#).err().unwrap();
/// assert_eq!(wrong[0].place, "warps.kernel");
/// ```
///
/// # Errors
/// Everything that is wrong with the document.
pub fn run(text: &str) -> Result<Report, Vec<Problem>> {
    Ok(job::run(scenario::from_tree(&tree(text)?)?))
}

/// Computes what a document about warps or machine code asks, and writes the result down with all it takes to check it.
///
/// # Errors
/// Everything that is wrong with the document; or that its result is no schedule.
pub fn certify(text: &str) -> Result<String, Vec<Problem>> {
    let scenario = scenario::from_tree(&tree(text)?)?;
    let none = || vec![Problem::at("document", "a result that is no schedule", "a \"warps\" scenario")];
    if let Some(job) = machine_code::start(&scenario) {
        let certified = job::finished(job).into::<Certified>();
        return certified.map(|certified| certified.text).ok_or_else(none);
    }
    let warps = scenario.asked::<WarpsScenario>().cloned().ok_or_else(none)?;
    let report = job::run(scenario).into::<WarpsReport>().ok_or_else(none)?;
    Ok(job::certify::written(&report, &warps).text)
}

/// Whether the claims of a certificate hold, found out without what made it.
///
/// ```
/// let exact = r#"{ "warpspan": 1, "warps": {
///     "kernel": "LCL", "count": 3, "machine": { "L": 1, "C": 1 }, "method": { "exact": {} } } }"#;
/// let certificate = warpspan::certify(exact).unwrap();
/// assert!(warpspan::check(&certificate).unwrap());
/// ```
///
/// # Errors
/// Everything that keeps the text from being a certificate.
pub fn check(certificate: &str) -> Result<bool, Vec<Problem>> {
    let tree = json::parse(certificate).map_err(|problem| vec![problem])?;
    if machine_code::is_certificate(&tree) {
        return Ok(machine_code::checked(certificate)?.accepted);
    }
    Ok(verdict::judge(&written::read(certificate)?, Limits::default()).accepted)
}

/// A document as a share link: what stands behind the address of the page.
///
/// ```
/// let document = r#"{ "warpspan": 1, "warps": { "kernel": "LCL", "count": 3, "machine": { "L": 1, "C": 1 } } }"#;
/// let link = warpspan::link(document).unwrap();
/// assert!(link.starts_with("#v=1&s="));
/// let again: serde_json::Value = serde_json::from_str(&warpspan::open(&link).unwrap()).unwrap();
/// assert_eq!(again["warps"]["count"], 3);
/// ```
///
/// # Errors
/// Everything that is wrong with the document; or that it is too long for a link.
pub fn link(text: &str) -> Result<String, Vec<Problem>> {
    let tree = tree(text)?;
    scenario::from_tree(&tree)?;
    let link = share::write(&tree, &share::View::default()).map_err(|problem| vec![problem])?;
    Ok(format!("#{link}"))
}

/// The document in a share link, or in an address that ends in one.
///
/// # Errors
/// What is wrong with the link, or with its document.
pub fn open(link: &str) -> Result<String, Vec<Problem>> {
    let opened = share::open(link).map_err(|problem| vec![problem])?;
    scenario::from_tree(&opened.scenario)?;
    Ok(json::pretty(&opened.scenario))
}

/// The document in a text, which may be a share link, as a tree of JSON; of what [`run`] reads it is made.
///
/// # Errors
/// What keeps the text from being a document.
pub fn tree(text: &str) -> Result<Value, Vec<Problem>> {
    match sniff(text) {
        Format::Link => share::open(text).map(|link| link.scenario).map_err(|problem| vec![problem]),
        _ => scenario::tree(text),
    }
}
