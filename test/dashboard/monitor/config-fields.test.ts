import { expect, test } from "bun:test";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { configOf } from "../../../src/dashboard/web/monitor/config-values.ts";

test("a form returns the config that the API accepts: without empty fields, numbers as numbers, all else as text", () => {
  const data = new FormData();
  data.set("config.host", " example.com ");
  data.set("config.port", "x");
  data.set("config.interval", "60");
  expect(configOf("TCP", data)).toEqual({ host: "example.com", port: "x", interval: 60 });
  data.set("config.expected", "a\n\n b \n");
  data.set("config.hostname", "example.com");
  expect(configOf("DNS", data)).toEqual({ hostname: "example.com", expected: ["a", "b"], interval: 60 });
  expect(configOf("SCHEDULED", new FormData())).toEqual({});
});

test("a form without a value for the chosen schedule has one error, at the field of that schedule", () => {
  const faultsOf = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    return monitorFaults("SCHEDULED", { name: "a job", config: configOf("SCHEDULED", data) }, "pro").map(
      (sentence) => sentence.split(" ")[0],
    );
  };
  expect(new Set(faultsOf({ "config.cron": " ", "config.timezone": "" }))).toEqual(new Set(["config.cron"]));
  expect(new Set(faultsOf({ "config.cron": "", "config.timezone": "UTC" }))).toEqual(
    new Set(["config.cron"]),
  );
  expect(new Set(faultsOf({ "config.period": "" }))).toEqual(new Set(["config.period"]));
  expect(faultsOf({ "config.period": "60" })).toEqual([]);
});
