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
const hasCause = cause => data.policies.some(p => p.cluster.waste[cause] > 0);
function wasteKey() {
  at("wastetext").textContent = "GPUs’ worth of idle compute, mean over the seeds, weighed by what the typical GPU pods ask: "
    + "what they could use, and why they cannot use the rest. Where several things are missing the first counts: model, GPUs, CPU, memory. "
    + "What is left of a GPU and too small for a pod counts as too few GPUs.";
  key("wastekey", [["idle", "a typical pod could use it"], ...CAUSE_NAMES.filter(hasCause).map(c => [c, CAUSES[c][1]])]);
}
function mapKey() {
  const causes = CAUSE_NAMES.filter(c => data.policies.some(p => p.cluster.map.some(r => r.nodes.some(n => n.cause === c))));
  key("mapkey", [["whole", "held whole"], ["s5", "shared, 81–100 % used"], ["s4", "61–80 %"], ["s3", "41–60 %"], ["s2", "21–40 %"],
    ["s1", "1–20 %"], ["idle", "idle, a typical pod fits"], ...causes.map(c => [c, "idle, none fits: " + CAUSES[c][1]]),
    ["unhealthy", "unhealthy"]]);
}

function wasteBars() {
  at("waste").replaceChildren();
  const used = CAUSE_NAMES.filter(hasCause);
  const total = w => w.usable + CAUSE_NAMES.reduce((sum, cause) => sum + w[cause], 0);
  const most = Math.max(...data.policies.map(p => total(p.cluster.waste)), 0.01);
  data.policies.forEach(policy => {
    const row = element("div", at("waste"), undefined, "row"), waste = policy.cluster.waste;
    const label = element("div", row);
    element("b", label, policy.name);
    element("small", label, `${total(waste).toFixed(1)} GPUs idle, ${waste.usable.toFixed(1)} of them usable`);
    const holder = element("div", row), W = Math.max(200, holder.clientWidth);
    const svg = node("svg", {width: W, height: 26, role: "img", "aria-label": policy.name + ": idle compute by cause"}, holder);
    let x = 0;
    [["idle", waste.usable, "a typical pod could use it"], ...used.map(c => [c, waste[c], CAUSES[c][1]])].forEach(([name, gpus, text]) => {
      const width = gpus / most * (W - 2);
      const box = node("rect", {class: "swatch waste", x: x + 1, y: 1, width, height: 24, style: `fill: ${paint(name)}`}, svg);
      box.addEventListener("pointermove", event => showTip(event, `${gpus.toFixed(2)} GPUs: ${text}`));
      box.addEventListener("pointerleave", hideTip);
      x += width;
    });
  });
  table("wastenumbers", ["policy", "idle GPUs", "usable", ...used.map(c => CAUSES[c][1])], data.policies.map(p => {
    const w = p.cluster.waste;
    return [p.name, total(w).toFixed(1), w.usable.toFixed(1), ...used.map(c => w[c].toFixed(1))];
  }));
}

function use(gpu, cause) {
  if (gpu === -2) return "unhealthy";
  if (gpu === -1) return "whole";
  if (gpu === 0) return cause || "idle";
  return "s" + Math.min(5, Math.ceil(gpu / 200));
}

function map() {
  const cluster = data.policies[+at("choice").value || 0].cluster;
  at("mapnote").textContent = `seed ${cluster.seed}`;
  at("map").replaceChildren();
  let cells = 0;
  cluster.map.forEach(row => {
    const line = element("div", at("map"), undefined, "row");
    const tall = row.nodes[0].gpus.length;
    rowLabel(element("div", line), row, tall);
    const holder = element("div", line), S = holder.clientWidth < 600 ? 7 : 6, GAP = 1;
    const perLine = Math.max(10, Math.min(140, Math.floor(holder.clientWidth / (S + GAP))));
    const lines = Math.ceil(row.nodes.length / perLine), lineHeight = tall * (S + GAP) + 6;
    const svg = node("svg", {width: perLine * (S + GAP), height: lines * lineHeight, role: "img", "aria-label": row.label}, holder);
    row.nodes.forEach((n, i) => n.gpus.forEach((gpu, g) => {
      cells++;
      const kind = use(gpu, n.cause);
      node("rect", {class: "gpu " + kind, x: i % perLine * (S + GAP), y: Math.floor(i / perLine) * lineHeight + g * (S + GAP),
        width: S, height: S, style: `fill: ${paint(kind)}`, "data-node": i, "data-gpu": g}, svg);
    }));
    svg.addEventListener("pointermove", event => cellTip(event, row));
    svg.addEventListener("pointerdown", event => cellTip(event, row));
    svg.addEventListener("pointerleave", hideTip);
  });
  return cells;
}

function rowLabel(label, row, tall) {
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
    `node has ${n.cpu} cores and ${n.memory} GiB free` + (n.cause ? `\nno typical pod fits: ${CAUSES[n.cause][1]}` : ""));
}
