//! A thread trace in other forms.

mod perfetto;
mod table;

pub use perfetto::perfetto;
pub use table::csv;
