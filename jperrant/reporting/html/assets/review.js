// What people do on the page: choosing, deciding, changing, saving; keys and buttons.
function select(i, k, focus = true) {
  const former = view.i;
  const edit = k >= 0 ? sentence(i).edits[k] : null;
  Object.assign(view, { i, k: edit ? k : -1, span: null, types: false });
  const people = annotations(i).map((a) => a.annotator);
  if (edit) view.annotator = edit.by[0];
  else if (!people.includes(view.annotator)) view.annotator = people.length ? people[0] : 0;
  showSentence(i, former);
  if (focus) focusEdit();
}

// Shows the page of the list that a sentence is on.
function showSentence(i, former) {
  const position = view.list.indexOf(i);
  if (position < 0) {
    view.list = state.data.sentences.map((_, n) => n);
    jp.id("filters").reset();
    return showSentence(i, former);
  }
  const page = Math.floor(position / PER_PAGE);
  if (page !== view.page || !jp.id("s" + (i + 1))) {
    view.page = page;
    return drawList();
  }
  if (former !== i) drawSentence(former);
  drawSentence(i);
}

function focusEdit() {
  const place = jp.id("s" + (view.i + 1));
  if (!place) return;
  const button = place.querySelector("button.current") || place;
  button.focus({ preventScroll: true });
  const box = place.getBoundingClientRect();
  const top = document.querySelector(".bar-frame").getBoundingClientRect().bottom;
  if (box.top < top || box.bottom > innerHeight) place.scrollIntoView({ block: box.height > innerHeight - top ? "start" : "nearest" });
}

// The next or the previous edit; a sentence without edits is a stop too.
function moveEdit(by) {
  const order = orderOf(view.i);
  const k = view.k < 0 ? undefined : order[order.indexOf(view.k) + by];
  if (k !== undefined) return select(view.i, k);
  moveSentence(by, by > 0 ? 0 : -1);
}

function moveSentence(by, edit) {
  const next = view.list[view.list.indexOf(view.i) + by];
  if (next === undefined) return jp.say(by > 0 ? "This is the last sentence" : "This is the first sentence");
  const order = orderOf(next);
  select(next, edit === undefined ? firstEdit(next) : order.at(edit) ?? -1);
}

function nextOpen() {
  const start = view.list.indexOf(view.i);
  const order = [...view.list.slice(start + 1), ...view.list.slice(0, start + 1)];
  const inside = orderOf(view.i);
  const here = inside.slice(inside.indexOf(view.k) + 1).find((k) => sentence(view.i).edits[k].status === "open");
  if (here !== undefined) return select(view.i, here);
  const next = order.find((i) => state.counts[i].open);
  if (next === undefined) return jp.say("Every edit is decided");
  select(next, firstEdit(next));
}

function redraw(focus = true) {
  drawSentence(view.i);
  if (focus) focusEdit();
}

// Accepts or rejects the selected edit and goes on to the next. Rejection removes an edit that was added here;
// acceptance marks a sentence without edits as seen.
function decide(status) {
  const edit = sentence(view.i).edits[view.k];
  if (!edit && (status !== "accepted" || sentence(view.i).edits.length)) return jp.say("No edit is chosen");
  if (!edit) {
    change(view.i, "seen", (s) => { s.seen = true; });
    drawSentence(view.i);
    return moveEdit(1);
  }
  const { i, k } = view;
  const problem = status === "accepted" && edit.status !== "accepted" ? clashOf(i, edit, k) : "";
  if (problem) return jp.say("This edit " + problem);
  if (status === "rejected" && !edit.was) {
    change(i, "remove", (s) => { s.edits.splice(k, 1); });
    return select(i, Math.min(k, sentence(i).edits.length - 1));
  }
  change(i, status, (s) => {
    s.edits[k].status = status;
    if (status === "rejected" && !isAdjudication()) Object.assign(s.edits[k], copy(edit.was));
  });
  drawSentence(i);
  const last = k === orderOf(i).at(-1) && view.list.indexOf(i) === view.list.length - 1;
  if (last) return redraw();
  moveEdit(1);
}

function acceptRest() {
  const { i } = view;
  const before = state.undo.length;
  for (const k of orderOf(i)) {
    const edit = sentence(i).edits[k];
    if (edit.status === "open" && !rivals(i, edit, k).length) change(i, "accept the rest", (s) => { s.edits[k].status = "accepted"; });
  }
  const single = state.undo.splice(before);
  if (single.length) state.undo.push({ ...single[0], changes: [{ i, before: single[0].changes[0].before, after: state.work.get(i) }] });
  else jp.say("Nothing to accept in sentence " + (i + 1));
  drawSentence(i);
  const left = orderOf(i).find((k) => sentence(i).edits[k].status === "open");
  if (left === undefined) return moveSentence(1);
  jp.say("This edit " + clashOf(i, sentence(i).edits[left], left));
  select(i, left);
}

// Accepts the edit at hand and rejects those that it overlaps.
function acceptInstead() {
  const { i, k } = view;
  const others = rivals(i, sentence(i).edits[k], k).map((e) => sentence(i).edits.indexOf(e));
  change(i, "accept instead", (s) => {
    for (const n of others) s.edits[n].status = "rejected";
    s.edits[k].status = "accepted";
  });
  redraw();
}

// Marks a sentence without edits as read and correct, or removes the mark.
function toggleSeen() {
  const { i } = view;
  if (sentence(i).edits.length) return jp.say("This sentence has edits: accept or reject them");
  change(i, "seen", (s) => { if (s.seen) delete s.seen; else s.seen = true; });
  drawSentence(i);
  if (sentence(i).seen) moveEdit(1);
}

function takeVersion(i, who) {
  if (!annotations(i).some((a) => a.annotator === who)) return jp.say("Annotator " + who + " has not annotated this sentence");
  const version = versionOf(i, who);
  const { k } = view;
  let current = k;
  change(i, "take annotator " + who + "'s version", (s) => {
    const taken = version.map((n) => Object.assign(s.edits[n], copy(s.edits[n].was), { status: "accepted" }));
    const others = s.edits.filter((e) => !taken.includes(e)).map((e) => Object.assign(e, { status: "rejected" }));
    const edit = s.edits[k];
    s.edits = sorted([...taken, ...others]);
    current = s.edits.indexOf(edit);
  });
  view.k = current;
  redraw();
}

function attempt(action) {
  try {
    return action();
  } catch (error) {
    jp.say(error.message);
    return null;
  }
}

// Applies the typed text to the selected edit; false if the text is not valid.
function applyCorrection(i, k, text) {
  const edit = sentence(i).edits[k];
  if (!edit || text === correctionText(edit)) return true;
  return attempt(() => { changeEdit(i, k, "correction", parseCorrection(text)); return true; }) || false;
}

// On leaving the field of the correction: applies the typed text, or drops the new edit that it was for.
function leaveCorrection(i, k, text) {
  if (view.i !== i || view.k !== k) return;
  if (view.fresh) finishFresh(text);
  else applyCorrection(i, k, text);
  view.stale = true;
  if (!view.pressed) setTimeout(drawStale);
}

// Draws the page again after a click, so that the target of the click does not move during it.
function drawStale() {
  if (view.stale) drawSentence(view.i);
}

function applyType(i, k, type) {
  const fields = type === UNKNOWN ? { type, correction: null, alternatives: [] } : { type };
  attempt(() => changeEdit(i, k, "type", fields));
  closeTypes();
}

function openTypes() {
  if (view.k < 0) return jp.say("No edit is chosen");
  view.types = !view.types;
  redraw(!view.types);
  if (view.types) jp.id("type-search").focus();
}

function closeTypes() {
  view.types = false;
  redraw();
}

function toggleSpan() {
  if (view.k < 0) return jp.say("No edit is chosen");
  view.span = view.span ? null : { start: null };
  redraw(!view.span);
  if (view.span) jp.say(stripNote());
  if (view.span) focusStrip("token", Math.min(sentence(view.i).edits[view.k].start, source(view.i).length - 1));
}

function focusStrip(kind, t) {
  const button = document.querySelector('.at-hand .strip [data-' + kind + '="' + t + '"]');
  if (!button) return;
  for (const other of document.querySelectorAll(".at-hand .strip button")) other.tabIndex = other === button ? 0 : -1;
  button.focus();
}

// Arrow keys go from token to gap to token.
function moveInStrip(event) {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(event.target);
  const forward = event.currentTarget.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const backward = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  const next = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined || !buttons[next]) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}

// A click on a token: an end of the span that is being changed, the edit that is there, or the beginning of a new one.
function chooseToken(t) {
  const { i, k, span } = view;
  if (span) {
    if (span.start === null) {
      span.start = t;
      redraw(false);
      return focusStrip("token", t);
    }
    return applySpan(i, k, Math.min(span.start, t), Math.max(span.start, t) + 1);
  }
  const mine = (e) => isAdjudication() || e.by.includes(view.annotator);
  const there = sentence(i).edits.findIndex((e) => e.start <= t && t < e.end && mine(e));
  if (there >= 0) return select(i, there);
  addEdit({ start: t, end: t + 1, type: UNKNOWN, correction: null, alternatives: [] });
}

function applySpan(i, k, start, end) {
  const edit = sentence(i).edits[k];
  const corrected = edit.correction === null && start === end ? null : edit.correction;
  attempt(() => changeEdit(i, k, "span", { start, end, correction: corrected }));
  view.span = null;
  redraw();
}

function addInsertion(t) {
  if (view.span) return applySpan(view.i, view.k, t, t);
  addEdit({ start: t, end: t, type: "M:OTHER", correction: [], alternatives: [] });
}

// Begins a new edit, which is kept only if a correction is typed. It comes last, so that other edits keep their numbers.
function addEdit(edit) {
  const { i } = view;
  const before = state.work.get(i);
  const work = copy(sentence(i));
  work.edits.push({ by: [isAdjudication() ? 0 : view.annotator], status: "accepted", ...edit });
  state.work.set(i, work);
  const text = source(i).slice(edit.start, edit.end).join(" ");
  Object.assign(view, { k: work.edits.length - 1, types: false, fresh: { before, text } });
  drawSentence(i);
  const field = jp.id("correction");
  field.value = text;
  field.focus();
  field.select();
}

// Ends a new edit: adds it with the typed text as one change, or drops it; true if it was added.
function finishFresh(text) {
  const { i, k, fresh } = view;
  const made = copy(sentence(i).edits[k]);
  view.fresh = null;
  if (fresh.before) state.work.set(i, fresh.before);
  else state.work.delete(i);
  const added = text !== fresh.text && attempt(() => {
    Object.assign(made, parseCorrection(text));
    made.type = fittingType(made, source(i));
    const problem = problemOf(made, source(i)) || clashOf(i, made);
    if (problem) throw new Error(problem);
    return change(i, "add", (s) => { delete s.seen; s.edits.push(made); });
  });
  if (!added) view.k = firstEdit(i);
  return Boolean(added);
}

function onFieldKey(event) {
  if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
  event.preventDefault();
  const field = event.target;
  const taken = event.key === "Enter";
  if (field.id === "comment") {
    if (taken) field.dispatchEvent(new Event("change"));
    return redraw();
  }
  if (view.fresh) {
    const added = finishFresh(taken ? field.value : view.fresh.text);
    redraw(!added);
    return added ? openTypes() : undefined;
  }
  if (!taken) field.value = correctionText(sentence(view.i).edits[view.k]);
  else if (!applyCorrection(view.i, view.k, field.value)) return;
  redraw();
}

function undoStep(from, to, word) {
  const last = step(from, to);
  if (!last) return jp.say("Nothing to " + word.toLowerCase());
  jp.say(word + ": " + last.what);
  select(last.i, Math.min(last.k, sentence(last.i).edits.length - 1));
}

// The unfinished text of a field, and its place; null if there is none.
function draft() {
  const field = document.activeElement;
  if (!field || !["correction", "comment"].includes(field.id)) return null;
  const { i, k, fresh } = view;
  const was = field.id === "comment" ? sentence(i).comment : fresh ? fresh.text : correctionText(sentence(i).edits[k]);
  return field.value === was ? null : { tab: state.tab, i, k, field: field.id, text: field.value, fresh: fresh ? sentence(i).edits[k] : null };
}

// Whether the typed text is valid as it is.
function canBeTaken({ i, k, field, text }) {
  try {
    const edit = { ...sentence(i).edits[k], ...(field === "comment" ? {} : parseCorrection(text)) };
    return field === "comment" || !(problemOf(edit, source(i)) || clashOf(i, edit, k));
  } catch {
    return false;
  }
}

// Shows the unfinished text of a page that was closed; Enter applies it.
function retype(typed) {
  if (!typed || !(typed.i in state.data.sentences) || typeof typed.text !== "string") return;
  view.i = typed.i;
  if (typed.fresh && isWork(typed.i, { comment: "", edits: [typed.fresh] })) addEdit(typed.fresh);
  else select(typed.i, typed.k);
  const field = jp.id(typed.field === "comment" ? "comment" : "correction");
  if (!field) return;
  field.value = typed.text;
  field.focus();
  jp.say("The text that you were typing is here again; press Enter to accept it");
}

// On leaving the page: applies the typed text if it is valid, else the browser asks.
function leavePage(event) {
  const typed = draft();
  const taken = !typed || canBeTaken(typed);
  if (typed && taken) document.activeElement.blur();
  keep();
  if (event.type === "beforeunload" && (!taken || state.dirty)) event.preventDefault();
}

function save() {
  const field = document.activeElement;
  if (field && ["correction", "comment"].includes(field.id)) field.blur();
  keep();
  jp.download(savedName(), "application/json", savedFile());
  const open = state.counts.reduce((total, count) => total + count.open, 0);
  jp.say("Saved " + savedName() + (open ? "; " + open + " not decided" : ""));
}

async function load(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const text = await file.text();
  const saved = attempt(() => readSaved(text));
  if (!saved) return;
  const mine = [...state.work.keys()];
  if (mine.length && !confirm("Replace what was decided here on " + mine.length + (mine.length === 1 ? " sentence" : " sentences") + " by " + file.name + "? Undo brings it back.")) return;
  const places = [...new Set([...mine, ...saved.work.keys()])];
  if (places.length) changeAll(places.map((i) => [i, saved.work.get(i)]), "open " + file.name);
  const by = saved.reviewer && saved.reviewer !== state.name ? " of " + saved.reviewer : "";
  const lost = saved.lost.length ? " Not usable, as this M2 file has the sentences otherwise: " + saved.lost.join(", ") + "." : "";
  jp.fill(jp.id("opened"), file.name + by + ": decisions on " + saved.work.size + (saved.work.size === 1 ? " sentence." : " sentences.") + lost);
  jp.id("opened").hidden = false;
  filterAgain();
}

function startAgain() {
  if (!confirm("Forget everything that was decided on this page? Undo brings it back.")) return;
  const mine = [...state.work.keys()];
  if (mine.length) changeAll(mine.map((i) => [i, undefined]), "start again");
  jp.id("restored").hidden = true;
  filterAgain();
}

// Another window has kept changes of the same review.
function onStorage(event) {
  if (event.key !== storageKey() || !event.newValue) return;
  const taken = takeOver(readKept());
  if (!taken.length) return;
  jp.say("Changed in another window: sentence " + taken.map((i) => i + 1).join(", "));
  if (draft()) return drawProgress();
  if (!sentence(view.i).edits[view.k]) view.k = firstEdit(view.i);
  drawList();
}

function filterAgain() {
  view.list = matching();
  view.page = 0;
  if (view.list.length && !view.list.includes(view.i)) view.i = view.list[0];
  view.k = firstEdit(view.i);
  view.page = Math.max(0, Math.floor(view.list.indexOf(view.i) / PER_PAGE));
  drawList();
}

function turnPage(by) {
  view.page += by;
  const first = view.list[view.page * PER_PAGE];
  drawList();
  if (first !== undefined) select(first, firstEdit(first));
}

const KEYS = {
  j: () => moveEdit(1), k: () => moveEdit(-1), n: () => moveSentence(1), p: () => moveSentence(-1), o: nextOpen,
  a: () => decide("accepted"), x: () => decide("rejected"), d: acceptRest, t: openTypes, s: toggleSpan,
  e: () => focusField("correction"), c: () => focusField("comment"), i: () => focusStrip("gap", view.k >= 0 ? sentence(view.i).edits[view.k].end : 0),
  v: toggleSeen, u: () => undoStep(state.undo, state.redo, "Undone"), r: () => undoStep(state.redo, state.undo, "Redone"),
  f: () => jp.id("filter-text").focus(), "?": () => jp.id("help").showModal(), Escape: () => { view.span = null; redraw(); },
};

function focusField(name) {
  const field = jp.id(name);
  if (!field) return jp.say("No edit is chosen");
  field.focus();
  field.select();
}

function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    return save();
  }
  if (!jp.isCommand(event) || jp.id("help").open || event.defaultPrevented) return;
  if (/^[1-9]$/.test(event.key) && isAdjudication()) return takeVersion(view.i, Number(event.key) - 1);
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  document.addEventListener("keydown", onKey);
  for (const [name, action] of Object.entries({
    undo: KEYS.u, redo: KEYS.r, save, "show-help": KEYS["?"], again: startAgain, "close-help": () => jp.id("help").close(),
    previous: () => turnPage(-1), next: () => turnPage(1), "previous-foot": () => turnPage(-1), "next-foot": () => turnPage(1),
    open: () => jp.id("file").click(),
  })) jp.id(name).addEventListener("click", action);
  jp.id("file").addEventListener("change", load);
  jp.id("filters").addEventListener("input", filterAgain);
  jp.id("filters").addEventListener("reset", () => setTimeout(filterAgain));
  jp.id("filters").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("pointerdown", () => { view.pressed = true; });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => { view.pressed = false; drawStale(); }));
  jp.id("reviewer").addEventListener("click", () => { keep(); remember(""); location.reload(); });
  addEventListener("storage", onStorage);
  for (const end of ["pagehide", "beforeunload"]) addEventListener(end, leavePage);
}

function fillTypes() {
  const types = new Set(state.data.sentences.flatMap((_, i) => sentence(i).edits.map((e) => e.type)));
  jp.add(jp.id("filter-type"), [...types].sort().map((type) => jp.el("option", { value: type }, type)));
}

// The name of the reviewer, asked for once in each window; a reload keeps it.
function remember(name) {
  try {
    sessionStorage.setItem("jperrant-reviewer", name);
  } catch {
    // A page without storage asks again.
  }
}

async function askName() {
  try {
    const known = sessionStorage.getItem("jperrant-reviewer");
    if (known) return known;
  } catch {
    // As for a new reviewer.
  }
  const [dialog, field] = [jp.id("who"), jp.id("name")];
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.showModal();
  return new Promise((resolve) => jp.id("who-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.value.replace(/[\ud800-\udfff]/gu, "").split(WHITE).filter(Boolean).join(" ");
    if (!name) return;
    remember(name);
    dialog.close();
    resolve(name);
  }));
}

async function start() {
  [state.data, state.labels] = await Promise.all([jp.data("review"), jp.data("labels")]);
  state.name = await askName();
  jp.fill(jp.id("reviewer"), state.name);
  for (const i of state.data.sentences.keys()) countSentence(i);
  const kept = readKept();
  if (takeOver(kept).length && state.work.size) {
    const when = new Date(kept.saved);
    jp.id("restored").hidden = false;
    jp.id("restored-when").textContent = Number.isNaN(when.valueOf()) ? "" : when.toLocaleString();
  }
  fillTypes();
  listen();
  for (const node of document.querySelectorAll(".scripted")) node.hidden = false;
  view.list = matching();
  const first = state.counts.findIndex((c) => c.open);
  view.i = Math.max(first, 0);
  view.k = firstEdit(view.i);
  view.page = Math.floor(view.i / PER_PAGE);
  if (view.k >= 0) view.annotator = sentence(view.i).edits[view.k].by[0];
  else if (annotations(view.i).length) view.annotator = annotations(view.i)[0].annotator;
  drawList();
  retype(kept.draft);
  document.body.dataset.ready = "yes";
}

start();
