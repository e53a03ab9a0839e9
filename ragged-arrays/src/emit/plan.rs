//! A ragged array before printing: its levels in sections, and every name of the text, chosen so that none collide.

use super::RaggedLevels;
use super::level::{OffsetWord, RaggedLevel};
use super::uniform::{Uniform, uniform};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use coordinate_graph::program::kernel::{Argument, ArrayAccess, Dialect, KernelContext, Names};
use coordinate_graph::program::{Emit, EmitError, Source};
use core::ops::Range;

/// A level of rows of different sizes. The printed text finds the row of a position by a search in the array `begins`.
pub(super) struct Rows {
    /// The number of the level, from 0 for the outermost.
    pub level: usize,
    /// The number of the axis whose coordinate numbers the elements of a row.
    pub axis: usize,
    /// The array of the first position of each row: `offsets`, or `starts` if the level is views.
    pub begins: Argument,
    /// The array of the sizes of the rows if the level is views; `None` for offsets.
    pub sizes: Option<Argument>,
    /// The argument with the number of rows.
    pub rows: Argument,
    /// The type of the numbers in the arrays.
    pub word: OffsetWord,
}

/// A section of the levels of an array: a run of levels whose rows have equal sizes, or a level of rows of different sizes.
pub(super) enum Section {
    Uniform(Uniform),
    Rows(Rows),
}

pub(super) struct Plan<'a> {
    pub emit: &'a Emit,
    pub context: KernelContext,
    /// The sections, outermost first.
    pub sections: Vec<Section>,
    /// The number of coordinates of a leaf.
    pub axes: usize,
    /// The number of leaves in a tile.
    pub tile: u32,
}

/// The names in emitted code that do not end with the number of a level, separated by blanks. Other names avoid them.
const OWN: &str = "leaf at position result middle k tile tiles first last count lane before most carry running step row parents starts totals data begin \
                   end c id group groups local_id size value parameters extent";

impl<'a> Plan<'a> {
    pub fn new(all: &RaggedLevels, emit: &'a Emit) -> Result<Plan<'a>, EmitError> {
        let dialect = Dialect { language: emit.language, int: all.int(emit)? };
        let mut names = Names::reserving(emit.language, OWN);
        for q in 0..all.levels.len().max(all.axes()) {
            for stem in ["c", "row", "begin", "end", "low", "high", "position", "offsets", "starts", "sizes", "rows", "s", "launch"] {
                names.fresh(&format!("{stem}{q}"));
            }
        }
        let context = KernelContext { dialect, function: names.fresh_in_file(&emit.name), workgroup: all.workgroup };
        let mut sections = Vec::new();
        for levels in runs(&all.levels) {
            let q = levels.start;
            let axis = 1 + all.levels[..q].iter().map(RaggedLevel::axes).sum::<usize>();
            let dense = match &all.levels[q] {
                RaggedLevel::Offsets(word) => {
                    sections.push(Section::Rows(rows(q, axis, "offsets", *word, &context)));
                    continue;
                }
                RaggedLevel::Views(word) => {
                    let sizes = context.array(&format!("sizes{q}"), word.int().name(dialect.language), ArrayAccess::Read);
                    sections.push(Section::Rows(Rows { sizes: Some(sizes), ..rows(q, axis, "starts", *word, &context) }));
                    continue;
                }
                RaggedLevel::Dense(name) => Some(names.fresh(name)),
                _ => None,
            };
            sections.push(Section::Uniform(uniform(all, levels, axis, emit, &dialect, &context.function, dense.as_deref())?));
        }
        Ok(Plan { emit, context, sections, axes: all.axes(), tile: all.tile })
    }

    /// Returns an array argument whose numbers have the type of the text's numbers.
    pub fn array(&self, name: &str, access: ArrayAccess) -> Argument {
        self.context.array(name, self.context.dialect.ty(), access)
    }

    /// Returns the levels of rows of different sizes, innermost first. Each comes with the runs of other levels below it, down
    /// to the next such level or to the leaves, innermost first.
    pub fn searched(&self) -> Vec<(&Rows, Vec<&Uniform>)> {
        let (mut out, mut below) = (Vec::new(), Vec::new());
        for section in self.sections.iter().rev() {
            match section {
                Section::Uniform(run) => below.push(run),
                Section::Rows(rows) => out.push((rows, core::mem::take(&mut below))),
            }
        }
        out
    }

    /// Tests whether a level is views.
    pub fn has_views(&self) -> bool {
        self.searched().iter().any(|(rows, _)| rows.sizes.is_some())
    }

    /// Returns the parts with which the texts of device and host begin: the functions of the uniform runs.
    pub fn head(&self) -> (Vec<String>, Vec<String>) {
        let (mut device, mut host) = (Vec::new(), Vec::new());
        for section in &self.sections {
            if let Section::Uniform(run) = section {
                device.push(run.source.device.clone());
                host.extend(run.source.host.clone());
            }
        }
        (device, host)
    }

    /// Returns the source made of these parts of the text of the device and of the host.
    pub fn source(&self, device: Vec<String>, host: Vec<String>) -> Source {
        let host = if host.is_empty() { None } else { Some(host.join("\n")) };
        Source { device: self.context.dialect.file(device), host, integer: self.context.dialect.ty() }
    }
}

fn rows(q: usize, axis: usize, stem: &str, word: OffsetWord, context: &KernelContext) -> Rows {
    Rows {
        level: q,
        axis,
        begins: context.array(&format!("{stem}{q}"), word.int().name(context.dialect.language), ArrayAccess::Read),
        sizes: None,
        rows: Argument::number(format!("rows{q}")),
        word,
    }
}

/// Divides the levels into runs: neighbouring levels of known sizes together, and every other level alone.
fn runs(levels: &[RaggedLevel]) -> Vec<Range<usize>> {
    let known = |q: usize| levels[q].known_size().is_some();
    let mut out: Vec<Range<usize>> = Vec::new();
    for q in 0..levels.len() {
        match out.last_mut() {
            Some(run) if known(q) && known(run.start) => run.end = q + 1,
            _ => out.push(q..q + 1),
        }
    }
    out
}
