// The browser of sentences.
const PAGE = 20;
const OUTCOME_OF = { r: "right", w: "wrong", n: "needless" };

class Sentences {
  constructor(data) {
    Object.assign(this, data);
    this.view = { join: data.join, lang: data.lang };
    this.cache = new Map();
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
        key: JSON.stringify([annotator, own, letters, missed, others && others[k]]),
      })),
    };
  }
}

function startReport(sentences, details) {
  const { systems, values, metrics, view } = sentences;
  const ids = ["filter-text", "filter-system", "filter-type", "filter-a", "filter-b", "filter-differ", "filter-only", "order"];
  const [text, system, type, a, b, differ, only, order] = ids.map(jp.id);
  const outcomes = [...document.querySelectorAll(".outcomes input[value]")];
  const state = { shown: [], page: 0, open: {} };

  function options(select, entries) {
    jp.fill(select, entries.map(([value, label]) => jp.el("option", { value }, label)));
  }
  const names = systems.map((name, k) => [String(k), name]);
  options(system, [["", "any system"], ...names]);
  const levels = new Map();
  for (const one of [...sentences.types].sort()) {
    const parts = one.split(":");
    if (parts.length > 1 && /^[MUR]$/.test(parts[0])) {
      levels.set(parts[0] + ":", "all " + parts[0] + ":");
      levels.set("*:" + parts[1], "all " + parts[1]);
    }
    levels.set(one, one);
  }
  options(type, [["", "any type"], ...[...levels].sort(([x], [y]) => x.endsWith(":") - y.endsWith(":") || x.startsWith("*") - y.startsWith("*") || (x < y ? -1 : 1))]);
  if (a) { options(a, names); options(b, names); b.value = systems.length > 1 ? "1" : "0"; }
  const orders = [["", "as in the text"], ["long", "longest first"], ["short", "shortest first"], ["edits", "most edits first"]];
  metrics.forEach(([name, main], m) => {
    const value = name === main ? name : name + " " + main;
    if (a) orders.push(["+" + m, "A best against B by " + value], ["-" + m, "B best against A by " + value]);
    orders.push(["w" + m, "worst " + value + " of A first"], ["s" + m, "largest spread of " + value]);
  });
  options(order, orders);

  const typeFits = (wanted, one) => !wanted || one === wanted ||
    (wanted.endsWith(":") && one.startsWith(wanted)) || (wanted.startsWith("*:") && (one.slice(2) + ":").startsWith(wanted.slice(2) + ":"));

  // A sentence fits if one edit of a chosen system, or one that it missed, has the type and one of the outcomes.
  function fits(n, query) {
    const row = sentences.get(n);
    if (query.words.length) {
      const all = [row.tokens.join(" "), ...row.table.map((e) => (e.correction || []).join(" "))].join("\n").toLowerCase();
      if (!query.words.every((word) => all.includes(word))) return false;
    }
    if (query.differ && row.systems[query.a].key === row.systems[query.b].key) return false;
    const chosen = query.system === "" ? row.systems : [row.systems[query.system]];
    if (!query.type && !query.outcomes.length) return query.system === "" || chosen[0].edits.length > 0;
    const matching = (e) => typeFits(query.type, e.type) && (!query.outcomes.length || query.outcomes.includes(e.outcome));
    if (chosen.some((s) => s.edits.some(matching) || s.missed.some(matching))) return true;
    return !query.outcomes.length && query.system === "" && row.references.some((r) => r.edits.some(matching));
  }

  function advantage(m, n, first, second) {
    const [x, y] = [values[m][first][n], values[m][second][n]];
    if (x === null || y === null) return -Infinity;
    return (x - y) * (metrics[m][2] ? -1 : 1);
  }

  function keyOf(query) {
    const [kind, m] = [query.order[0], Number(query.order.slice(1))];
    const length = (n) => sentences.get(n).tokens.length;
    if (query.order === "long") return (n) => -length(n);
    if (query.order === "short") return length;
    if (query.order === "edits") return (n) => -sentences.get(n).systems.reduce((sum, s) => sum + s.edits.length, 0);
    if (kind === "+") return (n) => -advantage(m, n, query.a, query.b);
    if (kind === "-") return (n) => -advantage(m, n, query.b, query.a);
    if (kind === "w") return (n) => (values[m][query.a][n] ?? 9) * (metrics[m][2] ? -1 : 1);
    if (kind === "s") return (n) => {
      const known = values[m].map((column) => column[n]).filter((v) => v !== null);
      return known.length ? Math.min(...known) - Math.max(...known) : 0;
    };
    return null;
  }

  function query() {
    return {
      words: text.value.toLowerCase().split(/\s+/).filter(Boolean), system: system.value, type: type.value,
      outcomes: outcomes.filter((box) => box.checked).map((box) => box.value),
      a: a ? Number(a.value) : 0, b: b ? Number(b.value) : 0, differ: Boolean(differ && differ.checked),
      only: Boolean(only && only.checked), order: order.value,
    };
  }

  function remember(number) {
    const q = query();
    jp.setFragment({
      q: text.value, system: q.system, type: q.type, outcome: q.outcomes.join(","), a: q.a ? q.a : "", b: b && q.b !== 1 ? q.b : "",
      differ: q.differ ? 1 : "", only: q.only ? 1 : "", order: q.order, s: number || "",
    });
  }

  function recall() {
    const kept = jp.fragment();
    const set = (field, value) => {
      if (field && value !== undefined && [...(field.options || [])].some((o) => o.value === value)) field.value = value;
    };
    text.value = kept.q || "";
    [[system, kept.system], [type, kept.type], [a, kept.a], [b, kept.b], [order, kept.order]].forEach(([f, v]) => set(f, v));
    for (const box of outcomes) box.checked = (kept.outcome || "").split(",").includes(box.value);
    if (differ) differ.checked = kept.differ === "1";
    if (only) only.checked = kept.only === "1";
    return kept.s ? Number(kept.s) : 0;
  }

  function refresh(number) {
    const q = query();
    const filtered = q.words.length || q.differ || q.type || q.outcomes.length || q.system !== "";
    const shown = sentences.rows.map((_, n) => n).filter((n) => !filtered || fits(n, q));
    const key = keyOf(q);
    if (key) {
      const keys = new Map(shown.map((n) => [n, key(n)]));
      shown.sort((x, y) => (keys.get(x) < keys.get(y) ? -1 : keys.get(x) > keys.get(y) ? 1 : x - y));
    }
    state.shown = shown;
    const at = number ? shown.findIndex((n) => sentences.rows[n][0] === number) : -1;
    state.page = at < 0 ? 0 : Math.floor(at / PAGE);
    const all = sentences.rows.length.toLocaleString("en");
    jp.fill(jp.id("count"), shown.length === sentences.rows.length ? all + (shown.length === 1 ? " sentence" : " sentences") :
      shown.length.toLocaleString("en") + " of " + all + " sentences");
    draw();
    return at;
  }

  const valueOf = (k, n) => metrics.length && values[0][k][n] !== null ? values[0][k][n].toFixed(2) : "";
  const valueName = metrics.length ? metrics[0][0] + " " + metrics[0][1] : "";

  // An edit that is missed stands in the text where no edit of the system is; others follow the text.
  function systemNodes(one) {
    const touches = (m) => one.edits.some((e) => (e.start === m.start && e.end === m.end) || (Math.max(e.start, m.start) < Math.min(e.end, m.end)) ||
      (m.start === m.end && e.start < m.start && m.start < e.end) || (e.start === e.end && m.start < e.start && e.start < m.end));
    const inside = one.missed.filter((m) => !touches(m));
    const beside = one.missed.filter(touches);
    const nodes = diffNodes(one.tokens, [...one.edits, ...inside], view.join);
    if (!beside.length) return nodes;
    return [...nodes, jp.el("span", { class: "also" }, "  ", beside.map((m) => [" ", editNode(one.tokens, m, view.join)]))];
  }

  function textCell(nodes) {
    return jp.el("p", { class: "text", dir: "auto", lang: view.lang || null }, nodes);
  }

  // Systems that did the same stand in one row.
  function groups(row, q) {
    const found = new Map();
    row.systems.forEach((one, k) => {
      if (q.only && k !== q.a && k !== q.b) return;
      if (!found.has(one.key)) found.set(one.key, []);
      found.get(one.key).push(k);
    });
    return [...found.values()];
  }

  function sameReferences(row) {
    const found = new Map();
    for (const r of row.references) {
      const key = JSON.stringify(r.edits);
      found.set(key, [...(found.get(key) || []), r]);
    }
    return [...found.values()];
  }

  function article(n) {
    const row = sentences.get(n);
    const q = query();
    const rows = groups(row, q);
    const open = state.open[row.number] || {};
    const place = jp.el("div", {});
    const many = row.references.length > 1;
    const judges = (k) => (many && row.systems[k].annotator !== null ? "ref. " + row.systems[k].annotator : "");
    const node = jp.el("article", { class: "sentence", id: "s" + row.number, tabindex: "-1", "aria-labelledby": "t" + row.number, "data-row": n },
      jp.el("header", {},
        jp.el("h3", { id: "t" + row.number }, jp.el("a", { href: "#s=" + row.number, on: { click: (event) => { event.preventDefault(); remember(row.number); node.focus(); } } }, "Sentence " + row.number)),
        details.chunks && jp.el("button", { type: "button", class: "plain", "aria-expanded": String(Boolean(open.chunks)), "data-detail": "chunks", on: { click: () => toggle("chunks") } }, "chunks"),
        details.plans && jp.el("button", { type: "button", class: "plain", "aria-expanded": String(Boolean(open.plans)), "data-detail": "plans", on: { click: () => toggle("plans") } }, "transport plan"),
        jp.el("button", { type: "button", class: "plain", on: { click: () => jp.copy(blockOf(row), "M2") }, title: "copy as M2: references and systems as annotators" }, "copy M2"),
        jp.el("button", { type: "button", class: "plain", on: { click: () => jp.copy(latexOf(row, q), "LaTeX") }, title: "copy as a LaTeX table" }, "copy LaTeX")),
      jp.el("div", { class: "row source" }, jp.el("div", { class: "who" }, "source"), textCell(row.tokens.join(view.join)), jp.el("div", { class: "value" }, valueName)),
      sameReferences(row).map((own) => jp.el("div", { class: "row reference" },
        jp.el("div", { class: "who" }, (own.length > 1 ? "references " : "reference ") + (many ? own.map((r) => r.annotator).join(", ") : "")),
        textCell(own[0].edits.length ? diffNodes(row.tokens, own[0].edits, view.join) : jp.el("span", { class: "unchanged" }, "no change")), null)),
      rows.map((own) => jp.el("div", { class: "row system" },
        jp.el("div", { class: "who" }, own.map((k, i) => [i ? ", " : "", jp.el("bdi", {}, systems[k])]), " ", jp.el("span", { class: "dim judge" }, judges(own[0]))),
        textCell(row.systems[own[0]].edits.length || row.systems[own[0]].missed.length ? systemNodes(row.systems[own[0]]) : jp.el("span", { class: "unchanged" }, "no change")),
        jp.el("div", { class: "value", title: valueName }, valueOf(own[0], n)))),
      place);
    function toggle(what) {
      const now = (state.open[row.number] = { ...state.open[row.number] });
      now[what] = !now[what];
      node.querySelector(`[data-detail=${what}]`).setAttribute("aria-expanded", String(Boolean(now[what])));
      drawDetails();
    }
    async function drawDetails() {
      const now = state.open[row.number] || {};
      const parts = [];
      for (const what of ["chunks", "plans"]) {
        if (!now[what]) continue;
        const data = await details[what]();
        for (const own of rows) {
          const name = own.map((k) => systems[k]).join(", ");
          const one = row.systems[own[0]];
          for (const table of data[n][own[0]])
            parts.push(what === "chunks" ? chunkTable(name, one.tokens, table, view) : planDrawing(name, one.tokens, row.table, table, view));
        }
        if (!rows.some((own) => data[n][own[0]].length))
          parts.push(jp.el("p", { class: "note" }, what === "chunks" ? "Nobody changes anything here." : "No system has edits here that could be transported."));
      }
      jp.fill(place, parts.length ? jp.el("div", { class: "detail" }, parts) : null);
    }
    node.drawDetails = drawDetails;
    if (open.chunks || open.plans) drawDetails();
    return node;
  }

  // References and systems as annotators of one block; a system whose tokens are others has a block of its own.
  const hasOwnTokens = (row, s) => s.tokens !== row.tokens;
  const annotationsOf = (row) => [...row.references.map((r) => r.edits), ...row.systems.filter((s) => !hasOwnTokens(row, s)).map((s) => s.edits)];
  const blockOf = (row) => [m2Block(row.tokens, annotationsOf(row)),
    ...row.systems.filter((s) => hasOwnTokens(row, s)).map((s) => m2Block(s.tokens, [s.edits]))].join("").trimEnd() + "\n";
  const latexOf = (row, q) => latexTable([["source", row.tokens, []],
    ...row.references.map((r) => ["reference " + r.annotator, row.tokens, r.edits]),
    ...groups(row, q).map((own) => [own.map((k) => systems[k]).join(", "), row.systems[own[0]].tokens, row.systems[own[0]].edits])], view.join);

  function draw() {
    const first = state.page * PAGE;
    const part = state.shown.slice(first, first + PAGE);
    jp.fill(jp.id("list"), part.length ? part.map(article) : jp.el("p", { class: "empty" }, "No sentence fits these filters."));
    const last = Math.max(1, Math.ceil(state.shown.length / PAGE));
    for (const end of ["", "-foot"]) {
      jp.fill(jp.id("page" + end), "page " + (state.page + 1) + " of " + last);
      jp.id("previous" + end).disabled = state.page === 0;
      jp.id("next" + end).disabled = state.page + 1 >= last;
    }
  }

  function turn(by, top) {
    const last = Math.ceil(state.shown.length / PAGE) - 1;
    const page = Math.min(last, Math.max(0, state.page + by));
    if (page === state.page) return false;
    state.page = page;
    draw();
    if (top) jp.id("filters").scrollIntoView();
    return true;
  }

  const articles = () => [...jp.id("list").querySelectorAll("article")];
  function focus(node) {
    if (!node) return;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
    remember(Number(node.id.slice(1)));
  }
  function step(by) {
    const nodes = articles();
    const now = nodes.indexOf(document.activeElement.closest("article"));
    const next = now < 0 ? (by > 0 ? 0 : -1) : now + by;
    if (nodes[next]) focus(nodes[next]);
    else if (now >= 0 && turn(by)) focus(by > 0 ? articles()[0] : articles().at(-1));
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === text) return text.blur();
    if (!jp.isCommand(event)) return undefined;
    const here = document.activeElement.closest("article");
    const press = (what) => here && here.querySelector(`[data-detail=${what}]`)?.click();
    const actions = { j: () => step(1), k: () => step(-1), f: () => text.focus(), c: () => press("chunks"), p: () => press("plans") };
    if (!actions[event.key]) return undefined;
    event.preventDefault();
    return actions[event.key]();
  });

  const form = jp.id("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { refresh(); remember(); }, event.target === text ? 150 : 0);
    syncPair(event.target);
  });
  form.addEventListener("reset", () => setTimeout(() => { if (b) b.value = "1"; refresh(); remember(); }, 0));
  for (const end of ["", "-foot"]) {
    jp.id("previous" + end).addEventListener("click", () => turn(-1, true));
    jp.id("next" + end).addEventListener("click", () => turn(1, true));
  }
  addEventListener("hashchange", () => {
    if (!location.hash.includes("=")) return;
    open(recall());
  });

  // Downloads: the rows that fit the filters, in their order.
  const what = jp.id("download-what");
  options(what, [...(sentences.judged ? [["r", "references"]] : []), ...names,
    ...(sentences.rows.some((row) => row.length > 5) ? [] : [["*", "references and all systems"]])]);
  const chosen = () => state.shown.map((n) => sentences.get(n));
  function m2File() {
    const pick = { r: (row) => row.references.map((r) => r.edits), "*": annotationsOf }[what.value];
    return chosen().map((row) => pick ? m2Block(row.tokens, pick(row)) : m2Block(row.systems[what.value].tokens, [row.systems[what.value].edits])).join("");
  }
  function records(row) {
    const plain = (tokens) => ({ start, end, type: label, correction, outcome }) =>
      ({ start, end, source: tokens.slice(start, end), type: label, correction, ...(outcome ? { outcome } : {}) });
    return {
      sentence: row.number, source: row.tokens,
      references: row.references.map((r) => ({ annotator: r.annotator, edits: r.edits.map(plain(row.tokens)) })),
      systems: row.systems.map((s, k) => ({ system: systems[k], ...(hasOwnTokens(row, s) ? { source: s.tokens } : {}), reference: s.annotator, edits: [...s.edits, ...s.missed].map(plain(s.tokens)) })),
    };
  }
  function tsvFile() {
    const lines = [["sentence", "system", "start", "end", "source", "correction", "type", "outcome"]];
    for (const row of chosen()) {
      const add = (name, tokens, e) => lines.push([row.number, name, e.start, e.end, tokens.slice(e.start, e.end).join(" "),
        (e.correction || ["-NONE-"]).join(" "), e.type, e.outcome || ""].map(tsvCell));
      row.references.forEach((r) => r.edits.forEach((e) => add("reference " + r.annotator, row.tokens, e)));
      row.systems.forEach((s, k) => [...s.edits, ...s.missed].forEach((e) => add(systems[k], s.tokens, e)));
    }
    return lines.map((line) => line.join("\t") + "\n").join("");
  }
  jp.id("download-m2").addEventListener("click", () => jp.download("sentences.m2", "text/plain", m2File()));
  jp.id("download-tsv").addEventListener("click", () => jp.download("sentences.tsv", "text/tab-separated-values", tsvFile()));
  jp.id("download-json").addEventListener("click", () => jp.download("sentences.json", "application/json", JSON.stringify(chosen().map(records), null, 1) + "\n"));

  // The two systems of the tables by type are the A and B of the sentences.
  const [first, second, differenceOrder] = ["first", "second", "difference-order"].map(jp.id);
  function syncPair(changed) {
    if (!first || !a) return;
    if (changed === first) a.value = first.value;
    if (changed === second) b.value = second.value;
    if (changed === a || changed === b) { first.value = a.value; second.value = b.value; redraw(); }
  }
  async function redraw() {
    drawDifferences(await details.differences(), systems, Number(first.value), Number(second.value), differenceOrder.value);
  }
  if (first && a) {
    options(first, names);
    options(second, names);
    second.value = "1";
    for (const field of [first, second]) field.addEventListener("input", () => { syncPair(field); redraw(); refresh(); });
    differenceOrder.addEventListener("input", redraw);
  }

  function open(number) {
    if (first && a && (a.value !== first.value || b.value !== second.value)) { first.value = a.value; second.value = b.value; redraw(); }
    const at = refresh(number);
    if (number && at >= 0) {
      const node = jp.id("s" + number);
      node.scrollIntoView({ block: "center" });
      node.focus({ preventScroll: true });
    }
  }
  for (const node of document.querySelectorAll(".scripted")) node.hidden = false;
  for (const table of document.querySelectorAll("table.systems, table.heat, table.glossary")) if (table.tBodies[0].rows.length > 1) makeSortable(table);
  open(recall());
  document.body.dataset.ready = "yes";
}

function later(name) {
  if (!jp.id("data-" + name)) return null;
  let loaded = null;
  return () => (loaded = loaded || jp.data(name));
}

jp.data("sentences").then((data) =>
  startReport(new Sentences(data), { chunks: later("chunks"), plans: later("plans"), differences: later("differences") }))
  .catch((error) => {
    const place = jp.id("sentences");
    place.append(jp.el("p", { class: "warning" }, "The sentences cannot be shown by this browser; a newer one can. (" + error.message + ")"));
    throw error;
  });
