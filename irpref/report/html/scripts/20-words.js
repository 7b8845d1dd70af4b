// Numbers and sentences in words. The sentences come from Python with slots, which are filled here.

(() => {
  "use strict";

  const { nouns } = irpref.data.facts;
  const thousands = new Intl.NumberFormat("en-US");

  // With its sign, as +0.231; an empty text if there is none.
  function signed(value, decimals = 3) {
    if (value === null) {
      return "";
    }
    return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(decimals)}`;
  }

  // Whole numbers as they are; an expected number of topics has one decimal.
  function count(value, decimals = 0) {
    return value === null ? "" : decimals ? value.toFixed(decimals) : thousands.format(value);
  }

  const NOUN = new RegExp(`\\b(?:${Object.keys(nouns).join("|")})(?=s?\\b)`, "gi");

  // A text of the scripts in the words for the data: topics may be users there.
  function inWords(text) {
    return text.replace(NOUN, (said) => {
      const noun = nouns[said.toLowerCase()];
      return said[0] < "a" ? noun[0].toUpperCase() + noun.slice(1) : noun;
    });
  }

  // The same of a text with values, which stay as they are: worded`Topic ${name}`.
  const worded = (texts, ...values) => String.raw({ raw: texts.map(inWords) }, ...values);

  // "1 topic", "50 topics".
  function counted(value, noun) {
    return `${thousands.format(value)} ${inWords(noun)}${value === 1 ? "" : "s"}`;
  }

  function ordinal(value) {
    const teens = value % 100 >= 11 && value % 100 <= 13;
    const ending = teens ? "th" : ["th", "st", "nd", "rd"][value % 10] || "th";
    return `${value}${ending}`;
  }

  function slot(value, form) {
    if (typeof value === "string" || form === undefined) {
      return String(value);
    }
    return form === "ordinal" ? ordinal(value) : counted(value, form);
  }

  // Fill the slots of a form, such as {a}, {level:ordinal} or {found:document}; what is filled in is not
  // looked at again.
  function fill(form, values) {
    return form.replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, how) =>
      Object.hasOwn(values, name) ? isolated(slot(values[name], how)) : whole,
    );
  }

  const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;

  // A name that is written from the right must not draw the numbers beside it to its other side.
  const isolated = (text) => (FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text);

  // The paragraphs of a verdict, each as its parts: {a} and {b} are objects that name a system and its
  // colour, each # is the next number.
  function fillVerdict(form, { a, b }, numbers) {
    const named = {
      "{a}": { name: isolated(a), side: "first" },
      "{b}": { name: isolated(b), side: "second" },
    };
    let next = 0;
    return form
      .split("\n")
      .map((text) =>
        text.split(/(\{a\}|\{b\}|#)/).map((part) => named[part] ?? (part === "#" ? numbers[next++] : part)),
      );
  }

  // Which colour a number has: of the first system, of the second one, or none.
  const side = (value) => (value > 0 ? "first" : value < 0 ? "second" : "even");

  irpref.words = { signed, count, counted, worded, ordinal, fill, fillVerdict, side };
})();
