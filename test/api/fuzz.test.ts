import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { isLong } from "../support/long.ts";
import { ApiServer, type Members } from "../support/product/api-server.ts";
import type { Client } from "../support/requests/client.ts";
import { Contract } from "../support/requests/contract.ts";
import { type HostileRequest, hostileRequest } from "../support/requests/hostile.ts";
import { createChannel, createMonitor, type Type } from "../support/requests/monitors.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { engineOfTests } from "../support/store/engines.ts";
import { countWrites, storedIds, storedRows } from "../support/store/states.ts";

/** A request takes some times longer on PostgreSQL. */
const REQUESTS = isLong ? (engineOfTests().name === "sqlite" ? 10_000 : 4000) : 1000;
/** How many of them at least must have each of the usual answers. */
const ENOUGH = REQUESTS / 1000;
/** Milliseconds after which it ends early on a busy machine, if it has made an eighth of the requests. */
const TIME_LIMIT = 180_000;

/** Part of the names of the second organization, and of no request. */
const SECRET = "7c1f0e5a";

// The first test on PostgreSQL starts the cluster.
setDefaultTimeout(300_000);

let server: ApiServer;
let contract: Contract;
let first: Members;
let second: Members;
let callers: { client: Client; isSecond: boolean }[];
/** The IDs of the keys and locations of this test. */
let kept: string[];

beforeAll(async () => {
  server = await ApiServer.start();
  contract = await Contract.of(server.url);
  first = await server.organization("first", "enterprise");
  second = await server.organization(SECRET, "pro");
  const starter = await server.organization("starter", "starter");
  const inactive = await server.organization("inactive", "enterprise", "inactive");
  kept = (await server.store.apiKeys.list()).map(({ id }) => id);
  const probes: Client[] = [];
  for (const { owner } of [first, second]) probes.push(await seed(owner));
  await seed(starter.owner);
  kept.push(...(await storedIds(server.db, "location")));
  const strangers = [undefined, "nonsense", `stillup_${"x".repeat(43)}`].map((key) => first.owner.as(key));
  const own = [
    ...[first, first, first, second].flatMap(Object.values),
    starter.owner,
    // Few of its requests get as far as the 402.
    ...Array(3).fill(inactive.owner),
    ...probes,
  ] as Client[];
  callers = [...own, ...strangers].map((client) => ({
    client,
    isSecond: [...Object.values(second), probes[1]].includes(client),
  }));
});

afterAll(() => server[Symbol.asyncDispose]());

/** @returns the probe of a location */
async function seed(owner: Client): Promise<Client> {
  const name = owner === second.owner ? SECRET : "seeded";
  const { id: location, probe } = await createLocation(owner, name);
  const { id } = await createChannel(owner, { name });
  for (const type of ["HTTP", "TCP", "TLS", "DNS", "SCHEDULED"] as Type[]) {
    const placement = type === "HTTP" ? { locations: ["here", location] } : {};
    const monitor = await createMonitor(owner, type, { name, alertChannelIds: [id], ...placement });
    if (type === "SCHEDULED") await owner.get(`/api/v1/monitors/${monitor.id}/checkin?status=fail`);
  }
  await seedPage(owner, name);
  return owner.as(probe.key);
}

/** A page that shows the job which has failed, with an incident. */
async function seedPage(owner: Client, title: string): Promise<void> {
  const [outage] = (await owner.get("/api/v1/outages")).body.data;
  const components = [{ monitorId: outage.monitor.id, name: title, group: title }];
  const { id } = await createPage(owner, { title, description: title, components });
  const updates = [{ status: "identified", body: title }];
  await createIncident(owner, id, { title, outageId: outage.id, updates });
}

test(
  "behavior 7.13, 8.5: every request gets a documented answer, no organization sees or changes data of another, and a rejected request changes nothing",
  async () => {
    const made: Record<number, number> = {};
    let counter = -1;
    let digest = "";
    const property = fc.asyncProperty(hostileRequest, async (request) => {
      if ((await countWrites(server.db)) !== counter) digest = await digestOf();
      counter = await countWrites(server.db);
      const { status, text, sent } = await send(request);
      made[status] = (made[status] ?? 0) + 1;

      expect(status).toBeLessThan(500);
      if (sent.isPage) return;
      if (sent.method !== "HEAD") {
        const body = JSON.parse(text);
        contract.check(sent.method, sent.path, status, body);
        if (status >= 400) assertError(body, new URL(sent.path, "http://a").pathname);
        if (!sent.isSecond) expect(text).not.toContain(SECRET);
      }
      const isRead = sent.method === "GET" && !/\/checkin|\/probe\//.test(sent.path);
      if ((status >= 400 || isRead) && (await countWrites(server.db)) !== counter)
        expect(await digestOf()).toBe(digest);
    });
    await fc.assert(property, {
      numRuns: REQUESTS,
      endOnFailure: true,
      interruptAfterTimeLimit: TIME_LIMIT,
    });
    const total = Object.values(made).reduce((sum, count) => sum + count, 0);
    process.stdout.write(`fuzzing made ${total} requests, by status: ${JSON.stringify(made)}\n`);
    // Interrupted on a busy machine: fewer would prove little.
    expect(total).toBeGreaterThanOrEqual(REQUESTS / 8);
    // Enough requests must have passed the first checks, otherwise the test proves little. Few of a short run have a rare answer.
    for (const status of [200, 401, 403, 404, 422, ...(isLong ? [201, 402] : [])])
      expect(made[status] ?? 0).toBeGreaterThan(ENOUGH);
  },
  TIME_LIMIT + 30_000,
);

async function send({ method, path, body, caller, id, contentType }: HostileRequest) {
  const who = callers[caller % callers.length];
  if (!who) throw new Error("nobody calls");
  const filled = await fill(path, id);
  const url = new URL(server.url + (filled.startsWith("/") ? filled : `/${filled}`));
  const response = await fetch(url, {
    method,
    headers: {
      ...(who.client.key && { authorization: `Bearer ${who.client.key}` }),
      ...(contentType && { "content-type": contentType }),
      "stillup-protocol": "2",
    },
    ...(body !== undefined && !["GET", "HEAD"].includes(method) && { body: await fill(body, id) }),
  });
  const isPage = url.pathname.startsWith("/docs");
  return {
    status: response.status,
    text: await response.text(),
    sent: { method, path: url.pathname, isSecond: who.isSecond, isPage },
  };
}

const KINDS = ["monitor", "channel", "key", "location", "outage", "page", "component", "incident"] as const;

async function fill(text: string, id: number): Promise<string> {
  let filled = text;
  for (const kind of KINDS)
    if (text.includes(`{${kind}}`)) filled = filled.replaceAll(`{${kind}}`, await pick(kind, id));
  return filled;
}

/** Requests must not change the keys and locations of this test, otherwise soon every answer would be 401. */
async function pick(kind: Parameters<typeof storedIds>[1], id: number): Promise<string> {
  const ids = (await storedIds(server.db, kind)).filter((one) => !kept.includes(one));
  return ids[id % ids.length] ?? "none";
}

function assertError(body: Record<string, unknown>, path: string): void {
  const { error, code, upgrade, ...others } = body;
  expect(Object.keys(others)).toEqual("faults" in others && path === "/api/v1/apply" ? ["faults"] : []);
  expect(error).toBeString();
  expect(error).not.toBe("");
  if ("code" in body) expect(["no_subscription", "interval_too_short"]).toContain(code as string);
  if ("upgrade" in body) expect(upgrade).toBe(true);
}

/** The content of the database, except the last uses of keys, which every request changes. */
async function digestOf(): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha1");
  for (const row of await storedRows(server.db)) hasher.update(row);
  return hasher.digest("hex");
}
