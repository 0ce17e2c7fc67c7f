// All that is done here helps, and nothing needs it: the page can be read without scripts.

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    document.execCommand("copy"); // the newer way is refused to files in some browsers
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

for (const select of document.querySelectorAll("[data-recipe]")) {
  const details = select.closest("details");
  const recipes = JSON.parse(details.querySelector("script").textContent);
  select.addEventListener("change", () => {
    details.querySelector("code").textContent = recipes[select.value];
  });
}

// Each plot is drawn once it comes near the window.
async function plot(figure) {
  const item = JSON.parse(figure.querySelector("script").textContent);
  const target = figure.querySelector(".canvas");
  const views = await Bokeh.embed.embed_item(item, target);
  const { model } = views.roots ? views.roots[0] : views[0];
  describe(target, target.dataset.words);
  for (const select of figure.querySelectorAll("select")) {
    select.addEventListener("change", () => {
      const { axis } = select.dataset;
      model.renderers[0].glyph[axis] = { field: select.value };
      (axis === "x" ? model.below : model.left)[0].axis_label = select.selectedOptions[0].text;
    });
  }
}
const near = new IntersectionObserver((found) => {
  for (const { isIntersecting, target } of found) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    plot(target);
  }
}, { rootMargin: "1000px" });
for (const figure of document.querySelectorAll(".plot")) near.observe(figure);

// A link to a part that is folded opens it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target?.closest("details"); part; part = part.parentElement.closest("details"))
    part.open = true;
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
