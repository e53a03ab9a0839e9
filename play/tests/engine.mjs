// The engine answers as the command does: recorded requests, and all that the page shows of its own.
//
//     node engine.mjs COMMAND PACKAGE
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { VIEWS } from "../page/views.js";

const [command, folder] = process.argv.slice(2);
const { load, Refusal } = await import(pathToFileURL(join(folder, "index.js")));
const data = new URL("../../tests/data/", import.meta.url);
const engine = await load();
let failed = 0, compared = 0;

function same(what, own, wanted) {
  compared += 1;
  if (own === wanted) return;
  failed += 1;
  if (failed <= 5) console.log(`${what}\n  engine:  ${own.slice(0, 300)}\n  command: ${wanted.slice(0, 300)}`);
}

const records = ["equality.json", ...readdirSync(new URL("cute/", data)).map((name) => `cute/${name}`)].flatMap((name) =>
  JSON.parse(readFileSync(new URL(name, data), "utf8")),
);
const requests = records.filter(({ op, args }) => op && Array.isArray(args)).map(({ op, args }) => JSON.stringify({ op, args }));
for (const view of VIEWS) {
  const defaults = Object.fromEntries(view.fields.map(({ name, value }) => [name, value]));
  for (const example of [{}, ...(view.examples ?? [])]) {
    const values = { ...defaults, ...example };
    for (const { title, args, request, runs } of view.panes(values)) {
      if (request) requests.push(JSON.stringify(request));
      // What a run on a GPU is compared with.
      if (runs && !runs.includes("?")) requests.push(JSON.stringify({ op: "composed_eval", args: [runs] }));
      // The command has more subcommands than the engine, so its help is longer.
      if (request || args.includes("--help")) continue;
      const { status, stdout, stderr } = spawnSync(command, args, { input: values.input ?? "", encoding: "utf8" });
      let own;
      try {
        own = `${engine.run(args, values.input)}\n`;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        own = `crd2idx: ${error.message}\n`;
      }
      same(`${view.id}, ${title}: ${args.join(" ")}`, own, status === 0 ? stdout : stderr);
      // All that the page begins with has an answer.
      if (status !== 0 && Object.keys(example).length === 0) same(`${view.id}, ${title}`, "refused", "an answer");
    }
  }
}

const answers = spawnSync(command, ["batch"], { input: requests.join("\n"), encoding: "utf8", maxBuffer: 1 << 28 }).stdout.trimEnd().split("\n");
requests.forEach((request, k) => same(request, engine.reply(request), answers[k] ?? ""));

// A refusal leaves the engine as it was.
try {
  engine.run(["eval", "(4,8"]);
  same("(4,8", "an answer", "a refusal");
} catch (error) {
  same("(4,8", error.name, "Refusal");
}
same("after a refusal", engine.run(["eval", "(4,8):(8,1)", "(2,5)"]), "21");
console.log(`${compared} answers compared, ${failed} differ`);
process.exit(failed === 0 && compared >= 500 ? 0 : 1);
