//! Sessions of `crd2idx repl`.

#[cfg(feature = "png")]
mod pictures;
#[cfg(unix)]
mod terminal;

use crate::command::run;

/// Returns what a session prints on standard output and on standard error, and its exit code.
fn session(args: &[&str], lines: &str) -> (String, String, Option<i32>) {
    let output = run(&[&["repl"], args].concat(), lines);
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    (out, err, output.status.code())
}

/// Returns what a session prints, none of whose lines is refused.
fn printed(lines: &str) -> String {
    let (out, err, code) = session(&[], lines);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{lines}");
    out
}

/// Returns the refusals of a session.
fn refused(lines: &str) -> String {
    let (out, err, code) = session(&[], lines);
    assert_eq!((out.as_str(), code), ("", Some(2)), "{lines}");
    err
}

#[test]
fn a_line_is_an_expression_or_a_subcommand() {
    let f = "((2,4),(3,5)):((3,6),(1,24))";
    for line in [f, "eval \"((2,4),(3,5)):((3,6),(1,24))\"", "  '((2,4),(3,5)):((3,6),(1,24))'"] {
        assert_eq!(printed(line), format!("{f}\n"));
        assert_eq!(printed(&format!("{line} (7,12)\n")), "117\n");
    }
    assert_eq!(printed("composition((6,2):(8,2), (4,3):(3,1))\n"), "((2,2),3):((24,2),8)\n");
    assert_eq!(printed("S<2,0,3> o 8 o (8,8):(1,8)\nS<2,0,3> o 8 o (8,8):(1,8) (1,1)"), "S<2,0,3> o 8 o (8,8):(1,8)\n19\n");
    let formula = "((i0 & 7) * 8) ^ (i0 * 64 + i1)\n";
    assert_eq!(printed("emit S<3,3,3> o 0 o (64,64):(64,1) --to c --expression"), formula);
    assert_eq!(printed("a = (64,64):(64,1)\nemit --to c S<3,3,3> o 0 o a --expression"), format!("(64,64):(64,1)\n{formula}"));
    assert_eq!(printed("5:-1 3\n-3"), "-3\n-3\n");
    assert_eq!(printed("size ((4,8):(8,1))"), "32\n");
    for arguments in
        [["show", "layout", "(4,8):(8,1)"], ["explain", "(4,8):(8,1)", "(2,5)"], ["why", "tile 7 does not divide the extent", "22"]]
    {
        assert_eq!(printed(&arguments.join(" ")).trim_end(), crd2idx_cli::answer(arguments).expect("an answer").trim_end());
    }
    assert_eq!(printed("\n# size( \n   \n"), "");
    assert!(printed("help").contains("picture layout a") && printed("help eval\neval --help\n--help").contains("--bind"));
    assert_eq!(printed("4:1\nquit\n4:2"), "4:1\n");
}

#[test]
fn names_keep_values() {
    let lines = "a = (4,8):(8,1)\nt = (2,2)\nb = zipped_divide(a, t)\nk = a (0,5)\nsize(b)\na (1,k)\na(2,5)\n";
    assert_eq!(printed(lines), "(4,8):(8,1)\n(2,2)\n((2,2),(2,4)):((8,1),(16,2))\n5\n32\n13\n21\n");
    assert_eq!(printed("b = 2\na = (b,4):(1,b)\nb = 3\nnames"), "2\n(2,4):(1,2)\n3\nb = 3\na = (2,4):(1,2)\n");
    // The longer name `ab` is another word.
    assert_eq!(printed("a = 4\nab = 8\n(a,ab):(ab,1)"), "4\n8\n(4,8):(8,1)\n");
    let of = |arguments: &[&str]| crd2idx_cli::answer(arguments.iter().copied()).expect("an answer") + "\n";
    for (line, arguments) in [
        ("eval a (2,3)", &["eval", "(4,8):(8,1)", "(2,3)"][..]),
        ("show divide a (c,4) --width 80", &["show", "divide", "(4,8):(8,1)", "(2,4)", "--width", "80"]),
        ("explain composition(a, c)", &["explain", "composition((4,8):(8,1), 2)"]),
        // `c` is a language, and not the name.
        ("emit a --to c", &["emit", "(4,8):(8,1)", "--to", "c"]),
        ("plan a '(4,8):(1,4)'", &["plan", "(4,8):(8,1)", "(4,8):(1,4)"]),
        ("plan '{\"layout\": \"32:1\"}' a", &["plan", "{\"layout\": \"32:1\"}", "(4,8):(8,1)"]),
        ("analyze a", &["analyze", "(4,8):(8,1)"]),
    ] {
        assert_eq!(printed(&format!("a = (4,8):(8,1)\nc = 2\nlayout = 3\n{line}")), format!("(4,8):(8,1)\n2\n3\n{}", of(arguments)));
    }
    for (name, meaning) in [
        ("size", "an operation"),
        ("o", "a word of the notation"),
        ("div", "a word of the notation"),
        ("eval", "a command"),
        ("quit", "a command"),
    ] {
        assert_eq!(refused(&format!("{name} = 4:1\nnames")), format!("crd2idx: `{name}` is {meaning}: choose another name\n"));
    }
    assert_eq!(refused("a ="), "crd2idx: `a =` has no expression\n");
    assert_eq!(refused("a = show layout 4:1"), "crd2idx: `show` is a command, and no expression\n");
    assert!(refused("a = b\nnames").contains("`b` is no subcommand, operation or name"));
}

/// The page on the command shows a session.
#[test]
fn the_page_shows_what_is_printed() {
    let page = include_str!("../../../docs/look-up/command.md");
    let shown = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a session");
    let (lines, answers): (Vec<_>, Vec<_>) = shown.lines().partition(|line| line.starts_with("crd2idx> "));
    let lines: Vec<_> = lines.iter().map(|line| line.trim_start_matches("crd2idx> ")).collect();
    assert!(lines.len() > 4);
    assert_eq!(printed(&lines.join("\n")), answers.join("\n") + "\n");
}

#[test]
fn a_refusal_does_not_end_the_session() {
    let (out, err, code) = session(&[], "4:1\n(2,4):(1,x)\neval --what\nshow nothing\nsise(4:1)\nexplan 4:1\nbatch\ngraph check -\n8:1\n");
    assert_eq!((out.as_str(), code), ("4:1\n8:1\n", Some(2)));
    for message in [
        "crd2idx: parse: unexpected text at byte 9: `x)`\n",
        "crd2idx: unrecognized subcommand 'nothing'",
        "`sise`, did you mean `size`?",
        "crd2idx: `explan` is no subcommand, operation or name: did you mean `explain`?\n",
        "crd2idx: `batch` runs outside of the prompt: crd2idx batch\n",
        "crd2idx: `-` is no file here",
    ] {
        assert!(err.contains(message), "{message}\n{err}");
    }
    // A coordinate outside is an answer with a note.
    let (out, err, code) = session(&[], "(4,8):(8,1) (4,8)");
    assert_eq!((out.as_str(), code), ("40\n", Some(0)));
    assert_eq!(err, "crd2idx: note: (4,8) is outside the shape (4,8)\n");
}

#[test]
fn open_lines_go_on() {
    assert_eq!(printed("a = (4,\n8):(\n8,1)\r\nsize(\n  a\n)"), "(4,8):(8,1)\n32\n");
    let (out, err, code) = session(&[], "size((4,\n\n4:1\n'4:1\n");
    assert_eq!((out.as_str(), code), ("4:1\n", Some(2)));
    assert_eq!(err, "crd2idx: the line ends inside brackets or quotes\n".repeat(2));
}

#[test]
fn pictures_are_drawn_in_characters_elsewhere() {
    let picture = crd2idx_cli::answer(["show", "layout", "(4,8):(8,1)"]).expect("a picture") + "\n";
    let lines = "picture layout (4,8):(8,1)";
    let (out, err, code) = session(&[], lines);
    assert_eq!((out.as_str(), code), (picture.as_str(), Some(0)));
    assert!(err.starts_with("crd2idx: note: pictures need ") && err.contains("--pictures kitty"), "{err}");
    assert_eq!(session(&["--pictures", "none"], lines), (picture, String::new(), Some(0)));
    assert!(refused("picture layout 4:1 -o a.svg").contains("a.svg: `picture` writes no file, `svg` does"));
    assert!(printed("picture --help").contains("Usage: picture "));
}

#[test]
#[cfg(not(feature = "png"))]
fn pictures_need_a_feature() {
    let (out, err, code) = session(&["--pictures", "kitty"], "picture layout 4:1");
    assert!(out.contains('│') && err.contains("cargo install --path cli --features png"), "{out}{err}");
    assert_eq!(code, Some(0));
}
