import { describe, expect, test } from "bun:test";
import { isSelected, type Selector } from "../../../src/domain/monitors/selector.ts";

describe("behavior 14.2: a selector", () => {
  const monitor = { id: "m1", tags: ["web", "team:a"] };

  test.each<[Selector, boolean]>([
    [{ all: true }, true],
    [{ monitorIds: ["m1"] }, true],
    [{ monitorIds: ["m2"] }, false],
    [{ tags: ["web"] }, true],
    [{ tags: ["we"] }, false],
    [{ tags: ["mail", "team:a"] }, true],
    [{ monitorIds: ["m2"], tags: ["web"] }, true],
    [{ monitorIds: ["m1"], tags: ["mail"] }, true],
    [{ monitorIds: ["m2"], tags: ["mail"] }, false],
    [{ monitorIds: ["m2"], all: true }, true],
  ])("%j names the monitor or not", (selector, expected) => {
    expect(isSelected(selector, monitor)).toBe(expected);
  });
});
