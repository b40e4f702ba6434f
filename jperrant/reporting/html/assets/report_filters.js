// Which sentences are shown and in which order: the form above them, and the fragment of the address that keeps it.
function setOptions(select, entries) {
  jp.fill(select, entries.map(([value, label]) => jp.el("option", { value }, label)));
}

// The types that can be chosen: all of an operation ("R:"), all of a label ("*:NOUN"), one type.
function typeChoices(types) {
  const choices = new Map();
  for (const one of types) {
    const parts = one.split(":");
    if (parts.length > 1 && /^[MUR]$/.test(parts[0])) {
      choices.set(parts[0] + ":", "all " + parts[0] + ":");
      choices.set("*:" + parts[1], "all " + parts[1]);
    }
    choices.set(one, one);
  }
  const rank = (value) => (value.endsWith(":") ? 0 : value.startsWith("*:") ? 1 : 2);
  return [...choices].sort(([x], [y]) => rank(x) - rank(y) || (x < y ? -1 : 1));
}

function typeFits(wanted, one) {
  if (!wanted || one === wanted) return true;
  if (wanted.startsWith("*:")) return (one.slice(2) + ":").startsWith(wanted.slice(2) + ":");
  return wanted.endsWith(":") && one.startsWith(wanted);
}

class Filters {
  constructor(sentences) {
    this.sentences = sentences;
    this.form = jp.id("filters");
    for (const name of ["text", "system", "type", "a", "b", "differ", "only"]) this[name] = jp.id("filter-" + name);
    this.order = jp.id("order");
    this.outcomes = [...this.form.querySelectorAll(".outcomes input[value]")];
    this.names = sentences.short.map((name, k) => [String(k), name]);
    this.fill();
  }
  fill() {
    setOptions(this.system, [["", "any system"], ...this.names]);
    setOptions(this.type, [["", "any type"], ...typeChoices(this.sentences.types)]);
    setOptions(this.order, this.orders());
    if (!this.a) return;
    setOptions(this.a, this.names);
    setOptions(this.b, this.names);
    this.b.value = "1";
  }
  // Orders have the number of their metric in their value.
  orders() {
    const orders = [["", "as in the text"], ["long", "longest first"], ["short", "shortest first"], ["edits", "most edits first"]];
    this.sentences.valueNames.forEach((value, m) => {
      if (this.a) orders.push(["+" + m, "A best against B by " + value], ["-" + m, "B best against A by " + value]);
      orders.push(["w" + m, "worst " + value + " of A first"], ["s" + m, "largest spread of " + value]);
    });
    return orders;
  }
  get query() {
    return {
      words: jp.folded(this.text.value).split(/\s+/).filter(Boolean), system: this.system.value, type: this.type.value,
      outcomes: this.outcomes.filter((box) => box.checked).map((box) => box.value),
      a: this.a ? Number(this.a.value) : 0, b: this.b ? Number(this.b.value) : 0,
      differ: Boolean(this.differ?.checked), only: Boolean(this.only?.checked), order: this.order.value,
    };
  }
  // The numbers of the systems that are shown; null for all.
  get onlyShown() {
    const { only, a, b } = this.query;
    return only ? [a, b] : null;
  }
  remember(number) {
    const q = this.query;
    jp.setFragment({
      q: this.text.value, system: q.system, type: q.type, outcome: q.outcomes.join(","), a: q.a || "", b: this.b && q.b !== 1 ? q.b : "",
      differ: q.differ ? 1 : "", only: q.only ? 1 : "", order: q.order, s: number || "",
    });
  }
  // Sets the form as the address says, and returns the number of the sentence that it names, or 0.
  recall() {
    const kept = jp.fragment();
    const has = (field, value) => [...field.options].some((option) => option.value === value);
    this.text.value = kept.q || "";
    for (const name of ["system", "type", "a", "b", "order"].filter((one) => this[one])) {
      const start = name === "b" ? "1" : this[name].options[0].value;
      this[name].value = has(this[name], kept[name]) ? kept[name] : start;
    }
    for (const box of this.outcomes) box.checked = (kept.outcome || "").split(",").includes(box.value);
    for (const name of ["differ", "only"]) if (this[name]) this[name].checked = kept[name] === "1";
    return kept.s ? Number(kept.s) : 0;
  }
  // The positions of the sentences that fit, in the order asked for.
  results() {
    const q = this.query;
    const all = this.sentences.rows.map((_, n) => n);
    const filtered = q.words.length || q.differ || q.type || q.outcomes.length || q.system !== "";
    const shown = filtered ? all.filter((n) => this.fits(this.sentences.get(n), q)) : all;
    const key = this.key(q);
    if (!key) return shown;
    const keys = new Map(shown.map((n) => [n, key(n)]));
    return shown.sort((x, y) => (keys.get(x) < keys.get(y) ? -1 : keys.get(x) > keys.get(y) ? 1 : x - y));
  }
  // A sentence fits if one edit of a chosen system, or one that it missed, has the type and one of the outcomes.
  fits(row, q) {
    if (!this.hasWords(row, q.words)) return false;
    if (q.differ && row.systems[q.a].key === row.systems[q.b].key) return false;
    const chosen = q.system === "" ? row.systems : [row.systems[q.system]];
    if (!q.type && !q.outcomes.length) return q.system === "" || chosen[0].edits.length > 0;
    const matching = (e) => typeFits(q.type, e.type) && (!q.outcomes.length || q.outcomes.includes(e.outcome));
    if (chosen.some((s) => s.edits.some(matching) || s.missed.some(matching))) return true;
    return !q.outcomes.length && q.system === "" && row.references.some((r) => r.edits.some(matching));
  }
  hasWords(row, words) {
    if (!words.length) return true;
    const corrections = row.table.map((e) => (e.correction || []).join(" "));
    const all = jp.folded([row.tokens.join(" "), ...corrections].join("\n"));
    return words.every((word) => all.includes(word));
  }
  // What sorts sentences upwards; null for the order of the text.
  key({ order, a, b }) {
    const { metrics, values } = this.sentences;
    const [kind, m] = [order[0], Number(order.slice(1))];
    const length = (n) => this.sentences.get(n).tokens.length;
    const better = (n, first, second) => {
      const [x, y] = [values[m][first][n], values[m][second][n]];
      return x === null || y === null ? -Infinity : (x - y) * (metrics[m][2] ? -1 : 1);
    };
    if (order === "long") return (n) => -length(n);
    if (order === "short") return length;
    if (order === "edits") return (n) => -this.sentences.get(n).systems.reduce((sum, s) => sum + s.edits.length, 0);
    if (kind === "+") return (n) => -better(n, a, b);
    if (kind === "-") return (n) => -better(n, b, a);
    if (kind === "w") return (n) => (values[m][a][n] === null ? Infinity : values[m][a][n] * (metrics[m][2] ? -1 : 1));
    if (kind === "s") return (n) => {
      const known = values[m].map((column) => column[n]).filter((v) => v !== null);
      return known.length ? Math.min(...known) - Math.max(...known) : 0;
    };
    return null;
  }
}
