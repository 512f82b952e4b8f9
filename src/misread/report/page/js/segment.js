// One segment: its name and numbers, image or audio, text and grid.
const LONGEST_PLAIN = 600;

function mediumOf(dataset, position) {
  const medium = dataset.index.media[position];
  if (!medium) return null;
  const [kind, isInside, link] = medium;
  const id = dataset.index.ids[position];
  if (!isInside) {
    const title = { image: "Image", audio: "Audio", file: "File" }[kind];
    return make("p", { class: "facts" }, make("a", { href: link }, `${title} of this segment`), " (not inside this page)");
  }
  const holder = document.getElementById(`medium-${dataset.number}-${position}`);
  const source = holder.src || holder.textContent;
  if (kind === "image") return make("img", { class: "medium", src: source, alt: `Image of segment ${id}` });
  return make("audio", { class: "medium", controls: true, preload: "none", src: source });
}

function facts(dataset, position, systems, unit) {
  const parts = dataset.index.columns.flatMap((column) => [`${column.name} `, isolated(dataset.label(column, position)), " · "]);
  parts.push(plural(dataset.index.lengths[unit][position], unit === "words" ? "word" : "character"));
  for (const system of systems) {
    const errors = dataset.errors(unit, system, position);
    parts.push(" · ", isolated(dataset.systems[system].name), " ", make("strong", {}, errors === null ? "no output" : String(errors)));
  }
  return make("p", { class: "facts" }, ...parts);
}

function rawTexts(dataset, segment, systems) {
  const entry = (name, text) => [make("dt", {}, isolated(name)), make("dd", { dir: "auto" }, text)];
  return make("dl", { class: "rows-raw" }, ...entry("reference", segment.rawReference || "∅ (empty)"),
    ...systems.flatMap((system) => entry(dataset.systems[system].name, segment.raw(system) === null ? "— (no output)" : segment.raw(system) || "∅ (empty)")));
}

// The reference as running text; that of a whole page is folded, as the grid shows it too.
function plainText(reference) {
  const text = make("p", { class: "plain", dir: "auto" }, reference || "∅ (empty reference)");
  return reference.length > LONGEST_PLAIN ? make("details", {}, make("summary", { class: "facts" }, "text of the reference"), text) : text;
}

function absences(dataset, segment, systems) {
  return systems.flatMap((system) => {
    const name = isolated(dataset.systems[system].name);
    if (segment.text(system) === "") return [make("p", { class: "facts" }, name, " ∅ (empty)")];
    if (segment.text(system) !== null) return [];
    return [make("p", { class: "facts" }, name, " — (no output)", segment.reason(system) ? `: ${segment.reason(system)}` : "")];
  });
}

function flagTexts(dataset, segment, systems) {
  return systems.flatMap((system) => segment.flags(system).map(([kind, first, end, reason]) => make("p", { class: "facts" },
    isolated(dataset.systems[system].name), ` ⚑ ${FLAGS[kind][0]}, characters ${grouped(first)} to ${grouped(end)}: `, isolated(reason))));
}

function segmentArticle(view, position, place) {
  const { dataset, systems, state, room } = view;
  const id = dataset.index.ids[position];
  const link = make("a", { href: addressOf({ ...state, segment: id }), title: "Link to this segment" }, "¶", make("span", { class: "hidden" }, ` link to segment ${id}`));
  const copy = make("button", { type: "button", onclick: () => copyMarkdown(view, position) }, "Copy", make("span", { class: "hidden" }, ` segment ${id} as Markdown`));
  const head = make("h4", {}, isolated(id));
  const article = make("article", { class: "segment", tabindex: "-1", "data-position": position },
    make("span", { class: "tools" }, copy, link, `${grouped(place + 1)}/${grouped(view.found)}`), head, facts(dataset, position, systems, state.unit));
  const segment = dataset.peek(position);
  if (!segment) {
    article.append(make("p", { class: "waiting" }, "unpacking …"));
    return article;
  }
  const medium = mediumOf(dataset, position);
  if (medium) article.append(medium);
  if (state.view === "raw") {
    article.append(rawTexts(dataset, segment, systems));
    return article;
  }
  article.append(plainText(segment.reference));
  const isExact = systems.every((system) => dataset.errors(state.unit, system, position) === 0);
  if (isExact && state.view === "differences") article.append(make("p", { class: "facts" }, "exact in every system"));
  else article.append(gridTables(dataset, segment, systems, state, room));
  article.append(...absences(dataset, segment, systems), ...flagTexts(dataset, segment, systems));
  return article;
}

const escapeMarkdown = (text) => text.replace(/[\\`*_|<>[\]&~$]/g, "\\$&");

function segmentMarkdown({ dataset, systems, state }, position) {
  const segment = dataset.peek(position);
  const counts = systems.map((system) => `${dataset.systems[system].name} ${dataset.errors(state.unit, system, position) ?? "no output"}`);
  const grid = gridText(dataset, segment, systems, state.unit);
  // A fence longer than any in the text.
  const fence = "`".repeat(Math.max(3, ...[...grid.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const title = `**${escapeMarkdown(dataset.index.ids[position])}** (${escapeMarkdown(dataset.name)}) · ${escapeMarkdown(counts.join(" · "))}`;
  return `${title}\n\n${fence}\n${grid}\n${fence}\n`;
}

async function copyMarkdown(view, position) {
  await view.dataset.load(view.dataset.chunkOf(position));
  await copyText(segmentMarkdown(view, position), `Segment ${view.dataset.index.ids[position]}`);
}
