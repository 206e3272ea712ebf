//! How our value is read out of a report: a place, and the little arithmetic that published numbers need.

use serde_json::Value;

use super::path::Path;

/// Where and how a value is read. The parts are applied in the order in which they stand here.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The place.
    pub at: Path,
    /// Only those items of the list for which the list at this place has this value.
    pub only: Option<(Path, Value)>,
    /// What is taken of it.
    pub take: Option<Take>,
    /// This is taken away from it.
    pub minus: Option<Operand>,
    /// It is divided by this.
    pub over: Option<Operand>,
}

/// The other side of a difference or a quotient.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// What stands at this place.
    At(Path),
    /// A number.
    Number(f64),
}

/// What is taken of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// The largest number of a list.
    Max,
    /// The smallest number of a list.
    Min,
    /// The first item of a list.
    First,
    /// The last item of a list.
    Last,
    /// How many items a list has.
    Length,
    /// The number a text stands for, such as `14` or `29/2`.
    Number,
    /// Of pairs of place and height, the height that holds at this place.
    Step(u64),
}

impl Take {
    /// Those that a word names.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("max", Self::Max),
        ("min", Self::Min),
        ("first", Self::First),
        ("last", Self::Last),
        ("length", Self::Length),
        ("number", Self::Number),
    ];
}

impl Reading {
    /// A place and nothing else.
    pub fn plain(at: Path) -> Self {
        Self { at, only: None, take: None, minus: None, over: None }
    }

    /// The value in a report; else why there is none.
    pub fn of(&self, report: &Value) -> Result<Value, String> {
        let wrong = |what: &str| format!("{}: {what}", self.at.text());
        let mut value = self.at.find(report)?;
        if let Some((other, wanted)) = &self.only {
            let companions = other.find(report)?;
            value = only(&value, &companions, wanted).ok_or_else(|| wrong("not a list beside a list"))?;
        }
        if let Some(take) = self.take {
            value = taken(&value, take).ok_or_else(|| wrong("nothing that can be taken of it"))?;
        }
        if let Some(operand) = &self.minus {
            let less = operand.of(report)?;
            value = each(&value, &|number| Some(number - less)).ok_or_else(|| wrong("not a number"))?;
        }
        if let Some(operand) = &self.over {
            let divisor = operand.of(report)?;
            let divided = |number: f64| Some(number / divisor).filter(|quotient| quotient.is_finite());
            value = each(&value, &divided).ok_or_else(|| wrong("not a number that can be divided"))?;
        }
        Ok(value)
    }
}

impl Operand {
    fn of(&self, report: &Value) -> Result<f64, String> {
        match self {
            Operand::Number(number) => Ok(*number),
            Operand::At(path) => {
                let value = path.find(report)?;
                let number = value.as_f64().or_else(|| value.as_str().and_then(number_in));
                number.ok_or_else(|| format!("{}: not a number", path.text()))
            }
        }
    }
}

fn only(value: &Value, companions: &Value, wanted: &Value) -> Option<Value> {
    let (items, companions) = (value.as_array()?, companions.as_array()?);
    let kept = items.iter().zip(companions).filter(|(_, companion)| *companion == wanted);
    (items.len() == companions.len()).then(|| kept.map(|(item, _)| item.clone()).collect())
}

fn taken(value: &Value, take: Take) -> Option<Value> {
    let numbers = || value.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    match take {
        Take::Max => numbers()?.into_iter().reduce(f64::max).map(number),
        Take::Min => numbers()?.into_iter().reduce(f64::min).map(number),
        Take::First => value.as_array()?.first().cloned(),
        Take::Last => value.as_array()?.last().cloned(),
        Take::Length => value.as_array().map(|items| items.len().into()),
        Take::Number => value.as_str().and_then(number_in).map(number),
        Take::Step(place) => height(value.as_array()?, place),
    }
}

/// The second of the last pair that begins at `place` or before; nothing has happened before the first.
fn height(pairs: &[Value], place: u64) -> Option<Value> {
    let mut height = Value::from(0);
    for pair in pairs {
        if pair.get(0)?.as_u64()? > place {
            break;
        }
        height = pair.get(1)?.clone();
    }
    Some(height)
}

/// `14`, `14.5` or `29/2`.
fn number_in(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((above, below)) => {
            let quotient = above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?;
            Some(quotient).filter(|number| number.is_finite())
        }
        None => text.trim().parse().ok(),
    }
}

/// Every number in a value, also those in lists, made into another.
fn each(value: &Value, change: &dyn Fn(f64) -> Option<f64>) -> Option<Value> {
    match value {
        Value::Array(items) => {
            items.iter().map(|item| each(item, change)).collect::<Option<Vec<_>>>().map(Value::from)
        }
        other => change(other.as_f64()?).map(number),
    }
}

/// A number, whole where it is.
fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn path(text: &str) -> Path {
        Path::read(text).unwrap_or_else(|| unreachable!("{text} is a path"))
    }

    fn plain(text: &str) -> Reading {
        Reading::plain(path(text))
    }

    fn report() -> Value {
        json!({
            "order": [1, 2, 1, 2], "cycles": [1, 2, 3, 4], "claimed": "29/2", "end": 12_000, "start": 4_000,
            "steps": [[5, 2], [10, 6]]
        })
    }

    #[test]
    fn readings() {
        let taken = |at: &str, take: Take| Reading { take: Some(take), ..plain(at) }.of(&report());
        assert_eq!(taken("/cycles", Take::Max), Ok(json!(4)));
        assert_eq!(taken("/cycles", Take::Min), Ok(json!(1)));
        assert_eq!(taken("/order", Take::First), Ok(json!(1)));
        assert_eq!(taken("/order", Take::Last), Ok(json!(2)));
        assert_eq!(taken("/order", Take::Length), Ok(json!(4)));
        assert_eq!(taken("/claimed", Take::Number), Ok(json!(14.5)));
        assert_eq!(taken("/steps", Take::Step(4)), Ok(json!(0)));
        assert_eq!(taken("/steps", Take::Step(9)), Ok(json!(2)));
        assert_eq!(taken("/steps", Take::Step(10)), Ok(json!(6)));
        let second = Reading { only: Some((path("/order"), json!(2))), ..plain("/cycles") };
        assert_eq!(second.of(&report()), Ok(json!([2, 4])));
        let seconds = Reading {
            minus: Some(Operand::At(path("/start"))),
            over: Some(Operand::Number(1000.0)),
            ..plain("/end")
        };
        assert_eq!(seconds.of(&report()), Ok(json!(8)));
        let share = Reading { over: Some(Operand::At(path("/claimed"))), ..plain("/cycles/0") };
        assert_eq!(share.of(&report()), Ok(json!(1.0 / 14.5)));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let wrong = |reading: Reading| reading.of(&report()).err();
        let told = |text: &str| Some(text.to_owned());
        let take = |at: &str, take| Reading { take: Some(take), ..plain(at) };
        assert_eq!(wrong(take("/end", Take::Max)), told("/end: nothing that can be taken of it"));
        assert_eq!(wrong(take("/steps", Take::Max)), told("/steps: nothing that can be taken of it"));
        assert_eq!(wrong(plain("/best")), told("/best: no field best"));
        let by_zero = Reading { over: Some(Operand::Number(0.0)), ..plain("/end") };
        assert_eq!(wrong(by_zero), told("/end: not a number that can be divided"));
        let text = Reading { minus: Some(Operand::Number(1.0)), ..plain("/claimed") };
        assert_eq!(wrong(text), told("/claimed: not a number"));
        let other = Reading { only: Some((path("/end"), json!(2))), ..plain("/cycles") };
        assert_eq!(wrong(other), told("/cycles: not a list beside a list"));
    }
}
