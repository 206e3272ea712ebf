//! What holds of all traces, in seeded random ones with every trap, against a twin that only applies definitions.

mod agree;
mod by_hand;
mod faults;
mod honest;
mod joined;
mod naive;
mod random;
mod replays;
