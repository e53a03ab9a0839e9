// Runs a printed index function on the GPU of the browser, for all coordinates, and compares each index with the engine's.
import { ask, run } from "./engine.js";

const THREADS = 64;

/** Returns what the engine prints, or throws its refusal. */
async function printed(args) {
  const { ok, error } = await run(args);
  if (ok === undefined) throw new Error(error);
  return ok;
}

/** Returns the leaves of a tuple. A fact in braces belongs to its leaf; `()` is a leaf, too. */
const leaves = (tuple) => tuple.match(/\(\)|(?:\{[^}]*\}|[^(),{])+/g) ?? [];

/** Returns a number that has the facts of `?{min=..,max=..,div=..}`. It is none of the usual powers of two if the facts allow that. */
function numberOf(text, k) {
  const facts = Object.fromEntries([...text.matchAll(/(\w+)=(-?\d+)/g)].map(([, name, value]) => [name, Number(value)]));
  const { min = 0, max = 2 ** 31 - 1, div = 1 } = facts;
  const wanted = Math.ceil(Math.max(min, 5 + 2 * k) / div) * div;
  return Math.min(wanted, Math.floor(max / div) * div);
}

/** Returns a layout with numbers in place of each `?`, and these numbers by the names of the function's parameters. */
function withNumbers(layout) {
  const known = new Map();
  let k = 0;
  const filled = layout.replace(/\?(?:\{[^}]*\})?/g, (text) => {
    const number = numberOf(text, k);
    known.set(`p${k++}`, number);
    return number;
  });
  const parts = (text) => text.split(" o ").at(-1).split(":").map(leaves);
  const [before, after] = [parts(layout), parts(filled)];
  ["n", "d"].forEach((name, part) =>
    before[part].forEach((leaf, k) => {
      if (leaf.includes("?")) known.set(before[0].length === 1 ? name : `${name}${k}`, Number.parseInt(after[part][k].replace("^", "")));
    }),
  );
  return { filled, known };
}

/** Returns the numbers with which `n / d` is a multiplication in 32 bits, as `FastDiv32` computes them. */
function division(d) {
  if (d === 0) return { magic: 0, bias: 0, shift: 0 };
  const shift = 31 - Math.clz32(d), power = 1n << BigInt(32 + shift);
  const [down, rest] = [Number(power / BigInt(d)), Number(power % BigInt(d))];
  const [magic, bias] = rest === 0 ? [2 ** 32 - 1, 2 ** 32 - 1] : d - rest <= 2 ** shift ? [down + 1, 0] : [down, down];
  return { magic, bias, shift };
}

const fields = (text) => [...text.matchAll(/(\w+): (\w+)/g)].map(([, name, type]) => ({ name, type }));

/** Reads a printed function: its parameters, with those of a launch, and the names and types of its results. */
function signature(source) {
  const [, parameters, result] = source.match(/^fn crd2idx\((.*)\) -> (\w+) \{/m);
  const struct = (name) => fields(source.match(new RegExp(`struct ${name} \\{([^}]*)\\}`))[1]);
  const results = result.endsWith("Result") ? struct(result).map(({ name, type }) => ({ of: `result.${name}`, type })) : [{ of: "result", type: result }];
  const all = fields(parameters).map((one) => (one.type.endsWith("Launch") ? { ...one, fields: struct(one.type) } : one));
  return { all, results };
}

/** Returns the extent of each coordinate that a printed function takes. One of extent 1 has no bounds there. */
const extents = (source) => new Map([...source.matchAll(/^\/\/ (i\d*) (?:in \[0, (\d+)\)|is any integer)/gm)].map(([, name, extent = 1]) => [name, Number(extent)]));

/** Returns the printed function with a kernel around it, and the words that the kernel reads: those of the launch, then a row for each coordinate. */
export function kernel(source, known, sizes) {
  const { all, results } = signature(source);
  const launch = [], coordinates = [...sizes.keys()], count = [...sizes.values()].reduce((a, b) => a * b, 1);
  const word = ({ name, type }) => {
    if (sizes.has(name)) return `${type}(words[first + ${coordinates.indexOf(name)}])`;
    const [of, part] = name.split("_");
    if (!known.has(of)) throw new Error(`${name} comes out of an operation; write the layout that it gives, or numbers in place of \`?\``);
    launch.push(part ? division(known.get(of))[part] : known.get(of));
    return `${type}(words[${launch.length - 1}])`;
  };
  const given = all.map((one) => (one.fields ? `${one.type}(${one.fields.map(word).join(", ")})` : word(one)));
  const words = new Int32Array(launch.length + count * coordinates.length);
  words.set(launch);
  for (let k = 0; k < count; k++) {
    let rest = k;
    coordinates.forEach((name, column) => {
      words[launch.length + k * coordinates.length + column] = rest % sizes.get(name);
      rest = Math.floor(rest / sizes.get(name));
    });
  }
  const text = `${source}

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> indices: array<u32>;

@compute @workgroup_size(${THREADS})
fn every_index(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= ${count}u) {
        return;
    }
    let first = ${launch.length}u + id.x * ${coordinates.length}u;
    let result = crd2idx(${given.join(", ")});
${results.map(({ of }, k) => `    indices[id.x * ${results.length}u + ${k}u] = u32(${of});`).join("\n")}
}
`;
  return { text, words, count, results };
}

/** Runs a kernel, and returns the indices of each coordinate. */
async function indicesOn(device, { text, words, count, results }) {
  const module = device.createShaderModule({ code: text });
  const { messages } = await module.getCompilationInfo();
  const wrong = messages.filter(({ type }) => type === "error");
  if (wrong.length) throw new Error(`the GPU refuses the function: ${wrong.map(({ lineNum, message }) => `line ${lineNum}: ${message}`).join("; ")}`);
  const size = count * results.length * 4;
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const given = device.createBuffer({ size: words.byteLength, usage: STORAGE | COPY_DST });
  const own = device.createBuffer({ size, usage: STORAGE | COPY_SRC });
  const read = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(given, 0, words);
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "every_index" } });
  const entries = [given, own].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(count / THREADS));
  pass.end();
  encoder.copyBufferToBuffer(own, 0, read, 0, size);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const all = new Uint32Array(read.getMappedRange());
  const index = (k) => results.map(({ type }, column) => (type === "i32" ? all[k * results.length + column] | 0 : all[k * results.length + column]));
  return Array.from({ length: count }, (_, k) => index(k));
}

/**
 * Returns a sentence: how many indices of a layout are equal on the GPU, and the first that differs. `source` is the function in WGSL.
 * Throws an error that says why it cannot run.
 */
export async function compare(layout, source) {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error("WebGPU finds no GPU");
  const value = await printed(["eval", layout]);
  const plain = (text) => text.replace(/\s|\{[^}]*\}/g, "");
  const { filled, known } = withNumbers(value);
  // The names of parameters are those of the leaves if no operation made the layout.
  if (plain(value) !== plain(layout)) known.clear();
  const sizes = extents(await printed(["emit", filled, "--to", "wgsl"]));
  const { ok: wanted, error } = await ask({ op: "composed_eval", args: [filled] });
  if (error) throw new Error(error);
  const shader = kernel(source, known, sizes);
  if (wanted.length !== shader.count) throw new Error(`the engine has ${wanted.length} indices, the coordinates of the function are ${shader.count}`);
  const device = await adapter.requestDevice();
  try {
    const own = (await indicesOn(device, shader)).map((index) => (index.length === 1 ? `${index[0]}` : `(${index.join(",")})`));
    const differ = own.flatMap((index, k) => (index === `${wanted[k]}` ? [] : [k]));
    const { description, vendor, architecture } = adapter.info;
    const name = description || [vendor, architecture].filter(Boolean).join(" ") || "this GPU";
    const of = filled === value ? "" : ` of ${filled}`;
    const equal = `${own.length - differ.length} of ${own.length} indices${of} are equal on ${name}.`;
    if (differ.length === 0) return equal;
    const [k] = differ;
    return `${equal} The first that differs is at linear coordinate ${k}: ${own[k]} on the GPU, ${wanted[k]} by the engine.`;
  } finally {
    device.destroy();
  }
}
