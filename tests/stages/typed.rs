//! The checks of the generated cases.

use crd2idx::algebra::expression::{Operand, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx::{DynLayout, Layout, LayoutError, TypedLayout};

/// Returns `n`, hidden from the compiler.
pub fn run(n: usize) -> usize {
    std::hint::black_box(n)
}

/// Returns the layout that an expression evaluates to. Panics for any other result.
fn dynamic(expression: &str) -> DynLayout<64> {
    match evaluate::<64, 0>(expression, &mut ExprGraph::new(Op::Parse)) {
        Ok(Operand::Layout(lay)) => DynLayout::from_value(lay).expect("it fits"),
        other => panic!("{expression}: {:?}", other.err()),
    }
}

/// Checks that a static result has the same text, and the same index at every coordinate.
pub fn constant<L: TypedLayout>(layout: L, expression: &str) {
    let exact = dynamic(expression);
    assert_eq!(L::NOTATION, exact.to_string(), "{expression}");
    assert_eq!(size_of::<L>(), 0, "{expression}");
    assert_eq!(L::SIZE, Some(exact.size() as usize), "{expression}");
    indices(&layout, &exact, expression);
}

/// Checks that a result with run-time leaves has the same indices, if its promises hold.
pub fn partial<L: TypedLayout>(layout: Result<L, LayoutError>, expression: &str) {
    // An inverse or a complement of another structure may be another function with the same law. The mixed stage checks those.
    let unique = !["left_inverse", "right_inverse", "complement", "filter", "nullspace"].iter().any(|op| expression.starts_with(op));
    if let (Ok(layout), true) = (layout, unique) {
        let exact = dynamic(expression);
        assert_eq!(layout.size(), exact.size() as usize, "{expression}");
        indices(&layout, &exact, expression);
    }
}

fn indices<L: TypedLayout>(layout: &L, exact: &DynLayout<64>, expression: &str) {
    let flat: DynLayout<64> = exact.flatten().expect("fits").take(0, exact.flatten().expect("fits").rank()).expect("all modes");
    let hoisted = layout.hoist::<64>();
    for i in 0..exact.size() as usize {
        // Pass the 1-D coordinate to the value as the only coordinate of one nested mode.
        let index = flat.group(0, flat.rank()).expect("one mode").index(&[i]).expect("rank 1");
        assert_eq!(layout.crd2idx(i), index, "{expression} at {i}");
        assert_eq!(hoisted.crd2idx(i), index, "{expression} at {i}, hoisted");
        assert_eq!(layout.checked_crd2idx(i), Some(index), "{expression} at {i}, checked");
        assert_eq!(Layout::crd2idx(exact, i), index, "{expression} at {i}, as a value");
        assert_eq!(Layout::checked_crd2idx(exact, i), Some(index), "{expression} at {i}, as a checked value");
    }
    assert_eq!(layout.checked_crd2idx(exact.size() as usize), None, "{expression}");
}
