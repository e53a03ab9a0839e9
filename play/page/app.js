// The page: the address holds the view and its fields; a change runs the commands of the view and shows what they print.
import { ask, run, stop } from "./engine.js";
import { VIEWS } from "./views.js";

const at = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Returns the view and the values of its fields that an address names. */
function read(hash) {
  const [, id, query] = hash.match(/^#?\/?([^?]*)\??(.*)$/);
  const view = VIEWS.find((view) => view.id === id) ?? VIEWS[0];
  const given = new URLSearchParams(query);
  const values = Object.fromEntries(view.fields.map(({ name, value }) => [name, given.get(name) ?? value]));
  return { view, values };
}

function address(view, values) {
  const changed = view.fields.filter(({ name, value }) => (values[name] ?? value) !== value).map(({ name }) => [name, values[name]]);
  const query = new URLSearchParams(changed).toString();
  return `#${view.id}${query ? `?${query}` : ""}`;
}

/** Quotes the arguments as a shell takes them. */
function command(args) {
  const quoted = (arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`);
  return `crd2idx ${args.map(quoted).join(" ")}`;
}

let shown, round = 0;

function showForm({ view, values }) {
  document.title = `${view.title} - crd2idx`;
  at("views").replaceChildren(
    ...VIEWS.map((one) => {
      const link = make("a", { href: `#${one.id}`, textContent: one.title });
      if (one === view) link.setAttribute("aria-current", "page");
      return make("li", {}, link);
    }),
  );
  at("about").textContent = view.about;
  const field = ({ name, label, hint = "", values: all, area, list }) => {
    const input = all
      ? make("select", { name }, ...all.map((value) => make("option", { value, textContent: value })))
      : make(area ? "textarea" : "input", { name, placeholder: hint, spellcheck: false });
    input.value = values[name];
    const shownAs = make("label", { className: area ? "wide" : "" }, label, input);
    if (list) showList(shownAs, input, list);
    return shownAs;
  };
  at("form").replaceChildren(...view.fields.map(field));
  at("examples").replaceChildren(
    ...(view.examples ?? []).flatMap((example, k) => [
      ...(k === 0 ? ["Try "] : []),
      make("a", { href: address(view, example), textContent: Object.values(example).join("  ") }),
    ]),
  );
  showSliders(view, values);
}

/** Offers the values that the engine names. */
async function showList(label, input, { args, names }) {
  const list = make("datalist", { id: `${input.name}-list` });
  input.setAttribute("list", list.id);
  label.append(list);
  const { error = "" } = await run(args);
  list.append(...names(error).map((value) => make("option", { value })));
}

/** A graph has a slider for each dimension whose size is a number. A moved slider binds its dimension. */
function showSliders(view, values) {
  if (view.id !== "graph") return;
  let nodes = [];
  try {
    nodes = JSON.parse(values.input).nodes.filter(({ name, size }) => name && Number.isInteger(size) && size > 1);
  } catch {
    // The picture says what is wrong with the text.
  }
  const bound = new Map(values.bind.split(/[\s,]+/).filter(Boolean).map((one) => one.split("=")));
  const slider = ({ name, size }) => {
    const input = make("input", { type: "range", min: 0, max: size - 1, value: bound.get(name) ?? 0 });
    input.addEventListener("input", (event) => {
      event.stopPropagation();
      bound.set(name, input.value);
      at("form").elements.bind.value = [...bound].map((one) => one.join("=")).join(" ");
      changed();
    });
    return make("label", {}, `${name} below ${size}`, input);
  };
  at("form").append(...nodes.map(slider));
}

function pane({ title, args, request, copy }) {
  // Arrow keys scroll what is wider or higher than its pane.
  const body = make("div", { className: "body", tabIndex: 0 }, make("p", { className: "read", textContent: "computing" }));
  const tools = make("span", { className: "zoom" });
  if (copy) tools.append(copyButton(() => body.querySelector("pre")?.textContent ?? ""));
  const section = make("section", {}, make("header", {}, make("h2", { textContent: title }), make("code", { textContent: request ? JSON.stringify(request) : command(args) }), tools), body);
  section.setAttribute("aria-label", title);
  section.setAttribute("aria-busy", "true");
  return { section, body, tools };
}

function copyButton(content) {
  const button = make("button", { type: "button", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(content());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

async function showPanes({ view, values }) {
  const own = ++round;
  at("panes").replaceChildren();
  await answerPanes(view.panes(values), values, own);
  if (own === round) document.body.dataset.done = own;
}

/** Shows the panes, then their answers one after the other. A pane may have panes for its answer. */
async function answerPanes(all, values, own) {
  const panes = all.map((of) => ({ of, ...pane(of) }));
  at("panes").append(...panes.map(({ section }) => section));
  for (const { of, section, body, tools } of panes) {
    const drawn = of.args?.[0] === "svg";
    const answer = await (of.request ? ask(of.request) : run(drawn ? [...of.args, "--theme", "auto"] : of.args, values.input));
    if (own !== round) return;
    section.removeAttribute("aria-busy");
    if (answer.error !== undefined) {
      section.classList.add("wrong");
      body.replaceChildren(make("pre", { textContent: answer.error }));
      await showWhy(body, answer.error, own);
    } else if (drawn) {
      showPicture(body, tools, answer.ok);
      if (of.hover) await showCells(body, of, values, own);
    } else {
      body.replaceChildren(make("pre", { textContent: of.words ? of.words(answer.ok) : answer.ok }));
      if (of.runs) showRun(body, tools, of.runs, answer.ok);
      if (of.then) await answerPanes(of.then(answer.ok), values, own);
    }
  }
}

/** Offers to run a printed index function on the GPU, and says how its indices compare with the engine's. */
function showRun(body, tools, layout, printed) {
  const said = make("p", { className: "read", textContent: "Your GPU can run this function; the page then compares each index with the engine's." });
  said.setAttribute("role", "status");
  // A long text scrolls; the answer is in sight above it.
  body.prepend(said);
  if (!navigator.gpu) {
    said.textContent = "This browser has no WebGPU, so this function cannot run on the GPU here.";
    return;
  }
  const button = make("button", { type: "button", textContent: "Run on this GPU" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "running";
    try {
      const { compare } = await import("./gpu.js");
      said.textContent = await compare(layout, printed);
    } catch ({ message }) {
      said.textContent = `Not run: ${message}`;
    }
    button.disabled = false;
  });
  tools.prepend(button);
}

/** Shows below a refusal what the page of errors says about it. */
async function showWhy(body, error, own) {
  const { ok } = await run(["why", error]);
  if (own !== round || ok === undefined) return;
  const about = make("details", { open: true }, make("summary", { textContent: "What to do" }), make("pre", { textContent: ok.split("\n\n").slice(2).join("\n\n") }));
  body.append(about);
}

function showPicture(body, tools, text) {
  const holder = make("div", { className: "picture" });
  // The engine escapes all text that it draws.
  holder.innerHTML = text;
  const svg = holder.querySelector("svg"), width = svg.width.baseVal.value;
  let scale = 1;
  const zoom = (label, name, by) => {
    const button = make("button", { type: "button", textContent: label });
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => {
      scale = by ? scale * by : 1;
      svg.style.maxWidth = scale === 1 ? "100%" : "none";
      svg.style.width = `${width * scale}px`;
    });
    return button;
  };
  tools.append(zoom("-", "Smaller", 0.8), zoom("1:1", "1:1, original size", 0), zoom("+", "Larger", 1.25));
  body.replaceChildren(holder);
}

/** Returns the cells of a picture, each with its text, in the order in which they are drawn. */
function cells(picture) {
  const rects = [...picture.querySelectorAll("g > rect")];
  const texts = [...picture.querySelectorAll('g[text-anchor="middle"][font-size="13"] > text')];
  return rects.map((rect, k) => ({ rect, text: texts[k]?.textContent ?? "" }));
}

/** Shows the coordinate and the index of the cell under the pointer, or of the one that arrow keys reach. */
async function showCells(body, of, values, own) {
  const answer = await run(of.hover, values.input);
  if (own !== round || answer.error !== undefined) return;
  const named = make("div");
  named.innerHTML = answer.ok;
  const [all, coordinates] = [cells(body), cells(named)];
  if (all.length !== coordinates.length) return;
  const read = make("p", { className: "read", textContent: "Point at a cell, or move with the arrow keys." });
  read.setAttribute("role", "status");
  let last = -1;
  const show = (k) => {
    all[last]?.rect.classList.remove("at");
    last = k;
    all[k].rect.classList.add("at");
    read.textContent = `coordinate ${coordinates[k].text}, index ${all[k].text}`;
  };
  all.forEach(({ rect }, k) => {
    rect.dataset.cell = k;
    rect.addEventListener("pointerenter", () => show(k));
  });
  const columns = all.findIndex(({ rect }) => rect.y.baseVal.value > all[0].rect.y.baseVal.value);
  const svg = body.querySelector("svg");
  svg.tabIndex = 0;
  svg.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
    if (step && all[Math.max(last, 0) + step]) show(Math.max(last, 0) + step);
  });
  body.append(read);
}

function current() {
  const values = Object.fromEntries(shown.view.fields.map(({ name }) => [name, at("form").elements[name].value]));
  return { view: shown.view, values };
}

let timer;

/** Takes the fields into the address, and answers once typing rests. */
function changed() {
  shown = current();
  history.replaceState(null, "", address(shown.view, shown.values));
  clearTimeout(timer);
  timer = setTimeout(() => showPanes(shown), 150);
}

function arrive() {
  stop("left");
  shown = read(location.hash);
  showForm(shown);
  showPanes(shown);
}

at("form").addEventListener("input", changed);
at("form").addEventListener("change", () => showSlidersAgain());
at("form").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", arrive);
arrive();

/** A changed graph has other dimensions. */
function showSlidersAgain() {
  if (shown.view.id !== "graph" || document.activeElement?.type === "range") return;
  showForm(shown);
}
