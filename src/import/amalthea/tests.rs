//! Models of our own, and what is wrong with broken ones.

use super::*;

#[test]
fn models_of_our_own() {
    for text in [include_str!("../../../www/models/teaching.amxmi"), include_str!("../../../www/models/driver-assistance.amxmi")] {
        let model = read(text).unwrap();
        let plan = plan(&model).unwrap();
        println!("{plan:#?} {:#?} {:#?}", model.notes, model.passed_over);
    }
}
