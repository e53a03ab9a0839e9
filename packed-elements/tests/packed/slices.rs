//! Slices of packed elements: lengths, single elements, packing and unpacking.

use crate::for_each_width;
use crate::random::{Random, pattern, set_pattern};
use packed_elements::{I4, PackedElement, PackedError, PackedSlice, PackedSliceMut, U6, packed_bytes};

fn single_elements<E: PackedElement>() {
    let mut random = Random::new(E::BITS.into());
    for len in 0..40 {
        let bytes = packed_bytes::<E>(len).expect("few bytes");
        assert_eq!(bytes, (len * E::BITS as usize).div_ceil(8));
        // One byte more than needed: it must stay as it is.
        let mut data = random.bytes(bytes + 1);
        let mut naive = data.clone();
        for k in random.shuffled(len) {
            let element = random.next() as u16;
            set_pattern::<E>(&mut naive, k, element);
            PackedSliceMut::<E>::new(&mut data, len).expect("enough bytes").set(k, E::from_bits(element));
            assert_eq!(data, naive, "element {k} of {len}");
        }
        let elements = PackedSlice::<E>::new(&data, len).expect("enough bytes");
        assert_eq!((elements.len(), elements.is_empty(), elements.get(len).is_none()), (len, len == 0, true));
        let patterns: Vec<u16> = (0..len).map(|k| pattern::<E>(&data, k)).collect();
        assert!((0..len).all(|k| elements.get(k).map(E::to_bits) == Some(patterns[k])));
        assert!(elements.iter().map(E::to_bits).eq(patterns.iter().copied()));
        assert!(elements.iter().rev().map(E::to_bits).eq(patterns.iter().rev().copied()));
        assert!(elements.iter().skip(3).step_by(2).map(E::to_bits).eq(patterns.iter().skip(3).step_by(2).copied()));
    }
}

#[test]
fn elements_are_their_bits_and_leave_others() {
    for_each_width!(single_elements());
}

fn whole_slices<E: PackedElement>() {
    let mut random = Random::new(100 + u64::from(E::BITS));
    for len in 0..70 {
        let data = random.bytes(packed_bytes::<E>(len).expect("few bytes") + 2);
        let mut elements = vec![E::from_bits(0); len];
        PackedSlice::<E>::new(&data, len).and_then(|packed| packed.unpack_into(&mut elements)).expect("enough bytes");
        assert!(elements.iter().enumerate().all(|(k, element)| element.to_bits() == pattern::<E>(&data, k)));

        let before = random.bytes(data.len());
        let (mut packed, mut naive) = (before.clone(), before);
        PackedSliceMut::<E>::new(&mut packed, len).and_then(|mut to| to.pack_from(&elements)).expect("enough bytes");
        elements.iter().enumerate().for_each(|(k, element)| set_pattern::<E>(&mut naive, k, element.to_bits()));
        assert_eq!(packed, naive, "{len} elements");
    }
}

#[test]
fn packing_and_unpacking_are_inverse_and_leave_other_bits() {
    for_each_width!(whole_slices());
}

#[cfg(feature = "alloc")]
fn vectors<E: PackedElement>() {
    let mut random = Random::new(200 + u64::from(E::BITS));
    for len in [0, 1, 3, 8, 9, 31, 64] {
        let elements: Vec<E> = (0..len).map(|_| E::from_bits(random.next() as u16)).collect();
        let bytes = packed_elements::pack(&elements);
        assert_eq!(Some(bytes.len()), packed_bytes::<E>(len));
        let back = packed_elements::unpack::<E>(&bytes, len).expect("enough bytes");
        assert!(elements.iter().zip(&back).all(|(a, b)| a.to_bits() == b.to_bits()) && back.len() == len);
        // The bits after the last element are 0.
        let used = len * E::BITS as usize;
        assert!((used..8 * bytes.len()).all(|k| !crate::random::bit(&bytes, k)));
    }
}

#[cfg(feature = "alloc")]
#[test]
fn vectors_return() {
    for_each_width!(vectors());
}

fn hostile_lengths<E: PackedElement>() {
    let bits = E::BITS;
    for bytes in 0..20 {
        let data = vec![0; bytes];
        let most = bytes * 8 / bits as usize;
        assert!(PackedSlice::<E>::new(&data, most).is_ok());
        for elements in [most + 1, most + 2, usize::MAX / 16, usize::MAX / 8, usize::MAX / 2, usize::MAX - 1, usize::MAX] {
            let error = PackedError::Bytes { elements, bits, bytes };
            assert_eq!(PackedSlice::<E>::new(&data, elements).err(), Some(error));
            assert_eq!(PackedSliceMut::<E>::new(&mut data.clone(), elements).err(), Some(error));
        }
    }
}

#[test]
fn lengths_beyond_the_bytes_are_refused() {
    for_each_width!(hostile_lengths());
    #[cfg(feature = "alloc")]
    assert!(packed_elements::unpack::<U6>(&[0; 6], usize::MAX).is_err());
}

#[test]
fn other_lengths_are_refused() {
    let mut bytes = [0x21, 0x43];
    let packed = PackedSlice::<I4>::new(&bytes, 3).expect("enough bytes");
    assert_eq!(packed.unpack_into(&mut [0_i8; 4]), Err(PackedError::Length { packed: 3, unpacked: 4 }));
    let mut packed = PackedSliceMut::<I4>::new(&mut bytes, 3).expect("enough bytes");
    assert_eq!(packed.pack_from(&[1_i8, 2]), Err(PackedError::Length { packed: 3, unpacked: 2 }));
    assert_eq!(packed.pack_from(&[1_i8, 8, 2]), Err(PackedError::Value { value: 8, least: -8, greatest: 7 }));
    assert_eq!(bytes, [0x21, 0x43]);
}

#[test]
#[should_panic(expected = "element 3 is beyond the 3 packed elements")]
fn elements_beyond_the_last_are_not_written() {
    // The byte has room for a fourth element, which is no element of the slice.
    PackedSliceMut::<I4>::new(&mut [0; 2], 3).expect("enough bytes").set(3, I4::MAX);
}

#[test]
fn six_bits_cross_bytes() {
    // The places of four elements in three bytes, as numbers of bits.
    for (k, expected) in [[0x3F, 0, 0], [0xC0, 0x0F, 0], [0, 0xF0, 0x03], [0, 0, 0xFC]].into_iter().enumerate() {
        let mut bytes = [0; 3];
        PackedSliceMut::<U6>::new(&mut bytes, 4).expect("enough bytes").set(k, U6::MAX);
        assert_eq!(bytes, expected);
        let mut ones = [0xFF; 3];
        PackedSliceMut::<U6>::new(&mut ones, 4).expect("enough bytes").set(k, U6::MIN);
        assert_eq!(ones.map(|byte| !byte), expected);
    }
}
