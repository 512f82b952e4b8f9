// The static parts of the page stay in it for print and for old browsers.
async function startExplorer() {
  const indexes = [...document.querySelectorAll("script[id^='index-']")];
  if (!indexes.length) return;
  if (!canUnpack) {
    document.getElementById("too-old").hidden = false;
    return;
  }
  const datasets = await Promise.all(indexes.map(async (element) => {
    const number = Number(element.id.slice("index-".length));
    return new Dataset(number, element.dataset.key, element.dataset.name, await unpack(element.id));
  }));
  const root = document.getElementById("explorer");
  root.hidden = false;
  document.documentElement.classList.add("explores");
  await new Explorer(root, datasets).show(readAddress(), true);
}

document.documentElement.classList.add("scripted");
startTables();
startCopying();
addEventListener("beforeprint", () => document.querySelectorAll("details:is(.metric, .groups)").forEach((details) => { details.open = true; }));
// The tables are painted first; then the explorer unpacks its index.
requestAnimationFrame(() => setTimeout(startExplorer));
