// The selected edit, and the controls that change it.
function workbench(i) {
  const edit = sentence(i).edits[view.k];
  return jp.el("div", { class: "bench" },
    tokenStrip(i), jp.el("p", { class: "note strip-note" }, stripNote(), newEditsGoTo(i)),
    edit ? panel(i, view.k) : sentence(i).edits.length ? jp.el("p", { class: "note" }, "Choose an edit.") : seenButton(i),
    isAdjudication() ? versionButtons(i) : null, reads(i), commentField(i));
}

// The corrected sentence of the selected version.
function reads(i) {
  return jp.el("p", { class: "reads" }, jp.el("span", { class: "note" }, isAdjudication() ? "The decision reads " : "Reads "),
    jp.el("span", { class: "text", dir: direction(i), lang: language() }, correctedTokens(i, view.annotator).join(joint()) || "∅"));
}

function seenButton(i) {
  return jp.el("p", { class: "verbs" }, jp.el("span", { class: "note" }, "No edits here."), verb("Nothing to correct", "v", toggleSeen, Boolean(sentence(i).seen)));
}

// Whose version new edits go to, where annotators keep their own.
function newEditsGoTo(i) {
  const people = annotations(i).map((a) => a.annotator);
  if (isAdjudication() || people.length < 2) return null;
  const choose = jp.el("select", { class: "small", on: { change: (event) => { view.annotator = Number(event.target.value); } } },
    people.map((who) => jp.el("option", { value: who, selected: who === view.annotator }, "annotator " + who)));
  return jp.el("label", { class: "inline" }, " New edits go to ", choose);
}

function versionButtons(i) {
  return jp.el("p", { class: "versions" }, annotations(i).map((a) =>
    jp.el("button", { type: "button", on: { click: () => takeVersion(i, a.annotator) } }, "Take annotator " + a.annotator + "'s version ", jp.el("kbd", {}, a.annotator + 1))));
}

function panel(i, k) {
  const edit = sentence(i).edits[k];
  const [, word] = SIGNS[kindOf(edit)];
  const order = orderOf(i);
  return jp.el("section", { class: "panel", "aria-label": "Edit at hand" },
    jp.el("p", { class: "about" }, jp.el("strong", {}, "Edit " + (order.indexOf(k) + 1) + " of " + order.length), jp.el("span", { class: "chip " + kindOf(edit) }, word),
      jp.el("span", { class: "note" }, edit.was ? "by annotator " + edit.by.join(", ") : "added" + (isAdjudication() ? "" : " for annotator " + edit.by[0])),
      overlapping(i).has(k) ? jp.el("span", { class: "chip wrong" }, "overlaps another edit") : null, before(i, edit)),
    edit.status === "accepted" ? null : clash(i, k),
    jp.el("div", { class: "verbs" },
      verb("Accept", "a", () => decide("accepted"), edit.status === "accepted"), verb("Reject", "x", () => decide("rejected"), edit.status === "rejected"),
      verb("Span", "s", toggleSpan, Boolean(view.span)), verb("Type", "t", openTypes, view.types)),
    jp.el("div", { class: "fields" }, correctionField(i, k), typeField(i, k)),
    view.types ? typeList(i, k) : null);
}

// Says that an edit overlaps an accepted edit, and offers to accept it instead.
function clash(i, k) {
  const found = clashOf(i, sentence(i).edits[k], k);
  return found && jp.el("p", { class: "warning" }, "This edit " + found + ". ", jp.el("button", { type: "button", on: { click: acceptInstead } }, "Accept this one instead"));
}

function verb(name, key, action, pressed) {
  return jp.el("button", { type: "button", "data-verb": name.toLowerCase(), "aria-pressed": pressed ? "true" : "false", on: { click: action } }, name + " ", jp.el("kbd", { "aria-hidden": "true" }, key));
}

// The edit in the file, if it was changed.
function before(i, edit) {
  if (!edit.was || sameEdit(edit, edit.was)) return null;
  return jp.el("span", { class: "note" }, "was ", jp.el("bdi", {}, wordsOf(i, { alternatives: [], ...edit.was })), " ", jp.el("span", { class: "mono" }, edit.was.type));
}

function correctionField(i, k) {
  const edit = sentence(i).edits[k];
  const field = jp.el("input", { type: "text", id: "correction", dir: direction(i), lang: language(), spellcheck: "false", autocomplete: "off",
    placeholder: edit.correction === null ? "none: the error is only marked" : "empty: the tokens are deleted",
    on: { keydown: onFieldKey, input: keepSoon, blur: () => leaveCorrection(i, k, field.value) } });
  field.value = correctionText(edit);
  return jp.el("label", { class: "wide" }, jp.el("span", {}, "Correction ", jp.el("kbd", { "aria-hidden": "true" }, "e")), field);
}

function typeField(i, k) {
  const type = sentence(i).edits[k].type;
  const known = state.labels.find(([label]) => label === labelOf(type));
  return jp.el("p", { class: "type-now" }, jp.el("span", { class: "mono", dir: "ltr" }, type), known?.[1] ? jp.el("span", { class: "note" }, plainMeaning(known[1])) : null);
}

function plainMeaning(text) { return text.replace(/\*/g, ""); }

// The types that the edit may have, narrowed by what is typed.
function typeList(i, k) {
  const edit = sentence(i).edits[k];
  const choices = typeChoices(edit, source(i));
  const list = jp.el("ul", { id: "types", role: "listbox", "aria-label": "Types" });
  const search = jp.el("input", { type: "search", id: "type-search", role: "combobox", "aria-controls": "types", "aria-expanded": "true", "aria-label": "Type of the edit",
    placeholder: "label or meaning", autocomplete: "off", spellcheck: "false" });
  let shown = [];
  let active = 0;
  const draw = () => {
    const words = search.value.toLowerCase().split(" ").filter(Boolean);
    shown = choices.filter(([type, meaning]) => words.every((word) => (type + " " + meaning).toLowerCase().includes(word)));
    active = Math.max(0, Math.min(active, shown.length - 1));
    jp.fill(list, shown.map(([type, meaning], n) => jp.el("li", { id: "type-" + n, role: "option", "aria-selected": n === active ? "true" : "false",
      class: type === edit.type ? "now" : null, on: { click: () => applyType(i, k, type) } },
    jp.el("span", { class: "mono", dir: "ltr" }, type), jp.el("span", { class: "note" }, plainMeaning(meaning)))));
    if (!shown.length) jp.fill(list, jp.el("li", { class: "note" }, "No type matches."));
    search.setAttribute("aria-activedescendant", shown.length ? "type-" + active : "");
    const at = list.children[active];
    if (at && list.isConnected) at.scrollIntoView({ block: "nearest" });
  };
  search.addEventListener("input", () => { active = 0; draw(); });
  search.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") active += event.key === "ArrowDown" ? 1 : -1;
    else if (event.key === "Enter" && shown.length) applyType(i, k, shown[active][0]);
    else if (event.key === "Escape") closeTypes();
    else return;
    event.preventDefault();
    if (search.isConnected) draw();
  });
  active = Math.max(0, choices.findIndex(([type]) => type === edit.type));
  draw();
  return jp.el("div", { class: "type-list" }, search, list);
}

function commentField(i) {
  const field = jp.el("input", { type: "text", id: "comment", dir: "auto", autocomplete: "off",
    on: { keydown: onFieldKey, input: keepSoon, change: () => setComment(i, field.value) } });
  field.value = sentence(i).comment;
  return jp.el("label", { class: "wide comment-field" }, jp.el("span", {}, "Comment ", jp.el("kbd", { "aria-hidden": "true" }, "c")), field);
}

function setComment(i, text) {
  if (change(i, "comment", (s) => { s.comment = text.replace(/[\ud800-\udfff]/gu, ""); })) drawProgress();
}
