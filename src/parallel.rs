//! Tiles on several threads: [`Tiles`], [`FullTiles`] and [`Blocks`] as parallel iterators of rayon.
//!
//! The tiles of an injective layout share no element, and `tiles_mut` proves that. Threads divide the tiles by
//! `split_at`, which copies neither elements nor a list of tiles. Call [`ParallelTiles::par_tiles_mut`], or
//! [`IntoParallel::into_parallel`] on an iterator of tiles.
//!
//! ```
//! use crd2idx::parallel::ParallelTiles;
//! use crd2idx::{Int, Tensor, make_layout};
//! use rayon::iter::{IndexedParallelIterator, ParallelIterator};
//! let (m, n) = (300, 200);
//! let mut data = vec![0.0f32; m * n];
//! let mut t = Tensor::new(&mut data, make_layout((m, n), (Int::<1>, m)))?.injective()?;
//! t.par_tiles_mut((Int::<64>, Int::<64>)).enumerate().for_each(|(k, mut tile)| tile.fill(k as f32));
//! assert_eq!((t[(0, 0)], t[(64, 0)], t[(299, 199)]), (0.0, 1.0, 19.0));
//! # Ok::<(), crd2idx::TensorError>(())
//! ```

use crate::layouts::IntTuple;
use crate::tensor::{Blocks, Borrow, FullTiles, Indexed, Storage, StorageMut, Tileable, Tiles, Unique};
use crate::{Layout, Tensor};
use rayon::iter::plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};

/// An iterator that can be divided at a position into two iterators.
///
/// ```
/// use crd2idx::parallel::Divide;
/// use crd2idx::{Int, Tensor, make_layout};
/// /// Calls `f` with every item. It divides the items into halves, and rayon gives each half to a thread.
/// fn for_each<I: Divide>(items: I, f: &(impl Fn(I::Item) + Sync)) {
///     if items.len() <= 2 {
///         return items.for_each(f);
///     }
///     let middle = items.len() / 2;
///     let (left, right) = items.divide(middle);
///     rayon::join(|| for_each(left, f), || for_each(right, f));
/// }
/// let mut data = vec![0; 12];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<12>,), (Int::<1>,)))?;
/// for_each(t.tiles_mut((Int::<3>,)).indexed(), &|((first,), mut tile)| tile.fill(first));
/// assert_eq!(data, [0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9]);
/// # Ok::<(), crd2idx::TensorError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not divided among threads: tiles and blocks are, if their elements are `Send` to write them and `Sync` to read them",
    label = "`tiles`, `tiles_mut`, `blocks` and `blocks_mut` of a tensor can be"
)]
pub trait Divide: DoubleEndedIterator + ExactSizeIterator + Send + Sized {
    /// Divides the iterator into its first `count` items and the others. `count` is at most the number of items.
    fn divide(self, count: usize) -> (Self, Self);
}

macro_rules! divided {
    ($($tiles:ty, $layout:ident: $bound:path;)*) => { $(
        impl<S: Borrow, $layout: $bound, T: IntTuple> Divide for $tiles
        where
            Self: Send,
        {
            fn divide(self, count: usize) -> (Self, Self) {
                self.split_at(count)
            }
        }
    )* };
}

divided! {
    Tiles<S, L, T>, L: Tileable<T>;
    FullTiles<S, L, T>, L: Tileable<T>;
    Blocks<S, L, T>, L: Layout;
    Indexed<Tiles<S, L, T>>, L: Tileable<T>;
    Indexed<FullTiles<S, L, T>>, L: Tileable<T>;
    Indexed<Blocks<S, L, T>>, L: Layout;
}

/// A parallel iterator over tiles or blocks. [`IntoParallel`] makes it.
///
/// ```
/// use crd2idx::parallel::{IntoParallel, Parallel};
/// use crd2idx::{Int, Tensor, make_layout};
/// use rayon::iter::{IndexedParallelIterator, ParallelIterator};
/// let data: Vec<u64> = (0..1000).collect();
/// let t = Tensor::new(&data, make_layout((1000,), (Int::<1>,)))?;
/// let tiles: Parallel<_> = t.tiles((Int::<64>,)).into_parallel();
/// assert_eq!(tiles.len(), 16);
/// // A task has at least four tiles. The results keep the order of the tiles.
/// let sums: Vec<u64> = tiles.with_min_len(4).map(|tile| tile.into_window().iter().sum()).collect();
/// assert_eq!((sums[0], sums.iter().sum::<u64>()), (63 * 32, 999 * 500));
/// # Ok::<(), crd2idx::TensorError>(())
/// ```
#[derive(Clone)]
pub struct Parallel<I>(I);

/// Iterators that threads can share: `tiles`, `tiles_mut`, `blocks` and `blocks_mut` of a tensor. Tiles may be
/// [`full`](Tiles::full) or [`exact`](Tiles::exact), and all may be [`indexed`](Tiles::indexed).
///
/// ```
/// use crd2idx::parallel::IntoParallel;
/// use crd2idx::{Int, Tensor, make_layout};
/// use rayon::iter::ParallelIterator;
/// let data: Vec<u64> = (0..960).collect();
/// let t = Tensor::new(&data, make_layout((40, 24), (24, Int::<1>)))?;
/// // Chunks of four columns: exact, or an error that says why not.
/// let columns = t.tiles((40, Int::<4>)).exact()?.into_parallel();
/// assert_eq!(columns.map(|tile| tile.iter().sum::<u64>()).sum::<u64>(), 959 * 480);
/// assert_eq!(t.tiles((40, Int::<7>)).exact().err().unwrap().to_string(), "zipped_divide: tile 7 does not divide the extent 24 of mode 1");
/// # Ok::<(), crd2idx::TensorError>(())
/// ```
///
/// Reading needs elements that are `Sync`. Writing needs elements that are `Send`:
///
/// ```compile_fail
/// use crd2idx::parallel::IntoParallel;
/// use crd2idx::{Int, Tensor, make_layout};
/// use std::rc::Rc;
/// let data: [Rc<i32>; 4] = Default::default();
/// let t = Tensor::new(&data, make_layout((2, 2), (2, Int::<1>))).unwrap();
/// t.tiles((1, 2)).into_parallel(); // `Rc<i32>` cannot be shared between threads safely
/// ```
pub trait IntoParallel: Iterator + Sized {
    /// Returns a parallel iterator over the same items. It runs on the threads of the current rayon pool, and keeps the
    /// order for methods that depend on it.
    fn into_parallel(self) -> Parallel<Self>
    where
        Self: Divide,
    {
        Parallel(self)
    }
}

impl<I: Iterator> IntoParallel for I {}

impl<I: Divide<Item: Send>> ParallelIterator for Parallel<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

impl<I: Divide<Item: Send>> IndexedParallelIterator for Parallel<I> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<I::Item>>(self, callback: CB) -> CB::Output {
        callback.callback(Part(self.0))
    }
}

/// The items of one thread, which rayon may divide for other threads.
struct Part<I>(I);

impl<I: Divide<Item: Send>> Producer for Part<I> {
    type Item = I::Item;
    type IntoIter = I;

    fn into_iter(self) -> I {
        self.0
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let (left, right) = self.0.divide(count);
        (Part(left), Part(right))
    }
}

/// The tiles of a tensor over the storage `S`, for writing.
///
/// ```
/// use crd2idx::parallel::{Parallel, ParallelTiles, TilesMut};
/// use crd2idx::{Int, Owned, Strided};
/// use rayon::iter::ParallelIterator;
/// type Line = Strided<(Int<8>,), (Int<1>,)>;
/// /// Returns the pairs of a line, for the threads to write.
/// fn pairs<'a>(line: &'a mut Owned<i32, Line, 8>) -> Parallel<TilesMut<'a, [i32; 8], Line, (Int<2>,)>> {
///     line.par_tiles_mut((Int,))
/// }
/// let mut line = Owned::from_array(Line::default(), [1, 0, 3, 2, 5, 4, 7, 6]);
/// pairs(&mut line).for_each(|mut pair| (pair[(0,)], pair[(1,)]) = (pair[(1,)], pair[(0,)]));
/// assert_eq!(line.as_slice(), [0, 1, 2, 3, 4, 5, 6, 7]);
/// ```
pub type TilesMut<'a, S, L, T> = Tiles<Unique<'a, <S as Storage>::Item>, L, T>;

/// Methods of tensors that make parallel iterators of tiles in one call.
///
/// ```
/// use crd2idx::parallel::ParallelTiles;
/// use crd2idx::{Int, Tensor, make_layout};
/// use rayon::iter::ParallelIterator;
/// let mut data = vec![1.0f32; 64 * 48];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<64>, Int::<48>), (Int::<1>, Int::<64>)))?;
/// t.par_tiles_mut((Int::<16>, Int::<16>)).for_each(|mut tile| tile.for_each_mut(|x| *x += 1.0));
/// // Threads add no numbers to one place: each tile has its own sum.
/// let sum: f32 = t.par_tiles((Int::<16>, Int::<16>)).map(|tile| tile.into_window().iter().sum::<f32>()).sum();
/// assert_eq!(sum, 2.0 * 64.0 * 48.0);
/// # Ok::<(), crd2idx::TensorError>(())
/// ```
pub trait ParallelTiles {
    /// The storage of the tensor.
    type Storage: Storage;

    /// The layout of the tensor.
    type Layout: Layout;

    /// Returns [`Tensor::tiles`] as a parallel iterator. Panics if the tiles are empty.
    fn par_tiles<'a, T: IntTuple>(&'a self, tiler: T) -> Parallel<Tiles<<Self::Storage as Storage>::Shared<'a>, Self::Layout, T>>
    where
        Self::Layout: Tileable<T>,
        Tiles<<Self::Storage as Storage>::Shared<'a>, Self::Layout, T>: Divide;

    /// Returns [`Tensor::tiles_mut`] as a parallel iterator. Panics if the tiles are empty.
    ///
    /// A tile is the smallest task, so choose tiles with many elements, and many tiles for each thread.
    fn par_tiles_mut<'a, T: IntTuple>(&'a mut self, tiler: T) -> Parallel<TilesMut<'a, Self::Storage, Self::Layout, T>>
    where
        Self::Storage: StorageMut,
        Self::Layout: Tileable<T>,
        TilesMut<'a, Self::Storage, Self::Layout, T>: Divide;
}

impl<S: Storage, L: Layout> ParallelTiles for Tensor<S, L> {
    type Storage = S;
    type Layout = L;

    #[track_caller]
    fn par_tiles<'a, T: IntTuple>(&'a self, tiler: T) -> Parallel<Tiles<S::Shared<'a>, L, T>>
    where
        L: Tileable<T>,
        Tiles<S::Shared<'a>, L, T>: Divide,
    {
        Parallel(self.tiles(tiler))
    }

    #[track_caller]
    fn par_tiles_mut<'a, T: IntTuple>(&'a mut self, tiler: T) -> Parallel<TilesMut<'a, S, L, T>>
    where
        S: StorageMut,
        L: Tileable<T>,
        TilesMut<'a, S, L, T>: Divide,
    {
        Parallel(self.tiles_mut(tiler))
    }
}
