import { expect, test } from "bun:test";
import { liveScript } from "../../src/status-page/script/script.ts";

test("behavior 17.14: the script of a public page has at most 3,000 bytes, and can't end its element", () => {
  const script = liveScript();
  expect(new TextEncoder().encode(script).length).toBeLessThanOrEqual(3000);
  expect(script).not.toMatch(/<\/|<!--/);
  expect(liveScript()).toBe(script);
});
