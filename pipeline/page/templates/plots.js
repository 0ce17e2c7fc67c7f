const scheme = matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Markers: for Bokeh, in a legend, and as a path around (0, 0).
const MARKERS = [
  ["circle", "●", "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"],
  ["triangle", "▲", "M0-4L4 3H-4z"],
  ["square", "■", "M-3-3h6v6h-6z"],
  ["diamond", "◆", "M0-4.2L4.2 0L0 4.2L-4.2 0z"],
  ["inverted_triangle", "▼", "M0 4L4-3H-4z"],
  ["plus", "✚", "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z"],
  ["square_x", "⊠", "M-3.5-3.5h7v7h-7zM-3.5-3.5l7 7M-3.5 3.5l7-7"],
  ["star", "★", "M0-4.5L1.3-1.4L4.5-1.4L2 .7L2.9 4L0 2.1L-2.9 4L-2 .7L-4.5-1.4L-1.3-1.4z"],
  ["hex", "⬢", "M0-4L3.5-2V2L0 4L-3.5 2V-2z"],
  ["square_pin", "✦", "M0-4.5L1.2-1.2L4.5 0L1.2 1.2L0 4.5L-1.2 1.2L-4.5 0L-1.2-1.2z"],
];
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
  if (place < 0) return [css("--other"), MARKERS[0]];
  if (isNumber) return [between("--ramp", place / RAMP), MARKERS[0]];
  const colour = place % COLOURS, turn = Math.floor(place / COLOURS);
  return [css(`--class-${colour}`), MARKERS[(colour + turn) % MARKERS.length]];
}

// The classes of a legend: name, number, and how many others there are.
function legend({ keys, others }) {
  return [...keys.map((name, i) => [name || "none", i]), ...(others ? [[`${others} others`, -1]] : [])];
}

// A class in a legend: its sign in its colour, and its name as words, whatever stands in it.
function key(tag, name, place = null) {
  const item = document.createElement(tag), mark = document.createElement("span");
  if (place !== null) [mark.style.color, [, mark.textContent]] = look(place);
  item.append(mark, ` ${name}`);
  return item;
}

// What was compressed, as text.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
