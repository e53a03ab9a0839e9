//! Two sparse tensors: both sorted by their common letters, every pair of elements that agree in these.

use super::OfSparse;
use super::accumulate::Sums;
use crate::ContractionError;
use crate::subscripts::Letter;
use crate::value::{Columns, Value, room};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use sparse_formats::Scalar;

/// Multiplies two sparse tensors, and sums over the letters that the result lacks. Fails if memory has no room.
pub(super) fn run<'v, T: Scalar>(
    extents: &[u64],
    (of_a, a): OfSparse<T>,
    (of_b, b): OfSparse<T>,
    out: &[Letter],
    dense: bool,
) -> Result<Value<'v, T>, ContractionError> {
    let common: Vec<Letter> = of_a.iter().copied().filter(|letter| of_b.contains(letter)).collect();
    let sums = Sums::new(extents, out, dense)?;
    // A letter of both is a letter of the first operand alone for the keys, which add up.
    let left = Side::new(&common, of_a, a.sorted(&order(&common, of_a))?, &sums, out)?;
    let only: Vec<Letter> = out.iter().copied().filter(|letter| !of_a.contains(letter)).collect();
    let right = Side::of(&common, of_b, b.sorted(&order(&common, of_b))?, &sums, out, &only)?;
    joined(common.len(), &left, &right, sums)
}

/// Returns the axes of a tensor, the common letters first.
fn order(common: &[Letter], letters: &[Letter]) -> Vec<usize> {
    let rest = letters.iter().copied().filter(|letter| !common.contains(letter));
    common.iter().copied().chain(rest).filter_map(|letter| letters.iter().position(|known| *known == letter)).collect()
}

/// A sorted operand, with the keys of its elements in the result.
struct Side<T> {
    columns: Vec<Vec<u64>>,
    values: Vec<T>,
    keys: Vec<Vec<u64>>,
}

impl<T: Scalar> Side<T> {
    /// Returns a side whose keys count all its letters.
    fn new(common: &[Letter], letters: &[Letter], sorted: Columns<T>, sums: &Sums<T>, out: &[Letter]) -> Result<Self, ContractionError> {
        Side::of(common, letters, sorted, sums, out, out)
    }

    /// Returns a side whose keys count the letters `counted`.
    fn of(
        common: &[Letter],
        letters: &[Letter],
        Columns { mut columns, values }: Columns<T>,
        sums: &Sums<T>,
        out: &[Letter],
        counted: &[Letter],
    ) -> Result<Self, ContractionError> {
        let order = order(common, letters);
        let column = |letter: &Letter| order.iter().position(|axis| letters[*axis] == *letter).filter(|_| counted.contains(letter));
        let places: Vec<Option<usize>> = out.iter().map(column).collect();
        let mut keys: Vec<Vec<u64>> = (0..sums.groups()).map(|_| room(values.len())).collect::<Result<_, _>>()?;
        for k in 0..values.len() {
            sums.keys(places.iter().map(|place| place.map_or(0, |place| columns[place][k])), |group, key| keys[group].push(key));
        }
        columns.truncate(common.len());
        Ok(Side { columns, values, keys })
    }

    /// Returns the end of the elements that agree with element `k` in the common letters.
    fn run_end(&self, k: usize) -> usize {
        (k + 1..self.values.len()).find(|next| self.columns.iter().any(|column| column[*next] != column[k])).unwrap_or(self.values.len())
    }
}

/// Adds the products of all pairs of elements that agree in the first `common` columns.
fn joined<'v, T: Scalar>(common: usize, a: &Side<T>, b: &Side<T>, mut sums: Sums<T>) -> Result<Value<'v, T>, ContractionError> {
    let (mut i, mut j) = (0, 0);
    let mut base = vec![0; sums.groups()];
    while i < a.values.len() && j < b.values.len() {
        let order = (0..common).map(|k| a.columns[k][i].cmp(&b.columns[k][j])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        match order {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                let (rows, columns) = (i..a.run_end(i), j..b.run_end(j));
                let keys: Vec<&[u64]> = b.keys.iter().map(|keys| &keys[columns.clone()]).collect();
                for row in rows.clone() {
                    base.iter_mut().zip(&a.keys).for_each(|(base, keys)| *base = keys[row]);
                    sums.add_row(&base, a.values[row], &keys, &b.values[columns.clone()])?;
                }
                (i, j) = (rows.end, columns.end);
            }
        }
    }
    sums.finish()
}
