//! NumPy arrays and their headers.

use sparse_files::npy::{self, Content};
use sparse_files::{AnyArray, ElementType};

fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend_from_slice(&(header.len() as u16).to_le_bytes());
    out.extend_from_slice(header.as_bytes());
    out.extend_from_slice(data);
    out
}

#[test]
fn headers_of_every_kind() {
    let read = |header: &str, data: &[u8]| {
        npy::read("a", &file(header, data)).map(|array| (array.shape, array.fortran, format!("{:?}", array.content)))
    };
    let numbers = |array: AnyArray<'static>| format!("{:?}", Content::Values(array));
    let plain = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }      \n";
    assert_eq!(read(plain, &[1, 0, 0, 0, 2, 0, 0, 0]).unwrap(), (vec![2], false, numbers(AnyArray::from_values(vec![1i32, 2]))));
    let other = "{\"shape\":(1, 2L),'fortran_order':True,\"descr\":\">u2\"}";
    assert_eq!(read(other, &[0, 1, 1, 0]).unwrap(), (vec![1, 2], true, numbers(AnyArray::from_values(vec![1u16, 256]))));
    let text = "{'descr': '<U2', 'fortran_order': False, 'shape': (), }";
    assert_eq!(npy::read("a", &file(text, &[b'a', 0, 0, 0, 0, 0, 0, 0])).unwrap().text("a"), Ok("a"));
    let bytes = "{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }";
    assert_eq!(npy::read("a", &file(bytes, b"csrab\0")).unwrap().content, Content::Texts(vec!["csr".into(), "ab".into()]));
    let empty = "{'descr': '<c16', 'fortran_order': False, 'shape': (0, 18446744073709551615), }";
    assert_eq!(read(empty, &[]).unwrap().0, [0, u64::MAX]);
    for (header, data, class) in [
        (plain, &[0u8; 7][..], "file/claim"),
        (plain, &[0; 9], "file/claim"),
        ("{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 2), }", &[], "file/claim"),
        ("{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }", &[], "array/header"),
        ("{'descr': '<i4', 'fortran_order': False, 'shape': 3, }", &[], "array/header"),
        ("{'descr': '<i4', 'fortran_order': 0, 'shape': (3,), }", &[], "array/header"),
        ("{'descr': '<f16', 'fortran_order': False, 'shape': (3,), }", &[], "array/header"),
        ("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", &[], "array/header"),
        ("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,), }", &[], "array/header"),
        ("{'descr': '<i4', 'fortran_order': False, }", &[], "array/header"),
        ("{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (0,), }", &[], "array/header"),
        ("{'descr': '<i4', 'fortran_order': False, 'shape': (0,), 'more': 1}", &[], "array/header"),
        ("{'descr': '<i4', 'fortran_order': False, 'shape': (0,)", &[], "array/header"),
        ("{'descr': '<U0', 'fortran_order': False, 'shape': (99999999999,), }", &[], "array/header"),
        ("{'descr': '|b1', 'fortran_order': False, 'shape': (1,), }", &[2], "array/value"),
        ("", &[], "array/header"),
    ] {
        let answer = npy::read("a", &file(header, data)).map_or_else(|error| error.class(), |_| "read");
        assert_eq!(answer, class, "{header}");
    }
    assert!(npy::read("a", b"").is_err() && npy::read("a", b"\x93NUMPY\x04\x00\x00\x00").is_err());
    assert!(npy::read("a", b"\x93NUMPY\x02\x00\xff\xff\xff\xff").is_err());
}

#[test]
fn what_is_written_is_read() {
    for element in ElementType::ALL {
        let values = AnyArray::from_bytes("a", *element, vec![1; 6 * element.size()].into(), false).unwrap();
        let mut out = Vec::new();
        npy::write(&mut out, &[3, 2], &values).unwrap();
        assert_eq!((out.len() - values.bytes().len()) % 64, 0);
        let array = npy::read("a", &out).unwrap();
        assert_eq!((&array.shape[..], array.fortran), (&[3, 2][..], false));
        assert_eq!(array.clone().tensor("a").unwrap().values_len(), 6);
        assert_eq!(array.values("a").unwrap(), values);
    }
    let mut out = Vec::new();
    npy::write_text(&mut out, "ein Text, größer").unwrap();
    assert_eq!(npy::read("a", &out).unwrap().text("a"), Ok("ein Text, größer"));
}
