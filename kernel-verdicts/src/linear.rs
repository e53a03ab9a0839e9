//! Linear forms: sums of variables times polynomials of the parameters. An expression becomes a form over variables; quotients,
//! remainders, XORs, entries of tables and products become variables with a definition.

use crate::kernel::{Expr, Kernel, Name, Operator, Role};
use crate::poly::{Atoms, Poly, gcd};
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;

/// The maximum number of conditions that one proof combines.
const COMBINED: usize = 3;

/// The maximum number of forms that the proof of one claim tries.
const STEPS: usize = 100_000;

/// The maximum number of forms that one question tries.
const TRIED: usize = 2000;

/// The number of a variable.
pub(crate) type Var = usize;

/// The sum of a polynomial, and of variables times polynomials.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Form {
    pub terms: BTreeMap<Var, Poly>,
    pub constant: Poly,
}

impl Form {
    pub fn constant(constant: Poly) -> Form {
        Form { terms: BTreeMap::new(), constant }
    }

    pub fn int(number: i128) -> Form {
        Form::constant(Poly::int(number))
    }

    pub fn var(var: Var) -> Form {
        Form { terms: BTreeMap::from([(var, Poly::int(1))]), constant: Poly::default() }
    }

    pub fn plus(&self, other: &Form) -> Form {
        let mut out = self.clone();
        out.constant = out.constant.plus(&other.constant);
        for (var, factor) in &other.terms {
            let sum = out.terms.get(var).map_or_else(|| factor.clone(), |known| known.plus(factor));
            if sum.is_zero() {
                out.terms.remove(var)
            } else {
                out.terms.insert(*var, sum)
            };
        }
        out
    }

    pub fn negated(&self) -> Form {
        Form { terms: self.terms.iter().map(|(var, factor)| (*var, factor.negated())).collect(), constant: self.constant.negated() }
    }

    pub fn minus(&self, other: &Form) -> Form {
        self.plus(&other.negated())
    }

    pub fn minus_one(&self) -> Form {
        self.plus(&Form::int(-1))
    }

    /// Returns the product with a polynomial, or `None` if a coefficient is too great.
    pub fn times(&self, by: &Poly) -> Option<Form> {
        if by.is_zero() {
            return Some(Form::default());
        }
        let terms = self.terms.iter().map(|(var, factor)| Some((*var, factor.times(by)?))).collect::<Option<_>>()?;
        Some(Form { terms, constant: self.constant.times(by)? })
    }

    /// Returns the form with another one in place of a variable.
    pub fn with(&self, var: Var, form: &Form) -> Option<Form> {
        let Some(factor) = self.terms.get(&var) else { return Some(self.clone()) };
        let mut rest = self.clone();
        rest.terms.remove(&var);
        Some(rest.plus(&form.times(factor)?))
    }

    /// Returns the greatest common divisor of the coefficients of the variables.
    pub fn content(&self) -> i128 {
        self.terms.values().fold(0, |divisor, factor| gcd(divisor, factor.content()))
    }
}

/// The definition of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Definition {
    /// A coordinate, the counter of a loop, or the coordinate of an element.
    Free,
    /// The quotient of a form by a polynomial, rounded down. The next variable is the remainder.
    Quotient(Form, Poly),
    Remainder(Form, Poly),
    Xor(Form, Form),
    Entry(usize, Vec<Form>),
    Product(Form, Form),
}

/// A variable: its definition, and its least and greatest value, if they are known.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub is: Definition,
    pub low: Option<Poly>,
    pub high: Option<Poly>,
}

/// Variables and conditions.
#[derive(Clone, Debug)]
pub(crate) struct Space<'k> {
    pub kernel: &'k Kernel,
    pub atoms: Atoms,
    /// The polynomial of each parameter, by its name.
    params: Vec<Poly>,
    pub vars: Vec<Variable>,
    /// Forms that are not negative.
    pub conditions: Vec<Form>,
    /// Forms that are 0.
    pub equalities: Vec<Form>,
    /// The number of steps that are left for one claim, of this space and its copies.
    steps: Rc<Cell<usize>>,
}

/// The forms that stand for the names of one thread.
pub(crate) type Names = BTreeMap<Name, Form>;

impl<'k> Space<'k> {
    pub fn new(kernel: &'k Kernel) -> Self {
        let mut atoms = Atoms::default();
        let param = |role: &Role| match role {
            Role::Param(least) => Poly::atom(atoms.push((*least).into())),
            _ => Poly::default(),
        };
        let params = kernel.roles.iter().map(param).collect();
        Space { kernel, atoms, params, vars: Vec::new(), conditions: Vec::new(), equalities: Vec::new(), steps: Rc::new(Cell::new(STEPS)) }
    }

    pub fn push(&mut self, is: Definition, low: Option<Poly>, high: Option<Poly>) -> Var {
        self.vars.push(Variable { is, low, high });
        self.vars.len() - 1
    }

    /// Returns a new variable from 0 to `extent - 1`.
    pub fn below(&mut self, extent: &Form) -> Var {
        let high = extent.terms.is_empty().then(|| extent.constant.minus(&Poly::int(1)));
        let bounded = high.is_some();
        let var = self.push(Definition::Free, Some(Poly::default()), high);
        if !bounded {
            self.conditions.push(extent.minus(&Form::var(var)).minus_one());
        }
        var
    }

    /// Returns the form of a coordinate: a variable, which is added if it is new. `None` if its extent is not linear.
    pub fn coordinate(&mut self, names: &mut Names, name: Name) -> Option<Form> {
        if let Some(form) = names.get(&name) {
            return Some(form.clone());
        }
        let (Role::Grid(extent) | Role::Block(extent) | Role::Loop(extent)) = &self.kernel.roles[name] else { return None };
        let extent = self.form(names, extent)?;
        let form = Form::var(self.below(&extent));
        names.insert(name, form.clone());
        Some(form)
    }

    /// Adds the coordinates with these names.
    pub fn coordinates(&mut self, names: &mut Names, of: &[Name]) -> Option<()> {
        of.iter().try_for_each(|name| self.coordinate(names, *name).map(drop))
    }

    /// Assumes that a form is not negative.
    pub fn assume(&mut self, form: Form) {
        if self.conditions.last().is_some_and(|last| last.plus(&form) == Form::default()) {
            self.equalities.push(form.clone());
        }
        self.conditions.push(form);
    }

    /// Returns the form of an expression of one thread. `None` if a number is too great or a divisor may be 0.
    pub fn form(&mut self, names: &mut Names, expr: &Expr) -> Option<Form> {
        Some(match expr {
            Expr::Int(number) => Form::int((*number).into()),
            Expr::Name(name) => match self.kernel.roles[*name] {
                Role::Param(_) => Form::constant(self.params[*name].clone()),
                _ => self.coordinate(names, *name)?,
            },
            Expr::Entry(table, at) => {
                let at = at.iter().map(|at| self.form(names, at)).collect::<Option<Vec<_>>>()?;
                let below = self.form(names, &self.kernel.tables[*table].below)?;
                below.terms.is_empty().then_some(())?;
                let high = below.constant.minus(&Poly::int(1));
                self.defined(Definition::Entry(*table, at), Some(Poly::default()), Some(high))
            }
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.form(names, a)?, self.form(names, b)?);
                if matches!(operator, Operator::Quotient | Operator::Remainder) && !b.terms.is_empty() {
                    return None;
                }
                match operator {
                    Operator::Add => a.plus(&b),
                    Operator::Subtract => a.minus(&b),
                    Operator::Multiply => match (a.terms.is_empty(), b.terms.is_empty()) {
                        (true, _) => b.times(&a.constant)?,
                        (_, true) => a.times(&b.constant)?,
                        _ => {
                            let low = (self.is_nonnegative(&a) && self.is_nonnegative(&b)).then(Poly::default);
                            let high = low.as_ref().and_then(|_| self.upper(&a)?.times(&self.upper(&b)?));
                            self.defined(Definition::Product(a, b), low, high)
                        }
                    },
                    Operator::Quotient => self.digits(&a, &b.constant)?.0,
                    Operator::Remainder => self.digits(&a, &b.constant)?.1,
                    Operator::Xor => self.xor(a, b),
                }
            }
        })
    }

    /// Returns the variable with a definition as a form. A new one has these bounds.
    fn defined(&mut self, is: Definition, low: Option<Poly>, high: Option<Poly>) -> Form {
        let known = self.vars.iter().position(|var| var.is == is);
        Form::var(known.unwrap_or_else(|| self.push(is, low, high)))
    }

    /// Returns the XOR of two forms.
    pub fn xor(&mut self, a: Form, b: Form) -> Form {
        let number = |form: &Form| form.constant.as_int().filter(|_| form.terms.is_empty());
        match (number(&a), number(&b)) {
            (Some(a), Some(b)) => return Form::int(a ^ b),
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            _ => {}
        }
        let low = (self.is_nonnegative(&a) && self.is_nonnegative(&b)).then(Poly::default);
        let greatest = |space: &Self, form: &Form| space.upper(form)?.as_int().filter(|high| (0..1 << 62).contains(high));
        let high = low.as_ref().and_then(|_| {
            let most = greatest(self, &a)?.max(greatest(self, &b)?);
            Some(Poly::int(((most + 1) as u128).next_power_of_two() as i128 - 1))
        });
        self.defined(Definition::Xor(a, b), low, high)
    }

    /// Returns the quotient of a form by a polynomial, rounded down, and the remainder.
    fn digits(&mut self, of: &Form, by: &Poly) -> Option<(Form, Form)> {
        if !self.atoms.is_positive(by) {
            return None;
        }
        if of.terms.is_empty() {
            let quotient = self.atoms.quotient(&of.constant, by)?;
            return Some((Form::constant(quotient.clone()), Form::constant(of.constant.minus(&quotient.times(by)?))));
        }
        // Multiples of the divisor leave no remainder.
        let (mut whole, mut rest) = (Form::default(), Form::constant(of.constant.clone()));
        if let Some(quotient) = of.constant.over(by) {
            (whole.constant, rest.constant) = (quotient, Poly::default());
        }
        for (var, factor) in &of.terms {
            match factor.over(by) {
                Some(quotient) => whole.terms.insert(*var, quotient),
                None => rest.terms.insert(*var, factor.clone()),
            };
        }
        if rest.terms.is_empty() && rest.constant.is_zero() {
            return Some((whole, rest));
        }
        let negative = !self.is_nonnegative(&rest);
        if !negative && self.is_nonnegative(&Form::constant(by.clone()).minus(&rest).minus_one()) {
            return Some((whole, rest));
        }
        // A bound that is one less than a multiple of the divisor is best.
        let sums = self.conditions.iter().map(|condition| rest.plus(condition)).filter_map(|sum| self.upper(&sum));
        let most: Vec<Poly> = self.upper(&rest).into_iter().chain(sums).collect();
        let whole_extent = most.iter().find_map(|most| most.plus(&Poly::int(1)).over(by));
        let high = match whole_extent {
            Some(extent) => Some(extent.minus(&Poly::int(1))),
            None => most.first().and_then(|most| self.atoms.quotient(most, by)),
        };
        let low = (!negative).then(Poly::default);
        let known = self.vars.iter().any(|var| matches!(&var.is, Definition::Quotient(a, b) if (a, b) == (&rest, by)));
        let quotient = self.defined(Definition::Quotient(rest.clone(), by.clone()), low, high);
        let most = by.minus(&Poly::int(1));
        let remainder = self.defined(Definition::Remainder(rest.clone(), by.clone()), Some(Poly::default()), Some(most));
        if !known {
            let difference = rest.minus(&quotient.times(by)?).minus(&remainder);
            self.conditions.extend([difference.negated(), difference]);
        }
        Some((whole.plus(&quotient), remainder))
    }

    /// Returns the quotient of a form by a polynomial, rounded down.
    pub fn quotient(&mut self, of: &Form, by: &Poly) -> Option<Form> {
        Some(self.digits(of, by)?.0)
    }

    /// Returns the remainder of a form by a polynomial.
    pub fn remainder(&mut self, of: &Form, by: &Poly) -> Option<Form> {
        Some(self.digits(of, by)?.1)
    }

    /// Returns a polynomial that the form does not exceed, by the bounds of the variables.
    pub fn upper(&self, form: &Form) -> Option<Poly> {
        let mut out = form.constant.clone();
        for (var, factor) in &form.terms {
            let var = &self.vars[*var];
            let bound = match () {
                _ if self.atoms.is_nonnegative(factor) => var.high.as_ref()?,
                _ if self.atoms.is_nonnegative(&factor.negated()) => var.low.as_ref()?,
                _ => return None,
            };
            out = out.plus(&bound.times(factor)?);
        }
        Some(out)
    }

    /// Tests whether a form is proven to be never negative where the conditions hold.
    pub fn is_nonnegative(&self, form: &Form) -> bool {
        if self.is_nonnegative_by(form, COMBINED, &mut { TRIED }) {
            return true;
        }
        // A form is not negative if a multiple of it is greater than minus the factor.
        form.terms.keys().any(|var| match &self.vars[*var].is {
            Definition::Quotient(_, by) => form.times(by).is_some_and(|scaled| {
                self.is_nonnegative_by(&scaled.plus(&Form::constant(by.minus(&Poly::int(1)))), COMBINED, &mut { TRIED })
            }),
            _ => false,
        })
    }

    fn is_nonnegative_by(&self, form: &Form, combined: usize, budget: &mut usize) -> bool {
        *budget = budget.saturating_sub(1);
        let Some(left) = self.steps.get().checked_sub(1) else { return false };
        self.steps.set(left);
        if self.upper(&form.negated()).is_some_and(|most| self.atoms.is_nonnegative(&most.negated())) {
            return true;
        }
        if combined == 0 || *budget == 0 {
            return false;
        }
        // Take a multiple of a condition away that cancels a variable.
        for condition in &self.conditions {
            for (var, factor) in &form.terms {
                let Some(of) = condition.terms.get(var) else { continue };
                let Some(multiple) = factor.over(of).filter(|multiple| self.atoms.is_nonnegative(multiple)) else { continue };
                let Some(taken) = condition.times(&multiple) else { continue };
                if self.is_nonnegative_by(&form.minus(&taken), combined - 1, budget) {
                    return true;
                }
            }
        }
        false
    }

    /// Tests whether the conditions are proven to exclude each other.
    pub fn is_empty(&self) -> bool {
        self.conditions.iter().any(|condition| self.is_nonnegative(&condition.negated().minus_one()))
    }
}
