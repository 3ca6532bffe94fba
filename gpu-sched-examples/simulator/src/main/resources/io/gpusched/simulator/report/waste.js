const hasCause = cause => data.policies.some(p => p.cluster.waste[cause] > 0);
function wasteKey() {
  at("wastetext").textContent = "GPUs’ worth of idle compute, mean over the seeds, weighed by what the typical GPU pods ask: "
    + "what they could use, and why they cannot use the rest. Where several things are missing the first counts: model, GPUs, CPU, memory. "
    + "What is left of a GPU and too small for a pod counts as too few GPUs.";
  key("wastekey", [["idle", "a typical pod could use it"], ...CAUSE_NAMES.filter(hasCause).map(c => [c, CAUSES[c][1]])]);
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
