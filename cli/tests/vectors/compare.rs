//! Tests whether two results are the same function, and whether a result satisfies its operation's post-condition.

use crate::common::layout::{sorted, sorted_set};
use crate::common::notation::{Atom, atoms, ints, layout};
use crate::common::tiling::disjoint;
use crate::common::{Layout, Tree};
use serde_json::Value;

/// The maximum number of coordinates to compare.
const MOST: i64 = 1 << 14;

/// The operations that promise a structure: the sizes of their modes count.
const STRUCTURAL: [&str; 14] = [
    "logical_divide",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "logical_product",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "blocked_product",
    "raked_product",
    "tile_to_shape",
    "slice",
    "dice",
    "make_ordered_layout",
];

pub fn same_result(op: &str, got: &Value, want: &Value) -> bool {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace([' ', '_'], "");
    match (got.as_str(), want.as_str()) {
        (Some(got), Some(want)) => match (layout(got), layout(want)) {
            (Some(a), Some(b)) => same_function(&a, &b, STRUCTURAL.contains(&op)),
            _ => same_tuple(got, want),
        },
        _ => plain(got) == plain(want),
    }
}

/// Compares results that are not layouts of integers leaf by leaf, or by their texts if they are not tuples.
fn same_tuple(got: &str, want: &str) -> bool {
    match (atoms(got), atoms(want)) {
        (Some(a), Some(b)) => a == b,
        _ => got.replace([' ', '_'], "") == want.replace([' ', '_'], ""),
    }
}

fn same_function(a: &Layout, b: &Layout, structural: bool) -> bool {
    let sizes = |l: &Layout| l.modes().iter().map(Layout::size).collect::<Vec<_>>();
    if a.size() != b.size() || (structural && sizes(a) != sizes(b)) {
        return false;
    }
    if a.paths().iter().chain(&b.paths()).any(|path| !path.is_empty()) {
        return a.to_string() == b.to_string();
    }
    (0..a.size().min(MOST)).all(|c| a.at(c) == b.at(c))
}

/// Tests `R(c) = A(B(c))` pointwise; `None` if the operands are not plain layouts.
pub fn composition_holds(args: &[String], got: &str) -> Option<bool> {
    let (a, r) = (plain(&args[0])?, plain(got)?);
    let b = plain(&args[1]).or_else(|| match ints(&args[1]) {
        Some(Tree::Leaf(n)) => Some(crate::common::layout::leaf(n, 1)),
        _ => None,
    })?;
    Some(b.size() == r.size() && (0..r.size().min(MOST)).all(|c| r.at(c) == a.at(b.at(c))))
}

fn plain(text: &str) -> Option<Layout> {
    layout(text).filter(|l| l.paths().iter().all(Vec::is_empty))
}

/// Tests the post-condition of the operation, if it has one. A result that should be a layout and is not one fails.
pub fn post_condition(op: &str, args: &[String], got: &str) -> Option<bool> {
    if op == "composition" {
        return composition_holds(args, got);
    }
    let shape_only =
        |text: &str| atoms(text).is_some_and(|tuple| tuple.leaves().iter().all(|leaf| matches!(leaf, Atom::Keep | Atom::Number(_, _))));
    let (Some(r), Some(a)) = (plain(got), plain(args.first()?)) else {
        // Tuples and integers are compared with the record only.
        return if shape_only(got) && without_basis(got) && shape_only(&args[0]) { None } else { Some(false) };
    };
    if a.size() > MOST / 2 || r.size() > MOST / 2 {
        return None;
    }
    let (of_a, of_r) = (a.values(), r.values());
    match op {
        "left_inverse" => Some(of_a.iter().all(|v| a.at(r.at(*v)) == *v)),
        "right_inverse" => Some(of_r.iter().enumerate().all(|(i, v)| a.at(*v) == i as i64)),
        "coalesce" | "flatten" => Some(of_a == of_r),
        "complement" => Some(disjoint(&a.image(), &of_r) && of_r == sorted_set(of_r.clone())),
        _ if op.ends_with("_divide") => Some(sorted(of_a) == sorted(of_r)),
        _ => None,
    }
}

fn without_basis(text: &str) -> bool {
    !text.contains('@')
}
