//! Tests of the names of formats.

use crate::common::{Rng, orders, structures};
use sparse_formats::LevelKind::{IndexedPointers as DC, Indices as S, Pointers as C};
use sparse_formats::{Balance, Format, FormatError, MAX_RANK};

fn parse(name: &str) -> Result<Format, FormatError> {
    name.parse()
}

/// Returns every structure up to rank 5, in all axis orders up to rank 4 and some of rank 5, with multigraphs,
/// unsorted levels, split nodes and dense axes.
fn every_format() -> Vec<Format> {
    let mut rng = Rng(1);
    let mut out = Vec::new();
    for rank in 0..=5 {
        let axes = if rank <= 4 { orders(rank) } else { (0..6).map(|_| rng.permutation(rank)).collect() };
        for levels in 0..=rank {
            for multigraph in [false, true] {
                for kinds in structures(levels, multigraph) {
                    for (k, axes) in axes.iter().enumerate() {
                        let format = crate::common::format(&kinds, axes, multigraph);
                        let flags: Vec<bool> = kinds.iter().map(|kind| *kind != C && rng.below(2) == 0).collect();
                        let unsorted = format.clone().with_unsorted(&flags).unwrap();
                        let level = rng.below(levels as u64 + 1) as usize;
                        let split = unsorted.clone().with_balanced(Some(Balance { level, most: 1 + rng.below(1000) as usize }));
                        out.push(format);
                        // Take flags for one order of the axes in three, to save time.
                        if k % 3 == 0 && flags.contains(&true) {
                            out.push(unsorted);
                        }
                        if k % 3 == 0 {
                            out.extend(split.ok());
                        }
                    }
                }
            }
        }
    }
    out
}

#[test]
fn every_name_is_that_of_one_format() {
    let formats = every_format();
    let mut names = std::collections::BTreeMap::new();
    for format in &formats {
        let name = format.to_string();
        assert_eq!(parse(&name).as_ref(), Ok(format), "{name}");
        assert_eq!(Format::parse_with_rank(&name, format.rank()).as_ref(), Ok(format), "{name}");
        assert!(Format::parse_with_rank(&name, format.rank() + 1).is_err(), "{name}");
        if let Some(other) = names.insert(name.clone(), format) {
            assert_eq!(other, format, "{name}");
        }
    }
    assert!(names.len() > 9_000, "{}", names.len());
}

#[test]
fn names_without_hyphens() {
    for rank in 1..=5 {
        let mut names = std::collections::BTreeMap::new();
        for kinds in structures(rank, true) {
            for orientation in ["R", "C", "X"] {
                let axes: Vec<usize> = match orientation {
                    "R" => (0..rank).collect(),
                    "C" => (0..rank).rev().collect(),
                    _ if rank < 3 => continue,
                    _ => (1..rank).chain([0]).collect(),
                };
                let format = crate::common::format(&kinds, &axes, kinds[rank - 1] != S);
                let letters: String = kinds.iter().map(|kind| kind.token()).chain([orientation]).collect();
                let name = if orientation == "X" { format!("{letters}{axes:?}").replace(' ', "") } else { letters };
                // `CSC` of rank 2 is compressed columns; of rank 3 it would be the levels C, S, C without an
                // orientation.
                assert_eq!(Format::parse_with_rank(&name, rank).as_ref(), Ok(&format), "{name}");
                if rank > 1 {
                    assert!(names.insert(name.clone(), kinds.clone()).is_none(), "{name}");
                }
                // Without a rank the name is an alias, or an error.
                match parse(&name) {
                    Ok(read) => assert_eq!((&read, read.alias()), (&format, Some(name.as_str()))),
                    Err(error) => assert_eq!(error.class(), "levels/name", "{name}"),
                }
            }
        }
    }
}

#[test]
fn aliases_are_names() {
    for format in every_format() {
        if let Some(alias) = format.alias() {
            assert_eq!(Format::parse_with_rank(alias, format.rank()), Ok(format), "{alias}");
        }
    }
}

#[test]
fn extensions_read_back() {
    let base = Format::new(&[DC, DC, S], &[2, 0, 1]).unwrap();
    let format = base.with_unsorted(&[true, false, true]).unwrap().with_balanced(Some(Balance { level: 1, most: 16 })).unwrap();
    assert_eq!(format.to_string(), "DC-DC-S-X[2,0,1]+unsorted(0,2)+balanced(1,16)");
    assert_eq!(parse(&format.to_string()), Ok(format));
    let dense = Format::new(&[C, S], &[1, 0, 3, 2]).unwrap();
    assert_eq!(dense.to_string(), "C-S-D-D-X[1,0,3,2]");
    assert_eq!(parse(&dense.to_string()), Ok(dense));
    assert_eq!(parse("D-D-R").unwrap().dense_axes(), 2);
    assert_eq!(Format::coo(0).to_string(), "R");
    assert_eq!(parse("R"), Ok(Format::coo(0)));
}

#[test]
fn aliases() {
    let names = ["CSR", "CSC", "DCSR", "DCSC", "SSR", "SSC", "VEC"];
    let printed = ["C-S-R", "C-S-C", "DC-S-R", "DC-S-C", "S-S-R", "S-S-C", "S-R"];
    for (alias, name) in names.iter().zip(printed) {
        let format = parse(alias).unwrap();
        assert_eq!((format.to_string().as_str(), format.alias()), (name, Some(*alias)));
    }
    assert_eq!(parse("COO"), Ok(Format::coo(2)));
    assert_eq!(parse("COOC").unwrap().to_string(), "S-S-C");
    assert_eq!(parse("CSF[2,0,1]").unwrap().to_string(), "DC-DC-S-X[2,0,1]");
    assert_eq!(Format::parse_with_rank("CSF", 5), Ok(Format::csf(5)));
    assert_eq!(Format::csf(4).alias(), Some("CSF"));
    assert_eq!(Format::coo(3).alias(), Some("COO"));
}

#[test]
fn refusals() {
    let class = |name: &str| parse(name).unwrap_err().class();
    for name in ["Q-S-R", "CSZ", "S-Q", "", "S--R", "c-s-r", "D-S-R"] {
        assert_eq!(class(name), "levels/token", "{name}");
    }
    // These names lack the orientation, or could have several ranks.
    for name in ["S-S", "C-DC", "CDCSSR", "CC", "CSF"] {
        assert_eq!(class(name), "levels/name", "{name}");
    }
    for name in ["C-S-X", "C-S-X[0]", "C-S-X[0,0]", "C-S-X[0,2]", "C-S-R[1,0]", "C-S-C[0,1]", "CSR[1,0]", "C-S-X[0,1", "C-S-X[0,b]"] {
        assert_eq!(class(name), "levels/axes", "{name}");
    }
    for name in [
        "CSR+blocked",
        "CSR+",
        "CSR+multigraph()",
        "CSR+unsorted",
        "CSR+unsorted()",
        "CSR+balanced(1)",
        "CSR+unsorted(1",
        "S-S-R+unsorted(0)+unsorted(1)",
        "S-R+multigraph+multigraph",
    ] {
        assert_eq!(class(name), "levels/extension", "{name}");
    }
    for name in [
        "CSR+unsorted(0)",
        "CSR+unsorted(5)",
        "CSR+balanced(0,1)",
        "DC-S-R+balanced(0,0)",
        "DC-C-S-R+balanced(0,1)",
        "DC-S-C-S-R+balanced(0,1)",
    ] {
        assert_eq!(class(name), "levels/flag", "{name}");
    }
    // A format for any number of axes is limited to the maximum rank.
    assert_eq!((Format::coo(300).rank(), Format::csf(255).rank()), (MAX_RANK, MAX_RANK));
    assert_eq!(Format::parse_with_rank("COO", 300).unwrap_err(), FormatError::Rank { rank: 300, most: MAX_RANK });
    assert_eq!(Format::parse_with_rank("C-S-R", 3).unwrap_err().class(), "levels/name");
    assert_eq!(Format::new(&[S, C], &[0, 1]).unwrap_err().class(), "levels/final");
    assert_eq!(Format::new(&[S, S], &[0]).unwrap_err().class(), "levels/axes");
    // Names that look alike: a vector of a multigraph in reverse order, and a matrix.
    assert_eq!(parse("C-C").unwrap().rank(), 1);
    assert_eq!(parse("S-C").unwrap(), parse("VEC").unwrap());
    assert_eq!(parse("S-C-C").unwrap().kinds(), [S, C]);
}
