/** Clusters side by side, and their waits over their numbers of nodes with the goal as a line. */
function plan() {
  const answer = data.plan;
  if (!answer) return;
  at("plan").hidden = false;
  at("goal").textContent = answer.goal;
  const one = v => v.toFixed(1), hasPrice = answer.clusters.some(c => c.price > 0), hasInterval = answer.clusters.some(c => c.interval.length);
  table("clusters", ["cluster", "nodes", "GPUs", ...(hasPrice ? ["price an hour"] : []), "mean wait, min", ...(hasInterval ? ["95 % interval"] : []),
    "95 %, min", "never started", "goal"], answer.clusters.map(c => [c.name, String(c.nodes), String(c.gpus), ...(hasPrice ? [one(c.price)] : []),
      one(c.meanWaitMinutes), ...(hasInterval ? [c.interval.map(one).join("–") || "–"] : []), one(c.p95WaitMinutes), one(c.neverStarted), c.isMet]));
  answer.neverRun.forEach(job => element("li", at("never"), job));
}

function waitCurve() {
  const answer = data.plan;
  if (!answer || answer.clusters.length < 2) return;
  const figure = at("waits");
  figure.replaceChildren();
  element("figcaption", figure, `${answer.number} over nodes`);
  const points = [...answer.clusters].sort((a, b) => a.nodes - b.nodes);
  const W = Math.max(240, figure.clientWidth - 24), H = 280, L = 50, R = 10, T = 10, B = 42;
  const spec = {title: answer.number, xLabel: "nodes", yLabel: "minutes", unit: "", x: [points[0].nodes, Math.max(points[0].nodes + 1, points.at(-1).nodes)],
    y: [0, Math.max(1, 1.1 * Math.max(answer.goalMinutes, ...points.map(c => c.shownMinutes)))]};
  const svg = node("svg", {viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img", "aria-label": `${answer.number} over nodes`}, figure);
  const X = v => L + (v - spec.x[0]) / (spec.x[1] - spec.x[0]) * (W - L - R), Y = v => H - B - v / spec.y[1] * (H - T - B);
  axes(svg, spec, {W, H, L, R, T, B, X, Y});
  if (answer.goalMinutes > 0) node("line", {class: "ideal", x1: L, x2: W - R, y1: Y(answer.goalMinutes), y2: Y(answer.goalMinutes)}, svg);
  node("path", {class: "waits", style: "fill: none; stroke: var(--p0); stroke-width: 2", d: "M" + points.map(c => `${X(c.nodes)} ${Y(c.shownMinutes)}`).join("L")}, svg);
  points.forEach(c => node("title", {}, node("circle", {cx: X(c.nodes), cy: Y(c.shownMinutes), r: 4, style: "fill: var(--p0)"}, svg))
    .textContent = `${c.name}: ${c.shownMinutes.toFixed(1)} min`);
}
