//! Verdicts on kernels, through the command and `batch`.

use crate::batch::answers;
use crate::command::run;
use serde_json::json;

const FOLDER: &str = "kernel-verdicts/kernels";

#[test]
fn all_kernels_are_proven() {
    for entry in std::fs::read_dir(format!("{}/../{FOLDER}", env!("CARGO_MANIFEST_DIR"))).expect("kernels") {
        let name = entry.expect("a file").file_name().into_string().expect("UTF-8");
        let output = run(&["graph", "verify", &format!("{FOLDER}/{name}")], "");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""), "{name}");
        assert!(text.starts_with(name.trim_end_matches(".kernel")) && text.contains("claims are proven"), "{text}");
    }
}

#[test]
fn faults_and_texts_that_are_wrong_are_refused() {
    let refused = |text: &str| {
        let output = run(&["graph", "verify", "-"], text);
        assert!(output.status.code() != Some(0) && output.stdout.is_empty());
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let fault = refused("kernel k\nblock t < 32\nshared s (32)\nstore s[t]\nload s[31 - t]\n");
    assert!(
        fault.contains("false: `s` has no races, at [0]\n  line 4: `store s[t]` where t = 0\n  line 5: `load s[31 - t]` where t = 31\n"),
        "{fault}"
    );
    assert!(refused("kernel k\nblock t").contains("standard input: line 2: expected `<`, found the end of the line"));
}

#[test]
fn batch_names_threads_and_tables() {
    let text = "kernel k\nparam n >= 1\nblock t < 4\ntable p (4) < n\nglobal y (n)\nloop i < 2 {\nstore y[p[t]]\n}";
    let found = answers(&[json!({"op": "verify", "kernel": text}), json!({"op": "verify", "kernel": "kernel"})]);
    let of = &found[0]["ok"];
    assert_eq!((&of["kernel"], &of["proven"]), (&json!("k"), &json!(false)));
    let touch = |t| json!({"line": 7, "text": "store y[p[t]]", "block": {}, "thread": {"t": t}, "counters": {"i": 0}});
    assert_eq!(
        of["claims"],
        json!([
            {"claim": "`y` has no races", "verdict": "false", "witness": {
                "sizes": {"n": 1}, "element": [0], "touches": [touch(0), touch(1)],
                "tables": "each entry of a table is 0, and of a distinct one its number",
            }},
            {"claim": "line 7 is in bounds", "verdict": "proven"},
        ])
    );
    assert_eq!(found[1], json!({"error": "kernel: line 1: expected a name, found the end of the line", "class": "kernel/text"}));
}
