// The page: what is chosen, in its address as well, so that the back button and links work.

(() => {
  "use strict";

  const { facts, systems, canUnpack, alone } = irpref.data;
  const { html, button, byId, say } = irpref.elements;
  const { counted, worded } = irpref.words;
  const { improve } = irpref.tables;
  const { showPair, order, rowOf, markTopic } = irpref.pair;
  const { showTopic } = irpref.topic;

  const DEPTHS = [10, 20, 50, 100, 1000];
  const FIRST_DEPTH = 20;
  // The last two systems that were chosen, in this order; and the open topic.
  let chosen = facts.pair ?? [0, 1];
  let open = null;
  let depth = FIRST_DEPTH;

  const { baseline } = facts;

  const sorted = () => [...chosen].sort((one, other) => one - other);

  // --- the address

  function address() {
    const [a, b] = sorted().map((system) => facts.systems[system]);
    const said = new URLSearchParams(open === null ? { a, b } : { a, b, topic: facts.topics[open] });
    return `#${said}`.replaceAll("+", "%20");
  }

  function readAddress() {
    // Who types bm25+rm3 means a plus, not a space.
    const said = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
    const named = (key, names) => {
      const place = names.indexOf(said.get(key));
      return place < 0 ? null : place;
    };
    const paired = facts.systems.slice(0, systems);
    const [a, b] = [named("a", paired), named("b", paired)];
    if (a === null || b === null || a === b) {
      return { pair: facts.pair ?? [0, 1], topic: null };
    }
    return { pair: [a, b], topic: named("topic", facts.topics) };
  }

  // Choose something: the address changes, and with it what is shown.
  function go(pair, topic) {
    chosen = pair;
    open = topic;
    if (location.hash === address()) {
      show();
    } else {
      location.hash = address();
    }
  }

  function arrived() {
    const said = readAddress();
    const [a, b] = sorted();
    const [first, second] = [...said.pair].sort((one, other) => one - other);
    const isOther = a !== first || b !== second;
    if (isOther) {
      chosen = said.pair;
    }
    // Who types there goes on.
    nameChosen(isOther ? null : document.activeElement);
    open = said.topic;
    return show();
  }

  // A link to a topic leads to the topic.
  async function arrivedFirst() {
    await arrived();
    if (open !== null) {
      byId("topic").scrollIntoView({ block: "start" });
    }
  }

  // --- what is shown

  let shown = "";
  let drawn = null;

  async function show() {
    const [a, b] = sorted();
    const pair = `${a} ${b}`;
    const isNew = shown !== pair;
    const said = address();
    shown = pair;
    markChosen();
    byId("topic").hidden = open === null;
    markTopic(open);
    if (isNew) {
      say(`${facts.systems[a]} against ${facts.systems[b]}.`);
      drawn = showPair(a, b, openTopic);
    }
    try {
      await Promise.all([
        // Who asks for the same pair again waits for it too.
        drawn,
        open === null ? null : showTopic(a, b, open, depth),
      ]);
      document.documentElement.dataset.shown = said;
    } catch (error) {
      byId("choice-problem").textContent =
        "Numbers of this page cannot be read: is the file whole?";
      throw error;
    }
  }

  function openTopic(topic) {
    go(chosen, topic);
    byId("topic").hidden = false;
    byId("topic-heading").focus({ preventScroll: true });
    byId("topic").scrollIntoView({ block: "start" });
    say(worded`Topic ${facts.topics[topic]}.`);
  }

  function closeTopic() {
    const row = rowOf(open);
    go(chosen, null);
    row?.querySelector("button").focus({ preventScroll: true });
    (row ?? byId("pair")).scrollIntoView({ block: "nearest" });
  }

  // The topic before or after the open one, in the order of the table; null at its ends.
  function neighbour(step) {
    const topics = order();
    const place = topics.indexOf(open);
    return place < 0 ? (topics[0] ?? null) : (topics[place + step] ?? null);
  }

  function turn(step) {
    const topic = neighbour(step);
    if (topic === null) {
      say(step > 0 ? worded`This is the last topic.` : worded`This is the first topic.`);
    } else {
      go(chosen, topic);
      say(worded`Topic ${facts.topics[topic]}.`);
    }
  }

  // --- choosing systems

  const inputs = ["a", "b"].map(byId);
  const places = new Map(facts.systems.slice(0, systems).map((name, system) => [name, system]));

  // Name the two systems in their fields, but for the one that somebody types in.
  function nameChosen(typing = null) {
    for (const [place, input] of inputs.entries()) {
      if (input !== typing) {
        input.value = facts.systems[chosen[place]];
      }
    }
    byId("choice-problem").textContent = "";
  }

  // The system that a text names: by its name, or by a part that only one name has.
  function systemNamed(text) {
    if (places.has(text)) {
      return { system: places.get(text) };
    }
    const part = text.trim().toLowerCase();
    const found = [...places].filter(([name]) => name.toLowerCase().includes(part));
    const whole = found.filter(([name]) => name.toLowerCase() === part);
    const [one] = whole.length ? whole : found;
    if (part && (found.length === 1 || whole.length === 1)) {
      return { system: one[1] };
    }
    const many = `${counted(found.length, "system")} have “${text}” in their names.`;
    if (part && found.length) {
      return { problem: many };
    }
    const absent = facts.systems.find((name) => name.toLowerCase() === part);
    return {
      problem: absent
        ? `This page has no pairs of ${absent}: see below what it leaves out.`
        : part
          ? worded`No system here has “${text}” in its name.`
          : worded`Type the name of a system, or a part of it.`,
    };
  }

  function choose(place, text, complete) {
    const { system, problem } = systemNamed(text);
    if (problem) {
      byId("choice-problem").textContent = complete ? problem : "";
      return;
    }
    if (complete) {
      inputs[place].value = facts.systems[system];
    }
    if (system === chosen[1 - place]) {
      byId("choice-problem").textContent = worded`Choose two different systems.`;
      return;
    }
    // What was typed in the other field may have named nobody.
    nameChosen(inputs[place]);
    if (system !== chosen[place]) {
      go(place ? [chosen[0], system] : [system, chosen[1]], open);
    }
  }

  function pick(system) {
    const pair = [baseline ?? chosen[1], system];
    if (pair[0] !== pair[1]) {
      go(pair, open);
      nameChosen();
    }
  }

  // --- the leaderboard

  const choosers = [];
  const how =
    baseline === null
      ? worded`Choose two rows to compare the two systems. `
      : worded`Choose a row to compare the system with ${facts.systems[baseline]}. `;

  function markChosen() {
    const [a, b] = sorted();
    for (const { row, system, chooser } of choosers) {
      const kind = system === a ? "first" : system === b ? "second" : null;
      row.classList.toggle("is-first", kind === "first");
      row.classList.toggle("is-second", kind === "second");
      chooser.setAttribute("aria-pressed", String(kind !== null));
    }
    byId("chosen").replaceChildren(
      how,
      "Chosen: ",
      html("span", { class: "first-words" }, facts.systems[a]),
      " and ",
      html("span", { class: "second-words" }, facts.systems[b]),
      ". ",
      button("See them compared", () => byId("pair").scrollIntoView({ block: "start" })),
    );
  }

  function prepareLeaderboard(table) {
    const rows = [...table.tBodies[0].rows];
    const box = html("div", { id: "leaderboard" });
    const wide = table.closest(".box");
    wide.before(box);
    box.append(wide);
    if (systems > 2 && canUnpack && facts.rows.length === rows.length) {
      box.before(byId("chosen"));
      byId("chosen").hidden = false;
      const headings = [...table.tHead.rows[0].cells].map((each) => each.textContent.trim());
      for (const [place, row] of rows.entries()) {
        prepareRow(row, facts.rows[place], headings);
      }
    }
    improve(table, alone ? "preferences" : "leaderboard", alone ? "Preferences" : worded`Systems`);
  }

  function prepareRow(row, system, headings) {
    if (system >= systems) {
      return;
    }
    const cell = row.cells[headings.indexOf(worded`system`)];
    const chooser = button("", () => pick(system), { class: "link", "aria-pressed": "false" });
    chooser.append(...cell.childNodes);
    cell.append(chooser);
    row.classList.add("choosable");
    row.addEventListener("click", (event) => {
      if (!event.target.closest("button") && getSelection().isCollapsed) {
        pick(system);
      }
    });
    choosers.push({ row, system, chooser });
  }

  // --- the start

  function prepareTables() {
    const tables = [...document.querySelectorAll("table.dataframe")];
    for (const [place, table] of tables.entries()) {
      if (place === 0) {
        prepareLeaderboard(table);
      } else {
        improve(table, `table-${place + 1}`, table.caption?.textContent || `Table ${place + 1}`);
      }
    }
  }

  function prepareChoice() {
    byId("choice").hidden = systems < 3;
    byId("names").append(
      ...facts.systems.slice(0, systems).map((name) => html("option", { value: name })),
    );
    for (const [place, input] of inputs.entries()) {
      input.addEventListener("input", () => choose(place, input.value, false));
      input.addEventListener("change", () => choose(place, input.value, true));
    }
    nameChosen();
  }

  function prepareTopic() {
    const select = byId("depth");
    select.parentElement.hidden = !facts.positions && !facts.lists;
    const deepest = facts.positions ? Infinity : (facts.lists?.depth ?? 0);
    for (const each of DEPTHS.filter((each) => each <= deepest)) {
      select.append(html("option", { value: each }, each.toLocaleString("en")));
    }
    select.append(html("option", { value: "all" }, "all"));
    select.value = String(FIRST_DEPTH);
    select.addEventListener("change", () => {
      depth = select.value === "all" ? Infinity : Number(select.value);
      show();
    });
    byId("previous").addEventListener("click", () => turn(-1));
    byId("next").addEventListener("click", () => turn(1));
    byId("close").addEventListener("click", closeTopic);
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, select, textarea");
      if (open === null || typing || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      // In a box that is wider than the screen, arrows scroll.
      const box = event.target.closest(".box");
      const scrolls = event.key.startsWith("Arrow") && box && box.scrollWidth > box.clientWidth;
      const step = scrolls ? 0 : { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
      if (step) {
        event.preventDefault();
        turn(step);
      } else if (event.key === "Escape") {
        closeTopic();
      }
    });
  }

  // Of two systems the picture stands beside the first table.
  function preparePair() {
    byId("picture").append(byId("profile-part"));
    byId("picture").hidden = !facts.profile;
    for (const id of ["pair-heading", "topics-heading", "relations"]) {
      byId(id).hidden = true;
    }
    byId("explorer-heading").textContent = worded`Topic by topic`;
    byId("pair").removeAttribute("aria-labelledby");
  }

  // Paper shows how it was made, whether it is unfolded or not.
  function unfoldOnPaper() {
    const folded = [...document.querySelectorAll("main > details:not([open])")];
    addEventListener("beforeprint", () => folded.forEach((each) => (each.open = true)));
    addEventListener("afterprint", () => folded.forEach((each) => (each.open = false)));
  }

  function start() {
    unfoldOnPaper();
    prepareTables();
    if (systems < 2) {
      return;
    }
    byId("explorer").hidden = false;
    byId("unsupported").hidden = canUnpack;
    byId("explored").hidden = !canUnpack;
    if (!canUnpack) {
      return;
    }
    if (alone) {
      preparePair();
    }
    prepareChoice();
    prepareTopic();
    addEventListener("hashchange", arrived);
    // The leaderboard is drawn first.
    requestAnimationFrame(() => setTimeout(arrivedFirst, 0));
  }

  start();
})();
