//! The transforms of coordinates, each declared once: its fields, its sides, and its formulas.
//!
//! A row of the table is `Name { field: kind "name in errors" >= least, } SIDES, forward => formula, reverse => formula`, or `both => formula`. Everything else that
//! knows the transforms reads it: [`Transform::name`], reading and writing fields, the checks of an edge, evaluation and explanation.

use super::evaluation::Outcome;
use super::term::{Formula, Site, Term};
use super::{Direction, Expr};
use layout_algebra::heap::*;

/// A least and a most number of dimensions.
pub(super) type Count = (usize, usize);

/// How many inputs and outputs a transform takes, and that in words; the first form is how it is usually drawn.
pub(super) struct Sides {
    pub(super) counts: &'static [(Count, Count)],
    pub(super) takes: &'static str,
    /// Inputs and outputs belong together one by one.
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

/// A field of a transform as it is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldName {
    /// The name in Rust, in JSON and in `graph!`.
    pub key: &'static str,
    /// The name in errors: [`GraphError::Range`](super::GraphError::Range), [`GraphError::Length`](super::GraphError::Length).
    pub what: &'static str,
    /// The least that its numbers may be.
    pub(super) least: Option<i64>,
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Field<'a> {
    /// A quantity.
    Quantity(&'a Expr),
    /// A list of quantities.
    Quantities(&'a Vec<Expr>),
    /// Two quantities, one for each case.
    Pair(&'a [Expr; 2]),
    /// Two lists of quantities, one for each case.
    Lists(&'a [Vec<Expr>; 2]),
    /// Numbers.
    Numbers(&'a [i64]),
    /// True or false.
    Flag(&'a bool),
}

/// A source of fields: a JSON object, the tokens of a macro.
pub trait ReadFields {
    /// Why a field cannot be read.
    type Error;
    /// The value of a field that is [`Field::Quantity`].
    fn quantity(&mut self, key: &'static str) -> Result<Expr, Self::Error>;
    /// The value of a field that is [`Field::Quantities`].
    fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>, Self::Error>;
    /// The value of a field that is [`Field::Pair`].
    fn pair(&mut self, key: &'static str) -> Result<[Expr; 2], Self::Error>;
    /// The value of a field that is [`Field::Lists`].
    fn lists(&mut self, key: &'static str) -> Result<[Vec<Expr>; 2], Self::Error>;
    /// The value of a field that is [`Field::Numbers`].
    fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>, Self::Error>;
    /// The value of a field that is [`Field::Flag`].
    fn flag(&mut self, key: &'static str) -> Result<bool, Self::Error>;
}

/// The type, the variant of [`Field`] and the method of [`ReadFields`] of a kind of field.
macro_rules! field {
    (type quantity) => { Expr };
    (type quantities) => { Vec<Expr> };
    (type pair) => { [Expr; 2] };
    (type lists) => { [Vec<Expr>; 2] };
    (type numbers) => { Box<[i64]> };
    (type flag) => { bool };
    (value quantity $x:ident) => { Field::Quantity($x) };
    (value quantities $x:ident) => { Field::Quantities($x) };
    (value pair $x:ident) => { Field::Pair($x) };
    (value lists $x:ident) => { Field::Lists($x) };
    (value numbers $x:ident) => { Field::Numbers($x) };
    (value flag $x:ident) => { Field::Flag($x) };
    (least) => { None };
    (least $least:literal) => { Some($least) };
}

const GROUP: &str = "number of rows per group";
const OF_STORAGE: &str = "it is a relation of storage";
const INDEPENDENT: &str = "nothing depends on it";

macro_rules! transforms {
    ($site:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $( $(#[$of_field:meta])* $field:ident: $kind:ident $what:literal $(>= $least:literal)?, )* })?
        $sides:ident, $way:ident => $formula:expr $(, reverse => $reverse:expr)?;
    )*) => {
        /// A transform between an ordered list of inputs and one of outputs.
        ///
        /// *Forward* computes outputs from inputs, *reverse* inputs from outputs. `n` are sizes, `d` strides of the dimensions named; `/` rounds down.
        /// A direction that has no formula is undefined: an error, never an identity.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Transform { $( $(#[$doc])* $name $({ $( $(#[$of_field])* $field: field!(type $kind), )* })?, )* }

        impl Transform {
            /// The names of all transforms.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The name in JSON and in drawings.
            pub const fn name(&self) -> &'static str {
                match self { $(Transform::$name { .. } => stringify!($name),)* }
            }

            /// The fields of the transform with that name, in order; `None` where there is no such transform.
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

            /// The values of the fields, in order.
            pub fn fields(&self) -> Vec<Field<'_>> {
                match self { $(Transform::$name $({ $($field,)* })? => Vec::from([$($(field!(value $kind $field),)*)?]),)* }
            }

            /// The transform with that name and the fields that `fields` gives; `None` where there is no such transform.
            ///
            /// Fails where `fields` does.
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

            /// The formula of the products of an edge.
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
    /// The fields with their names, in order.
    pub fn named_fields(&self) -> impl Iterator<Item = (&'static FieldName, Field<'_>)> {
        Transform::field_names(self.name()).unwrap_or(&[]).iter().zip(self.fields())
    }

    /// The quantities it carries.
    pub(super) fn quantities(&self) -> Vec<&Expr> {
        let of = |field| match field {
            Field::Quantity(quantity) => Vec::from([quantity]),
            Field::Quantities(list) => list.iter().collect(),
            Field::Pair(pair) => pair.iter().collect(),
            Field::Lists(lists) => lists.iter().flatten().collect(),
            Field::Numbers(_) | Field::Flag(_) => Vec::new(),
        };
        self.fields().into_iter().flat_map(of).collect()
    }
}

transforms! { edge:
    /// Many to one. Forward, by sizes: `(x0 n1 + x1) n2 + ...`; by strides: `x0 d0 + x1 d1 + ...` (see [`FlattenMode`](super::FlattenMode)).
    /// Reverse: the digits; the slowest takes the whole quotient.
    Flatten MANY_TO_ONE,
        forward => if edge.by_strides(edge.sources)? { edge.strided() } else { edge.horner() },
        reverse => if edge.by_strides(edge.products)? { edge.packed() } else { edge.digits() };
    /// One to many. Forward: the digits of `x` in the sizes of the outputs; the first takes the whole quotient, its size is not needed.
    /// Reverse: `(x0 n1 + x1) n2 + ...`.
    Tile ONE_TO_MANY, forward => edge.digits(), reverse => edge.horner();
    /// Many to one. Forward: `x0 d0 + x1 d1 + ...`. Reverse: the digits, where the strides are provably those of a packed order.
    Join MANY_TO_ONE, forward => edge.strided(), reverse => edge.packed();
    /// One to many. Reverse: `x0 d0 + x1 d1 + ...`. Forward: the digits, where the strides are provably those of a packed order.
    Split ONE_TO_MANY, forward => edge.packed(), reverse => edge.strided();
    /// One side has one dimension, the other branches `b0, b1, ...` and, last, a switch `s`. From the many to the one: `b_s + n_0 + ... + n_(s-1)`,
    /// of which only branch `s` is evaluated. Undefined from the one to the many.
    Sunder SWITCHED, both => edge.switched();
    /// Identity both ways, pairwise.
    PassThrough PAIRS, both => edge.same();
    /// Identity both ways, pairwise: the outputs are the inputs seen from another tensor.
    Inherit PAIRS, both => edge.same();
    /// Identity both ways, pairwise: the outputs are results.
    MakeOutput PAIRS, both => edge.same();
    /// The coordinate is given up: undefined both ways.
    Forget SOME_TO_ANY, both => edge.undefined("the coordinate is given up");
    /// Many on one side, one on the other. From the many to the one: `sum x strides[0] + initial[0]` where `condition` is not 0, else with index 1.
    /// Only dimensions that the condition or the chosen sum mentions are evaluated. Undefined from the one to the many.
    PiecewiseAffineJoin {
        /// Over [`Expr::Arg`], the coordinates of the many.
        condition: quantity "condition",
        /// One stride for each of the many, for each case.
        strides: lists "strides",
        /// The constant of each case.
        initial: pair "initial",
    } EITHER_WAY,
        both => edge.piecewise(condition, strides, initial);
    /// A tile is made of its dimensions: storage, no index math.
    ConstructMacroTile MANY_TO_ONE, both => edge.undefined(OF_STORAGE);
    /// A tile is taken apart into its dimensions: storage, no index math.
    DestructMacroTile ONE_TO_MANY, both => edge.undefined(OF_STORAGE);
    /// `p <- (col, row)`. Reverse: `p = col xor ((g xor 1) and 1)` with `g = row / rows_per_group`. Undefined forward.
    PairSwap {
        /// Rows that are exchanged alike.
        rows_per_group: quantity "number of rows per group" >= 1,
    } ONE_TO_TWO,
        forward => edge.undefined("the row is not known"),
        reverse => edge.is(edge.source(0).xor(Term::Int(1) - edge.source(1) / Term::Divisor(rows_per_group, GROUP) % Term::Int(2)));
    /// `p <- (col, row)`. Reverse: `p = (col - h) mod positions`, or `(col + h) mod positions` if `inverse`, with
    /// `h = 2 (row / rows_per_group / 2)`. Undefined forward.
    Rotate {
        /// Rows that are rotated alike.
        rows_per_group: quantity "number of rows per group" >= 1,
        /// Columns.
        positions: quantity "number of positions" >= 1,
        /// Which way.
        inverse: flag "inverse",
    } ONE_TO_TWO,
        forward => edge.undefined("the row is not known"),
        reverse => {
            let (col, by) = (edge.source(0), edge.source(1) / Term::Divisor(rows_per_group, GROUP) / Term::Int(2) * Term::Int(2));
            edge.is((if *inverse { col + by } else { col - by }) % Term::Divisor(positions, "number of positions"))
        };
    /// `u = x + left`, and back, where `u` ranges over `left + n + right`: valid only where `x` lies in its size.
    Pad {
        /// Elements before the first.
        left: quantity "left pad" >= 0,
        /// Elements after the last.
        right: quantity "right pad" >= 0,
    } ONE_TO_ONE,
        forward => edge.is(edge.source(0) + Term::Quantity(left)),
        reverse => {
            let x = || edge.source(0) - Term::Quantity(left);
            // The size of the inner dimension bounds it already, where it has one.
            match (&edge.dim(edge.products[0]).size, &edge.dim(edge.sources[0]).size) {
                (None, Some(size)) => edge.is_below(x(), x(), Term::Quantity(size) - (Term::Quantity(left) + Term::Quantity(right))),
                _ => edge.is(x()),
            }
        };
    /// `u = x - begin`, and back: `u` numbers the elements `begin..end` of `x`.
    Slice {
        /// The first element.
        begin: quantity "first element" >= 0,
        /// The one after the last.
        end: quantity "end",
    } ONE_TO_ONE,
        forward => {
            let u = || edge.source(0) - Term::Quantity(begin);
            edge.is_below(u(), u(), Term::Quantity(end) - Term::Quantity(begin))
        },
        reverse => edge.is_below(edge.source(0) + Term::Quantity(begin), edge.source(0), Term::Quantity(end) - Term::Quantity(begin));
    /// One to many. Reverse: `sum u c`. As [`Split`](Transform::Split) with the strides in the edge.
    Embed {
        /// One for each output.
        coefficients: quantities "coefficients",
    } ONE_TO_MANY,
        forward => edge.undefined("several coordinates may have one sum"),
        reverse => edge.weighted(coefficients);
    /// Reverse: `x = u mod modulus`. Undefined forward.
    Modulo {
        /// Above 0.
        modulus: quantity "modulus" >= 1,
    } ONE_TO_ONE,
        forward => edge.undefined("many coordinates have one remainder"),
        reverse => edge.is(edge.source(0) % Term::Divisor(modulus, "modulus"));
    /// Two to two: `(a, b) -> (a, b xor (a mod n))` with `n` the size of the second output; its own inverse where `n` is a power of two.
    Xor TWO_TO_TWO, both => edge.exclusive_or();
    /// One to none. Reverse: `x = at`. Undefined forward.
    Freeze {
        /// The coordinate.
        at: quantity "coordinate",
    } ONE_TO_NONE, forward => edge.undefined(INDEPENDENT), reverse => edge.is(Term::Quantity(at));
    /// None to one: a dimension that nothing depends on. Undefined both ways.
    Insert NONE_TO_ONE, both => edge.undefined(INDEPENDENT);
    /// None to many: dimensions that nothing depends on. Undefined both ways.
    Replicate NONE_TO_MANY, both => edge.undefined(INDEPENDENT);
    /// Reverse: `x = table[u]`. Forward: the `u` with `table[u] = x`, where the entries differ.
    Gather {
        /// The entries.
        table: numbers "entry" >= 0,
    } ONE_TO_ONE, forward => edge.is(Term::Place(edge.sources[0], table)), reverse => edge.is(Term::Entry(edge.sources[0], table));
}
