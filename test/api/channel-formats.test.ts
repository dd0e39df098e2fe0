import { describe, expect, test } from "bun:test";
import type { ChannelConfig } from "../../src/domain/alerts/channel.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import {
  goodConfigs,
  SERVICES,
  ServiceServer,
  services,
} from "../support/servers/services/service-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const WORD = "xHUSHx";
const config = {
  url: "http://127.0.0.1:1/base",
  format: "gotify",
  options: { token: WORD, priority: 6 },
  headers: { "X-Key": WORD },
};
const masked = { ...config, options: { token: "•••", priority: 6 }, headers: { "X-Key": "•••" } };

async function storedConfig(id: string): Promise<ChannelConfig> {
  const [organization] = await server.store.organizations.list();
  return (await server.store.channels.find(organization?.id ?? "", id)).config;
}

describe("behavior 16.142: secrets of a channel", () => {
  test("are in no response", async () => {
    const created = await createChannel(owner, { config });
    const path = `/api/v1/alerts/${created.id}`;
    const answers = [
      created,
      (await owner.get(path)).body,
      (await owner.get("/api/v1/alerts")).body,
      (await owner.patch(path, { name: "renamed" })).body,
      (await owner.post(`${path}/test`)).body,
      (await owner.get(`${path}/deliveries`)).body,
      (await owner.get("/api/v1/audit")).body,
    ];
    expect(JSON.stringify(answers)).not.toContain(WORD);
    expect(answers.slice(0, 2).map((answer) => (answer.data ?? answer).config)).toEqual([masked, masked]);
    expect(await storedConfig(created.id)).toEqual(config as ChannelConfig);
  });

  test("are kept by a PATCH that sends •••, and asked for at another origin", async () => {
    const { id } = await createChannel(owner, { config });
    const path = `/api/v1/alerts/${id}`;
    const changed = { ...masked, url: "http://127.0.0.1:1/other" };
    expect((await owner.patch(path, { config: changed })).body.data.config).toEqual(changed);
    expect(await storedConfig(id)).toEqual({ ...config, url: changed.url } as ChannelConfig);
    const moved = await owner.patch(path, { config: { ...masked, url: "http://127.0.0.1:2/" } });
    const error = "config.headers.X-Key must be sent with its value: the origin of config.url changes";
    expect(moved).toMatchObject({ status: 422, body: { error } });
  });

  test("are kept by a replacement that sends •••, and asked for if there is nothing to replace", async () => {
    const path = "/api/v1/alerts/by-ref/phones";
    const channel = { name: "Phones", type: "WEBHOOK" };
    expect((await owner.put(path, { ...channel, config: masked })).status).toBe(422);
    const created = await owner.put(path, { ...channel, config });
    expect(created).toMatchObject({ status: 201, body: { data: { config: masked } } });
    expect((await owner.put(path, { ...channel, config: masked })).status).toBe(200);
    expect(await storedConfig(created.body.data.id)).toEqual(config as ChannelConfig);
  });

  test("cannot be ••• for a new channel", async () => {
    const { status, body } = await owner.post("/api/v1/alerts", {
      name: "c",
      type: "WEBHOOK",
      config: masked,
    });
    const error = "config.headers.X-Key must be sent with its value: none is stored";
    expect({ status, body }).toEqual({ status: 422, body: { error } });
  });
});

test.each(SERVICES)("behavior 5.29, 16.151: a test reaches a channel of %s", async (name) => {
  await using service = new ServiceServer(services[name]);
  const { id } = await createChannel(owner, { config: goodConfigs[name](service.url) });
  const { body } = await owner.post(`/api/v1/alerts/${id}/test`);
  expect(body.data).toMatchObject({ status: "delivered", channels: [{ attempts: 1, error: null }] });
  expect(service.accepted).toHaveLength(name === "pagerduty" ? 2 : 1);
});

test("behavior 16.150: an outage of a monitor is one incident", async () => {
  await using service = new ServiceServer(services.pagerduty);
  const { id } = await createChannel(owner, { config: goodConfigs.pagerduty(service.url) });
  const job = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [id] });
  await checkIn(owner, job.id, "ok", "fail", "ok");
  await eventually(() => service.accepted.length === 2);
  const [outage] = (await owner.get(`/api/v1/outages?monitorId=${job.id}`)).body.data;
  expect(service.accepted.map(({ body }) => [body.event_action, body.dedup_key])).toEqual([
    ["trigger", outage.id],
    ["resolve", outage.id],
  ]);
});
