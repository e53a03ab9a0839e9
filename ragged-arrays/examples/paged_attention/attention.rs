//! Computes attention over pages in place: one pass over keys and values, with an online softmax (Milakov and
//! Gimelshein, 2018; Dao et al., 2022).

use layout_core::layouts::IntTuple;
use layout_core::{Int, Layout, View, make_layout};
use multiversion::multiversion;
use ragged_arrays::paged::PagedView;
use std::mem::take;

/// The number of elements of a head.
pub const DIM: usize = 128;

/// The state of a query: the greatest score so far, the sum of weights, and the weighted sum of values.
struct Softmax {
    greatest: f32,
    sum: f32,
    values: [f32; DIM],
}

/// The keys and values of sequences, in pages of (slot, head, dim) in any order. The elements of a head are contiguous.
pub struct Cache<'s, L, P> {
    keys: PagedView<'s, f32, L, u32, P>,
    values: PagedView<'s, f32, L, u32, P>,
    layout: L,
    /// The distance from one slot of a page to the next.
    stride: usize,
}

impl<'s, L: Layout, P: IntTuple> Cache<'s, L, P> {
    /// Creates a cache whose keys and values have this layout of pages. Returns `None` unless the elements of a head
    /// are contiguous and slots have a constant stride.
    pub fn new(keys: PagedView<'s, f32, L, u32, P>, values: PagedView<'s, f32, L, u32, P>, layout: L) -> Option<Self> {
        let stride = layout.mode_stride(0).and_then(|stride| usize::try_from(stride).ok())?;
        (layout.mode_stride(2) == Some(1) && layout.mode_size::<2>() == DIM).then_some(Cache { keys, values, layout, stride })
    }

    /// Computes attention of the last tokens of a sequence. Query token `i` sees the first `seen[i]` tokens. `queries`
    /// and `out` are (token, query head, dim); each head of the keys has the same number of query heads.
    pub fn attend(&self, sequence: usize, seen: &[usize], queries: &[f32], out: &mut [f32]) {
        let (slots, heads) = (self.layout.mode_size::<0>(), self.layout.mode_size::<1>());
        let (queries, out) = (queries.as_chunks::<DIM>().0, out.as_chunks_mut::<DIM>().0);
        let group = queries.len() / (heads * seen.len().max(1));
        let scale = 1.0 / (DIM as f32).sqrt();
        let mut all: Vec<Softmax> = queries.iter().map(|_| Softmax { greatest: f32::NEG_INFINITY, sum: 0.0, values: [0.0; DIM] }).collect();
        // If the heads of a slot are near one another, read several of them in the order of memory. Do so for one
        // token only, so that its results stay in a cache.
        let apart = self.layout.mode_stride(1).and_then(|stride| usize::try_from(stride).ok()).filter(|apart| *apart < self.stride);
        let most = if queries.len() == heads && apart.is_some() { 8 } else { 1 };
        let together = [8, 4, 2, 1].into_iter().find(|count| *count <= most && heads.is_multiple_of(*count)).unwrap_or(1);
        let strides = [self.stride, apart.unwrap_or_default()];
        let step = match together {
            8 => page::<8>,
            4 => page::<4>,
            2 => page::<2>,
            _ => page::<1>,
        };
        let mut weights = vec![0.0; slots * together];
        let pages =
            self.keys.blocks(sequence).zip(self.values.blocks(sequence)).map(|((tokens, keys), (_, values))| (tokens, [keys, values]));
        let mut pages = pages.peekable();
        while let Some((tokens, here)) = pages.next() {
            for head in (0..heads).step_by(together) {
                let block = here.map(|numbers| &numbers[self.layout.crd2idx((0, head, 0))..]);
                // Prefetch an equally large part of the next page. It need not have the same heads: after the last
                // heads, all of the page has been prefetched, in the order of memory.
                let part = |numbers: &'s [f32]| numbers.chunks(slots * together * DIM).nth(head / together).unwrap_or_default();
                let mut next = pages.peek().map(|(_, page)| page.map(part)).unwrap_or_default();
                for (query, seen) in seen.iter().enumerate() {
                    let visible = seen.saturating_sub(tokens.start).min(tokens.len());
                    let weights = &mut weights[..visible * together];
                    for at in (query * heads + head) * group..(query * heads + head + 1) * group {
                        let at = at..at + together;
                        step(&queries[at.clone()], scale, block, take(&mut next), strides, weights, &mut all[at]);
                    }
                }
            }
        }
        for (out, softmax) in out.iter_mut().zip(&all) {
            *out = softmax.values.map(|value| value / softmax.sum);
        }
    }
}

/// Prefetches the elements of a head of a slot.
#[inline(always)]
fn fetch(numbers: &[f32], slot: usize) {
    const LINE: usize = 64 / size_of::<f32>();
    if let Some(row) = numbers.as_chunks::<DIM>().0.get(slot) {
        let row = View::new(row, make_layout(Int::<DIM>, Int::<1>)).expect("as many numbers");
        (0..DIM).step_by(LINE).for_each(|k| row.prefetch(k));
    }
}

/// Adds some tokens to the states of the queries of some heads, one query for each head, and prefetches a part of the
/// next page. Keys and values are rows: tokens have the first stride, heads the second.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2+fma", "aarch64+neon"))]
fn page<const HEADS: usize>(
    queries: &[[f32; DIM]],
    scale: f32,
    [keys, values]: [&[f32]; 2],
    [next_keys, next_values]: [&[f32]; 2],
    [stride, apart]: [usize; 2],
    weights: &mut [f32],
    all: &mut [Softmax],
) {
    let slots = weights.len() / HEADS;
    let (Some(row), Some(queries), Some(all)) = (slots.checked_sub(1), queries.first_chunk::<HEADS>(), all.first_chunk_mut::<HEADS>())
    else {
        return;
    };
    let len = row * stride + (HEADS - 1) * apart + DIM;
    let (keys, values) = (&keys[..len], &values[..len]);
    let mut greatest: [f32; HEADS] = std::array::from_fn(|head| all[head].greatest);
    for slot in 0..slots {
        for head in 0..HEADS {
            fetch(next_keys, slot * HEADS + head);
            let score = dot(&keys[slot * stride + head * apart..], &queries[head]) * scale;
            weights[head * slots + slot] = score;
            greatest[head] = greatest[head].max(score);
        }
    }
    for ((weights, all), greatest) in weights.chunks_exact_mut(slots).zip(&mut *all).zip(greatest) {
        // Earlier weights refer to another greatest score, so rescale them.
        if all.greatest < greatest {
            let before = (all.greatest - greatest).exp();
            all.values.iter_mut().for_each(|value| *value *= before);
            all.sum *= before;
            all.greatest = greatest;
        }
        weights.iter_mut().for_each(|weight| *weight = exp(*weight - greatest));
    }
    for slot in 0..slots {
        for head in 0..HEADS {
            fetch(next_values, slot * HEADS + head);
            let weight = weights[head * slots + slot];
            all[head].sum += weight;
            let value = &values[slot * stride + head * apart..][..DIM];
            all[head].values.iter_mut().zip(value).for_each(|(sum, value)| *sum += weight * value);
        }
    }
}

/// Returns the dot product of a key and a query, in 32 partial sums.
#[inline(always)]
fn dot(key: &[f32], query: &[f32; DIM]) -> f32 {
    let mut sums = [0.0; 32];
    for (key, query) in key[..DIM].as_chunks::<32>().0.iter().zip(query.as_chunks::<32>().0) {
        for k in 0..32 {
            sums[k] += key[k] * query[k];
        }
    }
    let mut width = 16;
    while width > 0 {
        (0..width).for_each(|k| sums[k] += sums[k + width]);
        width /= 2;
    }
    sums[0]
}

/// Returns `e^x` for `x <= 0`, exact to the last two bits, without branches or calls, so that the compiler vectorizes
/// loops over it.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding this number rounds a sum to an integer, which then is in the lowest bits.
    const WHOLE: f32 = 1.5 * (1 << 23) as f32;
    // Two parts of the logarithm of 2. Products of the first part with small integers are exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    // A comparison, unlike `max`, leaves NaN as it is.
    let x = if x < -87.0 { -87.0 } else { x };
    // `e^x = 2^n e^t` with `|t| <= ln(2) / 2`, and the series of `e^t`.
    let shifted = x * std::f32::consts::LOG2_E + WHOLE;
    let n = shifted - WHOLE;
    let t = x - n * LN_2[0] - n * LN_2[1];
    let series = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0].into_iter().fold(1.0 / 720.0, |sum, term| sum * t + term);
    series * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}
