//! Documents: run, certified, checked, as links and back.

use pyo3::prelude::*;

use warpspan::base::Problem;
use warpspan::import::json;
use warpspan::job::certify as certificates;
use warpspan::report::{WarpsReport, certificate as verdict, check_report};
use warpspan::scenario::{self, WarpsScenario, certificate as written, document_of_logs, link as share};
use warpspan::warps::certificate::Limits;

use crate::problems::detached;
use crate::work;

/// The report of a document, a line of JSON.
#[pyfunction]
pub fn run(py: Python<'_>, text: &str) -> PyResult<String> {
    detached(py, || {
        let scenario = scenario::from_tree(&warpspan::tree(text)?)?;
        Ok(work::to_end(scenario)?.line())
    })
}

/// The certificate of what a document about warps asks, as JSON.
#[pyfunction]
pub fn certify(py: Python<'_>, text: &str) -> PyResult<String> {
    detached(py, || {
        let none = || Problem::at("document", "a result that is no schedule", "a \"warps\" scenario");
        let scenario = scenario::from_tree(&warpspan::tree(text)?)?;
        let warps = scenario.asked::<WarpsScenario>().cloned().ok_or_else(none)?;
        let report = work::to_end(scenario)?.into::<WarpsReport>().ok_or_else(none)?;
        Ok(certificates::written(&report, &warps).text)
    })
}

/// Whether a certificate is accepted, and why; a line of JSON.
#[pyfunction]
pub fn check(py: Python<'_>, certificate: &str) -> PyResult<String> {
    detached(py, || Ok(verdict::judge(&written::read(certificate)?, Limits::default()).line()))
}

/// What the logs of one run, each a name with its text, say of the scheduling rules; a line of JSON.
#[pyfunction]
#[pyo3(signature = (logs, device=None))]
pub fn check_logs(py: Python<'_>, logs: Vec<(String, String)>, device: Option<&str>) -> PyResult<String> {
    detached(py, || {
        let mut tree = document_of_logs(&logs);
        if let (Some(name), Some(blocks)) = (device, tree.get_mut("blocks")) {
            blocks["device"] = serde_json::json!({ "preset": name });
        }
        let scenario = scenario::from_tree(&tree)?;
        let report = scenario.asked().and_then(|asked| check_report(&scenario.title, asked));
        let none = || Problem::at("document", "no logs of a run", "logs of the scheduling examiner");
        Ok(json::line(&report.ok_or_else(none)?))
    })
}

/// A document as the part of an address after the page's.
#[pyfunction]
pub fn link(py: Python<'_>, text: &str, embed: bool, hide: bool, theme: Option<String>) -> PyResult<String> {
    detached(py, || {
        let tree = warpspan::tree(text)?;
        scenario::from_tree(&tree)?;
        let view = share::View { embed, hide, theme, ..share::View::default() };
        Ok(format!("#{}", share::write(&tree, &view)?))
    })
}

/// The document in a link, as JSON.
#[pyfunction]
pub fn open(py: Python<'_>, link: &str) -> PyResult<String> {
    detached(py, || Ok(warpspan::open(link)?))
}

/// HTML that shows the page at an address with a link, the part after `#`.
#[pyfunction]
pub fn frame(page: &str, link: &str, title: &str) -> String {
    warpspan::page::embed::frame(page, link.trim_start_matches('#'), title)
}
