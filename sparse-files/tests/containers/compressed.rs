//! Text compressed by gzip, bzip2, Zstandard and xz.

use crate::sample;
use sparse_files::{AnyTensor, Bytes, FileError, FileKind, ReadOptions, Result, WriteOptions, matrix_market, read_bytes, tns};
use std::io::Write;

const ENDINGS: [&str; 4] = ["gz", "bz2", "zst", "xz"];

/// Compresses a text as one member.
fn packed(ending: &str, text: &[u8]) -> Vec<u8> {
    fn with<W: Write>(mut to: W, text: &[u8], finish: impl FnOnce(W) -> Vec<u8>) -> Vec<u8> {
        to.write_all(text).expect("compressed");
        finish(to)
    }
    match ending {
        "gz" => with(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best()), text, |to| to.finish().expect("gzip")),
        "bz2" => with(bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best()), text, |to| to.finish().expect("bzip2")),
        "zst" => {
            let mut to = zstd::Encoder::new(Vec::new(), 3).expect("Zstandard");
            to.include_checksum(true).expect("a checksum");
            with(to, text, |to| to.finish().expect("Zstandard"))
        }
        _ => with(lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).expect("xz"), text, |to| {
            to.finish().expect("xz")
        }),
    }
}

fn read(bytes: &[u8], name: &str) -> Result<(AnyTensor<'static>, FileKind)> {
    read_bytes(Bytes::from(bytes.to_vec()), name, &ReadOptions::default())
}

const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n4 6 5\n1 2 0.5\n1 6 -1.5\n3 3 4.0\n4 1 1024.0\n4 5 -0.25\n";

#[test]
fn members_of_other_packages_follow_one_another() {
    let matrix = matrix_market::read(MATRIX.as_bytes()).expect("a matrix");
    for (name, kind) in [
        ("members.mtx.bz2", FileKind::MatrixMarket),
        ("members.mtx.xz", FileKind::MatrixMarket),
        ("members.tns.zst", FileKind::Tns),
        ("members.tns.bz2", FileKind::Tns),
        ("extended.tns", FileKind::Tns),
    ] {
        let (tensor, found) = sparse_files::read(&sample(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((tensor, found), (matrix.view(), kind), "{name}");
    }
}

#[test]
fn content_decides_and_names_are_those_inside() {
    let matrix = matrix_market::read(MATRIX.as_bytes()).expect("a matrix");
    let lines = b"1 2 3 0.5\n2 1 1 4\n";
    for ending in ENDINGS {
        for name in ["standard input", "a.mtx", &format!("a.mtx.{ending}"), &format!("A.MTX.{}", ending.to_uppercase())] {
            assert_eq!(read(&packed(ending, MATRIX.as_bytes()), name), Ok((matrix.view().into_owned(), FileKind::MatrixMarket)), "{name}");
        }
        let (tensor, kind) = read(&packed(ending, lines), &format!("a.tns.{ending}")).expect("a tensor");
        assert_eq!((tensor, kind), (tns::read(lines, None).expect("a tensor"), FileKind::Tns), "{ending}");
        // Read many members, some of them empty or only a part of a line.
        let parts: Vec<u8> = MATRIX.as_bytes().chunks(7).chain([&b""[..]]).flat_map(|part| packed(ending, part)).collect();
        assert_eq!(read(&parts, "a"), Ok((matrix.view().into_owned(), FileKind::MatrixMarket)), "{ending}");
        // An empty text decompresses, but its kind is unknown.
        assert_eq!(read(&packed(ending, b""), "a").expect_err("no kind").class(), "file/kind", "{ending}");
    }
    // Parallel writers of Zstandard begin with a skippable frame.
    let skipped = [&b"\x50\x2a\x4d\x18\x04\0\0\0abcd"[..], &packed("zst", MATRIX.as_bytes())].concat();
    assert_eq!(read(&skipped, "a").map(|(tensor, _)| tensor), Ok(matrix));
}

#[test]
fn what_is_written_by_name_is_read_by_content() {
    let folder = std::env::temp_dir().join(format!("sparse-files-compressed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let matrix = matrix_market::read(MATRIX.as_bytes()).expect("a matrix");
    for ending in ENDINGS {
        for (name, kind) in [("a.mtx", FileKind::MatrixMarket), ("a.tns", FileKind::Tns), ("a.npy", FileKind::Npy)] {
            let path = folder.join(format!("{name}.{ending}"));
            sparse_files::write(&path, &matrix, kind, &WriteOptions::default()).expect("written");
            let bytes = std::fs::read(&path).expect("a file");
            let mut plain = std::io::Cursor::new(Vec::new());
            sparse_files::write_to(&mut plain, &matrix, kind, &WriteOptions::default()).expect("written");
            assert!(!bytes.starts_with(&plain.get_ref()[..8]), "{name}.{ending}");
            assert_eq!(sparse_files::read(&path, &ReadOptions::default()), read(plain.get_ref(), name), "{name}.{ending}");
        }
        let error = sparse_files::write(&folder.join(format!("a.npz.{ending}")), &matrix, FileKind::Npz, &WriteOptions::default());
        assert_eq!(error.expect_err("no text").class(), "file/counterpart");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn cut_and_changed_bytes() {
    let matrix = matrix_market::read(MATRIX.as_bytes()).expect("a matrix");
    for ending in ENDINGS {
        let whole = packed(ending, MATRIX.as_bytes());
        let name = format!("a.mtx.{ending}");
        for cut in 0..whole.len() {
            let error = read(&whole[..cut], &name).expect_err("a part");
            assert!(matches!(error.class(), "file/container" | "text/syntax"), "{name}, {cut} bytes: {error}");
        }
        // A truncated second member is an error.
        for cut in 1..whole.len() {
            let read = read(&[&whole[..], &whole[..cut]].concat(), &name);
            assert!(read.is_err(), "{name}, {cut} bytes of a second member");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                // Some bits of a header only describe the time and the system.
                if let Ok((tensor, _)) = read(&bytes, &name) {
                    assert_eq!(tensor, matrix, "{name}, bit {bit} of byte {at}");
                }
            }
        }
    }
}

#[test]
fn texts_are_inflated_as_far_as_their_first_lines_need() {
    let real = |sizes: &str| format!("%%MatrixMarket matrix coordinate real general\n% a comment\n{sizes}\n");
    // Ten entries allow 2,620 bytes. A shape of 3 by 3 allows no more than nine entries.
    for (header, entries) in [
        (real("1000 1000 10"), 10),
        (real("3 3 1000000"), 9),
        ("%%MatrixMarket matrix array real general\n3 3\n".into(), 9),
        ("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n".into(), 2),
        ("# extended FROSTT format\n3 4\n7 7 7\n".into(), 4),
        ("3\n2 2 2\n".into(), 8),
        ("sptensor\n2\n5 5\n3\n".into(), 3),
    ] {
        for ending in ENDINGS {
            for filler in ["\n", "%##############################\n", "# comment\n", "1 1 1\n"] {
                let packed = packed(ending, format!("{header}{}", filler.repeat((1 << 17) / filler.len())).as_bytes());
                let (length, error) = (packed.len() as u64, read(&packed, &format!("a.tns.{ending}")).expect_err("a long text"));
                let most = (10 * length + (1 << 16)).max(64 * 5 * entries);
                match error {
                    FileError::Inflated { packed, most: found, entries: of, .. } => {
                        assert_eq!((packed, found, of), (length, most, Some(entries)), "{header}")
                    }
                    error => panic!("{header}{ending}: {error}"),
                }
            }
        }
    }
    // These texts announce no size, so the maximum expansion of deflate is the limit.
    for header in ["", "1 1 1 0.5\n", "%%MatrixMarket matrix coordinate real general\n% no sizes\n", "\x7fELF"] {
        for ending in ["bz2", "zst", "xz"] {
            let packed = packed(ending, format!("{header}{}", "\n".repeat(1 << 19)).as_bytes());
            let result = read(&packed, "a.tns");
            match result.expect_err("a long text") {
                FileError::Inflated { most, entries: None, .. } => {
                    assert_eq!(most, (1032 * packed.len() as u64).max(10 * packed.len() as u64 + (1 << 16)))
                }
                error => panic!("{header}{ending}: {error}"),
            }
        }
    }
}

#[test]
fn texts_that_their_first_lines_need_are_inflated() {
    // A right-hand side of ones takes a few hundred bytes, each of which expands to thousands.
    let ones = format!("%%MatrixMarket matrix array real general\n100000 1\n{}", "1.0\n".repeat(100_000));
    for ending in ENDINGS {
        let packed = packed(ending, ones.as_bytes());
        let (tensor, _) = read(&packed, "a").unwrap_or_else(|error| panic!("{ending}: {error}"));
        assert_eq!((tensor.shape(), tensor.values_len()), (&[100_000, 1][..], 100_000), "{ending}: {} bytes", packed.len());
    }
    // Duplicates may take up to ten times the bytes of the file.
    let twice = format!("%%MatrixMarket matrix coordinate integer general\n2 2 3000\n{}", "1 2 3\n".repeat(3000));
    assert_eq!(read(&packed("xz", twice.as_bytes()), "a").expect("a matrix").0.stored(), 3000);
}
