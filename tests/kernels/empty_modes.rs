//! Layout types have empty modes too: `()` in a tuple of a shape, a stride or a coordinate.

use crd2idx::prelude::*;
use crd2idx::{DynLayout, Strided};

#[test]
fn of_types() {
    let l = make_layout((Int::<3>, (), 4), (Int::<1>, (), Int::<3>));
    assert_eq!((l.rank(), l.size()), (3, 12));
    assert_eq!((l.crd2idx((2, (), 1)), l.crd2idx((2, 0, 1)), l.crd2idx(5)), (5, 5, 5));
    assert_eq!((l.checked_crd2idx((2, (), 3)), l.checked_crd2idx((2, (), 4)), l.checked_crd2idx((2, 1, 3))), (Some(11), None, None));
    assert_eq!(l.idx2crd(5), (2, (), 1));
    assert_eq!(l.shape(), (Int::<3>, (), 4));
    assert_eq!(l.coalesce().crd2idx(7), 7);
    assert_eq!(l.flatten().crd2idx((2, 1)), 5);
    assert_eq!(l.mode(Int::<2>).crd2idx(2), 6);
    let tiles = make_layout((Int::<8>, ()), (Int::<2>, ())).logical_divide((Int::<4>, ()));
    assert_eq!((tiles.size(), tiles.crd2idx(((3, 1), ()))), (8, 14));
    let nested = make_layout(((), (Int::<2>, ((),))), ((), (Int::<5>, ((),))));
    assert_eq!((nested.crd2idx(((), (1, ((),)))), nested.crd2idx(1)), (5, 5));
    assert_eq!(layout!((3, ()) : (7, ())).crd2idx((2, ())), 14);

    let dynamic: DynLayout = "(3,(),4):(1,(),3)".parse().expect("a layout");
    assert_eq!((dynamic.index(&[2, 0, 1]), dynamic.index(&[2, 1])), (Some(5), None));
    assert_eq!((Layout::crd2idx(&dynamic, (2, (), 1)), Layout::crd2idx(&dynamic, 5)), (5, 5));
    assert_eq!(Layout::idx2crd::<(usize, (), usize)>(&dynamic, 5), (2, (), 1));
    let typed = Strided::<(Int<3>, (), usize), (Int<1>, (), usize)>::try_from(&dynamic).expect("the layout of the type");
    assert_eq!(typed.crd2idx((2, (), 3)), 11);
    let error = Strided::<(Int<3>, usize, usize), (Int<1>, usize, usize)>::try_from(&dynamic).expect_err("an integer is no tuple");
    assert!(error.to_string().contains("nesting at mode 1"), "{error}");

    let elements: Vec<u32> = (0..12).collect();
    let view = View::new(&elements[..], l).expect("a tensor");
    assert_eq!((view[(2, (), 1)], view.iter().copied().sum::<u32>()), (5, 66));
}
