const at = id => document.getElementById(id);
const tip = at("tip");

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
