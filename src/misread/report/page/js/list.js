// A list that has only its visible part in the document. Heights are guessed and then measured; the visible part
// does not move when a guess above it was wrong.
const BEYOND = 600;
const MOST_ELEMENTS = 60;

class VirtualList {
  // `draw(item, place)` makes the element of an item, `guess(item)` its height, `isReady(item)` says whether it can
  // be drawn in full, `load(item)` is a promise of that.
  constructor(pane, { draw, guess, isReady, load }) {
    Object.assign(this, { pane, draw, guess, isReady, load });
    this.stack = make("ol", { class: "stack" });
    pane.replaceChildren(this.stack);
    this.elements = new Map();
    this.setItems([]);
    // Unfolding a text changes the height of its item.
    this.stack.addEventListener("toggle", () => this.render(), true);
    let waiting = false;
    pane.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.render(); });
    });
  }

  setItems(items) {
    this.items = items;
    this.heights = Float64Array.from(items, (item) => this.guess(item));
    this.offsets = new Float64Array(items.length + 1);
    this.elements.clear();
    this.stack.replaceChildren();
    this.place();
  }

  place() {
    for (let index = 0; index < this.items.length; index += 1) this.offsets[index + 1] = this.offsets[index] + this.heights[index];
    this.stack.style.height = `${this.offsets[this.items.length]}px`;
  }

  at(offset) {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle + 1] <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  render() {
    // Heights become known while drawing; the second round draws what has become visible.
    for (let round = 0; round < 3 && this.renderOnce(); round += 1);
  }

  renderOnce() {
    const top = this.pane.scrollTop;
    const first = this.at(Math.max(0, top - BEYOND));
    const last = Math.min(this.at(top + this.pane.clientHeight + BEYOND), this.items.length - 1, first + MOST_ELEMENTS - 1);
    for (const [index, element] of this.elements) {
      if ((index < first || index > last) && !element.contains(document.activeElement)) {
        element.remove();
        this.elements.delete(index);
      }
    }
    for (let index = first; index <= last; index += 1) if (!this.elements.has(index)) this.add(index);
    return this.measure();
  }

  add(index) {
    const item = this.items[index];
    const element = make("li", { "aria-posinset": index + 1, "aria-setsize": this.items.length }, this.draw(item, index));
    const next = [...this.elements.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.stack.insertBefore(element, next === undefined ? null : this.elements.get(next));
    this.elements.set(index, element);
    if (!this.isReady(item)) {
      this.load(item).then(() => {
        if (this.elements.get(index) !== element) return;
        const hadFocus = element.contains(document.activeElement);
        element.replaceChildren(this.draw(item, index));
        if (hadFocus) element.firstChild.focus({ preventScroll: true });
        this.render();
      });
    }
  }

  measure() {
    const anchor = this.at(this.pane.scrollTop);
    const before = this.offsets[anchor];
    let changed = false;
    for (const [index, element] of this.elements) {
      const height = element.offsetHeight;
      if (Math.abs(height - this.heights[index]) > 0.5) {
        this.heights[index] = height;
        changed = true;
      }
    }
    if (changed) {
      this.place();
      const moved = this.offsets[anchor] - before;
      if (moved) this.pane.scrollTop += moved;
    }
    for (const [index, element] of this.elements) element.style.transform = `translateY(${this.offsets[index]}px)`;
    return changed;
  }

  // Bring an item to the top of the pane, or at least into view.
  reveal(index) {
    const top = this.offsets[index];
    this.pane.scrollTop = top;
    this.render();
    this.pane.scrollTop = this.offsets[index];
    this.render();
  }

  // Draw the visible part again, such as for another width.
  redraw() {
    const anchor = this.at(this.pane.scrollTop);
    this.setItems(this.items);
    this.pane.scrollTop = this.offsets[anchor];
    this.render();
  }
}
