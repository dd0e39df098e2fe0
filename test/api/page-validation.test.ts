import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  channelFaults,
  keyExpiryFaults,
  monitorFaults,
  nameFaults,
} from "../../src/dashboard/web/form/validation.ts";
import type { ChannelType } from "../../src/domain/alerts/channel.ts";
import type { MonitorType } from "../../src/domain/monitors/monitor.ts";
import { ApiServer, type Members } from "../support/product/api-server.ts";

let server: ApiServer;
let members: Members;

beforeAll(async () => {
  server = await ApiServer.start();
  members = await server.organization("A", "pro");
});

afterAll(() => server[Symbol.asyncDispose]());

describe("the page refuses a monitor with the sentence of the API", () => {
  const name = "a monitor";
  test.each<[type: MonitorType, name: string, config: object]>([
    ["HTTP", "", { url: "https://example.com/", interval: 60 }],
    ["HTTP", name, { interval: 60 }],
    ["HTTP", name, { url: "ftp://example.com/", interval: 60 }],
    ["HTTP", name, { url: "https://example.com/", interval: 30 }],
    ["HTTP", name, { url: "nothing", interval: 1.5 }],
    ["HTTP", name, { url: "https://example.com/", interval: "often" }],
    ["TCP", name, { host: "http://example.com", port: 80, interval: 60 }],
    ["TCP", name, { host: "example.com", port: 70_000, interval: 60 }],
    ["TCP", name, { host: "example.com", interval: 60 }],
    ["TLS", name, {}],
    ["DNS", name, { hostname: "example.com", expected: [""] }],
    ["DNS", name, { hostname: "example.com", recordType: "ANY" }],
    ["SCHEDULED", name, { cron: "every day" }],
    ["SCHEDULED", name, { period: "often" }],
    ["SCHEDULED", name, { maxRunTime: 1.5 }],
    ["SCHEDULED", name, { overlap: "deny" }],
    ["SCHEDULED", name, { timezone: "UTC" }],
    ["SCHEDULED", name, { cron: "0 3 * * *", period: 60 }],
    ["SCHEDULED", name, { cron: "0 3 * * *", timezone: "Mars" }],
  ])("%s %s %o", async (type, name, config) => {
    const { status, body } = await members.owner.post("/api/v1/monitors", { name, type, config });
    expect(status).toBe(422);
    expect(monitorFaults(type, { name, config }, "pro")[0]?.sentence).toBe(body.error);
  });

  test("and accepts what the API accepts", async () => {
    const values = { name, config: { host: "example.com" } };
    expect((await members.owner.post("/api/v1/monitors", { ...values, type: "TLS" })).status).toBe(201);
    expect(monitorFaults("TLS", values, "pro")).toEqual([]);
  });

  test.each([
    [{ period: 5 }, "config.period", "10 s", "365 d"],
    [{ grace: -1 }, "config.grace", "0 s", "365 d"],
    [{ maxRunTime: 0 }, "config.maxRunTime", "1 s", "7 d"],
    [{ maxRunTime: 604_801 }, "config.maxRunTime", "1 s", "7 d"],
  ])(
    "behavior 18.65: but names the limits of the duration %o in units",
    async (config, field, least, most) => {
      const { status } = await members.owner.post("/api/v1/monitors", { name, type: "SCHEDULED", config });
      expect(status).toBe(422);
      expect(monitorFaults("SCHEDULED", { name, config }, "pro")[0]).toMatchObject({
        code: "durationFromTo",
        field,
        values: { least, most },
      });
    },
  );

  test("and has a fault for every invalid field", () => {
    const found = monitorFaults("TCP", { name: " ", config: { host: "a b", port: 0 } }, "pro");
    const fields = found.map(({ field }) => field);
    expect(fields).toEqual(expect.arrayContaining(["name", "config.host", "config.port", "config.interval"]));
  });
});

describe("the page refuses a channel with the sentence of the API", () => {
  const name = "a channel";
  test.each<[type: ChannelType, name: string, config: object, notifyOn: string[]]>([
    ["SLACK", " ", { webhookUrl: "https://hooks.slack.com/services/1" }, ["down"]],
    ["SLACK", name, { webhookUrl: "https://example.com/" }, ["down"]],
    ["DISCORD", name, {}, ["down"]],
    ["TEAMS", name, { webhookUrl: "https://example.com/" }, ["down"]],
    ["EMAIL", name, { to: "nobody" }, ["down"]],
    ["WEBHOOK", name, { url: "https://example.com/", secret: "whsec_?" }, ["down"]],
    ["WEBHOOK", name, { url: "https://example.com/" }, ["healthy"]],
    ["WEBHOOK", name, { url: "https://example.com/" }, []],
  ])("%s %s %o %o", async (type, name, config, notifyOn) => {
    const values = { name, config, notifyOn };
    const { status, body } = await members.owner.post("/api/v1/alerts", { ...values, type });
    expect(status).toBe(422);
    expect(channelFaults(type, values)[0]?.sentence).toBe(body.error);
  });
});

test.each([
  ["2020-01-01T00:00", "inFuture"],
  ["12026-01-01T00:00", "fourDigitYear"],
  ["9998-12-31T00:00", undefined],
  [undefined, undefined],
])("the expiry %s of a key is refused with: %s", (expiry, code) => {
  expect(keyExpiryFaults(expiry)[0]?.code).toBe(code);
});

test("behavior 7.19: every name is refused with the same sentence", async () => {
  const name = "x".repeat(201);
  const { body } = await members.owner.patch("/api/v1/organization", { name });
  expect(nameFaults(name).map(({ sentence }) => sentence)).toEqual([body.error]);
});
