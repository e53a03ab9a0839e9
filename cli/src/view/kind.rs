//! The kinds of pictures, as the command line names them.

use crate::ragged::Content;
use crate::ragged::request::Array;
use crate::view::picture::function::{LEAVES, Value};
use crate::view::picture::layout::Style;
use crate::view::picture::{self, Picture};
use crate::{eval, graph, ragged, sparse};
use clap::Subcommand;
use crd2idx::algebra::expression::evaluate;
use crd2idx::algebra::memory::Access;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use std::path::PathBuf;

/// What to draw; layouts are written as `crd2idx eval` takes them, operations by name included.
#[derive(Subcommand)]
pub enum Kind {
    /// A layout: mode 0 down, mode 1 across.
    Layout { layout: String },
    /// A composition: A, and B beside A(B).
    Compose { a: String, b: String },
    /// A layout with its tiles, and its zipped divide.
    Divide { layout: String, tiler: String },
    /// The logical product of two layouts, and the blocked one.
    Product { a: String, b: String },
    /// A layout before and after a swizzle, S<bits,base,shift>.
    Swizzle { layout: String, swizzle: String },
    /// A layout of two modes and the one with its modes exchanged.
    Transpose { layout: String },
    /// A tensor cut into tiles, which need not divide it.
    Tile { layout: String, tile: String },
    /// Threads and values: each thread has a block of the shape of VALUES, the threads lie as THREADS says.
    ///
    /// Without VALUES, THREADS takes a thread, its mode 0, and a value, its further modes, to an integer coordinate of LAYOUT.
    Threads {
        layout: String,
        threads: String,
        values: Option<String>,
        /// The thread that stands out.
        #[arg(long, value_name = "N")]
        thread: Option<usize>,
    },
    /// The threads and values of a matrix instruction, like m16n8k16.f16: of its A, B and C, or of one of them.
    Atom {
        name: String,
        /// `a`, `b` or `c`.
        operand: Option<String>,
        /// The thread that stands out.
        #[arg(long, value_name = "N")]
        thread: Option<usize>,
    },
    /// The banks of shared memory that elements are in, and an access of the first warp: THREADS takes a lane, its mode 0, and a value, its further
    /// modes, to an integer coordinate of LAYOUT.
    Banks {
        layout: String,
        threads: String,
        /// Bits of an element.
        #[arg(long, value_name = "N", default_value_t = 32)]
        bits: u32,
        /// Elements of an instruction.
        #[arg(long, value_name = "N", default_value_t = 1)]
        vector: u32,
        /// Which access of the first warp.
        #[arg(long, value_name = "N", default_value_t = 0)]
        access: usize,
    },
    /// A plan: the places that elements are in and go to, a colour for each message.
    Plan(Box<crd2idx::relayout::json::Request>),
    /// A coordinate graph, of JSON as `crd2idx graph` takes it.
    Graph {
        #[command(flatten)]
        from: graph::From,
    },
    /// A sparse tensor in place and the arrays of its levels, or of its parts, of JSON as `crd2idx sparse` takes it.
    Sparse {
        #[command(flatten)]
        from: sparse::From,
        /// The format to convert to.
        #[arg(long, value_name = "NAME")]
        format: Option<String>,
    },
    /// A ragged array, its offsets and its leaves, of JSON as `crd2idx ragged` takes it; or sequences of tokens in pages, of JSON as `ragged.paged` takes it.
    Ragged {
        /// JSON, or `-` for standard input.
        file: PathBuf,
    },
}

impl Kind {
    pub fn picture(&self, style: Style) -> Result<Picture, String> {
        match self {
            Kind::Layout { layout } => picture::layout::picture(value(layout)?, style),
            Kind::Compose { a, b } => picture::pairs::compose(value(a)?, value(b)?, style),
            Kind::Divide { layout, tiler } => picture::tiles::divide(value(layout)?, value(tiler)?, style),
            Kind::Product { a, b } => picture::tiles::product(value(a)?, value(b)?, style),
            Kind::Swizzle { layout, swizzle } => picture::pairs::swizzle(value(layout)?, value(swizzle)?, style),
            Kind::Transpose { layout } => picture::pairs::transpose(value(layout)?, style),
            Kind::Tile { layout, tile } => picture::tiles::tile(value(layout)?, value(tile)?, style),
            Kind::Threads { layout, threads, values: Some(values), thread } => {
                picture::threads::blocks(value(layout)?, value(threads)?, value(values)?, style, *thread)
            }
            Kind::Threads { layout, threads, values: None, thread } => {
                picture::threads::places(value(layout)?, value(threads)?, style, *thread)
            }
            Kind::Atom { name, operand, thread } => picture::atom::picture(name, operand.as_deref(), style, *thread),
            Kind::Banks { layout, threads, bits, vector, access } => {
                if !(1..=128).contains(bits) || !(1..=128).contains(vector) {
                    return Err(format!("{vector} elements of {bits} bits are no access"));
                }
                let access = picture::banks::Asked { access: Access::vector(*bits, *vector), number: *access };
                picture::banks::picture(value(layout)?, value(threads)?, access, style)
            }
            Kind::Plan(question) => picture::plan::picture(question),
            Kind::Graph { from } => picture::graph::picture(&from.read()?, &from.stem()),
            Kind::Sparse { from, format } => match from.stored(format.as_deref(), None)? {
                sparse::Stored::Parts(parts, scheme) => picture::sparse::blocked(&parts, &scheme),
                sparse::Stored::Levels(tensor) => picture::sparse::picture(&tensor),
            },
            Kind::Ragged { file } => match ragged::content(file)? {
                Content::Pages(shape) => picture::paged::picture(&shape),
                Content::Array(Array { kind, array }) => {
                    let leaf = |k: usize| array.leaves().get(k).map_or(String::new(), |leaf| kind.write(*leaf).to_string());
                    picture::ragged::picture(array.shape(), &leaf)
                }
            },
        }
    }
}

fn value(text: &str) -> Result<Value, String> {
    let mut scope = ExprGraph::<{ eval::SYMBOLS }>::new(Op::Parse);
    evaluate::<LEAVES, { eval::SYMBOLS }>(text, &mut scope).map_err(|error| eval::describe(text, &error))
}
