// The explorer: state from the address, controls above, the list of segments below, and the keyboard.
const HELP = [
  ["j / k", "next / previous segment"], ["n / p", "next / previous error in it"], ["d", "next segment on which systems disagree"],
  ["/", "search"], ["1 – 9", "show or hide a system"], ["c", "characters or words"], ["f", "differences or full text"], ["r", "raw text"],
  ["y", "copy the link to the segment"], ["m", "copy the segment as Markdown"], ["?", "this help"], ["Esc", "leave search or help"],
];
const SEARCH_HELP = 'A phrase anywhere, /a pattern/, ref:word, SYSTEM:word, GROUP:value, id:part, err>3, len<20; "two words" after a colon.';

class Explorer {
  constructor(root, datasets) {
    Object.assign(this, { root, datasets });
    this.current = -1;
    this.ways = make("div", { class: "controls ways" });
    this.filters = make("div", { class: "filters" });
    this.scatter = make("details", { class: "scatters", ontoggle: () => this.drawScatter() }, make("summary", {}, "errors of one system against errors of another"), make("div", { class: "wide" }));
    this.search = make("input", { type: "search", placeholder: "de la, /[0-9]{4}/, ref:rue, err>3", title: SEARCH_HELP, autocomplete: "off", spellcheck: "false" });
    this.active = make("div", { class: "active", role: "group", "aria-label": "Active filters" });
    this.count = make("strong", { id: "found" });
    this.remark = make("span");
    const clear = make("button", { type: "button", onclick: () => this.update({ filter: [], search: "" }) }, "Clear filters");
    const help = make("button", { type: "button", "aria-keyshortcuts": "?", onclick: () => this.help.showModal() }, "Keys ?");
    const step = (label, key, title) => make("button", { type: "button", "aria-keyshortcuts": key, title, onclick: () => this.press(key) }, label);
    this.pane = make("div", { class: "pane", tabindex: "0", role: "region", "aria-label": "Segments found" });
    this.help = this.makeHelp();
    root.append(
      make("div", { class: "controls" }, make("label", { class: "field grow" }, "search", this.search), this.ways), this.filters, this.scatter,
      make("div", { class: "found" }, make("span", {}, this.count, " ", this.remark), clear, step("◂ previous", "k", "k"), step("next ▸", "j", "j"), step("next error", "n", "n"), help),
      this.active, this.pane, this.help);
    this.list = new VirtualList(this.pane, {
      draw: (position, place) => this.draw(position, place),
      guess: (position) => this.guess(position),
      isReady: (position) => this.view.dataset.peek(position) !== null,
      load: (position) => this.view.dataset.load(this.view.dataset.chunkOf(position)),
    });
    this.search.addEventListener("input", () => this.later(() => this.update({ search: this.search.value })));
    addEventListener("hashchange", () => { if (location.hash.includes("=")) this.show(readAddress(), true); });
    addEventListener("resize", () => this.later(() => { this.measureRoom(); this.list.redraw(); }));
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  makeHelp() {
    const keys = HELP.map(([key, meaning]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, meaning)]).flat();
    const dialog = make("dialog", { "aria-labelledby": "help-title" }, make("h3", { id: "help-title" }, "Keys"), make("dl", {}, ...keys),
      make("h3", {}, "Search"), make("p", {}, SEARCH_HELP), make("button", { type: "button", onclick: () => dialog.close() }, "Close"));
    return dialog;
  }

  later(action) {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, 120);
  }

  update(changes) {
    return this.show({ ...this.view.state, ...changes }, false);
  }

  // Show a state; `isFromAddress` for one that somebody else wrote, whose segment is scrolled to.
  async show(wanted, isFromAddress) {
    const dataset = this.datasets.find((one) => one.key === wanted.dataset) ?? this.datasets[0];
    const ids = wanted.system.split(",").filter(Boolean);
    let systems = dataset.systems.flatMap((system, number) => (ids.includes(system.id) ? [number] : []));
    if (!systems.length) systems = [...dataset.systems.keys()];
    const sorts = sortsOf(dataset, systems);
    const state = { ...wanted, sort: sorts.some((sort) => sort.id === wanted.sort) ? wanted.sort : sorts[0].id };
    // Of two pending answers, only the later one is shown.
    const turn = (this.turn = (this.turn ?? 0) + 1);
    let positions = [];
    let broken = "";
    try {
      if (state.search.trim()) this.remark.textContent = "searching …";
      positions = await select(dataset, state, systems);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      broken = error.message;
    }
    if (turn !== this.turn) return;
    this.view = { dataset, systems, state, found: positions.length };
    this.measureRoom();
    this.drawControls(broken);
    const wantedPosition = dataset.positions.get(state.segment);
    const place = wantedPosition === undefined ? -1 : positions.indexOf(wantedPosition);
    this.current = place;
    this.list.setItems(positions);
    this.list.render();
    if (!positions.length) this.list.stack.append(make("li", { class: "nothing" }, "No segment matches."));
    if (state.segment && wantedPosition === undefined) this.remark.textContent = `Segment “${state.segment}” is not in this report (data set ${dataset.name}).`;
    else if (state.segment && place < 0) this.remark.textContent = `Segment “${state.segment}” is not among the segments found.`;
    if (place >= 0) this.go(place, { focus: false });
    else this.pane.scrollTop = 0;
    if (isFromAddress && location.hash.includes("=")) this.root.scrollIntoView({ block: "start" });
    else writeAddress(this.written());
    announce(this.count.textContent);
  }

  // The state as written to the address, without defaults.
  written() {
    const { dataset, systems, state } = this.view;
    const isFirstSort = state.sort === sortsOf(dataset, systems)[0].id;
    return { ...state, dataset: this.datasets.length > 1 ? dataset.key : "", sort: isFirstSort ? "" : state.sort };
  }

  drawControls(broken) {
    const { dataset, state, found } = this.view;
    const update = (changes) => this.update(changes);
    // The control that was used keeps the focus when it is drawn again.
    const pressable = () => [...this.root.querySelectorAll(":is(.ways, .filters, .scatters, .active) :is(button, select)")];
    const focused = pressable().indexOf(document.activeElement);
    this.ways.replaceChildren(...viewRow(this.view, update));
    this.filters.replaceChildren(filterRow(this.view, update, this.datasets), chipRow(this.view, update));
    const chips = activeChips(this.view, update);
    this.active.replaceChildren(...chips);
    this.active.hidden = !chips.length;
    this.drawScatter();
    if (focused >= 0) (pressable()[focused] ?? this.search).focus();
    if (document.activeElement !== this.search) this.search.value = state.search;
    this.search.setAttribute("aria-invalid", String(Boolean(broken)));
    this.count.textContent = `${grouped(found)} of ${grouped(dataset.length)}`;
    const unknown = state.filter.filter((filter) => !filterTest(dataset, filter, this.view.systems, state.unit));
    this.remark.textContent = broken || (unknown.length ? `unknown filter: ${unknown.join(", ")}` : found ? "segments" : "segments; clear the filters to see all");
  }

  // Counted only while it is open.
  drawScatter() {
    this.scatter.hidden = this.view.systems.length < 2;
    if (this.scatter.open && !this.scatter.hidden) this.scatter.lastElementChild.replaceChildren(scatterTable(this.view, (changes) => this.update(changes)));
  }

  measureRoom() {
    const probe = make("table", { class: "grid" }, make("tr", {}, make("td", {}, "m".repeat(100))));
    this.pane.append(probe);
    const letter = (probe.offsetWidth - 2) / 100;
    probe.remove();
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const names = this.view.systems.map((system) => this.view.dataset.systems[system].name.length);
    const label = Math.min(12 * rem, Math.max("reference".length, ...names) * 0.5 * rem) + rem;
    this.view.room = { letter, width: Math.max(12 * letter, this.pane.clientWidth - label - 4.5 * rem) };
  }

  guess(position) {
    const { dataset, systems, room, state } = this.view;
    const length = dataset.index.lengths.characters[position] || 1;
    const lines = Math.min(MOST_LINES, Math.ceil((length * (room.letter + 2)) / room.width));
    const medium = dataset.index.media[position];
    const grid = state.view === "raw" ? 0 : lines * 24 * (systems.length + 1);
    return 90 + lines * 22 + grid + (medium?.[1] ? 70 : medium ? 24 : 0);
  }

  draw(position, place) {
    const article = segmentArticle({ ...this.view, state: this.linkState() }, position, place);
    if (place === this.current) article.setAttribute("aria-current", "true");
    article.addEventListener("click", () => { if (this.current !== place) this.mark(place); });
    return article;
  }

  linkState() {
    return { ...this.written(), unit: this.view.state.unit, view: this.view.state.view };
  }

  article(place) {
    return this.list.elements.get(place)?.querySelector("article");
  }

  mark(place) {
    this.article(this.current)?.removeAttribute("aria-current");
    this.current = place;
    this.here = -1;
    this.article(place)?.setAttribute("aria-current", "true");
    this.view.state.segment = this.view.dataset.index.ids[this.list.items[place]];
    writeAddress(this.written());
  }

  go(place, { focus }) {
    if (place < 0 || place >= this.list.items.length) return;
    this.mark(place);
    this.list.reveal(place);
    this.article(place)?.setAttribute("aria-current", "true");
    if (focus) this.article(place)?.focus({ preventScroll: true });
  }

  goToError(step) {
    const marks = [...(this.article(this.current)?.querySelectorAll(".mark") ?? [])];
    if (!marks.length) return;
    marks[this.here]?.classList.remove("here");
    this.here = (this.here ?? -1) + step;
    if (this.here < 0) this.here = marks.length - 1;
    if (this.here >= marks.length) this.here = 0;
    marks[this.here].classList.add("here");
    marks[this.here].scrollIntoView({ block: "nearest", inline: "nearest" });
    announce(marks[this.here].title);
  }

  nextDisagreement() {
    const { dataset, systems, state } = this.view;
    const place = this.list.items.findIndex((position, index) => index > this.current && dataset.disagreement(state.unit, systems, position) > 0);
    if (place >= 0) this.go(place, { focus: true });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (event.key === "Escape" && event.target === this.search) {
      this.pane.focus();
      return;
    }
    if (!isTyping && this.press(event.key)) event.preventDefault();
  }

  // Act on a key; whether it has a meaning.
  press(key) {
    const { dataset, systems, state } = this.view;
    const number = "123456789".indexOf(key);
    if (number >= 0) {
      if (number >= dataset.systems.length) return false;
      this.update({ system: toggleSystem(dataset, systems, number) });
      return true;
    }
    const actions = {
      j: () => this.go(this.current + 1, { focus: true }),
      k: () => this.go(this.current - 1, { focus: true }),
      n: () => { if (this.current < 0) this.go(0, { focus: true }); this.goToError(1); },
      p: () => this.goToError(-1),
      d: () => this.nextDisagreement(),
      c: () => this.update({ unit: state.unit === "characters" ? "words" : "characters" }),
      f: () => this.update({ view: state.view === "full" ? "differences" : "full" }),
      r: () => this.update({ view: state.view === "raw" ? "differences" : "raw" }),
      y: () => copyText(location.href, "Link"),
      m: () => { if (this.current >= 0) copyMarkdown(this.view, this.list.items[this.current]); },
      "/": () => { this.search.focus(); this.search.select(); },
      "?": () => this.help.showModal(),
    };
    if (!actions[key]) return false;
    actions[key]();
    return true;
  }
}
