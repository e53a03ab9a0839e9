//! Copies of a layout, and layouts of wider or narrower elements.

use layout_core::ops::{BlockedProduct, RakedProduct};
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, make_layout};

type Block = Strided<(Int<2>, Int<5>), (Int<5>, Int<1>)>;
type Grid = Strided<(Int<3>, Int<4>), (Int<1>, Int<3>)>;

// ((2,3),(5,4)):((5,10),(1,30)): the blocks continue one another in mode 0.
#[unsafe(no_mangle)]
pub fn blocked_layout(i: usize, j: usize) -> usize {
    BlockedProduct::<Block, Grid>::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn blocked_hand(i: usize, j: usize) -> usize {
    5 * i + j % 5 + j / 5 * 30
}

// ((3,2),(4,5)):((10,5),(30,1))
#[unsafe(no_mangle)]
pub fn raked_layout(i: usize, j: usize) -> usize {
    RakedProduct::<Block, Grid>::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn raked_hand(i: usize, j: usize) -> usize {
    i % 3 * 10 + i / 3 * 5 + j % 4 * 30 + j / 4
}

#[unsafe(no_mangle)]
pub fn copies_layout(n: usize, t: usize, b: usize) -> usize {
    make_layout((Int::<8>, Int::<4>), (Int::<4>, Int::<1>)).logical_product(make_layout(n, Int::<1>)).crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn copies_hand(n: usize, t: usize, b: usize) -> usize {
    t % 8 * 4 + t / 8 + 32 * b
}

#[unsafe(no_mangle)]
pub fn tiled_to_shape_layout(m: Dyn<8>, n: Dyn<4>, i: usize, j: usize) -> usize {
    let block = make_layout((Int::<8>, Int::<4>), (Int::<4>, Int::<1>));
    block.tile_to_shape((m, n), (Int::<0>, Int::<1>)).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn tiled_to_shape_hand(m: usize, n: usize, i: usize, j: usize) -> usize {
    i % 8 * 4 + i / 8 * 32 + j % 4 + j / 4 * (4 * m)
}

#[unsafe(no_mangle)]
pub fn upcast_layout(m: Dyn<4>, ld: Dyn<4>, i: usize, j: usize) -> usize {
    make_layout((m, Int::<16>), (Int::<1>, ld)).upcast(Int::<4>).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn upcast_hand(m: usize, ld: usize, i: usize, j: usize) -> usize {
    i + j * (ld / 4)
}

#[unsafe(no_mangle)]
pub fn upcast_static_layout(i: usize, j: usize) -> usize {
    make_layout((Int::<32>, Int::<16>), (Int::<1>, Int::<40>)).upcast(Int::<8>).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn upcast_static_hand(i: usize, j: usize) -> usize {
    i + 5 * j
}

#[unsafe(no_mangle)]
pub fn downcast_layout(m: usize, ld: usize, i: usize, j: usize) -> usize {
    make_layout((m, Int::<16>), (Int::<1>, ld)).downcast(Int::<2>).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn downcast_hand(m: usize, ld: usize, i: usize, j: usize) -> usize {
    i + j * (2 * ld)
}
