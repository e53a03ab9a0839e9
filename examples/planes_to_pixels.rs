//! Converts a batch of images from planes to pixels and back, and to numbers:
//! `cargo run --release --example planes_to_pixels`.

use crd2idx::relayout::{ReducingTransfer, Side, Transfer};
use std::time::Instant;

/// Converts images to pixels and back, and compares them with the original images.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (images, channels, height, width) = (16, 3, 480, 640);
    let pixels = height * width;
    let planes = Side::parse(&format!("({images},{channels},{pixels}):({},{pixels},1)", channels * pixels))?;
    let packed = Side::parse(&format!("({images},{channels},{pixels}):({},1,{channels})", channels * pixels))?;

    let bytes: Vec<u8> = (0..images * channels * pixels).map(|k| (k * 7 % 251) as u8).collect();
    let (mut out, mut back) = (vec![0; bytes.len()], vec![0; bytes.len()]);
    let (there, again) = (Transfer::new(&planes, &packed)?, Transfer::new(&packed, &planes)?);
    for _ in 0..3 {
        let start = Instant::now();
        there.run(&bytes, &mut out)?;
        let time = start.elapsed();
        again.run(&out, &mut back)?;
        eprintln!("{} MB to pixels: {time:?}", bytes.len() / 1_000_000);
    }
    assert_eq!(bytes, back);

    // The pixels as numbers between 0 and 1, and the mean of each channel.
    let mut numbers = vec![0.0; bytes.len()];
    again.transform(&out, &mut numbers, |to, from| *to = f32::from(*from) / 255.0)?;
    let mut sums = vec![0.0; channels];
    let of_channels = Side::parse(&format!("({images},{channels},{pixels}):(0,1,0)"))?;
    ReducingTransfer::new(&planes, &of_channels)?.run(&numbers, &mut sums, 0.0, |sum, x: f32| sum + f64::from(x), |a, b| a + b)?;
    println!("means {:.4?}", sums.iter().map(|sum| sum / (images * pixels) as f64).collect::<Vec<_>>());
    Ok(())
}
