// What a sentence shows on demand: CLEME's chunk table and UOT's transport plan. They are drawn here and not by the
// macros of drawings.html, as a page with the plans of thousands of sentences, drawn, would be too large to open.
const LABELS = { t: ["TP", "hit"], w: ["FPne", "wrong"], n: ["FPun", "over"], m: ["FN", "under"], "-": ["TN", "correctly unchanged"] };

// table: [chosen annotator, first token, annotators, chunks], as chunk_data in report.py writes it.
function chunkTable(name, tokens, _edits, table, view) {
  const [chosen, offset, annotators, chunks] = table;
  const columns = [];
  let position = offset;
  for (const chunk of chunks) {
    const [start, end] = [chunk[0] + offset, chunk[1] + offset];
    if (position < start) columns.push({ source: tokens.slice(position, start) });
    columns.push({ source: tokens.slice(start, end), letter: chunk[2], cells: chunk.slice(3) });
    position = end;
  }
  if (position < tokens.length) columns.push({ source: tokens.slice(position) });
  const shown = (words, long) => (long && words.length > 5 ? [words[0], words[1], "…", words.at(-1)] : words).join(view.join || "") || "∅";
  const row = (title, cell, mark) => jp.el("tr", {}, jp.el("th", { scope: "row" }, title), columns.map((c) => {
    const words = cell === null ? null : c.cells?.[cell];
    const changed = words !== null && words !== undefined;
    return jp.el("td", { class: (changed ? "changed " : "") + (mark && c.letter ? c.letter : ""), dir: "auto", lang: view.lang || null,
      title: c.letter ? null : c.source.join(view.join) }, shown(changed ? words.split(" ").filter(Boolean) : c.source, !c.letter));
  }));
  return jp.el("table", { dir: jp.direction(tokens.join(" ")) },
    jp.el("caption", { dir: "ltr" }, "Chunks of ", name, ", judged by ", chosen === null ? "all references" : "reference " + chosen),
    jp.el("tbody", {}, row("source", null),
      annotators.map((a, n) => row("reference " + a + (a === chosen ? " *" : ""), n + 1)),
      row(name, 0, true),
      jp.el("tr", {}, jp.el("th", { scope: "row" }, "label"), columns.map((c) =>
        jp.el("td", { class: c.letter || "" }, c.letter ? [LABELS[c.letter][0], jp.el("span", { class: "dim" }, " " + LABELS[c.letter][1])] : "")))));
}

// plan: [annotator, positions of ours, of theirs, masses of ours, of theirs, matrix], as sentence_data.py writes it.
function planDrawing(name, tokens, edits, plan, view) {
  const [annotator, ours, theirs, ourMass, theirMass, matrix] = plan;
  const [width, box, row, gap] = [760, 280, 34, 8];
  const height = Math.max(ours.length, theirs.length) * (row + gap);
  const largest = Math.max(1e-9, ...ourMass, ...theirMass, ...matrix.flat());
  const middle = (n) => n * (row + gap) + row / 2;
  const words = (e) => {
    const old = tokens.slice(e.start, e.end).join(view.join) || "∅";
    const text = old + " → " + ((e.correction || []).join(view.join) || "∅");
    return text.length > 38 ? text.slice(0, 37) + "…" : text;
  };
  const boxes = (side, masses, moved, x) => side.map((position, n) => jp.el("g", {},
    jp.el("rect", { class: "box", x, y: n * (row + gap), width: box, height: row, rx: 4 }),
    jp.el("text", { x: x + 8, y: n * (row + gap) + 15, "font-size": 12.5 }, words(edits[position])),
    jp.el("text", { x: x + 8, y: n * (row + gap) + 29, "font-size": 11, class: "soft" },
      edits[position].type + "  " + moved[n].toFixed(3) + " of " + masses[n].toFixed(3))));
  const bands = [];
  for (const [i, line] of matrix.entries()) for (const [j, mass] of line.entries()) {
    const [x, end] = [box, width - box];
    if (mass > 0) bands.push(jp.el("path", { class: "band", "stroke-width": Math.max(0.4, (20 * mass) / largest).toFixed(2),
      d: `M${x} ${middle(i)} C${width / 2} ${middle(i)} ${width / 2} ${middle(j)} ${end} ${middle(j)}` },
      jp.el("title-svg", {}, mass.toFixed(3))));
  }
  const sums = (n, pick) => Array.from({ length: n }, (_, k) => pick(k).reduce((a, b) => a + b, 0));
  return jp.el("figure", {},
    jp.el("figcaption", {}, "Transport of the edits of ", name, " (left) to those of reference " + annotator + " (right): the wider a band, the more"),
    jp.el("svg", { class: "plan", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "transport plan" },
      bands, boxes(ours, ourMass, sums(ours.length, (i) => matrix[i]), 0),
      boxes(theirs, theirMass, sums(theirs.length, (j) => matrix.map((line) => line[j])), width - box)));
}

// What can be opened below a sentence: the name of its data, the function that draws it, the text if there is none.
const DETAILS = [
  ["chunks", chunkTable, "No annotator and no system changes anything here."],
  ["plans", planDrawing, "No system has edits here that could be transported."],
];
