//! Dynamic layouts as kernels take them, and their conversion to layout types.

use super::layout::{Layout, whole_part};
use super::strided::Strided;
use crate::types::index::evaluate::range_of;
use crate::types::pattern::operand::{Coordinate, Descriptor, IntTuple, MAX_LEAVES, Slots, div_rem};
use crate::types::walk::coordinate_box::CoordinateBox;
use crate::types::walk::loops::Loops;
use crate::types::walk::positions::digits;
use crate::types::walk::raw_layout::{RawLayout, StorageSpan};
use core::ops::Range;
use layout_algebra::DynLayout;
use layout_algebra::algebra::injective::injective;
use layout_algebra::algebra::xor::Partial;
use layout_algebra::error::{Cause, LayoutError, Op, Path, Result, Text};
use layout_algebra::value::{Basis, LayoutValue, SymInt, TreeNode};

/// A walk over the integers of a coordinate and the leaves below each.
struct Walk<'a, const N: usize> {
    layout: &'a LayoutValue<N>,
    inputs: &'a Slots,
    next: usize,
}

impl<const N: usize> Walk<'_, N> {
    /// Calls `visit` with each integer of `form` and the range of its leaves. Returns `None` if nesting differs or `visit` does.
    fn integers(
        &mut self,
        at: TreeNode,
        form: &Descriptor,
        visit: &mut impl FnMut(usize, core::ops::Range<usize>) -> Option<()>,
    ) -> Option<()> {
        let tree = &self.layout.tree;
        match form {
            Descriptor::Tuple(modes) => {
                if tree.is_leaf(at) || tree.rank(at) != modes.len() {
                    return None;
                }
                let mut lo = at.lo;
                for form in *modes {
                    let mode = tree.child_from(at, lo)?;
                    self.integers(mode, form, visit)?;
                    lo = mode.hi;
                }
                Some(())
            }
            Descriptor::Known(value) => visit(*value as usize, at.lo..at.hi),
            Descriptor::Input(_) => {
                self.next += 1;
                visit(self.inputs.get(self.next - 1).copied().unwrap_or(0), at.lo..at.hi)
            }
            Descriptor::Xor(_) | Descriptor::Keep | Descriptor::Layout(_) | Descriptor::Swizzled(_) => None,
        }
    }
}

/// Calls `visit` with each integer of `c` and the range of its leaves. Returns `None` if the nesting differs or `visit` returns `None`.
#[inline]
fn integers<const N: usize, C: IntTuple>(
    l: &LayoutValue<N>,
    c: &C,
    visit: &mut impl FnMut(usize, core::ops::Range<usize>) -> Option<()>,
) -> Option<()> {
    let mut inputs = [0; MAX_LEAVES];
    c.gather(&mut inputs, 0);
    Walk { layout: l, inputs: &inputs, next: 0 }.integers(l.root(), &C::DESCRIPTOR, visit)
}

/// Makes a coordinate of type `C`: `value` computes each integer from the range of its leaves. Panics if `C` does not fit the shape.
fn collect<const N: usize, C: Coordinate>(l: &LayoutValue<N>, mut value: impl FnMut(core::ops::Range<usize>) -> usize) -> C {
    let (mut values, mut k) = ([0; MAX_LEAVES], 0);
    let fits = Walk { layout: l, inputs: &[0; MAX_LEAVES], next: 0 }.integers(l.root(), &C::DESCRIPTOR, &mut |_, leaves| {
        values[k] = value(leaves);
        k += 1;
        Some(())
    });
    if fits.is_none() {
        misfit(&C::DESCRIPTOR, &values, l);
    }
    C::from_values(&values, &mut 0)
}

#[cold]
#[track_caller]
fn misfit<const N: usize>(form: &Descriptor, inputs: &Slots, l: &LayoutValue<N>) -> ! {
    let mut text = Text::<512>::EMPTY;
    form.write(inputs, &mut 0, &mut text);
    panic!("the coordinate {} does not fit {l}", text.as_str())
}

/// A coordinate type that does not fit the shape is found only when the program runs. [`Layout::checked_crd2idx`] then
/// returns `None`, and methods without a checked form panic with the coordinate and the layout.
// SAFETY: all methods walk over the leaves of one value. `DynLayout::from_value` has checked its size and indices;
// `index_range` checks them for the integers of the target.
unsafe impl<const N: usize> RawLayout for DynLayout<N> {
    const SPAN: StorageSpan = StorageSpan::Unknown;

    const INJECTIVE: Option<bool> = None;

    type Fits<C: IntTuple> = ();

    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let l = self.value();
        let (mut modes, mut k, mut weight) = ([0; MAX_LEAVES], 0, 1usize);
        let mut end = l.tree.mode_end(0);
        let fits = integers(l, &c, &mut |x, leaves| {
            // An integer may stand for several leaves only if they belong to one mode, or are all leaves.
            if leaves.len() == l.len() {
                modes = digits(x, &self.extents(), self.rank());
                return Some(());
            }
            // An empty mode has no integer.
            while leaves.start >= end {
                (k, weight, end) = (k + 1, 1, l.tree.mode_end(end));
            }
            modes[k] += x.wrapping_mul(weight);
            weight = weight.wrapping_mul(size(l, leaves));
            Some(())
        });
        if fits.is_none() {
            self.outside(c);
        }
        modes
    }

    fn index_of(&self, modes: &Slots) -> usize {
        let l = self.value();
        let (mut index, mut k, mut lo) = (Partial::default(), 0, l.root().lo);
        while lo < l.root().hi {
            let end = l.tree.mode_end(lo);
            add(&mut index, l, modes[k], lo..end);
            (k, lo) = (k + 1, end);
        }
        index.whole()
    }

    fn loops<const M: usize>(&self) -> Option<Loops<M>> {
        let l = self.value();
        // XOR strides do not add up along a loop, so there are no loops.
        if l.len() > M || l.has_xor() {
            return None;
        }
        let mut loops = Loops::new(l.len());
        for k in 0..l.len() {
            (loops.extents[k], loops.steps[k]) = (l.shape[k] as usize, l.stride[k] as usize);
        }
        Some(loops)
    }

    fn places<C: Coordinate>(&self) -> Slots {
        let (mut places, mut place) = ([0; MAX_LEAVES], 0);
        let fits = Walk { layout: self.value(), inputs: &[0; MAX_LEAVES], next: 0 }.integers(
            self.value().root(),
            &C::DESCRIPTOR,
            &mut |_, leaves| {
                places[leaves].fill(place);
                place += 1;
                Some(())
            },
        );
        if fits.is_none() {
            misfit(&C::DESCRIPTOR, &places, self.value());
        }
        places
    }

    fn part(&self) -> Option<CoordinateBox> {
        whole_part(self)
    }

    fn sum_at(&self, k: usize) -> usize {
        Layout::crd2idx(self, k)
    }

    fn same_as(&self, other: &Self) -> bool {
        self == other
    }

    #[cold]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let mut inputs = [0; MAX_LEAVES];
        c.gather(&mut inputs, 0);
        misfit(&C::DESCRIPTOR, &inputs, self.value())
    }
}

impl<const N: usize> Layout for DynLayout<N> {
    fn rank(&self) -> usize {
        DynLayout::rank(self)
    }

    fn size(&self) -> usize {
        DynLayout::size(self) as usize
    }

    fn mode_size<const K: usize>(&self) -> usize {
        let l = self.value();
        let mode = l.tree.mode(l.root(), K).unwrap_or_else(|| panic!("no mode {K} in {self}"));
        size(l, mode.lo..mode.hi)
    }

    #[inline]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let l = self.value();
        let mut index = Partial::default();
        let fits = integers(l, &c, &mut |x, leaves| {
            add(&mut index, l, x, leaves);
            Some(())
        });
        if fits.is_none() {
            self.outside(c);
        }
        index.whole()
    }

    #[inline]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        // Making the layout has checked every index inside the shape.
        self.contains(c).then(|| Layout::crd2idx(self, c))
    }

    #[inline]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let l = self.value();
        integers(l, &c, &mut |x, leaves| (x < size(l, leaves)).then_some(())).is_some()
    }

    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        let l = self.value();
        let mut rest = index;
        collect(l, |leaves| {
            if leaves.end == l.len() {
                return core::mem::take(&mut rest);
            }
            let (quotient, digit) = div_rem(rest, size(l, leaves));
            rest = quotient;
            digit
        })
    }

    fn shape<C: Coordinate>(&self) -> C {
        collect(self.value(), |leaves| size(self.value(), leaves))
    }

    fn extents(&self) -> Slots {
        let l = self.value();
        let (mut extents, mut k, mut lo) = ([1; MAX_LEAVES], 0, l.root().lo);
        if l.tree.is_leaf(l.root()) {
            extents[0] = l.shape[0] as usize;
            return extents;
        }
        while let Some(mode) = l.tree.child_from(l.root(), lo) {
            extents[k] = size(l, mode.lo..mode.hi);
            (k, lo) = (k + 1, mode.hi);
        }
        extents
    }

    fn mode_stride(&self, k: usize) -> Option<isize> {
        let tree = &self.value().tree;
        let mode = tree.mode(self.value().root(), k)?;
        self.loops::<MAX_LEAVES>()?.merged(mode.lo..mode.hi)
    }

    fn index_range(&self) -> Result<Range<isize>> {
        range_of(self.value())
    }

    fn is_injective(&self) -> Option<bool> {
        injective(self.value())
    }
}

/// Splits the integer `x` into digits of the leaves `leaves`, and adds their index to `index`. The last leaf takes the whole quotient.
#[inline]
fn add<const N: usize>(index: &mut Partial, l: &LayoutValue<N>, x: usize, leaves: Range<usize>) {
    let mut rest = x;
    let last = leaves.end.wrapping_sub(1);
    for k in leaves {
        let (quotient, digit) = if k == last { (0, rest) } else { div_rem(rest, l.shape[k] as usize) };
        rest = quotient;
        index.add(digit, l.stride[k], l.basis(k));
    }
}

fn size<const N: usize>(l: &LayoutValue<N>, leaves: core::ops::Range<usize>) -> usize {
    l.shape[leaves].iter().fold(1, |size, extent| size.wrapping_mul(*extent as usize))
}

/// Converts the layout to a layout type. Fails unless it has the nesting, the static numbers and the facts of the type.
///
/// ```
/// use layout_core::{DynLayout, Int, Layout, Strided};
/// type Tile = Strided<(Int<8>, usize), (usize, Int<1>)>;
/// let tile = Tile::try_from(&DynLayout::<16>::parse("(8,4):(4,1)")?)?;
/// assert_eq!(tile.crd2idx((3, 2)), 14);
/// let error = Tile::try_from(&DynLayout::<16>::parse("(16,4):(4,1)")?).unwrap_err();
/// assert_eq!(error.to_string(), "make_layout: mode 0 has 16, where the type has 8");
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
impl<S: IntTuple, D: IntTuple, const N: usize> TryFrom<&DynLayout<N>> for Strided<S, D> {
    type Error = LayoutError;

    fn try_from(layout: &DynLayout<N>) -> Result<Self> {
        let l = layout.value();
        accepts(&S::DESCRIPTOR, l, &l.shape, &[0; N], l.root(), Path::ROOT)?;
        accepts(&D::DESCRIPTOR, l, &l.stride, &l.basis, l.root(), Path::ROOT)?;
        Ok(Strided::new(S::from_leaves(&l.shape, &mut 0), D::from_leaves(&l.stride, &mut 0)))
    }
}

/// Fails, with the mode `path`, unless the leaves below `at` and their bases fit the type `form`.
fn accepts<const N: usize>(
    form: &Descriptor,
    l: &LayoutValue<N>,
    leaves: &[i64; N],
    bases: &[u32; N],
    at: TreeNode,
    path: Path,
) -> Result<()> {
    let refused = |cause, numbers: [i64; 3]| Err(LayoutError::new(Op::MakeLayout, path, cause, numbers.map(SymInt::raw)));
    match form {
        Descriptor::Tuple(modes) => {
            if l.tree.is_leaf(at) {
                return refused(Cause::NotCongruent, [modes.len() as i64, 0, 0]);
            }
            if l.tree.rank(at) != modes.len() {
                return refused(Cause::RankMismatch, [modes.len() as i64, l.tree.rank(at) as i64, 0]);
            }
            let mut lo = at.lo;
            for (k, form) in modes.iter().enumerate() {
                let Some(mode) = l.tree.child_from(at, lo) else { break };
                accepts(form, l, leaves, bases, mode, path.then(k))?;
                lo = mode.hi;
            }
            Ok(())
        }
        _ if !l.tree.is_leaf(at) => refused(Cause::ShapeStrideMismatch, [0; 3]),
        Descriptor::Xor(value) if !Basis(bases[at.lo]).is_xor() || *value != leaves[at.lo] => {
            refused(Cause::StaticLeaf, [leaves[at.lo], *value, 0])
        }
        Descriptor::Xor(_) => Ok(()),
        _ if Basis(bases[at.lo]).is_xor() => refused(Cause::XorStride, [leaves[at.lo], 0, 0]),
        Descriptor::Known(value) if *value != leaves[at.lo] => refused(Cause::StaticLeaf, [leaves[at.lo], *value, 0]),
        Descriptor::Input(facts) => {
            let value = leaves[at.lo];
            // A leaf must also fit the integers of the target, which may be narrower than the integers of the algebra.
            let holds = facts.lo <= value && value <= facts.hi && value % facts.div == 0 && isize::try_from(value).is_ok();
            if holds { Ok(()) } else { refused(Cause::LeafFacts, [value, facts.div, facts.lo]) }
        }
        Descriptor::Known(_) => Ok(()),
        Descriptor::Keep | Descriptor::Layout(_) | Descriptor::Swizzled(_) => refused(Cause::UnexpectedKeep, [0; 3]),
    }
}
