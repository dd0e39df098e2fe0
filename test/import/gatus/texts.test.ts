import { expect, test } from "bun:test";
import { mergeFiles } from "../../../src/import/gatus/maintenances.ts";
import { parseGoDuration, withMarkedVariables, writtenValue } from "../../../src/import/gatus/variables.ts";

test.each([
  ["30s", 30_000],
  ["1h30m", 5_400_000],
  ["1.5s", 1500],
  ["250ms", 250],
  ["0", 0],
  ["5", undefined],
  ["1d", undefined],
  ["", undefined],
  ["-5s", undefined],
])("the duration %p is %p milliseconds", (text, wanted) => {
  expect(parseGoDuration(text)).toEqual(wanted as number);
});

test("behavior 16.110: maps of several files are merged, lists are joined, and two values are a conflict", () => {
  const { value, conflicts } = mergeFiles([
    { alerting: { slack: { title: "a" } }, endpoints: [1] },
    null,
    { alerting: { slack: { title: "b" }, ntfy: { topic: "c" } }, endpoints: [2], metrics: true },
  ]);
  expect(value).toEqual({
    alerting: { slack: { title: "a" }, ntfy: { topic: "c" } },
    endpoints: [1, 2],
    metrics: true,
  });
  expect(conflicts).toEqual([{ path: "alerting.slack.title" }]);
});

test.each([
  ["$HOST:${PORT}", "${HOST}:${PORT}"],
  ["5 $$ and $", "5 $ and $"],
  ["$${NOT}", "$${NOT}"],
  ["${", "$${"],
])("behavior 16.110: the text %p of Gatus is %p in a document", (text, wanted) => {
  expect(writtenValue([text])).toEqual([wanted]);
  expect(writtenValue(withMarkedVariables(text))).toBe(wanted);
});
