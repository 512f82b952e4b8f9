// The state of the page is the fragment of its address and nothing else, so that a link reproduces the whole view.
// #dataset=das22&segment=a-1&system=pero,kraken&filter=kind:S&filter=in:book:b1&sort=errors&search=ref:de&unit=words
const FIRST_VIEW = { dataset: "", segment: "", system: "", sort: "", search: "", unit: "characters", view: "differences" };

function parameters() {
  const hash = location.hash.slice(1);
  // An address without "=" is a place on the page.
  return new URLSearchParams(hash.includes("=") ? hash : "");
}

function readAddress() {
  const found = parameters();
  const state = { ...FIRST_VIEW, filter: found.getAll("filter") };
  for (const name of Object.keys(FIRST_VIEW)) if (found.has(name)) state[name] = found.get(name);
  return state;
}

function addressOf(state) {
  const written = new URLSearchParams();
  for (const [name, first] of Object.entries(FIRST_VIEW)) if (state[name] !== first) written.set(name, state[name]);
  for (const filter of state.filter) written.append("filter", filter);
  for (const [key, order] of orders()) written.append("order", `${key}=${order}`);
  // Colons and commas stay readable: fragments may contain them.
  return `#${written.toString().replaceAll("%3A", ":").replaceAll("%2C", ",")}`;
}

function writeAddress(state) {
  const address = addressOf(state);
  if (address === location.hash || (address === "#" && !location.hash.includes("="))) return;
  history.replaceState(null, "", address === "#" ? "#segments" : address);
}

// Orders of tables: pairs [key, "column:up"].
function orders() {
  return parameters().getAll("order").map((order) => order.split("="));
}

function setOrder(key, order) {
  const written = parameters();
  const kept = written.getAll("order").filter((other) => other.split("=")[0] !== key);
  written.delete("order");
  for (const other of [...kept, `${key}=${order}`]) written.append("order", other);
  history.replaceState(null, "", `#${written.toString().replaceAll("%3A", ":").replaceAll("%2C", ",")}`);
}
