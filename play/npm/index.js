// The command crd2idx as a module: layouts, graphs, sparse and ragged arrays, pictures and text.

/** Thrown for what crd2idx refuses; the message has the numbers. */
export class Refusal extends Error {
  name = "Refusal";
}

/**
 * Compiles the engine.
 * @param source the bytes of `crd2idx.wasm`, a compiled module, or a response with them; by default the file beside this one
 */
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  const url = new URL("crd2idx.wasm", import.meta.url);
  if (source === undefined && url.protocol === "file:") source = await (await import("node:fs/promises")).readFile(url);
  source ??= await fetch(url);
  if (typeof Response === "undefined" || !(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
  // A response of the right type is compiled while it arrives.
  if (source.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

/**
 * Loads the engine.
 * @param source as for `compile`
 */
export async function load(source) {
  const module = await compile(source);
  return new Engine(module, await WebAssembly.instantiate(module));
}

class Engine {
  #module;
  #exports;

  constructor(module, instance) {
    this.#module = module;
    this.#exports = instance.exports;
  }

  /** Returns what `crd2idx ARGUMENTS` prints; `input` is the file `-`. Throws a Refusal. */
  run(args, input = "") {
    const answer = JSON.parse(this.#call("answer", JSON.stringify({ arguments: args, input })));
    if ("error" in answer) throw new Refusal(answer.error);
    return answer.ok;
  }

  /** Returns the answer of `crd2idx batch` to a request, as text. */
  reply(request) {
    return this.#call("reply", typeof request === "string" ? request : JSON.stringify(request));
  }

  #call(name, text) {
    const bytes = new TextEncoder().encode(text);
    try {
      const at = this.#exports.room(bytes.length);
      new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
      const length = this.#exports[name]();
      return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, this.#exports.address(), length));
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      // A fault leaves the memory as it was in the middle of the call. Begin with a new one.
      this.#exports = new WebAssembly.Instance(this.#module).exports;
      throw new Error(`crd2idx stopped (${error.message}). Please report the input.`, { cause: error });
    }
  }
}
