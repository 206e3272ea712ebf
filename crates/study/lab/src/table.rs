//! A table of rows: which columns it has, the fields of a row in their order, and the lines of its CSV.
//!
//! The page and the command line write the same bytes, as both write them here.

use base::Problem;
use kit::export::csv;
use kit::import::json;
use serde_json::{Number, Value};

/// The columns that no axis may be called like.
const OWN: [&str; 3] = ["sample", "seed", "problem"];

/// What a table of a study's rows has beside each other: axes, sample, seed, measures, problem.
#[derive(Debug, Clone)]
pub struct Columns<'a> {
    axes: Vec<&'a str>,
    measures: Vec<&'a str>,
}

impl<'a> Columns<'a> {
    /// Of a study with these axes and measures.
    pub fn new(axes: Vec<&'a str>, measures: Vec<&'a str>) -> Self {
        Self { axes, measures }
    }

    /// Their names. An axis with the name of another column says that it is one.
    pub fn names(&self) -> Vec<String> {
        let axes = self.axes.iter().map(|axis| {
            let taken = self.measures.contains(axis) || OWN.contains(axis);
            if taken { format!("point.{axis}") } else { (*axis).to_owned() }
        });
        let rest = ["sample", "seed"].iter().chain(&self.measures).chain(&["problem"]);
        axes.chain(rest.map(|name| (*name).to_owned())).collect()
    }

    /// The fields of a row, in the order of the columns; null where there is none.
    ///
    /// # Errors
    /// It is no JSON.
    pub fn fields(&self, row: &str) -> Result<Vec<Value>, Problem> {
        let text = row;
        let mut row = json::parse(text)?;
        exact(&mut row, &mut numbers(text));
        let mut taken = |path: &[&str]| {
            let found = path.iter().try_fold(&mut row, |row, key| row.get_mut(*key));
            found.map(Value::take).unwrap_or_default()
        };
        let mut fields: Vec<Value> = self.axes.iter().map(|axis| taken(&["point", axis])).collect();
        fields.extend(["sample", "seed"].map(|key| taken(&[key])));
        fields.extend(self.measures.iter().map(|measure| taken(&["values", measure])));
        fields.push(taken(&["problem"]));
        Ok(fields)
    }

    /// The first line of the CSV.
    pub fn head(&self) -> String {
        csv::row(self.names())
    }

    /// The line of a row.
    ///
    /// # Errors
    /// It is no JSON.
    pub fn line(&self, row: &str) -> Result<String, Problem> {
        Ok(csv::row(self.fields(row)?.iter().map(shown)))
    }
}

/// A value as text: what is null is empty.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => json::line(value),
    }
}

/// Reads the numbers with a point once more, from the text: the parser's may be the neighbours of what is written.
fn exact<'a>(value: &mut Value, texts: &mut impl Iterator<Item = &'a str>) {
    match value {
        Value::Number(number) => {
            let read = texts.next().and_then(|text| text.parse().ok()).and_then(Number::from_f64);
            if let (true, Some(read)) = (number.is_f64(), read) {
                *number = read;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| exact(item, texts)),
        Value::Object(map) => map.values_mut().for_each(|inner| exact(inner, texts)),
        _ => {}
    }
}

/// The texts of all numbers in a line of JSON, in their order.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    let (mut inside, mut escaped) = (false, false);
    let mut numeric = move |c: char| {
        let within = inside;
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = inside,
            '"' => inside = !inside,
            _ => {}
        }
        !within && (c.is_ascii_digit() || "+-.eE".contains(c))
    };
    let parts = line.split(move |c| !numeric(c));
    parts.filter(|part| part.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_may_be_called_like_another_column() {
        let columns = Columns::new(vec!["seed", "n", "m"], vec!["m"]);
        assert_eq!(columns.head(), "point.seed,n,point.m,sample,seed,m,problem\r\n");
        let row =
            r#"{"point":{"seed":1,"n":"=a","m":2},"sample":0,"seed":7,"values":{"m":15.545454545454545}}"#;
        assert_eq!(columns.line(row), Ok("1,'=a,2,0,7,15.545454545454545,\r\n".to_owned()));
        assert!(columns.line("{").is_err());
    }

    #[test]
    fn numbers_are_those_that_are_written() {
        let text =
            r#"{"a 1":[15.545454545454545,-3,"x\\\" 2.5"],"e":{"b":0.3333333333333333,"c":1e-7,"d":true}}"#;
        assert_eq!(
            numbers(text).collect::<Vec<_>>(),
            ["15.545454545454545", "-3", "0.3333333333333333", "1e-7"]
        );
        let mut value = json::parse(text).expect("JSON");
        exact(&mut value, &mut numbers(text));
        assert_eq!(json::line(&value), text);
    }
}
