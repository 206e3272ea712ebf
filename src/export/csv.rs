//! Tables as CSV (RFC 4180): a header with units in the names, CRLF, fields quoted where they must be.

use crate::warps::{Kernel, Order, Schedule};

/// One line per instruction, in the order's order.
pub fn schedule_csv(kernel: &Kernel, order: &Order, schedule: &Schedule) -> String {
    let mut out = row(["position", "warp", "instruction", "unit", "ready_cycle", "cycle", "waited_cycles"]
        .map(str::to_owned));
    let mut next = vec![0usize; schedule.warps()];
    for (position, &warp) in order.ids().iter().enumerate() {
        let warp = usize::from(warp);
        let instruction = next[warp];
        next[warp] += 1;
        let (ready, cycle) = (schedule.ready(warp, instruction), schedule.warp(warp)[instruction]);
        out += &row([
            (position + 1).to_string(),
            (warp + 1).to_string(),
            (instruction + 1).to_string(),
            kernel.units()[instruction].letter().to_string(),
            ready.to_string(),
            cycle.to_string(),
            (cycle - ready).to_string(),
        ]);
    }
    out
}

fn row<const N: usize>(fields: [String; N]) -> String {
    let quoted = |field: String| {
        if field.contains([',', '"', '\r', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    fields.map(quoted).join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warps::{Machine, PerUnit, Start, construct};

    #[test]
    fn a_line_per_instruction() {
        let Ok(kernel) = Kernel::parse("LC") else { unreachable!("parses") };
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
        let order = Start::RoundRobin.order(&kernel, &machine, 2);
        let Some(schedule) = construct(&kernel, &machine, &order, 2) else { unreachable!("complete") };
        let csv = schedule_csv(&kernel, &order, &schedule);
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.contains("\r\n2,2,1,L,1,2,1\r\n"), "{csv}");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(row(["a,b".to_owned(), "say \"x\"".to_owned()]), "\"a,b\",\"say \"\"x\"\"\"\r\n");
    }
}
