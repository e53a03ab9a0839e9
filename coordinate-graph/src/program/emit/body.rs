//! Function bodies: a statement for each named node, and one expression for each result. `placement.rs` decides which nodes
//! are named, and `print.rs` and `syntax.rs` write them.

use super::ir::{Id, Instruction};
use super::names::Names;
use super::placement::{Block, Placement, place};
use super::print::{Printer, Text, mentions, word};
use super::syntax;
use crate::sorted::SortedMap;
use layout_algebra::heap::*;

/// The texts of nodes that a function does not compute, such as its parameters.
pub(super) type Leaves = SortedMap<Id, Text>;

/// The statements of a function, the texts of its results, and for each node whether it is `live`: needed for a result.
pub(super) struct Body {
    pub lines: Vec<String>,
    pub results: Vec<Text>,
    pub live: Vec<bool>,
}

/// Writes the body that computes `roots`. `names` gives new names to its nodes, and `leaves` the texts of nodes that it
/// does not compute.
pub(super) fn body(printer: &Printer<'_>, names: &mut Names, roots: &[Id], leaves: &Leaves) -> Body {
    let ir = printer.ir;
    let placement = place(ir, printer.language, roots, |id| leaves.contains_key(&id));
    let mut name = vec![String::new(); ir.len()];
    let mut count = 0;
    name_block(&placement, 0, &mut |id| name[id] = names.numbered("t", &mut count));
    let (mut values, mut texts) = (vec![word(""); ir.len()], vec![word(""); ir.len()]);
    for id in (0..ir.len()).filter(|id| placement.live[*id]) {
        if let Some(leaf) = leaves.get(&id) {
            texts[id] = leaf.clone();
            continue;
        }
        let text = printer.print(id, |operand| &texts[operand]);
        if placement.named[id] {
            values[id] = text;
            texts[id] = word(name[id].as_str());
        } else {
            texts[id] = text;
        }
    }
    let mut writer = Writer { printer, placement, values, texts, lines: Vec::new() };
    writer.block(0, 1);
    let results = roots.iter().map(|root| writer.texts[*root].clone()).collect();
    Body { lines: writer.lines, results, live: writer.placement.live }
}

/// Calls `name` for each named node of a block and of the blocks inside it, in the order of the text.
fn name_block(placement: &Placement, block: Block, name: &mut impl FnMut(Id)) {
    for id in &placement.blocks[block] {
        name(*id);
        if let Some((then, otherwise)) = placement.arms[*id] {
            name_block(placement, then, name);
            name_block(placement, otherwise, name);
        }
    }
}

struct Writer<'a> {
    printer: &'a Printer<'a>,
    placement: Placement,
    /// For each named node, its expression. `texts` has its name instead.
    values: Vec<Text>,
    texts: Vec<Text>,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: String) {
        self.lines.push(format!("{}{text}", "    ".repeat(depth)));
    }

    fn block(&mut self, block: Block, depth: usize) {
        for at in 0..self.placement.blocks[block].len() {
            let id = self.placement.blocks[block][at];
            let name = self.texts[id].text.clone();
            match (self.placement.arms[id], self.printer.ir.inst(id)) {
                (Some((then, otherwise)), Instruction::Select(c, a, b)) => {
                    let text = syntax::branch(self.printer, id, &name, &self.texts[c]);
                    text.open.into_iter().for_each(|line| self.line(depth, line));
                    self.block(then, depth + 1);
                    self.line(depth + 1, format!("{}{}{}", text.before, self.texts[a].text, text.after));
                    self.line(depth, "} else {".into());
                    self.block(otherwise, depth + 1);
                    self.line(depth + 1, format!("{}{}{}", text.before, self.texts[b].text, text.after));
                    self.line(depth, text.close.into());
                }
                _ => {
                    let text = syntax::declare(self.printer, id, &name, &self.values[id].text);
                    self.line(depth, text);
                }
            }
        }
    }
}

/// The maximum number of operations of an output that is written as one expression.
pub(super) const LIMIT: u64 = 1 << 10;

/// Writes `root` as one expression of `leaves`. Returns `None` if repeated subexpressions make it longer than
/// `limit` operations.
pub(super) fn expression(printer: &Printer<'_>, root: Id, leaves: &Leaves, limit: u64) -> Option<Text> {
    let ir = printer.ir;
    let live = ir.reach([root], |_| false);
    let mut size = vec![0_u64; ir.len()];
    let mut texts: Vec<Text> = vec![word(""); ir.len()];
    for id in (0..=root).filter(|id| live[*id]) {
        let op = ir.inst(id);
        let weight = match op {
            // Without helper functions, the whole formula is written here, and these are its operations.
            Instruction::FloorDiv(..) | Instruction::FloorRem(..) => 3,
            Instruction::TotalDiv(..) | Instruction::TotalRem(..) => 8,
            _ => 1,
        };
        let operands = op.operands().enumerate();
        let sum = operands.map(|(place, operand)| weight * u64::from(mentions(op, place, printer.language)) * size[operand]);
        size[id] = sum.fold(if op.is_word() { 0 } else { weight }, u64::saturating_add);
        if size[id] > limit {
            return None;
        }
        texts[id] = match leaves.get(&id) {
            Some(leaf) => leaf.clone(),
            None => printer.print(id, |operand| &texts[operand]),
        };
    }
    Some(texts.swap_remove(root))
}
