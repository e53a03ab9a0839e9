//! The transforms of coordinates. One table declares the fields, the sides and the formulas of each.
//!
//! A row of the table is
//! `Name { field: kind "name in errors" >= least, } SIDES, forward => formula, reverse => formula`, or
//! `both => formula`. All other code about transforms comes from this table: [`Transform::name`], reading and
//! writing fields, the checks of an edge, evaluation and derivation.

use super::evaluation::Outcome;
use super::term::{Formula, Site, Term};
use super::{Direction, Expr};
use layout_algebra::heap::*;

/// The minimum and the maximum number of dimensions on one side of an edge.
pub(super) type Count = (usize, usize);

/// The numbers of inputs and outputs that a transform allows, and the same in words. The first pair is the usual form.
pub(super) struct Sides {
    pub(super) counts: &'static [(Count, Count)],
    pub(super) takes: &'static str,
    /// True if the numbers of inputs and outputs must be equal, because they belong together in pairs.
    pub(super) pairwise: bool,
}

const NONE: Count = (0, 0);
const ONE: Count = (1, 1);
const TWO: Count = (2, 2);
const SOME: Count = (1, usize::MAX);
const BRANCHES: Count = (2, usize::MAX);

const fn sides(counts: &'static [(Count, Count)], takes: &'static str) -> Sides {
    Sides { counts, takes, pairwise: false }
}

const MANY_TO_ONE: Sides = sides(&[(SOME, ONE)], "one or more inputs and one output");
const ONE_TO_MANY: Sides = sides(&[(ONE, SOME)], "one input and one or more outputs");
const ONE_TO_ONE: Sides = sides(&[(ONE, ONE)], "one input and one output");
const ONE_TO_TWO: Sides = sides(&[(ONE, TWO)], "one input and two outputs, column and row");
const TWO_TO_TWO: Sides = sides(&[(TWO, TWO)], "two inputs and two outputs");
const PAIRS: Sides = Sides { counts: &[(SOME, SOME)], takes: "as many inputs as outputs", pairwise: true };
const SWITCHED: Sides = sides(&[(ONE, BRANCHES), (BRANCHES, ONE)], "one dimension on one side, branches and a switch on the other");
const EITHER_WAY: Sides = sides(&[(ONE, SOME), (SOME, ONE)], "one dimension on one side, one or more on the other");
const SOME_TO_ANY: Sides = sides(&[(SOME, (0, usize::MAX))], "one or more inputs");
const ONE_TO_NONE: Sides = sides(&[(ONE, NONE)], "one input and no output");
const NONE_TO_ONE: Sides = sides(&[(NONE, ONE)], "no input and one output");
const NONE_TO_MANY: Sides = sides(&[(NONE, SOME)], "no input and one or more outputs");

/// The declaration of a field of a transform.
///
/// ```
/// use coordinate_graph::graph::Transform;
/// let fields = Transform::field_names("Slice").expect("a transform");
/// assert_eq!(fields.iter().map(|field| (field.key, field.what)).collect::<Vec<_>>(), [("begin", "first element"), ("end", "end")]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldName {
    /// The name in Rust, in JSON and in `graph!`.
    pub key: &'static str,
    /// The name in errors such as [`GraphError::Range`](super::GraphError::Range) and
    /// [`GraphError::Length`](super::GraphError::Length).
    pub what: &'static str,
    /// The minimum of the numbers of the field; `None` if any number is allowed.
    pub(super) least: Option<i64>,
}

/// The value of a field of a transform.
///
/// ```
/// use coordinate_graph::graph::{Expr, FieldValue, Transform};
/// let rotate = Transform::Rotate { rows_per_group: Expr::Int(2), positions: Expr::Int(8), inverse: true };
/// let texts: Vec<String> = rotate.fields().iter().map(|value| match value {
///     FieldValue::Quantity(quantity) => quantity.to_string(),
///     FieldValue::Flag(flag) => flag.to_string(),
///     other => panic!("Rotate has no {other:?}"),
/// }).collect();
/// assert_eq!(texts, ["2", "8", "true"]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FieldValue<'a> {
    /// A quantity.
    Quantity(&'a Expr),
    /// A list of quantities.
    Quantities(&'a Vec<Expr>),
    /// Two quantities: for a condition that is not 0, and for a condition that is 0.
    Pair(&'a [Expr; 2]),
    /// Two lists of quantities: for a condition that is not 0, and for a condition that is 0.
    Lists(&'a [Vec<Expr>; 2]),
    /// A list of numbers.
    Numbers(&'a [i64]),
    /// True or false.
    Flag(&'a bool),
}

/// A source of fields: a JSON object, or the tokens of a macro.
///
/// ```
/// use coordinate_graph::graph::{Expr, ReadFields, Transform};
/// use std::collections::HashMap;
///
/// /// Fields that are numbers.
/// struct Numbers(HashMap<&'static str, i64>);
///
/// impl ReadFields for Numbers {
///     type Error = String;
///
///     fn quantity(&mut self, key: &'static str) -> Result<Expr, String> {
///         self.0.get(key).map(|number| Expr::Int(*number)).ok_or(format!("`{key}` is missing"))
///     }
///
///     fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>, String> {
///         Err(format!("`{key}` is not a number"))
///     }
///     // Likewise the other kinds of fields.
/// #     fn pair(&mut self, key: &'static str) -> Result<[Expr; 2], String> { Err(format!("`{key}` is not a number")) }
/// #     fn lists(&mut self, key: &'static str) -> Result<[Vec<Expr>; 2], String> { Err(format!("`{key}` is not a number")) }
/// #     fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>, String> { Err(format!("`{key}` is not a number")) }
/// #     fn flag(&mut self, key: &'static str) -> Result<bool, String> { Err(format!("`{key}` is not a number")) }
/// }
///
/// let mut fields = Numbers(HashMap::from([("left", 1), ("right", 2)]));
/// assert_eq!(Transform::read("Pad", &mut fields), Some(Ok(Transform::Pad { left: Expr::Int(1), right: Expr::Int(2) })));
/// assert_eq!(Transform::read("Modulo", &mut fields), Some(Err("`modulus` is missing".to_string())));
/// assert_eq!(Transform::read("Embed", &mut fields), Some(Err("`coefficients` is not a number".to_string())));
/// ```
pub trait ReadFields {
    /// The error of a field that is missing or that has another kind of value.
    type Error;
    /// Returns the value of field `key`, a [`FieldValue::Quantity`]. Fails if it cannot be read.
    fn quantity(&mut self, key: &'static str) -> Result<Expr, Self::Error>;
    /// Returns the value of field `key`, a [`FieldValue::Quantities`]. Fails if it cannot be read.
    fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>, Self::Error>;
    /// Returns the value of field `key`, a [`FieldValue::Pair`]. Fails if it cannot be read.
    fn pair(&mut self, key: &'static str) -> Result<[Expr; 2], Self::Error>;
    /// Returns the value of field `key`, a [`FieldValue::Lists`]. Fails if it cannot be read.
    fn lists(&mut self, key: &'static str) -> Result<[Vec<Expr>; 2], Self::Error>;
    /// Returns the value of field `key`, a [`FieldValue::Numbers`]. Fails if it cannot be read.
    fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>, Self::Error>;
    /// Returns the value of field `key`, a [`FieldValue::Flag`]. Fails if it cannot be read.
    fn flag(&mut self, key: &'static str) -> Result<bool, Self::Error>;
}

/// Gives, for a kind of field, its type, its variant of [`FieldValue`], or the minimum of its numbers.
macro_rules! field {
    (type quantity) => { Expr };
    (type quantities) => { Vec<Expr> };
    (type pair) => { [Expr; 2] };
    (type lists) => { [Vec<Expr>; 2] };
    (type numbers) => { Box<[i64]> };
    (type flag) => { bool };
    (value quantity $x:ident) => { FieldValue::Quantity($x) };
    (value quantities $x:ident) => { FieldValue::Quantities($x) };
    (value pair $x:ident) => { FieldValue::Pair($x) };
    (value lists $x:ident) => { FieldValue::Lists($x) };
    (value numbers $x:ident) => { FieldValue::Numbers($x) };
    (value flag $x:ident) => { FieldValue::Flag($x) };
    (least) => { None };
    (least $least:literal) => { Some($least) };
}

const GROUP: &str = "number of rows per group";
const OF_STORAGE: &str = "it relates storage, not coordinates";
const INDEPENDENT: &str = "nothing depends on it";

macro_rules! transforms {
    ($site:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $( $(#[$of_field:meta])* $field:ident: $kind:ident $what:literal $(>= $least:literal)?, )* })?
        $sides:ident, $way:ident => $formula:expr $(, reverse => $reverse:expr)?;
    )*) => {
        /// A transform between an ordered list of inputs and an ordered list of outputs.
        ///
        /// *Forward* computes outputs from inputs, and *reverse* computes inputs from outputs. In formulas, `n` is
        /// the size of a dimension, `d` its stride, and `/` rounds down. A direction without a formula is
        /// undefined: it is an error, never an identity.
        ///
        /// ```
        /// use coordinate_graph::graph::{CoordGraph, Dimension, Expr, FieldValue, Transform};
        /// let pad = Transform::Pad { left: Expr::Int(1), right: Expr::Int(2) };
        /// assert!(Transform::NAMES.contains(&pad.name()));
        /// assert_eq!(pad.fields(), [FieldValue::Quantity(&Expr::Int(1)), FieldValue::Quantity(&Expr::Int(2))]);
        /// let named: Vec<_> = pad.named_fields().map(|(field, _)| field.key).collect();
        /// assert_eq!(named, ["left", "right"]);
        ///
        /// let mut graph = CoordGraph::new();
        /// let [x, u] = [graph.add(Dimension::new("x").size(10))?, graph.add(Dimension::new("u").size(13))?];
        /// graph.connect(pad, [x], [u])?;
        /// assert_eq!(graph.forward(&[("x", 0)], &["u"])?, [1]);
        /// # Ok::<(), coordinate_graph::graph::GraphError>(())
        /// ```
        #[derive(Clone, PartialEq, Debug)]
        pub enum Transform { $( $(#[$doc])* $name $({ $( $(#[$of_field])* $field: field!(type $kind), )* })?, )* }

        impl Transform {
            /// The names of all transforms.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// Returns the name that JSON and drawings use.
            pub const fn name(&self) -> &'static str {
                match self { $(Transform::$name { .. } => stringify!($name),)* }
            }

            /// Returns the fields of the transform with that name, in order; `None` if there is no such transform.
            ///
            /// ```
            /// use coordinate_graph::graph::Transform;
            /// let keys: Vec<_> = Transform::field_names("Pad").unwrap().iter().map(|field| field.key).collect();
            /// assert_eq!(keys, ["left", "right"]);
            /// ```
            pub fn field_names(name: &str) -> Option<&'static [FieldName]> {
                Some(match name {
                    $(stringify!($name) => &[
                        $($(FieldName { key: stringify!($field), what: $what, least: field!(least $($least)?) },)*)?
                    ],)*
                    _ => return None,
                })
            }

            /// Returns the values of the fields, in order.
            pub fn fields(&self) -> Vec<FieldValue<'_>> {
                match self { $(Transform::$name $({ $($field,)* })? => Vec::from([$($(field!(value $kind $field),)*)?]),)* }
            }

            /// Reads the transform with that name; `fields` gives the values of its fields. Returns `None` if
            /// there is no such transform.
            ///
            /// Fails if `fields` does.
            ///
            /// ```
            /// use coordinate_graph::graph::{Expr, ReadFields, Transform};
            /// // A source without fields, which serves the transforms that have none.
            /// struct Empty;
            /// impl ReadFields for Empty {
            ///     type Error = String;
            ///     fn quantity(&mut self, key: &'static str) -> Result<Expr, String> { Err(format!("`{key}` is missing")) }
            /// #     fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>, String> { Err(format!("`{key}` is missing")) }
            /// #     fn pair(&mut self, key: &'static str) -> Result<[Expr; 2], String> { Err(format!("`{key}` is missing")) }
            /// #     fn lists(&mut self, key: &'static str) -> Result<[Vec<Expr>; 2], String> { Err(format!("`{key}` is missing")) }
            /// #     fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>, String> { Err(format!("`{key}` is missing")) }
            /// #     fn flag(&mut self, key: &'static str) -> Result<bool, String> { Err(format!("`{key}` is missing")) }
            ///     // .. and the other kinds of fields
            /// }
            /// assert_eq!(Transform::read("Flatten", &mut Empty), Some(Ok(Transform::Flatten)));
            /// assert_eq!(Transform::read("Pad", &mut Empty), Some(Err("`left` is missing".to_string())));
            /// assert_eq!(Transform::read("Flaten", &mut Empty), None);
            /// ```
            pub fn read<R: ReadFields>(name: &str, fields: &mut R) -> Option<Result<Transform, R::Error>> {
                let mut read = || Ok(Some(match name {
                    $(stringify!($name) => Transform::$name $({ $($field: fields.$kind(stringify!($field))?,)* })?,)*
                    _ => return Ok(None),
                }));
                read().transpose()
            }

            pub(super) const fn sides(&self) -> &'static Sides {
                match self { $(Transform::$name { .. } => &$sides,)* }
            }

            /// Returns the formula of the products of an edge. Fails if the transform has none in this direction.
            pub(super) fn formula<'g>(&'g self, direction: Direction, $site: &Site<'g>) -> Outcome<Formula<'g>> {
                #[allow(unused_variables)]
                match self {
                    $(Transform::$name $({ $($field,)* })? => {
                        $(if direction == Direction::Reverse {
                            return $reverse;
                        })?
                        $formula
                    })*
                }
            }
        }
    };
}

impl Transform {
    /// Iterates over the fields with their names, in order.
    pub fn named_fields(&self) -> impl Iterator<Item = (&'static FieldName, FieldValue<'_>)> {
        Transform::field_names(self.name()).unwrap_or(&[]).iter().zip(self.fields())
    }

    /// Returns the quantities in all fields.
    pub(super) fn quantities(&self) -> Vec<&Expr> {
        let of = |field| match field {
            FieldValue::Quantity(quantity) => Vec::from([quantity]),
            FieldValue::Quantities(list) => list.iter().collect(),
            FieldValue::Pair(pair) => pair.iter().collect(),
            FieldValue::Lists(lists) => lists.iter().flatten().collect(),
            FieldValue::Numbers(_) | FieldValue::Flag(_) => Vec::new(),
        };
        self.fields().into_iter().flat_map(of).collect()
    }
}

transforms! { edge:
    /// Many inputs `x` to one output. Forward, by sizes: `(x0 n1 + x1) n2 + ...`; by strides: `x0 d0 + x1 d1 + ...` (see
    /// [`FlattenMode`](super::FlattenMode)). Reverse: the digits of the output; the slowest takes the whole quotient.
    Flatten MANY_TO_ONE,
        forward => if edge.by_strides(edge.sources)? { edge.strided() } else { edge.horner() },
        reverse => if edge.by_strides(edge.products)? { edge.packed() } else { edge.digits() };
    /// One input to many outputs `x`. Forward: the digits of the input in the sizes of the outputs. The first takes the
    /// whole quotient and needs no size. Reverse: `(x0 n1 + x1) n2 + ...`.
    Tile ONE_TO_MANY, forward => edge.digits(), reverse => edge.horner();
    /// Many inputs `x` to one output. Forward: `x0 d0 + x1 d1 + ...`. Reverse: the digits of the output, if the strides are
    /// provably in packed order.
    Join MANY_TO_ONE, forward => edge.strided(), reverse => edge.packed();
    /// One input to many outputs `x`. Reverse: `x0 d0 + x1 d1 + ...`. Forward: the digits of the input, if the strides are
    /// provably in packed order.
    Split ONE_TO_MANY, forward => edge.packed(), reverse => edge.strided();
    /// One dimension on one side. On the other side, branches `b0, b1, ...` and, last, a switch `s`. From many to one: `b_s
    /// + n_0 + ... + n_(s-1)`, and only branch `s` is evaluated. Undefined from one to many.
    Sunder SWITCHED, both => edge.switched();
    /// Identity in both directions, pairwise.
    PassThrough PAIRS, both => edge.same();
    /// Identity in both directions, pairwise. The outputs are the inputs as another tensor names them.
    Inherit PAIRS, both => edge.same();
    /// Identity in both directions, pairwise. The outputs are results of the kernel.
    MakeOutput PAIRS, both => edge.same();
    /// Drops the coordinates of its inputs. Undefined in both directions.
    Forget SOME_TO_ANY, both => edge.undefined("the coordinate is dropped");
    /// Many dimensions `x` on one side, one on the other side. From many to one: `sum x strides[0] + initial[0]` if
    /// `condition` is not 0, else `sum x strides[1] + initial[1]`. Only dimensions in the condition or in the chosen sum
    /// are evaluated. Undefined from one to many.
    PiecewiseAffineJoin {
        /// The condition. [`Expr::Arg`]`(k)` stands for coordinate `k` on the side that has many dimensions.
        condition: quantity "condition",
        /// For each of the two cases, one stride for each of the many dimensions.
        strides: lists "strides",
        /// For each of the two cases, the constant that is added.
        initial: pair "initial",
    } EITHER_WAY,
        both => edge.piecewise(condition, strides, initial);
    /// Makes a tile from its dimensions. It describes storage, and is undefined in both directions.
    ConstructMacroTile MANY_TO_ONE, both => edge.undefined(OF_STORAGE);
    /// Splits a tile into its dimensions. It describes storage, and is undefined in both directions.
    DestructMacroTile ONE_TO_MANY, both => edge.undefined(OF_STORAGE);
    /// One to two: `p` and `(col, row)`, with neighbouring columns exchanged in every even group of rows. Reverse:
    /// `p = col xor ((g xor 1) and 1)` with `g = row / rows_per_group`. Undefined forward.
    PairSwap {
        /// The number of consecutive rows in a group: all rows of a group are exchanged alike.
        rows_per_group: quantity "number of rows per group" >= 1,
    } ONE_TO_TWO,
        forward => edge.undefined("the row is not known"),
        reverse => edge.is(edge.source(0).xor(Term::Int(1) - edge.source(1) / Term::Divisor(rows_per_group, GROUP) % Term::Int(2)));
    /// One to two: `p` and `(col, row)`, with the columns rotated by an amount that depends on the row. Reverse:
    /// `p = (col - h) mod positions`, or `(col + h) mod positions` if `inverse`, with
    /// `h = 2 (row / rows_per_group / 2)`. Undefined forward.
    Rotate {
        /// The number of consecutive rows in a group: all rows of a group are rotated alike.
        rows_per_group: quantity "number of rows per group" >= 1,
        /// The number of columns.
        positions: quantity "number of positions" >= 1,
        /// True to rotate by `+h`, false by `-h`.
        inverse: flag "inverse",
    } ONE_TO_TWO,
        forward => edge.undefined("the row is not known"),
        reverse => {
            let (col, by) = (edge.source(0), edge.source(1) / Term::Divisor(rows_per_group, GROUP) / Term::Int(2) * Term::Int(2));
            edge.is((if *inverse { col + by } else { col - by }) % Term::Divisor(positions, "number of positions"))
        };
    /// One input `x` to one output `u`. Forward: `u = x + left`. Reverse: `x = u - left`. The size of `u` is `left + n +
    /// right` for the size `n` of `x`, and `u` is valid only if `x` lies in its size.
    Pad {
        /// The number of elements of padding before the first element.
        left: quantity "left pad" >= 0,
        /// The number of elements of padding after the last element.
        right: quantity "right pad" >= 0,
    } ONE_TO_ONE,
        forward => edge.is(edge.source(0) + Term::Quantity(left)),
        reverse => {
            let x = || edge.source(0) - Term::Quantity(left);
            // If the inner dimension has a size, that size already bounds `x`.
            match (&edge.dim(edge.products[0]).size, &edge.dim(edge.sources[0]).size) {
                (None, Some(size)) => edge.is_below(x(), x(), Term::Quantity(size) - (Term::Quantity(left) + Term::Quantity(right))),
                _ => edge.is(x()),
            }
        };
    /// One input `x` to one output `u`. Forward: `u = x - begin`. Reverse: `x = u + begin`. `u` numbers the elements
    /// `begin..end` of `x` from 0.
    Slice {
        /// The first element that is kept.
        begin: quantity "first element" >= 0,
        /// The end: one past the last element that is kept.
        end: quantity "end",
    } ONE_TO_ONE,
        forward => {
            let u = || edge.source(0) - Term::Quantity(begin);
            edge.is_below(u(), u(), Term::Quantity(end) - Term::Quantity(begin))
        },
        reverse => edge.is_below(edge.source(0) + Term::Quantity(begin), edge.source(0), Term::Quantity(end) - Term::Quantity(begin));
    /// One input to many outputs `u`. Reverse: `u0 c0 + u1 c1 + ...`, like [`Split`](Transform::Split) with the strides `c`
    /// in the edge. Undefined forward.
    Embed {
        /// The coefficients `c`, one for each output.
        coefficients: quantities "coefficients",
    } ONE_TO_MANY,
        forward => edge.undefined("several coordinates may have one sum"),
        reverse => edge.weighted(coefficients);
    /// One input `x` to one output `u`. Reverse: `x = u mod modulus`. Undefined forward.
    Modulo {
        /// The modulus, at least 1.
        modulus: quantity "modulus" >= 1,
    } ONE_TO_ONE,
        forward => edge.undefined("many coordinates have one remainder"),
        reverse => edge.is(edge.source(0) % Term::Divisor(modulus, "modulus"));
    /// Two inputs to two outputs: `(a, b) -> (a, b xor (a mod n))` with `n` the size of the second output, or of the second
    /// input if the output has none. It is its own inverse if `n` is a power of two.
    Xor TWO_TO_TWO, both => edge.exclusive_or();
    /// One input `x` to no output. Reverse: `x = at`. Undefined forward.
    Freeze {
        /// The fixed coordinate.
        at: quantity "coordinate",
    } ONE_TO_NONE, forward => edge.undefined(INDEPENDENT), reverse => edge.is(Term::Quantity(at));
    /// None to one: a new dimension. The transform computes neither its coordinate nor anything from it, so it is
    /// undefined in both directions.
    Insert NONE_TO_ONE, both => edge.undefined(INDEPENDENT);
    /// None to many: new dimensions. The transform computes neither their coordinates nor anything from them, so it is
    /// undefined in both directions.
    Replicate NONE_TO_MANY, both => edge.undefined(INDEPENDENT);
    /// One input `x` to one output `u`. Reverse: `x = table[u]`. Forward: the `u` with `table[u] = x`, if exactly one entry
    /// equals `x`. In a program, all entries must differ and be less than 2^16.
    Gather {
        /// The entries of the table.
        table: numbers "entry" >= 0,
    } ONE_TO_ONE, forward => edge.is(Term::Place(edge.sources[0], table)), reverse => edge.is(Term::Entry(edge.sources[0], table));
}
