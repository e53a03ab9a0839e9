// Runs the engine beside the page, so that no input stops the page. The first message has the compiled engine, or follows the first requests.
import { load } from "./index.js";

let arrived;
const engine = new Promise((resolve) => (arrived = resolve));
onmessage = async ({ data: { module, id, request, args, input } }) => {
  if (module) return arrived(load(module));
  try {
    const loaded = await engine;
    postMessage({ id, ok: request ? loaded.reply(request) : loaded.run(args, input) });
  } catch (error) {
    postMessage({ id, error: error.message, refused: error.name === "Refusal" });
  }
};
