import { expect, test } from "bun:test";
import { commandsFor, matching } from "../../../src/dashboard/web/palette/commands.ts";

const found = (text: string, mayWrite = true) =>
  matching(commandsFor({ mayWrite, isPerson: true }), text).map(({ label }) => label);

test("behavior 16.373: views and actions are found by the words of their names, in any order", () => {
  expect(found("keys")).toEqual(["API keys"]);
  expect(found("  MONITOR new ")).toEqual(["New monitor"]);
  expect(found("theme")).toEqual(["Theme: as the system", "Theme: light", "Theme: dark"]);
  expect(found("nothing")).toEqual([]);
});

test("behavior 16.373: a viewer is not offered to create things", () => {
  expect(found("new", false)).toEqual([]);
  expect(found("", false)).toContain("Overview");
});
