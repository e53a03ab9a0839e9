// Runs the engine beside the page, so that no input stops the page.
import { load } from "./index.js";

const engine = load();
onmessage = async ({ data: { id, args, input } }) => {
  try {
    postMessage({ id, ok: (await engine).run(args, input) });
  } catch (error) {
    postMessage({ id, error: error.message, refused: error.name === "Refusal" });
  }
};
