//! Kernels of the kind that people write: each is proven for all sizes, and each seeded fault is found.

use kernel_verdicts::{Claim, Kernel, Report};
use std::fs;
use std::path::PathBuf;

fn kernels() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).expect("kernels").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), fs::read_to_string(&path).expect("a text")))
        .collect()
}

fn verify(text: &str) -> Report {
    Kernel::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")).verify()
}

#[test]
fn all_are_proven() {
    let mut open = String::new();
    for (name, text) in kernels() {
        let report = verify(&text);
        assert_eq!(report.kernel, name);
        if !report.is_proven() {
            open += &format!("{report}\n");
        }
    }
    assert!(open.is_empty(), "{open}");
}

/// A kernel, a part of its text, the text in its place, and the claims that are then false.
const SEEDED: &[(&str, &str, &str, &[&str])] = &[
    ("convolution", "barrier\n", "", &["`tile` has no races", "`load tile[2 * t + k]` reads what was stored"]),
    ("convolution", "at < 131", "at < 130", &["`load tile[2 * t + k]` reads what was stored"]),
    ("copy", "256 * b + 256 * g * k", "255 * b + 256 * g * k", &["`y` has no races", "`y` is written as a whole"]),
    ("copy", "    if i < n {", "    if i <= n {", &["`load x[i]` is in bounds", "`store y[i]` is in bounds"]),
    ("gemm", "    barrier\n}", "}", &["`left` has no races", "`right` has no races"]),
    ("gemm", "row < m, 16 * step", "row <= m, 16 * step", &["`load a[row, 16 * step + tx]` is in bounds"]),
    (
        "gemm_pipelined",
        "left[(step + 1) % 2",
        "left[step % 2",
        &["`left` has no races", "`load left[step % 2, ty, inner]` reads what was stored"],
    ),
    ("halo", "if t < 3", "if t < 2", &["`load tile[t + k]` reads what was stored"]),
    ("halo", "i >= 3, ", "", &["`load x[i - 3]` is in bounds"]),
    ("histogram", "add local", "store local", &["`local` has no races"]),
    ("histogram", "add counts", "store counts", &["`counts` has no races"]),
    ("im2col", "y + ky <= h", "y + ky <= h + 1", &["`load image[ch, y + ky - 1, x + kx - 1]` is in bounds"]),
    ("paged_append", " distinct", "", &["`keys` has no races"]),
    (
        "paged_attention",
        "if position < 16 * pages",
        "if position < 16 * pages + 16",
        &["`load keys[page[s, position / 16], position % 16, h, j]` is in bounds", "`store scores[s, h, position]` is in bounds"],
    ),
    ("permute", " distinct", "", &["`y` has no races"]),
    ("ragged_rows", "< most + 1", "< most + 2", &["`load x[r, j]` is in bounds", "`store y[r, j]` is in bounds"]),
    ("reduce", "    barrier\n", "", &["`tree` has no races"]),
    ("scan", "    barrier\n", "", &["`sums` has no races"]),
    ("softmax", "if t % 32 == 0", "if t % 16 == 0", &["`partial` has no races"]),
    ("split_k", "add c", "store c", &["`c` has no races"]),
    ("spmv_ell", "if row < rows", "if row < rows + 128", &["`load values[k, row]` is in bounds"]),
    ("stream_k", "add c", "store c", &["`c` has no races"]),
    ("swizzled_transpose", "barrier\n", "", &["`tile` has no races"]),
    ("transpose", "barrier\n", "", &["`tile` has no races"]),
    ("vectors", "256 * k", "255 * k", &["`y` has no races"]),
];

/// Returns a claim with the text of its line in place of the number.
fn named(claim: &Claim, text: &str) -> String {
    let line = |number: usize| text.lines().nth(number - 1).unwrap_or("").trim();
    match claim {
        Claim::InBounds(number) => format!("`{}` is in bounds", line(*number)),
        Claim::Stored(number) => format!("`{}` reads what was stored", line(*number)),
        other => other.to_string(),
    }
}

#[test]
fn seeded_faults_are_found() {
    let kernels = kernels();
    for (name, from, to, claims) in SEEDED {
        let text = &kernels.iter().find(|(known, _)| known == name).expect("a kernel").1;
        assert!(text.contains(from), "{name} has no `{from}`");
        let text = text.replacen(from, to, 1);
        let report = verify(&text);
        let found: Vec<String> = report.refuted().map(|(claim, _)| named(claim, &text)).collect();
        for claim in *claims {
            assert!(found.iter().any(|known| known == claim), "{name} with `{to}` for `{from}`: `{claim}` is not false\n{report}");
        }
    }
    // Every kernel is proven, and has a fault.
    assert!(kernels.iter().all(|(name, _)| SEEDED.iter().any(|(seeded, ..)| seeded == name)));
}

#[test]
fn texts_that_are_wrong_have_a_line() {
    let cases = [
        ("kern k", "line 1: expected `kernel`, found `kern`"),
        ("kernel k\nparam n", "line 2: expected `>=`, found the end of the line"),
        ("kernel k\nparam n >= 1\ngrid n < 4", "line 3: `n` has a meaning already"),
        ("kernel k\nblock t < 4\ngrid b < t", "line 3: an extent has parameters and numbers only, and `t` is a coordinate"),
        ("kernel k\nshared s (4)\nload s[0, 1]", "line 3: `s` has 1 axes, and 2 coordinates are given"),
        ("kernel k\nshared s (4)\nload s[i]", "line 3: `i` is no name"),
        ("kernel k\nblock t < 4\nif t < 2 {\nbarrier\n}", "line 4: a barrier under `if`: some threads may never reach it"),
        (
            "kernel k\nblock t < 4\nloop i < t {\nbarrier\n}",
            "line 3: a barrier in a loop whose extent depends on `t`: some threads may never reach it",
        ),
        ("kernel k\nshared s (4)\nload s[1 / 0]", "line 3: a division by 0"),
        ("kernel k\nblock t < 4\nshared s (4)\nload s[4 / t]", "line 4: a divisor has parameters and numbers only"),
        ("kernel k\nshared s (99999999999)", "line 2: `99999999999` is not a number up to 2147483647"),
        ("kernel k\n}", "line 2: `}` closes nothing"),
        ("kernel k\nloop i < 3 {", "line 2: expected `}`, found the end of the line"),
        ("kernel k\nshared s (ceil(4))", "line 2: `ceil` rounds a quotient up: `ceil(a / b)`"),
        ("kernel k\njump", "line 2: expected a statement, found `jump`"),
        ("kernel k\n@", "line 2: `@` has no meaning here"),
    ];
    for (text, message) in cases {
        assert_eq!(Kernel::parse(text).expect_err(text).to_string(), message, "{text}");
    }
    let terms = format!("kernel k\nshared s (4)\nstore s[0{}]", " + 0".repeat(20_000));
    assert_eq!(Kernel::parse(&terms).expect_err("too long").to_string(), "line 3: a statement of more than 200 numbers and names");
    let deep = format!("kernel k\nshared s (4)\nload s[{}0{}]", "(".repeat(1000), ")".repeat(1000));
    assert_eq!(Kernel::parse(&deep).expect_err("too deep").to_string(), "line 3: more than 64 levels of braces or parentheses");
    let long = (0..40).fold("kernel k\nblock t < 4\nlet a0 = t".to_string(), |text, k| format!("{text}\nlet a{} = a{k} + a{k}", k + 1));
    assert_eq!(Kernel::parse(&long).expect_err("too long").to_string(), "line 11: a statement of more than 200 numbers and names");
}

/// Claims that are false, in kernels that mislead a proof.
const MISLEADING: &[(&str, &str)] = &[
    // A pass without a barrier: the inner loop may have no passes.
    (
        "param n >= 0\nblock t < 2\nshared s (2)\nstore s[t]\nbarrier\nloop k < 3 {\nif k == 2 { load s[1 - t] }\nif k == 0 { store s[t] }\nloop j < n { barrier }\n}",
        "`s` has no races",
    ),
    (
        "block t < 2\nshared s (1)\nif t == 0 { store s[0] }\nloop k < 2 {\nif t == 1, k == 1 { store s[0] }\nloop j < k { barrier }\n}",
        "`s` has no races",
    ),
    // The least value of a quotient of a difference.
    ("param n >= 2\nglobal x ((n % 5) / 2) given\nload x[(n % 5) / 2 - 1]", "line 4 is in bounds"),
    // The bounds of a product belong to its operands.
    (
        "block t < 16\nshared s (16)\nloop x < 8 {\nif x * x <= 49 { store s[x] }\n}\nif t * t <= 49 { store s[t] }\nload s[t]",
        "line 8 reads what was stored",
    ),
    (
        "block t < 32\nshared s (32)\nloop x < 8 {\nif (x ^ 8) <= 15 { store s[x] }\n}\nif (t ^ 8) <= 15 { store s[t] }\nload s[t]",
        "line 8 reads what was stored",
    ),
    // A sum reads an element, too.
    ("shared s (1)\nadd s[0]\nbarrier\nload s[0]", "line 3 reads what was stored"),
    // Tables that statements without an access read.
    ("block t < 4\ntable p (2) < 4\nloop k < p[5] { barrier }", "line 4 is in bounds"),
    ("block t < 4\ntable p (2) < 4\nshared s (4)\nif p[3] == 0 { }\nstore s[t]", "line 5 is in bounds"),
];

#[test]
fn misleading_kernels_are_refuted() {
    for (body, claim) in MISLEADING {
        let report = verify(&format!("kernel k\n{body}"));
        assert!(report.refuted().any(|(of, _)| of.to_string() == *claim), "{body}\n{report}");
    }
    let refused = [
        (
            "grid b < 2\nglobal y (1)\nloop k < 1 + b - b {\nstore y[0]\nbarrier grid\n}",
            "line 4: a barrier in a loop whose extent depends on `b`",
        ),
        ("block t < 4\ntable p (1) < 4\nshared s (4)\nstore s[t / (p[0] + 1)]", "line 5: a divisor has parameters and numbers only"),
        ("table p (1) < 4, q (1) < 1 + p[0]", "line 2: a bound has parameters and numbers only, and no entries of tables"),
    ];
    for (body, message) in refused {
        let error = Kernel::parse(&format!("kernel k\n{body}")).expect_err(body).to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

/// Extents below 0 have no elements, and numbers that are too great leave a claim open.
#[test]
fn sizes_without_elements() {
    assert!(verify("kernel k\nparam n >= 1\ngrid b < n - 3, c < n - 3\nglobal y (n - 3, n - 3) written\nstore y[b, c]").is_proven());
    let report = verify("kernel k\nglobal y (2147483647, 2147483647, 2147483647) written\nstore y[0, 0, 0]");
    assert_eq!((report.refuted().count(), report.open().count()), (0, 1));
    let long = verify("kernel k\nblock t < 2\nshared s (1)\nloop k < 2147483647 { }\nstore s[0]");
    assert_eq!(long.open().count(), 1, "{long}");
}

/// Stores whose combinations are many take no longer than others.
#[test]
fn many_stores() {
    let stores: String = (0..14).map(|i| format!("loop k{i} < n {{ if k{i} < n - {i} {{ store y[k{i}] }} }}\n")).collect();
    let report = verify(&format!("kernel k\nparam n >= 1\nglobal y (n) written\n{stores}"));
    assert!(report.findings.len() > 14);
    let params: Vec<String> = (0..64).map(|i| format!("p{i} >= 1")).collect();
    assert_eq!(verify(&format!("kernel k\nparam {}\nshared s (1)\nstore s[1]", params.join(", "))).refuted().count(), 1);
}
