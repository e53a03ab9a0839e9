//! Drawings of graphs: pinned texts, names that contain markup, and the verdict of each language's own tools.

use super::every;
use super::vectors::cases;
use crd2idx::graph::{CoordGraph, Dataflow, DimKind, Dimension, Expr, Transform};
use crd2idx::json::graph_from_json;
use std::io::Write;
use std::process::{Command, Stdio};

/// Returns a tile of a padded row in shared memory.
fn sample() -> CoordGraph {
    let mut graph = CoordGraph::new();
    graph.parameter("m", crd2idx::algebra::value::Facts::POSITIVE).expect("a new name");
    let mut add = |dim: Dimension| graph.add(dim).expect("a new name");
    let row = add(Dimension::new("row").kind(DimKind::SubDimension).size(Expr::param("m")).stride(1).offset(-4));
    let padded = add(Dimension::new("padded"));
    let tile = add(Dimension::new("tile").size(Expr::param("m").plus(3).ceil_div(16)));
    let i = add(Dimension::new("i").kind(DimKind::Workitem).size(16));
    let lds = add(Dimension::new("lds").kind(DimKind::SharedMemory));
    graph.connect(Transform::Pad { left: 1.into(), right: 2.into() }, [row], [padded]).expect("an edge of the right form");
    graph.connect(Transform::Tile, [padded], [tile, i]).expect("an edge of the right form");
    graph.connect(Dataflow::Segment(1), [lds], [row]).expect("an edge of the right form");
    graph.connect(Dataflow::DataFlow, [tile, i], [lds]).expect("an edge of the right form");
    graph
}

#[test]
fn dot() {
    let want = r#"digraph {
  rankdir=LR;
  node [fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=10];
  n0 [shape=box, style=rounded, label="row\nSubDimension\nsize m, stride 1, offset -4"];
  n1 [shape=box, style=rounded, label="padded"];
  n2 [shape=box, style=rounded, label="tile\nsize ceil_div((m + 3), 16)"];
  n3 [shape=box, style=rounded, label="i\nWorkitem\nsize 16"];
  n4 [shape=box, style=rounded, label="lds\nSharedMemory"];
  e0 [shape=box, label="Pad\nleft 1, right 2"];
  n0 -> e0;
  e0 -> n1;
  e1 [shape=box, label="Tile"];
  n1 -> e1;
  e1 -> n2 [label="0"];
  e1 -> n3 [label="1"];
  e2 [shape=box, style=dashed, color=steelblue, label="Segment\nnumber 1"];
  n4 -> e2 [style=dashed, color=steelblue];
  e2 -> n0 [style=dashed, color=steelblue];
  e3 [shape=box, style=dashed, color=steelblue, label="DataFlow"];
  n2 -> e3 [label="0", style=dashed, color=steelblue];
  n3 -> e3 [label="1", style=dashed, color=steelblue];
  e3 -> n4 [style=dashed, color=steelblue];
}
"#;
    assert_eq!(sample().to_dot().to_string(), want);
}

#[test]
fn mermaid() {
    let want = r#"flowchart LR
  n0("row<br/>SubDimension<br/>size m, stride 1, offset #45;4")
  n1("padded")
  n2("tile<br/>size ceil#95;div((m #43; 3), 16)")
  n3("i<br/>Workitem<br/>size 16")
  n4("lds<br/>SharedMemory")
  e0["Pad<br/>left 1, right 2"]
  n0 --> e0
  e0 --> n1
  e1["Tile"]
  n1 --> e1
  e1 -->|0| n2
  e1 -->|1| n3
  e2["Segment<br/>number 1"]
  n4 -.-> e2
  e2 -.-> n0
  e3["DataFlow"]
  n2 -.->|0| e3
  n3 -.->|1| e3
  e3 -.-> n4
  linkStyle 5,6,7,8,9 stroke:steelblue
  style e2 stroke:steelblue,stroke-dasharray:5
  style e3 stroke:steelblue,stroke-dasharray:5
"#;
    assert_eq!(sample().to_mermaid().to_string(), want);
}

/// Names, with their labels in DOT and in Mermaid.
const NAMES: [(&str, &str, &str); 12] = [
    ("\"", r#"\""#, "#34;"),
    ("\\", r"\\", "#92;"),
    ("a\\\"", r#"a\\\""#, "a#92;#34;"),
    ("a\nb", r"a\\nb", "a#92;nb"),
    ("<b>&lt;</b>", "<b>&amp;lt;</b>", "#60;b#62;#38;lt#59;#60;#47;b#62;"),
    ("\\N", r"\\N", "#92;N"),
    ("zeile höhe 行", "zeile höhe 行", "zeile höhe 行"),
    ("end", "end", "end"),
    ("", " ", " "),
    ("\0\u{202e}", r"\\u{0}\\u{202e}", "#92;u#123;0#125;#92;u#123;202e#125;"),
    ("%%{init}%%;`x`#35;", "%%{init}%%;`x`#35;", "#37;#37;#123;init#125;#37;#37;#59;#96;x#96;#35;35#59;"),
    ("n0 -> e0]; {|}", "n0 -> e0]; {|}", "n0 #45;#62; e0#93;#59; #123;#124;#125;"),
];

fn named() -> CoordGraph {
    let mut graph = CoordGraph::new();
    let ids: Vec<_> = NAMES.iter().map(|(name, ..)| graph.add(Dimension::new(*name)).expect("a new name")).collect();
    graph.connect(Transform::Split, [ids[0]], ids[1..].iter().copied()).expect("an edge of the right form");
    graph
}

#[test]
fn names_are_only_labels() {
    let (dot, mermaid) = (named().to_dot().to_string(), named().to_mermaid().to_string());
    for (k, (name, in_dot, in_mermaid)) in NAMES.iter().enumerate() {
        assert!(dot.contains(&format!("\n  n{k} [shape=box, style=rounded, label=\"{in_dot}\"];\n")), "{name:?}: {dot}");
        assert!(mermaid.contains(&format!("\n  n{k}(\"{in_mermaid}\")\n")), "{name:?}: {mermaid}");
    }
    // Each statement has one line, whatever the names contain.
    assert_eq!(dot.lines().count(), 4 + NAMES.len() + 1 + NAMES.len() + 1);
    assert_eq!(mermaid.lines().count(), 1 + NAMES.len() + 1 + NAMES.len());
}

fn all() -> Vec<CoordGraph> {
    let recorded = cases().into_iter().map(|case| graph_from_json(&case["graph"]).expect("a graph"));
    recorded.chain([every::graph(), sample(), named(), CoordGraph::new()]).collect()
}

#[test]
fn quotes_are_balanced_in_every_drawing() {
    for graph in all() {
        for line in graph.to_dot().to_string().lines().filter(|line| line.contains("label=")) {
            let (_, label) = line.split_once("label=\"").expect("a label is quoted");
            let mut escaped = false;
            let end = label.char_indices().find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            let (end, _) = end.unwrap_or_else(|| panic!("{line} does not end"));
            assert!(["];", ", style=dashed, color=steelblue];"].contains(&&label[end + 1..]), "{line}");
        }
        for line in graph.to_mermaid().to_string().lines().filter(|line| line.contains('"')) {
            assert_eq!(line.matches('"').count(), 2, "{line}");
        }
    }
}

/// Checks each text with a program on the path, if there is one.
fn checked_by(program: &str, args: &[&str], texts: impl Iterator<Item = String>) {
    for text in texts {
        let child = Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let Ok(mut child) = child else {
            println!("`{program}` is not on the path: its drawings are not checked by it");
            return;
        };
        let written = child.stdin.take().expect("standard input is piped").write_all(text.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success() && written.is_ok(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_languages_own_tools_read_them() {
    checked_by("dot", &["-Tsvg"], all().iter().map(|graph| graph.to_dot().to_string()));
    let few = [sample(), named(), every::graph()];
    checked_by("mmdc", &["-i", "-", "-o", "/dev/null", "-e", "svg"], few.iter().map(|graph| graph.to_mermaid().to_string()));
}
