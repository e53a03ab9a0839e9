//! The output and the exit codes of `crd2idx explain`.

use super::statements::{printed, run};

#[test]
fn an_index() {
    let text = printed(&["explain", "((2,4),(3,5)):((3,6),(1,24))", "(11,12)"]);
    assert!(text.contains("mode 0.0: 11 mod 2 = 1, passes on 11 div 2 = 5: 1 * 3 = 3\n"), "{text}");
    assert!(text.ends_with("in all L((11,12)) = 3 + 30 + 0 + 96 = 129\n"), "{text}");
    assert_eq!(text, printed(&["explain", "crd2idx(((2,4),(3,5)):((3,6),(1,24)), (11,12))"]));
}

#[test]
fn a_refusal() {
    let text = printed(&["explain", "zipped_divide((30,8):(1,30), (8,4))"]);
    for line in [
        "refused: tile 8 does not divide the extent 30 of mode 0",
        "30 mod 8 = 6",
        "tile 6 for 8: zipped_divide((30,8):(1,30), (6,4)) = ((6,4),(5,2)):((1,30),(6,120))",
        "tile 10 for 8: zipped_divide((30,8):(1,30), (10,4)) = ((10,4),(3,2)):((1,30),(10,120))",
        "extent 30 padded to 32: zipped_divide((32,8):(1,32), (8,4)) = ((8,4),(4,2)):((1,32),(8,128))",
    ] {
        assert!(text.lines().any(|found| found.trim() == line), "{line}: {text}");
    }
}

#[test]
fn input_that_cannot_be_explained() {
    for (args, message) in [
        (vec!["explain", "(2,4"], "crd2idx: parse: unexpected text at byte 4: the text ends early\n"),
        (vec!["explain", "coalesce((?,4):(1,?))"], "crd2idx: explain: `?` has no number to compute with; write one in its place\n"),
        (
            vec!["explain", "nothing(4:1)"],
            "crd2idx: parse: there is no operation of the name at byte 0: `nothing` (`crd2idx ops` lists them)\n",
        ),
    ] {
        let output = run(&args);
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(2), message), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// Explanations of very large layouts do not visit every element.
#[test]
fn large_extents() {
    for expression in [
        "composition((1000000007,1000000):(1,1000000007), 1000000007:1000000)",
        "zipped_divide((1000000000,7):(1,1000000000), (1000,7))",
        "zipped_divide((1000000007,8):(1,1000000007), (8,4))",
        "crd2idx((1000000000,1000000000):(1,1000000000), 999999999999999999)",
        "complement(4:1, 4000000000000000000)",
        "coalesce((4000000000,4):(1,4000000000))",
        "crd2idx((3,3):(4000000000000000000,-4000000000000000000), (2,2))",
        "crd2idx((3,3):(4000000000000000000,4000000000000000000), (2,2))",
        "composition((2,2):(9000000000000000000,-9000000000000000000), 4:1)",
        "composition((3,3,3):(1,4000000000000000000,-4000000000000000000), (2,2,2):(1,9000000000000000000,-9000000000000000000))",
        "idx2crd((3,3):(4000000000000000000,-4000000000000000000), 1)",
        "complement((2,2):(1,4600000000000000000), 9000000000000000000)",
        "complement(2:9000000000000000000, 9000000000000000000)",
        "left_inverse((2,2):(4611686018427387904,-4611686018427387904))",
        "right_inverse((4611686018427387904,2):(1,4611686018427387904))",
        "logical_product(2:4600000000000000000, 2:1)",
        "zipped_divide(9223372036854775807:1, 4611686018427387904)",
        "tile_to_shape(4611686018427387904:1, 9223372036854775807)",
        "tile_to_shape(4:1, (0,9223372036854775807,9223372036854775807))",
        "upcast((6,4):(9223372036854775807,6), 4)",
        "zipped_divide((0,8):(1,0), (8,4))",
        "composition((0,4):(1,0), (3,2):(1,3))",
    ] {
        super::statements::checked(expression);
    }
}
