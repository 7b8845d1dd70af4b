// Where rankings have their relevant documents, and which documents come first, of one topic and system.

(() => {
  "use strict";

  const { facts, numbers, texts, starts } = irpref.data;
  const { positions, lists } = facts;
  const systems = facts.compared;
  // Leads are shown at each depth down to this one, that of the preference beside them if it has one.
  const DEPTHS = facts.lead_depth;

  let found = null;
  let listed = null;

  // relevant(topic, system): ascending [{position, grade}].
  function relevantDocuments() {
    found ??= (async () => {
      const [all, counts, steps, grades] = await Promise.all(
        [positions.relevant, positions.found, positions.steps, positions.grades].map(numbers),
      );
      const begin = starts(counts);
      const of = (topic, system) => {
        const list = topic * systems + system;
        const documents = [];
        for (let place = begin[list], position = 0; place < begin[list + 1]; place++) {
          position += steps.whole[place];
          documents.push({ position, grade: positions.grade_values[grades.whole[place]] });
        }
        return documents;
      };
      return { of, all: (topic) => all.at(topic), begin, steps };
    })();
    return found;
  }

  // On every topic, how many more relevant documents a has than b at each depth; null without positions.
  async function lead(a, b) {
    if (!positions) {
      return null;
    }
    const { begin, steps } = await relevantDocuments();
    const topics = facts.topics.length;
    const all = new Int8Array(topics * DEPTHS);
    let greatest = 1;
    for (let topic = 0; topic < topics; topic++) {
      for (const [system, sign] of [
        [a, 1],
        [b, -1],
      ]) {
        const list = topic * systems + system;
        for (let place = begin[list], position = 0; place < begin[list + 1]; place++) {
          position += steps.whole[place];
          if (position > DEPTHS) {
            break;
          }
          for (let depth = position; depth <= DEPTHS; depth++) {
            all[topic * DEPTHS + depth - 1] += sign;
          }
        }
      }
      for (let depth = 0; depth < DEPTHS; depth++) {
        greatest = Math.max(greatest, Math.abs(all[topic * DEPTHS + depth]));
      }
    }
    const of = (topic) => all.subarray(topic * DEPTHS, (topic + 1) * DEPTHS);
    return { of, greatest, sum: (topic) => of(topic).reduce((sum, each) => sum + each, 0) };
  }

  // documents(topic, system): from the first, [{name, grade, text, tied}]; null without lists.
  async function firstDocuments() {
    if (!lists) {
      return null;
    }
    listed ??= (async () => {
      const [lengths, documents, ties, first, named, grades] = await Promise.all(
        [lists.lengths, lists.documents, lists.ties, lists.starts, lists.named, lists.grades].map(
          numbers,
        ),
      );
      const names = await texts("lists/names");
      const said = lists.texts ? await texts("lists/texts") : null;
      const begin = starts(lengths);
      return (topic, system) => {
        const list = topic * systems + system;
        const shown = [];
        for (let place = begin[list]; place < begin[list + 1]; place++) {
          const document = first.whole[topic] + documents.whole[place];
          const name = named ? named.whole[document] : document;
          const grade = grades.at(document);
          shown.push({
            document,
            name: names[name],
            grade: grade === null ? null : lists.grade_values[grade],
            text: said?.[name] ?? null,
            tied: ties.whole[place] === 1,
          });
        }
        return shown;
      };
    })();
    return listed;
  }

  // texts(topic): what the documents of either system are called and say, in small letters.
  async function documentTexts(a, b) {
    const documents = await firstDocuments();
    const all = facts.topics.map((_, topic) => {
      const both = [a, b].flatMap((system) => documents(topic, system));
      return [...new Set(both.map(({ name, text }) => `${name}\n${text ?? ""}`.toLowerCase()))];
    });
    return (topic) => all[topic];
  }

  irpref.rankings = { relevantDocuments, lead, firstDocuments, documentTexts, DEPTHS };
})();
