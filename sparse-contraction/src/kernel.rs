//! Finds the kernel that computes a step, and the tensor that it results in.

use crate::estimate::{Letters, Term, members, products, set, size};
use crate::subscripts::Letter;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The greatest dense result, in elements, that a kernel computes whatever the number of products.
const SMALL: f64 = (1 << 24) as f64;

/// The greatest dense result of a kernel, in elements for each product.
const SPARSEST: f64 = 64.0;

/// A result of generic loops is dense if it has at most this number of elements for each element with a product.
const DENSE: f64 = 4.0;

/// Generic loops compute results of at most this number of elements densely.
const TINY: f64 = 4096.0;

/// The loops that compute one step of a contraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ContractionKernel {
    /// Another order of the axes.
    Permute,
    /// The diagonal of axes that have one letter.
    Diagonal,
    /// [`reduce`](sparse_formats::reduce), or sums over a dense array.
    Reduce,
    /// [`spmv`](sparse_formats::spmv).
    Spmv,
    /// [`spmm`](sparse_formats::spmm).
    Spmm,
    /// [`ttm`](sparse_formats::ttm).
    Ttm,
    /// [`ttv`](sparse_formats::ttv).
    Ttv,
    /// [`mttkrp`](sparse_formats::mttkrp).
    Mttkrp,
    /// [`Sddmm`](sparse_formats::Sddmm).
    Sddmm,
    /// [`spgemm`](sparse_formats::spgemm). Axes of larger tensors are joined to rows and columns.
    Spgemm,
    /// [`elementwise`](sparse_formats::elementwise), the product.
    Elementwise,
    /// The product of two sparse matrices at the elements of a third.
    Masked,
    /// The elements of a sparse tensor times blocks of a dense array.
    Walk,
    /// The elements of two sparse tensors that agree in their common letters.
    Join,
    /// Loops over dense arrays.
    Loops,
}

impl ContractionKernel {
    /// Returns the name, as plans show it.
    ///
    /// ```
    /// use sparse_contraction::ContractionKernel;
    /// assert_eq!(ContractionKernel::Spgemm.name(), "spgemm");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            ContractionKernel::Permute => "permute",
            ContractionKernel::Diagonal => "diagonal",
            ContractionKernel::Reduce => "reduce",
            ContractionKernel::Spmv => "spmv",
            ContractionKernel::Spmm => "spmm",
            ContractionKernel::Ttm => "ttm",
            ContractionKernel::Ttv => "ttv",
            ContractionKernel::Mttkrp => "mttkrp",
            ContractionKernel::Sddmm => "sddmm",
            ContractionKernel::Spgemm => "spgemm",
            ContractionKernel::Elementwise => "elementwise",
            ContractionKernel::Masked => "masked",
            ContractionKernel::Walk => "walk",
            ContractionKernel::Join => "join",
            ContractionKernel::Loops => "loops",
        }
    }
}

impl fmt::Display for ContractionKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of a whole contraction, as far as steps depend on it.
pub(crate) struct Goal<'g> {
    /// The letters of the result.
    pub output: &'g [Letter],
    /// True for a dense result, false for a sparse one, `None` if either will do.
    pub dense: Option<bool>,
}

/// A kernel, the numbers of its operands in the order in which it takes them, and its result.
pub(crate) struct Choice {
    pub kernel: ContractionKernel,
    pub inputs: Vec<usize>,
    pub out: Term,
}

/// A numbered tensor of a plan.
pub(crate) type Numbered<'t> = (usize, &'t Term);

/// Returns the kernel that contracts all these tensors at once, one sparse tensor and at least two dense arrays, if there is
/// one: `mttkrp`, `ttv` or `sddmm`.
pub(crate) fn of_all(extents: &[u64], terms: &[Numbered], output: &[Letter]) -> Option<Choice> {
    let mut sparse = terms.iter().filter(|(_, term)| !term.dense);
    let (&(number, a), None) = (sparse.next()?, sparse.next()) else { return None };
    let dense: Vec<Numbered> = terms.iter().copied().filter(|(_, term)| term.dense).collect();
    if dense.len() < 2 {
        return None;
    }
    let axis = |letter: &Letter| a.letters.iter().position(|known| known == letter);
    let kept = |letters: &[Letter]| letters.iter().copied().filter(|letter| output.contains(letter)).collect::<Vec<_>>();
    // The dense arrays in the order of the axes that they are multiplied along.
    let along = |axes: Vec<usize>| {
        let mut sorted: Vec<(usize, usize)> = axes.into_iter().zip(dense.iter().map(|(number, _)| *number)).collect();
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0].0 != pair[1].0);
        distinct.then(|| {
            (sorted.iter().map(|(axis, _)| *axis).collect::<Vec<_>>(), sorted.iter().map(|(_, number)| *number).collect::<Vec<_>>())
        })
    };
    let inputs = |others: Vec<usize>| [vec![number], others].concat();
    let summed: Vec<usize> = (0..a.letters.len()).filter(|axis| !output.contains(&a.letters[*axis])).collect();
    // A vector for each letter that is summed over.
    let vectors =
        dense.iter().map(|(_, term)| if let [letter] = term.letters[..] { axis(&letter) } else { None }).collect::<Option<Vec<_>>>();
    if let Some((axes, others)) = vectors.and_then(along)
        && axes == summed
    {
        let letters = kept(&a.letters);
        let stored = a.stored.min(size(extents, set(&letters)));
        return Some(Choice {
            kernel: ContractionKernel::Ttv,
            inputs: inputs(others),
            out: Term { dense: letters.is_empty(), letters, stored },
        });
    }
    // Matrices that share a letter that the sparse tensor lacks.
    let shared = dense[0].1.letters.iter().copied().find(|letter| axis(letter).is_none())?;
    let matrices = dense.iter().map(|(_, term)| match term.letters[..] {
        [x, r] | [r, x] if r == shared => axis(&x),
        _ => None,
    });
    let (axes, others) = along(matrices.collect::<Option<Vec<_>>>()?)?;
    if !output.contains(&shared) && axes == [0, 1] && a.letters.len() == 2 && summed.is_empty() {
        let out = Term { letters: a.letters.clone(), stored: a.stored, dense: false };
        return Some(Choice { kernel: ContractionKernel::Sddmm, inputs: inputs(others), out });
    }
    let letters = [kept(&a.letters), vec![shared]].concat();
    let rows = size(extents, set(&letters));
    if output.contains(&shared) && axes == summed && letters.len() == 2 && fits(rows, a.stored * extents[shared] as f64) {
        return Some(Choice {
            kernel: ContractionKernel::Mttkrp,
            inputs: inputs(others),
            out: Term { letters, stored: rows, dense: true },
        });
    }
    None
}

/// Tests whether a kernel may compute a dense result of `size` elements from this number of products.
fn fits(size: f64, products: f64) -> bool {
    size <= SMALL || size <= SPARSEST * products
}

/// Returns the kernel that contracts two tensors, and keeps the letters `kept`. `goal` is given for the last step.
pub(crate) fn of_pair(extents: &[u64], first: Numbered, second: Numbered, kept: Letters, goal: Option<&Goal>) -> Choice {
    // The sparse tensor comes first.
    let [(i, a), (j, b)] = if first.1.dense && !second.1.dense { [second, first] } else { [first, second] };
    let (of_a, of_b) = (set(&a.letters), set(&b.letters));
    let (summed, all) = (of_a & of_b & !kept, (of_a | of_b) & kept);
    let products = products(extents, (of_a, a.stored), (of_b, b.stored));
    let (size, goal_is) = (size(extents, all), |letters: &[Letter]| goal.is_some_and(|goal| goal.output == letters));
    let choice = |kernel, letters, dense| {
        let stored = if dense { size } else { products.min(size) };
        Choice { kernel, inputs: vec![i, j], out: Term { letters, stored, dense } }
    };
    let letters = || {
        let natural = a.letters.iter().copied().filter(|letter| all >> letter & 1 == 1);
        let natural: Vec<Letter> = natural.chain(b.letters.iter().copied().filter(|letter| (all & !of_a) >> letter & 1 == 1)).collect();
        match goal {
            Some(goal) if set(goal.output) == all => goal.output.to_vec(),
            _ => natural,
        }
    };
    let wanted = goal.and_then(|goal| goal.dense);
    let dense = wanted.unwrap_or(size <= TINY || size <= DENSE * products.min(size));
    if a.dense {
        return choice(ContractionKernel::Loops, letters(), true);
    }
    if b.dense {
        let kept_of_a: Vec<Letter> = a.letters.iter().copied().filter(|letter| kept >> letter & 1 == 1).collect();
        let one = summed.count_ones() == 1;
        match (&a.letters[..], &b.letters[..]) {
            ([_, _], [_]) if one && fits(size, products) => return choice(ContractionKernel::Spmv, kept_of_a, true),
            ([_, _, _, ..], [_]) if one => return choice(ContractionKernel::Ttv, kept_of_a, false),
            (rows, &[x, y]) if one && all & of_b != 0 && (of_a & of_b).count_ones() == 1 => {
                let column = if summed >> x & 1 == 1 { y } else { x };
                // Several products for each element of the result are best summed in a dense array.
                if rows.len() > 2 && (wanted == Some(false) || 2.0 * size > products) {
                    let letters = rows.iter().map(|letter| if summed >> letter & 1 == 1 { column } else { *letter }).collect();
                    let stored = products.min(size);
                    return Choice { kernel: ContractionKernel::Ttm, inputs: vec![i, j], out: Term { letters, stored, dense: false } };
                }
                if rows.len() == 2 && fits(size, products) {
                    let columns = [column, kept_of_a[0]];
                    let letters = if goal_is(&columns) { columns } else { [columns[1], columns[0]] };
                    return choice(ContractionKernel::Spmm, letters.to_vec(), true);
                }
            }
            _ => {}
        }
        // A result without sums has the pattern of the sparse tensor.
        let dense = kept_of_a.is_empty() || wanted.unwrap_or(dense && of_a & !kept != 0);
        return choice(ContractionKernel::Walk, letters(), dense);
    }
    if of_a == of_b && summed == 0 && wanted != Some(true) {
        return choice(ContractionKernel::Elementwise, a.letters.clone(), false);
    }
    if let (&[x, y], &[z, w]) = (&a.letters[..], &b.letters[..])
        && summed.count_ones() == 1
        && (of_a & of_b) == summed
    {
        let rows = if summed >> y & 1 == 1 { x } else { y };
        let columns = if summed >> z & 1 == 1 { w } else { z };
        return choice(ContractionKernel::Spgemm, vec![rows, columns], false);
    }
    let dense = all == 0 || wanted.unwrap_or(size <= TINY && goal.is_none() || size <= DENSE / 2.0 * products.min(size));
    let (rows, columns) = (all & of_a, all & of_b);
    let index = |letters| members(letters).try_fold(1u64, |size, letter| size.checked_mul(extents[letter])).is_some_and(|size| size > 0);
    if !dense && of_a & of_b == summed && [rows, summed, columns].into_iter().all(|group| group != 0 && index(group)) {
        let order: Vec<Letter> = goal.map_or_else(|| [&a.letters[..], &b.letters].concat(), |goal| goal.output.to_vec());
        let group = |group: Letters| order.iter().copied().filter(move |letter| group >> letter & 1 == 1);
        return choice(ContractionKernel::Spgemm, group(rows).chain(group(columns)).collect(), false);
    }
    choice(ContractionKernel::Join, letters(), dense)
}

/// Returns the kernel that multiplies two sparse matrices at the elements of a third, if these are the three tensors and
/// that is estimated to be cheaper than `pairwise`, the cost of the best order of pairs.
pub(crate) fn masked(extents: &[u64], terms: &[Numbered], output: Letters, pairwise: f64) -> Option<Choice> {
    let &[x, y, z] = terms else { return None };
    let mut best: Option<(f64, Choice)> = None;
    for [(m, mask), (i, a), (j, b)] in [[x, y, z], [y, x, z], [z, x, y]] {
        let matrix = |term: &Term| !term.dense && term.letters.len() == 2;
        if !(matrix(mask) && matrix(a) && matrix(b)) {
            continue;
        }
        let (of_mask, of_a, of_b) = (set(&mask.letters), set(&a.letters), set(&b.letters));
        let inner = of_a & of_b;
        let triangle = inner.count_ones() == 1 && of_mask == (of_a | of_b) & !inner && output & inner == 0;
        if !triangle {
            continue;
        }
        let rows = |term: &Term, letters: Letters| term.stored / size(extents, letters & !inner).max(1.0);
        let cost = mask.stored * (rows(a, of_a) + rows(b, of_b)) + a.stored + b.stored;
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            let out = Term { letters: mask.letters.clone(), stored: mask.stored, dense: false };
            best = Some((cost, Choice { kernel: ContractionKernel::Masked, inputs: vec![m, i, j], out }));
        }
    }
    // A comparison of coordinates costs about half of a product whose sum is found by coordinates.
    best.filter(|(cost, _)| *cost <= 2.0 * pairwise).map(|(_, choice)| choice)
}
