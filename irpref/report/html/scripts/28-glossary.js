// What the words of the page mean: shown where one stands, on hover, on focus and on touch.

(() => {
  "use strict";

  const { facts } = irpref.data;
  const { html } = irpref.elements;

  // How far from the edge of the window it stays.
  const EDGE = 8;

  const entries = new Map(
    [...document.querySelectorAll("#glossary dt")].map((each) => [
      each.textContent,
      each.nextElementSibling.textContent,
    ]),
  );
  // What each marked element means.
  const meanings = new WeakMap();
  const tip = html("div", { id: "tip", role: "tooltip", hidden: true });
  document.querySelector("main").append(tip);
  let shown = null;

  function show(term) {
    shown?.removeAttribute("aria-describedby");
    shown = term;
    tip.hidden = !term;
    if (term) {
      tip.textContent = meanings.get(term);
      term.setAttribute("aria-describedby", tip.id);
      place();
    }
  }

  // Above the word, which leaves free the rows below a heading; if there is no room, below.
  function place() {
    if (shown) {
      const word = shown.getBoundingClientRect();
      const { width, height } = tip.getBoundingClientRect();
      const most = document.documentElement.clientWidth - width - EDGE;
      tip.style.left = `${Math.max(EDGE, Math.min(word.left, most))}px`;
      tip.style.top = `${word.top >= height ? word.top - height : word.bottom}px`;
    }
  }

  // A touch is over what it touches, too.
  document.addEventListener("pointerover", ({ target }) => {
    const term = target.closest(".term");
    if (term || !(tip.contains(target) || shown?.matches(":focus-visible"))) {
      show(term);
    }
  });
  tip.addEventListener("click", () => show(null));
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(".term:focus-visible")) {
      show(target);
    }
  });
  document.addEventListener("focusout", ({ target }) => {
    if (target === shown) {
      show(null);
    }
  });
  // Before others hear of the key: they would close the topic.
  const escape = (event) => {
    if (event.key === "Escape" && shown) {
      event.stopPropagation();
      show(null);
    }
  };
  document.addEventListener("keydown", escape, { capture: true });
  document.addEventListener("scroll", place, { capture: true, passive: true });

  function explain(element, word) {
    element.classList.add("term");
    meanings.set(element, entries.get(word));
    return element;
  }

  // The heading or name in a cell; the button in it, if there is one, stays what it is.
  function markCell(cell) {
    const word = cell.textContent.trim();
    if (entries.has(word) && !cell.querySelector(".term")) {
      const button = cell.querySelector("button");
      const term = explain(button ?? html("span", { tabindex: "0" }), word);
      if (!button) {
        term.append(...cell.childNodes);
        cell.append(term);
      }
    }
  }

  // The headings of a table, and the preferences in its first column.
  function mark(table) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach(markCell);
    if (headings[0].textContent.trim() === "preference") {
      [...table.tBodies[0].rows].forEach((row) => markCell(row.cells[0]));
    }
  }

  const whole = (names) => {
    const signs = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    return new RegExp(`(?<![\\w.-])(${signs.join("|")})(?![\\w(@-])`);
  };
  // Where a system is called so, nobody knows which of the two a sentence means.
  const names = facts.preferences
    .map(({ name }) => name)
    .filter((name) => !facts.systems.some((system) => whole([name]).test(system)))
    .sort((one, other) => other.length - one.length);

  // The preferences that sentences name.
  function markNames(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (names.length && walker.nextNode()) {
      texts.push(walker.currentNode);
    }
    const term = (name) => explain(html("span", { tabindex: "0" }, name), name);
    for (const text of texts.filter((each) => !each.parentNode.closest("a, .named, .term"))) {
      const parts = text.data.split(whole(names));
      text.replaceWith(...parts.map((part, place) => (place % 2 ? term(part) : part)));
    }
  }

  document.querySelectorAll("h1, .answer").forEach(markNames);

  irpref.glossary = { mark, markNames };
})();
