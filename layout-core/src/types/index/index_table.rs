//! The constant table that says how to compute an index.
//!
//! A layout type and a coordinate type give a constant table with one row for each digit: the source of its coordinate, its
//! extent, and its stride. Digits of one coordinate that continue one another are joined, and strides with a common factor
//! are multiplied by it once, as in `((i n) + j) p + k`. The product of a digit and an XOR stride `^d` is the exclusive-or of
//! the digit shifted by each bit of `d`, with one term for each bit. [`steps`](super::unrolled) runs the table.

use crate::types::pattern::operand::{Descriptor, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;
use layout_algebra::algebra::coalesce::continues;
use layout_algebra::algebra::xor::bits_reached;
use layout_algebra::error::{Cause, LayoutError, Op, Path, Result, ok, refuse};
use layout_algebra::value::{ExprGraph, LayoutValue, SymInt, TreeNode, known};

/// Numbers of a table: constants, or positions of run-time values.
pub(in crate::types) struct Cells {
    pub(in crate::types) slot: [bool; MAX_LEAVES],
    pub(in crate::types) value: [usize; MAX_LEAVES],
}

impl Cells {
    pub(in crate::types) const ZERO: Cells = Cells { slot: [false; MAX_LEAVES], value: [0; MAX_LEAVES] };

    pub(in crate::types) const fn set(&mut self, k: usize, x: SymInt) {
        if known!(x.0) {
            self.value[k] = x.0 as usize;
            return;
        }
        if let Some(node) = x.node() {
            self.slot[k] = true;
            self.value[k] = node;
        }
    }

    /// Returns number `k`, read from `slots` if it is a position. Positions are below the length; the mask only tells this to the compiler.
    #[inline(always)]
    pub(in crate::types) const fn get(&self, k: usize, slots: &Slots) -> usize {
        if self.slot[k] { slots[self.value[k] % MAX_LEAVES] } else { self.value[k] }
    }

    /// Returns number `k` of a table whose numbers are all constants.
    #[inline(always)]
    pub(in crate::types) const fn settled(&self, k: usize) -> usize {
        self.value[k]
    }
}

/// The table that computes an index.
pub struct IndexTable {
    /// The error if the coordinate does not fit the layout. The other fields are then empty.
    refusal: Option<LayoutError>,
    /// The number of run-time integers of the coordinate.
    pub(in crate::types) inputs: usize,
    pub(in crate::types) len: usize,
    /// Whether every extent and stride is a constant.
    pub(in crate::types) settled: bool,
    /// The set of digits with XOR strides: bit `k` for digit `k`.
    pub(in crate::types) xor: u64,
    pub(in crate::types) overflow: Overflow,
    /// Whether each digit is the first of its integer of the coordinate.
    pub(in crate::types) first: [bool; MAX_LEAVES],
    /// Whether each digit takes the rest of its integer of the coordinate.
    pub(in crate::types) last: [bool; MAX_LEAVES],
    /// Whether the extent of each digit is positive: by its type, or because a check has found it so.
    pub(in crate::types) positive: [bool; MAX_LEAVES],
    /// Whether the type allows the extent of each digit to be 0.
    pub(in crate::types) unknown: [bool; MAX_LEAVES],
    /// Whether each digit waits for a term. Other digits are multiplied by their stride and summed at once, which takes fewer registers.
    pub(in crate::types) chained: [bool; MAX_LEAVES],
    /// Whether a slice keeps each leaf. The coordinate of a kept leaf is not checked.
    kept: [bool; MAX_LEAVES],
    pub(in crate::types) coordinate: Cells,
    pub(in crate::types) extent: Cells,
    pub(in crate::types) stride: Cells,
    pub(in crate::types) terms: usize,
    /// The digit of each term: `product = (product + digit) * factor`.
    pub(in crate::types) digit: [u8; MAX_LEAVES],
    pub(in crate::types) factor: Cells,
    /// Whether the product is added to the sum after each term.
    pub(in crate::types) closed: [bool; MAX_LEAVES],
    /// The number of shifted digits. They are the last terms, and their products are combined by exclusive-or.
    pub(in crate::types) shifted: usize,
    /// Whether there are too many shifted digits to list. A loop over the bits of each stride then computes the index.
    pub(in crate::types) looped: bool,
    /// The number of digits, if they are few and the run-time coordinates are in order; 0 otherwise.
    #[cfg(unoptimized)]
    pub(in crate::types) few: usize,
    /// The number of each digit: its stride in a sum, or its extent in a check. It is a constant, or the position of a node of the layout.
    #[cfg(unoptimized)]
    pub(in crate::types) number: Cells,
    /// The numbers of `number` as positions of inputs of the layout.
    #[cfg(unoptimized)]
    pub(in crate::types) number_input: Cells,
    /// Whether all numbers of `number` are inputs or constants.
    #[cfg(unoptimized)]
    pub(in crate::types) numbers_are_inputs: bool,
}

/// The purpose of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Compute the index.
    Index,
    /// Compute the index, and check that the coordinate is in the domain.
    Checked,
    /// Keep the leaves as they are: for an index in a constant, where no code is improved, or for the digits of a coordinate.
    Leaves,
}

/// The ways in which a sum of products can leave the range of an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::types) enum Overflow {
    /// No overflow is possible, or the table does not check for it.
    Never,
    /// The index may exceed `usize::MAX`.
    Unsigned,
    /// The index may leave the range of `isize`, because a stride may be negative.
    Signed,
}

/// Returns how many steps are written out for a table of this length.
#[cfg(not(unoptimized))]
pub(in crate::types) const fn class(len: usize) -> usize {
    match len {
        0 => 0,
        1..=2 => 2,
        3..=4 => 4,
        5..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => 64,
    }
}

impl IndexTable {
    /// The maximum number of shifted digits that are written out.
    const MOST: usize = 32;

    /// The class of the tables that a loop evaluates.
    #[cfg(not(unoptimized))]
    pub(in crate::types) const LOOPED: usize = 66;

    /// Returns the class of the rows and terms, plus 1 if the table is settled: a single number, so that a `match const` compiles one arm only.
    #[cfg(not(unoptimized))]
    pub(in crate::types) const fn class(&self) -> usize {
        if self.looped {
            return Self::LOOPED;
        }
        class(if self.len < self.terms { self.terms } else { self.len }) + self.settled as usize
    }

    pub(in crate::types) const EMPTY: IndexTable = IndexTable {
        refusal: None,
        inputs: 0,
        len: 0,
        settled: true,
        xor: 0,
        overflow: Overflow::Never,
        first: [false; MAX_LEAVES],
        last: [false; MAX_LEAVES],
        positive: [false; MAX_LEAVES],
        unknown: [false; MAX_LEAVES],
        chained: [false; MAX_LEAVES],
        kept: [false; MAX_LEAVES],
        coordinate: Cells::ZERO,
        extent: Cells::ZERO,
        stride: Cells::ZERO,
        terms: 0,
        digit: [0; MAX_LEAVES],
        factor: Cells::ZERO,
        closed: [false; MAX_LEAVES],
        shifted: 0,
        looped: false,
        #[cfg(unoptimized)]
        few: 0,
        #[cfg(unoptimized)]
        number: Cells::ZERO,
        #[cfg(unoptimized)]
        number_input: Cells::ZERO,
        #[cfg(unoptimized)]
        numbers_are_inputs: true,
    };

    /// Makes the table for coordinates of the type `form`. It never fails, because every function on the way to its steps mentions it.
    /// [`IndexTable::require`] refuses a coordinate in the function that the user called, so that the compiler names the user's line.
    pub(crate) const fn new(op: Op, pattern: &Pattern, form: &Descriptor, purpose: Purpose) -> IndexTable {
        if pattern.refusal().is_some() {
            return IndexTable::EMPTY;
        }
        match IndexTable::try_new(op, pattern, form, purpose) {
            Ok(table) => table,
            Err(error) => IndexTable { refusal: Some(error), ..IndexTable::EMPTY },
        }
    }

    /// Fails the build if the coordinate does not fit the layout.
    #[track_caller]
    pub(crate) const fn require(&self) {
        if let Some(error) = self.refusal {
            refuse(error)
        }
    }

    /// Fails the build if the coordinate does not fit the layout or has one integer for several leaves, or if a stride is an XOR stride.
    #[track_caller]
    pub(in crate::types) const fn require_leaves(&self, pattern: &Pattern) {
        self.require();
        each!(k, 0..pattern.lay.len(), {
            if self.is_exchanged(k) {
                refuse(LayoutError::at_mode(Op::GetStride, k, Cause::XorStride, pattern.lay.stride[k], 0));
            }
        });
        each!(k, 0..self.len, {
            if !(self.first[k] && self.last[k]) {
                refuse(LayoutError::plain(Op::GetStride, Cause::NotCongruent, 1, 0));
            }
        });
    }

    const fn try_new(op: Op, pattern: &Pattern, form: &Descriptor, purpose: Purpose) -> Result<IndexTable> {
        let l = &pattern.lay;
        let mut table = IndexTable { len: l.len(), ..IndexTable::EMPTY };
        let mut reached = 0u64;
        each!(k, 0..l.tree.len, {
            if l.basis[k] != 0 {
                if !l.basis(k).is_xor() {
                    return Err(LayoutError::plain(op, Cause::BasisStride, 0, 0));
                }
                table.xor |= 1 << k;
                // Over an unknown extent, a stride may reach every bit.
                reached |= match l.extent(k).value() {
                    Some(extent) => bits_reached(extent, l.stride[k]),
                    None => !0,
                };
            }
            table.settled &= known!(l.shape[k]) && known!(l.stride[k]);
        });
        ok!(table.address(op, l, l.root(), form, Path::ROOT));
        if matches!(purpose, Purpose::Leaves) {
            table.overflow = Overflow::Signed;
            each!(k, 0..l.tree.len, {
                // Constant evaluation pays for calls, so write these fields directly.
                if table.settled {
                    (table.extent.value[k], table.stride.value[k]) = (l.shape[k] as usize, l.stride[k] as usize);
                } else {
                    table.extent.set(k, SymInt(l.shape[k]));
                    table.stride.set(k, SymInt(l.stride[k]));
                }
            });
            return Ok(table);
        }
        let checked = matches!(purpose, Purpose::Checked);
        if checked && matches!(op, Op::Slice) {
            let mut fixed = *pattern;
            each!(k, 0..l.tree.len, {
                if table.kept[k] {
                    fixed.lay.shape[k] = 1;
                }
            });
            table.join(&fixed, true);
            return Ok(table);
        }
        if checked && (table.xor != 0 || !table.is_identity(pattern)) {
            table.overflow = overflow(pattern, reached as i128);
        }
        let stride = table.join(pattern, checked);
        table.share(&pattern.scope, &stride);
        if table.xor != 0 {
            table.exchange();
            return Ok(table);
        }
        #[cfg(unoptimized)]
        table.find_few(&pattern.scope, checked);
        Ok(table)
    }

    /// Lists the shifted digits as terms, unless there are too many.
    const fn exchange(&mut self) {
        each!(k, 0..self.len, {
            if self.is_exchanged(k) {
                self.shifted += self.stride.settled(k).count_ones() as usize;
            }
        });
        self.looped = self.shifted > Self::MOST || self.terms + self.shifted > MAX_LEAVES;
        each!(k, 0..self.len, {
            let mut left = if self.is_exchanged(k) && !self.looped { self.stride.settled(k) } else { 0 };
            while left != 0 {
                self.digit[self.terms] = k as u8;
                self.factor.value[self.terms] = left & left.wrapping_neg();
                self.terms += 1;
                left &= left - 1;
            }
        });
    }

    /// Returns true if digit `k` has an XOR stride.
    pub(in crate::types) const fn is_exchanged(&self, k: usize) -> bool {
        self.xor >> k & 1 == 1
    }

    #[cfg(unoptimized)]
    const fn find_few(&mut self, scope: &ExprGraph<MAX_LEAVES>, extents: bool) {
        let mut k = 0;
        while k < self.len && self.is_input(k) && self.coordinate.value[k] == k {
            let numbers = if extents { &self.extent } else { &self.stride };
            let (slot, value) = (numbers.slot[k], numbers.value[k]);
            (self.number.slot[k], self.number.value[k]) = (slot, value);
            (self.number_input.slot[k], self.number_input.value[k]) = (slot, value);
            if slot {
                self.numbers_are_inputs &= scope.is_input(value);
                self.number_input.value[k] = scope.a[value] as usize;
            }
            k += 1;
        }
        if k == self.len && k == self.inputs && k <= 4 {
            self.few = k;
        }
    }

    /// Returns true if the index is the coordinate: every digit continues the digit before it, from stride 1 on.
    const fn is_identity(&self, pattern: &Pattern) -> bool {
        let (l, mut scope) = (&pattern.lay, pattern.scope);
        each!(k, 0..self.len, {
            let follows = if k == 0 {
                l.scale(0).is(1)
            } else {
                !self.first[k] && continues(l.extent(k - 1), l.scale(k - 1), l.scale(k), &mut scope)
            };
            if !follows {
                return false;
            }
        });
        true
    }

    /// Joins two digits that continue one another: `(x % e) d + (x / e) (e d) = x d`, also if `e` is 0.
    /// Digits of XOR strides are joined only if `e` is a power of two. Returns the strides of the remaining digits.
    const fn join(&mut self, pattern: &Pattern, checked: bool) -> [SymInt; MAX_LEAVES] {
        let l = &pattern.lay;
        let mut scope = pattern.scope;
        let mut extent = [SymInt(0); MAX_LEAVES];
        let mut stride = [SymInt(0); MAX_LEAVES];
        let (mut n, mut k, mut xor) = (0, 0, 0);
        while k < self.len {
            let exchanged = self.is_exchanged(k);
            let alike = !self.first[k]
                && exchanged == (xor >> (n - 1) & 1 == 1)
                && (!exchanged || (known!(extent[n - 1].0) && extent[n - 1].0.count_ones() == 1));
            if alike && continues(extent[n - 1], stride[n - 1], l.scale(k), &mut scope) {
                let both = existing_product(&mut scope, extent[n - 1], l.extent(k), pattern.scope.len);
                // Only a check reads the extent of a last digit.
                if both.is_some() || (self.last[k] && !checked) {
                    extent[n - 1] = match both {
                        Some(both) => both,
                        None => SymInt(0),
                    };
                    self.last[n - 1] = self.last[k];
                    k += 1;
                    continue;
                }
            }
            extent[n] = l.extent(k);
            stride[n] = l.scale(k);
            self.first[n] = self.first[k];
            self.last[n] = self.last[k];
            self.coordinate.slot[n] = self.coordinate.slot[k];
            self.coordinate.value[n] = self.coordinate.value[k];
            self.chained[n] = exchanged;
            xor |= (exchanged as u64) << n;
            n += 1;
            k += 1;
        }
        (self.len, self.xor) = (n, xor);
        each!(k, 0..n, {
            self.extent.set(k, extent[k]);
            self.stride.set(k, stride[k]);
            // A checked table has found by `occupied` that no such extent is 0.
            self.unknown[k] = pattern.scope.facts(extent[k]).lo <= 0;
            self.positive[k] = checked || !self.unknown[k];
        });
        stride
    }

    /// Returns true if digit `k` is a whole run-time integer of the coordinate.
    pub(in crate::types) const fn is_input(&self, k: usize) -> bool {
        self.first[k] && self.last[k] && self.coordinate.slot[k]
    }

    /// Assigns to the leaves below `at` the integers of the coordinate type `form`. Fails at the mode `path` if they do not fit.
    const fn address(&mut self, op: Op, l: &LayoutValue<MAX_LEAVES>, at: TreeNode, form: &Descriptor, path: Path) -> Result<()> {
        let (slot, value) = match form {
            Descriptor::Tuple(modes) => {
                if l.tree.is_leaf(at) {
                    return Err(LayoutError::new(op, path, Cause::NotCongruent, [SymInt::small(modes.len()), SymInt(0), SymInt(0)]));
                }
                let rank = l.tree.rank(at);
                if rank != modes.len() {
                    return Err(LayoutError::new(
                        op,
                        path,
                        Cause::RankMismatch,
                        [SymInt::small(modes.len()), SymInt::small(rank), SymInt(0)],
                    ));
                }
                if rank == 0 {
                    self.feed(at, false, 0);
                }
                let (mut lo, mut k) = (at.lo, 0);
                while let Some(mode) = l.tree.child_from(at, lo) {
                    lo = mode.hi;
                    match &modes[k] {
                        Descriptor::Known(value) => self.feed(mode, false, *value as isize as usize),
                        Descriptor::Input(_) => {
                            self.feed(mode, true, self.inputs);
                            self.inputs += 1;
                        }
                        form => ok!(self.address(op, l, mode, form, path.then(k))),
                    }
                    k += 1;
                }
                return Ok(());
            }
            Descriptor::Known(value) => (false, *value as isize as usize),
            Descriptor::Input(_) => {
                self.inputs += 1;
                (true, self.inputs - 1)
            }
            // A slice fixes the other modes, and the kept modes start at 0.
            Descriptor::Keep if matches!(op, Op::Slice) => {
                let mut k = at.lo;
                while k < at.hi {
                    self.kept[k] = true;
                    k += 1;
                }
                (false, 0)
            }
            Descriptor::Keep => {
                return Err(LayoutError::new(op, path, Cause::UnexpectedKeep, [SymInt(0); 3]));
            }
            Descriptor::Xor(value) => {
                return Err(LayoutError::new(op, path, Cause::XorStride, [SymInt::raw(*value), SymInt(0), SymInt(0)]));
            }
            Descriptor::Layout(_) | Descriptor::Swizzled(_) => {
                return Err(LayoutError::new(op, path, Cause::OperandKind, [SymInt(1), SymInt(0), SymInt(0)]));
            }
        };
        self.feed(at, slot, value);
        Ok(())
    }

    /// Lets the leaves below `at` take their digits from one integer: run-time integer number `value` if `slot`, else the constant `value`.
    const fn feed(&mut self, at: TreeNode, slot: bool, value: usize) {
        if at.lo < at.hi {
            self.first[at.lo] = true;
            self.last[at.hi - 1] = true;
            self.coordinate.slot[at.lo] = slot;
            self.coordinate.value[at.lo] = value;
        }
    }
}

/// Returns how an index inside the shape can overflow; XOR strides add at most `most` to it.
const fn overflow(pattern: &Pattern, mut most: i128) -> Overflow {
    let l = &pattern.lay;
    let (mut signed, mut k) = (false, 0);
    while k < l.len() {
        let stride = if l.basis[k] == 0 { l.scale(k) } else { SymInt(0) };
        let (extent, stride) = (pattern.scope.facts(l.extent(k)), pattern.scope.facts(stride));
        signed |= stride.lo < 0;
        let step = if stride.hi as i128 > -(stride.lo as i128) { stride.hi as i128 } else { -(stride.lo as i128) };
        most += (extent.hi as i128 - 1) * step;
        if most > isize::MAX as i128 {
            most = isize::MAX as i128 + 1;
        }
        k += 1;
    }
    match (most > isize::MAX as i128, signed) {
        (false, _) => Overflow::Never,
        (true, false) => Overflow::Unsigned,
        (true, true) => Overflow::Signed,
    }
}

/// Returns `a * b` if it is known or one of the first `len` nodes, and `None` otherwise.
const fn existing_product(scope: &mut ExprGraph<MAX_LEAVES>, a: SymInt, b: SymInt, len: usize) -> Option<SymInt> {
    match scope.mul(a, b) {
        Ok(product) => match product.node() {
            Some(node) if node >= len => None,
            _ => Some(product),
        },
        Err(_) => None,
    }
}
