import { expect, test } from "bun:test";
import { commandsFor, matching } from "../../../src/dashboard/web/palette/palette.tsx";

const found = (text: string, mayWrite = true, isPerson = false) =>
  matching(commandsFor({ mayWrite, isPerson }), text).map(({ label }) => label);

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

test("behavior 19.88: a person is offered the own profile, and a key has none", () => {
  expect(found("profile", false, true)).toEqual(["Profile"]);
  expect(found("profile")).toEqual([]);
  expect(found("people")).toEqual(["People"]);
});
