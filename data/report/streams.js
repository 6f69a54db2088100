// Wedges of stars with their streams.

const componentName = (component) => component ? `stream ${component}` : "background";

/// Numbers of a wedge's integrals and likelihoods.
function wedgeFacts(wedge) {
  const each = (values) => values.map((x) => shown(x, 10)).join(", ");
  return factsOf(
      [
        ["stars", wedge.number_of_stars], ["search likelihood", wedge.search_likelihood],
        ["background integral", wedge.background_integral], ["stream integrals", each(wedge.stream_integrals)],
        ["background likelihood", wedge.background_likelihood],
        ["stream only likelihoods", each(wedge.stream_only_likelihoods)],
        ["expected stars of the components", wedge.expected_stars.length ? each(wedge.expected_stars) : null],
        ["stars outside the wedge", wedge.stars_outside], ["parameters", wedge.parameters],
        ["star file", wedge.star_file]
      ],
      `wedge-${wedge.wedge}`);
}

/// The part of a stream's axis near the plane of the stripe, as [mu in degrees, distance in kpc].
function pathOf(stream, axes, farthest) {
  const direction = [
    Math.sin(stream.theta) * Math.cos(stream.phi), Math.sin(stream.theta) * Math.sin(stream.phi), Math.cos(stream.theta)
  ];
  const along = axes.map((axis) => axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2]);
  const mu = stream.mu * Math.PI / 180,
        reach = Math.min(farthest, 2 * Math.abs(stream.sigma) / Math.max(Math.abs(along[2]), 1e-3));
  const points = [];
  for (let i = -60; i <= 60; ++i) {
    const x = stream.r * Math.cos(mu) + along[0] * reach * i / 60,
          y = stream.r * Math.sin(mu) + along[1] * reach * i / 60;
    let turn = (Math.atan2(y, x) - mu) * 180 / Math.PI;
    turn -= 360 * Math.round(turn / 360);
    points.push([stream.mu + turn, Math.hypot(x, y)]);
  }
  return points;
}

function circleOf(stream) {
  const mu = stream.mu * Math.PI / 180, points = [];
  for (let i = 0; i <= 72; ++i) {
    const a = i * Math.PI / 36;
    const x = stream.r * Math.cos(mu) + stream.sigma * Math.cos(a),
          y = stream.r * Math.sin(mu) + stream.sigma * Math.sin(a);
    let turn = (Math.atan2(y, x) - mu) * 180 / Math.PI;
    turn -= 360 * Math.round(turn / 360);
    points.push([stream.mu + turn, Math.hypot(x, y)]);
  }
  return points;
}

/// The color of a component: grey for the background, then those of the streams.
const colorOf = (component) => component ? COLORS[component % COLORS.length] : "#8a8f98";

/// Shares of the components in a cell of the wedge, in percent.
function sharesOf(wedge, cell) {
  const members = wedge.members.map((of) => of[cell]), sum = members.reduce((a, b) => a + b, 0) || 1;
  return members.map((n) => 100 * n / sum);
}

/// The colors of the components mixed by their shares, and with white by 1 - `strength`.
function mixOf(shares, strength) {
  const channel = (k) => shares.reduce(
      (sum, share, i) => sum + share / 100 * parseInt(colorOf(i).slice(1 + 2 * k, 3 + 2 * k), 16), 0);
  const mixed = [0, 1, 2].map((k) => Math.round(255 + (channel(k) - 255) * Math.sqrt(Math.min(1, strength))));
  return `rgb(${mixed.join(",")})`;
}

/// The wedge from above: the Sun at the centre, mu around it, the distance outwards. With `ofMembers`, the color of a
/// cell says to which components its stars belong.
function wedgeOf(wedge, ofMembers = false) {
  const size = 560, first = wedge.mu_edges[0], last = wedge.mu_edges.at(-1), farthest = wedge.r_edges.at(-1);
  const turn = -(first + last) / 2 + 90;  // the middle of the wedge points upwards
  const place = (mu, r) => {
    const a = (mu + turn) * Math.PI / 180;
    return [r * Math.cos(a), -r * Math.sin(a)];
  };
  const corners = [];
  for (let i = 0; i < wedge.mu_edges.length; ++i) corners.push(place(wedge.mu_edges[i], farthest));
  corners.push([0, 0]);
  const low = [0, 1].map((k) => Math.min(...corners.map((c) => c[k]))),
        high = [0, 1].map((k) => Math.max(...corners.map((c) => c[k])));
  const scale = (size - 90) / Math.max(high[0] - low[0], high[1] - low[1]);
  const at = (mu, r) => place(mu, r).map((v, k) => 40 + (v - low[k]) * scale);
  const svg = draw("svg", {
    viewBox: `0 0 ${(high[0] - low[0]) * scale + 90} ${(high[1] - low[1]) * scale + 80}`,
    width: size,
    role: "img",
    "aria-label": "wedge"
  });
  const text = (points) => points.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L");
  const cells = wedge.r_edges.length - 1;
  const area = (i, j) =>
      (wedge.r_edges[j + 1] ** 2 - wedge.r_edges[j] ** 2) * (wedge.mu_edges[i + 1] - wedge.mu_edges[i]) * Math.PI / 360;
  const density = wedge.counts.map((n, k) => n / area(Math.floor(k / cells), k % cells));
  const highest =
      density.filter((x) => x > 0).sort((a, b) => a - b).at(-Math.ceil(0.005 * density.filter((x) => x > 0).length)) ||
      1;
  wedge.counts.forEach((count, k) => {
    if (!count) return;
    const i = Math.floor(k / cells), j = k % cells, [a, b] = [wedge.mu_edges[i], wedge.mu_edges[i + 1]],
          [r, s] = [wedge.r_edges[j], wedge.r_edges[j + 1]];
    svg.append(draw("path", {
      d: `M${text([at(a, r), at(b, r), at(b, s), at(a, s)])}Z`,
      fill: ofMembers ? mixOf(sharesOf(wedge, k), 0.15 + 0.85 * density[k] / highest) :
                        shade(0.06 + 0.94 * density[k] / highest),
      class: "cell",
      "data-tip":
          `\u03bc ${shown(a, 4)} to ${shown(b, 4)}\u00b0, r ${shown(r, 3)} to ${shown(s, 3)} kpc\n${count} stars` +
              (ofMembers ? sharesOf(wedge, k).map((x, i) => `\n${componentName(i)} ${shown(x, 3)} %`).join("") : "")
    }));
  });
  for (const r of ticksBetween(0, farthest, 4).filter((x) => x > 0)) {
    svg.append(
        draw("path", {d: `M${text(wedge.mu_edges.map((mu) => at(mu, r)))}`, class: "grid", fill: "none"}),
        draw("text", {x: at(last, r)[0] - 4, y: at(last, r)[1] + 4, "text-anchor": "end"}, `${r} kpc`));
  }
  for (const mu of ticksBetween(first, last, 5)) {
    const [x, y] = at(mu, 1.06 * farthest);
    svg.append(
        draw("path", {d: `M${text([at(mu, 0), at(mu, farthest)])}`, class: "grid"}),
        draw("text", {x, y: y + 4, "text-anchor": "middle"}, `${shown(mu, 6)}\u00b0`));
  }
  wedge.streams.forEach((stream, i) => {
    const color = COLORS[(i + 1) % COLORS.length],
          inside = (points) => points.filter(([, r]) => r <= farthest).map(([mu, r]) => at(mu, r));
    const tip = `stream ${i + 1}: \u03bc ${shown(stream.mu, 5)}\u00b0, r ${shown(stream.r, 4)} kpc, \u03c3 ${
        shown(stream.sigma, 3)} kpc\n\u03b8 ${shown(stream.theta, 4)}, \u03c6 ${shown(stream.phi, 4)}, \u03b5 ${
        shown(stream.epsilon, 4)}`;
    for (const [points, dash] of [[circleOf(stream), ""], [pathOf(stream, wedge.axes, farthest), "6 3"]])
      if (inside(points).length)
        svg.append(draw("path", {
          d: `M${text(inside(points))}`,
          fill: "none",
          stroke: color,
          "stroke-width": 1.8,
          "stroke-dasharray": dash,
          "data-tip": tip
        }));
    const [x, y] = at(stream.mu, stream.r);
    if (stream.r <= farthest)
      svg.append(draw("circle", {cx: x, cy: y, r: 5, fill: color, class: "stream", "data-tip": tip}));
  });
  return make(
      "figure", {class: "plot"}, svg,
      make(
          "figcaption", {},
          `Stripe ${wedge.wedge}: ${wedge.stars} stars, streams ${wedge.are_fitted ? "as fitted" : "as given"}. ` +
              "The Sun is at the corner; \u03bc goes around it, the distance outwards. " +
              (ofMembers ? "The color of a cell: the components to which its stars belong (grey: background). " :
                           "Blue: stars per area. ") +
              "Circles: one \u03c3 of a stream. Dashed: its axis near the plane of the stripe."));
}

function densitiesOf(wedge) {
  const {density_edges: edges, density_counts: counts} = wedge;
  const frame = frameOf({
    title: "densities of the stars",
    width: 440,
    height: 260,
    x: {label: "log10 of the density", from: edges[0], to: edges.at(-1)},
    y: {label: "stars", from: 0, to: 1.05 * Math.max(...counts)}
  });
  counts.forEach(
      (n, i) => addBar(
          frame, edges[i], edges[i + 1], 0, n, `${shown(edges[i], 4)} to ${shown(edges[i + 1], 4)}: ${n} stars`));
  return figureOf(frame);
}

/// What all wedges of a likelihood say together.
function reportLikelihood(facts) {
  const found = facts.likelihood;
  section(
      "What was found",
      factsOf(
          [
            ["search likelihood (mean log10 of the density of a star)", found.search_likelihood],
            ["stars", found.number_of_stars], ["sum of log10 of the densities", found.log10_density_sum],
            ["wedges", found.wedges.length]
          ],
          "likelihood"));
}

function reportWedges(data) {
  data.wedges.forEach(
      (wedge, i) => section(
          `Wedge ${wedge.wedge}`, wedgeFacts(data.facts.likelihood.wedges[i]),
          make(
              "div", {class: "plots"}, wedgeOf(wedge), ...(wedge.members.length ? [wedgeOf(wedge, true)] : []),
              densitiesOf(wedge))));
}
