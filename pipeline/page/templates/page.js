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
  const [colour, shape] = [0, 1].map((part) => rows.map((row) => seen((looks ?? SHADES)[row][part])));
  source.data = { ...source.data, colour, shape };
  const [ramp, list] = figure.querySelectorAll(".keys");
  ramp.hidden = !ends;
  const [low, , high] = ramp.children;
  if (ends) [low.textContent, high.textContent] = ends.map((end) => Number(end.toPrecision(4)));
  list.replaceChildren(...keys.map(([name, colour, sign]) => key("li", name || "none", sign, colour)));
}

// Each plot is drawn once it comes near the window.
async function plot(figure) {
  const given = JSON.parse(figure.querySelector("script").textContent);
  const views = await Bokeh.embed.embed_items(given.documents, given.items);
  const plots = (views[0].roots ?? views)[0].model.document, [view] = plots.roots();
  const named = () => {
    for (const target of figure.querySelectorAll(".canvas")) describe(target, target.dataset.words);
  };
  const drawn = plots.roots(), column = figure.querySelector("[data-colour]");
  const show = () => {
    drawn.forEach(tone);
    if (column) paint(figure, plots.get_model_by_name("rows"), given.colours[column.value]);
  };
  scheme.addEventListener("change", show);
  tools(figure.querySelector(".tools"), drawn, named);
  named();
  for (const select of figure.querySelectorAll("[data-axis]")) {
    select.addEventListener("change", () => {
      const { axis } = select.dataset;
      view.renderers[0].glyph[axis] = { field: select.value };
      (axis === "x" ? view.below : view.left)[0].axis_label = select.selectedOptions[0].text;
    });
  }
  column?.addEventListener("change", show);
  show();
}
const SHADES = JSON.parse(document.getElementById("shades")?.textContent ?? "[]");
const near = new IntersectionObserver((found) => {
  for (const { target } of found.filter((one) => one.isIntersecting)) {
    near.unobserve(target);
    plot(target);
  }
}, { rootMargin: "1000px" });
for (const figure of document.querySelectorAll(".plot")) near.observe(figure);

// A link to a part that is folded opens it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const part of document.querySelectorAll("details")) part.open ||= part.contains(target);
  target?.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

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
