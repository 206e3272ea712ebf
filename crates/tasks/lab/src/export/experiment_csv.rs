//! The table of an experiment as CSV (RFC 4180): units are in the names of the columns.

use kit::export::csv::row;

/// One line of names, then one line per row.
pub fn experiment_csv(names: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut out = row(names.iter().map(|&name| name.to_owned()));
    for fields in rows {
        out += &row(fields);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_per_row() {
        let rows = vec![vec!["10".to_owned(), "a, b".to_owned()]];
        assert_eq!(experiment_csv(&["vertices", "adapter"], rows), "vertices,adapter\r\n10,\"a, b\"\r\n");
    }
}
