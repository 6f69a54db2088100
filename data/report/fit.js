// A fit: its course, its parameters and their pairs.

/// How the best value of each search and climb rose.
function courseOf(fit, stars) {
  const least = 1e-6,
        below = fit.history.likelihood.map((x) => Math.max(least, stars * Math.LN10 * (fit.likelihood - x)));
  const finite = below.filter((x) => Number.isFinite(x));
  const frame = frameOf({
    title: `${fit.method}: ${fit.converged ? "converged" : "not converged"}`,
    width: 1040,
    x: {label: "evaluations", ...rangeOf(fit.history.evaluation)},
    y: {label: "ln likelihood below the best", log: true, from: Math.min(...finite) / 2, to: 2 * Math.max(...finite)}
  });
  const searches = [...new Set(fit.history.search)];
  searches.forEach((search, k) => {
    const rows = fit.history.search.map((s, i) => i)
                     .filter((i) => fit.history.search[i] === search && Number.isFinite(below[i]));
    const color = COLORS[k % COLORS.length];
    addLine(frame, rows.map((i) => [fit.history.evaluation[i], below[i]]), {stroke: color, class: "trace"});
    for (const i of rows)
      addPoint(
          frame, fit.history.evaluation[i], below[i],
          `search ${search}, evaluation ${fit.history.evaluation[i]}\n${shown(below[i], 4)} below the best`,
          {fill: color, r: 2});
  });
  return figureOf(frame, "Lower is better; each colour is a search or a climb.");
}

const MOST_PAIRED = 15;

/// Names the parameters that a picture of pairs has no room for.
function notPaired(parameters, candidates) {
  const names = candidates.slice(MOST_PAIRED).map((i) => parameters[i].name);
  return names.length ? ` Left out: ${names.join(", ")}.` : "";
}

/// Pairs of parameters: ends of climbs as dots, and the ellipses of one and two standard errors around the best point.
function cornerOf(fit) {
  const determined = fit.parameters.map((_, i) => i).filter((i) => fit.parameters[i].standard_error !== null);
  const known = determined.slice(0, MOST_PAIRED);
  if (known.length < 2)
    return make("p", {class: "note"}, "Fewer than two parameters are determined, so there are no pairs to draw.");
  const cell = Math.max(64, Math.min(150, 960 / known.length)), size = cell * known.length + 80;
  const svg = draw("svg", {
    viewBox: `0 0 ${size + 20} ${size}`,
    width: Math.min(1040, size),
    role: "img",
    "aria-label": "pairs of parameters",
    id: "corner"
  });
  const half = known.map((i) => 3.2 * fit.parameters[i].standard_error),
        centre = known.map((i) => fit.parameters[i].best);
  known.forEach((i, row) => known.forEach((j, column) => {
    if (column > row) return;
    const x0 = 76 + column * cell, y0 = row * cell + 4, inner = cell - 8;
    const px = (v) => x0 + inner * (0.5 + (v - centre[column]) / (2 * half[column])),
          py = (v) => y0 + inner * (0.5 - (v - centre[row]) / (2 * half[row]));
    const group = draw("g", {class: "pair"});
    group.append(draw("rect", {x: x0, y: y0, width: inner, height: inner, fill: "none", class: "grid"}));
    const [a, b] = [fit.parameters[j], fit.parameters[i]];
    if (row === column) {
      const bell = Array.from({length: 61}, (_, k) => [(k - 30) / 10, Math.exp(-0.5 * ((k - 30) / 10) ** 2)]);
      group.append(draw("path", {
        d: "M" +
            bell.map(
                    ([t, h]) =>
                        `${px(a.best + t * a.standard_error).toFixed(1)} ${(y0 + inner - 0.9 * inner * h).toFixed(1)}`)
                .join("L"),
        fill: "none",
        stroke: COLORS[0],
        "stroke-width": 1.5,
        "data-tip": `${a.name} = ${shown(a.best, 6)} \u00b1 ${shown(a.standard_error, 2)} ${a.units}`
      }));
    } else {
      const rho = fit.covariance[i][j] / (a.standard_error * b.standard_error);
      for (const width of [1, 2]) {
        const points = Array.from({length: 73}, (_, k) => {
          const t = k * Math.PI / 36, u = Math.cos(t),
                v = rho * u + Math.sqrt(Math.max(0, 1 - rho * rho)) * Math.sin(t);
          return `${px(a.best + width * u * a.standard_error).toFixed(1)} ${
              py(b.best + width * v * b.standard_error).toFixed(1)}`;
        });
        group.append(draw("path", {
          d: `M${points.join("L")}Z`,
          fill: COLORS[0],
          "fill-opacity": 0.14,
          stroke: COLORS[0],
          "data-tip": `${a.name} and ${b.name}\ncorrelation ${shown(rho, 3)}`
        }));
      }
      for (const end of fit.climbs)
        if (Math.abs(end[j] - a.best) < half[column] && Math.abs(end[i] - b.best) < half[row])
          group.append(draw("circle", {cx: px(end[j]), cy: py(end[i]), r: 1.8, fill: COLORS[1]}));
    }
    if (column === 0)
      group.append(draw(
          "text", {x: 70, y: y0 + inner / 2, "text-anchor": "end"},
          b.name.replace("stream", "s").replace("background", "bg")));
    if (row === known.length - 1)
      group.append(
          draw(
              "text", {x: x0 + inner / 2, y: y0 + inner + 16, "text-anchor": "middle"},
              a.name.replace("stream", "s").replace("background", "bg")),
          draw(
              "text", {x: x0 + inner / 2, y: y0 + inner + 30, "text-anchor": "middle", "font-size": 9},
              `\u00b1 ${shown(half[column], 2)} ${a.units}`));
    svg.append(group);
  }));
  return make(
      "figure", {class: "plot"}, svg,
      make(
          "figcaption", {},
          "Each panel is centred at the best point and reaches 3.2 standard errors to each side. Ellipses: one " +
          "and two standard errors, from the covariance. Orange: where climbs ended." + notPaired(fit.parameters, determined)));
}

/// The parameters whose standard errors are not those of a parabola.
function doubtsOf(fit) {
  const names = fit.parameters.filter((p) => p.error_trusted === false).map((p) => p.name);
  return names.length > 0 ? names.join(", ") : "none";
}

/// The profile of a parameter, the parabola of its standard error and the two levels.
function profileOf(profile, parameter) {
  const most = 3, within = profile.values.map((v, i) => [v, profile.drops[i]])
                               .filter(([, drop]) => drop !== null && drop <= most);
  const frame = frameOf({
    title: profile.name,
    width: 330,
    height: 230,
    x: {label: parameter.units || " ", ...rangeOf(within.map(([v]) => v))},
    y: {label: "drop of ln likelihood", from: 0, to: most}
  });
  const [from, to] = [Math.min(...within.map(([v]) => v)), Math.max(...within.map(([v]) => v))];
  for (const level of profile.log_likelihood_drops)
    addLine(frame, [[from, level], [to, level]], {stroke: "currentColor", "stroke-dasharray": "4 4", opacity: 0.5});
  if (parameter.standard_error !== null) {
    const parabola = Array.from({length: 61}, (_, k) => from + k / 60 * (to - from))
                         .map((v) => [v, 0.5 * ((v - parameter.best) / parameter.standard_error) ** 2])
                         .filter(([, drop]) => drop <= most);
    addLine(frame, parabola, {stroke: COLORS[1], class: "trace"});
  }
  addLine(frame, within, {stroke: COLORS[0], class: "trace"});
  for (const [v, drop] of within)
    addPoint(frame, v, drop, `${profile.name} = ${shown(v, 6)}\n${shown(drop, 4)} below the best`, {fill: COLORS[0], r: 2});
  return frame.svg;
}

/// All profiles.
function profilesOf(fit) {
  const plots = fit.profiles.map((one) => profileOf(one, fit.parameters.find((p) => p.name === one.name)));
  return make(
      "figure", {class: "plot", id: "profiles"}, make("div", {class: "plots"}, ...plots),
      make(
          "figcaption", {},
          "Blue: the highest likelihood for each value of the parameter. Orange: the parabola of the standard error. " +
          "The dashed lines end the intervals of 68.27 and 95.45 %."));
}

// Of a search whose course differs between runs.
function searchOf(fit) {
  if (!fit.asynchronous) return [];
  return [
    ["search", "asynchronous, not bit-identical between runs"],
    ["points verified", fit.verified], ["points mismatched", fit.mismatched]
  ];
}

function reportFit(data) {
  const {fit} = data;
  section(
      "What was found",
      factsOf(
          [
            ["likelihood", fit.likelihood], ["method", fit.method], ["converged", fit.converged ? "yes" : "no"],
            ["evaluations", fit.evaluations], ["with gradients", fit.gradient_evaluations],
            ...searchOf(fit), ["errors not to be trusted", doubtsOf(fit)]
          ],
          "fit"),
      make("h3", {}, "Parameters"), tableOf(data.table, "rows"));
  section("How the fit went", courseOf(fit, data.facts.likelihood.number_of_stars));
  if (fit.profiles.length > 0) section("Profile likelihoods", profilesOf(fit));
  section("Pairs of parameters", cornerOf(fit));
}
