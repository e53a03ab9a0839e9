//! Components: the tensors in registers whose elements stay in their threads from one to the next.
//!
//! A component has one distribution over its dimensions. Each tensor and each statement of the component has some of these dimensions.

use crate::error::{ChoiceError, Result, fail};
use crate::program::{Action, Reference, Statement, TileMemory, TileProgram};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Tensors in registers and accesses to memory with one distribution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component {
    /// The extent of each dimension.
    pub extents: Vec<i64>,
    /// The tensors in registers, each with the dimensions of its modes.
    pub tensors: Vec<(usize, Vec<usize>)>,
    pub transfers: Vec<Transfer>,
    pub reductions: Vec<Reduction>,
}

/// The elements of a tensor in memory that threads load or store once.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    pub statement: usize,
    pub tensor: usize,
    /// The dimensions of the modes of the tensor.
    pub dimensions: Vec<usize>,
    pub store: bool,
}

/// A reduction of a tensor to some of its dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    pub statement: usize,
    /// The dimensions of the source, and the ones that the target keeps.
    pub from: Vec<usize>,
    pub kept: Vec<usize>,
}

/// A tensor in registers as an operand of a statement that gives it a distribution of its own.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub component: usize,
    /// The dimensions of the modes of the tensor.
    pub dimensions: Vec<usize>,
}

/// The components, and the statements that join them: products and conversions with their operands, the target first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    pub all: Vec<Component>,
    pub joints: Vec<(usize, Vec<Operand>)>,
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&self, mut x: usize) -> usize {
        while self.0[x] != x {
            x = self.0[x];
        }
        x
    }

    /// Joins two sets. The smaller root remains, so that the order of declarations decides the order of dimensions.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// The part of a statement that has one distribution: its number among the parts, and the references in it.
struct Part<'a> {
    statement: usize,
    references: Vec<&'a Reference>,
    /// The first node of the variables of the part.
    variables: usize,
}

/// Returns the references of a statement in parts with one distribution each.
fn parts(statement: &Statement) -> Vec<Vec<&Reference>> {
    let target = &statement.target;
    match statement.action {
        Action::Map | Action::Reduce(_) => vec![core::iter::once(target).chain(&statement.sources).collect()],
        Action::Convert | Action::Multiply(_) => core::iter::once(vec![target]).chain(statement.sources.iter().map(|s| vec![s])).collect(),
    }
}

/// Returns the components of a program. Fails if extents differ, or if two modes of a tensor would be one dimension.
pub(crate) fn components(program: &TileProgram) -> Result<Components> {
    // A node for each mode of a tensor in registers, and one for each variable of a part of a statement.
    let mut nodes = 0;
    let mut first = Vec::new();
    for tensor in &program.tensors {
        first.push(nodes);
        nodes += if tensor.memory == TileMemory::Registers { tensor.extents.len() } else { 0 };
    }
    let modes = nodes;
    let mut all_parts = Vec::new();
    for (k, statement) in program.statements.iter().enumerate() {
        for references in parts(statement) {
            all_parts.push(Part { statement: k, references, variables: nodes });
            nodes += statement.variables.len();
        }
    }
    // `dimensions` joins the modes and variables that are one dimension, `whole` all of a component.
    let (mut dimensions, mut whole) = (Sets((0..nodes).collect()), Sets((0..nodes).collect()));
    for tensor in 0..program.tensors.len() {
        let end = first.get(tensor + 1).copied().unwrap_or(modes);
        (first[tensor] + 1..end).for_each(|node| whole.join(first[tensor], node));
    }
    let mut extent = vec![0; nodes];
    let registers = |tensor: usize| program.tensors[tensor].memory == TileMemory::Registers;
    for part in &all_parts {
        for reference in &part.references {
            for (mode, variable) in reference.variables.iter().enumerate() {
                let node = part.variables + variable;
                whole.join(part.variables + part.references[0].variables[0], node);
                if registers(reference.tensor) {
                    dimensions.join(first[reference.tensor] + mode, node);
                    whole.join(first[reference.tensor] + mode, node);
                }
            }
        }
    }
    for (node, of) in nodes_with_extents(program, &all_parts, &first) {
        let root = dimensions.root(node);
        if extent[root] != 0 && extent[root] != of.0 {
            let (line, name, variable) = (of.1, of.2, of.3);
            return fail(line, format!("`{variable}` is {} in `{name}`, and {} in another tensor", of.0, extent[root]));
        }
        extent[root] = of.0;
    }
    let mut out = Components::default();
    let mut roots: Vec<usize> = Vec::new();
    let mut number = vec![usize::MAX; nodes];
    let component = |node: usize, roots: &mut Vec<usize>, out: &mut Components| {
        let root = whole.root(node);
        roots.iter().position(|known| *known == root).unwrap_or_else(|| {
            roots.push(root);
            out.all.push(Component::default());
            roots.len() - 1
        })
    };
    let mut dimension = |node: usize, of: usize, out: &mut Components| {
        let root = dimensions.root(node);
        if number[root] == usize::MAX {
            number[root] = out.all[of].extents.len();
            out.all[of].extents.push(extent[root]);
        }
        number[root]
    };
    for (k, tensor) in program.tensors.iter().enumerate() {
        // A tensor that no statement names has no place.
        if !registers(k) || !all_parts.iter().any(|part| part.references.iter().any(|reference| reference.tensor == k)) {
            continue;
        }
        let of = component(first[k], &mut roots, &mut out);
        let own: Vec<usize> = (0..tensor.extents.len()).map(|mode| dimension(first[k] + mode, of, &mut out)).collect();
        if let Some(mode) = (1..own.len()).find(|mode| own[..*mode].contains(&own[*mode])) {
            return fail(tensor.line, format!("mode {mode} of `{}` and a mode before it are one dimension; write `convert`", tensor.name));
        }
        out.all[of].tensors.push((k, own));
    }
    for part in &all_parts {
        let statement = &program.statements[part.statement];
        let of = component(part.variables + part.references[0].variables[0], &mut roots, &mut out);
        let mut own: Vec<Vec<usize>> = Vec::new();
        for reference in &part.references {
            let of_reference = reference.variables.iter().map(|variable| dimension(part.variables + variable, of, &mut out)).collect();
            own.push(of_reference);
        }
        if let Some((reference, own)) =
            part.references.iter().zip(&own).find(|(_, own)| (1..own.len()).any(|mode| own[..mode].contains(&own[mode])))
        {
            let name = &program.tensors[reference.tensor].name;
            return fail(statement.line, format!("two modes of `{name}` are one dimension, {own:?}; write `convert`"));
        }
        if matches!(statement.action, Action::Convert | Action::Multiply(_)) {
            let operand = Operand { component: of, dimensions: own.swap_remove(0) };
            match out.joints.last_mut() {
                Some((last, operands)) if *last == part.statement => operands.push(operand),
                _ => out.joints.push((part.statement, vec![operand])),
            }
            continue;
        }
        for (k, (reference, dimensions)) in part.references.iter().zip(&own).enumerate() {
            if !registers(reference.tensor) {
                let (statement, tensor, dimensions) = (part.statement, reference.tensor, dimensions.clone());
                out.all[of].transfers.push(Transfer { statement, tensor, dimensions, store: k == 0 });
            }
        }
        if let Action::Reduce(_) = statement.action {
            let mut from: Vec<usize> = own[1..].iter().flatten().copied().collect();
            from.sort_unstable();
            from.dedup();
            out.all[of].reductions.push(Reduction { statement: part.statement, from, kept: own[0].clone() });
        }
    }
    Ok(out)
}

/// The extent of a variable, the line of the statement, and the names of the tensor and of the variable.
type Extent<'a> = (i64, usize, &'a str, &'a str);

/// Returns the nodes of modes and variables with their extents.
fn nodes_with_extents<'a>(program: &'a TileProgram, parts: &[Part<'_>], first: &[usize]) -> Vec<(usize, Extent<'a>)> {
    let mut out = Vec::new();
    for (k, tensor) in program.tensors.iter().enumerate().filter(|(_, tensor)| tensor.memory == TileMemory::Registers) {
        let of = |(mode, extent): (usize, &i64)| (first[k] + mode, (*extent, tensor.line, &tensor.name[..], "an index"));
        out.extend(tensor.extents.iter().enumerate().map(of));
    }
    for part in parts {
        let statement = &program.statements[part.statement];
        for reference in &part.references {
            let tensor = &program.tensors[reference.tensor];
            for (extent, variable) in tensor.extents.iter().zip(&reference.variables) {
                let name = &statement.variables[*variable][..];
                out.push((part.variables + variable, (*extent, statement.line, &tensor.name, name)));
            }
        }
    }
    out
}

impl Component {
    /// Returns the number of elements of the space of all dimensions.
    pub fn size(&self) -> Option<i64> {
        self.extents.iter().try_fold(1i64, |size, extent| size.checked_mul(*extent))
    }

    /// Returns the line of the first statement or tensor of the component.
    pub fn line(&self, program: &TileProgram) -> usize {
        let transfers = self.transfers.iter().map(|transfer| program.statements[transfer.statement].line);
        transfers.chain(self.tensors.iter().map(|(tensor, _)| program.tensors[*tensor].line)).next().unwrap_or(1)
    }

    /// Returns an error at the first line of the component.
    pub fn refuse(&self, program: &TileProgram, message: alloc::string::String) -> ChoiceError {
        ChoiceError { line: self.line(program), message }
    }
}
