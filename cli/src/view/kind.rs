//! The subcommands of `crd2idx show` and `crd2idx svg`, one for each kind of picture, and the calls that build the pictures.

use crate::ragged::Content;
use crate::ragged::request::Array;
use crate::view::picture::function::{LEAVES, Value};
use crate::view::picture::layout::Style;
use crate::view::picture::{self, Picture};
use crate::{choice, eval, graph, placement, ragged, sparse};
use clap::{Arg, Subcommand};
use crd2idx::algebra::expression::evaluate;
use crd2idx::algebra::memory::Access;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use std::path::PathBuf;

/// What to draw. A LAYOUT is an expression as `crd2idx eval` takes it; it may name operations.
#[derive(Subcommand)]
pub enum Kind {
    /// Draw a layout as a grid: mode 0 runs down, mode 1 across.
    #[command(mut_args(expression))]
    Layout { layout: String },
    /// Draw a composition: A, and B beside A(B).
    #[command(mut_args(expression))]
    Compose { a: String, b: String },
    /// Draw a layout with its tiles, beside its zipped divide.
    #[command(mut_args(expression))]
    Divide { layout: String, tiler: String },
    /// Draw the logical product of two layouts, and their blocked product.
    #[command(mut_args(expression))]
    Product { a: String, b: String },
    /// Draw a layout before and after a swizzle, S<bits,base,shift>.
    #[command(mut_args(expression))]
    Swizzle { layout: String, swizzle: String },
    /// Draw a layout of two modes beside the layout with its modes exchanged.
    #[command(mut_args(expression))]
    Transpose { layout: String },
    /// Draw a tensor cut into tiles. The tiles need not divide its extents.
    #[command(mut_args(expression))]
    Tile { layout: String, tile: String },
    /// Draw which thread holds which element: each thread holds a block of the shape VALUES, and THREADS arranges the threads.
    ///
    /// Without VALUES, THREADS maps a thread (its mode 0) and a value (its other modes) to an integer coordinate of LAYOUT.
    #[command(mut_args(expression))]
    Threads {
        layout: String,
        threads: String,
        values: Option<String>,
        /// The thread to emphasize.
        #[arg(long, value_name = "N")]
        thread: Option<usize>,
    },
    /// Draw the threads and values of a matrix instruction, like m16n8k16.f16: of A, B and C, or of one of them.
    Atom {
        name: String,
        /// The operand to draw: `a`, `b` or `c` (default: all).
        operand: Option<String>,
        /// The thread to emphasize.
        #[arg(long, value_name = "N")]
        thread: Option<usize>,
    },
    /// Draw the layouts that `crd2idx choose` returns: threads and values of tiles in registers, banks of tiles in shared memory.
    Choice {
        /// The file of the tile program; `-` for standard input.
        file: PathBuf,
        /// The tile to draw (default: all).
        tile: Option<String>,
    },
    /// Draw the bank of shared memory of each element, and one access of the first warp. THREADS maps a lane (its mode 0) and a
    /// value (its other modes) to an integer coordinate of LAYOUT.
    #[command(mut_args(expression))]
    Banks {
        layout: String,
        threads: String,
        /// The size of an element, in bits.
        #[arg(long, value_name = "N", default_value_t = 32)]
        bits: u32,
        /// The number of elements that one instruction accesses per lane.
        #[arg(long, value_name = "N", default_value_t = 1)]
        vector: u32,
        /// The number of the access of the first warp, from 0.
        #[arg(long, value_name = "N", default_value_t = 0)]
        access: usize,
    },
    /// Draw a plan: for each element its place in the source and in the target, one colour per message.
    Plan(Box<crd2idx::relayout::json::Request>),
    /// Draw a move between meshes: the devices, and the tensor before and after, one colour per device.
    Reshard {
        /// The move in JSON, as the request `reshard` of `crd2idx batch` takes it, or a file with it.
        #[arg(value_name = "MOVE")]
        request: String,
    },
    /// Draw a coordinate graph. The file is JSON as `crd2idx graph` takes it.
    Graph {
        #[command(flatten)]
        from: graph::From,
    },
    /// Draw a sparse tensor, in JSON as `crd2idx sparse` takes it: its elements in a grid, beside the arrays of its levels or parts.
    Sparse {
        #[command(flatten)]
        from: sparse::From,
        /// Convert the tensor to this format first.
        #[arg(long, value_name = "NAME")]
        format: Option<String>,
    },
    /// Draw a ragged array (JSON as `crd2idx ragged` takes it), or sequences of tokens in pages (JSON as `ragged.paged` takes it).
    Ragged {
        /// The JSON file, or `-` for standard input.
        file: PathBuf,
    },
}

/// Marks a positional argument as an expression.
fn expression(arg: Arg) -> Arg {
    if arg.is_positional() { arg.value_hint(eval::EXPRESSION) } else { arg }
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
            Kind::Choice { file, tile } => picture::choice::picture(&choice::read(file)?, tile.as_deref(), style),
            Kind::Banks { layout, threads, bits, vector, access } => {
                if !(1..=128).contains(bits) || !(1..=128).contains(vector) {
                    return Err(format!("an access of {vector} elements of {bits} bits: both are from 1 to 128"));
                }
                let access = picture::banks::Asked { access: Access::vector(*bits, *vector), number: *access };
                picture::banks::picture(value(layout)?, value(threads)?, access, style)
            }
            Kind::Plan(question) => picture::plan::picture(question),
            Kind::Reshard { request } => picture::reshard::picture(placement::asked(request)?),
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
