//! im2col by the runs of a graph and by the windows of a tensor, compared with loops by hand:
//! `cargo bench --bench runs`.
//!
//! Prints nanoseconds per element of the matrix for the hand-written loops, which find the taps inside the image
//! once per row and copy slices. For the others it prints the relative time: runs, `assign_windows`, and the
//! functions of the graph element by element. All run in turn, and the least time of each counts.

use crd2idx::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;

/// A way to fill a matrix: by hand, by runs, by windows, or element by element.
type Way = fn(&[f32], &mut [f32]);

/// Makes a convolution of `$n` images (n, h, w, c). Its parameters are the channels, the side of an image, the
/// taps per side, the step, the pad, and the side of the result. The matrices are ((n, ho, wo), (kh, kw, c)).
macro_rules! convolution {
    ($module:ident, $n:literal, $c:literal, $side:literal, $taps:literal, $step:literal, $pad:literal, $out:literal) => {
        mod $module {
            use super::*;

            const OUT: usize = $out;
            const ROWS: usize = $n * OUT * OUT;
            const COLUMNS: usize = $taps * $taps * $c;
            pub const SIZES: [usize; 2] = [$n * $side * $side * $c, ROWS * COLUMNS];
            pub const WAYS: [Way; 4] = [by_hand, by_runs, by_windows, by_elements];

            graph! {
                dim x, n = $n : $side * $side * $c, h = $side : $side * $c, w = $side : $c, c = $c : 1;
                dim hp, wp, ho = OUT, wo = OUT, kh = $taps, kw = $taps, m = ROWS, k = COLUMNS;
                flatten sizes;
                Split(x -> n, h, w, c);
                Pad(h -> hp; left = $pad, right = $pad);
                Pad(w -> wp; left = $pad, right = $pad);
                Embed(hp -> ho, kh; coefficients = [$step, 1]);
                Embed(wp -> wo, kw; coefficients = [$step, 1]);
                Flatten(n, ho, wo -> m);
                Flatten(kh, kw, c -> k);
                fn element = reverse(m, k) -> x;
                fn is_inside = valid reverse(m, k) -> x;
                fn taps = runs k reverse(m, k) -> x;
            }

            fn by_runs(image: &[f32], matrix: &mut [f32]) {
                for (m, row) in matrix.chunks_exact_mut(COLUMNS).enumerate() {
                    for run in taps(m, 0..COLUMNS) {
                        run.read(image, &mut row[run.range()], 0.0);
                    }
                }
            }

            fn by_windows(image: &[f32], matrix: &mut [f32]) {
                let image = Tensor::new(image, layout!(($c, $side, $side, $n) : (1, $c, { $c * $side }, { $c * $side * $side }))).expect("as long");
                let mut matrix = Tensor::new(matrix, layout!((COLUMNS, ROWS) : (1, COLUMNS))).expect("as long");
                let convolution = Convolution::new([$c, $taps, $taps, 1]).step([1, $step, $step, 1]).padding([0, $pad, $pad, 0], [0, $pad, $pad, 0]);
                matrix.assign_windows(&image, &convolution, Boundary::Constant(&0.0)).expect("even strides");
            }

            fn by_elements(image: &[f32], matrix: &mut [f32]) {
                for (m, row) in matrix.chunks_exact_mut(COLUMNS).enumerate() {
                    for (k, to) in row.iter_mut().enumerate() {
                        *to = if is_inside(m, k) { image[element(m, k) as usize] } else { 0.0 };
                    }
                }
            }

            fn by_hand(image: &[f32], matrix: &mut [f32]) {
                for (m, row) in matrix.chunks_exact_mut(COLUMNS).enumerate() {
                    let (n, ho, wo) = (m / OUT / OUT, m / OUT % OUT, m % OUT);
                    // The taps of a row that lie inside the image.
                    let first = $pad.max(wo * $step) - wo * $step;
                    let end = ($side + $pad - wo * $step).min($taps);
                    for (kh, line) in row.chunks_exact_mut($taps * $c).enumerate() {
                        let Some(h) = (ho * $step + kh).checked_sub($pad).filter(|h| *h < $side) else {
                            line.fill(0.0);
                            continue;
                        };
                        let from = ((n * $side + h) * $side + wo * $step + first - $pad) * $c;
                        line[..first * $c].fill(0.0);
                        line[first * $c..end * $c].copy_from_slice(&image[from..][..(end - first) * $c]);
                        line[end * $c..].fill(0.0);
                    }
                }
            }
        }
    };
}

convolution!(step_2, 8, 64, 56, 3, 2, 1, 28);
convolution!(first, 1, 3, 224, 7, 2, 3, 112);
convolution!(same, 8, 16, 32, 3, 1, 1, 32);
convolution!(small, 64, 4, 8, 3, 1, 1, 8);

/// Runs all ways in turn on an image and a matrix of these sizes, and prints their times. The first way is by hand.
fn report(name: &str, [image, matrix]: [usize; 2], ways: [Way; 4]) {
    let image: Vec<f32> = (0..image).map(|x| x as f32).collect();
    let mut out = vec![0.0; matrix];
    ways[0](&image, &mut out);
    for way in &ways[1..] {
        let mut got = vec![f32::NAN; matrix];
        way(&image, &mut got);
        assert!(got == out, "{name}: another matrix");
    }
    let mut least = [f64::MAX; 4];
    for _ in 0..ROUNDS {
        for (way, least) in ways.iter().zip(&mut least) {
            let start = Instant::now();
            way(black_box(&image), black_box(&mut out));
            *least = least.min(start.elapsed().as_secs_f64() / matrix as f64);
        }
    }
    println!(
        "  {name:<26} {:7.3} ns   runs {:.2}   windows {:.2}   elements {:.2}",
        least[0] * 1e9,
        least[1] / least[0],
        least[2] / least[0],
        least[3] / least[0]
    );
}

fn main() {
    report("3 x 3, 64 channels, step 2", step_2::SIZES, step_2::WAYS);
    report("7 x 7, 3 channels, step 2", first::SIZES, first::WAYS);
    report("3 x 3, 16 channels", same::SIZES, same::WAYS);
    report("3 x 3, 4 channels, 8 x 8", small::SIZES, small::WAYS);
}
