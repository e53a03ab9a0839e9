//! The operation `emit` of `batch`: `{"op": "emit", "layout": "(8,?):(?,1)", "to": "c"}`, or with a `graph` and a question about it.

use super::program::{COORDINATES, DOMAINS, Question, layout};
use super::text::{Form, named, renamed};
use crate::answer::{Answer, Keys, Refusal, Result, one_of};
use crate::eval::describe;
use crate::graph::batch::graph_of;
use crate::graph::request::Object;
use crd2idx::graph::Direction;
use crd2idx::program::Program;
use serde_json::{Map, Value, json};

const COMMON: &[&str] = &["to", "name", "names", "width", "fast_division", "expression", "unsimplified"];
const OF_LAYOUTS: &[&str] = &["layout", "coordinates"];
const OF_GRAPHS: &[&str] = &["graph", "flatten", "forward", "reverse", "targets", "launch", "bind", "domain"];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    let keys: Keys = if request.get("graph").is_some() { &[COMMON, OF_GRAPHS] } else { &[COMMON, OF_LAYOUTS] };
    one_of(&[("emit", keys, result)], name, request)
}

/// `{"device": text, "host": text or null}`, or `{"expressions": {name: text}}`.
fn result(whole: &Value) -> Result<Value> {
    let object = Object::new(whole, "").ok_or_else(|| Refusal::malformed("the request is no object"))?;
    let request = Request { object, whole };
    let of_graph = request.object.get("graph").is_some();
    let to = request.object.required("to", request.object.text("to")?)?;
    let bits = |width: &Value| {
        let bits = width.as_u64().and_then(|bits| u32::try_from(bits).ok());
        bits.ok_or_else(|| Refusal::malformed(format!("width: {width} is not 32 or 64")))
    };
    let width = request.object.get("width").map(bits).transpose()?;
    let fast = request.truth("fast_division", true)?;
    let form = Form::new(to, request.object.text("name")?.unwrap_or("crd2idx"), width, fast)
        .map_err(|(key, message)| Refusal::malformed(format!("{key}: {message}")))?;
    let program = if of_graph { request.of_graph()? } else { request.of_layout()? };
    let program = renamed(program, &request.names("names")?).map_err(|message| Refusal::malformed(format!("names: {message}")))?;
    let refused = |error: crd2idx::program::EmitError| Refusal::new(error.to_string()).with("kind", "emit");
    if request.truth("expression", false)? {
        let lines = form.expressions(&program).map_err(refused)?;
        return Ok(json!({"expressions": lines.into_iter().map(|(name, text)| (name, text.into())).collect::<Map<_, _>>()}));
    }
    let source = form.source(&program).map_err(refused)?;
    Ok(json!({"device": source.device, "host": source.host}))
}

/// The object of a request, and the request.
struct Request<'a> {
    object: Object<'a>,
    whole: &'a Value,
}

impl<'a> Request<'a> {
    fn named<T: Copy>(&self, key: &str, values: &[(&str, T)]) -> Result<T> {
        named(self.object.text(key)?, values).map_err(|message| Refusal::malformed(format!("{key}: {message}")))
    }

    fn truth(&self, key: &str, otherwise: bool) -> Result<bool> {
        Ok(self.object.truth(key)?.unwrap_or(otherwise))
    }

    /// A list of names, empty where the key is missing.
    fn names(&self, key: &str) -> Result<Vec<&'a str>> {
        Ok(self.object.names(key)?.unwrap_or_default())
    }

    fn of_layout(&self) -> Result<Program> {
        let text = self.object.text("layout")?.ok_or_else(|| Refusal::malformed("the key `layout` or `graph` is missing"))?;
        let coordinates = self.named("coordinates", COORDINATES)?;
        layout(text, coordinates, self.truth("unsimplified", false)?).map_err(|e| Refusal::new(describe(text, &e)).with("kind", "layout"))
    }

    fn of_graph(&self) -> Result<Program> {
        let graph = graph_of(self.whole)?;
        let direction = match (self.object.get("forward"), self.object.get("reverse")) {
            (Some(_), None) => Direction::Forward,
            (None, Some(_)) => Direction::Reverse,
            _ => return Err(Refusal::malformed("one of the keys `forward` and `reverse` lists the coordinates of each thread")),
        };
        let targets = self.names("targets")?;
        if targets.is_empty() {
            return Err(Refusal::malformed("the key `targets` lists nothing to compute"));
        }
        let question = Question {
            direction,
            threads: self.names(direction.name())?,
            launch: self.names("launch")?,
            constants: self.object.values("bind")?,
            targets,
            domain: self.named("domain", DOMAINS)?,
            unsimplified: self.truth("unsimplified", false)?,
        };
        Ok(question.program(&graph)?)
    }
}
