//! The sides of plans: where each element of a tensor is, in a source or a target.

use super::digits::{Digit, ModeDigits};
use super::error::{PlanError, Result};
use super::place::Place;
use super::sources;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use layout_core::algebra::expression::{Operand, Parser};
use layout_core::algebra::value::{ExprGraph, LayoutValue, MAX_LEAVES, TreeNode};
use layout_core::error::Op;
use layout_core::{DynLayout, TypedLayout};

type Layout = LayoutValue<MAX_LEAVES>;

/// A source or a target of a [`Plan`](crate::Plan): it gives the place and the offset of each element of a tensor.
///
/// A layout whose strides are plain numbers gives offsets in one place. In a layout with basis strides, component 0 is the
/// offset, and the components from 1 on are the place: `(4,4):(1@0,1@1)` is four blocks of four elements in places 0 to 3.
///
/// ```
/// use relayout::Side;
/// let block = Side::parse("(4,4):(1@0,1@1)")?;
/// let backwards = Side::parse("16:-1")?.with_base(&[15]);
/// // Eight elements over four ranks, and the same again on ranks 4 to 7.
/// let twice = Side::parse("((2,4),2):((1@0,1@1),4@1)")?.with_replicas(2);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Side {
    pieces: Vec<Piece>,
    replicas: i64,
}

/// A box of a tensor with its own layout. The pieces of a side make uneven splits and concatenations.
///
/// ```
/// use relayout::{Piece, Place, Side};
/// // Rows 0 to 4 are on place 0, and rows 5 to 7 on place 1, behind two rows of other data.
/// let first = Piece::new("(5,4):(4@0,1@0)", &[0, 0], &[5, 4])?;
/// let second = Piece::new("(3,4):(4@0,1@0)", &[5, 0], &[3, 4])?.with_base(&[2 * 4, 1]);
/// let rows = Side::pieces([first, second]);
/// assert_eq!(rows.spots(&[8, 4], &[6, 1])?, [(Place::from(1), 8 + 4 + 1)]);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Piece {
    layout: Layout,
    at: Vec<i64>,
    extent: Vec<i64>,
    base: Vec<i64>,
}

impl Piece {
    /// Creates the piece that begins at the coordinate `at` and has `extent[k]` elements in mode `k`. The layout
    /// counts coordinates from the corner of the piece.
    ///
    /// Fails as `Side::parse` does. Plans refuse a box that exceeds the tensor or the layout.
    pub fn new(layout: &str, at: &[i64], extent: &[i64]) -> Result<Self> {
        Ok(Piece { layout: parse(layout)?, at: at.to_vec(), extent: extent.to_vec(), base: vec![] })
    }

    /// Sets the numbers added to each element: `base[0]` to the offset, `base[k]` to number `k` of the place, counted from 1.
    pub fn with_base(mut self, base: &[i64]) -> Self {
        self.base = base.to_vec();
        self
    }
}

impl Side {
    /// Creates a side from a layout with offsets. All elements are in place 0. Fails as `parse` does.
    ///
    /// ```
    /// use layout_core::DynLayout;
    /// let rows = relayout::Side::new(&DynLayout::<16>::parse("(8,6):(6,1)")?)?;
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn new<const N: usize>(layout: &DynLayout<N>) -> Result<Self> {
        Side::from_value(layout.value())
    }

    /// Creates a side from a layout type with offsets. All elements are in place 0. Fails as `Side::new` does, or for too many
    /// leaves.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// let tiles = relayout::Side::of(&make_layout((Int::<8>, Int::<6>), (Int::<6>, Int::<1>)))?;
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn of(layout: &impl TypedLayout) -> Result<Self> {
        Side::new(&layout.to_dyn::<MAX_LEAVES>()?)
    }

    /// Creates a side from a layout value of the algebra: offsets, and places if the strides have a basis. Fails as `parse` does.
    ///
    /// ```
    /// use layout_core::algebra::expression::{Operand, evaluate};
    /// use layout_core::algebra::value::ExprGraph;
    /// use layout_core::error::Op;
    /// use relayout::{Place, PlanError, Side};
    /// // Every second element of four blocks of four.
    /// let mut scope = ExprGraph::<0>::new(Op::Parse);
    /// let Operand::Layout(half) = evaluate::<16, 0>("composition((4,4):(1@0,1@1), 8:2)", &mut scope)? else {
    ///     return Err(PlanError::NotALayout);
    /// };
    /// assert_eq!(Side::from_value(&half)?.spots(&[8], &[3])?, [(Place::from(1), 2)]);
    /// # Ok::<(), PlanError>(())
    /// ```
    pub fn from_value<const N: usize>(layout: &LayoutValue<N>) -> Result<Self> {
        let mut scope = ExprGraph::<0>::new(Op::MakeLayout);
        // Print and parse: the capacity of a layout value cannot grow otherwise.
        let text = alloc::format!("{}", Operand::Layout(*layout));
        match Parser::whole(&text, &mut scope)? {
            Operand::Layout(layout) => Ok(Side { pieces: vec![Piece::whole(known(layout)?)], replicas: 1 }),
            _ => Err(PlanError::NotALayout),
        }
    }

    /// Creates a side from the notation of a layout, such as `(4,4):(1@0,1@1)`. Fails unless all numbers are known, and either no
    /// stride or every stride but 0 has a basis, of one component. XOR strides fail.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(Side { pieces: vec![Piece::whole(parse(text)?)], replicas: 1 })
    }

    /// Creates a side from pieces. Pieces of a source may overlap: each of them has the common elements. Pieces of a
    /// target cover the tensor exactly once, unless [`Planner::overlapping`](crate::Planner::overlapping) is set.
    ///
    /// ```
    /// use relayout::{Piece, Side};
    /// // 37 rows over three ranks, split as by `array_split`: 13, 12, 12.
    /// let uneven = Side::pieces([
    ///     Piece::new("((13,1),4):((4@0,1@1),1@0)", &[0, 0], &[13, 4])?,
    ///     Piece::new("((12,2),4):((4@0,1@1),1@0)", &[13, 0], &[24, 4])?.with_base(&[0, 1]),
    /// ]);
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn pieces(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Side { pieces: pieces.into_iter().collect(), replicas: 1 }
    }

    /// Adds `base[0]` to each offset, and `base[k]` to number `k` of each place. Negative strides and slices need this.
    pub fn with_base(mut self, base: &[i64]) -> Self {
        for piece in &mut self.pieces {
            let longer = piece.base.len().max(base.len());
            piece.base.resize(longer, 0);
            piece.base.iter_mut().zip(base).for_each(|(number, more)| *number = number.saturating_add(*more));
        }
        self
    }

    /// Declares that the last top-level mode numbers the replicas of each element and has the extent `replicas`; planning fails
    /// otherwise. With 1, there is no such mode. A plan may read any replica of a source, and writes every replica of a target.
    pub fn with_replicas(mut self, replicas: i64) -> Self {
        self.replicas = replicas;
        self
    }

    /// Returns the place and the offset of the element at `coordinate`, for each replica, in each piece that has it. `extents`
    /// are the extents of the tensor. Fails if `coordinate` has another length, or if the side does not fit the extents.
    ///
    /// If `extents` has one number, `coordinate` is the linear coordinate of a side without pieces, even if that has
    /// several modes.
    ///
    /// ```
    /// use relayout::{Place, Side};
    /// let side = Side::parse("(4,4):(1@0,1@1)")?;
    /// assert_eq!(side.spots(&[13], &[6])?, [(Place::from(1), 2)]);
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn spots(&self, extents: &[i64], coordinate: &[i64]) -> Result<Vec<(Place, i64)>> {
        if coordinate.len() != extents.len() {
            return Err(PlanError::Rank { modes: extents.len(), extents: coordinate.len() });
        }
        let linear = extents.len() == 1 && self.whole().is_ok();
        let parts = self.parts(extents, linear)?;
        let inside = |part: &&BoundPiece| coordinate.iter().enumerate().all(|(k, c)| part.lo[k] <= *c && *c < part.hi[k]);
        let mut out = vec![];
        for part in parts.list.iter().filter(inside) {
            let mut value = part.base.clone();
            for (k, digits) in part.modes.iter().enumerate() {
                ModeDigits::new(digits.clone(), part.lo[k]).add_to(&mut value, coordinate[k]);
            }
            let spot = |shift: Vec<i64>| {
                let mut sum = value.iter().zip(shift).map(|(a, b)| a + b);
                let offset = sum.next().unwrap_or(0);
                (Place::new(sum.collect()), offset)
            };
            out.extend(sources::shifts(&[part], 1)?.remove(0).into_iter().map(spot));
        }
        Ok(out)
    }

    /// Replaces each stride 0 by a multiple of a period, and returns the side and the period. Without these multiples, the
    /// absolute value of every offset is less than half of the period. Fails for a side of pieces, or a number beyond 58 bits.
    pub(crate) fn spread(&self) -> Result<(Self, i64)> {
        let piece = self.whole()?;
        let modes = piece.modes(self.replicas)?.0;
        let digits = modes.iter().flatten();
        let reach = |digit: &Digit| (digit.count - 1).max(0).checked_mul(digit.step.checked_abs()?);
        let base = piece.base.iter().map(|base| base.checked_abs());
        let sum = digits.map(reach).chain(base).try_fold(1_i64, |sum, number| sum.checked_add(number?));
        let period = sum.filter(|sum| *sum < 1 << 58).ok_or(PlanError::Overflow)?.unsigned_abs().next_power_of_two() as i64 * 4;
        let mut next = Some(period);
        let (mut shape, mut strides) = (vec![], vec![]);
        for mode in &modes {
            let (mut counts, mut steps) = (vec![String::from("1")], vec![String::from("0")]);
            for digit in mode {
                let step = if digit.step == 0 { next.ok_or(PlanError::Overflow)? } else { digit.step };
                if digit.step == 0 {
                    next = next.and_then(|next| next.checked_mul(digit.count.max(1)));
                }
                counts.push(digit.count.to_string());
                steps.push(step.to_string());
            }
            shape.push(format!("({})", counts.join(",")));
            strides.push(format!("({})", steps.join(",")));
        }
        let mut side = Side::parse(&format!("({}):({})", shape.join(","), strides.join(",")))?;
        side.pieces[0].base = piece.base.clone();
        Ok((side, period))
    }

    /// Returns the only piece, which covers the whole tensor. Fails if the side was made of pieces.
    fn whole(&self) -> Result<&Piece> {
        match &self.pieces[..] {
            [piece] if piece.at.is_empty() && piece.extent.is_empty() => Ok(piece),
            _ => Err(PlanError::ExtentNeeded),
        }
    }

    /// Returns the number of elements, replicas not counted. Fails if the side was made of pieces.
    pub(crate) fn size(&self) -> Result<i64> {
        size(self.whole()?.modes(self.replicas)?.0.iter().flatten())
    }

    /// Returns the extents of the modes. Fails if the side was made of pieces.
    pub(crate) fn extents(&self) -> Result<Vec<i64>> {
        self.whole()?.modes(self.replicas)?.0.iter().map(size).collect()
    }

    /// Binds the pieces to a tensor of these extents. If `linear`, its mode is the linear coordinate. Fails if they do not fit.
    pub(crate) fn parts(&self, extents: &[i64], linear: bool) -> Result<BoundSide> {
        if linear {
            self.whole()?;
        }
        let components = self.pieces.iter().map(Piece::components).max().unwrap_or(1);
        let list = self.pieces.iter().map(|piece| piece.part(self.replicas, extents, linear, components));
        Ok(BoundSide { list: list.collect::<Result<_>>()?, components })
    }
}

/// A side over the modes of one tensor.
pub(crate) struct BoundSide {
    pub list: Vec<BoundPiece>,
    /// The number of components of a spot: 1 for the offset, plus the numbers of a place.
    pub components: usize,
}

/// A piece over the modes of one tensor: the elements with `lo[k] <= c[k] < hi[k]`, and digits for modes and replicas.
pub(crate) struct BoundPiece {
    pub lo: Vec<i64>,
    pub hi: Vec<i64>,
    pub modes: Vec<Vec<Digit>>,
    pub replica: Vec<Digit>,
    pub replicas: i64,
    pub base: Vec<i64>,
}

impl BoundPiece {
    /// Tests whether the piece has every coordinate of its layout.
    pub fn is_whole(&self) -> bool {
        self.modes.iter().zip(self.hi.iter().zip(&self.lo)).all(|(digits, (hi, lo))| size(digits).is_ok_and(|size| size == hi - lo))
    }

    /// Returns, for each replica, the distance from the first one in each component.
    pub fn replica_shifts(&self) -> Vec<Vec<i64>> {
        let mut all = vec![vec![0; self.base.len()]];
        for digit in &self.replica {
            let on = |value: &Vec<i64>, i: i64| {
                let mut value = value.clone();
                value[digit.component] += i * digit.step;
                value
            };
            all = (0..digit.count).flat_map(|i| all.iter().map(|value| on(value, i)).collect::<Vec<_>>()).collect();
        }
        all
    }
}

impl Piece {
    fn whole(layout: Layout) -> Piece {
        Piece { layout, at: vec![], extent: vec![], base: vec![] }
    }

    fn components(&self) -> usize {
        let steps = (0..self.layout.len()).map(|k| component(&self.layout, k) + 1);
        steps.max().unwrap_or(1).max(self.base.len()).max(1)
    }

    /// Returns top-level mode `k` of the layout, or `None` past the last one.
    fn mode(&self, k: usize) -> Option<TreeNode> {
        self.layout.tree().mode(self.layout.root(), k)
    }

    /// Returns the coalesced digits of each mode, and of the replicas. Fails if the last mode does not have `replicas` of these.
    fn modes(&self, replicas: i64) -> Result<(Vec<Vec<Digit>>, Vec<Digit>)> {
        let mut modes = (0..).map_while(|k| self.mode(k)).map(|mode| digits(&self.layout, mode)).collect::<Result<Vec<_>>>()?;
        if replicas == 1 {
            return Ok((modes, vec![]));
        }
        let replica = modes.pop().unwrap_or_default();
        let size = size(&replica)?;
        if size != replicas || replicas < 1 {
            return Err(PlanError::Replicas { declared: replicas, size });
        }
        Ok((modes, replica))
    }

    fn part(&self, replicas: i64, extents: &[i64], linear: bool, components: usize) -> Result<BoundPiece> {
        let (mut modes, replica) = self.modes(replicas)?;
        if linear {
            let hi = modes.len().checked_sub(1).and_then(|last| self.mode(last)).map_or(0, |last| last.hi);
            modes = vec![digits(&self.layout, TreeNode { hi, ..self.layout.root() })?];
        }
        if modes.len() != extents.len() {
            return Err(PlanError::Rank { modes: modes.len(), extents: extents.len() });
        }
        for given in [&self.at, &self.extent] {
            if !given.is_empty() && given.len() != modes.len() {
                return Err(PlanError::Rank { modes: modes.len(), extents: given.len() });
            }
        }
        let lo = if self.at.is_empty() { vec![0; modes.len()] } else { self.at.clone() };
        let own = if self.extent.is_empty() { extents } else { &self.extent };
        let mut hi = Vec::with_capacity(modes.len());
        for (mode, digits) in modes.iter().enumerate() {
            let size = size(digits)?;
            let (extent, end) = (own[mode], lo[mode].checked_add(own[mode]).ok_or(PlanError::Overflow)?);
            if extent < 0 || extent > size {
                return Err(PlanError::Beyond { mode, extent, size });
            }
            if lo[mode] < 0 || end > extents[mode] {
                return Err(PlanError::Beyond { mode, extent: if lo[mode] < 0 { lo[mode] } else { end }, size: extents[mode] });
            }
            hi.push(end);
        }
        let mut base = self.base.clone();
        base.resize(components, 0);
        // Bound the reach, so that later sums of these numbers cannot overflow.
        let reach = |digit: &Digit| (digit.count - 1).max(0).checked_mul(digit.step.checked_abs()?);
        let numbers = modes.iter().flatten().chain(&replica).map(reach).chain(base.iter().map(|base| base.checked_abs()));
        let sum = numbers.into_iter().try_fold(0_i64, |sum, number| sum.checked_add(number?));
        if sum.is_none_or(|sum| sum >= 1 << 61) {
            return Err(PlanError::Overflow);
        }
        Ok(BoundPiece { lo, hi, modes, replica, replicas, base })
    }
}

/// Returns the number of coordinates that these digits count. Fails beyond 64 bits.
fn size<'a>(digits: impl IntoIterator<Item = &'a Digit>) -> Result<i64> {
    digits.into_iter().try_fold(1_i64, |size, digit| size.checked_mul(digit.count)).ok_or(PlanError::Overflow)
}

fn parse(text: &str) -> Result<Layout> {
    // Allow run-time leaves here, so that `known` can refuse them by name.
    match Parser::whole(text, &mut ExprGraph::<64>::new(Op::Parse))? {
        Operand::Layout(layout) => known(layout),
        _ => Err(PlanError::NotALayout),
    }
}

/// Checks that all numbers are known, and that either no stride has a basis, or every stride other than 0 has a basis
/// of one component. Returns the layout.
fn known(layout: Layout) -> Result<Layout> {
    // Copies consist of strides, and an exclusive-or has none.
    if !layout.is_known() || layout.has_xor() {
        return Err(PlanError::NotALayout);
    }
    let moving = |k: &usize| !layout.scale(*k).is(0);
    if (0..layout.len()).any(|k| layout.basis(k).len() > 1) {
        return Err(PlanError::NestedBasis);
    }
    if !layout.is_integer() && (0..layout.len()).filter(moving).any(|k| layout.basis(k).is_integer()) {
        return Err(PlanError::MixedStrides);
    }
    Ok(layout)
}

fn component(layout: &Layout, k: usize) -> usize {
    let basis = layout.basis(k);
    if basis.is_integer() { 0 } else { basis.step(0) }
}

/// Returns the leaves of some modes as digits, coalesced, without leaves of one coordinate. Fails if a number is not known.
fn digits(layout: &Layout, modes: TreeNode) -> Result<Vec<Digit>> {
    let merged = layout.coalesce_at(modes)?;
    let digit = |k: usize| {
        let (count, step) = (merged.extent(k).value()?, merged.scale(k).value()?);
        Some(Digit { count, component: if step == 0 { 0 } else { component(&merged, k) }, step })
    };
    let digits: Option<Vec<Digit>> = (0..merged.len()).map(digit).collect();
    let mut digits = digits.ok_or(PlanError::NotALayout)?;
    digits.retain(|digit| digit.count != 1);
    Ok(digits)
}
