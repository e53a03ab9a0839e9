//! The requests of `batch` about layouts as functions, each with a witness.

use crate::answer::{Answer, Refusal, Result, of_class, success};
use crate::eval::{LEAVES, SYMBOLS, encode, operands};
use crate::request::{requests, structs};
use crd2idx::LayoutError;
use crd2idx::algebra::expression::{Operand, apply};
use crd2idx::algebra::functions::{self, Equality, IndexAt, SharedIndex, Verdict, equal_functions};
use crd2idx::algebra::value::{ExprGraph, SymInt, TupleValue};
use crd2idx::error::{Cause, Op, OperandKind, Result as LayoutResult};
use serde_json::{Value, json};

structs! {
    Operands { args: Vec<Value> }
}

requests! {
    /// Compares two layouts as functions, and returns the least coordinate at which they differ, with both indices.
    "equal_functions" => |(asked,): (Operands,)| equality(asked.args);
    /// Returns whether no two coordinates of a layout share an index, or two that do.
    "injective" => |(asked,): (Operands,)| ask::<1, _>("injective", asked.args, |[l], scope| functions::injective(l, scope), shared);
    /// Returns whether two layouts have no index in common, or a coordinate of each with the same index.
    "disjoint" => |(asked,): (Operands,)| ask::<2, _>("disjoint", asked.args, |[a, b], scope| functions::disjoint(a, b, scope), shared);
    /// Returns whether every index of the second layout is an index of the first, or a coordinate whose index is not.
    "covers" => |(asked,): (Operands,)| ask::<2, _>("covers", asked.args, |[a, b], scope| functions::covers(a, b, scope), outside);
    /// Returns whether all indices of a layout are from 0 to `n - 1`, or a coordinate with an index outside.
    "in_bounds" => |(asked,): (Operands,)| ask::<2, _>("in_bounds", asked.args, within, outside);
}

/// The operands of a question, and the scope in which it is answered.
type Question<const COUNT: usize, W> = fn([&Operand<LEAVES>; COUNT], &mut ExprGraph<SYMBOLS>) -> LayoutResult<Verdict<W>>;

/// Reads the operands of a question. Text that is none is malformed.
fn read(given: Vec<Value>, scope: &mut ExprGraph<SYMBOLS>) -> Result<Vec<Operand<LEAVES>>> {
    operands(given, scope).map(|(args, _)| args).map_err(|refusal| refusal.with("kind", "malformed"))
}

/// Answers a question about `COUNT` operands: the name with true and the reason, or with false and the witness.
fn ask<const COUNT: usize, W>(name: &str, given: Vec<Value>, question: Question<COUNT, W>, witness: fn(W) -> Value) -> Result<Answer> {
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
    let args = read(given, &mut scope)?;
    let Ok(args) = <[&Operand<LEAVES>; COUNT]>::try_from(args.iter().collect::<Vec<_>>()) else {
        return Err(count(name, COUNT, args.len()));
    };
    let mut answer = match question(args, &mut scope).map_err(refused)? {
        Verdict::Holds(certificate) => json!({"certificate": certificate.name()}),
        Verdict::Fails(found) => witness(found),
    };
    answer[name] = Value::Bool(answer.get("certificate").is_some());
    Ok(success(answer))
}

/// Returns the refusal of a question that the algebra refuses, with its class and the detail of it as the kind.
fn refused(error: LayoutError) -> Refusal {
    of_class(error.class(), error.to_string()).with_kind(error.class())
}

/// Returns the refusal of a question with a wrong number of operands.
fn count(name: &str, needed: usize, given: usize) -> Refusal {
    let are = |n: usize| if n == 1 { "is" } else { "are" };
    let operands = if needed == 1 { "operand" } else { "operands" };
    Refusal::malformed(format!("{name}: {needed} {operands} {} needed, but {given} {} given", are(needed), are(given)))
}

fn shared(SharedIndex { index, coordinates }: SharedIndex) -> Value {
    json!({"index": index, "coordinates": coordinates})
}

fn outside(IndexAt { index, coordinate }: IndexAt) -> Value {
    json!({"index": index, "coordinate": coordinate})
}

fn within([l, n]: [&Operand<LEAVES>; 2], scope: &mut ExprGraph<SYMBOLS>) -> LayoutResult<Verdict<IndexAt>> {
    match n {
        Operand::Tuple(n) if n.is_scalar() && n.is_known() => functions::in_bounds(l, n.leaf(0).word(), scope),
        // The operation refuses it too, and says why.
        other => Err(apply(Op::InBounds, &[*l, *n], scope).err().unwrap_or_else(|| other.instead_of(OperandKind::Integer))),
    }
}

/// Encodes a number, known or not.
fn number(x: SymInt, scope: &ExprGraph<SYMBOLS>) -> Value {
    encode(&Operand::<LEAVES>::Tuple(TupleValue::scalar(x)), scope)
}

fn equality(given: Vec<Value>) -> Result<Answer> {
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::EqualFunctions);
    let args = read(given, &mut scope)?;
    let [a, b] = args.as_slice() else {
        return Err(count("equal_functions", 2, args.len()));
    };
    match equal_functions(a, b, &mut scope).map_err(refused)? {
        Equality::Equal => Ok(success(json!({"equal": true}))),
        Equality::Differ(first) => {
            let index = |index: Option<TupleValue<LEAVES>>| index.map(|index| encode(&Operand::Tuple(index), &scope));
            let (left, right) = (index(first.left), index(first.right));
            let mut answer = json!({"equal": false, "at": number(first.at, &scope), "left": left, "right": right});
            if left.is_none() || right.is_none() {
                let mut sizes = Vec::new();
                for x in [a, b] {
                    let size: Operand<LEAVES> = apply(Op::Size, &[*x], &mut scope).map_err(refused)?;
                    sizes.push(encode(&size, &scope));
                }
                answer["sizes"] = Value::Array(sizes);
            }
            Ok(success(answer))
        }
        Equality::Open(open) => {
            let [at, left, right] = [open.at, open.left, open.right].map(|x| number(x, &scope));
            let word = |x: &Value| x.as_str().map_or_else(|| x.to_string(), str::to_owned);
            let [below, one, other] = [&at, &left, &right].map(word);
            let message =
                format!("equal_functions: the layouts agree below coordinate {below}; facts do not decide whether {one} is {other}");
            let class = LayoutError::plain(Op::EqualFunctions, Cause::OpenEquality, 0, 0).class();
            Err(of_class(class, message).with("kind", "undecided").with("at", at).with("left", left).with("right", right))
        }
    }
}
