// Pictures, in the colours of irpref/show/plots: blue is the first system, orange the second one.

(() => {
  "use strict";

  const { html, svg } = irpref.elements;
  const { counted, side, worded } = irpref.words;

  // Draw a picture as wide as its place, and again when that changes.
  const watched = new Map();
  const watcher = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const picture = watched.get(target);
      const width = Math.floor(contentRect.width);
      if (picture && width && width !== picture.width) {
        picture.width = width;
        target.replaceChildren(picture.draw(width));
      }
    }
  });

  function drawInto(place, draw) {
    const width = Math.floor(place.clientWidth);
    watched.set(place, { draw, width });
    place.replaceChildren(...(width ? [draw(width)] : []));
    watcher.observe(place);
  }

  function picture(width, height, label, ...children) {
    const size = { viewBox: `0 0 ${width} ${height}`, width, height };
    return svg("svg", { ...size, role: "img", "aria-label": label }, children);
  }

  const rect = (x, y, width, height, kind, more = {}) =>
    svg("rect", {
      x,
      y,
      width: Math.max(0, width),
      height: Math.max(0, height),
      class: kind,
      ...more,
    });

  const words = (x, y, text, kind, anchor = "start") =>
    svg("text", { x, y, class: kind, "text-anchor": anchor }, text);

  const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });

  // A stacked bar of outcomes: [{name, count, text, kind}].
  function outcomes(parts) {
    const all = parts.reduce((sum, part) => sum + part.count, 0);
    const bar = html("div", { class: "outcomes", "aria-hidden": "true" });
    for (const part of parts.filter((each) => each.count > 0)) {
      const piece = html(
        "span",
        { class: part.kind, title: `${part.text} ${part.name}` },
        part.text,
      );
      piece.style.flexGrow = part.count / all;
      bar.append(piece);
    }
    return bar;
  }

  // The shares of topics that either system wins, by the share of the recall that a user wants; and their
  // difference, with half the width of its interval.
  function profile(width, { won, lost, net, half, a, b }) {
    const height = Math.round(Math.min(340, Math.max(240, width * 0.5)));
    const [left, right, top, bottom] = [46, width - 12, 26, height - 64];
    const ends = [1, -1].map((sign) =>
      net.map((share, bin) => (half[bin] === null ? null : clip(share + sign * half[bin]))),
    );
    const most = Math.max(0.02, ...won, ...ends[0]);
    const least = Math.max(0.02, ...lost, ...ends[1].map((share) => -share));
    const x = (share) => left + share * (right - left);
    const y = (share) => top + ((most - share) / (most + least)) * (bottom - top);
    const bins = won.length;
    const stairs = (heights) =>
      heights.flatMap((share, bin) =>
        [bin, bin + 1].map((edge) => `${x(edge / bins)} ${y(share)}`),
      );
    const drawn = (points, kind) => svg("path", { class: kind, d: `M${points.join("L")}` });
    // Where it is unknown how sure the difference is, its interval has a gap.
    const broken = (heights) =>
      heights
        .map((share, bin) => {
          const [from, to] = [bin, bin + 1].map((edge) => `${x(edge / bins)} ${y(share)}`);
          return share === null ? "" : `${(heights[bin - 1] ?? null) === null ? "M" : "L"}${from}L${to}`;
        })
        .join("");
    const area = (heights, kind) =>
      drawn([`${x(0)} ${y(0)}`, ...stairs(heights), `${x(1)} ${y(0)}`], kind);
    const grid = [];
    for (const share of steps(most, least)) {
      const text = `${Math.round(Math.abs(share) * 100)}`;
      grid.push(line(left - 4, y(share), left, y(share), "axis"));
      grid.push(words(left - 8, y(share) + 4, text, "tick", "end"));
    }
    for (const share of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      grid.push(line(x(share), bottom, x(share), bottom + 4, "axis"));
      grid.push(words(x(share), bottom + 18, `${Math.round(share * 100)}`, "tick", "middle"));
    }
    const letters = Math.max(8, Math.floor(width / 9) - 26);
    const below =
      width < 560
        ? worded`% of the relevant documents wanted`
        : worded`share of the topic's relevant documents that a user wants (%)`;
    return picture(
      width,
      height,
      worded`Shares of topics won by ${a} (up) and ${b} (down), by the share of relevant documents wanted`,
      area(won, "first"),
      area(
        lost.map((share) => -share),
        "second",
      ),
      ...ends.map((end) => svg("path", { class: "net end", d: broken(end) || null })),
      drawn(stairs(net), "net halo"),
      drawn(stairs(net), "net"),
      line(left, y(0), right, y(0), "axis"),
      line(left, top, left, bottom, "axis"),
      line(left, bottom, right, bottom, "axis"),
      ...grid,
      words(left, 14, worded`▲ % of topics where ${shorten(a, letters)} is first`, "label first-words"),
      words(
        left,
        height - 6,
        worded`▼ % of topics where ${shorten(b, letters)} is first`,
        "label second-words",
      ),
      words((left + right) / 2, height - 26, below, "tick", "middle"),
    );
  }

  const clip = (share) => Math.max(-1, Math.min(1, share));

  // A long name loses its middle: names of runs often begin alike.
  const shorten = (name, most) => {
    const half = Math.floor((most - 1) / 2);
    return name.length > most ? `${name.slice(0, half)}…${name.slice(-half)}` : name;
  };

  // Round shares from the lowest to the highest, with 0 among them.
  function steps(most, least) {
    const step =
      [0.02, 0.05, 0.1, 0.2, 0.25, 0.5].find((each) => (most + least) / each <= 7) ?? 0.5;
    const shares = [];
    for (let n = -Math.floor(least / step); n <= most / step; n++) {
      shares.push(n * step);
    }
    return shares;
  }

  // How many more relevant documents the first system has at each depth; runs of equal leads are one.
  function leads(values, greatest) {
    const [cell, height] = [140 / values.length, 16];
    const parts = [];
    for (let start = 0, end; start < values.length; start = end) {
      for (end = start + 1; end < values.length && values[end] === values[start];) {
        end += 1;
      }
      const lead = values[start];
      if (lead) {
        const tint = { "fill-opacity": (0.2 + (0.8 * Math.abs(lead)) / greatest).toFixed(2) };
        parts.push(rect(start * cell, 0, (end - start) * cell, height, side(lead), tint));
      }
    }
    const frame = rect(0.5, 0.5, values.length * cell - 1, height - 1, "frame");
    const drawn = picture(values.length * cell, height, leadWords(values), ...parts, frame);
    return drawn;
  }

  function leadWords(values) {
    const last = values[values.length - 1];
    const ahead = last > 0 ? worded`the first system` : worded`the second system`;
    return last
      ? `at depth ${values.length} ${ahead} has ${counted(Math.abs(last), "relevant document")} more`
      : `equal at depth ${values.length}`;
  }

  // Two rankings as bars where they have relevant documents, equal recall levels joined by lines.
  // Each side is {name, length, bars: [{position, height}], positions: [...]}; height is from 0 to 1.
  function strip(width, { sides, depth }) {
    const height = 226;
    const [left, right, upper, lower] = [8, width - 14, 62, 138];
    const x = (position) => left + ((position - 0.5) / depth) * (right - left);
    const beyond = right + 6;
    const thick = Math.max(1, Math.min(4, (0.5 * (right - left)) / depth));
    const drawn = [];
    const [one, other] = sides.map((each) => each.positions);
    const levels = Math.max(one.length, other.length);
    const faint = levels < 60 ? 0.75 : 0.4;
    for (let level = 0; level < levels; level++) {
      const [first, second] = [one[level] ?? Infinity, other[level] ?? Infinity];
      if (first !== second && Math.min(first, second) <= depth) {
        const at = [first, second].map((each) => (each <= depth ? x(each) : beyond));
        const kind = `join ${first < second ? "first" : "second"}`;
        drawn.push(
          svg("line", {
            ...{ x1: at[0], y1: upper, x2: at[1], y2: lower, class: kind, "stroke-opacity": faint },
          }),
        );
      }
    }
    for (const [place, kind] of ["first", "second"].entries()) {
      const base = place ? lower : upper;
      drawn.push(line(left, base, x(Math.min(depth, sides[place].length) + 0.5), base, "axis faint"));
      for (const bar of sides[place].bars) {
        const tall = 14 + 18 * bar.height;
        const from = place ? base : base - tall;
        drawn.push(rect(x(bar.position) - thick / 2, from, thick, tall, kind));
      }
    }
    const letters = Math.floor((width - 20) / 7.5);
    const ticks = positions(depth, width).flatMap((at) => [
      line(x(at), height - 22, x(at), height - 18, "axis"),
      words(x(at), height - 4, `${at.toLocaleString("en")}`, "tick", "middle"),
    ]);
    return picture(
      width,
      height,
      worded`Positions of relevant documents down to ${depth}: ` +
        sides.map((each) => each.said).join("; "),
      words(left, 16, shorten(sides[0].name, letters), "label first-words"),
      drawn,
      line(left, height - 22, right, height - 22, "axis"),
      ...ticks,
      words(left, lower + 48, shorten(sides[1].name, letters), "label second-words"),
    );
  }

  // Round positions from 1 to the depth, as many as there is room for.
  function positions(depth, width) {
    const most = Math.max(2, Math.floor(width / 70));
    const scale = 10 ** Math.floor(Math.log10(Math.max(1, depth / most)));
    const step =
      [1, 2, 5, 10].map((each) => each * scale).find((each) => depth / each <= most) ?? depth;
    const shown = [1];
    for (let at = step; at <= depth; at += step) {
      if (at - 1 >= step / 2) {
        shown.push(at);
      }
    }
    return shown;
  }

  irpref.pictures = { drawInto, outcomes, profile, leads, strip };
})();
