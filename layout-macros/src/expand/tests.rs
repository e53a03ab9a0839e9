//! Tests of the tokens that an error points at, and of its message.

use super::{coord, int, shape, stride};
use crate::diag::Result;
use proc_macro2::TokenStream;

type Macro = fn(TokenStream) -> Result<TokenStream>;

/// Returns the expansion function of the macro with this name.
fn of_name(name: &str) -> Macro {
    match name {
        "int" => int,
        "shape" => shape,
        "stride" => stride,
        "coord" => coord,
        "try_layout" => |tokens| super::layout(tokens, true),
        _ => layout,
    }
}

fn layout(tokens: TokenStream) -> Result<TokenStream> {
    super::layout(tokens, false)
}

#[track_caller]
fn points(name: &str, marked: &str, message: &str) {
    crate::diag::tests::points(name, of_name(name), marked, message);
}

#[test]
fn leaves() {
    let suffix = |leaf: &str| format!("`{leaf}` is not a leaf: write an integer without a suffix, such as `8`");
    points("shape", "(4, «8i32»)", &suffix("8i32"));
    points("shape", "(4, («2.5», 3))", &suffix("2.5"));
    points("coord", "«\"a\"», 1", &suffix("\"a\""));
    points("int", "«9223372036854775808»", "`9223372036854775808` does not fit 64 bits");
    points("shape", "(«BM / 2», n)", "a constant expression needs braces to be static: `{ BM / 2 }`");
    points("shape", "(m, «tiles::BM * (LD + 1)»)", "a constant expression needs braces to be static: `{ tiles :: BM * (LD + 1) }`");
    points("layout", "(«?», 4):(1, 2)", "`?` leaves a number open, which only text can do: write the variable");
    points("stride", "(1, «1@0»)", "a stride along a basis has no type");
    points("stride", "(1, 1@«x»)", "expected a stride such as `1@0`: a number, `@`, the number of a mode");
    points("shape", "(«const x + 1», 2)", "`const` is followed by the path of a constant, or by a block");
    points("shape", "«type», 2", "`type` is followed by a type");
    points("coord", "(1, «-_»)", "`_` has no sign");
    points("shape", "(«dyn m + 1», 2)", "`dyn` is followed by the name of a variable");
    points("stride", "(1, «-dyn M»)", "a run-time stride that may be negative is `Signed(stride)`, of an `isize`");
}

#[test]
fn variables_in_braces() {
    let said = |name: &str| {
        format!("braces make a constant, and `{name}` is spelled like a variable: write the expression without braces, or `const {{ .. }}`")
    };
    points("layout", "({«h»*w}, 4):(4, 1)", &said("h"));
    points("shape", "{ LD + «n» }", &said("n"));
    points("shape", "{ max(LD, «m») }", &said("m"));
    points("shape", "-{ «self».rows }", &said("self"));
    for constant in [
        "{ LD / 2 }",
        "{ size_of::<f32>() }",
        "{ tiles::wide * 2 }",
        "{ LD as usize }",
        "{ let x = 4; x * LD }",
        "{ if LD > 4 { 4 } else { LD } }",
        "const { wide / 2 }",
        "{ u8::BITS as usize }",
        "{ EXTENTS.len() }",
        "{ _4 * 8 }",
        "{ size_of::<[u8; 4]>() }",
        "{ !0 >> 60 }",
    ] {
        assert!(shape(constant.parse().expect("tokens")).is_ok(), "{constant}");
    }
}

#[test]
fn tuples() {
    points("shape", "(2, «,» 4)", "expected an integer, a name, an expression, `_`, or a tuple");
    points("shape", "(2, 4)«;»", "expected `,`, found `;`");
    points("shape", "(2, «-4»)", "an extent is not negative");
    points("shape", "(2, «-BM»)", "an extent is not negative");
    points("stride", "(1, «_»)", "`_` is not a stride");
    points("shape", "(4«:»1, 8:2)", "a tuple has no layouts inside; a tuple of tilers has brackets: `[4:1;8:2]`");
    points("shape", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,«17»", "a tuple has at most 16 modes: nest them");
    points("int", "«(2, 4)»", "`int!` makes one integer; tuples are made by `shape!`, `stride!` and `coord!`");
    points("int", "«rows»", "not a static integer: write a literal, a constant such as `BLOCK_M`, or `{ expression }`");
    points("int", "2«,» 4", "expected one static integer, found `,`");
}

#[test]
fn nesting_of_shape_and_stride() {
    points("layout", "(2, (4, 3)) : (1, «2»)", "shape and stride differ in nesting: one stride for a tuple of 2 extents");
    points("layout", "(2, 4) : («(1, 2)», 3)", "shape and stride differ in nesting: a tuple of 2 strides for one extent");
    points("layout", "(2, 4) : (1, 2, «8»)", "shape and stride differ in nesting: 2 extents, 3 strides");
    points("layout", "((2, BM, «LD»), n) : ((1, 2), ld)", "shape and stride differ in nesting: 3 extents, 2 strides");
    points("layout", "(2, «_») : (1, 2)", "`_` is not an extent");
    points("layout", "(2, n) : (1, «_»)", "`_` is not a stride");
    points("layout", "coalesce((8, 2) : «4»)", "shape and stride differ in nesting: one stride for a tuple of 2 extents");
}

#[test]
fn refusals_of_the_algebra() {
    points("layout", "zipped_divide((30,16):(1,30), («8»,4))", "zipped_divide: tile 8 does not divide the extent 30 of mode 0");
    points("layout", "logical_divide((8,30):(1,8), [8:1;«8»])", "logical_divide: tile 8 does not divide the extent 30 of mode 1");
    points("layout", "coalesce(logical_divide(30:1, «8»))", "logical_divide: tile 8 does not divide the extent 30 of the layout");
    points("layout", "logical_divide(coalesce((2,15):(1,2)), «8»)", "logical_divide: tile 8 does not divide the extent 30 of the layout");
    points("layout", "logical_divide((30,16):(1,30), «shape(7:1)»)", "logical_divide: tile 7 does not divide the extent 480 of the layout");
    points("layout", "complement((4,2):(1,«3»), 24)", "complement: stride 3 falls inside the 4 elements already covered, in the layout");
    points("layout", "zipped_divide((8,8):(1,8), «(2,2,2)»)", "zipped_divide: the layout has 2 modes, but 3 are given");
    points("layout", "get((8,8):(1,8), «2»)", "get: mode 2 is named, but the layout has 2 modes, counted from 0");
    points("layout", "(4294967296,4294967296):(1,«4294967296»)", "make_layout: 4294967296 and 4294967296 overflow 64 bits in the layout");
}

#[test]
fn what_is_no_layout() {
    let strides = "strides are missing: write `shape:stride`, or name them: `col_major(shape)`, `row_major(shape)`";
    points("layout", "«(2, 4)»", strides);
    points("layout", "«m»", strides);
    let form = "a layout is `shape : stride`, with tuples in parentheses: `(4, 8) : (8, 1)`";
    points("layout", "(4, 8)«,» (8, 1)", form);
    points("layout", "4«,» 8 : 8, 1", form);
    points("layout", "«[4:1;_]»", "a tiler is not a layout but an operand, as in `logical_divide(layout, [4:1;_])`");
    points("layout", "«size»((2,4):(1,2))", "`size` gives an integer or a tuple, not a layout");
    points("layout", "«make_identity_layout»((2,4))", "`make_identity_layout` gives a layout with basis strides, which has no type");
    points("layout", "«size»((2,m):(1,2))", "`size` does not make a layout of operands that are known only later");
}

#[test]
fn swizzled_layouts() {
    let form = "a swizzled layout is written `S<bits,base,shift> o offset o layout`";
    points("layout", "«S<3,4,3>» (8,4):(1,8)", form);
    points("layout", "«S<3,4,3> o 0, (8,4):(1,8)»", form);
    points("layout", "«S<3,4,2>» o 0 o (8,4):(1,8)", "swizzle: swizzle <3,4,2> is outside its range");
    points(
        "layout",
        "S<3,4,3> o 0 o «(8,4)»",
        "strides are missing: write `shape:stride`, or name them: `col_major(shape)`, `row_major(shape)`",
    );
    points("layout", "S<3,4,3> o 0 o zipped_divide((8,4):(1,8), («3»,4))", "zipped_divide: tile 3 does not divide the extent 8 of mode 0");
    points(
        "layout",
        "zipped_divide(«S<3,0,3> o 0 o (8,8):(1,8)», (4,4))",
        "operations on a swizzled layout are those of the layout inside: write `S<..> o offset o operation(layout)`",
    );
    points(
        "layout",
        "type T = «S<3,0,3> o 0 o (8,8):(1,8)»;",
        "a swizzled layout has no name of its own here: name the layout inside, and write `type T = Swizzled<B, M, S, Name>;`",
    );
}

#[test]
fn operations() {
    points("layout", "«logical_devide»(a, 4)", "`logical_devide` is not an operation, did you mean `logical_divide`?");
    points("layout", "«frobnicate»(a)", "`frobnicate` is not an operation; the value of a function is an operand under a name of its own");
    points("layout", "logical_divide(a, 4«;» 5)", "expected `,` or `)`, found `;`");
    let tiler = "brackets hold a tiler, whose modes are separated by `;`; shapes and strides are tuples, `(4, 8)`";
    points("layout", "logical_divide(a, [4«,»2])", tiler);
    points("layout", "[4«,» 8]:[8, 1]", tiler);
    points("layout", "zipped_divide((8:1«,» 4:1), 2)", "a tuple has no layouts inside; a tuple of tilers has brackets: `[4:1;8:2]`");
    points("layout", "«try_coalesce»((2,4):(1,2))", "every number is known here: write `coalesce`");
    points(
        "layout",
        "coalesce(«try_flatten»(a))",
        "only the outermost operation can be a `try_` form: write `try_layout!`, which checks all of them",
    );
    points("layout", "4:1«,» 4", "expected the end of the layout, found `,`");
    points("try_layout", "«(4, 8):(8, 1)»", "every number is known here: write `layout!`");
    points("try_layout", "«coalesce((4, 8):(8, 1))»", "every number is known here: write `layout!`");
    points("try_layout", "«type» T = (4, 8):(8, 1);", "a named layout is checked when it is compiled: write `layout!`");
}

#[test]
fn items() {
    points("layout", "pub «struct» T;", "expected `type Name = layout;`");
    points("layout", "type T«<»const N: usize> = N:1;", "a named layout has no parameters: its leaves are known where it is defined");
    points("layout", "pub type T «:» 4;", "expected `=`");
    points("layout", "type A = 4:1; type B = 4:1«,»", "expected `;` after the layout");
    points("layout", "type T = (4, «m»):(1, 4);", "a named layout is static, and this is known only at run time");
    points("layout", "type T = «try_coalesce»(Tile);", "a named layout is static: it takes the plain form of an operation");
    points("layout", "type T = (4, 2):(1, 2, «3»);", "shape and stride differ in nesting: 2 extents, 3 strides");
}

/// Returns the text of the expansion of `source` by `name`, without white space.
fn expands(name: fn(TokenStream) -> Result<TokenStream>, source: &str) -> String {
    let tokens = name(source.parse().expect("tokens")).expect(source);
    tokens.to_string().replace(char::is_whitespace, "")
}

#[test]
fn paths_are_absolute() {
    assert_eq!(expands(int, "8"), "::layout_core::Int::<8>");
    assert_eq!(expands(int, "@ root -3"), "root::number::Neg::<root::Int::<3>>::new()");
    assert_eq!(expands(shape, "(m, {LD / 2})"), "(m,::layout_core::Int::<{LD/2}>,)");
    assert_eq!(expands(shape, "(dyn M, dyn tiles::N)"), "(M,tiles::N,)");
    assert_eq!(expands(layout, "@ root m:1"), "root::Strided::new(m,root::Int::<1>,)");
    assert_eq!(expands(layout, "@ root try_coalesce(a)"), "root::ops::Derived::<root::ops::op::Coalesce,_>::try_new((a,),)");
    assert_eq!(expands(layout, "@ root coalesce((2,4):(1,2))"), "root::Strided::new(root::Int::<8>,root::Int::<1>,)");
}

#[test]
fn an_error_is_a_macro_call() {
    let error = int("rows".parse().expect("tokens")).expect_err("a name").into_tokens().to_string();
    assert!(error.replace(' ', "").starts_with("::core::compile_error!{\"notastaticinteger"), "{error}");
}
