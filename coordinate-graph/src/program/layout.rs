//! Programs that compute the index of a layout, from its notation, its value or its type.

use super::{Program, ProgramOutput, Time};
use layout_algebra::DynLayout;
use layout_algebra::algebra::composed;
use layout_algebra::algebra::operands::Operand;
use layout_algebra::error::{Cause, LayoutError, Op, Result};
use layout_algebra::heap::*;
use layout_algebra::text;
use layout_algebra::value::{Facts, LayoutValue, MAX_LEAVES, SymInt, TreeNode, TupleValue};

/// The form of the coordinates of an index function.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Program};
/// let layout = "((2,4),8):((1,16),2)";
/// let inputs = |coordinates| Ok::<_, layout_algebra::LayoutError>(Program::parse_layout(layout, coordinates)?.inputs().len());
/// assert_eq!((inputs(Coordinates::Linear)?, inputs(Coordinates::Modes)?, inputs(Coordinates::Leaves)?), (1, 2, 3));
/// // The element (1,2) of the first mode, 3 of the second.
/// assert_eq!(Program::parse_layout(layout, Coordinates::Leaves)?.run(&[1, 2, 3])?, [1 + 2 * 16 + 3 * 2]);
/// assert_eq!(Program::parse_layout(layout, Coordinates::Modes)?.run(&[1 + 2 * 2, 3])?, [39]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coordinates {
    /// One linear coordinate for the whole layout.
    Linear,
    /// One coordinate for each mode.
    #[default]
    Modes,
    /// One coordinate for each leaf.
    Leaves,
}

impl Program {
    /// Returns the index function of a layout expression.
    ///
    /// Each `?` is an input of the launch. Its name is `n1` for the extent of leaf 1 of the layout, `d1` for the
    /// stride of leaf 1, and `p0, p1, ..` if an operation split it. The coordinates are `i0, i1, ...`. An extent
    /// that no index depends on is not an input. The program relies on the promises of operations: after
    /// `logical_divide(?:1, 8)`, the input is a multiple of 8.
    ///
    /// Fails if the expression fails or is not a layout.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Program};
    /// let index = Program::parse_layout("(8,?):(?,1)", Coordinates::Modes)?;
    /// assert_eq!(index.inputs().iter().map(|input| input.name.as_str()).collect::<Vec<_>>(), ["d0", "i0", "i1"]);
    /// assert_eq!(index.run(&[128, 3, 5])?, [3 * 128 + 5]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn parse_layout(text: &str, coordinates: Coordinates) -> Result<Program> {
        Program::parse_layout_unsimplified(text, coordinates)?.simplified()
    }

    /// Returns the index function as the algebra computes it, digit by digit, without simplification.
    ///
    /// Fails as [`parse_layout`](Program::parse_layout) does.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Program};
    /// let text = "(8,16):(1,8)"; // a compact layout: its linear index is the coordinate
    /// let raw = Program::parse_layout_unsimplified(text, Coordinates::Linear)?;
    /// assert_eq!(Program::parse_layout(text, Coordinates::Linear)?.operations().total(), 0);
    /// assert!(raw.operations().total() > 0, "{}", raw.operations());
    /// assert_eq!(raw.run(&[37])?, [37]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn parse_layout_unsimplified(text: &str, coordinates: Coordinates) -> Result<Program> {
        let mut program = Program::new();
        let value = text::evaluate::<MAX_LEAVES, { super::NODES }>(text, &mut program.scope)?;
        program.index(&value, coordinates)
    }

    /// Returns the index function of a layout.
    ///
    /// Fails if an index overflows.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Language, Program};
    /// use layout_algebra::DynLayout;
    /// let layout: DynLayout = "(4,8):(8,1)".parse()?;
    /// let index = Program::of_layout(&layout, Coordinates::Modes)?;
    /// assert_eq!(index.run(&[3, 5])?, [3 * 8 + 5]);
    /// assert_eq!(index.emit_expression(0, Language::C)?.to_string(), "i0 * 8 + i1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_layout<const N: usize>(layout: &DynLayout<N>, coordinates: Coordinates) -> Result<Program> {
        let mut wide = LayoutValue::<MAX_LEAVES>::empty();
        let program = Program::new();
        wide.push(layout.value(), layout.value().root(), 0, 0, &program.scope)?;
        program.index(&Operand::Layout(wide), coordinates)?.simplified()
    }

    /// Returns the index function of a layout type. The run-time leaves that it depends on are inputs of the
    /// launch, in order.
    ///
    /// Fails if the pattern belongs to a refused type.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Program};
    /// use layout_core::{Int, Strided, TypedLayout};
    /// type A = Strided<(usize, Int<64>), (Int<1>, usize)>;
    /// let index = Program::of_pattern(A::PATTERN, Coordinates::Modes)?;
    /// assert_eq!(index.run(&[128, 3, 5])?, [3 + 5 * 128]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    #[cfg(feature = "types")]
    pub fn of_pattern(pattern: &layout_core::layouts::Pattern, coordinates: Coordinates) -> Result<Program> {
        let mut program = Program::new();
        let lay = pattern.import(&mut program.scope)?;
        program.index(&Operand::Layout(lay), coordinates)?.simplified()
    }

    fn index(mut self, value: &Operand<MAX_LEAVES>, coordinates: Coordinates) -> Result<Program> {
        let refuse = |cause| LayoutError::plain(Op::Crd2Idx, cause, 0, 0);
        let domain = match value {
            Operand::Layout(lay) => lay,
            Operand::Composed(composed) => &composed.outer,
            _ => return Err(refuse(Cause::OperandKind)),
        };
        if domain.is_empty() {
            return Err(refuse(Cause::OperandKind));
        }
        for k in 0..self.scope.inputs {
            let name = self.name_of_input(domain, k);
            self.inputs.push(super::Input { name, time: Time::Launch, below: None });
        }
        let root = domain.root();
        let coordinate = match coordinates {
            Coordinates::Linear => TupleValue::scalar(self.coordinate(domain, root, "i".into())?),
            _ if domain.tree().is_leaf(root) => TupleValue::scalar(self.coordinate(domain, root, "i".into())?),
            Coordinates::Modes => {
                let mut modes = TupleValue::empty();
                let mut lo = 0;
                while let Some(mode) = domain.tree().child_from(root, lo) {
                    if domain.tree().is_empty(mode) {
                        let none = TupleValue::<1>::empty();
                        modes.push(&none, none.root(), 1, 1, &self.scope)?;
                    } else {
                        let leaf = self.coordinate(domain, mode, format!("i{}", modes.len()))?;
                        modes.push_leaf(1, 1, leaf, &self.scope)?;
                    }
                    lo = mode.hi;
                }
                modes
            }
            Coordinates::Leaves => {
                let mut leaves = domain.shape_of(root);
                for k in (0..leaves.len()).filter(|k| !domain.tree().is_stand_in(*k)) {
                    let at = TreeNode { lo: k, hi: k + 1, level: 0 };
                    leaves.leaf[k] = self.coordinate(domain, at, format!("i{k}"))?.word();
                }
                leaves
            }
        };
        let index = match value {
            Operand::Composed(composed) => composed::evaluate(composed, &coordinate, &mut self.scope)?,
            _ => domain.evaluate(&coordinate, &mut self.scope)?,
        };
        for k in 0..index.len() {
            let name = if index.len() == 1 { "index".into() } else { format!("index{k}") };
            self.outputs.push(ProgramOutput { name, value: index.leaf(k) });
        }
        self.drop_unused(&|input| input.time == Time::Launch);
        Ok(self)
    }

    /// Returns the name of input number `input`: `n1` for the extent of leaf 1, `d1` for its stride, `n` or `d` for a
    /// layout of one leaf, and `p0` for input 0 if it is neither an extent nor a stride.
    fn name_of_input(&self, domain: &LayoutValue<MAX_LEAVES>, input: usize) -> String {
        let node = self.input_node(input);
        let leaf = |part: fn(&LayoutValue<MAX_LEAVES>, usize) -> SymInt| (0..domain.len()).find(|leaf| Some(part(domain, *leaf)) == node);
        match (leaf(LayoutValue::extent), leaf(LayoutValue::scale)) {
            (Some(_), _) if domain.len() == 1 => "n".into(),
            (_, Some(_)) if domain.len() == 1 => "d".into(),
            (Some(leaf), _) => format!("n{leaf}"),
            (_, Some(leaf)) => format!("d{leaf}"),
            _ => format!("p{input}"),
        }
    }

    /// Adds the input `name` for the coordinate of the node `at` of the layout's tree. Fails if the program is full.
    fn coordinate(&mut self, domain: &LayoutValue<MAX_LEAVES>, at: TreeNode, name: String) -> Result<SymInt> {
        let size = domain.size_of(at, &mut *self.scope)?;
        let facts = self.scope.facts(size);
        let hi = if facts.hi == i64::MAX || facts.hi < 1 { i64::MAX } else { facts.hi - 1 };
        let below = (!size.is_known()).then_some(size);
        self.input(&name, Time::Thread, Facts { lo: 0, hi, div: 1 }, below)
    }
}
