// Tables that one can sort, search and filter: those of the report, and those that scripts make.
//
// A table is made of columns and rows. A column has a name, says whether it is a picture, and has the
// functions value(row) (a number, a text or null, to sort by; pictures may have none) and text(row) (to
// search and to export); with plain(row) if programs shall read another text, without marks.
//
// A filter has a name and options, the first one for all rows: buttons, each with a text and a kind, or a
// field to choose from if the filter has a label. All others have a test(row).

(() => {
  "use strict";

  const { facts } = irpref.data;
  const { html, button, say, byId } = irpref.elements;
  const { count, counted } = irpref.words;
  const { csv, latex, offer } = irpref.files;

  // Fewer rows need no search.
  const FEW = 8;
  // Of more rows than a screen has, the first ones are shown, and then so many more as are quick to show.
  const LONG = 30;
  const FIRST = 20;
  const MORE = 5000;
  // Who types has stopped for so many milliseconds before documents are searched.
  const PAUSE = 150;

  const NUMBER = /^[<>≤≥]?\s*([+\-−]?(?:\d[\d,]*)?\.?\d+(?:e[+-]?\d+)?)\s*%?$/i;
  const alphabet = new Intl.Collator("en", { numeric: true });

  // The number that a text says; null if it says something else.
  function numberIn(text) {
    const found = NUMBER.exec(text.trim());
    return found ? Number(found[1].replaceAll(",", "").replace("−", "-")) : null;
  }

  class Table {
    // element(row) gives the row of the table; name is that of the file that is saved. searched says what
    // is searched in place of all columns: its name, the number of the first columns, and texts() that promises
    // other texts of a row, if there are any.
    constructor(table, { columns, rows, element, name, heading, signatures, filters = [], searched = {} }) {
      Object.assign(this, { table, columns, rows, element, name, heading, searched });
      this.signatures = signatures ?? facts.preferences.map((each) => each.signature);
      this.filters = rows.length > FEW ? filters : [];
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
        if (this.columns[place].value) {
          this.makeSortable(cell, place);
        }
      }
      this.addBox();
      this.addTools();
      this.show();
      irpref.glossary.mark(table);
      offer(this);
    }

    makeSortable(cell, place) {
      // Letters of systems have no heading.
      if (!cell.textContent.trim()) {
        return;
      }
      const sorter = button("", () => this.turn(place), { class: "sort" });
      sorter.append(...cell.childNodes);
      cell.append(sorter);
      cell.setAttribute("scope", "col");
    }

    addTools() {
      this.counter = html("span", { class: "count quiet" });
      if (this.rows.length <= FEW) {
        return;
      }
      this.field = html("input", { type: "search", autocomplete: "off", spellcheck: "false" });
      const search = () => this.search(this.field.value).then(() => this.say());
      let waits = 0;
      this.field.addEventListener("input", () => {
        clearTimeout(waits);
        waits = this.searched.texts ? setTimeout(search, PAUSE) : search();
      });
      this.box.before(
        html(
          "div",
          { class: "tools", role: "group", "aria-label": this.heading },
          this.filters.map((filter) => this.control(filter)),
          html("label", {}, `Search ${this.searched.name ?? ""} `, this.field),
          this.counter,
        ),
      );
    }

    // The buttons or the field of a filter, which then can mark the place of what is chosen.
    control(filter) {
      const { name, label, options } = filter;
      const choose = (place) => {
        this.choose(filter, place);
        this.say();
      };
      if (label) {
        const field = html("select", {}, ...options.map((each) => html("option", {}, each.name)));
        field.addEventListener("change", () => choose(field.selectedIndex));
        filter.mark = (place) => (field.selectedIndex = place);
        return html("label", {}, `${label} `, field);
      }
      const buttons = options.map(({ text, kind }, place) =>
        button(text, () => choose(place), { class: kind, "aria-pressed": String(!place) }),
      );
      filter.mark = (chosen) =>
        buttons.forEach((each, place) => each.setAttribute("aria-pressed", String(place === chosen)));
      return html("div", { class: "chips", role: "group", "aria-label": name }, ...buttons);
    }

    choose(filter, place) {
      filter.chosen = place;
      filter.mark(place);
      this.filter();
    }

    addBox() {
      // The tables of the report have boxes already, to be wide in without scripts.
      this.box = this.table.closest(".box") ?? html("div", { class: "box" });
      if (this.table.parentNode !== this.box) {
        this.table.replaceWith(this.box);
        this.box.append(this.table);
      }
      this.box.dataset.heading = this.heading;
      watcher.observe(this.table);
      this.shown = html("span", { class: "quiet" });
      this.more = button("", () => this.showMore());
      this.rest = html("p", { class: "rest" }, this.shown, " ", this.more);
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

    async search(text) {
      this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
      if (this.words.length && this.searched.texts) {
        this.texts ??= await this.searched.texts();
      }
      this.filter();
    }

    say() {
      say(`${this.counter.textContent || `All ${counted(this.rows.length, "row")}`}.`);
    }

    // Sorted, filtered and searched as the table that stood here before, if it had the same columns.
    continueFrom(before) {
      if (before?.columns.every(({ name }, place) => name === this.columns[place]?.name)) {
        if (before.sorted) {
          this.sort(before.sorted.place, before.sorted.way);
        }
        this.most = before.most;
        before.filters.forEach(({ chosen = 0 }, place) => this.choose(this.filters[place], chosen));
        if (before.words.length && this.field) {
          this.field.value = before.field.value;
          this.search(this.field.value);
        }
      }
    }

    filter() {
      const tests = this.filters.map(({ options, chosen = 0 }) => options[chosen].test).filter(Boolean);
      if (this.words.length) {
        tests.push((row) => this.says(row));
      }
      this.found = this.order.filter((row) => tests.every((test) => test(row)));
      const found = `${count(this.found.length)} of ${count(this.rows.length)} found`;
      this.counter.textContent = tests.length ? found : "";
      this.show();
    }

    // Whether a row has all words that are searched, or one of its other texts has.
    says(row) {
      const has = (text) => this.words.every((word) => text.includes(word));
      const own = this.columns.slice(0, this.searched.columns).map((column) => column.text(row));
      return has(own.join("\n").toLowerCase()) || Boolean(this.texts?.(row).some(has));
    }

    showMore() {
      const all = this.most >= this.found.length;
      this.most = all ? FIRST : this.most + MORE;
      this.show();
      say(`${this.shown.textContent}.`);
      if (all) {
        this.rest.scrollIntoView({ block: "nearest" });
      }
    }

    // The element of a row, which is shown then; null if the row is not among those found.
    reveal(row) {
      this.most = Math.max(this.most, this.found.indexOf(row) + 1);
      this.show();
      return this.found.includes(row) ? this.made.get(row) : null;
    }

    show() {
      const { length } = this.found;
      const shown = length <= LONG ? this.found : this.found.slice(0, this.most);
      for (const row of shown) {
        if (!this.made.has(row)) {
          this.made.set(row, this.element(row));
        }
      }
      this.body.replaceChildren(...shown.map((row) => this.made.get(row)));
      const left = length - shown.length;
      const next = left > MORE ? `Show ${count(MORE)} more` : `Show all ${count(length)}`;
      this.rest.hidden = length <= LONG;
      this.shown.textContent = `${count(shown.length)} of ${count(length)} shown`;
      this.more.textContent = left ? next : `Show the first ${FIRST}`;
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

  // A table that is wider than its place is scrolled there, with keys too. Where all fit, none is, so that
  // headings stay in view while the page is scrolled.
  function fit(box) {
    const isWide = box.firstElementChild.offsetWidth > box.clientWidth;
    box.classList.toggle("fits", !isWide);
    const change = isWide ? "setAttribute" : "removeAttribute";
    box[change]("tabindex", "0");
    box[change]("role", "region");
    box[change]("aria-label", box.dataset.heading);
  }

  const watcher = new ResizeObserver((seen) => seen.forEach(({ target }) => fit(target.parentNode)));

  watcher.observe(byId("reasons"));
  addEventListener("resize", () => document.querySelectorAll(".box").forEach(fit));

  // Make a table of the report one that can be sorted and searched.
  function improve(table, name, heading) {
    const cells = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const rows = [...table.tBodies[0].rows];
    const columns = cells.map((cell, place) => {
      if (cell.matches(".picture")) {
        return { name: cell.textContent.trim(), picture: true, text: () => "" };
      }
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
