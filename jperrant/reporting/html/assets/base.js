// What all pages share. Text becomes text nodes and nothing else: no markup is ever made of data.
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const ATTRIBUTES = /^(id|class|lang|dir|title|type|name|value|for|href|download|scope|colspan|rowspan|role|tabindex|hidden|open|disabled|checked|selected|placeholder|autocomplete|spellcheck|aria-[a-z]+|data-[a-z-]+|viewBox|width|height|[xy][12]?|d|r|rx|cx|cy|fill|fill-opacity|stroke|stroke-width|stroke-opacity|stroke-dasharray|text-anchor|transform|font-size|font-weight)$/;
const SVG = new Set(["svg", "g", "path", "rect", "circle", "line", "text", "tspan", "title-svg"]);

const jp = {
  // A text in which invisible characters, and characters that change the direction of text, are shown.
  visible(text) {
    return String(text)
      .replace(HIDDEN, (c) => "‹U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "›")
      .replace(CONTROLS, (c) => (c < "\u0020" ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : "\ufffd"));
  },
  // An element. Attributes: only those listed above; links lead into the page or to what the page made itself;
  // "on": handlers by event. Children: nodes, texts, arrays of them; null is left out.
  el(tag, attributes, ...children) {
    const name = tag.replace("-svg", "");
    const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
      else if (value === null || value === undefined || value === false) continue;
      else if (!ATTRIBUTES.test(key)) throw new Error("attribute not allowed: " + key);
      else if (key === "href" && !/^(#|blob:)/.test(value)) throw new Error("link not allowed");
      else node.setAttribute(key, value === true ? "" : key === "href" ? value : jp.visible(value));
    }
    return jp.add(node, ...children);
  },
  add(node, ...children) {
    for (const child of children.flat(Infinity))
      if (child !== null && child !== undefined && child !== false)
        node.append(child instanceof Node ? child : document.createTextNode(jp.visible(child)));
    return node;
  },
  fill(node, ...children) {
    node.replaceChildren();
    return jp.add(node, ...children);
  },
  // The direction of a text: that of its first letter.
  direction(text) {
    const letter = /\p{L}/u.exec(text);
    return letter && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(letter[0]) ? "rtl" : "ltr";
  },
  // A text as searches compare it: without capitals, and without the dots that set İ, I, ı and i apart.
  folded(text) { return text.toLowerCase().replace(/i\u0307|ı/g, "i"); },
  id(name) { return document.getElementById(name); },
  // The data of a block of the page, as a promise.
  async data(name) {
    const block = jp.id("data-" + name);
    if (block.type === "application/json") return JSON.parse(block.textContent);
    const bytes = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  },
  download(name, kind, text) {
    const url = URL.createObjectURL(new Blob([text], { type: kind + ";charset=utf-8" }));
    const link = jp.el("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  },
  // Copies a text and says so; where the browser forbids it the text is shown selected, to be copied by hand.
  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      jp.say(what + " copied");
    } catch {
      const field = jp.el("textarea", { class: "copy", "aria-label": what });
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      jp.say(done ? what + " copied" : "This browser does not let the page copy");
    }
  },
  // Says something for a moment, also to screen readers: needs <div id="status" role="status">.
  say(text) {
    const place = jp.id("status");
    if (!place) return;
    place.textContent = jp.visible(text);
    place.classList.add("shown");
    clearTimeout(jp.said);
    jp.said = setTimeout(() => place.classList.remove("shown"), 2500);
  },
  // Whether a key press is for the page, and not for a field or a shortcut of the browser.
  isCommand(event) {
    return !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing &&
      !event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  },
  // The state of the page in the fragment of its address: an object of strings, empty ones left out.
  fragment() { return Object.fromEntries(new URLSearchParams(location.hash.slice(1))); },
  setFragment(state) {
    const kept = Object.entries(state).filter(([, value]) => value !== "" && value !== null && value !== undefined);
    const text = "#" + new URLSearchParams(kept).toString();
    try {
      history.replaceState(null, "", text === "#" ? location.pathname + location.search : text);
    } catch {
      // A page inside a notebook has no address of its own.
    }
  },
};

// Outcomes of edits: a sign and a word each; base.css has a colour and a line for each.
const OUTCOMES = {
  right: ["✓", "right: the reference has the same edit"],
  wrong: ["≠", "wrong: the reference corrects this place differently"],
  needless: ["+", "needless: the reference changes nothing here"],
  missed: ["–", "missed: an edit of the reference that the system lacks"],
};

// One edit as nodes. edit: {start, end, correction (array, or null: only marked), type, outcome, alternatives}.
function editNode(tokens, edit, join) {
  const old = tokens.slice(edit.start, edit.end).join(join);
  const named = OUTCOMES[edit.outcome];
  const parts = [];
  if (old && edit.outcome === "missed") parts.push(jp.el("span", { class: "kept" }, old));
  else if (old) parts.push(edit.correction === null ? jp.el("mark", {}, old) : jp.el("del", {}, old));
  for (const [n, words] of (edit.correction === null ? [] : [edit.correction, ...(edit.alternatives || [])]).entries()) {
    if (n) parts.push(" or ");
    if (words.length) parts.push(parts.length && !n ? " " : "", jp.el("ins", {}, words.join(join)));
    else if (n) parts.push("∅");
  }
  return jp.el("span", { class: "edit " + (edit.outcome || ""), title: edit.type + (named ? ", " + named[1] : "") },
    parts, jp.el("span", { class: "type", dir: "ltr", lang: "en" }, edit.type),
    named ? jp.el("span", { class: "sign", dir: "ltr" }, named[0], jp.el("span", { class: "visually-hidden" }, " " + edit.outcome)) : null);
}

// A sentence with its edits as nodes: what an annotator or a system did to the tokens. join: " " or "".
function diffNodes(tokens, edits, join = " ") {
  const nodes = [];
  let position = 0;
  const gap = () => (nodes.length ? join : "");
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start > position) nodes.push(gap() + tokens.slice(position, edit.start).join(join));
    nodes.push(gap(), editNode(tokens, edit, join));
    position = Math.max(position, edit.end);
  }
  if (position < tokens.length) nodes.push(gap() + tokens.slice(position).join(join));
  return nodes;
}
