// The controls above the plots, and the plots that follow them. The page contains all data.

const at = (id) => document.getElementById(id);
// Return the text that was compressed in the page.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const given = JSON.parse(await unpacked(at("given").textContent));
const MOST_NAMED = 40, LEAST = 127, LEVELS = 6, PICTURE = 22, WIDE = 60;
const AXES = ["x", "y", "u", "v"];
let data, family, cell, size; // chosen dataset, kernel, setting and number of components
let speaking; // timer of the message for screen readers

const named = (row) => `row ${data.numbers[row]} ${data.ids[row]} ${data.answers[row]}`.trim();
const picture = (row) => Object.assign(new Image(), { src: data.images[row], alt: named(row), title: named(row) });
const value = (f, row) => data.names[f]?.[data.columns[f][row]] ?? data.columns[f][row] ?? "missing";
const words = (row) => data.features.map((name, f) => `${name} = ${value(f, row)}`).join(", ");
const said = (row) => (data.images ? [picture(row), named(row)] : [`${named(row)}\n${words(row)}`]);
const rows = { say: said, choose };
const embedding = new Plane(at("embedding"), rows);
const features = new Plane(at("features"), { ...rows, extra: decorate });
// Draw the paths of a chart below its marks; each path has a class of CSS and places in data units.
const extra = (plane) => plane.paths.forEach(([kind, places]) => {
  const pixels = places.filter(([, y]) => y != null).map((place) => place.map((value, part) => plane.pixel(part, value)));
  if (pixels.length) add(plane.below, "path", { class: kind, d: `M${pixels.join("L")}` });
});
const [spectrum, scores] = ["spectrum", "scores"].map((id) => new Plane(at(id), { height: 240, extra }));

function fill(select, names, chosen = 0) {
  select.replaceChildren(...names.map((name, i) => new Option(name, i)));
  select.value = Math.min(chosen, names.length - 1);
}

function slide(input, count, place) {
  input.max = count - 1;
  input.value = Math.min(place, count - 1);
  input.disabled = count < 2;
}

// Draw shades and level lines of the component on the first axis below the rows. Above the rows,
// draw some of them as images, so few that these do not cover each other.
function decorate(plane) {
  const steps = cell.surface?.[at("x").value], side = given.side;
  at("shaded").hidden = !steps;
  if (steps) {
    let height = 0;
    const heights = steps.map((step) => (height += step)), [left, right, bottom, top] = data.box;
    const [x, y] = [plane.pixel(0, left), plane.pixel(1, top)];
    const [width, high] = [plane.pixel(0, right) - x, plane.pixel(1, bottom) - y];
    const place = { x, y, width, height: high, preserveAspectRatio: "none" };
    add(plane.below, "image", { href: shaded(heights, side, LEAST), ...place });
    const to = ([i, j]) => [x + (width * i) / (side - 1), y + high * (1 - j / (side - 1))].map((p) => p.toFixed(1));
    for (let level = 1 - LEVELS; level < LEVELS; level++)
      add(plane.below, "path", { class: "level", d: contour(heights, side, (level * LEAST) / LEVELS, to) });
  }
  const taken = [];
  data.images?.forEach((href, row) => {
    const [x, y] = plane.at(row);
    if (taken.some(([u, v]) => Math.abs(u - x) < PICTURE && Math.abs(v - y) < PICTURE)) return;
    taken.push([x, y]);
    const place = { x: x - PICTURE / 2, y: y - PICTURE / 2, width: PICTURE, height: PICTURE };
    add(plane.above, "image", { href, class: plane.kind(row), "data-row": row, ...place });
  });
}

const number = (value) => (value == null ? "none" : value.toFixed(3).replace("-", "−"));

function showSpectrum() {
  const { shares } = cell, m = Math.min(data.sizes[size] ?? Infinity, shares.length);
  const ends = [[0.4, shares.length + 0.6], [0, 1.05 * Math.max(...shares)]];
  const bar = (i, share) => [[i + 0.6, 0], [i + 0.6, share], [i + 1.4, share], [i + 1.4, 0]];
  spectrum.paths = shares.map((share, i) => [`bar ${i < m ? "kept" : ""}`, bar(i, share)]);
  spectrum.show([[], []], ["component", "variance ratio"], { ends });
  const sum = shares.slice(0, m).reduce((all, share) => all + share, 0);
  return `${m} component${m === 1 ? " explains" : "s explain"} ${(100 * sum).toFixed(1)} % of the variance.`;
}

function showScores() {
  const m = data.sizes[size], along = family.cells.map((one) => one.scores[m] ?? [null, null]);
  const place = family.cells.indexOf(cell), x = along.map((_, i) => i);
  const parts = family.cells.map((one) => one.label.split(", ").map((part) => part.split(" = ")));
  const values = parts.map((part) => part.map(([, value = ""]) => value.split(" (")[0]).join(", "));
  const name = parts[0].filter((part) => part.length > 1).map(([name]) => name).join(", ");
  const every = Math.ceil((x.length * WIDE) / scores.inner[0]); // Numbers must not overlap.
  const numbers = [values.map((value, i) => [i, i % every ? "" : value])];
  scores.looks = [["cv", 1], ["test", 2]].flatMap(([kind, marker]) => (
    x.map((i) => ["", ...MARKERS[marker], `${kind} ${i === place ? "current" : ""}`])));
  const [, pca] = data.pca[data.sizes.findLast((k) => k <= m && data.pca[k])] ?? [];
  const [cv, test] = [0, 1].map((split) => along.map((pair) => pair[split]));
  const ends = [[-0.5, x.length - 0.5], data.ends];
  const lines = { cv: cv.map((y, i) => [i, y]), test: test.map((y, i) => [i, y]), pca: ends[0].map((end) => [end, pca]) };
  scores.paths = Object.entries(lines).map(([kind, places]) => [`line ${kind}`, places]);
  scores.show([[...x, ...x], [...cv, ...test]], [name, data.measure ?? ""], { ends, numbers });
  if (!cell.scores[m]) return `No score for ${m ?? "any number of"} components here.`;
  return `${data.measure}: validation ${number(cv[place])}, test ${number(test[place])}${pca == null ? "" : ` (PCA ${number(pca)})`}.`;
}

// Update everything that depends on the setting, the number of components and the axes.
function show() {
  cell = family.cells[at("cell").value];
  size = Number(at("size").value);
  const [x, y, u, v] = AXES.map((id) => Number(at(id).value));
  const first = [[cell.Z[x], cell.Z[y]], [x, y].map((c) => `component ${c + 1}`)];
  const second = data.images ? first : [[data.columns[u], data.columns[v]], [data.features[u], data.features[v]]];
  embedding.show(...first);
  features.show(...second);
  const home = data.chosen && family === data.families[data.chosen.family] ? family.first : -1;
  mark("cell", cell.label, home);
  mark("size", `m = ${data.sizes[size] ?? "–"} components`, data.chosen ? data.chosen.size : -1);
  at("score").textContent = `${showScores()} ${showSpectrum()}`;
  clearTimeout(speaking); // Speak once when the slider rests, not at each step.
  speaking = setTimeout(() => { at("spoken").textContent = at("score").textContent; }, 700);
  const plot = `Scatter plot of ${data.numbers.length} rows`;
  embedding.svg.ariaLabel = `${plot}, ${first[1].join(" against ")}`;
  features.svg.ariaLabel = `${data.images ? "Images of rows" : plot}, ${second[1].join(" against ")}`;
  spectrum.svg.ariaLabel = "Bar chart of the explained variance ratio of components";
  scores.svg.ariaLabel = `Line chart of the scores along the slider. ${at("score").textContent}`;
  const view = { dataset: at("dataset").value, setting: cell.id, m: data.sizes[size] };
  for (const id of AXES) view[id] = at(id).value;
  at("link").href = `#${new URLSearchParams(view)}`;
  history.replaceState(null, "", at("link").href);
}

// Set the label of a slider, and mark the setting of the final model with a tick.
function mark(id, words, place) {
  const input = at(id);
  at(`${id}-label`).textContent = words + (Number(input.value) === place ? " (chosen)" : "");
  input.setAttribute("aria-valuetext", at(`${id}-label`).textContent);
  at(`${id}-mark`).replaceChildren(...(place < 0 ? [] : [new Option("chosen", place)]));
}

// Restore the view of a link; without one, show the first dataset.
function restore() {
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

// Make the buttons that choose the rows of a class, the training rows, the test rows, or none.
function keys() {
  const all = data.numbers.map((_, i) => i), { ends, rows } = data.colours;
  const classes = legend(data.colours).map(([name, place]) => [all.filter((i) => rows[i] === place), name, place]);
  const sides = [[all.slice(0, data.train), "training rows"], [all.slice(data.train), "test rows"]];
  const buttons = [...classes, ...sides, [[], "none"]].map(([some, ...words]) => {
    const button = key("button", ...words);
    button.type = "button";
    button.addEventListener("click", () => choose(some));
    return button;
  });
  at("keys").replaceChildren(...buttons);
  ramp(at("ramp"), ends);
}

// Choose rows: both plots of rows mark them, and the text below the plots names them.
function choose(rows) {
  const some = rows.slice(0, MOST_NAMED), more = rows.length - some.length;
  for (const plane of [embedding, features]) {
    plane.chosen = new Set(rows);
    plane.draw();
  }
  const signs = some.map((row) => (data.images ? picture(row) : `${named(row)}; `));
  const count = rows.length ? `${rows.length} of ${data.numbers.length}: ` : "None.";
  at("chosen").replaceChildren(count, ...signs, more > 0 ? ` and ${more} more` : "");
}

function chooseDataset() {
  data = given.datasets[at("dataset").value];
  const counts = data.families.map((one) => one.cells.length);
  const most = counts.indexOf(Math.max(...counts));
  fill(at("kernel"), data.families.map((one) => one.label), data.chosen?.family ?? most);
  const components = data.families[0].cells[0].Z.map((_, c) => `component ${c + 1}`);
  fill(at("x"), components);
  fill(at("y"), components, 1);
  fill(at("u"), data.features, data.plane[0]);
  fill(at("v"), data.features, data.plane.at(-1));
  for (const id of ["of-features", "of-images"]) at(id).hidden = (id === "of-images") !== Boolean(data.images);
  for (const id of ["u", "v"]) at(id).parentElement.hidden = Boolean(data.images);
  slide(at("size"), data.sizes.length, data.chosen?.size ?? 0);
  const looks = data.colours.rows.map((place, i) => [...look(place, data.colours.ends), i < data.train ? "" : "hollow"]);
  embedding.looks = features.looks = looks;
  const values = data.families.flatMap((one) => one.cells.flatMap((one) => Object.values(one.scores).flat()));
  const known = [...values, ...Object.values(data.pca).flat()].filter((value) => value != null);
  const low = Math.min(...known, 1), high = Math.max(...known, low), room = 0.05 * (high - low || 1);
  data.ends = [low - room, high + room];
  keys();
  chooseKernel();
  choose([]);
}

at("dataset").addEventListener("change", chooseDataset);
at("kernel").addEventListener("change", () => chooseKernel());
addEventListener("hashchange", restore);
for (const id of ["cell", "size", ...AXES]) at(id).addEventListener("input", show);
inColours(restore);
