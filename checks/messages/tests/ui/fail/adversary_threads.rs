//! Elements that must not be shared by threads, or sent to them, behind tensors and tiles.

#![forbid(unsafe_code)]

use crd2idx::{Int, Strided, Tensor, View, ViewMut};
use crd2idx::tensor::{Iter, Masked, Shared, Tile, Tiles, Unique, Window};
use std::cell::Cell;
use std::rc::Rc;

type Layout = Strided<(usize, usize), (Int<1>, usize)>;

fn sent<T: Send>() {}
fn shared<T: Sync>() {}

fn main() {
    sent::<View<'static, Cell<u8>, Layout>>();
    shared::<View<'static, Cell<u8>, Layout>>();
    sent::<ViewMut<'static, Rc<u8>, Layout>>();
    shared::<ViewMut<'static, Cell<u8>, Layout>>();
    sent::<Tensor<[Rc<u8>; 4], Layout>>();
    sent::<Iter<Shared<'static, Cell<u8>>, Layout>>();
    sent::<Tiles<Unique<'static, Rc<u8>>, Layout, (Int<2>, Int<2>)>>();
    sent::<Tile<Shared<'static, Cell<u8>>, Window<Layout, (usize, usize)>, (usize, usize)>>();
    sent::<Masked<Shared<'static, Cell<u8>>, Layout, (Int<2>, Int<2>), Layout, Layout>>();
    // Numbers go anywhere.
    sent::<View<'static, u8, Layout>>();
    sent::<ViewMut<'static, Cell<u8>, Layout>>();
    shared::<Tensor<[u8; 4], Layout>>();
}
