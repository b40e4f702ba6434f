// Sentences on the page: the version of each annotator, the tokens of the selected sentence, the list and its pages.
const PER_PAGE = 10;
const SIGNS = { open: ["?", "not decided"], accepted: ["✓", "accepted"], rejected: ["✕", "rejected"], changed: ["✎", "changed"], added: ["+", "added"] };
const view = { list: [], page: 0, i: 0, k: -1, annotator: 0, span: null, types: false, fresh: null, pressed: false, stale: false };

function kindOf(edit) {
  if (edit.status !== "accepted") return edit.status;
  if (!edit.was) return "added";
  return sameEdit(edit, edit.was) ? "accepted" : "changed";
}

function joint() { return jp.id("content").dataset.join; }
function language() { return jp.id("content").dataset.lang || null; }

// The edits of a sentence in the order of its text, those of one annotator together where each keeps a version.
function orderOf(i) {
  const edits = sentence(i).edits;
  const whose = (k) => (isAdjudication() ? 0 : edits[k].by[0]);
  return edits.map((_, k) => k).sort((a, b) => whose(a) - whose(b) || edits[a].start - edits[b].start || edits[a].end - edits[b].end || a - b);
}
function direction(i) { return jp.direction(source(i).join(" ")); }

// An edit as it is now, or as its annotators made it.
function shownEdit(i, k, isFormer) {
  const edit = sentence(i).edits[k];
  return isFormer ? edit.was : edit;
}

// One edit as a button: what it does, its type, what was decided.
function editButton(i, k, isFormer) {
  const edit = shownEdit(i, k, isFormer);
  const kind = kindOf(sentence(i).edits[k]);
  const [sign, word] = SIGNS[kind];
  const old = source(i).slice(edit.start, edit.end).join(joint());
  const current = i === view.i && k === view.k;
  const words = edit.correction === null ? null : [edit.correction, ...edit.alternatives].map((c) => c.join(joint())).join(" or ");
  return jp.el("button", {
    type: "button", class: "edit " + kind + (current ? " current" : ""), "data-i": i, "data-k": k, "aria-current": current ? "true" : null,
    title: edit.type + ", " + word, "aria-label": [old || "insertion", "→", words === null ? "marked" : words || "nothing", edit.type, word].join(" "), on: { click: () => select(i, k) },
  }, old ? (words === null ? jp.el("mark", {}, old) : jp.el("del", {}, old)) : null, old && words ? " " : null, words ? jp.el("ins", {}, words) : null,
  jp.el("span", { class: "type", dir: "ltr", lang: "en" }, edit.type),
  jp.el("span", { class: "sign", dir: "ltr" }, sign));
}

// The text of a sentence with some of its edits.
function versionNodes(i, chosen, isFormer) {
  const tokens = source(i);
  const nodes = [];
  let position = 0;
  for (const k of chosen) {
    const edit = shownEdit(i, k, isFormer);
    if (edit.start > position) nodes.push(tokens.slice(position, edit.start).join(joint()), " ");
    nodes.push(editButton(i, k, isFormer), " ");
    position = Math.max(position, edit.end);
  }
  if (position < tokens.length) nodes.push(tokens.slice(position).join(joint()));
  return nodes;
}

function versionRow(i, who, chosen, className = "", isFormer = false) {
  return jp.el("div", { class: "row " + className }, jp.el("span", { class: "who" }, who),
    jp.el("p", { class: "text", dir: direction(i), lang: language() }, versionNodes(i, chosen, isFormer),
      chosen.length ? null : jp.el("span", { class: "unchanged", lang: "en" }, className === "decision" ? "" : " no change")));
}

// The rows of a sentence: one for each annotator, and in an adjudication one for the decision.
function versionRows(i) {
  const edits = sentence(i).edits;
  const order = orderOf(i);
  const people = [...new Set([...annotations(i).map((a) => a.annotator), ...edits.flatMap((e) => e.by)])];
  const rowOf = (who) => (isAdjudication() ? versionRow(i, "annotator " + who, versionOf(i, who), "", true)
    : versionRow(i, "annotator " + who, order.filter((k) => edits[k].by.includes(who))));
  const rows = people.map(rowOf);
  if (!people.length) rows.push(versionRow(i, "nobody yet", []));
  if (!isAdjudication()) return rows;
  const open = edits.some((e) => e.status === "open");
  return [...rows, versionRow(i, open ? "decision so far" : "decision", order.filter((k) => edits[k].status === "accepted"), "decision")];
}

// The tokens of the sentence at hand, and the gaps between them, as buttons.
function tokenStrip(i) {
  const edit = sentence(i).edits[view.k];
  const parts = [];
  const tokens = source(i);
  const inside = (t) => (view.span ? view.span.start === t : edit && edit.start <= t && t < edit.end);
  const gapped = (t) => edit && !view.span && edit.start === edit.end && edit.start === t;
  for (let t = 0; t <= tokens.length; t += 1) {
    const place = t < tokens.length ? "before " + tokens[t] : "at the end";
    parts.push(jp.el("button", { type: "button", class: "gap" + (gapped(t) ? " chosen" : ""), tabindex: parts.length ? -1 : 0, "data-gap": t,
      title: "insert " + place, "aria-label": "insert " + place, on: { click: () => addInsertion(t) } }));
    if (t < tokens.length)
      parts.push(jp.el("button", { type: "button", class: "token" + (inside(t) ? " chosen" : ""), tabindex: -1, "data-token": t, "aria-pressed": inside(t) ? "true" : "false",
        lang: language(), on: { click: () => chooseToken(t) } }, tokens[t]));
  }
  return jp.el("div", { class: "strip text" + (view.span ? " spanning" : ""), dir: direction(i), role: "toolbar", "aria-label": "Tokens of sentence " + (i + 1), on: { keydown: moveInStrip } }, parts);
}

function stripNote() {
  if (view.span) return view.span.start === null ? "Change the span: click its first token, or a gap for an insertion." : "Click the last token of the span.";
  return "Click a token to correct it, a gap to insert.";
}

function sentenceChip(i) {
  const { total, open } = state.counts[i];
  if (!total && sentence(i).seen) return jp.el("span", { class: "chip done" }, "✓ seen");
  if (isAdjudication() && !state.work.has(i) && !open) return jp.el("span", { class: "chip done" }, annotations(i).length ? "agreed" : "not annotated");
  if (!total) return jp.el("span", { class: "chip" }, "no edits");
  return jp.el("span", { class: "chip" + (open ? "" : " done") }, open ? total - open + " of " + total + " decided" : "✓ decided");
}

function article(i) {
  const current = i === view.i;
  const comment = sentence(i).comment;
  return jp.el("article", { class: "sentence" + (current ? " at-hand" : ""), id: "s" + (i + 1), tabindex: -1, "aria-label": "Sentence " + (i + 1), "aria-current": current ? "true" : null },
    jp.el("header", {}, jp.el("h2", {}, "Sentence " + (i + 1)), sentenceChip(i),
      current ? null : jp.el("button", { type: "button", class: "plain", "aria-label": "Review sentence " + (i + 1), on: { click: () => select(i, firstEdit(i)) } }, "review")),
    versionRows(i),
    current ? workbench(i) : comment ? jp.el("p", { class: "note comment", dir: "auto" }, comment) : null);
}

function firstEdit(i) {
  const order = orderOf(i);
  const open = order.find((k) => sentence(i).edits[k].status === "open");
  return open ?? order[0] ?? -1;
}

// Draws one sentence again.
function drawSentence(i) {
  view.stale = false;
  const place = jp.id("s" + (i + 1));
  if (place) place.replaceWith(article(i));
  drawProgress();
}

function drawList() {
  const pages = Math.max(1, Math.ceil(view.list.length / PER_PAGE));
  view.page = Math.min(Math.max(view.page, 0), pages - 1);
  const shown = view.list.slice(view.page * PER_PAGE, (view.page + 1) * PER_PAGE);
  jp.fill(jp.id("list"), shown.map(article), shown.length ? null : jp.el("p", { class: "empty" }, "No sentence fits these filters."));
  for (const end of ["", "-foot"]) {
    jp.id("page" + end).textContent = view.page + 1 + " / " + pages;
    jp.id("previous" + end).disabled = view.page === 0;
    jp.id("next" + end).disabled = view.page === pages - 1;
  }
  const all = state.data.sentences.length;
  jp.id("count").textContent = view.list.length === all ? all + " sentences" : view.list.length + " of " + all + " sentences";
  drawProgress();
}

function drawProgress() {
  const sum = (name) => state.counts.reduce((total, count) => total + count[name], 0);
  const total = sum("total");
  const decided = total - sum("open");
  jp.id("progress").textContent = decided + " of " + total + " edits decided";
  const empty = state.counts.filter((count) => !count.total).length;
  jp.id("seen").textContent = empty ? empty - sum("unseen") + " of " + empty + " without edits seen" : "";
  const meter = jp.id("meter");
  meter.max = Math.max(total, 1);
  meter.value = decided;
  jp.id("undo").disabled = !state.undo.length;
  jp.id("redo").disabled = !state.redo.length;
}

function showKept() {
  const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  jp.id("kept").textContent = state.kept ? "kept in this browser " + time : "this browser stores nothing: save often";
  jp.id("kept").classList.toggle("problem", !state.kept);
}

// The sentences that fit the filters, in the order of the file.
function matching() {
  const words = jp.folded(jp.id("filter-text").value);
  const what = jp.id("filter-what").value;
  const type = jp.id("filter-type").value;
  const has = { open: (c) => c.open > 0, changed: (c) => c.changed, comment: (c) => c.comment, unseen: (c) => c.unseen, "": () => true }[what];
  return state.data.sentences.map((_, i) => i).filter((i) => {
    if (!has(state.counts[i])) return false;
    const edits = sentence(i).edits;
    if (type && !edits.some((e) => e.type === type || labelOf(e.type) === type)) return false;
    return !words || jp.folded([source(i).join(" "), ...edits.map(correctionText), sentence(i).comment].join("\n")).includes(words);
  });
}
