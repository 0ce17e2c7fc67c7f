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

