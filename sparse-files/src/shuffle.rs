//! The filter that gathers the bytes of equal weight of many values, undone.

/// Appends values of `size` bytes from a block that has the first byte of each value, then the second byte of each
/// value, and so on. Bytes beyond the last whole value are at the end of the block.
pub(crate) fn bytes_in_order(block: &[u8], size: usize, out: &mut Vec<u8>) {
    let values = block.len() / size;
    match size {
        2 => appended::<2>(block, values, out),
        4 => appended::<4>(block, values, out),
        8 => appended::<8>(block, values, out),
        16 => appended::<16>(block, values, out),
        _ => {
            for value in 0..values {
                out.extend((0..size).map(|byte| block[byte * values + value]));
            }
        }
    }
    out.extend_from_slice(&block[values * size..]);
}

/// Appends values of `N` bytes. The length is known to the compiler, so the loop has no bounds checks.
fn appended<const N: usize>(block: &[u8], values: usize, out: &mut Vec<u8>) {
    let planes: [&[u8]; N] = std::array::from_fn(|byte| &block[byte * values..][..values]);
    let start = out.len();
    out.resize(start + values * N, 0);
    for (value, target) in out[start..].as_chunks_mut::<N>().0.iter_mut().enumerate() {
        *target = planes.map(|plane| plane[value]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_size_are_in_order() {
        for size in 1..18 {
            for values in [0, 1, 5] {
                let expected: Vec<u8> = (0..size * values + 3 % size).map(|at| at as u8).collect();
                let mut block: Vec<u8> = (0..size * values).map(|at| expected[at % values * size + at / values]).collect();
                block.extend_from_slice(&expected[size * values..]);
                let mut out = vec![9];
                bytes_in_order(&block, size, &mut out);
                assert_eq!(out[1..], expected, "{size} {values}");
            }
        }
    }
}
