import { expect, test } from "bun:test";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { configOf } from "../../../src/dashboard/web/monitor/config-fields.tsx";

test("a form gives the config that the API takes: empty fields left out, numbers as numbers, the rest as it stands", () => {
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

test("a form does not give a job without the rhythm that was chosen, and says so at its field alone", () => {
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
