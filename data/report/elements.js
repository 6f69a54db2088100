// Elements of the page, numbers as text, and the box that follows the pointer.
const SVG = "http://www.w3.org/2000/svg";

/// An HTML element with attributes and children; texts are never read as markup.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function draw(name, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

/// A number with the digits that a reader needs; texts stay as they are.
function shown(value, digits = 5) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number" || Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(digits)));
}

function section(title, ...children) { document.getElementById("page").append(make("h2", {}, title), ...children); }

/// Whatever has the attribute data-tip shows it beside the pointer.
function followPointer() {
  const tip = document.getElementById("tip");
  document.addEventListener("pointermove", (event) => {
    const target = event.target.closest ? event.target.closest("[data-tip]") : null;
    tip.hidden = !target;
    if (!target) return;
    tip.textContent = target.getAttribute("data-tip");
    tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 6) + "px";
    tip.style.top = (event.clientY + 14) + "px";
  });
}

/// The numbers of a base64 text as a typed array.
function numbersOf(text, Kind) { return new Kind(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer); }
