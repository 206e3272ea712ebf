//! What a link is good for, by its length.

/// Where links are put, and the most characters that they may have there: a message of Discord; an address that mail
/// programs and browsers all take; a QR code of the largest kind.
pub const LIMITS: [(&str, usize); 3] = [("Chat", 2_000), ("Mail", 8_000), ("QR code", 2_953)];

/// Whether a link of so many characters arrives whole wherever people send links to each other.
pub fn arrives(length: usize) -> bool {
    length <= LIMITS[0].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_arrives_where_its_length_is_within_every_limit() {
        assert!(arrives(2_000) && !arrives(2_001));
        assert!(LIMITS.iter().all(|(_, most)| *most >= LIMITS[0].1), "the first is the least");
    }
}
