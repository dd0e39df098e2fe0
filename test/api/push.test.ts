import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { pushRoutes } from "../../src/api/heartbeats/push.ts";
import type { Services } from "../../src/api/http/services.ts";
import { createTestClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

let tokens = 0;

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const anyone = owner.as(undefined);

const newToken = () => `Token${String(++tokens).padStart(27, "0")}`;

async function pushed(client = owner, values: object = {}) {
  const pushToken = newToken();
  const { id } = await createMonitor(client, "SCHEDULED", { config: { period: 60, pushToken }, ...values });
  return { id, pushToken, path: `/api/push/${pushToken}` };
}

async function results(id: string): Promise<string[]> {
  const { data } = (await owner.get(`/api/v1/monitors/${id}/results`)).body;
  return data.map(({ status }: { status: string }) => status);
}

const refused = (error: string) => ({ status: 422, body: { error } });

describe("behavior 16.132, 16.133: a push URL", () => {
  test.each(["GET", "POST"])("%s checks in without a key", async (method) => {
    const { id, path } = await pushed();
    expect(await anyone.send(method, path)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await owner.get(`/api/v1/monitors/${id}`)).body.data.status).toBe("ok");
  });

  test.each([
    ["", "ok"],
    ["?status=up&msg=OK&ping=", "ok"],
    ["?status=&msg=fine&ping=12.5", "ok"],
    ["?status=down&msg=failed%20badly", "failed"],
    ["?status=DOWN", "failed"],
    ["?status=pending", "failed"],
  ])("with %p records %s", async (query, status) => {
    const { id, path } = await pushed();
    expect(await anyone.get(path + query)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await results(id)).toEqual([status]);
  });

  test("counts once by HEAD", async () => {
    const { id, path } = await pushed();
    expect((await anyone.send("HEAD", path)).status).toBe(200);
    expect(await results(id)).toEqual(["ok"]);
  });

  test.each(["{", JSON.stringify({ status: "down" })])("ignores its body: %s", async (text) => {
    const { id, path } = await pushed();
    expect(await anyone.send("POST", path, text)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await results(id)).toEqual(["ok"]);
  });

  test.each(["Unknown0", "short", "x".repeat(65), "%F0%9F%A6%8A", "'--", "toString"])(
    "with the unknown token %s is a 404 in the form of Uptime Kuma",
    async (token) => {
      expect(await anyone.get(`/api/push/${token}`)).toMatchObject({
        status: 404,
        body: { ok: false, msg: "Monitor not found or not active." },
      });
    },
  );

  test("ends with its monitor, and with another token", async () => {
    const { id, path } = await pushed();
    const pushToken = newToken();
    await owner.patch(`/api/v1/monitors/${id}`, { config: { pushToken } });
    expect((await anyone.get(path)).status).toBe(404);
    expect((await anyone.get(`/api/push/${pushToken}`)).status).toBe(200);
    await owner.delete(`/api/v1/monitors/${id}`);
    expect((await anyone.get(`/api/push/${pushToken}`)).status).toBe(404);
  });

  test("behavior 16.135: records for a paused monitor too", async () => {
    const { id, path } = await pushed(owner, { enabled: false });
    expect((await anyone.get(path)).status).toBe(200);
    expect(await results(id)).toEqual(["ok"]);
  });
});

test("behavior 16.134: each token has the rate limit of check-ins, and unknown ones are not counted", async () => {
  const known = "Known000";
  let recorded = 0;
  const api = new Elysia().use(
    pushRoutes({
      store: { monitors: { findIdByPushToken: async (token: string) => (token === known ? "m" : null) } },
      recorder: { record: async () => ({ seen: "ok", count: ++recorded }) },
      heartbeats: { catchUp() {} },
      clock: createTestClock(),
      metrics: { refused() {} },
      // The routes use nothing else.
    } as unknown as Services),
  );
  const send = async (token: string) =>
    (await api.handle(new Request(`http://localhost/api/push/${token}`))).status;
  const statuses: number[] = [];
  for (let count = 0; count < 3010; count++) statuses.push(await send(known));
  expect([statuses.findIndex((status) => status !== 200), recorded]).toEqual([3000, 3000]);
  for (let count = 0; count < 3010; count++) statuses.push(await send("Unknown0"));
  expect(statuses.slice(3010).every((status) => status === 404)).toBe(true);
});

describe("behavior 16.130: a push token", () => {
  test.each(["a".repeat(7), "a".repeat(65), "with_underline", "ümlaut00", "", 12_345_678, null])(
    "%p is refused without being repeated",
    async (pushToken) => {
      const values = { name: "m", type: "SCHEDULED", config: { pushToken } };
      expect(await owner.post("/api/v1/monitors", values)).toMatchObject(
        refused("config.pushToken must be 8 to 64 letters, digits and hyphens of ASCII"),
      );
    },
  );

  test("is only for SCHEDULED", async () => {
    const values = {
      name: "m",
      type: "TCP",
      config: { host: "a", port: 1, interval: 60, pushToken: newToken() },
    };
    expect(await owner.post("/api/v1/monitors", values)).toMatchObject(
      refused("config.pushToken is not a known field"),
    );
  });

  test("is unique on the server", async () => {
    const { id, pushToken, path } = await pushed();
    const other = await server.organization();
    const taken = refused("config.pushToken is taken: it must be unique on this server");
    const values = { name: "m", type: "SCHEDULED", config: { pushToken } };
    expect(await other.post("/api/v1/monitors", values)).toMatchObject(taken);
    const second = await pushed(other);
    expect(await other.patch(`/api/v1/monitors/${second.id}`, { config: { pushToken } })).toMatchObject(
      taken,
    );
    expect((await anyone.get(path)).status).toBe(200);
    await owner.delete(`/api/v1/monitors/${id}`);
    expect((await other.post("/api/v1/monitors", values)).status).toBe(201);
  });
});

describe("behavior 16.131: a push token", () => {
  test("is ••• in every response, which keeps it", async () => {
    const own = await server.organization();
    const { id, pushToken, path } = await pushed(own);
    const config = { period: 60, interval: 300, pushToken: "•••" };
    const one = (await own.get(`/api/v1/monitors/${id}`)).body.data;
    expect(one.config).toEqual(config);
    const updated = await own.patch(`/api/v1/monitors/${id}`, { config: { ...one.config, period: 90 } });
    expect(updated.body.data.config).toEqual({ ...config, period: 90 });
    expect((await anyone.get(path)).status).toBe(200);
    for (const place of [
      "/api/v1/monitors",
      "/api/v1/overview",
      "/api/v1/audit",
      `/api/v1/monitors/${id}/results`,
    ]) {
      const answer = await own.get(place);
      expect([answer.status, JSON.stringify(answer.body).includes(pushToken)]).toEqual([200, false]);
    }
    await own.patch(`/api/v1/monitors/${id}`, { config: { period: 90 } });
    const none = refused("config.pushToken must be sent with its value: none is stored");
    expect(await own.patch(`/api/v1/monitors/${id}`, { config })).toMatchObject(none);
    expect(await own.post("/api/v1/monitors", { name: "m", type: "SCHEDULED", config })).toMatchObject(none);
  });

  test("is ••• in a notification", async () => {
    await using receiver = new Receiver();
    const channel = await createChannel(owner, { config: { url: receiver.url } });
    const { path } = await pushed(owner, { alertChannelIds: [channel.id] });
    await anyone.get(`${path}?status=down`);
    await eventually(() => receiver.received.length > 0);
    expect(receiver.received[0]?.payload.data.monitor.config).toMatchObject({ pushToken: "•••" });
  });
});
