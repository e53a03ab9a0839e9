//! Sorts the entries of one row by their coordinates.

use super::merge::EntryArrays;
use alloc::vec::Vec;
use array_kernels::parallel;
use array_kernels::radix;
use layout_levels::Index;

/// The length up to which rows are sorted by insertion.
const SHORT: usize = 40;

/// The length from which a radix sort is cheaper than comparisons.
const LONG: usize = 1024;

/// Sorts rows, with working memory for long ones that is kept from one row to the next.
pub(super) struct Sorter<V> {
    words: Vec<u64>,
    spare: Vec<u64>,
    values: Vec<V>,
}

impl<V: Clone> Sorter<V> {
    pub fn new() -> Self {
        Sorter { words: Vec::new(), spare: Vec::new(), values: Vec::new() }
    }

    /// Sorts a row stably by its coordinates, with working memory for at most `room` entries. The coordinates must
    /// already be in order if shifted right by `sorted` bits.
    #[inline]
    pub fn sort<I: Index>(&mut self, coordinates: &mut [I], values: &mut [V], sorted: u32, room: usize) {
        if coordinates.len() <= SHORT {
            insertion(coordinates, values);
        } else {
            self.sort_long(coordinates, values, sorted, room);
        }
    }

    fn sort_long<I: Index>(&mut self, coordinates: &mut [I], values: &mut [V], sorted: u32, room: usize) {
        let mut values = values;
        for coordinates in coordinates.chunk_by_mut(|a, b| (a.to_u64() ^ b.to_u64()).checked_shr(sorted).unwrap_or(0) == 0) {
            let values = parallel::carve(&mut values, coordinates.len());
            if coordinates.len() <= SHORT {
                insertion(coordinates, values);
            } else if coordinates.is_sorted() {
            } else if coordinates.len() <= room {
                self.by_words(coordinates, values);
            } else {
                let mut rows = alloc::vec![(); coordinates.len()];
                EntryArrays { rows: &mut rows, coordinates, values }.sort(room);
            }
        }
    }

    /// Sorts a row by words, each a coordinate above its index in the row. If coordinate and index do not fit one word,
    /// sorts the indices by comparing the coordinates.
    fn by_words<I: Index>(&mut self, coordinates: &mut [I], values: &mut [V]) {
        let len = coordinates.len();
        let place = usize::BITS - (len - 1).leading_zeros();
        let most = coordinates.iter().max().map_or(0, |x| x.to_u64());
        let width = 64 - most.leading_zeros();
        self.words.clear();
        if width + place <= 64 {
            self.words.extend(coordinates.iter().enumerate().map(|(k, x)| x.to_u64() << place | k as u64));
            if len < LONG {
                self.words.sort_unstable();
            } else {
                self.spare.resize(len, 0);
                if radix::sort(&mut self.words, &mut self.spare, place..place + width) {
                    core::mem::swap(&mut self.words, &mut self.spare);
                }
            }
            self.words.iter_mut().for_each(|word| *word &= (1 << place) - 1);
        } else {
            self.words.extend(0..len as u64);
            self.words.sort_by_key(|&k| coordinates[k as usize]);
        }
        // The words hold the sorted indices. Once the values have moved, reuse the words for the sorted coordinates.
        self.values.clear();
        self.values.extend(self.words.iter().map(|&k| values[k as usize].clone()));
        values.clone_from_slice(&self.values);
        self.words.iter_mut().for_each(|k| *k = coordinates[*k as usize].to_u64());
        for (slot, &word) in coordinates.iter_mut().zip(&self.words) {
            *slot = Index::from_low_bits(word);
        }
    }
}

/// Sorts a row stably by its coordinates, by insertion.
fn insertion<I: Index, V: Clone>(coordinates: &mut [I], values: &mut [V]) {
    let values = &mut values[..coordinates.len()];
    for end in 1..coordinates.len() {
        if coordinates[end - 1] <= coordinates[end] {
            continue;
        }
        let (coordinate, value) = (coordinates[end], values[end].clone());
        let mut at = end;
        while at > 0 && coordinates[at - 1] > coordinate {
            coordinates[at] = coordinates[at - 1];
            parallel::set(values, at, at - 1);
            at -= 1;
        }
        coordinates[at] = coordinate;
        values[at] = value;
    }
}
