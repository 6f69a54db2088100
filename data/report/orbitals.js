// Orbitals and densities: surfaces of equal value around the atoms. Tables and energies: orbital_facts.js.
const BLUE = [0, 0.447, 0.698], ORANGE = [0.835, 0.369, 0];

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

/// Floats of which the page holds the upper halves.
function floatsOf(text) {
  return new Float32Array(Uint32Array.from(numbersOf(text, Uint16Array), (half) => half << 16).buffer);
}

/// A value at which a surface shows the field: a usual one, or the one that a thirtieth of the points exceed.
function levelOf({label, of_orbital}, sizes) {
  const largest = sizes.at(-1), usual = {density: 0.05, mean_density: 0.05, elf: 0.8, lol: 0.55, rdg: 0.5}[label];
  if (of_orbital) return Math.min(0.05, 0.3 * largest);
  return usual < largest ? usual : sizes[Math.floor(sizes.length * 29 / 30)] || largest || 1;
}

function addGrid(stage, grid) {
  const {Volume, Matrix4} = viewerLibrary(), values = floatsOf(grid.values);
  const sizes = values.map(Math.abs).sort();
  grid.largest = sizes.at(-1) || 1;
  grid.signed = values.some((x) => x < 0);
  grid.level = levelOf(grid, sizes);
  const volume = new Volume(grid.label, "", values, ...grid.shape);
  const [sx, sy, sz] = grid.spacing, [ox, oy, oz] = grid.origin;
  volume.setMatrix(new Matrix4().set(sx, 0, 0, ox, 0, sy, 0, oy, 0, 0, sz, oz, 0, 0, 0, 1));
  const component = stage.addComponentFromObject(volume);
  const style = {isolevelType: "value", useWorker: false, opacity: 0.75, opaqueBack: false, side: "double"};
  const lobes = (grid.signed ? [[1, COLORS[0]], [-1, COLORS[1]]] : [[1, COLORS[0]]])
                    .map(([sign, color]) =>
                             [sign, component.addRepresentation("surface", {...style, color, isolevel: sign * grid.level})]);
  grid.setLevel = (level) => lobes.forEach(([sign, one]) => one.setParameters({isolevel: sign * level}));
  return component;
}

/// From orange over white to blue, for t from -1 to 1.
function mixed(t) {
  const end = t < 0 ? ORANGE : BLUE, share = Math.min(1, Math.abs(t));
  return end.map((channel) => 1 + (channel - 1) * share);
}

/// The colours of vertices with these values, and where the scale ends.
function scaleOfValues(values) {
  const sizes = values.map(Math.abs).sort(), end = sizes[Math.floor(0.99 * (sizes.length - 1))] || 1;
  const colors = new Float32Array(3 * values.length);
  values.forEach((value, i) => colors.set(mixed(value / end), 3 * i));
  return {colors, end};
}

/// The surface, in the colours of its lobes or of the values of another field.
function addMesh(stage, {mesh, field}, surface) {
  const {Shape} = viewerLibrary(), shape = new Shape(mesh.label, {disableImpostor: true});
  const triangles = numbersOf(mesh.triangles, Uint32Array), positive = 3 * mesh.positive_triangles;
  const vertices = numbersOf(mesh.vertices, Float32Array), normals = numbersOf(mesh.normals, Float32Array);
  const scale = field ? scaleOfValues(numbersOf(field.values, Float32Array)) : null;
  if (scale) surface.end = scale.end;
  for (const [part, color] of [[triangles.subarray(0, positive), BLUE], [triangles.subarray(positive), ORANGE]])
    if (part.length)
      shape.addMesh(vertices, scale ? scale.colors : Float32Array.from(vertices, (_, i) => color[i % 3]), part, normals);
  const component = stage.addComponentFromObject(shape);
  component.addRepresentation("buffer", {opacity: 0.8, side: "double"});
  return component;
}

/// What can be chosen below the view: surfaces that another field colours, grids, and other surfaces.
function surfacesOf({meshes, grids}) {
  const ofMeshes = meshes.flatMap(
      (mesh) => mesh.fields.length ?
          mesh.fields.map((field) => ({label: `${mesh.label}, coloured by ${field.name}`, source: {mesh, field}})) :
          [{label: mesh.label, source: {mesh}}]);
  return [...ofMeshes.filter((one) => one.source.field), ...grids.map((grid) => ({label: grid.label, grid})),
          ...ofMeshes.filter((one) => !one.source.field)];
}

const units = (text) => text ? " " + text : "";

/// What the shown surface is, and what its colours mean.
function describe({grid, source, end}) {
  if (grid) return [`${grid.signed ? "\u00b1" : ""}${shown(grid.level, 3)}${units(grid.units)}`];
  const {mesh, field} = source, sign = mesh.units === "bohr^-3/2" ? "\u00b1" : "";
  const level = `${sign}${shown(mesh.isovalue, 3)}${units(mesh.units)}`;
  if (!field) return [level];
  return [level + "; ", make("span", {class: "scale"}, `\u2212${shown(end, 3)}`, make("span", {class: "ramp"}), `${shown(end, 3)}${units(field.units)}`)];
}

/// The controls of the viewer: one surface at a time, and for grids its level.
function surfaceControls(surfaces, components) {
  const choice = make("select", {id: "field"}, ...surfaces.map((one, i) => make("option", {value: i}, one.label)));
  const level = make("input", {type: "range", id: "level", min: -3, max: 0, step: 0.01}), said = make("span", {id: "said"});
  const show = () => {
    const {grid} = surfaces[choice.value];
    components.forEach((one, i) => one.setVisibility(i === Number(choice.value)));
    level.disabled = !grid;
    if (grid) {
      level.min = Math.min(-3, Math.log10(grid.level / grid.largest) - 1);
      level.value = Math.log10(grid.level / grid.largest);
    }
    said.replaceChildren(...describe(surfaces[choice.value]));
  };
  choice.addEventListener("change", show);
  level.addEventListener("change", () => {
    const {grid} = surfaces[choice.value];
    grid.level = grid.largest * 10 ** Number(level.value);
    grid.setLevel(grid.level);
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
  const surfaces = surfacesOf(orbital);
  const coarse = orbital.grids.some((one) => one.step > 1) ?
      " To keep the page small, it holds only some of the points of the grid." :
      "";
  section(
      "Surfaces and atoms",
      make(
          "p", {class: "note", id: "view-note"},
          `Frame ${orbital.frame}.${leftOut(orbital)} Drag to turn, scroll to zoom. Blue is positive, orange is negative.${
              coarse}` +
              (surfaces.length ? "" : " The result holds neither grids nor isosurfaces, so only the atoms are shown.")));
  const {box, stage} = viewerOf("viewer");
  if (!stage) return;
  const atoms = loadText(stage, nucleiText(orbital.nuclei), "pdb", "atoms").then((one) => {
    one.addRepresentation("ball+stick", {multipleBond: "off", aspectRatio: 1.6, radiusSize: 0.14});
    return one;
  });
  const components =
      surfaces.map((one) => one.grid ? addGrid(stage, one.grid) : addMesh(stage, one.source, one));
  if (surfaces.length) document.getElementById("page").append(surfaceControls(surfaces, components));
  // Tilted, so that both lobes of an orbital across the plane of a molecule are seen.
  whenLoaded(box, stage, atoms, (one) => lookAt(stage, [one], 1.5, [25, 20]));
}
