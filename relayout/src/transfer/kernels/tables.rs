//! Permutations of the bytes of vectors, for each width of an element.

/// The permutations: for each byte of a result vector, the number of its source byte.
pub(crate) struct Tables {
    /// Interleaves the elements of two vectors; one permutation for each of the two results.
    pub zip: [[u8; 64]; 2],
    /// Takes every second element of two vectors: from the first on, and from the second on.
    pub unzip: [[u8; 64]; 2],
    /// Interleaves the elements of three vectors; one permutation for each of the three results.
    pub zip3: [[u8; 64]; 3],
    /// Takes every third element of three vectors: from each of the first three on.
    pub unzip3: [[u8; 64]; 3],
}

/// The tables for vectors of 16 and of 64 bytes, and for elements of 1, 2, 4, 8 and 16 bytes.
static TABLES: [[Tables; 5]; 2] = {
    macro_rules! of {
        ($bytes:literal) => {
            [tables($bytes, 1), tables($bytes, 2), tables($bytes, 4), tables($bytes, 8), tables($bytes, 16)]
        };
    }
    [of!(16), of!(64)]
};

/// Returns the tables for vectors of `bytes` bytes, 16 or 64, and elements of `width` bytes.
pub(crate) fn of(bytes: usize, width: usize) -> &'static Tables {
    &TABLES[usize::from(bytes == 64)][width.trailing_zeros().min(4) as usize]
}

/// Returns the permutation that reverses the elements of `width` bytes within 16 bytes.
pub(crate) fn backwards(width: usize) -> [u8; 16] {
    core::array::from_fn(|byte| (16 - width - byte / width * width + byte % width) as u8)
}

const fn tables(bytes: usize, width: usize) -> Tables {
    let n = bytes / width;
    let mut out = Tables { zip: [[0; 64]; 2], unzip: [[0; 64]; 2], zip3: [[0; 64]; 3], unzip3: [[0; 64]; 3] };
    let mut at = 0;
    // `at` counts the bytes of all result vectors.
    while at < 3 * bytes {
        let (vector, byte) = (at / bytes, at % bytes);
        let (element, inside) = (at / width, at % width);
        if vector < 2 {
            out.zip[vector][byte] = ((element % 2) * bytes + element / 2 * width + inside) as u8;
            out.unzip[vector][byte] = ((2 * (element % n) + vector) * width + inside) as u8;
        }
        out.zip3[vector][byte] = ((element % 3) * bytes + element / 3 * width + inside) as u8;
        out.unzip3[vector][byte] = ((3 * (element % n) + vector) * width + inside) as u8;
        at += 1;
    }
    out
}
