// Tables that one can sort, search, copy and save: those of the report, and those that scripts make.
//
// A table is made of columns and rows. A column has a name, says whether it is a picture, and has the
// functions value(row) (a number, a text or null, to sort by) and text(row) (to search and to export).

(() => {
  "use strict";

  const { html, button, say } = irpref.elements;
  const { counted } = irpref.words;
  const { csv, latex, copy, save } = irpref.files;

  // Fewer rows need no search.
  const FEW = 8;
  // So many rows are quick to show; of more, the first ones are shown.
  const MANY = 1000;
  const FIRST = 500;

  const NUMBER = /^[<>≤≥]?\s*([+\-−]?(?:\d[\d,]*)?\.?\d+(?:e[+-]?\d+)?)\s*%?$/i;
  const alphabet = new Intl.Collator("en", { numeric: true });

  // The number that a text says; null if it says something else.
  function numberIn(text) {
    const found = NUMBER.exec(text.trim());
    return found ? Number(found[1].replaceAll(",", "").replace("−", "-")) : null;
  }

  class Table {
    // element(row) gives the row of the table; name is that of the file that is saved.
    constructor(table, { columns, rows, element, name, heading }) {
      Object.assign(this, { table, columns, rows, element, name });
      this.body = table.tBodies[0];
      this.found = rows;
      this.order = rows;
      this.sorted = null;
      this.all = rows.length <= MANY;
      this.headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
      for (const [place, cell] of this.headings.entries()) {
        this.makeSortable(cell, place);
      }
      this.addTools(heading);
      this.show();
    }

    makeSortable(cell, place) {
      const sorter = button("", () => this.sortBy(place), { class: "sort" });
      sorter.append(...cell.childNodes);
      cell.append(sorter);
      cell.setAttribute("scope", "col");
    }

    addTools(heading) {
      this.counter = html("span", { class: "quiet" });
      const tools = html("div", { class: "tools", role: "group", "aria-label": heading });
      if (this.rows.length > FEW) {
        const field = html("input", { type: "search", autocomplete: "off", spellcheck: "false" });
        field.addEventListener("input", () => this.search(field.value));
        tools.append(html("label", {}, "Search ", field), this.counter);
      }
      const what = () => `${counted(this.found.length, "row")} as`;
      tools.append(
        button("Copy CSV", () => copy(this.csv(), `${what()} CSV`)),
        button("Save CSV", () => save(this.csv(), `${this.name}.csv`)),
        button("Copy LaTeX", () => copy(this.latex(), `${what()} LaTeX`)),
      );
      this.box = html("div", { class: "box", tabindex: "0", role: "region", "aria-label": heading });
      this.table.replaceWith(tools, this.box);
      this.box.append(this.table);
      this.rest = button("", () => {
        this.all = true;
        this.show();
      });
      this.box.after(this.rest);
    }

    // Numbers start with the highest one, texts with A; the next time the other way, then as it was.
    sortBy(place) {
      const column = this.columns[place];
      const values = new Map(this.rows.map((row) => [row, column.value(row)]));
      const isNumber = [...values.values()].every((each) => typeof each !== "string");
      const ways = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
      const before = this.sorted?.place === place ? ways.indexOf(this.sorted.way) : -1;
      const way = ways[before + 1] ?? null;
      this.sorted = way && { place, way };
      for (const [other, cell] of this.headings.entries()) {
        if (way && other === place) {
          cell.setAttribute("aria-sort", way);
        } else {
          cell.removeAttribute("aria-sort");
        }
      }
      const up = way === "descending" ? -1 : 1;
      this.order = way
        ? [...this.rows].sort((one, other) => compare(values.get(one), values.get(other), up))
        : this.rows;
      const last = isNumber ? "highest first" : "from A to Z";
      const order = before < 0 ? last : isNumber ? "lowest first" : "from Z to A";
      say(way ? `Sorted by ${column.name}, ${order}.` : "In the first order again.");
      this.filter();
    }

    search(text) {
      this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
      this.filter();
      const [found, all] = [this.found.length, this.rows.length].map((n) => n.toLocaleString("en"));
      const said = this.words.length ? `${found} of ${counted(this.rows.length, "row")}` : "";
      this.counter.textContent = said;
      say(said || `All ${all} rows.`);
    }

    filter() {
      const words = this.words ?? [];
      this.found = words.length
        ? this.order.filter((row) => {
            const text = this.columns.map((column) => column.text(row)).join("\n").toLowerCase();
            return words.every((word) => text.includes(word));
          })
        : this.order;
      this.show();
    }

    show() {
      const shown = this.all || this.found.length <= MANY ? this.found : this.found.slice(0, FIRST);
      this.body.replaceChildren(...shown.map(this.element));
      this.rest.hidden = shown.length === this.found.length;
      this.rest.textContent = `Show all ${counted(this.found.length, "row")}`;
    }

    exported() {
      const columns = this.columns.filter((column) => !column.picture);
      const rows = this.found.map((row) => columns.map((column) => column.text(row)));
      const right = columns.map((column) =>
        this.rows.every((row) => typeof column.value(row) !== "string"),
      );
      return { rows: [columns.map((column) => column.name), ...rows], right };
    }

    csv() {
      const { rows } = this.exported();
      // Programs read numbers without commas.
      return csv(rows.map((row) => row.map((text) => (
        /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text
      ))));
    }

    latex() {
      const { rows, right } = this.exported();
      return latex(rows, right);
    }
  }

  // Empty cells come last, whichever way the others are sorted.
  function compare(one, other, up) {
    if (one === null || other === null) {
      return (one === null) - (other === null);
    }
    const both = typeof one === "number" && typeof other === "number";
    return up * (both ? one - other : alphabet.compare(String(one), String(other)));
  }

  // Make a table of the report one that can be sorted and searched.
  function improve(table, name, heading) {
    const cells = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const rows = [...table.tBodies[0].rows];
    const columns = cells.map((cell, place) => {
      const texts = new Map(rows.map((row) => [row, row.cells[place].textContent.trim()]));
      const values = new Map(rows.map((row) => [row, valueIn(row.cells[place])]));
      const all = [...values.values()].filter((value) => value !== null);
      const numbers = all.every((value) => typeof value === "number");
      return {
        name: cell.textContent.trim(),
        value: (row) => (numbers || values.get(row) === null ? values.get(row) : texts.get(row)),
        text: (row) => texts.get(row),
      };
    });
    return new Table(table, { columns, rows, element: (row) => row, name, heading });
  }

  // A number if the cell says one, next to marks such as †; null if it is empty.
  function valueIn(cell) {
    const marks = [...cell.querySelectorAll("sup")].map((mark) => mark.textContent).join("");
    const text = cell.textContent.trim();
    const plain = marks && text.endsWith(marks) ? text.slice(0, -marks.length).trim() : text;
    return plain === "" ? null : (numberIn(plain) ?? plain);
  }

  irpref.tables = { Table, improve };
})();
