// Tables sort by any column: stable; a second press reverses the order, which is part of the address.
function valueOf(row, column) {
  const text = row.cells[column]?.dataset.value;
  if (text === undefined || text === "") return null;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function compareValues(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other));
}

function sortTable(table, name, descending) {
  const headers = [...table.tHead.rows[0].cells];
  const column = headers.findIndex((header) => header.dataset.sort === name);
  if (column < 0) return;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [row, valueOf(row, column)]);
  // A row without a value (a system that failed) stays below in either direction.
  const known = rows.filter(([, value]) => value !== null);
  known.sort(([, one], [, other]) => (descending ? compareValues(other, one) : compareValues(one, other)));
  body.append(...known.map(([row]) => row), ...rows.filter(([, value]) => value === null).map(([row]) => row));
  headers.forEach((header, place) => {
    if (header.dataset.sort) header.setAttribute("aria-sort", place === column ? (descending ? "descending" : "ascending") : "none");
  });
}

function makeSortable(table) {
  for (const header of table.tHead.rows[0].cells) {
    const name = header.dataset.sort;
    if (!name) continue;
    const title = header.textContent.trim();
    const press = () => {
      const descending = header.getAttribute("aria-sort") === "ascending";
      sortTable(table, name, descending);
      setOrder(table.dataset.key, `${name}:${descending ? "down" : "up"}`);
      announce(`sorted by ${title}, ${descending ? "descending" : "ascending"}`);
    };
    const button = make("button", { type: "button", onclick: press });
    button.append(...header.childNodes);
    header.append(button);
    const places = [...table.tBodies[0].rows].map((row) => valueOf(row, header.cellIndex)).filter((value) => value !== null);
    const isInOrder = name === "place" && places.every((place, index) => index === 0 || places[index - 1] <= place);
    header.setAttribute("aria-sort", isInOrder ? "ascending" : "none");
  }
}

function startTables() {
  const tables = [...document.querySelectorAll("table.sortable")];
  tables.forEach(makeSortable);
  for (const [key, order] of orders()) {
    const [name, direction] = order.split(":");
    const table = tables.find((candidate) => candidate.dataset.key === key);
    if (table) sortTable(table, name, direction === "down");
  }
}
