// The engine in a worker. A call that takes too long ends with its worker.
import { compile } from "./index.js";

const LIMIT = 20_000;

/** The compiled engine, which every worker takes. */
const compiled = compile();

let worker, waiting = new Map(), next = 0;

function start() {
  const started = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker = started;
  worker.onmessage = ({ data }) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  compiled.then((module) => started.postMessage({ module }), () => {});
}

// The worker starts while the engine arrives.
start();

/** Returns `{ok}` with what `crd2idx ARGS` prints, or `{error, refused}`. */
export const run = (args, input = "") => call({ args, input });

/** Returns the answer of `crd2idx batch` to a request. */
export async function ask(request) {
  const { ok, ...failed } = await call({ request });
  return ok === undefined ? failed : JSON.parse(ok);
}

function call(asked) {
  if (!worker) start();
  const id = next++;
  return new Promise((resolve) => {
    let timer;
    waiting.set(id, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    worker.postMessage({ id, ...asked });
    // The time of a slow network does not count.
    const late = () => waiting.has(id) && stop(`no answer in ${LIMIT / 1000} s`);
    compiled.then(() => (timer = setTimeout(late, LIMIT)), ({ message }) => stop(message));
  });
}

/** Ends all calls, if there are any. The next call starts a new worker. */
export function stop(reason) {
  if (waiting.size === 0) return;
  worker.terminate();
  worker = undefined;
  const all = waiting;
  waiting = new Map();
  for (const done of all.values()) done({ error: reason, refused: false });
}
