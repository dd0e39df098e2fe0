import { expect, test } from "bun:test";
import { configOf } from "../../../src/dashboard/web/monitors/config/config-values.ts";

test("behavior 16.10, 16.131: the form of a job keeps its push token, which it does not show", () => {
  const data = new FormData();
  data.append("config.period", "60");
  data.append("config.period", "s");
  expect(configOf("SCHEDULED", data, { period: 90, pushToken: "•••" })).toEqual({
    period: 60,
    pushToken: "•••",
  });
  expect(configOf("SCHEDULED", data)).toEqual({ period: 60 });
});

const formOf = (fields: Record<string, string[]>) => {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of values) data.append(`config.${name}`, value);
  return data;
};

test.each([
  [{ maxRunTime: ["90", "min"], overlap: ["fail"] }, {}, { maxRunTime: 5400, overlap: "fail" }],
  [{ maxRunTime: [" 1.5 ", "h"], overlap: [""] }, { overlap: "fail" }, { maxRunTime: 5400 }],
  // A default that is stored by its name stays.
  [{ maxRunTime: ["", "min"], overlap: [""] }, { maxRunTime: 60, overlap: "allow" }, { overlap: "allow" }],
  [{ maxRunTime: ["long", "h"] }, {}, { maxRunTime: "long" }],
  [{ period: ["1", "h"], grace: ["0", "s"] }, {}, { period: 3600, grace: 0 }],
  [{ period: ["", "min"] }, {}, { period: "" }],
])("behavior 18.65: the values %j of the form of a job, stored as %j, are %j", (fields, stored, config) => {
  expect(configOf("SCHEDULED", formOf(fields), stored)).toEqual(config);
});
