import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import { configs, createMonitor } from "../support/requests/monitors.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

test("behavior 16.247: a requested check runs at once, and its result is recorded", async () => {
  await using target = new HttpTarget();
  const { client } = server;
  const { id } = await createMonitor(client, "HTTP", { config: { url: target.url, interval: 3600 } });
  await becomes(client, id, "up");
  const path = `/api/v1/monitors/${id}/check`;
  expect(await client.post(path)).toMatchObject({ status: 202, body: { data: { id } } });
  const countOf = async () => (await client.get(`/api/v1/monitors/${id}/results`)).body.data.length;
  await eventually(async () => (await countOf()) === 2);
  expect(target.requests).toBe(2);

  expect((await client.as(await server.keyWith("viewer")).post(path)).status).toBe(403);
  await client.patch(`/api/v1/monitors/${id}`, { enabled: false });
  expect(await client.post(path)).toMatchObject({
    status: 422,
    body: { error: "the monitor is paused: resume it first" },
  });
  const job = await createMonitor(client, "SCHEDULED");
  expect((await client.post(`/api/v1/monitors/${job.id}/check`)).status).toBe(422);
});

test("behavior 16.230: the report takes a short range, or a time in the past of at most 92 days", async () => {
  const { id } = await createMonitor(server.client, "TCP", { config: { ...configs.TCP, interval: 60 } });
  const day = 86_400_000;
  const iso = (ago: number) => encodeURIComponent(new Date(server.now() - ago).toISOString());
  const get = async (query: string) => server.client.get(`/api/v1/monitors/${id}/report?${query}`);
  for (const [query, bars, step] of [
    ["range=1h", 60, 60],
    ["range=6h", 72, 60],
    [`from=${iso(day)}`, 25, 600],
    [`from=${iso(91 * day)}&to=${iso(day)}`, 91, 86_400],
  ] as const) {
    const { status, body } = await get(query);
    expect(status).toBe(200);
    expect([bars, bars - 1]).toContain(body.data.history.length);
    expect(body.data.buckets).toHaveLength(body.data.history.length);
    expect(body.data.stretch.step).toBe(step);
  }
  for (const [query, error] of [
    ["range=2h", "range must be one of 1h, 6h, 1d, 7d, 30d, 90d"],
    [`to=${iso(0)}`, "from is required with to"],
    [`from=${iso(0)}&to=${iso(day)}`, "to must be later than from"],
    [`from=${iso(-day)}&to=${iso(-2 * day)}`, "from must be in the past"],
    [`from=${iso(93 * day)}`, "to must be at most 92 days later than from"],
    ["from=yesterday", "from must be"],
  ] as const) {
    const { status, body } = await get(query);
    expect([status, body.error]).toEqual([422, expect.stringContaining(error)]);
  }
});
