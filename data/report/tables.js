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

/// The order of two values of a table. Missing ones come last.
function orderOf(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, {numeric: true});
}

/// A table whose rows are sorted by a click on a header, and of which a word chooses those that hold it.
/// `lowIsBest`: columns of numbers that are better if they are lower.
function searchableTable(rows, id, what, lowIsBest) {
  const table = tableOf(rows, id), body = table.querySelector("tbody"), names = Object.keys(rows[0]);
  const lines = [...body.children].map((line, i) => [rows[i], line]);
  const search = make("input", {type: "search", id: `${id}-search`, placeholder: what, "aria-label": what});
  const said = make("span", {class: "note", id: `${id}-said`});
  search.addEventListener("input", () => {
    const word = search.value.trim().toLowerCase();
    const holds = (row) => Object.values(row).some((value) => typeof value === "string" && value.toLowerCase().includes(word));
    for (const [row, line] of lines) line.hidden = word !== "" && !holds(row);
    said.textContent = word ? `${lines.filter(([, line]) => !line.hidden).length} of ${lines.length} rows` : "";
  });
  const heads = [...table.querySelectorAll("th")];
  heads.forEach((head, i) => {
    // The best numbers first, and names from A.
    const rising = lowIsBest.includes(names[i]) || rows.some((row) => typeof row[names[i]] === "string");
    head.tabIndex = 0;
    const sort = () => {
      const now = head.getAttribute("aria-sort"), up = now ? now !== "ascending" : rising;
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      lines.sort(([a], [b]) => {
        const [x, y] = [a[names[i]], b[names[i]]];
        return up || x === null || y === null ? orderOf(x, y) : orderOf(y, x);
      });
      body.append(...lines.map(([, line]) => line));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
  return make("div", {class: "searchable"}, make("div", {class: "controls"}, search, said), table);
}
