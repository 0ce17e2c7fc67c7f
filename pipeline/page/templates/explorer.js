// What is chosen above the plots, and how the plots follow: all data are in the page already.

const at = (id) => document.getElementById(id);
const given = JSON.parse(await unpacked(at("given").textContent));
const library = document.createElement("script");
library.textContent = await unpacked(at("library").textContent);
document.head.append(library);
await Bokeh.embed.embed_items(given.documents, given.items);
const plots = Bokeh.documents.at(-1);
const model = (name) => plots.get_model_by_name(name);
const MOST_NAMED = 40, LEAST = 127;
const AXES = ["x", "y", "u", "v"];
let data, family, cell, size; // what is chosen, from the dataset down
let speaking; // timer

// Plots have the colours of the page, which may be dark.
function tone(plot) {
  const [ground, ink] = [css("--ground"), css("--ink")];
  Object.assign(plot, { background_fill_color: ground, border_fill_color: ground });
  for (const axis of [...plot.below, ...plot.left])
    for (const part of ["axis_line", "major_tick_line", "major_label_text", "axis_label_text"])
      axis[`${part}_color`] = ink;
  for (const grid of plot.center) grid.grid_line_color = css("--rule");
}

// A button shows the tools of a plot, and keeps them from the keyboard until then.
function tools(button, plot) {
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", open);
    plot.toolbar_location = open ? "above" : null;
    setTimeout(show, 200); // when they are drawn
  });
}

// Bokeh leaves plots and their tools without a role and a name, which screen readers need.
function describe(place, words) {
  const below = (node) => [...node.querySelectorAll("*")].flatMap(
    (found) => [found, ...(found.shadowRoot ? below(found.shadowRoot) : [])]);
  const found = below(place), [drawn, ...others] = found.filter((one) => one.matches("canvas"));
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", words);
  for (const other of others) other.setAttribute("aria-hidden", "true");
  for (const tool of found.filter((one) => one.matches(".bk-OnOffButton, .bk-ClickButton"))) {
    tool.setAttribute("role", "button");
    tool.setAttribute("aria-label", tool.title || tool.model?.tooltip || "tool");
  }
}

function fill(select, names, chosen = 0) {
  select.replaceChildren(...names.map((name, i) => new Option(name, i)));
  select.value = Math.min(chosen, names.length - 1);
}

function slide(input, count, place) {
  input.max = count - 1;
  input.value = Math.min(place, count - 1);
  input.disabled = count < 2;
}

// One component of the cell, one number per row.
const component = (c) => cell.Z[c].map((whole) => whole * cell.scale[c]);

// Heights between the points of the mesh, so that bands have smooth edges.
function finer(coarse, side, heights) {
  const fine = Math.sqrt(heights.length), step = (side - 1) / (fine - 1);
  for (let row = 0; row < fine; row++) {
    const i = Math.min(Math.floor(row * step), side - 2), down = row * step - i;
    for (let col = 0; col < fine; col++) {
      const j = Math.min(Math.floor(col * step), side - 2), right = col * step - j;
      const near = coarse[i * side + j] * (1 - right) + coarse[i * side + j + 1] * right;
      const far = coarse[(i + 1) * side + j] * (1 - right) + coarse[(i + 1) * side + j + 1] * right;
      heights[row * fine + col] = (near * (1 - down) + far * down) / LEAST;
    }
  }
}

function shade(c) {
  const source = model("surface"), steps = cell.surface?.[c];
  model("shades").visible = Boolean(steps);
  at("shaded").hidden = !steps;
  if (!steps) return;
  let height = 0;
  const coarse = steps.map((step) => (height += step));
  const old = source.data.image[0], heights = new old.constructor(old.length, old.shape);
  finer(coarse, given.side, heights);
  const [left, right, bottom, top] = data.box;
  source.data = { image: [heights], x: [left], y: [bottom], dw: [right - left], dh: [top - bottom] };
}

// Rows as images, so few that they do not cover each other.
function pictures(x, y) {
  const pixels = [at("features").clientWidth - 70, 340]; // without axes
  const sizes = [x, y].map((all, i) => (24 * (Math.max(...all) - Math.min(...all))) / pixels[i]);
  const rows = [];
  const near = (i, j) => Math.abs(x[i] - x[j]) < sizes[0] && Math.abs(y[i] - y[j]) < sizes[1];
  for (const i of data.images?.keys() ?? []) if (!rows.some((j) => near(i, j))) rows.push(i);
  return { x: rows.map((i) => x[i]), y: rows.map((i) => y[i]), url: rows.map((i) => data.images[i]) };
}

const number = (value) => (value == null ? "none" : value.toFixed(3).replace("-", "−"));

function name(plot, across, upwards) {
  model(plot).below[0].axis_label = across;
  model(plot).left[0].axis_label = upwards;
}

function spectrum() {
  const { shares } = cell, m = Math.min(data.sizes[size] ?? Infinity, shares.length);
  const colour = shares.map((_, i) => css(i < m ? "--accent" : "--rule"));
  model("shares").data = { x: shares.map((_, i) => i + 1), share: shares, colour };
  const sum = shares.slice(0, m).reduce((all, share) => all + share, 0);
  return `${m} component${m === 1 ? " explains" : "s explain"} ${(100 * sum).toFixed(1)} % of the variance.`;
}

function scores() {
  const m = data.sizes[size], along = family.cells.map((one) => one.scores[m] ?? [null, null]);
  const place = family.cells.indexOf(cell), x = along.map((_, i) => i);
  const [cv, test] = [0, 1].map((split) => along.map((pair) => pair[split] ?? NaN));
  model("lines").data = { x, cv, test, size: x.map((i) => (i === place ? 13 : 5)) };
  const [axis] = model("scores").below;
  axis.ticker.ticks = x;
  const parts = family.cells.map((one) => one.label.split(", ").map((part) => part.split(" = ")));
  const values = parts.map((part) => part.map(([, value = ""]) => value.split(" (")[0]).join(", "));
  axis.major_label_overrides = new Map(values.map((value, i) => [i, value]));
  const names = parts[0].filter((part) => part.length > 1).map(([name]) => name);
  name("scores", names.join(", "), data.measure ?? "");
  Object.assign(model("scores").x_range, { start: -0.5, end: x.length - 0.5 });
  const [, pca] = data.pca[data.sizes.findLast((k) => k <= m && data.pca[k])] ?? [];
  model("pca").data = { score: pca == null ? [] : [pca] };
  if (!cell.scores[m]) return `No score for ${m ?? "any number of"} components here.`;
  return `${data.measure}: validation ${number(along[place][0])}, test ${number(along[place][1])}${pca == null ? "" : ` (PCA ${number(pca)})`}.`;
}

// All that follows from the cell, the number of components and the axes.
function show() {
  cell = family.cells[at("cell").value];
  size = Number(at("size").value);
  const [x, y, u, v] = AXES.map((id) => Number(at(id).value));
  const columns = { x: component(x), y: component(y), u: data.columns[u], v: data.columns[v] };
  const axes = [x, y].map((c) => `component ${c + 1}`);
  if (data.images) [columns.u, columns.v] = [columns.x, columns.y];
  model("rows").data = { ...model("rows").data, ...columns };
  model("pictures").data = pictures(columns.x, columns.y);
  name("embedding", ...axes);
  const features = data.images ? axes : [data.features[u], data.features[v]];
  name("features", ...features);
  shade(x);
  const home = data.chosen && family === data.families[data.chosen.family] ? family.first : -1;
  mark("cell", cell.label, home);
  mark("size", `m = ${data.sizes[size] ?? "–"} components`, data.chosen ? data.chosen.size : -1);
  at("score").textContent = `${scores()} ${spectrum()}`;
  clearTimeout(speaking); // one sentence when the slider rests, not one per step
  speaking = setTimeout(() => { at("spoken").textContent = at("score").textContent; }, 700);
  const rows = `Scatter plot of ${data.numbers.length} rows`;
  describe(at("embedding"), `${rows}, ${axes.join(" against ")}`);
  describe(at("features"), `${data.images ? "Images of rows" : rows}, ${features.join(" against ")}`);
  describe(at("spectrum"), `Bar chart of the explained variance ratio of components`);
  describe(at("scores"), `Line chart of the scores along the slider. ${at("score").textContent}`);
  const view = { dataset: at("dataset").value, setting: cell.id, m: data.sizes[size] };
  for (const id of AXES) view[id] = at(id).value;
  at("link").href = `#${new URLSearchParams(view)}`;
  history.replaceState(null, "", at("link").href);
}

// What a slider says, and where the setting of the final model is on it.
function mark(id, words, place) {
  const input = at(id), share = place / Math.max(input.max, 1);
  at(`${id}-label`).textContent = words + (Number(input.value) === place ? " (chosen)" : "");
  input.setAttribute("aria-valuetext", at(`${id}-label`).textContent);
  at(`${id}-mark`).hidden = place < 0;
  at(`${id}-mark`).textContent = share > 0.5 ? "chosen ▲" : "▲ chosen";
  at(`${id}-mark`).classList.toggle("late", share > 0.5);
  at(`${id}-mark`).style.setProperty("--place", share);
}

// Restore the view of a link; without one, show the first dataset.
function restore() {
  for (const plot of plots.roots()) tone(plot);
  const mapper = model("shades").glyph.color_mapper, bands = mapper.palette.length;
  mapper.palette = Array.from({ length: bands }, (_, i) => between("--shades", i / (bands - 1)));
  model("reference").glyph.line_color = css("--ink");
  const view = new URLSearchParams(location.hash.slice(1));
  if (view.get("dataset") in given.datasets) at("dataset").value = view.get("dataset");
  chooseDataset();
  const id = view.get("setting"), has = (one) => one.cells.some((cell) => cell.id === id);
  const kernel = data.families.findIndex(has);
  if (kernel < 0) return;
  at("kernel").value = kernel;
  at("size").value = Math.max(data.sizes.indexOf(Number(view.get("m"))), 0);
  for (const id of AXES) if (at(id).options[view.get(id)]) at(id).value = view.get(id);
  chooseKernel(data.families[kernel].cells.findIndex((cell) => cell.id === id));
}

function chooseKernel(place) {
  family = data.families[at("kernel").value];
  slide(at("cell"), family.cells.length, place ?? family.first);
  show();
}

// Buttons that choose rows: of a class, of a side of the split, none.
function keys() {
  const all = data.numbers.map((_, i) => i);
  const { ends, rows } = data.colours;
  const classes = legend(data.colours).map(([name, place]) => [all.filter((i) => rows[i] === place), name, place]);
  const sides = [[all.slice(0, data.train), "training rows"], [all.slice(data.train), "test rows"]];
  const buttons = [...classes, ...sides, [[], "none"]].map(([some, ...words]) => {
    const button = key("button", ...words);
    button.type = "button";
    button.addEventListener("click", () => { model("rows").selected.indices = some; });
    return button;
  });
  at("keys").replaceChildren(...buttons);
  at("ramp").hidden = !ends;
  if (ends) [at("low").textContent, at("high").textContent] = ends.map((end) => Number(end.toPrecision(4)));
}

function chosen() {
  const rows = model("rows").selected.indices, named = rows.slice(0, MOST_NAMED);
  const signs = named.map((i) => {
    const said = `row ${data.numbers[i]} ${data.ids[i]} ${data.answers[i]}`.trim();
    if (!data.images) return `${said}; `;
    return Object.assign(new Image(), { src: data.images[i], alt: said, title: said });
  });
  const more = rows.length - named.length;
  at("chosen").replaceChildren(
    rows.length ? `${rows.length} of ${data.numbers.length}: ` : "None.", ...signs,
    more > 0 ? ` and ${more} more` : "",
  );
}

// Rows that are images, cut from one image for all of them.
async function cut({ source, inLine, width, height }) {
  const whole = Object.assign(new Image(), { src: source });
  await whole.decode();
  const part = Object.assign(document.createElement("canvas"), { width, height });
  return data.numbers.map((_, i) => {
    part.getContext("2d").drawImage(whole, -(i % inLine) * width, -Math.floor(i / inLine) * height);
    return part.toDataURL();
  });
}

function chooseDataset() {
  data = given.datasets[at("dataset").value];
  const counts = data.families.map((one) => one.cells.length);
  const most = counts.indexOf(Math.max(...counts));
  fill(at("kernel"), data.families.map((one) => one.label), data.chosen?.family ?? most);
  const components = data.families[0].cells[0].scale.map((_, c) => `component ${c + 1}`);
  fill(at("x"), components);
  fill(at("y"), components, 1);
  fill(at("u"), data.features, data.plane[0]);
  fill(at("v"), data.features, data.plane[1]);
  for (const id of ["of-features", "of-images"]) at(id).hidden = (id === "of-images") !== Boolean(data.images);
  for (const id of ["u", "v"]) at(id).parentElement.hidden = Boolean(data.images);
  slide(at("size"), data.sizes.length, data.chosen?.size ?? 0);
  const n = data.numbers.length, none = new Array(n).fill(0);
  const looks = data.colours.rows.map((place) => look(place, Boolean(data.colours.ends)));
  model("rows").selected.indices = [];
  model("rows").data = {
    x: none, y: none, u: none, v: none, colour: looks.map(([colour]) => colour),
    shape: looks.map(([, [shape]]) => shape), fill: none.map((_, i) => (i < data.train ? 1 : 0)), number: data.numbers, id: data.ids,
    answer: data.answers, words: data.words, image: data.images ?? data.ids,
  };
  for (const tool of plots.all_models)
    if (tool.type === "HoverTool") tool.tooltips = given.tips[data.images ? "images" : "rows"];
  const values = data.families.flatMap((one) => one.cells.flatMap((one) => Object.values(one.scores).flat()));
  const known = [...values, ...Object.values(data.pca).flat()].filter((value) => value != null);
  const low = Math.min(...known, 1), high = Math.max(...known, low), room = 0.05 * (high - low || 1);
  Object.assign(model("scores").y_range, { start: low - room, end: high + room });
  keys();
  chooseKernel();
}

// With a mouse one draws around rows at once; a finger must be able to scroll past the plots.
if (matchMedia("(pointer: fine)").matches)
  for (const tool of plots.all_models) if (tool.type === "LassoSelectTool") tool.active = true;

scheme.addEventListener("change", restore);
for (const id of ["embedding", "features"])
  tools(at(`${id}-tools`), model(id));

at("dataset").addEventListener("change", chooseDataset);
at("kernel").addEventListener("change", () => chooseKernel());
addEventListener("hashchange", restore);
for (const id of ["cell", "size", ...AXES]) at(id).addEventListener("input", show);
model("rows").selected.properties.indices.change.connect(chosen);
for (data of Object.values(given.datasets)) if (data.images) data.images = await cut(data.images);
restore();
chosen();
