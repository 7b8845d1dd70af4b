// Tables as CSV and LaTeX, to copy or to save.

(() => {
  "use strict";

  const { facts } = irpref.data;
  const { html, say } = irpref.elements;

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
      say(`Copied ${what}.`);
    } catch {
      say(copyFromField(text) ? `Copied ${what}.` : "This browser does not let a page copy.");
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
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    say(`Saved ${name}.`);
  }

  irpref.files = { csv, latex, copy, save };
})();
