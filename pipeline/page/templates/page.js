// All that is done here helps, and nothing needs it: the page can be read without scripts.

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    document.execCommand("copy"); // the newer way is refused to files in some browsers
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

// What a column says of the rows: their colours and shapes, and a legend of classes or of ends.
function paint(figure, source, { rows, looks, keys, ends }) {
  const [colour, shape] = [0, 1].map((part) => rows.map((row) => (looks ?? SHADES)[row][part]));
  source.data = { ...source.data, colour, shape };
  const [ramp, list] = figure.querySelectorAll(".keys");
  ramp.hidden = !ends;
  const [low, , high] = ramp.children;
  if (ends) [low.textContent, high.textContent] = ends.map((end) => Number(end.toPrecision(4)));
  list.replaceChildren(...keys.map(([name, colour, sign]) => {
    const item = document.createElement("li"), mark = document.createElement("span");
    mark.textContent = sign;
    mark.style.color = colour;
    item.append(mark, ` ${name || "none"}`);
    return item;
  }));
}

// Plots one by one, while nothing else is to be done.
async function plot(figure) {
  const given = JSON.parse(figure.querySelector("script").textContent);
  await Bokeh.embed.embed_items(given.documents, given.items);
  const plots = Bokeh.documents.at(-1), view = plots.get_model_by_name("view");
  for (const select of figure.querySelectorAll("[data-axis]")) {
    select.addEventListener("change", () => {
      const { axis } = select.dataset;
      view.renderers[0].glyph[axis] = { field: select.value };
      (axis === "x" ? view.below : view.left)[0].axis_label = select.selectedOptions[0].text;
    });
  }
  const column = figure.querySelector("[data-colour]");
  const show = () => paint(figure, plots.get_model_by_name("rows"), given.colours[column.value]);
  column?.addEventListener("change", show);
  if (column) show();
}
const SHADES = JSON.parse(document.getElementById("shades")?.textContent ?? "[]");
const waiting = [...document.querySelectorAll(".plot")];
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
const next = () => waiting.length && plot(waiting.shift()).then(() => idle(next));
idle(next);

const source = document.getElementById("table-library").textContent;
const library = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
const { jQuery } = await import(library);
// A table costs nothing until it is opened.
for (const details of document.querySelectorAll("details.table")) {
  details.addEventListener("toggle", () => {
    jQuery(details).find("table.sortable").DataTable({
      paging: false,
      autoWidth: false,
      order: [],
      layout: { topStart: "search", topEnd: null, bottomStart: "info", bottomEnd: null },
      language: { search: "Filter:", info: "_TOTAL_ rows", infoEmpty: "no rows" },
    });
  }, { once: true });
}
