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

// A plot of rows by two of their columns, which one can move and enlarge.
class Plane {
  constructor(place, { columns, names, tips }, axes) {
    Object.assign(this, { place, columns, names, tips, axes, tool: "" });
    const width = place.clientWidth || Math.min(innerWidth - 60, 500); // folded: no width
    this.svg = add(place, "svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": place.dataset.words });
    this.scale = add(this.svg, "g", { class: "scale" });
    this.inner = [width - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
    const [w, h] = this.inner;
    this.frame = add(this.svg, "svg", { x: EDGE.left, y: EDGE.top, width: w, height: h });
    add(this.frame, "rect", { class: "ground", width: w, height: h });
    this.marks = columns[axes[0]].map((_, i) => add(this.frame, "path", { class: "mark", "data-row": i }));
    this.box = add(this.frame, "rect", { class: "box" });
    this.tip = Object.assign(document.createElement("p"), { className: "tip", hidden: true });
    place.append(this.tip);
    this.listen();
    this.reset();
  }

  reset() {
    this.view = this.axes.map((name) => {
      const low = Math.min(...this.columns[name]), high = Math.max(...this.columns[name]);
      const room = 0.06 * (high - low || 1);
      return [low - room, high + room];
    });
    this.draw();
  }

  // Pixels of the frame → values, and back; the second axis points up.
  value(part, pixel) {
    const [low, high] = this.view[part], share = pixel / this.inner[part];
    return low + (part ? 1 - share : share) * (high - low);
  }

  pixel(part, value) {
    const [low, high] = this.view[part], share = (value - low) / (high - low);
    return (part ? 1 - share : share) * this.inner[part];
  }

  draw() {
    this.scale.replaceChildren();
    const [width, height] = this.inner, { left, top } = EDGE, [x, y] = this.axes;
    for (const [value, text] of ticks(this.view[0], width / 70)) {
      const at = left + this.pixel(0, value);
      add(this.scale, "path", { d: `M${at} ${top}v${height}` });
      add(this.scale, "text", { x: at, y: top + height + 16 }, text);
    }
    for (const [value, text] of ticks(this.view[1], height / 50)) {
      const at = top + this.pixel(1, value);
      add(this.scale, "path", { d: `M${left} ${at}h${width}` });
      add(this.scale, "text", { x: left - 6, y: at + 4, class: "left" }, text);
    }
    add(this.scale, "text", { x: left + width / 2, y: top + height + 34, class: "axis" }, this.names[x]);
    const aside = `translate(12 ${top + height / 2}) rotate(-90)`;
    add(this.scale, "text", { transform: aside, class: "axis" }, this.names[y]);
    this.marks.forEach((mark, i) => {
      const at = [x, y].map((name, part) => this.pixel(part, this.columns[name][i]).toFixed(1));
      mark.setAttribute("transform", `translate(${at})`);
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
      const centre = this.value(part, place[part]);
      return ends.map((end) => centre + (end - centre) / factor);
    });
    this.draw();
  }

  listen() {
    const { frame, box, tip } = this;
    const where = ({ clientX, clientY }) => {
      const { x, y, width } = frame.getBoundingClientRect(), scale = this.inner[0] / width;
      return [(clientX - x) * scale, (clientY - y) * scale];
    };
    let last = null; // where a drag was last, or where a box begins
    frame.addEventListener("pointerdown", (event) => {
      if (!this.tool) return;
      last = where(event);
      frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("pointermove", (event) => {
      const { row } = event.target.dataset, place = where(event);
      tip.hidden = row === undefined;
      if (!tip.hidden) {
        const { x, y } = this.place.getBoundingClientRect();
        tip.textContent = Object.entries(this.tips).map(([name, all]) => `${name} ${all[row]}`).join("\n");
        tip.style.translate = `${event.clientX - x + 12}px ${event.clientY - y + 12}px`;
      }
      if (last && this.tool === "box") {
        const [[x, width], [y, height]] = place.map((at, part) => [Math.min(at, last[part]), Math.abs(at - last[part])]);
        for (const [name, value] of Object.entries({ x, y, width, height })) box.setAttribute(name, value);
      } else if (last) {
        this.view = this.view.map((ends, part) => {
          const by = this.value(part, last[part]) - this.value(part, place[part]);
          return ends.map((end) => end + by);
        });
        last = place;
        this.draw();
      }
    });
    frame.addEventListener("pointerup", (event) => {
      const corners = [last, where(event)], boxed = last && this.tool === "box";
      last = null;
      box.removeAttribute("width");
      if (!boxed || corners[0].some((at, part) => Math.abs(at - corners[1][part]) < 5)) return;
      this.view = this.view.map((_, part) => corners.map((at) => this.value(part, at[part])).sort((a, b) => a - b));
      this.draw();
    });
    frame.addEventListener("pointerleave", () => { tip.hidden = true; });
    frame.addEventListener("wheel", (event) => {
      if (!this.tool) return; // or one could not scroll past the plot
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, where(event));
    }, { passive: false });
  }

  // The plot as a file, with its colours in it, since a style sheet stays behind.
  save() {
    const copy = this.svg.cloneNode(true), nodes = this.svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((node, i) => {
      const { fill, stroke, strokeWidth, font, textAnchor } = getComputedStyle(nodes[i]);
      Object.assign(node.style, { fill, stroke, strokeWidth, font, textAnchor });
    });
    const text = new XMLSerializer().serializeToString(copy), link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${this.place.id}.svg`;
    link.click();
  }
}

// Tools for dragging, of which one is on at most; the wheel zooms then. The others act at once.
const DRAGS = { Move: "move", "Enlarge a box": "box" };
const ACTS = {
  "Zoom in": (plane) => plane.zoom(1.5),
  "Zoom out": (plane) => plane.zoom(1 / 1.5),
  Reset: (plane) => plane.reset(),
  Save: (plane) => plane.save(),
};

// A button shows the tools of plots, and keeps them from the keyboard until then.
function tools(button, planes) {
  const bar = Object.assign(document.createElement("span"), { className: "toolbar", hidden: true });
  for (const words of [...Object.keys(DRAGS), ...Object.keys(ACTS)]) {
    const tool = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    if (words in DRAGS) tool.ariaPressed = false;
    tool.addEventListener("click", () => {
      if (words in ACTS) return planes.forEach(ACTS[words]);
      const on = tool.ariaPressed !== "true";
      for (const other of bar.querySelectorAll("[aria-pressed]")) other.ariaPressed = on && other === tool;
      for (const plane of planes) {
        plane.tool = on ? DRAGS[words] : "";
        plane.frame.classList.toggle("dragged", on);
      }
    });
    bar.append(tool);
  }
  button.after(bar);
  button.addEventListener("click", () => {
    bar.hidden = !bar.hidden;
    button.ariaExpanded = !bar.hidden;
  });
}

// Draw the plots of a dataset.
async function plot(figure) {
  const given = JSON.parse(await unpacked(figure.querySelector("script").textContent));
  for (const [name, [low, step, steps]] of Object.entries(given.columns))
    given.columns[name] = steps.map((whole) => low + step * whole);
  const planes = [...figure.querySelectorAll(".canvas")].map((place, i) => new Plane(place, given, Object.values(given.axes)[i]));
  const select = figure.querySelector("[data-colour]"), [ends, list] = figure.querySelectorAll(".keys");
  const plain = { rows: planes[0].marks.map(() => 0), keys: [], others: 0 };
  const paint = () => {
    const found = given.colours[select?.value] ?? plain;
    for (const plane of planes) plane.paint(found);
    ends.hidden = !found.ends;
    const [low, , high] = ends.children;
    if (found.ends) [low.textContent, high.textContent] = found.ends.map((end) => Number(end.toPrecision(4)));
    list.replaceChildren(...legend(found).map((words) => key("li", ...words)));
  };
  select?.addEventListener("change", paint);
  tools(figure.querySelector(".tools"), planes);
  for (const axis of figure.querySelectorAll("[data-axis]")) {
    axis.addEventListener("change", () => {
      planes[0].axes[axis.dataset.axis === "x" ? 0 : 1] = axis.value;
      planes[0].reset();
    });
  }
  inColours(paint);
}

// Do so now, and whenever the page gets other colours.
function inColours(paint) {
  for (const query of [scheme, matchMedia("print")]) query.addEventListener("change", paint);
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
  inColours(() => {
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
  });
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
