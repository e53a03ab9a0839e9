//! Attributes of tensors: symmetry, triangle, keys of users. A new one is a field of `Attributes` with a rule in
//! `Attributes::after` for each operation, and a test in `Attributes::check` if stored coordinates can contradict it.

use crate::{SparseError, SparsityPattern};
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::ops::ControlFlow;

/// The effect on the value of an element when two of its coordinates are exchanged. All extents of the tensor must be equal.
///
/// ```
/// use sparse_formats::{Attributes, Builder, Format, Indices, Symmetry, Triangle};
/// // [[0, -5], [5, 0]] as its lower triangle.
/// let columns: [Indices; 2] = [vec![1u8].into(), vec![0u8].into()];
/// let a = Builder::new(Format::coo(2), 0).build(&[2, 2], &columns, vec![5])?;
/// let skew = Attributes { symmetry: Some(Symmetry::Skew), triangle: Some(Triangle::Lower), ..Attributes::default() };
/// let both = a.with_attributes(skew)?.expand(|value, symmetry| if symmetry == Symmetry::Skew { -value } else { *value })?;
/// assert_eq!((both.at(&[1, 0]), both.at(&[0, 1])), (Some(&5), Some(&-5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Symmetry {
    /// The element stays the same.
    Symmetric,
    /// The element becomes its conjugate.
    Hermitian,
    /// The element becomes its negative.
    Skew,
}

/// The triangle that contains all stored elements.
///
/// ```
/// use sparse_formats::{Attributes, Builder, Format, Indices, Triangle};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![1u8, 1].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 2], &columns, vec![5, 6])?;
/// let in_triangle = |triangle| a.clone().with_attributes(Attributes { triangle: Some(triangle), ..Attributes::default() });
/// assert!(in_triangle(Triangle::Upper).is_ok());
/// let refused = in_triangle(Triangle::Lower).unwrap_err();
/// assert_eq!(refused.to_string(), "element 0 at [0, 1] is outside the lower triangle");
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Triangle {
    /// No coordinate is greater than the one before it: `i >= j`.
    Lower,
    /// No coordinate is less than the one before it: `i <= j`.
    Upper,
}

/// Properties of a tensor that its arrays do not show.
///
/// The mirror images of an element are the elements whose coordinates are permutations of its coordinates. With a
/// symmetry and a triangle, stored elements stand for their mirror images too. The table says, for each operation, which
/// attributes its result has:
///
/// | | symmetry | triangle | structure-symmetric | diagonal entries | user keys |
/// |---|---|---|---|---|---|
/// | another format | kept | kept | kept | kept | kept |
/// | another format, levels become dense axes | kept | dropped | dropped | dropped | kept |
/// | another format, repeated elements become one | kept with a triangle | kept | kept | dropped | kept |
/// | values mapped | `Symmetric` kept | kept | kept | kept | kept |
/// | axes permuted | kept | kept; turned by their reversal; else dropped | kept | kept | kept |
/// | one range of all axes | kept | kept | kept | dropped | dropped |
/// | other slices, reshaped, contracted | dropped | dropped | dropped | dropped | dropped |
/// | pruned | kept with a triangle | kept | dropped | dropped | dropped |
/// | two tensors added | kept if equal | kept if equal | kept if in both | dropped | equal ones kept |
/// | two tensors merged otherwise | kept if both `Symmetric` | kept if equal | kept if in both | dropped | equal ones kept |
/// | the other triangle stored too | kept | dropped | holds | kept | kept |
///
/// A merge into a format with dense axes also changes attributes like a conversion in which levels become dense axes.
/// In blocks over dense axes, every element counts separately. An operation returns an error if it would drop the
/// symmetry or the triangle of a tensor that has both, because it would drop elements.
///
/// ```
/// use sparse_formats::{Attributes, Builder, Format, Indices, Symmetry, Triangle};
/// // [[1, 5], [5, 2]] as its lower triangle.
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![0u8, 0, 1].into()];
/// let lower = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
/// assert!(lower.is_one_triangle());
/// let a = Builder::new(Format::csr(), 0).build(&[2, 2], &columns, vec![1, 5, 2])?.with_attributes(lower)?;
/// assert_eq!((a.at(&[1, 0]), a.at(&[0, 1])), (Some(&5), Some(&0)), "look-ups see the stored triangle only");
/// let error = a.pruned(|value| *value > 1)?.times_vector(&[1, 1]).unwrap_err();
/// assert!(error.to_string().starts_with("the tensor stores one triangle for both"));
/// assert_eq!(a.expand(|value, _| *value)?.times_vector(&[1, 1])?, [6, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attributes {
    /// The symmetry of the values, or `None` if no symmetry is known.
    pub symmetry: Option<Symmetry>,
    /// The triangle that contains all stored elements, or `None` if no triangle is known.
    pub triangle: Option<Triangle>,
    /// True if the mirror images of every stored element are stored too, whatever their values. With a symmetry and a
    /// triangle this is not checked, because mirror images are not stored.
    pub structure_symmetric: bool,
    /// The number of stored elements whose coordinates are all equal, or `None` if it is unknown.
    pub diagonal: Option<u64>,
    /// Keys of the user with their values. They have no meaning to this crate.
    pub user: BTreeMap<String, String>,
}

/// An operation on a tensor, as far as attributes depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'c> {
    /// A conversion to another format: whether levels become dense axes, and whether repeated elements become one.
    Format {
        padded: bool,
        combined: bool,
    },
    Values,
    Axes(&'c [usize]),
    /// A slice, and whether it takes the same range of all axes.
    Slice {
        principal: bool,
    },
    Pruned,
    /// A reshape or a contraction.
    Shape,
    /// A sum with another tensor, or another kind of merge.
    Merged {
        with: &'c Attributes,
        sum: bool,
    },
}

impl Attributes {
    /// Returns true if stored elements stand for their mirror images too.
    pub fn is_one_triangle(&self) -> bool {
        self.symmetry.is_some() && self.triangle.is_some()
    }

    /// Returns the attributes of the result of the operation `change` on a tensor with these attributes. Fails if an
    /// operand has both a symmetry and a triangle, and the result would lack one of them.
    pub(crate) fn after(&self, change: Change) -> Result<Attributes, SparseError> {
        let bare = Attributes::default();
        let out = match change {
            Change::Format { padded, combined } => Attributes {
                symmetry: self.symmetry.filter(|_| !combined || self.triangle.is_some()),
                triangle: self.triangle.filter(|_| !padded),
                structure_symmetric: self.structure_symmetric && !padded,
                diagonal: self.diagonal.filter(|_| !padded && !combined),
                user: self.user.clone(),
            },
            Change::Values => Attributes { symmetry: self.symmetry.filter(|symmetry| *symmetry == Symmetry::Symmetric), ..self.clone() },
            Change::Axes(axes) if axes.is_sorted() => self.clone(),
            Change::Axes(axes) => {
                let turned = |triangle| if triangle == Triangle::Lower { Triangle::Upper } else { Triangle::Lower };
                let reversed = axes.is_sorted_by(|a, b| a > b);
                Attributes { triangle: self.triangle.filter(|_| reversed).map(turned), ..self.clone() }
            }
            Change::Slice { principal: true } => Attributes { diagonal: None, user: BTreeMap::new(), ..self.clone() },
            Change::Pruned => Attributes { triangle: self.triangle, symmetry: self.symmetry.filter(|_| self.triangle.is_some()), ..bare },
            Change::Slice { principal: false } | Change::Shape => bare,
            Change::Merged { with, sum } => {
                let symmetry =
                    self.symmetry.filter(|symmetry| with.symmetry == Some(*symmetry) && (sum || *symmetry == Symmetry::Symmetric));
                let triangle = self.triangle.filter(|triangle| with.triangle == Some(*triangle));
                let user = self.user.iter().filter(|(key, value)| with.user.get(*key) == Some(*value));
                let user = user.map(|(key, value)| (key.clone(), value.clone())).collect();
                let structure_symmetric = self.structure_symmetric && with.structure_symmetric;
                if with.is_one_triangle() && (symmetry.is_none() || triangle.is_none()) {
                    return Err(SparseError::OneTriangle);
                }
                Attributes { symmetry, triangle, structure_symmetric, diagonal: None, user }
            }
        };
        if self.is_one_triangle() && !out.is_one_triangle() { Err(SparseError::OneTriangle) } else { Ok(out) }
    }

    /// Checks the attributes against the stored coordinates. It trusts the symmetry of the values. Fails if extents
    /// differ, an element is outside the triangle, a mirror image is missing, or the number of diagonal elements is wrong.
    pub(crate) fn check(&self, pattern: &SparsityPattern) -> Result<(), SparseError> {
        let shape = pattern.shape();
        let square = shape.windows(2).all(|pair| pair[0] == pair[1]);
        if !square && (self.symmetry.is_some() || self.structure_symmetric) {
            return Err(SparseError::Extents { shape: shape.to_vec() });
        }
        let mirrors = if self.structure_symmetric && !self.is_one_triangle() { 1..shape.len() } else { 0..0 };
        if self.triangle.is_none() && self.diagonal.is_none() && mirrors.is_empty() {
            return Ok(());
        }
        let mut diagonal = 0;
        let mut mirror = alloc::vec![0; shape.len()];
        let visited = pattern.visit_elements(|element, coordinate| {
            // A block over dense axes is one element of the pattern.
            let at = element.checked_div(pattern.block()).unwrap_or(0);
            diagonal += u64::from(coordinate.windows(2).all(|pair| pair[0] == pair[1]));
            let inside = match self.triangle {
                None => true,
                Some(Triangle::Lower) => coordinate.is_sorted_by(|a, b| a >= b),
                Some(Triangle::Upper) => coordinate.is_sorted(),
            };
            if let (false, Some(triangle)) = (inside, self.triangle) {
                let triangle = if triangle == Triangle::Lower { "lower" } else { "upper" };
                return ControlFlow::Break(SparseError::Outside { at, coordinate: coordinate.to_vec(), triangle });
            }
            // Exchanges of neighbouring axes generate all permutations, so the other mirror images need no check.
            for k in mirrors.clone() {
                mirror.copy_from_slice(coordinate);
                mirror.swap(k - 1, k);
                if pattern.find(&mirror).is_none() {
                    return ControlFlow::Break(SparseError::Unmatched { at, coordinate: coordinate.to_vec(), mirror: mirror.clone() });
                }
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = visited {
            return Err(error);
        }
        match self.diagonal {
            Some(said) if said != diagonal => Err(SparseError::Diagonal { found: diagonal, said }),
            _ => Ok(()),
        }
    }
}
