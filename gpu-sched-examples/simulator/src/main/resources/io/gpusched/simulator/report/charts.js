function niceStep(range, most) {
  const raw = range / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
  return [1, 2, 5, 10].map(k => k * power).find(step => step >= raw);
}

/** Makes room for all charts before the first is drawn, since each takes its width from what the others leave. */
function charts(...specs) {
  const figures = specs.map(spec => {
    const figure = element("figure", at("charts"));
    element("figcaption", figure, spec.title);
    return figure;
  });
  const widths = figures.map(figure => figure.clientWidth);
  specs.forEach((spec, i) => chart(spec, figures[i], widths[i]));
}

function chart(spec, figure, room) {
  const W = Math.max(240, room - 24), H = Math.round(Math.max(230, Math.min(310, W * 0.66)));
  const L = 50, R = 10, T = 10, B = 42;
  const svg = node("svg", {viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img",
    "aria-label": `${spec.title}: ${spec.yLabel} over ${spec.xLabel}`}, figure);
  const [x0, x1] = spec.x, [y0, y1] = spec.y, step = spec.step || 1;
  const X = v => L + (v - x0) / (x1 - x0) * (W - L - R);
  const Y = v => H - B - (v - y0) / (y1 - y0) * (H - T - B);
  axes(svg, spec, {W, H, L, R, T, B, X, Y});
  const clip = "clip" + document.querySelectorAll("clipPath").length;
  node("rect", {x: L, y: T, width: W - L - R, height: H - T - B}, node("clipPath", {id: clip}, svg));
  const inside = node("g", {"clip-path": `url(#${clip})`}, svg);
  if (spec.ideal) node("path", {class: "ideal", d: `M${X(0)} ${Y(0)}L${X(100)} ${Y(100)}L${X(1000)} ${Y(100)}`}, inside);
  const points = values => values.map((v, i) => `${X(i * step).toFixed(1)} ${Y(v).toFixed(1)}`);
  data.policies.forEach((policy, i) => {
    const [, low, high] = spec.values(policy);
    node("path", {class: "band", "data-policy": i, style: `fill: ${colour(i)}`,
      d: "M" + points(high).join("L") + "L" + points(low).reverse().join("L") + "Z"}, inside);
  });
  data.policies.forEach((policy, i) => node("path", {class: "curve", "data-policy": i, style: `stroke: ${colour(i)}`,
    "stroke-dasharray": dash(i), d: "M" + points(spec.values(policy)[0]).join("L")}, inside));
  const cross = node("line", {class: "axis", y1: T, y2: H - B, x1: -9, x2: -9}, svg);
  const point = event => {
    const box = svg.getBoundingClientRect();
    const raw = x0 + ((event.clientX - box.left) / box.width * W - L) / (W - L - R) * (x1 - x0);
    const index = Math.round(raw / step), v = +(index * step).toFixed(2);
    if (v < x0 || v > x1) { hideTip(); return; }
    cross.setAttribute("x1", X(v)); cross.setAttribute("x2", X(v));
    const lines = data.policies.map(p => [p.name, spec.values(p)[0][index]]).filter(l => l[1] !== undefined)
      .sort((a, b) => b[1] - a[1]).map(l => l[1].toFixed(2).padStart(6) + (spec.suffix ?? " %") + "  " + l[0]);
    showTip(event, v + spec.unit + "\n" + lines.join("\n"));
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", () => { hideTip(); cross.setAttribute("x1", -9); cross.setAttribute("x2", -9); });
}

function axes(svg, spec, {W, H, L, R, T, B, X, Y}) {
  const [x0, x1] = spec.x, [y0, y1] = spec.y;
  const dx = niceStep(x1 - x0, W / 62), dy = niceStep(y1 - y0, H / 44);
  for (let v = Math.ceil(x0 / dx) * dx; v <= x1 + 1e-9; v += dx) {
    node("line", {class: "grid", x1: X(v), x2: X(v), y1: T, y2: H - B}, svg);
    node("text", {x: Math.min(X(v), W - 14), y: H - B + 16, "text-anchor": "middle"}, svg).textContent = +v.toFixed(2);
  }
  for (let v = Math.ceil(y0 / dy) * dy; v <= y1 + 1e-9; v += dy) {
    node("line", {class: "grid", x1: L, x2: W - R, y1: Y(v), y2: Y(v)}, svg);
    node("text", {x: L - 6, y: Y(v) + 4, "text-anchor": "end"}, svg).textContent = +v.toFixed(2);
  }
  node("line", {class: "axis", x1: L, x2: W - R, y1: H - B, y2: H - B}, svg);
  node("line", {class: "axis", x1: L, x2: L, y1: T, y2: H - B}, svg);
  node("text", {x: (L + W - R) / 2, y: H - 6, "text-anchor": "middle"}, svg).textContent = spec.xLabel;
  node("text", {x: 12, y: (T + H - B) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(T + H - B) / 2})`}, svg)
    .textContent = spec.yLabel;
}

function chartsOverTime() {
  const step = data.stepHours, end = Math.max(...data.policies.map(p => p.used[0].length)) * step;
  const most = name => Math.max(1, ...data.policies.flatMap(p => p[name][2]));
  const xLabel = "hours since the start", unit = " h", x = [0, end];
  charts({title: "In use", x, y: [0, 100], step, xLabel, unit, yLabel: "GPU compute in use, %", values: p => p.used},
    {title: "Fragmented", x, y: [0, Math.ceil(most("fragmented") / 2) * 2], step, xLabel, unit,
    yLabel: "fragmented GPU compute, %", values: p => p.fragmented},
    {title: "Waiting", x, y: [0, most("waiting") * 1.05], step, xLabel, unit, suffix: "", yLabel: "jobs that wait",
    values: p => p.waiting});
}

function chartsOverArrivals() {
  const end = Math.max(...data.policies.map(p => p.allocated.length - 1));
  const allocated = p => [p.allocated, p.allocatedLow, p.allocatedHigh];
  const fragmented = p => [p.fragmented, p.fragmentedLow, p.fragmentedHigh];
  const from = Math.max(0, Math.min(80, end - 20));
  const late = data.policies.flatMap(p => p.allocatedLow.slice(Math.min(from + 15, p.allocatedLow.length - 1)));
  const floor = Math.floor(Math.min(...late) / 2) * 2 - 2;
  const top = Math.ceil(Math.max(...data.policies.flatMap(p => p.fragmentedHigh)) / 2) * 2;
  const xLabel = "GPU compute asked for, % of the cluster’s", unit = " % asked for";
  charts({title: "Allocated", x: [0, end], y: [0, 100], xLabel, unit, yLabel: "allocated GPU compute, %", values: allocated, ideal: true},
    {title: "Allocated, near the limit", x: [from, end], y: [Math.max(0, floor), 100], xLabel, unit,
    yLabel: "allocated GPU compute, %", values: allocated, ideal: true},
    {title: "Fragmented", x: [0, end], y: [0, Math.max(2, top)], xLabel, unit, yLabel: "fragmented GPU compute, %", values: fragmented});
}
