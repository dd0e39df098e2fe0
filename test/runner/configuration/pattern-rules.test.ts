import { expect, test } from "bun:test";
import { confirmPatterns, hasPatterns } from "../../../src/runner/configuration/pattern-rules.ts";

test.each<[object, string]>([
  [
    { expect: { matches: "(a" } },
    "config.expect.matches must be a pattern in the syntax of RE2: missing closing )",
  ],
  [
    { expect: { matches: ["a", "b**"] } },
    "config.expect.matches.1 must be a pattern in the syntax of RE2: invalid",
  ],
  [
    { steps: [{ expect: { matches: "a" } }, {}, { expect: { matches: ["[b-a]"] } }] },
    "config.steps.2.expect.matches.0 must be a pattern in the syntax of RE2: invalid character class range: b-a",
  ],
])("behavior 26.134: the config %j is refused", async (config, message) => {
  expect(hasPatterns(config)).toBe(true);
  await expect(confirmPatterns(config)).rejects.toThrow(message);
});

test.each([
  [{ expect: { matches: ["a", "(?i)b"] } }],
  [{ steps: [{ expect: { matches: "a" } }] }],
  [{ expect: { matches: 7 } }],
  [{ expect: { matches: "x".repeat(10_000) } }],
  [{ expect: "(" }],
  [{ steps: "(" }],
  [{}],
  [null],
])("behavior 26.134: the config %j has no wrong pattern", async (config) => {
  await confirmPatterns(config);
});
