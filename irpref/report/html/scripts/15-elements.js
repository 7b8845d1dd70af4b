// Elements of the page. Texts are data: they become text nodes, never markup.

(() => {
  "use strict";

  const SVG = document.getElementById("svg").namespaceURI;

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    // One by one: a call takes no hundreds of thousands of arguments.
    for (const child of children.flat(Infinity)) {
      if (child !== null) {
        element.append(child);
      }
    }
    return element;
  }

  // An element of HTML: its name, its attributes, its children or texts.
  function html(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
  }

  // The same of SVG.
  function svg(name, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, name), attributes, children);
  }

  function button(text, action, attributes = {}) {
    const made = html("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", action);
    return made;
  }

  // Tell those who do not see it what has changed.
  function say(text) {
    document.getElementById("status").textContent = text;
  }

  irpref.elements = { html, svg, button, say, byId: (id) => document.getElementById(id) };
})();
