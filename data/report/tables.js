// Tables of rows and of facts.

/// A column's name as people read it, with its unit.
function headerOf(name) {
  const units = {angstrom: "\u00c5", hartree: "hartree", ev: "eV", kpc: "kpc", bohr: "bohr", degree: "\u00b0", electrons: "electrons"};
  const words = name.split("_"), unit = units[words.at(-1)];
  return unit && words.length > 1 ? `${words.slice(0, -1).join(" ")} (${unit})` : words.join(" ");
}

/// Rows that are objects with the same keys.
function tableOf(rows, id) {
  const names = Object.keys(rows[0]);
  const isText = (name) => rows.some((row) => typeof row[name] === "string");
  const classes = Object.fromEntries(names.map((name) => [name, isText(name) ? {class: "text"} : {}]));
  const head = make("tr", {}, ...names.map((name) => make("th", classes[name], headerOf(name))));
  const body = rows.map((row) => make("tr", {}, ...names.map((name) => make("td", classes[name], shown(row[name])))));
  return make("div", {class: "scroll"}, make("table", {id}, make("thead", {}, head), make("tbody", {}, ...body)));
}

/// A table of names and values.
function factsOf(pairs, id) {
  const rows =
      pairs.filter(([, value]) => value !== "" && value !== undefined && value !== null)
          .map(
              ([name, value]) => make(
                  "tr", {}, make("td", {class: "text"}, name),
                  make("td", {class: "text"}, typeof value === "object" ? JSON.stringify(value) : shown(value, 17))));
  return make("div", {class: "scroll"}, make("table", {class: "facts", id}, make("tbody", {}, ...rows)));
}
