//! Windows, blocks, tiles, vectors and slices: tensors of some of the elements.

use crate::case::{Case, Element, Form, WrittenElements, integers, require_distinct};
use crd2idx::layouts::Coordinate;
use crd2idx::parallel::IntoParallel;
use crd2idx::prelude::*;
use crd2idx::tensor::{Storage, StorageMut, Tileable};
use ndarray::{ArrayView0, ArrayViewMut0};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};

/// Returns a window coordinate with the integer `n` in every mode.
fn uniform<X: Element, F: Form>(case: &Case<X, F>, n: usize) -> F::Window {
    F::window(&vec![n; case.extents.len()])
}

/// Returns the boxes that a case is cut into, each as the numbers of its coordinates. The last boxes of a mode are smaller.
fn boxes<X: Element, F: Form>(case: &Case<X, F>, tile: &[usize]) -> Vec<Vec<usize>> {
    if case.size() == 0 {
        return Vec::new();
    }
    let whole = |k: usize| tile.get(k).copied().unwrap_or(case.extents[k]);
    let counts: Vec<usize> = (0..case.extents.len()).map(|k| case.extents[k].div_ceil(whole(k))).collect();
    let mut boxes = vec![Vec::new(); counts.iter().product()];
    for (number, modes) in case.coordinates().enumerate() {
        let place = modes.iter().enumerate().rev().fold(0, |place, (k, digit)| place * counts[k] + digit / whole(k));
        boxes[place].push(number);
    }
    boxes
}

/// Checks that the tensor has exactly the elements with these numbers of coordinates, in every way to read them.
fn require<X: Element, F: Form, S: Storage<Item = X>, L: Layout>(case: &Case<X, F>, t: &Tensor<S, L>, numbers: &[usize]) {
    let want: Vec<X> = numbers.iter().map(|k| X::new(case.places[*k])).collect();
    let mut walked = Vec::new();
    t.ordered().for_each(|x| walked.push(*x));
    assert_eq!(walked, want);
    assert_eq!((0..t.size()).map(|k| t[k]).collect::<Vec<_>>(), want);
    // A box of an affine layout is affine, and a single element always is.
    let consecutive = numbers.windows(2).all(|pair| case.places[pair[1]] == case.places[pair[0]] + 1);
    if consecutive && case.strides().is_some() || numbers.len() == 1 {
        assert_eq!(t.contiguous(), Some(&want[..]));
    } else if let Some(slice) = t.contiguous() {
        assert_eq!(slice, want);
    }
}

/// Appends a mutable reference to every element, by `contiguous_mut` if the elements are contiguous.
fn references<'a, X: Element, S: StorageMut<Item = X>, L: Layout>(part: &'a mut Tensor<S, L>, all: &mut Vec<&'a mut X>) {
    let size = part.size();
    if part.contiguous().is_some() {
        all.extend(part.contiguous_mut().expect("a slice"));
    } else if size == 1 {
        all.push(&mut part[0]);
    } else {
        // One borrow of the tensor serves all of its elements, which have different addresses.
        let mut places: Vec<*mut X> = Vec::new();
        part.ordered_mut().for_each_mut(|x| places.push(x));
        // SAFETY: the elements of an injective tensor, borrowed exclusively for `'a`.
        all.extend(places.into_iter().map(|x| unsafe { &mut *x }));
    }
}

/// Writes to all elements through references that are all held at the same time. `numbers` are the numbers of their coordinates.
fn write<X: Element, F: Form>(
    case: &Case<X, F>,
    mut references: Vec<&mut X>,
    numbers: impl IntoIterator<Item = usize>,
) -> WrittenElements<X> {
    require_distinct(&references);
    assert_eq!(references.len(), case.size());
    let mut numbers = numbers.into_iter();
    references.iter_mut().for_each(|x| **x = Case::<X, F>::new_value(numbers.next().expect("a number")));
    WrittenElements::Each
}

/// Checks every window of one element, windows behind the end of a mode, which are refused, and the window of all coordinates without 0.
pub fn windows<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let one = uniform(case, 1);
    for (k, modes) in case.coordinates().enumerate() {
        let w = t.window(F::window(&modes), one).unwrap();
        require(case, &w, &[k]);
        assert_eq!(w.get(F::at(&vec![1; modes.len()])).is_none(), !modes.is_empty());
    }
    for mode in 0..case.extents.len() {
        let mut modes = vec![0; case.extents.len()];
        modes[mode] = case.extents[mode];
        assert!(t.window(F::window(&modes), one).is_err());
    }
    if case.size() > 0 && case.extents.iter().all(|extent| *extent > 1) {
        let rest: Vec<usize> = case.extents.iter().map(|extent| extent - 1).collect();
        let inner: Vec<usize> = case.coordinates().filter(|modes| !modes.contains(&0)).map(|modes| case.number(&modes)).collect();
        require(case, &t.window(one, F::window(&rest)).unwrap(), &inner);
    }
    WrittenElements::Nothing
}

pub fn windows_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let one = uniform(case, 1);
    for (k, modes) in case.coordinates().enumerate() {
        t.window_mut(F::window(&modes), one).unwrap().contiguous_mut().expect("one element")[0] = Case::<X, F>::new_value(k);
    }
    WrittenElements::Each
}

/// Checks blocks of extent 2 in each mode: in order, from behind, in two halves, and blocks of blocks.
pub fn blocks<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let (two, one, want) = (uniform(case, 2), uniform(case, 1), boxes(case, &vec![2; case.extents.len()]));
    assert_eq!(t.blocks(two).len(), want.len());
    for (block, want) in t.blocks(two).zip(&want) {
        require(case, &block, want);
        block.blocks(one).zip(want).for_each(|(part, number)| require(case, &part, &[*number]));
    }
    // An interpreter takes a second for the rest.
    if cfg!(miri) {
        return WrittenElements::Nothing;
    }
    t.blocks(two).rev().zip(want.iter().rev()).for_each(|(block, want)| require(case, &block, want));
    let (left, right) = t.blocks(two).split_at(want.len() / 2);
    left.chain(right).zip(&want).for_each(|(block, want)| require(case, &block, want));
    WrittenElements::Nothing
}

pub fn blocks_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let Some(mut t) = case.proven(t) else { return WrittenElements::Nothing };
    let mut blocks: Vec<_> = t.blocks_mut(uniform(case, 2)).collect();
    let mut all = Vec::new();
    blocks.iter_mut().for_each(|block| references(block, &mut all));
    write(case, all, boxes(case, &vec![2; case.extents.len()]).into_iter().flatten())
}

/// Writes blocks on several threads.
pub fn parallel_blocks<X: Element, F: Form, L: Layout + Send + Sync>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let (two, want) = (uniform(case, 2), boxes(case, &vec![2; case.extents.len()]));
    t.blocks(two).into_parallel().enumerate().for_each(|(k, block)| {
        assert!(block.iter().copied().eq(want[k].iter().map(|number| X::new(case.places[*number]))));
    });
    let Some(mut t) = case.proven(t) else { return WrittenElements::Nothing };
    t.blocks_mut(two).into_parallel().enumerate().for_each(|(k, mut block)| {
        let values = want[k].iter().map(|number| Case::<X, F>::new_value(*number));
        match block.contiguous_mut() {
            Some(slice) => slice.iter_mut().zip(values).for_each(|(x, value)| *x = value),
            None => values.enumerate().for_each(|(k, value)| block[k] = value),
        }
    });
    WrittenElements::Each
}

/// Checks tiles of a shape, full and partial, in order and from behind.
pub fn tiles<X: Element, F: Form, L: Tileable<T>, T: IntTuple>(
    case: &Case<X, F>,
    t: ViewMut<X, L>,
    tiler: T,
    tile: &[usize],
) -> WrittenElements<X> {
    let want = boxes(case, tile);
    let of_case = |part: Tile<_, _, _>, want: &Vec<usize>| match part {
        Tile::Full(part) => {
            assert_eq!(want.len(), size_of_tile(case, tile));
            require(case, &part, want);
        }
        Tile::Partial(part) => {
            assert!(want.len() < size_of_tile(case, tile));
            require(case, &part, want);
        }
    };
    assert_eq!(t.try_tiles(tiler).unwrap().len(), want.len());
    t.try_tiles(tiler).unwrap().zip(&want).for_each(|(part, want)| of_case(part, want));
    if cfg!(miri) {
        return WrittenElements::Nothing;
    }
    t.try_tiles(tiler).unwrap().rev().zip(want.iter().rev()).for_each(|(part, want)| of_case(part, want));
    t.try_tiles(tiler).unwrap().zip(&want).for_each(|(part, want)| require(case, &part.into_window(), want));
    let full: Vec<_> = want.iter().filter(|want| want.len() == size_of_tile(case, tile)).collect();
    t.try_tiles(tiler).unwrap().full().zip(full).for_each(|(part, want)| require(case, &part, want));
    WrittenElements::Nothing
}

/// Checks that tiles are refused if their corners share bits of XOR strides with the coordinates inside them.
pub fn refused_tiles<X: Element, F: Form, L: Tileable<T>, T: IntTuple>(_: &Case<X, F>, t: ViewMut<X, L>, tiler: T) -> WrittenElements<X> {
    let error = t.try_tiles(tiler).err().expect("a refusal");
    assert!(error.to_string().contains("shares the bits"), "{error}");
    WrittenElements::Nothing
}

fn size_of_tile<X: Element, F: Form>(case: &Case<X, F>, tile: &[usize]) -> usize {
    (0..case.extents.len()).map(|k| tile.get(k).copied().unwrap_or(case.extents[k])).product()
}

pub fn tiles_mut<X: Element, F: Form, L: Tileable<T>, T: IntTuple>(
    case: &Case<X, F>,
    t: ViewMut<X, L>,
    tiler: T,
    tile: &[usize],
) -> WrittenElements<X> {
    let Some(mut t) = case.proven(t) else { return WrittenElements::Nothing };
    let (left, right) = t.try_tiles_mut(tiler).unwrap().split_at(boxes(case, tile).len() / 2);
    let (mut tiles, mut all): (Vec<_>, _) = (left.chain(right).collect(), Vec::new());
    for part in &mut tiles {
        match part {
            Tile::Full(part) => references(part, &mut all),
            Tile::Partial(part) => references(part, &mut all),
        }
    }
    write(case, all, boxes(case, tile).into_iter().flatten())
}

/// Writes tiles on several threads.
pub fn parallel_tiles<X, F, L, T>(case: &Case<X, F>, t: ViewMut<X, L>, tiler: T, tile: &[usize]) -> WrittenElements<X>
where
    X: Element,
    F: Form,
    L: Tileable<T, Tile: Send + Sync> + Send + Sync,
    T: IntTuple<Coord: Send + Sync> + Send + Sync,
{
    let (want, Some(mut t)) = (boxes(case, tile), case.proven(t)) else { return WrittenElements::Nothing };
    t.try_tiles_mut(tiler).unwrap().into_parallel().enumerate().for_each(|(k, part)| {
        let mut values = want[k].iter().map(|number| Case::<X, F>::new_value(*number));
        part.into_window().ordered_mut().for_each_mut(|x| *x = values.next().expect("a value"));
    });
    WrittenElements::Each
}

/// Checks vectors of `V` elements along `mode`, which has stride 1, and their scalars.
pub fn vectors<X, F, L, const V: usize>(case: &Case<X, F>, mut t: ViewMut<X, L>, mode: usize) -> WrittenElements<X>
where
    X: Element,
    F: Form,
    L: Vectorable<V>,
{
    let groups: Vec<Vec<usize>> = case
        .coordinates()
        .filter(|modes| modes[mode] % V == 0)
        .map(|mut modes| {
            let first = modes[mode];
            (0..V)
                .map(|lane| {
                    modes[mode] = first + lane;
                    case.number(&modes)
                })
                .collect()
        })
        .collect();
    let vectors = t.vectors::<V>().unwrap();
    assert_eq!(vectors.size(), groups.len());
    assert!(
        vectors.iter().eq(groups
            .iter()
            .map(|group| std::array::from_fn(|lane| X::new(case.places[group[lane]])))
            .collect::<Vec<[X; V]>>()
            .iter())
    );
    let mut vectors = t.vectors_mut::<V>().unwrap();
    for (k, group) in groups.iter().enumerate() {
        vectors[k] = std::array::from_fn(|lane| Case::<X, F>::new_value(group[lane]));
    }
    WrittenElements::Each
}

/// Checks the slice at every coordinate: one element, of rank 0.
pub fn slices<X: Element, F: Form, L: Rearrange>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    use crd2idx::interop::FromTensor;
    for (k, c) in case.all().enumerate() {
        let want = X::new(case.places[k]);
        let s = t.slice(c);
        assert_eq!((s.layout().rank(), s[()], s.get(()), s.contiguous()), (0, want, Some(&want), Some(&[want][..])));
        assert!(s.iter().eq([&want]));
        assert_eq!(ArrayView0::from_tensor(s).unwrap()[()], want);
    }
    for (k, c) in case.all().enumerate() {
        let value = Case::<X, F>::new_value(k);
        match k % 3 {
            0 => t.slice_mut(c)[()] = value,
            1 => t.slice_mut(c).contiguous_mut().expect("one element")[0] = value,
            _ => ArrayViewMut0::from_tensor(t.slice_mut(c)).unwrap().fill(value),
        }
    }
    WrittenElements::Each
}

/// Checks whole tiles with a predicate: every coordinate with an element, and none without.
pub fn masked<X, F, L, T, C>(
    case: &Case<X, F>,
    mut t: ViewMut<X, L>,
    tiler: T,
    tile: &[usize],
    coordinate: impl Fn(&[usize], &[usize]) -> C,
) -> WrittenElements<X>
where
    X: Element,
    F: Form,
    L: TypedLayout,
    T: IntTuple,
    C: Coordinate,
{
    let grid: Vec<usize> = (0..tile.len()).map(|k| case.extents[k].div_ceil(tile[k])).collect();
    let padded: Vec<usize> = (0..tile.len()).map(|k| grid[k] * tile[k]).collect();
    let mut found = 0;
    for modes in integers(&padded) {
        let inside = modes.iter().zip(&case.extents).all(|(digit, extent)| digit < extent);
        let (inner, outer): (Vec<usize>, Vec<usize>) = modes.iter().zip(tile).map(|(digit, tile)| (digit % tile, digit / tile)).unzip();
        let c = coordinate(&inner, &outer);
        let want = inside.then(|| X::new(case.places[case.number(&modes)]));
        assert_eq!(t.masked(tiler).get(c).copied(), want, "{modes:?}");
        assert_eq!(t.masked(tiler).in_bounds(c), inside);
        found += usize::from(inside);
    }
    assert_eq!(found, case.size());
    for modes in case.coordinates() {
        let (inner, outer): (Vec<usize>, Vec<usize>) = modes.iter().zip(tile).map(|(digit, tile)| (digit % tile, digit / tile)).unzip();
        *t.masked_mut(tiler).get_mut(coordinate(&inner, &outer)).expect("an element") = Case::<X, F>::new_value(case.number(&modes));
    }
    WrittenElements::Each
}
