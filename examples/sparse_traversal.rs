//! Traversals of sparse matrices and tensors: a CSR matrix over existing arrays, without a copy, and a tensor of
//! three axes in CSF, fiber by fiber: `cargo run --example sparse_traversal`.

use crd2idx::level::{Compressed, End, Fixed, LevelError, Root, Then};
use crd2idx::sparse::{Builder, Format, Indices, SparseTensor};

/// Returns `y = A x` for the CSR matrix in these arrays. They are checked once, so the walk needs no checks. Fails if they
/// do not form a CSR matrix.
fn multiply(pointers: &[u32], columns: &[u16], values: &[f64], x: &[f64]) -> Result<Vec<f64>, LevelError> {
    let rows = pointers.len().saturating_sub(1);
    let matrix = Root::new(Then(Fixed::new(rows), Then(Compressed::new(pointers, columns, x.len())?, End)))?;
    let mut y = vec![0.0; rows];
    for ((row, (column, ())), element) in matrix.iter() {
        y[row] += values[element] * x[column];
    }
    Ok(y)
}

/// Returns `M[i][j] = sum_k T[i][j][k] v[k]`, one sum for each fiber of a tensor in CSF.
fn contract(tensor: &SparseTensor<'_, f64>, v: &[f64]) -> Vec<Vec<f64>> {
    let [rows, columns] = [0, 1].map(|axis| tensor.shape()[axis] as usize);
    let mut out = vec![vec![0.0; columns]; rows];
    let mut elements = tensor.pattern().elements();
    // Coordinates come in storage order, so the elements of a fiber follow each other.
    while let Some(element) = elements.next_entry() {
        let [i, j, k] = [0, 1, 2].map(|level| element.coordinates[level] as usize);
        out[i][j] += tensor.values().get(element.elements.start).map_or(0.0, |value| value * v[k]);
    }
    out
}

/// Compares both traversals with loops over dense arrays.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // [[0, 1.5, 0, 2], [], [3, 0, 0, 0]]
    let (pointers, columns, values) = ([0, 2, 2, 3], [1, 3, 0], [1.5, 2.0, 3.0]);
    let dense = [[0.0, 1.5, 0.0, 2.0], [0.0; 4], [3.0, 0.0, 0.0, 0.0]];
    let x = [1.0, 2.0, 3.0, 4.0];
    let y = multiply(&pointers, &columns, &values, &x)?;
    for (row, sum) in dense.iter().zip(&y) {
        assert_eq!(row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>(), *sum);
    }
    println!("CSR: {y:?}");
    let refused = multiply(&[0, 2, 1, 3], &columns, &values, &x).map_err(|error| error.to_string());
    println!("pointers that decrease: {refused:?}");
    assert!(refused.is_err());

    // The coordinates are in any order; the format sorts them into levels.
    let elements = [([1u64, 2, 0], 4.0), ([0, 0, 3], 1.0), ([1, 2, 4], 5.0), ([0, 1, 1], 2.0), ([0, 0, 0], 3.0)];
    let axes: [Indices; 3] = [0, 1, 2].map(|axis| elements.iter().map(|(at, _)| at[axis]).collect::<Vec<_>>().into());
    let tensor =
        Builder::new(Format::csf(3), 0.0).build(&[2, 3, 5], &axes, elements.iter().map(|(_, value)| *value).collect::<Vec<_>>())?;
    let v = [1.0, 10.0, 100.0, 1000.0, 10000.0];
    let sums = contract(&tensor, &v);
    for (i, row) in sums.iter().enumerate() {
        for (j, sum) in row.iter().enumerate() {
            let all = elements.iter().filter(|(at, _)| at[..2] == [i as u64, j as u64]);
            assert_eq!(all.map(|(at, value)| value * v[at[2] as usize]).sum::<f64>(), *sum);
        }
    }
    println!("{} ({}): {sums:?}", tensor.format(), tensor.format().alias().unwrap_or("no name"));

    // The fibers are the (i, j) that occur, each with the range of its elements.
    let mut fibers = tensor.pattern().fibers(2);
    let mut lengths = Vec::new();
    while let Some(fiber) = fibers.next_entry() {
        lengths.push((fiber.coordinates.to_vec(), fiber.elements.len()));
    }
    assert_eq!(lengths, [(vec![0, 0], 2), (vec![0, 1], 1), (vec![1, 2], 2)]);
    Ok(())
}
