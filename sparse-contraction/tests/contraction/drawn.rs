//! Contractions drawn at random: subscripts, formats, and storage of the result.

use crate::common::{Rng, Tensor, densely, format, naive, tensor};
use sparse_contraction::{Contraction, Factor};
use sparse_formats::Scalar;

/// Draws contractions, and compares each with the loop over all coordinates.
pub fn draw<T: Scalar>(seed: u64, count: u32, number: impl Fn(u64) -> T) {
    let mut rng = Rng::new(seed);
    for case in 0..count {
        let extents: Vec<u64> = (0..6)
            .map(|_| [0, 1, 2, 2, 3, 3, 4][rng.below(if case % 8 == 0 { 7 } else { 6 }) as usize + usize::from(case % 8 != 0)])
            .collect();
        let letters = 2 + rng.below(4);
        let operands = 1 + rng.below(4);
        let inputs: Vec<String> = (0..operands)
            .map(|_| {
                let rank = rng.below(5);
                let mut of = String::new();
                for _ in 0..rank {
                    let letter = (b'a' + rng.below(letters) as u8) as char;
                    // Repeated letters are rare, as most of them make the result small.
                    if !of.contains(letter) || rng.below(4) == 0 {
                        of.push(letter);
                    }
                }
                of
            })
            .collect();
        let tensors: Vec<Tensor<T>> = inputs
            .iter()
            .map(|of| {
                let shape: Vec<u64> = of.bytes().map(|letter| extents[(letter - b'a') as usize]).collect();
                tensor(&mut rng, &shape, &number)
            })
            .collect();
        let mut all: Vec<char> = inputs.concat().chars().collect();
        all.sort_unstable();
        let implicit: String = all.iter().filter(|letter| all.iter().filter(|other| other == letter).count() == 1).collect();
        all.dedup();
        let kept: Vec<char> = all.iter().copied().filter(|_| rng.below(2) == 0).collect();
        let explicit = rng.below(4) > 0;
        let output: String = if explicit { rng.shuffled(&kept).iter().collect() } else { implicit };
        let subscripts = if explicit { format!("{}->{output}", inputs.join(",")) } else { inputs.join(", ") };
        let factors: Vec<Factor<T>> = tensors.iter().map(Tensor::factor).collect();
        let contraction = match rng.below(4) {
            0 => Contraction::new(&subscripts).dense(),
            1 => Contraction::new(&subscripts).format(format(&mut rng, output.len())),
            _ => Contraction::new(&subscripts),
        };
        let formats: Vec<String> = tensors.iter().map(Tensor::format).collect();
        let shapes: Vec<&[u64]> = tensors.iter().map(|tensor| &tensor.shape[..]).collect();
        let what = || format!("case {case}: {contraction:?} of {formats:?} {shapes:?}\n{}", contraction.explain(&factors).unwrap());
        let found = contraction.run(&factors).unwrap_or_else(|error| panic!("{}{error}", what()));
        assert_eq!(densely(&found), naive(&inputs, &output, &tensors), "{}", what());
    }
}

#[test]
fn integers() {
    draw(1, if cfg!(miri) { 20 } else { 3_000 }, |k| k as i64 % 19 - 9);
}

#[test]
fn floating_point_numbers() {
    // Sums of these are exact.
    draw(2, if cfg!(miri) { 5 } else { 1_000 }, |k| (k % 33) as f64 / 4.0 - 4.0);
}
