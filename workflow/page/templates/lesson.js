// Kernel PCA in the browser: points that the reader moves, fits to the points, and views of fits.

const MOST = 200, KEPT = 6, ROUNDING = 1e-14, MOST_SWEEPS = 30, LINEAR = { family: "linear" };
const EDGE = 1.6, REACH = 0.12, STEP = 0.05, SIDE = 44, LEVELS = 9, SIZE = 320;
const at = (id) => document.getElementById(id);

// Fits. Eigenvalues and scores agree with those of the library to 1e-6, signs included.
const sum = (values) => values.reduce((all, value) => all + value, 0);

function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

function kernel({ family, gamma, degree }, p, q) {
  if (family === "rbf") return Math.exp(-gamma * ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2));
  const product = p[0] * q[0] + p[1] * q[1];
  return family === "linear" ? product : (gamma * product + 1) ** degree;
}

// Return the columns of a factor F with K = F Fᵀ for a semidefinite K, by pivoted Cholesky.
function factor(K) {
  const left = K.map((row, i) => row[i]), least = ROUNDING * sum(left), columns = [];
  for (;;) {
    const largest = Math.max(...left), pivot = left.indexOf(largest);
    if (!(largest > least)) return columns;
    const column = K[pivot].map((value, i) => (
      (value - sum(columns.map((other) => other[i] * other[pivot]))) / Math.sqrt(largest)));
    column.forEach((value, i) => { left[i] -= value ** 2; });
    left[pivot] = 0;
    columns.push(column);
  }
}

// Return leading eigenpairs of a semidefinite matrix, by Jacobi rotations of its factor's columns.
function leading(K) {
  const columns = factor(K), norms = columns.map((column) => dot(column, column));
  for (let sweep = 0, turned = true; turned && sweep < MOST_SWEEPS; sweep++) {
    turned = false;
    for (let i = 1; i < columns.length; i++) {
      for (let j = 0; j < i; j++) {
        const [u, v, a, b] = [columns[i], columns[j], norms[i], norms[j]], c = dot(u, v);
        if (!(Math.abs(c) > ROUNDING * Math.sqrt(a * b))) continue;
        const half = (b - a) / (2 * c), tan = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.hypot(half, 1));
        const cos = 1 / Math.sqrt(tan * tan + 1), sin = tan * cos;
        for (let k = 0; k < u.length; k++) {
          const x = u[k], y = v[k];
          u[k] = cos * x - sin * y;
          v[k] = sin * x + cos * y;
        }
        [norms[i], norms[j], turned] = [a - tan * c, b + tan * c, true];
      }
    }
  }
  const all = [...columns, ...Array.from({ length: KEPT }, () => new Float64Array(K.length))];
  const kept = all.map((column) => [dot(column, column), column]).sort(([a], [b]) => b - a);
  return kept.slice(0, Math.min(KEPT, K.length)).map(([value, column]) => (
    { value, vector: column.map((x) => x / Math.sqrt(value) || 0) }));
}

// Fit kernel PCA to points, with or without centring in the feature space.
function fit(points, choice, centred = true) {
  const n = points.length;
  const K = points.map((p) => Float64Array.from(points, (q) => kernel(choice, p, q)));
  const means = K.map((row) => (centred ? sum(row) / n : 0)), mean = sum(means) / n;
  const bar = K.map((row, i) => row.map((value, j) => value - means[i] - means[j] + mean));
  const pairs = leading(bar), values = pairs.map(({ value }) => value);
  const axes = pairs.map(({ value, vector }) => {
    const largest = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
    const length = value > 1e-12 * values[0] ? Math.sqrt(value) * Math.sign(largest) : Infinity;
    return vector.map((value) => (value - (centred ? sum(vector) / n : 0)) / length);
  });
  // Since the weights of an axis sum to zero, centring a new point only subtracts these constants.
  const steps = axes.map((axis) => dot(axis, means));
  const score = (p, c) => dot(axes[c] ?? [], points.map((q) => kernel(choice, p, q))) - (steps[c] ?? 0);
  return { K, bar, values, steps, score, trace: sum(bar.map((row, i) => row[i])) };
}

// State of the page: the kernel, points [x, y, class], and the number of the chosen point. Some
// views fit half of the points, and use the other half as new points.
const state = { choice: { family: "rbf", gamma: 3, degree: 2 }, points: [], chosen: 0 };
let known = {}, speaking; // cache of results for the state, and timer of spoken messages

const parts = (name) => [0, 2].map((bit) => (
  state.points.filter((_, i) => (name.endsWith("half") ? i & 2 : 0) === bit)));
const fitted = (name) => (known[name] ??= fit(
  parts(name)[0], name.startsWith("pca") ? LINEAR : state.choice, name !== "plain"));

// Return scores and class of the fitted points, and of the new points.
const placed = (name) => (known[`placed ${name}`] ??= parts(name).map((some) => (
  some.map((p) => [...fitted(name).values.map((_, c) => fitted(name).score(p, c)), p[2]]))));

// Return the component with the best threshold, and the fraction of points that this classifies
// correctly.
function sorted(name) {
  const [old, fresh] = placed(name), components = fitted(name).values.map((_, c) => c);
  const share = (some, [c, cut, above]) => (
    some.filter((p) => (p[c] >= cut) === (p.at(-1) === above)).length / some.length);
  const rules = components.flatMap((c) => old.flatMap((p) => [[c, p[c], 0], [c, p[c], 1]]));
  const [right, rule] = rules.map((one) => [share(old, one), one]).reduce(
    (most, one) => (one[0] > most[0] + 1e-9 ? one : most), [0, [0, 0, 0]]);
  return { component: rule[0], right, fresh: share(fresh, rule) };
}

const best = (name) => (known[`best ${name}`] ??= sorted(name));
const percent = (share) => `${Math.round(100 * share || 0)}\u00a0%`;
const short = (value) => Number(value.toPrecision(2)).toString().replace("-", "−");

function median() {
  const far = (p) => (q) => (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2, { points } = state;
  const all = points.flatMap((p, i) => points.slice(0, i).map(far(p))).sort((a, b) => a - b);
  return (all[(all.length - 1) >> 1] + all[all.length >> 1]) / 2 || 1;
}

const SETS = {
  rings: (t, one) => [Math.cos(2 * t), Math.sin(2 * t)].map((side) => side * (one ? 1 : 0.3)),
  moons: (t, one) => [Math.cos(t) - 0.5, Math.sin(t) - 0.25].map((side) => (one ? side : -side)),
  clusters: (t, one) => [0.8, 0.3].map((side) => (one ? side : -side)),
};

// Return the points of a set; the random numbers are fixed, so that all readers see the same points.
function drawn(name, count = 80) {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const spread = name === "clusters" ? 0.2 : 0.06;
  const noise = () => spread * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, (_, i) => (
    [...SETS[name]((Math.PI * (i + random())) / count, i % 2).map((side) => side + noise()), i % 2]));
}

// Views, each the inside of an SVG.
const onto = (reach) => ([x, y]) => (
  [x / reach + 1, 1 - y / reach].map((side) => (side * SIZE / 2).toFixed(1)));
const PLANE = onto(EDGE);
// Return marks that are round for one class and square for the other; new points have a hole.
function marks([old, fresh], place) {
  const path = (some, look) => [0, 1].map((one) => `<path class="${look} of${one}" d="${
    some.filter((p) => p.at(-1) === one).map((p) => `M${place(p)}h0`).join("")}"/>`).join("");
  return path([...old, ...fresh], "mark") + path(fresh, "hole");
}

// Lines of equal height over the plane.
function lines(height) {
  const to = (i) => EDGE * (2 * i / (SIDE - 1) - 1), all = [...Array(SIDE).keys()].map(to);
  const heights = all.flatMap((y) => all.map((x) => height([x, y])));
  const low = Math.min(...heights), high = Math.max(...heights);
  return Array.from({ length: LEVELS }, (_, k) => {
    const level = low + ((high - low) * (k + 1)) / (LEVELS + 1);
    const d = contour(heights, SIDE, level, (place) => PLANE(place.map(to)));
    return `<path class="level ${level < 0 ? "below" : ""}" d="${d}"/>`;
  }).join("");
}

function plane(name, height) {
  const ring = state.points.slice(state.chosen).slice(0, 1).map((p) => `M${PLANE(p)}h0`);
  return `${lines(height)}<path class="ring" d="${ring}"/>${marks(parts(name), PLANE)}`;
}

const VIEWS = {
  component: (name, c) => plane(name, (p) => fitted(name).score(p, c ?? best(name).component)),
  similar: (name) => plane(name, (p) => kernel(state.choice, p, state.points[state.chosen] ?? p)),
  scores(name) {
    const sizes = placed(name).flat().flatMap(([u, v]) => [Math.abs(u), Math.abs(v)]);
    const place = onto(1.15 * Math.max(1e-9, ...sizes)), half = SIZE / 2;
    return `<path class="axis" d="M0 ${half}H${SIZE}M${half} 0V${SIZE}"/>${marks(placed(name), place)}
      <text x="${SIZE - 4}" y="${half - 5}" text-anchor="end">component 1</text>
      <text x="${half + 5}" y="12">component 2</text>`;
  },
  spectrum(names) {
    const fits = names.split(" ").map(fitted), wide = SIZE / KEPT, bar = (0.8 * wide) / fits.length;
    const shares = fits.map(({ values, trace }) => values.map((value) => Math.max(0, value / trace || 0)));
    const most = Math.max(1e-9, ...shares.flat()), label = (x, y, words) => (
      `<text x="${x}" y="${y}" text-anchor="middle">${words}</text>`);
    return shares.flatMap((row, f) => row.map((share, c) => {
      const x = c * wide + f * bar + 5, high = ((SIZE - 50) * share) / most, y = SIZE - 24 - high;
      return `<rect class="bar of${f}" x="${x}" y="${y}" width="${bar}" height="${high}"/>
        ${label(x + bar / 2, y - 5, Math.round(100 * share))}
        ${f ? "" : label((c + 0.45) * wide, SIZE - 7, `λ${"₁₂₃₄₅₆"[c]}`)}`;
    })).join("");
  },
  matrix(name) {
    const n = state.points.length, rows = fitted("kernel")[name];
    if (!n) return "";
    const order = [...rows.keys()].sort((i, j) => state.points[i][2] - state.points[j][2]);
    const largest = Math.max(...rows.flatMap((row) => [...row].map(Math.abs)));
    const pixels = order.flatMap((i) => order.flatMap((j) => {
      const part = rows[i][j] / largest, pale = 255 * (1 - Math.abs(part)), dark = pale + 110 * Math.abs(part);
      return part > 0 ? [dark, pale, dark, 255] : [pale, dark, pale, 255];
    }));
    const canvas = Object.assign(document.createElement("canvas"), { width: n, height: n });
    canvas.getContext("2d").putImageData(new ImageData(Uint8ClampedArray.from(pixels), n), 0, 0);
    return `<image href="${canvas.toDataURL()}" width="${SIZE}" height="${SIZE}"/>
      <rect class="row" y="${(SIZE / n) * order.indexOf(state.chosen)}" width="${SIZE}" height="${SIZE / n}"/>`;
  },
};

// Numbers in the sentences below the views.
const NUMBERS = {
  best: (name, key) => (key === "component" ? best(name)[key] + 1 : percent(best(name)[key])),
  first: (name) => percent(fitted(name).values[0] / fitted(name).trace),
  step: (name, c) => short(fitted(name).steps[c] ?? 0),
};

const figures = document.querySelectorAll("#steps figure");
const near = ({ top, bottom }) => top < innerHeight && bottom > 0;
// Draw the figures that are visible in the window, or all of them if `every`.
function show(every) {
  for (const figure of figures) {
    const { view, of, component, drawn } = figure.dataset;
    if (drawn || !(every || near(figure.getBoundingClientRect()))) continue;
    figure.querySelector("svg").innerHTML = VIEWS[view](of, component);
    figure.dataset.drawn = "yes";
  }
  for (const place of document.querySelectorAll("#steps [data-number]"))
    if (every || near(place.getBoundingClientRect()))
      place.textContent = NUMBERS[place.dataset.number](place.dataset.of, place.dataset.which);
}

// Update the page after a change of the state.
function changed(words = "") {
  const { gamma } = state.choice, width = `γ = ${short(gamma)} (${short(gamma * median())} × median heuristic)`;
  known = {};
  for (const figure of figures) delete figure.dataset.drawn;
  requestAnimationFrame(() => show());
  at("gamma-label").textContent = width;
  clearTimeout(speaking);
  speaking = setTimeout(() => { at("spoken").textContent = words || width; }, 700);
}

function move(point, x, y) {
  [point[0], point[1]] = [x, y].map((side) => Math.min(Math.max(side, -EDGE), EDGE));
  changed(`point ${state.chosen + 1} at ${short(point[0])}, ${short(point[1])}`);
}

function select(place) {
  state.chosen = (place + state.points.length) % state.points.length || 0;
  changed(`point ${state.chosen + 1} of ${state.points.length}`);
}

function insert(x, y) {
  if (state.points.length < MOST) state.points.push([x, y, Number(at("side").value)]);
  select(-1);
}

function remove() {
  state.points.splice(state.chosen, 1);
  select(Math.max(0, state.chosen - 1));
}

const KEYS = {
  ArrowLeft: (p) => move(p, p[0] - STEP, p[1]),
  ArrowRight: (p) => move(p, p[0] + STEP, p[1]),
  ArrowUp: (p) => move(p, p[0], p[1] + STEP),
  ArrowDown: (p) => move(p, p[0], p[1] - STEP),
  PageUp: () => select(state.chosen + 1),
  PageDown: () => select(state.chosen - 1),
  Delete: remove,
  Enter: (p) => insert(...(p ?? [0, 0])),
};

for (const svg of document.querySelectorAll("#steps svg[tabindex]")) {
  let held = false;
  const place = ({ clientX, clientY }, { x, y, width } = svg.getBoundingClientRect()) => (
    [clientX - x, y + width - clientY].map((side) => EDGE * (2 * side / width - 1)));
  const nearest = (event) => {
    const far = state.points.map((p) => Math.hypot(p[0] - place(event)[0], p[1] - place(event)[1]));
    return far.indexOf(Math.min(REACH, ...far));
  };
  svg.addEventListener("pointerdown", (event) => {
    held = nearest(event) >= 0;
    if (held) select(nearest(event));
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (held && event.buttons) move(state.points[state.chosen], ...place(event));
  });
  svg.addEventListener("click", (event) => held || insert(...place(event)));
  const hold = (event) => nearest(event.touches[0]) >= 0 && event.preventDefault(); // no scrolling
  svg.addEventListener("touchstart", hold, { passive: false });
  svg.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || (event.key !== "Enter" && !state.points.length)) return;
    event.preventDefault();
    KEYS[event.key](state.points[state.chosen]);
  });
}

function choose() {
  const [family, degree] = at("family").value.split(" "), set = at("set").value;
  state.choice = { family, degree: Number(degree), gamma: 10 ** at("gamma").value };
  if (set !== state.set) Object.assign(state, { set, points: set ? drawn(set) : [], chosen: 0 });
  changed();
}

for (const id of ["set", "family", "gamma"]) at(id).addEventListener("input", choose);
at("remove").addEventListener("click", remove);
addEventListener("beforeprint", () => show(true));
addEventListener("scroll", () => show());
choose();
window.lesson = { state, fit, fitted, changed, show }; // for tests
