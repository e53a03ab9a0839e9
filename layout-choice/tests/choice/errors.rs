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
    assert_eq!(
        of(&[a, "registers x f32 (8)", "x[i] <- a[i, j]"]),
        "line 5: the target lacks `j`; `<- sum x[..]`, `max` or `min` reduces it"
    );
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
    assert_eq!(of(&["threads 64"]), "line 3: line 2 states the threads already");
    assert_eq!(of(&["shared s f32 (8, 8):(-8, 1)"]), "line 3: `(8, 8):(-8, 1)` has the index -8");
    assert_eq!(of(&["shared s f32 (8, 8):(0, 1)"]), "line 3: two elements of `(8, 8):(0, 1)` share the index 0");
    assert_eq!(
        of(&["global a f32 ((3,4),8):((1,103),512)"]),
        "line 3: mode 0 of `((3,4),8):((1,103),512)` has no single stride: 3 is not at 3 of it"
    );
    assert_eq!(of(&["registers x f32 (8, 8) = (64,0):(1,0)", a, "x[i, j] <- a[i, j]"])[..14], *"line 3: `(64,0");
    let y = "registers y f32 (8, 8)";
    assert_eq!(of(&[a, x, "a[i, j] <- 2 * x[i, j]"]), "line 5: an expression takes tensors in registers; only copies reach memory");
    let moved = "line 5: `convert` moves one tensor in registers to another with the same variables";
    assert_eq!(of(&[x, y, "convert y[i, j] <- 2 * x[i, j]"]), moved);
    assert_eq!(of(&["registers v f32 (8)", y, "convert y[i, j] <- v[i]"]), moved);
    assert_eq!(
        of(&["registers v f32 (8)", x, "v[i] <- sum v[i] * x[i, j]"]),
        "line 5: `v` is the target of a reduction, and one of its sources"
    );
    assert_eq!(of(&[x, y, "y[i, j] <- (x[i, j]"]), "line 5: `(` without `)`");
    assert_eq!(of(&[x, y, "y[i, j] <- x[i, j] + i"]), "line 5: the variable `i` is an index, and no value");
    assert_eq!(of(&[x, y, "y[i, j] <- x[i, j], x[i, j]"]), "line 5: `,` stands between the arguments of a function");
    assert_eq!(of(&[x, y, "y[i, j] <- x[i, j]; return"]), "line 5: `;` has no meaning in an expression");
    assert_eq!(of(&[x, "x[i, j] \u{2039}- 2\u{d7}x[i, j]"])[..7], *"line 4:");
    assert_eq!(of(&[x, "\u{ff}[i] <- x[i, j]"]), "line 4: `` is no tensor");
    let repeated = ["global b f32 (8, 8):(0, 1)", x, "x[i, j] <- b[i, j]", "b[i, j] <- x[i, j]"];
    assert_eq!(of(&repeated), "line 6: `b` has the stride 0 in mode 0: its elements would overwrite each other");
    let product = ["registers a f16 (16, 16)", "registers b f16 (12, 16)", "registers c f32 (16, 12)"];
    let statement = "c[m, n] <- a[m, k], b[n, k] by m16n8k16.f16";
    let bytes = ["registers a i8 (16, 16)", "registers b i8 (8, 16)", "registers c i32 (16, 8)", statement];
    assert_eq!(of(&bytes), "line 6: `m16n8k16.f16` multiplies f16, bf16, and `a` has i8");
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

#[test]
fn kernels_are_refused_where_cuda_or_the_program_lacks_something() {
    let kernel = |lines: &[&str]| {
        let text = [&["tile t", "threads 64"], lines].concat().join("\n");
        let choice = TileProgram::parse(&text).and_then(|program| program.choose()).unwrap_or_else(|error| panic!("{text}\n{error}"));
        choice.cuda().map_err(|error| error.to_string())
    };
    let load = ["global a f32 (8, 8)", "registers x f32 (8, 8)", "x[i, j] <- a[i, j]"];
    // A store to the memory that other threads still read waits for them.
    let back = kernel(&[&load[..], &["a[j, i] <- x[i, j]"]].concat()).unwrap();
    assert!(back.contains("__syncthreads();") && back.contains("(float* __restrict__ a)"), "{back}");
    // A constant needs no source.
    assert!(
        kernel(&[&load[..1], &["registers x f32 (8, 8)", "x[i, j] <- 0", "a[i, j] <- x[i, j]"]].concat())
            .unwrap()
            .contains("x[step] = (float)(0);")
    );
    let unread = ["global a f32 (8, 8)", "registers x f32 (8, 8)", "a[i, j] <- x[i, j]"];
    assert_eq!(kernel(&unread).unwrap_err(), "line 5: `x` is read, and no earlier statement writes it");
    let bytes = ["global a e4m3 (8, 8)", "registers x f32 (8, 8)", "x[i, j] <- a[i, j]"];
    assert_eq!(kernel(&bytes).unwrap_err(), "line 5: a kernel casts no `e4m3` without headers, and `a` has this type");
    let large = ["global a f32 (128, 128)", "shared s f32 (128, 128)", "s[i, j] <- a[i, j]"];
    assert_eq!(kernel(&large).unwrap_err(), "line 2: the kernel has 65536 bytes of shared memory, and a block at most 49152");
    let named = ["global int f32 (8, 8)", "registers x f32 (8, 8)", "x[i, j] <- int[i, j]"];
    assert_eq!(kernel(&named).unwrap_err(), "line 3: `int` has a meaning in C++ or in the kernel; choose another name");
}

#[test]
fn targets_are_stated_once_and_have_their_own_instructions() {
    let of = |lines: &[&str]| TileProgram::parse(&[&["tile t"], lines].concat().join("\n")).unwrap_err().to_string();
    assert_eq!(of(&["target cdna5"]), "line 2: `cdna5` is no target: nvidia, cdna3, cdna4, rdna3, rdna4");
    // Lines that state the default count, too.
    for first in ["target cdna3", "target nvidia", "lanes 64", "lanes 32", "sector 32"] {
        let order = "line 3: one `target` stands before `lanes` and `sector`; line 2 has one of them";
        assert_eq!(of(&[first, "target cdna3"]), order, "{first}");
    }
    let wide = "line 3: the target cdna3 has waves of 64 lanes; `lanes` is for NVIDIA alone";
    assert_eq!(of(&["target cdna3", "lanes 32"]), wide);
    assert_eq!(of(&["target cdna3", "threads 96"]), "line 3: 96 threads are no whole number of warps of 64 lanes");
    let product = |target: &str, instruction: &str| {
        let by = format!("c[m, n] <- a[m, k], b[n, k] by {instruction}");
        of(&[target, "threads 64", "registers a f16 (16, 16)", "registers b f16 (16, 16)", "registers c f32 (16, 16)", &by])
    };
    let own = "rdna3 has wmma.rdna3.16x16x16.f16, wmma.rdna3.16x16x16.i8";
    let mixed = "line 7: the target rdna3 has no `mfma.16x16x16.f16`: it is an instruction of cdna3 and cdna4; ";
    assert_eq!(product("target rdna3", "mfma.16x16x16.f16"), format!("{mixed}{own}"));
    let none = "line 7: the target rdna3 has no `dpas.8x16x16.f16`: no target multiplies tiles in registers by it; ";
    assert_eq!(product("target rdna3", "dpas.8x16x16.f16"), format!("{none}{own}"));
    let mixed = "line 7: the target nvidia has no `wmma.rdna4.16x16x16.f16`: it is an instruction of rdna4; nvidia has m8n8k4.f64, ";
    assert!(product("target nvidia", "wmma.rdna4.16x16x16.f16").starts_with(mixed));
    assert_eq!(product("target rdna3", "wmma"), "line 7: `wmma` is no matrix instruction: wmma.rdna3.16x16x16.f16, wmma.rdna3.16x16x16.i8");
}
