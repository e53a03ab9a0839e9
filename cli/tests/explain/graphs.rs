//! Explanations of graphs: the recorded questions, and those of `examples/graphs`.

use super::statements::{Names, holds, printed};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Returns the explanation of a graph on standard input, as JSON; `None` if it is refused.
fn explained(graph: &Value, args: &[String]) -> Option<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd2idx"));
    command.args(["explain", "graph", "-", "--json"]).args(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts");
    child.stdin.take().expect("an input").write_all(graph.to_string().as_bytes()).expect("the command reads");
    let output = child.wait_with_output().expect("the command ends");
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// Checks every statement, and the value in the last line of each dimension. Returns the number of lines without a formula.
fn check(json: &Value, values: &serde_json::Map<String, Value>) -> usize {
    let mut bare = 0;
    let mut said = serde_json::Map::new();
    for step in json["steps"].as_array().expect("steps") {
        let text = step["text"].as_str().expect("a text");
        for statement in step["statements"].as_array().expect("statements") {
            assert!(holds(statement.as_str().expect("a statement"), &Names::new()), "{statement}");
        }
        if step["depth"] == 1 {
            let (name, value) = text.split_once(": ").or_else(|| text.split_once(" is ")).expect("a dimension");
            bare += usize::from(!text.contains(" = "));
            let value = value.rsplit(" = ").next().expect("a value").parse::<i64>().expect("a number");
            assert_eq!(said.insert(name.to_owned(), value.into()), None, "{text}");
        }
    }
    for (name, value) in values {
        assert_eq!(&json["values"][name], value, "{name}: {json:#}");
        assert!(said.get(name).is_none_or(|said| said == value), "{name}: {json:#}");
    }
    bare
}

#[test]
fn recorded_questions() {
    let file: Value = serde_json::from_str(include_str!("../../../tests/data/coordgraph.json")).expect("the records are JSON");
    let (mut asked, mut refused, mut lines) = (0, 0, 0);
    for case in file["cases"].as_array().expect("cases") {
        let graph = json!({"graph": case["graph"], "profile": case["profile"]});
        for query in case["queries"].as_array().expect("queries") {
            let Some(op @ ("forward" | "reverse")) = query["op"].as_str() else { continue };
            let mut args = vec![format!("--{op}")];
            for (name, value) in query["bind"].as_object().into_iter().flatten() {
                args.extend(["--bind".to_owned(), format!("{name}={value}")]);
            }
            let expect = query["expect"].as_object();
            let targets = query["targets"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let targets: Vec<&str> = expect.map_or(targets.collect(), |expect| expect.keys().map(String::as_str).collect());
            args.extend(targets.iter().flat_map(|name| ["--target", name]).map(str::to_owned));
            let json = explained(&graph, &args);
            let Some(expect) = expect else {
                assert!(json.is_none() && !query["error"].is_null(), "{}: {query}", case["id"]);
                refused += 1;
                continue;
            };
            let Some(json) = json else { panic!("{}: {args:?}", case["id"]) };
            // PassThrough passes coordinates on without a formula.
            let handed = case["graph"]["edges"].as_array().into_iter().flatten().any(|edge| edge["type"] == "PassThrough");
            let bare = check(&json, expect);
            assert!(bare == 0 || handed, "{}: {json:#}", case["id"]);
            asked += 1;
            lines += json["steps"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(asked > 60 && refused > 10 && lines > 4 * asked, "{asked} answers, {refused} refusals, {lines} lines");
}

#[test]
fn examples() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/graphs/im2col.json");
    let text = printed(&["explain", "graph", file, "--reverse", "--bind", "m=30", "--bind", "k=70", "--target", "x"]);
    assert!(text.contains("    wp: 2 * 2 + 1 * 1 = 5\n"), "{text}");
    assert!(text.contains("    x: 0 * 200704 + 1 * 3584 + 4 * 64 + 6 * 1 = 3846\n"), "{text}");
    assert!(text.ends_with("valid: all lie inside their sizes\n"), "{text}");
    let outside = printed(&["explain", "graph", file, "--reverse", "--bind", "m=0", "--bind", "k=70", "--target", "x"]);
    assert!(outside.contains("  h lies before its first coordinate: -1 < 0\n") && outside.ends_with("not valid\n"), "{outside}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/graphs/gemm.json");
    let bound = ["M=1000", "K=512", "lda=512", "block=3", "step=2", "pass=1", "tid=77", "v=2"];
    let args: Vec<&str> =
        ["explain", "graph", file, "--reverse"].into_iter().chain(bound.iter().flat_map(|bound| ["--bind", bound])).collect();
    let text = printed(&args);
    assert!(text.contains("    A: 425 * 512 + 86 * 1 = 217686\n"), "{text}");
}

#[test]
fn what_is_not_determined_is_refused() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/graphs/im2col.json");
    let output = super::statements::run(&["explain", "graph", file, "--reverse", "--bind", "m=30", "--target", "x"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && message.contains("missing") && message.contains("`k`"), "{message}");
    let output = super::statements::run(&["explain", "graph", file, "--bind", "m=30"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && message.contains("the bound names determine no dimension forward"), "{message}");
}
