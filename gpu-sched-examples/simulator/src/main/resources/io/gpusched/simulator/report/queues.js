const data = JSON.parse(document.getElementById("data").textContent);
const COLOURS = 5;
const DASHES = ["", "8 4", "2 3", "10 3 2 3"];
const colour = i => `var(--p${i % COLOURS})`;
const dash = i => DASHES[i % DASHES.length];

function numbers() {
  const one = v => v.toFixed(1), two = v => v.toFixed(2) + " %";
  table("numbers", ["queue", "jobs", "mean wait, min", "median, min", "99 %, min", "completion, min", "evictions", "in use",
    "fair share", "never started"], data.numbers.map(n => [n.queue, n.jobs, one(n.meanWaitMinutes), one(n.medianWaitMinutes),
      one(n.p99WaitMinutes), one(n.meanCompletionMinutes), n.evictions, two(n.usedPercent), two(n.fairPercent), n.neverStarted]));
}

function legend() {
  data.policies.forEach((queue, i) => {
    const item = element("span", at("policies"));
    const key = node("svg", {width: 34, height: 10, "aria-hidden": "true"}, item);
    node("line", {x1: 0, x2: 34, y1: 5, y2: 5, "stroke-width": 2.5, style: `stroke: ${colour(i)}`, "stroke-dasharray": dash(i)}, key);
    item.append(queue.name);
  });
}

let drawnWidth = 0;
/** Draws what depends on the width of the window. */
function draw() {
  if (drawnWidth === innerWidth) return;
  drawnWidth = innerWidth;
  at("charts").replaceChildren();
  const step = data.stepHours, x = [0, Math.max(1, ...data.policies.map(q => q.used.length)) * step];
  const most = Math.max(1, ...data.policies.flatMap(q => q.waiting));
  const common = {x, step, xLabel: "hours since the start", unit: " h"}, alone = curve => [curve, curve, curve];
  charts({...common, title: "In use", y: [0, 100], yLabel: "GPUs in use, %", values: q => alone(q.used)},
    {...common, title: "Fair share", y: [0, 100], yLabel: "fair share of the GPUs, %", values: q => alone(q.fair)},
    {...common, title: "Waiting", y: [0, most * 1.05], suffix: "", yLabel: "jobs that wait", values: q => alone(q.waiting)});
  document.documentElement.dataset.curves = document.querySelectorAll(".curve").length;
}

at("title").textContent = document.title = data.title;
data.notes.forEach(note => element("li", at("notes"), note));
numbers();
legend();
draw();
addEventListener("resize", draw);
document.documentElement.dataset.rendered = "true";
