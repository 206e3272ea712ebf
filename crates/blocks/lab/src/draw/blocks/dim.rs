//! What a search does not find steps back.

use super::layout::{Kind, Layout};
use super::{Look, Panel, Selected};
use crate::timeline::blocks::{Piece, Track};
use kit::draw::DrawList;
use kit::draw::dim::Spots;

/// Lays a veil over every band in sight but for what was found: each by its panel and what it is.
pub fn dim(list: &mut DrawList, panels: &[Panel<'_>], look: &Look, found: &[(usize, Selected)]) {
    let (layout, scale) = (Layout::new(panels, look), look.scale());
    let mut lit: Vec<(Vec<bool>, Vec<bool>)> = panels
        .iter()
        .map(|panel| (vec![false; panel.trace.blocks.len()], vec![false; panel.trace.copies.len()]))
        .collect();
    // What was found may be of the result before.
    for (panel, what) in found {
        let Some((trace, (blocks, copies))) =
            panels.get(*panel).map(|own| own.trace).zip(lit.get_mut(*panel))
        else {
            continue;
        };
        let one = match *what {
            Selected::Block { run, block } => {
                trace.kernels.get(run).and_then(|run| blocks.get_mut(run.blocks.start + block as usize))
            }
            Selected::Copy(copy) => copies.get_mut(copy),
            Selected::Launch(_) => None,
        };
        one.into_iter().for_each(|one| *one = true);
    }
    for row in layout.rows.iter().filter(|row| row.is_seen(look)) {
        let (Some(panel), Some((blocks, copies))) = (panels.get(row.panel), lit.get(row.panel)) else {
            continue;
        };
        let is_lit = |piece: &Piece, of_copies: bool| match of_copies {
            true => copies.get(piece.run as usize) == Some(&true),
            false => {
                let run = panel.trace.kernels.get(piece.run as usize);
                run.and_then(|run| blocks.get(run.blocks.start + piece.item as usize)) == Some(&true)
            }
        };
        let (track, of_copies): (Option<&Track>, _) = match row.kind {
            Kind::Sm(sm) => (panel.timeline.sms.get(sm), false),
            Kind::Engine(engine) => (panel.timeline.engines.get(engine), true),
            _ => continue,
        };
        let (Some(track), (y, h)) = (track, row.inside()) else { continue };
        let pixel = |value: u32| (y + h - f64::from(value) * h / f64::from(track.top.max(1))).round();
        let mut spots = Spots::default();
        let mut pieces: Vec<&Piece> = track
            .pieces
            .within(None, scale.from, scale.to)
            .filter(|piece| is_lit(piece, of_copies))
            .collect();
        base::sort::sort_by(&mut pieces, |a, b| a.start.total_cmp(&b.start));
        for piece in pieces {
            let clip = |at: f64| scale.pixel(at).clamp(scale.left, scale.right);
            spots.add((clip(piece.start), clip(piece.end)), (pixel(piece.high), pixel(piece.low) + 1.0));
        }
        spots.dim(list, (scale.left, scale.right + 1.0), (row.y, row.y + row.h));
    }
}
