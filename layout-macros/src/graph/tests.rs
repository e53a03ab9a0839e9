//! Tests of the tokens that an error of a graph points at, and of its message.

use super::graph;

#[track_caller]
fn points(marked: &str, message: &str) {
    crate::diag::tests::points("graph", graph, marked, message);
}

#[test]
fn statements() {
    let statement = "expected `param`, `const`, `dim`, `flatten`, `fn`, or a transform such as `Tile(k -> i, j)`";
    points("«(k -> i)»;", statement);
    points("dim k; «4»;", &format!("{statement}, found `4`"));
    points("dim k, i = 4 «Tile»(k -> i);", "expected `;`, found `Tile`");
    points("dim k, i = «4»", "expected `;`");
    points("«dimension» k;", "there is no statement `dimension`");
    points("«Tyle»(k -> i);", "there is no transform `Tyle`; is it `Tile`?");
    points("«Segment»(k -> i);", "`Segment` relates storage, which has no code");
    points("flatten «stride»;", "expected `sizes`, `strides` or `declared`, found `stride`");
    points("flatten sizes; «flatten strides»;", "how Flatten is read was said before");
}

#[test]
fn parameters() {
    points("param «4»;", "expected the name of a parameter, found `4`");
    points("param m: «-1»..;", "a parameter is a `usize`, which is never -1");
    points("param m: 4«;»", "expected a range: `1..`, `1..=4096`, found `;`");
    points("param m: «5..5»;", "no number is in this range");
    points("param m: 1..=8 % «0»;", "a divisor is at least 1, not 0");
    points("const BM: «9..=15 % 8»;", "no multiple of 8 is in this range");
    points("param m, «m»;", "`m` is declared twice");
    points("param m: «n»..;", "expected a number, found `n`");
}

#[test]
fn dimensions() {
    points("dim «_»;", "expected the name of a dimension, found `_`");
    points("dim a, «a»;", "`a` is declared twice");
    points("param a; dim «a»;", "`a` is declared twice");
    points("dim a = «2 - 4»;", "`a`: the size -2 is less than 0");
    points("dim a = «,» b;", "expected a number, a parameter, or a constant, found `,`");
    points("param rows; dim a = 2 * «row»;", "`row` is not a parameter; is it `rows`?");
    points("dim a = «tiles::rows»;", "`tiles::rows` is not a parameter; declare it with `param`, or spell a constant in capitals");
    points("dim a, b = «a» + 1;", "`a` is a dimension, which is no number: only parameters and constants are");
    points("dim a = «9223372036854775808»;", "`9223372036854775808` does not fit 64 bits");
    points("dim a = «4u8»;", "`4u8` is not a number: write an integer without a suffix, such as `8`");
    points("dim a = 2 + «4611686018427387904 * 2»;", "4611686018427387904 * 2 does not fit 64 bits");
    points("dim a = 8 / «0»;", "this divides by 0");
    points("dim a = ceil_div(8, «0»);", "this divides by 0");
    points("dim a = min(8«)»;", "expected `,`: `min` takes two quantities");
}

#[test]
fn transforms() {
    points("dim k, i; Tile«[k -> i]»;", "expected dimensions: `Tile(inputs -> outputs)`");
    points("dim k, i; Tile(k, i«)»;", "expected `->` between inputs and outputs");
    points("dim k, i; Tile(k -> i «k»);", "expected `,`, `;` or `)`, found `k`");
    points("dim k, row; Tile(k -> «rov»);", "the graph has no dimension `rov`; is it `row`?");
    points("dim k, row; Tile(k -> «ro»);", "the graph has no dimension `ro`; is it `row`?");
    points("param m; dim k; Tile(k -> «m»);", "`m` is a parameter, not a dimension");
    points("dim k, i; Tile(k -> i; «left» = 1);", "expected `)`, found `left`");
    points("dim x, u; Pad(x -> u«)»;", "expected `left = ..`");
    points("dim x, u; Pad(x -> u; left = 1 «right» = 1);", "expected `, right = ..`, found `right`");
    points("dim x, u; Pad(x -> u; left = 1, right = 1, «more» = 1);", "expected `)`, found `more`");
    points("dim x, u; Embed(x -> u; coefficients = «2»);", "expected coefficients in brackets: `[1, 2]`, found `2`");
    points("dim x, u; Gather(x -> u; table = [1, «n»]);", "expected a number, found `n`");
    points(
        "dim p, c, r; Rotate(p -> c, r; rows_per_group = 1, positions = 8, inverse = «maybe»);",
        "expected `true` or `false`, found `maybe`",
    );
    points("dim a, b, c; «Tile»(a, b -> c);", "Tile(a, b -> c): takes one input and one or more outputs, but has 2 inputs and 1 output");
    points("dim a, b; Flatten(a, «a» -> b);", "Flatten(a, a -> b): `a` occurs twice");
    points("dim x, u; Embed(x -> u; coefficients = «[1, 2]»);", "Embed(x -> u): 2 coefficients for 1 dimensions");
    points("dim x, u; Modulo(x -> u; modulus = «1 - 1»);", "Modulo(x -> u): the modulus 0 is less than 1");
    points("dim x = 4, u = 7; Pad(x -> «u»; left = 1, right = 1);", "Pad(x -> u): `u` has size 7, but the other side makes it 6");
}

#[test]
fn piecewise_sums() {
    let points = |sums: &str, message: &str| points(&format!("dim a, b, f; PiecewiseAffineJoin(a, b -> f; {sums});"), message);
    let multiple = "a case is a sum of multiples of the dimensions and a constant, and this is no multiple";
    points("if a == 0 { a } else { b + «3 * a * b» - 1 }", multiple);
    points("if a == 0 { 4 - «(a + b) / 2» } else { b }", multiple);
    points("«unless» a { b } else { a }", "expected `if condition { sum } else { sum }`, found `unless`");
    points("if a == 0 «(a)» else { b }", "expected `{ sum }`");
    points("if a == 0 { a } «otherwise» { b }", "expected `else { sum }`, found `otherwise`");
    points("if a { a «<» b } else { b }", "expected `+`, `-` or `}`, found `<`");
    points("if «f» == 0 { a } else { b }", "`f` is a dimension, which is no number: only parameters and constants are");
}

#[test]
fn functions() {
    let points = |function: &str, message: &str| points(&format!("dim k, i = 4, j = 3, l; Flatten(i, j -> k); {function};"), message);
    points("fn «=» forward(i, j) -> k", "expected the name of the function, found `=`");
    points("fn f«(i, j)» -> k", "expected `= forward(..) -> ..` or `= reverse(..) -> ..`");
    points("fn f = «onward»(i, j) -> k", "expected `forward(..)` or `reverse(..)`, found `onward`");
    points("fn f = forward «-»> k", "expected the coordinates in parentheses, or in braces for arguments by name, found `-`");
    points("fn f = forward(i, j) «k»", "expected `-> target`, found `k`");
    points("fn f = forward(i, j) -> «()»", "there is nothing to compute");
    points("fn f = forward(i «j») -> k", "expected `,` or `)`, found `j`");
    points("fn f = forward(«m», j) -> k", "the graph has no dimension `m`");
    points("fn f = forward(i = «j») -> k", "expected a number, found `j`");
    points("fn f = delta «l» forward(i, j) -> k", "`l` cannot grow: it is not one of the coordinates");
    points("fn f = forward(i, j) -> k as «4»", "expected a language, such as `cuda`, found `4`");
    points("fn f = forward(i, j) -> k as «ada»", "`ada` is not a language; the languages are c, cuda, hip, opencl, wgsl, rust, mlir");
    points("fn f = forward(i, j) -> k as cuda, «rust»", "the function itself is in Rust");
    points("fn f = forward(i, j) -> k as hip, «hip»", "`hip` is listed twice");
    points("pub «use» f", "expected `fn name = forward(..) -> ..;`, found `use`");
}

#[test]
fn texts_have_no_constants() {
    points(
        "dim k, i = 4, j = BM; Flatten(i, j -> k); fn f = forward(i, j) -> k as «cuda»;",
        "`f` needs `BM`, a constant, whose number is not known while the macro expands: make it a `param` or a number",
    );
    points(
        "const BM: 1..; dim k, i = 4, j = BM; Flatten(i, j -> k); fn f = forward(i, j) -> k as «wgsl»;",
        "`f` needs `BM`, a const parameter, of which a text has none: make it a `param` or a number",
    );
    // WGSL has only 32-bit integers, and the range of `n` is wider.
    points(
        "param n; dim k, i = 4, j = n; Flatten(i, j -> k); fn «f» = forward(i, j) -> k as wgsl;",
        "`n` is in [0, ...], which does not fit 32 bits; give it closer bounds",
    );
}

#[test]
fn what_cannot_be_computed() {
    points("dim k, i = 4, j = 3; Flatten(i, j -> k); fn f = forward(i) -> «k»;", "`k` cannot be computed forward: missing `j`");
    points(
        "dim k, i = 4, j = 3; Flatten(i, j -> k); fn f = reverse(i, j) -> «k»;",
        "`k` cannot be computed in reverse, but forward it can",
    );
    points(
        "dim k, i = 4, j = 3; Flatten(i, j -> k); fn f = reverse(i) -> «k»;",
        "`k` cannot be computed in reverse: no transform leads to it that way; forward it can with `j`",
    );
    points(
        "dim k, i, l; Tile(k -> i); fn f = forward(k) -> «l»;",
        "`l` cannot be computed forward: no transform leads to it, so it must be given",
    );
    points("dim k, i = 4, j = 3; Flatten(i, j -> k); fn f = forward(i, j, «i») -> k;", "`i` is bound twice");
    points(
        "dim k, i = 4, j; Flatten(i, «j» -> k); fn f = forward(i, j) -> k;",
        "Flatten(i, j -> k): the size of `j` is missing (`f` needs it)",
    );
    points("dim k, i = 4; Join(«i» -> k); fn f = forward(i) -> k;", "Join(i -> k): the stride of `i` is missing (`f` needs it)");
    points(
        "dim k, i = 4, j = 3 : 1; Flatten(«i», j -> k); fn f = forward(i, j) -> k;",
        "Flatten(i, j -> k): the stride of `i` is missing; give one to all or to none of them, or write `flatten sizes;`",
    );
    points(
        "dim k, i = 4 : 9, j = 3 : 1; Join(i, j -> k); fn f = «reverse»(k) -> i;",
        "Join(i, j -> k) has no reverse value: its strides do not form a packed order",
    );
    let sunder = "dim f, a = 5, b = 7, s; Sunder(f -> a, b, s);";
    points(&format!("{sunder} fn at = reverse(a, b, s = «2») -> f;"), "Sunder(f -> a, b, s): the switch is 2, but there are 2 branches");
    points(&format!("{sunder} fn at = «reverse»(a, s = 1) -> f;"), "`at` needs `b`, which nothing given determines");
    points(
        "dim a, i, j = 4, k = 8; Tile(a -> i, j); Tile(«a» -> i, k); fn f = reverse(i, j, k) -> a;",
        "`a` is computed by Tile(a -> i, j) and by Tile(a -> i, k), which are not proven equal",
    );
}
