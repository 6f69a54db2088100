// Orbitals and densities: their energies, and surfaces of equal value around the atoms.

/// The nuclei as PDB text; the viewer finds the bonds by distance.
function nucleiText(nuclei) {
  const place = (x) => x.toFixed(3).padStart(8);
  return nuclei
             .map(({symbol, position}, i) => {
               const name = (symbol.length < 2 ? " " + symbol : symbol).toUpperCase().padEnd(4).slice(0, 4);
               return `HETATM${String((i + 1) % 100000).padStart(5)} ${name} MOL A   1    ${
                   position.map(place).join("")}  1.00  0.00          ${symbol.toUpperCase().padStart(2)}`;
             })
             .join("\n") +
      "\nEND\n";
}

function addGrid(stage, grid) {
  const {Volume, Matrix4} = viewerLibrary();
  const values = Float32Array.from(numbersOf(grid.values, Int16Array), (x) => x * grid.unit);
  const volume = new Volume(grid.label, "", values, ...grid.shape);
  const [sx, sy, sz] = grid.spacing, [ox, oy, oz] = grid.origin;
  volume.setMatrix(new Matrix4().set(sx, 0, 0, ox, 0, sy, 0, oy, 0, 0, sz, oz, 0, 0, 0, 1));
  const component = stage.addComponentFromObject(volume);
  const style = {isolevelType: "value", useWorker: false, opacity: 0.75, opaqueBack: false, side: "double"};
  const lobes = [[1, COLORS[0]], [-1, COLORS[1]]].map(
      ([sign,
        color]) => [sign, component.addRepresentation("surface", {...style, color, isolevel: sign * grid.level})]);
  grid.setLevel = (level) => lobes.forEach(([sign, one]) => one.setParameters({isolevel: sign * level}));
  return component;
}

function addMesh(stage, mesh) {
  const {Shape} = viewerLibrary(), shape = new Shape(mesh.label, {disableImpostor: true});
  const triangles = numbersOf(mesh.triangles, Uint32Array), positive = 3 * mesh.positive_triangles;
  const vertices = numbersOf(mesh.vertices, Float32Array), normals = numbersOf(mesh.normals, Float32Array);
  for (const [part, color] of [
           [triangles.subarray(0, positive), [0, 0.447, 0.698]], [triangles.subarray(positive), [0.835, 0.369, 0]]]) {
    if (!part.length) continue;
    const colors = Float32Array.from(vertices, (_, i) => color[i % 3]);
    shape.addMesh(vertices, colors, part, normals);
  }
  const component = stage.addComponentFromObject(shape);
  component.addRepresentation("buffer", {opacity: 0.8, side: "double"});
  return component;
}

/// The controls of the viewer: one field at a time, and for grids its level.
function fieldControls(fields, components) {
  const choice = make("select", {id: "field"}, ...fields.map((one, i) => make("option", {value: i}, one.label)));
  const level = make("input", {type: "range", id: "level", min: -3, max: 0, step: 0.01}), said = make("span", {});
  const show = () => {
    const field = fields[choice.value];
    components.forEach((one, i) => one.setVisibility(i === Number(choice.value)));
    level.disabled = !field.setLevel;
    if (field.setLevel) level.value = Math.log10(field.level / field.largest);
    said.textContent = field.setLevel ? `\u00b1${shown(field.level, 3)} ${field.units}` :
                                        `\u00b1${shown(field.isovalue, 3)} ${field.units}`;
  };
  choice.addEventListener("change", show);
  level.addEventListener("change", () => {
    const field = fields[choice.value];
    field.level = field.largest * 10 ** Number(level.value);
    field.setLevel(field.level);
    show();
  });
  show();
  return make(
      "div", {class: "controls"}, make("label", {}, "shown: ", choice), make("label", {}, "level: ", level), said);
}

/// What the result holds and the page does not.
function leftOut({frames, left_out}) {
  const most = 12, names = left_out.slice(0, most).join(", ");
  const others = left_out.length > most ? ` and ${left_out.length - most} more` : "";
  return (frames > 1 ? ` The result has ${frames} frames; the grids and surfaces of the others are left out.` : "") +
      (left_out.length ? ` Of this frame, ${names}${others} are left out.` : "");
}

function viewOf(orbital) {
  const fields = orbital.grids.length ? orbital.grids : orbital.meshes;
  const coarse = orbital.grids.some((one) => one.step > 1) ?
      " To keep the page small, it holds only some of the points of the grid." :
      "";
  section(
      "Surfaces and atoms",
      make(
          "p", {class: "note", id: "view-note"},
          `Frame ${orbital.frame}.${leftOut(orbital)} Drag to turn, scroll to zoom. Positive lobes are blue, negative ones orange.${
              coarse}` +
              (fields.length ? "" : " The result holds neither grids nor isosurfaces, so only the atoms are shown.")));
  const {box, stage} = viewerOf("viewer");
  if (!stage) return;
  const atoms = loadText(stage, nucleiText(orbital.nuclei), "pdb", "atoms").then((one) => {
    one.addRepresentation("ball+stick", {multipleBond: "off"});
    return one;
  });
  const components = fields.map((field) => {
    field.units = field.label.includes("density") ? "bohr^-3" : "bohr^-3/2";
    if (!field.values) return addMesh(stage, field);
    field.largest = 32767 * field.unit;
    field.level = Math.min(0.05, 0.3 * field.largest);
    return addGrid(stage, field);
  });
  if (fields.length) document.getElementById("page").append(fieldControls(fields, components));
  whenLoaded(box, stage, atoms, 0.55);
}

/// Levels of the first frame: lines at the energies, full where the orbital is occupied.
function levelsOf(rows) {
  const first = rows.filter((row) => row.frame === rows[0].frame);
  const frame = frameOf({
    width: 380,
    height: 320,
    title: "energies of the first frame",
    x: {label: "alpha and beta", from: 0, to: 2, ticks: [[0.5, "alpha"], [1.5, "beta"]]},
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

function reportOrbitals(data) {
  const {orbital} = data, page = document.getElementById("page"), found = data.facts.orbitals;
  section("What was found");
  if (data.table.length) page.append(tableOf(data.table, "rows"));
  const integrals = found.frames.flatMap(
      (frame) => Object.entries(frame)
                     .filter(([name]) => name.includes("integral"))
                     .map(([name, value]) => [`frame ${frame.frame}: ${name.replaceAll("_", " ")}`, value]));
  if (integrals.length) page.append(make("h3", {}, "Sums over the grid"), factsOf(integrals, "integrals"));
  viewOf(orbital);
  if (data.table.length) section("Energies", levelsOf(data.table));
}
