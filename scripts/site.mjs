// Every page of the site in headless Chromium, as wide as a phone: no page is wider than the screen, and no script fails.
//
//     node site.mjs target/book [SCREENS_FOLDER]
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, relative } from "node:path";

const [folder, screens] = process.argv.slice(2);
const { chromium } = createRequire(join(process.cwd(), "/"))("playwright-core");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const server = createServer(async ({ url }, reply) => {
  const { pathname } = new URL(url, "http://localhost");
  try {
    const content = await readFile(join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    reply.writeHead(200, { "content-type": TYPES[extname(pathname)] ?? "text/html" }).end(content);
  } catch {
    reply.writeHead(404).end();
  }
}).listen(0);
const home = `http://localhost:${server.address().port}/`;

const files = await readdir(folder, { recursive: true });
const pages = files.filter((name) => name.endsWith(".html") && !/^(api|play)\/|(^|\/)(print|toc|404)\.html$/.test(name)).sort();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
const faults = [];
let links = 0;
for (const name of pages) {
  const failed = (error) => faults.push(`${name}: ${error}`);
  page.on("pageerror", failed);
  await page.goto(home + relative("", name), { waitUntil: "networkidle" });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) faults.push(`${name}: ${wide} pixels are beyond the right edge`);
  links += await page.locator("a.try").count();
  page.off("pageerror", failed);
  if (screens) await page.screenshot({ path: join(screens, `${name.replaceAll("/", "-")}.png`) });
}
await browser.close();
server.close();
faults.forEach((fault) => console.log(fault));
console.log(`${pages.length} pages on a phone, ${links} links to the playground, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
