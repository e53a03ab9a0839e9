//! Placement: decides which nodes of a function get a name, and in which block each is computed. `body.rs` writes the
//! blocks.

use super::ir::{Id, Instruction, Ir};
use super::{Language, print};
use layout_algebra::heap::*;

/// A block of statements. Block 0 is the body of the function.
pub(super) type Block = usize;

/// The maximum number of operations of one expression.
const LONG: u32 = 12;

/// The maximum depth of nested blocks for the arms of selections.
const DEEP: u32 = 8;

/// The named nodes of a function and their blocks.
///
/// If the language evaluates only one arm of a selection, each arm is a block. A node belongs to the innermost
/// block that contains all its users.
pub(super) struct Placement {
    /// For each node, true if the function needs it.
    pub live: Vec<bool>,
    /// For each node, true if it is computed once and named.
    pub named: Vec<bool>,
    /// For each node, the blocks of its two arms if it is a selection that is written as a statement; otherwise `None`.
    pub arms: Vec<Option<(Block, Block)>>,
    /// For each block, its named nodes, operands first.
    pub blocks: Vec<Vec<Id>>,
}

struct Around {
    parent: Block,
    depth: u32,
}

/// Chooses the named nodes and the blocks of a function that returns `roots`. Nodes for which `is_leaf` is true are not
/// computed.
pub(super) fn place(ir: &Ir, language: Language, roots: &[Id], is_leaf: impl Fn(Id) -> bool) -> Placement {
    let live = ir.reach(roots.iter().copied(), &is_leaf);
    let mut around = vec![Around { parent: 0, depth: 0 }];
    let mut home: Vec<Option<Block>> = vec![None; ir.len()];
    let mut uses = vec![0; ir.len()];
    let mut arms = vec![None; ir.len()];
    for root in roots {
        home[*root] = Some(0);
        uses[*root] += 1;
    }
    for id in (0..ir.len()).rev() {
        let (true, Some(block)) = (live[id] && !is_leaf(id), home[id]) else { continue };
        let depth = around[block].depth;
        if language != Language::Wgsl && depth < DEEP && matches!(ir.inst(id), Instruction::Select(..)) {
            let first = around.len();
            around.extend([0, 1].map(|_| Around { parent: block, depth: depth + 1 }));
            arms[id] = Some((first, first + 1));
        }
        for (place, operand) in ir.inst(id).operands().enumerate() {
            let user = match (arms[id], place) {
                (Some((then, _)), 1) => then,
                (Some((_, otherwise)), 2) => otherwise,
                _ => block,
            };
            uses[operand] += print::mentions(ir.inst(id), place, language);
            home[operand] = Some(home[operand].map_or(user, |other| innermost(&around, user, other)));
        }
    }
    let mut blocks = vec![Vec::new(); around.len()];
    let mut named = vec![false; ir.len()];
    let mut length = vec![0; ir.len()];
    for id in 0..ir.len() {
        let (true, Some(block)) = (live[id] && !is_leaf(id), home[id]) else { continue };
        let op = ir.inst(id);
        length[id] = 1 + op.operands().map(|operand| if named[operand] { 0 } else { length[operand] }).sum::<u32>();
        arms[id] = arms[id].filter(|(then, otherwise): &(Block, Block)| !blocks[*then].is_empty() || !blocks[*otherwise].is_empty());
        let is_root = roots.contains(&id) && uses[id] == 1;
        if !op.is_word() && (uses[id] > 1 || arms[id].is_some() || (length[id] > LONG && !is_root)) {
            named[id] = true;
            blocks[block].push(id);
        }
    }
    Placement { live, named, arms, blocks }
}

/// Returns the innermost block that contains the blocks `a` and `b`.
fn innermost(around: &[Around], mut a: Block, mut b: Block) -> Block {
    while a != b {
        if around[a].depth < around[b].depth {
            b = around[b].parent;
        } else {
            a = around[a].parent;
        }
    }
    a
}
