//! An order of one's own with another number of warps: those that stay keep their places, and further ones come after
//! them all. So the picture goes on while a number is turned. A schedule cannot go on so: without some of its warps,
//! others would have run earlier.

use serde_json::Value;

use kit::page::edit;
use warps::MOST_WARPS;

const ORDER: &[&str] = &["warps", "method", "order"];

/// What was given before warps were taken away: it comes back with them. Who types 16 passes through 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    order: Vec<Value>,
}

impl Given {
    /// The document, whose number of warps has just been changed, with an order for so many. What fits no number of
    /// warps is left as it stands, for the validation to refuse.
    pub fn fitted(&mut self, tree: Value, count: &Value) -> Value {
        let most = u64::try_from(MOST_WARPS).unwrap_or(1);
        let Some(count) = count.as_u64().filter(|count| (1..=most).contains(count)) else { return tree };
        let order = edit::get(&tree, ORDER).and_then(Value::as_array);
        match order.and_then(|order| self.order(order, count)) {
            Some(fitted) => edit::set(&tree, ORDER, Value::Array(fitted)),
            None => tree,
        }
    }

    fn order(&mut self, order: &[Value], count: u64) -> Option<Vec<Value>> {
        let now = last_warp(order)?;
        if up_to(&self.order, now) != order {
            order.clone_into(&mut self.order);
        }
        let known = last_warp(&self.order)?;
        let each = self.order.iter().filter(|entry| entry.as_u64() == Some(1)).count();
        let even = u64::try_from(each).is_ok_and(|each| each * known == self.order.len() as u64);
        if each == 0 || !even {
            return None;
        }
        for warp in known + 1..=count {
            self.order.extend(std::iter::repeat_n(Value::from(warp), each));
        }
        Some(up_to(&self.order, count))
    }
}

/// The last warp of an order, where all its entries are warps.
fn last_warp(order: &[Value]) -> Option<u64> {
    let warps = order.iter().map(|entry| entry.as_u64().filter(|&warp| warp > 0));
    warps.collect::<Option<Vec<u64>>>()?.into_iter().max()
}

/// What of an order is of the first so many warps.
fn up_to(order: &[Value], count: u64) -> Vec<Value> {
    order.iter().filter(|entry| entry.as_u64().is_some_and(|warp| warp <= count)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(count: u64, method: &Value) -> Value {
        json!({"warpspan": 1, "warps": {"kernel": "LC", "count": count, "machine": {"L": 1, "C": 1}, "method": method}})
    }

    /// The method after the number of warps was turned from one to the next, each time checked by the reader.
    fn turned(method: &Value, counts: &[u64]) -> Vec<Value> {
        let mut given = Given::default();
        let mut method = method.clone();
        counts
            .iter()
            .map(|&count| {
                let fitted = given.fitted(document(count, &method), &count.into());
                assert!(crate::LINKED.read(&fitted.to_string()).is_ok(), "{count}: {fitted}");
                method = fitted["warps"]["method"].clone();
                method.clone()
            })
            .collect()
    }

    #[test]
    fn further_warps_come_last_and_those_that_stay_keep_their_places() {
        let given = json!({"order": [2, 1, 1, 2]});
        let [more, fewer, same] = &turned(&given, &[3, 1, 2])[..] else { unreachable!("three numbers") };
        assert_eq!(more, &json!({"order": [2, 1, 1, 2, 3, 3]}));
        assert_eq!(fewer, &json!({"order": [1, 1]}));
        // As it was, and not with the second warp behind the first.
        assert_eq!(same, &given);
    }

    #[test]
    fn an_order_that_was_changed_meanwhile_is_what_counts() {
        let mut given = Given::default();
        let first = given.fitted(document(1, &json!({"order": [2, 1, 1, 2]})), &1.into());
        assert_eq!(first["warps"]["method"], json!({"order": [1, 1]}));
        let other = given.fitted(document(3, &json!({"order": [2, 2, 1, 1]})), &3.into());
        assert_eq!(other["warps"]["method"], json!({"order": [2, 2, 1, 1, 3, 3]}));
    }

    #[test]
    fn what_fits_no_number_of_warps_is_left_as_it_stands() {
        let methods = [
            json!({"order": []}),
            json!({"order": [1, 1, 2]}),
            json!({"order": [0, 1]}),
            json!({"order": ["x", 1]}),
            json!({"schedule": [[1, 2]]}),
            json!({"initial": "round-robin"}),
        ];
        for method in methods {
            let tree = document(3, &method);
            assert_eq!(Given::default().fitted(tree.clone(), &3.into()), tree);
        }
        let tree = document(2, &json!({"order": [1, 1, 2, 2]}));
        for count in [json!(0), json!("x"), json!(100_000), json!(2.5), Value::Null] {
            assert_eq!(Given::default().fitted(tree.clone(), &count), tree);
        }
    }
}
