//! Whether every cell of a conjecture makes sense, and every parameter of it means something.

use super::names;
use base::people;
use conjecture::grid::SETTABLE;
use conjecture::{Conjecture, MOST_STRING, Unfit};
use kit::import::reader::{Fields, Reader};
use warps::MOST_WARPS;
use warps_lab::scenario::warps::MOST_CAPACITY;

/// Notes what does not fit; whether everything does.
pub(super) fn fit(reader: &mut Reader, fields: &Fields<'_>, conjecture: &Conjecture) -> bool {
    matter(reader, fields, conjecture)
        && (0..conjecture.cells()).all(|cell| fits(reader, fields, conjecture, cell))
}

/// Whether every parameter changes something, and the one the kernel needs is there.
fn matter(reader: &mut Reader, fields: &Fields<'_>, conjecture: &Conjecture) -> bool {
    let ranges = fields.path_of("ranges");
    if conjecture.template.repeats() && !names(&conjecture.ranges).any(|name| name == "rep") {
        let expected = "values for rep, which the kernel has, such as [1, 4]";
        reader.problem(format!("{ranges}.rep"), "missing", expected);
        return false;
    }
    let idle = |name: &&str| {
        let asked = std::iter::once(&conjecture.claim.formula).chain(&conjecture.warps);
        let sets = *name != "W" && SETTABLE.contains(name) || *name == "rep" && conjecture.template.repeats();
        !sets && !asked.into_iter().any(|formula| formula.names(name))
    };
    let idle: Vec<&str> = names(&conjecture.ranges).filter(idle).collect();
    for name in &idle {
        let expected = "a parameter that the claim, the kernel or the warps depend on";
        reader.problem(format!("{ranges}.{name}"), "nothing depends on it", expected);
    }
    idle.is_empty()
}

/// Whether something can run in a cell.
fn fits(reader: &mut Reader, fields: &Fields<'_>, conjecture: &Conjecture, cell: usize) -> bool {
    let point = conjecture.point(cell);
    let here = conjecture.shown(&point);
    match conjecture.setting(&point) {
        Err(Unfit::TooLong(how)) => {
            let most = people::counted(MOST_STRING, "instruction");
            let expected = format!("at most {most} after normalisation");
            reader.problem(fields.path_of("kernel"), format!("{how} where {here}"), expected);
            false
        }
        Err(unfit @ Unfit::NoUnit(unit)) => {
            let machine = fields.path_of("machine");
            let units = fields.get("machine").is_some_and(|machine| machine.get("units").is_some());
            let place = if units { format!("{machine}.units") } else { machine };
            let expected = format!("1 to {MOST_CAPACITY}");
            reader.problem(format!("{place}.{}", unit.letter()), unfit.to_string(), expected);
            false
        }
        Ok(setting) => {
            let counts = conjecture.counts(&point, &setting);
            if let Err(why) = &counts {
                let expected = format!("a whole number of warps, 1 to {MOST_WARPS}");
                reader.problem(fields.path_of("warps"), format!("{why} where {here}"), expected);
            }
            counts.is_ok()
        }
    }
}
