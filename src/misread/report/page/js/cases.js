// What a flag is called, and what it means.
const FLAGS = {
/* kinds of marks */
};

// Kinds of segments worth looking at: a name, and a test of a segment.
function casesOf(dataset, systems, unit) {
  const errors = (position) => systems.map((system) => dataset.errors(unit, system, position));
  const lengths = dataset.index.lengths[unit];
  const several = systems.length > 1;
  return [
    { id: "any_wrong", label: "any wrong", test: (position) => errors(position).some((count) => count > 0) },
    several && { id: "only_one_right", label: "only one right", test: (position) => errors(position).filter((count) => count === 0).length === 1 },
    several && { id: "only_one_wrong", label: "only one wrong", test: (position) => errors(position).filter((count) => count > 0).length === 1 },
    several && systems.length === dataset.systems.length && {
      id: "same_wrong", label: "all wrong the same way", hint: "The reference is suspect.", test: (position) => dataset.sameWrong.has(position),
    },
    { id: "long_insertion", label: "insertions longer than the reference", hint: "Repeated or invented text.", test: (position) => systems.some((system) => dataset.count(unit, system, position, 2) > lengths[position]) },
    { id: "above_100", label: "rate above 100 %", test: (position) => errors(position).some((count) => count !== null && count > lengths[position]) },
    { id: "no_output", label: "empty or no output", test: (position) => systems.some((system) => dataset.errors(unit, system, position) === null || dataset.empty[system].has(position)) },
    ...Object.keys(dataset.flags).map((kind) => ({
      id: `flag_${kind}`, label: FLAGS[kind][0], hint: FLAGS[kind][1], test: (position) => systems.some((system) => dataset.flags[kind][system].has(position)),
    })),
    { id: "all_exact", label: "all exact", test: (position) => errors(position).every((count) => count === 0) },
  ].filter(Boolean);
}

// The test of a segment for a filter as written in the address; null for one that this data set does not have.
function filterTest(dataset, filter, systems, unit) {
  const [family, first, second] = filter.split(":");
  if (family === "case") return casesOf(dataset, systems, unit).find((one) => one.id === first)?.test ?? null;
  if (family === "kind") {
    const kind = "SDI".indexOf(first);
    return kind < 0 || !first ? null : (position) => systems.some((system) => dataset.count(unit, system, position, kind) > 0);
  }
  if (family === "wrong") {
    const [wrong, right] = [first, second].map((id) => dataset.systems.findIndex((system) => system.id === id));
    if (wrong < 0 || right < 0) return null;
    return (position) => dataset.errors(unit, wrong, position) > 0 && dataset.errors(unit, right, position) === 0;
  }
  if (family === "both") return areaTest(dataset, filter.split(":").slice(1), unit);
  if (family === "read") {
    const [system, reference, hypothesis] = filter.split(":").slice(1).map((part) => decodeURIComponent(part));
    const number = dataset.systems.findIndex((one) => one.id === system);
    if (number < 0 || hypothesis === undefined) return null;
    const test = (position, segment) => segment.grids.characters.some((grid) => hasConfusion(grid, number, reference, hypothesis));
    return Object.assign(test, { needsTexts: true });
  }
  if (family === "in") {
    const rest = filter.slice(3);
    const column = dataset.index.columns.find((candidate) => rest.startsWith(`${candidate.name}:`));
    const code = column ? column.values.indexOf(rest.slice(column.name.length + 1)) : -1;
    return code < 0 ? null : (position) => column.codes[position] === code;
  }
  return null;
}

// What a filter asks for, in words and with the names of systems; null for one that this data set does not have.
function filterName(dataset, filter, systems, unit) {
  if (!filterTest(dataset, filter, systems, unit)) return null;
  const name = (id) => dataset.systems.find((system) => system.id === id).name;
  const [family, ...parts] = filter.split(":");
  const range = (text) => rangeText(text.split("-"));
  return {
    case: () => casesOf(dataset, systems, unit).find((one) => one.id === parts[0]).label,
    kind: () => `${OPERATIONS[parts[0]]}s`,
    wrong: () => `${name(parts[0])} wrong, ${name(parts[1])} right`,
    both: () => `errors of ${name(parts[0])}: ${range(parts[2])}, of ${name(parts[1])}: ${range(parts[3])}`,
    read: () => {
      const [read, reference, hypothesis] = parts.map((part) => decodeURIComponent(part));
      return `${name(read)}: ${visible(reference) || "nothing"} read as ${visible(hypothesis) || "nothing"}`;
    },
    in: () => {
      const column = dataset.index.columns.find((candidate) => filter.startsWith(`in:${candidate.name}:`));
      return `${column.name}: ${filter.slice(`in:${column.name}:`.length) || "(none)"}`;
    },
  }[family]();
}

function hasConfusion([references, rows], system, reference, hypothesis) {
  if (rows[system] === null) return false;
  const [letters, texts] = rows[system];
  let next = 0;
  for (let column = 0; column < letters.length; column += 1) {
    const letter = letters[column];
    if (letter === "C" || letter === " ") continue;
    const text = letter === "D" ? "" : texts[next++];
    if (references[column] === reference && text === hypothesis) return true;
  }
  return false;
}
