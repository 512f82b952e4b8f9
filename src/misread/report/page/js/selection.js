// Choice and order of the segments shown.
function sortsOf(dataset, systems) {
  const several = systems.length > 1;
  return [
    several && { id: "disagreement", label: "disagreement" },
    { id: "errors", label: several ? "errors of all" : "errors" },
    ...(several ? systems.map((system) => ({ id: `errors:${dataset.systems[system].id}`, label: `errors of ${dataset.systems[system].name}` })) : []),
    { id: "rate", label: several ? "highest rate" : "rate" },
    { id: "length", label: "length" },
    { id: "order", label: "order of the data set" },
  ].filter(Boolean);
}

// The largest first; ties go to more errors, then to the shorter segment, then to the order of the data set.
function sortKey(dataset, sort, systems, unit) {
  const total = (position) => systems.reduce((sum, system) => sum + (dataset.errors(unit, system, position) ?? 0), 0);
  const lengths = dataset.index.lengths[unit];
  const [name, id] = sort.split(":");
  if (name === "order") return () => 0;
  if (name === "length") return (position) => lengths[position];
  if (name === "rate") {
    return (position) => Math.max(...systems.map((system) => (dataset.errors(unit, system, position) ?? 0) / Math.max(1, lengths[position])));
  }
  if (name === "errors" && id) {
    const system = dataset.systems.findIndex((one) => one.id === id);
    return (position) => dataset.errors(unit, system, position) ?? Infinity;
  }
  if (name === "errors") return total;
  return (position) => dataset.disagreement(unit, systems, position);
}

async function select(dataset, state, systems) {
  const tests = state.filter.map((filter) => filterTest(dataset, filter, systems, state.unit)).filter(Boolean);
  if (tests.some((test) => test.needsTexts)) await dataset.loadAll();
  let positions = [...dataset.index.ids.keys()].filter((position) => tests.every((test) => test(position, test.needsTexts ? dataset.peek(position) : null)));
  if (state.search.trim()) {
    const query = parseQuery(dataset, state.search, systems, state.unit);
    if (query.needsTexts) await dataset.loadAll();
    positions = positions.filter((position) => query.test(position, query.needsTexts ? dataset.peek(position) : null));
  }
  if (state.sort === "order") return positions;
  const key = sortKey(dataset, state.sort, systems, state.unit);
  const lengths = dataset.index.lengths[state.unit];
  const keyed = positions.map((position) => {
    const errors = systems.reduce((sum, system) => sum + (dataset.errors(state.unit, system, position) ?? 0), 0);
    return [key(position), errors, lengths[position], position];
  });
  const shorterFirst = state.sort === "length" ? 0 : 1;
  keyed.sort((a, b) => b[0] - a[0] || b[1] - a[1] || shorterFirst * (a[2] - b[2]) || a[3] - b[3]);
  return keyed.map((entry) => entry[3]);
}
