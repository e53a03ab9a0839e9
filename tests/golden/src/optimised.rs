//! Tests for builds with optimisations only.

use layout_core::{Tensor, make_layout};

/// More modes than walks nest.
#[test]
fn ten_modes() {
    type Modes = (usize, usize, usize, usize, usize, usize, usize, usize, usize, usize);
    let shape: Modes = (2, 2, 2, 2, 3, 2, 2, 2, 2, 2);
    let rows: Modes = (768, 384, 192, 96, 32, 16, 8, 4, 2, 1);
    let columns: Modes = (1, 2, 4, 8, 16, 48, 96, 192, 384, 768);
    let data: Vec<usize> = (0..1536).collect();
    let from = Tensor::new(&data[..], make_layout(shape, columns)).unwrap();
    let mut out = vec![0; 1536];
    let mut to = Tensor::new(&mut out[..], make_layout(shape, rows)).unwrap();
    to.assign(&from);
    for k in 0..1536 {
        assert_eq!(to[k], from[k]);
    }
    to.zip_mut((&from, &from), |x, (y, z)| *x = y + z);
    let mut sum = 0;
    to.for_each(|x| sum += x);
    from.ordered().zip(&to, |x, y| assert_eq!(2 * x, *y));
    from.for_each_at(|k: usize, x| assert_eq!(*x, from[k]));
    assert_eq!(sum, 1535 * 1536);
}
