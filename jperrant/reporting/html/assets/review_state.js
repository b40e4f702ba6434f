// What was decided: edits by sentence, how they change, undo and redo, what is kept and saved. Nothing is drawn here.
const OPERATIONS = ["M", "U", "R"];
const UNKNOWN = "UNK";
const DETECTION = [UNKNOWN, "Um"];
const WHITE = /[\s\u001c-\u001f\u0085]+/;
const ALTERNATIVES = /(?<=\S)\|\||\|\|(?=\S)/;
const STATUSES = ["open", "accepted", "rejected"];

// work: what somebody did, by sentence; times: when it was last changed; name: of the reviewer; tab: of this window.
const state = { data: null, labels: [], work: new Map(), times: new Map(), undo: [], redo: [], counts: [], kept: null, name: "", tab: Math.random() };

function isAdjudication() { return state.data.task === "adjudicate"; }
function source(i) { return state.data.sentences[i].source; }
function annotations(i) { return state.data.sentences[i].annotations; }
function copy(value) { return JSON.parse(JSON.stringify(value)); }

// The fields of an edit that M2 holds, in a fixed order, so that equal edits give equal JSON.
function fields(edit) {
  return { start: edit.start, end: edit.end, type: edit.type, correction: edit.correction, alternatives: edit.alternatives || [] };
}
function sameEdit(a, b) { return JSON.stringify(fields(a)) === JSON.stringify(fields(b)); }

// The present state of a sentence: the reviewer's work, or else the edits of the file.
function sentence(i) {
  return state.work.get(i) || { comment: "", edits: initialEdits(i) };
}

function initialEdits(i) {
  const looked = annotations(i);
  const edits = looked.flatMap((a) => a.edits.map((e) => ({ by: [a.annotator], status: "open", ...fields(e), was: fields(e) })));
  if (!isAdjudication()) return edits;
  const joined = [];
  for (const edit of edits) {
    const twin = joined.find((e) => sameEdit(e, edit) && !e.by.includes(edit.by[0]));
    if (twin) twin.by.push(edit.by[0]);
    else joined.push(edit);
  }
  const shared = joined.filter((e) => e.by.length === looked.length);
  for (const edit of shared) if (isOrderShared(edit, shared, looked)) edit.status = "accepted";
  return sorted(joined);
}

// Whether all annotators have the shared edits over the span of an edit in the same order and the same number of times.
function isOrderShared(edit, shared, looked) {
  const here = (e) => e.start === edit.start && e.end === edit.end && shared.some((s) => sameEdit(s, e));
  return new Set(looked.map((a) => JSON.stringify(a.edits.filter(here).map(fields)))).size === 1;
}

// The numbers of the edits of an annotator's version in the file, in its order, even if they were changed since.
function versionOf(i, who) {
  const edits = sentence(i).edits;
  const left = edits.map((_, k) => k).filter((k) => edits[k].was && edits[k].by.includes(who));
  const own = annotations(i).find((a) => a.annotator === who);
  return (own ? own.edits : []).flatMap((edit) => {
    const place = left.findIndex((k) => sameEdit(edits[k].was, edit));
    return place < 0 ? [] : left.splice(place, 1);
  });
}

function sorted(edits) { return edits.sort((a, b) => a.start - b.start || a.end - b.end); }

// How many edits of a sentence there are, and how many nobody has decided.
function countSentence(i) {
  const { edits, comment, seen } = sentence(i);
  const changed = edits.some((e) => !e.was || !sameEdit(e, e.was) || (e.status === "rejected" && !isAdjudication()));
  state.counts[i] = { total: edits.length, open: edits.filter((e) => e.status === "open").length, changed, comment: comment !== "", unseen: !edits.length && !seen };
}

// Changes a sentence by a function that gets a copy of it; returns false if nothing changed.
function change(i, what, edit) {
  const after = copy(sentence(i));
  edit(after);
  if (JSON.stringify(after) === JSON.stringify(sentence(i))) return false;
  changeAll([[i, after]], what);
  return true;
}

// Replaces the work on some sentences as one change; undefined removes the work on a sentence.
function changeAll(works, what) {
  const changes = works.map(([i, after]) => ({ i, before: state.work.get(i), after }));
  state.undo.push({ i: works[0][0], k: view.k, what, changes });
  state.redo.length = 0;
  for (const one of changes) put(one.i, one.after);
}

function put(i, work, time = Date.now()) {
  if (work) state.work.set(i, work);
  else state.work.delete(i);
  state.times.set(i, time);
  countSentence(i);
  keepSoon();
}

// Undoes or repeats the last change; returns it, or null if there is none.
function step(from, to) {
  const last = from.pop();
  if (!last) return null;
  to.push(last);
  for (const one of last.changes) put(one.i, from === state.undo ? one.before : one.after);
  return last;
}

// The operations that span and correction allow, the plainest first, as jperrant m2 check --lang has them.
function allowedOperations(edit, tokens) {
  const span = tokens.slice(edit.start, edit.end);
  const corrections = [edit.correction, ...(edit.alternatives || [])].filter((c) => c !== null);
  if (!span.length) return ["M"];
  if (!corrections.some((c) => c.length)) return ["U"];
  const within = (few, many) => {
    let position = 0;
    for (const token of many) if (position < few.length && few[position].toLowerCase() === token.toLowerCase()) position += 1;
    return position === few.length;
  };
  return ["R", ...(corrections.some((c) => within(span, c)) ? ["M"] : []), ...(corrections.some((c) => within(c, span)) ? ["U"] : [])];
}

function operationOf(type) { return OPERATIONS.includes(type.split(":")[0]) && type.includes(":") ? type.split(":")[0] : ""; }
function labelOf(type) { return operationOf(type) ? type.slice(2) : type; }

// The type with an operation that the edit allows; an error that was only marked gets a label when it is corrected.
function fittingType(edit, tokens) {
  if (edit.correction === null) return DETECTION.includes(edit.type) ? edit.type : UNKNOWN;
  const allowed = allowedOperations(edit, tokens);
  const operation = operationOf(edit.type);
  if (operation && allowed.includes(operation)) return edit.type;
  if (operation) return allowed[0] + ":" + labelOf(edit.type);
  if (!DETECTION.includes(edit.type)) return edit.type;
  const labels = state.labels.map(([label]) => label);
  return allowed[0] + ":" + (labels.includes("OTHER") || !labels.length ? "OTHER" : labels[0]);
}

// The types to choose from for an edit: [type, meaning], those of the plainest operation first.
function typeChoices(edit, tokens) {
  const allowed = edit.correction === null ? [] : allowedOperations(edit, tokens);
  const choices = allowed.flatMap((operation) => state.labels.map(([label, meaning]) => [operation + ":" + label, meaning]));
  if (edit.start < edit.end) choices.push([UNKNOWN, "an error without a correction"]);
  return choices;
}

function correctionText(edit) {
  return edit.correction === null ? "" : [edit.correction, ...(edit.alternatives || [])].map((c) => c.join(" ")).join("||");
}

// Parses a correction as people type it: tokens separated by spaces, || between alternatives.
// Throws an Error whose message says why the correction is not possible.
function parseCorrection(text) {
  const plain = text.replace(/[\ud800-\udfff]/gu, "").split(WHITE).filter(Boolean).join(" ");
  if (plain.includes("|||")) throw new Error("||| separates the fields of M2 and cannot stand in a correction");
  if (plain === "-NONE-") throw new Error("leave the correction empty for a deletion");
  const [correction, ...alternatives] = plain.split(ALTERNATIVES).map((part) => part.split(" ").filter(Boolean));
  return { correction, alternatives };
}

// The reason why an edit is not valid; empty if it is valid.
function problemOf(edit, tokens) {
  const old = tokens.slice(edit.start, edit.end);
  if (edit.correction === null) return old.length ? "" : "an insertion needs a correction";
  if (!old.length && ![edit.correction, ...edit.alternatives].every((c) => c.length)) return "an insertion needs a correction";
  if (!edit.alternatives.length && edit.correction.join(" ") === old.join(" ")) return "this changes nothing; reject the edit instead";
  return "";
}

// Changes fields of an edit and accepts it. Throws an Error if the edit would not be valid.
function changeEdit(i, k, what, fields) {
  const edit = { ...sentence(i).edits[k], ...fields, status: "accepted" };
  edit.type = fittingType(edit, source(i));
  const problem = problemOf(edit, source(i)) || clashOf(i, edit, k);
  if (problem) throw new Error(problem);
  return change(i, what, (s) => { s.edits[k] = edit; });
}

// The accepted edits that overlap an edit and exclude it from the same version; k: the number of the edit, if it has one.
function rivals(i, edit, k = -1) {
  if (!isAdjudication() || isMark(edit)) return [];
  const meets = (e, n) => n !== k && e.status === "accepted" && !isMark(e) && e.start < edit.end && edit.start < e.end;
  return sentence(i).edits.filter(meets);
}

// The reason why an edit cannot be accepted with the other edits; empty if it can.
function clashOf(i, edit, k) {
  const [rival] = rivals(i, edit, k);
  return rival ? "overlaps " + wordsOf(i, rival) + ", which is accepted; reject that one first" : "";
}

function isMark(edit) { return edit.correction === null || DETECTION.includes(edit.type); }

// An edit in words: its tokens and their correction.
function wordsOf(i, edit) {
  const old = source(i).slice(edit.start, edit.end).join(" ") || "∅";
  return old + " → " + (edit.correction === null ? "?" : correctionText(edit) || "∅");
}

// The tokens of a sentence as a version has them: one annotator's, or the accepted edits. The first of two edits that
// overlap counts.
function correctedTokens(i, who) {
  const counts = (e) => (isAdjudication() ? e.status === "accepted" : e.status !== "rejected" && e.by.includes(who));
  const tokens = [];
  let position = 0;
  for (const edit of sorted(sentence(i).edits.filter((e) => counts(e) && !isMark(e)))) {
    if (edit.start < position) continue;
    tokens.push(...source(i).slice(position, edit.start), ...edit.correction);
    position = edit.end;
  }
  return [...tokens, ...source(i).slice(position)];
}

// Edits that overlap others: those of the same annotator, or in an adjudication all accepted edits.
function overlapping(i) {
  const edits = sentence(i).edits;
  const lives = (e) => e.status !== "rejected" && !isMark(e) && (!isAdjudication() || e.status === "accepted");
  const found = new Set();
  for (const [n, a] of edits.entries()) {
    const rival = (b) => isAdjudication() || a.by.some((who) => b.by.includes(who));
    const meets = (b) => a.start < b.end && b.start < a.end;
    if (lives(a) && edits.some((b) => b !== a && lives(b) && meets(b) && rival(b))) found.add(n);
  }
  return found;
}

// Keeping work in the browser, by the checksum of the M2 file and the name of the reviewer.
function storageKey() { return ["jperrant-review", state.data.task, state.data.sha256, state.name].join(":"); }

function keepSoon() {
  clearTimeout(state.timer);
  state.dirty = true;
  state.timer = setTimeout(keep, 300);
}

// Stores the work, and unfinished text of a field, together with the stored work of other windows.
function keep() {
  clearTimeout(state.timer);
  if (!state.dirty) return;
  try {
    const kept = readKept();
    takeOver(kept);
    const fresh = (i) => view.fresh && i === view.i;
    const work = [...state.times].map(([i, time]) => [i, (fresh(i) ? view.fresh.before : state.work.get(i)) || null, time]);
    const typed = draft() || (kept.draft && kept.draft.tab !== state.tab ? kept.draft : null);
    localStorage.setItem(storageKey(), JSON.stringify({ saved: new Date().toISOString(), work, draft: typed }));
    state.kept = true;
    state.dirty = false;
  } catch {
    state.kept = false;
  }
  showKept();
}

// The work that the browser stores: {saved, work: [[sentence, work or null, time]], draft}.
function readKept() {
  let record = null;
  try {
    record = JSON.parse(localStorage.getItem(storageKey()));
  } catch {
    // Unreadable data counts as no data.
  }
  return record && Array.isArray(record.work) ? record : { work: [] };
}

// Takes over newer changes of another window, sentence by sentence; text that is being typed here stays. Returns the
// sentences. Undo restores the work of this window that was replaced.
function takeOver({ work }) {
  const newer = ([i, , time]) => time > (state.times.get(i) || 0) && !(i === view.i && draft());
  const taken = work.filter((one) => Array.isArray(one) && newer(one) && (one[1] === null || isWork(one[0], one[1])));
  const replaced = taken.filter(([i]) => state.work.has(i)).map(([i, after]) => ({ i, before: state.work.get(i), after: after || undefined }));
  if (replaced.length) state.undo.push({ i: replaced[0].i, k: -1, what: "changes of another window", changes: replaced });
  for (const [i, after, time] of taken) put(i, after || undefined, time);
  return taken.map(([i]) => i);
}

// Whether a value is work on a sentence that this page can show.
function isWork(i, work) {
  const tokens = (value) => Array.isArray(value) && value.every((token) => typeof token === "string" && token !== "");
  const isEdit = (e, length) => Number.isInteger(e.start) && Number.isInteger(e.end) && 0 <= e.start && e.start <= e.end && e.end <= length &&
    typeof e.type === "string" && (e.correction === null || tokens(e.correction)) && Array.isArray(e.alternatives || []) && (e.alternatives || []).every(tokens);
  if (!Number.isInteger(i) || !(i in state.data.sentences) || !work || typeof work.comment !== "string" || !Array.isArray(work.edits)) return false;
  return work.edits.every((e) => e && isEdit(e, source(i).length) && STATUSES.includes(e.status) && Array.isArray(e.by) &&
    e.by.length > 0 && e.by.every(Number.isInteger) && (!e.was || isEdit(e.was, source(i).length)));
}

// The file that jperrant m2 convert reads.
function savedFile() {
  const sentences = state.data.sentences.map((record, i) => {
    const work = state.work.get(i);
    if (!work) return record;
    const edits = work.edits.map((e) => ({ by: e.by, status: e.status, ...fields(e), covered: source(i).slice(e.start, e.end), ...(e.was ? { was: e.was } : {}) }));
    return { ...record, ...(work.comment ? { comment: work.comment } : {}), ...(work.seen ? { seen: true } : {}), edits };
  });
  return JSON.stringify({ ...state.data, reviewer: state.name, saved: new Date().toISOString(), sentences });
}

function savedName() {
  const name = state.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return [state.data.m2.replace(/\.(gz|xz|bz2)$/, "").replace(/\.m2$/, ""), name, "review.json"].filter(Boolean).join(".");
}

// The content of a saved file: {reviewer, work, lost}, the work by sentence, and the numbers of sentences that differ in
// this M2 file. Throws an Error that says why the file cannot be read.
function readSaved(text) {
  let record = null;
  try {
    record = JSON.parse(text);
  } catch {
    throw new Error("this file is not JSON");
  }
  if (!record || record.format !== state.data.format || !Array.isArray(record.sentences)) throw new Error("this file is not a review");
  if (record.task !== state.data.task) throw new Error("this review has another task (" + record.task + ")");
  const places = record.sha256 === state.data.sha256 ? record.sentences.map((_, i) => i) : samePlaces(record.sentences);
  const [loaded, lost] = [new Map(), []];
  record.sentences.forEach((one, n) => {
    if (!one || !one.edits) return;
    const work = { comment: one.comment || "", ...(one.seen ? { seen: true } : {}),
      edits: one.edits.map(({ covered, ...edit }) => ({ ...edit, alternatives: edit.alternatives || [] })) };
    if (places[n] < 0) lost.push(n + 1);
    else if (!isWork(places[n], work)) throw new Error("sentence " + (n + 1) + " of this review is damaged");
    else loaded.set(places[n], work);
  });
  if (loaded.size + lost.length && !loaded.size) throw new Error("this review is of another M2 file: it has none of these sentences");
  return { reviewer: typeof record.reviewer === "string" ? record.reviewer : "", work: loaded, lost };
}

// The positions in this M2 file of the sentences of another version of the file; -1 for sentences that were changed.
function samePlaces(sentences) {
  const text = (one) => one && JSON.stringify([one.source, (one.annotations || []).map((a) => [a.annotator, (a.edits || []).map(fields)])]);
  const left = new Map();
  for (const [i, one] of state.data.sentences.entries()) left.set(text(one), [...(left.get(text(one)) || []), i]);
  return sentences.map((one, n) => {
    const same = left.get(text(one)) || [];
    const place = same.includes(n) ? n : same[0] ?? -1;
    left.set(text(one), same.filter((i) => i !== place));
    return place;
  });
}
