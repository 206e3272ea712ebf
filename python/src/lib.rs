//! The native half of the Python package: texts in, texts out, every mistake raised with its place.
//!
//! Whatever takes time is worked on in slices with the interpreter let go, and between two of them it is asked whether
//! somebody pressed Ctrl-C. What is documented for those who call it stands in the Python half, `python/package`.

mod documents;
mod problems;
mod studies;
mod work;

use pyo3::prelude::*;

/// What the Python half imports.
#[pymodule]
#[pyo3(name = "_native")]
mod native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::documents::{certify, check, check_logs, frame, link, open, run};
    #[pymodule_export]
    use super::studies::{Rows, Study};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
