// Errors of one system against errors of another, counted in cells; an area of cells is a filter.
const MOST_BINS = 11;

// Ranges [least, most] that hold 0 to `most` errors: one per number if they are few, else 0 and ranges of equal width.
function binsOf(most) {
  const width = Math.ceil(most / (MOST_BINS - 1));
  if (most < MOST_BINS) return Array.from({ length: most + 1 }, (_, count) => [count, count]);
  return [[0, 0], ...Array.from({ length: Math.ceil(most / width) }, (_, bin) => [bin * width + 1, (bin + 1) * width])];
}

const binOf = (bins, count) => bins.findIndex(([least, most]) => least <= count && count <= most);

const rangeText = ([least, most]) => (least === most ? String(least) : `${least}–${most}`);

// Number of segments per cell; segments without an output of either system are in none.
function scatterOf(dataset, unit, across, up) {
  const pairs = [...dataset.index.ids.keys()].map((position) => [dataset.errors(unit, across, position), dataset.errors(unit, up, position)])
    .filter((pair) => !pair.includes(null));
  const bins = binsOf(Math.max(0, ...pairs.flat()));
  const cells = bins.map(() => bins.map(() => 0));
  for (const [x, y] of pairs) cells[binOf(bins, y)][binOf(bins, x)] += 1;
  return { bins, cells };
}

function areaFilter(dataset, across, up, bins, [x0, x1, y0, y1]) {
  return ["both", dataset.systems[across].id, dataset.systems[up].id, `${bins[x0][0]}-${bins[x1][1]}`, `${bins[y0][0]}-${bins[y1][1]}`].join(":");
}

// The test of a segment for both:A:B:0-3:4-9: up to 3 errors of A, 4 to 9 of B.
function areaTest(dataset, [across, up, ...ranges], unit) {
  const systems = [across, up].map((id) => dataset.systems.findIndex((system) => system.id === id));
  const ends = ranges.map((range) => /^(\d+)-(\d+)$/.exec(range)?.slice(1).map(Number));
  if (systems.includes(-1) || ends.length !== 2 || ends.includes(undefined)) return null;
  return (position) => systems.every((system, side) => {
    const errors = dataset.errors(unit, system, position);
    return errors !== null && ends[side][0] <= errors && errors <= ends[side][1];
  });
}

function scatterTable(view, update) {
  const { dataset, systems: [across, up], state } = view;
  const { bins, cells } = scatterOf(dataset, state.unit, across, up);
  const [acrossName, upName] = [across, up].map((system) => dataset.systems[system].name);
  const chosen = state.filter.find((filter) => filter.startsWith("both:")) ?? "";
  const choose = (area) => {
    const filter = areaFilter(dataset, across, up, bins, area);
    const others = state.filter.filter((other) => !other.startsWith("both:"));
    update({ filter: filter === chosen ? others : [...others, filter] });
  };
  const most = Math.max(1, ...cells.flat());
  const isChosen = chosen ? areaTest(dataset, chosen.split(":").slice(1), state.unit) : null;
  const cell = (count, x, y) => {
    const shade = count ? 1 + Math.floor((4 * Math.log(count)) / Math.log(most + 1)) : 0;
    const label = `${plural(count, "segment")}: ${rangeText(bins[x])} errors of ${acrossName}, ${rangeText(bins[y])} of ${upName}`;
    const pressed = chosen === areaFilter(dataset, across, up, bins, [x, x, y, y]);
    const button = count ? make("button", { type: "button", "aria-label": label, "aria-pressed": String(pressed), title: label, onclick: (event) => { if (!event.detail) choose([x, x, y, y]); } }, grouped(count)) : null;
    return make("td", { class: `shade-${shade}${x === y ? " even" : ""}`, "data-x": x, "data-y": y }, button);
  };
  const rows = cells.map((row, y) => make("tr", {}, make("th", { scope: "row" }, rangeText(bins[y])), ...row.map((count, x) => cell(count, x, y)))).reverse();
  const table = make("table", { class: isChosen ? "scatter chosen" : "scatter" },
    make("caption", {}, "Segments by errors of ", isolated(acrossName), " (across) and of ", isolated(upName), " (up). Click a cell or drag over several to filter; dotted cells: the same number of errors."),
    make("tbody", {}, ...rows),
    make("tfoot", {}, make("tr", {}, make("td"), ...bins.map((bin) => make("th", { scope: "col" }, rangeText(bin))))));
  brush(table, choose);
  return table;
}

// Drag from one cell to another; the area between them is passed to `choose`.
function brush(table, choose) {
  let start = null;
  let area = null;
  const cellAt = (event) => event.target.closest?.("td[data-x]");
  const place = (cell) => [Number(cell.dataset.x), Number(cell.dataset.y)];
  const follow = (cell) => {
    const [[x0, y0], [x1, y1]] = [start, place(cell)];
    area = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
    for (const other of table.querySelectorAll("td[data-x]")) {
      const [x, y] = place(other);
      other.classList.toggle("brushed", area[0] <= x && x <= area[1] && area[2] <= y && y <= area[3]);
    }
  };
  table.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (!cell || event.button !== 0) return;
    // A touch is captured by its first element; released, other cells get its events.
    event.target.releasePointerCapture?.(event.pointerId);
    start = place(cell);
    follow(cell);
  });
  table.addEventListener("pointerover", (event) => { if (start && cellAt(event)) follow(cellAt(event)); });
  table.addEventListener("pointerup", () => {
    if (start && area) choose(area);
    start = null;
  });
  table.addEventListener("pointerleave", () => {
    start = null;
    for (const other of table.querySelectorAll(".brushed")) other.classList.remove("brushed");
  });
}
