//! Files, refusals, and the contents of pictures.

use super::cases::{drawn, lists, matrix, printed, run};
use serde_json::json;
use std::path::PathBuf;

/// Returns an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pictures-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn refused(args: &[&str], input: Option<&serde_json::Value>) -> String {
    let output = run(args, input);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn refusals_say_what_to_do() {
    for (args, message) in [
        (&["layout", "(4,8)"][..], "(4,8) is a shape, not a layout: give it strides, (4,8):..., or write col_major((4,8))"),
        (&["layout", "(4,?):(1,4)"], "(4,?):(1,4) has numbers that are not known (`?`): a picture needs them all"),
        (
            &["layout", "(80,80):(1,80)"],
            "6400 cells are more than the 4096 of a picture: draw a part of it, like slice(LAYOUT, (_,0)), or one tile",
        ),
        (&["layout", "(4294967296,65536):(0,0)"], "are more than the 4096 of a picture"),
        (&["layout", "(0,4):(1,1)"], "(0,4):(1,1) has no element to draw"),
        (&["layout", "(4,"], "parse: unexpected text at byte 3: the text ends early"),
        (&["compose", "(6,8):(8,1)", "(4,3):(1,8)"], "composition: coordinates of the layout of the right operand add up to 7"),
        (&["divide", "(30,8):(1,30)", "(8,4)"], "zipped_divide: tile 8 does not divide the extent 30 of mode 0"),
        (&["swizzle", "8:1", "4"], "4 is not a swizzle: write S<bits,base,shift>"),
        (&["transpose", "8:1"], "8:1 has rank 1: a transposition exchanges two modes"),
        (&["tile", "(8,8):(8,1)", "(4,4,4)"], "the tile (4,4,4) has 3 extents for the 2 modes of (8,8):(8,1)"),
        (&["tile", "(8,8):(8,1)", "(4,0)"], "the tile (4,0) has no elements in mode 1"),
        (&["tile", "8:1", "5000"], "more than the 4096 of a picture"),
        (
            &["threads", "(4,8):(8,1)", "(3,4):(4,1)", "(2,2):(2,1)"],
            "mode 0: 3 threads of 2 values do not divide the extent 4 of (4,8):(8,1)",
        ),
        (&["threads", "(4,8):(8,1)", "4:1", "2:1"], "the threads 4:1 have 1 mode, but (4,8):(8,1) has 2"),
        (&["graph", "/no/such/file.json"], "/no/such/file.json: "),
        (&["ragged", "/no/such/file.json"], "/no/such/file.json: "),
    ] {
        for command in ["show", "svg"] {
            let error = refused(&[&[command], args].concat(), None);
            assert!(error.starts_with("crd2idx: ") && error.contains(message), "{args:?}: {error}");
        }
    }
    assert!(refused(&["show", "layout", "4:1", "--width", "3"], None).contains("--width 3 is less than 20 columns"));
    assert!(refused(&["svg", "layout", "4:1", "--width", "3"], None).contains("--width 3 is not between 160 and 8192"));
    let dense = json!({"shape": [1000, 0], "coords": [], "values": []});
    assert!(refused(&["svg", "sparse", "-"], Some(&dense)).contains("a tensor of shape [1000, 0] has no element to draw"));
    assert!(refused(&["svg", "ragged", "-"], Some(&json!({"offsets": [[0]], "data": []}))).contains("the array has no rows to draw"));
}

#[test]
fn files_are_replaced_as_a_whole() {
    let folder = folder("files");
    let path = folder.join("picture.svg");
    std::fs::write(&path, "old").expect("a file");
    let args = ["svg", "layout", "(4,8):(8,1)", "-o", path.to_str().expect("a name")];
    assert_eq!(printed(&args, None), "");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), printed(&["svg", "layout", "(4,8):(8,1)"], None));
    // A refusal leaves the file unchanged, and no other file.
    refused(&["svg", "layout", "(4,", "-o", args[4]], None);
    assert!(
        refused(&["svg", "layout", "4:1", "-o", folder.join("picture.pdf").to_str().expect("a name")], None)
            .contains("ends in .svg or .png")
    );
    refused(&["svg", "layout", "4:1", "-o", folder.join("none/picture.svg").to_str().expect("a name")], None);
    let names: Vec<_> = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, ["picture.svg"]);
}

#[cfg(feature = "png")]
#[test]
fn png_has_the_colours_and_the_text() {
    let path = folder("png").join("picture.png");
    let pixels = |args: &[&str]| {
        assert_eq!(printed(&[args, &["-o", path.to_str().expect("a name")]].concat(), None), "");
        resvg::tiny_skia::Pixmap::load_png(&path).expect("a PNG file")
    };
    let picture = pixels(&["svg", "layout", "(2,2):(1,2)"]);
    let count = |picture: &resvg::tiny_skia::Pixmap, rgb: [u8; 3]| {
        picture.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == rgb).count()
    };
    // Each of the four cells has its own colour, and digits in the colour of text.
    for rgb in [[0xcf, 0xe2, 0xff], [0xff, 0xdf, 0xbf], [0xcd, 0xf2, 0xd3], [0xff, 0xd3, 0xda]] {
        assert!(count(&picture, rgb) > 1000, "{rgb:?}");
    }
    assert!(count(&picture, [0x1f, 0x23, 0x28]) > 50);
    assert_eq!(pixels(&["svg", "layout", "(2,2):(1,2)"]), picture);
    assert!(count(&pixels(&["svg", "layout", "(2,2):(1,2)", "--theme", "dark"]), [0x14, 0x18, 0x1f]) > 1000);
}

/// An automatic picture has the light colours. With the colours of its style rules it is the dark picture.
#[test]
fn automatic_pictures_are_light_and_dark() {
    for case in super::cases::cases() {
        let [light, dark, auto] = ["light", "dark", "auto"].map(|theme| drawn("svg", &case, &["--theme", theme]));
        let (before, rest) = auto.split_once("<style>\n@media (prefers-color-scheme: dark) {\n").expect("a style");
        let (rules, after) = rest.split_once("}\n</style>\n").expect("the end of the style");
        assert_eq!(format!("{before}{after}"), light, "{:?}", case.0);
        // A rule is like `[fill="#ffffff"]{fill:#14181f}`. No light colour is also a dark one.
        let painted = rules.lines().fold(after.to_string(), |text, rule| {
            let parts = rule.strip_prefix('[').and_then(|rule| rule.strip_suffix('}')).and_then(|rule| rule.split_once("]{"));
            let (from, (property, colour)) = parts.and_then(|(from, to)| Some((from, to.split_once(':')?))).expect("a rule");
            text.replace(from, &format!("{property}=\"{colour}\""))
        });
        assert_eq!(format!("{before}{painted}"), dark, "{:?}", case.0);
    }
}

#[test]
fn pictures_say_what_they_show() {
    let svg = printed(&["svg", "layout", "S<1,0,2> o 0 o (2,4):(4,1)"], None);
    assert!(svg.contains("<title>S&lt;1,0,2&gt; o 0 o (2,4):(4,1)</title>\n<desc>The indices of the layout S&lt;1,0,2&gt; o 0 o (2,4):(4,1), of size 8.</desc>"));
    assert!(svg.contains("role=\"img\""));
    // Both rows of the swizzled layout: 0..4, then 4..8 in exchanged pairs.
    let said: Vec<&str> = svg.lines().filter_map(|line| line.strip_suffix("</text>")?.rsplit('>').next()).collect();
    assert!(said.ends_with(&["0", "1", "2", "3", "5", "4", "7", "6"]), "{said:?}");
}

#[test]
fn numbers_are_those_of_eval() {
    let f = "((2,4),(3,5)):((3,6),(1,24))";
    let svg = printed(&["svg", "layout", f], None);
    let said: Vec<&str> = svg.lines().filter_map(|line| line.strip_suffix("</text>")?.rsplit('>').next()).collect();
    let cells = &said[said.len() - 120..];
    for (row, column) in [(0, 0), (1, 0), (2, 7), (5, 14), (7, 14), (3, 3)] {
        let index = printed(&["eval", f, &format!("({row},{column})")], None);
        assert_eq!(cells[row * 15 + column], index.trim(), "({row},{column})");
    }
}

#[test]
fn tiles_and_tails() {
    let text = printed(&["show", "tile", "(3,5):(5,1)", "(2,3)", "--width", "60"], None);
    // 3 x 5 in tiles of 2 x 3: four tiles, with nine cells beyond the tensor.
    assert_eq!(text.matches(" -").count(), 4 * 6 - 15, "{text}");
    assert_eq!(text.matches("tile ").count(), 4);
}

#[test]
fn composition_colours_where_results_come_from() {
    // B selects the even elements of A, so the others have no colour.
    let svg = printed(&["svg", "compose", "8:10", "4:2"], None);
    let blank = svg.split("<g fill=\"#f6f8fa\"").skip(1).map(|group| group.split("</g>").next().expect("a group").matches("<rect").count());
    assert_eq!(blank.sum::<usize>(), 4, "{svg}");
}

#[test]
fn threads_have_blocks() {
    let text = printed(&["show", "threads", "(2,8):(8,1)", "(1,4):(1,1)", "(2,1):(1,1)", "--width", "120"], None);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.contains('T'))
        .map(|line| line.split_whitespace().filter(|word| word.starts_with(['T', 'V'])).collect())
        .collect();
    let threads = ["T0", "T1", "T2", "T3", "T0", "T1", "T2", "T3"];
    for (row, value) in rows.iter().zip(["V0", "V1"]) {
        assert_eq!(row.chunks(2).map(|pair| pair[0]).collect::<Vec<_>>(), threads);
        assert!(row.chunks(2).all(|pair| pair[1] == value), "{text}");
    }
}

#[test]
fn arrays_are_beside_their_tensor() {
    let text = drawn("show", &(vec!["sparse", "-", "--format", "CSR"], Some(matrix())), &["--width", "100"]);
    for array in ["pointers 0 │   0   2   2   3   5 │", "indices 1 │   1   4 │   0 │   3   4 │", "values │   1   2 │   3 │ 4.5   5 │"]
    {
        assert!(text.contains(array), "{array}\n{text}");
    }
    // One arrow for each pointer and each offset, but none for an array in bands.
    let heads = |svg: &str| svg.matches("Z\"/>").count();
    assert_eq!(heads(&drawn("svg", &(vec!["sparse", "-", "--format", "CSR"], Some(matrix())), &[])), 5);
    assert_eq!(heads(&drawn("svg", &(vec!["ragged", "-"], Some(lists())), &[])), 4 + 6);
    assert_eq!(heads(&drawn("svg", &(vec!["ragged", "-"], Some(lists())), &["--width", "160"])), 0);
}

#[test]
fn empty_lists_have_rows() {
    let text = drawn("show", &(vec!["ragged", "-"], Some(lists())), &["--width", "40"]);
    // List 1 of row 0 is empty, and row 1 has no lists.
    assert_eq!(text.matches("[]").count(), 2, "{text}");
    for line in ["  1 │ []", "1   │ []"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn trees_name_what_is_above() {
    let text = printed(&["show", "graph", "examples/graphs/gemm.json", "--width", "80"], None);
    assert!(text.starts_with("A  User\n├─ Split\n│  ├─ row  SubDimension, size M, stride lda\n"), "{text}");
    assert!(text.contains("└─ Flatten(tm, tk)  (above)") && text.contains("├─ mi  (above)"), "{text}");
}

#[test]
fn the_page_on_pictures_runs() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/do/pictures.md")).expect("the page");
    let folder = folder("page");
    let mut count = 0;
    for line in page.lines().filter_map(|line| line.strip_prefix("crd2idx ")) {
        // Take the words outside of quotes, and each quoted text as a whole.
        let words = line
            .split('"')
            .enumerate()
            .flat_map(|(k, part)| if k % 2 == 1 { vec![part.to_owned()] } else { part.split_whitespace().map(String::from).collect() });
        let mut words: Vec<String> = words.collect();
        if let Some(at) = words.iter().position(|word| word == "-o") {
            words[at + 1] = folder.join(&words[at + 1]).display().to_string();
        }
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        if line.ends_with(".png") && !cfg!(feature = "png") {
            assert!(refused(&words, None).contains("cargo install --path cli --features png"), "{line}");
        } else {
            assert_eq!(printed(&words, None).is_empty(), line.contains(" -o "), "{line}");
        }
        count += 1;
    }
    // The first three, and each kind but `layout` once more.
    assert_eq!(count, 15);
}
