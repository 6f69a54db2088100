// The 3-D viewer. It is NGL (MIT licence), where it is installed.

/// A box for the viewer: {box, stage}. `stage` is null where there is no viewer, and the box says why.
function viewerOf(id) {
  const box = make("div", {class: "viewer", id});
  document.getElementById("page").append(box);
  const refuse = (why) => {
    box.style.height = "auto";
    box.append(make("p", {class: "missing", id: "no-viewer"}, why));
    return {box, stage: null};
  };
  if (typeof viewerLibrary === "undefined")
    return refuse(
        "There is no 3-D view: the viewer NGL was not installed with this program. Run scripts/viewer " +
        "in its source tree, build again, and make the report again.");
  const trial = document.createElement("canvas");
  if (!trial.getContext("webgl2") && !trial.getContext("webgl"))
    return refuse("There is no 3-D view: this browser has no WebGL.");
  const stage = new (viewerLibrary().Stage)(box, {backgroundColor: "white", sampleLevel: 0, clipDist: 0});
  window.addEventListener("resize", () => stage.handleResize());
  return {box, stage};
}

/// Loads the text of a file; the promise gives the component.
function loadText(stage, text, format, name) {
  return stage.loadFile(new Blob([text], {type: "text/plain"}), {ext: format, name, firstModelOnly: true});
}

/// A cartoon, or sticks for a structure whose residues are mostly not joined to chains.
function styleOf(component) {
  let joined = 0;
  component.structure.eachPolymer((chain) => {
    joined += chain.residueCount;
  });
  return 2 * joined > component.structure.residueStore.count ? "cartoon" : "licorice";
}

/// The places of the atoms of a component, turned and shifted as it is.
function placesOf(component) {
  const {Vector3} = viewerLibrary(), places = [];
  component.structure.eachAtom((atom) => {
    places.push(new Vector3(atom.x, atom.y, atom.z).applyMatrix4(component.matrix).toArray());
  });
  return places;
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/// Three unit vectors: the direction in which the places reach farthest, the next one, and the one across both.
function axesOf(places) {
  const mean = [0, 1, 2].map((k) => places.reduce((sum, one) => sum + one[k], 0) / places.length);
  const away = places.map((one) => one.map((x, k) => x - mean[k])), found = [];
  const across = (v) => found.reduce((rest, axis) => rest.map((x, k) => x - dot(rest, axis) * axis[k]), v);
  const unit = (v) => v.map((x) => x / Math.hypot(...v));
  for (let n = 0; n < 2; ++n) {
    // Places on a line, or a single one, leave the direction open; this one lies across what was found.
    let axis = unit([[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(across).sort((a, b) => Math.hypot(...b) - Math.hypot(...a))[0]);
    axis = unit(across(axis.map((x, k) => x + 0.1 * (k + 1))));
    for (let step = 0; step < 60; ++step) {
      const next = across(away.reduce((sum, one) => sum.map((x, k) => x + dot(one, axis) * one[k]), [0, 0, 0]));
      if (Math.hypot(...next) < 1e-6 * places.length) break;
      axis = unit(next);
    }
    found.push(axis);
  }
  return [...found, cross(...found)];
}

/// Turned by angles in degrees about the first axis, then about the second one.
function tilted([a, b, c], first, second) {
  const turn = (u, v, degrees) => {
    const [x, y] = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
    return [u.map((one, k) => x * one + y * v[k]), v.map((one, k) => x * one - y * u[k])];
  };
  [b, c] = turn(b, c, first);
  [a, c] = turn(a, c, second);
  return [a, b, c];
}

/// Looks at the components from where they are widest, so near that they fill the box up to a margin in Angstrom.
function lookAt(stage, components, margin, tilt = [0, 0]) {
  const {Matrix4, Quaternion, Vector3} = viewerLibrary();
  const places = components.flatMap(placesOf), axes = tilted(axesOf(places), ...tilt);
  const ends = axes.map((axis) => {
    const along = places.map((one) => dot(one, axis));
    return along.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  });
  const [width, height, depth] = ends.map(([low, high]) => (high - low) / 2 + margin);
  const middle = [0, 1, 2].map((k) => axes.reduce((sum, axis, n) => sum + axis[k] * (ends[n][0] + ends[n][1]) / 2, 0));
  const {viewer} = stage, opening = Math.tan(viewer.perspectiveCamera.fov * Math.PI / 360);
  const distance = Math.max(height, width * viewer.height / viewer.width) / opening + depth;
  const [a, b, c] = axes;
  const turn = new Quaternion().setFromRotationMatrix(new Matrix4().set(...a, 0, ...b, 0, ...c, 0, 0, 0, 0, 1));
  stage.animationControls.rotate(turn, 0);
  stage.animationControls.zoomMove(new Vector3(...middle), -distance, 0);
}

/// When what was loaded is there: looks at it, waits until the surfaces are made, and marks the box, so that a test
/// knows when to look.
function whenLoaded(box, stage, loaded, look) {
  const made = () => new Promise((resolve) => stage.tasks.onZeroOnce(resolve));
  return loaded.then(look)
      .then(made)
      .then(() => {
        stage.viewer.requestRender();
        box.dataset.drawn = "yes";
      })
      .catch((problem) => {
        console.error(problem);
        box.append(make("p", {class: "missing"}, `The 3-D view failed: ${problem.message}`));
      });
}

/// A check box that shows and hides what `show(visible)` draws, with its colour.
function switchOf(label, show, color, visible) {
  const input = make("input", {type: "checkbox"});
  input.checked = visible;
  show(visible);
  input.addEventListener("change", () => show(input.checked));
  return make("label", {}, input, " ", make("span", {style: `color:${color}`}, "\u25a0 "), label);
}
