//! The choice for a whole program.

use crate::assignment::Assignment;
use crate::component::{Component, Components, components};
use crate::convert::conversion;
use crate::cost::TileCost;
use crate::distribution::{Digit, Distribution, product};
use crate::error::{Result, fail};
use crate::fixed;
use crate::interface::{Sequence, digits};
use crate::plan::Plan;
use crate::program::{Action, TileMemory, TileProgram};
use crate::report::TileChoice;
use crate::search::{Candidate, Candidates, candidates};
use crate::shared::{Known, Use};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of combinations of candidates whose shared layouts are searched.
const MOST_SEARCHED: i64 = 8;

/// The maximum number of elements in the shared layouts of all these combinations, unless it is one.
const MOST_SHARED: i64 = 1 << 19;

/// The maximum number of ways to share the tiles of all products among the warps.
const MOST_WAYS: usize = 4096;

impl TileProgram {
    /// Chooses the layouts that the program leaves open, so that the cost is the least, field by field.
    ///
    /// The answer is always the same for the same program. It is the least over all distributions that assign digits of coordinates to
    /// registers, lanes and warps, if [`TileChoice::is_optimal`] is true.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let program = TileProgram::parse("tile t\nthreads 128\nglobal a f32 (64, 64)\nregisters x f32 (64, 64)\nx[i, j] <- a[i, j]")?;
    /// // 16 lanes with 4 columns each hold a row, and a warp has two rows at a time of its 16.
    /// assert_eq!(program.choose()?.layout("x").as_deref(), Some("((16,2,4),(4,8)):((256,1,16),(64,2))"));
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the threads cannot share a tile equally, if two statements need different distributions of one tensor, or if a
    /// stated layout does not fit.
    pub fn choose(&self) -> Result<TileChoice> {
        let components = components(self)?;
        let mut chooser = Chooser { program: self, components: &components, free: BTreeMap::new(), known: Known::default() };
        let (best, complete) = chooser.best()?;
        let mut least = BTreeMap::new();
        for candidates in chooser.free.values() {
            least.extend(&candidates.least);
        }
        let complete = complete && chooser.free.values().all(|candidates| candidates.complete);
        Ok(TileChoice::new(self, components, best, &least, complete))
    }
}

struct Chooser<'a> {
    program: &'a TileProgram,
    components: &'a Components,
    /// The candidates of the components that no statement fixes.
    free: BTreeMap<usize, Candidates>,
    known: Known,
}

impl Chooser<'_> {
    /// Returns the best assignment, and true if it is known to be the least.
    fn best(&mut self) -> Result<(Assignment, bool)> {
        let stated = self.stated()?;
        let ways = self.ways()?;
        let (mut best, mut complete, mut refused) = (None::<Assignment>, true, None);
        for way in ways {
            let mut given = stated.clone();
            match joined(&mut given, way) {
                Err((component, line)) => refused = refused.or(Some((component, line))),
                Ok(()) => {
                    let (found, searched) = self.with(&given, best.as_ref().map(|best| best.cost))?;
                    complete &= searched;
                    if let Some(found) = found
                        && best.as_ref().is_none_or(|best| found.cost < best.cost)
                    {
                        best = Some(found);
                    }
                }
            }
        }
        match (best, refused) {
            (Some(best), _) => Ok((best, complete)),
            (None, Some((component, line))) => {
                let names: Vec<&str> =
                    self.components.all[component].tensors.iter().map(|(tensor, _)| &self.program.tensors[*tensor].name[..]).collect();
                fail(line, format!("the distribution here differs from the one that {} already have; write `convert`", names.join(", ")))
            }
            (None, None) => fail(self.program.threads_line, "the program has no statements".into()),
        }
    }

    /// Returns the distributions that the program states, with the line of each.
    fn stated(&self) -> Result<BTreeMap<usize, (Distribution, usize)>> {
        let mut out = BTreeMap::new();
        let lanes = self.program.machine.lanes;
        for (k, component) in self.components.all.iter().enumerate() {
            for (tensor, dimensions) in &component.tensors {
                let tensor = &self.program.tensors[*tensor];
                let Some(layout) = &tensor.fixed else { continue };
                let of = fixed::distribution(layout, &tensor.extents, dimensions, lanes, tensor.line)?;
                let threads = product(&of.lanes) * product(&of.warps);
                if threads != self.program.threads {
                    return fail(tensor.line, format!("the layout has {threads} threads, the program {}", self.program.threads));
                }
                holds_all(component, &of).or_else(|message| fail(tensor.line, message))?;
                if let Err((_, line)) = joined(&mut out, vec![(k, of, tensor.line)]) {
                    return fail(line, format!("the layout of `{}` differs from the one that the tensor has by a statement", tensor.name));
                }
            }
        }
        Ok(out)
    }

    /// Returns the ways to share the tiles of all products among the warps: the components that each fixes, with distributions and lines.
    fn ways(&self) -> Result<Vec<Vec<(usize, Distribution, usize)>>> {
        let mut ways = vec![Vec::new()];
        for (statement, operands) in &self.components.joints {
            let statement = &self.program.statements[*statement];
            let Action::Multiply(atom) = statement.action else { continue };
            for operand in operands {
                let component = &self.components.all[operand.component];
                if component.extents.len() != 2 {
                    let names: Vec<&str> = component.tensors.iter().map(|(tensor, _)| &self.program.tensors[*tensor].name[..]).collect();
                    let names = names.join(", ");
                    return fail(
                        statement.line,
                        format!(
                            "{names} have one distribution over {:?}, and an instruction fixes two modes; write `convert`",
                            component.extents
                        ),
                    );
                }
            }
            let products = fixed::products(self.program, statement, operands, atom)?;
            let mut next = Vec::new();
            for (way, product) in ways.iter().flat_map(|way| products.iter().map(move |product| (way, product))) {
                let mut all: Vec<_> = way.clone();
                all.extend(operands.iter().zip(product).map(|(operand, of)| (operand.component, of.clone(), statement.line)));
                next.push(all);
            }
            if next.len() > MOST_WAYS {
                return fail(statement.line, format!("the products can be shared among the warps in more than {MOST_WAYS} ways"));
            }
            ways = next;
        }
        Ok(ways)
    }

    /// Returns the best assignment with the given distributions, if it costs less than `most`; and true if it is known to be the least.
    fn with(&mut self, given: &BTreeMap<usize, (Distribution, usize)>, most: Option<TileCost>) -> Result<(Option<Assignment>, bool)> {
        let mut lists: Vec<Vec<Candidate>> = Vec::new();
        for (k, component) in self.components.all.iter().enumerate() {
            lists.push(match given.get(&k) {
                Some((distribution, _)) => vec![Candidate::only(self.program, component, distribution.clone())],
                None => self.free(k)?.all.clone(),
            });
        }
        if lists.is_empty() {
            return Ok((None, true));
        }
        let plan = Plan::new(self.program, self.components, &lists);
        let (mut best, mut searched) = (None::<Assignment>, 0);
        let (combinations, complete) = plan.combinations(&lists);
        let lowest = combinations.first().map(|(least, ..)| *least);
        let shared = self.program.tensors.iter().filter(|tensor| tensor.memory == TileMemory::Shared);
        let most_searched = (MOST_SHARED / shared.map(|tensor| tensor.size()).sum::<i64>().max(1)).clamp(1, MOST_SEARCHED);
        for (least, sequences, combination) in combinations {
            let bound = best.as_ref().map(|best| best.cost).into_iter().chain(most).min();
            if searched == most_searched || bound.is_some_and(|bound| bound <= least) {
                break;
            }
            searched += 1;
            let candidates: Vec<&Candidate> = combination.iter().zip(&lists).map(|(k, list)| &list[*k]).collect();
            let found = self.exact(&candidates, &sequences);
            if best.as_ref().is_none_or(|best| found.cost < best.cost) {
                best = Some(found);
            }
        }
        // Combinations that tie with others are left out, so only the lowest bound of all shows that there is nothing better. If candidates
        // are left out, too, this bound is the sum of the least costs of the components.
        let mut alone = TileCost::default();
        lists.iter().for_each(|list| alone += list[0].cost);
        let cut = (0..lists.len()).any(|k| !given.contains_key(&k) && self.free.get(&k).is_some_and(|candidates| candidates.cut));
        let bound = best.as_ref().map(|best| best.cost).into_iter().chain(most).min();
        Ok((best, complete && bound <= if cut { Some(alone) } else { lowest }))
    }

    /// Returns the candidates of a component.
    fn free(&mut self, k: usize) -> Result<&Candidates> {
        if !self.free.contains_key(&k) {
            let special = self.special(k);
            let found = candidates(self.program, &self.components.all[k], &special)?;
            self.free.insert(k, found);
        }
        Ok(&self.free[&k])
    }

    /// Returns the digits of a component that other components distinguish, because a vector or an instruction there has them.
    fn special(&self, k: usize) -> Vec<(usize, i64)> {
        let component = &self.components.all[k];
        let mut modes = Vec::new();
        for transfer in component.transfers.iter().filter(|t| self.program.tensors[t.tensor].memory == TileMemory::Shared) {
            modes.extend(transfer.dimensions.iter().copied());
        }
        for (_, operands) in &self.components.joints {
            modes.extend(operands.iter().filter(|operand| operand.component == k).flat_map(|operand| operand.dimensions.iter().copied()));
        }
        modes.sort_unstable();
        modes.dedup();
        let low = |extent: i64| (0..4).map(|bit| 1 << bit).filter(move |weight| *weight < extent);
        modes.into_iter().flat_map(|mode| low(component.extents[mode]).map(move |weight| (mode, weight))).collect()
    }

    /// Returns the assignment with these candidates and lowest digits of shared tensors.
    fn exact(&mut self, candidates: &[&Candidate], sequences: &BTreeMap<usize, Sequence>) -> Assignment {
        let (mut cost, mut shared, mut conversions) = (TileCost::default(), BTreeMap::new(), BTreeMap::new());
        candidates.iter().for_each(|candidate| cost += candidate.alone);
        let distributions: Vec<Distribution> = candidates.iter().map(|candidate| candidate.distribution.clone()).collect();
        for (tensor, sequence) in sequences {
            let mut uses = Vec::new();
            for (component, distribution) in self.components.all.iter().zip(&distributions) {
                for transfer in component.transfers.iter().filter(|transfer| transfer.tensor == *tensor) {
                    let distribution = distribution.projected(&transfer.dimensions);
                    uses.push(Use { statement: transfer.statement, distribution, store: transfer.store });
                }
            }
            let found = self.known.layout(&self.program.tensors[*tensor], &digits(sequence), &uses, &self.program.machine);
            let (wavefronts, instructions) = found.cost();
            cost.shared += wavefronts;
            cost.instructions += instructions;
            shared.insert(*tensor, found);
        }
        for (statement, operands) in &self.components.joints {
            if self.program.statements[*statement].action == Action::Convert {
                let found = conversion(self.program, *statement, operands, &distributions, &mut self.known);
                cost += found.cost();
                conversions.insert(*statement, found);
            }
        }
        Assignment { distributions, shared, conversions, cost }
    }
}

/// Gives components their distributions. Fails with the component and the line if one has another already.
fn joined(
    given: &mut BTreeMap<usize, (Distribution, usize)>,
    more: Vec<(usize, Distribution, usize)>,
) -> core::result::Result<(), (usize, usize)> {
    for (component, distribution, line) in more {
        match given.get(&component) {
            None => {
                given.insert(component, (distribution, line));
            }
            Some((known, _)) if same(known, &distribution) => {}
            Some(_) => return Err((component, line)),
        }
    }
    Ok(())
}

/// Tests whether two distributions put each element at the same thread. The registers may have any order.
fn same(a: &Distribution, b: &Distribution) -> bool {
    let sorted = |digits: &[Digit]| {
        let mut out: Vec<_> = digits.iter().map(|digit| (digit.mode, digit.weight, digit.radix)).collect();
        out.sort_unstable();
        out
    };
    a.lanes == b.lanes && a.warps == b.warps && sorted(&a.registers) == sorted(&b.registers)
}

/// Fails unless every element of a component has a place.
fn holds_all(component: &Component, distribution: &Distribution) -> core::result::Result<(), alloc::string::String> {
    for (mode, extent) in component.extents.iter().enumerate() {
        let mut digits: Vec<(i64, i64)> = distribution.all().filter(|d| d.mode == Some(mode)).map(|d| (d.weight, d.radix)).collect();
        digits.sort_unstable();
        let mut reach = 1;
        for (weight, radix) in digits {
            if weight != reach {
                return Err(format!(
                    "the layout does not hold each element of a mode of {extent} once: its parts are {weight} apart at {reach}"
                ));
            }
            reach *= radix;
        }
        if reach != *extent {
            return Err(format!(
                "the layout has {reach} of the {extent} values of a mode of this component; state a tensor with all its modes"
            ));
        }
    }
    Ok(())
}
