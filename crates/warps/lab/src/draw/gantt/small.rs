//! All of a timeline in a low strip: how many rows are busy when, and with what.

use kit::draw::Scale;
use kit::draw::list::DrawList;
use kit::draw::overview::{Profile, Stretch, draw};
use kit::timeline::{Timeline, Track};

use super::{GUTTER, MARGIN};

/// The axis of a strip: all of it, beneath that of the picture.
pub fn axis(timeline: &Timeline, width: f64) -> Scale {
    Scale { from: 0.0, to: timeline.end.max(1.0), left: GUTTER, right: (width - MARGIN).max(GUTTER + 1.0) }
}

/// Draws the strip: one profile, or one above the other where two schedules stand on one axis. Lanes repeat what rows
/// hold, and are left out.
pub fn overview(timeline: &Timeline, width: f64) -> DrawList {
    let rows = timeline.lanes.map_or(timeline.tracks.len(), |lanes| lanes.first.min(timeline.tracks.len()));
    let mut from = 0;
    let mut profiles = Vec::new();
    for end in timeline.headings.iter().map(|(row, _)| (*row).min(rows)).chain([rows]) {
        profiles.push(profile(&timeline.tracks[from..end.max(from)], timeline.end));
        from = (end + 1).min(rows);
    }
    draw(&profiles, width, &axis(timeline, width))
}

fn profile(tracks: &[Track], end: f64) -> Profile {
    let spans = tracks.iter().flat_map(|track| &track.spans);
    Profile::of(
        end,
        spans.map(|span| Stretch { from: span.start, to: span.end, class: span.class, weight: 1.0 }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::draw::Mark;
    use kit::timeline::{Lanes, Mark as Word, Span};

    fn track(start: f64, end: f64) -> Track {
        let span = Span { start, end, class: 1, mark: Word::Letter('C'), id: (0, 0) };
        Track { spans: vec![span], ..Track::default() }
    }

    fn bars(list: &DrawList) -> Vec<(f64, f64)> {
        let coloured = |mark: &Mark| match mark {
            Mark::Rect { x, y, ink: kit::draw::Ink::Class(1), .. } => Some((*x, *y)),
            _ => None,
        };
        list.marks.iter().filter_map(coloured).collect()
    }

    #[test]
    fn two_schedules_are_two_profiles_on_one_axis() {
        let one = |from, to| Timeline { tracks: vec![track(from, to)], end: 100.0, ..Timeline::default() };
        let both = one(0.0, 50.0).above(Some(("Pinned".to_owned(), one(50.0, 100.0))));
        let drawn = bars(&overview(&both, 472.0));
        assert_eq!(drawn.len(), 400);
        let middle = (64.0 + 464.0) / 2.0;
        assert!(drawn.iter().all(|&(x, y)| (x < middle) == (y < 14.0)), "{drawn:?}");
    }

    #[test]
    fn lanes_are_not_counted_twice() {
        let lanes = Some(Lanes { first: 1, share: 0.7 });
        let all = Timeline {
            tracks: vec![track(0.0, 50.0), track(50.0, 100.0)],
            end: 100.0,
            lanes,
            ..Timeline::default()
        };
        assert_eq!(bars(&overview(&all, 472.0)).len(), 200);
        assert!(bars(&overview(&Timeline::default(), 472.0)).is_empty());
    }
}
