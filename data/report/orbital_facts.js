// Orbitals and densities: what was found, and the energies.

/// Levels of the first frame: lines at the energies, full where the orbital is occupied.
function levelsOf(rows) {
  const first = rows.filter((row) => row.frame === rows[0].frame), hasBeta = first.some((row) => row.spin === "beta");
  const frame = frameOf({
    width: hasBeta ? 380 : 260,
    height: 320,
    title: "energies of the first frame",
    x: {label: hasBeta ? "spin" : "", from: 0, to: hasBeta ? 2 : 1, ticks: hasBeta ? [[0.5, "alpha"], [1.5, "beta"]] : []},
    y: {label: "energy, eV", ...rangeOf(first.map((row) => row.energy_ev), 0.08)}
  });
  for (const row of first) {
    const x = row.spin === "beta" ? 1.5 : 0.5, full = row.occupation > 0;
    frame.svg.append(draw("line", {
      x1: frame.x(x - 0.3),
      x2: frame.x(x + 0.3),
      y1: frame.y(row.energy_ev),
      y2: frame.y(row.energy_ev),
      stroke: full ? COLORS[0] : "#8a909c",
      "stroke-width": 3,
      "data-tip": `${row.label}: ${shown(row.energy_ev, 6)} eV, occupation ${row.occupation}`
    }));
  }
  return figureOf(frame, "Blue: occupied.");
}

/// The energies of the first few orbitals along the frames.
function energiesOf(frames) {
  const electronvolt = 27.211386245988, most = 12, count = Math.min(most, frames[0].orbitals.length);
  const energy = (one, i) => electronvolt * one.orbitals[i].energy_hartree;
  const chosen = Array.from({length: count}, (_, i) => i);
  const all = chosen.flatMap((i) => frames.map((one) => energy(one, i)));
  const plot = frameOf({
    width: 640,
    height: 320,
    title: "energies along the frames",
    x: {label: "frame", ...rangeOf(frames.map((one) => one.frame))},
    y: {label: "energy, eV", ...rangeOf(all, 0.08)}
  });
  for (const i of chosen) {
    const color = COLORS[i % COLORS.length];
    addLine(plot, frames.map((one) => [one.frame, energy(one, i)]), {stroke: color, class: "trace"});
    for (const one of frames)
      addPoint(
          plot, one.frame, energy(one, i),
          `${one.orbitals[i].label}, frame ${one.frame}: ${shown(energy(one, i), 6)} eV`, {fill: color, r: 2});
  }
  const names = chosen.map((i) => make("span", {style: `color:${COLORS[i % COLORS.length]}`}, `${frames[0].orbitals[i].label} `));
  const figure = figureOf(plot, " ");
  figure.querySelector("figcaption").replaceChildren(...names);
  return figure;
}

/// A row for each sum over the grid: what the box holds, and what the orbitals of the file hold.
function sumsOf(frames) {
  const rows = [];
  const add = (frame, field, box, exact, atNuclei) => rows.push({
    frame,
    field,
    "sum over the box": box,
    ...(exact === undefined ? {} : {"by the orbitals of the file": exact, "error at the nuclei": atNuclei}),
  });
  for (const one of frames) {
    if ("density_integral_electrons" in one)
      add(one.frame, "density (electrons)", one.density_integral_electrons, one.density_electrons,
          one.density_core_grid_error_electrons);
    if ("spin_density_integral_electrons" in one)
      add(one.frame, "spin density (electrons)", one.spin_density_integral_electrons);
    if ("averaged_density_integral_electrons" in one)
      add(one.frame, "density in the mean (electrons)", one.averaged_density_integral_electrons);
    for (const [name, entry] of Object.entries(one.combinations || {}))
      add(one.frame, `${name} = ${entry.expression} (${"norm" in entry ? "norm" : "electrons"})`,
          "norm" in entry ? entry.norm : entry.integral_electrons, entry.electrons, entry.core_grid_error_electrons);
  }
  const names = new Set(rows.flatMap(Object.keys));  // a row may lack a column that another one has
  return rows.slice(0, 100).map((row) => Object.fromEntries([...names].map((name) => [name, row[name]])));
}

function reportOrbitals(data) {
  const {orbital} = data, page = document.getElementById("page"), found = data.facts.orbitals, {frames} = found;
  const sums = sumsOf(frames), ofPoints = data.table.length && "point" in data.table[0];
  section("What was found");
  if (ofPoints) page.append(make("h3", {}, "The electrostatic potential at the points (hartree/e)"));
  if (data.table.length) page.append(tableOf(data.table, "rows"));
  if (sums.length) page.append(make("h3", {}, "Sums over the grid"), tableOf(sums, "integrals"));
  if (!data.table.length && !sums.length)
    page.append(make("p", {class: "note"}, `Fields on a grid: ${found.fields.join(", ") || "none"}.`));
  viewOf(orbital);
  const plots = [];
  if (data.table.length > 1 && !ofPoints) plots.push(levelsOf(data.table));
  if (frames.length > 1 && frames[0].orbitals.length) plots.push(energiesOf(frames));
  if (plots.length) section("Energies", make("div", {class: "plots"}, ...plots));
}
