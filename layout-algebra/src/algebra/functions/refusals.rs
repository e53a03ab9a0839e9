//! Refusals: their operation, their cause, and the work before them.

use super::*;
use crate::algebra::operands::Operand;
use crate::error::{Cause, LayoutError, Op};
use crate::heap::{ToString, Vec, format};
use crate::text::Parser;
use crate::value::{ExprGraph, Facts, LayoutValue, Stride, SymInt};

fn operand(text: &str) -> Operand<32> {
    Parser::whole::<32, 0>(text, &mut ExprGraph::new(Op::Parse)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Asks a question about two texts. Returns whether the answer is yes.
fn ask(op: Op, a: &str, b: &str) -> crate::error::Result<bool> {
    let (cx, a) = (&mut ExprGraph::<0>::new(Op::Parse), &operand(a));
    match op {
        Op::Injective => injective(a, cx).map(|verdict| verdict.holds()),
        Op::InBounds => in_bounds(a, b.parse().unwrap(), cx).map(|verdict| verdict.holds()),
        Op::Disjoint => disjoint(a, &operand(b), cx).map(|verdict| verdict.holds()),
        Op::Covers => covers(a, &operand(b), cx).map(|verdict| verdict.holds()),
        _ => equal_functions(a, &operand(b), cx).map(|answer| answer.is_equal()),
    }
}

fn refusal(op: Op, a: &str, b: &str) -> LayoutError {
    let error = ask(op, a, b).expect_err(a);
    assert_eq!(error.op, op, "{error}");
    error
}

#[test]
fn sums_with_the_offset_fit() {
    let far = "S<0,0,0> o 9223372036854775807 o 2:1";
    for (op, a, b) in [
        (Op::InBounds, far, "5"),
        (Op::Injective, far, ""),
        (Op::Covers, "2:1", far),
        (Op::Covers, far, "2:1"),
        (Op::Disjoint, far, "2:1"),
        (Op::EqualFunctions, far, far),
        (Op::EqualFunctions, "4:1", far),
        (Op::Injective, "S<0,0,0> o -9223372036854710272 o 2:-1", ""),
        (Op::Injective, "2:4611686018427387904 o 2 o 2:1", ""),
        (Op::InBounds, "S<1,0,1> o 9223372036854775807 o 2:^1", "5"),
    ] {
        assert_eq!(refusal(op, a, b).cause, Cause::Overflow, "{a}");
    }
    let steep = "(2,2):(1,1152921504606846976) o 0 o 32:1";
    assert_eq!(refusal(Op::EqualFunctions, steep, steep).cause, Cause::Overflow);
    // The last number that fits.
    assert_eq!(ask(Op::InBounds, "S<0,0,0> o 9223372036854775806 o 2:1", "5"), Ok(false));
    assert_eq!(ask(Op::Injective, "S<0,0,0> o 9223372036854775806 o 2:1", ""), Ok(true));
}

#[test]
fn swizzles_take_numbers_from_0_on() {
    let (below, lower) = ("S<1,0,1> o 0 o 2:-1", "S<1,0,1> o 0 o 2:-2");
    for (op, b) in [
        (Op::EqualFunctions, below),
        (Op::EqualFunctions, lower),
        (Op::Injective, ""),
        (Op::InBounds, "3"),
        (Op::Covers, "2:1"),
        (Op::Disjoint, "2:1"),
    ] {
        let error = refusal(op, below, b);
        assert_eq!((error.cause, error.numbers()[0]), (Cause::NegativeSwizzle, Some(-1)), "{error}");
    }
    assert_eq!(refusal(Op::EqualFunctions, lower, below).numbers()[0], Some(-2));
    // A swizzle of no bits is the identity.
    assert_eq!(ask(Op::InBounds, "S<0,0,0> o -1 o 1048577:1", "5"), Ok(false));
    assert_eq!(ask(Op::Covers, "S<0,0,0> o -8 o (8,1000000):(^1,8)", "S<0,0,0> o -8 o 8000000:1"), Ok(true));
    assert_eq!(ask(Op::EqualFunctions, "S<0,0,0> o -1 o 2:1", "S<0,0,0> o -1 o 2:2"), Ok(false));
    assert_eq!(refusal(Op::EqualFunctions, "8:^1 o 0 o 2:-1", "8:^1 o 0 o 2:-1").cause, Cause::OutOfRange);
    // The composition takes a coordinate of an XOR stride below 0.
    let error = refusal(Op::Injective, "8:^1 o 0 o 2:-1", "");
    assert_eq!((error.cause, error.numbers()), (Cause::OutOfRange, [Some(-1), Some(8), Some(0)]));
}

#[test]
fn causes_name_what_is_missing() {
    let mut cx = ExprGraph::<4>::new(Op::Parse);
    let open = |text: &str, cx: &mut ExprGraph<4>| injective(&Parser::whole::<8, 4>(text, cx).unwrap(), cx).unwrap_err().cause;
    assert_eq!(open("(4,4):(1@0,1@1)", &mut cx), Cause::BasisStride);
    assert_eq!(open("(4,?):(1,4)", &mut cx), Cause::RunTimeNumber);
    // The second operand is the wrong one.
    assert!(refusal(Op::Covers, "4:1", "S<1,0,1>").to_string().starts_with("covers: the second operand is a swizzle"));
    // Two offsets may be the same.
    let [a, b] = ["4:1 o ? o 4:1"; 2].map(|text| Parser::whole::<8, 4>(text, &mut cx).unwrap());
    assert_eq!(equal_functions(&a, &b, &mut cx).map(|_| ()).unwrap_err().cause, Cause::RunTimeNumber);
}

/// A layout of 14 random modes, and another one that shares some of its indices.
#[test]
fn questions_are_refused_after_few_steps() {
    let mut state = 7u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let mut refused = 0;
    for _ in 0..4 {
        let modes: Vec<_> = (0..14).map(|_| (2 + below(6), 1 + below(1 << 24))).collect();
        let text = |modes: &[(u64, u64)]| {
            let join = |f: &dyn Fn(&(u64, u64)) -> u64| modes.iter().map(|mode| f(mode).to_string()).collect::<Vec<_>>().join(",");
            format!("({}):({})", join(&|mode| mode.0), join(&|mode| mode.1))
        };
        match ask(Op::Covers, &text(&modes), &text(&modes[..7])) {
            Err(error) => {
                assert!(matches!((error.cause, error.numbers()[0]), (Cause::TooManySteps, Some(1..=262_144))), "{error}");
                refused += 1;
            }
            Ok(inside) => assert!(inside),
        }
    }
    assert!(refused > 0);
}

#[test]
fn limits_are_those_of_the_message() {
    let numbers = |op, a, b| {
        let error = refusal(op, a, b);
        assert_eq!(error.cause, Cause::TooManyCoordinates, "{error}");
        [error.numbers()[0].unwrap(), error.numbers()[1].unwrap()]
    };
    // The bits carry, so coordinates are compared.
    assert_eq!(ask(Op::Injective, "(4,512):(^3,4)", ""), Ok(true));
    assert_eq!(numbers(Op::Injective, "(3,683):(^1,4)", ""), [2049, 2048]);
    assert_eq!(numbers(Op::Disjoint, "(3,683):(^1,4)", "(3,700):(^1,4)"), [2049, 2048]);
    assert_eq!(numbers(Op::Covers, "(3,683):(^1,4)", "(3,700):(^1,4)"), [2049, 2048]);
    assert_eq!(numbers(Op::InBounds, "(3,100000):(^1,4)", "7"), [300_000, 262_144]);
    assert_eq!(numbers(Op::Disjoint, "(3,6):(^1,4)", "(3,100000):(^1,4)"), [300_000, 262_144]);
    assert_eq!(ask(Op::Covers, "(3,40000):(^1,4)", "(3,6):(^1,4)"), Ok(true));
    // One coordinate after another, without a number of coordinates that is a limit.
    assert_eq!(ask(Op::Covers, "(20000,3):(7,9)", "S<0,0,0> o 9 o 4096:7"), Ok(true));
}

/// Returns a layout of these extents and strides.
fn open_layout(modes: &[(SymInt, SymInt)], cx: &ExprGraph<8>) -> Operand<16> {
    let mut l = LayoutValue::<16>::empty();
    for (k, (extent, stride)) in modes.iter().enumerate() {
        l.push_leaf(1, u8::from(k > 0), *extent, Stride::integer(*stride), cx).unwrap();
    }
    Operand::Layout(l)
}

#[test]
fn open_questions_name_an_open_number() {
    let mut cx = ExprGraph::<8>::new(Op::Parse);
    let (zero, one, small) = (SymInt(0), SymInt(1), SymInt::small);
    let n = cx.input(Facts::NATURAL).unwrap();
    let none = open_layout(&[(zero, one)], &cx);
    let some = open_layout(&[(n, one)], &cx);
    for (a, b) in [(&none, &some), (&some, &none)] {
        let Equality::Open(open) = equal_functions(a, b, &mut cx).unwrap() else { panic!("it is open") };
        assert!(open.at.is(0) && open.left.same(n) && open.right.is(0));
    }
    let positive = cx.input(Facts::POSITIVE).unwrap();
    let least = open_layout(&[(positive, small(3))], &cx);
    let Equality::Differ(first) = equal_functions(&none, &least, &mut cx).unwrap() else { panic!("one is empty") };
    assert!(first.at.is(0) && first.left.is_none() && first.right.is_some_and(|index| index.leaf(0).is(0)));
    // A number from 0 to 1 that 8 divides.
    let nothing = cx.input(Facts { lo: 0, hi: 1, div: 8 }).unwrap();
    let (row, eight) = (open_layout(&[(nothing, small(3))], &cx), open_layout(&[(small(8), small(3))], &cx));
    let Equality::Open(open) = equal_functions(&row, &eight, &mut cx).unwrap() else { panic!("it is open") };
    assert!(open.left.same(nothing) && open.right.is(0));
    // Whether the first layout is empty, and not whether 2 is 3.
    let bit = cx.input(Facts { lo: 0, hi: 1, div: 1 }).unwrap();
    let far = cx.input(Facts { lo: 5, hi: i64::MAX, div: 8 }).unwrap();
    let a = open_layout(&[(bit, small(4)), (one, small(2)), (small(2), one)], &cx);
    let b = open_layout(&[(small(3), small(4)), (far, SymInt(-1))], &cx);
    let Equality::Open(open) = equal_functions(&a, &b, &mut cx).unwrap() else { panic!("it is open") };
    assert!(open.left.same(bit) && open.right.is(0));
}
