import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { createLocation, type ProbeClient } from "../support/requests/probe-client.ts";
import { answer, startHttpServer } from "../support/servers/http-answers.ts";
import { Receiver } from "../support/servers/receiver.ts";

const DAY = 86_400;

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await TestServer.start({ probes: { privateTargets: "allow", dnsServers: [] } });
  client = server.client;
});
afterAll(() => server[Symbol.asyncDispose]());

/** A page whose text is set, and a monitor that watches it. */
async function watchedPage(text: string, { changes = {}, of = client } = {}) {
  const page = { text };
  const target = await startHttpServer(() => answer("200 OK", ["Content-Type: text/html"], page.text));
  const config = { url: `http://127.0.0.1:${target.port}/`, interval: DAY, expect: { same: "text" } };
  const { id } = await createMonitor(of, "HTTP", { config, ...changes });
  await becomes(of, id, "up");
  return {
    ...{ id, page, config },
    async shows(shown: string): Promise<void> {
      page.text = shown;
      await checkAgain(of, id);
    },
    [Symbol.dispose]: () => target[Symbol.dispose](),
  };
}

const latest = async (of: Client, id: string) =>
  (await of.get(`/api/v1/monitors/${id}/results`)).body.data[0];

async function checkAgain(of: Client, id: string): Promise<void> {
  const before = (await latest(of, id)).id;
  await of.post(`/api/v1/monitors/${id}/check`);
  await eventually(async () => (await latest(of, id)).id !== before);
}

async function outageOf(of: Client, id: string) {
  return (await of.get(`/api/v1/outages?monitorId=${id}`)).body.data[0];
}

test("behavior 26.110, 26.115, 26.118: a defaced page is degraded and notified; an acknowledgement makes the page usual", async () => {
  await using receiver = new Receiver();
  const channel = await createChannel(client, { config: { url: receiver.url } });
  using watched = await watchedPage("<p>Welcome</p>", { changes: { alertChannelIds: [channel.id] } });
  const { id } = watched;
  await watched.shows("<h1>Welcome</h1><!-- another id -->");
  expect(await latest(client, id)).toMatchObject({ status: "up" });

  await watched.shows("<p>Hacked by us</p>");
  const message = "the visible text changed: it has 12 characters instead of 7";
  expect(await latest(client, id)).toMatchObject({
    status: "degraded",
    detail: { reason: "changed", message },
  });
  const outage = await outageOf(client, id);
  expect(outage).toMatchObject({ status: "degraded", reason: "changed", endedAt: null });
  await eventually(async () => (await outageOf(client, id)).why !== null);
  expect((await outageOf(client, id)).why).toEqual({ layer: "content", summary: message });

  // The acknowledgement lets it be checked at once.
  await client.post(`/api/v1/outages/${outage.id}/acknowledge`, {});
  await becomes(client, id, "up");
  for (const shown of ["<p>Welcome</p>", "<p>Hacked by us</p>"]) {
    await watched.shows(shown);
    expect(await latest(client, id)).toMatchObject({ status: "up" });
  }
  await eventually(() => receiver.received.length === 2);
  expect(receiver.received.map(({ payload }) => payload.data)).toMatchObject([
    { previousStatus: "up", status: "degraded", result: { detail: { reason: "changed", message } } },
    { previousStatus: "degraded", status: "up" },
  ]);
  const everything = JSON.stringify([
    receiver.received,
    (await client.get(`/api/v1/monitors/${id}/results`)).body,
    (await client.get(`/api/v1/outages/${outage.id}/report`)).body,
    (await client.get(`/api/v1/outages/${outage.id}/evidence`)).body,
  ]);
  expect(everything).not.toContain("Hacked");
}, 120_000);

test("behavior 26.113, 26.120: the known page is up at once; another part is learned, and other edits keep what is known", async () => {
  using watched = await watchedPage("<p>1</p>");
  const { id, config } = watched;
  await watched.shows("<p>2</p>");
  await watched.shows("<p>1</p>");
  expect((await latest(client, id)).status).toBe("up");
  expect((await outageOf(client, id)).endedAt).not.toBeNull();

  // A check that is under way may have seen the page before: a request does not repeat it.
  const checkedTo = (status: string) =>
    eventually(async () => {
      await client.post(`/api/v1/monitors/${id}/check`);
      return (await latest(client, id)).status === status;
    });
  const edit = (change: object) =>
    client.patch(`/api/v1/monitors/${id}`, { config: { ...config, ...change } });
  await edit({ headers: { "X-A": "b" } });
  watched.page.text = "<p>3</p>";
  await checkedTo("degraded");
  await edit({ expect: { same: { of: "body", keepDays: 1 } } });
  await checkedTo("up");
  watched.page.text = "<p>3</p> ";
  await checkedTo("degraded");
  expect((await latest(client, id)).detail).toMatchObject({
    reason: "changed",
    message: "the body changed: it has 9 bytes instead of 8",
  });
}, 120_000);

test("behavior 26.116: a maintenance makes the pages in its windows usual, without a word", async () => {
  const of = await server.organization();
  using watched = await watchedPage("<p>1</p>", { of });
  const { id } = watched;
  const at = (hours: number) => new Date(server.now() + hours * 3_600_000).toISOString();
  const maintenance = { title: "Release", selector: { all: true }, startsAt: at(-1), endsAt: at(1) };
  const created = await of.post("/api/v1/maintenances", maintenance);
  expect(created.status).toBe(201);
  await watched.shows("<p>2</p>");
  expect((await latest(of, id)).status).toBe("up");
  await of.send("DELETE", `/api/v1/maintenances/${created.body.data.id}`);
  await watched.shows("<p>1</p>");
  await watched.shows("<p>2</p>");
  expect((await latest(of, id)).status).toBe("up");
  await watched.shows("<p>3</p>");
  expect((await latest(of, id)).status).toBe("degraded");
}, 120_000);

test("behavior 26.115, 26.122: an acknowledgement holds for what was seen: another page is another outage", async () => {
  using watched = await watchedPage("<p>1</p>", { changes: { recoveries: 10 } });
  const { id } = watched;
  await watched.shows("<p>2</p>");
  const first = await outageOf(client, id);
  watched.page.text = "<p>3</p>";
  await client.post(`/api/v1/outages/${first.id}/acknowledge`, { note: "a release" });
  await eventually(async () => (await outageOf(client, id)).id !== first.id);
  expect(await outageOf(client, id)).toMatchObject({
    reason: "changed",
    endedAt: null,
    acknowledgedAt: null,
  });
  const before = (await client.get(`/api/v1/outages/${first.id}`)).body.data;
  expect(before).toMatchObject({ endedAt: expect.any(String), note: "a release" });
}, 120_000);

test("behavior 26.119: each location has values of its own, and an acknowledgement is for all of them", async () => {
  const of = await server.organization();
  const [one, other] = [await createLocation(of, "Frankfurt"), await createLocation(of, "Sydney")];
  const { id } = await createMonitor(of, "HTTP", {
    config: { url: "https://a.example/", interval: 60, expect: { same: "body" } },
    ...{ locations: [one.id, other.id], downWhen: "all" },
  });
  let now = server.now();
  const sees = async (probe: ProbeClient, digest: string, length = 5) => {
    now = Math.max(now + 1, server.now());
    const evidence = { outcome: "reached", latencyMs: 5, contents: [{ digest, length }], detail: {} };
    const sent = await probe.observe({ monitorId: id, evidence, at: now });
    expect(sent.body).toMatchObject({ data: { recorded: 1 } });
    return (await of.get(`/api/v1/monitors/${id}`)).body.data.status;
  };
  for (const { probe } of [one, other]) await probe.work();
  await sees(one.probe, "here");
  expect(await sees(other.probe, "there")).toBe("up");
  expect(await sees(one.probe, "here")).toBe("up");
  expect(await sees(one.probe, "changed here")).toBe("up");
  expect(await sees(other.probe, "changed there", 6)).toBe("degraded");
  const { id: outage } = await outageOf(of, id);
  await of.post(`/api/v1/outages/${outage}/acknowledge`, {});
  expect(await sees(one.probe, "changed here")).toBe("up");
  expect(await sees(other.probe, "changed there")).toBe("up");
  expect(await sees(one.probe, "changed there")).toBe("up");
  expect(await sees(other.probe, "changed here")).toBe("degraded");
}, 120_000);

test("behavior 26.110, 26.111: each step watches a content of its own, and the message names the step", async () => {
  const page = { text: "<p>Welcome</p>" };
  using target = await startHttpServer((path) =>
    answer("200 OK", [`ETag: ${path}`, "Content-Type: text/html"], page.text),
  );
  const url = `http://127.0.0.1:${target.port}`;
  const steps = [
    { name: "sign in", url: `${url}/sign-in`, expect: { same: "header:ETag" }, take: { TAG: "header:ETag" } },
    { name: "account", url: `${url}/account?tag={{TAG}}`, expect: { same: { of: "text", keepDays: 30 } } },
  ];
  const created = await createMonitor(client, "HTTP", { config: { interval: DAY, steps } });
  expect(created.config.steps).toEqual(steps);
  await becomes(client, created.id, "up");
  page.text = "<p>Hacked by us</p>";
  await checkAgain(client, created.id);
  expect(await latest(client, created.id)).toMatchObject({
    status: "degraded",
    detail: {
      reason: "changed",
      message: "account: the visible text changed: it has 12 characters instead of 7",
      steps: [{ statusCode: 200 }, { statusCode: 200 }],
    },
  });
  const outage = await outageOf(client, created.id);
  await client.post(`/api/v1/outages/${outage.id}/acknowledge`, {});
  await becomes(client, created.id, "up");
}, 60_000);

test.each([
  [{ same: "nothing" }, /^config\.expect\.same must be body, text, json:\$\.path or header:Name/],
  [{ same: "json:$..a" }, /^config\.expect\.same must be a path to one value/],
  [{ same: "header:" }, /^config\.expect\.same must be body/],
  [
    { same: { of: "text", keepDays: 0 } },
    /^config\.expect\.same\.keepDays must be a whole number from 1 to 365, got 0/,
  ],
  [
    { same: { of: "text", keepDays: 366 } },
    /^config\.expect\.same\.keepDays must be a whole number from 1 to 365, got 366/,
  ],
  [{ same: { keepDays: 7 } }, /^config\.expect\.same/],
])("behavior 26.110: %j is refused", async (expected, message) => {
  const config = { url: "https://a.example/", interval: 60, expect: expected };
  const { status, body } = await client.post("/api/v1/monitors", newMonitor("HTTP", { config }));
  expect([status, body.error]).toEqual([422, expect.stringMatching(message)]);
});

test("behavior 26.110: with HEAD, only a header can be watched", async () => {
  const config = { url: "https://a.example/", interval: DAY, method: "HEAD", expect: { same: "text" } };
  const refused = await client.post("/api/v1/monitors", newMonitor("HTTP", { config }));
  expect([refused.status, refused.body.error]).toEqual([
    422,
    expect.stringContaining("config.expect.same must be a header with HEAD"),
  ]);
  const header = { ...config, expect: { same: "header:ETag" } };
  expect((await client.post("/api/v1/monitors", newMonitor("HTTP", { config: header }))).status).toBe(201);
});
