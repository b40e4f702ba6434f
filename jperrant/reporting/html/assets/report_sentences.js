// The sentences of the report, each made into objects when it is first asked for.
const OUTCOME_OF = { r: "right", w: "wrong", n: "needless" };

class Sentences {
  constructor(data) {
    Object.assign(this, data);
    this.view = { join: data.join, lang: data.lang };
    this.cache = new Map();
    this.valueNames = data.metrics.map(([name, main]) => (name === main ? name : name + " " + main));
  }
  // One sentence with its edits as objects; made when it is first asked for.
  get(n) {
    if (!this.cache.has(n)) this.cache.set(n, this.make(this.rows[n]));
    return this.cache.get(n);
  }
  make([number, source, edits, references, systems, others]) {
    const split = (text) => (text === "" ? [] : text.split(" "));
    const table = edits.map(([start, end, type, words, alternatives]) => ({
      start, end, type: this.types[type], correction: words === null ? null : split(words),
      alternatives: (alternatives || []).map(split),
    }));
    const tokens = split(source);
    return {
      number, tokens, table,
      references: references.map(([annotator, own]) => ({ annotator, edits: own.map((e) => table[e]) })),
      systems: systems.map(([annotator, own, letters, missed], k) => ({
        annotator, missed: missed.map((e) => ({ ...table[e], outcome: "missed" })),
        tokens: others && others[k] !== undefined ? split(others[k]) : tokens,
        edits: own.map((e, i) => ({ ...table[e], outcome: OUTCOME_OF[letters[i]] })),
        key: JSON.stringify([annotator, own, letters, missed, others?.[k]]),
      })),
    };
  }
  // Systems that did the same, as lists of their numbers: all, or only some.
  groups(row, only) {
    const found = new Map();
    row.systems.forEach((one, k) => {
      if (only && !only.includes(k)) return;
      if (!found.has(one.key)) found.set(one.key, []);
      found.get(one.key).push(k);
    });
    return [...found.values()];
  }
  // References that are alike, as lists of them.
  references(row) {
    const found = new Map();
    for (const one of row.references) {
      const key = JSON.stringify(one.edits);
      found.set(key, [...(found.get(key) || []), one]);
    }
    return [...found.values()];
  }
  named(own) {
    return own.map((k) => this.systems[k]).join(", ");
  }
}
