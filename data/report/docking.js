// A docking: scores, clusters, contacts and the complexes in three dimensions.
const CAPRI = [["incorrect", "#b8bcc4"], ["acceptable", "#56b4e9"], ["medium", "#0072b2"], ["high", "#d55e00"]];

function scoresOf(list) {
  const judged = list.rmsd.length > 0, across = judged ? list.rmsd : list.score.map((_, i) => i + 1);
  const frame = frameOf({
    title: `${list.name}: ${list.score.length} of ${list.poses} poses`,
    x: {label: judged ? "ligand interface C\u03b1 RMSD from the reference, \u00c5" : "pose, the best first", ...rangeOf(across)},
    y: {label: "score (lower is better)", ...rangeOf(list.score)},
  });
  for (let i = list.score.length - 1; i >= 0; --i) {
    const [name, color] = judged ? CAPRI[list.capri_class[i]] : ["", COLORS[0]];
    const about = judged ? `\nRMSD ${shown(across[i])} \u00c5, ${name}` : "";
    addPoint(
        frame, across[i], list.score[i], `pose ${i + 1}: score ${shown(list.score[i], 6)}${about}`,
        {fill: color, r: 2.5});
  }
  return figureOf(frame);
}

function clusterSizesOf(list) {
  const sizes = list.clusters.map((one) => one.size);
  const frame = frameOf({
    title: `clusters of ${list.name}`,
    height: 220,
    x: {label: "cluster", from: 0.4, to: sizes.length + 0.6},
    y: {label: "poses", from: 0, to: 1.05 * Math.max(...sizes)},
  });
  for (const one of list.clusters) {
    const quality = "dockq" in one ? `\nDockQ ${shown(one.dockq, 3)}, ${CAPRI[one.capri_class][0]}` : "";
    addBar(
        frame, one.cluster - 0.4, one.cluster + 0.4, 0, one.size,
        `cluster ${one.cluster}: ${one.size} poses\nbest score ${shown(one.best_score, 6)}${quality}`,
        {fill: "dockq" in one ? CAPRI[one.capri_class][1] : COLORS[5]});
  }
  return figureOf(frame);
}

/// Names of some ten residues, evenly spaced, for an axis.
function residueTicks(residues) {
  const step = ticksBetween(0, residues.length, 10)[1] || 1;
  return residues.map((one, i) => [i + 0.5, `${one.chain}${one.number}`]).filter((_, i) => i % step === 0);
}

/// Bars along the residues of a partner: in what share of the poses each is in contact.
function propensityOf(residues, poses, clusters, name) {
  const frame = frameOf({
    title: name,
    width: 1040,
    height: 190,
    x: {label: "residue (chain and number)", from: 0, to: residues.length, ticks: residueTicks(residues)},
    y: {label: "% of poses", from: 0, to: 100},
  });
  residues.forEach((one, i) => {
    const share = 100 * one.poses / poses;
    addBar(
        frame, i, i + 1, 0, share,
        `${one.name} ${one.number} ${one.chain ? "chain " + one.chain : ""}\nin ${one.poses} of ${poses} poses, ${
            one.clusters} of ${clusters} cluster centres`,
        {fill: shade(0.15 + share / 120), class: "residue"});
  });
  return figureOf(frame);
}

/// Partners whose contacts are counted: in a ring of equal copies, each copy has those of all its neighbours.
const partnersOf = (docking) => docking.copies ? [["receptor", "each copy"]] : [["receptor", "receptor"], ["ligand", "ligand"]];

function contactsOf(docking) {
  const {contacts} = docking, others = docking.copies ? "another copy" : "the partner";
  section(
      "Which residues are in contact",
      make(
          "p", {class: "note"},
          `How often each residue has a heavy atom within ${
              contacts.distance_angstrom} \u00c5 of ${others}, over the first ${contacts.poses} poses of ${
              docking.best_list}. The viewer above colours the ${docking.copies ? "first copy" : "receptor"} by the same numbers.`),
      ...partnersOf(docking).map(
          ([partner, title]) => propensityOf(contacts[partner], contacts.poses, contacts.clusters, title)));
  const rows = partnersOf(docking)
                   .flatMap(([partner, title]) => contacts[partner].map((one) => ({partner: title, ...one})))
                   .filter((one) => one.poses > 0)
                   .sort((a, b) => b.poses - a.poses)
                   .slice(0, 40);
  if (rows.length)
    document.getElementById("page").append(make("h3", {}, "The most frequent residues"), tableOf(rows, "residues"));
}

/// The receptor, as a cartoon below a surface, coloured by the contacts of its residues.
function addReceptor(stage, docking) {
  return loadText(stage, docking.structures.receptor, "pdb", "receptor").then((one) => {
    const highest = Math.max(1, ...docking.contacts.receptor.map((r) => 100 * r.poses / docking.contacts.poses));
    const byContacts = {colorScheme: "bfactor", colorMode: "rgb", colorScale: ["#e6e9ee", "#f0a050", "#b03000"], colorDomain: [0, highest]};
    one.addRepresentation(styleOf(one), byContacts);
    one.addRepresentation("surface", {...byContacts, opacity: 0.4, useWorker: false, surfaceType: "av"});
    return one;
  });
}

/// The ligand of a pose, or the further copies of a ring, one component for each.
function addCopies(stage, docking, pose) {
  const {Matrix4} = viewerLibrary();
  return Promise.all(pose.placements.map(([a, b, c]) => loadText(stage, docking.structures.ligand, "pdb", "ligand").then((one) => {
    one.setTransform(new Matrix4().set(...a, ...b, ...c, 0, 0, 0, 1));
    return one;
  })));
}

/// Shows and hides the copies of a pose, which are loaded when they are wanted first.
function drawerOf(stage, docking, pose, color) {
  let copies = null;
  const load = () => addCopies(stage, docking, pose).then((all) => {
    all.forEach((one) => one.addRepresentation(styleOf(one), {color}));
    return all;
  });
  return (visible) => {
    if (!copies && !visible) return Promise.resolve([]);
    copies = copies || load();
    return copies.then((all) => {
      all.forEach((one) => one.setVisibility(visible));
      return all;
    });
  };
}

function complexesOf(docking) {
  const what = docking.shown_are_clusters ? "cluster" : "pose", {copies} = docking;
  const meaning = what === "cluster" ? "the centre of a cluster" : "the pose";
  section(
      docking.shown_are_clusters ? "Centres of the clusters" : "The first poses",
      make(
          "p", {class: "note", id: "view-note"},
          `Drag to turn, scroll to zoom. The ${copies ? "first copy" : "receptor"} goes from grey to red with the share ` +
              `of poses in which a residue is in contact. ` +
              (copies ? `The ${copies - 1} other ${copies > 2 ? "copies" : "copy"} of a ring C${copies} have one colour: it is ` :
                        "Each ligand is ") +
              `${meaning} of ${docking.best_list} with that number.`));
  const {box, stage} = viewerOf("viewer");
  if (!stage) return;
  const controls = make("div", {class: "controls"}), first = copies ? 1 : 3, drawn = [addReceptor(stage, docking)];
  // The first few, so that the receptor can be seen; the switches stand in the order of the clusters.
  docking.shown.forEach((pose, i) => {
    const color = MORE_COLORS[i % MORE_COLORS.length], draw = drawerOf(stage, docking, pose, color);
    controls.append(switchOf(
        `${what} ${i + 1} (score ${shown(pose.score, 4)})`, (visible) => drawn.push(draw(visible)), color, i < first));
  });
  document.getElementById("page").append(controls);
  whenLoaded(box, stage, Promise.all(drawn), (all) => lookAt(stage, all.flat(), 3));
}

/// A row of the table of clusters, with units and the words of CAPRI.
function clusterRow({ligand_rmsd: ligand, interface_rmsd: atInterface, fnat, dockq, capri_class: quality, ...row}) {
  if (quality === undefined) return row;
  return {...row, "L-RMSD_angstrom": ligand, "i-RMSD_angstrom": atInterface, fnat, DockQ: dockq, CAPRI: CAPRI[quality][0]};
}

function reportDocking(data) {
  const {docking} = data, best = docking.lists.find((one) => one.name === docking.best_list);
  section("What was found", make("h3", {}, `Clusters of ${best.name}`));
  const page = document.getElementById("page");
  if (docking.ensemble) page.append(make("p", {class: "note", id: "ensemble"}, docking.ensemble + "."));
  if (docking.membrane) page.append(make("p", {class: "note", id: "membrane"}, docking.membrane + "."));
  if (docking.chemistry) page.append(make("p", {class: "note", id: "chemistry"}, docking.chemistry.join("; ") + "."));
  if (docking.left_out) page.append(make("p", {class: "note", id: "left-out"}, docking.left_out.join("; ") + "."));
  page.append(
      best.clusters.length ? tableOf(best.clusters.map(clusterRow), "clusters") :
                             make("p", {class: "note"}, "This list has no clusters."));
  if (data.table.length) page.append(make("h3", {}, "The first poses"), tableOf(data.table, "rows"));
  if (docking.structures)
    complexesOf(docking);
  else
    section(
        "Structures",
        make(
            "p", {class: "note", id: "no-atoms"},
            "This result holds no atoms, so there are no 3-D view and no contacts. Results of earlier versions " +
            "lack them; tessera rescore adds them."));
  if (docking.contacts) contactsOf(docking);
  const lists = [best, ...docking.lists.filter((one) => one !== best)].filter((one) => one.score.length);
  section("Scores", make("div", {class: "plots"}, ...lists.map(scoresOf)));
  const grouped = lists.filter((one) => one.clusters.length);
  if (grouped.length) section("Sizes of clusters", make("div", {class: "plots"}, ...grouped.map(clusterSizesOf)));
}
