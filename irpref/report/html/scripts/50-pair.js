// Two systems on all topics: the verdict, the outcomes, the profile and the table of topics.

(() => {
  "use strict";

  const { facts, pairs, pair: numberOf, numbers, texts, alone } = irpref.data;
  const { html, button, byId } = irpref.elements;
  const { signed, count, counted, fill, fillVerdict, side, worded } = irpref.words;
  const { drawInto, outcomes, profile, leads } = irpref.pictures;
  const { Table } = irpref.tables;
  const { relevantDocuments, lead, documentTexts, DEPTHS } = irpref.rankings;

  const LONGEST_QUERY = 70;
  const SIGNS = { 1: "first", "-1": "second" };
  // Parts of the round number that no difference exceeds; and numbers of relevant documents.
  const DIFFERENCES = [0.1, 0.25, 0.5];
  const RELEVANT = [[0, 0, "none"], [1, 5], [6, 20], [21, 100], [101, Infinity, "more than 100"]];

  // Show a pair, the first system ranked above the second; openTopic(topic) is called for a chosen topic.
  async function showPair(a, b, openTopic) {
    const one = { a: facts.systems[a], b: facts.systems[b], number: numberOf(a, b) };
    const still = () => current === one;
    current = one;
    await Promise.all([
      showHeading(one, still),
      showVerdict(one, still),
      showOutcomes(one, still),
      showProfile(one, still),
      showTopics(one, a, b, still, openTopic),
    ]);
  }

  async function showHeading(one, still) {
    const topics = (await numbers(facts.counted)).at(one.number);
    if (!still()) {
      return;
    }
    byId("pair-heading").replaceChildren(
      html("span", { class: "first-words" }, one.a),
      " against ",
      html("span", { class: "second-words" }, one.b),
      ` on ${counted(topics, "topic")} (positive: ${one.a} is better)`,
    );
  }

  let current = null;
  // The tables of this pair, by id; and the topic whose row is marked.
  const tables = new Map();
  let marked = null;

  // The topics in the order of their table.
  const order = () => tables.get("topics")?.found ?? facts.topics.map((_, topic) => topic);

  // The row of a topic, shown if it was not; null if it is not among those found.
  const rowOf = (topic) => tables.get("topics")?.reveal(topic) ?? null;

  function markTopic(topic) {
    marked = topic;
    for (const [row, element] of tables.get("topics")?.made ?? []) {
      element.classList.toggle("chosen", row === topic);
    }
  }

  async function showVerdict(one, still) {
    const verdicts = facts.verdicts ? await texts("verdicts") : null;
    if (!still()) {
      return;
    }
    const form = verdicts ? verdicts.forms[verdicts.form[one.number]] : "";
    const filled = verdicts ? verdicts.numbers.map((column) => column[one.number]) : [];
    const paragraphs = fillVerdict(form, one, filled);
    // Of two systems the answer stands above already, in black.
    const above = alone ? [...document.querySelectorAll("h1, .answer")] : [];
    for (const [place, element] of above.entries()) {
      const said = html("p", {}, ...(paragraphs[place] ?? []).map(verdictPart));
      if (said.textContent === element.textContent) {
        element.replaceChildren(...said.childNodes);
        irpref.glossary.markNames(element);
      }
    }
    byId("verdict").replaceChildren(
      ...paragraphs.map((parts) => html("p", {}, ...parts.map(verdictPart))),
    );
    irpref.glossary.markNames(byId("verdict"));
    byId("verdict").hidden = alone || !form;
    byId("verdict-how").textContent = facts.verdicts?.how ?? "";
    byId("verdict-how").hidden = alone || !form;
    byId("relations").textContent = facts.relation_notes.join(" ");
  }

  // A part of a verdict: a name in its colour, or a text in which the address of our own page is a link.
  function verdictPart(part) {
    if (part.name !== undefined) {
      return html("span", { class: `named ${part.side}-words` }, part.name);
    }
    const link = () => html("a", { href: facts.guide }, facts.guide);
    return part.split(facts.guide).flatMap((text, place) => (place ? [link(), text] : [text]));
  }

  async function showOutcomes(one, still) {
    if (alone) {
      return;
    }
    const found = await Promise.all(
      facts.preferences.map(async (each) => {
        const [means, counts] = [await numbers(each.means), await numbers(each.counts)];
        return {
          mean: means.at(one.number),
          decimals: counts.scale > 1 ? 1 : 0,
          counts: each.outcomes.map((_, outcome) => counts.at(outcome * pairs + one.number)),
        };
      }),
    );
    if (!still()) {
      return;
    }
    const names = [
      ...new Set(facts.preferences.flatMap((each) => each.outcomes.map(({ name }) => name))),
    ];
    const headings = new Map(
      facts.preferences.flatMap((each) =>
        each.outcomes.map(({ name, heading }) => [name, heading]),
      ),
    );
    const of = (row, name) => {
      const outcome = facts.preferences[row].outcomes.findIndex((each) => each.name === name);
      return outcome < 0 ? null : found[row].counts[outcome];
    };
    const columns = [
      { name: "preference", value: (row) => facts.preferences[row].name },
      { name: "mean", value: (row) => found[row].mean, text: (row) => signed(found[row].mean) },
      ...names.map((name) => ({
        name: headings.get(name),
        value: (row) => of(row, name),
        text: (row) => count(of(row, name), found[row].decimals),
      })),
      { name: worded`shares of topics`, picture: true, value: (row) => of(row, "wins"), text: () => "" },
    ];
    const element = (row) => {
      const { mean, decimals, counts } = found[row];
      const parts = facts.preferences[row].outcomes.map(({ name, heading, sign }, outcome) => ({
        name: heading,
        count: counts[outcome] ?? 0,
        text: count(counts[outcome], decimals),
        kind: SIGNS[sign] ?? (name === "ties" ? "tie" : "apart"),
      }));
      // What neither wins stands between the two.
      const place = { first: 0, tie: 1, apart: 2, second: 3 };
      parts.sort((one, other) => place[one.kind] - place[other.kind]);
      return html(
        "tr",
        {},
        html("th", { scope: "row" }, facts.preferences[row].name),
        html("td", { class: `number ${side(mean)}-words` }, signed(mean)),
        ...names.map((name) => html("td", { class: "number" }, count(of(row, name), decimals))),
        html("td", { class: "picture" }, outcomes(parts)),
      );
    };
    const rows = facts.preferences.map((_, row) => row);
    makeTable("outcomes", "Preferences and outcomes", `${one.a}-${one.b}`, columns, rows, element);
  }

  async function showProfile(one, still) {
    if (!facts.profile) {
      byId("profile-part").hidden = true;
      return;
    }
    const { bins } = facts.profile;
    const [won, lost, net, half] = await Promise.all(
      ["wins", "losses", "net", "half"].map((name) => numbers(facts.profile[name])),
    );
    if (!still()) {
      return;
    }
    const shares = (from) =>
      Array.from({ length: bins }, (_, bin) => from.at(bin * pairs + one.number));
    const [gained, missed, between, sure] = [won, lost, net, half].map(shares);
    const shown = { won: gained, lost: missed, net: between, half: sure, a: one.a, b: one.b };
    drawInto(byId("profile"), (width) => profile(width, shown));
    const rows = shown.won.map((_, bin) => bin);
    const percent = (share) => (share === null ? "" : (100 * share).toFixed(0));
    const columns = [
      ["wanted up to (%)", (bin) => (bin + 1) / bins],
      ["won (%)", (bin) => shown.won[bin]],
      ["lost (%)", (bin) => shown.lost[bin]],
      ["net (%)", (bin) => shown.net[bin]],
      ["± (%)", (bin) => shown.half[bin]],
    ].map(([name, value]) => ({ name, value, text: (bin) => percent(value(bin)) }));
    const element = (bin) =>
      html("tr", {}, ...columns.map(({ text }) => html("td", { class: "number" }, text(bin))));
    const heading = "The profile in numbers";
    makeTable("profile-numbers", heading, `${one.a}-${one.b}-profile`, columns, rows, element);
  }

  // What stands in the cell of a topic and pair, whose names these are: the number to sort by, the words,
  // and the colour. Of a difference that is too small to be written, tiny has the sign.
  async function cells({ values, relation, relations, tiny }, names) {
    const [written, codes, signs] = await Promise.all([values, relation, tiny].map(numbers));
    return (topic, pair) => {
      const place = topic * pairs + pair;
      if (relations) {
        const code = codes.at(place);
        const { sign = null, cell = "" } = code === null ? {} : relations[code];
        return { value: sign, text: fill(cell, names), side: side(sign) };
      }
      const said = written.at(place);
      const value = said === 0 && signs ? signs.at(place) * Number.EPSILON : said;
      return { value, text: signed(said), side: side(value) };
    };
  }

  async function showTopics(one, a, b, still, openTopic) {
    const found = await Promise.all(facts.preferences.map((each) => cells(each, one)));
    const first = await numbers(facts.preferences[0].values);
    const ahead = await lead(a, b);
    const relevant = facts.positions && (await relevantDocuments()).all;
    if (!still()) {
      return;
    }
    const columns = [
      { name: worded`topic`, value: (topic) => facts.topics[topic] },
      ...(facts.queries.length ? [{ name: "query", value: (topic) => facts.queries[topic] }] : []),
      ...found.map((cell, place) => ({
        name: facts.preferences[place].name,
        value: (topic) => cell(topic, one.number).value,
        text: (topic) => cell(topic, one.number).text,
      })),
    ];
    if (relevant) {
      columns.push({ name: "relevant", value: relevant });
    }
    if (ahead) {
      columns.push({ name: `ahead at depths 1 to ${DEPTHS}`, picture: true, value: ahead.sum });
    }
    const element = (topic) => {
      const opener = button(facts.topics[topic], () => openTopic(topic), { class: "link" });
      const query = facts.queries[topic] ?? "";
      const short = query.length > LONGEST_QUERY ? `${query.slice(0, LONGEST_QUERY - 1)}…` : query;
      return html(
        "tr",
        { "data-topic": topic, class: topic === marked && "chosen" },
        html("th", { scope: "row" }, opener),
        facts.queries.length ? html("td", { class: "query", title: query }, short) : null,
        ...found.map((cell) => {
          const { text, side: kind } = cell(topic, one.number);
          return html("td", { class: `number ${kind}-words` }, text);
        }),
        relevant ? html("td", { class: "number" }, count(relevant(topic))) : null,
        ahead ? html("td", { class: "picture" }, leads(ahead.of(topic), ahead.greatest)) : null,
      );
    };
    const rows = facts.topics.map((_, topic) => topic);
    const values = found.map((cell) => rows.map((topic) => cell(topic, one.number).value));
    const queried = facts.queries.length ? ["queries"] : [];
    const more = {
      filters: [
        winners(one, values),
        ...differences(first, values[0]),
        ...choice(worded`Relevant documents`, relevant, relevant ? rows.map(relevant) : [], RELEVANT),
      ],
      searched: {
        name: [worded`topics`, ...queried, ...(facts.lists ? [worded`documents`] : [])].join(", "),
        columns: 1 + queried.length,
        texts: facts.lists && (() => documentTexts(a, b)),
      },
    };
    const name = worded`${one.a}-${one.b}-topics`;
    const table = makeTable("topics", worded`Topics`, name, columns, rows, element, more);
    table.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row && !event.target.closest("button") && getSelection().isCollapsed) {
        openTopic(Number(row.dataset.topic));
      }
    });
  }

  // Topics by who wins by the first preference, and where the others contradict.
  function winners({ a, b }, values) {
    const [{ name, relations }] = facts.preferences;
    const [first] = values;
    const isDisputed = (topic) =>
      values.some((each) => each[topic] > 0) && values.some((each) => each[topic] < 0);
    const options = [
      ["all"],
      [`${a} wins`, (topic) => first[topic] > 0, "first-words"],
      [`${b} wins`, (topic) => first[topic] < 0, "second-words"],
      [relations ? "neither wins" : "tied", (topic) => first[topic] === 0],
      ...(values.length > 1 ? [["preferences disagree", isDisputed]] : []),
    ].map(([said, test, kind]) => {
      const topics = facts.topics.filter((_, topic) => !test || test(topic));
      return { test, kind, text: `${said} ${count(topics.length)}` };
    });
    return { name: worded`Topics by ${name}`, options };
  }

  // Topics by how great the difference is, where there are not only signs.
  function differences(numbers, values) {
    const greater = (most, _, place) => Math.max(most, Math.abs(numbers.at(place)));
    const most = numbers ? numbers.whole.reduce(greater, 0) : 0;
    if (!most || (numbers.scale === 1 && most === 1)) {
      return [];
    }
    const round = 10 ** Math.ceil(Math.log10(most));
    const steps = DIFFERENCES.map((each) => Number((each * round).toPrecision(2)));
    const ranges = steps.map((least) => [least, Infinity, least]);
    const size = (topic) => Math.abs(values[topic]);
    return choice(`${facts.preferences[0].name} difference at least`, size, [0, most], ranges);
  }

  // A field to choose topics by a number of theirs, from the least to the most of a range that has a name:
  // of the ranges in which some of the known numbers are, and not all.
  function choice(label, number, known, ranges) {
    const options = ranges
      .map(([least, most, name = `${least}–${most}`]) => ({
        name: String(name),
        has: (each) => each >= least && each <= most,
      }))
      .filter(({ has }) => known.some(has) && !known.every(has))
      .map(({ name, has }) => ({ name, test: (topic) => has(number(topic)) }));
    return options.length ? [{ label, options: [{ name: "any" }, ...options] }] : [];
  }

  // A table with this id, in the place of the one before.
  function makeTable(id, heading, name, columns, rows, element, more = {}) {
    const whole = columns.map((column) => ({
      ...column,
      text: column.text ?? ((row) => (column.picture ? "" : String(column.value(row) ?? ""))),
    }));
    const isNumber = (value) => typeof value === "number";
    const head = whole.map((column) =>
      html(
        "th",
        { class: !column.picture && rows.map(column.value).some(isNumber) && "number" },
        column.name,
      ),
    );
    const table = html("table", { id }, html("thead", {}, html("tr", {}, ...head)), html("tbody"));
    byId(`${id}-place`).replaceChildren(table);
    const file = name.replace(/[^\p{L}\p{N}._-]+/gu, "_");
    const made = new Table(table, {
      ...{ columns: whole, rows, element, name: file, heading },
      ...more,
    });
    made.continueFrom(tables.get(id));
    tables.set(id, made);
    return made;
  }

  irpref.pair = { showPair, cells, order, rowOf, markTopic };
})();
