//! Drawings of a graph, from left to right, in DOT and as a Mermaid flowchart. Nodes `n0, n1, ..` are dimensions and nodes
//! `e0, e1, ..` are edges.

use super::{CoordGraph, DimId, DimKind, Dimension, Edge, EdgeKind, FieldValue, Transform};
use core::fmt::{Display, Formatter, Result, Write};
use layout_algebra::heap::*;

/// The colour of relations of storage. DOT and Mermaid both know this name.
const STORAGE: &str = "steelblue";

impl CoordGraph {
    /// Writes the graph in the DOT language. Equal graphs give equal texts. Identifiers are numbers, and labels
    /// are escaped.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [a, b] = [graph.add(Dimension::new("a").size(4))?, graph.add(Dimension::new("b"))?];
    /// graph.connect(Transform::PassThrough, [a], [b])?;
    /// let dot = graph.to_dot().to_string();
    /// assert!(dot.starts_with("digraph {\n  rankdir=LR;\n"));
    /// assert!(dot.contains(r#"n0 [shape=box, style=rounded, label="a\nsize 4"];"#));
    /// assert!(dot.contains("n0 -> e0;\n"));
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn to_dot(&self) -> impl Display + '_ {
        Dot(self)
    }

    /// Writes the graph as a Mermaid flowchart. Equal graphs give equal texts. Identifiers are numbers, and labels
    /// are escaped.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [a, b] = [graph.add(Dimension::new("a").size(4))?, graph.add(Dimension::new("b"))?];
    /// graph.connect(Transform::PassThrough, [a], [b])?;
    /// let text = graph.to_mermaid().to_string();
    /// assert!(text.starts_with("flowchart LR\n  n0(\"a<br/>size 4\")\n"));
    /// assert!(text.contains("  n0 --> e0\n"));
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn to_mermaid(&self) -> impl Display + '_ {
        Mermaid(self)
    }
}

/// A graph in the DOT language.
struct Dot<'a>(&'a CoordGraph);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("digraph {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n")?;
        for (k, dim) in self.0.dims.iter().enumerate() {
            writeln!(f, "  n{k} [shape=box, style=rounded, label=\"{}\"];", Label(&dim.label(), DOT))?;
        }
        for (k, edge) in self.0.edges.iter().enumerate() {
            let dashed = is_storage(edge).then(|| format!("style=dashed, color={STORAGE}"));
            let style = dashed.iter().map(|style| format!(", {style}")).collect::<String>();
            writeln!(f, "  e{k} [shape=box{style}, label=\"{}\"];", Label(&edge.label(), DOT))?;
            for end in ends(edge) {
                let attributes: Vec<_> = end.place.map(|place| format!("label=\"{place}\"")).into_iter().chain(dashed.clone()).collect();
                let attributes = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
                let [from, to] = end.nodes(k);
                writeln!(f, "  {from} -> {to}{attributes};")?;
            }
        }
        f.write_str("}\n")
    }
}

/// A graph as a Mermaid flowchart.
struct Mermaid<'a>(&'a CoordGraph);

impl Display for Mermaid<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("flowchart LR\n")?;
        for (k, dim) in self.0.dims.iter().enumerate() {
            writeln!(f, "  n{k}(\"{}\")", Label(&dim.label(), MERMAID))?;
        }
        let (mut links, mut dashed) = (0.., Vec::new());
        for (k, edge) in self.0.edges.iter().enumerate() {
            writeln!(f, "  e{k}[\"{}\"]", Label(&edge.label(), MERMAID))?;
            let arrow = if is_storage(edge) { "-.->" } else { "-->" };
            for (end, link) in ends(edge).zip(&mut links) {
                let [from, to] = end.nodes(k);
                let place = end.place.map_or(String::new(), |place| format!("|{place}|"));
                writeln!(f, "  {from} {arrow}{place} {to}")?;
                dashed.extend(is_storage(edge).then(|| link.to_string()));
            }
        }
        if !dashed.is_empty() {
            writeln!(f, "  linkStyle {} stroke:{STORAGE}", dashed.join(","))?;
        }
        for (k, _) in self.0.edges.iter().enumerate().filter(|(_, edge)| is_storage(edge)) {
            writeln!(f, "  style e{k} stroke:{STORAGE},stroke-dasharray:5")?;
        }
        Ok(())
    }
}

fn is_storage(edge: &Edge) -> bool {
    matches!(edge.kind, EdgeKind::Dataflow(_))
}

/// One dimension of an edge, as an input or an output.
struct End {
    dim: DimId,
    is_input: bool,
    /// The position among the inputs or the outputs, from 0; `None` for the only dimension on its side.
    place: Option<usize>,
}

impl End {
    /// Returns the names of the two nodes that an arrow joins for edge `k`: the tail, then the head.
    fn nodes(&self, k: usize) -> [String; 2] {
        let (dim, edge) = (format!("n{}", self.dim.0), format!("e{k}"));
        if self.is_input { [dim, edge] } else { [edge, dim] }
    }
}

fn ends(edge: &Edge) -> impl Iterator<Item = End> {
    [(&edge.inputs, true), (&edge.outputs, false)].into_iter().flat_map(|(dims, is_input)| {
        dims.iter().enumerate().map(move |(k, dim)| End { dim: *dim, is_input, place: (dims.len() > 1).then_some(k) })
    })
}

impl Dimension {
    /// Returns the lines that drawings show for a dimension: the name, the kind unless it is `Linear`, and the size, stride
    /// and offset that are declared.
    ///
    /// ```
    /// use coordinate_graph::graph::Dimension;
    /// assert_eq!(Dimension::new("i").size(4).stride(10).label(), ["i", "size 4, stride 10"]);
    /// ```
    pub fn label(&self) -> Vec<String> {
        let mut out = Vec::from([self.name.clone()]);
        if self.kind != DimKind::Linear {
            out.push(self.kind.name().into());
        }
        let known = [("size", &self.size), ("stride", &self.stride), ("offset", &self.offset)];
        let known: Vec<String> = known.iter().filter_map(|(what, quantity)| Some(format!("{what} {}", quantity.as_ref()?))).collect();
        if !known.is_empty() {
            out.push(known.join(", "));
        }
        out
    }
}

impl Edge {
    /// Returns the lines that drawings show for an edge: the name of its kind, and its quantities.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [a, b] = [graph.add(Dimension::new("a").size(4))?, graph.add(Dimension::new("b").size(6))?];
    /// graph.connect(Transform::Pad { left: 1.into(), right: 1.into() }, [a], [b])?;
    /// assert_eq!(graph.edges()[0].label(), ["Pad", "left 1, right 1"]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn label(&self) -> Vec<String> {
        let mut out = Vec::from([self.kind.name().to_string()]);
        let list = |of: &[super::Expr]| of.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match &self.kind {
            EdgeKind::Dataflow(relation) => out.extend(relation.number().map(|number| format!("number {number}"))),
            EdgeKind::Transform(Transform::PiecewiseAffineJoin { condition, strides, initial }) => {
                out.push(format!("if {condition}"));
                for (word, case) in [("then", 0), ("else", 1)] {
                    out.push(format!("{word} strides {}, initial {}", list(&strides[case]), initial[case]));
                }
            }
            EdgeKind::Transform(transform) => {
                let (flags, fields): (Vec<_>, Vec<_>) =
                    transform.named_fields().partition(|(_, field)| matches!(field, FieldValue::Flag(_)));
                let texts = fields.iter().map(|(name, field)| match field {
                    FieldValue::Quantity(quantity) => format!("{} {quantity}", name.key.replace('_', " ")),
                    FieldValue::Quantities(quantities) => format!("{} {}", name.key, list(quantities)),
                    FieldValue::Numbers(table) => format!("entries {}", table.len()),
                    _ => String::new(),
                });
                let texts = texts.collect::<Vec<_>>().join(", ");
                out.extend((!texts.is_empty()).then_some(texts));
                out.extend(flags.iter().filter(|(_, flag)| *flag == FieldValue::Flag(&true)).map(|(name, _)| name.key.to_string()));
            }
        }
        out
    }
}

/// The syntax of labels in a drawing language.
struct Escapes {
    line_end: &'static str,
    character: fn(char, &mut Formatter<'_>) -> Result,
}

/// In a quoted DOT string, `\` escapes a character and `&` begins an entity.
const DOT: Escapes = Escapes {
    line_end: "\\n",
    character: |c, f| match c {
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        '&' => f.write_str("&amp;"),
        _ => f.write_char(c),
    },
};

/// Mermaid, Markdown or HTML may read any punctuation as markup, so almost all of it is written as entities.
const MERMAID: Escapes = Escapes {
    line_end: "<br/>",
    character: |c, f| match c {
        ' ' | ',' | '(' | ')' | '=' => f.write_char(c),
        _ if c.is_ascii_punctuation() => write!(f, "#{};", c as u32),
        _ => f.write_char(c),
    },
};

/// The lines of a label, written with the escapes of one language.
struct Label<'a>(&'a [String], Escapes);

impl Display for Label<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (k, line) in self.0.iter().enumerate() {
            f.write_str(if k > 0 { self.1.line_end } else { "" })?;
            // Mermaid refuses empty labels.
            f.write_str(if line.is_empty() { " " } else { "" })?;
            visible(line).chars().try_for_each(|c| (self.1.character)(c, f))?;
        }
        Ok(())
    }
}

/// Returns the text with control characters and direction marks, which a drawing would not show, as Rust escapes.
///
/// ```
/// assert_eq!(coordinate_graph::graph::visible("a\nb"), "a\\nb");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if is_invisible(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// Tests for control characters, line ends, and marks that change the direction of the text around them.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}')
}
