//! Reading and computing never panic, for any text and any numbers. The inputs are deterministic, so that a failure can be run again.

use super::generate::{Style, layout, mutated, noise, number, operand};
use crate::common::Rng;
use crd2idx::algebra::expression::apply;
use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::Op;
use std::panic::{AssertUnwindSafe, catch_unwind};

const LEAVES: usize = 12;
const SYMBOLS: usize = 16;

/// Runs `f` on `count` inputs, and fails with the text of the first input that panics. Returns how many inputs `f` accepted.
fn survives<T: std::fmt::Debug>(seed: u64, count: usize, make: impl Fn(&mut Rng) -> T, f: impl Fn(&T) -> bool) -> usize {
    let mut rng = Rng::new(seed);
    let mut succeeded = 0;
    for _ in 0..count {
        let input = make(&mut rng);
        match catch_unwind(AssertUnwindSafe(|| f(&input))) {
            Ok(success) => succeeded += usize::from(success),
            Err(_) => panic!("panics on {input:?}"),
        }
    }
    succeeded
}

fn reads(text: &str) -> bool {
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
    let read = Parser::whole::<LEAVES, SYMBOLS>(text, &mut scope);
    // A text that can be read can be written, and a refusal has a message.
    match &read {
        Ok(operand) => assert!(!operand.to_string().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    read.is_ok()
}

fn evaluates(text: &str) -> bool {
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
    evaluate::<LEAVES, SYMBOLS>(text, &mut scope).is_ok_and(|value| !value.to_string().is_empty())
}

const STYLE: Style = Style { wild: 8, open: true };

#[test]
fn reading_noise() {
    let read = survives(60, 40_000, noise, |text| reads(text) | evaluates(text));
    assert!(read > 20, "{read}");
}

#[test]
fn reading_mutated_texts() {
    let make = |rng: &mut Rng| {
        let text = operand(rng, STYLE);
        mutated(rng, &text)
    };
    let read = survives(61, 60_000, make, |text| reads(text) | evaluates(text));
    assert!((5000..55_000).contains(&read), "{read}");
}

fn expression(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.one_in(4) {
        return operand(rng, Style { wild: 30, open: true });
    }
    let op = rng.pick(Op::ALL).name();
    let args: Vec<String> = (0..1 + rng.below(3)).map(|_| expression(rng, depth - 1)).collect();
    format!("{op}({})", args.join(", "))
}

#[test]
fn evaluating_expressions() {
    let make = |rng: &mut Rng| {
        let text = expression(rng, 3);
        if rng.one_in(3) { mutated(rng, &text) } else { text }
    };
    let evaluated = survives(62, 30_000, make, |text| evaluates(text));
    assert!(evaluated > 1000, "{evaluated}");
}

/// Returns a random operation and the texts of its operands, which need not fit.
fn request(rng: &mut Rng, style: Style) -> (Op, Vec<String>) {
    let op = *rng.pick(Op::ALL);
    // Mostly operands of one of its forms; otherwise any operands, although most operations need a layout first.
    let form = if op.forms().is_empty() || rng.one_in(4) { None } else { Some(rng.pick(op.forms())) };
    let kinds = form.map_or(&[("", ""); 3][..1 + rng.below(3)], |form| form.operands);
    let mut args = Vec::new();
    for (k, (_, kind)) in kinds.iter().enumerate() {
        args.push(match *kind {
            "number" | "integer" if rng.one_in(2) => (1 << rng.below(7)).to_string(),
            "layout" if rng.one_in(2) => layout(rng, style),
            _ if rng.one_in(2) => operand(rng, style),
            _ if k > 0 && rng.one_in(2) => number(rng, style),
            _ => layout(rng, style),
        });
    }
    (op, args)
}

fn applies<const E: usize>(op: Op, args: &[String]) -> bool {
    let mut scope = ExprGraph::<E>::new(op);
    let mut operands: Vec<Operand<LEAVES>> = Vec::new();
    for arg in args {
        match Parser::whole(arg, &mut scope) {
            Ok(operand) => operands.push(operand),
            Err(_) => return false,
        }
    }
    match apply(op, &operands, &mut scope) {
        Ok(composed @ Operand::Composed(_)) => {
            let coordinate = Operand::Tuple(TupleValue::integer(3).expect("3 is an integer"));
            let _ = apply(Op::Crd2Idx, &[composed, coordinate], &mut scope);
            true
        }
        Ok(result) => !result.to_string().is_empty(),
        Err(error) => error.to_string().is_empty(),
    }
}

/// The number of inputs is large enough for every operation to answer something.
#[test]
fn every_operation_on_known_numbers() {
    let make = |rng: &mut Rng| request(rng, Style { wild: 20, open: false });
    let answered = std::cell::RefCell::new(Vec::new());
    let applied = survives(63, 200_000, make, |(op, args)| {
        let answers = applies::<0>(*op, args);
        if answers && !answered.borrow().contains(op) {
            answered.borrow_mut().push(*op);
        }
        answers
    });
    assert!(applied > 10_000, "{applied}");
    let never: Vec<_> = Op::ALL.iter().filter(|op| **op != Op::Parse && !answered.borrow().contains(op)).collect();
    assert!(never.is_empty(), "never answered: {never:?}");
}

#[test]
fn every_operation_on_extreme_numbers() {
    let make = |rng: &mut Rng| request(rng, Style { wild: 2, open: false });
    let applied = survives(64, 60_000, make, |(op, args)| applies::<0>(*op, args));
    assert!(applied > 500, "{applied}");
}

#[test]
fn every_operation_on_open_numbers() {
    let make = |rng: &mut Rng| request(rng, Style { wild: 20, open: true });
    let applied = survives(65, 60_000, make, |(op, args)| applies::<SYMBOLS>(*op, args));
    assert!(applied > 2000, "{applied}");
}

/// Texts of deep nesting, of many leaves and of many operands are read or refused without a panic.
#[test]
fn large_texts() {
    for n in [10, 63, 64, 65, 199, 200, 201, 1000, 100_000] {
        let deep = format!("{}1{}", "(".repeat(n), ")".repeat(n));
        let wide = format!("({}1)", "1,".repeat(n));
        let calls = format!("{}1{}", "size(".repeat(n), ")".repeat(n));
        let tilers = format!("{}1{}", "[".repeat(n), "]".repeat(n));
        let open = "(".repeat(n);
        for text in [&deep, &wide, &calls, &tilers, &open, &format!("{deep}:{deep}"), &format!("{wide}:{wide}"), &"9".repeat(n)] {
            reads(text);
            evaluates(text);
        }
        assert_eq!(reads(&wide), n < LEAVES, "{n} commas");
    }
}
