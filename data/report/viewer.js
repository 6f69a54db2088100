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

/// The whole scene in the box; the library leaves more room around it than a page can spare.
function comeNearer(stage, share) {
  stage.autoView();
  stage.viewerControls.zoom(share);
}

/// When what was loaded is there: shows the whole scene, waits until the surfaces are made, and marks the box, so that
/// a test knows when to look.
function whenLoaded(box, stage, loaded, share) {
  const made = () => new Promise((resolve) => stage.tasks.onZeroOnce(resolve));
  return loaded.then(() => comeNearer(stage, share))
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

/// A check box that shows and hides a component, with its colour.
function switchOf(label, component, color, visible) {
  const input = make("input", {type: "checkbox"});
  input.checked = visible;
  component.setVisibility(visible);
  input.addEventListener("change", () => component.setVisibility(input.checked));
  return make("label", {}, input, " ", make("span", {style: `color:${color}`}, "\u25a0 "), label);
}
