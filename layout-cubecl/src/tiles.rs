//! Buffers in tiles: reads and writes that the proof of the layout leaves without a test.

use crate::coordinate::CubeCoordinate;
use crate::expand::expanded;
use crate::layout::{CubeLayout, CubeLayoutExpand, CubeLayoutKey};
use crate::threads::{CubeThreads, CubeThreadsExpand};
use crate::{CubeError, Result};
use core::marker::PhantomData;
use cubecl::ir::dialect::memory::IndexOp;
use cubecl::prelude::*;

/// A buffer with a layout, in tiles of the threads of a cube.
///
/// The constructor proves that every coordinate of the layout has an element in the buffer. A kernel therefore reads and writes without
/// a test in every mode whose extent is known to be a multiple of the tile's. The code compares the coordinates of other modes with their
/// extents: a read beyond it gives a value of your choice, a write does nothing.
///
/// ```
/// # use cubecl::prelude::*;
/// use layout_cubecl::{CubeThreads, CubeTiles};
/// #[cube(launch)]
/// fn negate(from: &CubeTiles<f32, (u32, u32)>, to: &mut CubeTiles<f32, (u32, u32)>, threads: &CubeThreads<(u32, u32)>) {
///     let source = from.tile((CUBE_POS_X, CUBE_POS_Y));
///     let target = to.tile((CUBE_POS_X, CUBE_POS_Y));
///     for value in 0..threads.values() {
///         target.write(threads, value, -source.read(threads, value, 0.0));
///     }
/// }
/// # fn main() {}
/// ```
pub struct CubeTiles<E: CubePrimitive, C: CubeCoordinate> {
    buffer: BufferArg,
    layout: CubeLayout<C>,
    tile: Vec<u32>,
    element: PhantomData<E>,
}

impl<E: CubePrimitive, C: CubeCoordinate> core::fmt::Debug for CubeTiles<E, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} in tiles of {:?}", self.layout, self.tile)
    }
}

impl<E: CubePrimitive, C: CubeCoordinate> CubeTiles<E, C> {
    /// Cuts a buffer with a layout into tiles of these threads.
    ///
    /// Fails if the layout has an index outside of the buffer, or no element.
    pub fn new(layout: &CubeLayout<C>, threads: &CubeThreads<C>, buffer: BufferArg) -> Result<Self> {
        Self::of_extents(layout, threads.tile(), buffer)
    }

    /// Cuts a buffer with a layout into tiles of these extents. Threads that read a tile need the same extents.
    ///
    /// Fails as [`new`](CubeTiles::new) does, or if an extent of the tile is 0.
    pub fn with_extents(layout: &CubeLayout<C>, tile: C, buffer: BufferArg) -> Result<Self> {
        let mut extents = Vec::new();
        tile.integers(&mut extents);
        let extents: Vec<u32> = extents.into_iter().map(|extent| extent as u32).collect();
        Self::of_extents(layout, &extents, buffer)
    }

    fn of_extents(layout: &CubeLayout<C>, tile: &[u32], buffer: BufferArg) -> Result<Self> {
        if layout.extents.contains(&0) || tile.contains(&0) {
            return Err(CubeError::Empty { layout: layout.to_string() });
        }
        layout.fits(buffer.len())?;
        // The coordinate after the last tile still has 32 bits.
        for (extent, tile) in layout.extents.iter().zip(tile) {
            let end = extent + i64::from(*tile);
            if end > u32::MAX.into() {
                return Err(CubeError::Width { layout: layout.to_string(), value: end });
            }
        }
        Ok(CubeTiles { buffer, layout: layout.clone(), tile: tile.to_vec(), element: PhantomData })
    }

    /// Returns the number of tiles along each mode.
    pub fn grid(&self) -> Vec<u32> {
        self.layout.extents.iter().zip(&self.tile).map(|(extent, tile)| (*extent as u32).div_ceil(*tile)).collect()
    }

    /// Returns the number of cubes of a launch with one cube for each tile. Modes after the third are not counted.
    pub fn cube_count(&self) -> CubeCount {
        let grid = self.grid();
        let mode = |k: usize| grid.get(k).copied().unwrap_or(1);
        CubeCount::Static(mode(0), mode(1), mode(2))
    }

    /// Returns, in a kernel, the tile at a position of the grid. A position beyond the grid is the last tile along that mode.
    pub fn tile(&self, _position: C) -> CubeTile<E, C> {
        CubeTile { form: PhantomData }
    }

    /// Returns the number of tiles along a mode; in a kernel, with `mode` a constant.
    pub fn count(&self, mode: u32) -> u32 {
        self.grid().get(mode as usize).copied().unwrap_or(1)
    }

    /// Returns the extent of a tile along a mode, a constant of the kernel.
    pub fn extent(&self, mode: u32) -> u32 {
        self.tile.get(mode as usize).copied().unwrap_or(1)
    }
}

/// [`CubeTiles`] while a kernel is expanded.
pub struct CubeTilesExpand<E: CubePrimitive, C: CubeCoordinate> {
    slice: NativeExpand<[E]>,
    layout: CubeLayoutExpand<C, usize>,
    tile: Vec<u32>,
    divides: Vec<bool>,
    extents: Vec<NativeExpand<u32>>,
    counts: Vec<NativeExpand<u32>>,
}

expanded!([E: CubePrimitive, C: CubeCoordinate] CubeTilesExpand (E, C) of CubeTiles);

impl<E: CubePrimitive, C: CubeCoordinate> Clone for CubeTilesExpand<E, C> {
    fn clone(&self) -> Self {
        CubeTilesExpand {
            slice: self.slice.clone_unchecked(),
            layout: self.layout.clone(),
            tile: self.tile.clone(),
            divides: self.divides.clone(),
            extents: self.extents.clone(),
            counts: self.counts.clone(),
        }
    }
}

/// The key by which buffers in tiles share a kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CubeTilesKey {
    buffer: <[f32] as LaunchArg>::CompilationArg,
    layout: CubeLayoutKey,
    tile: Vec<u32>,
    /// For each mode, whether the tile divides the extent for all values of the run-time leaves.
    divides: Vec<bool>,
}

impl<E: CubePrimitive, C: CubeCoordinate> LaunchArg for CubeTiles<E, C> {
    type RuntimeArg = CubeTiles<E, C>;
    type CompilationArg = CubeTilesKey;

    fn register(arg: Self::RuntimeArg, launcher: &mut KernelLauncher) -> CubeTilesKey {
        let counts = arg.grid();
        let buffer = <[E] as LaunchArg>::register(arg.buffer, launcher);
        let facts = &arg.layout.index.extents;
        let divides = facts.iter().zip(&arg.tile).map(|(facts, tile)| facts.div % i64::from(*tile) == 0).collect();
        let actual = arg.layout.extents.clone();
        let layout = <CubeLayout<C> as LaunchArg>::register(arg.layout, launcher);
        for (k, extent) in layout.extents.iter().enumerate().filter(|(_, extent)| extent.is_none()).map(|(k, _)| (k, actual[k])) {
            <u32 as LaunchArg>::register(extent as u32, launcher);
            <u32 as LaunchArg>::register(counts[k], launcher);
        }
        CubeTilesKey { buffer, layout, tile: arg.tile, divides }
    }

    fn expand(key: &CubeTilesKey, builder: &mut KernelBuilder) -> CubeTilesExpand<E, C> {
        let slice = <[E] as LaunchArg>::expand(&key.buffer, builder);
        let layout = <CubeLayout<C> as LaunchArg>::expand(&key.layout, builder);
        let (mut extents, mut counts) = (Vec::new(), Vec::new());
        for (extent, tile) in key.layout.extents.iter().zip(&key.tile) {
            match extent {
                Some(extent) => {
                    extents.push((*extent as u32).into());
                    counts.push((*extent as u32).div_ceil(*tile).into());
                }
                None => {
                    extents.push(<u32 as LaunchArg>::expand(&(), builder));
                    counts.push(<u32 as LaunchArg>::expand(&(), builder));
                }
            }
        }
        CubeTilesExpand { slice, layout, tile: key.tile.clone(), divides: key.divides.clone(), extents, counts }
    }
}

impl<E: CubePrimitive, C: CubeCoordinate> CubeTilesExpand<E, C> {
    /// Adds the code of [`tile`](CubeTiles::tile) to the kernel.
    pub fn __expand_tile_method(&self, scope: &Scope, position: C::ExpandType) -> CubeTileExpand<E, C> {
        let mut at = Vec::new();
        C::expand_integers(&position, scope, &mut at);
        let origin = at.into_iter().enumerate().map(|(k, at)| {
            let (tile, count) = (self.tile[k], self.counts[k]);
            match count.constant().map(|count| count.as_u32()) {
                Some(1) => 0_u32.into(),
                Some(count) => times(scope, at.__expand_min_method(scope, (count - 1).into()), tile),
                None => times(scope, at.__expand_min_method(scope, count.__expand_sub_method(scope, 1_u32.into())), tile),
            }
        });
        CubeTileExpand { origin: origin.collect(), tiles: self.clone() }
    }

    /// Returns [`count`](CubeTiles::count): a constant, or a scalar of the launch.
    pub fn __expand_count_method(&self, _: &Scope, mode: NativeExpand<u32>) -> NativeExpand<u32> {
        self.counts[known(mode)]
    }

    /// Returns [`extent`](CubeTiles::extent), a constant of the kernel.
    pub fn __expand_extent_method(&self, _: &Scope, mode: NativeExpand<u32>) -> u32 {
        self.tile[known(mode)]
    }
}

fn known(mode: NativeExpand<u32>) -> usize {
    mode.constant().map(|mode| mode.as_usize()).unwrap_or_else(|| panic!("the number of a mode is a constant of the kernel"))
}

fn times(scope: &Scope, value: NativeExpand<u32>, factor: u32) -> NativeExpand<u32> {
    match (value.constant().map(|value| value.as_u32()), factor.is_power_of_two()) {
        (Some(known), _) => (known * factor).into(),
        (None, true) => value.__expand_shl_method(scope, factor.trailing_zeros().into()),
        (None, false) => value.__expand_mul_method(scope, factor.into()),
    }
}

/// A tile of a buffer, from [`CubeTiles::tile`].
///
/// ```
/// # use cubecl::prelude::*;
/// use layout_cubecl::{CubeLayout, CubeThreads, CubeTiles};
/// type Matrix = CubeTiles<f32, (u32, u32)>;
/// #[cube(launch)]
/// fn transpose(
///     from: &Matrix,
///     to: &mut Matrix,
///     buffer: &CubeLayout<(u32, u32)>,
///     rows: &CubeThreads<(u32, u32)>,
///     columns: &CubeThreads<(u32, u32)>,
/// ) {
///     let mut shared = Shared::<[f32]>::new_slice(buffer.room());
///     from.tile((CUBE_POS_X, CUBE_POS_Y)).load(rows, &mut shared, buffer, 0.0);
///     sync_cube();
///     to.tile((CUBE_POS_X, CUBE_POS_Y)).store(columns, &shared, buffer);
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy)]
pub struct CubeTile<E: CubePrimitive, C: CubeCoordinate> {
    form: PhantomData<(E, C)>,
}

/// The message of a call on the host.
const KERNEL: &str = "tiles are read and written in kernels";

impl<E: CubePrimitive, C: CubeCoordinate> CubeTile<E, C> {
    /// Reads value `value` of this thread; `otherwise` if its coordinate is beyond the extents.
    pub fn read(&self, _threads: &CubeThreads<C>, _value: usize, _otherwise: E) -> E {
        panic!("{KERNEL}")
    }

    /// Writes value `value` of this thread, unless its coordinate is beyond the extents.
    pub fn write(&self, _threads: &CubeThreads<C>, _value: usize, _element: E) {
        panic!("{KERNEL}")
    }

    /// Reads all values of this thread into `shared` with the layout `buffer`; `otherwise` for coordinates beyond the extents.
    pub fn load(&self, _threads: &CubeThreads<C>, _shared: &mut Shared<[E]>, _buffer: &CubeLayout<C>, _otherwise: E) {
        panic!("{KERNEL}")
    }

    /// Writes all values of this thread from `shared` with the layout `buffer`.
    pub fn store(&self, _threads: &CubeThreads<C>, _shared: &Shared<[E]>, _buffer: &CubeLayout<C>) {
        panic!("{KERNEL}")
    }
}

/// A [`CubeTile`] while a kernel is expanded.
#[derive(Clone)]
pub struct CubeTileExpand<E: CubePrimitive, C: CubeCoordinate> {
    origin: Vec<NativeExpand<u32>>,
    tiles: CubeTilesExpand<E, C>,
}

expanded!([E: CubePrimitive, C: CubeCoordinate] CubeTileExpand (E, C) of CubeTile);

/// An element of a tile: its coordinate in the tile, its index, and whether it exists. `None` if every element exists.
struct Element {
    inner: Vec<NativeExpand<u32>>,
    index: NativeExpand<usize>,
    exists: Option<NativeExpand<bool>>,
}

impl<E: CubePrimitive<ExpandType = NativeExpand<E>>, C: CubeCoordinate> CubeTileExpand<E, C> {
    fn element(&self, scope: &Scope, threads: &CubeThreadsExpand<C>, value: NativeExpand<usize>) -> Element {
        let tiles = &self.tiles;
        assert!(threads.tile == tiles.tile, "the threads are for a tile of {:?}, but the tile is {:?}", threads.tile, tiles.tile);
        let inner = threads.integers(scope, value);
        let (mut at, mut exists) = (Vec::new(), None);
        for (k, inner) in inner.iter().enumerate() {
            let origin = self.origin[k];
            let zero = origin.constant().is_some_and(|origin| origin.as_u32() == 0);
            let whole = if zero { *inner } else { origin.__expand_add_method(scope, *inner) };
            if !tiles.divides[k] {
                let below = whole.__expand_lt_method(scope, &tiles.extents[k]);
                exists = Some(match exists {
                    Some(before) => NativeExpand::<bool>::__expand_and_method(before, scope, below),
                    None => below,
                });
            }
            at.push(whole);
        }
        let index = tiles.layout.code(scope, &at)[0];
        // An element that does not exist is read at index 0, which every buffer of tiles has.
        let index = exists.map_or(index, |exists| select::expand::<u32>(scope, exists, index, 0_u32.into()));
        Element { inner, index: usize::__expand_cast_from(scope, index), exists }
    }

    /// Returns the place of an element in the buffer. The buffer has it: the constructor of the tiles proved it for all coordinates,
    /// and `element` made the index of one of them.
    fn place(&self, scope: &Scope, index: NativeExpand<usize>) -> NativeExpand<E> {
        let list = self.tiles.slice.__extract_list(scope);
        let index = index.read_value(scope);
        let op = IndexOp::maybe_checked(scope.ctx_mut(), list, index, false);
        scope.register_with_result(&op).into()
    }

    fn fetch(&self, scope: &Scope, element: &Element, otherwise: NativeExpand<E>) -> NativeExpand<E> {
        let place = self.place(scope, element.index);
        let value = NativeExpand::<E>::from(place.read_value(scope));
        element.exists.map_or(value, |exists| select::expand::<E>(scope, exists, value, otherwise))
    }

    fn put(&self, scope: &Scope, element: &Element, value: NativeExpand<E>) {
        let write = |scope: &Scope| assign::expand_element(scope, value.expand, self.place(scope, element.index).expand);
        match element.exists {
            Some(exists) => if_expand(scope, exists, write),
            None => write(scope),
        }
    }

    /// Adds the code of [`read`](CubeTile::read) to the kernel.
    pub fn __expand_read_method(
        &self,
        scope: &Scope,
        threads: &CubeThreadsExpand<C>,
        value: NativeExpand<usize>,
        otherwise: NativeExpand<E>,
    ) -> NativeExpand<E> {
        let element = self.element(scope, threads, value);
        self.fetch(scope, &element, otherwise)
    }

    /// Adds the code of [`write`](CubeTile::write) to the kernel.
    pub fn __expand_write_method(
        &self,
        scope: &Scope,
        threads: &CubeThreadsExpand<C>,
        value: NativeExpand<usize>,
        element: NativeExpand<E>,
    ) {
        let place = self.element(scope, threads, value);
        self.put(scope, &place, element);
    }

    /// Adds the code of [`load`](CubeTile::load) to the kernel.
    pub fn __expand_load_method(
        &self,
        scope: &Scope,
        threads: &CubeThreadsExpand<C>,
        shared: &mut NativeExpand<Shared<[E]>>,
        buffer: &CubeLayoutExpand<C, usize>,
        otherwise: NativeExpand<E>,
    ) {
        for value in 0..threads.__expand_values_method(scope) {
            let element = self.element(scope, threads, value.into());
            let read = self.fetch(scope, &element, otherwise);
            let index = usize::__expand_cast_from(scope, buffer.code(scope, &element.inner)[0]);
            let place = shared.__expand_index_mut_method(scope, index);
            assign::expand_element(scope, read.expand, place.expand);
        }
    }

    /// Adds the code of [`store`](CubeTile::store) to the kernel.
    pub fn __expand_store_method(
        &self,
        scope: &Scope,
        threads: &CubeThreadsExpand<C>,
        shared: &NativeExpand<Shared<[E]>>,
        buffer: &CubeLayoutExpand<C, usize>,
    ) {
        for value in 0..threads.__expand_values_method(scope) {
            let element = self.element(scope, threads, value.into());
            let index = usize::__expand_cast_from(scope, buffer.code(scope, &element.inner)[0]);
            let read = shared.__expand_index_method(scope, index).read_value(scope);
            self.put(scope, &element, NativeExpand::from(read));
        }
    }
}
