// Controls above the list. Every control writes the state and asks for an update; none has a state of its own.
function toggle(label, isPressed, press, attributes = {}) {
  return make("button", { type: "button", "aria-pressed": String(isPressed), onclick: press, ...attributes }, ...(Array.isArray(label) ? label : [label]));
}

function buttonRow(title, buttons) {
  return make("fieldset", { class: "field" }, make("legend", {}, title), make("span", { class: "row" }, ...buttons));
}

function choice(title, options, value, change) {
  const select = make("select", { onchange: () => change(select.value) },
    ...options.map((option) => make("option", { value: option.value, selected: option.value === value }, option.label)));
  return make("label", { class: "field" }, title, select);
}

function labelChoice(column, view, update) {
  const prefix = `in:${column.name}:`;
  const current = view.state.filter.find((filter) => filter.startsWith(prefix)) ?? "";
  const counts = new Map();
  for (const code of column.codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const options = column.values.map((value, code) => ({ value: prefix + value, label: `${value || "(none)"} (${grouped(counts.get(code))})` }));
  return choice(column.name, [{ value: "", label: `all (${options.length})` }, ...options], current, (value) => {
    const others = view.state.filter.filter((filter) => !filter.startsWith(prefix));
    update({ filter: value ? [...others, value] : others });
  });
}

function pairChoice(view, update) {
  const { dataset, systems, state } = view;
  const current = state.filter.find((filter) => filter.startsWith("wrong:")) ?? "";
  const options = systems.flatMap((wrong) => systems.filter((right) => right !== wrong).map((right) => {
    const value = `wrong:${dataset.systems[wrong].id}:${dataset.systems[right].id}`;
    return { value, label: `${dataset.systems[wrong].name} wrong, ${dataset.systems[right].name} right (${grouped(countOf(view, value))})` };
  }));
  return choice("one wrong, one right", [{ value: "", label: "any" }, ...options], current, (value) => {
    const others = state.filter.filter((filter) => !filter.startsWith("wrong:"));
    update({ filter: value ? [...others, value] : others });
  });
}

// Number of segments that pass a filter, counted once per choice of systems and unit.
function countOf({ dataset, systems, state }, filter) {
  const key = `${state.unit} ${systems} ${filter}`;
  if (!dataset.tallies.has(key)) {
    const test = filterTest(dataset, filter, systems, state.unit);
    let count = 0;
    for (let position = 0; position < dataset.length; position += 1) if (test(position)) count += 1;
    dataset.tallies.set(key, count);
  }
  return dataset.tallies.get(key);
}

function toggleFilter(state, filter) {
  return state.filter.includes(filter) ? state.filter.filter((other) => other !== filter) : [...state.filter, filter];
}

function toggleSystem(dataset, systems, system) {
  const chosen = systems.includes(system) ? systems.filter((other) => other !== system) : [...systems, system].sort((a, b) => a - b);
  // Without any system nothing would be shown: the last one stays.
  const kept = chosen.length ? chosen : systems;
  return kept.length === dataset.systems.length ? "" : kept.map((one) => dataset.systems[one].id).join(",");
}

function systemButtons(view, update) {
  const { dataset, systems } = view;
  return buttonRow("systems", dataset.systems.map((system, number) => toggle(
    [number < 9 ? make("kbd", { "aria-hidden": "true" }, String(number + 1)) : "", " ", isolated(system.name)],
    systems.includes(number), () => update({ system: toggleSystem(dataset, systems, number) }))));
}

function chipRow(view, update) {
  const { dataset, systems, state } = view;
  return make("div", { class: "chips", role: "group", "aria-label": "Kinds of segments" }, ...casesOf(dataset, systems, state.unit).map((one) => {
    const filter = `case:${one.id}`;
    const count = make("span", { class: "count" }, grouped(countOf(view, filter)));
    return toggle([one.label, count], state.filter.includes(filter), () => update({ filter: toggleFilter(state, filter) }), { title: one.hint });
  }));
}

// A chip for everything that narrows the list; pressing it takes that away.
function activeChips({ dataset, systems, state }, update) {
  const chip = (label, changes) => make("button", { type: "button", "aria-label": `Remove: ${label}`, onclick: () => update(changes) }, isolated(label), " ✕");
  const filters = state.filter.map((filter) => chip(filterName(dataset, filter, systems, state.unit) ?? `unknown filter: ${filter}`,
    { filter: state.filter.filter((other) => other !== filter) }));
  const search = state.search.trim() ? [chip(`search: ${state.search.trim()}`, { search: "" })] : [];
  const hidden = dataset.systems.length - systems.length;
  const only = hidden ? [chip(`only ${systems.map((system) => dataset.systems[system].name).join(", ")}`, { system: "" })] : [];
  return [...only, ...filters, ...search];
}

function filterRow(view, update, datasets) {
  const { dataset, systems, state } = view;
  const kindButton = (letter, name) => toggle(make("span", { class: `mark ${letter.toLowerCase()}` }, isolated(letter)), state.filter.includes(`kind:${letter}`),
    () => update({ filter: toggleFilter(state, `kind:${letter}`) }), { title: `Segments with ${name}`, "aria-label": `Segments with ${name}` });
  return make("div", { class: "controls" },
    datasets.length > 1 ? choice("data set", datasets.map((one) => ({ value: one.key, label: one.name })), dataset.key, (key) => update({ dataset: key, system: "", filter: [], segment: "", sort: "" })) : null,
    dataset.systems.length > 1 ? systemButtons(view, update) : null,
    buttonRow("errors", [kindButton("S", "substitutions"), kindButton("D", "deletions"), kindButton("I", "insertions")]),
    ...dataset.index.columns.map((column) => labelChoice(column, view, update)),
    systems.length > 1 ? pairChoice(view, update) : null);
}

function viewRow(view, update) {
  const { dataset, systems, state } = view;
  const unitButton = (unit, label) => toggle(label, state.unit === unit, () => update({ unit }));
  const viewButton = (name, label, title) => toggle(label, state.view === name, () => update({ view: name }), { title });
  return [
    choice("sort by", sortsOf(dataset, systems).map((sort) => ({ value: sort.id, label: sort.label })), state.sort, (sort) => update({ sort })),
    buttonRow("unit", [unitButton("characters", "characters"), unitButton("words", "words")]),
    buttonRow("show", [viewButton("differences", "differences"), viewButton("full", "full text"), viewButton("raw", "raw", "As captured, before the normalizer; not aligned")]),
  ];
}
