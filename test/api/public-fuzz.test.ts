import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { isLong } from "../support/long.ts";
import { type HostileReading, hostileReading } from "../support/pages/hostile-reader.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { engineOfTests } from "../support/store/engines.ts";
import { countWrites } from "../support/store/states.ts";

/** A request takes some times longer on PostgreSQL. */
const REQUESTS = isLong ? (engineOfTests().name === "sqlite" ? 6000 : 4000) : 1000;
/** How many of them at least must have each of the usual answers. */
const ENOUGH = REQUESTS / 1000;
const TIME_LIMIT = 120_000;

/** Part of all that is private, and of no request. */
const SECRET = "7c1f0e5a";

let server: ApiServer;
let placeholders: Record<string, string>;

beforeAll(async () => {
  server = await ApiServer.start();
  const { owner } = await server.organization("first", "enterprise");
  const second = (await server.organization(SECRET, "enterprise")).owner;
  const monitor = await createMonitor(owner, "SCHEDULED", { name: SECRET });
  await createMonitor(second, "SCHEDULED", { name: SECRET });
  const component = { monitorId: monitor.id, name: "Shop", group: "Website" };
  const page = { slug: "shop", title: "Shop", visibility: "public", components: [component] };
  const { data } = (await owner.post("/api/v1/pages", page)).body;
  await owner.post("/api/v1/pages", { slug: "closed", title: SECRET, components: [component] });
  const incident = {
    title: "Slow",
    impact: "minor",
    updates: [{ status: "investigating", body: "*We look*" }],
  };
  const written = (await owner.post(`/api/v1/pages/${data.id}/incidents`, incident)).body.data;
  placeholders = {
    "{slug}": "shop",
    "{component}": data.components[0].id,
    "{incident}": written.id,
    "{monitor}": monitor.id,
  };
});

afterAll(() => server[Symbol.asyncDispose]());

test(
  "behavior 15.100: a public route answers every request as documented, a GET or HEAD writes nothing, and nothing private is in an answer",
  async () => {
    const made: Record<number, number> = {};
    const property = fc.asyncProperty(hostileReading, async (request) => {
      const before = await countWrites(server.db);
      const { response, text } = await send(request);
      made[response.status] = (made[response.status] ?? 0) + 1;
      expect([200, 202, 304, 404, 413, 422, 429]).toContain(response.status);
      expect(text + JSON.stringify([...response.headers])).not.toContain(SECRET);
      assertHeaders(response);
      if (["HEAD", "GET"].includes(request.method) && (await countWrites(server.db)) !== before)
        await assertWritesNothing(request);
      if (request.method === "HEAD" || response.status === 304) expect(text).toBe("");
      if (request.method === "GET" && response.status === 200) await assertKept(request, response);
    });
    await fc.assert(property, {
      numRuns: REQUESTS,
      endOnFailure: true,
      interruptAfterTimeLimit: TIME_LIMIT,
      markInterruptAsFailure: true,
    });
    process.stdout.write(`fuzzing public routes, by status: ${JSON.stringify(made)}\n`);
    // Enough requests must have passed the first checks, otherwise the test proves little. Few of a short run have a rare answer.
    for (const status of [200, 304, 404, ...(isLong ? [422] : [])])
      expect(made[status] ?? 0).toBeGreaterThan(ENOUGH);
  },
  TIME_LIMIT + 30_000,
);

/** Sends a request again, because the server may have written something of its own during the first one. */
async function assertWritesNothing(request: HostileReading): Promise<void> {
  const before = await countWrites(server.db);
  await send(request);
  expect(await countWrites(server.db)).toBe(before);
}

async function send({ method, path, headers, body }: HostileReading) {
  const fill = (given: string) =>
    Object.entries(placeholders).reduce((all, [name, value]) => all.replaceAll(name, value), given);
  const response = await fetch(server.url + fill(path), {
    method,
    headers,
    redirect: "manual",
    ...(body !== undefined && !["GET", "HEAD"].includes(method) && { body: fill(body) }),
  });
  return { response, text: await response.text() };
}

/** No answer may run a script, set a cookie, or have a header that the request made up. */
function assertHeaders({ headers }: Response): void {
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.has("set-cookie")).toBe(false);
  expect(headers.has("x-injected")).toBe(false);
}

/** An answer that clients may keep has a tag, with which they ask again. Pages of forms are not kept. */
async function assertKept(request: HostileReading, response: Response): Promise<void> {
  const etag = response.headers.get("etag");
  if (etag === null) return expect(response.headers.get("cache-control")).toContain("no-store");
  const again = await send({ ...request, headers: { ...request.headers, "if-none-match": `"x", ${etag}` } });
  expect(again.response.status).toBe(304);
  expect(again.response.headers.get("etag")).toBe(etag);
}
