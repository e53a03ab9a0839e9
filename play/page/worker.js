// Runs the engine beside the page, so that no input stops the page.
import { load } from "./index.js";

const engine = load();
onmessage = async ({ data: { id, request, args, input } }) => {
  try {
    const loaded = await engine;
    postMessage({ id, ok: request ? loaded.reply(request) : loaded.run(args, input) });
  } catch (error) {
    postMessage({ id, error: error.message, refused: error.name === "Refusal" });
  }
};
