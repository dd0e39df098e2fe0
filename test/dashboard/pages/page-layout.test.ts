import { expect, test } from "bun:test";
import {
  componentsOf,
  isGroup,
  type Layout,
  layoutOf,
  remove,
  rename,
} from "../../../src/dashboard/web/pages/layout/page-layout.ts";

const stored = [
  component("a"),
  component("b", "Shop"),
  component("c"),
  component("d", "Shop"),
  component("e", "Mail"),
];

function component(id: string, group: string | null = null, name: string | null = null) {
  return { id, monitorId: `monitor-${id}`, name, group };
}

/** For example `a, Shop(b d), c`. */
function shown(layout: Layout): string {
  const text = layout.map((entry) =>
    isGroup(entry) ? `${entry.name}(${entry.components.map(({ key }) => key).join(" ")})` : entry.key,
  );
  return text.join(", ");
}

test("behavior 15.91: the editor shows the components of a group together, at the place of the first one", () => {
  expect(shown(layoutOf(stored))).toBe("a, Shop(b d), c, Mail(e)");
});

test("behavior 15.91: what is saved has the order of the editor, and the IDs of the components", () => {
  const saved = componentsOf(layoutOf([...stored, component("f", null, "Mailbox")]));
  expect(saved).toEqual([
    { id: "a", monitorId: "monitor-a" },
    { id: "b", monitorId: "monitor-b", group: "Shop" },
    { id: "d", monitorId: "monitor-d", group: "Shop" },
    { id: "c", monitorId: "monitor-c" },
    { id: "e", monitorId: "monitor-e", group: "Mail" },
    { id: "f", monitorId: "monitor-f", name: "Mailbox" },
  ]);
});

test("behavior 15.91: a new component has no ID, and a group without components is not saved", () => {
  const layout = [
    { key: "new", monitorId: "m", name: " " },
    { key: "g", name: "Empty", components: [] },
  ];
  expect(componentsOf(layout)).toEqual([{ monitorId: "m" }]);
});

test("behavior 15.91: a component and a group get other names, and a deleted group leaves its components", () => {
  const layout = layoutOf(stored);
  const group = layout.find(isGroup)?.key ?? "";
  const renamed = rename(rename(layout, group, " Store "), "d", "Cart");
  expect(componentsOf(renamed)).toContainEqual({
    id: "d",
    monitorId: "monitor-d",
    name: "Cart",
    group: "Store",
  });
  expect(shown(remove(layout, group))).toBe("a, b, d, c, Mail(e)");
  expect(shown(remove(layout, "d"))).toBe("a, Shop(b), c, Mail(e)");
  expect(shown(remove(layout, "c"))).toBe("a, Shop(b d), Mail(e)");
});
