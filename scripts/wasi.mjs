// Runs a program for WASI with its arguments: node --no-warnings scripts/wasi.mjs PROGRAM.wasm ARGUMENT...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, ...words] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [file, ...words], env: process.env });
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);
