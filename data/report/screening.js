// A screening: its best pairs, the distribution of their scores, and a map of receptors and ligands.
const SCORES = {interaction: "interaction (higher is likelier)", cluster_z: "cluster z (higher is better)"};

function scoreBarsOf({histogram, score, done}) {
  const {from, width, counts} = histogram;
  const frame = frameOf({
    title: `scores of ${done} pairs`,
    width: 760,
    x: {label: SCORES[score], from, to: from + width * counts.length},
    y: {label: "pairs", from: 0, to: 1.05 * Math.max(...counts)},
  });
  counts.forEach((count, i) => {
    const begin = from + i * width;
    if (count)
      addBar(
          frame, begin, begin + width, 0, count,
          `${count} ${count === 1 ? "pair" : "pairs"} from ${shown(begin, 4)} to ${shown(begin + width, 4)}`);
  });
  return figureOf(frame);
}

/// Orange for scores below 0, blue above, as the scale of the page.
function mapColor(share) {
  const [r, g, b] = share < 0 ? [213, 94, 0] : [0, 114, 178], mix = (to) => Math.round(255 + (to - 255) * Math.abs(share));
  return `rgb(${mix(r)},${mix(g)},${mix(b)})`;
}

/// Names beside the map, if there is room for them.
function nameMap(context, {receptors, ligands}, cell, left, top) {
  const short = (name) => name.length > 18 ? name.slice(0, 17) + "\u2026" : name;
  context.fillStyle = "#1f2430";
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  receptors.forEach((name, i) => context.fillText(short(name), 2, top + (i + 0.5) * cell));
  ligands.forEach((name, i) => {
    context.save();
    context.translate(left + (i + 0.5) * cell, top - 4);
    context.rotate(-Math.PI / 2);
    context.fillText(short(name), 0, 0);
    context.restore();
  });
}

function mapOf({receptors, ligands, scores}, score) {
  const cell = Math.max(3, Math.min(26, Math.floor(900 / Math.max(receptors.length, ligands.length))));
  const [left, top] = cell >= 12 ? [120, 120] : [0, 0];
  const canvas = make("canvas", {
    id: "pair-map", width: left + cell * ligands.length, height: top + cell * receptors.length, role: "img",
    "aria-label": "scores of receptors (rows) and ligands (columns)"
  });
  const context = canvas.getContext("2d");
  const values = scores.flat().filter((one) => one !== null), highest = values.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9);
  scores.forEach((row, i) => row.forEach((value, j) => {
    context.fillStyle = value === null ? "#d9dde5" : mapColor(value / highest);
    context.fillRect(left + j * cell, top + i * cell, cell, cell);
  }));
  if (left) nameMap(context, {receptors, ligands}, cell, left, top);
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
    const i = Math.floor(((event.clientY - box.top) * scale - top) / cell);
    const j = Math.floor(((event.clientX - box.left) * scale - left) / cell);
    if (!(i in scores) || !(j in ligands)) return canvas.removeAttribute("data-tip");
    const value = scores[i][j];
    canvas.setAttribute(
        "data-tip", `receptor ${receptors[i]}\nligand ${ligands[j]}\n${score} ${value === null ? "none" : shown(value)}`);
  });
  const scale = make(
      "span", {class: "scale"}, shown(-highest, 3), make("span", {class: "ramp"}), `${shown(highest, 3)} ${score}, grey: none`);
  return make("div", {class: "map"}, canvas, make("div", {class: "controls"}, scale));
}

function mapNote({map, receptors, ligands}) {
  const part = (shownOnes, all, kind) =>
      shownOnes.length < all ? `the ${shownOnes.length} of ${all} ${kind} with the best pairs, the best first` : `all ${kind}`;
  return `Rows: ${part(map.receptors, receptors, "receptors")}. Columns: ${part(map.ligands, ligands, "ligands")}.`;
}

function foundOf({receptors, ligands, pairs, done, failed, score, part}) {
  const open = pairs - done - failed;
  const counts = (part === "1/1" ? "" : `Part ${part} of a screening. `) + `${receptors} receptors and ${ligands} ligands: ${pairs} pairs, ${done} done, ${failed} failed` +
      (open ? `, ${open} unfinished.` : ".");
  const meaning = score === "interaction" ?
      "The higher the interaction, the likelier the two are partners." :
      "The pairs are not compared with others yet: this is a part, or a run that goes on. They are ordered by cluster z.";
  return [
    make("p", {id: "counts"}, counts),
    make("p", {class: "note"}, `${meaning} A coarse screening tells partners from others at best slightly better than ` +
        "chance, so take the order as a weak hint.")
  ];
}

function reportScreening({screening}) {
  const {rows, done, failures, failed} = screening;
  section("What was found", ...foundOf(screening));
  if (rows.length)
    section(
        "Pairs by score",
        make("p", {class: "note", id: "row-note"},
             rows.length < done ? `The ${rows.length} best of ${done} pairs. screen.csv has all of them.` : `All ${done} pairs.`),
        searchableTable(rows, "rows", "name of a receptor or ligand", ["rank", "best_score"]));
  if (screening.map)
    section(
        "Receptors and ligands", make("p", {class: "note", id: "map-note"}, mapNote(screening)),
        mapOf(screening.map, screening.score.replace("_", " ")));
  if (screening.histogram) section("Scores", make("div", {class: "plots"}, scoreBarsOf(screening)));
  if (failed)
    section(
        "Pairs that failed",
        make("p", {class: "note"}, failures.length < failed ? `The first ${failures.length} of ${failed}.` : `All ${failed}.`),
        tableOf(failures, "failures"));
}
