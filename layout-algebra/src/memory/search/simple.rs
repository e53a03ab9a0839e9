//! The search while the program runs, for any shape. It prefers the simplest layout among those with the fewest conflicts.
//!
//! It tries the orders of the modes, then each with one swizzle, and returns a map of bits if neither has as few conflicts.

use super::demand::Demand;
use super::linear;
use crate::banks::{Access, Banks, Lanes};
use crate::bits::BitMatrix;
use crate::heap::*;
use crate::linear::{LinearDimension, LinearLayout};
use crate::swizzle::Swizzle;

/// The maximum number of modes for which all orders are tried.
const MOST_MODES: usize = 5;

/// A search problem: a shape, and the accesses whose conflicts are counted.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, SwizzleSearch};
/// let column: Vec<_> = (0..32).map(|thread| Some(vec![thread])).collect();
/// let row: Vec<_> = (0..32).map(|thread| Some(vec![32 * thread])).collect();
/// let search = SwizzleSearch { shape: vec![32, 32], banks: Banks::NVIDIA, accesses: vec![(column, Access::element(32)), (row, Access::element(32))] };
/// let answer = search.run().unwrap();
/// assert_eq!((answer.conflicts, answer.arrangement.to_string().as_str()), (0, "S<5,0,5> o 0 o (32,32):(1,32)"));
/// ```
#[derive(Clone, Debug)]
pub struct SwizzleSearch {
    /// The extent of each mode.
    pub shape: Vec<i64>,
    /// The bank model.
    pub banks: Banks,
    /// For each access, the integer coordinates of the values of every thread, and the number of values per request. The search
    /// keeps vectors whole only at these coordinates. If threads iterate over the rows of a tile, list the accesses to all rows.
    pub accesses: Vec<(Vec<Option<Vec<i64>>>, Access)>,
}

/// A layout that a search returns.
///
/// ```
/// use layout_algebra::{Swizzle, memory::Arrangement};
/// let found = Arrangement::Affine { shape: vec![8, 8], stride: vec![8, 1], swizzle: Some(Swizzle::new(3, 0, 3)?) };
/// // The text is in the notation, so `layout!` and `expression::evaluate` read it.
/// assert_eq!(found.to_string(), "S<3,0,3> o 0 o (8,8):(8,1)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arrangement {
    /// A stride for each mode, and optionally a swizzle of the index.
    Affine {
        /// The extent of each mode.
        shape: Vec<i64>,
        /// The stride of each mode.
        stride: Vec<i64>,
        /// The swizzle of the index, if there is one.
        swizzle: Option<Swizzle>,
    },
    /// A map from the bits of the coordinates to the bits of the index.
    Linear(Box<LinearLayout>),
}

/// The layout with the fewest conflicts that the search found.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, SwizzleSearch};
/// let column: Vec<_> = (0..32).map(|thread| Some(vec![thread])).collect();
/// let search = SwizzleSearch { shape: vec![32, 4], banks: Banks::NVIDIA, accesses: vec![(column, Access::element(32))] };
/// let answer = search.run().unwrap();
/// assert_eq!((answer.arrangement.to_string().as_str(), answer.conflicts, answer.plain), ("(32,4):(1,32)", 0, Some(0)));
/// assert_eq!(answer.reason, "the modes in this order have 0 conflicts");
/// ```
#[derive(Clone, Debug)]
pub struct Answer {
    /// The layout that the search chose.
    pub arrangement: Arrangement,
    /// The number of conflicts of the layout.
    pub conflicts: u64,
    /// The number of conflicts of the best order of the modes, if some order keeps all vectors.
    pub plain: Option<u64>,
    /// A sentence that compares the layouts that were tried.
    pub reason: String,
}

impl core::fmt::Display for Arrangement {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        match self {
            Arrangement::Affine { shape, stride, swizzle } => {
                if let Some(swizzle) = swizzle {
                    write!(f, "{swizzle} o 0 o ")?;
                }
                write!(f, "({}):({})", list(shape), list(stride))
            }
            Arrangement::Linear(linear) => match linear.to_xor::<64>() {
                Ok(layout) => write!(f, "{layout}"),
                Err(error) => write!(f, "{error}"),
            },
        }
    }
}

impl SwizzleSearch {
    /// Returns the number of conflicts of the layout `index`; `None` above `most`, or if a vector is not consecutive and aligned.
    fn conflicts(&self, index: impl Fn(i64) -> i64, most: u64) -> Option<u64> {
        let mut conflicts = 0;
        for (threads, access) in &self.accesses {
            let values = threads.iter().flatten().map(Vec::len).next().unwrap_or(0);
            let vector = access.vector as usize;
            for warp in threads.chunks(self.banks.warp() as usize) {
                for value in (0..values).step_by(vector) {
                    let mut lanes = Lanes::new(*access).ok()?;
                    for of in warp {
                        let first = of.as_ref().map(|of| index(of[value]));
                        if let (Some(of), Some(first)) = (of, first)
                            && (1..vector).any(|k| index(of[value + k]) != first + k as i64)
                        {
                            return None;
                        }
                        lanes.push(first).ok()?;
                    }
                    conflicts += u64::from(self.banks.serve(&lanes).conflicts());
                    if conflicts > most {
                        return None;
                    }
                }
            }
        }
        Some(conflicts)
    }

    /// Returns the number of coordinates; `None` above 2^24, or if the problem is malformed. Extents must be positive, coordinates
    /// inside the shape, and all threads of an access must have the same number of values, a multiple of the vector.
    fn size(&self) -> Option<i64> {
        let size = self.shape.iter().try_fold(1i64, |size, n| if *n > 0 { size.checked_mul(*n) } else { None })?;
        let sound = |(threads, access): &(Vec<Option<Vec<i64>>>, Access)| {
            let values = threads.iter().flatten().map(Vec::len).next().unwrap_or(0);
            let inside = |of: &Vec<i64>| of.len() == values && of.iter().all(|c| (0..size).contains(c));
            access.vector > 0 && values.is_multiple_of(access.vector as usize) && threads.iter().flatten().all(inside)
        };
        (size <= 1 << 24 && self.accesses.iter().all(sound)).then_some(size)
    }

    /// Returns the layout with the fewest conflicts of those that it tries: a bijection onto the indices below the size. The
    /// result is deterministic.
    ///
    /// Returns `None` if no layout that it tries keeps the vectors of every access, if an access is not inside the shape, if its
    /// threads do not have equally many values, a multiple of the vector, and unless the shape has 1 to 2^24 coordinates.
    pub fn run(&self) -> Option<Answer> {
        let size = self.size()?;
        let demand = self.demand(size);
        let bits = demand.as_ref().and_then(|demand| self.linear(demand, size));
        let goal = bits.as_ref().map_or(0, |choice| choice.conflicts);
        let orders = self.orders();
        let mut best: Option<Found> = None;
        for stride in &orders {
            self.improve(&mut best, demand.as_ref(), size, stride, None, u64::MAX);
        }
        let plain = best.as_ref().map(|best| best.conflicts);
        for swizzle in swizzles(size) {
            if best.as_ref().is_some_and(|best| best.conflicts <= goal) {
                break;
            }
            for stride in &orders {
                let most = if demand.is_some() { goal } else { u64::MAX };
                self.improve(&mut best, demand.as_ref(), size, stride, Some(swizzle), most);
            }
        }
        if let Some(choice) = bits
            && best.as_ref().is_none_or(|best| best.conflicts > choice.conflicts)
        {
            let reason = format!(
                "{}no order of the modes with one swizzle does as well as these bits, which leave {}",
                said(plain),
                choice.conflicts
            );
            return Some(Answer {
                arrangement: Arrangement::Linear(Box::new(self.named(&choice.matrix)?)),
                conflicts: choice.conflicts,
                plain,
                reason,
            });
        }
        let Found { conflicts, stride, swizzle } = best?;
        let reason = match swizzle {
            None => format!("the modes in this order have {conflicts} conflicts"),
            Some(swizzle) => format!("{}with {swizzle} {conflicts} are left", said(plain)),
        };
        Some(Answer { arrangement: Arrangement::Affine { shape: self.shape.clone(), stride, swizzle }, conflicts, plain, reason })
    }

    /// Replaces `best` by these strides and this swizzle if they have fewer conflicts, and at most `most`.
    fn improve(&self, best: &mut Option<Found>, demand: Option<&Demand>, size: i64, stride: &[i64], swizzle: Option<Swizzle>, most: u64) {
        let Some(bound) = best.as_ref().map_or(Some(u64::MAX), |best| best.conflicts.checked_sub(1)) else { return };
        let most = most.min(bound);
        // For linear accesses, linear algebra rejects a candidate without counting lane by lane.
        if let Some(demand) = demand.filter(|demand| demand.linear && demand.complete)
            && matrix(&self.shape, stride, swizzle).and_then(|matrix| demand.conflicts(&matrix)).is_none_or(|conflicts| conflicts > most)
        {
            return;
        }
        let index = |c| {
            let index = at(&self.shape, stride, c);
            swizzle.map_or(index, |swizzle| swizzle.apply(index))
        };
        let fits = |swizzle: Swizzle| size.count_ones() == 1 || (0..size).all(|x| swizzle.apply(x) < size);
        if let Some(conflicts) = self.conflicts(index, most)
            && swizzle.is_none_or(fits)
        {
            *best = Some(Found { conflicts, stride: stride.to_vec(), swizzle });
        }
    }

    /// Returns the order of the modes with padding that has the fewest conflicts, then the least padding: up to `most` elements
    /// after the innermost mode, so that the indices have gaps. Returns `None` as [`SwizzleSearch::run`] does.
    ///
    /// ```
    /// use layout_algebra::memory::{Access, Banks, SwizzleSearch};
    /// let column: Vec<_> = (0..32).map(|thread| Some(vec![thread])).collect();
    /// let row: Vec<_> = (0..32).map(|thread| Some(vec![32 * thread])).collect();
    /// let accesses = vec![(column, Access::element(32)), (row, Access::element(32))];
    /// let search = SwizzleSearch { shape: vec![32, 32], banks: Banks::NVIDIA, accesses };
    /// let answer = search.padded(4).unwrap();
    /// assert_eq!((answer.arrangement.to_string().as_str(), answer.conflicts), ("(32,32):(1,33)", 0));
    /// assert_eq!(answer.plain, Some(31));
    /// ```
    pub fn padded(&self, most: i64) -> Option<Answer> {
        self.size()?;
        let mut best: Option<(u64, Vec<i64>, i64)> = None;
        let mut plain = None;
        let vector = self.accesses.iter().map(|(_, access)| i64::from(access.vector)).max().unwrap_or(1);
        for pad in (0..=most).step_by(vector as usize) {
            for order in permutations(self.shape.len()) {
                let (mut stride, mut next) = (vec![0; self.shape.len()], 1);
                for (place, mode) in order.iter().enumerate() {
                    stride[*mode] = next;
                    next = next * self.shape[*mode] + if place == 0 { pad } else { 0 };
                }
                let bound = best.as_ref().map_or(Some(u64::MAX), |(conflicts, ..)| conflicts.checked_sub(1));
                if let Some(bound) = bound
                    && let Some(conflicts) = self.conflicts(|c| at(&self.shape, &stride, c), bound)
                {
                    best = Some((conflicts, stride, pad));
                }
            }
            if pad == 0 {
                plain = best.as_ref().map(|(conflicts, ..)| *conflicts);
            }
        }
        let (conflicts, stride, pad) = best?;
        let reason = format!("{}with {pad} elements of padding {conflicts} are left", said(plain));
        Some(Answer { arrangement: Arrangement::Affine { shape: self.shape.clone(), stride, swizzle: None }, conflicts, plain, reason })
    }

    /// Returns the accesses as spans of coordinate bits, or `None` if the size is not a power of two.
    fn demand(&self, size: i64) -> Option<Demand> {
        if size.count_ones() != 1 {
            return None;
        }
        let mut demand = Demand::new(self.accesses.first().map_or(32, |(_, access)| access.element_bits), self.banks);
        for (threads, access) in &self.accesses {
            let values = threads.iter().flatten().map(Vec::len).next().unwrap_or(0);
            let bytes = (access.element_bits * access.vector / 8).max(1);
            for warp in threads.chunks(self.banks.warp() as usize) {
                let served: Vec<_> =
                    (0..self.banks.places(warp.len())).map(|place| warp.get(self.banks.lane(bytes, place))?.as_ref()).collect();
                for group in served.chunks(self.banks.group(bytes) as usize) {
                    for value in (0..values).step_by(access.vector as usize) {
                        let of = |of: &Vec<i64>| of[value..value + access.vector as usize].iter().map(|c| *c as u64).collect::<Vec<u64>>();
                        let mut coordinates: Vec<u64> = group.iter().copied().flatten().flat_map(of).collect();
                        let whole = demand.add(&coordinates, *access);
                        coordinates.sort_unstable();
                        coordinates.dedup();
                        demand.complete &= coordinates.is_empty() || coordinates.len() as u64 == whole;
                    }
                }
            }
        }
        Some(demand)
    }

    /// Returns the map that linear algebra finds, with its conflicts counted exactly; `None` if no map keeps the vectors.
    fn linear(&self, demand: &Demand, size: i64) -> Option<linear::Choice> {
        let mut choice = linear::search(demand, size.trailing_zeros())?;
        choice.conflicts = self.conflicts(|c| choice.matrix.apply(c as u64) as i64, u64::MAX)?;
        Some(choice)
    }

    /// Returns the matrix as a linear layout with one input for each mode; `None` if the numbers of bits disagree.
    fn named(&self, matrix: &BitMatrix) -> Option<LinearLayout> {
        let inputs = self.shape.iter().enumerate().map(|(k, n)| LinearDimension::new(k.to_string(), n.trailing_zeros())).collect();
        LinearLayout::of_matrix(inputs, vec![LinearDimension::new("index", matrix.outputs())], *matrix).ok()
    }

    /// Returns the compact strides for every order of the modes, column-major first.
    fn orders(&self) -> Vec<Vec<i64>> {
        let strides = |order: &Vec<usize>| {
            let (mut stride, mut next) = (vec![0; self.shape.len()], 1);
            for mode in order {
                stride[*mode] = next;
                next *= self.shape[*mode];
            }
            stride
        };
        permutations(self.shape.len()).iter().map(strides).collect()
    }
}

/// An order of the modes with an optional swizzle, and its conflicts.
struct Found {
    conflicts: u64,
    stride: Vec<i64>,
    swizzle: Option<Swizzle>,
}

/// Returns the map of bits of a layout whose extents and strides are powers of two; `None` if a value does not fit the bits.
fn matrix(shape: &[i64], stride: &[i64], swizzle: Option<Swizzle>) -> Option<BitMatrix> {
    let columns: Vec<u64> =
        shape.iter().zip(stride).flat_map(|(n, d)| (0..n.trailing_zeros()).map(move |bit| (*d as u64) << bit)).collect();
    let bits = columns.len() as u32;
    let plain = BitMatrix::from_columns(&columns, bits)?;
    match swizzle {
        Some(swizzle) => BitMatrix::swizzle(swizzle, bits)?.after(&plain),
        None => Some(plain),
    }
}

/// Describes the best order of the modes, which has `plain` conflicts, for the reason of an answer.
fn said(plain: Option<u64>) -> String {
    plain.map_or("no order of the modes keeps the vectors; ".to_owned(), |n| format!("the best order of the modes has {n} conflicts; "))
}

/// Returns the index of an integer coordinate, which unravels colexicographically in `shape`.
fn at(shape: &[i64], stride: &[i64], coordinate: i64) -> i64 {
    let mut left = coordinate;
    let mut index = 0;
    for (n, d) in shape.iter().zip(stride) {
        index += left % n * d;
        left /= n;
    }
    index
}

/// Returns the orders of the modes, the identity first. With more than [`MOST_MODES`], only the identity and its reverse.
fn permutations(modes: usize) -> Vec<Vec<usize>> {
    if modes > MOST_MODES {
        return vec![(0..modes).collect(), (0..modes).rev().collect()];
    }
    let mut all = vec![Vec::new()];
    for _ in 0..modes {
        all =
            all.iter().flat_map(|head: &Vec<usize>| (0..modes).filter(|m| !head.contains(m)).map(|m| [&head[..], &[m]].concat())).collect();
    }
    all
}

/// Returns the swizzles of indices below `size`, swizzles of few bits first.
fn swizzles(size: i64) -> Vec<Swizzle> {
    let bits = i64::from((size - 1).max(1).ilog2()) + 1;
    let mut all = Vec::new();
    for width in 1..=bits / 2 {
        for base in 0..=bits - 2 * width {
            for shift in width..=bits - base - width {
                all.extend([shift, -shift].into_iter().filter_map(|shift| Swizzle::new(width, base, shift).ok()));
            }
        }
    }
    all
}
