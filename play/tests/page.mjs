// The page in headless Chromium: every view answers, refusals are shown, the address holds the state, and axe finds nothing.
//
//     node page.mjs PAGE_FOLDER [SCREENS_FOLDER]
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { VIEWS } from "../page/views.js";

const [folder, screens] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), "/"));
const { chromium } = require("playwright-core");
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

/** Layouts whose printed functions run on the GPU, of every kind that WGSL has. */
const LAYOUTS = [
  "5:2", "(4,8):(8,1)", "(4,8):(8,-1)", "(1,1):(0,0)", "((2,4),(3,5)):((3,6),(1,24))", "(4,(2,2)):(0,(1,2))", "(4,()):(1,())", "(64,96):(96,1)",
  "S<3,3,3> o 0 o (64,64):(64,1)", "S<2,0,3> o 4 o (8,16):(16,1)", "(4,2,3):(2,1,8) o 0 o 24:1", "(4,4):(^1,^3)",
  "(4,4):(1@0,1@1)", "(4,8):(8@0,-1@1)", "(4,?{max=8}):(1@0,?{max=8}@1)",
  "zipped_divide((8,12):(12,1), (4,6))", "blocked_product((2,3):(3,1), (4,5):(1,4))", "zipped_divide(?{max=64}:1, 8)",
  "(8,?{div=4,max=1024}):(?{max=4096},1)", "S<2,0,3> o ?{max=64} o (8,16):(16,1)", "?{max=100}:?{max=7}",
  "(4,(),(?{max=8},2)):(1,(),(?{max=90},3))", "((?{max=7},?{max=9}),(?{max=5},4)):((1,?{max=64}),(?{max=64},100))",
  "((?{max=8},4),16):((1,?{max=64}),?{max=512})",
];

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const server = createServer(async ({ url }, reply) => {
  const name = url === "/" ? "index.html" : url.slice(1);
  try {
    const content = await readFile(join(folder, name));
    reply.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain" }).end(content);
  } catch {
    reply.writeHead(404).end();
  }
}).listen(0);
const home = `http://localhost:${server.address().port}/`;

const launch = (...graphics) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", ...graphics],
  });
const browser = await launch("--disable-gpu");
const faults = [];
const expect = (truth, what) => truth || faults.push(what);

async function arrive(page, hash) {
  await page.goto("about:blank");
  await page.goto(home + hash);
  await page.waitForFunction(() => document.body.dataset.done, undefined, { timeout: 60_000 });
}

/** Checks the page by axe, and takes its picture. */
async function inspect(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run());
  for (const { id, nodes } of violations) faults.push(`${name}: axe, ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  if (screens) await page.screenshot({ path: join(screens, `${name}.png`), fullPage: true });
}

for (const [name, options] of [
  ["light", { viewport: { width: 1200, height: 1400 } }],
  ["dark-phone", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
]) {
  const page = await browser.newPage(options);
  page.on("pageerror", (error) => faults.push(`${name}: ${error}`));
  for (const { id } of VIEWS) {
    const start = Date.now();
    await arrive(page, `#${id}`);
    const wrong = await page.locator("section.wrong").allTextContents();
    expect(wrong.length === 0, `${name}, ${id}: ${wrong.join("; ")}`);
    expect(await page.locator("section").count() > 0, `${name}, ${id}: nothing is shown`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide <= 0, `${name}, ${id}: ${wide} pixels are beyond the right edge`);
    if (name === "light" && id === VIEWS[0].id) console.log(`first view: ${Date.now() - start} ms`);
    await inspect(page, `${name}-${id}`);
  }
  await page.close();
}

const page = await browser.newPage();
await arrive(page, "#layout?layout=(2,3):(3,1)&coordinate=(1,2)");
const pane = (title) => page.locator(`section[aria-label="${title}"] .body`);
expect((await pane("Result").textContent()).trim() === "5", "the address states the layout and the coordinate");
await pane("Picture").locator("rect[data-cell]").nth(4).hover();
expect((await page.locator(".read").textContent()) === "coordinate (1,1), index 4", "a cell shows its coordinate and its index");
await pane("Picture").locator("svg").focus();
await page.keyboard.press("ArrowRight");
expect((await page.locator(".read").textContent()) === "coordinate (1,2), index 5", "arrow keys move to the next cell");
await page.fill('[name="layout"]', "zipped_divide((30,8):(1,30), (8,4))");
await page.waitForSelector("section.wrong");
expect((await pane("Result").textContent()).includes("tile 8 does not divide the extent 30"), "a refusal has the numbers");
expect(page.url().includes("zipped_divide"), "the address holds what is typed");
await page.waitForSelector("details");
expect((await pane("Result").textContent()).includes("pad the extent"), "a refusal says what to do");
await arrive(page, "#threads");
expect((await page.locator("#atom-list option").count()) > 40, "the instructions can be picked");
for (const atom of await page.locator("#atom-list option").evaluateAll((options) => options.map(({ value }) => value))) {
  // Its operands A and B are too large for a picture.
  const operand = atom === "m64n8k256.b1" ? "c" : "all";
  await arrive(page, `#threads?layout=&places=&atom=${atom}&operand=${operand}`);
  expect((await page.locator("section.wrong").count()) === 0, `${atom}: ${(await page.locator("section").allTextContents()).join(" ").slice(0, 200)}`);
}
await arrive(page, "#search");
expect((await pane("Layout").textContent()).startsWith("S<3,2,3> o 0 o (32,32):(32,1)"), "the search finds the swizzle");
expect((await page.locator("section svg").count()) === 2, "each access has its banks");


/** Presses the button that runs the printed function, and returns what the page says then. */
async function ran(page) {
  const button = page.getByRole("button", { name: "Run on this GPU" });
  if (await button.count()) await button.click();
  await page.waitForFunction(() => /equal|Not run|WebGPU/.test(document.querySelector(".body [role=status]").textContent), undefined, { timeout: 60_000 });
  return page.locator(".body [role=status]").textContent();
}

await arrive(page, "#emit?to=wgsl&layout=(4,8):(8,1)");
const absent = await ran(page);
expect(absent.includes("WebGPU"), `a browser without a GPU says so: ${absent}`);
await browser.close();

// SwiftShader computes on the processor what a GPU would.
const graphics = await launch("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader");
const equal = /^(\d+) of \1 indices( of \S.*)? are equal on \S/;
let compared = 0;
for (const [name, options] of [
  ["light-phone", { viewport: { width: 390, height: 844 } }],
  ["dark", { viewport: { width: 1200, height: 900 }, colorScheme: "dark" }],
]) {
  const page = await graphics.newPage(options);
  page.on("pageerror", (error) => faults.push(`${name}: ${error}`));
  for (const layout of name === "dark" ? LAYOUTS : LAYOUTS.slice(-1)) {
    await arrive(page, `#emit?${new URLSearchParams({ to: "wgsl", layout })}`);
    const said = await ran(page);
    if (said.includes("WebGPU finds no GPU")) break;
    compared += equal.test(said);
    expect(equal.test(said), `${layout} on the GPU: ${said}`);
  }
  if (compared === 0) continue;
  await inspect(page, `${name}-gpu`);
  const of = (source) => page.evaluate((source) => import("./gpu.js").then(({ compare }) => compare("(4,8):(8,1)", source)).catch(({ message }) => message), source);
  const source = (body) => `// i0 in [0, 4)\n// i1 in [0, 8)\nfn crd2idx(i0: u32, i1: u32) -> u32 {\n    return ${body};\n}`;
  const wrong = await of(source("i0 * 9 + i1"));
  expect(/^8 of 32 indices are equal .* coordinate 1: 9 on the GPU, 8 by the engine/.test(wrong), `a wrong function is found: ${wrong}`);
  const refused = await of(source("i0 * j"));
  expect(/refuses the function: line 4: .*'j'/.test(refused), `a refusal of the GPU is shown: ${refused}`);
}
await graphics.close();
server.close();
console.log(compared ? `${compared} layouts are equal on the GPU` : "WebGPU has no adapter here: not tested");
faults.forEach((fault) => console.log(fault));
console.log(`${VIEWS.length} views in two sizes, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
