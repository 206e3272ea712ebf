//! Every change of a graph, and that what comes out is read where it is sound.

use super::*;

fn tree() -> Value {
    json!({"warpspan": 1, "tasks": [{"name": "T", "odd": 0, "period": 50, "vertices": [
        {"name": "v1", "e": 2, "d": 5, "note": 7}, {"name": "v2", "e": 3, "d": 8}, {"name": "v3", "e": 1, "d": 4},
    ], "edges": [["v1", "v2", 10], ["v2", "v3", 12]]}]})
}

/// The vertices and edges of a document's first task, on one line.
fn told(tree: Option<Value>) -> String {
    let Some(tree) = tree else { return "as it was".to_owned() };
    let vertex = |v: &Value| format!("{} {} {}", v["name"].as_str().unwrap_or("?"), v["e"], v["d"]);
    let edge =
        |e: &Value| format!("{}>{} {}", e[0].as_str().unwrap_or("?"), e[1].as_str().unwrap_or("?"), e[2]);
    let list = |key: &str, told: &dyn Fn(&Value) -> String| {
        tree["tasks"][0][key].as_array().into_iter().flatten().map(told).collect::<Vec<_>>().join(", ")
    };
    format!("{} | {}", list("vertices", &vertex), list("edges", &edge))
}

/// Whether a document is read as one; the key it does not know aside.
fn sound(tree: &Value) -> bool {
    let plain = path::remove(tree, &[Of("tasks"), At(0), Of("odd")]);
    let plain = path::remove(&plain, &[Of("tasks"), At(0), Of("vertices"), At(0), Of("note")]);
    let read = crate::LINKED.read(&kit::import::json::pretty(&plain));
    read.is_ok()
}

#[test]
fn vertices_come_where_they_are_wanted() {
    let (added, new) = add_vertex(&tree(), 0, Some((30.4, -7.0))).unwrap_or_default();
    assert_eq!(
        (new, &added["tasks"][0]["vertices"][3]),
        (3, &json!({"name": "v4", "e": 1, "d": 4, "x": 30, "y": -7}))
    );
    let after = |from| add_after(&tree(), 0, from, None).map(|(tree, _)| tree);
    assert_eq!(told(after(0)), "v1 2 5, v2 3 8, v3 1 4, v4 2 5 | v1>v2 10, v2>v3 12, v1>v4 5, v4>v3 5");
    assert_eq!(told(after(2)), "v1 2 5, v2 3 8, v3 1 4, v4 1 4 | v1>v2 10, v2>v3 12, v3>v4 4");
    let halves = split(&tree(), 0, 0).map(|(tree, _)| tree);
    assert_eq!(told(halves.clone()), "v1 2 5, v2 3 8, v3 1 4, v4 2 5 | v1>v4 10, v2>v3 12, v4>v2 5");
    for tree in [after(0), after(1), after(2), halves] {
        assert!(tree.is_some_and(|tree| sound(&tree)));
    }
    let empty = json!({"tasks": [{"period": 3}]});
    assert_eq!(told(add_vertex(&empty, 0, None).map(|(tree, _)| tree)), "v1 1 10 | ");
    assert_eq!(add_after(&empty, 0, 0, None), None);
}

#[test]
fn a_vertex_goes_with_its_edges_and_its_name_with_all_of_them() {
    assert_eq!(told(remove_vertex(&tree(), 0, 1)), "v1 2 5, v3 1 4 | ");
    assert_eq!(told(remove_vertex(&tree(), 0, 9)), "as it was");
    let renamed = rename(&tree(), 0, 1, " get ready ");
    assert_eq!(told(renamed.clone()), "v1 2 5, get ready 3 8, v3 1 4 | v1>get ready 10, get ready>v3 12");
    assert!(renamed.is_some_and(|tree| sound(&tree)));
    assert_eq!([rename(&tree(), 0, 1, "v3"), rename(&tree(), 0, 1, " ")], [None, None]);
    assert_eq!(rename(&tree(), 0, 1, "v2"), Some(tree()));
}

#[test]
fn edges_join_two_vertices_once() {
    let joined = connect(&tree(), 0, 0, 2);
    assert_eq!(joined.as_ref().map(|(_, place)| *place), Some(2));
    let joined = joined.map(|(tree, _)| tree).unwrap_or_default();
    assert_eq!(told(Some(joined.clone())), "v1 2 5, v2 3 8, v3 1 4 | v1>v2 10, v2>v3 12, v1>v3 5");
    assert!(sound(&joined));
    assert_eq!(disconnect(&joined, 0, 2), Some(tree()));
    assert_eq!(
        [connect(&tree(), 0, 0, 1), connect(&tree(), 0, 1, 1), connect(&tree(), 0, 0, 9)],
        [None, None, None]
    );
    let any = add_edge(&tree(), 0).and_then(|(tree, _)| add_edge(&tree, 0).is_none().then_some(tree));
    assert_eq!(any, Some(joined));
    let alone = remove_vertex(&tree(), 0, 1).and_then(|tree| add_edge(&tree, 0)).map(|(tree, _)| tree);
    assert_eq!(told(alone), "v1 2 5, v3 1 4 | v1>v3 5");
    let back = connect(&tree(), 0, 2, 0).map(|(tree, _)| tree).unwrap_or_default();
    assert!(!sound(&back), "a cycle is kept in the document, which says what is wrong with it");
    assert_eq!(told(remove_vertex(&back, 0, 0)), "v2 3 8, v3 1 4 | v2>v3 12");
}

#[test]
fn numbers_and_names_are_written_as_typed() {
    let changed = set_number(&tree(), 0, 0, "e", "7").and_then(|tree| set_separation(&tree, 0, 1, "x"));
    assert_eq!(told(changed), "v1 7 5, v2 3 8, v3 1 4 | v1>v2 10, v2>v3 \"x\"");
    assert_eq!(set_number(&tree(), 0, 9, "e", "7"), None);
    assert_eq!(set_separation(&tree(), 0, 9, "7"), None);
    let named = set_name(&tree(), 0, "drive").and_then(|tree| set_period(&tree, 0, "60")).unwrap_or_default();
    assert_eq!((&named["tasks"][0]["name"], &named["tasks"][0]["period"]), (&json!("drive"), &json!(60)));
    assert!(sound(&named));
    assert_eq!(set_period(&tree(), 4, "6"), None);
}

#[test]
fn places_come_and_go_and_nothing_else_changes() {
    let moved = move_vertex(&tree(), 0, 0, (10.6, 1e9)).unwrap_or_default();
    assert_eq!(
        moved["tasks"][0]["vertices"][0].to_string(),
        r#"{"name":"v1","e":2,"d":5,"note":7,"x":11,"y":99999}"#
    );
    assert!(sound(&moved));
    assert_eq!(arrange(&moved, 0).map(|tree| tree.to_string()), Some(tree().to_string()));
}

#[test]
fn tasks_come_and_go() {
    let (more, at) = add_task(&tree()).unwrap_or_default();
    assert_eq!((at, super::super::names(&more)), (1, vec!["T".to_owned(), "task 1".to_owned()]));
    let (twice, at) = duplicate_task(&more, 1).unwrap_or_default();
    assert_eq!((at, super::super::names(&twice)[2].as_str()), (2, "task 3"));
    assert!(sound(&more) && sound(&twice));
    assert_eq!(remove_task(&more, 1), Some(tree()));
    assert_eq!(remove_task(&tree(), 1), None);
    let object = json!({"warpspan": 1, "tasks": {"set": tree()["tasks"], "horizon": 9}});
    let (object, _) = duplicate_task(&object, 0).unwrap_or_default();
    assert_eq!(object["tasks"]["set"][1]["name"], json!("T 2"));
    assert_eq!(add_task(&json!({"tasks": {"experiment": {}}})), None);
}
