//! Proofs for all sizes: two accesses touch one element only in one thread, an access is inside its memory, and stores reach all elements.
//!
//! Two accesses of one element have equal coordinates, so the differences of their coordinates are equations. An equation of terms
//! with the stride `s`, and a rest between `-s` and `s`, is two equations: the terms are 0, and the rest is 0. This undoes mixed radices of
//! any sizes, as `256 * block + thread`. The threads are one if their coordinates are proven to be equal.

use crate::concurrent::{Around, Pair, Pass, Site};
use crate::kernel::{Expr, Name, Role};
use crate::linear::{Definition, Form, Names, Space, Var};
use crate::poly::Poly;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// The maximum number of equations that one proof splits or substitutes.
const STEPS: usize = 200;

/// Equations between forms.
struct Solver<'s, 'k> {
    space: &'s mut Space<'k>,
    /// Forms that are 0.
    equations: Vec<Form>,
    /// The forms that stand in place of variables.
    replaced: BTreeMap<Var, Form>,
    /// The equations that definitions have given.
    given: BTreeSet<Form>,
}

/// There is no solution.
struct Contradiction;

impl Solver<'_, '_> {
    fn solve(&mut self) -> Result<(), Contradiction> {
        let mut steps = 0;
        while steps < STEPS && self.step()? {
            steps += 1;
        }
        if self.space.is_empty() { Err(Contradiction) } else { Ok(()) }
    }

    /// Makes one step. Returns false if there is none.
    fn step(&mut self) -> Result<bool, Contradiction> {
        for k in 0..self.equations.len() {
            let equation = self.equations[k].clone();
            if equation.terms.is_empty() {
                let constant = &equation.constant;
                if constant.is_zero() {
                    self.equations.swap_remove(k);
                    return Ok(true);
                }
                if self.space.atoms.is_positive(constant) || self.space.atoms.is_positive(&constant.negated()) {
                    return Err(Contradiction);
                }
                continue;
            }
            // The sum of the terms is a multiple of their common divisor.
            if let (Some(constant), content) = (equation.constant.as_int(), equation.content())
                && content > 0
                && constant % content != 0
            {
                return Err(Contradiction);
            }
            if let Some((var, form)) = self.isolated(&equation) {
                self.equations.swap_remove(k);
                self.replace(var, &form);
                return Ok(true);
            }
            if let Some((group, rest)) = self.split(&equation) {
                self.equations[k] = group;
                self.equations.push(rest);
                return Ok(true);
            }
        }
        Ok(self.congruences())
    }

    /// Returns a variable of an equation of at most two variables with the factors 1 and -1, and the form that equals it.
    fn isolated(&self, equation: &Form) -> Option<(Var, Form)> {
        if equation.terms.len() > 2 {
            return None;
        }
        let unit = |factor: &Poly| factor.as_int().filter(|factor| factor.abs() == 1);
        if equation.terms.len() == 1 {
            let (var, factor) = equation.terms.iter().next()?;
            // A factor that may be 0 says nothing of its variable.
            let never_0 = self.space.atoms.is_positive(factor) || self.space.atoms.is_positive(&factor.negated());
            let constant = never_0.then(|| equation.constant.negated().over(factor))??;
            return Some((*var, Form::constant(constant)));
        }
        // Keep the coordinates: replace the variable that was added last.
        let (var, factor) = equation.terms.iter().next_back()?;
        let factor = unit(factor)?;
        equation.terms.values().all(|factor| unit(factor).is_some()).then_some(())?;
        let mut rest = equation.clone();
        rest.terms.remove(var);
        Some((*var, if factor == 1 { rest.negated() } else { rest }))
    }

    /// Returns the two parts of an equation, the multiples of a stride divided by the stride and the rest, if the rest is less than
    /// the stride.
    fn split(&self, equation: &Form) -> Option<(Form, Form)> {
        for stride in equation.terms.values() {
            let atoms = &self.space.atoms;
            let stride = if atoms.is_positive(stride) { stride.clone() } else { stride.negated() };
            if !atoms.is_positive(&stride) || stride.as_int() == Some(1) {
                continue;
            }
            let (mut group, mut rest) = (Form::default(), Form::constant(equation.constant.clone()));
            for (var, factor) in &equation.terms {
                match factor.over(&stride) {
                    Some(quotient) => group.terms.insert(*var, quotient),
                    None => rest.terms.insert(*var, factor.clone()),
                };
            }
            let mut choices = alloc::vec![(group.clone(), rest.clone())];
            if let Some(quotient) = rest.constant.over(&stride) {
                (group.constant, rest.constant) = (quotient, Poly::default());
                choices.insert(0, (group, rest));
            }
            let most = Form::constant(stride.minus(&Poly::int(1)));
            let fits = |rest: &Form| self.space.is_nonnegative(&most.minus(rest)) && self.space.is_nonnegative(&most.plus(rest));
            let is_new = |(group, rest): &(Form, Form)| *rest != Form::default() || group != equation;
            if let Some(found) = choices.into_iter().filter(is_new).find(|(_, rest)| fits(rest)) {
                return Some(found);
            }
        }
        None
    }

    /// Puts a form in place of a variable, everywhere.
    fn replace(&mut self, var: Var, form: &Form) {
        let with = |of: &mut Form| {
            // A product that is too great leaves the variable, which is still right.
            if let Some(new) = of.with(var, form) {
                *of = new;
            }
        };
        self.equations.iter_mut().chain(&mut self.space.conditions).chain(self.replaced.values_mut()).for_each(with);
        for other in &mut self.space.vars {
            match &mut other.is {
                Definition::Free => {}
                Definition::Quotient(of, _) | Definition::Remainder(of, _) => with(of),
                Definition::Xor(a, b) | Definition::Product(a, b) => [a, b].into_iter().for_each(with),
                Definition::Entry(_, at) => at.iter_mut().for_each(with),
            }
        }
        let bounds = [
            self.space.vars[var].low.clone().map(|low| form.minus(&Form::constant(low))),
            self.space.vars[var].high.clone().map(|high| Form::constant(high).minus(form)),
        ];
        self.space.conditions.extend(bounds.into_iter().flatten());
        self.replaced.insert(var, form.clone());
    }

    fn form_of(&self, var: Var) -> Form {
        self.replaced.get(&var).cloned().unwrap_or_else(|| Form::var(var))
    }

    /// Returns a form without the variables that have been replaced.
    fn normal(&self, form: &Form) -> Option<Form> {
        self.replaced.iter().try_fold(form.clone(), |form, (var, with)| form.with(*var, with))
    }

    fn are_equal(&self, a: Var, b: Var) -> bool {
        self.form_of(a) == self.form_of(b)
    }

    /// Adds equations that follow from definitions: of equal operands, and of equal results. Returns false if there are no new ones.
    fn congruences(&mut self) -> bool {
        let mut new: Vec<Form> = Vec::new();
        for a in 0..self.space.vars.len() {
            for b in 0..a {
                let equal = self.are_equal(a, b);
                let (x, y) = (&self.space.vars[a].is, &self.space.vars[b].is);
                if *x != Definition::Free && x == y && !equal {
                    new.push(self.form_of(a).minus(&self.form_of(b)));
                }
                // Equal remainders, which are the variables after the quotients.
                if let (Definition::Quotient(of_a, by_a), Definition::Quotient(of_b, by_b)) = (x, y)
                    && by_a == by_b
                    && of_a != of_b
                    && self.are_equal(a + 1, b + 1)
                    && let Some(multiple) = self.form_of(a).minus(&self.form_of(b)).times(by_a)
                {
                    new.push(of_a.minus(of_b).minus(&multiple));
                }
                if !equal {
                    continue;
                }
                match (x, y) {
                    (Definition::Xor(a0, a1), Definition::Xor(b0, b1)) => {
                        for ([a, b], [c, d]) in [([a0, b0], [a1, b1]), ([a1, b1], [a0, b0])] {
                            if a == b && c != d {
                                new.push(c.minus(d));
                            }
                        }
                    }
                    (Definition::Entry(table, at), Definition::Entry(other, of))
                        if table == other && self.space.kernel.tables[*table].distinct =>
                    {
                        new.extend(at.iter().zip(of).filter(|(a, b)| a != b).map(|(a, b)| a.minus(b)));
                    }
                    _ => {}
                }
            }
        }
        new.retain(|equation| self.given.insert(equation.clone()));
        let some = !new.is_empty();
        self.equations.extend(new);
        some
    }
}

/// Assumes the loops and the conditions around an access.
pub(crate) fn assume(space: &mut Space, names: &mut Names, around: &[Around]) -> Option<()> {
    for around in around {
        match around {
            Around::Loop(name) => drop(space.coordinate(names, *name)?),
            Around::If(condition) => {
                let form = space.form(names, condition)?;
                space.assume(form);
            }
        }
    }
    Some(())
}

/// Tests whether two accesses that no barrier orders are proven to touch different elements in different threads of a block or, if
/// `grid`, in different blocks.
pub(crate) fn is_free_of_races(space: &mut Space, sites: &[Site], pair: &Pair, grid: bool) -> Option<bool> {
    let kernel = space.kernel;
    let [of_grid, of_block] =
        [kernel.names_where(|role| matches!(role, Role::Grid(_))), kernel.names_where(|role| matches!(role, Role::Block(_)))];
    let mut shared = Names::new();
    if !grid {
        space.coordinates(&mut shared, &of_grid)?;
    }
    for name in &pair.same {
        space.coordinate(&mut shared, *name)?;
    }
    // The extent of a loop may have added other names.
    shared.retain(|name, _| pair.same.contains(name) || !grid && of_grid.contains(name));
    let mut names = [shared.clone(), shared];
    let mut equations = Vec::new();
    for (side, site) in pair.sites.iter().enumerate() {
        space.coordinates(&mut names[side], &[&of_grid[..], &of_block].concat())?;
        assume(space, &mut names[side], &sites[*site].around)?;
        for (name, pass) in &pair.passes[side] {
            let var = space.coordinate(&mut names[side], *name)?;
            equations.push(match (pass, &kernel.roles[*name]) {
                (Pass::Last, Role::Loop(extent)) => space.form(&mut names[side], extent)?.minus_one().minus(&var),
                _ => var,
            });
        }
    }
    if let Some(name) = pair.next {
        equations.push(names[1].get(&name)?.minus(names[0].get(&name)?).minus_one());
    }
    let [a, b] = pair.sites.map(|site| sites[site].access);
    for (x, y) in a.at.iter().zip(&b.at) {
        let x = space.form(&mut names[0], x)?;
        let y = space.form(&mut names[1], y)?;
        equations.push(x.minus(&y));
    }
    equations.append(&mut space.equalities);
    let mut solver = Solver { space, equations, replaced: BTreeMap::new(), given: BTreeSet::new() };
    if solver.solve().is_err() {
        return Some(true);
    }
    let goal: &[Name] = if grid { &of_grid } else { &of_block };
    Some(goal.iter().all(|name| match (names[0].get(name), names[1].get(name)) {
        (Some(a), Some(b)) => solver.normal(&a.minus(b)) == Some(Form::default()),
        _ => false,
    }))
}

/// Tests whether coordinates are proven to be at least 0 and below the extents, where the statements around them are reached.
pub(crate) fn is_inside(space: &mut Space, around: &[Around], at: &[Expr], extents: &[Expr]) -> Option<bool> {
    let mut names = Names::new();
    assume(space, &mut names, around)?;
    let mut all = true;
    for (at, extent) in at.iter().zip(extents) {
        let (at, extent) = (space.form(&mut names, at)?, space.form(&mut Names::new(), extent)?);
        all &= space.is_nonnegative(&at) && space.is_nonnegative(&extent.minus(&at).minus_one());
    }
    Some(all || space.is_empty())
}
