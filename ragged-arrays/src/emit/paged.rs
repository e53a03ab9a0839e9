//! Prints the index of an element of a token through a block table.

use super::uniform::known;
use super::{OffsetWord, integers, largest, number, refused, width_of};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use coordinate_graph::program::kernel::{
    Argument, ArrayAccess, Dialect, Function, FunctionParameter, KernelContext, KernelLines, Names, Returns,
};
use coordinate_graph::program::{Emit, EmitError, Language, Program, Source, Time};
use layout_core::DynLayout;
use layout_core::algebra::value::{Facts, LayoutValue, MAX_LEAVES, SymInt, TupleValue};
use layout_core::error::Result;

/// The index of an element of a token, for sequences of tokens in pages of a pool that a block table names.
/// [`emit`](PagedIndex::emit) prints it.
///
/// The layout is the layout of a page: its first mode counts the slots, and the other modes the elements of a token.
/// The rows of the table all have one width, which is known per launch, or they are given by offsets.
///
/// ```
/// use coordinate_graph::program::{Emit, Language};
/// use ragged_arrays::emit::{OffsetWord, PagedIndex};
/// // Pages of 16 tokens, 8 heads of 128 numbers, head by head.
/// let paged = PagedIndex::new("(16,8,128):(128,2048,1)".parse()?)?.table(OffsetWord::I32);
/// let text = paged.emit(&Emit::new(Language::Cuda, "key"))?.device;
/// assert!(text.contains("return c1 * 2048 + (token & 15) * 128 + c2 + page * 16384;"), "{text}");
/// assert!(text.contains("const uint32_t entry = sequence * width + (token >> 4);"), "{text}");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PagedIndex {
    layout: Box<DynLayout<16>>,
    table: OffsetWord,
    /// The type of the offsets of rows; `None` if all rows have one width.
    offsets: Option<OffsetWord>,
}

/// The names that the printed text uses, separated by blanks. The names of functions avoid them.
const OWN: &str = "sequence token page index entry length begin end table lengths offsets width sequences entries pages";

impl PagedIndex {
    /// Creates the index of pages with this layout. The table has rows of one width, and numbers of 32 bits.
    ///
    /// Fails if a page has no slots, or if the layout has negative indices.
    pub fn new(layout: DynLayout<16>) -> core::result::Result<Self, EmitError> {
        let value = layout.value();
        let negative = (0..value.len()).any(|k| number(value.scale(k)) < 0);
        if layout.size() < 1 || negative {
            return Err(refused(0, format!("{layout} is not a layout of a page: it needs at least one slot, and no negative stride")));
        }
        Ok(PagedIndex { layout: Box::new(layout), table: OffsetWord::U32, offsets: None })
    }

    /// Sets the type of the numbers of the table and of the lengths of sequences.
    pub fn table(self, word: OffsetWord) -> Self {
        PagedIndex { table: word, ..self }
    }

    /// Makes the text read the rows of the table from an array of offsets of this type. By default, all rows have one width.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language};
    /// use ragged_arrays::emit::{OffsetWord, PagedIndex};
    /// let paged = PagedIndex::new("(16,128):(128,1)".parse()?)?.offsets(OffsetWord::I32);
    /// let text = paged.emit(&Emit::new(Language::C, "key"))?.device;
    /// assert!(text.contains("const uint32_t begin = (uint32_t)offsets[sequence];"));
    /// assert!(text.contains("const uint32_t entry = begin + (token >> 4);"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn offsets(self, word: OffsetWord) -> Self {
        PagedIndex { offsets: Some(word), ..self }
    }

    /// Prints the function `name_element`, the index of an element from its page and token, and the function `name`,
    /// the index of an element of a token of a sequence.
    ///
    /// `name` checks every number before it reads with it. It returns the largest number if the sequence, the token or
    /// the element does not exist, if an entry is past its row or past the table, or if the pool does not have the
    /// page. A pool must have fewer elements than that. No read goes past an array of the given length.
    ///
    /// Fails if the language has no arrays or no integers that are wide enough, or if the width is set to 32 bits and the
    /// table or its offsets have 64.
    pub fn emit(&self, emit: &Emit) -> core::result::Result<Source, EmitError> {
        let int = integers(emit, [Some(self.table), self.offsets].into_iter().flatten())?;
        if int.is_narrow() && [Some(self.table), self.offsets].into_iter().flatten().any(|word| !word.int().is_narrow()) {
            return Err(refused(0, "the table or its offsets have 64 bits, which do not fit the chosen 32 bits"));
        }
        let dialect = Dialect { language: emit.language, int };
        let mut names = Names::reserving(emit.language, OWN);
        let extents = self.extents();
        (0..extents.len()).for_each(|k| drop(names.fresh(&format!("c{k}"))));
        let context = KernelContext { dialect, function: names.fresh_in_file(&emit.name), workgroup: 1 };
        let element = self.program(largest(int)).map_err(|error| refused(0, error))?;
        let element = element.emit(&emit.part(format!("{}_element", context.function), width_of(int)))?.device;
        let function = self.function(&context, &extents);
        let parts = context.bindings(&self.arguments(&context), &[]).into_iter().chain([element, function]);
        Ok(Source { device: dialect.file(parts), host: None, integer: dialect.ty() })
    }

    /// Returns the extents of the top-level modes of the layout, the slots first.
    fn extents(&self) -> Vec<i64> {
        let layout = self.layout.value();
        let (tree, root) = (layout.tree(), layout.root());
        if tree.is_leaf(root) {
            return vec![self.layout.size()];
        }
        let (mut out, mut lo) = (Vec::new(), 0);
        while let Some(mode) = tree.child_from(root, lo) {
            out.push((mode.lo..mode.hi).map(|k| number(layout.extent(k))).product());
            lo = mode.hi;
        }
        out
    }

    /// Returns the program `page * cosize + layout(token % slots, c1, ..)`. The bound on pages leaves the largest number, `most`,
    /// free. Fails if a number exceeds 62 bits.
    fn program(&self, most: i64) -> Result<Program> {
        let (extents, cosize) = (self.extents(), self.layout.cosize().max(1));
        let below = |n: i64| Facts { lo: 0, hi: n - 1, div: 1 };
        let names: Vec<String> = (1..extents.len()).map(|k| format!("c{k}")).collect();
        let modes = names.iter().zip(&extents[1..]).map(|(name, extent)| (name.as_str(), Time::Thread, below((*extent).max(1))));
        let page = ("page", Time::Thread, below((most / cosize).max(1)));
        Program::build([page, ("token", Time::Thread, below(most))].into_iter().chain(modes), |scope, inputs| {
            let [page, token, modes @ ..] = inputs else { return Ok(Vec::new()) };
            let mut layout = LayoutValue::<MAX_LEAVES>::empty();
            let own = self.layout.value();
            layout.push(own, own.root(), 0, 0, scope)?;
            let slot = scope.rem(*token, known(extents[0]))?;
            let coordinate = if layout.tree().is_leaf(layout.root()) {
                TupleValue::scalar(slot)
            } else {
                let mut all = TupleValue::empty();
                for mode in core::iter::once(&slot).chain(modes) {
                    all.push_leaf(1, 1, *mode, scope)?;
                }
                all
            };
            let inside: SymInt = layout.evaluate(&coordinate, scope)?.leaf(0);
            let before = scope.mul(*page, known(cosize))?;
            Ok(vec![("index".into(), scope.add(before, inside)?)])
        })
    }

    /// Returns the arguments that the printed function `name` takes after the coordinates.
    fn arguments(&self, context: &KernelContext) -> Vec<Argument> {
        let array = |name: &str, word: OffsetWord| context.array(name, word.int().name(context.dialect.language), ArrayAccess::Read);
        let rows = self.offsets.map_or_else(|| Argument::number("width"), |word| array("offsets", word));
        let counts = ["sequences", "entries", "pages"].map(Argument::number);
        [array("table", self.table), rows, array("lengths", self.table)].into_iter().chain(counts).collect()
    }

    fn function(&self, context: &KernelContext, extents: &[i64]) -> String {
        let (dialect, name) = (&context.dialect, &context.function);
        let arguments = self.arguments(context);
        let [table, rows, lengths] = [0, 1, 2].map(|k| &arguments[k].name);
        let of_token: Vec<String> = (1..extents.len()).map(|k| format!("c{k}")).collect();
        let exists = of_token.iter().zip(&extents[1..]).map(|(c, extent)| format!(" && {c} < {extent}"));
        let exists = exists.collect::<String>();
        let slots = extents[0];
        let page_of_token =
            if slots & (slots - 1) == 0 { format!("(token >> {})", slots.trailing_zeros()) } else { format!("token / {slots}") };
        let (begin, end, entry) = match self.offsets {
            None => (String::new(), format!("{page_of_token} < width"), format!("sequence * width + {page_of_token}")),
            Some(word) => {
                let read = |index: &str| dialect.read(rows, word.int(), index);
                let ends = format!("let begin = {}\nlet end = {}\n", read("sequence"), read("sequence + 1"));
                (ends, "entry < end".to_string(), format!("begin + {page_of_token}"))
            }
        };
        let element = format!("{name}_element");
        let call = dialect.call(&element, &[&["page", "token"][..], &of_token.iter().map(String::as_str).collect::<Vec<_>>()].concat(), []);
        let mut lines = KernelLines::body();
        let text = format!(
            "var index = {}
            if sequence < sequences{exists} {{
                let length = {}
                {begin}let entry = {entry}
                if token < length && {end} && entry < entries {{
                    let page = {}
                    if page < pages {{ index = {call} }}
                }}
            }}",
            dialect.most(),
            dialect.read(lengths, self.table.int(), "sequence"),
            dialect.read(table, self.table.int(), "entry"),
        );
        lines.write(dialect, &text);
        let number = |name: &str| FunctionParameter { name: name.to_string(), ty: dialect.ty().to_string(), used: true };
        let coordinates = ["sequence", "token"].into_iter().chain(of_token.iter().map(String::as_str)).map(number);
        let f = Function {
            comment: vec![format!("The index of an element of a token of a sequence; {} where it does not exist", dialect.most())],
            name: name.to_string(),
            parameters: coordinates.chain(arguments.iter().filter_map(|argument| dialect.parameter(argument))).collect(),
            returns: Returns::Number,
            lines: lines.into_lines(),
            results: vec!["index".into()],
        };
        let text = dialect.function(&f);
        // The function reads arrays at run time, so it cannot be constant.
        if dialect.language == Language::Rust { text.replace("pub const fn", "pub fn") } else { text }
    }
}
