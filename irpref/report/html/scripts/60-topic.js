// One topic: what each preference says and why, and both rankings side by side.

(() => {
  "use strict";

  const { facts, systems, pairs, pair: numberOf, numbers } = irpref.data;
  const { html, button, byId } = irpref.elements;
  const { count, counted, fill, worded } = irpref.words;
  const { drawInto, strip } = irpref.pictures;
  const { relevantDocuments, firstDocuments } = irpref.rankings;
  const { cells } = irpref.pair;

  const SHORT_TEXT = 40;
  let current = null;

  // Show a topic of a pair, the rankings down to a depth (Infinity: all of them).
  async function showTopic(a, b, topic, depth) {
    const one = { a, b, topic, names: [facts.systems[a], facts.systems[b]], pair: numberOf(a, b) };
    const still = () => current === one;
    current = one;
    byId("topic-heading").textContent = worded`Topic ${facts.topics[topic]}`;
    const query = facts.queries[topic] ?? "";
    byId("query").textContent = query;
    byId("query").hidden = !query;
    const all = await numbers(facts.lengths);
    const lengths = all && [a, b].map((system) => all.at(topic * systems + system));
    const found = facts.positions ? await relevantDocuments() : null;
    const relevant = found ? [a, b].map((system) => found.of(topic, system)) : null;
    if (!still()) {
      return;
    }
    showDepths(one, lengths);
    await Promise.all([
      showReasons(one, relevant, still),
      showRankings(one, relevant, found?.all(topic), depth, lengths, still),
    ]);
  }

  // What a ranking has not reached, it may have below its end.
  function showDepths({ names }, lengths) {
    const [one, other] = lengths ?? [0, 0];
    const [deeper, shorter] = one < other ? [1, 0] : [0, 1];
    byId("topic-depths").hidden = one === other;
    byId("topic-depths").textContent =
      worded`${names[shorter]} lists ${counted(Math.min(one, other), "document")} here, ${names[deeper]} ` +
      `${count(Math.max(one, other))}: what stands below ${count(Math.min(one, other))} counts for ` +
      `${names[deeper]} only.`;
  }

  async function showReasons(one, relevant, still) {
    const rows = await Promise.all(
      facts.preferences.map(async (preference) => {
        const [first, second] = one.names;
        const cell = (await cells(preference, { a: first, b: second }))(one.topic, one.pair);
        const reason = await reasonOf(preference, one, relevant);
        return html(
          "tr",
          {},
          html("th", { scope: "row" }, preference.name),
          html("td", { class: `number ${cell.side}-words` }, cell.text),
          html("td", { class: "reason" }, cell.text === "" ? worded`this topic does not count` : reason),
        );
      }),
    );
    if (still()) {
      byId("reasons").tBodies[0].replaceChildren(...rows);
      irpref.glossary.mark(byId("reasons"));
    }
  }

  // The reason of a preference in words; an empty text where the page has none.
  async function reasonOf({ reasons }, { a, b, topic, names, pair }, relevant) {
    if (!reasons) {
      return "";
    }
    const place = topic * pairs + pair;
    const form = (await numbers(reasons.form)).at(place);
    if (form === null) {
      return "";
    }
    const slots = { a: names[0], b: names[1], ...reasons.said[form] };
    for (const [name, column] of Object.entries(reasons.columns)) {
      slots[name] = (await numbers(column)).at(place);
    }
    if (reasons.rest) {
      const { slot, of, less } = reasons.rest;
      slots[slot] = less.reduce((left, name) => left - slots[name], (await numbers(of)).at(topic));
    }
    if (reasons.at_level && relevant) {
      const at = relevant.map(
        (documents) =>
          documents.filter(({ grade }) => grade >= reasons.at_level.rel)[slots.level - 1],
      );
      [slots.first, slots.second] = at.map((document) => document?.position ?? null);
    }
    if (reasons.scores) {
      const scores = await numbers(reasons.scores);
      const said = (system) => scores.at(topic * systems + system)?.toFixed(4) ?? "";
      [slots.first, slots.second] = [said(a), said(b)];
    }
    return fill(reasons.forms[form], slots);
  }

  async function showRankings(one, relevant, all, depth, lengths, still) {
    const lists = await firstDocuments();
    if (!still()) {
      return;
    }
    const shown = lists ? [one.a, one.b].map((system) => lists(one.topic, system)) : null;
    const deepest = Math.max(
      1,
      ...(relevant ?? []).map((documents) => documents.at(-1)?.position ?? 0),
      ...(shown ?? []).map((documents) => documents.length),
    );
    const down = Math.min(depth, deepest);
    byId("strip-part").hidden = !relevant;
    if (relevant) {
      showStrip(one, relevant, all, Math.min(depth, Math.max(...lengths, 1)), lengths);
    }
    const place = byId("lists");
    if (shown) {
      const highlight = new Map();
      const legend =
        worded`In circles: grades, filled if relevant. ?: not judged. ↔ 5: the other ranking has it at 5; ` +
        worded`↔ –: not among its documents in this page.`;
      place.replaceChildren(
        ...shown.map((documents, side) =>
          list(one, shown, side, documents.slice(0, down), highlight),
        ),
        html("p", { class: "hint" }, legend),
      );
    } else if (relevant) {
      const none = worded`This page has no lists of documents; its last lines say how to get them.`;
      place.replaceChildren(
        ...relevant.map((documents, side) => places(one, side, documents, down)),
        html("p", { class: "hint" }, none),
      );
    } else {
      place.replaceChildren();
    }
  }

  function showStrip(one, relevant, all, depth, lengths) {
    const values = facts.positions.grade_values;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const sides = relevant.map((documents, side) => ({
      length: lengths[side],
      name: one.names[side],
      said: `${one.names[side]} has ${documents.filter(({ position }) => position <= depth).length}`,
      positions: documents.map(({ position }) => position),
      bars: documents
        .filter(({ position }) => position <= depth)
        .map(({ position, grade }) => ({
          position,
          height: most > least ? (grade - least) / (most - least) : 0.5,
        })),
    }));
    drawInto(byId("strip"), (width) => strip(width, { sides, depth }));
    const found = relevant.map(
      (documents, side) => `${one.names[side]} finds ${count(documents.length)}`,
    );
    const higher = most > least ? ` Higher bars: higher grades (${least} to ${most}).` : "";
    byId("strip-words").textContent =
      worded`Bars: relevant documents.${higher} A line joins the same recall level, in the colour of who ` +
      `is earlier; leaving on the right: below rank ${count(depth)} or not found. ` +
      `Of ${counted(all, "relevant document")} ${found.join(", ")}.`;
  }

  const KINDS = ["first", "second"];

  function list(one, shown, side, documents, highlight) {
    const other = new Map(shown[1 - side].map(({ document }, place) => [document, place + 1]));
    let group = 0;
    const items = documents.map((each, place) => {
      const next = shown[side][place + 1]?.tied;
      group += each.tied ? 0 : 1;
      const tied = each.tied || next ? `tied ${group % 2 ? "odd" : "even"}` : "";
      const starts = each.tied ? "" : " starts";
      const item = html(
        "li",
        { class: tied && `${tied}${starts}`, "data-document": each.document, tabindex: "0" },
        html("span", { class: "position" }, `${place + 1}`),
        html("span", { class: "document" }, each.name, text(each.text)),
        badge(each.grade),
        elsewhere(other.get(each.document), one.names[1 - side]),
      );
      link(item, each.document, highlight);
      return item;
    });
    const ties = documents.some(({ tied }) => tied) ? ["Shaded: tied scores."] : [];
    const left = shown[side].length - documents.length;
    const more = left ? [`${counted(left, "more document")} down to ${shown[side].length}.`] : [];
    const kept = shown[side].length === facts.lists.depth && !left;
    const last = kept ? [worded`The page has the first ${count(facts.lists.depth)} documents.`] : [];
    return html(
      "section",
      { class: "ranking", "aria-label": one.names[side] },
      html("h4", { class: `${KINDS[side]}-words` }, one.names[side]),
      documents.length ? html("ol", {}, ...items) : html("p", {}, "It retrieves nothing here."),
      html("p", { class: "hint" }, [...ties, ...more, ...last].join(" ")),
    );
  }

  // Without lists: where the relevant documents are.
  function places(one, side, documents, depth) {
    const shown = documents.filter(({ position }) => position <= depth);
    const items = shown.map(({ position, grade }) =>
      html("li", {}, html("span", { class: "position" }, count(position)), badge(grade)),
    );
    return html(
      "section",
      { class: "ranking", "aria-label": one.names[side] },
      html("h4", { class: `${KINDS[side]}-words` }, one.names[side]),
      html(
        "p",
        { class: "hint" },
        worded`Relevant documents down to position ${count(depth)}, with grades:`,
      ),
      shown.length ? html("ol", { class: "places" }, items) : html("p", {}, "None."),
    );
  }

  // A relevant document is filled, a judged one that is not is outlined, an unjudged one has a "?".
  function badge(grade) {
    const [kind, shown, said] =
      grade === null
        ? ["unjudged", "?", worded`not judged`]
        : grade > 0
          ? ["relevant", String(grade), `relevant, grade ${grade}`]
          : ["judged", String(grade), `not relevant, grade ${grade}`];
    return html(
      "span",
      { class: `badge ${kind}`, title: said, role: "img", "aria-label": said },
      shown,
    );
  }

  // Where the other ranking has it.
  function elsewhere(position, name) {
    const said = position ? `at ${position} in ${name}` : `not among those of ${name} in this page`;
    const shown = position ? `↔ ${position}` : "↔ –";
    return html(
      "span",
      { class: "elsewhere", title: said, role: "img", "aria-label": said },
      shown,
    );
  }

  // The text of a document; of a longer one the first lines, until it is pressed.
  function text(whole) {
    if (!whole) {
      return null;
    }
    if (whole.length <= SHORT_TEXT) {
      return html("span", { class: "text" }, whole);
    }
    const unfold = () => {
      const open = shown.getAttribute("aria-expanded") !== "true";
      shown.setAttribute("aria-expanded", String(open));
    };
    const shown = button("", unfold, { class: "text link", "aria-expanded": "false" });
    shown.append(html("span", {}, whole));
    return shown;
  }

  // The same document lights up in both lists.
  function link(item, document, highlight) {
    const same = highlight.get(document) ?? [];
    same.push(item);
    highlight.set(document, same);
    const mark = (on) => () => same.forEach((each) => each.classList.toggle("same", on));
    for (const [event, on] of [
      ["mouseenter", true],
      ["mouseleave", false],
      ["focusin", true],
      ["focusout", false],
    ]) {
      item.addEventListener(event, mark(on));
    }
  }

  irpref.topic = { showTopic };
})();
