//! Problems as the Python exception that carries them.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use warpspan::base::Problem;

static REFUSED: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Why there is no result.
pub enum Failed {
    /// What is wrong with the document.
    Problems(Vec<Problem>),
    /// What Python raised meanwhile, such as `KeyboardInterrupt`.
    Raised(PyErr),
}

impl Failed {
    /// The exception to raise.
    pub fn exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Problems(problems) => refused(py, &problems),
            Self::Raised(error) => error,
        }
    }
}

impl From<Vec<Problem>> for Failed {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Problems(problems)
    }
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        Self::Problems(vec![problem])
    }
}

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// Works with the interpreter let go.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failed> + Send) -> PyResult<T> {
    py.detach(work).map_err(|failed| failed.exception(py))
}

/// The exception of a document that is refused; or what kept it from being made.
fn refused(py: Python<'_>, problems: &[Problem]) -> PyErr {
    let listed: Vec<(&str, &str, &str)> = problems
        .iter()
        .map(|problem| (problem.place.as_str(), problem.what.as_str(), problem.expected.as_str()))
        .collect();
    let class = REFUSED.import(py, "warpspan._errors", "DocumentError");
    class.and_then(|class| class.call1((listed,))).map_or_else(|error| error, PyErr::from_value)
}
