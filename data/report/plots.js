// Plots as SVG. What the pointer touches says its numbers (data-tip).
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];  // Okabe & Ito 2008
const MORE_COLORS = ["#d55e00", "#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#f0e442", "#8c510a", "#80cdc1", "#9970ab"];

/// Round numbers between two ends, some `count` of them.
function ticksBetween(low, high, count = 5) {
  const rough = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function powersBetween(low, high) {
  const powers = [];
  const every = Math.max(1, Math.ceil((Math.log10(high) - Math.log10(low)) / 6));
  for (let p = Math.ceil(Math.log10(low)); p <= Math.log10(high); p += every) powers.push(10 ** p);
  return powers;
}

/// Where the values of an axis lie. `axis`: {label, from, to, log, ticks: [[value, text]]}.
function scaleOf(axis, begin, end) {
  const bend = axis.log ? Math.log10 : (x) => x;
  let low = bend(axis.from), high = bend(axis.to);
  if (!(high > low)) {
    low -= 0.5;
    high += 0.5;
  }
  const place = (value) => begin + (bend(value) - low) / (high - low) * (end - begin);
  const ticks = axis.ticks ||
      (axis.log ? powersBetween(10 ** low, 10 ** high) : ticksBetween(low, high)).map((t) => [t, shown(t, 6)]);
  return {place, ticks};
}

/// A frame with axes: {svg, x, y} where x and y turn values into places.
function frameOf({width = 500, height = 300, x, y, title = "", left = 62}) {
  const svg =
      draw("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title || y.label});
  const right = width - 12, top = title ? 26 : 10, bottom = height - 40;
  const across = scaleOf(x, left, right), up = scaleOf(y, bottom, top);
  for (const [value, text] of across.ticks) {
    svg.append(
        draw("line", {class: "grid", x1: across.place(value), x2: across.place(value), y1: top, y2: bottom}),
        draw("text", {x: across.place(value), y: bottom + 14, "text-anchor": "middle"}, text));
  }
  for (const [value, text] of up.ticks) {
    svg.append(
        draw("line", {class: "grid", x1: left, x2: right, y1: up.place(value), y2: up.place(value)}),
        draw("text", {x: left - 5, y: up.place(value) + 4, "text-anchor": "end"}, text));
  }
  svg.append(
      draw("path", {class: "axis", d: `M${left} ${top}V${bottom}H${right}`}),
      draw("text", {x: (left + right) / 2, y: height - 8, "text-anchor": "middle", class: "label"}, x.label),
      draw(
          "text", {
            x: 12,
            y: (top + bottom) / 2,
            "text-anchor": "middle",
            class: "label",
            transform: `rotate(-90 12 ${(top + bottom) / 2})`
          },
          y.label));
  if (title) svg.append(draw("text", {x: left, y: 16, "font-weight": 600}, title));
  return {svg, x: across.place, y: up.place, bottom, top, left, right};
}

/// The least and the greatest number, with a margin.
function rangeOf(values, margin = 0.04) {
  let from = Infinity, to = -Infinity;
  for (const value of values)
    if (Number.isFinite(value)) {
      from = Math.min(from, value);
      to = Math.max(to, value);
    }
  if (from > to) return {from: 0, to: 1};
  const extra = (to - from) * margin || 0.5;
  return {from: from - extra, to: to + extra};
}

function addPoint(frame, x, y, tip, style = {}) {
  frame.svg.append(draw("circle", {
    cx: frame.x(x).toFixed(1),
    cy: frame.y(y).toFixed(1),
    r: 3,
    fill: COLORS[0],
    "fill-opacity": 0.7,
    "data-tip": tip,
    ...style
  }));
}

function addLine(frame, points, style = {}) {
  const path = points.map(([x, y], i) => `${i ? "L" : "M"}${frame.x(x).toFixed(1)} ${frame.y(y).toFixed(1)}`).join("");
  frame.svg.append(draw("path", {d: path, fill: "none", stroke: COLORS[0], "stroke-width": 1.5, ...style}));
}

function addBar(frame, from, to, low, value, tip, style = {}) {
  const x = frame.x(from), top = frame.y(value);
  frame.svg.append(draw("rect", {
    x,
    width: Math.max(0.5, frame.x(to) - x),
    y: top,
    height: Math.max(0, frame.y(low) - top),
    fill: COLORS[0],
    "data-tip": tip,
    ...style
  }));
}

function figureOf(frame, caption = "") {
  const parts = caption ? [make("figcaption", {}, caption)] : [];
  return make("figure", {class: "plot"}, frame.svg, ...parts);
}

/// White to blue.
function shade(share) {
  const mix = (to) => Math.round(255 + (to - 255) * Math.sqrt(Math.max(0, Math.min(1, share))));
  return `rgb(${mix(0)},${mix(70)},${mix(140)})`;
}
