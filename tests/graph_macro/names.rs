//! Names, attributes and positions of the functions of `graph!`.

mod inner {
    crd2idx::graph! {
        dim k, i = 2, j = 3;
        Flatten(i, j -> k);
        /// Returns the number of a position.
        #[must_use]
        pub(crate) fn number = forward(i, j) -> k;
        #[cfg(not(any()))]
        pub(super) fn row = reverse(k) -> i;
        #[deprecated = "has no use"]
        #[doc(hidden)]
        pub(in crate::graph_macro) fn col = reverse(k) -> j;
    }
}

#[test]
fn attributes_and_visibility() {
    #[allow(deprecated)]
    let col = inner::col(5);
    assert_eq!((inner::number(1, 2), inner::row(5), col), (5, 1, 2));
}

#[test]
fn a_function_may_be_left_out() {
    crd2idx::graph! {
        dim k, i = 2, j = 3;
        Flatten(i, j -> k);
        #[cfg(any())]
        fn number = forward(i, j) -> k;
        #[cfg(not(any()))]
        fn number = reverse(k) -> i;
    }
    assert_eq!(number(4), 1);
}

/// Words of the language are names like any other; the functions take them as raw identifiers.
#[test]
fn keywords() {
    crd2idx::graph! {
        param r#type: 1..;
        dim in = r#type : 1, r#fn = 3 : r#type, self, match, dim = 6, param = 4, forward = 5, min = 2, reverse;
        Join(in, fn -> self);
        Tile(match -> forward, param);
        Flatten(dim, min -> reverse);
        fn reverse = forward(in, r#fn) -> self;
        fn forward = forward(match) -> (forward, param);
        fn back = reverse(self) -> in;
        fn dim = forward(dim, min) -> reverse;
        fn valid = valid forward(dim, min) -> reverse;
        fn delta = delta dim by 2 forward(dim, min) -> reverse;
    }
    assert_eq!(reverse(2, 1, 7), 2 + 7);
    assert_eq!(forward(11), (2, 3));
    assert_eq!((back(9, 7), dim(3, 1), valid(5, 1), delta(0, 0)), (2, 7, true, 4));
}

/// Dimensions, parameters and functions may have names that the generated code could use itself.
#[test]
fn names_of_the_code_inside() {
    const INDEX_SOURCE_TABLE0: usize = 3;
    crd2idx::graph! {
        const all: 1..;
        param t0: 1.., t1: 1..;
        dim index, index_all = all, i = t0, j = t1, usize = 10, INDEX = 4, source, place = 3, core offset INDEX_SOURCE_TABLE0, std = 9 : 1;
        Flatten(index, index_all -> usize);
        Tile(i -> INDEX, j);
        Gather(source -> place; table = [2, 0, 1]);
        fn index = forward(index, index_all) -> usize;
        fn t0 = forward(i) -> (INDEX, j);
        Join(std -> core);
        fn all = reverse(place) -> source;
        fn core = forward(std) -> core;
    }
    assert_eq!(core(5), 8);
    assert_eq!(index::<10>(4, 2), 42);
    assert_eq!(t0(17, 5), (3, 2));
    assert_eq!([0, 1, 2].map(all), [2, 0, 1]);
}

/// `graph!` works inside other macros, with their tokens.
#[test]
fn inside_macros() {
    macro_rules! tiled {
        ($name:ident, $size:literal, $constant:path, ($($dims:ident),*)) => {
            crd2idx::graph! {
                dim whole, block, i = $size, $($dims),*;
                Tile(whole -> block, i);
                fn $name = reverse(block, i) -> whole;
            }
        };
    }
    tiled!(at, 16, TILE, (a, b));
    assert_eq!(at(2, 3), 35);
}

#[deny(missing_docs, non_snake_case, unused)]
pub mod documented {
    //! Generated code gives no warning.

    crd2idx::graph! {
        param M: 1.., N: 1..;
        dim Whole, Row = M : N, Col = N : 1, Pass, Lane = 32;
        Split(Whole -> Row, Col);
        Tile(Row -> Pass, Lane);
        /// Returns the element.
        pub fn element = reverse(Pass, Lane, Col) -> Whole;
        /// Returns the distance from one element to the next.
        pub fn next = delta Col reverse(Pass, Lane, Col) -> Whole;
        /// Returns whether the element is inside.
        pub fn inside = valid reverse(Pass, Lane, Col) -> Whole;
        /// Returns the element, with arguments by name.
        pub fn named = reverse { Pass, Lane, Col } -> Whole;
    }
}

#[test]
fn capitals() {
    use documented::{element, inside, next};
    assert_eq!((element(1, 2, 3, 10), next(1, 2, 3), inside(1, 2, 3, 35)), (343, 1, true));
}

/// Arguments come in the order of the list, including parameters in it, and then the other parameters. In braces they have names.
#[test]
fn arguments() {
    crd2idx::graph! {
        param base, ld: 1..;
        dim a offset base, row = 8 : ld, col = 8 : 1;
        Split(a -> row, col);
        fn listed = reverse(row, ld, col) -> a;
        pub fn element = reverse { row, ld, col } -> a;
        #[cfg(any())]
        fn is_inside = valid reverse { row, col } -> a;
        #[cfg(not(any()))]
        fn is_inside = valid reverse { col, row } -> a;
    }
    assert_eq!(listed(2, 100, 3, 1000), 1203);
    let at = ElementArgs { col: 3, ld: 100, base: 1000, row: 2 };
    assert_eq!(element(at), 1203);
    assert!(is_inside(IsInsideArgs { row: 7, col: 7 }));
}
