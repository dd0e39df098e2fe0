import { expect, test } from "bun:test";
import { isGroup, type Layout } from "../../../src/dashboard/web/pages/layout/page-layout.ts";
import {
  describePlace,
  dropSlot,
  moveTo,
  stepSlot,
} from "../../../src/dashboard/web/pages/layout/use-drag.ts";

/** A layout from a text such as `a, Shop(b d), c`. The key of a group is its name. */
function layout(text: string): Layout {
  return text.split(", ").map((part) => {
    const [, name, members] = /^(\w+)\((.*)\)$/.exec(part) ?? [];
    if (name === undefined) return component(part);
    return { key: name, name, components: (members ?? "").split(" ").filter(Boolean).map(component) };
  });
}

function component(key: string) {
  return { key, monitorId: key, name: "" };
}

function shown(entries: Layout): string {
  const text = entries.map((entry) =>
    isGroup(entry) ? `${entry.key}(${entry.components.map(({ key }) => key).join(" ")})` : entry.key,
  );
  return text.join(", ");
}

/** All layouts while an entry goes in one direction to the end. */
function walk(from: string, key: string, direction: "up" | "down"): string[] {
  const seen: string[] = [];
  let current = layout(from);
  for (let slot = stepSlot(current, key, direction); slot; slot = stepSlot(current, key, direction)) {
    current = moveTo(current, key, slot);
    seen.push(shown(current));
  }
  return seen;
}

test("behavior 15.91: step by step, a component goes through every place, into and out of groups", () => {
  expect(walk("x, a, G(b c), E()", "x", "down")).toEqual([
    "a, x, G(b c), E()",
    "a, G(x b c), E()",
    "a, G(b x c), E()",
    "a, G(b c x), E()",
    "a, G(b c), x, E()",
    "a, G(b c), E(x)",
    "a, G(b c), E(), x",
  ]);
  expect(walk("a, G(b c), E(), x", "x", "up")).toEqual([
    "a, G(b c), E(x)",
    "a, G(b c), x, E()",
    "a, G(b c x), E()",
    "a, G(b x c), E()",
    "a, G(x b c), E()",
    "a, x, G(b c), E()",
    "x, a, G(b c), E()",
  ]);
});

test("behavior 15.91: step by step, a group goes past components and other groups", () => {
  expect(walk("G(b c), a, H(d)", "G", "down")).toEqual(["a, G(b c), H(d)", "a, H(d), G(b c)"]);
  expect(walk("a, H(d), G(b c)", "G", "up")).toEqual(["a, G(b c), H(d)", "G(b c), a, H(d)"]);
});

test("behavior 15.91: a group is never in another group", () => {
  expect(shown(moveTo(layout("G(a), H(b)"), "G", { group: "H", before: null }))).toBe("G(a), H(b)");
});

test("behavior 15.91: a place that no longer exists changes nothing, or is the end", () => {
  const before = layout("a, G(b)");
  expect(moveTo(before, "nothing", { group: null, before: null })).toBe(before);
  expect(shown(moveTo(before, "a", { group: null, before: "nothing" }))).toBe("G(b), a");
});

test.each([
  ["a", "Position 1 of 3."],
  ["G", "Position 2 of 3."],
  ["c", "Position 2 of 2 in G."],
])("behavior 15.91: screen readers hear where %s is: %s", (key, words) => {
  expect(describePlace(layout("a, G(b c), d"), key)).toBe(words);
});

test("behavior 15.91: screen readers hear where a component is in a group that has no name yet", () => {
  const group = { key: "G", name: " ", components: [component("a"), component("b")] };
  expect(describePlace([group], "b")).toBe("Position 2 of 2 in a group without a name.");
});

/** Rows of 10 pixels from the top. */
function rowsOf(entries: Layout) {
  const keys = entries.flatMap((entry) =>
    isGroup(entry) ? [entry.key, ...entry.components.map(({ key }) => key)] : [entry.key],
  );
  return keys.map((key, at) => ({ key, top: at * 10, bottom: at * 10 + 10 }));
}

test.each([
  ["x", -5, "x, a, G(b c), d"],
  ["x", 2, "x, a, G(b c), d"],
  ["x", 8, "a, x, G(b c), d"],
  ["x", 12, "a, x, G(b c), d"],
  ["x", 18, "a, G(x b c), d"],
  ["x", 22, "a, G(x b c), d"],
  ["x", 28, "a, G(b x c), d"],
  ["x", 38, "a, G(b c x), d"],
  ["x", 42, "a, G(b c), x, d"],
  ["x", 48, "a, G(b c), d, x"],
  ["x", 900, "a, G(b c), d, x"],
])("behavior 15.91: %s that is dropped at %p pixels", (key, y, expected) => {
  const entries = layout("a, G(b c), d, x");
  const slot = dropSlot(entries, key, { rows: rowsOf(entries), y });
  expect(shown(moveTo(entries, key, slot))).toBe(expected);
});

test.each([
  [1, "H(d), a, G(b c)"],
  [12, "a, H(d), G(b c)"],
  [24, "a, H(d), G(b c)"],
  [26, "a, G(b c), H(d)"],
  [48, "a, G(b c), H(d)"],
])(
  "behavior 15.91: a group that is dropped at %p pixels stays whole, and leaves others whole",
  (y, expected) => {
    const entries = layout("a, G(b c), H(d)");
    expect(shown(moveTo(entries, "H", dropSlot(entries, "H", { rows: rowsOf(entries), y })))).toBe(expected);
  },
);
