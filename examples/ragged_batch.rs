//! A batch of sequences of different lengths, one of them empty, packed one after the other as attention kernels
//! take them (`cu_seqlens`). It computes a softmax within each sequence, and the sum of its vectors:
//! `cargo run --example ragged_batch`.

use crd2idx::ragged::{RaggedArray, RaggedError};

/// Returns the softmax of each list: `exp(x - max) / sum`, with the maximum and the sum of the list. Fails if the levels of
/// the array do not fit.
fn softmax(scores: &RaggedArray<'_, f32>) -> Result<RaggedArray<'static, f32>, RaggedError> {
    // An empty list has no maximum, and no elements that need one.
    let largest: Vec<f32> = scores.fold(1, f32::NEG_INFINITY, |most, score, _| *most = most.max(*score))?.leaves().to_vec();
    let powers = scores.broadcast(0, &largest, |score, most| (score - most).exp())?;
    let sums = powers.sum(1)?;
    powers.broadcast(0, sums.leaves(), |power, sum| power / sum)
}

/// Compares the results with loops over the offsets.
pub fn main() -> Result<(), RaggedError> {
    // Four sequences of 3, 0, 1 and 4 tokens. Nothing is copied.
    let cu_seqlens = [0_i32, 3, 3, 4, 8];
    let scores = [0.5_f32, 2.0, -1.0, 7.0, 1.0, 1.0, 1.0, 1.0];
    let batch = RaggedArray::from_cu_seqlens(&cu_seqlens[..], &[], &scores[..])?;
    let weights = softmax(&batch)?;
    for (sequence, ends) in cu_seqlens.windows(2).enumerate() {
        let row = &scores[ends[0] as usize..ends[1] as usize];
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|score| (score - largest).exp()).sum();
        for (token, score) in row.iter().enumerate() {
            assert!((weights.get(&[sequence, token])? - (score - largest).exp() / sum).abs() < 1e-6);
        }
    }
    // Numbers that kernels need in addition to the offsets.
    assert_eq!(batch.shape().longest(0), 4);
    assert_eq!(batch.shape().local_indices(0), [0, 1, 2, 0, 0, 1, 2, 3]);
    assert_eq!(batch.shape().parents(0), [0, 0, 0, 2, 3, 3, 3, 3]);
    // Sequence 2 has no second token: this is an error, not a number.
    let missing = batch.get(&[2, 1]).map_err(|error| error.to_string());
    println!("token 1 of sequence 2: {missing:?}");
    assert!(missing.is_err());

    // Two numbers for each token. The inner axis is regular, and the offsets stay the same array.
    let states: Vec<f32> = (0..16).map(|x| x as f32).collect();
    let states = RaggedArray::from_cu_seqlens(&cu_seqlens[..], &[2], &states[..])?;
    let sums = states.sum(1)?;
    println!("sums over the tokens: {:?} in rows of {:?}", sums.leaves(), sums.shape().offsets());
    assert_eq!(sums.row(0), [0.0 + 2.0 + 4.0, 1.0 + 3.0 + 5.0]);
    assert_eq!(sums.row(3), [8.0 + 10.0 + 12.0 + 14.0, 9.0 + 11.0 + 13.0 + 15.0]);
    println!("weights {:?}", weights.to_nested::<2, Vec<Vec<f32>>>()?);
    Ok(())
}
