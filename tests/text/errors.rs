//! Texts that cannot be read are refused at the byte where reading stops.

use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::{Cause, Op};

fn error(text: &str) -> crd2idx::LayoutError {
    match Parser::whole::<16, 0>(text, &mut ExprGraph::new(Op::Parse)) {
        Ok(operand) => panic!("{text} is read as {operand}"),
        Err(error) => error,
    }
}

#[test]
fn positions() {
    let cases = [
        ("", 0),
        ("   ", 3),
        ("x", 0),
        ("(2,4", 4),
        ("(2,,4)", 3),
        ("(2,4))", 5),
        ("(2,4):(1,2", 10),
        ("(2,4):", 6),
        ("(2,4):(1,2)x", 11),
        ("(2 4)", 3),
        ("2:1:1", 3),
        ("[4:1", 4),
        ("[4:1;]", 5),
        ("[4:1,2:1]", 4),
        ("S<3,4>", 5),
        ("S<3,4,3", 7),
        ("S<3,4,3> o 0", 12),
        ("S<3,4,3> o 0 o 5", 16),
        ("Sx<3,4,3>", 1),
        ("1@", 2),
        ("4:1@0 o 0", 9),
        ("(1@0,2):(1,2)", 13),
        ("--1", 1),
        ("-", 1),
        ("(2,é)", 3),
    ];
    for (text, at) in cases {
        let error = error(text);
        assert_eq!(error.cause, Cause::Syntax, "{text}: {error}");
        assert_eq!(error.numbers()[0], Some(at), "{text}: {error}");
        assert_eq!(error.op, Op::Parse);
    }
}

/// White space is ASCII white space: a form feed counts; a vertical tab, a no-break space and a byte order mark do not.
#[test]
fn white_space() {
    for space in [" ", "\t", "\n", "\r", "\x0c"] {
        let text = format!("{space}({space}2,{space}4{space}):(1,{space}2){space}");
        let read = Parser::whole::<16, 0>(&text, &mut ExprGraph::new(Op::Parse));
        assert_eq!(read.map(|operand| operand.to_string()).as_deref(), Ok("(2,4):(1,2)"), "{text:?}");
    }
    for other in ["\x0b", "\u{a0}", "\u{feff}", "\u{85}", "\u{2028}", "\0"] {
        let error = error(&format!("(2,{other}4):(1,2)"));
        assert_eq!((error.cause, error.numbers()[0]), (Cause::Syntax, Some(3)), "{other:?}: {error}");
        let error = self::error(&format!("4:1{other}"));
        assert_eq!((error.cause, error.numbers()[0]), (Cause::Syntax, Some(3)), "{other:?}: {error}");
    }
}

/// The error for a number beyond 64 bits gives the byte where the number begins.
#[test]
fn numbers_that_do_not_fit() {
    for (text, at) in [
        ("9223372036854775808", 0),
        ("-9223372036854775809", 1),
        ("-9223372036854775808", 0),
        ("(2,  99999999999999999999):(1,2)", 5),
        ("4:-18446744073709551616", 3),
        ("4:1@9223372036854775808", 4),
    ] {
        let error = error(text);
        assert_eq!((error.cause, error.numbers()[0]), (Cause::NumberTooLarge, Some(at)), "{text}: {error}");
    }
    assert!(matches!(Parser::whole::<4, 0>("9223372036854775807", &mut ExprGraph::new(Op::Parse)), Ok(Operand::Tuple(_))));
}

#[test]
fn causes() {
    let cases = [
        ("(2,4):(1,(2))", Cause::ShapeStrideMismatch),
        ("(2,4):(1,2,3)", Cause::ShapeStrideMismatch),
        ("(2,(4)):(1,2)", Cause::ShapeStrideMismatch),
        ("(-2,4):(1,2)", Cause::NegativeExtent),
        ("(_,4):(1,2)", Cause::UnexpectedKeep),
        ("(2,4):(_,2)", Cause::UnexpectedKeep),
        ("(4294967296,4294967296):(1,1)", Cause::Overflow),
        ("(2,2):(9223372036854775807,1)", Cause::Overflow),
        ("(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", Cause::Capacity),
        ("S<2,0,1>", Cause::SwizzleRange),
        ("?", Cause::TooManySymbols),
        ("[0]", Cause::NotPositive),
    ];
    for (text, cause) in cases {
        let error = error(text);
        assert_eq!(error.cause, cause, "{text}: {error}");
    }
}

#[test]
fn of_expressions() {
    let refuse = |text: &str| match evaluate::<16, 0>(text, &mut ExprGraph::new(Op::Parse)) {
        Ok(value) => panic!("{text} is {value}"),
        Err(error) => error,
    };
    for (text, at) in [("coalesce", 8), ("size(4:1", 8), ("size(4:1;2)", 8), ("size(4:1) 5", 10), ("size(size(x))", 10)] {
        let error = refuse(text);
        assert_eq!((error.cause, error.numbers()[0]), (Cause::Syntax, Some(at)), "{text}: {error}");
    }
    for (text, at) in [("nothing(4:1)", 0), ("size( flatened (4:1))", 6)] {
        let error = refuse(text);
        assert_eq!((error.cause, error.numbers()[0]), (Cause::NoSuchOperation, Some(at)), "{text}: {error}");
    }
    let error = refuse("size(zipped_divide((30,8):(1,30), (8,4)))");
    assert_eq!(error.to_string(), "zipped_divide: tile 8 does not divide the extent 30 of mode 0");
    assert_eq!(refuse("size()").cause, Cause::OperandCount);
    assert_eq!(refuse("composition(4:1)").cause, Cause::OperandCount);
}

/// The message of a refusal names the operation, the mode and the numbers.
#[test]
fn messages() {
    let cases = [
        ("(2,4))", "parse: unexpected text at byte 5"),
        ("(-2,4):(1,2)", "make_layout: the extent -2 of the layout is negative"),
        ("S<2,0,1>", "swizzle: swizzle <2,0,1> is outside its range"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text).to_string(), message);
    }
}
