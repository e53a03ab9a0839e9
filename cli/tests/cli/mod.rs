//! The output and the exit codes of the command. No input makes it panic.

mod choose;
mod functions;
mod keys;
mod why;

use crate::batch::{answers, lines};
use serde_json::{Value, json};
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crd2idx")).args(args).output().expect("the command starts")
}

/// Returns standard output of a run that must succeed.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns standard error of a run that must be refused.
fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn eval_prints_the_index_or_the_value() {
    assert_eq!(printed(&["eval", "((2,4),(3,5)):((3,6),(1,24))", "(7,12)"]), "117\n");
    assert_eq!(printed(&["eval", "coalesce(logical_divide((4,2,3):(2,1,8), 4:2))", "5"]), "6\n");
    assert_eq!(printed(&["eval", "logical_divide((4,2,3):(2,1,8), 4:2)"]), "((2,2),(2,3)):((4,1),(2,8))\n");
    assert_eq!(printed(&["eval", "S<2,0,3> o 8 o (8,8):(1,8)", "(1,1)"]), "19\n");
    assert_eq!(printed(&["eval", "size((?,4):(1,8))"]), "?{div=4}\n");
    assert_eq!(printed(&["eval", "(?,4):(1,8)", "(5,1)"]), "13\n");
}

/// Outside the shape, `crd2idx` continues the layout. The command notes it beside the index.
#[test]
fn eval_notes_a_coordinate_outside() {
    for (layout, coordinate, index, shape) in [
        ("(4,8):(8,1)", "(4,8)", "40", "(4,8)"),
        ("((2,4),(3,5)):((3,6),(1,24))", "(11,12)", "129", "((2,4),(3,5))"),
        ("((13,0),(14,0)):((14,182),(1,154))", "(20,30)", "590", "((13,0),(14,0))"),
        ("5:-1", "-3", "3", "5"),
        ("S<1,0,1> o 0 o 4:1", "6", "7", "4"),
    ] {
        let output = run(&["eval", layout, coordinate]);
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout)), (Some(0), format!("{index}\n").into()));
        let note = format!("crd2idx: note: {coordinate} is outside the shape {shape}\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), note);
    }
}

#[test]
fn eval_puts_numbers_in_place_of_names() {
    assert_eq!(printed(&["eval", "size((m,4):(1,ld))", "--bind", "m=8,ld=3"]), "32\n");
    assert_eq!(printed(&["eval", "(m,4):(1,m)", "(i,1)", "--bind", "m=8", "--bind", "i=5"]), "13\n");
    assert!(refused(&["eval", "size((m,4):(1,ld))", "--bind", "ld=3"]).contains("unexpected text at byte 6"));
}

#[test]
fn analyze_has_a_line_for_each_fact() {
    let facts = printed(&["analyze", "(2,2):(1,1)"]);
    assert!(facts.starts_with("layout: (2,2):(1,1)\nsize: 4\n"), "{facts}");
    assert!(facts.contains("\ninjective: false\nsurjective: true\n"), "{facts}");
    assert!(facts.contains(r#"alias: {"coordinates":["(1,0)","(0,1)"],"index":1,"most":2}"#), "{facts}");
    let facts = printed(&["analyze", "(32,1):(32,1)", "--element-bits", "32", "--cycles"]);
    assert!(facts.contains(r#""conflicts":31"#) && facts.contains("permutation: null"), "{facts}");
    let facts = printed(&["analyze", "col_major((3,2))", "--cycles"]);
    assert!(facts.contains(r#""cycles":[[0],[1],[2],[3],[4],[5]]"#), "{facts}");
    assert_eq!(refused(&["analyze", "(4,8)"]), "crd2idx: (4,8) is not a layout\n");
}

#[test]
fn batch_finds_layouts_of_tables() {
    let table = |indices: &[i64], shape: &str| answers(&[json!({"op": "from_table", "indices": indices, "shape": shape})])[0].clone();
    assert_eq!(table(&[0, 5, 10, 15, 1, 4, 11, 14], "(4,2)"), json!({"ok": "S<2,0,2> o 0 o (4,2):(4,1)"}));
    let refused = table(&[0, 1, 10, 99, 20, 21, 35, 36], "(2,4)");
    assert_eq!(refused["coordinate"], "(1,1)", "{refused}");
    assert_eq!(answers(&[json!({"op": "from_table", "args": ["(0,1,4,5)"]})])[0], json!({"ok": "(2,2):(1,4)"}));
    assert_eq!(answers(&[json!({"op": "analyze", "layout": "4:2"})])[0]["ok"]["holes"], 3);
}

#[test]
fn eval_refuses_with_the_place_and_the_reason() {
    assert_eq!(refused(&["eval", "(2,4"]), "crd2idx: parse: unexpected text at byte 4: the text ends early\n");
    assert_eq!(refused(&["eval", "(2,4):(1,x)"]), "crd2idx: parse: unexpected text at byte 9: `x)`\n");
    assert_eq!(refused(&["eval", "4:1", "(1"]), "crd2idx: parse: unexpected text at byte 2: the text ends early\n");
    assert_eq!(
        refused(&["eval", "(4,99999999999999999999):(1,4)"]),
        "crd2idx: parse: the number at byte 3 does not fit 64 bits: `99999999999999999999`\n"
    );
    assert_eq!(
        refused(&["eval", "size(logical_devide(8:1, 2))"]),
        "crd2idx: parse: there is no operation of the name at byte 5: `logical_devide`, did you mean `logical_divide`? (`crd2idx ops` lists them)\n"
    );
    let tile = refused(&["eval", "zipped_divide((30,8):(1,30), (8,4))"]);
    assert_eq!(tile, "crd2idx: zipped_divide: tile 8 does not divide the extent 30 of mode 0\n");
    assert_eq!(refused(&["eval", "(3,4):(1,3)", "(1,2,3)"]), "crd2idx: crd2idx: the layout has 2 modes, but 3 are given\n");
    assert!(refused(&["eval"]).contains("Usage"));
    assert!(refused(&["nothing"]).contains("nothing"));
}

#[test]
fn ops_lists_names_that_eval_knows() {
    let ops = printed(&["ops"]);
    assert!(ops.contains("zipped_divide(a: layout, tiler: tiler) -> layout  # `((tiles), (rests))` of `logical_divide`.\n"), "{ops}");
    let form = "flatten(a: layout) -> layout  # Removes the nesting: the same function of the linear coordinate.\n";
    assert_eq!(printed(&["ops", "flatten"]), format!("{form}    flatten(((2,4),6):((1,2),8)) = (2,4,6):(1,2,8)\n"));
    assert_eq!(refused(&["ops", "flaten"]), "crd2idx: there is no operation of the name `flaten`, did you mean `flatten`?\n");
    let names = ops.lines().filter_map(|line| line.split('(').next());
    let requests: Vec<Value> = names.map(|name| json!({"op": name, "args": ["4:1", "2:1", "2:1"]})).collect();
    for (request, answer) in requests.iter().zip(answers(&requests)) {
        assert_ne!(answer["kind"], "unknown_op", "{request}");
    }
    assert!(printed(&["--help"]).contains("eval") && printed(&["--version"]).starts_with("crd2idx "));
}

#[test]
fn batch_answers_in_order() {
    let requests: Vec<Value> = (0..2000).map(|k| json!({"op": "crd2idx", "args": ["(7,100):(1000,1)", k], "id": k})).collect();
    for (k, answer) in answers(&requests).into_iter().enumerate() {
        assert_eq!(answer, json!({"ok": k % 7 * 1000 + k / 7, "id": k}));
    }
}

#[test]
fn batch_answers_every_kind() {
    let cases = [
        (json!({"op": "coalesce", "args": ["(2,4):(1,2)"]}), json!({"ok": "8:1"})),
        (json!({"op": "size", "args": ["(2,4):(1,2)"]}), json!({"ok": 8})),
        (json!({"op": "compatible", "args": ["4", "(2,2)"]}), json!({"ok": 1})),
        (json!({"op": "complement", "args": ["4:1", 24]}), json!({"ok": "6:4"})),
        (json!({"op": "crd2idx", "args": ["2:9007199254740993", 1]}), json!({"ok": 9_007_199_254_740_993_i64})),
        (json!({"op": "composed_eval", "args": ["S<1,0,1>", 0, "4:1"]}), json!({"ok": [0, 1, 3, 2]})),
        (json!({"op": "composed_eval", "args": ["S<1,0,1> o 0 o 4:1"]}), json!({"ok": [0, 1, 3, 2]})),
        (json!({"op": "composed_eval", "args": ["(2,3):(3,1)"]}), json!({"ok": [0, 3, 1, 4, 2, 5]})),
        (json!({"op": "composed_eval", "args": ["(2,2):(1@0,1@1)"]}), json!({"ok": ["(0,0)", "(1,0)", "(0,1)", "(1,1)"]})),
        (json!({"op": "slice", "args": ["(3,4):(4,1)", "(1,_)"]}), json!({"ok": "(4):(1)", "offset": 4})),
        (json!({"op": "size", "args": ["4:1"], "id": {"a": [1, null]}}), json!({"ok": 4, "id": {"a": [1, null]}})),
        (json!({"op": "size", "args": ["(3,()):(1,())"]}), json!({"ok": 3})),
        (json!({"op": "idx2crd", "args": [5, "(3,(),2)"]}), json!({"ok": "(2,(),1)"})),
        (json!({"op": "slice", "args": ["(3,(),4):(4,(),1)", "(1,_,2)"]}), json!({"ok": "(()):(())", "offset": 6})),
    ];
    let (requests, want): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    assert_eq!(answers(&requests), want);
}

/// Run-time quantities work as in `eval`, with their facts.
#[test]
fn batch_answers_with_run_time_quantities() {
    let cases = [
        (json!(["(16,?):(1,16)"]), "right_inverse", json!({"ok": "?{div=16}:1"})),
        (json!(["?{div=32}:1", 8]), "logical_divide", json!({"ok": "(8,?{div=4}):(1,8)"})),
        (json!(["(4,?):(1,4)"]), "coalesce", json!({"ok": "?{div=4}:1"})),
        (json!(["(8,?):(1,8)"]), "size", json!({"ok": "?{div=8}"})),
        (json!(["(8,?):(1,8)"]), "get_shape", json!({"ok": "(8,?)"})),
        (json!(["(8,?):(1,8)", "(1,_)"]), "slice", json!({"ok": "(?):(8)"})),
        (json!(["(_8,?):(_1,_8)"]), "coalesce", json!({"ok": "?{div=8}:1"})),
    ];
    let (requests, want): (Vec<_>, Vec<_>) = cases.into_iter().map(|(args, op, want)| (json!({"op": op, "args": args}), want)).unzip();
    assert_eq!(answers(&requests), want);
    for (request, want) in requests.iter().zip(want).filter(|(request, _)| request["op"] != "slice") {
        let args: Vec<String> = request["args"].as_array().into_iter().flatten().map(|arg| arg.to_string().replace('"', "")).collect();
        let text = printed(&["eval", &format!("{}({})", request["op"].as_str().unwrap_or_default(), args.join(", "))]);
        assert_eq!(text.trim_end(), want["ok"], "{request}");
    }
    let refused = answers(&[json!({"op": "composed_eval", "args": ["S<1,0,1>", 0, "?:1"]})]);
    assert!(refused[0]["error"].as_str().is_some_and(|error| error.contains("run time")), "{refused:?}");
}

/// Messages about operands give the required number, the given number and the accepted kinds.
#[test]
fn messages_about_operands() {
    let threads = json!(["S<3,0,3> o 0 o (8,8):(8,1)", "(8,8):(8,1)", 8, 16]);
    let cases = [
        (json!(["4:1"]), "composition", "composition: 2 operands are needed, but 1 is given"),
        (json!(["4:1", 1, 2, 3]), "complement", "complement: 1 or 2 operands are needed, but 4 are given"),
        (json!([]), "size", "size: 1 operand is needed, but 0 are given"),
        (json!([]), "concat", "concat: at least 1 operand is needed, but 0 are given"),
        (json!(["4:1", 1, 2, 3, 4]), "copy_threads", "copy_threads: 4 operands are needed, but 5 are given"),
        (json!(["4:1", "4"]), "tile_to_shape", ""),
        (json!(["(2,3)"]), "cosize", "cosize: the first operand is a tuple, where an integer or a layout is taken"),
        (
            json!(["4:1", "S<1,0,1>"]),
            "composition",
            "composition: the second operand is a swizzle, where an integer, a tuple, a layout or a by-mode tiler is taken",
        ),
        (json!(["(4,_)"]), "to_int_tuple", "to_int_tuple: the first operand is a tuple with `_`, where an integer or a tuple is taken"),
        (json!([14, "S<1,0,1>"]), "idx2crd", "idx2crd: the second operand is a swizzle, where an integer, a tuple or a layout is taken"),
        (json!(["4:1", "4"]), "equal", "equal: the first operand is a layout, where an integer or a tuple is taken"),
        (json!(["4:1", "(1,2)"]), "upcast", "upcast: the second operand is a tuple, where an integer is taken"),
        (json!(["4:1", "_"]), "preimage", "preimage: the second operand is `_`, where an integer is taken"),
        (
            json!(["4:1"]),
            "composed_get_offset",
            "composed_get_offset: the first operand is a layout, where a swizzled layout or a composed layout is taken",
        ),
        (json!(["(4):(1)", "(1,2)"]), "crd2idx", "crd2idx: the layout has 1 mode, but 2 are given"),
        (json!(["(4,2):(1,4)", "(1)"]), "crd2idx", "crd2idx: the layout has 2 modes, but 1 is given"),
        (json!(["4:1", 1]), "get", "get: mode 1 is named, but the layout has 1 mode, counted from 0"),
    ];
    for (args, op, message) in cases {
        let answer = &answers(&[json!({"op": op, "args": args})])[0];
        assert_eq!(answer["error"].as_str().unwrap_or_default(), message, "{op} of {args}: {answer}");
    }
    // The answer for a swizzled operand does not mention the number of operands.
    let answer = &answers(&[json!({"op": "copy_threads", "args": threads})])[0];
    assert!(!answer.to_string().contains("needed"), "{answer}");
}

#[test]
fn batch_answers_what_it_refuses() {
    let requests = [
        json!({"op": "no_such_operation", "args": ["4:1"], "id": 7}),
        json!({"op": "size", "args": ["(4"], "id": "x"}),
        json!({"op": "composition", "args": ["(6,2):(1,7)", "(3,2):(2,3)"]}),
        json!({"args": ["4:1"]}),
        json!({"op": "size"}),
        json!({"op": "size", "args": "4:1"}),
        json!({"op": "size", "args": [null]}),
        json!({"op": "size", "args": [1.5]}),
        json!({"op": "size", "args": []}),
        json!(3),
    ];
    let answers = answers(&requests);
    for (request, answer) in requests.iter().zip(&answers) {
        assert!(answer["error"].as_str().is_some_and(|message| !message.is_empty()), "{request}: {answer}");
        assert!(answer.get("ok").is_none(), "{request}: {answer}");
    }
    assert_eq!((&answers[0]["kind"], &answers[0]["id"]), (&json!("unknown_op"), &json!(7)));
    assert_eq!(answers[1], json!({"error": "parse: unexpected text at byte 2: the text ends early", "id": "x"}));
    assert!(answers[1..4].iter().chain(&answers[6..]).all(|answer| answer.get("kind").is_none()));
    assert!(answers[4..6].iter().all(|answer| answer["kind"] == "malformed"));
    assert_eq!(answers[5]["error"], "args: \"4:1\" is not a list");
}

/// Every line but an empty one gets an answer, whatever it contains.
#[test]
fn garbage_does_not_end_a_batch() {
    let good = br#"{"op":"size","args":["4:1"]}"#;
    let nested = [b"[".repeat(100_000), b"\n".to_vec()].concat();
    let long = [br#"{"op":"size","args":[""#.to_vec(), b"(".repeat(100_000), b"\"]}\n".to_vec()].concat();
    let garbage: [&[u8]; 9] = [
        b"\xff\xfe\x00\n",
        b"{\"op\":\"size\"\n",
        b"\n",
        b"   \r\n",
        b"{\"op\":\"size\",\"args\":[\"\xc3\x28\"]}\n",
        b"\"\\ud800\"\n",
        b"null\n",
        &nested,
        &long,
    ];
    let mut input = Vec::new();
    for piece in garbage {
        input.extend_from_slice(piece);
        input.extend_from_slice(good);
        input.push(b'\n');
    }
    // The last line needs no line end.
    input.extend_from_slice(good);
    let answers = lines(&input);
    let good_answers = answers.iter().filter(|line| *line == r#"{"ok":4}"#).count();
    assert_eq!(good_answers, garbage.len() + 1, "{answers:#?}");
    assert_eq!(answers.len() - good_answers, garbage.len() - 2);
    for line in &answers {
        let answer: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is not JSON"));
        assert!(answer.get("ok").is_some() != answer.get("error").is_some(), "{line}");
    }
    assert!(lines(b"").is_empty());
}

#[test]
fn completions_and_the_manual_have_every_command() {
    let commands = ["eval", "explain", "emit", "batch", "graph", "sparse", "ragged", "show", "svg", "ops"];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
    }
    let page = printed(&["man"]);
    assert!(page.contains(".TH crd2idx 1"), "{page}");
    assert!(commands.iter().all(|command| page.contains(&format!("crd2idx {command}").replace('-', "\\-"))), "{page}");
}
