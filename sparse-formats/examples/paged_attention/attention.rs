//! Attention over pages, where they lie: one pass over keys and values, with a softmax that is corrected as it goes (Milakov and Gimelshein, 2018; Dao et al., 2022).

use layout_core::{Int, IntTuple, Layout, View, make_layout};
use multiversion::multiversion;
use sparse_formats::paged::PagedView;
use std::mem::take;

/// The numbers of a head.
pub const DIM: usize = 128;

/// What a query has seen so far: the greatest score, the sum of weights, and the weighted sum of values.
struct Softmax {
    greatest: f32,
    sum: f32,
    values: [f32; DIM],
}

/// Keys and values of sequences: pages of (slot, head, dim) in any order, the numbers of a head next to one another.
pub struct Cache<'s, L, P> {
    keys: PagedView<'s, f32, L, u32, P>,
    values: PagedView<'s, f32, L, u32, P>,
    layout: L,
    /// From one slot of a page to the next.
    stride: usize,
}

impl<'s, L: Layout, P: IntTuple> Cache<'s, L, P> {
    /// Both with this layout of pages; none unless the numbers of a head are next to one another, and slots at one distance.
    pub fn new(keys: PagedView<'s, f32, L, u32, P>, values: PagedView<'s, f32, L, u32, P>, layout: L) -> Option<Self> {
        let stride = layout.mode_stride(0).and_then(|stride| usize::try_from(stride).ok())?;
        (layout.mode_stride(2) == Some(1) && layout.mode_size::<2>() == DIM).then_some(Cache { keys, values, layout, stride })
    }

    /// Attention of the last tokens of a sequence, each of which sees so many tokens: `queries` and `out` are (token, query head, dim), and query heads are as
    /// many for each head of the keys.
    pub fn attend(&self, sequence: usize, seen: &[usize], queries: &[f32], out: &mut [f32]) {
        let (slots, heads) = (self.layout.mode_size::<0>(), self.layout.mode_size::<1>());
        let (queries, out) = (queries.as_chunks::<DIM>().0, out.as_chunks_mut::<DIM>().0);
        let group = queries.len() / (heads * seen.len().max(1));
        let (scale, mut weights) = (1.0 / (DIM as f32).sqrt(), vec![0.0; slots]);
        let mut all: Vec<Softmax> = queries.iter().map(|_| Softmax { greatest: f32::NEG_INFINITY, sum: 0.0, values: [0.0; DIM] }).collect();
        let pages =
            self.keys.blocks(sequence).zip(self.values.blocks(sequence)).map(|((tokens, keys), (_, values))| (tokens, [keys, values]));
        let mut pages = pages.peekable();
        while let Some((tokens, here)) = pages.next() {
            for head in 0..heads {
                let block = here.map(|numbers| &numbers[self.layout.crd2idx((0, head, 0))..]);
                // As much of the next page, wherever in it: it is read by and by, in the order of memory.
                let part = |numbers: &'s [f32]| numbers.chunks(slots * DIM).nth(head).unwrap_or_default();
                let mut next = pages.peek().map(|(_, page)| page.map(part)).unwrap_or_default();
                for (query, seen) in seen.iter().enumerate() {
                    let visible = seen.saturating_sub(tokens.start).min(tokens.len());
                    let weights = &mut weights[..visible];
                    for at in (query * heads + head) * group..(query * heads + head + 1) * group {
                        page(&queries[at], scale, block, take(&mut next), self.stride, weights, &mut all[at]);
                    }
                }
            }
        }
        for (out, softmax) in out.iter_mut().zip(&all) {
            *out = softmax.values.map(|value| value / softmax.sum);
        }
    }
}

/// Asks for as many numbers as a slot has of a head, before they are read.
#[inline(always)]
fn fetch(numbers: &[f32], slot: usize) {
    const LINE: usize = 64 / size_of::<f32>();
    if let Some(row) = numbers.as_chunks::<DIM>().0.get(slot) {
        let row = View::new(row, make_layout(Int::<DIM>, Int::<1>)).expect("as many numbers");
        (0..DIM).step_by(LINE).for_each(|k| row.prefetch(k));
    }
}

/// Adds some tokens, whose keys and values are rows at a distance, to what a query has seen; some of the next page is fetched meanwhile.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2+fma", "aarch64+neon"))]
fn page(
    query: &[f32; DIM],
    scale: f32,
    [keys, values]: [&[f32]; 2],
    [next_keys, next_values]: [&[f32]; 2],
    stride: usize,
    weights: &mut [f32],
    all: &mut Softmax,
) {
    let Some(row) = weights.len().checked_sub(1) else { return };
    let (keys, values) = (&keys[..row * stride + DIM], &values[..row * stride + DIM]);
    let mut greatest = all.greatest;
    for (slot, score) in weights.iter_mut().enumerate() {
        fetch(next_keys, slot);
        let key = &keys[slot * stride..][..DIM];
        let mut sums = [0.0; 32];
        for (key, query) in key.as_chunks::<32>().0.iter().zip(query.as_chunks::<32>().0) {
            for k in 0..32 {
                sums[k] += key[k] * query[k];
            }
        }
        let mut width = 16;
        while width > 0 {
            (0..width).for_each(|k| sums[k] += sums[k + width]);
            width /= 2;
        }
        *score = sums[0] * scale;
        greatest = greatest.max(*score);
    }
    // What was seen before has weights by another greatest score.
    let before = (all.greatest - greatest).exp();
    if before < 1.0 {
        all.values.iter_mut().for_each(|value| *value *= before);
        all.sum *= before;
    }
    all.greatest = greatest;
    for (slot, weight) in weights.iter_mut().enumerate() {
        fetch(next_values, slot);
        *weight = (*weight - greatest).exp();
        all.sum += *weight;
        let value = &values[slot * stride..][..DIM];
        all.values.iter_mut().zip(value).for_each(|(sum, value)| *sum += *weight * value);
    }
}
