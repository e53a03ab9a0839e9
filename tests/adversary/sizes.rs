//! Sizes that do not fit an integer. Strides of 0 or elements without a size ensure that memory does not run out first.

use crd2idx::{layouts::*, number::*, ops::*, tensor::*};

/// A number whose square wraps around to 0.
const ROOT: usize = 1 << (usize::BITS / 2);

#[track_caller]
fn refused<L: Layout>(layout: L) {
    let units: &[()] = &[(); 8];
    let errors = [
        Tensor::new(&[1u8], layout).err(),
        Tensor::new(&mut [1u8], layout).err(),
        Tensor::new(units, layout).err(),
        Tensor::with_origin(&[1u8], 1, layout).err(),
        Boxed::filled(layout, 1).err(),
        Packed::<_, _, 4>::new(&[1u8], layout).err(),
        Tensor::new(&[1u8], Window::clipped(layout, (ROOT, ROOT))).err(),
        Tensor::new(&[1u8], Window::clipped(layout, (ROOT, 0))).err(),
        Tensor::new(&[1u8], Composed::of(Swizzle::new(1, 0, 2).unwrap(), layout)).err(),
        Injective::new(layout).and_then(|layout| Tensor::new(&[1u8], layout)).err(),
    ];
    assert!(errors.iter().all(Option::is_some), "{errors:?}");
    assert!(layout.index_range().unwrap_err().to_string().contains("overflow"), "{:?}", layout.index_range());
}

#[test]
fn of_layouts() {
    refused(make_layout((ROOT, ROOT), (0, 0)));
    refused(make_layout((ROOT, ROOT), (Int::<0>, Int::<0>)));
    refused(make_layout((ROOT, ROOT + 1), (0, 0)));
    refused(make_layout((Int::<ROOT>, ROOT), (Int::<0>, 0)));
    refused(make_layout((usize::MAX / 2, 2), (0, 0)));
    refused(make_layout((usize::MAX / 2, 3), (0, 0)));
    refused(make_layout((isize::MAX as usize, (1, 2)), (0, (0, 0))));
    refused(make_layout((ROOT, ROOT), (Signed(0), Signed(0))));
    // An empty layout may still have modes whose product overflows.
    refused(make_layout((ROOT, ROOT, 0), (0, 0, 0)));
    refused(make_layout(((ROOT, ROOT), 0), ((0, 0), 0)));
    refused(make_layout((Int::<0>, Int::<ROOT>, Int::<ROOT>), (Int::<0>, Int::<0>, Int::<0>)));
    refused(make_layout((Int::<0>, (Int::<ROOT>, Int::<{ ROOT / 2 }>)), (Int::<1>, (Int::<1>, Int::<1>))));
    refused(make_layout((ROOT, ROOT), (0, 0)).hoist::<4>());
    let fits = make_layout((ROOT, ROOT / 4), (0, 0));
    let t = Tensor::new(&[5], fits).unwrap();
    assert_eq!((t.size(), t[(ROOT - 1, ROOT / 4 - 1)], t.get((ROOT, 0)), t.iter().len()), (ROOT * (ROOT / 4), 5, None, ROOT * (ROOT / 4)));
}

/// The algebra has 64 bits on every target, and allows empty layouts of any extents. Tensors refuse such sizes.
#[test]
fn of_values() {
    for text in [format!("({ROOT},{ROOT}):(0,0)"), format!("(({ROOT},{ROOT}),0):((0,0),0)"), format!("(2,{}):(0,0)", usize::MAX / 2)] {
        if let Ok(layout) = DynLayout::<4>::parse(&text) {
            assert!(layout.index_range().is_err() && Tensor::new(&[1u8], layout).is_err(), "{text}");
            assert!(Tensor::new(&[1u8], Window::clipped(layout, (1, 1))).is_err(), "{text}");
        }
    }
    type Mixed = Strided<(Int<ROOT>, usize, Int<0>), (Int<0>, Int<0>, Int<0>)>;
    assert!(Tensor::new(&[0u8; 0], Mixed::new((Int, ROOT, Int), (Int, Int, Int))).is_err());
}

/// Scalars of elements, and overlapping windows, may outnumber the elements.
#[test]
fn of_parts_and_windows() {
    let layout = make_layout((Int::<1>, ROOT, ROOT / 4), (Int::<1>, Int::<0>, Int::<0>));
    let t = Tensor::new(&[[1u8; 8]], layout).unwrap();
    assert!(t.scalars().err().unwrap().to_string().contains("overflow"));
    let t = Tensor::new(&[1u8], make_layout(ROOT, Int::<0>)).unwrap();
    let error = t.windows((ROOT / 2,)).err().unwrap().to_string();
    assert!(error.contains(&ROOT.to_string()) && error.contains("together"), "{error}");
    let wide = Tensor::new(&[1u8], make_layout((ROOT, ROOT / 4), (Int::<0>, Int::<0>))).unwrap();
    assert!(wide.windows((Int::<16>, Int::<16>)).is_err());
    let units: &[()] = &[(); 8];
    let t = Tensor::new(units, make_layout(8, Int::<1>)).unwrap();
    assert_eq!(t.windows((3,)).unwrap().size(), 18);
}

/// Tiles that are larger than the tensor, by any amount: together they have the coordinates of the tensor, or the tiler is refused.
#[test]
fn of_tiles() {
    let data: Vec<usize> = (0..12).collect();
    let t = Tensor::new(&data, make_layout((3, 4), (Int::<1>, 3))).unwrap();
    let dynamic = Tensor::new(&data, DynLayout::<4>::parse("(3,4):(1,3)").unwrap()).unwrap();
    let (some, others): (&[usize], &[usize]) = if cfg!(miri) {
        (&[2, ROOT, usize::MAX], &[3, usize::MAX])
    } else {
        (&[1, 2, 3, 4, ROOT, usize::MAX / 2, usize::MAX - 1, usize::MAX], &[1, 3, 4, 5, ROOT, usize::MAX / 2, usize::MAX])
    };
    for &first in some {
        for &second in others {
            let mut seen = Vec::new();
            t.blocks((first, second)).for_each(|block| seen.extend(block.iter().copied()));
            seen.sort_unstable();
            assert_eq!(seen, data);
            for tiles in [
                t.try_tiles((first, second)).map(|tiles| tiles.map(|tile| tile.into_window().iter().copied().collect()).collect()),
                dynamic.try_tiles((first, second)).map(|tiles| tiles.map(|tile| tile.into_window().iter().copied().collect()).collect()),
            ] {
                match tiles {
                    Ok(tiles) => {
                        let tiles: Vec<Vec<usize>> = tiles;
                        let mut seen = tiles.concat();
                        seen.sort_unstable();
                        assert_eq!(seen, data, "tiles of {first} by {second}");
                    }
                    Err(error) => assert!(first.checked_mul(second).is_none_or(|size| size > 100), "tiles of {first} by {second}: {error}"),
                }
            }
        }
    }
    let whole = Tensor::new(&data, make_layout((3, 4), (Int::<1>, 3))).unwrap();
    assert!(whole.try_tiles((usize::MAX,)).is_err() && whole.try_tiles((0, 1)).is_err());
    let error = whole.try_tiles((ROOT, ROOT)).err().unwrap().to_string();
    assert!(error.contains(&ROOT.to_string()), "{error}");
    assert!(std::panic::catch_unwind(|| whole.tiles((ROOT, ROOT)).count()).is_err());
}

/// Operations on an empty tensor panic if their result would have elements, and otherwise return an empty tensor.
#[test]
fn of_what_is_left_of_nothing() {
    let none: [u8; 0] = [];
    let of = |m, n| Tensor::new(&none, make_layout((m, n), (1, 1)));
    let panics = |f: &dyn Fn() -> usize| std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err();
    assert!(panics(&|| of(4, 0).unwrap().select((Int::<0>,)).size()));
    assert!(panics(&|| of(4, 0).unwrap().mode(Int::<0>).size()));
    assert!(panics(&|| of(ROOT, 0).unwrap().mode(Int::<0>).size()));
    assert_eq!(of(4, 0).unwrap().mode(Int::<1>).size(), 0);
    assert!(of(4, 0).unwrap().slice((2, Keep)).iter().next().is_none());
    assert!(panics(&|| of(4, 0).unwrap().slice((Keep, 0)).size()));
    let line = || Tensor::new(&none, make_layout(0, Int::<1>)).unwrap();
    assert!(panics(&|| line().composition(make_layout((ROOT, ROOT), (Int::<0>, Int::<0>))).size()));
    assert!(panics(&|| line().partition(make_layout((ROOT, ROOT), (Int::<0>, Int::<0>)), 0).size()));
    assert_eq!(
        (of(4, 0).unwrap().tiles((2, 2)).count(), of(4, 0).unwrap().tiles((2,)).count(), of(0, 4).unwrap().blocks((2,)).count()),
        (0, 0, 0)
    );
}

/// An extent of 0 with an XOR stride, on either side of a composition, gives an empty result.
#[test]
fn of_exchanges_of_nothing() {
    let none: [u8; 0] = [];
    let of_types = make_layout((Int::<0>,), (Xor::<2>,));
    let t = Tensor::new(&none, of_types).unwrap();
    assert_eq!((t.zipped_divide((Int::<7>,)).size(), t.zipped_divide((Int::<7>,)).get(0)), (0, None));
    assert_eq!((t.logical_divide((Int::<4>,)).size(), t.flat_divide((Int::<4>,)).size(), t.tiled_divide((Int::<4>,)).size()), (0, 0, 0));
    let masked = t.masked((Int::<4>,));
    assert!((0..8).all(|k| masked.get(k).is_none()));
    let flat = Tensor::new(&[0u8; 64], make_layout(Int::<64>, Int::<1>)).unwrap();
    let nothing = make_layout((Int::<4>, (Int::<1>, Int::<4>, Int::<0>)), (Xor::<16>, (Xor::<2>, Int::<4>, Xor::<1>)));
    assert!(flat.composition(nothing).iter().next().is_none() && flat.composition(nothing).get(15).is_none());
    assert!(flat.composition(of_types).iter().next().is_none());
    let exchanged = Tensor::new(&[0u8; 64], make_layout((Int::<8>, Int::<8>), (Xor::<1>, Xor::<9>))).unwrap();
    assert!(exchanged.composition(make_layout((Int::<4>, Int::<0>), (Int::<8>, Int::<1>))).iter().next().is_none());
    let thread = exchanged.partition(make_layout((Int::<2>, Int::<0>), (Int::<1>, Int::<1>)), 1);
    assert!(thread.iter().next().is_none() && thread.get(0).is_none());
    for (layout, tiler) in [("(0):(^2)", "7:1"), ("(4,0):(^1,^4)", "2:1"), ("(0):(1)", "(2,2):(^2,^1)")] {
        if let Ok(divided) = DynLayout::<16>::parse(layout).unwrap().zipped_divide(&DynTiler::parse(tiler).unwrap()) {
            let t = Tensor::new(&none, divided).unwrap();
            assert_eq!((t.size(), t.get(0)), (0, None), "{layout} by {tiler}");
        }
    }
}

/// An empty loop inside others ends the walk at once, however many steps the others have.
#[test]
fn of_loops_around_nothing() {
    const MANY: usize = 1 << (usize::BITS - 24);
    let none: [u8; 0] = [];
    let mut seen = 0;
    Tensor::new(&none, make_layout((0, MANY), (1, 1))).unwrap().for_each(|_| seen += 1);
    Tensor::new(&none, make_layout((2, 0, MANY), (1, 1, 1))).unwrap().for_each(|_| seen += 1);
    Tensor::new(&none, make_layout((0, 1, 1, MANY), (1, 1, 1, 1))).unwrap().for_each(|_| seen += 1);
    Tensor::new(&none, make_layout((0, 1, 1, 1, MANY), (1, 1, 1, 1, 1))).unwrap().for_each(|_| seen += 1);
    Tensor::new(&none, make_layout((1, 1, 1, 0, 1, MANY), (1, 1, 1, 1, 1, 1))).unwrap().for_each(|_| seen += 1);
    let dynamic = DynLayout::<8>::parse(&format!("(0,1,1,1,{MANY}):(1,1,1,1,1)")).unwrap();
    Tensor::new(&none, dynamic).unwrap().for_each(|_| seen += 1);
    // Ordering by stride makes the empty loop the inner one, or another tensor has another order.
    let across = Tensor::new(&none, make_layout((MANY, 0), (2, 1))).unwrap();
    let rows = Tensor::new(&none, make_layout((MANY, 0), (7, Int::<1>))).unwrap();
    Tensor::new(&none, make_layout((MANY, 0), (7, 1))).unwrap().for_each(|_| seen += 1);
    Tensor::new(&none, make_layout((0, MANY), (7, 1))).unwrap().ordered().for_each(|_| seen += 1);
    Tensor::new(&none, make_layout((MANY, 0), (1, MANY))).unwrap().zip(&across, |_, _| seen += 1);
    rows.zip((&across, &rows), |_, _| seen += 1);
    rows.for_each_at(|_: (usize, usize), _| seen += 1);
    rows.ordered().for_each(|_| seen += 1);
    assert_eq!(seen, 0);
}

/// More elements than `isize` counts: only elements without a size can be so many.
#[test]
fn of_units() {
    let units: &[()] = &[(); usize::MAX];
    assert_eq!(Tensor::new(units, make_layout(8, Int::<1>)).unwrap().iter().len(), 8);
    assert_eq!(Tensor::with_origin(units, usize::MAX / 2, make_layout(8, Signed(-1))).unwrap().iter().len(), 8);
    assert!(Tensor::with_origin(units, usize::MAX - 7, make_layout(8, Int::<1>)).is_err());
}

/// The pointer to index 0 of a tensor without elements may have any value, even null.
#[test]
fn places_of_nothing() {
    let data = [1u8; 8];
    let address = data.as_ptr().addr() as isize;
    let empty = make_layout((3, 0), (Signed(-address), Int::<1>));
    let t = Tensor::new(&data, empty).unwrap();
    let part = std::hint::black_box(Some(t.slice((1, Keep))));
    assert!(part.is_some_and(|part| part.iter().next().is_none() && part.get((0,)).is_none()));
    let mut data = [1u8; 8];
    let address = data.as_ptr().addr() as isize;
    let mut t = Tensor::new(&mut data, make_layout((3, 0), (Signed(-address), Int::<1>))).unwrap();
    let mut part = std::hint::black_box(Some(t.slice_mut((1, Keep))));
    assert!(part.as_mut().is_some_and(|part| part.get_mut((0,)).is_none()));
    part.unwrap().fill(3);
    assert_eq!(data, [1; 8]);
}
