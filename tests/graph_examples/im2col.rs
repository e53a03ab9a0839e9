//! A convolution as a product of matrices, compared with its loops.

use super::files::{graph, program};
use crd2idx::graph::Direction;

/// 8 images of 56 x 56 with 64 channels, a filter of 3 x 3, stride 2, and a padding of 1.
#[test]
fn addresses_and_validity_are_those_of_the_loops() {
    let graph = graph("im2col");
    let x = program(&graph, Direction::Reverse, &["m", "k"], &["x"]);
    let (mut m, mut valid, mut all) = (0, 0, 0);
    for (n, ho, wo) in (0..8).flat_map(|n| (0..28).flat_map(move |ho| (0..28).map(move |wo| (n, ho, wo)))) {
        let mut k = 0;
        // Test every row at a few coordinates, and the borders of the first image in full.
        let full = n == 0 && (ho % 27 == 0 || wo % 27 == 0);
        for (kh, kw, c) in (0..3).flat_map(|kh| (0..3).flat_map(move |kw| (0..64).map(move |c| (kh, kw, c)))) {
            if full || (m + k) % 131 == 0 {
                let (h, w) = (2 * ho + kh - 1, 2 * wo + kw - 1);
                let inside = (0..56).contains(&h) && (0..56).contains(&w);
                let address = ((n * 56 + h) * 56 + w) * 64 + c;
                assert_eq!(x.run(&[m, k]), Ok(vec![address]), "m = {m}, k = {k}");
                assert_eq!(x.is_valid(&[m, k]), Ok(inside), "m = {m}, k = {k}");
                if (m + k) % 1009 == 0 {
                    assert_eq!(graph.reverse(&[("m", m), ("k", k)], &["x"]), Ok(vec![address]));
                    assert_eq!(graph.is_valid(Direction::Reverse, &[("m", m), ("k", k)], &["x"]), Ok(inside));
                }
                valid += i64::from(inside);
                all += 1;
            }
            k += 1;
        }
        assert_eq!(k, 576);
        m += 1;
    }
    assert_eq!(m, 6272);
    assert!(all > 70_000 && valid < all && valid > all / 2, "{valid} of {all}");
    // The numbers of the book.
    assert_eq!(graph.is_valid(Direction::Reverse, &[("m", 30), ("k", 70)], &["x"]), Ok(true));
    assert_eq!(graph.is_valid(Direction::Reverse, &[("m", 0), ("k", 70)], &["x"]), Ok(false));
}
