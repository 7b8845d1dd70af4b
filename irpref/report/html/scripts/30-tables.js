// Tables that one can sort, search, copy and save: those of the report, and those that scripts make.
//
// A table is made of columns and rows. A column has a name, says whether it is a picture, and has the
// functions value(row) (a number, a text or null, to sort by) and text(row) (to search and to export); with
// plain(row) if programs shall read another text, without marks.

(() => {
  "use strict";

  const { facts } = irpref.data;
  const { html, button, say } = irpref.elements;
  const { counted } = irpref.words;
  const { csv, latex, copy, save } = irpref.files;

  // Fewer rows need no search.
  const FEW = 8;
  // So many rows are quick to show; of more, the first ones are shown, and then so many more.
  const MANY = 1000;
  const FIRST = 500;
  const MORE = 5000;

  const NUMBER = /^[<>≤≥]?\s*([+\-−]?(?:\d[\d,]*)?\.?\d+(?:e[+-]?\d+)?)\s*%?$/i;
  const alphabet = new Intl.Collator("en", { numeric: true });

  // The number that a text says; null if it says something else.
  function numberIn(text) {
    const found = NUMBER.exec(text.trim());
    return found ? Number(found[1].replaceAll(",", "").replace("−", "-")) : null;
  }

  class Table {
    // element(row) gives the row of the table; name is that of the file that is saved.
    constructor(table, { columns, rows, element, name, heading, signatures }) {
      Object.assign(this, { table, columns, rows, element, name });
      this.signatures = signatures ?? facts.preferences.map((each) => each.signature);
      // The rows that were shown once, by row.
      this.made = new Map();
      this.words = [];
      this.body = table.tBodies[0];
      this.found = rows;
      this.order = rows;
      this.sorted = null;
      this.most = FIRST;
      this.headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
      for (const [place, cell] of this.headings.entries()) {
        this.makeSortable(cell, place);
      }
      this.addTools(heading);
      this.show();
      irpref.glossary.mark(table);
    }

    makeSortable(cell, place) {
      const sorter = button("", () => this.turn(place), { class: "sort" });
      sorter.append(...cell.childNodes);
      cell.append(sorter);
      cell.setAttribute("scope", "col");
    }

    addTools(heading) {
      this.counter = html("span", { class: "quiet" });
      const tools = html("div", { class: "tools", role: "group", "aria-label": heading });
      if (this.rows.length > FEW) {
        this.field = html("input", { type: "search", autocomplete: "off", spellcheck: "false" });
        this.field.addEventListener("input", () => {
          this.search(this.field.value);
          say(this.counter.textContent || `All ${counted(this.rows.length, "row")}.`);
        });
        tools.append(html("label", {}, "Search ", this.field), this.counter);
      }
      const what = () => `${counted(this.found.length, "row")} as`;
      tools.append(
        button("Copy CSV", () => copy(this.csv(), `${what()} CSV`)),
        button("Save CSV", () => save(this.csv(), `${this.name}.csv`)),
        button("Copy LaTeX", () => copy(this.latex(), `${what()} LaTeX`)),
        button("Save LaTeX", () => save(this.latex(), `${this.name}.tex`)),
      );
      // The tables of the report have boxes already, to be wide in without scripts.
      this.box = this.table.closest(".box") ?? html("div", { class: "box", tabindex: "0" });
      this.box.setAttribute("role", "region");
      this.box.setAttribute("aria-label", heading);
      if (this.table.parentNode !== this.box) {
        this.table.replaceWith(this.box);
        this.box.append(this.table);
      }
      this.box.before(tools);
      this.rest = button("", () => {
        this.most += MORE;
        this.show();
      });
      this.box.after(this.rest);
    }

    holdsNumbers(column) {
      return this.rows.every((row) => typeof column.value(row) !== "string");
    }

    // Numbers start with the highest one, texts with A; the next time the other way, then as it was.
    turn(place) {
      const column = this.columns[place];
      const isNumber = this.holdsNumbers(column);
      const ways = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
      const before = this.sorted?.place === place ? ways.indexOf(this.sorted.way) : -1;
      this.sort(place, ways[before + 1] ?? null);
      const orders = isNumber ? ["highest first", "lowest first"] : ["from A to Z", "from Z to A"];
      const order = orders[before + 1];
      say(order ? `Sorted by ${column.name}, ${order}.` : "In the first order again.");
    }

    // Sort by a column, "ascending" or "descending"; null for the first order.
    sort(place, way) {
      this.sorted = way && { place, way };
      for (const [other, cell] of this.headings.entries()) {
        if (way && other === place) {
          cell.setAttribute("aria-sort", way);
        } else {
          cell.removeAttribute("aria-sort");
        }
      }
      const up = way === "descending" ? -1 : 1;
      const { value } = this.columns[place];
      const values = new Map(this.rows.map((row) => [row, value(row)]));
      this.order = way
        ? [...this.rows].sort((one, other) => compare(values.get(one), values.get(other), up))
        : this.rows;
      this.filter();
    }

    search(text) {
      this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
      this.filter();
      const found = this.found.length.toLocaleString("en");
      const all = counted(this.rows.length, "row");
      this.counter.textContent = this.words.length ? `${found} of ${all}` : "";
    }

    // Sorted and searched as the table that stood here before, if it had the same columns.
    continueFrom(before) {
      if (before?.columns.every(({ name }, place) => name === this.columns[place]?.name)) {
        if (before.sorted) {
          this.sort(before.sorted.place, before.sorted.way);
        }
        if (before.words.length && this.field) {
          this.field.value = before.field.value;
          this.search(this.field.value);
        }
      }
    }

    filter() {
      this.found = this.words.length
        ? this.order.filter((row) => {
            const text = this.columns
              .map((column) => column.text(row))
              .join("\n")
              .toLowerCase();
            return this.words.every((word) => text.includes(word));
          })
        : this.order;
      this.show();
    }

    show() {
      const { length } = this.found;
      const shown = length <= MANY ? this.found : this.found.slice(0, this.most);
      for (const row of shown) {
        if (!this.made.has(row)) {
          this.made.set(row, this.element(row));
        }
      }
      this.body.replaceChildren(...shown.map((row) => this.made.get(row)));
      this.rest.hidden = shown.length === length;
      this.rest.textContent =
        length - shown.length <= MORE
          ? `Show all ${counted(length, "row")}`
          : `Show ${MORE.toLocaleString("en")} more of ${counted(length, "row")}`;
    }

    exported(said) {
      const columns = this.columns.filter((column) => !column.picture);
      const rows = this.found.map((row) => columns.map((column) => said(column)(row)));
      const right = columns.map((column) => this.holdsNumbers(column));
      return { rows: [columns.map((column) => column.name), ...rows], right };
    }

    csv() {
      const { rows, right } = this.exported((column) => column.plain ?? column.text);
      // Programs read numbers without commas.
      const plain = (text, place) => (right[place] ? text.replaceAll(",", "") : text);
      return csv([rows[0], ...rows.slice(1).map((row) => row.map(plain))]);
    }

    latex() {
      const { rows, right } = this.exported((column) => column.text);
      return latex(rows, right, this.signatures);
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
        plain: (row) => (numbers ? unmarked(row.cells[place]) : texts.get(row)),
      };
    });
    const { signatures } = facts;
    return new Table(table, { columns, rows, element: (row) => row, name, heading, signatures });
  }

  // What a cell says without its marks, such as †.
  function unmarked(cell) {
    const marks = [...cell.querySelectorAll("sup")].map((mark) => mark.textContent).join("");
    const text = cell.textContent.trim();
    return marks && text.endsWith(marks) ? text.slice(0, -marks.length).trim() : text;
  }

  // A number if the cell says one; null if it is empty.
  function valueIn(cell) {
    const plain = unmarked(cell);
    return plain === "" ? null : (numberIn(plain) ?? plain);
  }

  irpref.tables = { Table, improve };
})();
