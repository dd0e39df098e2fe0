import { expect, test } from "bun:test";
import { inUnit } from "../../../src/dashboard/web/form/fields.tsx";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { configOf } from "../../../src/dashboard/web/monitors/config/config-values.ts";
import {
  offeredIntervals,
  usualInterval,
} from "../../../src/dashboard/web/monitors/config/interval-field.tsx";
import { sentencesOf } from "../form/said.ts";

test.each([
  [1, ["30 s", "1 min", "5 min"], 60],
  [60, ["1 min", "5 min"], 60],
  [300, ["5 min"], 300],
  [600, [], 600],
])("behavior 16.282: with intervals of at least %d s, a form offers %j", (least, labels, usual) => {
  expect(offeredIntervals(least).map(({ label }) => label)).toEqual(labels);
  expect(usualInterval(least)).toBe(usual);
});

test.each([
  [3600, "1", "h"],
  [86_400, "24", "h"],
  [5400, "90", "min"],
  [600, "10", "min"],
  [90, "90", "s"],
  [1, "1", "s"],
])("behavior 16.282: %d s are shown as %s %s", (seconds, amount, unit) => {
  expect(inUnit(seconds)).toEqual({ amount, unit });
});

const intervalOf = (values: string[], stored = {}) => {
  const data = new FormData();
  data.set("config.host", "a");
  data.set("config.port", "1");
  for (const value of values) data.append("config.interval", value);
  return configOf("TCP", data, stored);
};

test.each<[string[], unknown]>([
  [["60"], 60],
  [["own", "2", "h"], 7200],
  [["own", " 1.5 ", "min"], 90],
  [["own", "0.1", "s"], 0.1],
  [["own", "often", "s"], "often"],
  [["own", "", "h"], undefined],
  [[], undefined],
])("behavior 16.282: the values %j of a form are the interval %p", (values, interval) => {
  expect(intervalOf(values).interval).toBe(interval);
});

test("behavior 16.283: an interval that is too short names a plan only to readers who have a smaller one", () => {
  const sentence = (plan: "enterprise" | "pro", values: string[]) =>
    sentencesOf(monitorFaults("TCP", { name: "a", config: intervalOf(values) }, plan)).find((one) =>
      one.startsWith("config.interval"),
    );
  expect(sentence("enterprise", ["own", "0.5", "s"])).toBe("config.interval: An interval is at least 1 s.");
  expect(sentence("pro", ["own", "30", "s"])).toContain("is not allowed on the pro plan");
  expect(sentence("enterprise", ["60"])).toBeUndefined();
});
