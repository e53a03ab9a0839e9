//! A written text reads back as the same value.

use super::generate::{Style, operand};
use crate::common::{Rng, notation};
use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;

fn read(text: &str) -> Result<Operand<32>, crd2idx::LayoutError> {
    Parser::whole::<32, 32>(text, &mut ExprGraph::new(Op::Parse))
}

fn written(text: &str) -> String {
    read(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

#[test]
fn every_kind_of_operand() {
    let texts = [
        "0",
        "-7",
        "()",
        "(5)",
        "((2,4),(3,5))",
        "_",
        "(_,(1,_))",
        "9223372036854775807",
        "8:1",
        "():()",
        "(3,()):(1,())",
        "((),3,((),())):((),1@0,((),()))",
        "((()),()):((()),())",
        "((),_,(()))",
        "(2@1,())",
        "[4:1;():();_]",
        "S<3,4,3> o 0 o (8,()):(1,())",
        "(8):(1)",
        "((2,4),(3,5)):((3,6),(1,24))",
        "(((1))):(((0)))",
        "(3,4):(-4,1)",
        "(4,8):(1@0,1@1)",
        "(4,8):(2@1@0,1@3@2@1)",
        "1@0",
        "(1@0,(2@1,3))",
        "[4:1;(2,2):(1,8);_]",
        "[[2:1;_];4:1]",
        "[_]",
        "S<3,4,3>",
        "S<2,0,-3>",
        "S<3,4,3> o 0 o (8,4):(1,8)",
        "(4,8):(8,1) o (1,2) o (2,2):(1@0,1@1)",
        "(?,4):(1,?)",
        "?",
    ];
    for text in texts {
        assert_eq!(written(text), text);
    }
}

#[test]
fn other_spellings() {
    let texts = [
        ("  ( 2 , 4 ) : ( 1 , 2 ) ", "(2,4):(1,2)"),
        ("(_2,_4):(_1,_-2)", "(2,4):(1,-2)"),
        ("-0", "0"),
        ("007", "7"),
        ("[4;(2,3)]", "[4:1;[2:1;3:1]]"),
        ("S< 3 , 4 , 3 >o 0 o8:1", "S<3,4,3> o 0 o 8:1"),
        ("_ 5", "5"),
    ];
    for (text, want) in texts {
        assert_eq!(written(text), want, "{text}");
    }
}

/// The known facts of a dynamic leaf are part of its text.
#[test]
fn facts_of_dynamic_leaves() {
    let read = |text: &str| {
        let mut scope = ExprGraph::<32>::new(Op::Parse);
        Parser::whole::<32, 32>(text, &mut scope).map(|layout| layout.with_facts(&scope).to_string())
    };
    let text = "(?{div=8},4):(1,?{div=4,min=16,max=8192})";
    assert_eq!(read(text).as_deref(), Ok(text));
    assert_eq!(read("?{max=9,min=1}:1").as_deref(), Ok("?{max=9}:1"));
    for wrong in ["?{}:1", "?{div=0}:1", "?{max=3,min=4}:1", "?{most=3}:1", "?{div=8,}:1", "?{min=-1}:1", "?{div=8:1"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

/// A text that was read and written stays the same, and another reader gives it the same meaning.
#[test]
fn of_random_operands() {
    let mut rng = Rng::new(70);
    let (mut layouts, mut others) = (0, 0);
    for _ in 0..30_000 {
        let text = operand(&mut rng, Style { wild: 20, open: false });
        let Ok(value) = read(&text) else { continue };
        let once = value.to_string();
        assert_eq!(written(&once), once, "{text}");
        if matches!(value, Operand::Layout(_)) {
            assert_eq!(notation::layout(&once), notation::layout(&text), "{text}");
            layouts += 1;
        } else if matches!(value, Operand::Tuple(_)) {
            assert_eq!(notation::atoms(&once), notation::atoms(&text), "{text}");
            others += 1;
        }
    }
    assert!(layouts > 3000 && others > 3000, "{layouts} {others}");
}

/// The example of every form is the text of its result, and its operands are as many as the form has.
#[test]
fn examples_of_operations() {
    for op in Op::ALL {
        for form in op.forms() {
            assert_eq!(form.given.len(), form.operands.len(), "{}", op.name());
            let call = format!("{}({})", op.name(), form.given.join(", "));
            let value: Operand<32> =
                evaluate::<32, 0>(&call, &mut ExprGraph::new(Op::Parse)).unwrap_or_else(|error| panic!("{call}: {error}"));
            assert_eq!(value.to_string(), form.gives, "{call}");
        }
    }
}
