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

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const faults = [];
const expect = (truth, what) => truth || faults.push(what);

async function arrive(page, hash) {
  await page.goto("about:blank");
  await page.goto(home + hash);
  await page.waitForFunction(() => document.body.dataset.done, undefined, { timeout: 60_000 });
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
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run());
    for (const { id: rule, nodes } of violations) faults.push(`${name}, ${id}: axe, ${rule}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
    if (screens) await page.screenshot({ path: join(screens, `${name}-${id}.png`), fullPage: true });
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

await browser.close();
server.close();
faults.forEach((fault) => console.log(fault));
console.log(`${VIEWS.length} views in two sizes, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
