//! Compact Thrift, walked before it is read: numbers of elements are those of bytes that follow.

/// How deep structures may be in structures.
const DEPTH: usize = 32;

/// What is left of a text of Thrift.
pub(super) struct Walk<'t>(pub &'t [u8]);

impl Walk<'_> {
    /// Goes through a structure, and gives the whole numbers of its fields 1 to 3; nothing where it does not end, or a list has more elements than there are bytes.
    pub fn structure(&mut self) -> Option<[Option<i64>; 3]> {
        self.fields(DEPTH)
    }

    fn fields(&mut self, depth: usize) -> Option<[Option<i64>; 3]> {
        let depth = depth.checked_sub(1)?;
        let (mut numbers, mut id) = ([None; 3], 0i64);
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                return Some(numbers);
            }
            id = if head >> 4 == 0 { self.number()? } else { id + i64::from(head >> 4) };
            if !(4..=6).contains(&kind) {
                self.value(kind, depth)?;
                continue;
            }
            let number = self.number()?;
            if let Some(found) = usize::try_from(id).ok().and_then(|id| numbers.get_mut(id.wrapping_sub(1))) {
                *found = Some(number);
            }
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            // Bools of fields are in their kinds.
            1 | 2 => Some(()),
            3 => self.skip(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(usize::try_from(length).ok()?)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                self.elements(count, &[head & 15], depth)
            }
            11 => match self.varint()? {
                0 => Some(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 15], depth)
                }
            },
            12 => self.fields(depth).map(drop),
            13 => self.skip(16),
            _ => None,
        }
    }

    /// Goes through elements of these kinds, of which each takes a byte; lists of bools, which readers differ in, are in no file.
    fn elements(&mut self, count: u64, kinds: &[u8], depth: usize) -> Option<()> {
        let (depth, most) = (depth.checked_sub(1)?, self.0.len() as u64);
        if count > most || count > 0 && kinds.iter().any(|kind| matches!(kind, 1 | 2)) {
            return None;
        }
        (0..count).try_for_each(|_| kinds.iter().try_for_each(|kind| self.value(*kind, depth)))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.get(bytes..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127).checked_shl(shift)?;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// A number with a sign.
    fn number(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}
