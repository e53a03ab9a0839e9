//! Attributes of tensors: symmetries, triangles, keys of users.

use crate::{SparseError, SparsityPattern};
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::ops::ControlFlow;

/// How elements change when two axes are exchanged; the tensor has equal extents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Symmetry {
    /// Not at all.
    Symmetric,
    /// To their conjugates.
    Hermitian,
    /// To their negatives.
    Skew,
}

/// Where all stored elements are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Triangle {
    /// No coordinate is greater than the one before it: `i >= j`.
    Lower,
    /// No coordinate is less than the one before it: `i <= j`.
    Upper,
}

/// Properties of a tensor that its arrays do not say.
///
/// With a symmetry and a triangle, stored elements stand for their mirror images too. What operations make of attributes:
///
/// | | symmetry | triangle | structure-symmetric | diagonal entries | user keys |
/// |---|---|---|---|---|---|
/// | another format | kept | kept | kept | kept | kept |
/// | another format, levels become dense axes | kept | dropped | dropped | dropped | kept |
/// | another format, repeated elements become one | kept with a triangle | kept | kept | dropped | kept |
/// | values mapped | `Symmetric` kept | kept | kept | kept | kept |
/// | axes permuted | kept | kept; turned by their reversal; else dropped | kept | kept | kept |
/// | one range of all axes | kept | kept | kept | dropped | dropped |
/// | other slices, reshaped, contracted, pruned | dropped | kept by pruning | dropped | dropped | dropped |
/// | two tensors added | that of both | that of both | of both | dropped | those equal in both |
/// | two tensors multiplied or merged otherwise | that of both, if `Symmetric` | that of both | of both | dropped | those equal in both |
/// | the other triangle stored too | kept | dropped | holds | kept | kept |
///
/// A merger into a format with dense axes keeps what levels that become dense axes do.
/// Elements of blocks over dense axes count one by one.
/// An operation that would drop the symmetry or the triangle of a tensor that has both is refused: it would drop elements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attributes {
    /// The symmetry of the values.
    pub symmetry: Option<Symmetry>,
    /// The triangle of the stored elements.
    pub triangle: Option<Triangle>,
    /// True where with each stored element those are stored whose axes are exchanged, whatever their values.
    pub structure_symmetric: bool,
    /// How many stored elements have equal coordinates.
    pub diagonal: Option<u64>,
    /// Keys of users.
    pub user: BTreeMap<String, String>,
}

/// A change of a tensor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'c> {
    /// Another format: whether levels become dense axes, and whether repeated elements have become one.
    Format {
        padded: bool,
        combined: bool,
    },
    Values,
    Axes(&'c [usize]),
    /// A slice: whether it takes one range of all axes.
    Slice {
        principal: bool,
    },
    Pruned,
    /// Reshaped or contracted.
    Shape,
    /// Added to, or merged otherwise with, a tensor.
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

    /// The attributes of the result of an operation.
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

    /// Tests that they hold of the stored coordinates; symmetries of values are believed.
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
            // Exchanges of neighbours make all permutations.
            for k in mirrors.clone() {
                mirror.copy_from_slice(coordinate);
                mirror.swap(k - 1, k);
                if pattern.find(&mirror).is_none() {
                    return ControlFlow::Break(SparseError::Unmatched { at, coordinate: coordinate.to_vec() });
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
