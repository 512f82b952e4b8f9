// One data set: its index, and its segments in chunks that are unpacked on demand.
class Dataset {
  constructor(number, key, name, index) {
    Object.assign(this, { number, key, name, index });
    this.length = index.ids.length;
    this.systems = index.systems;
    this.chunks = new Map();
    this.unpacked = new Map();
    this.tallies = new Map();
    this.positions = new Map(index.ids.map((id, position) => [id, position]));
    this.sameWrong = new Set(index.same_wrong);
    this.flags = Object.fromEntries(Object.entries(index.flags).map(([kind, of]) => [kind, of.map((positions) => new Set(positions))]));
    this.empty = index.empty.map((positions) => new Set(positions));
  }

  // Substitutions, deletions or insertions (0, 1, 2); -1 where the system has no output.
  count(unit, system, position, kind) {
    return this.index.counts[unit][system][3 * position + kind];
  }

  // All errors; null where the system has no output.
  errors(unit, system, position) {
    const counts = this.index.counts[unit][system];
    const at = 3 * position;
    return counts[at] < 0 ? null : counts[at] + counts[at + 1] + counts[at + 2];
  }

  disagreement(unit, systems, position) {
    let least = Infinity;
    let most = -Infinity;
    let known = 0;
    for (const system of systems) {
      const errors = this.errors(unit, system, position);
      if (errors === null) continue;
      known += 1;
      if (errors < least) least = errors;
      if (errors > most) most = errors;
    }
    return known === 0 ? 0 : known === 1 ? most : most - least;
  }

  label(column, position) {
    return column.values[column.codes[position]];
  }

  chunkOf(position) {
    const starts = this.index.starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  load(chunk) {
    if (!this.chunks.has(chunk)) {
      this.chunks.set(chunk, unpack(`chunk-${this.number}-${chunk}`).then((segments) => {
        this.unpacked.set(chunk, segments);
        return segments;
      }));
    }
    return this.chunks.get(chunk);
  }

  loadAll() {
    return Promise.all(this.index.starts.map((_, chunk) => this.load(chunk)));
  }

  // The segment if its chunk is unpacked, else null.
  peek(position) {
    const chunk = this.chunkOf(position);
    const segments = this.unpacked.get(chunk);
    return segments ? new Segment(segments[position - this.index.starts[chunk]]) : null;
  }
}

// Names for the parts of a segment, packed as a list by misread.report.page.explorer.
class Segment {
  constructor([reference, raw, outputs, grids]) {
    Object.assign(this, { reference, rawReference: raw === 0 ? reference : raw, outputs, grids: { characters: grids[0], words: grids[1] } });
  }

  text(system) {
    return this.outputs[system][0];
  }

  raw(system) {
    const [text, raw] = this.outputs[system];
    return text === null || raw === 0 ? text : raw;
  }

  // Why the output is suspect: kind, first character, one past the last, words.
  flags(system) {
    return this.outputs[system][2] ?? [];
  }

  reason(system) {
    const [text, reason] = this.outputs[system];
    return text === null ? reason : "";
  }
}
