// The differences of two systems by type: the tables of the first two are there, by the macro difference_bar; choosing
// other systems fills them anew, which needs the same bar here.
function differenceDrawing(value, low, high, largest) {
  const x = (end) => (75 + Math.max(-1, Math.min(1, end / largest)) * 69).toFixed(1);
  return jp.el("svg", { class: "difference " + (low > 0 || high < 0 ? "sure" : "unsure"), viewBox: "0 0 150 14", width: 150, height: 14, "aria-hidden": "true" },
    jp.el("line", { class: "zero", x1: 75, y1: 0, x2: 75, y2: 14 }),
    jp.el("line", { class: "whisker", x1: x(low), y1: 7, x2: x(high), y2: 7 }),
    jp.el("circle", { class: "dot", cx: x(value), cy: 7, r: 3.5 }));
}

// The rows of one level: [{name, references, value, low, high}], of the second minus the first where swapped.
function differenceRows(data, level, first, second, order) {
  const swapped = first > second;
  const ends = data.intervals[level][swapped ? second + " " + first : first + " " + second];
  const rows = data.levels[level].map(([name, references, values], n) => {
    const [a, b] = [values[first], values[second]];
    const [low, high] = ends ? ends[n] : [null, null];
    const known = a !== null && b !== null && low !== null;
    return { name, references, value: known ? a - b : null, low: known ? (swapped ? -high : low) : null, high: known ? (swapped ? -low : high) : null };
  });
  if (order === "value") rows.sort((x, y) => (y.value ?? -9) - (x.value ?? -9));
  if (order === "references") rows.sort((x, y) => y.references - x.references);
  return rows;
}

function drawDifferences(data, systems, first, second, order) {
  const signed = (v) => (v < 0 ? "−" : "+") + Math.abs(v).toFixed(3);
  for (const table of document.querySelectorAll("table.differences")) {
    const rows = differenceRows(data, data.names.indexOf(table.dataset.level), first, second, order);
    const largest = Math.max(1e-9, ...rows.filter((r) => r.value !== null).flatMap((r) => [Math.abs(r.low), Math.abs(r.high)]));
    const title = table.closest(".beside");
    jp.fill(title.querySelector(".first"), systems[first]);
    jp.fill(title.querySelector(".second"), systems[second]);
    jp.fill(table.tBodies[0], rows.map((r) => jp.el("tr", { class: r.value !== null && (r.low > 0 || r.high < 0) ? "sure" : null },
      jp.el("th", { scope: "row", class: "mono", dir: "ltr" }, r.name),
      jp.el("td", { class: "number" }, r.value === null ? "–" : signed(r.value)),
      jp.el("td", { class: "number dim" }, r.value === null ? "" : signed(r.low) + " … " + signed(r.high)),
      jp.el("td", {}, r.value === null ? null : differenceDrawing(r.value, r.low, r.high, largest)))));
  }
}

// Rows of a table in the order of a column: a click on its name sorts, downwards first for figures, and back on the third.
function makeSortable(table) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const head = table.tHead.rows[table.tHead.rows.length - 1];
  const before = table.tHead.rows.length > 1 ? 1 : 0; // the first column stands in the row above
  let column = before;
  for (const cell of head.cells) {
    const place = column;
    column += cell.colSpan;
    const key = (row) => {
      const text = row.cells[place].firstChild ? row.cells[place].firstChild.textContent : "";
      const number = parseFloat(text.replace("−", "-"));
      return cell.classList.contains("number") || cell.colSpan > 1 ? (Number.isNaN(number) ? -Infinity : number) : text;
    };
    const button = jp.el("button", { type: "button", class: "sort", title: cell.title || "sort" }, [...cell.childNodes]);
    button.addEventListener("click", () => {
      const up = typeof key(original[0]) === "string";
      const [first, second] = up ? ["ascending", "descending"] : ["descending", "ascending"];
      const now = cell.getAttribute("aria-sort");
      const next = now === first ? second : now === second ? null : first;
      for (const other of head.cells) other.removeAttribute("aria-sort");
      if (next) cell.setAttribute("aria-sort", next);
      const sign = next === "descending" ? -1 : 1;
      const rows = next ? [...original].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)) : original;
      body.replaceChildren(...rows);
    });
    jp.fill(cell, button);
  }
}
