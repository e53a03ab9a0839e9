//! Errors name the line and the numbers; no text panics.

use layout_choice::TileProgram;

fn refused(text: &str) -> String {
    match TileProgram::parse(text).and_then(|program| program.choose()) {
        Ok(choice) => panic!("accepted:\n{text}\n{choice}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_have_the_line_and_the_numbers() {
    let of = |lines: &[&str]| refused(&[&["tile t", "threads 64"], lines].concat().join("\n"));
    let (a, x) = ("global a f32 (8, 8)", "registers x f32 (8, 8)");
    assert_eq!(refused(""), "line 1: expected `tile` with a name, found the end");
    assert_eq!(refused("tile t\nglobal a f32 (8)"), "line 2: `threads` is missing: how many threads has a block?");
    assert_eq!(refused("tile t\nthreads 48"), "line 2: 48 threads are no whole number of warps of 32 lanes");
    assert_eq!(refused("tile t\nthreads 2000"), "line 2: expected a number from 1 to 1024, found `2000`");
    assert_eq!(of(&[a]), "line 2: the program has no statements");
    assert_eq!(of(&[a, a]), "line 4: `a` has a meaning already");
    assert_eq!(of(&["global a f31 (8)"])[..44], *"line 3: `f31` is no type of elements: f64, f");
    assert_eq!(of(&["global a f32 (8, 0)"]), "line 3: `(8, 0)` states no positive extents");
    assert_eq!(of(&["global a f32 (1024, 2048)"]), "line 3: a tile has at most 1048576 elements, `a` has the extents [1024, 2048]");
    assert_eq!(of(&[a, x, "x[i] <- a[i, j]"]), "line 5: `x` has 2 modes, and 1 variables are given");
    assert_eq!(of(&[a, x, "x[i, i] <- a[i, i]"]), "line 5: the variable `i` stands for two modes of `x`");
    assert_eq!(of(&[a, "registers x f32 (8, 4)", "x[i, j] <- a[i, j]"]), "line 5: `j` is 8 in `a`, and 4 in another tensor");
    assert_eq!(of(&[a, x, "y[i, j] <- a[i, j]"]), "line 5: `y` is no tensor");
    assert_eq!(of(&[a, "registers x f32 (8)", "x[i] <- a[i, j]"]), "line 5: the target lacks `j`; `sum`, `max` or `min` reduces it");
    assert_eq!(
        of(&[a, x, "x[i, j] <- a[i, j]", "x[i, j] <- x[j, i]"]),
        "line 4: mode 1 of `x` and a mode before it are one dimension; write `convert`"
    );
    assert_eq!(of(&["registers x f32 (8, 8) = (64,2):(1,1)", a, "x[i, j] <- a[i, j]"])[..7], *"line 3:");
    assert_eq!(
        of(&[a, "registers x f32 (8, 8) = (32,2):(1,32)", "x[i, j] <- a[i, j]"]),
        "line 4: the layout has 32 threads, the program 64"
    );
    assert_eq!(of(&["shared s f16 (8, 8):(?, 1)"])[..7], *"line 3:");
    let product = ["registers a f16 (16, 16)", "registers b f16 (12, 16)", "registers c f32 (16, 12)"];
    let statement = "c[m, n] <- a[m, k], b[n, k] by m16n8k16.f16";
    assert_eq!(of(&[&product[..], &[statement]].concat()), "line 6: `n` is 12, no multiple of the 8 of `m16n8k16.f16`");
}

#[test]
fn texts_with_holes_and_noise_do_not_panic() {
    let whole = include_str!("../../programs/attention.tile");
    for k in 0..whole.len() {
        let _ = TileProgram::parse(&whole[..k])
            .and_then(|program| if k % 64 == 0 { program.choose() } else { Err(TileProgram::parse("").unwrap_err()) });
    }
    let mut seed = 1u64;
    for _ in 0..2000 {
        let mut bytes = whole.as_bytes().to_vec();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) as usize % bytes.len();
            bytes[at] = b"[](),:=<-# 0179xm\n"[(seed >> 20) as usize % 18];
        }
        let _ = TileProgram::parse(&String::from_utf8(bytes).unwrap());
    }
}
