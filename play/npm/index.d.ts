/** Thrown for what crd2idx refuses; the message has the numbers. */
export class Refusal extends Error {}

/** The engine of the command `crd2idx`. Calls share nothing, and each returns before the next begins. */
export interface Engine {
  /**
   * Returns what `crd2idx ARGUMENTS` prints.
   * @param args the arguments, such as `["eval", "(4,8):(8,1)", "(2,5)"]`
   * @param input the text that the file `-` has
   * @throws {Refusal} if the command refuses the arguments
   */
  run(args: readonly string[], input?: string): string;

  /** Returns the answer of `crd2idx batch` to a request, as JSON text: `{"ok": ..}` or `{"error": ..}`. */
  reply(request: object | string): string;
}

/**
 * Compiles the engine once for several workers: a compiled module can be sent in a message, and `load` takes it.
 * @param source the bytes of `crd2idx.wasm`, a compiled module, or a response with them; by default the file beside this module
 */
export function compile(source?: BufferSource | WebAssembly.Module | Response): Promise<WebAssembly.Module>;

/**
 * Loads the engine.
 * @param source the bytes of `crd2idx.wasm`, a compiled module, or a response with them; by default the file beside this module
 */
export function load(source?: BufferSource | WebAssembly.Module | Response): Promise<Engine>;
