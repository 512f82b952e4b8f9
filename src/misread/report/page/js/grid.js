// The grid of one segment: the same rows, cells and folds as misread.report.page.static_segments prints, for any choice of
// systems and any width.
const LONGEST_SAME = 40;
const KEPT_SAME = 12;
const MOST_LINES = 60;
// Letters that the plus sign before an insertion takes.
const PLUS = 0.6;
const OPERATIONS = { S: "substitution", D: "deletion", I: "insertion", T: "transposition" };
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function widthOf(text) {
  if (text.length < 2 && text < "\u0300") return 1;
  let width = 0;
  for (const letter of text) width += /\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return Math.max(1, width);
}

const NAMED = { "\n": "\u21b5", "\t": "\u21e5", "\r": "\u240d", "\r\n": "\u240d\u21b5", " ": "\u2423", "": "" };
const UNSEEN = /^[\p{C}\p{Z}]$/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

// White space and what has no shape, as signs: misread.text.visible in the browser.
function visible(unit) {
  if (unit in NAMED) return NAMED[unit];
  const letters = [...unit];
  const isOneGlyph = letters.length > 1 && !UNSEEN.test(letters[0]) && letters.every((letter) => "\u200c\u200d".includes(letter) || !UNSEEN.test(letter));
  const name = (letter) => `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  let shown = isOneGlyph ? unit : letters.map((letter) => (UNSEEN.test(letter) ? name(letter) : letter)).join("");
  if (/^\p{M}/u.test(shown)) shown = `\u25cc${shown}`;
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

function titleOf(letter, expected, text) {
  const said = { D: `${visible(expected)} is missing`, I: `${visible(text)} was added` }[letter] ?? `${visible(expected)} is read as ${visible(text)}`;
  return `${OPERATIONS[letter]}: ${said}`;
}

function isRightToLeft(text) {
  const first = /\p{L}/u.exec(text);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
}

// {reference, rows: [{system, letters, texts}]} of the systems that have an output, in the columns they need.
function chosenColumns(grid, systems) {
  const [reference, all] = grid;
  const rows = systems.filter((system) => all[system] !== null).map((system) => {
    const [letters, texts] = all[system];
    const placed = [];
    let next = 0;
    for (let column = 0; column < letters.length; column += 1) {
      const letter = letters[column];
      placed.push(letter === "C" ? reference[column] : letter === "D" || letter === " " ? "" : texts[next++]);
    }
    return { system, letters, texts: placed };
  });
  const columns = [...reference.keys()].filter((column) => reference[column] || rows.some((row) => row.letters[column] !== " "));
  return { reference, rows, columns };
}

// The grids of a segment that one of the systems is in: one, but for a reference that was read in several ways.
function chosenGrids(segment, systems, unit) {
  const grids = segment.grids[unit].map((grid) => chosenColumns(grid, systems));
  const inUse = grids.filter((grid) => grid.rows.length);
  return inUse.length ? inUse : grids.slice(0, 1);
}

// Columns, with null for a stretch that all systems have right.
function foldSame({ rows, columns }) {
  const shown = [];
  let begin = 0;
  const close = (end, atEnd) => {
    if (end - begin > LONGEST_SAME) {
      const before = begin === 0 ? 0 : KEPT_SAME;
      const after = atEnd ? 0 : KEPT_SAME;
      shown.push(...columns.slice(begin, begin + before), null, ...columns.slice(end - after, end));
    } else shown.push(...columns.slice(begin, end));
  };
  columns.forEach((column, place) => {
    if (rows.every((row) => row.letters[column] === "C")) return;
    close(place, false);
    shown.push(column);
    begin = place + 1;
  });
  close(columns.length, true);
  return shown;
}

function wrapColumns(columns, { reference, rows }, room, unit) {
  const lines = [[]];
  let used = 0;
  for (const column of columns) {
    const texts = column === null ? ["⋯"] : [reference[column], ...rows.map((row) => row.texts[column])];
    const isAdded = column !== null && rows.some((row) => row.letters[column] === "I");
    const width = (Math.max(...texts.map(widthOf)) + (isAdded ? PLUS : 0)) * room.letter + (unit === "words" ? 0.7 * room.letter : 2);
    if (lines.at(-1).length && used + width > room.width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1).push(column);
    used += width;
  }
  return lines.filter((line) => line.length);
}

function sameCell(span) {
  return make("td", { class: "same", colspan: span });
}

function rowCells(row, reference, line, view) {
  const cells = [];
  let same = 0;
  for (const column of line) {
    const letter = column === null ? "C" : row.letters[column];
    if (letter === "C" && (view === "differences" || column === null)) {
      same += 1;
      continue;
    }
    if (same) cells.push(sameCell(same));
    same = 0;
    if (letter === " ") cells.push(make("td"));
    else if (letter === "C") cells.push(make("td", { class: "full" }, isolated(row.texts[column])));
    else {
      const title = titleOf(letter, reference[column], row.texts[column]);
      cells.push(make("td", { class: `mark ${letter.toLowerCase()}`, title }, isolated(visible(row.texts[column]) || "▁"), make("span", { class: "hidden" }, title)));
    }
  }
  if (same) cells.push(sameCell(same));
  return cells;
}

function referenceCells({ reference, rows }, line) {
  return line.map((column) => {
    if (column === null) return make("td", { class: "fold", title: "the same in all systems" }, "⋯");
    if (!reference[column]) return make("td", { class: "gap" }, "▁");
    const isWrong = rows.some((row) => row.letters[column] !== "C");
    const isLost = rows.length > 0 && rows.every((row) => row.letters[column] === "D");
    return make("td", { class: isLost ? "lost" : null }, isolated(isWrong ? visible(reference[column]) : reference[column]));
  });
}

// One table per line, so that a line is never split between systems.
function gridTables(dataset, segment, systems, state, room) {
  const lines = chosenGrids(segment, systems, state.unit).flatMap((chosen) => {
    const columns = state.view === "full" ? chosen.columns : foldSame(chosen);
    return wrapColumns(columns, chosen, room, state.unit).map((line) => ({ chosen, line }));
  });
  const direction = isRightToLeft(segment.reference) ? "rtl" : "ltr";
  const table = ({ chosen, line }) => make("table", { class: state.unit === "words" ? "grid words" : "grid", dir: direction },
    make("tr", { class: "reference" }, make("th", { scope: "row" }, "reference"), ...referenceCells(chosen, line)),
    ...chosen.rows.map((row) => make("tr", {},
      make("th", { scope: "row" }, isolated(dataset.systems[row.system].name)), ...rowCells(row, chosen.reference, line, state.view))));
  const container = make("div", { class: "grids" }, ...lines.slice(0, MOST_LINES).map(table));
  if (lines.length > MOST_LINES) {
    const more = make("button", { type: "button", onclick: () => more.replaceWith(...lines.slice(MOST_LINES).map(table)) }, `Show ${plural(lines.length - MOST_LINES, "more line")}`);
    container.append(more);
  }
  return container;
}

// The grid as text, letters of operations below each row.
function gridText(dataset, segment, systems, unit) {
  return chosenGrids(segment, systems, unit).map((chosen) => textOfGrid(dataset, chosen)).join("\n\n");
}

function textOfGrid(dataset, chosen) {
  const widths = chosen.columns.map((column) => Math.max(...[chosen.reference[column], ...chosen.rows.map((row) => row.texts[column])].map((text) => widthOf(visible(text)))));
  const pad = (text, place) => text + " ".repeat(Math.max(0, widths[place] - widthOf(text)));
  const names = chosen.rows.map((row) => dataset.systems[row.system].name);
  const label = Math.max("REF".length, ...names.map((name) => name.length)) + 2;
  const line = (name, cells) => `${name.padEnd(label)}${cells.map(pad).join(" ")}`.trimEnd();
  const lines = [line("REF", chosen.columns.map((column) => visible(chosen.reference[column]) || "▁"))];
  chosen.rows.forEach((row, place) => {
    lines.push(line(names[place], chosen.columns.map((column) => (row.letters[column] === "C" ? "·" : row.letters[column] === " " ? "" : visible(row.texts[column]) || "▁"))));
    const letters = line("", chosen.columns.map((column) => (row.letters[column] === "C" ? "" : row.letters[column])));
    if (letters.trim()) lines.push(letters);
  });
  return lines.join("\n");
}
