// What was decided: edits by sentence, how they change, undo and redo, what is kept and saved. Nothing is drawn here.
const OPERATIONS = ["M", "U", "R"];
const UNKNOWN = "UNK";
const DETECTION = [UNKNOWN, "Um"];
const WHITE = /[\s\u001c-\u001f\u0085]+/;
const ALTERNATIVES = /(?<=\S)\|\||\|\|(?=\S)/;
const STATUSES = ["open", "accepted", "rejected"];

const state = { data: null, labels: [], work: new Map(), undo: [], redo: [], counts: [], kept: null };

function isAdjudication() { return state.data.task === "adjudicate"; }
function source(i) { return state.data.sentences[i].source; }
function annotations(i) { return state.data.sentences[i].annotations; }
function copy(value) { return JSON.parse(JSON.stringify(value)); }

// What M2 holds of an edit, in an order of its own: equal edits are equal texts.
function fields(edit) {
  return { start: edit.start, end: edit.end, type: edit.type, correction: edit.correction, alternatives: edit.alternatives || [] };
}
function sameEdit(a, b) { return JSON.stringify(fields(a)) === JSON.stringify(fields(b)); }

// The sentence as it is now: what somebody did to it, or its edits as the file has them.
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

// Whether all annotators have the shared edits at the place of one of them in the same order, equally often.
function isOrderShared(edit, shared, looked) {
  const here = (e) => e.start === edit.start && e.end === edit.end && shared.some((s) => sameEdit(s, e));
  return new Set(looked.map((a) => JSON.stringify(a.edits.filter(here).map(fields)))).size === 1;
}

// The edits of an annotator's version in its order, by their numbers, whatever was done to them since.
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
  const { edits, comment } = sentence(i);
  const changed = edits.some((e) => !e.was || !sameEdit(e, e.was) || (e.status === "rejected" && !isAdjudication()));
  state.counts[i] = { total: edits.length, open: edits.filter((e) => e.status === "open").length, changed, comment: comment !== "" };
}

// Changes a sentence by a function of a copy of it; false if that changed nothing.
function change(i, what, edit) {
  const before = state.work.get(i);
  const after = copy(sentence(i));
  edit(after);
  if (JSON.stringify(after) === JSON.stringify(sentence(i))) return false;
  state.undo.push({ i, k: view.k, what, before, after });
  state.redo.length = 0;
  put(i, after);
  return true;
}

function put(i, work) {
  if (work) state.work.set(i, work);
  else state.work.delete(i);
  countSentence(i);
  keepSoon();
}

// Takes back the last change, or makes it again; returns it, or null.
function step(from, to) {
  const last = from.pop();
  if (!last) return null;
  to.push(last);
  put(last.i, from === state.undo ? last.before : last.after);
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

// A correction as people type it: tokens separated by spaces, || between alternatives.
// Throws an Error whose message says why it cannot be.
function parseCorrection(text) {
  const plain = text.replace(/[\ud800-\udfff]/gu, "").split(WHITE).filter(Boolean).join(" ");
  if (plain.includes("|||")) throw new Error("||| separates the fields of M2 and cannot stand in a correction");
  if (plain === "-NONE-") throw new Error("leave the correction empty for a deletion");
  const [correction, ...alternatives] = plain.split(ALTERNATIVES).map((part) => part.split(" ").filter(Boolean));
  return { correction, alternatives };
}

// Why an edit cannot be as it is; empty if it can.
function problemOf(edit, tokens) {
  const old = tokens.slice(edit.start, edit.end);
  if (edit.correction === null) return old.length ? "" : "an insertion needs a correction";
  if (!old.length && ![edit.correction, ...edit.alternatives].every((c) => c.length)) return "an insertion needs a correction";
  if (!edit.alternatives.length && edit.correction.join(" ") === old.join(" ")) return "this changes nothing; reject the edit instead";
  return "";
}

// Gives an edit of a sentence other fields and accepts it. Throws an Error if it cannot be so.
function changeEdit(i, k, what, fields) {
  const edit = { ...sentence(i).edits[k], ...fields, status: "accepted" };
  edit.type = fittingType(edit, source(i));
  const problem = problemOf(edit, source(i));
  if (problem) throw new Error(problem);
  return change(i, what, (s) => { s.edits[k] = edit; });
}

// Edits that stand in the way of others: the same annotator's, or all that are accepted for one version.
function overlapping(i) {
  const edits = sentence(i).edits;
  const lives = (e) => e.status !== "rejected" && e.correction !== null && !DETECTION.includes(e.type) && (!isAdjudication() || e.status === "accepted");
  const found = new Set();
  edits.forEach((a, n) => edits.forEach((b, m) => {
    const meet = a.start < b.end && b.start < a.end;
    const rivals = isAdjudication() || a.by.some((who) => b.by.includes(who));
    if (n !== m && meet && rivals && lives(a) && lives(b)) found.add(n);
  }));
  return found;
}

// Keeping work in the browser, by the checksum of the M2 file.
function storageKey() { return ["jperrant-review", state.data.task, state.data.sha256].join(":"); }

function keepSoon() {
  clearTimeout(state.timer);
  state.dirty = true;
  state.timer = setTimeout(keep, 300);
}

function keep() {
  clearTimeout(state.timer);
  if (!state.dirty || view.fresh) return;
  try {
    localStorage.setItem(storageKey(), JSON.stringify({ saved: new Date().toISOString(), work: [...state.work] }));
    state.kept = true;
    state.dirty = false;
  } catch {
    state.kept = false;
  }
  showKept();
}

function restore() {
  let record = null;
  try {
    record = JSON.parse(localStorage.getItem(storageKey()));
  } catch {
    return null;
  }
  if (!record || !Array.isArray(record.work)) return null;
  for (const [i, work] of record.work) if (isWork(i, work)) state.work.set(i, work);
  return state.work.size ? new Date(record.saved) : null;
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
    return { ...record, ...(work.comment ? { comment: work.comment } : {}), edits };
  });
  return JSON.stringify({ ...state.data, saved: new Date().toISOString(), sentences });
}

function savedName() {
  return state.data.m2.replace(/\.(gz|xz|bz2|zst)$/, "").replace(/\.m2$/, "") + ".review.json";
}

// Takes over the work of a saved file; throws an Error that says why it cannot.
function loadFile(text) {
  let record = null;
  try {
    record = JSON.parse(text);
  } catch {
    throw new Error("this file is not JSON");
  }
  if (!record || record.format !== state.data.format || !Array.isArray(record.sentences)) throw new Error("this file is not a review");
  if (record.sha256 !== state.data.sha256) throw new Error("this review is of another M2 file");
  if (record.task !== state.data.task) throw new Error("this review has another task (" + record.task + ")");
  const loaded = new Map();
  record.sentences.forEach((one, i) => {
    if (!one || !one.edits) return;
    const work = { comment: one.comment || "", edits: one.edits.map(({ covered, ...edit }) => ({ ...edit, alternatives: edit.alternatives || [] })) };
    if (!isWork(i, work)) throw new Error("sentence " + (i + 1) + " of this review is damaged");
    loaded.set(i, work);
  });
  state.work = loaded;
  state.undo.length = state.redo.length = 0;
  state.data.sentences.forEach((_, n) => countSentence(n));
  keepSoon();
}
