//! Elements of tensors and tiles that threads must not share, or that must not be sent to another thread.

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
    // Numbers may be sent and shared.
    sent::<View<'static, u8, Layout>>();
    sent::<ViewMut<'static, Cell<u8>, Layout>>();
    shared::<Tensor<[u8; 4], Layout>>();
}
