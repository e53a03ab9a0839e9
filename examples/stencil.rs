//! Heat that spreads over a plate. Each element becomes the mean of its neighbours: `cargo run --example stencil`.

use crd2idx::prelude::*;

/// The steps from an element to its four neighbours.
const CROSS: [[isize; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// Performs one step from `from` to `to`: every inner element becomes the mean of its neighbours, and the edge does not
/// change.
fn step<A: Layout, B: Layout>(from: View<f64, A>, mut to: ViewMut<f64, B>) {
    to.interior_mut(&CROSS).zip_mut(&from.neighbours(&CROSS), |mean, around| *mean = around.into_iter().sum::<f64>() * 0.25);
}

/// Performs one step from `from` to `to` on a plate that continues at its opposite edges.
fn step_around<A: Layout, B: Layout>(from: View<f64, A>, mut to: ViewMut<f64, B>) {
    to.stencil(&from, &CROSS, Boundary::Wrap, |mean, around| *mean = around.into_iter().sum::<f64>() * 0.25);
}

/// Compares each step with the definition.
pub fn main() -> Result<(), TensorError> {
    let plate = row_major((50, 150));
    let mut now = Boxed::filled(plate, 0.0)?;
    now.slice_mut((0, Keep)).fill(100.0);
    let steps = if cfg!(miri) { 1 } else { 20 };
    for _ in 0..steps {
        let mut next = now.clone();
        step(now.view(), next.view_mut());
        next.for_each_at(|(i, j): (usize, usize), x| {
            let inside = i > 0 && j > 0 && i + 1 < 50 && j + 1 < 150;
            let neighbours = || now[(i - 1, j)] + now[(i + 1, j)] + now[(i, j - 1)] + now[(i, j + 1)];
            assert_eq!(*x, if inside { neighbours() * 0.25 } else { now[(i, j)] }, "({i},{j})");
        });
        now = next;
    }
    let mut ring = now.clone();
    step_around(now.view(), ring.view_mut());
    assert_eq!(ring[(0, 0)], (now[(49, 0)] + now[(1, 0)] + now[(0, 149)] + now[(0, 1)]) * 0.25);
    println!("after {steps} steps the middle of row 10 has {:.3}", now[(10, 75)]);
    Ok(())
}
