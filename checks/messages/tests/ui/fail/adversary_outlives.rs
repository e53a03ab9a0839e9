//! Views that outlive their tensor, or coexist with another borrow of it.

#![forbid(unsafe_code)]

use crd2idx::{Int, Owned, Strided, Tensor, make_layout};
use crd2idx::number::Keep;

fn beyond_the_data() -> i32 {
    let tile = {
        let data = [1, 2, 3, 4];
        let t = Tensor::new(&data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
        t.tiles((Int::<1>, Int::<1>)).next().unwrap()
    };
    tile[(0, 0)]
}

fn beyond_the_tensor() -> i32 {
    let row = {
        let t = Owned::<i32, Strided<(Int<2>, Int<2>), (Int<1>, Int<2>)>, 4>::filled(Strided::default(), 1);
        t.slice((0, Keep))
    };
    row[(0,)]
}

fn twice(data: &mut [i32]) {
    let mut t = Tensor::new(data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
    let mut one = t.slice_mut((0, Keep));
    let mut other = t.slice_mut((0, Keep));
    std::mem::swap(&mut one[(0,)], &mut other[(1,)]);
}

fn read_and_written(data: &mut [i32]) {
    let mut t = Tensor::new(data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
    let first = &t[(0, 0)];
    t.fill(*first);
    println!("{first}");
}

fn kept_by_a_closure(data: &mut [i32]) {
    let mut t = Tensor::new(data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
    let mut kept = None;
    t.for_each_mut(|x| kept = Some(x));
}

fn written_by_two_iterators(data: &mut [i32]) {
    let mut t = Tensor::new(data, make_layout((2, 2), (Int::<1>, 2))).unwrap().injective().unwrap();
    let tiles = t.tiles_mut((Int::<1>, Int::<1>));
    let again = t.tiles_mut((Int::<1>, Int::<1>));
    println!("{}", tiles.len() + again.len());
}

fn itself_beside_it(data: &mut [i32]) {
    let mut t = Tensor::new(data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
    t.zip_mut(&t, |to, from| *to = *from);
}

fn main() {}
