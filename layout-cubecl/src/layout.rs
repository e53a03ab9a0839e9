//! Layouts in kernels.

use crate::code::Code;
use crate::coordinate::{CubeCoordinate, integers_of};
use crate::expand::expanded;
use crate::{CubeError, Result, domain};
use coordinate_graph::program::{NODES, Program};
use core::marker::PhantomData;
use cubecl::prelude::*;
use layout_algebra::error::Op;
use layout_algebra::value::{ExprGraph, Facts, LayoutValue, MAX_LEAVES};
use layout_core::{DynLayout, TypedLayout};
use std::sync::Arc;

/// A layout as an argument of a kernel: a function from coordinates `C` to an index, or to coordinates `O`.
///
/// A call of [`at`](CubeLayout::at) becomes the additions, products, shifts and XORs of the layout, with its static leaves as
/// constants. Run-time leaves are scalars of the launch, so layouts that differ in them share one kernel. Coordinates outside of the
/// extents continue the formula.
///
/// ```
/// use cubecl::prelude::*;
/// use layout_cubecl::CubeLayout;
///
/// #[cube(launch)]
/// fn read(from: &[f32], to: &mut [f32], layout: CubeLayout<(u32, u32)>) {
///     to[UNIT_POS as usize] = from[layout.at((UNIT_POS_X, UNIT_POS_Y))];
/// }
///
/// fn main() -> layout_cubecl::Result<()> {
///     // The same call on the host.
///     let layout = CubeLayout::<(u32, u32)>::parse("S<2,0,2> o 0 o (4,4):(4,1)")?;
///     assert_eq!(layout.at((2, 3)), 9);
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct CubeLayout<C: CubeCoordinate, O: CubeCoordinate = usize> {
    pub(crate) index: Arc<Index>,
    /// The values of the run-time leaves.
    leaves: Vec<u32>,
    /// The layout, with the values of its run-time leaves.
    text: String,
    /// The extents of the integers of a coordinate.
    pub(crate) extents: Vec<i64>,
    form: PhantomData<(C, O)>,
}

/// An index function that layouts with different run-time leaves share.
pub(crate) struct Index {
    program: Program,
    pub code: Arc<Code>,
    /// The facts of each extent, for all values of the run-time leaves.
    pub extents: Vec<Facts>,
}

impl<C: CubeCoordinate, O: CubeCoordinate> CubeLayout<C, O> {
    /// Reads a layout whose numbers are all known, in the notation. Any expression of the algebra will do.
    ///
    /// Fails if the text is no such layout, if a coordinate `C` does not fit it, or if a number does not fit 32 bits.
    ///
    /// ```
    /// use layout_cubecl::CubeLayout;
    /// let tiles = CubeLayout::<((u32, u32), u32)>::parse("zipped_divide(24:2, 4)").map(|_| ());
    /// assert_eq!(tiles.unwrap_err().to_string(), "a coordinate ((_,_),_) does not fit the layout zipped_divide(24:2, 4)");
    /// let coordinates = CubeLayout::<u32, (u32, u32)>::parse("(4,8):(1@1,1@0)")?;
    /// assert_eq!(coordinates.at(13), (3, 1));
    /// let run_time = CubeLayout::<(u32, u32)>::parse("(4,?):(?,1)").map(|_| ()).unwrap_err();
    /// assert_eq!(run_time.class(), "cube/run_time");
    /// # Ok::<(), layout_cubecl::CubeError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let mut graph = ExprGraph::<NODES>::new(Op::Parse);
        let layout = domain::parse(text, &mut graph)?;
        if graph.inputs > 0 {
            return Err(CubeError::RunTime { layout: text.into(), leaves: graph.inputs });
        }
        let domain = domain::of::<C>(text, &layout, &mut graph)?;
        let program = Program::parse_layout(text, domain.coordinates)?;
        let extents = domain.extents.iter().map(|facts| facts.hi).collect();
        Self::finish(program, domain.extents, Vec::new(), text.into(), extents)
    }

    /// Takes a layout that is known when the program runs. All its numbers become constants of the kernel.
    ///
    /// Fails as [`parse`](CubeLayout::parse) does.
    ///
    /// ```
    /// use layout_core::DynLayout;
    /// use layout_cubecl::CubeLayout;
    /// let rows: DynLayout = "(6,4):(4,1)".parse()?;
    /// assert_eq!(CubeLayout::<(u32, u32)>::of_value(&rows)?.at((5, 3)), 23);
    /// # Ok::<(), layout_cubecl::CubeError>(())
    /// ```
    pub fn of_value<const N: usize>(layout: &DynLayout<N>) -> Result<Self> {
        Self::parse(&layout.to_string())
    }

    /// Takes a layout type with its value. Static leaves become constants of the kernel, run-time leaves become scalars of the launch.
    ///
    /// Fails as [`parse`](CubeLayout::parse) does.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// use layout_cubecl::CubeLayout;
    /// let (rows, pitch) = (100, 128);
    /// let layout = CubeLayout::<(u32, u32)>::of(&make_layout((rows, Int::<64>), (pitch, Int::<1>)))?;
    /// assert_eq!((layout.at((99, 63)), layout.leaves()), (99 * 128 + 63, &[128][..]));
    /// assert_eq!(layout.to_string(), "(100,64):(128,1)");
    /// # Ok::<(), layout_cubecl::CubeError>(())
    /// ```
    pub fn of<L: TypedLayout>(layout: &L) -> Result<Self> {
        let actual = layout.to_dyn::<MAX_LEAVES>()?;
        let text = actual.to_string();
        let mut slots = [0; MAX_LEAVES];
        layout.slots(&mut slots);
        let mut graph = ExprGraph::<NODES>::new(Op::Parse);
        let pattern = L::PATTERN.import(&mut graph)?;
        let domain = domain::of::<C>(&text, &pattern, &mut graph)?;
        let program = Program::of_pattern(L::PATTERN, domain.coordinates)?;
        let mut known = ExprGraph::<NODES>::new(Op::Parse);
        let extents = domain::of::<C>(&text, actual.value(), &mut known)?.extents.iter().map(|facts| facts.hi).collect();
        let mut leaves = Vec::new();
        for input in program.inputs().iter().filter(|input| input.time == coordinate_graph::program::Time::Launch) {
            let node = |number: usize| (0..graph.len).find(|k| graph.is_input(*k) && graph.a[*k] == number as i64);
            let of_input = |number: usize| node(number).map(|k| slots[k] as isize as i64);
            let value = leaf(&input.name, actual.value(), of_input).unwrap_or(i64::MAX);
            if !(i64::from(i32::MIN)..=u32::MAX.into()).contains(&value) {
                return Err(CubeError::Width { layout: text, value });
            }
            leaves.push(value as u32);
        }
        Self::finish(program, domain.extents, leaves, text, extents)
    }

    fn finish(program: Program, facts: Vec<Facts>, leaves: Vec<u32>, text: String, extents: Vec<i64>) -> Result<Self> {
        let code = Code::new(&program, &text)?;
        if code.outputs() != integers_of::<O>() {
            return Err(CubeError::Values { layout: text, got: code.outputs(), expected: integers_of::<O>() });
        }
        if let Some(extent) = extents.iter().find(|extent| **extent > u32::MAX.into()) {
            return Err(CubeError::Width { layout: text, value: *extent });
        }
        // Sums are modulo 2^32, so the index itself has to fit.
        if code.greatest.iter().any(Option::is_none) {
            let needed = domain::number(&format!("cosize({text})"))?;
            if needed > u32::MAX.into() {
                return Err(CubeError::Width { layout: text, value: needed - 1 });
            }
        }
        let index = Arc::new(Index { program, code: Arc::new(code), extents: facts });
        Ok(CubeLayout { index, leaves, text, extents, form: PhantomData })
    }

    /// Returns the index at a coordinate: on the host by the program that is the code of
    /// the layout in a kernel.
    pub fn at(&self, coordinate: C) -> O {
        let mut inputs: Vec<i64> = self.leaves.iter().map(|leaf| (*leaf).into()).collect();
        coordinate.integers(&mut inputs);
        let outputs = self.index.program.run(&inputs).unwrap_or_default();
        O::from_integers(&mut outputs.into_iter())
    }

    /// Returns the values of the run-time leaves, which are scalars of the launch.
    pub fn leaves(&self) -> &[u32] {
        &self.leaves
    }
}

impl<C: CubeCoordinate> CubeLayout<C> {
    /// Proves that a buffer of `len` elements has an element for every coordinate.
    ///
    /// Fails if it does not, or if the relation is undecided.
    ///
    /// ```
    /// use layout_cubecl::CubeLayout;
    /// let padded = CubeLayout::<(u32, u32)>::parse("(32,32):(33,1)")?;
    /// padded.fits(31 * 33 + 32)?;
    /// let error = padded.fits(1024).unwrap_err();
    /// assert_eq!(error.to_string(), "(32,32):(33,1) needs 1055 elements, but the buffer has 1024");
    /// # Ok::<(), layout_cubecl::CubeError>(())
    /// ```
    pub fn fits(&self, len: usize) -> Result<()> {
        let layout = self.text.clone();
        if domain::number(&format!("in_bounds({layout},{len})"))? == 1 {
            return Ok(());
        }
        let needed = domain::number(&format!("cosize({layout})"))?;
        Err(if needed > len as i64 { CubeError::Short { layout, needed, len } } else { CubeError::Negative { layout } })
    }

    /// Returns the number of elements of the shortest buffer for a static layout: the greatest index plus 1. CubeCL knows it
    /// while it expands the kernel, so it can be the length of shared memory.
    ///
    /// ```
    /// use layout_cubecl::CubeLayout;
    /// assert_eq!(CubeLayout::<(u32, u32)>::parse("(32,32):(33,1)")?.room(), 1055);
    /// # Ok::<(), layout_cubecl::CubeError>(())
    /// ```
    pub fn room(&self) -> usize {
        domain::number(&format!("cosize({})", self.text)).map_or(usize::MAX, |room| room as usize)
    }
}

impl<C: CubeCoordinate, O: CubeCoordinate> core::fmt::Display for CubeLayout<C, O> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.text)
    }
}

impl<C: CubeCoordinate, O: CubeCoordinate> core::fmt::Debug for CubeLayout<C, O> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "CubeLayout({} of {})", self.text, C::form())
    }
}

/// Returns the value of the run-time leaf `name` of a program: `n` and `d` with the number of a leaf of the layout, or `p` with the
/// number of an input.
fn leaf(name: &str, layout: &LayoutValue<MAX_LEAVES>, input: impl Fn(usize) -> Option<i64>) -> Option<i64> {
    let number = if name.len() == 1 { 0 } else { name.get(1..)?.parse().ok()? };
    match name.as_bytes().first()? {
        b'n' => layout.extent(number).value(),
        b'd' => layout.scale(number).value(),
        _ => input(number),
    }
}

/// A [`CubeLayout`] while a kernel is expanded.
#[derive(Clone)]
pub struct CubeLayoutExpand<C: CubeCoordinate, O: CubeCoordinate> {
    pub(crate) key: CubeLayoutKey,
    leaves: Vec<NativeExpand<u32>>,
    form: PhantomData<(C, O)>,
}

expanded!([C: CubeCoordinate, O: CubeCoordinate] CubeLayoutExpand (C, O) of CubeLayout);

/// The key by which layouts share a kernel: the code, and the extents that are constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CubeLayoutKey {
    pub(crate) code: Arc<Code>,
    pub(crate) extents: Vec<Option<i64>>,
    room: Option<usize>,
}

impl<C: CubeCoordinate, O: CubeCoordinate> LaunchArg for CubeLayout<C, O> {
    type RuntimeArg = CubeLayout<C, O>;
    type CompilationArg = CubeLayoutKey;

    fn register(arg: Self::RuntimeArg, launcher: &mut KernelLauncher) -> CubeLayoutKey {
        for leaf in &arg.leaves {
            <u32 as LaunchArg>::register(*leaf, launcher);
        }
        let extents = arg.index.extents.iter().map(|facts| (facts.lo == facts.hi).then_some(facts.hi)).collect();
        let room = domain::number(&format!("cosize({})", arg.text)).ok().filter(|_| arg.leaves.is_empty());
        CubeLayoutKey { code: arg.index.code.clone(), extents, room: room.map(|room| room as usize) }
    }

    fn expand(key: &CubeLayoutKey, builder: &mut KernelBuilder) -> CubeLayoutExpand<C, O> {
        let leaves = (0..key.code.leaves).map(|_| <u32 as LaunchArg>::expand(&(), builder)).collect();
        CubeLayoutExpand { key: key.clone(), leaves, form: PhantomData }
    }
}

impl<C: CubeCoordinate, O: CubeCoordinate> CubeLayoutExpand<C, O> {
    /// Adds the code of [`at`](CubeLayout::at) to the kernel.
    pub fn __expand_at_method(&self, scope: &Scope, coordinate: C::ExpandType) -> O::ExpandType {
        let mut integers = Vec::new();
        C::expand_integers(&coordinate, scope, &mut integers);
        O::expand_from(scope, &mut self.code(scope, &integers).into_iter())
    }

    /// Adds the code of the layout to the kernel, for the integers of a coordinate.
    pub(crate) fn code(&self, scope: &Scope, integers: &[NativeExpand<u32>]) -> Vec<NativeExpand<u32>> {
        let inputs: Vec<_> = self.leaves.iter().chain(integers).copied().collect();
        self.key.code.expand(scope, &inputs)
    }
}

impl<C: CubeCoordinate> CubeLayoutExpand<C, usize> {
    /// Returns [`room`](CubeLayout::room), a constant of the kernel.
    pub fn __expand_room_method(&self, _: &Scope) -> usize {
        self.key.room.unwrap_or_else(|| panic!("the room of a layout with run-time leaves is unknown while a kernel is expanded"))
    }
}
