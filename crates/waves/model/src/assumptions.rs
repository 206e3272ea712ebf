//! What the account takes for granted.

/// The assumptions, as reports tell them.
pub const ASSUMPTIONS: &[&str] = &[
    "counters fall in the order in which they were raised; scalar loads may return out of order, so that of several the last one is named",
    "of two counters that one wait names, the operation that takes longer as a rule ended it",
    "waves of a compute unit that leave every barrier within 8 cycles of each other are of one work-group",
    "an instruction holds its unit for the shortest time, seen often enough, after which a follower that had stalled issued",
    "in a slot in which another wave of the SIMD issued on the same unit, the wave that stood ready was not chosen",
    "a matrix instruction was not chosen only where older waves issued, since arbiters take the oldest; else its unit is still held",
    "a memory instruction that stalls although nobody issued on its unit waits for room, and the oldest operation under way takes it",
    "a pair of lines that has the same gap or stall four times in five has it for its own sake",
    "a stall that nothing else explains, at code that the wave sees for the first time or within 256 bytes of a jump's target, is for fetching code",
];
