//! Names of formats.

mod common;

use common::{orders, structures};
use sparse_formats::{Balance, Format, FormatError, LevelKind::*};

fn parse(name: &str) -> Result<Format, FormatError> {
    name.parse()
}

#[test]
fn every_name_reads_back() {
    for rank in 1..=4 {
        for multigraph in [false, true] {
            for kinds in structures(rank, multigraph) {
                for axes in orders(rank) {
                    let format = common::format(&kinds, &axes, multigraph);
                    assert_eq!(parse(&format.to_string()), Ok(format.clone()));
                    assert_eq!(Format::parse_with_rank(&format.to_string(), rank), Ok(format.clone()));
                    if let Some(alias) = format.alias() {
                        assert_eq!(Format::parse_with_rank(alias, rank), Ok(format.clone()));
                    }
                    // Without hyphens, where the rank is given.
                    if axes.is_sorted() && multigraph != (kinds[rank - 1] == Sparse) {
                        let name: String = kinds.iter().map(|kind| kind.token()).chain(["R"]).collect();
                        assert_eq!(Format::parse_with_rank(&name, rank), Ok(format), "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn extensions_read_back() {
    let base = Format::new(&[DoublyCompressed, DoublyCompressed, Sparse], &[2, 0, 1]).unwrap();
    let format = base.with_unsorted(&[true, false, true]).unwrap().with_balanced(Some(Balance { level: 1, most: 16 })).unwrap();
    assert_eq!(format.to_string(), "DC-DC-S-X[2,0,1]+unsorted(0,2)+balanced(1,16)");
    assert_eq!(parse(&format.to_string()), Ok(format));
    let dense = Format::new(&[Compressed, Sparse], &[1, 0, 3, 2]).unwrap();
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
    // Levels whose orientation is missing, or whose rank could be another.
    for name in ["S-S", "C-DC", "CDCSSR", "CC", "CSF"] {
        assert_eq!(class(name), "levels/name", "{name}");
    }
    for name in ["C-S-X", "C-S-X[0]", "C-S-X[0,0]", "C-S-X[0,2]", "C-S-R[1,0]", "C-S-C[0,1]", "CSR[1,0]", "C-S-X[0,1", "C-S-X[0,b]"] {
        assert_eq!(class(name), "levels/axes", "{name}");
    }
    for name in ["CSR+blocked", "CSR+", "CSR+multigraph()", "CSR+unsorted", "CSR+unsorted()", "CSR+balanced(1)", "CSR+unsorted(1"] {
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
    assert_eq!(Format::parse_with_rank("C-S-R", 3).unwrap_err().class(), "levels/name");
    assert_eq!(Format::new(&[Sparse, Compressed], &[0, 1]).unwrap_err().class(), "levels/final");
    assert_eq!(Format::new(&[Sparse, Sparse], &[0]).unwrap_err().class(), "levels/axes");
    // What looks alike is not: a vector of a multigraph in contrary order, and a matrix.
    assert_eq!(parse("C-C").unwrap().rank(), 1);
    assert_eq!(parse("S-C").unwrap(), parse("VEC").unwrap());
    assert_eq!(parse("S-C-C").unwrap().kinds(), [Sparse, Compressed]);
}
