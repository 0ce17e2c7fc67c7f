const scheme = matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Markers: in a legend, and as a path around (0, 0).
const SIGNS = "●▲■◆▼✚⊠★⬢✦";
const MARKERS = {{ markers | tojson }}.map((path, i) => [SIGNS[i], path]);
const COLOURS = 10, RAMP = 255;

// A colour between the stops of a ramp, as six digits.
function between(name, share) {
  const stops = css(name).split(", "), place = share * (stops.length - 1);
  const k = Math.min(Math.floor(place), stops.length - 2);
  const parts = [1, 3, 5].map((at) => {
    const [low, high] = [stops[k], stops[k + 1]].map((stop) => parseInt(stop.slice(at, at + 2), 16));
    return Math.round(low + (high - low) * (place - k)).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

// Colour and marker of a class or a number, as `class_style` has them for figures.
function look(place, isNumber = false) {
  if (place < 0) return [css("--other"), ...MARKERS[0]];
  if (isNumber) return [between("--ramp", place / RAMP), ...MARKERS[0]];
  const colour = place % COLOURS, turn = Math.floor(place / COLOURS);
  return [css(`--class-${colour}`), ...MARKERS[(colour + turn) % MARKERS.length]];
}

// The classes of a legend: name, number, and how many others there are.
function legend({ keys, others }) {
  return [...keys.map((name, i) => [name || "none", i]), ...(others ? [[`${others} others`, -1]] : [])];
}

// A class in a legend: its sign in its colour, and its name as words, whatever stands in it.
function key(tag, name, place = null) {
  const item = document.createElement(tag), mark = document.createElement("span");
  if (place !== null) [mark.style.color, mark.textContent] = look(place);
  item.append(mark, ` ${name}`);
  return item;
}

// The numbers at the ends of a ramp, if there is one.
function ramp(line, ends) {
  const [low, , high] = line.querySelectorAll("span");
  line.hidden = !ends;
  if (ends) [low.textContent, high.textContent] = ends.map((end) => Number(end.toPrecision(4)));
}

// Do so now, and whenever the page gets other colours.
function inColours(paint) {
  for (const query of [scheme, matchMedia("print")]) query.addEventListener("change", () => paint());
  paint();
}

function add(parent, tag, attributes = {}, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  parent.append(node);
  return node;
}

// Heights from the lower left corner on, at most so large, as an image.
function shaded(heights, side, most) {
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const pen = canvas.getContext("2d");
  heights.forEach((height, i) => {
    pen.fillStyle = between("--shades", (height / most + 1) / 2);
    pen.fillRect(i % side, side - 1 - Math.floor(i / side), 1, 1);
  });
  return canvas.toDataURL();
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

const EDGE = { left: 52, right: 8, top: 8, bottom: 40 }, CLICK = 5;

// A plot of rows by two columns. `say` returns what is said of a
// row; `extra` draws below and above the rows; `choose` takes rows that are clicked or surrounded.
class Plane {
  constructor(place, { say, height = 420, extra = () => {}, choose } = {}) {
    const width = place.clientWidth || Math.min(innerWidth - 60, 500); // folded: no width
    const inner = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom];
    const size = { width: inner[0], height: inner[1] };
    Object.assign(this, { place, say, extra, choose, inner, chosen: new Set(), looks: [] });
    this.svg = add(place, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": place.dataset.words });
    this.scale = add(this.svg, "g", { class: "scale" });
    this.frame = add(this.svg, "svg", { x: EDGE.left, y: EDGE.top, ...size });
    add(this.frame, "rect", { class: "ground", ...size });
    [this.below, this.rows, this.above] = [1, 2, 3].map(() => add(this.frame, "g"));
    this.outline = add(this.frame, "path", { class: "outline" });
    this.tip = Object.assign(document.createElement("p"), { className: "tip", hidden: true });
    place.append(this.tip);
    this.listen();
  }

  // Show rows by two columns. Ends and ticks of axes follow from the rows unless they are given.
  show(columns, names, { ends = [], numbers = [] } = {}) {
    this.view = columns.map((values, part) => {
      const known = values.filter((value) => value !== null);
      const low = Math.min(...known), high = Math.max(...known), room = 0.06 * (high - low || 1);
      return ends[part] ?? [low - room, high + room];
    });
    Object.assign(this, { columns, names, numbers });
    this.draw();
  }

  paint(looks) {
    this.looks = looks;
    this.draw();
  }

  // Value → pixel of the frame; the second axis points up.
  pixel(part, value) {
    const [low, high] = this.view[part], share = (value - low) / (high - low);
    return (part ? 1 - share : share) * this.inner[part];
  }

  // Where a row is, or nothing if a value is missing.
  at(row) {
    const values = this.columns.map((column) => column[row]);
    return values.includes(null) ? null : values.map((value, part) => this.pixel(part, value).toFixed(1));
  }

  kind(row) {
    return this.chosen.size && !this.chosen.has(row) ? "faint" : "";
  }

  draw() {
    const [width, height] = this.inner, { left, top } = EDGE, [x, y] = this.names;
    for (const group of [this.scale, this.below, this.rows, this.above]) group.replaceChildren();
    for (const [value, text] of this.numbers[0] ?? ticks(this.view[0], width / 70)) {
      const at = left + this.pixel(0, value);
      add(this.scale, "path", { d: `M${at} ${top}v${height}` });
      add(this.scale, "text", { x: at, y: top + height + 16 }, text);
    }
    for (const [value, text] of ticks(this.view[1], height / 50)) {
      const at = top + this.pixel(1, value);
      add(this.scale, "path", { d: `M${left} ${at}h${width}` });
      add(this.scale, "text", { x: left - 6, y: at + 4, class: "left" }, text);
    }
    add(this.scale, "text", { x: left + width / 2, y: top + height + 34, class: "axis" }, x);
    const aside = `translate(12 ${top + height / 2}) rotate(-90)`;
    add(this.scale, "text", { transform: aside, class: "axis" }, y);
    this.looks.forEach(([colour, , d, kind = ""], i) => {
      const at = this.at(i), place = { "data-row": i, d, transform: `translate(${at})` };
      if (at) add(this.rows, "path", { class: `mark ${kind} ${this.kind(i)}`, ...place }).style.color = colour;
    });
    this.extra(this);
  }

  // A line around rows chooses them, as a click chooses one. A finger must be able to scroll past
  // the plot, so it draws no line.
  listen() {
    const { frame, tip, outline } = this;
    const where = ({ clientX, clientY }) => {
      const { x, y, width } = frame.getBoundingClientRect(), scale = this.inner[0] / width;
      return [(clientX - x) * scale, (clientY - y) * scale];
    };
    let trail = [], begun; // places of a drag, and the row at which it begins
    const end = () => {
      trail = [];
      outline.removeAttribute("d");
    };
    frame.addEventListener("pointerdown", (event) => {
      if (!this.choose) return;
      [trail, begun] = [[where(event)], event.target.dataset.row];
      if (event.pointerType !== "touch") frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("pointermove", (event) => {
      const { row } = event.target.dataset;
      tip.hidden = row === undefined || !this.say;
      if (!tip.hidden) {
        const { x, y } = this.place.getBoundingClientRect();
        tip.replaceChildren(...this.say(row));
        tip.style.translate = `${event.clientX - x + 12}px ${event.clientY - y + 12}px`;
      }
      if (!trail.length || event.pointerType === "touch") return;
      trail.push(where(event));
      outline.setAttribute("d", `M${trail.join("L")}z`);
    });
    frame.addEventListener("pointerup", () => {
      const { width, height } = outline.getBBox(), near = Math.max(width, height) < CLICK;
      if (trail.length) {
        const inside = [...this.rows.children].filter((mark) => {
          const { e, f } = mark.transform.baseVal[0].matrix;
          return outline.isPointInFill({ x: e, y: f });
        });
        this.choose((near ? [begun] : inside.map((mark) => mark.dataset.row)).filter(Boolean).map(Number));
      }
      end();
    });
    frame.addEventListener("pointercancel", end);
    frame.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
}
