// Elements are made one by one and texts set as text: nothing from a data set is ever read as HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A name or text from outside, which may run from right to left without reordering the text around it.
function isolated(text) {
  return make("bdi", {}, text);
}

function announce(text) {
  document.getElementById("announcer").textContent = text;
}

const grouped = (number) => number.toLocaleString("en");

const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
