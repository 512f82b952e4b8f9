// The search field: a phrase anywhere, /a pattern/, ref:word, SYSTEM:word, GROUP:value, id:part, err>3, len<20.
const COMPARISONS = { ">": (a, b) => a > b, "<": (a, b) => a < b, ">=": (a, b) => a >= b, "<=": (a, b) => a <= b, "=": (a, b) => a === b };

function matcher(text) {
  const pattern = /^\/(.+)\/([imsu]*)$/s.exec(text);
  if (pattern) {
    const expression = new RegExp(pattern[1], pattern[2].includes("u") ? pattern[2] : `${pattern[2]}u`);
    return (candidate) => expression.test(candidate);
  }
  const wanted = text.normalize("NFC").toLocaleLowerCase();
  return (candidate) => candidate.normalize("NFC").toLocaleLowerCase().includes(wanted);
}

// {needsTexts, test(position, segment)}; throws a SyntaxError for a broken pattern.
function parseQuery(dataset, text, systems, unit) {
  const tests = [];
  let needsTexts = false;
  const fields = /(?:^|\s)(?:(err|len)\s*(>=|<=|>|<|=)\s*(\d+)|([^\s:/"]+):(?:"([^"]*)"|(\/(?:\\.|[^/])+\/[imsu]*)|(\S+)))(?=\s|$)/gu;
  const whole = text.trim();
  const isPattern = /^\/.+\/[imsu]*$/s.test(whole);
  const rest = isPattern ? whole : whole.replace(fields, (all, measure, comparison, number, name, quoted, pattern, plain) => {
    if (measure) {
      const holds = COMPARISONS[comparison];
      const value = Number(number);
      tests.push(measure === "len"
        ? (position) => holds(dataset.index.lengths[unit][position], value)
        : (position) => systems.some((system) => { const errors = dataset.errors(unit, system, position); return errors !== null && holds(errors, value); }));
      return " ";
    }
    const wanted = quoted ?? pattern ?? plain;
    const test = fieldTest(dataset, name, wanted);
    if (!test) return all;
    needsTexts ||= test.needsTexts;
    tests.push(test.test);
    return " ";
  });
  const phrase = rest.trim();
  if (phrase) {
    const matches = matcher(phrase);
    needsTexts = true;
    tests.push((position, segment) => matches(dataset.index.ids[position]) || matches(segment.reference)
      || systems.some((system) => segment.text(system) !== null && matches(segment.text(system))));
  }
  return { needsTexts, test: (position, segment) => tests.every((test) => test(position, segment)) };
}

function fieldTest(dataset, name, wanted) {
  const key = name.toLocaleLowerCase();
  const matches = matcher(wanted);
  if (key === "ref" || key === "reference") return { needsTexts: true, test: (_, segment) => matches(segment.reference) };
  if (key === "id") return { needsTexts: false, test: (position) => matches(dataset.index.ids[position]) };
  const system = dataset.systems.findIndex((one) => one.id === key || one.name.toLocaleLowerCase() === key);
  if (system >= 0) return { needsTexts: true, test: (_, segment) => segment.text(system) !== null && matches(segment.text(system)) };
  const columns = dataset.index.columns;
  const column = columns.find((one) => one.name.toLocaleLowerCase() === key) ?? (key === "group" ? columns.at(-1) : undefined);
  return column ? { needsTexts: false, test: (position) => matches(dataset.label(column, position)) } : null;
}
