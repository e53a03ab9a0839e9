//! Layouts chosen for tile programs, through the command and `batch`.

use crate::batch::answers;
use crate::command::run;
use serde_json::json;

const FOLDER: &str = "layout-choice/programs";

#[test]
fn all_programs_have_layouts_and_kernels() {
    for entry in std::fs::read_dir(format!("{}/../{FOLDER}", env!("CARGO_MANIFEST_DIR"))).expect("programs") {
        let name = entry.expect("a file").file_name().into_string().expect("UTF-8");
        let printed = |more: &[&str]| {
            let output = run(&[&["choose", &format!("{FOLDER}/{name}")], more].concat(), "");
            assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""), "{name}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        let stem = name.trim_end_matches(".tile");
        assert!(printed(&[]).starts_with(&format!("{stem}: ")), "{name}");
        let language = if stem.contains("dna") { "hip" } else { "cuda" };
        assert!(printed(&["--to", language]).contains(&format!(" {stem}(const ")), "{name}");
    }
}

#[test]
fn wrong_texts_are_refused_with_their_line() {
    let output = run(&["choose", "-"], "tile t\nthreads 32\nx[i] <- a[i]\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "crd2idx: standard input: line 3: `x` is no tensor\n");
}

#[test]
fn tiles_are_drawn_and_only_those_of_the_program() {
    let show = |more: &[&str]| {
        let output = run(&[&["show", "choice", &format!("{FOLDER}/least.tile")], more].concat(), "");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (code, all, _) = show(&[]);
    assert_eq!((code, all.lines().filter(|line| line.starts_with(['x', 'y', 'm'])).count()), (Some(0), 3), "{all}");
    assert!(show(&["y"]).1.starts_with("y: "));
    let wanted = "crd2idx: no tile in registers or in shared memory is called n. There are x, y, m\n";
    assert_eq!(show(&["n"]), (Some(2), String::new(), wanted.to_owned()));
    // A tile in shared memory shows the place of each element.
    let turn = run(&["show", "choice", "docs/pictures/turn.tile", "s"], "");
    assert!(String::from_utf8(turn.stdout).expect("UTF-8").starts_with("s: ((2,8),(2,2,2,2)):"));
}

#[test]
fn batch_has_layouts_costs_and_bounds() {
    let text = "tile t\nthreads 32\nglobal a f32 (8, 16)\nregisters x f32 (8, 16)\nx[i, j] <- a[i, j]";
    let found = answers(&[json!({"op": "choose", "program": text}), json!({"op": "choose", "program": "tile"})]);
    let load = json!({"instruction": "load of 16 bytes", "instructions": 1, "warps": 1, "unit": "sectors", "count": 16, "least": 16});
    assert_eq!(
        found[0]["ok"],
        json!({
            "name": "t",
            "layouts": {"a": "(8,16):(16,1)", "x": "((4,8),4):((32,1),8)"},
            "statements": [{"line": 5, "text": "x[i, j] <- a[i, j]", "moves": [load]}],
            "cost": {"global": 512, "sectors": 16, "shared": 0, "instructions": 1, "registers": 4},
            "least": {"global": 512, "sectors": 16, "shared": 0, "instructions": 0, "registers": 4},
            "optimal": true,
        })
    );
    let found_text =
        answers(&[json!({"op": "choose", "program": text, "to": "cuda"}), json!({"op": "choose", "program": text, "to": "c"})]);
    assert!(found_text[0]["ok"]["text"].as_str().expect("a text").contains("__global__"));
    assert_eq!(found_text[1]["error"], "to: \"c\" is not cuda or hip");
    assert_eq!(found[1], json!({"error": "program: line 1: expected a name, found ``", "class": "tile/text"}));
}

#[test]
fn a_target_has_one_language() {
    let text = "tile t\ntarget rdna3\nthreads 32\nglobal a f32 (32)\nglobal b f32 (32)\nregisters x f32 (32)\nx[i] <- a[i]\nb[i] <- x[i]";
    let found = answers(&[json!({"op": "choose", "program": text, "to": "hip"}), json!({"op": "choose", "program": text, "to": "cuda"})]);
    assert!(found[0]["ok"]["text"].as_str().expect("a text").contains("#include <hip/hip_runtime.h>"));
    assert_eq!(
        found[1],
        json!({"error": "program: line 3: the target is rdna3, whose kernels are in hip, not in cuda", "class": "tile/text"})
    );
    let output = run(&["choose", "-", "--to", "hip"], &text.replace("target rdna3\n", ""));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "crd2idx: standard input: line 2: the target is nvidia, whose kernels are in cuda, not in hip\n"
    );
}
