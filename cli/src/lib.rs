//! The command `crd2idx`. It is a library, so that other programs can call [`answer()`] and [`reply`]; `main` calls [`run`].
//!
//! Exit codes: 0 for an answer, 1 for output that could not be written, 2 for input that was refused.

#![forbid(unsafe_code)]

mod analysis;
mod answer;
mod batch;
mod choice;
mod emit;
mod eval;
mod explain;
mod files;
mod functions;
mod graph;
mod input;
mod linear;
mod memory;
mod placement;
mod plan;
mod ragged;
mod real;
#[cfg(feature = "shell")]
mod repl;
mod request;
#[cfg(feature = "shell")]
mod shell;
mod sparse;
mod view;
mod why;
mod words;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

pub use eval::{LEAVES, SYMBOLS, describe};

/// Computes with layouts: shapes and strides in the notation `((2,4),(3,5)):((3,6),(1,24))`.
#[derive(Parser)]
#[command(name = "crd2idx", version, after_help = "`crd2idx ops` lists the operations that expressions can name.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Evaluate an expression, or the index of a coordinate in the layout that it gives.
    ///
    /// crd2idx eval "((2,4),(3,5)):((3,6),(1,24))" "(11,12)"
    /// crd2idx eval "logical_divide((4,2,3):(2,1,8), 4:2)"
    #[command(verbatim_doc_comment)]
    Eval {
        /// A layout, a tuple, or nested operations by name.
        #[arg(allow_hyphen_values = true, value_hint = eval::EXPRESSION)]
        expression: String,
        /// The coordinate whose index to print.
        #[arg(allow_hyphen_values = true, value_hint = eval::EXPRESSION)]
        coordinate: Option<String>,
        /// Numbers in place of names in the expression and the coordinate.
        #[arg(long, value_name = "NAME=NUMBER,...", value_delimiter = ',')]
        bind: Vec<graph::Binding>,
    },
    /// Analyze all indices of a layout: aliases, holes, runs, vectors, and the cycles of the permutation.
    ///
    /// crd2idx analyze "(4,8):(8,1)"
    /// crd2idx analyze "S<3,2,3> o 0 o (32,8):(8,1)" --element-bits 32
    #[command(verbatim_doc_comment)]
    Analyze(analysis::Analyze),
    /// Explain step by step how a result comes about, or what fails and what would work.
    ///
    /// crd2idx explain "composition((10,2):(16,4), (5,4):(1,5))"
    /// crd2idx explain "zipped_divide((30,8):(1,30), (8,4))"
    #[command(verbatim_doc_comment)]
    Explain(explain::Explain),
    /// Print the index function of a layout or of a graph: C, CUDA, HIP, OpenCL, WGSL, Rust, MLIR.
    ///
    /// crd2idx emit "(8,?{div=4}):(?,1)" --to wgsl
    /// crd2idx emit graph.json --reverse group,lane --target row,col --to cuda --name place
    /// crd2idx emit graph.json --forward i,j --target k --bind part=0 --to c --expression
    ///
    /// If there is a host function, it follows in the same text; for OpenCL and WGSL `--host` prints it.
    #[command(verbatim_doc_comment)]
    Emit(Box<emit::Emit>),
    /// Answer JSON requests, one a line: {"op": "coalesce", "args": ["(2,4):(1,2)"]} gives {"ok": "8:1"}.
    ///
    /// `crd2idx requests` lists the requests that are not operations on layouts, with their keys.
    #[command(verbatim_doc_comment)]
    Batch,
    /// List the requests that `batch` answers besides the operations of `crd2idx ops`: keys, and what each computes.
    Requests,
    /// Evaluate, draw or check a coordinate graph.
    #[command(subcommand)]
    Graph(graph::Command),
    /// Choose the layouts of the tiles of a program: threads and values, vectors, swizzles; with what each statement costs.
    ///
    /// crd2idx choose transpose.tile
    /// crd2idx choose transpose.tile --to cuda
    #[command(verbatim_doc_comment)]
    Choose(choice::Choose),
    /// Build, describe or check a sparse tensor.
    #[command(subcommand)]
    Sparse(sparse::Command),
    /// Describe or check a ragged array.
    #[command(subcommand)]
    Ragged(ragged::Command),
    /// Plan the copies that bring every element of a tensor from one layout to another, between ranks, pages or regions (strides along `@1`).
    ///
    /// crd2idx plan "(4,4):(1@0,1@1)" "(4,4):(1@1,1@0)"
    /// crd2idx plan "((13,8),4):((4@0,1@1),1@0)" "((25,4),4):((4@0,1@1),1@0)" --extent 100,4 --bytes 2
    /// crd2idx plan '{"layout": "16:-1", "base": [15]}' "16:1" --max-loops 0
    #[command(verbatim_doc_comment)]
    Plan(Box<plan::Plan>),
    /// Show a picture in the terminal.
    ///
    /// crd2idx show layout "((2,4),(3,5)):((3,6),(1,24))"
    /// crd2idx show divide "(8,6):(1,8)" "(4,3)" --by index
    /// crd2idx show sparse tensor.json --format CSR --width 80
    #[command(verbatim_doc_comment)]
    Show(Box<view::terminal::Show>),
    /// Draw a picture as SVG, or as PNG.
    ///
    /// crd2idx svg layout "(4,8):(8,1)" --by mode -o layout.svg
    /// crd2idx svg threads "(8,8):(1,8)" "(4,4):(4,1)" "(2,2):(1,2)" --theme dark -o threads.png
    ///
    /// Without `-o` the SVG goes to standard output.
    #[command(verbatim_doc_comment)]
    Svg(Box<view::svg::Svg>),
    #[command(flatten)]
    Files(files::Command),
    /// List the operations, or show those that are named, each with an example.
    ///
    /// crd2idx ops zipped_divide complement
    #[command(verbatim_doc_comment)]
    Ops {
        /// Names of operations.
        names: Vec<String>,
    },
    /// Say what an error message means and what to do, or list the kinds of errors if there is none.
    ///
    /// crd2idx why "zipped_divide: tile 7 does not divide the extent 22 of mode 1"
    /// cargo build 2>&1 | crd2idx why -
    #[command(verbatim_doc_comment)]
    Why {
        /// The message, or the heading of a kind of errors; `-` takes the messages on standard input.
        #[arg(allow_hyphen_values = true)]
        message: Vec<String>,
    },
    #[cfg(feature = "shell")]
    /// Read lines at a prompt: expressions, subcommands, and names for values.
    ///
    /// crd2idx repl
    /// crd2idx repl < lines.txt
    ///
    /// Without a terminal it reads lines from standard input, and prints the answers. The exit code is 2 if a line was refused.
    #[command(verbatim_doc_comment)]
    Repl(repl::Repl),
    #[cfg(feature = "shell")]
    /// Print completions for a shell: crd2idx completions bash > ~/.local/share/bash-completion/completions/crd2idx
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    #[cfg(feature = "shell")]
    /// Print the manual page: crd2idx man > ~/.local/share/man/man1/crd2idx.1
    Man,
}

/// Runs the command on the arguments of the process and returns its exit code. A program of another name has this `main`:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     crd2idx_cli::run()
/// }
/// ```
pub fn run() -> ExitCode {
    let command = Cli::parse().command;
    #[cfg(unix)]
    file_output::discard_when_killed();
    match command {
        Command::Batch => return ended(batch::run(std::io::stdin().lock(), std::io::stdout().lock())),
        #[cfg(feature = "shell")]
        Command::Completions { shell } => return ended(shell::completions(Cli::command(), shell)),
        #[cfg(feature = "shell")]
        Command::Man => return ended(shell::manual(Cli::command(), &mut std::io::stdout())),
        #[cfg(feature = "shell")]
        Command::Repl(ask) => {
            return match repl::run(&ask, Cli::command(), answered) {
                Ok(repl::Refused(true)) => ExitCode::from(2),
                other => ended(other.map(|_| ())),
            };
        }
        Command::Files(command) => {
            // Print the answers for valid files even if others are refused.
            let files::Outcome { printed, refused } = files::run(&command);
            let written = if printed.is_empty() { Ok(()) } else { print(&printed.join("\n")) };
            refused.iter().for_each(|message| eprintln!("crd2idx: {message}"));
            return if refused.is_empty() { ended(written) } else { ExitCode::from(2) };
        }
        _ => {}
    }
    match command.answer() {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(answer)) => ended(print(&answer)),
        Err(message) => {
            eprintln!("crd2idx: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns what the command prints for these arguments (without its own name), or the reason why it refuses them.
///
/// ```
/// assert_eq!(crd2idx_cli::answer(["eval", "(4,8):(8,1)", "(2,5)"])?, "21");
/// assert!(crd2idx_cli::answer(["eval", "(4,8:1"]).is_err());
/// assert!(crd2idx_cli::answer(["eval", "--help"])?.contains("Usage: crd2idx eval"));
/// # Ok::<(), String>(())
/// ```
pub fn answer(arguments: impl IntoIterator<Item = impl Into<String>>) -> Result<String, String> {
    answered(Cli::command(), arguments.into_iter().map(Into::into).collect())
}

/// Returns what the command prints for the arguments that `cli` reads, or the help that they ask for. Fails with the message of the
/// refusal.
fn answered(cli: clap::Command, arguments: Vec<String>) -> Result<String, String> {
    let arguments = ["crd2idx".to_owned()].into_iter().chain(arguments);
    match cli.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => Ok(cli.command.answer()?.unwrap_or_default()),
        Err(error) if error.use_stderr() => Err(error.render().to_string()),
        Err(help) => Ok(help.render().to_string().trim_end().to_owned()),
    }
}

/// Returns what the command prints for the arguments in a JSON object, `{"ok": ".."}`, or the reason why it refuses them,
/// `{"error": ".."}`. The text `input` of the object is standard input.
///
/// ```
/// let reply = crd2idx_cli::answer_to(br#"{"arguments": ["choose", "-"], "input": "tile t"}"#);
/// assert_eq!(reply, r#"{"error":"standard input: line 1: `threads` is missing: how many threads has a block?"}"#);
/// ```
pub fn answer_to(request: &[u8]) -> String {
    #[derive(serde::Deserialize)]
    struct Asked {
        arguments: Vec<String>,
        #[serde(default)]
        input: String,
    }
    let answer = match serde_json::from_slice(request) {
        Ok(Asked { arguments, input }) => input::given(input.into_bytes(), || answer(arguments)),
        Err(error) => Err(format!("unreadable request: {error}")),
    };
    match answer {
        Ok(text) => serde_json::json!({"ok": text}),
        Err(message) => serde_json::json!({"error": message}),
    }
    .to_string()
}

/// Returns the answer to one request of `crd2idx batch`, as JSON.
///
/// ```
/// let reply = crd2idx_cli::reply(br#"{"op": "coalesce", "args": ["(2,4):(1,2)"]}"#);
/// assert_eq!(reply, r#"{"ok":"8:1"}"#);
/// ```
pub fn reply(request: &[u8]) -> String {
    batch::reply(request)
}

/// Returns the requests of `crd2idx batch` that are not operations on layouts. Each has its name, its keys besides `op` and `id`, and
/// a sentence about its answer.
///
/// ```
/// let decompose = crd2idx_cli::requests().find(|(name, ..)| *name == "ragged.decompose");
/// let (_, keys, about) = decompose.ok_or("no such request")?;
/// assert_eq!(about, "Returns the coordinates of a leaf.");
/// assert!(keys.contains(&"k"), "{keys:?}");
/// # Ok::<(), &str>(())
/// ```
pub fn requests() -> impl Iterator<Item = (&'static str, Vec<&'static str>, &'static str)> {
    batch::requests().map(|row| (row.name, (row.keys)(), row.about.trim()))
}

impl Command {
    /// Returns the answer of a command, or `None` if it went to a file or the command writes it itself. Fails with the message
    /// of the refusal.
    fn answer(self) -> Result<Option<String>, String> {
        match self {
            Command::Eval { expression, coordinate, bind } => eval::eval(&expression, coordinate.as_deref(), &bind),
            Command::Analyze(ask) => analysis::run(&ask),
            Command::Explain(ask) => explain::run(&ask),
            Command::Emit(ask) => emit::run(&ask),
            Command::Choose(options) => choice::run(&options),
            Command::Graph(command) => graph::run(&command),
            Command::Sparse(command) => sparse::run(&command),
            Command::Ragged(command) => ragged::run(&command),
            Command::Plan(ask) => plan::run(&ask),
            Command::Show(show) => view::terminal::run(&show),
            Command::Svg(svg) => return view::svg::run(&svg),
            Command::Files(command) => return files::run(&command).answer(),
            Command::Ops { names } => eval::operations(&names),
            Command::Requests => Ok(batch::listed()),
            Command::Why { message } => why::run(&message),
            Command::Batch => return Ok(None),
            #[cfg(feature = "shell")]
            Command::Repl(_) | Command::Completions { .. } | Command::Man => return Ok(None),
        }
        .map(Some)
    }
}

fn ended(result: std::io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe is no failure: the reader stopped.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crd2idx: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{text}")
}
