/* Causes have a colour and a pattern each, uses a colour and a height, whole GPUs the whole cell, so that nobody needs to tell colours apart. */
const CAUSES = {
  model: ["p3", "another GPU model is wanted", "M0 0L4 4M0 4L4 0"],
  gpus: ["p4", "too few GPUs in one place", "M1 1.5h1.2M3 3.5h1.2"],
  cpu: ["p2", "too little CPU", "M-1 1L1 -1M0 4L4 0M3 5L5 3"],
  memory: ["p1", "too little memory", "M0 2H4"],
  outOfService: ["p0", "node out of service", "M1 0V4M3 0V4"]};
const CAUSE_NAMES = Object.keys(CAUSES);

function patterns() {
  CAUSE_NAMES.forEach(name => {
    const [colourName, , path] = CAUSES[name];
    const pattern = node("pattern", {id: "k-" + name, width: 4, height: 4, patternUnits: "userSpaceOnUse"}, at("patterns"));
    node("rect", {width: 4, height: 4, style: `fill: var(--${colourName})`}, pattern);
    node("path", {d: path, "stroke-width": 1, style: "stroke: var(--paper); fill: none"}, pattern);
  });
  [1, 2, 3, 4, 5].forEach(k => fillPattern("s" + k, `var(--s${k})`, [0, 1 - k / 5, 0.6, k / 5]));
  fillPattern("unhealthy", "var(--soft)", [0.38, 0, 0.24, 1], [0, 0.38, 1, 0.24]);
}

/** A pattern that is fitted to each cell: the given parts of it stand out from the colour of idle cells. */
function fillPattern(name, colourOf, ...boxes) {
  const pattern = node("pattern", {id: "k-" + name, width: 1, height: 1, patternContentUnits: "objectBoundingBox"}, at("patterns"));
  node("rect", {width: 1, height: 1, style: "fill: var(--idle)"}, pattern);
  boxes.forEach(([x, y, width, height]) => node("rect", {x, y, width, height, style: `fill: ${colourOf}`}, pattern));
}

const paint = kind => kind === "whole" || kind === "idle" ? `var(--${kind})` : `url(#k-${kind})`;

function key(id, entries) {
  entries.forEach(([name, text]) => {
    const item = element("span", at(id));
    const svg = node("svg", {width: 16, height: 16, "aria-hidden": "true"}, item);
    node("rect", {class: "swatch", x: 1, y: 1, width: 14, height: 14, style: `fill: ${paint(name)}`}, svg);
    item.append(text);
  });
}
/** Explains the cells; of causes those that these rows show. */
function mapKey(rows, idle) {
  const causes = CAUSE_NAMES.filter(c => rows.some(r => r.nodes.some(n => n.cause === c)));
  key("mapkey", [["whole", "held whole"], ["s5", "shared, 81–100 % used"], ["s4", "61–80 %"], ["s3", "41–60 %"], ["s2", "21–40 %"],
    ["s1", "1–20 %"], ["idle", idle], ...causes.map(c => [c, "idle, none fits: " + CAUSES[c][1]]),
    ["unhealthy", "unhealthy"]]);
}

function use(gpu, cause) {
  if (gpu === -2) return "unhealthy";
  if (gpu === -1) return "whole";
  if (gpu === 0) return cause || "idle";
  return "s" + Math.min(5, Math.ceil(gpu / 200));
}

/** Draws a row for each kind of nodes; returns the number of cells. */
function drawMap(rows) {
  at("map").replaceChildren();
  let cells = 0;
  rows.forEach(row => {
    const line = element("div", at("map"), undefined, "row");
    const tall = row.nodes[0].gpus.length;
    rowLabel(element("div", line), row, tall);
    const holder = element("div", line), GAP = 1;
    const S = Math.max(holder.clientWidth < 600 ? 7 : 6, Math.min(18, Math.floor(holder.clientWidth / row.nodes.length) - GAP));
    const perLine = Math.max(10, Math.min(140, Math.floor(holder.clientWidth / (S + GAP))));
    const lines = Math.ceil(row.nodes.length / perLine), lineHeight = tall * (S + GAP) + 6;
    const svg = node("svg", {width: perLine * (S + GAP), height: lines * lineHeight, role: "img", "aria-label": row.label}, holder);
    svg.row = row;
    row.nodes.forEach((n, i) => n.gpus.forEach((gpu, g) => {
      cells++;
      const cell = node("rect", {x: i % perLine * (S + GAP), y: Math.floor(i / perLine) * lineHeight + g * (S + GAP),
        width: S, height: S, "data-node": i, "data-gpu": g}, svg);
      paintCell(cell, use(gpu, n.cause));
    }));
    svg.grid = {S, GAP, perLine, lineHeight};
    drawSlices(svg);
    svg.addEventListener("pointermove", event => cellTip(event, svg.row));
    svg.addEventListener("pointerdown", event => cellTip(event, svg.row));
    svg.addEventListener("pointerleave", hideTip);
  });
  return cells;
}

function paintCell(cell, kind) {
  cell.setAttribute("class", "gpu " + kind);
  cell.setAttribute("style", `fill: ${paint(kind)}`);
}

/** Draws hardware partitions over the cells of their GPUs; after all cells, whose positions others count on. */
function drawSlices(svg) {
  const {S, GAP, perLine, lineHeight} = svg.grid;
  svg.querySelectorAll("g").forEach(old => old.remove());
  svg.row.nodes.forEach((n, i) => (n.slices || []).forEach((held, g) => {
    if (!held.length) return;
    const x = i % perLine * (S + GAP), y = Math.floor(i / perLine) * lineHeight + g * (S + GAP), group = node("g", {}, svg);
    const box = (from, to, fill) => node("rect", {x: x + from / 1000 * S, y, width: (to - from) / 1000 * S, height: S,
      style: `fill: ${paint(fill)}; stroke: var(--idle); stroke-width: 0.3`, "data-node": i, "data-gpu": g}, group);
    box(0, 1000, "idle");
    held.forEach(slice => box(slice.from, slice.to, "s3"));
  }));
}

function rowLabel(label, row, tall) {
  label.replaceChildren();
  const gpus = row.nodes.length * tall;
  const used = row.nodes.reduce((sum, n) => sum + n.gpus.reduce((s, g) => s + (g === -1 ? 1000 : Math.max(0, g)), 0), 0);
  const starved = row.nodes.reduce((sum, n) => sum + (n.cause ? n.gpus.filter(g => g === 0).length : 0), 0);
  element("b", label, row.label);
  element("small", label, `${row.nodes.length} nodes, ${gpus} GPUs, ${(used / gpus / 10).toFixed(1)} % used` +
    (starved ? `, ${starved} idle and of no use` : ""));
}

function cellTip(event, row) {
  const n = row.nodes[event.target.dataset.node], gpu = event.target.dataset.gpu;
  if (!n) { hideTip(); return; }
  const g = n.gpus[gpu];
  showTip(event, `${n.name}, GPU ${gpu}: ${g === -1 ? "held whole" : g === -2 ? "unhealthy" : g / 10 + " % used"}\n` +
    (n.slices && n.slices[gpu].length ? `partitions ${n.slices[gpu].map(s => s.profile).join(", ")}\n` : "") +
    `node has ${n.cpu} cores and ${n.memory} GiB free` + (n.cause ? `\nno typical pod fits: ${CAUSES[n.cause][1]}` : ""));
}
