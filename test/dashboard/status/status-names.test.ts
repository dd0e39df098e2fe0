import { expect, test } from "bun:test";
import { targetOf } from "../../../src/dashboard/web/monitor/monitor-type.ts";
import { listOf, reasonWords, restWords } from "../../../src/dashboard/web/status/result-detail.ts";
import { endWords } from "../../../src/dashboard/web/ui/duration.ts";

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

test("a list that was cut ends with how many entries are missing", () => {
  const detail = { names: ["a.example", "b.example"], omitted: { names: 2480 } };
  expect(listOf(detail, "names").join(", ")).toBe("a.example, b.example, and 2,480 more");
  expect(listOf({ names: ["a.example"] }, "names")).toEqual(["a.example"]);
  expect(restWords({ gone: [], omitted: { gone: 5 } }, "gone")).toBe("5 more");
});

test("a reason counts the records that it does not name", () => {
  const detail = { values: ["192.0.2.1"], added: ["192.0.2.1"], gone: [], omitted: { added: 3, gone: 5 } };
  expect(reasonWords(detail)).toBe("new: 192.0.2.1, and 3 more; gone: 5 more");
});
