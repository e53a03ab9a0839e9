//! A kernel as data: coordinates, memories, and the statements of one thread.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of a name: of a parameter, a coordinate of the grid or of a block, or the counter of a loop.
pub(crate) type Name = usize;

/// An integer expression. Quotients round down.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    Int(i64),
    Name(Name),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// An element of a table of numbers.
    Entry(usize, Vec<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Quotient,
    Remainder,
    Xor,
}

impl Expr {
    pub fn binary(operator: Operator, a: Expr, b: Expr) -> Expr {
        Expr::Binary(operator, Box::new(a), Box::new(b))
    }

    /// Returns the number of numbers and names.
    pub fn parts(&self) -> usize {
        match self {
            Expr::Int(_) | Expr::Name(_) => 1,
            Expr::Binary(_, a, b) => a.parts() + b.parts(),
            Expr::Entry(_, at) => 1 + at.iter().map(Expr::parts).sum::<usize>(),
        }
    }

    /// Tests whether the expression reads a table.
    pub fn has_entry(&self) -> bool {
        match self {
            Expr::Int(_) | Expr::Name(_) => false,
            Expr::Binary(_, a, b) => a.has_entry() || b.has_entry(),
            Expr::Entry(..) => true,
        }
    }

    /// Calls `each` with every name of the expression.
    pub fn names(&self, each: &mut impl FnMut(Name)) {
        match self {
            Expr::Int(_) => {}
            Expr::Name(name) => each(*name),
            Expr::Binary(_, a, b) => {
                a.names(each);
                b.names(each);
            }
            Expr::Entry(_, at) => at.iter().for_each(|at| at.names(each)),
        }
    }
}

/// The condition `expr >= 0`.
pub(crate) type Condition = Expr;

/// The meaning of a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Role {
    /// A size that the caller chooses, at least this number.
    Param(i64),
    /// A coordinate of the grid, below its extent.
    Grid(Expr),
    /// A coordinate of a block, below its extent.
    Block(Expr),
    /// The counter of a loop, below its extent. It is shared by the threads of a block if the body has a barrier.
    Loop(Expr),
}

/// An array that threads read and write.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Memory {
    pub name: String,
    /// True for a memory that all blocks share.
    pub global: bool,
    pub extents: Vec<Expr>,
    /// True if the kernel must write every element.
    pub written: bool,
    /// True if elements have values before the kernel runs.
    pub given: bool,
}

/// A table of numbers that the kernel reads as coordinates.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Table {
    pub name: String,
    pub extents: Vec<Expr>,
    /// The entries are below this number.
    pub below: Expr,
    /// True if no two entries are equal.
    pub distinct: bool,
}

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Kind {
    Load,
    Store,
    /// An atomic sum.
    Add,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::Add => "add",
        }
    }

    /// Tests whether two accesses of different threads to one element depend on their order.
    pub fn conflicts(self, other: Kind) -> bool {
        !matches!((self, other), (Kind::Load, Kind::Load) | (Kind::Add, Kind::Add))
    }
}

/// An access of a thread to an element.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Access {
    pub kind: Kind,
    pub memory: usize,
    pub at: Vec<Expr>,
    /// The line of the text.
    pub line: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    Access(Access),
    /// The line of the text comes first.
    Loop {
        line: usize,
        counter: Name,
        body: Vec<Statement>,
    },
    If {
        line: usize,
        conditions: Vec<Condition>,
        body: Vec<Statement>,
    },
    Barrier {
        grid: bool,
    },
}

impl Statement {
    /// Tests whether the statement has a barrier, of the grid if `grid`.
    pub fn has_barrier(&self, grid: bool) -> bool {
        match self {
            Statement::Access(_) => false,
            Statement::Barrier { grid: of } => *of || !grid,
            Statement::Loop { body, .. } | Statement::If { body, .. } => body.iter().any(|statement| statement.has_barrier(grid)),
        }
    }
}

/// A kernel: the program of one thread, run by each thread of each block of a grid.
///
/// ```
/// use kernel_verdicts::Kernel;
/// let kernel = Kernel::parse("
///     kernel copy
///     param n >= 1
///     grid b < ceil(n / 256)
///     block t < 256
///     global x (n) given, y (n) written
///     let i = 256 * b + t
///     if i < n {
///         load x[i]
///         store y[i]
///     }
/// ")?;
/// assert_eq!(kernel.name(), "copy");
/// assert_eq!(kernel.params().collect::<Vec<_>>(), [("n", 1)]);
/// assert!(kernel.verify().is_proven());
/// # Ok::<(), kernel_verdicts::KernelError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    pub(crate) name: String,
    /// The names, by their numbers.
    pub(crate) names: Vec<String>,
    pub(crate) roles: Vec<Role>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) tables: Vec<Table>,
    pub(crate) body: Vec<Statement>,
    /// The lines of the text.
    pub(crate) lines: Vec<String>,
}

impl Kernel {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Iterates over the parameters, each with the least number that it may be.
    pub fn params(&self) -> impl Iterator<Item = (&str, i64)> {
        self.names.iter().zip(&self.roles).filter_map(|(name, role)| match role {
            Role::Param(least) => Some((name.as_str(), *least)),
            _ => None,
        })
    }

    /// Returns the numbers of the names with a role that `test` accepts.
    pub(crate) fn names_where(&self, test: impl Fn(&Role) -> bool) -> Vec<Name> {
        (0..self.names.len()).filter(|name| test(&self.roles[*name])).collect()
    }
}
