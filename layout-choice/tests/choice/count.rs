//! Counts what transfers cost from the text of layouts alone, element by element.

use layout_algebra::DynLayout;
use std::collections::BTreeSet;

/// A distribution as its layout states it: the integer coordinate of each value of each thread.
pub struct Table {
    pub threads: usize,
    pub coordinates: Vec<Vec<i64>>,
}

impl Table {
    pub fn of(layout: &str) -> Table {
        let layout = DynLayout::<32>::parse(layout).unwrap();
        let (threads, values) = (layout.mode(0).unwrap().size(), layout.mode(1).unwrap().size());
        let index = |thread: i64, value: i64| layout.index(&[thread as usize, value as usize]).unwrap() as i64;
        let coordinates = (0..threads).map(|thread| (0..values).map(|value| index(thread, value)).collect()).collect();
        Table { threads: threads as usize, coordinates }
    }

    /// Makes the table of digits: the radix and the step in the integer coordinate of each, first those of the threads.
    pub fn of_digits(threads: &[(i64, i64)], values: &[(i64, i64)]) -> Table {
        let sums = |digits: &[(i64, i64)]| {
            digits.iter().fold(vec![0], |known, (radix, step)| {
                (0..*radix).flat_map(|value| known.iter().map(move |of| of + value * step).collect::<Vec<i64>>()).collect()
            })
        };
        let values: Vec<i64> = sums(values);
        let coordinates: Vec<Vec<i64>> = sums(threads).iter().map(|thread| values.iter().map(|value| thread + value).collect()).collect();
        Table { threads: coordinates.len(), coordinates }
    }

    /// Tests whether the threads hold each of `size` elements, all equally often, and no thread one twice.
    pub fn holds(&self, size: usize) -> bool {
        let mut times = vec![0; size];
        for values in &self.coordinates {
            let distinct: BTreeSet<&i64> = values.iter().collect();
            if distinct.len() != values.len() {
                return false;
            }
            values.iter().for_each(|c| times[*c as usize] += 1);
        }
        times[0] > 0 && times.iter().all(|count| *count == times[0])
    }
}

/// Splits an integer coordinate, the first mode minor.
pub fn unravel(coordinate: i64, extents: &[i64]) -> Vec<i64> {
    let mut left = coordinate;
    extents
        .iter()
        .map(|extent| {
            let part = left % extent;
            left /= extent;
            part
        })
        .collect()
}

/// The time of an access in bytes and its sectors: `addresses[thread][value]` are element indices in memory, in the order of the values.
///
/// Of threads with the same elements, the first stores. The vector is the longest of aligned neighbours that all threads have: at most `most`,
/// and 16 bytes.
pub fn global(
    table: &Table,
    address: impl Fn(i64) -> i64,
    (bytes, most): (i64, i64),
    store: bool,
    lanes: usize,
    sector: i64,
) -> (u64, u64) {
    let addresses: Vec<Vec<i64>> = table.coordinates.iter().map(|of| of.iter().map(|c| address(*c)).collect()).collect();
    let values = addresses[0].len();
    let fits = |vector: usize| {
        let whole = |of: &[i64]| of[0] % vector as i64 == 0 && of.iter().enumerate().all(|(k, a)| *a == of[0] + k as i64);
        values.is_multiple_of(vector) && addresses.iter().all(|of| of.chunks(vector).all(whole))
    };
    let vector = (0..5).map(|k| 1 << k).filter(|v| *v as i64 * bytes <= 16 && *v as i64 <= most && fits(*v)).max().unwrap();
    let mut seen = BTreeSet::new();
    let active: Vec<bool> = table.coordinates.iter().map(|of| seen.insert(of.clone()) || !store).collect();
    let mut sectors = 0;
    for step in (0..values).step_by(vector) {
        for warp in 0..table.threads / lanes {
            let mut touched = BTreeSet::new();
            for thread in warp * lanes..(warp + 1) * lanes {
                if active[thread] {
                    let first = addresses[thread][step] * bytes;
                    touched.extend([first / sector, (first + vector as i64 * bytes - 1) / sector]);
                }
            }
            sectors += touched.len() as u64;
        }
    }
    let issued = (values / vector * table.threads * 16) as u64;
    (issued.max(sectors * sector as u64), sectors)
}
