// Sentences as plain text of other programs: M2, TSV, LaTeX, JSON.

// Edits of a sentence as M2 lines of one annotator.
function m2Lines(edits, annotator) {
  if (!edits.length) return ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||" + annotator];
  return edits.map((e) => {
    const words = e.correction === null ? "-NONE-" : [e.correction, ...(e.alternatives || [])].map((c) => c.join(" ")).join("||");
    return "A " + e.start + " " + e.end + "|||" + e.type + "|||" + words + "|||REQUIRED|||-NONE-|||" + annotator;
  });
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
    ...rows.map(([name, tokens, edits]) => latexText(name) + " & " + latexDiff(tokens, edits, join) + " \\\\"),
    "\\bottomrule", "\\end{tabularx}", ""].join("\n");
}

// A cell of TSV, as jperrant writes TSV: in one line.
function tsvCell(value) {
  return String(value).replace(/\\/g, "\\\\").replace(/\t/g, "\\t").replace(/\n/g, "\\n").replace(/\r/g, "\\r");
}
