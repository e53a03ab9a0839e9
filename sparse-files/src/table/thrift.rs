//! Checks compact Thrift before the Parquet library reads it. No list may have more elements than bytes follow, and
//! known fields must have the types of the standard.
//!
//! The reader derives the type of a field from its number. If a field has another type, the reader misreads the bytes
//! after it.

use super::standard::{FILE, Field, Is, PAGE, SCHEMA_ELEMENT};

/// The maximum nesting depth of structures.
const DEPTH: usize = 32;

/// The rest of a Thrift message that has not been walked.
pub(super) struct Walk<'t>(pub &'t [u8]);

/// The whole numbers in fields 1 to 7 of a structure, at indices 0 to 6. Bools are 0 and 1, and other or missing fields are
/// `None`.
pub(super) type Numbers = [Option<i64>; 7];

impl Walk<'_> {
    /// Walks the head of a page. Returns its numbers, and the numbers in its field 8, which pages of version 2 have.
    ///
    /// Returns `None` if the head does not end, if a field has another type than in the standard, or if a list has more
    /// elements than there are bytes.
    pub fn page(&mut self) -> Option<(Numbers, Option<Numbers>)> {
        let mut second = None;
        let first = self.fields(PAGE, DEPTH, Some(&mut second))?;
        Some((first, second))
    }

    /// Walks the structure at the end of a file, whose field 2 is the schema. Returns `None` if the structure is damaged, as
    /// `page` does.
    pub fn footer(&mut self) -> Option<()> {
        let mut id = 0;
        while let Some(kind) = self.field(&mut id)? {
            if (id, kind) == (2, 9) { self.schema()? } else { self.field_of(FILE, id, kind, DEPTH)? }
        }
        Some(())
    }

    /// Walks a schema: a list of elements, each with the number of children that follow it. The reader recurses into children,
    /// and allocates memory for all of them at once. Returns `None` if an element announces more children than the list has, or
    /// if the nesting is too deep.
    fn schema(&mut self) -> Option<()> {
        let (count, kind) = self.list()?;
        if kind != 12 {
            return None;
        }
        // For each open element, the number of its children that have not been walked.
        let mut open: Vec<u64> = Vec::new();
        for left in (0..count).rev() {
            let [_, _, _, _, children, ..] = self.fields(SCHEMA_ELEMENT, DEPTH, None)?;
            let children = u64::try_from(children.unwrap_or(0)).ok().filter(|children| *children <= left)?;
            open.push(children);
            while open.last() == Some(&0) {
                open.pop();
                if let Some(missing) = open.last_mut() {
                    *missing -= 1;
                }
            }
            if open.len() > DEPTH {
                return None;
            }
        }
        Some(())
    }

    /// Reads the head of a field: the kind of its value, or `Some(None)` at the end of the structure. Sets `id`, the number of
    /// the field before, to the number of this one. Returns `None` if the bytes end early.
    fn field(&mut self, id: &mut i64) -> Option<Option<u8>> {
        let head = self.byte()?;
        if head & 15 == 0 {
            return Some(None);
        }
        *id = if head >> 4 == 0 { self.number()? } else { id.checked_add(i64::from(head >> 4))? };
        Some(Some(head & 15))
    }

    /// Reads the head of a list: the number of its elements, and their kind. Returns `None` if fewer bytes than
    /// elements are left.
    fn list(&mut self) -> Option<(u64, u8)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        (count <= self.0.len() as u64).then_some((count, head & 15))
    }

    /// Walks a structure for which the standard declares `fields`, and returns its [`Numbers`]. If `inner` is given, it
    /// receives the numbers of the structure in field 8.
    ///
    /// Returns `None` if the bytes end early, if a declared field has another type, if a list has more elements than
    /// bytes follow, or if values are nested more than `depth` deep.
    fn fields(&mut self, fields: &[Field], depth: usize, mut inner: Option<&mut Option<Numbers>>) -> Option<Numbers> {
        let depth = depth.checked_sub(1)?;
        let (mut numbers, mut id) = ([None; 7], 0i64);
        loop {
            let Some(kind) = self.field(&mut id)? else { return Some(numbers) };
            let number = match (of(fields, id), kind, &mut inner) {
                (Some(Is::Bool), 1 | 2, _) => i64::from(kind == 1),
                (Some(Is::Number), 4..=6, _) => self.number()?,
                (Some(Is::Struct(fields)), 12, Some(inner)) if id == 8 => {
                    **inner = Some(self.fields(fields, depth, None)?);
                    continue;
                }
                _ => {
                    self.field_of(fields, id, kind, depth)?;
                    continue;
                }
            };
            if let Some(found) = usize::try_from(id).ok().and_then(|id| numbers.get_mut(id.wrapping_sub(1))) {
                *found = Some(number);
            }
        }
    }

    /// Walks field `id` of a structure. Returns `None` if the standard declares another type than `kind`, or if the value is
    /// damaged. A field that the standard does not declare may have any type.
    fn field_of(&mut self, fields: &[Field], id: i64, kind: u8, depth: usize) -> Option<()> {
        match of(fields, id) {
            Some(is) => self.typed(is, kind, depth),
            None => self.value(kind, depth),
        }
    }

    /// Walks a value. Returns `None` if `kind` does not match the type `is`, or if the value is damaged or nested more than
    /// `depth` deep.
    fn typed(&mut self, is: &Is, kind: u8, depth: usize) -> Option<()> {
        match (is, kind) {
            (Is::Bool, 1 | 2) | (Is::Byte, 3) | (Is::Number, 4..=6) | (Is::Double, 7) | (Is::Bytes, 8) => self.value(kind, depth),
            (Is::List(of), 9) => {
                let (depth, (count, kind)) = (depth.checked_sub(1)?, self.list()?);
                (0..count).try_for_each(|_| self.typed(of, kind, depth))
            }
            (Is::Struct(fields), 12) => self.fields(fields, depth, None).map(drop),
            _ => None,
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            // The kind of a bool field already contains its value.
            1 | 2 => Some(()),
            3 => self.skip(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(usize::try_from(length).ok()?)
            }
            9 | 10 => {
                let (count, kind) = self.list()?;
                self.elements(count, &[kind], depth)
            }
            11 => match self.varint()? {
                0 => Some(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 15], depth)
                }
            },
            12 => self.fields(&[], depth, None).map(drop),
            13 => self.skip(16),
            _ => None,
        }
    }

    /// Walks `count` elements, each with a value of each of these kinds. Returns `None` if an element is damaged or nested too
    /// deep, and for lists of bools, which readers decode differently and no file has.
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

    /// Reads a signed number, or returns `None` if the bytes end early.
    fn number(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

/// Returns the type of field `id` of a structure, or `None` if the standard does not declare the field.
fn of(fields: &[Field], id: i64) -> Option<&Is> {
    fields.iter().find(|field| field.0 == id).map(|field| &field.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a footer whose schema has elements with these numbers of children.
    fn schema(children: &[u64]) -> Vec<u8> {
        let mut out = vec![0x29, 0xfc];
        varint(children.len() as u64, &mut out);
        for count in children {
            // Field 5, a number, and the end.
            out.push(0x55);
            varint(count << 1, &mut out);
            out.push(0);
        }
        out.push(0);
        out
    }

    fn varint(mut number: u64, out: &mut Vec<u8>) {
        while number > 127 {
            out.push(number as u8 | 128);
            number >>= 7;
        }
        out.push(number as u8);
    }

    #[test]
    fn fields_have_the_types_of_the_standard() {
        // Field 6 of a page is a structure. For a number, the reader would misread the bytes after it as one.
        let walk = |bytes: &[u8]| Walk(bytes).page().is_some();
        assert!(walk(&[0x6c, 0x00, 0x00]) && !walk(&[0x65, 0x02, 0x00]));
        // Fields that no page has are of any type, but lists of bools are refused everywhere.
        assert!(walk(&[0x95, 0x02, 0x00]) && !walk(&[0x99, 0x11, 0x00]));
        // The number of rows cannot be a text, and row groups must be structures.
        let footer = |bytes: &[u8]| Walk(bytes).footer().is_some();
        assert!(footer(&[0x36, 0x02, 0x19, 0x0c, 0x00]) && !footer(&[0x38, 0x01, 0x02, 0x00]) && !footer(&[0x49, 0x15, 0x02, 0x00]));
        // The first row group has one column chunk, and field 3 of the chunk is its metadata. Field 1 of the metadata
        // is a number.
        let column = |field: &[u8]| [&[0x49, 0x1c, 0x19, 0x1c, 0x3c], field, &[0, 0, 0, 0]].concat();
        assert!(footer(&column(&[0x15, 0x02])) && !footer(&column(&[0x18, 0x00])));
    }

    #[test]
    fn schemas_have_the_elements_that_they_say_in_few_levels() {
        let walk = |children: &[u64]| Walk(&schema(children)).footer().is_some();
        assert!(walk(&[2, 0, 0]) && walk(&[2, 2, 0, 0, 0]) && walk(&[0]));
        // The first schema announces 2^30 children; the second announces one more than the list has.
        assert!(!walk(&[1 << 30, 0, 0]) && !walk(&[3, 0, 0]));
        let nested = |levels: usize| [vec![1; levels], vec![0]].concat();
        assert!(walk(&nested(8)) && !walk(&nested(40)) && !walk(&nested(100_000)));
    }
}
