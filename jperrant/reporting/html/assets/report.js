// The report: puts filters, list, tables and downloads together.
function startDownloads(sentences, list, names) {
  const what = jp.id("download-what");
  const shareTokens = !sentences.rows.some((row) => row.length > 5);
  setOptions(what, [...(sentences.judged ? [["r", "references"]] : []), ...names, ...(shareTokens ? [["*", "references and all systems"]] : [])]);
  const rows = () => list.shown.map((n) => sentences.get(n));
  const files = {
    m2: ["text/plain", () => m2File(rows(), what.value)],
    tsv: ["text/tab-separated-values", () => tsvFile(rows(), sentences.systems)],
    json: ["application/json", () => jsonFile(rows(), sentences.systems)],
  };
  for (const [ending, [kind, text]] of Object.entries(files))
    jp.id("download-" + ending).addEventListener("click", () => jp.download("sentences." + ending, kind, text()));
}

// The two systems of the tables by type are the systems A and B of the sentences. Returns a function that updates the tables.
function startDifferences(sentences, filters, differences, changed) {
  const [first, second, order] = ["first", "second", "difference-order"].map(jp.id);
  if (!first || !filters.a) return () => {};
  const redraw = async () => drawDifferences(await differences(), sentences.systems, Number(first.value), Number(second.value), order.value);
  for (const field of [first, second]) setOptions(field, filters.names);
  second.value = "1";
  for (const [field, other] of [[first, filters.a], [second, filters.b]])
    field.addEventListener("input", () => { other.value = field.value; redraw(); changed(); });
  order.addEventListener("input", redraw);
  return () => {
    if (filters.a.value === first.value && filters.b.value === second.value) return;
    [first.value, second.value] = [filters.a.value, filters.b.value];
    redraw();
  };
}

function startKeys(list, search) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === search) search.blur();
    if (!jp.isCommand(event)) return;
    const here = document.activeElement.closest("article");
    const press = (what) => here?.querySelector(`[data-detail=${what}]`)?.click();
    const actions = { j: () => list.step(1), k: () => list.step(-1), f: () => search.focus(), c: () => press("chunks"), p: () => press("plans") };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
}

function startPages(list) {
  for (const end of ["", "-foot"])
    for (const [name, by] of [["previous", -1], ["next", 1]])
      jp.id(name + end).addEventListener("click", () => { if (list.turn(by)) jp.id("filters").scrollIntoView(); });
}

function startFilters(filters, list, sync) {
  const changed = () => { sync(); list.refresh(); filters.remember(); };
  let waiting = 0;
  const soon = (delay) => { clearTimeout(waiting); waiting = setTimeout(changed, delay); };
  filters.form.addEventListener("submit", (event) => event.preventDefault());
  filters.form.addEventListener("input", (event) => soon(event.target === filters.text ? 150 : 0));
  filters.form.addEventListener("reset", () => setTimeout(() => { if (filters.b) filters.b.value = "1"; changed(); }, 0));
}

function startReport(sentences, details) {
  const filters = new Filters(sentences);
  const list = new SentenceList(sentences, filters, details);
  const sync = startDifferences(sentences, filters, details.differences, () => { list.refresh(); filters.remember(); });
  const open = () => {
    const number = filters.recall();
    sync();
    if (list.refresh(number) >= 0) list.focus(jp.id("s" + number), "center");
  };
  startFilters(filters, list, sync);
  startPages(list);
  startKeys(list, filters.text);
  startDownloads(sentences, list, filters.names);
  addEventListener("hashchange", () => { if (location.hash.includes("=")) open(); });
  for (const node of document.querySelectorAll(".scripted")) node.hidden = false;
  addEventListener("beforeprint", () => document.querySelectorAll("details.warning").forEach((node) => { node.open = true; }));
  for (const table of document.querySelectorAll("table.systems, table.heat, table.glossary")) if (table.tBodies[0].rows.length > 1) makeSortable(table);
  open();
  document.body.dataset.ready = "yes";
}

// Returns a function that gives a block of data, which is unpacked on first use; null if the page has no such block.
function later(name) {
  if (!jp.id("data-" + name)) return null;
  let loaded = null;
  return () => {
    loaded ??= jp.data(name);
    return loaded;
  };
}

jp.data("sentences").then((data) =>
  startReport(new Sentences(data), { chunks: later("chunks"), plans: later("plans"), differences: later("differences") }))
  .catch((error) => {
    const place = jp.id("sentences");
    place.append(jp.el("p", { class: "warning" }, "The sentences cannot be shown by this browser; a newer one can. (" + error.message + ")"));
    throw error;
  });
