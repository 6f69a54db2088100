// A sampling: its parameters, the traces of the chains, and the pairs of parameters.
const shortName = (name) => name.replace("stream", "s").replace("background", "bg");

/// The values of a parameter along the chains, one colour for each.
function traceOf(sample, parameter, k) {
  const chains = sample.traces[k];
  const frame = frameOf({
    title: parameter.name,
    width: 510,
    height: 190,
    x: {label: "draw", from: 0, to: sample.draws},
    y: {label: parameter.units || "value", ...rangeOf(chains.flat())}
  });
  chains.forEach((values, chain) => addLine(frame, values.map((value, i) => [sample.trace_draws[i], value]), {
                   stroke: COLORS[chain % COLORS.length],
                   "stroke-width": 0.7,
                   class: "trace",
                   "data-tip": `${parameter.name}, chain ${chain + 1}`
                 }));
  return figureOf(frame);
}

/// Counts of values in equal bins between two ends.
function histogramOf(values, low, high, bins) {
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    const bin = Math.floor((value - low) / (high - low) * bins);
    if (bin >= 0 && bin < bins) ++counts[bin];
  }
  return counts;
}

/// Pairs of parameters: draws as dots, and histograms on the diagonal.
function sampleCornerOf(sample) {
  const known = sample.parameters.map((_, i) => i).slice(0, 12), bins = 30;
  const cell = Math.max(64, Math.min(150, 960 / known.length)), size = cell * known.length + 80;
  const svg = draw("svg", {
    viewBox: `0 0 ${size + 20} ${size}`,
    width: Math.min(1040, size),
    role: "img",
    "aria-label": "pairs of parameters",
    id: "corner"
  });
  const ends = known.map((i) => rangeOf(sample.pairs[i], 0.02));
  known.forEach((i, row) => known.forEach((j, column) => {
    if (column > row) return;
    const x0 = 76 + column * cell, y0 = row * cell + 4, inner = cell - 8;
    const px = (v) => x0 + inner * (v - ends[column].from) / (ends[column].to - ends[column].from);
    const py = (v) => y0 + inner * (ends[row].to - v) / (ends[row].to - ends[row].from);
    const group = draw("g", {class: "pair"}), [a, b] = [sample.parameters[j], sample.parameters[i]];
    group.append(draw("rect", {x: x0, y: y0, width: inner, height: inner, fill: "none", class: "grid"}));
    if (row === column) {
      const counts = histogramOf(sample.pairs[i], ends[row].from, ends[row].to, bins), most = Math.max(...counts);
      counts.forEach((count, bin) => group.append(draw("rect", {
        x: x0 + inner * bin / bins,
        width: inner / bins,
        y: y0 + inner - 0.9 * inner * count / most,
        height: 0.9 * inner * count / most,
        fill: COLORS[0],
        "data-tip": `${a.name}\n${shown(a.mean, 6)} \u00b1 ${shown(a.sd, 2)} ${a.units}`
      })));
    } else {
      sample.pairs[j].forEach((value, k) => group.append(draw("circle", {
        cx: px(value).toFixed(1),
        cy: py(sample.pairs[i][k]).toFixed(1),
        r: 0.8,
        fill: COLORS[0],
        "fill-opacity": 0.35
      })));
    }
    if (column === 0)
      group.append(draw("text", {x: 70, y: y0 + inner / 2, "text-anchor": "end"}, shortName(b.name)));
    if (row === known.length - 1)
      group.append(
          draw("text", {x: x0 + inner / 2, y: y0 + inner + 16, "text-anchor": "middle"}, shortName(a.name)),
          draw(
              "text", {x: x0 + inner / 2, y: y0 + inner + 30, "text-anchor": "middle", "font-size": 9},
              `${shown(ends[column].from, 3)} to ${shown(ends[column].to, 3)}`));
    svg.append(group);
  }));
  return make(
      "figure", {class: "plot"}, svg,
      make(
          "figcaption", {},
          `${sample.pairs[0].length} draws, evenly spaced over all chains. The diagonal shows each parameter alone.` +
              (known.length < sample.parameters.length ? ` Only the first ${known.length} parameters are drawn.` : "")));
}

function reportSample(data) {
  const {sample} = data;
  section(
      "What was found",
      factsOf(
          [
            ["method", sample.method], ["chains", sample.chains], ["draws of each chain", sample.draws],
            ["draws of warm-up", sample.warmup], ["converged", sample.converged ? "yes" : "no"],
            ["diverging trajectories", sample.diverging], ["mean acceptance", sample.acceptance],
            ["evaluations", sample.evaluations], ["with gradients", sample.gradient_evaluations],
            ...(sample.hills ? [["weights of hills", sample.hills.map((hill) => hill.weight.toFixed(4)).join(", ")]] : [])
          ],
          "sample"),
      make("h3", {}, "Parameters"), tableOf(data.table, "rows"));
  section(
      "Pairs of parameters", sampleCornerOf(sample));
  section(
      "Traces", make("p", {class: "note"}, "Chains that have converged cover the same values and cannot be told apart."),
      make("div", {id: "traces"}, ...sample.parameters.map((parameter, k) => traceOf(sample, parameter, k))));
}
