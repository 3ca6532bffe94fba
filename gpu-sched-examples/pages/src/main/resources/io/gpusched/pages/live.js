const PAUSE = 2000;
/** The data of a page that shows one moment and asks nobody. */
const SNAPSHOT = /*SNAPSHOT*/null;
const STATES = {
  waiting: "This replica waits for its turn; the one that leads shows the cluster.",
  reading: "The cluster is being read; this is a part of it.",
  failed: "The deciding thread has failed: nothing more is placed. The log says why."};
let data, text = "", answered = new Date(), drawnWidth = 0;

function notes(...words) {
  at("notes").replaceChildren();
  words.filter(word => word).forEach(word => element("li", at("notes"), word));
}

function numbers() {
  const n = v => v.toLocaleString("en");
  table("numbers", ["cluster", "nodes", "GPUs", "idle GPUs", "compute in use", "pods", "about to be bound"],
    [["now", n(data.nodes), n(data.gpus), n(data.idleGpus), data.usedPercent.toFixed(1) + " %", n(data.pods), n(data.binding)]]);
}

function pending() {
  const more = data.pendingMore ? ` The first ${data.pending.length} of ${data.pending.length + data.pendingMore} are shown.` : "";
  at("pendingnote").textContent = SNAPSHOT ? `What their own schedulers told them.${more}` : `${data.ready} to be tried now, ${data.delayed} again after a delay, `
    + `${data.parked} when something changes that may help.${more}`;
  table("pending", ["name", "pods", "reason", "in words"],
    data.pending.map(one => [(one.group ? "group " : "pod ") + one.name, one.pods, one.reason, one.message]));
}

/** Where each node stays at its place only the cells that changed are painted, so that a large cluster costs little. */
function map(before) {
  if (!before || drawnWidth !== innerWidth || !isDrawnAlike(before.map, data.map)) {
    drawnWidth = innerWidth;
    return drawMap(data.map);
  }
  let cells = 0;
  document.querySelectorAll("#map .row").forEach((line, r) => {
    const svg = line.querySelector("svg"), row = data.map[r], old = svg.row, tall = row.nodes[0].gpus.length;
    svg.row = row;
    rowLabel(line.firstChild, row, tall);
    row.nodes.forEach((n, i) => n.gpus.forEach((gpu, g) => {
      if (gpu !== old.nodes[i].gpus[g]) paintCell(svg.children[i * tall + g], use(gpu, n.cause));
      cells++;
    }));
    drawSlices(svg);
  });
  return cells;
}

function isDrawnAlike(one, other) {
  return one.length === other.length && one.every((row, i) => row.label === other[i].label
    && row.nodes.length === other[i].nodes.length
    && row.nodes.every((n, k) => n.gpus.length === other[i].nodes[k].gpus.length));
}

function draw(before) {
  at("title").textContent = document.title = data.title;
  at("subtitle").textContent = data.map.length ? `${data.nodes} nodes, ${data.gpus} GPUs` : "no nodes with GPUs";
  notes(STATES[data.state], ...data.causes);
  numbers();
  pending();
  document.documentElement.dataset.cells = map(before);
}

async function look() {
  try {
    const reply = await fetch("live.json", {cache: "no-store"});
    if (!reply.ok) throw new Error(reply.status);
    const next = await reply.text();
    if (next !== text || !at("notes").dataset.fresh) {
      const before = data;
      data = JSON.parse(next);
      text = next;
      draw(before);
    }
    answered = new Date();
    at("notes").dataset.fresh = "yes";
    document.documentElement.dataset.rendered = "true";
  } catch (problem) {
    delete at("notes").dataset.fresh;
    notes(`No answer since ${answered.toLocaleTimeString()}; what is shown is as old (${problem.message}).`);
  }
}

/** Asks only while somebody looks. */
async function follow() {
  if (SNAPSHOT) {
    data = SNAPSHOT;
    draw();
    document.documentElement.dataset.rendered = "true";
    return;
  }
  if (!document.hidden) await look();
  setTimeout(follow, PAUSE);
}

patterns();
mapKey([], "idle");
addEventListener("resize", () => { if (data && drawnWidth !== innerWidth) { drawnWidth = innerWidth; drawMap(data.map); } });
addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
follow();
