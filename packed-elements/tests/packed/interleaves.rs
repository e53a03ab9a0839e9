//! Orders of elements in words and bytes, as other programs store them: each is a layout. The loops below are written by hand.

use crate::random::{Random, layout};
use packed_elements::{PackedElement, PackedTensor, U1, U4, transfer_packed};

const WORDS: usize = 24;

/// Returns nibbles, one in a byte, and the same in plain order: nibble `k % 8` of word `k / 8`.
fn nibbles() -> (Vec<u8>, Vec<u8>) {
    let nibbles: Vec<u8> = Random::new(5).bytes(8 * WORDS).iter().map(|byte| byte & 15).collect();
    let plain = nibbles.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect();
    (nibbles, plain)
}

/// Returns words in which nibble `k` has element `order[k]`.
fn words(nibbles: &[u8], order: [usize; 8]) -> Vec<u8> {
    let word = |elements: &[u8]| (0..8).fold(0, |word, k| word | u32::from(elements[order[k]]) << (4 * k));
    nibbles.chunks(8).flat_map(|elements| word(elements).to_le_bytes()).collect()
}

/// Compares the layouts of one word, in and out of this order, with the loop.
fn compared(order: [usize; 8], plain: &str, ordered: &str) {
    let (elements, packed) = nibbles();
    let [plain, ordered] = [plain, ordered].map(layout);
    let mut there = vec![0; packed.len()];
    transfer_packed::<U4, _, _>(plain, &packed, ordered, &mut there).expect("the same extents");
    assert_eq!(there, words(&elements, order));
    let mut back = vec![0; packed.len()];
    transfer_packed::<U4, _, _>(ordered, &there, plain, &mut back).expect("the same extents");
    assert_eq!(back, packed);
}

/// `AWQ_ORDER` of AutoAWQ: even elements, then odd ones.
#[test]
fn awq() {
    compared([0, 2, 4, 6, 1, 3, 5, 7], "((2,4),24):((1,2),8)", "((2,4),24):((4,1),8)");
}

/// `AWQ_REVERSE_ORDER` of AutoAWQ, the inverse: the first half of a word in the even nibbles.
#[test]
fn reverse_awq() {
    compared([0, 4, 1, 5, 2, 6, 3, 7], "((4,2),24):((1,4),8)", "((4,2),24):((2,1),8)");
}

/// The conversion of nibbles to f16 in FasterTransformer and Marlin: `lop3` takes nibbles `k` and `k + 4` of a word into a pair, for `k`
/// from 0 to 3. From words in the order of AWQ, the pairs have the elements in order.
#[test]
fn pairs_of_lop3() {
    let (elements, packed) = nibbles();
    let (plain, awq) = (layout("((2,4),24):((1,2),8)"), layout("((2,4),24):((4,1),8)"));
    let mut stored = vec![0; packed.len()];
    transfer_packed::<U4, _, _>(plain, &packed, awq, &mut stored).expect("the same extents");
    let mut pairs = Vec::new();
    for word in stored.chunks(4) {
        let mut word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        for _ in 0..4 {
            let both = word & 0x000F_000F;
            pairs.extend([both as u8, (both >> 16) as u8]);
            word >>= 4;
        }
    }
    assert_eq!(pairs, elements);
}

/// `qweight` of GPTQ: a word has eight rows of one column, and words are row-major.
#[test]
fn gptq() {
    const ROWS: usize = 32;
    const COLUMNS: usize = 6;
    let (elements, packed) = nibbles();
    let mut by_hand = [0_u32; ROWS / 8 * COLUMNS];
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            by_hand[row / 8 * COLUMNS + column] |= u32::from(elements[row * COLUMNS + column]) << (4 * (row % 8));
        }
    }
    let by_hand: Vec<u8> = by_hand.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut words = vec![0; packed.len()];
    transfer_packed::<U4, _, _>(layout("((8,4),6):((6,48),1)"), &packed, layout("((8,4),6):((1,48),8)"), &mut words)
        .expect("the same extents");
    assert_eq!(words, by_hand);
}

/// `Q4_0` of ggml, without its scales: byte `j` of 16 has element `j` in its low nibble, and element `j + 16` in its high nibble.
#[test]
fn ggml() {
    let (elements, packed) = nibbles();
    let by_hand: Vec<u8> =
        elements.chunks(32).flat_map(|block| (0..16).map(|j| block[j] | block[j + 16] << 4).collect::<Vec<_>>()).collect();
    let mut blocks = vec![0; packed.len()];
    transfer_packed::<U4, _, _>(layout("((16,2),6):((1,16),32)"), &packed, layout("((16,2),6):((2,1),32)"), &mut blocks)
        .expect("the same extents");
    assert_eq!(blocks, by_hand);
}

/// The highest nibble first, as in bitsandbytes: a stride of -1 from nibble 1 on.
#[test]
fn highest_nibble_first() {
    let (elements, packed) = nibbles();
    let by_hand: Vec<u8> = elements.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    let plain = PackedTensor::<_, _, U4>::new(&packed, layout("(2,96):(1,2)")).expect("enough bytes");
    let mut swapped = PackedTensor::<_, _, U4>::with_origin(vec![0; 96], 1, layout("(2,96):(-1,2)")).expect("enough bytes");
    swapped.assign(&plain).expect("the same extents");
    assert_eq!(swapped.into_storage(), by_hand);
}

/// The highest bit first, as in `packbits` of NumPy.
#[test]
fn highest_bit_first() {
    let bits: Vec<bool> = Random::new(8).bytes(80).iter().map(|byte| byte & 1 == 1).collect();
    let by_hand: Vec<u8> = bits.chunks(8).map(|byte| byte.iter().fold(0, |all, bit| all << 1 | u8::from(*bit))).collect();
    let mut t = PackedTensor::<_, _, U1>::with_origin(vec![0; 10], 7, layout("(8,10):(-1,8)")).expect("enough bytes");
    bits.iter().enumerate().for_each(|(k, bit)| t.set(k, U1::from_bits((*bit).into())));
    assert_eq!(t.into_storage(), by_hand);
}
