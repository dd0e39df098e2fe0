import { expect, test } from "bun:test";
import { readBackup } from "../../../src/import/kuma/fields.ts";
import { importedFrom } from "../../support/import/kuma.ts";

/** As Uptime Kuma 1.23 writes it. */
const BACKUP = {
  version: "1.23.16",
  notificationList: [
    {
      ...{ id: 3, name: "Ops", active: true, isDefault: true },
      config: '{"name":"Ops","type":"slack","slackwebhookURL":"https://hooks.slack.com/services/x"}',
    },
  ],
  monitorList: [
    { id: 7, name: "Web", type: "group", active: true, parent: null, notificationIDList: {}, tags: [] },
    {
      ...{
        id: 8,
        name: "Shop",
        type: "keyword",
        url: "https://shop.example.com/",
        method: "POST",
        active: true,
      },
      ...{
        interval: 60,
        retryInterval: 60,
        maxretries: 2,
        resendInterval: 0,
        timeout: 48,
        maxredirects: 5,
        parent: 7,
      },
      ...{
        keyword: "Basket",
        invertKeyword: false,
        ignoreTls: true,
        upsideDown: false,
        expiryNotification: false,
      },
      ...{
        accepted_statuscodes: ["200-299"],
        authMethod: "basic",
        basic_auth_user: "a",
        basic_auth_pass: "b",
      },
      ...{ httpBodyEncoding: "json", body: '{"a":1}', headers: '{"X-A":"b"}', dns_resolve_type: "A" },
      ...{
        notificationIDList: { "3": true },
        tags: [{ tag_id: 1, name: "prod", value: "eu", color: "#000" }],
      },
    },
    {
      ...{ id: 9, name: "Job", type: "push", active: false, interval: 3600, pushToken: "aB3dE5gH9j" },
      ...{ notificationIDList: {}, tags: [] },
    },
  ],
};

test("behavior 16.95: a JSON backup gives what the database gives", () => {
  const { document } = importedFrom(readBackup(BACKUP) ?? {});
  expect(document.channels).toEqual({
    ops: { name: "Ops", type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/services/x" } },
  });
  expect(document.monitors).toEqual({
    job: {
      ...{ name: "Job", type: "SCHEDULED", enabled: false, alertChannelIds: [] },
      config: { period: 3600, grace: 60, pushToken: "aB3dE5gH9j" },
    },
    shop: {
      ...{
        name: "Shop",
        type: "HTTP",
        confirmations: 2,
        tags: ["group:web", "prod:eu"],
        alertChannelIds: ["ops"],
      },
      config: {
        ...{ url: "https://shop.example.com/", method: "POST", headers: { "X-A": "b" }, body: '{"a":1}' },
        ...{
          basicAuth: { user: "a", password: "b" },
          interval: 60,
          timeout: 48,
          redirects: 5,
          verifyTls: false,
        },
        expect: { status: ["2xx"], contains: "Basket" },
      },
    },
  });
});

test("behavior 16.95: other JSON is no backup", () => {
  for (const value of [null, [], {}, "x", { monitorList: {} }]) expect(readBackup(value)).toBeUndefined();
});
