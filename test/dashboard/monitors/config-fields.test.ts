import { expect, test } from "bun:test";
import { choiceLabel } from "../../../src/dashboard/web/form/choices.tsx";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { wordsOf } from "../../../src/dashboard/web/monitors/config/config-fields.tsx";
import { configOf } from "../../../src/dashboard/web/monitors/config/config-values.ts";
import { fieldsOf } from "../../../src/dashboard/web/monitors/config/request-values.ts";
import { stepForm } from "../../../src/domain/monitors/kinds/http-forms.ts";
import { monitorForms } from "../../../src/domain/monitors/monitor.ts";

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

test("the other types send what they expect, without empty fields", () => {
  const data = new FormData();
  for (const name of ["send", "contains", "timeout", "warnDays", "servername", "servers"])
    data.set(`config.${name}`, "");
  expect([configOf("TCP", data), configOf("TLS", data), configOf("DNS", data)]).toEqual([{}, {}, {}]);
  data.set("config.send", "PING\\r\\n");
  data.set("config.contains", "PONG");
  data.set("config.timeout", "5");
  expect(configOf("TCP", data)).toEqual({ send: "PING\r\n", contains: "PONG", timeout: 5 });
  expect(configOf("TCP", data, { contains: "PO\nNG" })).toMatchObject({ contains: "PO\nNG" });
  data.set("config.warnDays", "30");
  data.set("config.servername", "example.com");
  expect(configOf("TLS", data)).toEqual({ warnDays: 30, servername: "example.com" });
  data.set("config.servers", "192.0.2.53, [2001:db8::53]:5353");
  expect(configOf("DNS", data)).toEqual({ servers: ["192.0.2.53", "[2001:db8::53]:5353"] });
});

test("behavior 20.81: the registration of a TLS monitor is on or off, with or without days", () => {
  const registration = (days: string | null, stored?: unknown) => {
    const data = new FormData();
    if (days !== null) {
      data.set("config.registration", "on");
      data.set("config.registration.warnDays", days);
    }
    return configOf("TLS", data, stored === undefined ? {} : { registration: stored });
  };
  expect(registration(null, true)).toEqual({});
  expect(registration("")).toEqual({ registration: true });
  expect(registration("60")).toEqual({ registration: { warnDays: 60 } });
  expect(registration("", { warnDays: 60 })).toEqual({ registration: true });
  expect(registration("", {})).toEqual({ registration: {} });
});

test("a form without a value for the chosen schedule has one error, at the field of that schedule", () => {
  const faultsOf = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    return monitorFaults("SCHEDULED", { name: "a job", config: configOf("SCHEDULED", data) }, "pro").map(
      ({ field }) => field,
    );
  };
  expect(new Set(faultsOf({ "config.cron": " ", "config.timezone": "" }))).toEqual(new Set(["config.cron"]));
  expect(new Set(faultsOf({ "config.cron": "", "config.timezone": "UTC" }))).toEqual(
    new Set(["config.cron"]),
  );
  expect(new Set(faultsOf({ "config.period": "" }))).toEqual(new Set(["config.period"]));
  expect(faultsOf({ "config.period": "60" })).toEqual([]);
});

test("behavior 27.3: each option of a choice in a form of monitors has its words", () => {
  const fields = [...Object.values(monitorForms), stepForm].flatMap(fieldsOf);
  const choices = fields.flatMap((field) =>
    (field.choices ?? []).map((choice) => choiceLabel(choice, wordsOf(field))),
  );
  expect(choices).toContain("Only IPv4");
  for (const label of choices) expect(label).toMatch(/^[A-Z][A-Za-z]*/);
});
