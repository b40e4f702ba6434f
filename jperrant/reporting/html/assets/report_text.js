// Sentences as plain text of other programs: M2, TSV, LaTeX, JSON.

// The correction of an edit, its alternatives behind it, as M2 has it.
function m2Words({ correction, alternatives }) {
  return correction === null ? "-NONE-" : [correction, ...(alternatives || [])].map((words) => words.join(" ")).join("||");
}

// Edits of a sentence as M2 lines of one annotator.
function m2Lines(edits, annotator) {
  if (!edits.length) return ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||" + annotator];
  return edits.map((e) =>
    "A " + e.start + " " + e.end + "|||" + e.type + "|||" + m2Words(e) + "|||REQUIRED|||-NONE-|||" + annotator);
}

function m2Block(tokens, annotations) {
  return [["S", ...tokens].join(" "), ...annotations.flatMap((edits, n) => m2Lines(edits, n)), "", ""].join("\n");
}

const LATEX = {
  "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_", "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", '"': "\\textquotedbl{}",
};

function latexText(text) {
  return jp.visible(text).replace(/[\\{}$&#%_~^<>|"]/g, (c) => LATEX[c]).replace(/[\t\n\r\u2028\u2029]/g, " ");
}

// A cell that begins a row: \\ of the row before it would read [ as its argument and * as its star.
function latexFirst(cell) {
  return /^\s*[[*]/.test(cell) ? "{}" + cell : cell;
}

// A sentence with its edits: deletions struck out, insertions underlined, types below.
function latexDiff(tokens, edits, join) {
  const parts = [];
  let position = 0;
  for (const e of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (e.start > position) parts.push(latexText(tokens.slice(position, e.start).join(join)));
    const old = latexText(tokens.slice(Math.max(position, e.start), e.end).join(join));
    const words = latexText((e.correction || []).join(join));
    parts.push((old ? (e.correction === null ? "\\textit{" + old + "}" : "\\sout{" + old + "}") : "") + (old && words ? " " : "") +
      (words ? "\\uline{" + words + "}" : "") + "\\textsubscript{" + latexText(e.type) + "}");
    position = Math.max(position, e.end);
  }
  if (position < tokens.length) parts.push(latexText(tokens.slice(position).join(join)));
  return parts.join(join || "");
}

function latexTable(rows, join) {
  return ["% needs \\usepackage{booktabs}, \\usepackage{tabularx} and \\usepackage[normalem]{ulem}",
    "\\begin{tabularx}{\\linewidth}{lX}", "\\toprule",
    ...rows.map(([name, tokens, edits]) => latexFirst(latexText(name)) + " & " + latexDiff(tokens, edits, join) + " \\\\"),
    "\\bottomrule", "\\end{tabularx}", ""].join("\n");
}

// A cell of TSV, as jperrant writes TSV: in one line.
function tsvCell(value) {
  return String(value).replace(/\\/g, "\\\\").replace(/\t/g, "\\t").replace(/\n/g, "\\n").replace(/\r/g, "\\r");
}

// References and systems as annotators of one block; a system whose tokens are others has a block of its own.
const hasOwnTokens = (row, system) => system.tokens !== row.tokens;

function annotationsOf(row) {
  return [...row.references, ...row.systems.filter((s) => !hasOwnTokens(row, s))].map((one) => one.edits);
}

function m2OfSentence(row) {
  const others = row.systems.filter((s) => hasOwnTokens(row, s)).map((s) => m2Block(s.tokens, [s.edits]));
  return [m2Block(row.tokens, annotationsOf(row)), ...others].join("").trimEnd() + "\n";
}

function latexOfSentence(sentences, row, groups) {
  return latexTable([["source", row.tokens, []],
    ...row.references.map((r) => ["reference " + r.annotator, row.tokens, r.edits]),
    ...groups.map((own) => [sentences.named(own), row.systems[own[0]].tokens, row.systems[own[0]].edits])], sentences.view.join);
}

// Sentences as files. what: "r" the references, "*" these and all systems, else the number of a system.
function m2File(rows, what) {
  const blocks = {
    r: (row) => m2Block(row.tokens, row.references.map((r) => r.edits)),
    "*": (row) => m2Block(row.tokens, annotationsOf(row)),
  };
  const ofSystem = (row) => m2Block(row.systems[what].tokens, [row.systems[what].edits]);
  return rows.map(blocks[what] || ofSystem).join("");
}

function jsonFile(rows, systems) {
  const plain = (tokens) => ({ start, end, type, correction, alternatives, outcome }) => ({
    start, end, source: tokens.slice(start, end), type, correction,
    ...(alternatives?.length ? { alternatives } : {}), ...(outcome ? { outcome } : {}),
  });
  const record = (row) => ({
    sentence: row.number,
    source: row.tokens,
    references: row.references.map((r) => ({ annotator: r.annotator, edits: r.edits.map(plain(row.tokens)) })),
    systems: row.systems.map((s, k) => ({
      system: systems[k], ...(hasOwnTokens(row, s) ? { source: s.tokens } : {}), reference: s.annotator,
      edits: [...s.edits, ...s.missed].map(plain(s.tokens)),
    })),
  });
  return JSON.stringify(rows.map(record), null, 1) + "\n";
}

function tsvFile(rows, systems) {
  const lines = [["sentence", "system", "start", "end", "source", "correction", "type", "outcome"]];
  for (const row of rows) {
    const add = (name, tokens, e) => lines.push([row.number, name, e.start, e.end, tokens.slice(e.start, e.end).join(" "),
      m2Words(e), e.type, e.outcome || ""].map(tsvCell));
    for (const r of row.references) for (const e of r.edits) add("reference " + r.annotator, row.tokens, e);
    for (const [k, s] of row.systems.entries()) for (const e of [...s.edits, ...s.missed]) add(systems[k], s.tokens, e);
  }
  return lines.map((line) => line.join("\t") + "\n").join("");
}
