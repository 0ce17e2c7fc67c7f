// All that is done here helps, and nothing needs it: the page can be read without scripts.

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(document.getElementById(button.dataset.of) ?? button.nextElementSibling);
    document.execCommand("copy"); // the newer way is refused to files in some browsers
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

// What the plots of a dataset are drawn from.
const read = async (figure) => JSON.parse(await unpacked(figure.querySelector("script").textContent));

// Draw the plots of a dataset.
async function plot(figure) {
  const given = await read(figure);
  const say = (row) => [Object.entries(given.tips).map(([name, all]) => `${name} ${all[row]}`).join("\n")];
  const planes = [...figure.querySelectorAll(".canvas")].map((place) => new Plane(place, { say }));
  const pairs = Object.values(given.axes);
  const show = (plane, i) => plane.show(...["columns", "names"].map((what) => pairs[i].map((name) => given[what][name])));
  planes.forEach(show);
  const select = figure.querySelector("[data-colour]"), [ends, list] = figure.querySelectorAll(".keys");
  const plain = { rows: planes[0].columns[0].map(() => 0), keys: [], others: 0 };
  const paint = () => {
    const found = given.colours[select?.value] ?? plain, looks = found.rows.map((row) => look(row, found.ends));
    for (const plane of planes) plane.paint(looks);
    ramp(ends, found.ends);
    list.replaceChildren(...legend(found).map((words) => key("li", ...words)));
  };
  select?.addEventListener("change", paint);
  for (const axis of figure.querySelectorAll("[data-axis]")) {
    axis.addEventListener("change", () => {
      pairs[0]["xy".indexOf(axis.dataset.axis)] = axis.value;
      show(planes[0], 0);
    });
  }
  inColours(paint);
}

// A click on a column sorts a table by it, a second one the other way.
function sortable(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      for (const other of head.parentElement.cells) other.ariaSort = null;
      head.ariaSort = down ? "descending" : "ascending";
      const value = (row) => row.cells[place].textContent;
      const compare = (a, b) => Number(a || NaN) - Number(b || NaN) || a.localeCompare(b);
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b))));
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

const LEVELS = 15, MOST = 150; // of a shade on each side of 0, and of rows

// Small pictures of some rows of a dataset, over shades of what a model decides.
async function small(target) {
  const { side, room, pictures } = JSON.parse(await unpacked(target.dataset.packed));
  const { columns, colours } = await read(document.querySelector(`${target.parentElement.hash} .plot`));
  const [{ rows, ends }] = [...Object.values(colours), { rows: Object.values(columns)[0].map(() => 0) }];
  const count = Math.min(MOST, rows.length), apart = (rows.length - 1) / (count - 1 || 1);
  const shown = Array.from({ length: count }, (_, i) => Math.round(i * apart)); // evenly spaced
  const whole = { width: 255, height: 255, preserveAspectRatio: "none" };
  const pixels = (values = rows.map(() => 0)) => {
    const low = Math.min(...values), wide = Math.max(...values) - low || 1;
    return values.map((value) => (255 * ((value - low) / wide + room)) / (1 + 2 * room));
  };
  inColours(() => {
    target.replaceChildren();
    for (const { words, axes, heights } of pictures) {
      const svg = add(target, "svg", { viewBox: "0 0 255 255", role: "img", "aria-label": words });
      if (heights.length) add(svg, "image", { href: shaded(heights, side, LEVELS), ...whole });
      const [x, y] = axes.map((name) => pixels(columns[name]));
      shown.forEach((i) => {
        const [colour, , d] = look(rows[i], ends), place = `${x[i].toFixed(1)} ${(255 - y[i]).toFixed(1)}`;
        add(svg, "path", { class: "mark", d, transform: `translate(${place}) scale(1.7)` }).style.color = colour;
      });
    }
  });
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
