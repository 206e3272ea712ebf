//! What a row is made of: varints and serial types (SQLite's file format, section 2.1).

/// A varint of up to nine bytes, and how many it took; none where the bytes end before it does.
pub fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value: u64 = 0;
    for (place, &byte) in bytes.iter().take(9).enumerate() {
        if place == 8 {
            return Some((value << 8 | u64::from(byte), 9));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, place + 1));
        }
    }
    None
}

/// Bytes that a value of a serial type takes; none where no type has the number.
pub fn size(serial: u64) -> Option<u64> {
    match serial {
        0 | 8 | 9 => Some(0),
        1..=4 => Some(serial),
        5 => Some(6),
        6 | 7 => Some(8),
        10 | 11 => None,
        _ => Some((serial - 12) / 2),
    }
}

/// A number of one, two, three, four, six or eight bytes, the most significant first, with its sign.
pub fn signed(bytes: &[u8]) -> i64 {
    match *bytes {
        [a] => i8::from_be_bytes([a]).into(),
        [a, b] => i16::from_be_bytes([a, b]).into(),
        [a, b, c] => (i32::from_be_bytes([a, b, c, 0]) >> 8).into(),
        [a, b, c, d] => i32::from_be_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f] => i64::from_be_bytes([a, b, c, d, e, f, 0, 0]) >> 16,
        [a, b, c, d, e, f, g, h] => i64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// A number of up to eight bytes, the most significant first.
pub fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints() {
        for (bytes, expected) in [
            (&[0x00][..], Some((0, 1))),
            (&[0x7f], Some((127, 1))),
            (&[0x81, 0x00], Some((128, 2))),
            (&[0xff; 9], Some((u64::MAX, 9))),
            (&[0x80, 0x80], None),
            (&[], None),
        ] {
            assert_eq!(varint(bytes), expected);
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(signed(&[0xff]), -1);
        assert_eq!(signed(&[0x80, 0, 0]), -8_388_608);
        assert_eq!(signed(&[0x7f, 0xff]), 32_767);
        assert_eq!(
            [signed(&[0xfe]), signed(&[0xff, 0x7f]), signed(&[0x80, 0, 0, 1])],
            [-2, -129, -2_147_483_647]
        );
        assert_eq!(signed(&[0xff, 0xff, 0xff, 0xff, 0xfe, 0]), -512);
        assert_eq!(signed(&[0x80, 0, 0, 0, 0, 0, 0, 0]), i64::MIN);
        assert_eq!(unsigned(&[0x80, 1]), 32_769);
        assert_eq!([size(10), size(13), size(17)], [None, Some(0), Some(2)]);
    }
}
