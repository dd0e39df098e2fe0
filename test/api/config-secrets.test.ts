import { describe, expect, test } from "bun:test";
import type { MonitorConfig } from "../../src/domain/monitors/monitor.ts";
import { eventually } from "../support/eventually.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Answer, Client } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const WORD = "xHUSHx";

const config = {
  url: "http://127.0.0.1:1/",
  interval: 86_400,
  method: "POST",
  body: "the body",
  headers: { Authorized: `Bearer ${WORD}`, "X-Key": WORD },
  expect: { status: ["2xx"], json: { "$.queue.depth": { max: 100 }, "$.state": "ok", "$.error": null } },
};
const masked = { ...config, headers: { Authorized: "•••", "X-Key": "•••" } };

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

test("behavior 10.27: no response and no notification has a value of a header or a password", async () => {
  await using receiver = new Receiver();
  const { id: channel } = await createChannel(owner, { config: { url: receiver.url } });
  const created = await createMonitor(owner, "HTTP", { config, alertChannelIds: [channel] });
  expect(created.config).toEqual(masked);
  const path = `/api/v1/monitors/${created.id}`;
  const withPassword = {
    url: config.url,
    interval: 86_400,
    basicAuth: { user: "me", password: WORD },
  };
  const other = await createMonitor(owner, "HTTP", { config: withPassword });
  expect(other.config.basicAuth).toEqual({ user: "me", password: "•••" });
  await becomes(owner, created.id, "down");
  const changed = await owner.patch(path, { config: masked });
  expect(changed.body.data.config).toEqual(masked);

  const answers: Answer[] = [changed];
  for (const route of [
    "/api/v1/monitors",
    path,
    `/api/v1/monitors/${other.id}`,
    `${path}/report`,
    `${path}/results`,
    "/api/v1/events",
    "/api/v1/overview",
    "/api/v1/overview?range=7d",
    "/api/v1/overview?first=12",
    `/api/v1/alerts/${channel}/deliveries`,
  ]) {
    const answer = await owner.get(route);
    expect(answer.status).toBe(200);
    answers.push(answer);
  }
  expect(JSON.stringify(answers)).toContain("•••");
  expect(JSON.stringify(answers)).not.toContain(WORD);
  await eventually(() => receiver.received.length > 0);
  expect(JSON.stringify(receiver.received)).not.toContain(WORD);
  expect(receiver.received[0]?.payload.data.monitor.config).toEqual({ ...masked, body: "•••" });
});

describe("behavior 10.28: PATCH", () => {
  test("keeps a stored secret for •••, also with a changed path and another case of the name", async () => {
    const { id } = await createMonitor(owner, "HTTP", { config });
    const path = `/api/v1/monitors/${id}`;
    const changed = { ...config, url: "http://127.0.0.1:1/other", headers: { "x-key": "•••" } };
    expect((await owner.patch(path, { config: changed })).status).toBe(200);
    const [organization] = await server.store.organizations.list();
    const stored = await server.store.monitors.findConfig(organization?.id ?? "", id);
    expect(stored).toEqual({ ...changed, headers: { "x-key": WORD } } as MonitorConfig);
    const refusals = [
      [
        { ...changed, headers: { Authorized: "•••" } },
        "config.headers.Authorized must be sent with its value: none is",
      ],
      [{ ...changed, url: "http://127.0.0.1:2/" }, "the origin of config.url changes"],
      [
        { ...changed, headers: { "x-key": "•••", HOST: "other.example.com" } },
        "config.headers.x-key must be sent with its value: the header Host changes",
      ],
    ] as const;
    for (const [refused, message] of refusals) {
      const { status, body } = await owner.patch(path, { config: refused });
      expect({ status, body }).toEqual({ status: 422, body: { error: expect.stringContaining(message) } });
    }
    expect(await server.store.monitors.findConfig(organization?.id ?? "", id)).toEqual(stored);
  });

  test("leaves the secrets alone if it has no config", async () => {
    const { id } = await createMonitor(owner, "HTTP", { config });
    await owner.patch(`/api/v1/monitors/${id}`, { name: "renamed", enabled: false });
    const [organization] = await server.store.organizations.list();
    expect(await server.store.monitors.findConfig(organization?.id ?? "", id)).toEqual(
      config as MonitorConfig,
    );
  });

  test("is refused for a new monitor", async () => {
    const { status, body } = await owner.post("/api/v1/monitors", {
      name: "m",
      type: "HTTP",
      config: masked,
    });
    expect({ status, body }).toEqual({
      status: 422,
      body: { error: "config.headers.Authorized must be sent with its value: none is stored" },
    });
  });
});

describe("behavior 10.29: POST /api/v1/probe", () => {
  test("takes stored secrets of the named monitor for •••, and records nothing", async () => {
    const probed: MonitorConfig[] = [];
    await using api = await ApiServer.start({
      async testMonitor({ config: given }) {
        probed.push(given);
        return { status: "up", latencyMs: 1, detail: {}, answer: null, failedExpectation: null };
      },
    });
    const { owner: one } = await api.organization("One", "enterprise");
    const { owner: two } = await api.organization("Two", "enterprise");
    const { id: monitorId } = await createMonitor(one, "HTTP", { config });
    const probe = (client: Client, fields: object, changes: object = {}) =>
      client.post("/api/v1/probe", { type: "HTTP", config: { ...masked, ...changes }, ...fields });

    const url = "http://127.0.0.1:1/new";
    expect((await probe(one, { monitorId }, { url })).status).toBe(200);
    expect(probed).toEqual([{ ...config, url } as MonitorConfig]);

    const needed = "config.headers.Authorized must be sent with its value";
    const unknown = "monitorId must be the ID of a monitor of the organization";
    for (const [answer, error] of [
      [await probe(one, {}), needed],
      [
        await probe(one, { monitorId }, { url: "http://127.0.0.1:2/" }),
        `${needed}: the origin of config.url changes`,
      ],
      [await probe(one, { monitorId: "none" }), unknown],
      [await probe(two, { monitorId }), unknown],
      [await probe(one, { monitorId: null }), "monitorId must be a string"],
    ] as const) {
      expect(answer).toMatchObject({ status: 422, body: { error: expect.stringContaining(error) } });
    }
    expect(probed).toHaveLength(1);
    const stored = (await one.get(`/api/v1/monitors/${monitorId}`)).body.data;
    expect(stored.config).toEqual(masked);
  });
});
