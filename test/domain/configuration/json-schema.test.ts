import { expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { configurationSchema } from "../../../src/domain/configuration/json-schema.ts";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
const validate = ajv.compile(configurationSchema());

const URL = "https://shop.example.com/";

function monitor(entry: object, defaults?: object): object {
  return { ...(defaults && { defaults }), monitors: { shop: entry } };
}

function webhook(config: object): object {
  return { channels: { ops: { type: "WEBHOOK", config } } };
}

function maintenance(entry: object): object {
  return { maintenances: { rack: { selector: { all: true }, ...entry } } };
}

const accepted: object[] = [
  {},
  { $schema: "http://127.0.0.1:7070/schema/config.json", monitors: {} },
  monitor({ type: "HTTP", config: { url: URL, interval: 60 } }),
  monitor({ type: "HTTP", config: { url: URL } }, { config: { interval: 60, timeout: 5 } }),
  monitor({ type: "TCP", config: { host: "db" } }, { config: { interval: 60, port: 5432 }, tags: ["db"] }),
  monitor({
    type: "HTTP",
    config: {
      url: URL,
      interval: 60,
      method: "POST",
      headers: { A: "b" },
      expect: { status: [200, "3xx", "500-503"], contains: ["a"], json: { "$.a": { max: 1 }, "$.b": null } },
    },
    tags: ["web"],
    downWhen: 1,
    dependsOn: ["router"],
    alertBindings: [{ alertChannelId: "ops", after: 60, every: 300 }],
  }),
  monitor({ type: "TLS", config: { host: "shop.example.com" } }),
  monitor({
    type: "DNS",
    config: { hostname: "shop.example.com", recordType: "MX", servers: ["192.0.2.53"] },
  }),
  monitor({ type: "SCHEDULED" }),
  monitor({ type: "SCHEDULED", config: { cron: "30 2 * * *", timezone: "Europe/Berlin" }, enabled: false }),
  webhook({ url: URL }),
  webhook({ url: URL, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", headers: { A: "b" } }),
  webhook({ url: "https://ntfy.sh", format: "ntfy", options: { topic: "alerts", priority: 4 } }),
  webhook({ url: URL, format: "alertmanager" }),
  webhook({ url: URL, format: "custom", options: { body: "{{text}}" } }),
  {
    channels: {
      mail: { name: "Mail", type: "EMAIL", config: { to: "ops@example.com" }, notifyOn: ["down"] },
    },
  },
  { channels: { chat: { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/services/T/B/x" } } } },
  maintenance({ startsAt: "2027-01-30T20:00:00Z", endsAt: "2027-01-30T23:00:00+02:00" }),
  maintenance({
    title: "Rack",
    cron: "30 2 * * *",
    duration: 1800,
    selector: { tags: ["a"], monitorIds: ["b"] },
  }),
  {
    pages: {
      shop: { slug: "shop", visibility: "public", components: [{ monitorId: "shop", group: "Web" }] },
    },
  },
  { history: { shop: { "2026-11-20": { up: 1437, down: 3, latency: 120.5 } } } },
];

const refused: object[] = [
  [],
  { monitor: {} },
  { monitors: [] },
  { monitors: { Shop: { type: "SCHEDULED" } } },
  monitor({ config: { url: URL, interval: 60 } }),
  monitor({ type: "PING" }),
  monitor({ type: "HTTP" }),
  monitor({ type: "HTTP", config: { interval: 60 } }),
  monitor({ type: "HTTP", config: { url: URL } }),
  monitor({ type: "HTTP", config: { url: "shop", interval: 60 } }),
  monitor({ type: "HTTP", config: { url: URL, interval: "60" } }),
  monitor({ type: "HTTP", config: { url: URL, interval: 60, host: "a" } }),
  monitor({ type: "HTTP", config: { url: URL, interval: 60, expect: { status: ["0xx"] } } }),
  monitor({ type: "HTTP", config: { url: URL, interval: 60 }, tags: ["A b"] }),
  monitor({ type: "HTTP", config: { url: URL, interval: 60 }, alertChannelIds: [], alertBindings: [] }),
  monitor({ type: "TCP", config: { port: 5432, interval: 60 } }, { config: { timeout: 5 } }),
  monitor({ type: "TCP", config: { host: "https://db", port: 1, interval: 60 } }),
  monitor({ type: "SCHEDULED", config: { cron: "30 2 * *" } }),
  monitor({ type: "SCHEDULED", config: { cron: "30 2 * * *", period: 60 } }),
  monitor({ type: "SCHEDULED", locations: ["here"] }),
  monitor({ type: "SCHEDULED" }, { config: { unknown: 1 } }),
  monitor({ type: "SCHEDULED" }, { config: { interval: "60" } }),
  monitor({ type: "SCHEDULED" }, { name: "a" }),
  webhook({}),
  webhook({ url: URL, format: "sms" }),
  webhook({ url: URL, format: "ntfy" }),
  webhook({ url: URL, format: "ntfy", options: { topic: "a", unknown: 1 } }),
  webhook({ url: URL, format: "ntfy", options: { topic: "a" }, secret: "a" }),
  webhook({ url: URL, options: {} }),
  { channels: { ops: { type: "EMAIL", config: { to: "ops" } } } },
  { channels: { ops: { type: "EMAIL" } } },
  { channels: { ops: { type: "EMAIL", config: { to: "a@b.c" }, notifyOn: ["healthy"] } } },
  maintenance({}),
  maintenance({ startsAt: "2027-01-30T20:00:00Z" }),
  maintenance({ startsAt: "2027-01-30", endsAt: "2027-01-31" }),
  maintenance({ cron: "30 2 * * *" }),
  maintenance({ cron: "30 2 * * *", duration: 60, startsAt: "2027-01-30T20:00:00Z" }),
  maintenance({ cron: "30 2 * * *", duration: 60, selector: {} }),
  { maintenances: { rack: { cron: "30 2 * * *", duration: 60 } } },
  { pages: { shop: {} } },
  { pages: { shop: { slug: "Shop" } } },
  { pages: { shop: { slug: "shop", components: [{ id: "a", monitorId: "shop" }] } } },
  { history: { shop: { "2026-11-20": { up: -1 } } } },
];

test("behavior 16.75: the JSON Schema is valid, and has no format that an editor does not know", () => {
  const schema = configurationSchema();
  expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
  expect(JSON.stringify(schema)).not.toContain('"format":"');
});

test.each(accepted.map((document) => [JSON.stringify(document), document]))(
  "behavior 16.75: the JSON Schema and the server accept %s",
  (_, document) => {
    expect([validate(document), validate.errors]).toEqual([true, null]);
    expect(parseDocument(document).faults).toEqual([]);
  },
);

test.each(refused.map((document) => [JSON.stringify(document), document]))(
  "behavior 16.75: the JSON Schema and the server refuse %s",
  (_, document) => {
    expect(validate(document)).toBe(false);
    expect(parseDocument(document).faults).not.toEqual([]);
  },
);

test("behavior 16.75: a placeholder may be in each text", () => {
  const text = "${NAME}";
  const documents = [
    monitor({
      name: text,
      type: "HTTP",
      config: { url: text, interval: 60, headers: { A: text } },
      tags: [text],
    }),
    monitor({ type: "SCHEDULED", config: { cron: text, timezone: text } }),
    webhook({ url: text, format: "ntfy", options: { topic: text, token: text } }),
    {
      channels: {
        ops: { type: "EMAIL", config: { to: text } },
        chat: { type: "TEAMS", config: { webhookUrl: text } },
      },
    },
    maintenance({ startsAt: text, endsAt: text, title: text }),
    { pages: { shop: { slug: text, description: text } } },
  ];
  for (const document of documents) expect([validate(document), validate.errors]).toEqual([true, null]);
});

test("behavior 16.75: an editor shows what each field means and which words it takes", () => {
  const { properties } = configurationSchema() as {
    properties: { monitors: { additionalProperties: object } };
  };
  expect(properties.monitors.additionalProperties).toMatchObject({
    properties: {
      type: { enum: ["HTTP", "TCP", "TLS", "DNS", "SCHEDULED"] },
      name: {
        type: "string",
        description: "The name of the monitor. Default: its ref. Must be 1 to 200 characters.",
      },
    },
  });
});
