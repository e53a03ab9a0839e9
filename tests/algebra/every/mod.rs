//! Every operation of the table on every kind of operand, against enumeration: the result obeys the law, or is refused.
//!
//! The table drives the test: a row without a law here fails. To try more or other operands, run
//! `LAW_CASES=100000 LAW_SEED=7 cargo test --test algebra every -- --nocapture`. `LAW_OP=upcast` tries one operation.

mod casts;
mod inverses;
mod modes;
mod operands;
mod queries;
mod tiles;

use crate::common::{After, Function, Outcome, Rng, Tree, Verdict, ask, ask_function, same};
use crd2idx::error::{OfComposed, Op};
use operands::Kind;
use std::fmt::Display;

/// A check of an operation on one operand. It draws the other operands at random.
type Law = fn(Op, &Function, &mut Rng) -> Verdict;

/// The law of each row of the table, by its name.
const LAWS: &[(&str, Law)] = &[
    ("coalesce", modes::coalesce),
    ("filter", modes::filter),
    ("filter_zeros", modes::filter_zeros),
    ("flatten", modes::flatten),
    ("unflatten", modes::unflatten),
    ("right_inverse", inverses::right_inverse),
    ("left_inverse", inverses::left_inverse),
    ("nullspace", inverses::nullspace),
    ("make_layout_like", modes::layout_like),
    ("composition", tiles::composition),
    ("complement", inverses::complement),
    ("logical_divide", tiles::divide),
    ("zipped_divide", tiles::divide),
    ("tiled_divide", tiles::divide),
    ("flat_divide", tiles::divide),
    ("windows", tiles::windows),
    ("logical_product", tiles::product),
    ("zipped_product", tiles::product),
    ("tiled_product", tiles::product),
    ("flat_product", tiles::product),
    ("blocked_product", tiles::product_by_mode),
    ("raked_product", tiles::product_by_mode),
    ("tile_to_shape", tiles::tile_to_shape),
    ("upcast", casts::upcast),
    ("downcast", casts::downcast),
    ("recast_layout", casts::recast),
    ("max_common_layout", casts::max_common),
    ("get", modes::get),
    ("select", modes::select),
    ("take", modes::select),
    ("group", modes::group),
    ("append", modes::join),
    ("prepend", modes::join),
    ("replace", modes::join),
    ("concat", modes::join),
    ("dice", modes::slice),
    ("col_major", modes::maker),
    ("row_major", modes::maker),
    ("make_ordered_layout", modes::maker),
    ("identity", queries::identity),
    ("to_int_tuple", queries::numbers),
    ("make_layout", modes::join),
    ("make_identity_layout", modes::maker),
    ("make_composed_layout", queries::composed),
    ("composed_get_inner", queries::parts),
    ("composed_get_offset", queries::parts),
    ("composed_get_outer", queries::parts),
    ("to_xor", queries::to_xor),
    ("to_affine", queries::to_affine),
    ("from_table", queries::from_table),
    ("sort", modes::sort),
    ("swizzle", queries::numbers),
    ("get_shape", queries::of_shape),
    ("get_stride", queries::strides),
    ("size", queries::of_shape),
    ("cosize", queries::cosize),
    ("coshape", queries::cosize),
    ("rank", queries::of_shape),
    ("depth", queries::of_shape),
    ("max_common_vector", casts::max_common),
    ("max_alignment", casts::max_alignment),
    ("copy_threads", casts::copy_threads),
    ("bank_conflicts", queries::bank_conflicts),
    ("domain_distribute", queries::of_shape),
    ("crd2idx", queries::crd2idx),
    ("idx2crd", queries::preimage),
    ("get_flat_coord", queries::linear_preimage),
    ("get_1d_coord", queries::linear_preimage),
    ("preimage", queries::preimage),
    ("crd2crd", queries::of_shape),
    ("crd2idx_shape", queries::of_shape),
    ("idx2crd_shape", queries::of_shape),
    ("increment_coord", queries::of_shape),
    ("slice", modes::slice),
    ("coalesce_shape", queries::of_shape),
    ("congruent", queries::of_shape),
    ("weakly_congruent", queries::of_shape),
    ("compatible", queries::of_shape),
    ("evenly_divides", queries::of_shape),
    ("elem_less", queries::of_shape),
    ("equal_functions", queries::equal_functions),
    ("injective", queries::injective),
    ("disjoint", queries::disjoint),
    ("covers", queries::covers),
    ("in_bounds", queries::in_bounds),
    ("equal", queries::numbers),
    ("ceil_div", queries::of_shape),
    ("round_up", queries::of_shape),
    ("shape_div", queries::of_shape),
    ("elem_scale", queries::of_shape),
    ("tuple_add", queries::of_shape),
    ("tuple_sub", queries::of_shape),
    ("tuple_max", queries::of_shape),
    ("tuple_min", queries::of_shape),
    ("tuple_gcd", queries::of_shape),
    ("tuple_sum", queries::of_shape),
    ("tuple_product", queries::of_shape),
    ("tuple_product_each", queries::of_shape),
    ("product_like", queries::of_shape),
    ("inner_product", queries::of_shape),
    ("prefix_product", queries::of_shape),
    ("suffix_product", queries::of_shape),
    ("int_mul", queries::numbers),
    ("int_div", queries::numbers),
    ("int_mod", queries::numbers),
];

/// Evaluates to the result of the operation, or returns from the law if the operation was refused.
macro_rules! answer {
    ($result:expr) => {
        match $result {
            Ok(result) => result,
            Err(_) => return Ok(crate::common::Outcome::Refused),
        }
    };
}
use answer;

/// Applies an operation on the outer layout, and compares with its result for that layout alone. Returns `None` if both are refused.
fn on_domain(op: Op, f: &Function, more: &[&dyn Display]) -> Result<Option<Function>, String> {
    let with = |first: &dyn Display| -> Result<Function, _> {
        let args: Vec<&dyn Display> = [first].into_iter().chain(more.iter().copied()).collect();
        ask_function(op.name(), &args)
    };
    let (whole, outer) = (with(f), with(&f.outer));
    match (whole, outer) {
        (Err(_), Err(_)) => Ok(None),
        (Ok(r), Ok(outer)) => {
            if f.after != After::Nothing && op != Op::Slice {
                same(&format!("{}({f})", op.name()), r.to_string(), f.with_outer(outer.outer).to_string())?;
            }
            Ok(Some(r))
        }
        (whole, outer) => Err(format!(
            "{}({f}): {:?}, but of the layout inside {:?}",
            op.name(),
            whole.map(|r| r.to_string()),
            outer.map(|r| r.to_string())
        )),
    }
}

/// Returns the numbers of a value. It drops zeros at the end of a coordinate, because a layout may lack these modes.
fn point(value: &Tree<i64>) -> Vec<i64> {
    let mut numbers = value.leaves();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

fn points(values: &[Tree<i64>]) -> Vec<Vec<i64>> {
    values.iter().map(point).collect()
}

fn same_values(what: &str, got: &[Tree<i64>], want: &[Tree<i64>]) -> Result<(), String> {
    same(what, points(got), points(want))
}

/// Returns the numbers of the values, sorted.
fn sorted(values: &[Tree<i64>]) -> Vec<Vec<i64>> {
    let mut values = points(values);
    values.sort();
    values
}

/// Tests whether all values are different.
fn is_injective(values: &[Tree<i64>]) -> bool {
    sorted(values).windows(2).all(|pair| pair[0] != pair[1])
}

fn number_from(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn every_row_has_a_law() {
    let missing: Vec<_> = Op::ALL.iter().map(|op| op.name()).filter(|name| LAWS.iter().all(|(law, _)| law != name)).collect();
    assert!(missing.is_empty(), "no law for {missing:?}");
    let invented: Vec<_> = LAWS.iter().filter(|(name, _)| Op::from_name(name).is_none_or(|op| op.name() != *name)).collect();
    assert!(
        invented.is_empty() && LAWS.len() == Op::ALL.len(),
        "laws of nothing: {:?}",
        invented.iter().map(|law| law.0).collect::<Vec<_>>()
    );
}

/// Runs a law on `count` operands of a kind. Returns the numbers of answers and refusals, and the messages of broken laws.
fn run(op: Op, law: Law, kind: Kind, count: u64, seed: u64) -> (u64, u64, Vec<String>) {
    let (mut answered, mut refused, mut broken) = (0, 0, Vec::new());
    for k in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(0x1_0000_01B3) ^ (op as u64) << 40 ^ (kind as u64) << 36 ^ k);
        let f = kind.draw(&mut rng);
        let verdict = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| law(op, &f, &mut rng)));
        match verdict.unwrap_or_else(|_| Err(format!("{} of {f} panics", op.name()))) {
            Ok(Outcome::Answered) => answered += 1,
            Ok(Outcome::Refused) => refused += 1,
            Err(message) => broken.push(message),
        }
    }
    (answered, refused, broken)
}

#[test]
fn every_operation_on_every_kind_of_operand() {
    let (count, seed) = (number_from("LAW_CASES", 100).div_ceil(Kind::ALL.len() as u64), number_from("LAW_SEED", 1));
    let only = std::env::var("LAW_OP").ok();
    let tried: Vec<Op> = Op::ALL.iter().copied().filter(|op| only.as_ref().is_none_or(|only| only == op.name())).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<(Op, Kind, u64, u64, Vec<String>)> = std::thread::scope(|scope| {
        let shares: Vec<_> = (0..threads)
            .map(|share| {
                let tried = &tried;
                scope.spawn(move || {
                    let own = tried.iter().skip(share).step_by(threads);
                    let each = own.flat_map(|op| Kind::ALL.iter().map(move |kind| (*op, *kind)));
                    let law = |op: Op| LAWS.iter().find(|(name, _)| *name == op.name()).expect("a law").1;
                    each.map(|(op, kind)| {
                        let (answered, refused, broken) = run(op, law(op), kind, count, seed);
                        (op, kind, answered, refused, broken)
                    })
                    .collect::<Vec<_>>()
                })
            })
            .collect();
        shares.into_iter().flat_map(|share| share.join().expect("laws return")).collect()
    });
    let mut all = Vec::new();
    for (op, kind, answered, refused, mut broken) in results {
        println!("{:24} {kind:?}: {answered} answered, {refused} refused, {} broken", op.name(), broken.len());
        if !broken.is_empty() {
            // The shortest messages are the easiest to understand.
            broken.sort_by_key(String::len);
            all.push(format!(
                "{} on {kind:?}: {} of {count} cases:\n  {}",
                op.name(),
                broken.len(),
                broken[..broken.len().min(3)].join("\n  ")
            ));
        }
        // A law whose operation is always refused tests nothing.
        let expected = match (op.of_composed(), kind) {
            (_, Kind::Affine) => !matches!(op, Op::GetInner | Op::GetOffset | Op::GetOuter),
            (OfComposed::Domain | OfComposed::Shape | OfComposed::Inside, Kind::Swizzled) => true,
            (OfComposed::Bits | OfComposed::Itself, Kind::Xor | Kind::Swizzled) => {
                !(kind == Kind::Xor && matches!(op, Op::GetInner | Op::GetOffset | Op::GetOuter))
            }
            _ => false,
        };
        if expected && answered == 0 && count >= 20 {
            all.push(format!("{} answers none of {count} operands of the kind {kind:?}", op.name()));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Operands that are seldom drawn at random, each with twenty draws of the other operands.
#[test]
fn seldom_drawn() {
    // A layout that leaves the domain of the other one; the same with no elements; an integer stride around the bits that XOR
    // strides skip; XOR strides of several modes that count up together; an extent of 0 after a stride of 0.
    let operands = [
        "(2,4):(4,1) o 0 o (8,2):(2,1)",
        "(6,1):(1,1) o 0 o (2,6):(6,1)",
        "(4,1):(-1,1) o 0 o ((2,2),4):((4,8),1)",
        "(2,1):(1,1) o 0 o (8,0):(1,8)",
        "1:-1 o 0 o 2:1",
        "(2,8):(192,^9)",
        "S<0,3,0> o 0 o (2,8,4):(192,^2,^18)",
        "(4,8,4):(^16,^1,^8)",
        "S<1,2,2> o 0 o (4,2,8):(16,1,2)",
        "S<2,2,2> o 0 o (4,(2,4)):(8,(1,2))",
        "(0,4):(4,0)",
        "(0,2,2):(2,0,1)",
        "S<1,3,1> o 0 o 6:^1",
        "(6,2):(1,5) o (0,0) o (2,3):(1@0,1@1)",
        "S<1,2,-2> o 0 o (8,2):(1,8)",
    ];
    for text in operands {
        let f = crate::common::notation::function(text).expect("a function");
        for (name, law) in LAWS {
            let op = Op::from_name(name).expect("a row");
            for seed in 0..20 {
                if let Err(message) = law(op, &f, &mut Rng::new(seed)) {
                    panic!("{name} of {text}: {message}");
                }
            }
        }
    }
}

/// Examples of each choice of the table for a swizzled operand.
#[test]
fn choices() {
    let swizzled = "S<3,0,3> o 0 o (8,8):(8,1)";
    let text = |op: &str, more: &[&dyn Display]| {
        let args: Vec<&dyn Display> = [&swizzled as &dyn Display].into_iter().chain(more.iter().copied()).collect();
        ask(op, &args).unwrap_or_else(|error| error.to_string())
    };
    assert_eq!(text("select", &[&"(1,0)"]), "S<3,0,3> o 0 o (8,8):(1,8)");
    assert_eq!(text("make_layout_like", &[]), "(8,8):(8,1)");
    assert_eq!(text("right_inverse", &[]), ask("right_inverse", &[&"(8,8):(^9,^1)"]).expect("an inverse"));
    assert_eq!(text("col_major", &[]), "(8,8):(1,8)");
    assert_eq!(text("cosize", &[]), "64");
    assert_eq!(text("int_mul", &[&"2"]), "int_mul: the first operand is a swizzled layout, where an integer, a tuple or a layout is taken");
}
