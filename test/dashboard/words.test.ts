import { expect, test } from "bun:test";
import { endWords, targetOf } from "../../src/dashboard/web/words.ts";

const HOUR = 3_600_000;

test.each([
  [50 * HOUR, "2 days left"],
  [24 * HOUR, "1 day left"],
  [5 * HOUR, "5 h left"],
  [0, "Ended 0 s ago"],
  [-5 * HOUR, "Ended 5 h ago"],
  [-74 * HOUR, "Ended 3 days ago"],
])("the end of a certificate %d ms away", (left, words) => {
  expect(endWords(left)).toBe(words);
});

test.each([
  ["example.com", "example.com:443"],
  ["::1", "[::1]:443"],
])("the target at %s", (host, target) => {
  expect(targetOf("TLS", { host, port: 443 })).toBe(target);
});
