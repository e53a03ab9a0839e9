// What the page shows: views with fields, and the commands that they run. A field named `input` is the file `-`.

const GRAPH = `{
  "nodes": [{"name": "k", "size": 6}, {"name": "i", "size": 2}, {"name": "j", "size": 3}],
  "edges": [{"type": "Tile", "inputs": ["k"], "outputs": ["i", "j"]}]
}
`;

const KERNEL = `# Transposes a matrix through a tile of shared memory.
kernel transpose
param m >= 1, n >= 1
grid by < ceil(m / 32), bx < ceil(n / 32)
block ty < 8, tx < 32
global a (m, n) given, b (n, m) written
shared tile (32, 32)
loop r < 4 {
    let row = 32 * by + ty + 8 * r
    let col = 32 * bx + tx
    if row < m, col < n {
        load a[row, col]
        store tile[ty + 8 * r, tx]
    }
}
barrier
loop r < 4 {
    let row = 32 * bx + ty + 8 * r
    let col = 32 * by + tx
    if row < n, col < m {
        load tile[tx, ty + 8 * r]
        store b[row, col]
    }
}
`;

const options = (fields) => fields.map(([flag, value]) => (value ? [flag, value] : [])).flat();
const text = (name, label, value = "", hint = "") => ({ name, label, value, hint });
const choice = (name, label, values) => ({ name, label, values, value: values[0] });
/** A text beside which the values that `names` makes of a refusal of these arguments can be picked. */
const oneOf = (name, label, value, args, names) => ({ name, label, value, hint: "", list: { args, names } });
const area = (name, label, value) => ({ name, label, value, area: true });

/** The instructions that a refusal of another one lists. `M`, `N` and `X` stand for numbers, of which this takes one. */
const instructions = (refusal) =>
  (refusal.split("There are ")[1] ?? "").split(", ").map((name) => {
    const columns = name.includes(".ws.") ? "n64" : name.startsWith("tcgen05.mma") ? "n32" : "n8";
    return name.replace(/\.xX$/, ".x8").replace("nN", columns).replace("Mx", "8x");
  });

/** Reads lines such as `(32,4):(1,32) vector 4` as the accesses of a search. */
const accesses = (lines) =>
  lines
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => {
      const [threads, vector] = line.split(/\s+vector\s+/);
      return { threads: threads.trim(), ...(vector ? { vector: Number(vector) } : {}) };
    });

/** Splits a line as a shell does: quotes keep spaces. */
const words = (line) => [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));

const LANGUAGES = ["cuda", "c", "hip", "opencl", "wgsl", "rust", "mlir"];

export const VIEWS = [
  {
    id: "layout",
    title: "Layout",
    about: "A layout, or an operation on layouts: its result, its picture, and how it comes about.",
    fields: [
      text("layout", "Layout or operation", "((2,4),(3,5)):((3,6),(1,24))"),
      text("coordinate", "Coordinate", "", "such as (7,12)"),
      choice("by", "Colour by", ["index", "mode"]),
    ],
    examples: [
      { layout: "zipped_divide((8,12):(12,1), (4,6))", by: "mode" },
      { layout: "logical_product((2,2):(1,2), (2,3):(1,2))" },
      { layout: "composition((10,2):(16,4), (5,4):(1,5))", coordinate: "(2,3)" },
      { layout: "complement((2,2):(1,6), 24)" },
      { layout: "S<3,0,3> o 0 o (8,8):(8,1)" },
      { layout: "zipped_divide((30,8):(1,30), (8,4))" },
    ],
    panes: ({ layout, coordinate, by }) => [
      { title: "Result", args: ["eval", layout, ...(coordinate ? [coordinate] : [])] },
      { title: "Picture", args: ["svg", "layout", layout, "--by", by], hover: ["svg", "layout", layout, "--by", by, "--cells", "coordinate"] },
      { title: "Explanation", args: ["explain", layout, ...(coordinate ? [coordinate] : [])] },
      { title: "Analysis", args: ["analyze", layout] },
    ],
  },
  {
    id: "tile",
    title: "Tiles",
    about: "A tensor cut into tiles that need not divide it, and two layouts composed, divided or multiplied.",
    fields: [
      choice("kind", "Show", ["tile", "divide", "compose", "product"]),
      text("a", "Layout", "(7,10):(10,1)"),
      text("b", "Tile or second layout", "(4,4)"),
    ],
    examples: [
      { kind: "divide", a: "(8,6):(1,8)", b: "(4,3)" },
      { kind: "compose", a: "(6,2):(8,2)", b: "(4,3):(3,1)" },
      { kind: "product", a: "(2,2):(1,2)", b: "(2,3):(1,2)" },
    ],
    panes: ({ kind, a, b }) => [{ title: "Picture", args: ["svg", kind, a, b] }],
  },
  {
    id: "banks",
    title: "Swizzles and banks",
    about: "The bank of shared memory of each element, and one access of a warp. Marked cells are requested; T is the lane.",
    fields: [
      text("layout", "Layout of the tile", "(8,32):(32,1)"),
      text("threads", "Threads and values", "(32,1):(1,32)", "thread and value to coordinate"),
      text("bits", "Bits of an element", "32"),
      text("vector", "Elements of an instruction", "1"),
      text("access", "Access", "0"),
      text("swizzle", "Swizzle to try", "S<3,2,3>"),
    ],
    examples: [
      { layout: "(32,8):(8,1)", threads: "(32,1):(1,0)", swizzle: "S<2,0,3>" },
      { layout: "(16,64):(64,1)", threads: "(32,8):(1,32)", bits: "16", vector: "8", swizzle: "S<3,3,3>" },
    ],
    panes: ({ layout, threads, bits, vector, access, swizzle }) => {
      const asked = options([["--bits", bits], ["--vector", vector], ["--access", access]]);
      return [
        { title: "As stated", args: ["svg", "banks", layout, threads, ...asked] },
        ...(swizzle
          ? [
              { title: `With ${swizzle}`, args: ["svg", "banks", `${swizzle} o 0 o ${layout}`, threads, ...asked] },
              { title: "What the swizzle moves", args: ["svg", "swizzle", layout, swizzle] },
            ]
          : []),
      ];
    },
  },
  {
    id: "search",
    title: "Find a swizzle",
    about: "The layout of a tile in shared memory with the fewest conflicts over several accesses: an order of the modes, then a swizzle, then any bits.",
    fields: [
      text("shape", "Shape of the tile", "32, 32"),
      text("bits", "Bits of an element", "32"),
      area("accesses", "Accesses: a layout of threads and values on each line", "(32,32):(1,32) vector 4\n(32,32):(32,1)\n"),
    ],
    examples: [
      { shape: "64, 64", bits: "16", accesses: "(32,64):(2,64) vector 8\n(64,64):(64,1) vector 2" },
      { shape: "16, 32", bits: "64", accesses: "16:1\n32:16" },
    ],
    panes: ({ shape, bits, accesses: lines }) => [
      {
        title: "Layout",
        request: { op: "swizzle_search", shape: shape.split(/[\s,x]+/).filter(Boolean).map(Number), element_bits: Number(bits), accesses: accesses(lines) },
        words: ({ layout, conflicts, plain, reason }) => `${layout}\n\n${plain} conflicts with the best order of the modes, ${conflicts} with this layout:\n${reason}`,
        then: ({ layout }) =>
          accesses(lines).map(({ threads, vector = 1 }) => ({
            title: `Banks of ${threads}${vector > 1 ? ` vector ${vector}` : ""}`,
            args: ["svg", "banks", layout, threads, "--bits", bits, "--vector", `${vector}`],
          })),
      },
    ],
  },
  {
    id: "threads",
    title: "Threads",
    about: "Which thread holds which element, by a layout of threads and values or by a matrix instruction.",
    fields: [
      text("layout", "Layout", "(16,16):(16,1)"),
      text("places", "Threads and values", "((4,8),(2,2,2)):((32,1),(16,8,128))"),
      oneOf("atom", "Instruction", "m16n8k16.f16", ["svg", "atom", "?"], instructions),
      choice("operand", "Operand", ["all", "a", "b", "c"]),
      text("thread", "Thread to mark", "5"),
    ],
    examples: [{ atom: "m64n8k16.f16" }, { atom: "mfma.32x32x8.f16" }, { atom: "m16n8k32.s8" }],
    panes: ({ layout, places, atom, operand, thread }) => [
      ...(layout && places ? [{ title: "Threads and values", args: ["svg", "threads", layout, places, ...options([["--thread", thread]])] }] : []),
      ...(atom ? [{ title: atom, args: ["svg", "atom", atom, ...(operand === "all" ? [] : [operand]), ...options([["--thread", thread]])] }] : []),
    ],
  },
  {
    id: "emit",
    title: "Text",
    about: "The index function of a layout in your language. `?` is a number of run time. WGSL also runs on your GPU, beside the engine.",
    fields: [text("layout", "Layout", "(8,?{div=4}):(?,1)"), choice("to", "Language", LANGUAGES)],
    examples: [{ layout: "S<3,3,3> o 0 o (64,64):(64,1)", to: "wgsl" }, { layout: "((2,4),(3,5)):((3,6),(1,24))", to: "mlir" }, { layout: "((?{max=8},4),16):((1,?{max=64}),?{max=512})", to: "wgsl" }],
    panes: ({ layout, to }) => [{ title: to, args: ["emit", layout, "--to", to], copy: true, runs: to === "wgsl" ? layout : undefined }],
  },
  {
    id: "choose",
    title: "Choose",
    about: "A tile program: the layouts that move its tiles fastest, what each statement costs, and the kernel.",
    fields: [
      area(
        "input",
        "Tile program",
        `tile transpose
threads 32
global a f32 (16, 16)
global b f32 (16, 16)
shared s f32 (16, 16)
registers x f32 (16, 16)
registers y f32 (16, 16)
x[i, j] <- a[i, j]
s[i, j] <- x[i, j]
y[i, j] <- s[i, j]
b[j, i] <- y[i, j]
`,
      ),
      text("tile", "Tile to draw", "s"),
    ],
    panes: ({ tile }) => [
      { title: "Choice", args: ["choose", "-"] },
      { title: "Picture", args: ["svg", "choice", "-", ...(tile ? [tile] : [])] },
      { title: "Kernel", args: ["choose", "-", "--to", "cuda"], copy: true },
    ],
  },
  {
    id: "graph",
    title: "Graph",
    about: "A coordinate graph, drawn, and the dimensions that the bound ones determine.",
    fields: [area("input", "Graph", GRAPH), text("bind", "Bound dimensions", "k=4", "such as i=1 j=0"), choice("direction", "Direction", ["forward", "reverse"])],
    panes: ({ bind, direction }) => [
      { title: "Picture", args: ["svg", "graph", "-"] },
      ...(bind ? [{ title: "Coordinates", args: ["graph", "eval", "-", `--${direction}`, ...bind.split(/[\s,]+/).flatMap((one) => ["--bind", one])] }] : []),
      { title: "Check", args: ["graph", "check", "-"] },
    ],
  },
  {
    id: "plan",
    title: "Relayout",
    about: "The copies that bring every element from one layout to another. `1@1` is a stride along places: ranks, pages or regions.",
    fields: [text("from", "From", "(4,4):(1@0,1@1)"), text("to", "To", "(4,4):(1@1,1@0)")],
    examples: [{ from: "(8,8):(8,1)", to: "(8,8):(1,8)" }, { from: "16:1", to: "(4,4):(1@0,1@1)" }],
    panes: ({ from, to }) => [
      { title: "Picture", args: ["svg", "plan", from, to] },
      { title: "Plan", args: ["plan", from, to], copy: true },
    ],
  },
  {
    id: "sparse",
    title: "Sparse",
    about: "A sparse tensor in any format: its elements, and the arrays beside them.",
    fields: [
      area("input", "Tensor", `{"shape": [4, 9], "coords": [[0, 1], [0, 7], [1, 3], [3, 0]], "values": [6, 5, 2, 8]}\n`),
      text("format", "Format", "CSR", "such as COO, CSC, DCSR, ELL"),
    ],
    panes: ({ format }) => [
      { title: "Picture", args: ["svg", "sparse", "-", ...options([["--format", format]])] },
      { title: "Arrays", args: ["sparse", "build", "-", ...options([["--format", format]])], copy: true },
    ],
  },
  {
    id: "ragged",
    title: "Ragged",
    about: "Lists of lists: the rows, the offsets and the leaves.",
    fields: [area("input", "Array", `{"offsets": [[0, 3, 3, 4]], "data": [6, 5, 5, 2]}\n`)],
    panes: () => [
      { title: "Picture", args: ["svg", "ragged", "-"] },
      { title: "Description", args: ["ragged", "info", "-"] },
    ],
  },
  {
    id: "races",
    title: "Races",
    about: "A kernel with its memories, accesses and barriers: for all sizes, whether it has races and stays in bounds.",
    fields: [area("input", "Kernel", KERNEL)],
    panes: () => [{ title: "Verdicts", args: ["graph", "verify", "-"] }],
  },
  {
    id: "command",
    title: "Command",
    about: "Any line of the command crd2idx. Commands of files are not here; the text below the line is the file named `-`.",
    fields: [text("line", "crd2idx", 'explain "logical_divide((4,2,3):(2,1,8), 4:2)"'), area("input", "The file -", "")],
    examples: [{ line: "ops zipped_divide" }, { line: 'show layout "(4,8):(8,1)"' }, { line: "requests" }, { line: "--help" }],
    panes: ({ line }) => [{ title: "Answer", args: words(line.replace(/^\s*(?:\$\s*)?crd2idx\s/, "")), copy: true }],
  },
];
