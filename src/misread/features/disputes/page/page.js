// One span at a time: its image or audio, what was read, and what a person says stands there.
const NOTHING_TYPED = "Nothing was typed: type what stands there, or say that nothing does.";

class Truths {
  // Of every span by its key: a text, or null where it cannot be read. They are kept one by one, as they are typed.
  constructor(store) {
    this.store = store;
    this.texts = new Map();
    this.isKept = true;
    try {
      for (let index = 0; index < localStorage.length; index += 1) {
        const name = localStorage.key(index);
        if (name.startsWith(`${store}-`)) this.texts.set(name.slice(store.length + 1), JSON.parse(localStorage.getItem(name)));
      }
    } catch {
      this.isKept = false;
    }
  }

  set(key, text) {
    this.texts.set(key, text);
    this.keep(() => localStorage.setItem(`${this.store}-${key}`, JSON.stringify(text)));
  }

  clear(key) {
    this.texts.delete(key);
    this.keep(() => localStorage.removeItem(`${this.store}-${key}`));
  }

  keep(write) {
    try {
      write();
    } catch {
      this.isKept = false;
    }
    document.getElementById("forgets").hidden = this.isKept;
  }
}

const element = (id) => document.getElementById(id);

function visible(text) {
  if (text === "") return ["∅ (nothing)"];
  return text.split(/( |\n)/).map((part) => (part === " " ? make("span", { class: "space" }, " ") : part === "\n" ? "⏎" : part));
}

// As `misread.text.display.guard_formula`: no spreadsheet computes what was read or typed.
function guarded(text) {
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
  return /^'*\s*[=+\-@\uff1d\uff0b\uff0d\uff20][^]/.test(text) && !isNumber ? `'${text}` : text;
}

class Typing {
  constructor(data) {
    this.data = data;
    this.spans = data.spans.map(([key, segment, cluster, page, before, readings, cells, after, share, medium]) => (
      { key, segment, cluster, page, before, readings, cells, after, share, medium }));
    this.truths = new Truths(data.store);
    this.position = Math.max(0, this.spans.findIndex((span) => !this.truths.texts.has(span.key)));
    this.field = element("truth");
  }

  get span() {
    return this.spans[this.position];
  }

  start() {
    element("card").hidden = false;
    element("forgets").hidden = this.truths.isKept;
    element("previous").addEventListener("click", () => this.go(this.position - 1));
    element("next").addEventListener("click", () => this.go(this.position + 1));
    element("open").addEventListener("click", () => this.goToOpen());
    element("unreadable").addEventListener("click", () => this.accept(null));
    element("nothing").addEventListener("click", () => this.accept(""));
    element("clear").addEventListener("click", () => this.reopen());
    element("save-lines").addEventListener("click", () => this.save("jsonl", this.lines()));
    element("save-table").addEventListener("click", () => this.save("csv", this.table()));
    this.field.addEventListener("input", () => this.type());
    document.addEventListener("keydown", (event) => this.press(event));
    this.show();
  }

  show() {
    const { span, position } = this;
    const unit = this.data.unit && span.cluster ? [` · ${this.data.unit} `, isolated(span.cluster)] : [];
    element("where").replaceChildren(`${grouped(position + 1)} of ${grouped(this.spans.length)} · segment `, isolated(span.segment), ...unit,
      ...(span.page ? [" · ", isolated(span.page)] : []));
    element("line").replaceChildren(span.before, make("mark", { id: "mark" }, "?"), span.after);
    element("readings").replaceChildren(...span.readings.map((reading, index) => make("li", {},
      make("button", { type: "button", onclick: () => this.accept(reading) }, index < 9 ? make("kbd", {}, String(index + 1)) : null, isolated("")))));
    element("readings").querySelectorAll("bdi").forEach((holder, index) => holder.append(...visible(span.readings[index])));
    this.showMedium();
    this.showTruth();
    element("previous").disabled = position === 0;
    element("next").disabled = position === this.spans.length - 1;
  }

  showTruth() {
    const { texts } = this.truths;
    const truth = texts.get(this.span.key);
    if (document.activeElement !== this.field) this.field.value = truth ?? "";
    element("readings").querySelectorAll("button").forEach((button, index) => button.setAttribute("aria-pressed", String(truth === this.span.readings[index])));
    element("unreadable").setAttribute("aria-pressed", String(truth === null));
    element("nothing").setAttribute("aria-pressed", String(truth === ""));
    element("clear").disabled = truth === undefined;
    element("mark").replaceChildren(...(truth ? visible(truth) : [truth === null ? "cannot be read" : truth === "" ? "∅" : "?"]));
    const done = this.spans.filter((span) => texts.has(span.key)).length;
    element("done").textContent = `${grouped(done)} of ${plural(this.spans.length, "span")} done`;
    Object.assign(element("bar"), { max: this.spans.length, value: done });
    document.title = `${element("done").textContent} – misread`;
  }

  // Only another segment needs another image. It is shown as large as it is, where the span may be.
  showMedium() {
    const { medium, share } = this.span;
    const holder = element("medium");
    if (holder.dataset.shown !== String(medium)) {
      holder.dataset.shown = String(medium);
      holder.replaceChildren(...(medium < 0 ? [] : [this.makeMedium(medium)]));
    }
    const image = holder.querySelector("img");
    if (!image) return;
    const scroll = () => {
      image.classList.toggle("wide", image.naturalWidth < 2.2 * holder.clientWidth);
      holder.scrollTop = share * holder.scrollHeight - holder.clientHeight / 2;
      if (image.naturalWidth > 3 * image.naturalHeight) holder.scrollLeft = share * holder.scrollWidth - holder.clientWidth / 2;
    };
    if (image.complete) scroll();
    else image.addEventListener("load", scroll, { once: true });
  }

  makeMedium(number) {
    const [kind, isInside, link] = this.data.media[number];
    if (!isInside) return make("p", { class: "facts" }, make("a", { href: link }, `${{ image: "Image", audio: "Audio", file: "File" }[kind]} of this segment`), " (not inside this page)");
    const source = element(`medium-${number}`).textContent;
    if (kind === "image") return make("img", { src: source, alt: `Image of segment ${this.span.segment}` });
    return make("audio", { controls: true, preload: "none", src: source });
  }

  accept(text) {
    this.truths.set(this.span.key, text);
    this.field.blur();
    this.showTruth();
    if (this.position < this.spans.length - 1) this.go(this.position + 1);
    else this.finish();
  }

  type() {
    const text = this.field.value;
    if (text.trim() || (text && this.span.readings.includes(text))) this.truths.set(this.span.key, text);
    else this.truths.clear(this.span.key);
    this.showTruth();
  }

  reopen() {
    this.truths.clear(this.span.key);
    this.field.value = "";
    this.showTruth();
    this.focusCard();
  }

  finish() {
    const open = this.spans.filter((span) => !this.truths.texts.has(span.key)).length;
    this.focusCard();
    announce(open ? `This is the last span; ${plural(open, "span")} are open.` : "All spans are done: save them.");
    if (!open) element("save-lines").focus();
  }

  go(position) {
    if (position < 0 || position >= this.spans.length) return;
    this.position = position;
    this.field.blur();
    this.show();
    this.focusCard();
    announce(`Span ${grouped(position + 1)}: ${this.span.readings.join(", or ")}`);
  }

  goToOpen() {
    const isOpen = (span) => !this.truths.texts.has(span.key);
    const after = this.spans.findIndex((span, index) => index > this.position && isOpen(span));
    const position = after < 0 ? this.spans.findIndex(isOpen) : after;
    if (position < 0) this.finish();
    else this.go(position);
  }

  focusCard() {
    element("card").focus({ preventScroll: true });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    // Some keyboards have digits above the signs of these keys.
    const digit = /^[1-9]$/.test(event.key) ? event.key : (!event.shiftKey && event.code.match(/^Digit([1-9])$/)?.[1]);
    const reading = digit ? this.span.readings[Number(digit) - 1] : undefined;
    const used = document.activeElement === this.field ? this.pressInField(event, reading) : this.pressOutside(event, reading);
    if (used) event.preventDefault();
  }

  pressInField(event, reading) {
    if (event.key === "Escape") return this.focusCard() ?? true;
    if (event.altKey && reading !== undefined) {
      this.field.value = reading;
      this.type();
      return true;
    }
    if (event.key !== "Enter" || event.shiftKey) return false;
    this.type();
    if (this.truths.texts.has(this.span.key)) this.accept(this.field.value);
    else announce(NOTHING_TYPED);
    return true;
  }

  pressOutside(event, reading) {
    const control = event.target.closest?.("button, summary, input, a, audio");
    const isItsOwn = ["Enter", " "].includes(event.key) || (event.key.startsWith("Arrow") && control?.matches("input, audio"));
    if (event.altKey || (control && isItsOwn)) return false;
    const actions = {
      ArrowLeft: () => this.go(this.position - 1), ArrowRight: () => this.go(this.position + 1),
      Delete: () => this.reopen(), Backspace: () => this.reopen(), Enter: () => this.field.focus(),
    };
    if (element("keys").checked) {
      Object.assign(actions, {
        u: () => this.accept(null), e: () => this.accept(""), o: () => this.goToOpen(), t: () => this.field.focus(), a: () => this.play(),
      });
      if (reading !== undefined) return this.accept(reading) ?? true;
    }
    const action = actions[event.key];
    if (!action) return false;
    action();
    return true;
  }

  play() {
    const audio = element("medium").querySelector("audio");
    if (!audio) return;
    if (!audio.paused) audio.pause();
    else audio.play().catch(() => announce("The audio cannot be played."));
  }

  // Marks have a field of their own: any text may be a reading.
  written(span) {
    const truth = this.truths.texts.get(span.key);
    return { segment: span.segment, truth: truth || null, mark: truth === null ? this.data.unreadable : truth === "" ? this.data.nothing : null, key: span.key };
  }

  lines() {
    return [this.data.facts, ...this.spans.map((span) => this.written(span))].map((row) => `${JSON.stringify(row)}\n`).join("");
  }

  table() {
    const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = this.spans.map((span) => {
      const { segment, truth, mark, key } = this.written(span);
      const index = span.readings.indexOf(truth);
      return [guarded(segment), index < 0 ? guarded(truth ?? "") : span.cells[index], mark ?? "", key, this.data.made_with];
    });
    return [["segment", "truth", "mark", "key", "made_with"], ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
  }

  save(ending, text) {
    const address = URL.createObjectURL(new Blob([text], { type: ending === "csv" ? "text/csv" : "application/jsonl" }));
    make("a", { href: address, download: `filled.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    announce(`Saved as filled.${ending}`);
  }
}

unpack("data").then((data) => new Typing(data).start());
