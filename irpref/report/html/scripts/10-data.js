// What Python wrote into the page: the facts, and packed arrays, which are unpacked when they are needed.

const irpref = {};

(() => {
  "use strict";

  const facts = JSON.parse(document.getElementById("facts").textContent);
  const TYPES = {
    int8: Int8Array,
    uint8: Uint8Array,
    int16: Int16Array,
    uint16: Uint16Array,
    int32: Int32Array,
    uint32: Uint32Array,
    float64: Float64Array,
  };
  const unpacked = new Map();

  async function bytesOf(name) {
    const packed = atob(document.getElementById(`part:${name}`).textContent.trim());
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) {
      bytes[i] = packed.charCodeAt(i);
    }
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Numbers in a typed array, whole ones that stand for whole / scale.
  class Numbers {
    constructor(bytes, { type, shape, scale }) {
      const Type = TYPES[type];
      const size = Type.BYTES_PER_ELEMENT;
      const count = bytes.length / size;
      const ordered = new Uint8Array(bytes.length);
      // Bytes of equal significance stand together.
      for (let byte = 0, from = 0; byte < size; byte++) {
        for (let to = byte; to < ordered.length; to += size) {
          ordered[to] = bytes[from++];
        }
      }
      this.whole = new Type(ordered.buffer, 0, count);
      this.shape = shape;
      this.scale = scale;
      const bits = 8 * size;
      this.missing = type.startsWith("u") ? 2 ** bits - 1 : -(2 ** (bits - 1));
    }

    // The number at a place; null if there is none.
    at(place) {
      const whole = this.whole[place];
      return whole === this.missing || Number.isNaN(whole) ? null : whole / this.scale;
    }
  }

  // The numbers of one part; null where its name is, as the page has none then.
  function numbers(name) {
    return once(name, async () => new Numbers(await bytesOf(name), facts.arrays[name]));
  }

  // The texts of one part.
  function texts(name) {
    return once(name, async () => JSON.parse(new TextDecoder().decode(await bytesOf(name))));
  }

  function once(name, unpack) {
    if (name === null || name === undefined) {
      return Promise.resolve(null);
    }
    if (!unpacked.has(name)) {
      unpacked.set(name, unpack());
    }
    return unpacked.get(name);
  }

  // Where the lists of each topic and system start in an array that has them one after the other.
  function starts(lengths) {
    const places = new Uint32Array(lengths.whole.length + 1);
    for (let i = 0; i < lengths.whole.length; i++) {
      places[i + 1] = places[i] + lengths.whole[i];
    }
    return places;
  }

  const systems = facts.compared;

  irpref.data = {
    facts,
    systems,
    // Of two systems the page itself is about the pair.
    alone: facts.systems.length === 2,
    pairs: (systems * (systems - 1)) / 2,
    // The number of the pair of two systems, the first one ranked above the second.
    pair: (a, b) => (a * (2 * systems - a - 1)) / 2 + (b - a - 1),
    numbers,
    texts,
    starts,
    canUnpack: typeof DecompressionStream === "function",
  };
})();
