// Puts the page together: what was asked, what was found, provenance, how to cite.
const METHODS = {
  dock:
      "R. Landaverde and M. C. Herbordt, GPU Optimizations for a Production Molecular Docking Code, IEEE High " +
      "Performance Extreme Computing Conference (HPEC), 2014.",
  orbital:
      "J. E. Stone, Single-node Multi-GPU Algorithms: Molecular Orbitals, Workshop on GPU Programming for " +
      "Molecular Modeling, University of Illinois at Urbana-Champaign, 2010.",
  likelihood:
      "T. Desell et al., Accelerating the MilkyWay@Home volunteer computing project with GPUs, Parallel " +
      "Processing and Applied Mathematics (PPAM), 2009.",
};
METHODS.fit = METHODS.likelihood;
METHODS.sample = METHODS.likelihood;
METHODS.screen = METHODS.dock;
METHODS.screening = METHODS.dock;
const NAMES = {
  dock: "Docking of two proteins",
  orbital: "Orbitals and densities",
  likelihood: "Likelihood of stellar streams",
  fit: "Fit of stellar streams",
  sample: "Posterior of stellar streams",
  screen: "Poses of a screening",
  screening: "Screening for partners",
};

function reportQuestion(facts) {
  section("What was asked", make("pre", {id: "command"}, facts.run.command_line));
  if (facts.run.docking_command_line)
    document.getElementById("page").append(
        make("p", {class: "note"}, "The poses are from this docking:"),
        make("pre", {}, facts.run.docking_command_line));
  const input =
      Object.entries(facts.run.input)
          .map(
              ([name, value]) =>
                  [name.replaceAll("_", " "),
                   Array.isArray(value) && !value.some((v) => typeof v === "object") ? value.join(", ") : value]);
  const words = make("details", {}, make("summary", {}, "All options, with their defaults"), factsOf(input, "options"));
  document.getElementById("page").append(words);
  const {warnings} = facts.run;
  if (warnings.length)
    document.getElementById("page").append(make(
        "details", {}, make("summary", {}, `${warnings.length} warnings about the input`),
        make("pre", {}, warnings.join("\n"))));
}

function reportOrigin(facts) {
  const {run} = facts, long = run.phases.filter((one) => one.seconds >= 0.001);
  const seconds = long.map((one) => `${one.name} ${shown(one.seconds, 3)} s`).join(", ");
  const {compiler, kokkos, mpi, hdf5, cuda, build_type: type} = run.build;
  const build = `${type}, ${compiler}, Kokkos ${kokkos}, MPI ${mpi}, HDF5 ${hdf5}, CUDA ${cuda}`;
  section(
      "Provenance",
      factsOf(
          [
            ["program", `tessera ${facts.version}`], ["revision", run.build.git_revision], ["written", facts.created],
            ["SHA-256 of the input", run.input_sha256], ["SHA-256 of the table", facts.table_sha256],
            ["devices", run.device_kinds], ["ranks", run.ranks.length || ""],
            ["tiles", run.tiles_total ? `${run.tiles_total}, of these ${run.tiles_resumed} from an earlier run` : ""],
            ["devices of the earlier run", run.resumed_devices], ["phases", seconds], ["build", compiler ? build : run.build]
          ],
          "provenance"));
}

function reportCitation(facts) {
  section(
      "How to cite", make("p", {}, "Cite the program and the paper whose method was run."),
      make(
          "pre", {id: "cite"},
          `The Tessera developers, Tessera ${facts.version}${run_revision(facts)}.\n${METHODS[facts.workload]}`));
  const licences = document.getElementById("licences");
  if (licences)
    section(
        "Licences", make("p", {class: "note"}, "The 3-D viewer in this page is by others."),
        make("details", {}, make("summary", {}, "Licences of the viewer"), make("pre", {}, licences.textContent)));
}

function run_revision(facts) {
  return facts.run.build.git_revision ? `, revision ${facts.run.build.git_revision}` : "";
}

function reportAll() {
  const data = JSON.parse(document.getElementById("data").textContent), {facts} = data;
  document.getElementById("page").append(
      make("h1", {}, NAMES[facts.workload]),
      make(
          "p", {class: "note"},
          `${document.title.replace(/ - Tessera$/, "")}, written ${facts.created ? facts.created + " " : ""}by tessera ${facts.version}`));
  followPointer();
  reportQuestion(facts);
  if (data.docking) reportDocking(data);
  if (data.screening) reportScreening(data);
  if (data.orbital) reportOrbitals(data);
  if (data.fit) reportFit(data);
  if (data.sample) reportSample(data);
  if (facts.workload === "likelihood") reportLikelihood(facts);
  if (facts.workload === "screen")
    section(
        "What was found", make("h3", {}, "The best pose of each pair"),
        make("p", {class: "note"}, "At most 100 pairs. tessera table prints all of them."), tableOf(data.table, "rows"));
  if (data.wedges) reportWedges(data);
  reportOrigin(facts);
  reportCitation(facts);
  document.body.dataset.complete = "yes";
}

reportAll();
