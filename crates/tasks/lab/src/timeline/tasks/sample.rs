//! Results of small sets for tests and measurements, as a worker would tell them.

use crate::report::tasks::{Curve, TasksReport};

/// A report from its JSON, without the parts that are the same in all.
fn report(text: &str) -> TasksReport {
    serde_json::from_str(text).unwrap_or_default()
}

/// Three tasks with room to spare: sporadic ones of 1 within 4 of every 10, 2 within 6 of every 20, and a planner of
/// two vertices.
pub fn fits() -> TasksReport {
    report(
        r#"{"scenario":"Three tasks","lab":"tasks","seconds":0.002,"schedulable":true,"schedulable_by_equation":true,
        "because":"Every interval up to t_max was checked.","utilisation":0.4,"utilisation_fraction":"2/5","t_max":23.333333,
        "first_violation":null,"first_violation_by_equation":null,
        "tightest":{"t":4,"demand":1,"margin":3},"tightest_by_equation":{"t":4,"demand":1,"margin":3},
        "checked":9,"horizon":40,
        "dbf":[{"task":"camera","steps":[[4,1],[14,2],[24,3],[34,4]]},{"task":"filter","steps":[[6,2],[26,4]]},
               {"task":"planner","steps":[[10,3],[22,8]]}],
        "equation":[{"task":"camera","steps":[[4,1],[14,2],[24,3],[34,4]]},{"task":"filter","steps":[[6,2],[26,4]]},
               {"task":"planner","steps":[[10,3],[22,8]]}],
        "set":[
          {"name":"camera","period":10,"vertices":[{"name":"grab","e":1,"d":4,"most":4}],"edges":[],"demand":1,
           "utilisation":0.1,"longest":4,"separated":true,"roomy":true,"exact":true,"pairs":1},
          {"name":"filter","period":20,"vertices":[{"name":"blur","e":2,"d":6,"most":5}],"edges":[],"demand":2,
           "utilisation":0.1,"longest":6,"separated":true,"roomy":true,"exact":true,"pairs":1},
          {"name":"planner","period":40,"vertices":[{"name":"look","e":3,"d":10,"most":7},{"name":"plan","e":5,"d":12,"most":null}],
           "edges":[["look","plan",10]],"demand":8,
           "utilisation":0.2,"longest":22,"separated":true,"roomy":true,"exact":true,"pairs":3}],
        "witness":[
          {"task":"camera","t":4,"demand":1,"jobs":[{"vertex":"grab","time":0,"deadline":4,"e":1,"counted":true}]},
          {"task":"filter","t":4,"demand":0,"jobs":[]},{"task":"planner","t":4,"demand":0,"jobs":[]}],
        "sensitivity":{"growth":2.5,"growth_fraction":"5/2","limited_at":null,"limited_by":"filter: blur"},
        "assumptions":["One processor.","Preemption costs nothing."],"warnings":[]}"#,
    )
}

/// Two tasks that need 6 within 4: the first interval is too short already.
pub fn overloaded() -> TasksReport {
    report(
        r#"{"scenario":"Too much","lab":"tasks","seconds":0.5,"schedulable":false,"schedulable_by_equation":false,
        "because":"An interval was found in which there is more demand than time.","utilisation":1.1,
        "utilisation_fraction":"11/10","t_max":null,
        "first_violation":{"t":4,"demand":6},"first_violation_by_equation":{"t":4,"demand":6},
        "tightest":{"t":4,"demand":6,"margin":-2},"tightest_by_equation":{"t":4,"demand":6,"margin":-2},
        "checked":2,"horizon":20,
        "dbf":[{"task":"a","steps":[[4,3],[14,6]]},{"task":"b","steps":[[4,3],[14,9]]}],
        "equation":[{"task":"a","steps":[[4,3],[14,6]]},{"task":"b","steps":[[4,3],[14,9]]}],
        "set":[
          {"name":"a","period":10,"vertices":[{"name":"v0","e":3,"d":4,"most":1}],"edges":[],"demand":3,
           "utilisation":0.3,"longest":4,"separated":true,"roomy":true,"exact":true,"pairs":1},
          {"name":"b","period":10,"vertices":[{"name":"v0","e":3,"d":4,"most":1},{"name":"v1","e":5,"d":9,"most":null}],
           "edges":[["v0","v1",2]],"demand":8,
           "utilisation":0.8,"longest":11,"separated":false,"roomy":false,"exact":false,"pairs":12}],
        "witness":[
          {"task":"a","t":4,"demand":3,"jobs":[{"vertex":"v0","time":0,"deadline":4,"e":3,"counted":true}]},
          {"task":"b","t":4,"demand":3,"jobs":[{"vertex":"v0","time":0,"deadline":4,"e":3,"counted":true},
             {"vertex":"v1","time":2,"deadline":11,"e":5,"counted":false}]}],
        "sensitivity":{"growth":0.666667,"growth_fraction":"2/3","limited_at":{"t":4,"demand":6},"limited_by":null},
        "assumptions":["One processor."],"warnings":["Task b: the period is shorter than its longest path."]}"#,
    )
}

/// One task whose demand by the published equation exceeds the true one: 22 against 21 at 21.
pub fn differs() -> TasksReport {
    report(
        r#"{"scenario":"Spliced","lab":"tasks","seconds":0.01,"schedulable":true,"schedulable_by_equation":false,
        "because":"Every interval up to t_max was checked.","utilisation":0.95,"utilisation_fraction":"19/20","t_max":760,
        "first_violation":null,"first_violation_by_equation":{"t":21,"demand":22},
        "tightest":{"t":21,"demand":21,"margin":0},"tightest_by_equation":{"t":21,"demand":22,"margin":-1},
        "checked":8,"horizon":50,
        "dbf":[{"task":"T1","steps":[[6,3],[10,8],[15,13],[20,19],[21,21],[30,29],[40,38],[41,40]]}],
        "equation":[{"task":"T1","steps":[[6,3],[10,8],[15,13],[20,19],[21,22],[30,29],[40,38],[41,41]]}],
        "set":[{"name":"T1","period":20,"vertices":[{"name":"v0","e":9,"d":9,"most":9},{"name":"v1","e":5,"d":5,"most":5},
          {"name":"v2","e":3,"d":1,"most":3},{"name":"v3","e":5,"d":6,"most":6},{"name":"v4","e":7,"d":7,"most":7}],
          "edges":[["v0","v1",3],["v0","v2",5],["v0","v3",5],["v1","v3",8],["v1","v4",7],["v2","v4",4],["v3","v4",6]],
          "demand":19,"utilisation":0.95,"longest":20,"separated":true,"roomy":true,"exact":true,"pairs":42}],
        "witness":[{"task":"T1","t":21,"demand":21,"jobs":[{"vertex":"v3","time":0,"deadline":6,"e":5,"counted":true},
          {"vertex":"v4","time":5,"deadline":12,"e":7,"counted":true},{"vertex":"v0","time":12,"deadline":21,"e":9,"counted":true}]}],
        "sensitivity":null,"assumptions":["One processor."],"warnings":[]}"#,
    )
}

/// As many steps as a long horizon has: one task whose demand grows at every second interval, and one with few.
pub fn long(steps: u64) -> TasksReport {
    let dbf = vec![
        Curve { task: "often".into(), steps: (1..=steps).map(|step| (2 * step, step)).collect() },
        Curve { task: "seldom".into(), steps: (1..=steps / 10).map(|step| (20 * step, 3 * step)).collect() },
    ];
    let equation = dbf.clone();
    TasksReport { dbf, equation, horizon: 2 * steps, ..fits() }
}
