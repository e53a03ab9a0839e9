//! Sequences in pages, such as the keys of a KV cache.

use crate::coordinate::CubeCoordinate;
use crate::expand::expanded;
use crate::layout::{CubeLayout, CubeLayoutExpand, CubeLayoutKey};
use crate::{CubeError, Result};
use core::marker::PhantomData;
use cubecl::ir::dialect::memory::IndexOp;
use cubecl::prelude::*;

/// The buffers of [`CubePages`].
pub struct PageBuffers {
    /// The pool: the elements of all pages, one page after another.
    pub pool: BufferArg,
    /// The table, of `u32`: `width` entries for each sequence, which are numbers of pages.
    pub table: BufferArg,
    /// The number of tokens of each sequence, of `u32`.
    pub lengths: BufferArg,
}

impl core::fmt::Debug for PageBuffers {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} elements, {} entries, {} sequences", self.pool.len(), self.table.len(), self.lengths.len())
    }
}

/// Sequences of tokens in pages of a pool, which a table finds.
///
/// A layout of coordinates `C` places the elements of one page; its first mode is the token. With pages of `B` tokens, the element
/// `(t, ..)` of sequence `s` is element `(t % B, ..)` of page `table[s * width + t / B]`. A kernel checks the numbers that it reads
/// on the device before it uses them, so a broken table reads nothing outside of the buffers.
///
/// ```
/// # use cubecl::prelude::*;
/// use layout_cubecl::{CubeLayout, CubePages};
/// /// Copies the keys of all sequences, one after the other.
/// #[cube(launch)]
/// fn gather(keys: &CubePages<f32, (u32, u32)>, to: &mut [f32], target: &CubeLayout<(u32, u32, u32)>) {
///     to[target.at((CUBE_POS_Y, CUBE_POS_X, UNIT_POS))] = keys.read(CUBE_POS_Y, (CUBE_POS_X, UNIT_POS), 0.0);
/// }
/// # fn main() {}
/// ```
pub struct CubePages<E: CubePrimitive, C: CubeCoordinate> {
    buffers: PageBuffers,
    layout: CubeLayout<C>,
    /// Maps a token to its slot and the number of its page in the sequence.
    split: CubeLayout<u32, (u32, u32)>,
    /// Maps an index in a page and the number of a page to an index in the pool.
    place: CubeLayout<(u32, u32)>,
    /// Maps the number of a page in a sequence, and the sequence, to an index in the table.
    entry: CubeLayout<(u32, u32)>,
    pages: u32,
    element: PhantomData<E>,
}

impl<E: CubePrimitive, C: CubeCoordinate> core::fmt::Debug for CubePages<E, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} pages of {}; {:?}", self.pages, self.layout, self.buffers)
    }
}

impl<E: CubePrimitive, C: CubeCoordinate> CubePages<E, C> {
    /// Describes a pool of `pages` pages with a static layout, and a table with `width` entries for each sequence.
    ///
    /// Fails if the layout has run-time leaves or negative indices, or if a buffer is empty or too short.
    pub fn new(layout: &CubeLayout<C>, pages: u32, width: u32, buffers: PageBuffers) -> Result<Self> {
        let text = layout.to_string();
        if !layout.leaves().is_empty() {
            return Err(CubeError::RunTime { layout: text, leaves: layout.leaves().len() });
        }
        let sequences = buffers.lengths.len();
        if layout.extents.contains(&0) || pages == 0 || width == 0 || sequences == 0 {
            return Err(CubeError::Empty { layout: format!("{pages} pages of {text} for {sequences} sequences of {width} pages") });
        }
        let span = layout.room();
        layout.fits(span)?;
        let place = CubeLayout::parse(&format!("({span},{pages}):(1,{span})"))?;
        place.fits(buffers.pool.len())?;
        let needed = sequences * width as usize;
        if needed > buffers.table.len() {
            return Err(CubeError::Table { what: "table of pages", needed, len: buffers.table.len() });
        }
        let split = CubeLayout::parse(&format!("({},{width}):(1@0,1@1)", layout.extents[0]))?;
        let entry = CubeLayout::parse(&format!("({width},{sequences}):(1,{width})"))?;
        Ok(CubePages { buffers, layout: layout.clone(), split, place, entry, pages, element: PhantomData })
    }

    /// Reads, in a kernel, the element at `at` of a sequence. The first integer of `at` is the token. Returns `otherwise` if the
    /// sequence, the token or another coordinate does not exist, or if the table has no page of the pool.
    pub fn read(&self, _sequence: u32, _at: C, _otherwise: E) -> E {
        panic!("pages are read in kernels")
    }
}

/// [`CubePages`] while a kernel is expanded.
pub struct CubePagesExpand<E: CubePrimitive, C: CubeCoordinate> {
    pool: NativeExpand<[E]>,
    table: NativeExpand<[u32]>,
    lengths: NativeExpand<[u32]>,
    layout: CubeLayoutExpand<C, usize>,
    split: CubeLayoutExpand<u32, (u32, u32)>,
    place: CubeLayoutExpand<(u32, u32), usize>,
    entry: CubeLayoutExpand<(u32, u32), usize>,
    sizes: Sizes,
}

/// The numbers that bound what a kernel reads from the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Sizes {
    sequences: u32,
    pages: u32,
}

expanded!([E: CubePrimitive, C: CubeCoordinate] CubePagesExpand (E, C) of CubePages);

impl<E: CubePrimitive, C: CubeCoordinate> Clone for CubePagesExpand<E, C> {
    fn clone(&self) -> Self {
        CubePagesExpand {
            pool: self.pool.clone_unchecked(),
            table: self.table.clone_unchecked(),
            lengths: self.lengths.clone_unchecked(),
            layout: self.layout.clone(),
            split: self.split.clone(),
            place: self.place.clone(),
            entry: self.entry.clone(),
            sizes: self.sizes,
        }
    }
}

/// The key by which pools of pages share a kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CubePagesKey {
    buffers: [<[u32] as LaunchArg>::CompilationArg; 3],
    layouts: [CubeLayoutKey; 4],
    sizes: Sizes,
}

impl<E: CubePrimitive, C: CubeCoordinate> LaunchArg for CubePages<E, C> {
    type RuntimeArg = CubePages<E, C>;
    type CompilationArg = CubePagesKey;

    fn register(arg: Self::RuntimeArg, launcher: &mut KernelLauncher) -> CubePagesKey {
        let sizes = Sizes { sequences: arg.buffers.lengths.len() as u32, pages: arg.pages };
        let buffers = [
            <[E] as LaunchArg>::register(arg.buffers.pool, launcher),
            <[u32] as LaunchArg>::register(arg.buffers.table, launcher),
            <[u32] as LaunchArg>::register(arg.buffers.lengths, launcher),
        ];
        let layouts = [
            <CubeLayout<C> as LaunchArg>::register(arg.layout, launcher),
            <CubeLayout<u32, (u32, u32)> as LaunchArg>::register(arg.split, launcher),
            <CubeLayout<(u32, u32)> as LaunchArg>::register(arg.place, launcher),
            <CubeLayout<(u32, u32)> as LaunchArg>::register(arg.entry, launcher),
        ];
        CubePagesKey { buffers, layouts, sizes }
    }

    fn expand(key: &CubePagesKey, builder: &mut KernelBuilder) -> CubePagesExpand<E, C> {
        let [pool, table, lengths] = &key.buffers;
        let [layout, split, place, entry] = &key.layouts;
        CubePagesExpand {
            pool: <[E] as LaunchArg>::expand(pool, builder),
            table: <[u32] as LaunchArg>::expand(table, builder),
            lengths: <[u32] as LaunchArg>::expand(lengths, builder),
            layout: <CubeLayout<C> as LaunchArg>::expand(layout, builder),
            split: <CubeLayout<u32, (u32, u32)> as LaunchArg>::expand(split, builder),
            place: <CubeLayout<(u32, u32)> as LaunchArg>::expand(place, builder),
            entry: <CubeLayout<(u32, u32)> as LaunchArg>::expand(entry, builder),
            sizes: key.sizes,
        }
    }
}

/// Reads an element whose index is proven to be in the buffer.
fn element<T: CubePrimitive>(scope: &Scope, slice: &NativeExpand<[T]>, index: NativeExpand<u32>) -> NativeExpand<T> {
    let index = usize::__expand_cast_from(scope, index).read_value(scope);
    let op = IndexOp::maybe_checked(scope.ctx_mut(), slice.__extract_list(scope), index, false);
    NativeExpand::<T>::from(scope.register_with_result(&op)).read_value(scope).into()
}

impl<E: CubePrimitive<ExpandType = NativeExpand<E>>, C: CubeCoordinate> CubePagesExpand<E, C> {
    /// Adds the code of [`read`](CubePages::read) to the kernel.
    pub fn __expand_read_method(
        &self,
        scope: &Scope,
        sequence: NativeExpand<u32>,
        at: C::ExpandType,
        otherwise: NativeExpand<E>,
    ) -> NativeExpand<E> {
        let mut at_integers = Vec::new();
        C::expand_integers(&at, scope, &mut at_integers);
        let below = |value: NativeExpand<u32>, bound: u32| value.__expand_lt_method(scope, &bound.into());
        let both = |a: NativeExpand<bool>, b: NativeExpand<bool>| a.__expand_and_method(scope, b);
        // A number that is out of range becomes 0, which every buffer has. The condition then gives `otherwise`.
        let safe = |valid: NativeExpand<bool>, value: NativeExpand<u32>| select::expand::<u32>(scope, valid, value, 0_u32.into());
        let Sizes { sequences, pages } = self.sizes;

        let mut valid = below(sequence, sequences);
        let sequence = safe(valid, sequence);
        let token = at_integers[0];
        valid = both(valid, token.__expand_lt_method(scope, &element(scope, &self.lengths, sequence)));
        for (k, extent) in self.layout.key.extents.iter().enumerate().skip(1) {
            valid = both(valid, below(at_integers[k], extent.map_or(0, |extent| extent as u32)));
        }
        // The code of `split` relies on a token that a row of the table has room for.
        let room = self.split.key.extents[0].map_or(0, |room| room as u32);
        valid = both(valid, below(token, room));
        let split = self.split.code(scope, &[token]);
        let entry = self.entry.code(scope, &[split[1], sequence])[0];
        let page = element(scope, &self.table, safe(valid, entry));
        valid = both(valid, below(page, pages));
        at_integers[0] = split[0];
        let inside = self.layout.code(scope, &at_integers)[0];
        let index = self.place.code(scope, &[inside, page])[0];
        let value = element(scope, &self.pool, safe(valid, index));
        select::expand::<E>(scope, valid, value, otherwise)
    }
}
