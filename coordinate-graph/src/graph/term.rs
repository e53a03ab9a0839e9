//! The language of formulas: terms over the coordinates, sizes and strides of an edge.
//!
//! The table in `transform.rs` makes the [`Formula`] of each transform and direction by the methods of [`Site`].
//! `formula.rs` computes the value of each [`Term`], on numbers or on symbols. `derivation.rs` writes its text, with
//! numbers for names. A new variant of [`Term`] needs an arm in both files, and only a formula that the others cannot
//! express needs a new variant.

use super::evaluation::{Fault, Outcome};
use super::{CoordGraph, DimId, Dimension, Direction, Edge, Expr, ExprOp, FlattenMode};
use core::ops::{Add, Div, Mul, Rem, Sub};
use layout_algebra::heap::*;

/// A number that is computed from the sources of an edge. Sources that it does not need are not evaluated.
pub(super) enum Term<'g> {
    Int(i64),
    Coordinate(DimId),
    /// The coordinate of a dimension minus its offset.
    FromOffset(DimId),
    Offset(DimId),
    Stride(DimId),
    Size(DimId),
    /// A quantity of the edge. [`Expr::Arg`]`(k)` stands for the coordinate of source `k`.
    Quantity(&'g Expr),
    /// A quantity of the edge that is used as a divisor, with its name in errors.
    Divisor(&'g Expr, &'static str),
    Op(ExprOp, Box<[Term<'g>; 2]>),
    Xor(Box<[Term<'g>; 2]>),
    Sum(Vec<Term<'g>>),
    /// `x * stride` for the coordinate `x` of a dimension. If the stride is 0, `x` is not evaluated.
    Multiple(DimId, &'g Expr),
    /// `(x0 n1 + x1) n2 + ...` with the coordinates `x` and the sizes `n` of these dimensions.
    Horner(&'g [DimId]),
    /// `(x - offset) / n0 / n1 / ...` for a dimension `x` with the sizes `n` of the listed dimensions, then modulo the size
    /// of the last dimension if it is there.
    Digit(DimId, Vec<DimId>, Option<DimId>),
    /// The second term if the first is not 0, else the third.
    Select(Box<[Term<'g>; 3]>),
    /// `b_s + n_0 + ... + n_(s-1)` with the switch `s`, the branches `b`, and the sizes `n` of the branches.
    Switch(DimId, &'g [DimId]),
    /// The entry of a table at the position that the coordinate gives, from 0.
    Entry(DimId, &'g [i64]),
    /// The position, from 0, of the entry of a table that equals the coordinate.
    Place(DimId, &'g [i64]),
}

macro_rules! operators {
    ($($name:ident $method:ident $op:ident;)*) => { $(
        impl $name for Term<'_> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Term::Op(ExprOp::$op, Box::new([self, other]))
            }
        }
    )* };
}

operators! { Add add Add; Sub sub Sub; Mul mul Mul; Div div Div; Rem rem Rem; }

impl Term<'_> {
    pub(super) fn xor(self, other: Self) -> Self {
        Term::Xor(Box::new([self, other]))
    }
}

/// The formula of the products of an edge.
pub(super) enum Formula<'g> {
    /// One term for each product. With a pair `[x, size]`, the products are valid only if `0 <= x < size`.
    Terms(Vec<Term<'g>>, Option<[Term<'g>; 2]>),
    /// The digits of the source by the sizes of the products. The last product is the fastest digit, and the first product
    /// takes the whole remaining quotient.
    Digits,
    /// The digits of the source in the order of the strides of the products. Each stride is the product of the sizes with
    /// smaller strides, and the slowest product takes the whole remaining quotient.
    Packed,
}

/// An edge in one direction. Its formula computes the products from the sources: forward, the outputs from the inputs,
/// and in reverse, the inputs from the outputs.
pub(super) struct Site<'g> {
    pub(super) graph: &'g CoordGraph,
    pub(super) edge: usize,
    pub(super) sources: &'g [DimId],
    pub(super) products: &'g [DimId],
}

/// Returns `(sources, products)` of an edge: forward `(inputs, outputs)`, in reverse `(outputs, inputs)`.
pub(super) fn ends(edge: &Edge, direction: Direction) -> (&[DimId], &[DimId]) {
    match direction {
        Direction::Forward => (&edge.inputs, &edge.outputs),
        Direction::Reverse => (&edge.outputs, &edge.inputs),
    }
}

impl<'g> Site<'g> {
    pub(super) fn new(graph: &'g CoordGraph, edge: usize, direction: Direction) -> Site<'g> {
        let (sources, products) = ends(&graph.edges[edge], direction);
        Site { graph, edge, sources, products }
    }

    pub(super) fn dim(&self, id: DimId) -> &'g Dimension {
        self.graph.dim(id)
    }

    /// Returns the coordinate of source `k`, from 0.
    pub(super) fn source(&self, k: usize) -> Term<'g> {
        Term::Coordinate(self.sources[k])
    }

    pub(super) fn is(&self, term: Term<'g>) -> Outcome<Formula<'g>> {
        Ok(Formula::Terms([term].into(), None))
    }

    /// Returns the formula of one product, `term`, which is valid if `0 <= x < size`. Never fails.
    pub(super) fn is_below(&self, term: Term<'g>, x: Term<'g>, size: Term<'g>) -> Outcome<Formula<'g>> {
        Ok(Formula::Terms([term].into(), Some([x, size])))
    }

    pub(super) fn undefined(&self, reason: &'static str) -> Outcome<Formula<'g>> {
        Err(Fault::Undefined(self.edge, reason))
    }

    /// Returns the formula of products that equal the sources, pair by pair. Never fails.
    pub(super) fn same(&self) -> Outcome<Formula<'g>> {
        Ok(Formula::Terms(self.sources.iter().map(|id| Term::Coordinate(*id)).collect(), None))
    }

    pub(super) fn digits(&self) -> Outcome<Formula<'g>> {
        Ok(Formula::Digits)
    }

    pub(super) fn packed(&self) -> Outcome<Formula<'g>> {
        Ok(Formula::Packed)
    }

    /// Returns the formula of a linear index: the sum of the terms plus the offset of the product. Never fails.
    fn index(&self, mut sum: Vec<Term<'g>>) -> Outcome<Formula<'g>> {
        let product = self.products[0];
        sum.extend(self.dim(product).offset.is_some().then_some(Term::Offset(product)));
        self.is(Term::Sum(sum))
    }

    /// Returns the formula `(x0 n1 + x1) n2 + ...` of the sources `x` with their sizes `n`. Never fails.
    pub(super) fn horner(&self) -> Outcome<Formula<'g>> {
        self.index([Term::Horner(self.sources)].into())
    }

    /// Returns the formula `x0 d0 + x1 d1 + ...` of the sources `x` with their strides `d`. Never fails.
    pub(super) fn strided(&self) -> Outcome<Formula<'g>> {
        self.index(self.sources.iter().map(|id| Term::Coordinate(*id) * Term::Stride(*id)).collect())
    }

    /// Returns the formula `x0 c0 + x1 c1 + ...` of the sources `x` with the `coefficients` `c`. Never fails.
    pub(super) fn weighted(&self, coefficients: &'g [Expr]) -> Outcome<Formula<'g>> {
        self.index(self.sources.iter().zip(coefficients).map(|(id, c)| Term::Coordinate(*id) * Term::Quantity(c)).collect())
    }

    /// Returns true if a Flatten of these dimensions uses strides, false if it uses sizes.
    ///
    /// Fails if only some of `dims` have a stride and the graph does not choose between strides and sizes.
    pub(super) fn by_strides(&self, dims: &[DimId]) -> Outcome<bool> {
        let without = |id: &&DimId| self.dim(**id).stride.is_none();
        match self.graph.flatten {
            FlattenMode::Sizes => Ok(false),
            FlattenMode::Strides => Ok(true),
            FlattenMode::Declared => match dims.iter().find(without) {
                None => Ok(true),
                Some(_) if dims.iter().all(|id| without(&id)) => Ok(false),
                Some(id) => Err(Fault::MissingStride(*id, self.edge)),
            },
        }
    }

    pub(super) fn switched(&self) -> Outcome<Formula<'g>> {
        match (self.sources.split_last(), self.products) {
            (Some((switch, branches)), [_]) if !branches.is_empty() => self.is(Term::Switch(*switch, branches)),
            _ => self.undefined("the branch is not known"),
        }
    }

    pub(super) fn piecewise(&self, condition: &'g Expr, strides: &'g [Vec<Expr>; 2], initial: &'g [Expr; 2]) -> Outcome<Formula<'g>> {
        if self.products.len() != 1 {
            return self.undefined("the case is not known");
        }
        let [then, otherwise] = [0, 1].map(|case| {
            let multiples = self.sources.iter().zip(&strides[case]).map(|(id, stride)| Term::Multiple(*id, stride));
            Term::Sum([Term::Quantity(&initial[case])].into_iter().chain(multiples).collect())
        });
        self.is(Term::Select(Box::new([Term::Quantity(condition), then, otherwise])))
    }

    pub(super) fn exclusive_or(&self) -> Outcome<Formula<'g>> {
        let edge = &self.graph.edges[self.edge];
        let sized = if self.dim(edge.outputs[1]).size.is_some() { edge.outputs[1] } else { edge.inputs[1] };
        let mixed = self.source(1).xor(self.source(0) % Term::Size(sized));
        Ok(Formula::Terms([self.source(0), mixed].into(), None))
    }
}

/// Returns branch `s` of a switch: `b_s + n_0 + ... + n_(s-1)`.
pub(super) fn branch<'g>(branches: &'g [DimId], s: usize) -> Term<'g> {
    let sizes = branches[..s].iter().map(|id| Term::Size(*id));
    Term::Sum([Term::Coordinate(branches[s])].into_iter().chain(sizes).collect())
}
