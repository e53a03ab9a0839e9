//! Programs as sums of multiples of quotients of their inputs. The index functions of layouts have this form.

use super::forms::{Forms, Kind};
use super::poly::Poly;
use crate::program::Program;
use crate::sorted::SortedMap;
use layout_algebra::value::Node;

/// The sum `constant + sum coefficient * floor(input / period)` over pairs of an input and a period.
#[derive(Clone, Default)]
pub(crate) struct FloorSum {
    pub constant: i64,
    /// The coefficients, by number of the input, from 0, and period. No coefficient is 0.
    pub terms: SortedMap<(usize, i64), i64>,
}

impl Program {
    /// Returns output number `output` as a floor sum; `None` if its normal form is not one.
    pub(crate) fn floor_sum(&self, output: usize) -> Option<FloorSum> {
        let mut forms = Forms::new(self, SortedMap::new(), &[]);
        let form = forms.form(self.outputs.get(output)?.value);
        FloorSum::of(&forms, &form)
    }
}

impl FloorSum {
    fn of(forms: &Forms<'_>, p: &Poly) -> Option<FloorSum> {
        let mut out = FloorSum::default();
        for (monomial, coefficient) in p.terms() {
            match **monomial {
                [] => out.constant = out.constant.checked_add(*coefficient)?,
                [x] => out = out.plus(&FloorSum::of_kind(forms, &forms.atoms[x as usize].kind)?, *coefficient)?,
                _ => return None,
            }
        }
        Some(out)
    }

    fn of_kind(forms: &Forms<'_>, kind: &Kind) -> Option<FloorSum> {
        match kind {
            Kind::Input(input) => Some(FloorSum::one(*input, 1)),
            Kind::Binary(Node::Div, x, d) => FloorSum::of(forms, x)?.over(d.value()?),
            Kind::Binary(Node::Rem, x, d) => {
                let (x, d) = (FloorSum::of(forms, x)?, d.value()?);
                // x mod d = x - d floor(x / d)
                x.plus(&x.over(d)?, d.checked_neg()?)
            }
            _ => None,
        }
    }

    /// Returns the floor sum `floor(input / period)`.
    fn one(input: usize, period: i64) -> FloorSum {
        FloorSum { constant: 0, terms: SortedMap::from_iter([((input, period), 1)]) }
    }

    /// Returns `self + factor * other`; `None` if a coefficient overflows.
    fn plus(&self, other: &FloorSum, factor: i64) -> Option<FloorSum> {
        let mut out = self.clone();
        out.constant = out.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (at, coefficient) in other.terms.iter() {
            let sum = out.terms.or_insert(*at, 0);
            *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
        }
        out.terms.retain(|_, coefficient| *coefficient != 0);
        Some(out)
    }

    /// Returns `floor(self / d)` for a digit: `floor(floor(x / p) / d) = floor(x / (p d))`. For `floor(x / p) mod n`, `d`
    /// must divide `n`, and the result is modulo `n / d`. Returns `None` if `self` is no digit, `d` is not positive, or a
    /// number overflows.
    fn over(&self, d: i64) -> Option<FloorSum> {
        let (input, period, modulo) = self.digit().filter(|_| d > 0)?;
        let quotient = FloorSum::one(input, period.checked_mul(d)?);
        match modulo {
            None => Some(quotient),
            Some(n) if n % d == 0 => quotient.plus(&FloorSum::one(input, period.checked_mul(n)?), (n / d).checked_neg()?),
            Some(_) => None,
        }
    }

    /// Returns `(input, period, modulus)` if this is `floor(input / period)`, alone or modulo `modulus`; otherwise `None`.
    fn digit(&self) -> Option<(usize, i64, Option<i64>)> {
        let mut terms = self.terms.iter();
        match (self.constant, terms.next(), terms.next(), terms.next()) {
            (0, Some(((input, period), 1)), None, None) => Some((*input, *period, None)),
            (0, Some(((input, period), 1)), Some(((other, longer), times)), None) => {
                let n = times.checked_neg().filter(|n| other == input && period.checked_mul(*n) == Some(*longer))?;
                Some((*input, *period, Some(n)))
            }
            _ => None,
        }
    }
}
