const data = JSON.parse(document.getElementById("data").textContent);
const isReplay = data.stepHours > 0;
const at = id => document.getElementById(id);
const tip = at("tip");
const COLOURS = 5;
const DASHES = ["", "8 4", "2 3", "10 3 2 3"];
const colour = i => `var(--p${i % COLOURS})`;
const dash = i => DASHES[i % DASHES.length];

function node(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (parent) parent.appendChild(made);
  return made;
}
function element(name, parent, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.appendChild(made);
  return made;
}
function showTip(event, text) {
  tip.textContent = text;
  tip.style.display = "block";
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
}
function hideTip() { tip.style.display = "none"; }

/** Fills a table; in narrow windows each row becomes a card, and each cell carries its column's name. */
function table(id, columns, rows) {
  const made = at(id), head = element("tr", element("thead", made)), body = element("tbody", made);
  made.replaceChildren(head.parentNode, body);
  columns.forEach(name => element("th", head, name).scope = "col");
  rows.forEach(cells => {
    const row = element("tr", body);
    cells.forEach((text, i) => {
      const cell = element(i === 0 ? "th" : "td", row, text);
      if (i === 0) cell.scope = "row"; else cell.dataset.label = columns[i];
    });
  });
}

function numbers() {
  if (isReplay) {
    table("numbers", ["policy", "mean wait, min", "median, min", "95 %, min", "99 %, min", "in use", "95 % interval", "fragmented",
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

let cells = 0;
let drawnWidth = 0;
/** Draws what depends on the width of the window. */
function draw() {
  if (drawnWidth === innerWidth) return;
  drawnWidth = innerWidth;
  at("charts").replaceChildren();
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
patterns();
numbers();
legend();
wasteKey();
mapKey();
data.policies.forEach((p, i) => { element("option", at("choice"), p.name).value = i; });
at("choice").value = data.policies.length - 1;
at("choice").addEventListener("change", () => { document.documentElement.dataset.cells = map(); });
draw();
addEventListener("resize", draw);
document.documentElement.dataset.rendered = "true";
