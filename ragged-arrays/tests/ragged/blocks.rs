//! Tests fixed axes as blocks and as static layouts: the same leaves, at the same addresses, whatever is above them.

use super::nested::Nested::{self, Leaf, List};
use super::nested::{of, random};
use crate::random::Rng;
use layout_core::{Int, Strided};
use layout_levels::{Block, Cursor, End, Fixed, Ragged, Search, Then};
use ragged_arrays::{ChainError, DynLevel, FromLevels, LevelView, RaggedArray, RaggedError};

/// Returns six numbers that stand for a leaf.
fn six(leaf: &i64) -> [i64; 6] {
    std::array::from_fn(|k| leaf * 10 + k as i64)
}

/// Splits blocks of six into two lists of three.
fn split(nested: &Nested<[i64; 6]>) -> Nested<i64> {
    match nested {
        Leaf(six) => List(six.as_chunks::<3>().0.iter().map(|three| List(three.iter().map(|x| Leaf(*x)).collect())).collect()),
        List(list) => List(list.iter().map(split).collect()),
    }
}

#[test]
fn blocks_are_the_lists_of_fixed_axes_in_the_same_memory() {
    let mut rng = Rng::new(71);
    for round in 0..400 {
        let depth = 1 + round % 4;
        let nested = random(depth, &mut rng).map(&mut six);
        let tiles = nested.stored(depth, &mut rng);
        let borrowed = tiles.view().unblock(&[2, 3]).expect("two lists of three");
        assert_eq!(of(&borrowed), split(&nested));
        let blocks = borrowed.blocks::<6>().expect("blocks");
        assert_eq!(of(&blocks), nested);
        // Empty arrays have no address to compare.
        let first = |leaves: &[i64]| leaves.first().map(std::ptr::from_ref);
        let address = first(tiles.leaves().as_flattened());
        assert_eq!([first(borrowed.leaves()), first(blocks.leaves().as_flattened())], [address; 2]);
        let threes = borrowed.blocks::<3>().expect("blocks");
        assert_eq!((threes.depth(), of(&threes.unblock(&[3]).expect("three"))), (depth + 1, split(&nested)));
        // Owned leaves stay where they are.
        let owned = tiles.unblock(&[6]).expect("six").into_owned();
        assert_eq!((first(owned.leaves()), owned.blocks::<6>().map(|blocks| of(&blocks))), (address, Ok(nested)));
    }
}

#[test]
fn blocks_below_views() {
    let rows = RaggedArray::from_views(vec![3_u32, 0, 1], vec![2_u32, 0, 3], (0..5).map(|k| six(&k)).collect::<Vec<_>>()).expect("views");
    let array = rows.view().unblock(&[6, 1]).expect("six");
    assert_eq!(array.get(&[2, 1, 4, 0]), Ok(&24));
    let blocks = array.blocks::<6>().expect("blocks");
    assert_eq!((blocks.row(0), blocks.row(1), blocks.row(2)), (rows.row(0), rows.row(1), rows.row(2)));
    // Blocks take the fewest axes, so axes of size 1 above them stay.
    let array = rows.view().unblock(&[1, 6, 1]).expect("six");
    let blocks = array.blocks::<6>().expect("blocks");
    assert_eq!((blocks.depth(), blocks.get(&[2, 1, 0]).map(|six| six[4])), (3, Ok(24)));
}

#[test]
fn blocks_that_are_none() {
    let refused = |axis, size, expected| Some(RaggedError::NotABlock { axis, size, expected });
    let array = RaggedArray::from_cu_seqlens(vec![0_u32, 1, 3], &[2, 4], (0..24).collect::<Vec<i32>>()).expect("rows");
    assert_eq!(array.blocks::<2>().err(), refused(3, 4, 2));
    assert_eq!(array.blocks::<16>().err(), refused(2, 8, 16));
    assert_eq!(array.blocks::<1>().map(|blocks| blocks.depth()), Ok(4));
    let lists = RaggedArray::from_lengths(vec![4, 4], (0..8).collect::<Vec<i32>>()).expect("rows");
    assert_eq!(
        lists.blocks::<4>().err().map(|error| error.to_string()).as_deref(),
        Some("axis 1: the kind is u32 offsets; expected: fixed")
    );
    let empty = RaggedArray::from_regular(&[3, 0], Vec::<i32>::new()).expect("a structure");
    assert_eq!(empty.blocks::<2>().err(), refused(1, 0, 2));
    assert_eq!(lists.blocks::<1>().expect("blocks").unblock(&[2]).err(), refused(2, 2, 1));
    let units = RaggedArray::from_leaves(vec![[(); 1 << 62]; 4]).expect("elements without a size");
    assert_eq!(units.unblock(&[1 << 62]).err(), Some(RaggedError::Overflow));
}

type Tile = Strided<(Int<2>, Int<3>), (Int<3>, Int<1>)>;
type Rows<O, T> = Then<Fixed<usize>, Then<O, Then<T, End>>>;

/// Checks that a chain over a slice of a larger array numbers every leaf as the array does.
fn agree<'s, O>(array: &'s RaggedArray<'_, i64>)
where
    Rows<O, Block<Tile>>: FromLevels<'s> + layout_levels::Lookup<Coord = (usize, (usize, (usize, ())))>,
    Rows<O, Block<Tile>>: layout_levels::Decompose + layout_levels::Ascend,
{
    let chain = array.shape().chain::<Rows<O, Block<Tile>>>().expect("these levels");
    let begin = chain.span().start;
    assert_eq!(chain.span().len(), array.leaves().len());
    for leaf in 0..array.leaves().len() {
        let coordinate @ (row, (place, (inside, ()))) = chain.decompose(begin + leaf);
        let (a, b) = Tile::default().idx2crd(inside);
        assert_eq!(array.shape().decompose(leaf), Ok(vec![row, place, a, b]));
        assert_eq!((chain.locate(coordinate), array.get(&[row, place, a, b])), (Some(begin + leaf), Ok(&array.leaves()[leaf])));
    }
}

#[test]
fn chains_of_static_tiles_number_leaves_as_the_array_does() {
    let mut rng = Rng::new(72);
    let (mut seen, kinds) = ([0; 5], ["fixed", "u32 offsets", "u64 offsets", "i32 offsets", "i64 offsets"]);
    for _ in 0..300 {
        let array = random(2, &mut rng).map(&mut six).stored(2, &mut rng).unblock(&[2, 3]).expect("six");
        let error = array.shape().chain::<Then<Fixed<usize>, Then<Ragged<&[u32]>, End>>>().expect_err("four axes");
        let kind = kinds.iter().position(|kind| *kind == array.shape().levels()[0].kind()).expect("one of these");
        match kind {
            0 => agree::<Fixed<usize>>(&array),
            1 => agree::<Ragged<&[u32], Search>>(&array),
            2 => agree::<Ragged<&[u64], Cursor>>(&array),
            3 => agree::<Ragged<&[i32]>>(&array),
            _ => agree::<Ragged<&[i64]>>(&array),
        }
        seen[kind] += 1;
        let expected = match kind {
            1 => ChainError::Depth { expected: 2, found: 4 },
            _ => ChainError::Kind { level: 1, expected: "u32 offsets", found: kinds[kind] },
        };
        assert_eq!(error, expected);
    }
    assert!(seen.iter().all(|times| *times > 0), "{seen:?}");
}

#[test]
fn a_grid_of_rows_outermost() {
    // A grid of 2 x 3 rows of any length, stored column by column.
    type Grid = Strided<(Int<2>, Int<3>), (Int<1>, Int<2>)>;
    let lengths = [3, 0, 1, 2, 0, 2];
    let rows = RaggedArray::from_lengths(lengths.to_vec(), (0..8).collect::<Vec<i32>>()).expect("rows");
    let chain = rows.shape().chain::<Then<Block<Grid>, Then<Ragged<&[u32]>, End>>>().expect("six rows");
    for leaf in 0..8 {
        let (cell, (place, ())) = chain.decompose(leaf);
        let (a, b) = Grid::default().idx2crd(cell);
        assert_eq!(rows.get(&[a + 2 * b, place]), Ok(&(leaf as i32)));
    }
    // An axis of size 1 makes a block of one element, too.
    type Unit = Strided<(Int<1>, Int<1>), (Int<1>, Int<1>)>;
    type Units<'s> = Then<Fixed<usize>, Then<Ragged<&'s [u32]>, Then<Block<Unit>, End>>>;
    let units = RaggedArray::from_cu_seqlens(vec![0_u32, 3, 4], &[1], (0..4).collect::<Vec<i32>>()).expect("rows");
    assert_eq!(units.shape().chain::<Units>().map(|chain| chain.decompose(3)), Ok((1, (0, (0, ())))));
    // The same grid from two axes, with a third static axis below.
    let deep = RaggedArray::new(3, vec![DynLevel::fixed(2), rows.shape().levels()[0].view(), DynLevel::fixed(1)], rows.leaves());
    let deep = deep.expect("an array");
    type Tall = Strided<(Int<8>,), (Int<1>,)>;
    type Deep<'s, B> = Then<B, Then<Ragged<&'s [u32]>, Then<Fixed<Int<1>>, End>>>;
    let chain = deep.shape().chain::<Deep<Block<Grid>>>().expect("six rows");
    assert_eq!(chain.decompose(4), (3, (0, (0, ()))));
    let refused = |level, size, expected| Some(ChainError::Block { level, size, expected });
    assert_eq!(deep.shape().chain::<Deep<Block<Tall>>>().err(), refused(0, 6, 8));
    type Wide<'s> = Then<Block<Grid>, Then<Ragged<&'s [u32]>, Then<Fixed<Int<2>>, End>>>;
    assert_eq!(deep.shape().chain::<Wide>().err(), Some(ChainError::Extent { level: 3, expected: 2, found: 1 }));
    type Longer<'s> = Then<Block<Grid>, Then<Ragged<&'s [u32]>, Then<Fixed<usize>, Then<LevelView<'s>, End>>>>;
    assert_eq!(deep.shape().chain::<Longer>().err(), Some(ChainError::Depth { expected: 5, found: 4 }));
}
