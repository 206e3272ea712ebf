//! The demand of a set that was pinned, as a line over the chart of another one: on the same axes.

use super::lines::{points, step_line};
use super::{Layout, Look, SIZE};
use crate::timeline::tasks::Demand;
use kit::draw::DrawList;
use kit::draw::list::{Align, Ink};
use kit::draw::words::{text, width};

/// What stands at the line.
const NAME: &str = "pinned";

/// Draws that line where it differs from nothing else: all of it that is in sight.
pub fn pinned(list: &mut DrawList, demand: &Demand, pinned: &Demand, look: &Look) {
    let plan = Layout::new(demand, look);
    let end = plan.x.pixel((pinned.horizon as f64).min(plan.x.to)).clamp(plan.x.left, plan.x.right);
    let points = points(&pinned.sum, &plan, 1.0);
    step_line(
        &points,
        &plan,
        (Ink::Wait(kit::timeline::WaitKind::Free), 2.0),
        end,
        |_, _| true,
        &mut list.marks,
    );
    let Some(last) = points.iter().rfind(|point| point.x + width(NAME, SIZE) + 6.0 < end) else { return };
    let at = (last.x + 4.0, plan.level(last.value) + 9.0);
    list.marks.push(text(at, NAME, Ink::Wait(kit::timeline::WaitKind::Free), SIZE, Align::Start));
}
