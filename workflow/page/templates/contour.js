// Return the level line of one height over a square mesh of heights, by marching squares. It is an
// SVG path; `to` converts the column and row of a point in the mesh to its place.
function contour(heights, side, level, to) {
  let path = "";
  for (let k = side + 1; k < side * side; k++) {
    const under = heights[k] < level, [i, j] = [k % side, Math.floor(k / side)];
    if (!i || [k - 1, k - side, k - side - 1].every((one) => heights[one] < level === under)) continue;
    const corners = [[i - 1, j - 1], [i, j - 1], [i, j], [i - 1, j]].map(([x, y]) => [heights[y * side + x] - level, x, y]);
    const cuts = corners.flatMap(([a, x, y], corner) => {
      const [b, u, v] = corners[(corner + 1) % 4], t = a / (a - b);
      return (a < 0) === (b < 0) ? [] : [to([x + t * (u - x), y + t * (v - y)])];
    });
    for (let cut = 0; cut + 1 < cuts.length; cut += 2) path += `M${cuts[cut]}L${cuts[cut + 1]}`;
  }
  return path;
}

