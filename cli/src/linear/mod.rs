//! Linear layouts over F2: the requests `f2.*` of `batch`.

mod read;

use crate::answer::{Answer, Refusal, Result, success};
use crate::eval::{LEAVES, describe};
use crate::request::requests;
use crd2idx::algebra::expression::Parser;
use crd2idx::algebra::linear::{LinearError, LinearLayout};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use read::{Bases, Pairs};
use serde::Deserialize;
use serde_json::{Map, Value, json};

impl From<LinearError> for Refusal {
    fn from(error: LinearError) -> Refusal {
        Refusal::new(error.to_string())
    }
}

/// Declares requests: the keys with the types of their values, and the expression that answers them.
macro_rules! f2 {
    ($($(#[doc = $about:literal])* $name:literal $request:ident { $($field:ident: $type:ty),* } => $answer:expr;)*) => {
        $(
            #[derive(Deserialize)]
            struct $request { $($field: $type),* }
        )*

        requests! { $($(#[doc = $about])* $name => |($request { $($field),* },): ($request,)| $answer;)* }
    };
}

f2! {
    /// Returns the outputs at each of a list of inputs.
    "f2.apply" Apply { layout: Bases, at: Vec<Pairs<u64>> } => applied(&layout.read()?, &at);
    /// Returns the layout that maps each input to the outer outputs of its inner outputs.
    "f2.compose" Compose { inner: Bases, outer: Bases } => written_all(inner.read()?.compose(&outer.read()?));
    /// Returns the layout with `left` on the low bits of each name, and `right` on the bits above.
    "f2.product" Product { left: Bases, right: Bases } => written_all(left.read()?.product(&right.read()?));
    /// Returns `C` with `layout = by * C`.
    "f2.divide_left" DivideLeft { layout: Bases, by: Bases } => written_all(layout.read()?.divide_left(&by.read()?));
    /// Returns `C` with `layout = C * by`.
    "f2.divide_right" DivideRight { layout: Bases, by: Bases } => written_all(layout.read()?.divide_right(&by.read()?));
    /// Returns the inverse of a bijection.
    "f2.invert" Invert { layout: Bases } => written_all(layout.read()?.inverse());
    /// Returns the least `P` with `layout(P(y)) = y`.
    "f2.pseudoinvert" PseudoInvert { layout: Bases } => written_all(layout.read()?.pseudo_inverse());
    /// Returns the least `C` with `layout(x) = other(C(x))`.
    "f2.invert_and_compose" InvertAndCompose { layout: Bases, other: Bases } => written_all(layout.read()?.invert_and_compose(&other.read()?));
    /// Returns the layout from the chosen inputs (the others are 0) to the chosen outputs.
    "f2.sublayout" Sublayout { layout: Bases, r#in: Vec<String>, out: Vec<String> } => {
        written_all(layout.read()?.sublayout(&names(&r#in), &names(&out)))
    };
    /// Removes dimensions that the layout maps to themselves by the identity.
    "f2.quotient" Quotient { layout: Bases, dims: Vec<String> } => written_all(layout.read()?.quotient(&names(&dims)));
    /// Cuts the inputs of the layout into other dimensions.
    "f2.reshape_in" ReshapeIn { layout: Bases, dims: Pairs<u64> } => written_all(layout.read()?.reshape_inputs(dims.dimensions()?));
    /// Cuts the outputs of the layout into other dimensions.
    "f2.reshape_out" ReshapeOut { layout: Bases, dims: Pairs<u64> } => written_all(layout.read()?.reshape_outputs(dims.dimensions()?));
    /// Returns for each input the bits whose bases are sums of earlier bases.
    "f2.free_masks" FreeMasks { layout: Bases } => {
        let masks = layout.read()?.free_masks().into_iter().map(|(name, mask)| (name.to_owned(), json!(mask))).collect::<Map<_, _>>();
        Ok(Value::Object(masks))
    };
    /// Returns the rank of the matrix.
    "f2.rank" Rank { layout: Bases } => Ok(json!(layout.read()?.matrix().rank()));
    /// Returns the number of elements of the first input that are consecutive and aligned in the first output.
    "f2.consecutive" Consecutive { layout: Bases } => Ok(json!(layout.read()?.consecutive()));
    /// Returns 1 if no two inputs have the same outputs, else 0.
    "f2.is_injective" IsInjective { layout: Bases } => Ok(json!(u8::from(layout.read()?.matrix().is_injective())));
    /// Returns 1 if all outputs occur, else 0.
    "f2.is_surjective" IsSurjective { layout: Bases } => Ok(json!(u8::from(layout.read()?.matrix().is_surjective())));
    /// Returns 1 if the layout is a bijection, else 0.
    "f2.is_invertible" IsInvertible { layout: Bases } => Ok(json!(u8::from(layout.read()?.matrix().is_invertible())));
    /// Returns the matrix of a layout in the notation, and the index of coordinate 0 as `offset` if it is not 0.
    "f2.from_layout" FromLayout { layout: String } => from_layout(&layout);
    /// Returns the layout in the notation, with strides that add.
    "f2.to_layout" ToLayout { layout: Bases } => Ok(json!(layout.read()?.to_layout::<LEAVES>()?.to_string()));
    /// Returns the layout in the notation, with XOR strides, which add without carries.
    "f2.to_xor" ToXor { layout: Bases } => Ok(json!(layout.read()?.to_xor::<LEAVES>()?.to_string()));
}

fn names(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

fn from_layout(text: &str) -> Result<Answer> {
    let operand = Parser::whole::<LEAVES, 0>(text, &mut ExprGraph::new(Op::Parse)).map_err(|e| Refusal::new(describe(text, &e)))?;
    let (linear, offset) = LinearLayout::from_layout(&operand)?;
    let mut answer = success(written(&linear));
    if offset != 0 {
        answer.insert("offset".into(), json!(offset));
    }
    Ok(answer)
}

/// Returns the outputs at each of a list of inputs.
fn applied(layout: &LinearLayout, at: &[Pairs<u64>]) -> Result<Value> {
    let one = |at: &Pairs<u64>| -> Result<Value> {
        let place = layout.apply(&at.values())?;
        Ok(layout.outputs().iter().zip(place).map(|(d, value)| (d.name.clone(), json!(value))).collect::<Map<_, _>>().into())
    };
    at.iter().map(one).collect()
}

/// Writes the result of an operation as lists of pairs.
fn written_all(layout: std::result::Result<LinearLayout, LinearError>) -> Result<Value> {
    Ok(written(&layout?))
}

/// Writes a layout as lists of pairs.
pub fn written(layout: &LinearLayout) -> Value {
    let outputs: Vec<Value> = layout.outputs().iter().map(|d| json!([d.name, d.size()])).collect();
    json!({"in": layout.bases(), "out": outputs})
}
