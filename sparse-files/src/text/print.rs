//! Prints coordinates and values as lines, one line per entry.

use super::Field;
use super::entries::each;
use layout_levels::Index;
use sparse_formats::{Indices, with_indices};
use std::io::{Result, Write};

/// The number of entries that a thread prints at a time.
const CHUNK: usize = 1 << 14;

/// Writes a line for each of the `entries`: the coordinates, counted from 1, and the value. If `values` is empty, a line has
/// only coordinates. Fails if `out` fails.
pub(crate) fn print<V: Field>(out: &mut dyn Write, columns: &[Indices<'_>], values: &[V], entries: usize) -> Result<()> {
    // The number of entries whose text is in memory at the same time.
    let batch = CHUNK * 64;
    for start in (0..entries).step_by(batch) {
        let end = entries.min(start + batch);
        let parts: Vec<(usize, usize)> = (start..end).step_by(CHUNK).map(|at| (at, end.min(at + CHUNK))).collect();
        for text in each(parts, |(start, end)| lines(columns, values, start, end)) {
            out.write_all(&text)?;
        }
    }
    Ok(())
}

fn lines<V: Field>(columns: &[Indices<'_>], values: &[V], start: usize, end: usize) -> Vec<u8> {
    let columns: Vec<Vec<u64>> =
        columns.iter().map(|column| with_indices!(column, column => column[start..end].iter().map(|x| x.to_u64() + 1).collect())).collect();
    let mut out = Vec::with_capacity((end - start) * (columns.len() * 8 + 20));
    let mut buffer = itoa::Buffer::new();
    for entry in 0..end - start {
        for (axis, column) in columns.iter().enumerate() {
            if axis > 0 {
                out.push(b' ');
            }
            out.extend_from_slice(buffer.format(column[entry]).as_bytes());
        }
        if let Some(value) = values.get(start + entry) {
            if size_of::<V>() > 0 && !columns.is_empty() {
                out.push(b' ');
            }
            value.write(&mut out);
        }
        out.push(b'\n');
    }
    out
}
