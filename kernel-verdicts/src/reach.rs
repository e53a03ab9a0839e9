//! Proofs that a store reaches every element of a set: for each coordinate of the set there are threads and counters of loops.
//!
//! The coordinates of a store are mixed radices of its variables, so a variable is a digit of the coordinate. The conditions around the
//! store must then hold. Another store may reach the elements for which one of them fails.

use crate::concurrent::{Around, Pairs, Site};
use crate::kernel::{Kind, Name, Role};
use crate::linear::{Definition, Form, Names, Space, Var};
use crate::poly::Poly;
use crate::prove::assume;
use alloc::vec::Vec;

/// The maximum number of conditions of one store that may fail for an element that other stores reach.
const FAILING: usize = 6;

/// The maximum number of times that one proof tries a store.
const TRIED: usize = 300;

/// The maximum number of stores that one proof combines.
const STORES: usize = 6;

/// A store that may have been before, and the forms of its names that are not free.
#[derive(Clone)]
struct Candidate<'c, 'k> {
    site: &'c Site<'k>,
    names: Names,
    /// The form of the counter, if the store is in another pass of a loop.
    pass: Option<Form>,
}

/// Tests whether every element of a memory is proven to be stored by some thread.
pub(crate) fn is_written(space: &mut Space, sites: &[Site], memory: usize) -> Option<bool> {
    let mut target = Vec::new();
    for extent in &space.kernel.memories[memory].extents {
        let extent = space.form(&mut Names::new(), extent)?;
        target.push(Form::var(space.below(&extent)));
    }
    let stores = sites.iter().filter(|site| site.access.memory == memory && site.access.kind != Kind::Load);
    let candidates: Vec<Candidate> = stores.map(|site| Candidate { site, names: Names::new(), pass: None }).collect();
    Some(reaches(space, &target, &candidates, STORES, &mut { TRIED }))
}

/// Tests whether the element of a load is proven to have been stored: by the same thread, or before a barrier by a thread of the block.
pub(crate) fn is_stored(space: &mut Space, sites: &[Site], pairs: &Pairs, load: usize) -> Option<bool> {
    let kernel = space.kernel;
    let site = &sites[load];
    let mut names = Names::new();
    let of_grid = kernel.names_where(|role| matches!(role, Role::Grid(_)));
    let of_block = kernel.names_where(|role| matches!(role, Role::Block(_)));
    space.coordinates(&mut names, &of_grid)?;
    space.coordinates(&mut names, &of_block)?;
    assume(space, &mut names, &site.around)?;
    let target = site.access.at.iter().map(|at| space.form(&mut names, at)).collect::<Option<Vec<_>>>()?;
    let only =
        |of: &[Name]| -> Names { names.iter().filter(|(name, _)| of.contains(name)).map(|(name, form)| (*name, form.clone())).collect() };
    let mut candidates = Vec::new();
    for (number, store) in sites.iter().enumerate() {
        if store.access.memory != site.access.memory || store.access.kind == Kind::Load {
            continue;
        }
        let common: Vec<Name> = store.loops().into_iter().zip(site.loops()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        let concurrent = |next: Option<Name>| pairs.pairs.iter().any(|pair| pair.sites == [number, load] && pair.next == next);
        if number < load {
            // Accesses of one thread have the order of the text.
            candidates.push(Candidate { site: store, names: only(&[&of_grid[..], &of_block, &common].concat()), pass: None });
            if !concurrent(None) {
                candidates.push(Candidate { site: store, names: only(&[&of_grid[..], &common].concat()), pass: None });
            }
        }
        // The pass before this one of a loop around both: of the same thread, and of all threads of the block if they run in step.
        for (depth, name) in common.iter().enumerate() {
            let before = names.get(name)?.minus_one();
            let mut with = |threads: &[Name]| {
                let mut shared = only(&[&of_grid[..], threads, &common[..depth]].concat());
                shared.insert(*name, before.clone());
                candidates.push(Candidate { site: store, names: shared, pass: Some(before.clone()) });
            };
            with(&of_block);
            if pairs.in_step.contains(name) && !concurrent(Some(*name)) {
                with(&[]);
            }
        }
    }
    Some(space.is_empty() || reaches(space, &target, &candidates, STORES, &mut { TRIED }))
}

/// Tests whether the stores are proven to reach the element, whose coordinates are forms of the space, wherever its conditions hold.
fn reaches(space: &Space, target: &[Form], stores: &[Candidate], depth: usize, tried: &mut usize) -> bool {
    if space.is_empty() {
        return true;
    }
    if depth == 0 {
        return false;
    }
    stores.iter().enumerate().any(|(k, store)| {
        let Some(left) = tried.checked_sub(1) else { return false };
        *tried = left;
        let Some((reached, needed)) = Reach::new(space, store).and_then(|reach| reach.needs(target)) else { return false };
        let open: Vec<Form> = needed.into_iter().filter(|need| !reached.is_nonnegative(need)).collect();
        if open.len() > FAILING {
            return false;
        }
        let others: Vec<Candidate> = [&stores[..k], &stores[k + 1..]].concat();
        if !open.is_empty() && others.is_empty() {
            return false;
        }
        open.iter().all(|need| {
            let mut rest = reached.clone();
            rest.conditions.push(need.negated().minus_one());
            reaches(&rest, target, &others, depth - 1, tried)
        })
    })
}

/// A store whose variables are to be found.
struct Reach<'k> {
    space: Space<'k>,
    at: Vec<Form>,
    /// Forms that must not be negative where the store runs.
    needed: Vec<Form>,
    /// The variables to be found.
    free: Vec<Var>,
    /// The first variable of the store.
    first: Var,
}

impl<'k> Reach<'k> {
    fn new(of: &Space<'k>, store: &Candidate) -> Option<Self> {
        let (mut space, mut names) = (of.clone(), store.names.clone());
        let (first, conditions) = (space.vars.len(), space.conditions.len());
        let kernel = space.kernel;
        let coordinates = kernel.names_where(|role| matches!(role, Role::Grid(_) | Role::Block(_)));
        space.coordinates(&mut names, &coordinates)?;
        space.coordinates(&mut names, &store.site.loops())?;
        // Extents that depend on variables are conditions.
        let mut needed = space.conditions.split_off(conditions);
        for around in &store.site.around {
            if let Around::If(condition) = around {
                needed.push(space.form(&mut names, condition)?);
            }
        }
        let at = store.site.access.at.iter().map(|at| space.form(&mut names, at)).collect::<Option<Vec<_>>>()?;
        space.conditions.truncate(conditions);
        let free = (first..space.vars.len()).filter(|var| space.vars[*var].is == Definition::Free).collect();
        needed.extend(store.pass.clone());
        let mut reach = Reach { space, at, needed, free, first };
        reach.separate_digits()?;
        Some(reach)
    }

    /// Puts a form in place of a variable.
    fn put(&mut self, var: Var, form: &Form) -> Option<()> {
        for of in self.at.iter_mut().chain(&mut self.needed) {
            *of = of.with(var, form)?;
        }
        for other in &mut self.space.vars[self.first..] {
            match &mut other.is {
                Definition::Free | Definition::Entry(..) => {}
                Definition::Quotient(of, _) | Definition::Remainder(of, _) => *of = of.with(var, form)?,
                Definition::Xor(a, b) | Definition::Product(a, b) => {
                    let new = (a.with(var, form)?, b.with(var, form)?);
                    if new != (a.clone(), b.clone()) {
                        // The bounds belong to the operands before.
                        (other.low, other.high) = (None, None);
                        (*a, *b) = new;
                    }
                }
            }
        }
        self.free.retain(|free| *free != var);
        Some(())
    }

    /// Puts a quotient and a remainder in place of each variable that has them. Both are then free. Fails for other quotients.
    fn separate_digits(&mut self) -> Option<()> {
        for var in self.first..self.space.vars.len() {
            let Definition::Quotient(of, by) = self.space.vars[var].is.clone() else { continue };
            if self.is_found(&of) {
                continue;
            }
            let base = self.free.iter().copied().find(|free| of == Form::var(*free))?;
            let extent = self.space.vars[base].high.clone()?.plus(&Poly::int(1));
            self.space.vars[var].high = Some(extent.over(&by)?.minus(&Poly::int(1)));
            // The remainder is the variable after the quotient.
            for digit in [var, var + 1] {
                self.space.vars[digit].is = Definition::Free;
                self.free.push(digit);
            }
            self.put(base, &Form::var(var).times(&by)?.plus(&Form::var(var + 1)))?;
        }
        Some(())
    }

    /// Tests whether a form has no variables that are to be found.
    fn is_found(&self, form: &Form) -> bool {
        form.terms.keys().all(|var| match &self.space.vars[*var].is {
            _ if *var < self.first => true,
            Definition::Free => !self.free.contains(var),
            Definition::Quotient(of, _) | Definition::Remainder(of, _) => self.is_found(of),
            Definition::Xor(a, b) | Definition::Product(a, b) => self.is_found(a) && self.is_found(b),
            Definition::Entry(_, at) => at.iter().all(|at| self.is_found(at)),
        })
    }

    /// Finds the variables of the store for an element. Returns the forms that must not be negative, of variables of the element alone.
    fn needs(mut self, target: &[Form]) -> Option<(Space<'k>, Vec<Form>)> {
        let mut axes: Vec<usize> = (0..target.len()).collect();
        while !axes.is_empty() {
            let place = axes.iter().position(|axis| self.find(&self.at[*axis].clone(), &target[*axis]).is_some())?;
            axes.swap_remove(place);
        }
        // Any value will do for the others.
        for var in self.free.clone() {
            self.needed.push(Form::constant(self.space.vars[var].high.clone()?));
            self.put(var, &Form::default())?;
        }
        self.needed.iter().all(|form| self.is_found(form)).then_some((self.space, self.needed))
    }

    /// Finds the variables of a coordinate `at` that equals `target`. Fails if they are no digits of a number.
    fn find(&mut self, at: &Form, target: &Form) -> Option<()> {
        let (mut terms, mut rest) = (Vec::new(), at.clone());
        for (var, factor) in &at.terms {
            if !self.is_found(&Form::var(*var)) {
                terms.push((*var, factor.clone()));
                rest.terms.remove(var);
            }
        }
        let value = target.minus(&rest);
        if let [(var, factor)] = &terms[..]
            && let Definition::Xor(a, b) = self.space.vars[*var].is.clone()
            && factor.as_int() == Some(1)
        {
            return self.find_xor(&value, [a, b]);
        }
        // The digits from the least stride up.
        let (mut stride, mut digits) = (Poly::int(1), Vec::new());
        while !terms.is_empty() {
            let (var, _) = terms.swap_remove(terms.iter().position(|(_, factor)| *factor == stride)?);
            if !self.free.contains(&var) {
                return None;
            }
            let extent = self.space.vars[var].high.clone()?.plus(&Poly::int(1));
            digits.push((var, stride.clone()));
            stride = stride.times(&extent)?;
        }
        self.needed.push(value.clone());
        self.needed.push(Form::constant(stride).minus(&value).minus_one());
        self.found(&digits, &value)
    }

    /// Finds the variable in `a ^ b = value`: one operand is the variable, which has all numbers of some bits, and the other is known.
    fn find_xor(&mut self, value: &Form, operands: [Form; 2]) -> Option<()> {
        let place = (0..2).find(|k| self.is_found(&operands[1 - k]))?;
        let var = self.free.iter().copied().find(|free| operands[place] == Form::var(*free))?;
        let most = self.space.vars[var].high.clone()?.as_int()?;
        if !(most + 1).unsigned_abs().is_power_of_two() {
            return None;
        }
        for of in [value, &operands[1 - place]] {
            self.needed.extend([of.clone(), Form::int(most).minus(of)]);
        }
        let found = self.space.xor(value.clone(), operands[1 - place].clone());
        self.put(var, &found)
    }

    /// Puts a value in place of its digits.
    fn found(&mut self, digits: &[(Var, Poly)], value: &Form) -> Option<()> {
        for k in 0..digits.len() {
            // The digits from this one up are the quotient of the value by its stride.
            let stride = &digits[k].1;
            let mut above = Form::default();
            for (var, of) in &digits[k..] {
                above = above.plus(&Form::var(*var).times(&of.over(stride)?)?);
            }
            let is_used = |form: &Form| above.terms.keys().all(|var| form.terms.contains_key(var));
            if !self.at.iter().chain(&self.needed).any(is_used) {
                continue;
            }
            let quotient = if k == 0 { value.clone() } else { self.space.quotient(value, stride)? };
            for form in self.at.iter_mut().chain(&mut self.needed) {
                let Some(factor) = form.terms.get(&digits[k].0).cloned() else { continue };
                let without = form.minus(&above.times(&factor)?);
                if digits.iter().all(|(var, _)| !without.terms.contains_key(var)) {
                    *form = without.plus(&quotient.times(&factor)?);
                }
            }
        }
        // Digits that stand alone.
        for (k, (var, stride)) in digits.iter().enumerate() {
            let above = if k == 0 { value.clone() } else { self.space.quotient(value, stride)? };
            let digit = match digits.get(k + 1) {
                Some((_, next)) => self.space.remainder(&above, &next.over(stride)?)?,
                None => above,
            };
            self.put(*var, &digit)?;
        }
        Some(())
    }
}
