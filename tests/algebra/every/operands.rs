//! Random operands of every kind.

use crate::common::layout::{flat, leaf};
use crate::common::{After, Function, Layout, Leaf, Rng, Tree};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Integer strides of either sign.
    Affine,
    /// XOR strides, some with integer strides in other modes.
    Xor,
    /// `swizzle o offset o layout`.
    Swizzled,
    /// `layout o offset o layout`.
    Composed,
    /// Strides along coordinates.
    Basis,
}

/// Returns a layout whose extents are powers of two, with a product of at most `2^bits`, and whose strides permute the bits of the index.
fn permuted(rng: &mut Rng, bits: usize) -> Layout {
    let (mut extents, mut left) = (Vec::new(), bits);
    while left > 0 && extents.len() < 4 {
        let take = 1 + rng.below(left.min(3));
        extents.push(1 << take);
        left -= take;
    }
    let mut strides = vec![0; extents.len()];
    let mut span = 1;
    let first = rng.below(extents.len().max(1));
    for k in 0..extents.len() {
        let k = (first + k) % extents.len();
        strides[k] = span;
        span *= extents[k];
    }
    let leaves: Vec<Layout> = extents.iter().zip(&strides).map(|(n, d)| leaf(*n, *d)).collect();
    rng.nested(&leaves)
}

fn exchanging(rng: &mut Rng) -> Layout {
    let leaves: Vec<Layout> = (0..1 + rng.below(3))
        .map(|_| {
            let extent = if rng.one_in(6) { rng.between(1, 6) } else { 1 << rng.between(0, 3) };
            let stride = if rng.one_in(2) { 1 << rng.between(0, 4) } else { rng.between(0, 20) };
            match rng.below(6) {
                0 => leaf(rng.between(1, 4), 64 * rng.between(0, 3)),
                _ => Tree::Leaf(Leaf { extent, stride, path: Vec::new(), xor: true }),
            }
        })
        .collect();
    rng.nested(&leaves)
}

/// Returns a random swizzle of few bits.
fn exchange(rng: &mut Rng) -> After {
    let bits = rng.between(0, 2);
    let shift = rng.between(bits, bits + 2);
    After::Swizzle(bits, rng.between(0, 3), if rng.one_in(3) { -shift } else { shift })
}

/// Returns a layout with strides along the coordinates of its modes.
fn coordinates(rng: &mut Rng) -> Layout {
    let modes = 1 + rng.below(3);
    let leaves: Vec<Layout> = (0..modes)
        .flat_map(|k| {
            let (inner, step) = (rng.between(1, 4), rng.between(1, 2));
            let first = Leaf { extent: inner, stride: step, path: vec![k], xor: false };
            let second = Leaf { extent: rng.between(1, 3), stride: step * inner, path: vec![k], xor: false };
            if rng.one_in(2) { vec![first] } else { vec![first, second] }
        })
        .map(Tree::Leaf)
        .collect();
    rng.nested(&leaves)
}

/// Returns the layout with a random one of its extents replaced by 0.
fn emptied(layout: &Layout, rng: &mut Rng) -> Layout {
    let (chosen, mut k) = (rng.below(layout.leaves().len().max(1)), 0);
    layout.map(&mut |leaf| {
        k += 1;
        Leaf { extent: if k - 1 == chosen { 0 } else { leaf.extent }, ..leaf.clone() }
    })
}

impl Kind {
    pub const ALL: &'static [Kind] = &[Kind::Affine, Kind::Xor, Kind::Swizzled, Kind::Composed, Kind::Basis];

    /// Returns a random operand of the kind. One in twenty has an extent of 0.
    pub fn draw(self, rng: &mut Rng) -> Function {
        let f = self.draw_any(rng);
        if rng.one_in(20) { f.with_outer(emptied(&f.outer, rng)) } else { f }
    }

    fn draw_any(self, rng: &mut Rng) -> Function {
        match self {
            Kind::Affine if rng.one_in(3) => Function::plain(permuted(rng, 6)),
            Kind::Affine => Function::plain(rng.layout(3, 48)),
            Kind::Xor => Function::plain(exchanging(rng)),
            Kind::Swizzled => {
                let outer = match rng.below(8) {
                    0 => rng.layout(3, 48),
                    1 => rng.compact(3, 48),
                    2 => exchanging(rng),
                    // Any number of stages after a tile.
                    3 => Tree::Node(vec![permuted(rng, 4), leaf(rng.between(1, 5), 16 << rng.between(0, 4))]),
                    _ => {
                        let bits = 1 + rng.below(6);
                        permuted(rng, bits)
                    }
                };
                // Indices before the swizzle are not negative.
                let least = outer.values().into_iter().min().unwrap_or(0).min(0);
                let offset = if rng.one_in(4) { rng.between(0, 20) } else { 0 } - least;
                Function { after: exchange(rng), offset: Tree::Leaf(offset), outer }
            }
            Kind::Composed if rng.one_in(4) => {
                let inner = flat(&[(rng.between(2, 6), 1), (rng.between(2, 6), rng.between(1, 8))]);
                let along = |k: usize, extent: i64, stride: i64| Tree::Leaf(Leaf { extent, stride, path: vec![k], xor: false });
                let outer = Tree::Node(vec![along(0, rng.between(1, 3), 1), along(1, rng.between(1, 3), rng.between(1, 2))]);
                let offset = if rng.one_in(2) { vec![0, 0] } else { vec![rng.between(0, 2), rng.between(0, 2)] };
                Function { after: After::Layout(inner), offset: Tree::Node(offset.into_iter().map(Tree::Leaf).collect()), outer }
            }
            Kind::Composed => {
                let inner = match rng.below(4) {
                    0 => exchanging(rng),
                    1 => permuted(rng, 6),
                    _ => rng.layout(3, 60),
                };
                let outer = if rng.one_in(2) { permuted(rng, 4) } else { rng.compact(3, 24) };
                let offset = if rng.one_in(2) { 0 } else { rng.between(0, 9) };
                Function { after: After::Layout(inner), offset: Tree::Leaf(offset), outer }
            }
            Kind::Basis => Function::plain(coordinates(rng)),
        }
    }
}

/// Returns a random second operand: a layout of integer or XOR strides, or a swizzled layout.
pub fn second(rng: &mut Rng) -> Function {
    match rng.below(4) {
        0 => Kind::Xor.draw(rng),
        1 => Kind::Swizzled.draw(rng),
        _ => Kind::Affine.draw(rng),
    }
}

/// Returns an operand that is related to `f`: `f` itself, its outer layout, or sometimes any other.
pub fn related(f: &Function, rng: &mut Rng) -> Function {
    match rng.below(4) {
        0 => f.clone(),
        1 => second(rng),
        _ => Function::plain(f.outer.clone()),
    }
}
