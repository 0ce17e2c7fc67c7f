const scheme = matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const BLACK = "#000000";
// Black marks would vanish in the dark.
const seen = (mark) => (mark === BLACK ? css("--ink") : mark);

// Plots have the colours of the page, which may be dark.
function tone(plot) {
  const [ground, ink] = [css("--ground"), css("--ink")];
  Object.assign(plot, { background_fill_color: ground, border_fill_color: ground });
  for (const axis of [...plot.below, ...plot.left])
    for (const part of ["axis_line", "major_tick_line", "major_label_text", "axis_label_text"])
      axis[`${part}_color`] = ink;
  for (const grid of plot.center) grid.grid_line_color = css("--rule");
}

// A button shows the tools of plots, and keeps them from the keyboard until then.
function tools(button, plots, named) {
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", open);
    for (const plot of plots) plot.toolbar_location = open ? "above" : null;
    setTimeout(named, 200); // when they are drawn
  });
}

// Bokeh leaves plots and their tools without a role and a name, which screen readers need.
function describe(place, words) {
  const below = (node) => [...node.querySelectorAll("*")].flatMap(
    (found) => [found, ...(found.shadowRoot ? below(found.shadowRoot) : [])]);
  const found = below(place), [drawn, ...others] = found.filter((one) => one.matches("canvas"));
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", words);
  for (const other of others) other.setAttribute("aria-hidden", "true");
  for (const tool of found.filter((one) => one.matches(".bk-OnOffButton, .bk-ClickButton"))) {
    tool.setAttribute("role", "button");
    tool.setAttribute("aria-label", tool.title || tool.model?.tooltip || "tool");
  }
}

// A class in a legend: its sign in its colour, and its name as words, whatever stands in it.
function key(tag, name, sign = "", colour = "") {
  const item = document.createElement(tag), mark = document.createElement("span");
  mark.textContent = sign;
  mark.style.color = seen(colour);
  item.append(mark, ` ${name}`);
  return item;
}
