import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import {
  checkIn,
  configs,
  createChannel,
  createMonitor,
  newMonitor,
  type Type,
} from "../support/requests/monitors.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const TYPES = Object.keys(configs) as Type[];
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NO_LIMIT = { interval: 86_400 };

async function get(id: string, client = owner) {
  return (await client.get(`/api/v1/monitors/${id}`)).body.data;
}

function patch(id: string, body: object, client = owner) {
  return client.patch(`/api/v1/monitors/${id}`, body);
}

describe("behavior 7.31, 7.32, 7.36, 7.76: a monitor", () => {
  test.each(TYPES)(
    "behavior 8.1: %s: has these fields in the create response, with an ID that cannot be guessed",
    async (type) => {
      const { status, body } = await owner.post("/api/v1/monitors", newMonitor(type, { name: "  Größe  " }));
      const { id } = body.data;
      expect(status).toBe(201);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^[\w-]{20,}$/),
        name: "Größe",
        type,
        config: type === "TLS" ? { ...configs.TLS, port: 1 } : configs[type],
        status: "unknown",
        enabled: true,
        confirmations: 0,
        recoveries: 0,
        tags: [],
        dependsOn: [],
        blindSince: null,
        maintenance: null,
        ref: null,
        createdAt: TIME,
        updatedAt: TIME,
        ...(type === "SCHEDULED"
          ? { checkinUrl: `${owner.url}/api/v1/monitors/${id}/checkin` }
          : { locations: ["here"], downWhen: "majority" }),
      });
    },
  );

  test("has its bindings and no checkinUrl in GET", async () => {
    const { id: alertChannelId } = await createChannel(owner);
    const {
      id,
      checkinUrl: _,
      ...created
    } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [alertChannelId] });
    expect(await get(id)).toEqual({ id, ...created, alertBindings: [{ monitorId: id, alertChannelId }] });
  });

  test.each([
    ["HTTP", { interval: 60 }, "config.url is required"],
    ["HTTP", { url: "http://a/" }, "config.interval is required"],
    ["HTTP", { url: "a.example", ...NO_LIMIT }, "config.url must be a full URL"],
    ["HTTP", { url: "http://me:pw@a/", ...NO_LIMIT }, "config.url must be a full URL"],
    [
      "HTTP",
      { url: "http://a/", interval: 86_401 },
      "config.interval must be a whole number from 1 to 86400",
    ],
    ["HTTP", { url: "http://a/", interval: 1.5 }, "config.interval must be a whole number from 1 to 86400"],
    ["HTTP", { url: "http://a/", interval: "60" }, "config.interval must be a whole number from 1 to 86400"],
    [
      "HTTP",
      { url: "http://user:pw@a/", ...NO_LIMIT },
      "config.url must be a full URL that begins with http:// or https://, without user name or password: give them as basicAuth",
    ],
    ["HTTP", { url: "http://a/", ...NO_LIMIT, port: 80 }, "config.port is not a known field"],
    ["TCP", { port: 80, ...NO_LIMIT }, "config.host is required"],
    ["TCP", { host: "a", ...NO_LIMIT }, "config.port is required"],
    [
      "TCP",
      { host: "a", port: 65_536, ...NO_LIMIT },
      "config.port must be a whole number from 1 to 65535, got 65536",
    ],
    ["TCP", { host: "http://a", port: 80, ...NO_LIMIT }, "config.host must be a host name or an IP address"],
    ["TLS", {}, "config.host is required"],
    ["TLS", { host: "a", port: 0 }, "config.port must be a whole number from 1 to 65535, got 0"],
    ["DNS", {}, "config.hostname is required"],
    ["DNS", { hostname: "a b" }, "config.hostname must be"],
    ["SCHEDULED", { interval: "often" }, "config.interval must be a number"],
    ["SCHEDULED", { intervall: 60 }, "config.intervall is not a known field"],
  ] as const)("%s with config %p is rejected", async (type, config, error) => {
    const { status, body } = await owner.post("/api/v1/monitors", { name: "m", type, config });
    expect(status).toBe(422);
    expect(Object.keys(body)).toEqual(["error"]);
    expect(body.error).toStartWith(error);
  });

  test.each([
    [{ type: "HTTP", config: configs.HTTP }, "name is required"],
    [{ name: "m", config: {} }, "type is required"],
    [{ name: "m", type: "HTTP" }, "config is required"],
    [{ name: "m", type: "PING", config: {} }, "type must be one of HTTP, TCP, TLS, DNS, SCHEDULED"],
    [{ name: "m", type: "HTTP", config: [] }, "config must be an object"],
    [{ name: "   ", type: "HTTP", config: configs.HTTP }, "name must be 1 to 200 characters"],
    [newMonitor("HTTP", { alertChannelIds: "x" }), "alertChannelIds must be an array"],
    [newMonitor("HTTP", { alertChannelIds: [3] }), "alertChannelIds.0 must be a string, got 3"],
    [newMonitor("HTTP", { enabled: null }), "enabled must be true or false, got null"],
  ])("%p is rejected", async (body, error) => {
    const answer = await owner.post("/api/v1/monitors", body);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toStartWith(error);
  });

  test("TLS and DNS need only a host: port and interval have defaults", async () => {
    const tls = await createMonitor(owner, "TLS", { config: { host: "127.0.0.1" } });
    expect(tls.config).toEqual({ host: "127.0.0.1", port: 443, interval: 300 });
    const dns = await createMonitor(owner, "DNS", { config: { hostname: "localhost" } });
    expect(dns.config).toEqual({ hostname: "localhost", interval: 300 });
  });

  test("behavior 7.19: a name may have 200 characters of any kind", async () => {
    const name = "🦊".repeat(200);
    expect((await createMonitor(owner, "SCHEDULED", { name })).name).toBe(name);
  });
});

describe("behavior 7.35: the list", () => {
  test("has the enriched monitors, oldest first, filtered by type", async () => {
    const client = await server.organization();
    for (const type of TYPES) await createMonitor(client, type);
    const { body } = await client.get("/api/v1/monitors");
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(TYPES);
    for (const type of TYPES) {
      const filtered = (await client.get(`/api/v1/monitors?type=${type}`)).body.data;
      expect(filtered.map((monitor: { type: string }) => monitor.type)).toEqual([type]);
    }
  });

  test.each(["1d", "7d", "30d", "90d"])("accepts range=%s", async (range) => {
    expect((await owner.get(`/api/v1/monitors?range=${range}`)).status).toBe(200);
  });

  test.each([
    ["type=PING", "type must be one of HTTP, TCP, TLS, DNS, SCHEDULED"],
    ["type=", "type must be one of HTTP, TCP, TLS, DNS, SCHEDULED"],
    ["range=2d", "range must be one of 1d, 7d, 30d, 90d"],
  ])("behavior 7.27: rejects %s", async (query, error) => {
    const { status, body } = await owner.get(`/api/v1/monitors?${query}`);
    expect({ status, body }).toEqual({ status: 422, body: { error } });
  });

  test("behavior 6.6: has the latest result, or null without results", async () => {
    const client = await server.organization();
    const { id } = await createMonitor(client, "SCHEDULED");
    const latest = async () => (await client.get("/api/v1/monitors")).body.data[0].latestResult;
    expect(await latest()).toBeNull();
    await checkIn(client, id, "ok", "fail");
    expect(await latest()).toEqual({ status: "failed", latencyMs: null, createdAt: TIME });
  });

  test("behavior 6.6: has only a latest result within the range", async () => {
    const client = await server.organization();
    // A job that is not paused would be late at once.
    const { id } = await createMonitor(client, "SCHEDULED", { enabled: false });
    const twoDaysAgo = server.now() - 2 * 86_400_000;
    await server.store.recording.record([{ kind: "checkin", monitorId: id, status: "ok", at: twoDaysAgo }]);
    const latest = async (range: string) =>
      (await client.get(`/api/v1/monitors?range=${range}`)).body.data[0].latestResult;
    expect(await latest("1d")).toBeNull();
    expect(await latest("7d")).toMatchObject({ status: "ok" });
  });
});

describe("behavior 7.37: updates", () => {
  test("behavior 7.19, 7.21: PATCH changes only the fields that are sent, and answers with the bindings", async () => {
    const { id, ...created } = await createMonitor(owner, "TCP");
    // The first check changes the status, and with it the answer.
    await becomes(owner, id, "down");
    const { status, body } = await patch(id, { name: " new " });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id,
      ...created,
      name: "new",
      status: "down",
      updatedAt: TIME,
      alertBindings: [],
    });
    expect((await patch(id, {})).body.data).toMatchObject({ name: "new", config: configs.TCP });
  });

  test("behavior 7.19, 7.21, 14.72: another name changes nothing else, and is audited once", async () => {
    const { id: parent } = await createMonitor(owner, "SCHEDULED");
    const { id: channel } = await createChannel(owner);
    const { id } = await createMonitor(owner, "HTTP", {
      ...{
        enabled: false,
        confirmations: 2,
        recoveries: 1,
        tags: ["shop"],
        dependsOn: [parent],
        ref: "named",
      },
      alertBindings: [{ alertChannelId: channel, after: 60, every: 3600 }],
    });
    const before = await get(id);
    const entries = async () => (await owner.get("/api/v1/audit")).body.data;
    const { length } = await entries();
    const { status, body } = await patch(id, { name: " renamed " });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, name: "renamed", updatedAt: TIME });
    expect(body.data.updatedAt >= before.updatedAt).toBe(true);
    expect(await get(id)).toEqual(body.data);
    await patch(id, { name: "renamed" });
    const [latest, ...older] = await entries();
    expect(latest).toMatchObject({
      action: "monitor.updated",
      resource: { type: "monitor", id, name: "renamed" },
      changed: ["name"],
    });
    expect(older).toHaveLength(length);
    const other = await server.organization();
    for (const client of [owner, other])
      expect((await patch(client === owner ? "unknown" : id, { name: "x" }, client)).status).toBe(404);
    expect((await get(id)).name).toBe("renamed");
  });

  test.each([
    [{ name: "" }, "name must be 1 to 200 characters"],
    [{ type: "TCP" }, "type is not a known field"],
    [{ enabled: "yes" }, "enabled must be true or false"],
    [{ enabled: null }, "enabled must be true or false, got null"],
    [{ config: null }, "config must be an object, got null"],
    [{ config: { host: "a" } }, "config.interval is required"],
    [{ config: { ...configs.TCP, interval: 0 } }, "config.interval"],
  ])("behavior 7.21: PATCH %p is rejected and changes nothing", async (change, error) => {
    const { id } = await createMonitor(owner, "TCP");
    await becomes(owner, id, "down");
    const before = await get(id);
    const { status, body } = await patch(id, { name: "changed", ...change });
    expect(status).toBe(422);
    expect(body.error).toStartWith(error);
    expect(await get(id)).toEqual(before);
  });

  test("behavior 7.42: PATCH, DELETE and pause-all are allowed for admin and owner", async () => {
    const admin = owner.as(await server.keyWith("admin"));
    const { id } = await createMonitor(admin, "SCHEDULED");
    expect((await patch(id, { name: "a" }, admin)).status).toBe(200);
    expect((await admin.delete(`/api/v1/monitors/${id}`)).status).toBe(200);
  });

  test("behavior 7.38: a config that is sent replaces the stored one in full", async () => {
    const { id } = await createMonitor(owner, "TCP");
    const config = { host: "127.0.0.2", port: 2, interval: 7200 };
    expect((await patch(id, { config })).body.data.config).toEqual(config);
    const { port: _, ...incomplete } = config;
    expect((await patch(id, { config: incomplete })).body.error).toBe("config.port is required");
    expect((await get(id)).config).toEqual(config);
  });

  test("behavior 7.38: alertChannelIds replaces all bindings, and an empty array removes all", async () => {
    const [a, b] = [await createChannel(owner), await createChannel(owner)];
    const { id } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [a.id, a.id] });
    const bound = async (ids: string[]) =>
      (await patch(id, { alertChannelIds: ids })).body.data.alertBindings.map(
        (binding: { alertChannelId: string }) => binding.alertChannelId,
      );
    expect((await get(id)).alertBindings).toHaveLength(1);
    expect(await bound([b.id])).toEqual([b.id]);
    expect(await bound([a.id, b.id, a.id])).toEqual([a.id, b.id]);
    expect((await patch(id, { name: "untouched" })).body.data.alertBindings).toHaveLength(2);
    expect(await bound([])).toEqual([]);
  });

  test("behavior 7.1: the answer for a channel of another organization is the same as for an unknown ID", async () => {
    const foreign = await createChannel(await server.organization());
    const { id } = await createMonitor(owner, "SCHEDULED");
    const answers = [];
    for (const channel of [foreign.id, "nope"])
      answers.push((await patch(id, { alertChannelIds: [channel] })).body);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual({ error: "alertChannelIds.0 is not an alert channel of this organization" });
    expect(
      (await owner.post("/api/v1/monitors", newMonitor("SCHEDULED", { alertChannelIds: [foreign.id] })))
        .status,
    ).toBe(422);
  });

  test("behavior 3.16, 7.34: the interval of a SCHEDULED monitor is 300 on create and on update, for any number sent", async () => {
    for (const config of [{}, { interval: 1 }, { interval: -7.5 }]) {
      const { id, ...created } = await createMonitor(owner, "SCHEDULED", { config });
      expect(created.config).toEqual({ interval: 300 });
      expect((await patch(id, { config: { interval: 10 } })).body.data.config).toEqual({ interval: 300 });
    }
  });

  test("behavior 1.7, 7.37, 7.41: a monitor is paused and re-enabled by PATCH, one at a time", async () => {
    await using target = new HttpTarget();
    const { id } = await createMonitor(owner, "HTTP", { config: { url: target.url, interval: 86_400 } });
    await becomes(owner, id, "up");
    expect((await patch(id, { enabled: false })).body.data.enabled).toBe(false);
    await target.break();
    expect((await patch(id, { enabled: true })).body.data.enabled).toBe(true);
    await becomes(owner, id, "down");
    expect((await owner.post("/api/v1/monitors/resume-all")).status).toBe(404);
  });

  test("behavior 1.7: a new config is checked immediately", async () => {
    await using target = new HttpTarget();
    const { id } = await createMonitor(owner, "HTTP");
    await becomes(owner, id, "down");
    await patch(id, { config: { url: target.url, interval: 86_400 } });
    await becomes(owner, id, "up");
  });
});

test("behavior 7.41: pause-all returns how many monitors were enabled", async () => {
  const client = await server.organization();
  const ids = [];
  for (const type of TYPES) ids.push((await createMonitor(client, type)).id);
  await patch(ids[0], { enabled: false }, client);
  expect((await client.post("/api/v1/monitors/pause-all")).body).toEqual({
    data: { paused: TYPES.length - 1 },
  });
  expect((await client.post("/api/v1/monitors/pause-all")).body).toEqual({ data: { paused: 0 } });
  for (const id of ids) expect((await get(id, client)).enabled).toBe(false);
});

test("behavior 3.25: a job that pause-all paused misses no run, and its rhythm continues after a resume", async () => {
  const client = await server.organization();
  const { id } = await createMonitor(client, "SCHEDULED", { config: { period: 10, grace: 0 } });
  const lastCheckin = { kind: "checkin", status: "ok", at: server.now() - 5000 } as const;
  await server.store.recording.record([{ ...lastCheckin, monitorId: id }]);
  await client.post("/api/v1/monitors/pause-all");
  const { id: running } = await createMonitor(client, "SCHEDULED", { config: { period: 10, grace: 0 } });
  await server.store.recording.record([{ ...lastCheckin, monitorId: running }]);
  await becomes(client, running, "havent_heard");
  expect((await get(id, client)).status).toBe("ok");
  expect((await patch(id, { enabled: true }, client)).body.data.status).toBe("ok");
});

test("behavior 7.40, 6.9: DELETE also deletes the results", async () => {
  const client = await server.organization();
  const kept = await createMonitor(client, "SCHEDULED");
  const { id } = await createMonitor(client, "SCHEDULED");
  await checkIn(client, kept.id, "ok");
  await checkIn(client, id, "ok", "fail");
  const { status, body } = await client.delete(`/api/v1/monitors/${id}`);
  expect({ status, body }).toEqual({ status: 200, body: { data: { id } } });
  for (const path of ["", "/results", "/checkin"]) {
    expect((await client.get(`/api/v1/monitors/${id}${path}`)).status).toBe(404);
  }
  expect((await client.get("/api/v1/events")).body.data).toHaveLength(1);
  expect((await client.get("/api/v1/status")).body.data.total).toBe(1);
  expect((await client.delete(`/api/v1/monitors/${id}`)).status).toBe(404);
});

describe("behavior 7.29: plans", () => {
  test("behavior 7.6, 1.16: 402 without a subscription, on POST only", async () => {
    const client = await server.organization({ subscription: "inactive" });
    const { status, body } = await client.post("/api/v1/monitors", newMonitor("SCHEDULED"));
    expect({ status, body }).toEqual({
      status: 402,
      body: { error: "No active subscription", code: "no_subscription" },
    });
    expect((await client.get("/api/v1/monitors")).status).toBe(200);
  });

  test.each([
    ["starter", 10],
    ["pro", 50],
  ] as const)(
    "behavior 7.9, 7.29: %s has at most %d monitors, also for concurrent requests",
    async (plan, limit) => {
      const client = await server.organization({ plan });
      const answers = await Promise.all(
        Array.from({ length: limit + 5 }, () => client.post("/api/v1/monitors", newMonitor("SCHEDULED"))),
      );
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(5);
      for (const { status, body } of refused) {
        expect({ status, body }).toEqual({
          status: 422,
          body: { error: "Monitor limit reached", upgrade: true },
        });
      }
      expect((await client.get("/api/v1/monitors")).body.data).toHaveLength(limit);
    },
  );

  test.each([
    ["starter", 299, 300],
    ["pro", 59, 60],
  ] as const)(
    "behavior 7.10, 7.30: on %s an interval of %d s is too short, on create and on PATCH",
    async (plan, short, least) => {
      const client = await server.organization({ plan });
      const refusal = {
        error: `config.interval of ${short} s is not allowed on the ${plan} plan: it must be at least ${least} s`,
        code: "interval_too_short",
      };
      const config = { ...configs.TCP, interval: short };
      expect(await client.post("/api/v1/monitors", newMonitor("TCP", { config }))).toMatchObject({
        status: 422,
        body: refusal,
      });
      const { id } = await createMonitor(client, "TCP", { config: { ...config, interval: least } });
      expect((await patch(id, { config }, client)).body).toEqual(refusal);
      expect((await patch("no-such-monitor", { config }, client)).body).toEqual(refusal);
      expect((await createMonitor(client, "SCHEDULED", { config: { interval: 1 } })).config.interval).toBe(
        300,
      );
    },
  );

  test.each([299.5, 1.5, 0, -1, -1e300])(
    "behavior 7.10: %d is below the minimum, and the code says so, whatever else is wrong",
    async (interval) => {
      const client = await server.organization({ plan: "starter" });
      const { status, body } = await client.post(
        "/api/v1/monitors",
        newMonitor("TCP", { config: { interval } }),
      );
      expect({ status, code: body.code }).toEqual({ status: 422, code: "interval_too_short" });
    },
  );

  test("behavior 7.29: the minimum of enterprise is one second", async () => {
    expect(
      (await createMonitor(owner, "TCP", { config: { ...configs.TCP, interval: 1 } })).config.interval,
    ).toBe(1);
  });

  test("behavior 7.33: the default interval is never shorter than the minimum of the plan", async () => {
    const client = await server.organization({ plan: "starter" });
    expect((await createMonitor(client, "TLS", { config: { host: "127.0.0.1" } })).config.interval).toBe(300);
  });
});

describe("behavior 7.39: default channels", () => {
  test("are bound to a new monitor without alertChannelIds", async () => {
    const client = await server.organization();
    const { id } = await createChannel(client);
    const settings = await client.patch("/api/v1/organization", { defaultAlertChannelIds: [id] });
    expect(settings.body.data.defaultAlertChannelIds).toEqual([id]);
    const bindings = async (changes: object) =>
      (await get((await createMonitor(client, "SCHEDULED", changes)).id, client)).alertBindings;
    expect(await bindings({})).toEqual([{ monitorId: expect.any(String), alertChannelId: id }]);
    expect(await bindings({ alertChannelIds: [] })).toEqual([]);
    await client.delete(`/api/v1/alerts/${id}`);
    expect(await bindings({})).toEqual([]);
  });
});

test("behavior 7.5, 8.5: the answer for a monitor of another organization is the same as for an unknown ID", async () => {
  const other = await server.organization();
  const { id } = await createMonitor(owner, "TCP");
  const attempts = (monitor: string) =>
    Promise.all([
      other.get(`/api/v1/monitors/${monitor}`),
      patch(monitor, { name: "mine" }, other),
      other.delete(`/api/v1/monitors/${monitor}`),
      other.get(`/api/v1/monitors/${monitor}/results`),
    ]);
  const [foreign, missing] = [await attempts(id), await attempts("missing")];
  expect(foreign.map(({ status, body }) => ({ status, body }))).toEqual(
    missing.map(({ status, body }) => ({ status, body })),
  );
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(await get(id)).toMatchObject({ name: "a TCP monitor" });
});
