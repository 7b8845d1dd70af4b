// Tables as CSV and LaTeX, to copy or to save, all from one menu.

(() => {
  "use strict";

  const { facts } = irpref.data;
  const { html, button, say, byId } = irpref.elements;
  const { counted } = irpref.words;

  // The menu, what it says was done, and what it can copy and save, by the elements of the tables.
  const menu = byId("menu");
  const summary = menu.querySelector("summary");
  const panel = html("div");
  const said = html("p", { class: "hint", "aria-hidden": "true" });
  const offered = new WeakMap();

  // Two hyphens would be joined to one longer dash; one alone stays.
  const signs = Object.keys(facts.latex).filter((sign) => sign !== "-");
  const escaped = signs.map((sign) => sign.replace(/[\\^\]\-]/g, "\\$&")).join("");
  const latexSign = new RegExp(`-(?=-)${escaped && `|[${escaped}]`}`, "gu");

  function latexText(text) {
    return text.replace(latexSign, (sign) => facts.latex[sign] ?? sign);
  }

  function csvText(text) {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  // Rows of texts as CSV, the first one being the headings.
  function csv(rows) {
    return rows.map((row) => `${row.map(csvText).join(",")}\n`).join("");
  }

  // The same as a table of LaTeX with the rules of booktabs; right says which columns hold numbers, and
  // signatures how they were made.
  function latex(rows, right, signatures) {
    const lines = rows.map((row) => {
      const line = row.map(latexText).join(" & ");
      // Behind the end of a row these would be read as its options.
      return `${/^ *[[*]/.test(line) ? "{}" : ""}${line} \\\\`;
    });
    const made = signatures.map((each) => `% ${each}`);
    return [
      `\\begin{tabular}{${right.map((each) => (each ? "r" : "l")).join("")}}`,
      "\\toprule",
      lines[0],
      "\\midrule",
      ...lines.slice(1),
      "\\bottomrule",
      "\\end{tabular}",
      ...made,
      "",
    ].join("\n");
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      tell(`Copied ${what}.`);
    } catch {
      tell(copyFromField(text) ? `Copied ${what}.` : "This browser does not let a page copy.");
    }
  }

  // Where a page may not write to the clipboard itself, a selected text can be copied.
  function copyFromField(text) {
    const field = html("textarea", { class: "unseen", "aria-hidden": "true" });
    const before = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    before?.focus();
    return done;
  }

  function save(text, name) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = html("a", { href: address, download: name });
    // A click elsewhere would close the menu.
    menu.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    tell(`Saved ${name}.`);
  }

  // --- the menu

  // Those who see the menu read it there.
  function tell(text) {
    say(text);
    said.textContent = text;
  }

  function offer(table) {
    offered.set(table.table, table);
    menu.hidden = false;
    fillMenu();
  }

  // The tables that stand in the page now; a closed menu is empty.
  function fillMenu() {
    if (!menu.open) {
      panel.replaceChildren();
      return;
    }
    const all = [...document.querySelectorAll("table")].map((each) => offered.get(each));
    const lines = all.filter(Boolean).map(line);
    // Where the sender keeps the file tells others nothing.
    const whole = location.href.split("#")[0];
    const page = location.protocol === "file:" ? whole.split("/").pop() : whole;
    const link = () => copy(page + (document.documentElement.dataset.shown ?? ""), "the link");
    said.textContent = "";
    panel.replaceChildren(...lines, button("Copy link to this view", link), said);
  }

  function line(table) {
    const { heading, found, counter } = table;
    const rows = counted(found.length, "row");
    const what = `${rows} as`;
    return html(
      "div",
      { role: "group", "aria-label": `${heading}: copy or save` },
      html("p", {}, heading, html("span", { class: "quiet" }, ` ${counter.textContent || rows}`)),
      button("Copy CSV", () => copy(table.csv(), `${what} CSV`)),
      button("Save CSV", () => save(table.csv(), `${table.name}.csv`)),
      button("Copy LaTeX", () => copy(table.latex(), `${what} LaTeX`)),
      button("Save LaTeX", () => save(table.latex(), `${table.name}.tex`)),
    );
  }

  menu.append(panel);
  menu.addEventListener("toggle", fillMenu);
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) {
      menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) {
      // The topic below stays open.
      event.stopImmediatePropagation();
      menu.open = false;
      summary.focus();
    }
  });

  irpref.files = { csv, latex, offer };
})();
