const scheme = matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Markers, each as a character for legends and as an SVG path around (0, 0).
const SIGNS = "●▲■◆▼✚⊠★⬢✦";
const MARKERS = {{ markers | tojson }}.map((path, i) => [SIGNS[i], path]);
const COLOURS = 10, RAMP = 255;

// Return the colour at a fraction of a ramp, as six hexadecimal digits.
function between(name, share) {
  const stops = css(name).split(", "), place = share * (stops.length - 1);
  const k = Math.min(Math.floor(place), stops.length - 2);
  const parts = [1, 3, 5].map((at) => {
    const [low, high] = [stops[k], stops[k + 1]].map((stop) => parseInt(stop.slice(at, at + 2), 16));
    return Math.round(low + (high - low) * (place - k)).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

// Return colour and marker of a class or a number; for classes as `class_style` does for figures.
function look(place, isNumber = false) {
  if (place < 0) return [css("--other"), ...MARKERS[0]];
  if (isNumber) return [between("--ramp", place / RAMP), ...MARKERS[0]];
  const colour = place % COLOURS, turn = Math.floor(place / COLOURS);
  return [css(`--class-${colour}`), ...MARKERS[(colour + turn) % MARKERS.length]];
}

// Return name and number of each class for a legend; a last entry counts all other classes.
function legend({ keys, others }) {
  return [...keys.map((name, i) => [name || "none", i]), ...(others ? [[`${others} others`, -1]] : [])];
}

// Return an entry of a legend: the coloured marker of a class, and its name as plain text.
function key(tag, name, place = null) {
  const item = document.createElement(tag), mark = document.createElement("span");
  if (place !== null) [mark.style.color, mark.textContent] = look(place);
  item.append(mark, ` ${name}`);
  return item;
}

// Show the numbers at the ends of a ramp, or hide the ramp if there are none.
function ramp(line, ends) {
  const [low, , high] = line.querySelectorAll("span");
  line.hidden = !ends;
  if (ends) [low.textContent, high.textContent] = ends.map((end) => Number(end.toPrecision(4)));
}

// Call `paint` now, and again whenever the colours of the page change.
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

// Return heights between -most and most as an image; the first height is at the lower left corner.
function shaded(heights, side, most) {
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const pen = canvas.getContext("2d");
  heights.forEach((height, i) => {
    pen.fillStyle = between("--shades", (height / most + 1) / 2);
    pen.fillRect(i % side, side - 1 - Math.floor(i / side), 1, 1);
  });
  return canvas.toDataURL();
}

// Return about `most` values for the ticks of an axis, with their labels.
function ticks([low, high], most) {
  const raw = (high - low) / most, size = 10 ** Math.floor(Math.log10(raw));
  const step = size * [1, 2, 5, 10].find((times) => times * size >= raw);
  const first = Math.ceil(low / step), count = Math.floor(high / step) - first + 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: count }, (_, i) => (first + i) * step)
    .map((value) => [value, value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−")]);
}

const EDGE = { left: 52, right: 8, top: 8, bottom: 40 }, CLICK = 5;

// A plot of rows by two columns. `say` returns the text about a row, `extra` draws below and above
// the rows, and `choose` is called with the rows that the reader clicks or surrounds.
class Plane {
  constructor(place, { say, height = 420, extra = () => {}, choose } = {}) {
    const width = place.clientWidth || Math.min(innerWidth - 60, 500); // A folded place has no width.
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

  // Show rows by two columns. Unless given, the ends and ticks of the axes follow from the rows.
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

  // Return the pixel of a value in the frame; the second axis points up.
  pixel(part, value) {
    const [low, high] = this.view[part], share = (value - low) / (high - low);
    return (part ? 1 - share : share) * this.inner[part];
  }

  // Return the place of a row, or null if one of its values is missing.
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

  // The reader chooses one row by a click, and several by a line around them. A finger draws no
  // line, because it must be able to scroll past the plot.
  listen() {
    const { frame, tip, outline } = this;
    const where = ({ clientX, clientY }) => {
      const { x, y, width } = frame.getBoundingClientRect(), scale = this.inner[0] / width;
      return [(clientX - x) * scale, (clientY - y) * scale];
    };
    let trail = [], begun; // places of a drag, and the row at which the drag began
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
