//! Warpspan.
