// All that is done here helps, and nothing needs it: the page can be read without scripts.

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(document.getElementById(button.dataset.of) ?? button.nextElementSibling);
    document.execCommand("copy"); // the newer way is refused to files in some browsers
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

function add(parent, tag, attributes = {}, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  parent.append(node);
  return node;
}

// Numbers for an axis, at most so many, and how many decimals they need.
function ticks([low, high], most) {
  const raw = (high - low) / most, size = 10 ** Math.floor(Math.log10(raw));
  const step = size * [1, 2, 5, 10].find((times) => times * size >= raw);
  const first = Math.ceil(low / step), count = Math.floor(high / step) - first + 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: count }, (_, i) => (first + i) * step)
    .map((value) => [value, value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−")]);
}

const EDGE = { left: 52, right: 8, top: 8, bottom: 40 }, HEIGHT = 420, LEVELS = 15;

// A plot of rows by two of their columns, which one can drag, and enlarge by wheel, box or button.
class Plane {
  constructor(place, given, axes) {
    Object.assign(this, { place, given, axes, tool: "" });
    this.size = [place.clientWidth || Math.min(innerWidth - 60, 500), HEIGHT]; // folded: no width
    const [width, height] = this.size;
    this.svg = add(place, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": place.dataset.words });
    this.scale = add(this.svg, "g", { class: "scale" });
    const inner = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom];
    this.frame = add(this.svg, "svg", { x: EDGE.left, y: EDGE.top, width: inner[0], height: inner[1] });
    add(this.frame, "rect", { class: "ground", width: "100%", height: "100%" });
    this.inner = inner;
    const [rows] = Object.values(given.columns).map(([, , steps]) => steps);
    this.marks = rows.map((_, i) => add(this.frame, "path", { class: "mark", "data-row": i }));
    this.box = add(this.frame, "rect", { class: "box" });
    this.tip = place.appendChild(document.createElement("p"));
    this.tip.className = "tip";
    this.tip.hidden = true;
    this.listen();
    this.reset();
  }

  column(name) {
    const [low, step, steps] = this.given.columns[name];
    return steps.map((whole) => low + step * whole);
  }

  reset() {
    this.values = this.axes.map((name) => this.column(name));
    this.view = this.values.map((all) => {
      const low = Math.min(...all), high = Math.max(...all), room = 0.06 * (high - low || 1);
      return [low - room, high + room];
    });
    this.draw();
  }

  // Pixels of the frame → values, and back.
  at(part, pixel) {
    const [low, high] = this.view[part], share = pixel / this.inner[part];
    return low + (part ? 1 - share : share) * (high - low);
  }

  pixel(part, value) {
    const [low, high] = this.view[part], share = (value - low) / (high - low);
    return (part ? 1 - share : share) * this.inner[part];
  }

  draw() {
    this.scale.replaceChildren();
    const [width, height] = this.inner, { left, top } = EDGE;
    for (const [value, text] of ticks(this.view[0], width / 70)) {
      const x = left + this.pixel(0, value);
      add(this.scale, "path", { d: `M${x} ${top}v${height}` });
      add(this.scale, "text", { x, y: top + height + 16, "text-anchor": "middle" }, text);
    }
    for (const [value, text] of ticks(this.view[1], height / 50)) {
      const y = top + this.pixel(1, value);
      add(this.scale, "path", { d: `M${left} ${y}h${width}` });
      add(this.scale, "text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text);
    }
    const [x, y] = this.axes.map((name) => this.given.names[name]);
    add(this.scale, "text", { x: left + width / 2, y: top + height + 34, "text-anchor": "middle", class: "axis" }, x);
    add(this.scale, "text", { transform: `translate(12 ${top + height / 2}) rotate(-90)`, "text-anchor": "middle", class: "axis" }, y);
    const [xs, ys] = this.values;
    this.marks.forEach((mark, i) => {
      mark.setAttribute("transform", `translate(${this.pixel(0, xs[i]).toFixed(1)} ${this.pixel(1, ys[i]).toFixed(1)})`);
    });
  }

  paint({ rows, ends }) {
    rows.forEach((row, i) => {
      const [colour, [, , path]] = look(row, Boolean(ends));
      this.marks[i].setAttribute("d", path);
      this.marks[i].style.color = colour;
    });
  }

  // Enlarge around a place of the frame.
  zoom(factor, place = this.inner.map((side) => side / 2)) {
    this.view = this.view.map((ends, part) => {
      const centre = this.at(part, place[part]);
      return ends.map((end) => centre + (end - centre) / factor);
    });
    this.draw();
  }

  listen() {
    const where = (event) => {
      const { x, y, width, height } = this.frame.getBoundingClientRect();
      return [((event.clientX - x) / width) * this.inner[0], ((event.clientY - y) / height) * this.inner[1]];
    };
    let from = null;
    this.frame.addEventListener("pointerdown", (event) => {
      if (!this.tool) return;
      from = { place: where(event), view: this.view };
      this.frame.setPointerCapture(event.pointerId);
    });
    this.frame.addEventListener("pointermove", (event) => {
      const { row } = event.target.dataset, place = where(event);
      this.tip.hidden = row === undefined;
      if (row !== undefined) this.say(row, event);
      if (!from) return;
      const moved = place.map((at, part) => at - from.place[part]);
      if (this.tool === "box") return this.mark(from.place, place);
      this.view = from.view.map(([low, high], part) => {
        const by = ((part ? 1 : -1) * moved[part] * (high - low)) / this.inner[part];
        return [low + by, high + by];
      });
      this.draw();
    });
    this.frame.addEventListener("pointerup", (event) => {
      const place = where(event), start = from;
      from = null;
      this.mark([0, 0], [0, 0]);
      if (this.tool !== "box" || !start || place.some((at, part) => Math.abs(at - start.place[part]) < 5)) return;
      this.view = this.view.map((_, part) => [start.place, place].map((p) => this.at(part, p[part])).sort((a, b) => a - b));
      this.draw();
    });
    this.frame.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.frame.addEventListener("wheel", (event) => {
      if (!this.wheel) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, where(event));
    }, { passive: false });
  }

  mark(from, to) {
    const [x, y] = from.map((at, part) => Math.min(at, to[part]));
    const [width, height] = from.map((at, part) => Math.abs(at - to[part]));
    for (const [name, value] of Object.entries({ x, y, width, height })) this.box.setAttribute(name, value);
  }

  say(row, { clientX, clientY }) {
    const { x, y } = this.place.getBoundingClientRect();
    this.tip.textContent = Object.entries(this.given.tips).map(([name, all]) => `${name} ${all[row]}`).join("\n");
    this.tip.style.translate = `${clientX - x + 12}px ${clientY - y + 12}px`;
  }

  // The plot as a file, with its colours in it, since a style sheet stays behind.
  save() {
    const copy = this.svg.cloneNode(true), nodes = this.svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((node, i) => {
      const { fill, stroke, strokeWidth, fontFamily, fontSize } = getComputedStyle(nodes[i]);
      Object.assign(node.style, { fill, stroke, strokeWidth, fontFamily, fontSize });
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
    link.download = `${this.place.id}.svg`;
    link.click();
  }
}

// What the tools do; those of a name drag, and one of them is on at most.
const TOOLS = [
  ["Move", (plane, on) => { plane.tool = on ? "move" : ""; }, "drag"],
  ["Enlarge a box", (plane, on) => { plane.tool = on ? "box" : ""; }, "drag"],
  ["Zoom by wheel", (plane, on) => { plane.wheel = on; }, "wheel"],
  ["Zoom in", (plane) => plane.zoom(1.5)],
  ["Zoom out", (plane) => plane.zoom(1 / 1.5)],
  ["Reset", (plane) => plane.reset()],
  ["Save", (plane) => plane.save()],
];

// A button shows the tools of plots, and keeps them from the keyboard until then.
function tools(button, planes) {
  const bar = document.createElement("span");
  bar.className = "toolbar";
  bar.hidden = true;
  bar.append(...TOOLS.map(([words, act, group]) => {
    const tool = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    if (group) tool.setAttribute("aria-pressed", false);
    tool.addEventListener("click", () => {
      const on = group && tool.getAttribute("aria-pressed") !== "true";
      for (const other of group ? bar.children : [])
        if (other === tool || (group === "drag" && TOOLS[[...bar.children].indexOf(other)][2] === group))
          other.setAttribute("aria-pressed", on && other === tool);
      for (const plane of planes) {
        act(plane, on);
        plane.frame.classList.toggle("dragged", Boolean(plane.tool));
      }
    });
    return tool;
  }));
  button.after(bar);
  button.addEventListener("click", () => {
    bar.hidden = !bar.hidden;
    button.setAttribute("aria-expanded", !bar.hidden);
  });
}

// Draw the plots of a dataset.
async function plot(figure) {
  const given = JSON.parse(await unpacked(figure.querySelector("script").textContent));
  const planes = [...figure.querySelectorAll(".canvas")].map((place, i) => new Plane(place, given, Object.values(given.axes)[i]));
  const select = figure.querySelector("[data-colour]"), [ends, list] = figure.querySelectorAll(".keys");
  const paint = () => {
    const found = given.colours[select?.value];
    for (const plane of planes) plane.paint(found ?? { rows: plane.marks.map(() => 0) });
    if (!found) return;
    ends.hidden = !found.ends;
    const [low, , high] = ends.children;
    if (found.ends) [low.textContent, high.textContent] = found.ends.map((end) => Number(end.toPrecision(4)));
    list.replaceChildren(...legend(found).map((words) => key("li", ...words)));
  };
  for (const query of [scheme, matchMedia("print")]) query.addEventListener("change", paint);
  select?.addEventListener("change", paint);
  tools(figure.querySelector(".tools"), planes);
  for (const axis of figure.querySelectorAll("[data-axis]")) {
    axis.addEventListener("change", () => {
      planes[0].axes[axis.dataset.axis === "x" ? 0 : 1] = axis.value;
      planes[0].reset();
    });
  }
  paint();
}

// A click on a column sorts a table by it, a second one the other way; a field filters its rows.
function sortable(table) {
  const body = table.tBodies[0], rows = [...body.rows], count = document.createElement("p");
  const field = Object.assign(document.createElement("input"), { type: "search" });
  const label = document.createElement("label");
  label.append("Filter: ", field);
  label.className = count.className = "filter";
  const filter = () => {
    const wanted = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    count.textContent = `${rows.filter((row) => !row.hidden).length} rows`;
  };
  field.addEventListener("input", filter);
  table.before(label);
  table.after(count);
  filter();
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[place].textContent;
      const compare = (a, b) => Number(a || NaN) - Number(b || NaN) || a.localeCompare(b);
      rows.sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b)));
      body.append(...rows);
    });
  });
}

// Printing gives the whole report.
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
});

// A link to a part that is folded opens it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const part of document.querySelectorAll("details")) part.open ||= part.contains(target);
  target?.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// Small pictures of rows, over shades of what a model decides.
async function small(target) {
  const { rows, numeric, side, pictures } = JSON.parse(await unpacked(target.dataset.packed));
  const paint = () => {
    target.replaceChildren();
    for (const { words, x, y, heights } of pictures) {
      const svg = add(target, "svg", { viewBox: "0 0 255 255", role: "img", "aria-label": words });
      const whole = { width: 255, height: 255, preserveAspectRatio: "none" };
      if (heights.length) add(svg, "image", { href: shaded(heights, side), ...whole });
      rows.forEach((row, i) => {
        const [colour, [, , d]] = look(row, numeric);
        const transform = `translate(${x[i]} ${255 - y[i]}) scale(1.7)`;
        add(svg, "path", { class: "mark", d, transform }).style.color = colour;
      });
    }
  };
  for (const query of [scheme, matchMedia("print")]) query.addEventListener("change", paint);
  paint();
}

// Heights from the lower left corner on, as an image.
function shaded(heights, side) {
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const pen = canvas.getContext("2d");
  heights.forEach((height, i) => {
    pen.fillStyle = between("--shades", (height / LEVELS + 1) / 2);
    pen.fillRect(i % side, side - 1 - Math.floor(i / side), 1, 1);
  });
  return canvas.toDataURL();
}

// What is compressed is unpacked in the order of the page, which can be used meanwhile.
const SHOW = {
  plot,
  small,
  async image(target) {
    const text = await unpacked(target.dataset.packed);
    target.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  },
  async table(target) {
    target.innerHTML = await unpacked(target.dataset.packed);
    sortable(target.querySelector("table"));
  },
};
for (const target of document.querySelectorAll("[data-show]")) {
  await SHOW[target.dataset.show](target);
  delete target.dataset.packed;
  await new Promise((next) => { setTimeout(next); });
}
document.body.dataset.ready = true;
