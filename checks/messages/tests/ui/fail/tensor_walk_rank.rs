use crd2idx::prelude::*;

fn main() -> Result<(), TensorError> {
    let data = [0; 24];
    let t = Tensor::new(&data, layout!((2, 3, 4) : (1, 2, 6)))?;
    t.for_each_at(|(i, j): (usize, usize), x| assert_eq!(*x, 6 * i * j));
    let (_m, _n): (usize, usize) = t.shape();
    Ok(())
}
