//! Arrow dictionaries: values that columns of a table choose by indices.

use super::columns::append;
use super::ipc::damaged;
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::value::Encoding;
use std::borrow::Cow;
use std::collections::HashMap;

/// The dictionary of a column, and the type of the indices into it.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// The number by which messages name the dictionary.
    pub id: i64,
    /// The type of the indices.
    pub index: ElementType,
}

/// The dictionaries that have been read so far.
#[derive(Default)]
pub(super) struct Dictionaries<'a>(HashMap<i64, (Encoding, Cow<'a, [u8]>)>);

impl<'a> Dictionaries<'a> {
    /// Adds a dictionary. It replaces the dictionary with this id or, if it is a `part`, is appended to that one.
    pub fn put(&mut self, id: i64, encoding: Encoding, values: Cow<'a, [u8]>, part: bool) {
        match self.0.get_mut(&id).filter(|_| part) {
            Some((_, all)) => append(all, values),
            None => drop(self.0.insert(id, (encoding, values))),
        }
    }

    /// Returns the bytes of the values of a column: for each of its indices, the value in the dictionary. Fails if the
    /// dictionary is missing or of another type than `encoding`, or if an index is out of range. `name` is the name of the
    /// column in errors.
    pub fn chosen(&self, name: &str, choice: Choice, encoding: Encoding, indices: &[u8], big_endian: bool) -> Result<Vec<u8>> {
        let (of, values) = self.0.get(&choice.id).ok_or_else(|| FileError::Missing { array: format!("the dictionary of {name}") })?;
        if *of != encoding {
            return Err(damaged(format_args!("the dictionary of {name} is of type {of} instead of {encoding}")));
        }
        let (width, size) = (choice.index.size(), encoding.size());
        let signed = matches!(choice.index, ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64);
        let sign = signed.then(|| 1u64 << (8 * width - 1));
        let mut out = Vec::with_capacity(indices.len() / width * size);
        for (at, index) in indices.chunks_exact(width).enumerate() {
            let found = index.iter().enumerate().fold(0u64, |sum, (byte, bits)| {
                let shift = if big_endian { width - 1 - byte } else { byte };
                sum | u64::from(*bits) << (8 * shift)
            });
            if sign.is_some_and(|sign| found & sign != 0) {
                return Err(FileError::NegativeIndex { array: name.into(), at });
            }
            let start = usize::try_from(found).ok().and_then(|found| found.checked_mul(size));
            let value = start.and_then(|start| values.get(start..)?.get(..size));
            let wrong = || FileError::Dictionary { array: name.into(), at, found, values: (values.len() / size) as u64 };
            out.extend_from_slice(value.ok_or_else(wrong)?);
        }
        Ok(out)
    }
}
