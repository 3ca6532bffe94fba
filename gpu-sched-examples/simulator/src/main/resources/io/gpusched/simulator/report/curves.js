const data = JSON.parse(document.getElementById("data").textContent);
const COLOURS = 5;
const DASHES = ["", "8 4", "2 3", "10 3 2 3"];
const colour = i => `var(--p${i % COLOURS})`;
const dash = i => DASHES[i % DASHES.length];

function legend() {
  data.policies.forEach((one, i) => {
    const item = element("span", at("policies"));
    const key = node("svg", {width: 34, height: 10, "aria-hidden": "true"}, item);
    node("line", {x1: 0, x2: 34, y1: 5, y2: 5, "stroke-width": 2.5, style: `stroke: ${colour(i)}`, "stroke-dasharray": dash(i)}, key);
    item.append(one.name);
  });
}

let drawnWidth = 0;
/** Draws what depends on the width of the window. */
function draw() {
  if (drawnWidth === innerWidth) return;
  drawnWidth = innerWidth;
  at("charts").replaceChildren();
  const step = data.stepHours, x = [0, Math.max(1, ...data.policies.map(one => one.values[0].length)) * step];
  const common = {x, step, xLabel: "hours since the start", unit: " h"}, alone = curve => [curve, curve, curve];
  charts(...data.charts.map((chart, i) => {
    const most = Math.max(1, ...data.policies.flatMap(one => one.values[i]));
    const axis = chart.percent ? {y: [0, 100]} : {y: [0, most * 1.05], suffix: ""};
    return {...common, ...axis, title: chart.title, yLabel: chart.unit, values: one => alone(one.values[i])};
  }));
  document.documentElement.dataset.curves = document.querySelectorAll(".curve").length;
}

at("title").textContent = document.title = data.title;
data.notes.forEach(note => element("li", at("notes"), note));
at("heading").textContent = data.heading;
at("explanation").textContent = data.explanation;
table("numbers", data.columns, data.rows);
legend();
draw();
addEventListener("resize", draw);
document.documentElement.dataset.rendered = "true";
