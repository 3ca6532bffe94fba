const data = JSON.parse(document.getElementById("data").textContent);
const isReplay = data.stepHours > 0;
const COLOURS = 5;
const DASHES = ["", "8 4", "2 3", "10 3 2 3"];
const colour = i => `var(--p${i % COLOURS})`;
const dash = i => DASHES[i % DASHES.length];

function numbers() {
  if (isReplay) {
    table("numbers", [data.rows, "mean wait, min", "median, min", "95 %, min", "99 %, min", "in use", "95 % interval", "fragmented",
      "jobs waiting", "restarts", "never started"], data.policies.map(p => {
        const n = p.numbers, one = v => v.toFixed(1), two = v => v.toFixed(2);
        return [p.name, one(n.meanWaitMinutes), one(n.medianWaitMinutes), one(n.p95WaitMinutes), one(n.p99WaitMinutes),
          two(n.usedPercent) + " %", n.usedInterval.length ? n.usedInterval.map(two).join("–") : "one seed",
          two(n.fragPercent) + " %", one(n.waiting), one(n.restarts), one(n.neverStarted)];
      }));
    return;
  }
  const end = Math.max(...data.policies.map(p => p.allocated.length - 1));
  const columns = end > 100 ? [100, end] : [end];
  table("numbers", ["policy", ...columns.flatMap(c => [`allocated at ${c} %`, `fragmented at ${c} %`])],
    data.policies.map(p => [p.name, ...columns.flatMap(c => {
      const i = Math.min(c, p.allocated.length - 1);
      return [p.allocated[i].toFixed(2) + " %", p.fragmented[i].toFixed(2) + " %"];
    })]));
}

function legend() {
  data.policies.forEach((policy, i) => {
    const item = element("span", at("policies"), undefined, "policy");
    const key = node("svg", {width: 34, height: 10, "aria-hidden": "true"}, item);
    node("line", {x1: 0, x2: 34, y1: 5, y2: 5, "stroke-width": 2.5, style: `stroke: ${colour(i)}`, "stroke-dasharray": dash(i)}, key);
    item.append(policy.name);
    const others = hide => document.querySelectorAll("[data-policy]").forEach(
      path => path.classList.toggle("dim", hide && path.dataset.policy !== String(i)));
    item.addEventListener("pointerenter", () => others(true));
    item.addEventListener("pointerleave", () => others(false));
  });
  if (isReplay) return;
  const item = element("span", at("policies"));
  node("line", {class: "ideal", x1: 0, x2: 34, y1: 5, y2: 5}, node("svg", {width: 34, height: 10}, item));
  item.append("all that was asked for");
}

function map() {
  const cluster = data.policies[+at("choice").value || 0].cluster;
  at("mapnote").textContent = `seed ${cluster.seed}`;
  return drawMap(cluster.map);
}

let cells = 0;
let drawnWidth = 0;
/** Draws what depends on the width of the window. */
function draw() {
  if (drawnWidth === innerWidth) return;
  drawnWidth = innerWidth;
  at("charts").replaceChildren();
  waitCurve();
  if (isReplay) chartsOverTime(); else chartsOverArrivals();
  wasteBars();
  cells = map();
  document.documentElement.dataset.curves = document.querySelectorAll(".curve").length;
  document.documentElement.dataset.cells = cells;
}

at("title").textContent = document.title = data.title;
at("subtitle").textContent = data.subtitle;
(data.notes || []).forEach(note => element("li", at("notes"), note));
at("maptitle").textContent = isReplay ? "The cluster when the last job arrived" : "The cluster at the end";
if (data.rows) at("rows").textContent = data.rows;
plan();
patterns();
numbers();
legend();
wasteKey();
mapKey(data.policies.flatMap(p => p.cluster.map), "idle, a typical pod fits");
data.policies.forEach((p, i) => { element("option", at("choice"), p.name).value = i; });
at("choice").value = data.policies.length - 1;
at("choice").addEventListener("change", () => { document.documentElement.dataset.cells = map(); });
draw();
addEventListener("resize", draw);
document.documentElement.dataset.rendered = "true";
