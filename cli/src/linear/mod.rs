//! Linear layouts over F2: the requests `f2.*` of `batch`.

mod read;

use crate::answer::{Answer, Refusal, Result, success};
use crate::eval::{LEAVES, describe};
use crate::graph::query::names;
use crate::request::{requests, structs};
use crd2idx::algebra::expression::Parser;
use crd2idx::algebra::linear::{LinearError, LinearLayout};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use read::{Bases, Pairs};
use serde_json::{Map, Value, json};

impl From<LinearError> for Refusal {
    fn from(error: LinearError) -> Refusal {
        Refusal::new(error.to_string())
    }
}

structs! {
    Of { layout: Bases }
    Inputs { at: Vec<Pairs<u64>> }
    Composed { inner: Bases, outer: Bases }
    Multiplied { left: Bases, right: Bases }
    Divisor { by: Bases }
    Other { other: Bases }
    Kept { r#in: Vec<String>, out: Vec<String> }
    Dropped { dims: Vec<String> }
    Dimensions { dims: Pairs<u64> }
    Notation { layout: String }
}

requests! {
    /// Returns the outputs at each of a list of inputs.
    "f2.apply" => |(of, Inputs { at }): (Of, Inputs)| applied(&of.layout()?, &at);
    /// Returns the layout that maps each input to the outer outputs of its inner outputs.
    "f2.compose" => |(Composed { inner, outer },): (Composed,)| written_all(inner.read()?.compose(&outer.read()?));
    /// Returns the layout with `left` on the low bits of each name, and `right` on the bits above.
    "f2.product" => |(Multiplied { left, right },): (Multiplied,)| written_all(left.read()?.product(&right.read()?));
    /// Returns `C` with `layout = by * C`, where `*` is `f2.product`. Fails if there is none.
    "f2.divide_left" => |(of, Divisor { by }): (Of, Divisor)| written_all(of.layout()?.divide_left(&by.read()?));
    /// Returns `C` with `layout = C * by`, where `*` is `f2.product`. Fails if there is none.
    "f2.divide_right" => |(of, Divisor { by }): (Of, Divisor)| written_all(of.layout()?.divide_right(&by.read()?));
    /// Returns the inverse of a bijection.
    "f2.invert" => |(of,): (Of,)| written_all(of.layout()?.inverse());
    /// Returns the least `P` with `layout(P(y)) = y`.
    "f2.pseudoinvert" => |(of,): (Of,)| written_all(of.layout()?.pseudo_inverse());
    /// Returns the least `C` with `layout(x) = other(C(x))`.
    "f2.invert_and_compose" => |(of, Other { other }): (Of, Other)| written_all(of.layout()?.invert_and_compose(&other.read()?));
    /// Returns the layout from the chosen inputs (the others are 0) to the chosen outputs.
    "f2.sublayout" => |(of, Kept { r#in, out }): (Of, Kept)| written_all(of.layout()?.sublayout(&names(&r#in), &names(&out)));
    /// Removes dimensions that the layout maps to themselves by the identity.
    "f2.quotient" => |(of, Dropped { dims }): (Of, Dropped)| written_all(of.layout()?.quotient(&names(&dims)));
    /// Cuts the inputs of the layout into other dimensions.
    "f2.reshape_in" => |(of, Dimensions { dims }): (Of, Dimensions)| written_all(of.layout()?.reshape_inputs(dims.dimensions()?));
    /// Cuts the outputs of the layout into other dimensions.
    "f2.reshape_out" => |(of, Dimensions { dims }): (Of, Dimensions)| written_all(of.layout()?.reshape_outputs(dims.dimensions()?));
    /// Returns for each input the bits whose bases are sums of earlier bases.
    "f2.free_masks" => |(of,): (Of,)| {
        Ok(Value::Object(of.layout()?.free_masks().into_iter().map(|(name, mask)| (name.to_owned(), json!(mask))).collect()))
    };
    /// Returns the rank of the matrix.
    "f2.rank" => |(of,): (Of,)| Ok(json!(of.layout()?.matrix().rank()));
    /// Returns the number of elements of the first input that are consecutive and aligned in the first output.
    "f2.consecutive" => |(of,): (Of,)| Ok(json!(of.layout()?.consecutive()));
    /// Returns 1 if no two inputs have the same outputs, else 0.
    "f2.is_injective" => |(of,): (Of,)| Ok(json!(u8::from(of.layout()?.matrix().is_injective())));
    /// Returns 1 if all outputs occur, else 0.
    "f2.is_surjective" => |(of,): (Of,)| Ok(json!(u8::from(of.layout()?.matrix().is_surjective())));
    /// Returns 1 if the layout is a bijection, else 0.
    "f2.is_invertible" => |(of,): (Of,)| Ok(json!(u8::from(of.layout()?.matrix().is_invertible())));
    /// Returns the matrix of a layout in the notation, and the index of coordinate 0 as `offset` if it is not 0.
    "f2.from_layout" => |(Notation { layout },): (Notation,)| from_layout(&layout);
    /// Returns the layout in the notation, with strides that add.
    "f2.to_layout" => |(of,): (Of,)| Ok(json!(of.layout()?.to_layout::<LEAVES>()?.to_string()));
    /// Returns the layout in the notation, with XOR strides, which add without carries.
    "f2.to_xor" => |(of,): (Of,)| Ok(json!(of.layout()?.to_xor::<LEAVES>()?.to_string()));
}

impl Of {
    fn layout(self) -> Result<LinearLayout> {
        self.layout.read()
    }
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

/// Returns the layout of an operation as lists of pairs, or refuses what the operation refused.
fn written_all(layout: std::result::Result<LinearLayout, LinearError>) -> Result<Value> {
    Ok(written(&layout?))
}

/// Returns a layout as lists of pairs, in the form that requests have.
pub fn written(layout: &LinearLayout) -> Value {
    let outputs: Vec<Value> = layout.outputs().iter().map(|d| json!([d.name, d.size()])).collect();
    json!({"in": layout.bases(), "out": outputs})
}
