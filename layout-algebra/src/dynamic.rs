//! Layouts, tuples and tilers whose every leaf is a run-time number.

use crate::algebra::operands::Operand;
use crate::algebra::tiler::Tiler;
use crate::algebra::xor::Partial;
use crate::algebra::{size, trace};
use crate::error::{Cause, LayoutError, Op, OperandKind, Result};
use crate::fast_div::div_rem;
use crate::text::Parser;
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt, TupleValue};

/// A layout of at most `N` leaves that are known when the program runs. It uses no heap, and every operation returns a `Result`.
///
/// Its constructors check that the size and the indices fit 64 bits, so indexing inside the domain cannot overflow.
///
/// ```
/// use layout_algebra::{DynLayout, DynCoord};
/// let a: DynLayout = "((2,4),(3,5)):((3,6),(1,24))".parse()?;
/// assert_eq!(a.crd2idx(&"(11,12)".parse()?)?, 129);
/// let tiles = DynLayout::<16>::parse("(32,16):(1,32)")?.logical_divide(&"(8,4)".parse()?)?;
/// assert_eq!(tiles.to_string(), "((8,4),(4,4)):((1,8),(32,128))");
/// let error = DynLayout::<16>::parse("(30,16):(1,30)")?.zipped_divide(&"(8,4)".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "zipped_divide: tile 8 does not divide the extent 30 of mode 0");
/// let swizzled: DynLayout = "(8,8):(^9,^1)".parse()?;
/// assert_eq!(swizzled.right_inverse()?.to_string(), "(8,8):(^8,^9)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct DynLayout<const N: usize = 16>(LayoutValue<N>);

/// A nested tuple of run-time integers: a shape, an order, or a coordinate (slices allow `_`).
///
/// ```
/// use layout_algebra::{DynCoord, DynLayout};
/// let shape = DynCoord::<16>::flat(&[8, 6])?;
/// let a = DynLayout::new(&shape, &DynCoord::parse("(6,1)")?)?;
/// assert_eq!(a.crd2idx(&DynCoord::flat(&[7, 5])?)?, 47);
/// // An integer unravels in the shape, the first mode fastest.
/// assert_eq!(a.crd2idx(&DynCoord::integer(9)?)?, 7);
/// // `_` keeps a mode, and has no number.
/// let row: DynCoord = "(3,_)".parse()?;
/// assert_eq!(row.leaves().collect::<Vec<_>>(), [Some(3), None]);
/// assert_eq!(a.slice(&row)?.0.to_string(), "(6):(1)");
/// assert!(row.value().has_keep() && a.crd2idx(&row).is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct DynCoord<const N: usize = 16>(TupleValue<N>);

/// A run-time tiler: a layout, or a tuple of tilers with `_`.
///
/// ```
/// use layout_algebra::{DynCoord, DynLayout, DynTiler};
/// let a: DynLayout = "(8,6):(1,8)".parse()?;
/// let block = DynTiler::shape(&DynCoord::flat(&[4, 3])?)?;
/// assert_eq!(a.zipped_divide(&block)?.to_string(), "((4,3),(2,2)):((1,8),(4,24))");
/// // Every second row of a tile; the columns stay as they are.
/// let rows = DynTiler::parse("[4:2;_]")?;
/// assert_eq!(a.logical_divide(&rows)?.to_string(), "((4,2),6):((2,1),8)");
/// // A layout cuts the integer coordinates of the whole.
/// let pairs = DynTiler::layout(&DynLayout::parse("2:24")?);
/// assert_eq!(a.logical_divide(&pairs)?.to_string(), "(2,24):(24,1)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct DynTiler<const N: usize = 16>(Tiler<N>);

/// The constructors, sizes and indices.
///
/// ```
/// use layout_algebra::DynLayout;
/// let a: DynLayout = "((2,4),(3,5)):((3,6),(1,24))".parse()?;
/// assert_eq!((a.rank(), a.depth(), a.size(), a.cosize()), (2, 2, 120, 120));
/// assert_eq!((a.shape().to_string(), a.stride().to_string()), ("((2,4),(3,5))".into(), "((3,6),(1,24))".into()));
/// // Row 11 lies outside the 8 rows. `crd2idx` continues the last leaf there, `checked_crd2idx` does not.
/// assert_eq!((a.crd2idx(&"(11,12)".parse()?)?, a.checked_crd2idx(&"(11,12)".parse()?)?), (129, None));
/// assert_eq!(a.checked_crd2idx(&"(7,12)".parse()?)?, Some(117));
/// // Column 12, and the index of its first element.
/// let (column, first) = a.slice(&"(_,12)".parse()?)?;
/// assert_eq!((column.to_string().as_str(), first), ("((2,4)):((3,6))", 96));
/// // The value has every leaf.
/// assert_eq!((a.value().len(), a.value().scale(3).value()), (4, Some(24)));
/// // Indices from -5 to 6: twelve of them.
/// let down: DynLayout = "(6,2):(-1,6)".parse()?;
/// assert_eq!((down.cosize(), down.coshape()?.to_string().as_str()), (12, "12"));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
impl<const N: usize> DynLayout<N> {
    /// Returns the layout as a value of the algebra.
    pub const fn value(&self) -> &LayoutValue<N> {
        &self.0
    }

    /// Makes a layout from a value of the algebra.
    ///
    /// Fails if the tree is not a nesting, a leaf is not known, a value is a coordinate, or the size or an index does not fit.
    ///
    /// ```
    /// use layout_algebra::{DynLayout, error::Op, text::Parser, value::ExprGraph};
    /// let a: DynLayout = "(8,6):(1,8)".parse()?;
    /// assert_eq!(DynLayout::from_value(*a.value())?, a);
    /// let open = Parser::new("(?,6):(1,8)").layout::<16, 1>(&mut ExprGraph::new(Op::Parse))?;
    /// assert!(DynLayout::from_value(open).is_err());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn from_value(lay: LayoutValue<N>) -> Result<Self> {
        // The fields of `lay` are public, and tensors rely on the indices of a layout.
        if !lay.is_nested() {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::Nesting, lay.len() as i64, 0));
        }
        if !lay.is_known() {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::Undecided, 0, 0));
        }
        if !lay.gives_integers() {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::BasisStride, 0, 0));
        }
        lay.check(&mut ExprGraph::<0>::new(Op::MakeLayout))?;
        Ok(DynLayout(lay))
    }

    /// Makes the layout `shape : stride`. Fails if the two are nested differently, and if the size or an index does not fit.
    ///
    /// ```
    /// use layout_algebra::{DynCoord, DynLayout};
    /// let a = DynLayout::<16>::new(&DynCoord::flat(&[3, 4])?, &DynCoord::flat(&[4, 1])?)?;
    /// assert_eq!(a.to_string(), "(3,4):(4,1)");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn new(shape: &DynCoord<N>, stride: &DynCoord<N>) -> Result<Self> {
        let mut strides = LayoutValue::empty();
        strides.tree = stride.0.tree;
        strides.stride = stride.0.leaf;
        let mut cx = ExprGraph::<0>::new(Op::MakeLayout);
        let lay = LayoutValue::zip(&shape.0, &strides, &mut cx)?;
        lay.check(&mut cx)?;
        Ok(DynLayout(lay))
    }

    /// Parses a layout from the notation. Fails if the text is no layout, a leaf is not known, or the size or an index does not fit.
    pub fn parse(text: &str) -> Result<Self> {
        match Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse))? {
            Operand::Layout(lay) => DynLayout::from_value(lay),
            other => Err(other.instead_of(OperandKind::Layout)),
        }
    }

    /// Returns the number of modes.
    pub const fn rank(&self) -> usize {
        self.0.tree.rank(self.0.root())
    }

    /// Returns the depth of the nesting: 0 for a bare integer, 1 for a flat tuple.
    pub const fn depth(&self) -> usize {
        self.0.tree.depth(self.0.root())
    }

    /// Returns the number of coordinates.
    pub fn size(&self) -> i64 {
        // The constructor has checked that it fits.
        self.0.size_of(self.0.root(), &mut ExprGraph::<0>::new(Op::Size)).map_or(0, SymInt::word)
    }

    /// Returns the greatest minus the least index, plus 1; 0 for an empty layout.
    pub fn cosize(&self) -> i64 {
        self.0.cosize(&mut ExprGraph::<0>::new(Op::Cosize)).map_or(0, |cosize| cosize.word())
    }

    /// Returns the extent of the indices. All strides are integers or XOR strides here, so it equals [`DynLayout::cosize`].
    pub fn coshape(&self) -> Result<DynCoord<N>> {
        self.0.coshape(&mut ExprGraph::<0>::new(Op::Coshape)).map(DynCoord)
    }

    /// Returns the index of a coordinate, also outside the shape: the last leaf of a mode takes the whole quotient. Fails if the
    /// coordinate does not fit the nesting of the shape, or the index 64 bits.
    pub fn crd2idx(&self, c: &DynCoord<N>) -> Result<i64> {
        self.0.crd2idx(&c.0, &mut ExprGraph::<0>::new(Op::Crd2Idx)).map(SymInt::word)
    }

    /// Returns the index of a coordinate inside the shape, `None` outside. Fails if the nesting does not match.
    pub fn checked_crd2idx(&self, c: &DynCoord<N>) -> Result<Option<i64>> {
        if !self.0.in_bounds(&c.0, &mut ExprGraph::<0>::new(Op::Crd2Idx))? {
            return Ok(None);
        }
        self.crd2idx(c).map(Some)
    }

    /// Returns the index of one integer for each mode, or `None` if their number is not the rank.
    ///
    /// Defined outside the shape like [`DynLayout::crd2idx`], modulo `2^usize::BITS` like layout types. It is one loop over the
    /// leaves.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// let a: DynLayout = "((2,4),(3,5)):((3,6),(1,24))".parse()?;
    /// assert_eq!(a.index(&[11, 12]), Some(129));
    /// assert_eq!(a.index(&[11]), None);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    #[inline]
    pub fn index(&self, coordinates: &[usize]) -> Option<usize> {
        let l = &self.0;
        let strides = l.stride[..l.len()].iter().zip(&l.basis[..l.len()]);
        let leaves = l.shape[..l.len()].iter().zip(strides).zip(&l.tree.join[..l.len()]);
        let mut modes = coordinates.iter();
        let mut rest = modes.next().copied();
        let mut index = Partial::default();
        for ((extent, (stride, basis)), join) in leaves {
            let left = rest?;
            // Leaves of different modes share at most the outermost tuple.
            let digit = if *join < 2 {
                rest = modes.next().copied();
                left
            } else {
                let (quotient, digit) = div_rem(left, *extent as usize);
                rest = Some(quotient);
                digit
            };
            index.add(digit, *stride, Basis(*basis));
        }
        if rest.is_none() { Some(index.whole()) } else { None }
    }

    /// Returns the coordinate with the colexicographic number `index` in the shape. The last mode takes the whole quotient.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// let rows: DynLayout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(rows.idx2crd(21)?.to_string(), "(1,5)");
    /// assert_eq!(rows.preimage(21)?.to_string(), "(2,5)");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn idx2crd(&self, index: i64) -> Result<DynCoord<N>> {
        let index = TupleValue::scalar(number(Op::Idx2Crd, index)?);
        self.shape().0.idx2crd(&index, &mut ExprGraph::<0>::new(Op::Idx2Crd)).map(DynCoord)
    }

    /// Returns a coordinate whose index is `index`. Fails if there is none.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// let padded: DynLayout = "(4,3):(1,5)".parse()?;
    /// assert_eq!(padded.preimage(12)?.to_string(), "(2,2)");
    /// assert_eq!(padded.preimage(9).unwrap_err().to_string(), "preimage: no coordinate of the layout has index 9");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn preimage(&self, index: i64) -> Result<DynCoord<N>> {
        let index = number(Op::Preimage, index)?;
        self.0.preimage(index, &mut ExprGraph::<0>::new(Op::Preimage)).map(DynCoord)
    }

    /// Returns the shape.
    pub const fn shape(&self) -> DynCoord<N> {
        DynCoord(self.0.shape_of(self.0.root()))
    }

    /// Returns the numbers of the strides, also of XOR strides; [`value`](DynLayout::value) tells which strides are XOR strides.
    pub const fn stride(&self) -> DynCoord<N> {
        DynCoord(TupleValue::nested(self.0.tree, self.0.stride))
    }

    /// Returns the modes marked `_` in `c`, and the index of the other modes at their fixed coordinates. Fails if `c` does not match.
    pub fn slice(&self, c: &DynCoord<N>) -> Result<(Self, i64)> {
        let (lay, offset) = self.0.slice(&c.0, &mut ExprGraph::<0>::new(Op::Slice))?;
        Ok((DynLayout(lay), offset.word()))
    }

    /// Traces [`DynLayout::composition`]: the runs into which `self` cuts the leaves of `b`, and their sums. If the
    /// composition is refused, the trace ends there and contains the refusal.
    ///
    /// Fails if a stride is not an integer, or if a product of extents of `self` does not fit 64 bits.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// let (a, b): (DynLayout, DynLayout) = ("(6,4):(1,8)".parse()?, "8:2".parse()?);
    /// let trace = a.trace_composition(&b)?;
    /// // Three steps of 2 fit in a column of 6, and 3 does not divide 8.
    /// let run = trace.runs(0).next().unwrap();
    /// assert_eq!((run.step, run.extent, run.divides()), (2, 3, false));
    /// assert_eq!(trace.refusal(), a.composition(&b).err());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn trace_composition(&self, b: &DynLayout<N>) -> Result<trace::CompositionTrace<N>> {
        trace::composition(&self.0, &b.0)
    }

    /// Traces [`DynLayout::complement`]: the modes by stride, the gaps below them, and the refusal if there is one. With `exact`,
    /// strides must nest, as divides require.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// let a: DynLayout = "(3,2):(1,4)".parse()?;
    /// let trace = a.trace_complement(true)?;
    /// // The second mode begins at 4, which is no multiple of the 3 elements below it.
    /// let (extent, stride, error) = trace.refusal().unwrap();
    /// assert_eq!((extent, stride, error.class()), (2, 4, "layout/stride_does_not_nest"));
    /// assert!(a.trace_complement(false)?.refusal().is_none());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn trace_complement(&self, exact: bool) -> Result<trace::ComplementTrace<N>> {
        trace::complement(&self.0, exact)
    }
}

/// Expands to the type of an operand of a kind.
macro_rules! given {
    (layout) => { &DynLayout<N> };
    (tiler) => { &DynTiler<N> };
    (order) => { Option<&DynCoord<N>> };
    (integer) => { i64 };
    (extent) => { i64 };
    (number) => { i64 };
    (mode) => { usize };
    ($tuple:ident) => { &DynCoord<N> };
}

/// Expands to the argument that a function of the algebra takes for an operand of a kind.
macro_rules! pass {
    (order $operand:ident $op:expr) => {
        $operand.map(|order| &order.0)
    };
    (integer $operand:ident $op:expr) => {
        number($op, $operand)?
    };
    (extent $operand:ident $op:expr) => {
        number($op, $operand)?
    };
    (number $operand:ident $op:expr) => {
        $operand
    };
    (mode $operand:ident $op:expr) => {
        $operand
    };
    ($kind:ident $operand:ident $op:expr) => {
        &$operand.0
    };
}

/// Expands to an example of a method, with operands in the notation.
macro_rules! example {
    ($is:literal = $type:ident, $of:literal, $method:ident, $operands:tt) => {
        concat!(
            "```\nuse layout_algebra::",
            stringify!($type),
            ";\nlet a: ",
            stringify!($type),
            "<16> = \"",
            $of,
            "\".parse()?;\nassert_eq!(a.",
            stringify!($method),
            written!($operands),
            "?.to_string(), \"",
            $is,
            "\");\n# Ok::<(), layout_algebra::LayoutError>(())\n```"
        )
    };
}

/// Expands to the text of operands in parentheses.
macro_rules! written {
    (()) => { "()" };
    (($kind:ident $text:literal $(, $more:ident $more_text:literal)*)) => {
        concat!("(", written!(@ $kind $text), $(", ", written!(@ $more $more_text),)* ")")
    };
    (@ integer $text:literal) => { $text };
    (@ extent $text:literal) => { $text };
    (@ number $text:literal) => { $text };
    (@ mode $text:literal) => { $text };
    (@ order $text:literal) => { concat!("Some(&\"", $text, "\".parse()?)") };
    (@ $kind:ident $text:literal) => { concat!("&\"", $text, "\".parse()?") };
}

macro_rules! methods {
    (
        layouts { $($name:ident $text:literal $aliases:tt on $composed:ident $(by $custom:ident)? {
            $($(#[$law:meta])+ $method:ident $try_method:ident ($($arg:ident: $type:ident $kind:ident),*) => ($of:literal $(, $with:literal)*) $is:literal;)+
        })* }
        makers { $($maker:ident $maker_text:literal $maker_aliases:tt on $maker_composed:ident {
            $(#[$maker_law:meta])+ $make:ident ($($maker_arg:ident: $maker_type:ident $maker_kind:ident),*) => ($maker_of:literal $(, $maker_with:literal)*) $maker_is:literal;
        })* }
        functions $functions:tt
    ) => {
        /// The operations, each with its law; `a` stands for the layout itself.
        impl<const N: usize> DynLayout<N> {
            $($(
                $(#[$law])+
                ///
                #[doc = example!($is = DynLayout, $of, $method, ($($kind $with),*))]
                pub fn $method(&self, $($arg: given!($kind)),*) -> Result<Self> {
                    let result = self.0.$method($(pass!($kind $arg Op::$name),)* &mut ExprGraph::<0>::new(Op::$name));
                    size::fitting(result, Op::$name).map(DynLayout)
                }
            )+)*
        }

        /// The layouts made from a shape.
        impl<const N: usize> DynCoord<N> {
            $(
                $(#[$maker_law])+
                ///
                #[doc = example!($maker_is = DynCoord, $maker_of, $make, ($($maker_kind $maker_with),*))]
                pub fn $make(&self, $($maker_arg: given!($maker_kind)),*) -> Result<DynLayout<N>> {
                    let result = self.0.$make($(pass!($maker_kind $maker_arg Op::$maker),)* &mut ExprGraph::<0>::new(Op::$maker));
                    result.and_then(DynLayout::from_value)
                }
            )*
        }
    };
}

operations!(methods);

fn number(op: Op, value: i64) -> Result<SymInt> {
    SymInt::known(value).ok_or(LayoutError::plain(op, Cause::TooLow, SymInt::MIN, 0))
}

impl<const N: usize> DynCoord<N> {
    /// Makes a bare integer. Fails below [`SymInt::MIN`].
    pub fn integer(value: i64) -> Result<Self> {
        number(Op::Parse, value).map(|value| DynCoord(TupleValue::scalar(value)))
    }

    /// Makes a flat tuple of integers. Fails with more than `N` of them, or one below [`SymInt::MIN`].
    pub fn flat(values: &[i64]) -> Result<Self> {
        let mut out = TupleValue::empty();
        let cx = ExprGraph::<0>::new(Op::Parse);
        for value in values {
            out.push_leaf(1, 1, number(Op::Parse, *value)?, &cx)?;
        }
        Ok(DynCoord(out))
    }

    /// Parses an integer or a tuple from the notation. Fails if the text is neither.
    pub fn parse(text: &str) -> Result<Self> {
        match Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse))? {
            Operand::Tuple(ints) => Ok(DynCoord(ints)),
            other => Err(other.instead_of(OperandKind::Tuple)),
        }
    }

    /// Makes a tuple from a value of the algebra. Fails if its tree is not a nesting, or a leaf is neither known nor `_`.
    ///
    /// ```
    /// use layout_algebra::{DynCoord, DynLayout};
    /// let (a, c): (DynLayout, DynCoord) = ("(8,6):(1,8)".parse()?, "(2,3)".parse()?);
    /// // The value gives access to the tree and to every leaf.
    /// assert_eq!((c.value().len(), c.value().leaf(1).value()), (2, Some(3)));
    /// assert_eq!(a.crd2idx(&DynCoord::from_value(*c.value())?)?, 26);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn from_value(tuple: TupleValue<N>) -> Result<Self> {
        if !tuple.is_nested() {
            return Err(LayoutError::plain(Op::Parse, Cause::Nesting, tuple.len() as i64, 0));
        }
        match tuple.is_known() {
            true => Ok(DynCoord(tuple)),
            false => Err(LayoutError::plain(Op::Parse, Cause::Undecided, 0, 0)),
        }
    }

    /// Returns the leaves, `None` for `_`. Empty tuples have no leaf.
    pub fn leaves(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        (0..self.0.len()).filter(|k| !self.0.tree.is_stand_in(*k)).map(|k| self.0.leaf(k).value())
    }

    /// Returns the tuple as a value of the algebra.
    pub const fn value(&self) -> &TupleValue<N> {
        &self.0
    }
}

impl<const N: usize> DynTiler<N> {
    /// Makes a tiler from a layout.
    pub fn layout(layout: &DynLayout<N>) -> Self {
        DynTiler(Tiler::layout(&layout.0))
    }

    /// Makes a tiler from a shape: every extent `n` becomes `n:1`. Fails if an extent is not positive.
    pub fn shape(shape: &DynCoord<N>) -> Result<Self> {
        Tiler::shape(&shape.0, &ExprGraph::<0>::new(Op::Composition)).map(DynTiler)
    }

    /// Parses a tiler from the notation, or fails: a layout, a shape (every extent `n` is `n:1`), or `[tiler;_;...]`.
    pub fn parse(text: &str) -> Result<Self> {
        let mut cx = ExprGraph::<0>::new(Op::Parse);
        match Parser::whole(text, &mut cx)? {
            Operand::Layout(lay) => Ok(DynTiler(Tiler::layout(&lay))),
            Operand::Tuple(shape) => Tiler::shape(&shape, &cx).map(DynTiler),
            Operand::Tiler(tiler) => Ok(DynTiler(tiler)),
            other => Err(other.instead_of(OperandKind::Tiler)),
        }
    }
}

macro_rules! text_forms {
    ($($type:ident)*) => { $(
        impl<const N: usize> core::str::FromStr for $type<N> {
            type Err = LayoutError;
            fn from_str(text: &str) -> Result<Self> {
                Self::parse(text)
            }
        }

        impl<const N: usize> core::fmt::Display for $type<N> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<const N: usize> core::fmt::Debug for $type<N> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    )* };
}

text_forms!(DynLayout DynCoord DynTiler);

/// Two layouts are equal if their nesting, extents and strides are.
impl<const N: usize> PartialEq for DynLayout<N> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        let same = |k: usize| a.shape[k] == b.shape[k] && a.stride[k] == b.stride[k] && a.basis[k] == b.basis[k];
        a.tree.congruent(a.root(), &b.tree, b.root()) && (0..a.len()).all(same)
    }
}

impl<const N: usize> Eq for DynLayout<N> {}
