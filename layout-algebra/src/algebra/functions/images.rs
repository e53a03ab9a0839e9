//! Whether the indices of layouts are distinct, shared, missing or out of bounds.
//!
//! A function without carries is a space of bits plus multiples of a block above them ([`columns`](super::columns)). Both parts
//! are independent, so a question about indices is one about spaces over F2, and one about sums of multiples. A
//! [`Relation`] decides the latter. All other functions are compared point by point, with the indices of one of them
//! [`sorted`](super::sorted). A question takes at most [`STEPS`] steps.

use super::columns::{Columns, block};
use super::equality::one_function;
use super::known::{After, KnownFunction};
use super::points::STEPS;
use super::sorted::{SORTED, Sorted};
use super::space::Space;
use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::algebra::relation::{Relation, Solution, spend};
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{ExprGraph, SymInt};

/// The maximum number of terms of a relation: the modes of two layouts.
const TERMS: usize = 128;

/// The number of steps that each relation of a list takes at least.
const SETUP: usize = 8;

/// The answer to a question about the indices of layouts of known numbers: it holds, or a witness shows that it does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<W> {
    /// It holds for all coordinates.
    Holds(Certificate),
    /// It does not hold here.
    Fails(W),
}

impl<W> Verdict<W> {
    /// Returns true if it holds.
    pub const fn holds(&self) -> bool {
        matches!(self, Verdict::Holds(_))
    }
}

/// The reason for which a question about indices has the answer yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// There are no coordinates.
    Empty,
    /// The ranges of the indices decide.
    Ranges,
    /// Sorted by size, each stride is more than the reach of those below it; or none is more than one past it.
    Strides,
    /// The bits of the indices, as vectors over F2, decide.
    Bits,
    /// An integer relation of the strides has no solution within the extents.
    Relation,
    /// All coordinates have been compared.
    Points,
}

impl Certificate {
    /// Returns the name of the reason, in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Certificate::Empty => "empty",
            Certificate::Ranges => "ranges",
            Certificate::Strides => "strides",
            Certificate::Bits => "bits",
            Certificate::Relation => "relation",
            Certificate::Points => "points",
        }
    }
}

/// An index with two linear coordinates, of one layout or of one each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedIndex {
    /// The index.
    pub index: i64,
    /// The coordinates that have it.
    pub coordinates: [i64; 2],
}

/// An index with its linear coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexAt {
    /// The index.
    pub index: i64,
    /// The coordinate that has it.
    pub coordinate: i64,
}

/// Returns operand number `at` as a function of known numbers. Fails if a number is not known, if an index is no integer, and if the
/// sums of strides and offset do not fit.
const fn function<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &mut ExprGraph<E>) -> Result<KnownFunction<N>> {
    let op = cx.op();
    let x = ok!(one_function(args, at, cx));
    cx.begin(op);
    match KnownFunction::of(&x) {
        Some(f) => {
            ok!(f.require_range(cx));
            Ok(f)
        }
        None => Err(cx.fail(not_known(&x), SymInt(0), SymInt(0))),
    }
}

/// Returns the reason for which an operand is no function of known numbers.
const fn not_known<const N: usize>(x: &Operand<N>) -> Cause {
    let integers = match x {
        Operand::Layout(l) | Operand::Composed(ComposedValue { inner: Inner::Swizzle(_), outer: l, .. }) => l.gives_integers(),
        Operand::Composed(ComposedValue { inner: Inner::Layout(inner), outer, .. }) => inner.gives_integers() && outer.gives_integers(),
        _ => true,
    };
    if integers { Cause::RunTimeNumber } else { Cause::BasisStride }
}

/// A function as a space of bits below `2^width`, and multiples of it.
struct Parts {
    width: u32,
    columns: Columns,
}

impl Parts {
    /// Returns the parts of `f` for a block of at least `2^width`, or `None` if sums carry.
    const fn of<const N: usize>(f: &KnownFunction<N>, width: u32) -> Option<Parts> {
        let Some(least) = block(f) else { return None };
        let mut width = if width > least { width } else { least };
        loop {
            let Some(columns) = Columns::of(f, width) else { return None };
            let mut together = 0u64;
            each!(k, 0..columns.len, {
                if columns.part[k].is_bit {
                    together |= columns.part[k].step as u64;
                }
            });
            let top = 64 - together.leading_zeros();
            if top <= width {
                return Some(Parts { width, columns });
            }
            if top >= 62 {
                return None;
            }
            width = top;
        }
    }

    /// Returns the index of coordinate 0, as its bits below the block and the multiple of it.
    const fn start(&self) -> (u64, i64) {
        let low = self.columns.start & ((1 << self.width) - 1);
        (low as u64, self.columns.start - low)
    }

    /// Returns the linear coordinate whose bits are those of the columns in `mask`, shifted down by `from`.
    const fn coordinate(&self, mask: u128, from: usize) -> i64 {
        let mut coordinate = 0;
        each!(k, 0..self.columns.len, {
            if self.columns.part[k].is_bit && mask >> (from + k) & 1 == 1 {
                coordinate += self.columns.part[k].weight;
            }
        });
        coordinate
    }

    /// Returns the least or the greatest index, with its coordinate.
    const fn extreme(&self, greatest: bool) -> IndexAt {
        let mut space = Space::EMPTY;
        let (low, mut index) = self.start();
        let mut coordinate = 0;
        each!(k, 0..self.columns.len, {
            let part = &self.columns.part[k];
            if part.is_bit {
                space.insert(part.step as u64, k);
            } else if (part.step > 0) == greatest {
                index += (part.extent - 1) * part.step;
                coordinate += (part.extent - 1) * part.weight;
            }
        });
        let (bits, mask) = space.extreme(low, greatest);
        IndexAt { index: index + bits as i64, coordinate: coordinate + self.coordinate(mask, 0) }
    }
}

/// Returns the parts of two functions for the same block, or `None` for a function whose sums carry.
const fn both<const N: usize>(f: &KnownFunction<N>, g: &KnownFunction<N>) -> (Option<Parts>, Option<Parts>) {
    let (mut p, mut q) = (Parts::of(f, 0), Parts::of(g, 0));
    // A block that grows may take in more bits.
    while let (Some(left), Some(right)) = (&p, &q)
        && left.width != right.width
    {
        let width = if left.width > right.width { left.width } else { right.width };
        (p, q) = (Parts::of(f, width), Parts::of(g, width));
    }
    (p, q)
}

/// Returns the error of a question that needs more steps. `left` steps are not used.
const fn undecided<const E: usize, T>(left: usize, cx: &ExprGraph<E>) -> Result<T> {
    Err(cx.fail(Cause::TooManySteps, SymInt::small(STEPS - left), SymInt(0)))
}

/// Fails if `f` has too many coordinates to try all of them.
const fn require_few<const N: usize, const E: usize>(f: &KnownFunction<N>, cx: &ExprGraph<E>) -> Result<()> {
    let most = (STEPS / f.steps()) as i64;
    refuse_if!(cx, f.size() > most, TooManyCoordinates, SymInt(f.size()), SymInt(most));
    Ok(())
}

/// Returns whether no two coordinates of a layout share an index, or two that do.
///
/// Fails if a number is not known or an index overflows, for functions with carries of more than 2^11 coordinates, and if 2^18 steps do
/// not decide an integer relation.
///
/// ```
/// use layout_algebra::algebra::functions::{Certificate, SharedIndex, Verdict, injective};
/// use layout_algebra::{error::Op, expression::Parser, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let mut answer = |text| injective(&Parser::whole::<16, 0>(text, &mut scope)?, &mut scope);
/// assert_eq!(answer("(8,1048576):(1048576,-1)")?, Verdict::Holds(Certificate::Strides));
/// // Three steps of 1000003 are one of 3000009.
/// let shared = SharedIndex { index: 3_000_009, coordinates: [3, 4] };
/// assert_eq!(answer("(4,1000):(1000003,3000009)")?, Verdict::Fails(shared));
/// assert_eq!(answer("(8,8):(^9,^1)")?, Verdict::Holds(Certificate::Bits));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn injective<const N: usize, const E: usize>(l: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Verdict<SharedIndex>> {
    cx.begin(Op::Injective);
    let f = ok!(function(&[*l], 0, cx));
    let size = f.size();
    if size < 2 {
        return Ok(Verdict::Holds(Certificate::Empty));
    }
    let mut inner = f;
    if !matches!(f.after, After::Layout(_)) {
        // A swizzle takes different numbers to different numbers.
        inner.after = After::Nothing;
        inner.offset = 0;
    }
    let Some(parts) = Parts::of(&inner, 0) else {
        return Ok(match ok!(Sorted::of(&f, cx)).repeated() {
            Some((index, coordinates)) => Verdict::Fails(SharedIndex { index, coordinates }),
            None => Verdict::Holds(Certificate::Points),
        });
    };
    let mut space = Space::EMPTY;
    let mut relation = Relation::<TERMS>::moving();
    let (mut pair, mut bits) = (None, false);
    each!(k, 0..parts.columns.len, {
        let part = &parts.columns.part[k];
        if part.is_bit {
            bits = true;
            if pair.is_none()
                && let Some(mask) = space.insert(part.step as u64, k)
            {
                pair = Some([0, parts.coordinate(mask, 0)]);
            }
        } else if part.step == 0 {
            if part.extent > 1 {
                pair = Some([0, part.weight]);
            }
        } else if part.extent > 1 {
            relation.push(k, part.step, 1 - part.extent, part.extent - 1);
        }
    });
    let mut certificate = if bits { Certificate::Bits } else { Certificate::Strides };
    if pair.is_none() && !relation.nests() {
        certificate = Certificate::Relation;
        let mut left = STEPS;
        match relation.solve_within(&mut left) {
            Solution::None => {}
            Solution::Some(x) => {
                let mut coordinates = [0; 2];
                each!(k, 0..parts.columns.len, {
                    let steps = x[k] * parts.columns.part[k].weight;
                    coordinates[if steps < 0 { 1 } else { 0 }] += steps.abs();
                });
                pair = Some(coordinates);
            }
            Solution::Open => return undecided(left, cx),
        }
    }
    Ok(match pair {
        None => Verdict::Holds(certificate),
        Some([x, y]) => {
            let coordinates = if x < y { [x, y] } else { [y, x] };
            Verdict::Fails(SharedIndex { index: ok!(f.index(x, cx)), coordinates })
        }
    })
}

/// Returns whether two layouts have no index in common, or a coordinate of each with the same index.
///
/// Fails if a number is not known or an index overflows, and if 2^18 steps do not decide an integer relation. Fails for functions with
/// carries if both have more than 2^11 coordinates, or one more than 2^18 steps.
///
/// ```
/// use layout_algebra::algebra::functions::{Certificate, SharedIndex, Verdict, disjoint};
/// use layout_algebra::{error::Op, expression::Parser, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let mut operand = |text| Parser::whole::<16, 0>(text, &mut scope);
/// let (even, odd, third) = (operand("1000000:2")?, operand("S<0,0,0> o 1 o 1000000:2")?, operand("1000000:3")?);
/// assert_eq!(disjoint(&even, &odd, &mut scope)?, Verdict::Holds(Certificate::Relation));
/// assert!(matches!(disjoint(&odd, &third, &mut scope)?, Verdict::Fails(SharedIndex { index, .. }) if index % 6 == 3));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn disjoint<const N: usize, const E: usize>(
    a: &Operand<N>,
    b: &Operand<N>,
    cx: &mut ExprGraph<E>,
) -> Result<Verdict<SharedIndex>> {
    cx.begin(Op::Disjoint);
    let args = [*a, *b];
    let (f, g) = (ok!(function(&args, 0, cx)), ok!(function(&args, 1, cx)));
    let (n, m) = (f.size(), g.size());
    if n == 0 || m == 0 {
        return Ok(Verdict::Holds(Certificate::Empty));
    }
    let (Some(p), Some(q)) = both(&f, &g) else {
        let swap = n > m;
        let (small, large) = if swap { (&g, &f) } else { (&f, &g) };
        let sorted = ok!(Sorted::of(small, cx));
        ok!(require_few(large, cx));
        each!(y, 0..large.size(), {
            let index = ok!(large.index(y, cx));
            if let Some(x) = sorted.find(index) {
                return Ok(Verdict::Fails(SharedIndex { index, coordinates: if swap { [y, x] } else { [x, y] } }));
            }
        });
        return Ok(Verdict::Holds(Certificate::Points));
    };
    if p.extreme(true).index < q.extreme(false).index || q.extreme(true).index < p.extreme(false).index {
        return Ok(Verdict::Holds(Certificate::Ranges));
    }
    let ((low, high), (other_low, other_high)) = (p.start(), q.start());
    let mut space = Space::EMPTY;
    let mut relation = Relation::<TERMS>::new(other_high as i128 - high as i128);
    let from = p.columns.len;
    if from + q.columns.len > TERMS {
        return Err(cx.fail(Cause::Capacity, SymInt::small(TERMS), SymInt(0)));
    }
    each!(k, 0..from + q.columns.len, {
        let part = if k < from { p.columns.part[k] } else { q.columns.part[k - from] };
        if part.is_bit {
            space.insert(part.step as u64, k);
        } else if part.step != 0 && part.extent > 1 {
            relation.push(k, if k < from { part.step } else { -part.step }, 0, part.extent - 1);
        }
    });
    let (rest, mask) = space.reduce(low ^ other_low);
    if rest != 0 {
        return Ok(Verdict::Holds(Certificate::Bits));
    }
    let mut left = STEPS;
    match relation.solve_within(&mut left) {
        Solution::None => Ok(Verdict::Holds(Certificate::Relation)),
        Solution::Open => undecided(left, cx),
        Solution::Some(x) => {
            let mut coordinates = [p.coordinate(mask, 0), q.coordinate(mask, from)];
            each!(k, 0..from + q.columns.len, {
                if k < from {
                    coordinates[0] += x[k] * p.columns.part[k].weight;
                } else {
                    coordinates[1] += x[k] * q.columns.part[k - from].weight;
                }
            });
            Ok(Verdict::Fails(SharedIndex { index: ok!(f.index(coordinates[0], cx)), coordinates }))
        }
    }
}

/// Returns the least and the greatest index of `f`, which is not empty, with their coordinates. Fails for more than 2^18 steps if sums
/// carry.
const fn extremes<const N: usize, const E: usize>(f: &KnownFunction<N>, cx: &ExprGraph<E>) -> Result<(IndexAt, IndexAt)> {
    if let Some(parts) = Parts::of(f, 0) {
        return Ok((parts.extreme(false), parts.extreme(true)));
    }
    ok!(require_few(f, cx));
    let first = IndexAt { index: ok!(f.index(0, cx)), coordinate: 0 };
    let (mut least, mut greatest) = (first, first);
    each!(coordinate, 1..f.size(), {
        let index = ok!(f.index(coordinate, cx));
        if index < least.index {
            least = IndexAt { index, coordinate };
        }
        if index > greatest.index {
            greatest = IndexAt { index, coordinate };
        }
    });
    Ok((least, greatest))
}

/// Returns whether all indices of a layout are from 0 to `n - 1`, or a coordinate with an index outside.
///
/// Fails if a number is not known or an index overflows, and for functions with carries of more than 2^18 steps.
///
/// ```
/// use layout_algebra::algebra::functions::{Certificate, IndexAt, Verdict, in_bounds};
/// use layout_algebra::{error::Op, expression::Parser, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let rows = Parser::whole::<16, 0>("(8,4):(1,10)", &mut scope)?;
/// assert_eq!(in_bounds(&rows, 38, &mut scope)?, Verdict::Holds(Certificate::Ranges));
/// assert_eq!(in_bounds(&rows, 37, &mut scope)?, Verdict::Fails(IndexAt { index: 37, coordinate: 31 }));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn in_bounds<const N: usize, const E: usize>(l: &Operand<N>, n: i64, cx: &mut ExprGraph<E>) -> Result<Verdict<IndexAt>> {
    cx.begin(Op::InBounds);
    let f = ok!(function(&[*l], 0, cx));
    if f.size() == 0 {
        return Ok(Verdict::Holds(Certificate::Empty));
    }
    let (least, greatest) = ok!(extremes(&f, cx));
    Ok(if least.index < 0 {
        Verdict::Fails(least)
    } else if greatest.index >= n {
        Verdict::Fails(greatest)
    } else {
        Verdict::Holds(Certificate::Ranges)
    })
}

/// Returns whether every index of `b` is an index of `a`, or a coordinate of `b` whose index is not. A number `n` has the indices from 0
/// to `n - 1`.
///
/// Fails if a number is not known or an index overflows, and if 2^18 steps do not decide it. Fails for functions with carries if both have
/// more than 2^11 coordinates.
///
/// ```
/// use layout_algebra::algebra::functions::{Certificate, IndexAt, Verdict, covers};
/// use layout_algebra::{error::Op, expression::Parser, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let mut operand = |text| Parser::whole::<16, 0>(text, &mut scope);
/// let (rows, padded, all) = (operand("(8,1048576):(1048576,1)")?, operand("(8,1048576):(1048577,1)")?, operand("8388608")?);
/// assert_eq!(covers(&rows, &all, &mut scope)?, Verdict::Holds(Certificate::Strides));
/// assert_eq!(covers(&padded, &all, &mut scope)?, Verdict::Fails(IndexAt { index: 1 << 20, coordinate: 1 << 20 }));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn covers<const N: usize, const E: usize>(a: &Operand<N>, b: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Verdict<IndexAt>> {
    cx.begin(Op::Covers);
    let args = [*a, *b];
    let (f, g) = (ok!(function(&args, 0, cx)), ok!(function(&args, 1, cx)));
    let n = f.size();
    if g.size() == 0 {
        return Ok(Verdict::Holds(Certificate::Empty));
    }
    let missing = match both(&f, &g) {
        _ if n == 0 => Verdict::Fails(0),
        (Some(p), Some(q)) => ok!(missing(&p, &q, cx)),
        _ => ok!(missing_point(&f, &g, cx)),
    };
    Ok(match missing {
        Verdict::Holds(certificate) => Verdict::Holds(certificate),
        Verdict::Fails(coordinate) => Verdict::Fails(IndexAt { index: ok!(g.index(coordinate, cx)), coordinate }),
    })
}

/// Returns the least coordinate of `g` whose index is not one of `f`, by trying all coordinates.
const fn missing_point<const N: usize, const E: usize>(
    f: &KnownFunction<N>,
    g: &KnownFunction<N>,
    cx: &ExprGraph<E>,
) -> Result<Verdict<i64>> {
    let (n, m) = (f.size(), g.size());
    if n > m && n > SORTED {
        let sorted = ok!(Sorted::of(g, cx));
        ok!(require_few(f, cx));
        return Ok(match ok!(sorted.missing(f, cx)) {
            Some(coordinate) => Verdict::Fails(coordinate),
            None => Verdict::Holds(Certificate::Points),
        });
    }
    let sorted = ok!(Sorted::of(f, cx));
    ok!(require_few(g, cx));
    each!(y, 0..m, {
        if sorted.find(ok!(g.index(y, cx))).is_none() {
            return Ok(Verdict::Fails(y));
        }
    });
    Ok(Verdict::Holds(Certificate::Points))
}

/// Returns a coordinate of `q` whose index is not one of `p`.
const fn missing<const E: usize>(p: &Parts, q: &Parts, cx: &ExprGraph<E>) -> Result<Verdict<i64>> {
    let ((low, high), (other_low, other_high)) = (p.start(), q.start());
    let (mut space, mut relation) = (Space::EMPTY, Relation::<TERMS>::new(0));
    each!(k, 0..p.columns.len, {
        let part = &p.columns.part[k];
        if part.is_bit {
            space.insert(part.step as u64, k);
        } else if part.step != 0 && part.extent > 1 {
            relation.push(k, part.step, 0, part.extent - 1);
        }
    });
    if space.reduce(low ^ other_low).0 != 0 {
        return Ok(Verdict::Fails(0));
    }
    each!(k, 0..q.columns.len, {
        let part = &q.columns.part[k];
        if part.is_bit && space.reduce(part.step as u64).0 != 0 {
            return Ok(Verdict::Fails(part.weight));
        }
    });
    // The sums of `p` are all multiples of their common divisor, from the least sum up to the first gap.
    let (least, reach, step, whole) = relation.run();
    let least = least + high as i128;
    if (other_high as i128 - least) % if step == 0 { i128::MAX } else { step } != 0 {
        return Ok(Verdict::Fails(0));
    }
    each!(k, 0..q.columns.len, {
        let part = &q.columns.part[k];
        if !part.is_bit && part.extent > 1 && if step == 0 { part.step != 0 } else { part.step as i128 % step != 0 } {
            return Ok(Verdict::Fails(part.weight));
        }
    });
    let (first, last) = (q.extreme(false), q.extreme(true));
    let block = (1i128 << q.width) - 1;
    if (first.index as i128 & !block) < least {
        return Ok(Verdict::Fails(first.coordinate));
    }
    if last.index as i128 & !block <= least + reach {
        return Ok(Verdict::Holds(Certificate::Strides));
    }
    if whole {
        return Ok(Verdict::Fails(last.coordinate));
    }
    // The first gap, if it is a sum of `q`.
    let mut gap = Relation::<TERMS>::new(least + reach + step - other_high as i128);
    each!(k, 0..q.columns.len, {
        let part = &q.columns.part[k];
        if !part.is_bit && part.step != 0 && part.extent > 1 {
            gap.push(k, part.step, 0, part.extent - 1);
        }
    });
    let mut left = STEPS;
    if let Solution::Some(x) = gap.solve_within(&mut left) {
        let mut coordinate = 0;
        each!(k, 0..q.columns.len, {
            coordinate += x[k] * q.columns.part[k].weight;
        });
        return Ok(Verdict::Fails(coordinate));
    }
    let (mut coordinate, mut sum, mut digit) = (0i64, other_high as i128, [0i64; TERMS]);
    loop {
        if !spend(&mut left, SETUP) {
            return undecided(left, cx);
        }
        relation.retarget(sum - high as i128);
        match relation.solve_within(&mut left) {
            Solution::None => return Ok(Verdict::Fails(coordinate)),
            Solution::Some(_) => {}
            Solution::Open => return undecided(left, cx),
        }
        let mut k = 0;
        while k < q.columns.len {
            let part = &q.columns.part[k];
            if !part.is_bit && part.step != 0 && digit[k] + 1 < part.extent {
                digit[k] += 1;
                sum += part.step as i128;
                coordinate += part.weight;
                break;
            }
            sum -= digit[k] as i128 * part.step as i128;
            coordinate -= digit[k] * part.weight;
            digit[k] = 0;
            k += 1;
        }
        if k == q.columns.len {
            return Ok(Verdict::Holds(Certificate::Relation));
        }
    }
}
