//! Heat that spreads over a plate, tile by tile, each with a halo of its neighbours: `cargo run --example stencil`.

use crd2idx::Injective;
use crd2idx::prelude::*;

/// Where the neighbours of the coordinate (1,1) are.
const NEIGHBOURS: [(usize, usize); 4] = [(0, 1), (2, 1), (1, 0), (1, 2)];

/// One step: every element inside becomes the mean of its four neighbours; those of the edge stay.
fn step<A: Layout, B: Layout>(from: View<f64, A>, to: &mut ViewMut<f64, Injective<B>>) -> Result<(), TensorError> {
    let (h, w): (usize, usize) = from.layout().shape();
    let inside: (usize, usize) = (h - 2, w - 2);
    // The plate moved by one in each direction: what is at the same coordinate is the neighbour.
    let [north, south, west, east] = NEIGHBOURS.map(|corner| from.window(corner, inside));
    let (north, south, west, east) = (north?, south?, west?, east?);
    let tile = shape!(16, 64);
    let halos = north.blocks(tile).zip(south.blocks(tile)).zip(west.blocks(tile)).zip(east.blocks(tile));
    for (mut to, (((north, south), west), east)) in to.window_mut((1, 1), inside)?.blocks_mut(tile).zip(halos) {
        to.zip_mut((&north, &south, &west, &east), |mean, (a, b, c, d)| *mean = (a + b + c + d) * 0.25);
    }
    Ok(())
}

/// Compares with the definition.
pub fn main() -> Result<(), TensorError> {
    let plate = row_major((50, 150));
    let mut now = Boxed::filled(plate, 0.0)?;
    now.slice_mut((0, Keep)).fill(100.0);
    let steps = if cfg!(miri) { 1 } else { 20 };
    for _ in 0..steps {
        let mut next = now.clone();
        step(now.view(), &mut next.view_mut().injective()?)?;
        next.for_each_at(|(i, j): (usize, usize), x| {
            let inside = i > 0 && j > 0 && i + 1 < 50 && j + 1 < 150;
            let neighbours = || now[(i - 1, j)] + now[(i + 1, j)] + now[(i, j - 1)] + now[(i, j + 1)];
            assert_eq!(*x, if inside { neighbours() * 0.25 } else { now[(i, j)] }, "({i},{j})");
        });
        now = next;
    }
    println!("after {steps} steps the middle of row 10 has {:.3}", now[(10, 75)]);
    Ok(())
}
