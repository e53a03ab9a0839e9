//! Reads sides and requests from JSON, and writes plans as JSON.
//!
//! A side is a text in the notation, or one of these objects:
//! `{"layout": .., "base": [..], "replicas": n}`,
//! `{"pieces": [{"layout": .., "at": [..], "extent": [..], "base": [..]}]}`.
//! A request has `from` and `to`. It may have `extent` (a number, or one for each mode), `max_loops`, `limit`, and
//! `element_bytes` (a number, or one for the source and one for the target).

mod one_or_many;

pub use one_or_many::one_or_many;

use crate::descriptors::{Descriptors, MemoryDescriptor};
use crate::plan::{Copy, Loop, Message, Piece, Place, Plan, PlanError, Planner, Side, Statistics};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Formatter;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde_json::{Value, json};

/// A request for a plan: both sides, the elements that exist, and options.
///
/// ```
/// use relayout::json::{Request, plan};
/// let request: Request = serde_json::from_str(r#"{"from": "(4,4):(1@0,1@1)", "to": "(4,4):(1@1,1@0)", "extent": 13}"#)?;
/// let answer = plan(&request.plan()?);
/// assert_eq!(answer["copies"][1], serde_json::json!({"from": 0, "to": 1, "src": 1, "dst": 0, "count": 1}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// The source: a layout such as `(13,8):(1@0,1@1)`, whose components from 1 on are places, or JSON with `base`,
    /// `replicas`, `pieces`.
    #[cfg_attr(feature = "clap", arg(allow_hyphen_values = true, value_hint = clap::ValueHint::Other))]
    pub from: SideText,
    /// The target, in the same form.
    #[cfg_attr(feature = "clap", arg(allow_hyphen_values = true, value_hint = clap::ValueHint::Other))]
    pub to: SideText,
    /// The elements that exist: one number for each mode, `50257,1024`, or one number of linear coordinates. The
    /// default is all elements.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N,.."))]
    pub extent: Option<Numbers>,
    /// The maximum number of loops per copy. With 0, only contiguous runs are copied.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max_loops: Option<usize>,
    /// The maximum number of copies. A plan that needs more is an error.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub limit: Option<usize>,
    /// The number of bytes of an element, or one number for the source and one for the target: `4,2`. The default is 1.
    #[cfg_attr(feature = "clap", arg(long = "bytes", value_name = "N"))]
    pub element_bytes: Option<ElementBytes>,
}

/// ```
/// use relayout::json::Request;
/// // Six columns of 8 are padded to 10. Numbers have 4 bytes in the source and 2 in the target.
/// let text = r#"{"from": "(8,6):(1,8)", "to": "(8,6):(1,10)", "extent": [8, 5], "element_bytes": [4, 2]}"#;
/// let request: Request = serde_json::from_str(text)?;
/// let [from, to] = request.sides()?;
/// assert_eq!(request.planner().extents(&from, &to)?, [8, 5]);
/// assert_eq!((request.element_bytes(), request.plan()?.elements()), ([4, 2], 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Request {
    /// Returns the source and the target.
    ///
    /// # Errors
    /// Fails if a text is not a layout with known numbers.
    pub fn sides(&self) -> Result<[Side; 2], PlanError> {
        Ok([self.from.side()?, self.to.side()?])
    }

    /// Returns the planner with the extent and the options of this request.
    pub fn planner(&self) -> Planner {
        let mut planner = match self.extent.as_ref() {
            None => Planner::new(),
            Some(Numbers::One(count)) => Planner::new().elements(*count),
            Some(Numbers::Each(extents)) => Planner::new().extent(extents),
        };
        if let Some(loops) = self.max_loops {
            planner = planner.max_loops(loops);
        }
        if let Some(copies) = self.limit {
            planner = planner.limit(copies);
        }
        planner
    }

    /// Returns the number of bytes of an element in the source and in the target.
    pub fn element_bytes(&self) -> [u64; 2] {
        match self.element_bytes {
            None => [1, 1],
            Some(ElementBytes::One(bytes)) => [bytes; 2],
            Some(ElementBytes::Each(bytes)) => bytes,
        }
    }

    /// Plans the copies of this request.
    ///
    /// # Errors
    /// Fails as [`Request::sides`] and [`Planner::plan`] do.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let [from, to] = self.sides()?;
        self.planner().plan(&from, &to)
    }
}

/// A number, or one number for each mode.
///
/// ```
/// use relayout::json::Numbers;
/// assert!(matches!("13".parse()?, Numbers::One(13)));
/// assert!(matches!(serde_json::from_str("[50257, 1024]")?, Numbers::Each(extents) if extents == [50257, 1024]));
/// let error = serde_json::from_str::<Numbers>("true").err().map(|error| error.to_string());
/// assert!(error.is_some_and(|error| error.contains("expected an integer of 64 bits, or a list of integers")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum Numbers {
    /// The number of linear coordinates.
    One(i64),
    /// The extent of each mode.
    Each(Vec<i64>),
}

/// The number of bytes of an element in the source and in the target.
///
/// ```
/// use relayout::json::ElementBytes;
/// assert!(matches!("4".parse(), Ok(ElementBytes::One(4))));
/// assert!(matches!("4,2".parse(), Ok(ElementBytes::Each([4, 2]))));
/// assert!("4,2,1".parse::<ElementBytes>().is_err());
/// ```
#[derive(Clone, Copy)]
pub enum ElementBytes {
    /// One number that holds for both the source and the target.
    One(u64),
    /// One number for the source and one for the target.
    Each([u64; 2]),
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one_or_many(deserializer, "an integer of 64 bits, or a list of integers", Numbers::One, Numbers::Each)
    }
}

impl<'de> Deserialize<'de> for ElementBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one_or_many(
            deserializer,
            "a number of bytes, or a list of two: for the source and for the target",
            ElementBytes::One,
            ElementBytes::Each,
        )
    }
}

/// Reads `50257` or `50257,1024`.
impl core::str::FromStr for Numbers {
    type Err = core::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split(',').map(|number| number.trim().parse()).collect::<Result<Vec<_>, _>>()?;
        Ok(if let [count] = numbers[..] { Numbers::One(count) } else { Numbers::Each(numbers) })
    }
}

/// Reads `4` or `4,2`.
impl core::str::FromStr for ElementBytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<Vec<u64>>>();
        match numbers.as_deref() {
            Some([both]) => Ok(ElementBytes::One(*both)),
            Some([from, to]) => Ok(ElementBytes::Each([*from, *to])),
            _ => Err("expected a number of bytes, or two: for the source and for the target, as in 4,2"),
        }
    }
}

/// A side as written: a layout in the notation, or an object.
///
/// ```
/// use relayout::Place;
/// use relayout::json::SideText;
/// let text: SideText = "(4,4):(1@0,1@1)".parse()?;
/// assert_eq!((text.to_string(), text.side()?.spots(&[16], &[6])?), ("(4,4):(1@0,1@1)".into(), vec![(Place::from(1), 2)]));
/// // The same four blocks, on places 4 to 7.
/// let moved: SideText = serde_json::from_str(r#"{"layout": "(4,4):(1@0,1@1)", "base": [0, 4]}"#)?;
/// assert_eq!(moved.side()?.spots(&[16], &[6])?, [(Place::from(5), 2)]);
/// // A layout is read when it is used.
/// let error = "(4,4):(1@0".parse::<SideText>()?.side().err();
/// assert_eq!(error.map(|error| error.class()), Some("plan/layout"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SideText {
    text: String,
    object: Option<Object>,
}

#[derive(Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    layout: Option<String>,
    pieces: Option<Vec<PieceText>>,
    #[serde(default)]
    base: Vec<i64>,
    replicas: Option<i64>,
}

#[derive(Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceText {
    layout: String,
    #[serde(default)]
    at: Vec<i64>,
    #[serde(default)]
    extent: Vec<i64>,
    #[serde(default)]
    base: Vec<i64>,
}

impl SideText {
    /// Returns the side that the text describes.
    ///
    /// # Errors
    /// Fails if a text is not a layout with known numbers.
    pub fn side(&self) -> Result<Side, PlanError> {
        let Some(object) = &self.object else { return Side::parse(&self.text) };
        let piece = |piece: &PieceText| Ok(Piece::new(&piece.layout, &piece.at, &piece.extent)?.with_base(&piece.base));
        let side = match &object.layout {
            Some(text) => Side::parse(text)?,
            None => Side::pieces(object.pieces.iter().flatten().map(piece).collect::<Result<Vec<_>, PlanError>>()?),
        };
        let side = if let Some(replicas) = object.replicas { side.with_replicas(replicas) } else { side };
        Ok(side.with_base(&object.base))
    }
}

/// Reads a layout in the notation, or JSON if the text begins with `{`.
impl core::str::FromStr for SideText {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let object = text.trim_start().starts_with('{').then(|| serde_json::from_str::<SideText>(text)).transpose()?;
        Ok(SideText { text: text.into(), object: object.and_then(|side| side.object) })
    }
}

/// Writes the layout in the notation, or the JSON that was read.
impl core::fmt::Display for SideText {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for SideText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnySide)
    }
}

struct AnySide;

impl<'de> Visitor<'de> for AnySide {
    type Value = SideText;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("a layout, or an object with `layout` or `pieces`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SideText, E> {
        Ok(SideText { text: text.into(), object: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SideText, A::Error> {
        let object = Object::deserialize(MapAccessDeserializer::new(map))?;
        match (&object.layout, object.pieces.as_deref()) {
            (Some(_), None) | (None, Some([_, ..])) => {
                Ok(SideText { text: object.layout.clone().unwrap_or_else(|| "pieces".into()), object: Some(object) })
            }
            (None, Some([])) => Err(A::Error::custom("a side needs at least one of its `pieces`")),
            _ => Err(A::Error::custom("a side needs either `layout` or `pieces`, and not both")),
        }
    }
}

/// Converts lists of descriptors to JSON: `{"source": [[address, length, place], ..], "target": [..], "short":
/// {"copies": [..]}}`.
///
/// ```
/// use relayout::{Plan, Side, json};
/// let plan = Plan::new(&Side::parse("(4,2):(1@0,1@1)")?, &Side::parse("(4,2):(1@0,4@0)")?)?;
/// let lists = plan.descriptors(8, 0, 100, |_, place| 1000 * place.numbers()[0] as u64)?;
/// let text = r#"{"short":{"copies":[]},"source":[[0,32,0],[1000,32,1]],"target":[[0,32,0],[32,32,0]]}"#;
/// assert_eq!(json::descriptors(&lists).to_string(), text);
/// # Ok::<(), relayout::PlanError>(())
/// ```
pub fn descriptors(lists: &Descriptors) -> Value {
    let list = |list: &[MemoryDescriptor]| list.iter().map(|one| json!([one.address, one.length, place(&one.place)])).collect::<Vec<_>>();
    sorted(json!({"source": list(&lists.source), "target": list(&lists.target), "short": {"copies": copies(&lists.short)}}))
}

/// Converts a plan to its list of copies: `{"copies": [{"from": 0, "to": 0, "src": 0, "dst": 0, "count": 8, "loops":
/// [[6, 8, 10]]}]}`.
///
/// ```
/// use relayout::{Plan, Side, json};
/// let plan = Plan::new(&Side::parse("(8,6):(1,8)")?, &Side::parse("(8,6):(1,10)")?)?;
/// let text = r#"{"copies":[{"count":8,"dst":0,"from":0,"loops":[[6,8,10]],"src":0,"to":0}]}"#;
/// assert_eq!(json::plan(&plan).to_string(), text);
/// # Ok::<(), relayout::PlanError>(())
/// ```
pub fn plan(plan: &Plan) -> Value {
    json!({"copies": copies(plan.messages())})
}

/// Converts messages to the list of their copies, as [`plan`](plan()) does.
///
/// ```
/// use relayout::{Copy, Message, json};
/// let copy = Copy { source: 8, target: 0, count: 4, loops: vec![] };
/// let message = Message { from: 2.into(), to: 0.into(), copies: vec![copy] };
/// assert_eq!(json::copies(&[message]).to_string(), r#"[{"count":4,"dst":0,"from":2,"src":8,"to":0}]"#);
/// ```
pub fn copies(messages: &[Message]) -> Value {
    sorted(messages.iter().flat_map(|message| message.copies.iter().map(|copy| one(&message.from, &message.to, copy))).collect())
}

/// Returns the value with sorted keys, whatever features `serde_json` has.
fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

fn one(from: &Place, to: &Place, copy: &Copy) -> Value {
    let mut out = json!({"from": place(from), "to": place(to), "src": copy.source, "dst": copy.target, "count": copy.count});
    if !copy.loops.is_empty() {
        out["loops"] = copy.loops.iter().map(|Loop { count, source, target }| json!([count, source, target])).collect();
    }
    out
}

/// Converts a place to a number, or to a list if it has several numbers.
///
/// ```
/// use relayout::{Place, json};
/// assert_eq!(json::place(&Place::from(3)).to_string(), "3");
/// assert_eq!(json::place(&Place::new(vec![1, 0])).to_string(), "[1,0]");
/// ```
pub fn place(place: &Place) -> Value {
    place.number().map_or_else(|| json!(place.numbers()), |number| json!(number))
}

/// Converts the statistics of a plan to JSON. An element has `element_bytes[0]` bytes in the source and
/// `element_bytes[1]` in the target.
///
/// ```
/// use relayout::{Plan, Side, json};
/// // Four blocks of 4 become two blocks of 8. The block of place 0 stays.
/// let plan = Plan::new(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("(8,2):(1@0,1@1)")?)?;
/// let all = json::statistics(&plan, [4, 2]);
/// assert_eq!((&all["elements"], &all["local"], &all["remote"]), (&16.into(), &4.into(), &12.into()));
/// assert_eq!((&all["from_bytes"], &all["to_bytes"], &all["pairs"]), (&64.into(), &32.into(), &4.into()));
/// assert_eq!(all["messages"][3].to_string(), r#"{"descriptors":1,"elements":4,"from":3,"to":1}"#);
/// # Ok::<(), relayout::PlanError>(())
/// ```
pub fn statistics(plan: &Plan, element_bytes: [u64; 2]) -> Value {
    let Statistics { elements, local, remote, messages, descriptors } = plan.statistics();
    let bytes = |width: u64| {
        let bytes = i128::from(elements) * i128::from(width);
        i64::try_from(bytes).map_or_else(|_| Value::String(bytes.to_string()), Value::from)
    };
    let message = |message: &Message| {
        json!({
            "from": place(&message.from),
            "to": place(&message.to),
            "elements": message.elements(),
            "descriptors": message.copies.len(),
        })
    };
    sorted(json!({
        "elements": elements,
        "from_bytes": bytes(element_bytes[0]),
        "to_bytes": bytes(element_bytes[1]),
        "local": local,
        "remote": remote,
        "pairs": messages,
        "descriptors": descriptors,
        "messages": plan.messages().iter().map(message).collect::<Vec<_>>(),
    }))
}
