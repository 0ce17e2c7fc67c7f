// Optional conveniences: the page can be read without scripts.

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(document.getElementById(button.dataset.of) ?? button.nextElementSibling);
    document.execCommand("copy"); // Some browsers refuse navigator.clipboard for local files.
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

// Return the data from which the plots of a dataset are drawn.
const read = (figure) => JSON.parse(figure.querySelector("script").textContent);

// Draw the plots of a dataset.
function plot(figure) {
  const given = read(figure);
  const say = (row) => [Object.entries(given.tips).map(([name, all]) => `${name} ${all[row]}`).join("\n")];
  const places = [...figure.querySelectorAll(".canvas")];
  for (const place of places) place.replaceChildren(); // Remove the pictures for readers without scripts.
  const planes = places.map((place) => new Plane(place, { say }));
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

// Make a table sortable: a click on the head of a column sorts by it, a second click in reverse.
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

// Open the folded part of the page to which a link points.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const part of document.querySelectorAll("details")) part.open ||= part.contains(target);
  target?.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

document.querySelectorAll("table.sortable").forEach(sortable);

// Draw the plots one after the other, so that the page can be used in the meantime.
for (const figure of document.querySelectorAll("[data-show=plot]")) {
  plot(figure);
  await new Promise((next) => { setTimeout(next); });
}
document.body.dataset.ready = true;
