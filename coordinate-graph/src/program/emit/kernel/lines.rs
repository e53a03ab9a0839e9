//! The statements of a kernel, written once in one notation for all languages.

use super::Dialect;
use layout_algebra::heap::*;

/// The lines of a function body, indented by the depth of the open blocks.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, IntegerType, KernelLines};
/// let mut lines = KernelLines::body();
/// lines.write(&Dialect { language: Language::C, int: IntegerType::U32 }, "var most = 0\nfor k in 0..count { if most < data[k] { most = data[k] } }");
/// let text = lines.into_lines().join("\n");
/// assert!(text.starts_with("    uint32_t most = 0;\n    for (uint32_t k = 0; k < count; ++k) {"), "{text}");
///
/// // Lines in the syntax of one language.
/// let mut lines = KernelLines::body();
/// lines.open("if (row < rows) {");
/// lines.push("count[row] = 0;");
/// lines.close();
/// assert_eq!(lines.into_lines(), ["    if (row < rows) {", "        count[row] = 0;", "    }"]);
/// ```
pub struct KernelLines {
    pub(super) lines: Vec<String>,
    depth: usize,
}

impl KernelLines {
    /// Returns a body without lines, at the depth of the statements of a function.
    pub fn body() -> KernelLines {
        KernelLines { lines: Vec::new(), depth: 1 }
    }

    /// Returns the lines, each with its indentation.
    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }

    /// Adds a line, at the depth of the innermost open block.
    pub fn push(&mut self, line: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.depth), line.as_ref()));
    }

    /// Adds statements that are written in one notation for all languages, one on a line: `let x = e`, `var x = e`,
    /// `x = e`, `if c {`, `while c {`, `for k in a..b by s {`, `} else {` and `}`. A block of one statement may
    /// stand on one line.
    pub fn write(&mut self, dialect: &Dialect, text: &str) {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some((head, statement)) = line.strip_suffix(" }").and_then(|line| line.split_once(" { ")) {
                self.write(dialect, &format!("{head} {{\n{statement}\n}}"));
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (name, value) = rest.split_once(" = ").unwrap_or_default();
            let condition = rest.trim_end_matches(" {");
            match word {
                "let" => self.push(dialect.constant(name, value)),
                "var" => self.push(dialect.variable(name, value)),
                "if" => self.open(dialect.when(condition)),
                "while" => self.open(dialect.repeat(condition)),
                "for" => {
                    let (index, range) = condition.split_once(" in ").unwrap_or_default();
                    let (from, to) = range.split_once("..").unwrap_or_default();
                    let (to, step) = to.split_once(" by ").unwrap_or((to, "1"));
                    self.open(dialect.each(index, from, to, step));
                }
                "}" => {
                    self.depth -= 1;
                    if rest.is_empty() { self.push(line) } else { self.open(line) }
                }
                _ => self.push(format!("{line};")),
            }
        }
    }

    /// Adds a line that opens a block.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.push(line);
        self.depth += 1;
    }

    /// Closes the innermost block, which must be open.
    pub fn close(&mut self) {
        self.depth -= 1;
        self.push("}");
    }
}
