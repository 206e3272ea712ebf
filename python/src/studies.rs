//! Studies: their cells one by one, by threads, and rows in a file.

use std::sync::Mutex;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use warpspan::base::{Control, Problem};
use warpspan::study::rows::Rows as Opened;
use warpspan::study::table::columns;
use warpspan::study::threads::{Told, compute};
use warpspan::study::{CellRun, Study as Read};

use crate::problems::{Failed, detached};
use crate::work;

/// A cell is asked after so many units of work whether to go on.
const SLICE_UNITS: u64 = 1_000_000;

/// A study that was read.
#[pyclass(frozen, module = "warpspan._native")]
pub struct Study(Read, String);

#[pymethods]
impl Study {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        detached(py, || {
            let scenario = warpspan::scenario::from_tree(&warpspan::tree(text)?)?;
            let none = || Problem::at("document", "no study", "{\"warpspan\": 1, \"study\": {...}}");
            let study = Read::of(&scenario).ok_or_else(none)?;
            Ok(Self(study, scenario.title))
        })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.1
    }

    #[getter]
    fn cells(&self) -> u64 {
        self.0.cells()
    }

    #[getter]
    fn points(&self) -> u64 {
        self.0.points()
    }

    #[getter]
    fn samples(&self) -> u64 {
        self.0.samples()
    }

    #[getter]
    fn axes(&self) -> Vec<&str> {
        self.0.axes().iter().map(|axis| axis.name.as_str()).collect()
    }

    #[getter]
    fn measures(&self) -> Vec<&str> {
        self.0.measures().iter().map(|measure| measure.name.as_str()).collect()
    }

    /// What a table of the rows calls its columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        columns(&self.0).names()
    }

    /// The document of a cell, as JSON.
    fn document(&self, py: Python<'_>, cell: u64) -> PyResult<String> {
        let cell = self.0.cell(cell).ok_or_else(|| PyIndexError::new_err("no such cell"))?;
        detached(py, || Ok(cell.document()?))
    }

    /// The rows of the cells from the first on, before the end: a line of JSON each.
    fn rows(&self, py: Python<'_>, first: u64, end: u64) -> PyResult<String> {
        detached(py, || {
            let mut text = String::new();
            for cell in first..end.min(self.0.cells()) {
                let Some(cell) = self.0.cell(cell) else { break };
                let mut run = CellRun::start(cell);
                loop {
                    if let Some(row) = run.step(&mut Control::slice(SLICE_UNITS)) {
                        text.push_str(&row);
                        text.push('\n');
                        break;
                    }
                    work::asked()?;
                }
            }
            Ok(text)
        })
    }

    /// All rows by threads, in the order of their cells; `told` hears how many there are.
    #[pyo3(signature = (threads, told=None))]
    fn all(&self, py: Python<'_>, threads: usize, told: Option<Py<PyAny>>) -> PyResult<Vec<String>> {
        detached(py, || {
            let mut rows = vec![String::new(); usize::try_from(self.0.cells()).unwrap_or(0)];
            let mut done = 0;
            compute::<PyErr>(&self.0, threads, &|_| false, &mut |event| {
                if let Told::Rows(batch) = event {
                    for (cell, row) in batch.cells.iter().zip(batch.text.lines()) {
                        row.clone_into(&mut rows[usize::try_from(*cell).unwrap_or(0)]);
                    }
                    done += batch.cells.len() as u64;
                }
                heard(told.as_ref(), done)
            })?;
            Ok(rows)
        })
    }
}

/// Whether to go on, once somebody was told how many rows there are.
fn heard(told: Option<&Py<PyAny>>, done: u64) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        told.map_or(Ok(()), |told| told.call1(py, (done,)).map(|_| ()))
    })
}

/// A file of rows, to which rows are added, and which becomes a table in the end.
#[pyclass(frozen, module = "warpspan._native")]
pub struct Rows(Mutex<Option<Opened>>);

#[pymethods]
impl Rows {
    #[new]
    fn new(py: Python<'_>, study: &Study, out: &str, resume: bool) -> PyResult<Self> {
        detached(py, || Ok(Self(Mutex::new(Some(Opened::open(&study.0, out, resume)?)))))
    }

    /// How many cells had their rows when the file was opened.
    fn known(&self) -> PyResult<u64> {
        self.with(|rows| Ok(rows.known().count()))
    }

    /// The next cells without a row from one on, at most so many: the first, and the one after the last.
    fn gap(&self, first: u64, most: u64) -> PyResult<Option<(u64, u64)>> {
        self.with(|rows| Ok(rows.known().gap(first, most)))
    }

    /// Adds rows, a line of JSON each.
    fn add(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        let added = py.detach(|| self.with(|rows| Ok(rows.add(text))))?;
        added.map_err(|problem| Failed::from(problem).exception(py))
    }

    /// Computes by threads what is missing; `told` hears how many rows there are since.
    #[pyo3(signature = (study, threads, told=None))]
    fn compute(
        &self,
        py: Python<'_>,
        study: &Study,
        threads: usize,
        told: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        // Taken out meanwhile: `told` may be Python that asks for something of these rows.
        let taken = self.0.lock().ok().and_then(|mut rows| rows.take()).ok_or_else(closed)?;
        let computed = detached(py, || {
            let mut done = 0;
            compute::<Failed>(&study.0, threads, &|cell| taken.known().has(cell), &mut |event| {
                if let Told::Rows(batch) = event {
                    taken.add(&batch.text)?;
                    done += batch.cells.len() as u64;
                }
                Ok(heard(told.as_ref(), done)?)
            })
        });
        if let Ok(mut rows) = self.0.lock() {
            *rows = Some(taken);
        }
        computed
    }

    /// Makes the table that was asked for, and closes the file.
    fn done(&self, py: Python<'_>) -> PyResult<()> {
        let taken = self.0.lock().ok().and_then(|mut rows| rows.take());
        detached(py, || Ok(taken.map_or(Ok(()), Opened::done)?))
    }

    /// Closes the file as it is.
    fn close(&self) {
        drop(self.0.lock().ok().and_then(|mut rows| rows.take()));
    }
}

impl Rows {
    fn with<T>(&self, use_it: impl FnOnce(&Opened) -> PyResult<T>) -> PyResult<T> {
        let rows = self.0.lock().map_err(|_| closed())?;
        use_it(rows.as_ref().ok_or_else(closed)?)
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the file of rows is closed")
}
