//! Linear layouts over F2: the operations `f2.*` of `batch`.

mod read;

use crate::answer::{Answer, Keys, Refusal, Result, known_request, part, success, unknown};
use crate::eval::{LEAVES, describe};
use crd2idx::algebra::expression::Parser;
use crd2idx::algebra::linear::{LinearError, LinearLayout};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use read::{dimensions, layout, texts, values};
use serde_json::{Map, Value, json};

impl From<LinearError> for Refusal {
    fn from(error: LinearError) -> Refusal {
        Refusal::new(error.to_string())
    }
}

/// The operations, by name, with the keys of their requests.
const OPERATIONS: &[(&str, Keys)] = &[
    ("f2.apply", &[&["layout", "at"]]),
    ("f2.compose", &[&["inner", "outer"]]),
    ("f2.product", &[&["left", "right"]]),
    ("f2.divide_left", &[&["layout", "by"]]),
    ("f2.divide_right", &[&["layout", "by"]]),
    ("f2.invert", &[&["layout"]]),
    ("f2.pseudoinvert", &[&["layout"]]),
    ("f2.invert_and_compose", &[&["layout", "other"]]),
    ("f2.sublayout", &[&["layout", "in", "out"]]),
    ("f2.quotient", &[&["layout", "dims"]]),
    ("f2.reshape_in", &[&["layout", "dims"]]),
    ("f2.reshape_out", &[&["layout", "dims"]]),
    ("f2.free_masks", &[&["layout"]]),
    ("f2.rank", &[&["layout"]]),
    ("f2.consecutive", &[&["layout"]]),
    ("f2.is_injective", &[&["layout"]]),
    ("f2.is_surjective", &[&["layout"]]),
    ("f2.is_invertible", &[&["layout"]]),
    ("f2.from_layout", &[&["layout"]]),
    ("f2.to_layout", &[&["layout"]]),
    ("f2.to_xor", &[&["layout"]]),
];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    let (_, keys) = OPERATIONS.iter().find(|(known, _)| *known == name).ok_or_else(|| unknown(name))?;
    known_request(request, keys)?;
    let of = |key: &str| layout(part(request, key)?);
    let one = || of("layout");
    let truth = |holds: bool| json!(u8::from(holds));
    let result = match name {
        "f2.apply" => applied(&one()?, part(request, "at")?)?,
        "f2.compose" => written(&of("inner")?.compose(&of("outer")?)?),
        "f2.product" => written(&of("left")?.product(&of("right")?)?),
        "f2.divide_left" => written(&one()?.divide_left(&of("by")?)?),
        "f2.divide_right" => written(&one()?.divide_right(&of("by")?)?),
        "f2.invert" => written(&one()?.inverse()?),
        "f2.pseudoinvert" => written(&one()?.pseudo_inverse()?),
        "f2.invert_and_compose" => written(&one()?.invert_and_compose(&of("other")?)?),
        "f2.sublayout" => {
            let (inputs, outputs) = (texts(part(request, "in")?)?, texts(part(request, "out")?)?);
            written(&one()?.sublayout(&inputs, &outputs)?)
        }
        "f2.quotient" => written(&one()?.quotient(&texts(part(request, "dims")?)?)?),
        "f2.reshape_in" => written(&one()?.reshape_inputs(dimensions(part(request, "dims")?)?)?),
        "f2.reshape_out" => written(&one()?.reshape_outputs(dimensions(part(request, "dims")?)?)?),
        "f2.free_masks" => one()?.free_masks().into_iter().map(|(name, mask)| (name.to_owned(), json!(mask))).collect::<Map<_, _>>().into(),
        "f2.rank" => json!(one()?.matrix().rank()),
        "f2.consecutive" => json!(one()?.consecutive()),
        "f2.is_injective" => truth(one()?.matrix().is_injective()),
        "f2.is_surjective" => truth(one()?.matrix().is_surjective()),
        "f2.is_invertible" => truth(one()?.matrix().is_invertible()),
        "f2.from_layout" => {
            let text = part(request, "layout")?.as_str().ok_or_else(|| Refusal::malformed("`layout` is not a text"))?;
            let operand = Parser::whole::<LEAVES, 0>(text, &mut ExprGraph::new(Op::Parse)).map_err(|e| Refusal::new(describe(text, &e)))?;
            let (linear, offset) = LinearLayout::from_layout(&operand).map_err(|e| Refusal::new(e.to_string()))?;
            let mut answer = success(written(&linear));
            if offset != 0 {
                answer.insert("offset".into(), json!(offset));
            }
            return Ok(answer);
        }
        "f2.to_layout" => json!(one()?.to_layout::<LEAVES>().map_err(|e| Refusal::new(e.to_string()))?.to_string()),
        "f2.to_xor" => json!(one()?.to_xor::<LEAVES>().map_err(|e| Refusal::new(e.to_string()))?.to_string()),
        _ => return Err(unknown(name)),
    };
    Ok(success(result))
}

/// The outputs at each of a list of inputs.
fn applied(layout: &LinearLayout, at: &Value) -> Result<Value> {
    let at = at.as_array().ok_or_else(|| Refusal::malformed("`at` is not a list"))?;
    let one = |at: &Value| -> Result<Value> {
        let place = layout.apply(&values(at)?)?;
        Ok(layout.outputs().iter().zip(place).map(|(d, value)| (d.name.clone(), json!(value))).collect::<Map<_, _>>().into())
    };
    at.iter().map(one).collect()
}

/// A layout as lists of pairs.
pub fn written(layout: &LinearLayout) -> Value {
    let outputs: Vec<Value> = layout.outputs().iter().map(|d| json!([d.name, d.size()])).collect();
    json!({"in": layout.bases(), "out": outputs})
}
