//! The threads of a cube, and the elements of a tile that each has.

use crate::coordinate::{CubeCoordinate, integers_of};
use crate::expand::expanded;
use crate::layout::{CubeLayout, CubeLayoutExpand, CubeLayoutKey};
use crate::{CubeError, Result, domain};
use cubecl::ir::attributes::EntrypointInterface;
use cubecl::prelude::*;

/// The threads of a cube, each with its values: the elements of a tile, each exactly once.
///
/// A layout maps a thread and the number of a value to the integer coordinate of the tile, which counts down the columns. Layouts of
/// registers from `crd2idx choose` have this form, and so has the result of `layout_tv`.
///
/// ```
/// use layout_cubecl::CubeThreads;
/// // 32 threads in 4 rows of 8, each with two elements, 4 rows apart: a tile of 8 x 8.
/// let threads = CubeThreads::<(u32, u32)>::parse("((8,4),2):((8,1),4)", (8, 8))?;
/// assert_eq!((threads.units(), threads.values()), (32, 2));
/// assert_eq!(threads.element(9, 1), (5, 1));
/// # Ok::<(), layout_cubecl::CubeError>(())
/// ```
#[derive(Clone)]
pub struct CubeThreads<C: CubeCoordinate> {
    map: CubeLayout<(u32, u32), C>,
    tile: Vec<u32>,
}

impl<C: CubeCoordinate> CubeThreads<C> {
    /// Reads the layout of a thread and a value in a tile of these extents, and proves that it is a permutation of the tile.
    ///
    /// Fails if the number of values is not the number of elements, if two threads have the same element, or if an element is outside.
    ///
    /// ```
    /// use layout_cubecl::CubeThreads;
    /// let of = |text| CubeThreads::<(u32, u32)>::parse(text, (8, 8)).map(|_| ()).unwrap_err().to_string();
    /// assert_eq!(of("(32,1):(1,0)"), "the threads (32,1):(1,0) have 32 values, but the tile (8,8) has 64 elements, and each needs one");
    /// assert_eq!(of("(32,2):(1,0)"), "several threads of (32,2):(1,0) have the same element of the tile (8,8)");
    /// assert_eq!(of("(32,2):(2,64)"), "(32,2):(2,64) needs 127 elements, but the buffer has 64");
    /// ```
    pub fn parse(text: &str, tile: C) -> Result<Self> {
        let mut extents = Vec::new();
        tile.integers(&mut extents);
        let count = integers_of::<C>();
        let list = |item: &dyn Fn(usize) -> String| match count {
            1 => item(0),
            _ => format!("({})", (0..count).map(item).collect::<Vec<_>>().join(",")),
        };
        let shape = list(&|k| extents[k].to_string());
        // The tile is a flat tuple, so its strides are one basis element for each mode.
        let identity = if count == 1 { format!("{shape}:1") } else { format!("{shape}:{}", list(&|k| format!("1@{k}"))) };
        if C::form() != list(&|_| "_".into()) {
            return Err(CubeError::Coordinate { form: C::form(), layout: identity });
        }
        let elements: i64 = extents.iter().product();
        let plain = CubeLayout::<(u32, u32)>::parse(text)?;
        let got = plain.extents.iter().product();
        if got != elements {
            return Err(CubeError::Threads { layout: text.into(), got, tile: shape, elements });
        }
        if domain::number(&format!("injective({text})"))? != 1 {
            return Err(CubeError::Shared { layout: text.into(), tile: shape });
        }
        plain.fits(elements as usize)?;
        let map = CubeLayout::parse(&format!("composition({identity}, {text})"))?;
        Ok(CubeThreads { map, tile: extents.into_iter().map(|extent| extent as u32).collect() })
    }

    /// Returns the number of threads. A launch needs a cube of this many units.
    pub fn units(&self) -> u32 {
        self.map.extents[0] as u32
    }

    /// Returns the number of values of each thread, a constant of the kernel.
    pub fn values(&self) -> usize {
        self.map.extents[1] as usize
    }

    /// Returns the size of the cubes of a launch.
    pub fn cube_dim(&self) -> CubeDim {
        CubeDim::new_1d(self.units())
    }

    /// Returns the coordinate of value `value` of thread `unit`.
    pub fn element(&self, unit: u32, value: usize) -> C {
        self.map.at((unit, value as u32))
    }

    /// Returns, in a kernel, the coordinate of value `value` of this thread. The host has thread 0.
    pub fn at(&self, value: usize) -> C {
        self.element(0, value)
    }

    pub(crate) fn tile(&self) -> &[u32] {
        &self.tile
    }
}

impl<C: CubeCoordinate> core::fmt::Debug for CubeThreads<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "CubeThreads({} units, {} values, tile {:?})", self.units(), self.values(), self.tile)
    }
}

/// [`CubeThreads`] while a kernel is expanded.
#[derive(Clone)]
pub struct CubeThreadsExpand<C: CubeCoordinate> {
    map: CubeLayoutExpand<(u32, u32), C>,
    pub(crate) tile: Vec<u32>,
}

expanded!([C: CubeCoordinate] CubeThreadsExpand (C) of CubeThreads);

/// The key by which distributions share a kernel: everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CubeThreadsKey {
    map: CubeLayoutKey,
    tile: Vec<u32>,
}

impl<C: CubeCoordinate> LaunchArg for CubeThreads<C> {
    type RuntimeArg = CubeThreads<C>;
    type CompilationArg = CubeThreadsKey;

    fn register(arg: Self::RuntimeArg, launcher: &mut KernelLauncher) -> CubeThreadsKey {
        CubeThreadsKey { map: <CubeLayout<(u32, u32), C> as LaunchArg>::register(arg.map, launcher), tile: arg.tile }
    }

    fn expand(key: &CubeThreadsKey, builder: &mut KernelBuilder) -> CubeThreadsExpand<C> {
        let map = <CubeLayout<(u32, u32), C> as LaunchArg>::expand(&key.map, builder);
        CubeThreadsExpand { map, tile: key.tile.clone() }
    }
}

impl<C: CubeCoordinate> CubeThreadsExpand<C> {
    fn extent(&self, mode: usize) -> u32 {
        self.map.key.extents[mode].map_or(0, |extent| extent as u32)
    }

    /// Returns [`values`](CubeThreads::values), a constant of the kernel.
    pub fn __expand_values_method(&self, _: &Scope) -> usize {
        self.extent(1) as usize
    }

    /// Adds the code of [`at`](CubeThreads::at) to the kernel.
    pub fn __expand_at_method(&self, scope: &Scope, value: NativeExpand<usize>) -> C::ExpandType {
        C::expand_from(scope, &mut self.integers(scope, value).into_iter())
    }

    /// Adds the code of the integers of [`at`](CubeThreads::at) to the kernel. Panics, which fails the launch, if the cube has
    /// another number of units than the threads: the integers would then leave the tile.
    pub(crate) fn integers(&self, scope: &Scope, value: NativeExpand<usize>) -> Vec<NativeExpand<u32>> {
        let units = scope.state().entry_func.get_entrypoint_abi(scope.ctx()).map_or(0, |abi| abi.cube_dim.num_elems());
        let threads = self.extent(0);
        assert!(units == threads, "the cube has {units} units, but the threads of the tile are {threads}");
        let values = self.extent(1);
        let value = match value.constant().map(|value| value.as_usize() as u32) {
            Some(known) => {
                assert!(known < values, "value {known} is not one of the {values} values of a thread");
                known.into()
            }
            // A loop over the values that is not unrolled. More would leave the tile.
            None => u32::__expand_cast_from(scope, value).__expand_min_method(scope, (values - 1).into()),
        };
        let unit = UNIT_POS::expand(scope);
        self.map.code(scope, &[unit, value])
    }
}
