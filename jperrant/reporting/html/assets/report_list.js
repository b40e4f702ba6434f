// The list of sentences, a page at a time.
const PAGE = 20;

// Whether two edits are about the same place, as share_place in sentence_data.py.
function sharePlace(x, y) {
  if (x.start === y.start && x.end === y.end) return true;
  if (x.start === x.end) return y.start < x.start && x.start < y.end;
  if (y.start === y.end) return x.start < y.start && y.start < x.end;
  return Math.max(x.start, y.start) < Math.min(x.end, y.end);
}

class SentenceList {
  // details: functions that give chunks and plans, by name; null if the report does not have them.
  constructor(sentences, filters, details) {
    Object.assign(this, { sentences, filters, details, view: sentences.view, shown: [], page: 0, open: {} });
  }
  // The metric whose values are shown: the one that sentences are sorted by, else the first.
  get metric() {
    const { order } = this.filters.query;
    return /^[-+ws]\d+$/.test(order) ? Number(order.slice(1)) : 0;
  }
  get valueName() { return this.sentences.valueNames[this.metric] || ""; }
  // Shows the sentences that fit, at the page of one of them; returns where that one is among them, or -1.
  refresh(number) {
    this.shown = this.filters.results();
    const position = number ? this.shown.findIndex((n) => this.sentences.rows[n][0] === number) : -1;
    this.page = position < 0 ? 0 : Math.floor(position / PAGE);
    const [all, fitting] = [this.sentences.rows.length, this.shown.length];
    const counted = all.toLocaleString("en") + (all === 1 ? " sentence" : " sentences");
    jp.fill(jp.id("count"), fitting === all ? counted : fitting.toLocaleString("en") + " of " + counted);
    this.draw();
    return position;
  }
  draw() {
    const part = this.shown.slice(this.page * PAGE, (this.page + 1) * PAGE);
    jp.fill(jp.id("list"), part.length ? part.map((n) => this.article(n)) : jp.el("p", { class: "empty" }, "No sentence fits these filters."));
    const last = Math.max(1, Math.ceil(this.shown.length / PAGE));
    for (const end of ["", "-foot"]) {
      jp.fill(jp.id("page" + end), "page " + (this.page + 1) + " of " + last);
      jp.id("previous" + end).disabled = this.page === 0;
      jp.id("next" + end).disabled = this.page + 1 >= last;
    }
    const left = this.sentences.rows.length - part.length;
    jp.fill(jp.id("printed"), "Printed: " + part.length + " of " + this.sentences.rows.length.toLocaleString("en") + " sentences, the page that was shown; " +
      left.toLocaleString("en") + (left === 1 ? " is" : " are") + " left out.");
    jp.id("printed").hidden = !left;
  }
  turn(by) {
    const last = Math.ceil(this.shown.length / PAGE) - 1;
    const page = Math.min(last, Math.max(0, this.page + by));
    if (page === this.page) return false;
    this.page = page;
    this.draw();
    return true;
  }
  // Goes to the next sentence or the one before, also over the end of a page.
  step(by) {
    const articles = () => [...jp.id("list").querySelectorAll("article")];
    const nodes = articles();
    const now = nodes.indexOf(document.activeElement.closest("article"));
    const next = now < 0 ? (by > 0 ? 0 : -1) : now + by;
    if (nodes[next]) this.focus(nodes[next], "nearest");
    else if (now >= 0 && this.turn(by)) this.focus(by > 0 ? articles()[0] : articles().at(-1), "nearest");
  }
  focus(node, block) {
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block });
    this.filters.remember(Number(node.id.slice(1)));
  }

  article(n) {
    const row = this.sentences.get(n);
    const groups = this.sentences.groups(row, this.filters.onlyShown);
    const place = jp.el("div", {});
    const node = jp.el("article", { class: "sentence", id: "s" + row.number, tabindex: "-1", "aria-labelledby": "t" + row.number },
      this.head(row, groups, (button, what) => this.toggle(n, groups, place, button, what)),
      this.everySystem(n),
      this.row("source", ["source"], row.tokens.join(this.view.join), this.valueName),
      this.sentences.references(row).map((own) => this.row("reference", this.whichReferences(row, own), this.changes(row.tokens, own[0].edits, []))),
      groups.map((own) => this.row("system", this.whichSystems(row, own), this.changes(row.systems[own[0]].tokens, row.systems[own[0]].edits, row.systems[own[0]].missed), this.value(own[0], n))),
      place);
    if (Object.values(this.open[row.number] || {}).includes(true)) this.drawDetails(n, groups, place);
    return node;
  }
  head(row, groups, toggle) {
    const button = (label, attributes, click) => jp.el("button", { type: "button", class: "plain", ...attributes, on: { click } }, label);
    const detail = (what, label) => this.details[what] && button(label,
      { "data-detail": what, "aria-expanded": String(Boolean(this.open[row.number]?.[what])) }, (event) => toggle(event.target, what));
    const here = (event) => { event.preventDefault(); this.focus(event.target.closest("article"), "nearest"); };
    return jp.el("header", {},
      jp.el("h3", { id: "t" + row.number }, jp.el("a", { href: "#s=" + row.number, on: { click: here } }, "Sentence " + row.number)),
      detail("chunks", "chunks"), detail("plans", "transport plan"),
      button("copy M2", { title: "copy as M2: references and systems as annotators" }, () => jp.copy(m2OfSentence(row), "M2")),
      button("copy LaTeX", { title: "copy as a LaTeX table" }, () => jp.copy(latexOfSentence(this.sentences, row, groups), "LaTeX")));
  }
  // All systems in one line, each with its value of the sentence.
  everySystem(n) {
    const shown = this.filters.onlyShown || this.sentences.systems.map((_, k) => k);
    if (!this.sentences.metrics.length || shown.length < 3) return null;
    return jp.el("p", { class: "all", "aria-label": this.valueName + " of each system" }, shown.map((k) =>
      jp.el("span", { title: this.sentences.systems[k] }, jp.el("bdi", {}, this.sentences.short[k]), " ", jp.el("strong", {}, this.value(k, n) || "–"))));
  }
  row(kind, who, text, value) {
    return jp.el("div", { class: "row " + kind }, jp.el("div", { class: "who" }, who),
      jp.el("p", { class: "text", dir: "auto", lang: this.view.lang || null }, text),
      value ? jp.el("div", { class: "value", title: this.valueName }, value) : null);
  }
  whichReferences(row, own) {
    if (row.references.length === 1) return "reference";
    return (own.length > 1 ? "references " : "reference ") + own.map((r) => r.annotator).join(", ");
  }
  whichSystems(row, own) {
    const { annotator } = row.systems[own[0]];
    const judged = row.references.length > 1 && annotator !== null;
    return [own.map((k, i) => [i ? ", " : "", jp.el("bdi", { title: this.sentences.systems[k] }, this.sentences.short[k])]), " ",
      judged ? jp.el("span", { class: "dim judge" }, "ref. " + annotator) : null];
  }
  value(system, n) {
    const value = this.sentences.metrics.length ? this.sentences.values[this.metric][system][n] : null;
    return value === null ? "" : value.toFixed(2);
  }
  // The text with its edits. A missed edit is in the text if no other edit is at its place, else after the text.
  changes(tokens, edits, missed) {
    if (!edits.length && !missed.length) return jp.el("span", { class: "unchanged" }, "no change");
    const meets = (m) => edits.some((e) => sharePlace(e, m));
    const nodes = diffNodes(tokens, [...edits, ...missed.filter((m) => !meets(m))], this.view.join);
    const after = missed.filter(meets).map((m) => [" ", editNode(tokens, m, this.view.join)]);
    return [...nodes, after.length ? jp.el("span", { class: "also" }, " ", after) : null];
  }

  toggle(n, groups, place, button, what) {
    const { number } = this.sentences.get(n);
    const open = { ...this.open[number], [what]: !this.open[number]?.[what] };
    this.open[number] = open;
    button.setAttribute("aria-expanded", String(open[what]));
    this.drawDetails(n, groups, place);
  }
  async drawDetails(n, groups, place) {
    const row = this.sentences.get(n);
    const parts = [];
    for (const [what, draw, nothing] of DETAILS) {
      if (!this.open[row.number]?.[what]) continue;
      const data = (await this.details[what]())[n];
      for (const own of groups)
        parts.push(...data[own[0]].map((one) => draw(this.sentences.named(own), row.systems[own[0]].tokens, row.table, one, this.view)));
      if (!groups.some((own) => data[own[0]].length)) parts.push(jp.el("p", { class: "note" }, nothing));
    }
    jp.fill(place, parts.length ? jp.el("div", { class: "detail", tabindex: "0", role: "region", "aria-label": "Details of sentence " + row.number }, parts) : null);
  }
}
