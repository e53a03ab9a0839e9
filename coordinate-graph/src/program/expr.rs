//! Expressions for quantities: integers, parameters, arguments, and arithmetic on them. A new operator is a row of `ExprOp`
//! and an arm of `apply`.

use layout_algebra::error::{Result, ok};
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, SymInt};

named_enum! {
    /// An operator of [`Expr`].
    ///
    /// ```
    /// use coordinate_graph::program::{Expr, ExprOp};
    /// assert_eq!((ExprOp::CeilDiv.name(), ExprOp::CeilDiv.operands()), ("ceil_div", 2));
    /// assert_eq!(ExprOp::from_name("not").map(ExprOp::operands), Some(1));
    /// assert!(ExprOp::ALL.iter().all(|op| ExprOp::from_name(op.name()) == Some(*op)));
    /// // Operators without a method of `Expr` are made from their operands.
    /// let least = Expr::Op(ExprOp::Min, [Expr::param("m"), Expr::Int(64)].into());
    /// assert_eq!(least.to_string(), "min(m, 64)");
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum ExprOp {
        /// The sum `a + b`
        Add = "add",
        /// The difference `a - b`
        Sub = "sub",
        /// The product `a * b`
        Mul = "mul",
        /// The quotient `a / b`, rounded down
        Div = "div",
        /// The quotient `a / b`, rounded up
        CeilDiv = "ceil_div",
        /// The remainder of `a` modulo `b`
        Rem = "rem",
        /// The smaller of `a` and `b`
        Min = "min",
        /// The larger of `a` and `b`
        Max = "max",
        /// 1 if `a = b`, else 0
        Equal = "eq",
        /// 1 if `a < b`, else 0
        Less = "lt",
        /// 1 if `a <= b`, else 0
        LessEqual = "le",
        /// 1 if both are not 0, else 0
        And = "and",
        /// 1 if at least one is not 0, else 0
        Or = "or",
        /// 1 if `a` is 0, else 0
        Not = "not",
    }
}

impl ExprOp {
    /// Returns the number of operands that the operator takes.
    pub const fn operands(self) -> usize {
        if matches!(self, ExprOp::Not) { 1 } else { 2 }
    }
}

/// An expression: an integer, a parameter, an argument of a transform, or an operator on expressions.
///
/// ```
/// use coordinate_graph::program::Expr;
/// let tiles = Expr::param("m").ceil_div(128);
/// assert_eq!(tiles.to_string(), "ceil_div(m, 128)");
///
/// // The columns of the last tile, and whether that tile is whole.
/// let m = || Expr::param("m");
/// let last = m().minus(m().minus(1).floor_div(128).times(128));
/// assert_eq!(last.to_string(), "(m - (div((m - 1), 128) * 128))");
/// assert_eq!(m().modulo(128).equals(0).to_string(), "(rem(m, 128) == 0)");
///
/// // A condition on the coordinates of a transform: `x + 4 <= n` and `x < 64`
/// let fits = [Expr::Arg(0).plus(4).at_most(Expr::param("n")), Expr::Arg(0).less(64)];
/// assert_eq!(fits.map(|part| part.to_string()), ["(($0 + 4) <= n)", "($0 < 64)"]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number.
    Int(i64),
    /// In a condition: coordinate number `k`, from 0, on the side of the transform that has many dimensions.
    Arg(usize),
    /// A quantity that is known at launch, by its name.
    Param(String),
    /// An operator with all its operands.
    Op(ExprOp, Box<[Expr]>),
}

impl From<i64> for Expr {
    fn from(value: i64) -> Self {
        Expr::Int(value)
    }
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => { $(
        $(#[$doc])*
        pub fn $name(self, other: impl Into<Expr>) -> Self {
            Expr::Op(ExprOp::$op, Box::new([self, other.into()]))
        }
    )* };
}

impl Expr {
    /// Returns the parameter `name`.
    pub fn param(name: impl Into<String>) -> Self {
        Expr::Param(name.into())
    }

    methods! {
        /// Returns `self + other`.
        plus Add;
        /// Returns `self - other`.
        minus Sub;
        /// Returns `self * other`.
        times Mul;
        /// Returns `self / other`, rounded down.
        floor_div Div;
        /// Returns `self / other`, rounded up.
        ceil_div CeilDiv;
        /// Returns `self` modulo `other`.
        modulo Rem;
        /// Returns 1 if `self` and `other` are equal, else 0.
        equals Equal;
        /// Returns 1 if `self < other`, else 0.
        less Less;
        /// Returns 1 if `self <= other`, else 0.
        at_most LessEqual;
    }

    /// Calls `f` on this expression and on every expression inside it.
    ///
    /// ```
    /// use coordinate_graph::program::Expr;
    /// let mut names = Vec::new();
    /// Expr::param("m").times(Expr::param("n")).plus(1).visit(&mut |part| if let Expr::Param(name) = part { names.push(name.clone()) });
    /// assert_eq!(names, ["m", "n"]);
    /// ```
    pub fn visit(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        if let Expr::Op(_, operands) = self {
            for operand in operands {
                operand.visit(f);
            }
        }
    }

    /// Returns the numbers `k` of the arguments that the expression reads, each once, in the order of reading.
    pub(crate) fn arguments(&self) -> Vec<usize> {
        let mut out = Vec::new();
        self.visit(&mut |e| {
            if let Expr::Arg(k) = e
                && !out.contains(k)
            {
                out.push(*k);
            }
        });
        out
    }

    /// Returns the value of the expression in an expression graph. `leaf` gives the values of numbers, parameters
    /// and arguments.
    ///
    /// Fails if `leaf` or an operation fails.
    ///
    /// ```
    /// use coordinate_graph::program::{Expr, Program, Time};
    /// use layout_algebra::LayoutError;
    /// use layout_algebra::value::{Facts, SymInt};
    /// let area = Expr::param("m").times(Expr::param("n"));
    /// let program = Program::build(["m", "n"].map(|name| (name, Time::Launch, Facts::NATURAL)), |graph, inputs| {
    ///     let mut leaf = |part: &Expr, _: &mut _| Ok::<SymInt, LayoutError>(inputs[usize::from(*part == Expr::param("n"))]);
    ///     Ok(vec![("area".into(), area.evaluate(graph, &mut leaf)?)])
    /// })?;
    /// assert_eq!(program.run(&[3, 5])?, [15]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn evaluate<const E: usize, F: From<layout_algebra::LayoutError>>(
        &self,
        cx: &mut ExprGraph<E>,
        leaf: &mut dyn FnMut(&Expr, &mut ExprGraph<E>) -> core::result::Result<SymInt, F>,
    ) -> core::result::Result<SymInt, F> {
        let (op, operands) = match self {
            Expr::Op(op, operands) => (*op, operands),
            other => return leaf(other, cx),
        };
        let mut values = [SymInt::ZERO; 2];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = operand.evaluate(cx, leaf)?;
        }
        Ok(op.apply(values[0], values[1], cx)?)
    }
}

impl ExprOp {
    pub(crate) const fn apply<const E: usize>(self, a: SymInt, b: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        match self {
            ExprOp::Add => cx.add(a, b),
            ExprOp::Sub => cx.sub(a, b),
            ExprOp::Mul => cx.mul(a, b),
            ExprOp::Div => cx.div(a, b),
            ExprOp::CeilDiv => cx.ceil_div(a, b),
            ExprOp::Rem => cx.rem(a, b),
            ExprOp::Min => cx.min(a, b),
            ExprOp::Max => cx.max(a, b),
            ExprOp::Equal => cx.is_equal(a, b),
            ExprOp::Less => cx.is_less(a, b),
            ExprOp::LessEqual => cx.is_at_most(a, b),
            ExprOp::And => {
                let (a, b) = (ok!(cx.truth(a)), ok!(cx.truth(b)));
                cx.min(a, b)
            }
            ExprOp::Or => {
                let (a, b) = (ok!(cx.truth(a)), ok!(cx.truth(b)));
                cx.max(a, b)
            }
            ExprOp::Not => cx.not(a),
        }
    }
}

impl core::fmt::Display for Expr {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Expr::Int(value) => write!(f, "{value}"),
            Expr::Arg(k) => write!(f, "${k}"),
            Expr::Param(name) => f.write_str(name),
            Expr::Op(op, operands) => {
                let symbol = match op {
                    ExprOp::Add => " + ",
                    ExprOp::Sub => " - ",
                    ExprOp::Mul => " * ",
                    ExprOp::Equal => " == ",
                    ExprOp::Less => " < ",
                    ExprOp::LessEqual => " <= ",
                    _ => ", ",
                };
                let infix = symbol != ", ";
                f.write_str(if infix { "" } else { op.name() })?;
                f.write_str("(")?;
                for (k, operand) in operands.iter().enumerate() {
                    f.write_str(if k > 0 { symbol } else { "" })?;
                    operand.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}
