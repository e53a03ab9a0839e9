//! Conversions between layouts of the notation and linear layouts.

use super::{LinearDimension, LinearLayout};
use crate::algebra::operands::Operand;
use crate::algebra::xor::{Linear, Slots, mode_bits, of_linear};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::heap::*;
use crate::value::{ExprGraph, LayoutValue};

impl LinearLayout {
    /// Returns the linear map of a plain, swizzled or XOR-stride layout, and the offset at coordinate 0 that is xor-ed to the
    /// map's value. Mode `k` becomes the input `"k"`; the output is `"index"`, of the least size that holds every value.
    ///
    /// Refused if the size of a mode is not a power of two, if sums carry, and for negative indices.
    ///
    /// ```
    /// use layout_algebra::linear::LinearLayout;
    /// use layout_algebra::{error::Op, expression::{Operand, Parser}, value::ExprGraph};
    /// let mut scope = ExprGraph::<0>::new(Op::Parse);
    /// let swizzled: Operand<16> = Parser::whole("S<2,0,2> o 0 o (4,4):(4,1)", &mut scope)?;
    /// let (linear, offset) = LinearLayout::from_layout(&swizzled)?;
    /// assert_eq!(linear.bases(), [("0", vec![vec![5], vec![10]]), ("1", vec![vec![1], vec![2]])]);
    /// assert_eq!(linear.to_layout::<16>()?.to_string(), "S<2,0,2> o 0 o (4,4):(4,1)");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn from_layout<const N: usize>(layout: &Operand<N>) -> Result<(LinearLayout, u64)> {
        let mut cx = ExprGraph::<0>::new(Op::ToXor);
        let linear = Linear::of(layout, &mut cx)?;
        let domain = match layout {
            Operand::Composed(composed) => &composed.outer,
            Operand::Layout(l) => l,
            _ => return Err(LayoutError::plain(Op::ToXor, Cause::OperandKind, 0, 0)),
        };
        let modes = mode_bits(domain, &mut cx)?;
        let inputs = (0..modes.len).map(|k| LinearDimension::new(k.to_string(), modes.bits[k] as u32)).collect();
        let outputs = vec![LinearDimension::new("index", linear.matrix.outputs())];
        let layout = LinearLayout::of_matrix(inputs, outputs, linear.matrix);
        Ok((layout.map_err(|_| LayoutError::plain(Op::ToXor, Cause::TooLong, 0, 0))?, linear.offset))
    }

    /// Returns the layout that has a mode for each input and whose index is the flattened outputs. It has integer strides, or is
    /// a swizzle of such a layout. Refused if neither exists; [`LinearLayout::to_xor`] always exists.
    ///
    /// ```
    /// use layout_algebra::linear::LinearLayout;
    /// // The values 3, 6 and 5 of the coordinates 1, 2 and 4 share bits, so no integer strides exist.
    /// let layout = LinearLayout::new(vec![("0".into(), vec![vec![3], vec![6], vec![5]])], vec![("index".into(), 8)])?;
    /// assert!(layout.to_layout::<8>().is_err());
    /// assert_eq!(layout.to_xor::<8>().unwrap().to_string(), "((4,2)):((^3,^5))");
    /// # Ok::<(), layout_algebra::linear::LinearError>(())
    /// ```
    pub fn to_layout<const N: usize>(&self) -> Result<Operand<N>> {
        let linear = Linear { offset: 0, matrix: self.matrix };
        of_linear(&linear, &self.slots(Op::ToAffine)?, false, &mut ExprGraph::<0>::new(Op::ToAffine))
    }

    /// Returns the layout with a mode for each input and XOR strides, or integer strides if no bits are shared. Fails above `N` leaves.
    ///
    /// ```
    /// use layout_algebra::linear::LinearLayout;
    /// let transposed = LinearLayout::new(
    ///     vec![("0".into(), vec![vec![4], vec![8]]), ("1".into(), vec![vec![1], vec![2]])],
    ///     vec![("index".into(), 16)],
    /// )?;
    /// assert_eq!(transposed.to_xor::<8>().unwrap().to_string(), "(4,4):(4,1)");
    /// # Ok::<(), layout_algebra::linear::LinearError>(())
    /// ```
    pub fn to_xor<const N: usize>(&self) -> Result<LayoutValue<N>> {
        LayoutValue::of_matrix(&self.matrix, &self.slots(Op::ToXor)?, &mut ExprGraph::<0>::new(Op::ToXor))
    }

    /// Returns the number of bits of each input. Refused if there are more than `N` inputs.
    fn slots<const N: usize>(&self, op: Op) -> Result<Slots<N>> {
        if self.inputs.len() > N {
            return Err(LayoutError::plain(op, Cause::Capacity, N as i64, 0));
        }
        let mut slots = Slots { len: self.inputs.len(), bits: [0; N] };
        for (slot, d) in slots.bits.iter_mut().zip(&self.inputs) {
            *slot = d.bits as usize;
        }
        Ok(slots)
    }
}
