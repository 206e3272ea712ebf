//! Values of one kind, read from JSON: numbers, also those written as texts, and arrays of three.

use super::{Reader, Scalar, Scaled, Stop, scaled};

impl Reader<'_> {
    /// A whole number; none where the value is something else.
    pub fn int(&mut self) -> Result<Option<i64>, Stop> {
        Ok(self.scaled(0)?.filter(|found| found.exact).map(|found| found.value))
    }

    /// A whole number that may have 64 bits without a sign, kept by its bits.
    pub fn bits(&mut self) -> Result<Option<u64>, Stop> {
        Ok(if self.numeric()? { self.text().parse().ok() } else { None })
    }

    /// A number that is not negative and has 32 bits.
    pub fn small(&mut self) -> Result<Option<u32>, Stop> {
        Ok(self.int()?.and_then(|number| u32::try_from(number).ok()))
    }

    /// A number of bytes.
    pub fn size(&mut self) -> Result<Option<u64>, Stop> {
        Ok(self.int()?.and_then(|number| u64::try_from(number).ok()))
    }

    /// A number times ten, so many times.
    pub fn scaled(&mut self, times: i32) -> Result<Option<Scaled>, Stop> {
        Ok(if self.numeric()? { scaled(self.bytes(), times) } else { None })
    }

    /// Any number.
    pub fn real(&mut self) -> Result<Option<f64>, Stop> {
        let found = if self.numeric()? { self.text().parse().ok() } else { None };
        Ok(found.filter(|number: &f64| number.is_finite()))
    }

    fn numeric(&mut self) -> Result<bool, Stop> {
        Ok(matches!(self.scalar()?, Scalar::Number | Scalar::Text))
    }

    /// Three numbers in an array; what is missing is 1.
    pub fn three(&mut self) -> Result<Option<[u32; 3]>, Stop> {
        if !self.array()? {
            return Ok(None);
        }
        let (mut found, mut count) = ([1; 3], 0);
        while self.item()? {
            let number = self.small()?;
            if let (Some(place), Some(number)) = (found.get_mut(count), number) {
                *place = number;
            }
            count += 1;
        }
        Ok((count > 0).then_some(found))
    }
}
