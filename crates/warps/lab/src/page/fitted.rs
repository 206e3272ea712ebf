//! An order of one's own with another number of warps: those that stay keep their places, and further ones come after
//! them all. So the picture goes on while a number is turned. A schedule of one's own goes on as its order does, read
//! cycle by cycle: with further warps those that were there keep their cycles, and without some of its warps others run
//! earlier, as they have to.

use serde_json::{Value, json};

use crate::scenario::WarpsScenario;
use kit::page::edit;
use warps::{MOST_WARPS, Order, Schedule, construct};

const ORDER: &[&str] = &["warps", "method", "order"];
const SCHEDULE: &[&str] = &["warps", "method", "schedule"];
/// Schedules of more instructions are not made anew while a number is turned.
const MOST: usize = 400_000;

/// What was given before warps were taken away: it comes back with them. Who types 16 passes through 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    order: Vec<Value>,
    schedule: Vec<Vec<u32>>,
    /// What was made of that last.
    made: Vec<Vec<u32>>,
}

impl Given {
    /// The document, whose number of warps has just been changed, with an order or a schedule for so many; what else it
    /// asks for is read already, where there is no mistake in it. What fits no number of warps is left as it stands, for
    /// the validation to refuse.
    pub fn fitted(&mut self, tree: Value, count: &Value, asked: Option<&WarpsScenario>) -> Value {
        let most = u64::try_from(MOST_WARPS).unwrap_or(1);
        let Some(count) = count.as_u64().filter(|count| (1..=most).contains(count)) else { return tree };
        if let Some(rows) = edit::get(&tree, SCHEDULE) {
            let made = usize::try_from(count).ok().and_then(|count| self.schedule(rows, count, asked?));
            return match made {
                Some(rows) => edit::set(&tree, SCHEDULE, json!(rows)),
                None => tree,
            };
        }
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

    fn schedule(&mut self, rows: &Value, count: usize, asked: &WarpsScenario) -> Option<&[Vec<u32>]> {
        let rows = cycles(rows)?;
        if rows != self.made {
            self.schedule = rows;
        }
        self.made = with_warps(&self.schedule, count, asked)?;
        Some(&self.made)
    }
}

/// A schedule with so many of its warps, or further ones; nothing where it breaks a rule, or where loads miss: which of
/// them do is said warp by warp.
fn with_warps(rows: &[Vec<u32>], count: usize, asked: &WarpsScenario) -> Option<Vec<Vec<u32>>> {
    let (kernel, machine, length) = (&asked.kernel, &asked.normalised.machine, asked.kernel.len());
    if asked.memory.is_some() || count.max(rows.len()) * length > MOST {
        return None;
    }
    let given = Schedule::new(rows, length)?;
    let order = given.to_order();
    let made =
        |order: &Order, count| construct(kernel, machine, &asked.fairness.arranged(order, length), count);
    if made(&order, rows.len())? != given {
        return None;
    }
    if count == rows.len() {
        return Some(rows.to_vec());
    }
    let further = (rows.len()..count).flat_map(|warp| std::iter::repeat_n(warp, length));
    let warps = order.ids().iter().map(|&warp| usize::from(warp)).filter(|&warp| warp < count).chain(further);
    let ids = warps.map(u16::try_from).collect::<Result<_, _>>().ok()?;
    let fitted = made(&Order::new(ids, count, length).ok()?, count)?;
    Some((0..count).map(|warp| fitted.warp(warp).to_vec()).collect())
}

/// The cycles of a schedule as it is written.
fn cycles(rows: &Value) -> Option<Vec<Vec<u32>>> {
    let cycle = |value: &Value| u32::try_from(value.as_u64()?).ok();
    rows.as_array()?.iter().map(|row| row.as_array()?.iter().map(cycle).collect()).collect()
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

    /// What a document asks for beside its method.
    fn asked(document: &Value) -> Option<WarpsScenario> {
        let plain = edit::set(document, &["warps", "method"], json!({"initial": "round-robin"}));
        crate::LINKED.read(&plain.to_string()).ok()?.asked::<WarpsScenario>().cloned()
    }

    /// The method after the number of warps was turned from one to the next, each time checked by the reader.
    fn turned(method: &Value, counts: &[u64]) -> Vec<Value> {
        let mut given = Given::default();
        let mut method = method.clone();
        counts
            .iter()
            .map(|&count| {
                let before = document(count, &method);
                let fitted = given.fitted(before.clone(), &count.into(), asked(&before).as_ref());
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
        let first = given.fitted(document(1, &json!({"order": [2, 1, 1, 2]})), &1.into(), None);
        assert_eq!(first["warps"]["method"], json!({"order": [1, 1]}));
        let other = given.fitted(document(3, &json!({"order": [2, 2, 1, 1]})), &3.into(), None);
        assert_eq!(other["warps"]["method"], json!({"order": [2, 2, 1, 1, 3, 3]}));
    }

    #[test]
    fn a_schedule_goes_along_and_comes_back_as_it_was() {
        // Warp 2 first, and both wait for it.
        let given = json!({"schedule": [[2, 3], [1, 2]]});
        let [more, fewer, same] = &turned(&given, &[3, 1, 2])[..] else { unreachable!("three numbers") };
        assert_eq!(more, &json!({"schedule": [[2, 3], [1, 2], [3, 4]]}));
        // Without the second, the first runs at once.
        assert_eq!(fewer, &json!({"schedule": [[1, 2]]}));
        assert_eq!(same, &given);
    }

    #[test]
    fn a_schedule_that_was_changed_meanwhile_is_what_counts() {
        let mut given = Given::default();
        let mut fit = |count: u64, schedule: Value| {
            let before = document(count, &json!({ "schedule": schedule }));
            given.fitted(before.clone(), &count.into(), asked(&before).as_ref())["warps"]["method"]["schedule"].clone()
        };
        assert_eq!(fit(1, json!([[2, 3], [1, 2]])), json!([[1, 2]]));
        assert_eq!(fit(3, json!([[1, 2], [2, 3]])), json!([[1, 2], [2, 3], [3, 4]]));
    }

    #[test]
    fn a_fair_schedule_stays_fair() {
        let method = json!({"schedule": [[1, 2, 3, 4], [2, 3, 4, 5]]});
        let mut tree = document(2, &method);
        tree["warps"]["kernel"] = "LCLC".into();
        tree["warps"]["fairness"] = "sub-block".into();
        tree["warps"]["sub_blocks"] = json!([2]);
        let read =
            |tree: &Value| crate::LINKED.read(&tree.to_string()).map_err(|problems| format!("{problems:?}"));
        assert!(read(&tree).is_ok(), "{:?}", read(&tree).err());
        for count in [3_u64, 4, 1] {
            tree["warps"]["count"] = count.into();
            let fitted = Given::default().fitted(tree.clone(), &count.into(), asked(&tree).as_ref());
            assert!(read(&fitted).is_ok(), "{count}: {:?}", read(&fitted).err());
        }
    }

    #[test]
    fn what_fits_no_number_of_warps_is_left_as_it_stands() {
        let methods = [
            json!({"order": []}),
            json!({"order": [1, 1, 2]}),
            json!({"order": [0, 1]}),
            json!({"order": ["x", 1]}),
            json!({"schedule": [[1, "x"]]}),
            json!({"schedule": [[1, 2, 3]]}),
            json!({"schedule": []}),
            json!({"schedule": 5}),
            // The second warp could have run in cycle 2.
            json!({"schedule": [[1, 2], [3, 4]]}),
            json!({"initial": "round-robin"}),
        ];
        for method in methods {
            let tree = document(3, &method);
            assert_eq!(Given::default().fitted(tree.clone(), &3.into(), asked(&tree).as_ref()), tree);
        }
        let tree = document(2, &json!({"order": [1, 1, 2, 2]}));
        for count in [json!(0), json!("x"), json!(100_000), json!(2.5), Value::Null] {
            assert_eq!(Given::default().fitted(tree.clone(), &count, None), tree);
        }
    }
}
