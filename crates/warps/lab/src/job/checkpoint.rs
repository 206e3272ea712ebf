//! A chain's checkpoint as bytes: numbers in little-endian order, then the two orders.
//!
//! It lives no longer than a visit to the page, so there is one layout and no version. Bytes that are no
//! checkpoint give `None`.

use warps::anneal::{Checkpoint, OperatorSelection};

/// The bytes of a checkpoint.
pub fn encode(at: &Checkpoint) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(200 + 2 * at.order.len());
    for number in [at.iteration, at.drawn] {
        bytes.extend(number.to_le_bytes());
    }
    for number in at.operators.credits.iter().chain(&at.operators.uses) {
        bytes.extend(number.to_le_bytes());
    }
    for number in at.operators.shares.iter().chain([&at.operators.since, &at.best]) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(&at.order);
    bytes.extend(&at.best_order);
    bytes
}

/// The checkpoint in these bytes.
pub fn decode(mut bytes: &[u8]) -> Option<Checkpoint> {
    let rest = &mut bytes;
    let (iteration, drawn) = (u64::from_le_bytes(take(rest)?), u64::from_le_bytes(take(rest)?));
    let mut operators = OperatorSelection::default();
    for number in operators.credits.iter_mut().chain(&mut operators.uses) {
        *number = f64::from_le_bytes(take(rest)?);
    }
    for number in operators.shares.iter_mut().chain([&mut operators.since]) {
        *number = u32::from_le_bytes(take(rest)?);
    }
    let best = u32::from_le_bytes(take(rest)?);
    if !rest.len().is_multiple_of(2) {
        return None;
    }
    let (order, best_order) = rest.split_at(rest.len() / 2);
    Some(Checkpoint {
        iteration,
        drawn,
        best,
        order: order.to_vec(),
        best_order: best_order.to_vec(),
        operators,
    })
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_comes_back_and_a_damaged_one_does_not() {
        let mut operators = OperatorSelection { since: 7, ..OperatorSelection::default() };
        operators.learn(3, 5, true);
        let at = Checkpoint {
            iteration: 1 << 40,
            drawn: 99,
            best: 160,
            order: vec![0, 1, 1, 0],
            best_order: vec![1, 0, 0, 1],
            operators,
        };
        let bytes = encode(&at);
        assert_eq!(decode(&bytes), Some(at));
        assert_eq!(decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(decode(&bytes[..40]), None);
        assert_eq!(decode(&[]), None);
    }
}
