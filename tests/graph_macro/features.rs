//! The statements of `graph!`, compared with formulas written by hand.

mod tiles {
    pub const LD: usize = 48;
}

const ROWS: usize = 12;

#[test]
fn constants_in_scope_and_by_path() {
    crd2idx::graph! {
        dim a offset 5, row = ROWS : tiles::LD, col = tiles::LD : 1, tile = ceil_div(ROWS, 4), i = 4;
        Join(row, col -> a);
        Tile(row -> tile, i);
        fn element = forward(row, col) -> a;
        fn place = forward(row) -> (tile, i);
        fn inside = valid reverse(tile, i) -> row;
    }
    assert_eq!(element(7, 9), 7 * 48 + 9 + 5);
    assert_eq!(place(7), (1, 3));
    assert!(inside(2, 3));
}

#[test]
fn in_const_items() {
    crd2idx::graph! {
        dim k, i = 3 : 8, j = 8 : 1;
        Flatten(i, j -> k);
        fn number = forward(i, j) -> k;
        fn place = reverse(k) -> (i, j);
        fn inside = valid reverse(k) -> i;
        fn next = delta i forward(i, j) -> k;
    }
    const SIZE: usize = number(2, 7) + 1;
    static TABLE: [u8; SIZE] = [1; SIZE];
    const PLACE: (usize, usize) = place(SIZE - 2);
    const INSIDE: [bool; 2] = [inside(SIZE - 1), inside(SIZE)];
    assert_eq!((TABLE.len(), PLACE, INSIDE), (24, (2, 6), [true, false]));
    assert_eq!(const { next(0, 0) }, 8);
}

#[test]
fn runs_along_a_coordinate() {
    use crd2idx::layouts::runs::Run;
    const BM: usize = 3;
    crd2idx::graph! {
        param n: 1.., pitch: 1..;
        const WIDE: 20..;
        dim a, row = n : pitch, col = 20 : 1, k, b, line = 4 : WIDE, at = 20 : 1, tile, i = BM, up;
        flatten sizes;
        Split(a -> row, col);
        Flatten(row, col -> k);
        Tile(row -> tile, i);
        Join(line, at -> b);
        Embed(up -> row, col; coefficients = [50, -2]);

        /// Returns the elements of the rows, one row after the other.
        fn elements = runs k reverse(k) -> a;
        pub fn backwards = runs col reverse { row, col } -> (a, up);
        fn sixth = runs row reverse(row, col = 3) -> a;
        fn generic = runs at forward(line, at) -> b;
        fn last_tile = runs i reverse(tile, i) -> row;
    }
    let rows = elements(5..62, 3, 32).map(|run| (run.range(), run.indices[0], run.steps[0], run.valid));
    assert_eq!(rows.clone().take(3).collect::<Vec<_>>(), [(5..20, 5, 1, true), (20..40, 32, 1, true), (40..60, 64, 1, true)]);
    assert_eq!(rows.skip(3).map(|(range, .., valid)| (range, valid)).collect::<Vec<_>>(), [(60..62, false)]);
    // Rows that are contiguous are one run.
    assert_eq!(elements(5..62, 4, 20).collect::<Vec<_>>(), [Run { first: 5, count: 57, indices: [5], steps: [1], valid: true }]);
    assert_eq!(elements(7..7, 4, 20).next(), None);
    let args = BackwardsArgs { row: 2, col: 4..9, pitch: 100 };
    assert_eq!(backwards(args).collect::<Vec<_>>(), [Run { first: 4, count: 5, indices: [204, 92], steps: [1, -2], valid: true }]);
    assert_eq!(sixth(1..4, 100).next(), Some(Run { first: 1, count: 3, indices: [103], steps: [100], valid: true }));
    assert_eq!(generic::<32>(2, 0..20).next(), Some(Run { first: 0, count: 20, indices: [64], steps: [1], valid: true }));
    let tiles: Vec<_> = last_tile(1, 0..3, 5).map(|run| (run.indices[0], run.count, run.valid)).collect();
    assert_eq!(tiles, [(3, 2, true), (5, 1, false)]);
}

#[test]
fn runs_of_elements() {
    use crd2idx::layouts::runs::Run;
    let data: Vec<i32> = (0..10).collect();
    let run = |first: isize, step: isize, count: usize| Run { first: 3, count, indices: [first], steps: [step], valid: true };
    let of = |run: Run<1>| run.elements(&data).map(|elements| elements.copied().collect::<Vec<_>>());
    assert_eq!(of(run(2, 3, 3)), Some(vec![2, 5, 8]));
    assert_eq!(of(run(9, -4, 3)), Some(vec![9, 5, 1]));
    assert_eq!(of(run(4, 0, 2)), Some(vec![4, 4]));
    assert_eq!(of(Run { valid: false, ..run(-7, 1, 2) }), None);
    let slice = |run: Run<1>| run.elements(&data).and_then(|elements| elements.as_slice());
    assert_eq!((slice(run(7, 1, 3)), slice(run(9, -2, 1)), slice(run(9, -2, 2))), (Some(&data[7..]), Some(&data[9..]), None));
    let mut elements = run(9, -4, 3).elements(&data).expect("inside");
    assert_eq!((elements.len(), elements.next(), elements.len(), format!("{elements:?}")), (3, Some(&9), 2, "[5, 1]".into()));
    let mut elements = run(4, -2, 3).elements(&data).expect("inside");
    assert_eq!((elements.nth(1), elements.len(), elements.as_slice()), (Some(&2), 1, Some(&data[..1])));
    assert_eq!((elements.next(), elements.next(), elements.as_slice()), (Some(&0), None, Some(&[][..])));
    assert_eq!(slice(run(5, 1, 0)), Some(&[][..]));
    let mut out = [0; 3];
    run(9, -4, 3).read(&data, &mut out, 7);
    assert_eq!(out, [9, 5, 1]);
    Run { valid: false, ..run(9, -4, 3) }.read(&data, &mut out, 7);
    assert_eq!(out, [7; 3]);
    let mut places = [7; 12];
    Run { first: 0, count: 3, indices: [9, 10], steps: [-4, -5], valid: true }.copy(&data, &mut places, 1);
    Run { first: 0, count: 2, indices: [-9, 2], steps: [-4, 1], valid: false }.copy(&data, &mut places, 1);
    assert_eq!(places, [1, 7, 1, 1, 7, 5, 7, 7, 7, 7, 9, 7]);
    assert!(
        std::panic::catch_unwind(|| Run { first: 0, count: 2, indices: [0, 5], steps: [1, 1], valid: true }.copy(&data, &mut [0; 6], 1))
            .is_err()
    );
    // A run that reaches beyond the data panics, however it is made.
    for (first, step, count) in [
        (8, 1, 3),
        (1, -1, 3),
        (-1, 1, 1),
        (isize::MAX, isize::MAX, 3),
        (0, 5, usize::MAX),
        (5, 1, usize::MAX),
        (5, isize::MIN, 2),
        (0, 0, 0),
    ] {
        let made = std::panic::catch_unwind(|| run(first, step, count).elements(&data).map(|elements| elements.count()));
        assert!(made.is_err() || (count == 0 && made.is_ok_and(|count| count == Some(0))), "{first} {step} {count}");
    }
}

#[test]
fn const_generic_parameters() {
    crd2idx::graph! {
        const BM: 1.., LD: 0.. % 4;
        param rows: 1..;
        dim a, row = rows : LD, col = LD : 1, block, i = BM;
        Split(a -> row, col);
        Tile(row -> block, i);
        fn element = reverse(block, i, col) -> a;
        fn inside = valid reverse(block, i) -> row;
        fn next = delta block by 2 reverse(block, i, col) -> a;
    }
    // A function takes only the arguments that it needs.
    assert_eq!(element::<16, 64>(3, 5, 7), (3 * 16 + 5) * 64 + 7);
    assert_eq!((inside::<16>(3, 5, 54), inside::<16>(3, 5, 53)), (true, false));
    assert_eq!(next::<16, 64>(3, 5, 7), 2 * 16 * 64);
}

#[test]
fn ranges_and_divisors() {
    crd2idx::graph! {
        param m: 1..=4096 % 8, n: 1..4096, ld: 8.. % 8;
        dim a, row = m : ld, col = n : 1, half = m / 2, part = 2, quarter = m / 8, i = 8;
        Split(a -> row, col);
        Tile(row -> half, part);
        Tile(row -> quarter, i);
        fn element = forward(row) -> (half, part, quarter, i);
        fn inside = valid reverse(quarter, i) -> row;
        fn address = reverse(quarter, i, col) -> a;
    }
    assert_eq!(element(29), (14, 1, 3, 5));
    assert_eq!([(4, 7), (5, 0)].map(|(quarter, i)| inside(quarter, i, 40)), [true, false]);
    assert_eq!(address(3, 5, 2, 88), 29 * 88 + 2);
}

#[test]
fn several_targets() {
    crd2idx::graph! {
        dim k, i = 4, j = 5, l = 6, sum;
        Flatten(i, j, l -> k);
        PiecewiseAffineJoin(i, j -> sum; if i < j && j != 3 || !(i == 2) { i - 2 * j + 1 } else { 3 * (j + i) - 100 });
        fn both = forward(i, j, l) -> (k, sum);
        fn twice = reverse(k) -> (l, i, l);
    }
    for (i, j) in (0..4).flat_map(|i| (0..5).map(move |j| (i, j))) {
        let holds = (i < j && j != 3) || i != 2;
        let (x, y) = (i as isize, j as isize);
        let sum = if holds { x - 2 * y + 1 } else { 3 * (y + x) - 100 };
        assert_eq!(both(i, j, 3), ((i * 5 + j) * 6 + 3, sum));
    }
    assert_eq!(twice(70), (4, 2, 4));
}

#[test]
fn results_that_are_negative() {
    crd2idx::graph! {
        param from: 0..=100;
        dim x, i = 10 : -3, j = 4 : 1, back offset -7, size, padded;
        Join(i, j -> x);
        Join(j, i -> back);
        Pad(size -> padded; left = from, right = 0);
        fn number = forward(i, j) -> x;
        fn moved = forward(i, j) -> (back, j);
        fn unpadded = reverse(padded) -> size;
        fn step = delta i by 2 forward(i, j) -> x;
        fn down = delta j by -1 forward(i, j) -> x;
    }
    assert_eq!((number(3, 2), number(0, 3)), (-7_isize, 3_isize));
    assert_eq!(moved(1, 2), (-8_isize, 2_usize));
    assert_eq!(unpadded(3, 5), -2_isize);
    assert_eq!((step(0, 0), down(0, 1)), (-6_isize, -1_isize));
}

#[test]
fn tables() {
    crd2idx::graph! {
        dim source, place = 5, other = 7, index;
        Gather(source -> place; table = [6, 0, 4, 2, 9,]);
        Gather(index -> other; table = [3, 3]);
        fn looked_up = reverse(place) -> source;
        fn found = forward(source) -> place;
        fn outside = reverse(other) -> index;
    }
    assert_eq!([0, 1, 2, 3, 4].map(looked_up), [6, 0, 4, 2, 9]);
    assert_eq!([6, 0, 4, 2, 9].map(found), [0, 1, 2, 3, 4]);
    assert_eq!([0, 1, 2, 6].map(outside), [3, 3, 0, 0]);
}

#[test]
fn pads_slices_windows() {
    crd2idx::graph! {
        param width: 1..;
        dim x = width, padded = width + 2, out, tap = 3, part = 4, wrapped, turn = 12, fixed;
        Pad(x -> padded; left = 1, right = 1);
        Embed(padded -> out, tap; coefficients = [2, 1]);
        Slice(x -> part; begin = 3, end = 7);
        Modulo(wrapped -> turn; modulus = 5);
        Freeze(fixed -> ; at = 6);
        fn tapped = reverse(out, tap) -> x;
        fn inside = valid reverse(out, tap) -> x;
        fn of_part = reverse(part) -> x;
        fn in_part = valid forward(x) -> part;
        fn wrap = reverse(turn) -> wrapped;
        fn constant = reverse() -> fixed;
    }
    for (out, tap, width) in (0..6).flat_map(|out| (0..3).flat_map(move |tap| (1..13).map(move |width| (out, tap, width)))) {
        let x = 2 * out as isize + tap as isize - 1;
        assert_eq!(tapped(out, tap), x);
        let within = (0..width as isize).contains(&x) && 2 * out + tap < width + 2;
        assert_eq!(inside(out, tap, width), within, "{out} {tap} {width}");
    }
    assert_eq!((of_part(2), wrap(11), constant()), (5, 1, 6));
    assert_eq!([2, 3, 6, 7].map(in_part), [false, true, true, false]);
}

#[test]
fn exclusive_or_and_identities() {
    crd2idx::graph! {
        dim row = 16, col = 8, row_too = 16 : 8, swizzled = 8 : 1, at, view, result;
        Xor(row, col -> row_too, swizzled);
        Join(row_too, swizzled -> at);
        PassThrough(at -> view);
        MakeOutput(view -> result);
        fn store = forward(row, col) -> result;
        fn load = reverse(row_too, swizzled) -> (row, col);
    }
    for (row, col) in (0..16).flat_map(|row| (0..8).map(move |col| (row, col))) {
        assert_eq!(store(row, col), row * 8 + (col ^ (row % 8)));
        assert_eq!(load(row, col ^ (row % 8)), (row, col));
    }
}

/// A known switch leaves no trace in the code; an unknown one chooses.
#[test]
fn switches() {
    crd2idx::graph! {
        dim f = 12, a = 3, b = 4, c = 5, s = 3;
        Sunder(f -> a, b, c, s);
        fn any = reverse(a, b, c, s) -> f;
        fn first = reverse(a, s = 0) -> f;
        fn last = reverse(c, s = 2) -> f;
        fn inside = valid reverse(a, b, c, s) -> f;
        fn next = delta b by 2 reverse(a, b, c, s) -> f;
    }
    assert_eq!([0, 1, 2].map(|s| any(1, 2, 3, s)), [first(1), 3 + 2, last(3)]);
    assert_eq!([first(1), last(3)], [1, 3 + 4 + 3]);
    assert!(inside(0, 0, 0, 2));
    assert_eq!([0, 1, 2].map(|s| next(1, 1, 1, s)), [0, 2, 0]);
}

/// The two ways to read a Flatten of dimensions with strides.
#[test]
fn flatten_by_sizes_and_by_strides() {
    mod sizes {
        crd2idx::graph! {
            flatten sizes;
            dim i = 2 : 1, j = 3 : 2, k;
            Flatten(i, j -> k);
            pub fn number = forward(i, j) -> k;
        }
    }
    mod strides {
        crd2idx::graph! {
            dim i = 2 : 1, j = 3 : 2, k;
            Flatten(i, j -> k);
            pub fn number = forward(i, j) -> k;
            flatten strides;
        }
    }
    mod declared {
        crd2idx::graph! {
            flatten declared;
            dim i = 2, j = 3, k;
            Flatten(i, j -> k);
            pub fn number = forward(i, j) -> k;
        }
    }
    assert_eq!([sizes::number(1, 2), strides::number(1, 2), declared::number(1, 2)], [5, 5, 5]);
    assert_eq!([sizes::number(1, 0), strides::number(1, 0), declared::number(1, 0)], [3, 1, 3]);
}

/// A `delta` function includes the carries that depend on the coordinate.
#[test]
fn changes_that_carry() {
    crd2idx::graph! {
        dim lin = 32, row, col = 8, address, pitch_row = _ : 9, pitch_col = _ : 1;
        Tile(lin -> row, col);
        PassThrough(row, col -> pitch_row, pitch_col);
        Join(pitch_row, pitch_col -> address);
        fn at = forward(lin) -> address;
        fn rise = delta lin by 3 forward(lin) -> address;
    }
    assert_eq!((0..29).map(rise).collect::<Vec<_>>(), (0..29).map(|lin| at(lin + 3) - at(lin)).collect::<Vec<_>>());
}
