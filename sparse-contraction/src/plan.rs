//! The plan of a contraction: its steps, their kernels, and estimates of their results. A plan is shown as text.

use crate::ContractionKernel;
use crate::estimate::{Letters, Term, products, set, size};
use crate::kernel::{Choice, Goal, masked, of_all, of_pair};
use crate::path::{Node, pairs, product};
use crate::subscripts::{Letter, Subscripts};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The plan of a contraction, which [`explain`](crate::explain) returns. It displays a line for each step.
///
/// ```
/// use sparse_contraction::{ContractionKernel, Factor, explain};
/// let (a, x) = ([1.0; 6], [1.0; 3]);
/// let factors = [Factor::Dense { shape: &[2, 3], data: &a }, Factor::Dense { shape: &[3], data: &x }];
/// let plan = explain("ij,j->i", &factors)?;
/// assert_eq!(plan.steps()[0].kernel(), ContractionKernel::Loops);
/// assert_eq!(plan.to_string(), "`ij,j->i` takes 1 step\n1. loops        ij,j->i: 6 products, 2 elements (dense)\n");
/// # Ok::<(), sparse_contraction::ContractionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContractionPlan {
    text: String,
    names: Vec<char>,
    steps: Vec<ContractionStep>,
}

/// A step of a plan: a kernel that replaces some tensors by one.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractionStep {
    kernel: ContractionKernel,
    inputs: Vec<usize>,
    letters: Vec<Vec<Letter>>,
    pub(crate) out: Term,
    products: f64,
}

impl ContractionStep {
    /// Returns the kernel that computes the step.
    ///
    /// ```
    /// use sparse_contraction::{ContractionKernel, Factor, explain};
    /// let plan = explain("ij->ji", &[Factor::Dense { shape: &[1, 2], data: &[5, 6] }])?;
    /// assert_eq!(plan.steps()[0].kernel(), ContractionKernel::Permute);
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn kernel(&self) -> ContractionKernel {
        self.kernel
    }

    /// Returns the numbers of the tensors that the step replaces. The operands are numbered from 0, and each step adds one
    /// with the next number.
    ///
    /// ```
    /// use sparse_contraction::{Factor, explain};
    /// let plan = explain("i,,->i", &[Factor::Dense { shape: &[2], data: &[5, 6] }, Factor::scalar(&2), Factor::scalar(&3)])?;
    /// assert_eq!(plan.steps()[1].inputs(), [0, 3]);
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// Returns the estimated number of stored elements of the result.
    ///
    /// ```
    /// use sparse_contraction::{Factor, explain};
    /// let plan = explain("ij->ji", &[Factor::Dense { shape: &[1, 2], data: &[5, 6] }])?;
    /// assert_eq!(plan.steps()[0].stored(), 2.0);
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn stored(&self) -> f64 {
        self.out.stored
    }

    /// Returns the estimated number of products, or of elements that a step with one operand reads.
    ///
    /// ```
    /// use sparse_contraction::{Factor, explain};
    /// let plan = explain("i,j->ij", &[Factor::Dense { shape: &[2], data: &[5, 6] }, Factor::Dense { shape: &[3], data: &[1, 2, 3] }])?;
    /// assert_eq!(plan.steps()[0].products(), 6.0);
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn products(&self) -> f64 {
        self.products
    }
}

impl ContractionPlan {
    /// Returns the steps, in the order in which they run.
    ///
    /// ```
    /// use sparse_contraction::{Factor, explain};
    /// assert_eq!(explain("ij->ji", &[Factor::Dense { shape: &[1, 2], data: &[5, 6] }])?.steps().len(), 1);
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn steps(&self) -> &[ContractionStep] {
        &self.steps
    }

    /// Plans the contraction of these tensors, the operands. `dense` is the requested storage of the result, if any.
    pub(crate) fn new(subscripts: &Subscripts, terms: Vec<Term>, dense: Option<bool>) -> Self {
        let live = (0..terms.len()).collect();
        let mut planner = Planner { extents: &subscripts.extents, terms, live, steps: Vec::new() };
        planner.plan(&Goal { output: &subscripts.output, dense });
        ContractionPlan { text: subscripts.text.clone(), names: subscripts.names.clone(), steps: planner.steps }
    }

    /// Writes letters by their names.
    fn write(&self, f: &mut fmt::Formatter<'_>, letters: &[Letter]) -> fmt::Result {
        letters.iter().try_for_each(|letter| write!(f, "{}", self.names[*letter]))
    }
}

impl fmt::Display for ContractionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.steps.len();
        writeln!(f, "`{}` takes {count} step{}", self.text, if count == 1 { "" } else { "s" })?;
        for (k, step) in self.steps.iter().enumerate() {
            write!(f, "{}. {:<12} ", k + 1, step.kernel)?;
            for (k, letters) in step.letters.iter().enumerate() {
                f.write_str(if k > 0 { "," } else { "" })?;
                self.write(f, letters)?;
            }
            f.write_str("->")?;
            self.write(f, &step.out.letters)?;
            let work = if step.inputs.len() == 1 { "elements read" } else { "products" };
            let storage = if step.out.dense { "dense" } else { "sparse" };
            writeln!(f, ": {:.0} {work}, {:.0} elements ({storage})", step.products, step.out.stored)?;
        }
        Ok(())
    }
}

/// A plan that is being made.
struct Planner<'p> {
    extents: &'p [u64],
    /// The operands, and the results of the steps.
    terms: Vec<Term>,
    /// The numbers of the tensors that are still to be contracted.
    live: Vec<usize>,
    steps: Vec<ContractionStep>,
}

impl Planner<'_> {
    fn plan(&mut self, goal: &Goal) {
        let output = set(goal.output);
        // 1. Diagonals, and sums over the letters of one tensor.
        for place in 0..self.live.len() {
            self.reduce(place, output);
        }
        // 2. All tensors at once, if there is a kernel for them.
        let numbered: Vec<(usize, &Term)> = self.live.iter().map(|number| (*number, &self.terms[*number])).collect();
        let nodes: Vec<Node> =
            numbered.iter().map(|(_, term)| Node { letters: set(&term.letters), stored: term.stored, dense: term.dense }).collect();
        let order = pairs(self.extents, &nodes, output);
        let choice = of_all(self.extents, &numbered, goal.output)
            .or_else(|| masked(self.extents, &numbered, output, self.cost(&nodes, &order, output)));
        if let Some(choice) = choice {
            self.push(choice);
            self.reduce(0, output);
        } else {
            // 3. Pairs.
            let mut numbers = self.live.clone();
            for (i, j) in order {
                numbers.push(self.pair(numbers[i], numbers[j], goal));
            }
        }
        // 4. The order of the axes. A contraction has at least one step.
        let last = self.live[0];
        if self.terms[last].letters != goal.output || self.steps.is_empty() {
            let out = Term { letters: goal.output.to_vec(), ..self.terms[last].clone() };
            self.push(Choice { kernel: ContractionKernel::Permute, inputs: vec![last], out });
        }
    }

    /// Returns the cost of an order of pairs.
    fn cost(&self, nodes: &[Node], order: &[(usize, usize)], output: Letters) -> f64 {
        let (mut nodes, mut cost): (Vec<Option<Node>>, f64) = (nodes.iter().copied().map(Some).collect(), 0.0);
        for (i, j) in order {
            let (Some(a), Some(b)) = (nodes[*i].take(), nodes[*j].take()) else { continue };
            let kept = nodes.iter().flatten().fold(output, |letters, node| letters | node.letters);
            let (node, more) = product(self.extents, a, b, kept);
            cost += more;
            nodes.push(Some(node));
        }
        cost
    }

    /// Returns the letters that the result or another tensor than these has.
    fn kept(&self, without: &[usize], output: Letters) -> Letters {
        let others = self.live.iter().filter(|number| !without.contains(number));
        others.fold(output, |letters, number| letters | set(&self.terms[*number].letters))
    }

    /// Adds a step, whose result takes the place of its first operand.
    fn push(&mut self, choice: Choice) -> usize {
        let Choice { kernel, inputs, out } = choice;
        let letters: Vec<Vec<Letter>> = inputs.iter().map(|number| self.terms[*number].letters.clone()).collect();
        let term = |k: usize| (set(&letters[k]), self.terms[inputs[k]].stored);
        let products = match inputs.len() {
            1 => term(0).1,
            2 => products(self.extents, term(0), term(1)),
            // The elements of the sparse tensor, each with a row of the other tensors.
            _ => {
                let rest = letters.iter().fold(0, |all, letters| all | set(letters)) & !term(0).0;
                term(0).1 * if kernel == ContractionKernel::Masked { 1.0 } else { size(self.extents, rest) }
            }
        };
        let number = self.terms.len();
        let place = self.live.iter().position(|live| inputs.contains(live)).unwrap_or(0);
        self.live.insert(place, number);
        self.live.retain(|live| !inputs.contains(live));
        self.terms.push(out.clone());
        self.steps.push(ContractionStep { kernel, inputs, letters, out, products });
        number
    }

    /// Adds the steps of one tensor: the diagonal of axes with one letter, and the sums over letters that nothing else has.
    fn reduce(&mut self, place: usize, output: Letters) {
        let number = self.live[place];
        let term = &self.terms[number];
        let mut letters: Vec<Letter> = Vec::new();
        term.letters.iter().for_each(|letter| {
            if !letters.contains(letter) {
                letters.push(*letter)
            }
        });
        let mut number = number;
        let mut stored = term.stored;
        let dense = term.dense;
        if letters.len() < term.letters.len() {
            for (k, letter) in term.letters.iter().enumerate() {
                if term.letters[..k].contains(letter) {
                    stored /= (self.extents[*letter] as f64).max(1.0);
                }
            }
            let out = Term { letters: letters.clone(), stored, dense };
            number = self.push(Choice { kernel: ContractionKernel::Diagonal, inputs: vec![number], out });
        }
        let kept = self.kept(&[number], output);
        let left: Vec<Letter> = letters.iter().copied().filter(|letter| kept >> letter & 1 == 1).collect();
        if left.len() < letters.len() {
            let all = size(self.extents, set(&left));
            let dense = dense || left.is_empty();
            let out = Term { stored: if dense { all } else { stored.min(all) }, letters: left, dense };
            self.push(Choice { kernel: ContractionKernel::Reduce, inputs: vec![number], out });
        }
    }

    /// Adds the step that contracts two tensors, and returns the number of its result.
    fn pair(&mut self, i: usize, j: usize, goal: &Goal) -> usize {
        let kept = self.kept(&[i, j], set(goal.output));
        let last = (self.live.len() == 2).then_some(goal);
        let choice = of_pair(self.extents, (i, &self.terms[i]), (j, &self.terms[j]), kept, last);
        self.push(choice)
    }
}
